"""Points of a `foreach` by the work-items of sub-groups, executed by the oracle with its race checks."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL, clone
from passes.test_subgroup_blocks import assert_computes_the_same, lowered
from passes_kit import checked
from properties.execution import data_for, differences

import pytl
from pytl.passes.targets.spmd import DEVICES

pytestmark = pytest.mark.at_most(6)

LINES = """func @f(%a: memref<{t}x{n}x{m}>, %b: memref<{t}x{n}x{m}>) {attributes}{{
  %0 = constant {start} : index
  %1 = constant {n} : index
  %2 = constant {m} : index
  %3 = constant {start_of_lines} : index
  foreach (%i, %j) = (%0, %3), (%1, %2) {{
    %x = load %a[%i, %j] : {t}
    %y = load %b[%i, %j] : {t}
    %z = arith.mul %x, %y : {t}
    store %z, %b[%i, %j]
  }}
}}"""
SUMS = """func @f(%a: memref<{t}x{n}x{m}>, %c: memref<{t}x{m}>) {attributes}{{
  %0 = constant 0 : index
  %1 = constant {n} : index
  %2 = constant {m} : index
  %zero = constant {zero} : {t}
  foreach (%j) = (%0), (%2) {{
    %first = load %a[%0, %j] : {t}
    %x, %y = for %i = %0, %1 init(%most=%first, %least=%first) -> ({t}, {t}) {{
      %e = load %a[%i, %j] : {t}
      %p = arith.max %most, %e : {t}
      %q = arith.min %e, %least : {t}
      yield (%p, %q)
    }}
    %s = for %i = %0, %1 init(%sum=%zero) -> ({t}) {{
      %e = load %a[%i, %j] : {t}
      %d = arith.sub %x, %e : {t}
      %p = arith.mul %d, %d : {t}
      %q = arith.add %sum, %p : {t}
      yield (%q)
    }}
    %before = load %c[%j] : {t}
    %u = arith.add %s, %before : {t}
    %v = arith.add %u, %y : {t}
    store %v, %c[%j]
  }}
}}"""


def zero_of(type_: str) -> str:
    return "0" if type_.startswith("i") else "0.0"


@pytest.mark.parametrize("device", [None, *DEVICES])
@pytest.mark.parametrize("size", [8, 16, 32])
@pytest.mark.parametrize("seed", range(2))
def test_lines_of_points(device, size, seed):
    random = Random(f"{seed} {size} {device}")
    n, m, count = random.choice([20, 31, 40, 64, 150]), random.choice([1, 2, 7]), random.choice([1, 2, 3])
    attributes = f"attributes{{subgroup_size={size}, work_group_size=[{size},{count}]}} "
    type_, start = random.choice(["f32", "f64", "i32", "bf16"]), random.choice([0, 0, 1])
    text = LINES.format(t=type_, n=n, m=m, attributes=attributes, start=start, start_of_lines=random.choice([0, 1]))
    arguments = data_for(checked(text).functions[0], seed, 1, {"": 4})
    assert "vector.work_items" in str(assert_computes_the_same(text, arguments, device=device))


@pytest.mark.parametrize("device", [None, *DEVICES])
@pytest.mark.parametrize("size", [8, 16, 32])
@pytest.mark.parametrize("seed", range(2))
def test_sums_in_a_point(device, size, seed):
    random = Random(f"{seed} {size} {device}")
    n, m, count = random.choice([16, 17, 31, 40, 64]), random.choice([1, 2, 7, 20]), random.choice([1, 2, 3])
    attributes = f"attributes{{subgroup_size={size}, work_group_size=[{size},{count}]}} "
    type_ = random.choice(["f32", "f64", "i32"])
    text = SUMS.format(t=type_, n=n, m=m, attributes=attributes, zero=zero_of(type_))
    arguments = data_for(checked(text).functions[0], seed, 1, {"": 4})
    after = str(assert_computes_the_same(text, arguments, device=device))
    assert all(f"subgroup_{word}.reduce" in after for word in ("max", "min", "add"))


@pytest.mark.at_night
@NEEDS_SYCL
@pytest.mark.parametrize("text", [LINES, SUMS], ids=["lines", "sums"])
def test_the_driver_agrees(text):
    text = text.format(t="f32", n=50, m=20, attributes="", zero="0.0", start=0, start_of_lines=0)
    (kernel,) = pytl.compile(text).values()
    arguments = data_for(checked(text).functions[0], 3, 1, {"": 4})
    left = []
    for options in ({"strategy": "one-item"}, {"strategy": "many-items"}):
        own = clone(arguments)
        kernel[1, options](*own, backend="sycl")
        left.append(own)
    assert not differences(left[1], left[0], [1e-4] * len(arguments))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    %s = for", "    store %x, %a[%0, %j]\n    %s = for"),
        ("arith.add %sum, %p", "arith.mul %sum, %p"),
        ("%d = arith.sub %x, %e", "%d = arith.sub %sum, %e"),
        ("%a[%i, %j]", "%a[%j, %i]"),
    ],
    ids=["stored before", "no sum", "used twice", "neighbours are contiguous"],
)
def test_what_each_work_item_computes_alone(old, new):
    text = SUMS.format(t="f32", n=20, m=20, attributes="", zero="0.0")
    assert old in text
    after = str(lowered(text.replace(old, new), device="gpu"))
    assert "subgroup_" not in after.replace("subgroup_size", "").replace("subgroup_local_id", "")


def test_what_is_stored_atomically_stays_a_loop():
    text = LINES.format(t="f32", n=20, m=20, attributes="", start=0, start_of_lines=0)
    assert "foreach" in str(lowered(text.replace("store %z", "store.atomic_add %z"), device="gpu"))


@NEEDS_SYCL
def test_loops_count_in_narrow_integers():
    text = """func @f(%m: i32, %a: memref<f32x40x20>, %c: memref<f32x40>) {
      %none = constant 0 : index
      %all = constant 40 : index
      %one = constant 1 : i32
      %three = constant 3 : i32
      %zero = constant 0.0 : f32
      foreach (%i) = (%none), (%all) {
        %s = for %j: i32 = %one, %m, %three init(%sum=%zero) -> (f32) {
          %k = cast %j : index
          %x = load %a[%i, %k] : f32
          %t = arith.add %sum, %x : f32
          yield (%t)
        }
        store %s, %c[%i]
      }
    }"""
    (kernel,) = pytl.compile(text).values()
    a, c = np.asfortranarray(np.random.default_rng(1).random((40, 20), np.float32)), np.zeros(40, np.float32)
    kernel[1, {"strategy": "many-items"}](17, a, c, backend="sycl")
    assert np.allclose(c, a[:, 1:17:3].sum(1), rtol=1e-6)
