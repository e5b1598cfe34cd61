"""Cooperative matrices on the reference backend, against NumPy in exact arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from reference_kit import (
    COMPLEX,
    DTYPES,
    FLOATS,
    INTEGERS,
    random_array,
    run,
    same,
    stored_as,
    wide,
)

TYPES = [*INTEGERS, *FLOATS, *COMPLEX]
CHECKED = ["", ".rows_checked", ".cols_checked", ".both_checked"]


def one_subgroup(parameters: str, body: str) -> str:
    return f"""
func @f({parameters}) attributes{{subgroup_size=8, work_group_size=[8,1]}} {{
  parallel {{
    {body}
  }}
}}"""


def window(a: np.ndarray, x: int, y: int, shape: tuple[int, int], transpose: str, checked: str) -> np.ndarray:
    """The manual's table: component (i, j), or 0 where the check fails."""
    result = np.zeros(shape, a.dtype)
    for i, j in np.ndindex(*shape):
        row, column = (x + i, y + j) if transpose == "n" else (x + j, y + i)
        by_i = 0 <= row < a.shape[0] if transpose == "n" else 0 <= column < a.shape[1]
        by_j = 0 <= column < a.shape[1] if transpose == "n" else 0 <= row < a.shape[0]
        rows_hold = by_i or checked not in (".rows_checked", ".both_checked")
        columns_hold = by_j or checked not in (".cols_checked", ".both_checked")
        if rows_hold and columns_hold:
            assert by_i
            assert by_j
            result[i, j] = a[row, column]
    return result


def copy_text(
    type_: str, transpose: str, checked: str, shape: tuple[int, int], memref: str, parameters: str = ""
) -> str:
    rows, columns = shape
    matrix = f"coopmatrix<{type_}x{rows}x{columns},matrix_acc>"
    return one_subgroup(
        f"%a: {memref}, %r: memref<{type_}x{rows}x{columns}>, %x: index, %y: index",
        f"""%zero = constant 0 : index
    %m = cooperative_matrix_load.{transpose}{checked} %a[%x, %y] : {matrix}
    cooperative_matrix_store %m, %r[%zero, %zero]""",
    )


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("transpose", ["n", "t"])
def test_load_and_store(type_: str, transpose: str) -> None:
    a = random_array(np.random.default_rng(1), type_, 9, 9)
    r = random_array(np.random.default_rng(2), type_, 4, 6)
    run(copy_text(type_, transpose, "", (4, 6), f"memref<{type_}x9x9>"), a, r, 2, 1)
    same(r, window(a, 2, 1, (4, 6), transpose, ""))


# Where the matrix lies out of a tensor of 5 x 7, by which indices: (x, y) and the flags that allow for it in .n.
PLACES = [
    (0, 0, CHECKED),
    (-2, 0, [".rows_checked", ".both_checked"]),
    (3, 1, [".rows_checked", ".both_checked"]),
    (0, -3, [".cols_checked", ".both_checked"]),
    (1, 5, [".cols_checked", ".both_checked"]),
    (3, 5, [".both_checked"]),
    (-3, -1, [".both_checked"]),
    (50, 70, [".both_checked"]),
    (2**63 - 2, -(2**62), [".both_checked"]),
]
TURNED = {".rows_checked": ".cols_checked", ".cols_checked": ".rows_checked"}


@pytest.mark.parametrize("transpose", ["n", "t"])
@pytest.mark.parametrize(("x", "y", "checked"), [(x, y, flag) for x, y, flags in PLACES for flag in flags])
@pytest.mark.parametrize("layout", ["x5x7", "x?x?", "x5x7,strided<2,20>", "x?x?,strided<?,?>"])
def test_checked_load(transpose: str, x: int, y: int, checked: str, layout: str) -> None:
    a = random_array(np.random.default_rng(3), "f32", 5, 7)
    if "strided" in layout:
        # what lies in the gaps and around is never read
        big = np.full((20, 20), np.nan, np.float32, order="F")
        big[4:14:2, 6:13] = a
        a = big[4:14:2, 6:13]
    shape = (4, 5)
    if transpose == "t":
        # rows of the matrix are columns of the tensor
        checked, shape = TURNED.get(checked, checked), (5, 4)
    r = np.full(shape, -1, np.float32, order="F")
    run(copy_text("f32", transpose, checked, shape, f"memref<f32{layout}>"), a, r, x, y)
    same(r, window(a, x, y, shape, transpose, checked))


