"""Sub-group operations on the reference backend, against loops over the work-items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from reference_kit import COMPLEX, DTYPES, FLOATS, INTEGERS, random_array, run, same, stored_as, wide

TYPES = [*INTEGERS, *FLOATS, *COMPLEX]
# sub-group size, work-group size
SHAPES = [(16, (16, 1)), (16, (32, 2)), (8, (8, 3)), (32, (32, 1)), (4, (4, 1)), (1, (3, 1))]
PLACE = """
    %id = builtin.subgroup_id : i32
    %local = builtin.subgroup_local_id : i32
    %size = builtin.subgroup_size : i32
    %start = arith.mul %id, %size : i32
    %item = arith.add %start, %local : i32
    %i = cast %item : index"""


def spmd_text(type_: str, body: str, size: int, shape: tuple[int, int], more: str = "") -> str:
    """A function whose work-items take `%x` of %a, each its own, and store `%y` in %r."""
    attributes = f"attributes{{subgroup_size={size}, work_group_size=[{shape[0]},{shape[1]}]}}"
    return f"""
func @f(%a: memref<{type_}x?>, %r: memref<{type_}x?>{more}) {attributes} {{
  parallel {{{PLACE}
    %x = load %a[%i] : {type_}
    {body}
    store %y, %r[%i]
  }}
}}"""


def scanned(values: Sequence[Any], variant: str, combine: Callable, identity: Any) -> list[Any]:
    """The manual's table for the values of one sub-group."""
    inclusive = [values[0]]
    for value in values[1:]:
        inclusive.append(combine(inclusive[-1], value))
    if variant == "reduce":
        return [inclusive[-1]] * len(values)
    return inclusive if variant == "inclusive_scan" else [identity, *inclusive[:-1]]


def by_subgroup(values: np.ndarray, size: int, variant: str, combine: Callable, identity: Any) -> np.ndarray:
    parts = [values[at : at + size].tolist() for at in range(0, len(values), size)]
    return np.array([entry for part in parts for entry in scanned(part, variant, combine, identity)])


