"""Several small work-groups side by side in a sub-group, executed by the oracle with its race checks."""

from __future__ import annotations

from random import Random

import pytest
from differential.cases import KINDS, NEEDS_SYCL, clone
from passes.test_subgroup_blocks import lowered, numbers
from passes_kit import DIGITS, assert_printed_and_read, checked
from properties.barriers import barriers_alone_order
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


TWO_MATRICES = """func @f(%A: memref<{t}x{m}x{k}x{g}>, %b: memref<{t}x{k}x{n}>, %C: memref<{t}x{m}x{n}x{g}>) {{
  %g = builtin.group_id : index
  %a = subview %A[0:{m}, 0:{k}, %g] : memref<{t}x{m}x{k}>
  %c = subview %C[0:{m}, 0:{n}, %g] : memref<{t}x{m}x{n}>
"""
TWO_VECTORS = """func @f(%A: memref<{t}x{n}x{m}x{g}>, %B: memref<{t}x{m}x{g}>, %C: memref<{t}x{n}x{m}x{g}>) {{
  %g = builtin.group_id : index
  %a = subview %A[0:{n}, 0:{m}, %g] : memref<{t}x{n}x{m}>
  %b = subview %B[0:{m}, %g] : memref<{t}x{m}>
  %c = subview %C[0:{n}, 0:{m}, %g] : memref<{t}x{n}x{m}>
"""
OTHERS = {
    "a product and elements": TWO_MATRICES
    + """  gemm.n.n {alpha}, %a, %b, {beta}, %c
  axpby.n {alpha}, %c, {zero}, %c
}}""",
    "elements": TWO_MATRICES
    + """  axpby.n {alpha}, %c, {beta}, %c
  hadamard {alpha}, %c, %c, {zero}, %c
}}""",
    "a product that two read": TWO_MATRICES
    + """  %x = alloca : memref<{t}x{m}x{n},local>
  %y = subview %x[0:{m}, 0] : memref<{t}x{m},local>
  %z = subview %c[0:{m}, 0] : memref<{t}x{m}>
  gemm.n.n {alpha}, %a, %b, {zero}, %x
  axpby.n {alpha}, %x, {beta}, %c
  axpby.n {alpha}, %y, {beta}, %z
}}""",
    "chains, one after the other": TWO_MATRICES
    + """  %x = alloca : memref<{t}x{m}x{n},local>
  %y = alloca : memref<{t}x{n}x{n},local>
  gemm.t.n {alpha}, %b, %b, {zero}, %y
  gemm.n.n {alpha}, %a, %b, {zero}, %x
  gemm.n.n {alpha}, %x, %y, {beta}, %c
  gemm.n.t {alpha}, %c, %y, {zero}, %x
  hadamard {alpha}, %x, %c, {zero}, %c
}}""",
    "points with a loop": TWO_MATRICES
    + """  %0 = constant 0 : index
  %m = constant {m} : index
  %n = constant {n} : index
  %k = constant {k} : index
  %zero = constant {zero} : {t}
  foreach (%i) = (%0), (%m) {{
    %s = for %j = %0, %k init(%sum=%zero) -> ({t}) {{
      %x = load %a[%i, %j] : {t}
      %t = arith.add %sum, %x : {t}
      yield (%t)
    }}
    store %s, %c[%i, %0]
  }}
}}""",
    "sums of columns": TWO_VECTORS
    + """  sum.t {alpha}, %a, {beta}, %b
  axpby.n {alpha}, %a, {beta}, %c
}}""",
    "gemv of columns": TWO_VECTORS
    + """  %d = subview %c[0:{n}, 0] : memref<{t}x{n}>
  gemv.t {alpha}, %a, %d, {beta}, %b
}}""",
    "cumulative sums": TWO_VECTORS
    + """  cumsum {alpha}, %a, 0, {beta}, %c
  cumsum {alpha}, %c, 1, {zero}, %a
}}""",
}


OF_COLUMNS = ("sums of columns", "gemv of columns", "cumulative sums")