@pytest.mark.parametrize("flag", ["", ".atomic", ".atomic_add"])
@pytest.mark.parametrize(("x", "y", "checked"), [(x, y, flag) for x, y, flags in PLACES for flag in flags])
def test_checked_store(flag: str, x: int, y: int, checked: str) -> None:
    a, r = random_array(np.random.default_rng(4), "i32", 4, 5), random_array(np.random.default_rng(5), "i32", 5, 7)
    expected = r.copy()
    for i, j in np.ndindex(4, 5):
        if 0 <= x + i < 5 and 0 <= y + j < 7:
            expected[x + i, y + j] = a[i, j] + (r[x + i, y + j] if flag == ".atomic_add" else 0)
    text = one_subgroup(
        "%a: memref<i32x4x5>, %r: memref<i32x5x7>, %x: index, %y: index",
        f"""%zero = constant 0 : index
    %m = cooperative_matrix_load.n %a[%zero, %zero] : coopmatrix<i32x4x5,matrix_acc>
    cooperative_matrix_store{checked}{flag} %m, %r[%x, %y]""",
    )
    run(text, a, r, x, y)
    same(r, expected)


@pytest.mark.parametrize("type_", TYPES)
def test_atomic_add_once_a_subgroup(type_: str) -> None:
    # all sub-groups of all work-groups add the same matrix at the same place
    text = f"""
    func @f(%a: memref<{type_}x3x2>, %r: memref<{type_}x3x2>) attributes{{subgroup_size=8, work_group_size=[16,3]}} {{
      parallel {{
        %zero = constant 0 : index
        %m = cooperative_matrix_load.n %a[%zero, %zero] : coopmatrix<{type_}x3x2,matrix_acc>
        cooperative_matrix_store.atomic_add %m, %r[%zero, %zero]
      }}
    }}"""
    a, r = (random_array(np.random.default_rng(seed), type_, 3, 2) for seed in (7, 8))
    expected = stored_as(wide(r) + 12 * wide(a), type_)
    run(text, a, r, groups=2)
    same(r, expected)


MIXED = [
    ("i8", "i8", "i32", "i32"),
    ("i8", "i16", "i64", "i8"),
    ("i8", "i8", "f32", "f64"),
    ("f16", "f16", "f32", "f32"),
    ("f16", "f16", "f32", "f16"),
    ("bf16", "bf16", "f32", "bf16"),
    ("f16", "f16", "f16", "f32"),
    ("i8", "bf16", "f32", "i32"),
    ("f32", "c32", "c64", "c32"),
    ("f64", "c64", "c64", "c32"),
    ("i16", "i16", "f64", "c64"),
]


@pytest.mark.parametrize(("a_type", "b_type", "c_type", "d_type"), [*((t, t, t, t) for t in TYPES), *MIXED])
@pytest.mark.parametrize(("m", "n", "k"), [(1, 1, 1), (8, 16, 4), (3, 5, 7)])
def test_mul_add(a_type: str, b_type: str, c_type: str, d_type: str, m: int, n: int, k: int) -> None:
    rng = np.random.default_rng(m)
    a, b = random_array(rng, a_type, m, k), random_array(rng, b_type, k, n)
    c, d = random_array(rng, c_type, m, n), random_array(rng, d_type, m, n)
    text = one_subgroup(
        f"%a: memref<{a_type}x{m}x{k}>, %b: memref<{b_type}x{k}x{n}>, "
        f"%c: memref<{c_type}x{m}x{n}>, %d: memref<{d_type}x{m}x{n}>",
        f"""%z = constant 0 : index
    %A = cooperative_matrix_load.n %a[%z, %z] : coopmatrix<{a_type}x{m}x{k},matrix_a>
    %B = cooperative_matrix_load.n %b[%z, %z] : coopmatrix<{b_type}x{k}x{n},matrix_b>
    %C = cooperative_matrix_load.n %c[%z, %z] : coopmatrix<{c_type}x{m}x{n},matrix_acc>
    %D = cooperative_matrix_mul_add %A, %B, %C : coopmatrix<{d_type}x{m}x{n},matrix_acc>
    cooperative_matrix_store %D, %d[%z, %z]""",
    )
    run(text, a, b, c, d)
    same(d, stored_as(stored_as(wide(a) @ wide(b) + wide(c), c_type), d_type))