def test_builtins() -> None:
    text = """
    func @f(%r: memref<i32x48x4>, %n: memref<i32x2>) attributes{subgroup_size=8, work_group_size=[24,2]} {
      %count = builtin.num_subgroups : i32
      %size = builtin.subgroup_size : i32
      %zero = constant 0 : index
      %one = constant 1 : index
      %two = constant 2 : index
      %three = constant 3 : index
      store %count, %n[%zero]
      store %size, %n[%one]
      parallel {
        %id = builtin.subgroup_id : i32
        %local = builtin.subgroup_local_id : i32
        %count2 = builtin.num_subgroups : i32
        %size2 = builtin.subgroup_size : i32
        %start = arith.mul %id, %size2 : i32
        %item = arith.add %start, %local : i32
        %i = cast %item : index
        store %id, %r[%i, %zero]
        store %local, %r[%i, %one]
        store %count2, %r[%i, %two]
        store %size2, %r[%i, %three]
      }
    }"""
    r, n = np.full((48, 4), -1, np.int32, order="F"), np.zeros(2, np.int32)
    run(text, r, n)
    assert n.tolist() == [6, 8]
    assert r.tolist() == [[item // 8, item % 8, 6, 8] for item in range(48)]


@pytest.mark.parametrize("given", ["subgroup_size=4", "work_group_size=[12,1]", ""])
def test_builtins_where_the_function_leaves_sizes_open(given: str) -> None:
    text = f"""
    func @f(%n: memref<i32x3>) attributes{{{given}}} {{
      %zero = constant 0 : index
      %one = constant 1 : index
      %two = constant 2 : index
      %count = builtin.num_subgroups : i32
      %size = builtin.subgroup_size : i32
      %unit = constant 1 : i32
      store %count, %n[%zero]
      store %size, %n[%one]
      parallel {{ store.atomic_add %unit, %n[%two] }}
    }}"""
    n = np.zeros(3, np.int32)
    run(text if given else text.replace("attributes{}", ""), n)
    assert n[0] * n[1] == n[2]
    assert n.tolist() == {"subgroup_size=4": [1, 4, 4], "work_group_size=[12,1]": [3, 4, 12], "": [1, 16, 16]}[given]


def test_builtins_of_iterations_name_work_items_that_there_are() -> None:
    text = """
    func @f(%r: memref<i32x100x2>) attributes{subgroup_size=8, work_group_size=[16,1]} {
      %zero = constant 0 : index
      %one = constant 1 : index
      %n = constant 100 : index
      foreach (%i) = (%zero), (%n) {
        %id = builtin.subgroup_id : i32
        %local = builtin.subgroup_local_id : i32
        store %id, %r[%i, %zero]
        store %local, %r[%i, %one]
      }
    }"""
    r = np.full((100, 2), -1, np.int32, order="F")
    run(text, r)
    assert set(r[:, 0]) == {0, 1}
    assert set(r[:, 1]) == set(range(8))


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("variant", ["reduce", "inclusive_scan", "exclusive_scan"])
@pytest.mark.parametrize(("size", "shape"), SHAPES)
def test_add(type_: str, variant: str, size: int, shape: tuple[int, int]) -> None:
    items = shape[0] * shape[1]
    a = random_array(np.random.default_rng(items), type_, items)
    if type_ == "i8":
        a = (a * 20).astype(np.int8)
    out = np.zeros_like(a)
    run(spmd_text(type_, f"%y = subgroup_add.{variant} %x : {type_}", size, shape), a, out)
    same(out, stored_as(by_subgroup(wide(a), size, variant, lambda x, y: x + y, 0), type_))


@pytest.mark.parametrize("type_", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("variant", ["reduce", "inclusive_scan", "exclusive_scan"])
@pytest.mark.parametrize("operation", ["max", "min"])
@pytest.mark.parametrize(("size", "shape"), SHAPES[:3])
def test_max_and_min(type_: str, variant: str, operation: str, size: int, shape: tuple[int, int]) -> None:
    items = shape[0] * shape[1]
    a = random_array(np.random.default_rng(items), type_, items)
    # what every work-item has is beyond zero, so that a wrong identity shows
    a = (np.abs(a) + 1) * (-1 if operation == "max" else 1)
    a = a.astype(DTYPES[type_])
    if type_ in INTEGERS:
        limits = np.iinfo(DTYPES[type_])
        identity = int(limits.min if operation == "max" else limits.max)
        values = a
    else:
        identity = -np.inf if operation == "max" else np.inf
        values = wide(a)
    out = np.zeros_like(a)
    run(spmd_text(type_, f"%y = subgroup_{operation}.{variant} %x : {type_}", size, shape), a, out)
    expected = by_subgroup(values, size, variant, max if operation == "max" else min, identity)
    same(out, expected.astype(DTYPES[type_]))


@pytest.mark.parametrize("type_", FLOATS)
@pytest.mark.parametrize("operation", ["max", "min"])
def test_max_and_min_pass_over_nan(type_: str, operation: str) -> None:
    nan = np.nan
    a = np.array([nan, nan, 3, nan, -np.inf, 5, nan, np.inf], DTYPES[type_])
    combine = np.fmax if operation == "max" else np.fmin
    for variant in ("reduce", "inclusive_scan", "exclusive_scan"):
        out = np.zeros_like(a)
        run(spmd_text(type_, f"%y = subgroup_{operation}.{variant} %x : {type_}", 4, (8, 1)), a, out)
        identity = -np.inf if operation == "max" else np.inf
        same(out, by_subgroup(wide(a), 4, variant, combine, identity).astype(DTYPES[type_]))
    out = np.zeros(4, DTYPES[type_])
    run(spmd_text(type_, f"%y = subgroup_{operation}.reduce %x : {type_}", 4, (4, 1)), np.full_like(out, nan), out)
    assert np.isnan(wide(out)).all()


@pytest.mark.parametrize(("type_", "digits"), [("f16", 11), ("bf16", 8)])
def test_half_precision_is_summed_in_float32(type_: str, digits: int) -> None:
    # beyond 2**digits, ones added one by one to a number of the type itself would be lost
    a = np.ones(16, DTYPES[type_])
    a[0] = 2**digits
    for variant in ("reduce", "inclusive_scan"):
        out = np.zeros_like(a)
        run(spmd_text(type_, f"%y = subgroup_add.{variant} %x : {type_}", 16, (16, 1)), a, out)
        expected = by_subgroup(wide(a), 16, variant, lambda x, y: x + y, 0)
        same(out, expected.astype(np.float32).astype(DTYPES[type_]))
        # 15 ones are lost but for rounding: halfway between two numbers, the even one is further up
        assert float(out[-1]) == 2**digits + 16


def test_sum_of_negative_zeros() -> None:
    a = np.full(16, -0.0, np.float32)
    out = np.ones_like(a)
    run(spmd_text("f32", "%y = subgroup_add.reduce %x : f32", 16, (16, 1)), a, out)
    same(out, a)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize(("size", "shape"), SHAPES)
def test_broadcast(type_: str, size: int, shape: tuple[int, int]) -> None:
    items = shape[0] * shape[1]
    a = random_array(np.random.default_rng(items), type_, items)
    a = (a + np.arange(items).astype(a.dtype)).astype(a.dtype)
    # each sub-group asks another work-item
    body = f"%from = arith.rem %id, %size : i32 %y = subgroup_broadcast %x, %from : {type_}"
    out = np.zeros_like(a)
    run(spmd_text(type_, body, size, shape), a, out)
    same(out, [a[item // size * size + item // size % size] for item in range(items)])


def test_broadcast_of_what_is_the_same_for_all() -> None:
    text = """
    func @f(%r: memref<f32x32>) attributes{subgroup_size=16, work_group_size=[32,1]} {
      %x = constant 2.0 : f32
      %three = constant 3 : i32
      parallel {%PLACE
        %y = subgroup_broadcast %x, %three : f32
        %z = subgroup_add.inclusive_scan %y : f32
        store %z, %r[%i]
      }
    }""".replace("%PLACE", PLACE)
    out = np.zeros(32, np.float32)
    run(text, out)
    assert out.tolist() == [2.0 * (item % 16 + 1) for item in range(32)]


def test_subgroups_may_go_through_different_branches_and_loops() -> None:
    body = """
    %one = constant 1 : i32
    %zero = constant 0 : i32
    %odd = arith.and %id, %one : i32
    %isodd = cmp.eq %odd, %one : bool
    %y0 = if %isodd -> (i64) {
      %s = subgroup_add.reduce %x : i64
      yield (%s)
    } else {
      %s = subgroup_max.inclusive_scan %x : i64
      yield (%s)
    }
    %y = for %k: i32 = %zero, %id init(%v=%y0) -> (i64) {
      %w = subgroup_broadcast %v, %k : i64
      %u = arith.add %w, %v : i64
      yield (%u)
    }"""
    a = np.random.default_rng(4).integers(-50, 50, 32)
    out = np.zeros_like(a)
    run(spmd_text("i64", body, 8, (16, 2)), a, out)
    expected = []
    for subgroup in range(4):
        values = a[8 * subgroup : 8 * subgroup + 8]
        values = np.full(8, values.sum()) if subgroup % 2 else np.maximum.accumulate(values)
        for k in range(subgroup):
            values = values[k] + values
        expected.append(values)
    np.testing.assert_array_equal(out, np.concatenate(expected))


def test_scan_over_the_work_group_through_local_memory() -> None:
    text = f"""
    func @f(%a: memref<f64x?>, %r: memref<f64x?>) attributes{{subgroup_size=8, work_group_size=[32,1]}} {{
      %sums = alloca : memref<f64x4,local>
      parallel {{{PLACE}
        %x = load %a[%i] : f64
        %scan = subgroup_add.inclusive_scan %x : f64
        %last = arith.sub %size, %last1 : i32
        %is_last = cmp.eq %local, %last : bool
        %at = cast %id : index
        if %is_last {{ store %scan, %sums[%at] }}
        barrier.local
        %zero = constant 0 : index
        %none = constant 0.0 : f64
        %before = for %k = %zero, %at init(%t=%none) -> (f64) {{
          %s = load %sums[%k] : f64
          %u = arith.add %t, %s : f64
          yield (%u)
        }}
        %y = arith.add %before, %scan : f64
        store %y, %r[%i]
      }}
    }}""".replace("%last = ", "%last1 = constant 1 : i32 %last = ")
    a = np.random.default_rng(0).integers(-9, 9, 32).astype(float)
    out = np.zeros_like(a)
    run(text, a, out)
    np.testing.assert_array_equal(out, np.cumsum(a))


# Without the checks.


def test_iterations_act_in_consecutive_subgroups_where_nothing_is_checked() -> None:
    text = """
    func @f(%a: memref<i32x21>, %r: memref<i32x21x4>) attributes{subgroup_size=8} {
      %zero = constant 0 : index
      %one = constant 1 : index
      %two = constant 2 : index
      %three = constant 3 : index
      %n = constant 21 : index
      %from = constant 6 : i32
      foreach (%i) = (%zero), (%n) {
        %x = load %a[%i] : i32
        %s = subgroup_add.reduce %x : i32
        %m = subgroup_min.exclusive_scan %x : i32
        %b = subgroup_broadcast %x, %from : i32
        %t = subgroup_max.inclusive_scan %x : i32
        store %s, %r[%i, %zero]
        store %m, %r[%i, %one]
        store %b, %r[%i, %two]
        store %t, %r[%i, %three]
      }
    }"""
    a, out = np.arange(1, 22, dtype=np.int32), np.zeros((21, 4), np.int32, order="F")
    run(text, a, out, checks=False)
    parts = [a[0:8], a[8:16], a[16:21]]
    np.testing.assert_array_equal(out[:, 0], np.concatenate([np.full(len(p), p.sum()) for p in parts]))
    least = [np.concatenate([[2**31 - 1], np.minimum.accumulate(p)[:-1]]) for p in parts]
    np.testing.assert_array_equal(out[:, 1], np.concatenate(least))
    # the work-item that the last sub-group lacks gives any value
    np.testing.assert_array_equal(out[:16, 2], np.repeat([7, 15], 8))
    np.testing.assert_array_equal(out[:, 3], a)


def test_work_items_that_are_absent_take_no_part_where_nothing_is_checked() -> None:
    body = """
    %two = constant 2 : i32
    %odd = arith.rem %local, %two : i32
    %zero = constant 0 : i32
    %iseven = cmp.eq %odd, %zero : bool
    %far = constant 99 : i32
    %y = if %iseven -> (f32) {
      %s = subgroup_add.reduce %x : f32
      %b = subgroup_broadcast %s, %far : f32
      %c = subgroup_broadcast %b, %local : f32
      yield (%s)
    } else {
      %s = subgroup_max.inclusive_scan %x : f32
      yield (%s)
    }"""
    a, out = np.arange(1, 17, dtype=np.float32), np.zeros(16, np.float32)
    run(spmd_text("f32", body, 8, (16, 1)), a, out, checks=False)
    for part in (slice(0, 8), slice(8, 16)):
        np.testing.assert_array_equal(out[part][0::2], a[part][0::2].sum())
        np.testing.assert_array_equal(out[part][1::2], a[part][1::2])
