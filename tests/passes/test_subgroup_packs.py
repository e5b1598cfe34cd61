"""Several small work-groups side by side in a sub-group, executed by the oracle with its race checks."""

from __future__ import annotations

from random import Random

import pytest
from differential.cases import KINDS, NEEDS_SYCL, clone
from passes.test_subgroup_blocks import lowered, numbers
from passes_kit import DIGITS, assert_printed_and_read, checked
from properties.execution import data_for, differences, execute
from sampling import at_night

import pytl
from pytl.ir.values import Module
from pytl.passes.targets.spmd import DEVICES

pytestmark = pytest.mark.at_most(6)

PRODUCTS = {
    "gemm": """func @f(%A: memref<{t}x{m}x{k}x{g}>, %B: memref<{t}x{k}x{n}x{g}>, %C: memref<{t}x{m}x{n}x{g}>) {{
  %g = builtin.group_id : index
  %a = subview %A[0:{m}, 0:{k}, %g] : memref<{t}x{m}x{k}>
  %b = subview %B[0:{k}, 0:{n}, %g] : memref<{t}x{k}x{n}>
  %c = subview %C[0:{m}, 0:{n}, %g] : memref<{t}x{m}x{n}>
  gemm.n.n {alpha}, %a, %b, {beta}, %c
}}""",
    "gemm whose right factor is shared": """func @f(%A: memref<{t}x{m}x{k}x{g}>, %b: memref<{t}x{n}x{k}>,
  %C: memref<{t}x{m}x{n}x{g}>) {{
  %g = builtin.group_id : index
  %a = subview %A[0:{m}, 0:{k}, %g] : memref<{t}x{m}x{k}>
  %c = subview %C[0:{m}, 0:{n}, %g] : memref<{t}x{m}x{n}>
  gemm.n.t {alpha}, %a, %b, {beta}, %c
}}""",
    "gemv": """func @f(%a: memref<{t}x{m}x{k}>, %B: memref<{t}x{k}x{g}>, %C: memref<{t}x{m}x{g}>) {{
  %g = builtin.group_id : index
  %b = subview %B[0:{k}, %g] : memref<{t}x{k}>
  %c = subview %C[0:{m}, %g] : memref<{t}x{m}>
  gemv.n {alpha}, %a, %b, {beta}, %c
}}""",
    "ger": """func @f(%A: memref<{t}x{m}x{g}>, %B: memref<{t}x{n}x{g}>, %C: memref<{t}x{m}x{n}x{g}>) {{
  %g = builtin.group_id : index
  %a = subview %A[0:{m}, %g] : memref<{t}x{m}>
  %b = subview %B[0:{n}, %g] : memref<{t}x{n}>
  %c = subview %C[0:{m}, 0:{n}, %g] : memref<{t}x{m}x{n}>
  ger {alpha}, %a, %b, {beta}, %c
}}""",
    "chain": """func @f(%A: memref<{t}x{m}x{k}x{g}>, %b: memref<{t}x{k}x{n}>, %D: memref<{t}x{n}x{n}x{g}>,
  %C: memref<{t}x{m}x{n}x{g}>) {{
  %g = builtin.group_id : index
  %a = subview %A[0:{m}, 0:{k}, %g] : memref<{t}x{m}x{k}>
  %d = subview %D[0:{n}, 0:{n}, %g] : memref<{t}x{n}x{n}>
  %c = subview %C[0:{m}, 0:{n}, %g] : memref<{t}x{m}x{n}>
  %x = alloca : memref<{t}x{m}x{n},local>
  gemm.n.n {alpha}, %a, %b, {zero}, %x
  gemm.n.n {alpha}, %x, %d, {beta}, %c
}}""",
}


def text_of(kind: str, type_: str, sizes: tuple[int, int, int], groups: object, beta: str = "1.0") -> str:
    alpha, beta, zero = numbers(type_, "2.0", beta, "0.0")
    m, n, k = sizes
    return PRODUCTS[kind].format(t=type_, m=m, n=n, k=k, g=groups, alpha=alpha, beta=beta, zero=zero)


def assert_computes_the_same(text: str, arguments: list, groups: int, **options) -> Module:
    after = lowered(text, **options)
    assert_printed_and_read(after)
    expected, actual = execute(checked(text), arguments, groups), execute(after, arguments, groups)
    found = differences(actual, expected, [DIGITS.get(each.dtype.name, 0.0) * 64 for each in expected])
    assert not found, f"{found}\n{text}\n{after}"
    return after


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", PRODUCTS)
@pytest.mark.parametrize("seed", range(3))
def test_small_products_share_a_sub_group(device, kind, seed):
    random = Random(f"{device} {kind} {seed}")
    type_, groups = random.choice([*KINDS]), random.choice([1, 2, 3, 5, 8])
    sizes = random.choice([1, 2, 3, 4, 5, 7, 8]), random.choice([1, 2, 3, 8, 9]), random.choice([1, 2, 3, 8, 17])
    text = text_of(kind, type_, sizes, groups, random.choice(["0.0", "1.0", "3.0"]))
    arguments = data_for(checked(text).functions[0], seed, groups, {"": 4})
    size = random.choice(["auto", "16x1", "32x1"])
    assert_computes_the_same(text, arguments, groups, device=device, work_group=size)


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("device", "items"), [("gpu", 2), ("bmg", 4), ("pvc", 4)])
def test_eight_rows_of_a_sub_group_are_a_work_group(device, items):
    shared = str(lowered(text_of("gemm whose right factor is shared", "f32", (8, 8, 8), "?"), device=device))
    assert f'vector.side_by_side {{"items"={items}}}' in shared and "subgroup_broadcast" in shared
    own = str(lowered(text_of("gemm", "f32", (8, 8, 8), "?"), device=device, work_group="16x1"))
    assert 'vector.side_by_side {"items"=2}' in own and "subgroup_broadcast" not in own


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(") {", ") attributes{subgroup_size=16} {"),
        lambda text: text.replace("  gemm", "  axpby.n 1.0, %c, 1.0, %c\n  gemm"),
        lambda text: text.replace("gemm.n.n", "gemm.n.n.atomic"),
        lambda text: text.replace("8", "9"),
    ],
    ids=["a size is named", "other instructions", "atomic", "more rows"],
)
def test_what_has_a_sub_group_of_its_own(change):
    text = change(text_of("gemm", "f32", (8, 8, 8), "?"))
    assert "side_by_side" not in str(lowered(text, device="gpu"))


@pytest.mark.at_night
@NEEDS_SYCL
@pytest.mark.parametrize("kind", ["gemm whose right factor is shared", *at_night([*PRODUCTS])])
def test_the_driver_for_processors_executes_the_code_for_a_gpu(kind, monkeypatch):
    monkeypatch.setattr("pytl.backends.numba_dpex.backend.device_of", lambda queue, named: DEVICES["gpu"])
    groups, known = 5, text_of(kind, "f32", (7, 5, 6), 5, "3.0")
    (kernel,) = pytl.compile(text_of(kind, "f32", (7, 5, 6), "?", "3.0")).values()
    arguments = [clone(each) for each in data_for(checked(known).functions[0], 1, groups, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[groups, {}](*expected, backend="reference")
    kernel[groups, {"strategy": "many-items"}](*arguments, backend="sycl")
    assert not differences(arguments, expected, [1e-5] * len(arguments))


def test_processors_take_turns():
    assert "side_by_side" not in str(lowered(text_of("gemm", "f32", (8, 8, 8), "?"), machine="avx2"))