@pytest.mark.parametrize(("type_", "digits"), [("f16", 11), ("bf16", 8)])
def test_products_of_half_precision_are_summed_in_float32(type_: str, digits: int) -> None:
    # 1 + 2**digits is not of the type, so that a sum taken in it would lose every one
    a, b, c = np.ones((1, 15), DTYPES[type_]), np.ones((15, 1), DTYPES[type_]), np.full((1, 1), 2.0**digits)
    c = c.astype(np.float32).astype(DTYPES[type_])
    d, e = np.zeros((1, 1), DTYPES[type_]), np.zeros((1, 1), np.float32)
    text = one_subgroup(
        f"%a: memref<{type_}x1x15>, %b: memref<{type_}x15x1>, %c: memref<{type_}x1x1>, %d: memref<{type_}x1x1>, "
        "%e: memref<f32x1x1>",
        f"""%z = constant 0 : index
    %A = cooperative_matrix_load.n %a[%z, %z] : coopmatrix<{type_}x1x15,matrix_a>
    %B = cooperative_matrix_load.n %b[%z, %z] : coopmatrix<{type_}x15x1,matrix_b>
    %C = cooperative_matrix_load.n %c[%z, %z] : coopmatrix<{type_}x1x1,matrix_acc>
    %D = cooperative_matrix_mul_add %A, %B, %C : coopmatrix<{type_}x1x1,matrix_acc>
    %E = cooperative_matrix_mul_add %A, %B, %C : coopmatrix<f32x1x1,matrix_acc>
    cooperative_matrix_store %D, %d[%z, %z]
    cooperative_matrix_store %E, %e[%z, %z]""",
    )
    run(text, a, b, c, d, e)
    assert float(d[0, 0]) == 2**digits + 16
    # the sum is rounded to C's type before it is cast to D's
    assert e[0, 0] == 2**digits + 16


@pytest.mark.parametrize("type_", TYPES)
def test_scale(type_: str) -> None:
    a = random_array(np.random.default_rng(0), type_, 5, 6)
    if type_ == "i8":
        a = (a * 40).astype(np.int8)
    factor = 2 - 3j if type_ in COMPLEX else -3
    expected = stored_as(factor * wide(a), type_)
    matrix = f"coopmatrix<{type_}x5x6,matrix_b>"
    text = one_subgroup(
        f"%a: memref<{type_}x5x6>, %s: {type_}",
        f"""%z = constant 0 : index
    %A = cooperative_matrix_load.n %a[%z, %z] : {matrix}
    %B = cooperative_matrix_scale %s, %A : {matrix}
    cooperative_matrix_store %B, %a[%z, %z]""",
    )
    run(text, a, factor)
    same(a, expected)


@pytest.mark.parametrize("type_", TYPES)
def test_arithmetic_by_component(type_: str) -> None:
    rng = np.random.default_rng(0)
    a, b = random_array(rng, type_, 3, 4), random_array(rng, type_, 3, 4)
    b[b == 0] = 1
    results = {op: np.zeros_like(a) for op in ("add", "sub", "mul", "neg")}
    matrix = f"coopmatrix<{type_}x3x4,matrix_a>"
    lines = [f"%{op} = arith.{op} %A, %B : {matrix}" for op in ("add", "sub", "mul")] + [
        f"%neg = arith.neg %A : {matrix}"
    ]
    text = one_subgroup(
        f"%a: memref<{type_}x3x4>, %b: memref<{type_}x3x4>, "
        + ", ".join(f"%r{op}: memref<{type_}x3x4>" for op in results),
        f"""%z = constant 0 : index
    %A = cooperative_matrix_load.n %a[%z, %z] : {matrix}
    %B = cooperative_matrix_load.n %b[%z, %z] : {matrix}
    """
        + "\n".join(lines + [f"cooperative_matrix_store %{op}, %r{op}[%z, %z]" for op in results]),
    )
    run(text, a, b, *results.values())
    x, y = wide(a), wide(b)
    for op, expected in {"add": x + y, "sub": x - y, "mul": x * y, "neg": -x}.items():
        same(results[op], stored_as(expected, type_))


