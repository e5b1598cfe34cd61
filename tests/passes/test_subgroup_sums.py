"""Sums that the work-items of a sub-group add up together, executed by the oracle with its race checks."""

from __future__ import annotations

import re
from random import Random

import pytest
from differential.cases import KINDS, NEEDS_SYCL, clone
from passes.test_subgroup_blocks import assert_computes_the_same, lowered, numbers
from passes_kit import checked
from properties.execution import data_for, differences

import pytl
from pytl.passes.targets.spmd import DEVICES

pytestmark = pytest.mark.at_most(8)

TEXTS = {
    "sum of a vector": """func @f(%a: memref<{t}x{n}>, %b: memref<{t}>) {attributes}{{
  sum.n {alpha}, %a, {beta}, %b
}}""",
    "sums of columns": """func @f(%a: memref<{t}x{n}x{m}>, %b: memref<{t}x{m}>) {attributes}{{
  sum.t {alpha}, %a, {beta}, %b
}}""",
    "gemv": """func @f(%a: memref<{t}x{n}x{m}>, %x: memref<{t}x{n}>, %b: memref<{t}x{m}>) {attributes}{{
  gemv.t {alpha}, %a, %x, {beta}, %b
}}""",
    "cumsum of a vector": """func @f(%a: memref<{t}x{n}>, %b: memref<{t}x{n}>) {attributes}{{
  cumsum {alpha}, %a, 0, {beta}, %b
}}""",
    "cumsums of columns": """func @f(%a: memref<{t}x{n}x{m}>, %b: memref<{t}x{n}x{m}>) {attributes}{{
  cumsum {alpha}, %a, 0, {beta}, %b
}}""",
    "cumsums of columns of several matrices": """func @f(%a: memref<{t}x{n}x{m}x2>,
  %b: memref<{t}x{n}x{m}x2>) {attributes}{{
  cumsum {alpha}, %a, 0, {beta}, %b
}}""",
    "cumsums of few rows": """func @f(%a: memref<{t}x3x{n}x2>, %b: memref<{t}x3x{n}x2>) {attributes}{{
  cumsum {alpha}, %a, 1, {beta}, %b
}}""",
}


def text_of(kind: str, type_: str, n: object, m: object, attributes: str = "", beta: str = "1.0") -> str:
    alpha, beta = numbers(type_, "2.0", beta)
    return TEXTS[kind].format(t=type_, n=n, m=m, alpha=alpha, beta=beta, attributes=attributes)


@pytest.mark.parametrize("device", [None, *DEVICES])
@pytest.mark.parametrize("size", [8, 16, 32])
@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("seed", range(2))
def test_sums_of_drawn_sizes(device, size, kind, seed):
    random = Random(f"{seed} {size} {device} {kind}")
    type_, n, m = random.choice([*KINDS]), random.choice([16, 17, 31, 32, 40, 65]), random.choice([1, 2, 7, 8, 9, 20])
    count = random.choice([1, 2, 3])
    attributes = f"attributes{{subgroup_size={size}, work_group_size=[{size},{count}]}} "
    beta = random.choice(["0.0", "1.0", "3.0"])
    known = text = text_of(kind, type_, n, m, attributes, beta)
    if random.random() < 0.3:
        sizes = ("?", m) if random.random() < 0.5 else (n, "?")
        text = text_of(kind, type_, *sizes, attributes, beta)
    arguments = data_for(checked(known).functions[0], seed, 1, {"": 4})
    word = "subgroup_add.inclusive_scan" if "cumsum" in kind else "vector.exchange"
    assert word in str(assert_computes_the_same(text, arguments, device=device))


@pytest.mark.at_most(2)
@NEEDS_SYCL
@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("type_", ["f32", "f16", "c32", "i8"])
def test_the_driver_adds_them_up(kind, type_):
    (kernel,) = pytl.compile(text_of(kind, type_, 70, 20)).values()
    given = data_for(kernel.function, 1, 1, {"": 4})
    expected, actual = ([clone(each) for each in given] for _ in range(2))
    kernel[1](*expected, backend="reference")
    kernel[1, {"strategy": "many-items"}](*actual)
    assert not differences(actual, expected, [1e-2] * len(given))


@pytest.mark.parametrize("device", [None, "pvc"])
@pytest.mark.parametrize("kind", TEXTS)
def test_few_loads_and_no_loop_diverges(device, kind):
    """Neighbouring work-items load neighbouring numbers: the last factor of an index is the work-item's number."""
    shown = str(lowered(text_of(kind, "f32", 64, 16), device=device))
    assert "foreach" not in shown and "subgroup_local_id" in shown
    exchanges = {"sum of a vector": 4, "sums of columns": 4 + 2 + 1 + 1, "gemv": 4 + 2 + 1 + 1}
    assert shown.count("vector.exchange") == exchanges.get(kind, 0)
    assert shown.count("subgroup_add.inclusive_scan") == ("cumsum" in kind)


@NEEDS_SYCL
def test_each_number_is_loaded_by_one_work_item():
    """64 numbers of each of 8 sums, and as many of the vector, by 16 work-items: 4 of each, in a loop of 4."""
    (kernel,) = pytl.compile(text_of("gemv", "f32", 64, 8, beta="0.0")).values()
    llvm = kernel.emit("numba_dpex", stage="llvm", device="pvc")
    assert len(re.findall(r"= load float", llvm)) in (9, 4 * 9)
    assert len(re.findall(r"call .*__spirv_GroupNonUniformShuffle", llvm)) == 4 + 2 + 1 + 1


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("rows", [8, 20])
def test_cumulative_sums_of_many_rows_are_coalesced(device, rows):
    """Neighbouring work-items have neighbouring rows, of several lines where these are short."""
    text = f"""func @f(%a: memref<f32x{rows}x40x3>, %b: memref<f32x{rows}x40x3>) {{
  cumsum 1.0, %a, 1, 0.0, %b
}}"""
    after = str(assert_computes_the_same(text, data_for(checked(text).functions[0], 1, 1, {"": 4}), device=device))
    assert "foreach" not in after and "inclusive_scan" not in after
    at = re.findall(r"load %a\[(%\w+), (%\w+), (%\w+)\]", after)
    lane = re.search(r"(%\w+) = cast %\w+ : index", after)
    assert at and lane
    own = {lane[1], *re.findall(rf"(%\w+) = arith\.(?:rem|add) (?:{lane[1]}, %\w+|%\w+, {lane[1]}) :", after)}
    assert {row for row, *_ in at} <= own and not own & {step for _, step, _ in at}