def other_text(kind: str, type_: str, sizes: tuple[int, int, int], groups: object, beta: str) -> str:
    alpha, beta, zero = numbers(type_, "2.0", beta, "0.0")
    m, n, k = sizes
    return OTHERS[kind].format(t=type_, m=m, n=n, k=k, g=groups, alpha=alpha, beta=beta, zero=zero)


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


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_small_work_groups_do(device, kind, seed):
    """Barriers alone order what the instructions of a work-group do, which has a part of the pack's local memory."""
    random = Random(f"{device} {kind} {seed}")
    type_, groups = random.choice([*KINDS]), random.choice([1, 2, 3, 5, 8])
    sizes = random.choice([2, 3, 4, 5, 7, 8]), random.choice([1, 2, 3, 8]), random.choice([1, 2, 3, 8])
    if kind in OF_COLUMNS:
        sizes = random.choice([1, 2, 3, 9]), 16, 1
    text = other_text(kind, type_, sizes, groups, random.choice(["0.0", "1.0", "3.0"]))
    arguments = data_for(checked(text).functions[0], seed, groups, {"": 4})
    with barriers_alone_order():
        after = assert_computes_the_same(text, arguments, groups, device=device)
    busy = {"elements": sizes[0] * sizes[1], **dict.fromkeys(OF_COLUMNS, 16)}.get(kind, sizes[0])
    is_idle = 2 * busy <= max(DEVICES[device].subgroup_sizes)
    is_packed = "side_by_side" in str(after)
    # sub-groups of 8 may be cheaper for many products
    assert is_packed == is_idle or (is_idle and kind == "chains, one after the other"), f"{busy}\n{text}"


def test_what_small_work_groups_do_is_packed():
    """Four of 8 rows have a sub-group of 32, and a place each in local memory, at a distance for its banks."""
    shown = str(lowered(other_text("a product that two read", "f32", (8, 8, 8), "?", "1.0"), device="pvc"))
    assert 'vector.side_by_side {"items"=4}' in shown and "memref<f32x8x8x4,strided<1,8,72>,local>" in shown
    assert shown.count("vector.work_items") == 3 and shown.count("vector.subgroup_barrier") == 2
    own = str(lowered(other_text("a product and elements", "f32", (17, 8, 8), "?", "1.0"), device="pvc"))
    assert "side_by_side" not in own


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("device", "items"), [("gpu", 2), ("bmg", 4), ("pvc", 4)])
def test_eight_rows_of_a_sub_group_are_a_work_group(device, items):
    shared = str(lowered(text_of("gemm whose right factor is shared", "f32", (8, 8, 8), "?"), device=device))
    assert f'vector.side_by_side {{"items"={items}}}' in shared and "subgroup_broadcast" in shared
    own = str(lowered(text_of("gemm", "f32", (8, 8, 8), "?"), device=device, work_group="16x1"))
    assert 'vector.side_by_side {"items"=2}' in own and "subgroup_broadcast" not in own


ITS_NUMBER = """  %0 = constant 0 : index
  %s = load %c[%0, %0] : f32
"""


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(") {", ") attributes{subgroup_size=16} {"),
        lambda text: text.replace(
            "  gemm.n.n 2.0", "  %0 = constant 0 : index\n  %s = load %c[%0, %0] : f32\n  gemm.n.n %s"
        ),
        lambda text: text.replace("gemm.n.n", "gemm.n.n.atomic"),
        lambda text: text.replace("8", "9"),
    ],
    ids=["a size is named", "its number is in memory", "atomic", "more rows"],
)
def test_what_has_a_sub_group_of_its_own(change):
    text = change(text_of("gemm", "f32", (8, 8, 8), "?"))
    assert "side_by_side" not in str(lowered(text, device="gpu"))


@pytest.mark.at_night
@NEEDS_SYCL
@pytest.mark.parametrize("kind", ["gemm whose right factor is shared", *at_night([*PRODUCTS, *OTHERS])])
def test_the_driver_for_processors_executes_the_code_for_a_gpu(kind, monkeypatch):
    device = "integrated" if kind in OF_COLUMNS else "gpu"
    monkeypatch.setattr("pytl.backends.numba_dpex.backend.device_of", lambda queue, named: DEVICES[device])
    make, sizes = (text_of, (7, 5, 6)) if kind in PRODUCTS else (other_text, (7, 5, 6))
    if device == "integrated":
        sizes = (9, 16, 1)
    elif kind == "elements":
        sizes = (4, 2, 1)
    groups, known = 5, make(kind, "f32", sizes, 5, "3.0")
    (kernel,) = pytl.compile(make(kind, "f32", sizes, "?", "3.0")).values()
    assert "side_by_side" in kernel.ir("subgroup-blocks", device=device)
    arguments = [clone(each) for each in data_for(checked(known).functions[0], 1, groups, {"": 4})]
    expected = [clone(each) for each in arguments]
    kernel[groups, {}](*expected, backend="reference")
    kernel[groups, {"strategy": "many-items"}](*arguments, backend="sycl")
    assert not differences(arguments, expected, [1e-5] * len(arguments))


def test_processors_take_turns():
    assert "side_by_side" not in str(lowered(text_of("gemm", "f32", (8, 8, 8), "?"), machine="avx2"))