@pytest.mark.parametrize("source", TYPES)
def test_casts_to_every_type(source: str) -> None:
    targets = [target for target in TYPES if source not in COMPLEX or target in COMPLEX]
    a = random_array(np.random.default_rng(6), source, 3, 4)
    results = {target: np.zeros((3, 4), DTYPES[target], order="F") for target in targets}
    lines = [
        f"%c{t} = cast %A : coopmatrix<{t}x3x4,matrix_b> cooperative_matrix_store %c{t}, %r{t}[%z, %z]" for t in targets
    ]
    text = one_subgroup(
        ", ".join([f"%a: memref<{source}x3x4>", *(f"%r{t}: memref<{t}x3x4>" for t in targets)]),
        f"""%z = constant 0 : index
    %A = cooperative_matrix_load.n %a[%z, %z] : coopmatrix<{source}x3x4,matrix_b>
    """
        + "\n    ".join(lines),
    )
    run(text, a, *results.values())
    for target, result in results.items():
        same(result, stored_as(wide(a), target))


def test_division_and_casts_by_component() -> None:
    a, b = np.array([[7, -7, 9], [1, 0, -128]], np.int8), np.array([[2, 2, -4], [3, 5, -1]], np.int8)
    q, f, c = np.zeros((2, 3), np.int8), np.zeros((2, 3), np.float32), np.zeros((2, 3), np.complex64)
    back = np.zeros((2, 3), np.int16)
    text = one_subgroup(
        "%a: memref<i8x2x3>, %b: memref<i8x2x3>, %q: memref<i8x2x3>, %f: memref<f32x2x3>, %c: memref<c32x2x3>, "
        "%i: memref<i16x2x3>",
        """%z = constant 0 : index
    %A = cooperative_matrix_load.n %a[%z, %z] : coopmatrix<i8x2x3,matrix_a>
    %B = cooperative_matrix_load.n %b[%z, %z] : coopmatrix<i8x2x3,matrix_a>
    %Q = arith.div %A, %B : coopmatrix<i8x2x3,matrix_a>
    %FA = cast %A : coopmatrix<f32x2x3,matrix_a>
    %FB = cast %B : coopmatrix<f32x2x3,matrix_a>
    %F = arith.div %FA, %FB : coopmatrix<f32x2x3,matrix_a>
    %C = cast %F : coopmatrix<c32x2x3,matrix_a>
    %I = cast %F : coopmatrix<i16x2x3,matrix_a>
    cooperative_matrix_store %Q, %q[%z, %z]
    cooperative_matrix_store %F, %f[%z, %z]
    cooperative_matrix_store %C, %c[%z, %z]
    cooperative_matrix_store %I, %i[%z, %z]""",
    )
    a, b, q, f, c, back = map(np.asfortranarray, (a, b, q, f, c, back))
    run(text, a, b, q, f, c, back)
    quotient = a.astype(np.float64) / b
    np.testing.assert_array_equal(q, [[3, -3, -2], [0, 0, -128]])
    np.testing.assert_array_equal(f, quotient.astype(np.float32))
    np.testing.assert_array_equal(c, quotient.astype(np.float32))
    np.testing.assert_array_equal(back, np.trunc(quotient))


def test_what_lies_outside_is_left_alone_where_nothing_is_checked() -> None:
    a, r = random_array(np.random.default_rng(2), "f32", 5, 7), np.full((4, 4), 9, np.float32, order="F")
    run(copy_text("f32", "n", "", (4, 4), "memref<f32x5x7>"), a, r, 3, -1, checks=False)
    np.testing.assert_array_equal(r, window(a, 3, -1, (4, 4), "n", ".both_checked"))
