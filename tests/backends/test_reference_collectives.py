"""GEMM and axpby on the reference backend, against NumPy in double or exact integer arithmetic."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from reference_kit import BITS, COMPLEX, DTYPES, FLOATS, INTEGERS, dense, dims, random_array, run, same, wide, wrapped

import pytl
from pytl.diagnostics import ExecutionError, LanguageError

TYPES = [*INTEGERS, *FLOATS, *COMPLEX]
TRANSPOSES = list(itertools.product("nt", "nt"))


def gemm_text(a: str, b: str, c: str, ta: str = "n", tb: str = "n", scalars: str = "f32", flag: str = "") -> str:
    return f"""
    func @f(%alpha: {scalars}, %a: memref<{a}>, %b: memref<{b}>, %beta: {scalars}, %c: memref<{c}>) {{
      gemm.{ta}.{tb}{flag} %alpha, %a, %b, %beta, %c
    }}"""


def stored(shape: tuple[int, int], transpose: str) -> tuple[int, int]:
    return shape if transpose == "n" else shape[::-1]


def op(array: np.ndarray, transpose: str) -> np.ndarray:
    return array if transpose == "n" else array.T


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize(("ta", "tb"), TRANSPOSES)
@pytest.mark.parametrize(
    ("m", "n", "k"), [(1, 1, 1), (4, 4, 4), (5, 3, 7), (17, 1, 2), (1, 9, 3), (16, 8, 5), (3, 2, 1)]
)
def test_gemm(type_: str, ta: str, tb: str, m: int, n: int, k: int) -> None:
    rng = np.random.default_rng(m * 100 + n * 10 + k)
    a = random_array(rng, type_, *stored((m, k), ta))
    b = random_array(rng, type_, *stored((k, n), tb))
    c = random_array(rng, type_, m, n)
    alpha, beta = (2 - 1j, -1 + 1j) if type_ in COMPLEX else (-2, 3)
    product = wide(op(a, ta)) @ wide(op(b, tb))
    expected = alpha * product + beta * wide(c)
    if type_ == "i8":
        expected = np.vectorize(lambda v: wrapped(int(v), "i8"))(expected)
    # bf16 has 8 digits, so that sums beyond 256 are rounded, once
    expected = expected.astype(np.float32).astype(c.dtype) if type_ == "bf16" else expected
    text = gemm_text(type_ + dims(*a.shape), type_ + dims(*b.shape), type_ + dims(m, n), ta, tb, scalars=type_)
    run(text, alpha, a, b, beta, c)
    same(c, expected.astype(c.dtype))


@pytest.mark.parametrize(("ta", "tb"), TRANSPOSES)
@pytest.mark.parametrize(("m", "n", "k"), [(20, 5, 56), (53, 23, 56), (32, 16, 56), (43, 1, 63)])
@pytest.mark.parametrize("type_", ["f32", "f64", "c32", "c64"])
def test_gemm_within_rounding(type_: str, m: int, n: int, k: int, ta: str, tb: str) -> None:
    rng = np.random.default_rng(7)

    def numbers(*shape: int) -> np.ndarray:
        real = rng.standard_normal(shape)
        return dense(real + 1j * rng.standard_normal(shape) if type_ in COMPLEX else real, type_)

    a, b, c = numbers(*stored((m, k), ta)), numbers(*stored((k, n), tb)), numbers(m, n)
    expected = -wide(op(a, ta)) @ wide(op(b, tb)) + 2 * wide(c)
    text = gemm_text(type_ + dims(*a.shape), type_ + dims(*b.shape), type_ + dims(m, n), ta, tb, scalars=type_)
    run(text, -1, a, b, 2, c)
    np.testing.assert_allclose(c, expected, atol=2e-5 if type_ in ("f32", "c32") else 1e-13)


@pytest.mark.parametrize(("ta", "tb"), TRANSPOSES)
@pytest.mark.parametrize("space", ["strided", "dynamic"])
def test_gemm_strided_and_dynamic(ta: str, tb: str, space: str) -> None:
    rng = np.random.default_rng(5)
    m, n, k = 5, 4, 3
    buffers = [random_array(rng, "f32", 20, 20) for _ in range(3)]
    shapes = [stored((m, k), ta), stored((k, n), tb), (m, n)]
    a, b, c = (big[1 : 1 + 2 * s[0] : 2, 3 : 3 + s[1]] for big, s in zip(buffers, shapes, strict=True))
    untouched = buffers[2].copy()
    expected = 2 * (op(a, ta) @ op(b, tb)) - c
    layout = ",strided<2,20>" if space == "strided" else ",strided<?,?>"
    types = ["f32" + (dims(*s) if space == "strided" else "x?x?") + layout for s in shapes]
    run(gemm_text(*types, ta, tb), 2.0, a, b, -1.0, c)
    np.testing.assert_array_equal(c, expected)
    untouched[1 : 1 + 2 * m : 2, 3 : 3 + n] = expected
    np.testing.assert_array_equal(buffers[2], untouched)


@pytest.mark.parametrize(
    ("a_type", "b_type", "c_type", "alpha_type"),
    [
        ("i8", "i16", "i32", "i8"),
        ("i16", "i16", "f32", "i16"),
        ("i8", "i8", "i64", "i8"),
        ("i8", "bf16", "f32", "bf16"),
        ("bf16", "bf16", "f32", "bf16"),
        ("f16", "f16", "f32", "i8"),
        ("f32", "f16", "f64", "f32"),
        ("f32", "c32", "c32", "f32"),
        ("c32", "f64", "c64", "i32"),
        ("i32", "f64", "f64", "f32"),
        ("f32", "f32", "c64", "f32"),
    ],
)
def test_gemm_of_mixed_types(a_type: str, b_type: str, c_type: str, alpha_type: str) -> None:
    text = gemm_text(f"{a_type}x5x4", f"{b_type}x4x3", f"{c_type}x5x3", scalars=alpha_type)
    if (a_type, b_type, alpha_type) == ("c32", "f64", "i32"):
        # neither holds all numbers of the other
        with pytest.raises(LanguageError, match="PYTL-0334"):
            pytl.verify(pytl.parse(text))
        return
    rng = np.random.default_rng(11)
    a, b, c = (
        random_array(rng, a_type, 5, 4),
        random_array(rng, b_type, 4, 3),
        random_array(rng, c_type, 5, 3),
    )
    expected = 2 * (wide(a) @ wide(b)) - wide(c)
    run(text, 2, a, b, -1, c)
    same(c, expected.astype(c.dtype))


def test_product_is_taken_in_the_type_of_the_result() -> None:
    a, b = np.full((1, 2), 100, np.int8, order="F"), np.full((2, 1), 100, np.int8, order="F")
    for name in ("i8", "i16", "i32"):
        c = np.zeros((1, 1), DTYPES[name])
        run(gemm_text("i8x1x2", "i8x2x1", f"{name}x1x1", scalars="i8"), 3, a, b, 0, c)
        assert c[0, 0] == wrapped(60000, name)
    a, b = np.full((1, 1), 300, np.float16), np.full((1, 1), 300, np.float16)
    for name, expected in (("f16", np.inf), ("f32", 90000.0)):
        c = np.zeros((1, 1), DTYPES[name])
        run(gemm_text("f16x1x1", "f16x1x1", f"{name}x1x1", scalars="f16"), 1, a, b, 0, c)
        assert c[0, 0] == expected


@pytest.mark.parametrize("type_", ["f16", "bf16"])
def test_sums_of_half_precision_are_rounded_once(type_: str) -> None:
    # 1 + 512 times 2^-10: each addition to 1 alone would round the term away
    a = dense([[1.0, *[2.0**-10] * 512]], type_)
    c = dense([[1.0]], type_)
    run(
        gemm_text(f"{type_}x1x513", f"{type_}x513x1", f"{type_}x1x1", scalars=type_),
        1,
        a,
        np.ones_like(a.T),
        1,
        c,
    )
    assert float(c[0, 0]) == 2.5


@pytest.mark.parametrize("type_", INTEGERS)
def test_integer_gemm_wraps(type_: str) -> None:
    half = BITS[type_] // 2
    big = 2**half + 3
    a, b = dense([[big, -big]], "i64").astype(DTYPES[type_]), dense([[big], [7]], "i64").astype(DTYPES[type_])
    c = np.full((1, 1), 5, DTYPES[type_])
    values = [wrapped(v, type_) for v in (big, -big)]
    run(gemm_text(f"{type_}x1x2", f"{type_}x2x1", f"{type_}x1x1", scalars=type_), -3, a, b, 2, c)
    assert c[0, 0] == wrapped(-3 * (values[0] ** 2 + values[1] * 7) + 10, type_)


@pytest.mark.parametrize("beta", ["constant", "argument"])
@pytest.mark.parametrize("type_", [*FLOATS, *COMPLEX])
def test_gemm_with_beta_zero_does_not_read_c(type_: str, beta: str) -> None:
    text = gemm_text(f"{type_}x2x2", f"{type_}x2x2", f"{type_}x2x2", scalars=type_)
    if beta == "constant":
        zero = "[0.0, 0.0]" if type_ in COMPLEX else "0.0"
        text = text.replace("gemm", f"%z = constant {zero} : {type_}\n gemm").replace(" %beta, %c", " %z, %c")
    a, b = dense([[1, 2], [3, 4]], type_), dense([[0, 1], [1, 0]], type_)
    c = dense(np.full((2, 2), np.nan), type_)
    run(text, 1, a, b, 0, c)
    same(c, dense([[2, 1], [4, 3]], type_))


def test_nan_and_infinity_come_through_a_product() -> None:
    a, b = dense([[0.0, np.inf], [0.0, 1.0]]), dense([[np.nan, 1.0], [0.0, 2.0]])
    c = dense([[1.0, 1.0], [1.0, 1.0]])
    run(gemm_text("f32x2x2", "f32x2x2", "f32x2x2"), 1.0, a, b, 1.0, c)
    np.testing.assert_array_equal(c, [[np.nan, np.inf], [np.nan, 3.0]])


def test_chain_of_gemms_through_local_memory() -> None:
    text = """
    func @f(%A: group<memref<f64x16x8>x?>, %B: memref<f64x8x8>, %C: memref<f64x8x16>,
            %D: memref<f64x16x16x?>) {
      %0 = group_id : index
      %1 = load %A[%0] : memref<f64x16x8>
      %2 = subview %D[:,:,%0] : memref<f64x16x16>
      %t = alloca : memref<f64x16x8>
      %zero = constant 0.0 : f64
      %one = constant 1.0 : f64
      gemm.n.t %one, %1, %B, %zero, %t
      gemm.n.n.atomic %one, %t, %C, %one, %2
    }"""
    rng = np.random.default_rng(2)
    a = [random_array(rng, "f64", 16, 8) for _ in range(3)]
    b, c, d = (random_array(rng, "f64", *shape) for shape in [(8, 8), (8, 16), (16, 16, 3)])
    expected = np.stack([a[g] @ b.T @ c + d[:, :, g] for g in range(3)], axis=2)
    run(text, a, b, c, d, groups=3)
    np.testing.assert_array_equal(d, expected)


def test_groups_add_to_the_same_matrix_atomically() -> None:
    text = """
    func @f(%a: memref<i32x2x?>, %c: memref<i32x2x2>) {
      %g = group_id : index
      %s = subview %a[:, %g:1] : memref<i32x2x1>
      %one = constant 1 : i32
      gemm.n.t.atomic %one, %s, %s, %one, %c
    }"""
    a = dense([[1, 2, 3, 4], [0, -1, 5, 2]], "i32")
    c = np.zeros((2, 2), np.int32, order="F")
    run(text, a, c, groups=4)
    np.testing.assert_array_equal(c, a @ a.T)


def test_gemm_with_an_operand_that_is_also_the_result() -> None:
    a = dense([[1, 2], [3, 4]])
    expected = a @ a.T + a
    run("func @f(%alpha: f32, %a: memref<f32x2x2>) { gemm.n.t %alpha, %a, %a, %alpha, %a }", 1.0, a)
    np.testing.assert_array_equal(a, expected)


def test_gemm_with_an_operand_in_the_memory_of_another_parameter() -> None:
    a = dense([[1, 2], [3, 4]])
    with pytest.raises(ExecutionError) as caught:
        run(gemm_text("f32x2x2", "f32x2x2", "f32x2x2", "n", "t"), 1.0, a, dense([[0, 1], [1, 0]]), 1.0, a)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == (
        "PYTL-4019",
        "gemm: C, %c, shares elements with A, %a, memory of another parameter (work-group 0)",
    )


def test_gemm_of_f16_and_bf16_is_rejected() -> None:
    with pytest.raises(LanguageError, match="PYTL-0334"):
        pytl.verify(pytl.parse(gemm_text("f16x2x2", "bf16x2x2", "f32x2x2")))


# Axpby.


def axpby_text(a: str, b: str, transpose: str, scalars: tuple[str, str], flag: str = "") -> str:
    return f"""
    func @f(%alpha: {scalars[0]}, %a: memref<{a}>, %beta: {scalars[1]}, %b: memref<{b}>) {{
      axpby.{transpose}{flag} %alpha, %a, %beta, %b
    }}"""


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("transpose", ["n", "t"])
@pytest.mark.parametrize("shape", [(), (1,), (18,), (1, 1), (5, 3), (1, 6), (16, 17)])
def test_axpby(type_: str, transpose: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(shape))
    a = random_array(rng, type_, *(shape[::-1] if transpose == "t" else shape))
    b = random_array(rng, type_, *shape)
    alpha, beta = (2 - 1j, -1 + 1j) if type_ in COMPLEX else (-2, 3)
    expected = alpha * wide(a.T if transpose == "t" else a) + beta * wide(b)
    text = axpby_text(type_ + dims(*a.shape), type_ + dims(*shape), transpose, (type_, type_))
    run(text, alpha, a, beta, b)
    same(b, np.asarray(expected).astype(b.dtype))


@pytest.mark.parametrize("transpose", ["n", "t"])
def test_axpby_strided_and_dynamic(transpose: str) -> None:
    rng = np.random.default_rng(8)
    big_a, big_b = random_array(rng, "f32", 12, 12), random_array(rng, "f32", 12, 12)
    a = big_a[1:11:3, 2:8] if transpose == "n" else big_a[1:11:2, 2:6]
    b = big_b[2:6, 0:12:2]
    shapes = [dims(*a.shape), dims(*b.shape)] if transpose == "n" else ["x?x?", "x?x?"]
    expected = a - 2 * b if transpose == "n" else None
    if transpose == "t":
        b = big_b[2:6, 0:10:2]
        expected = a.T - 2 * b
    text = axpby_text(f"f32{shapes[0]},strided<?,?>", f"f32{shapes[1]},strided<1,?>", transpose, ("f32", "f32"))
    run(text, 1.0, a, -2.0, b)
    np.testing.assert_array_equal(b, expected)


@pytest.mark.parametrize("type_", [*FLOATS, *COMPLEX])
def test_axpby_with_beta_zero_does_not_read_b(type_: str) -> None:
    b = dense(np.full(3, np.nan), type_)
    run(axpby_text(f"{type_}x3", f"{type_}x3", "n", (type_, type_)), 2, dense([1, 2, 3], type_), 0, b)
    same(b, dense([2, 4, 6], type_))


@pytest.mark.parametrize(
    ("alpha", "a_type", "b_type", "beta"),
    [("i8", "i16", "i32", "i16"), ("i8", "bf16", "f32", "f16"), ("f32", "f32", "c64", "c32")],
)
def test_axpby_of_mixed_types(alpha: str, a_type: str, b_type: str, beta: str) -> None:
    rng = np.random.default_rng(6)
    a, b = random_array(rng, a_type, 4, 3), random_array(rng, b_type, 3, 4)
    expected = 3 * wide(a).T - wide(b)
    run(axpby_text(f"{a_type}x4x3", f"{b_type}x3x4", "t", (alpha, beta)), 3, a, -1, b)
    same(b, expected.astype(b.dtype))


def test_axpby_rounds_half_precision_once() -> None:
    # 2048 + 1 + 1 in f16, whose next number after 2048 is 2050: rounding each step would lose both
    b = np.array([1.0], np.float16)
    text = axpby_text("f16x1", "f16x1", "n", ("f16", "f16"))
    run(text, 1, np.array([2048.0], np.float16), 2, b)
    assert b[0] == 2050


def test_atomic_axpby_of_several_groups() -> None:
    text = """
    func @f(%a: memref<f32x3x?>, %b: memref<f32x3>) {
      %g = group_id : index
      %s = subview %a[:, %g] : memref<f32x3>
      %one = constant 1.0 : f32
      axpby.n.atomic %one, %s, %one, %b
    }"""
    a, b = dense(np.arange(12).reshape(3, 4)), np.zeros(3, np.float32)
    run(text, a, b, groups=4)
    np.testing.assert_array_equal(b, a.sum(axis=1))


def test_empty_dynamic_modes() -> None:
    c = dense([[1, 2], [3, 4]])
    run(
        gemm_text("f32x?x?", "f32x?x?", "f32x?x?"),
        1.0,
        np.zeros((2, 0), "f4"),
        np.zeros((0, 2), "f4"),
        3.0,
        c,
    )
    np.testing.assert_array_equal(c, [[3, 6], [9, 12]])
    run(
        gemm_text("f32x?x?", "f32x?x?", "f32x?x?"),
        1.0,
        np.zeros((0, 2), "f4"),
        c,
        3.0,
        np.zeros((0, 2), "f4"),
    )
