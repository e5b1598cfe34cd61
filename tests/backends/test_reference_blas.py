"""GEMV, GER and the Hadamard product on the reference backend, against NumPy in exact arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
from reference_kit import (
    COMPLEX,
    DTYPES,
    FLOATS,
    INTEGERS,
    dense,
    dims,
    failure,
    random_array,
    run,
    same,
    stored_as,
    wide,
)

TYPES = [*INTEGERS, *FLOATS, *COMPLEX]


def text_of(instruction: str, a: str, b: str, c: str, scalars: str, beta: str | None = None) -> str:
    return f"""
    func @f(%alpha: {scalars}, %a: memref<{a}>, %b: memref<{b}>, %beta: {beta or scalars}, %c: memref<{c}>) {{
      {instruction} %alpha, %a, %b, %beta, %c
    }}"""


def factors(type_: str) -> tuple[complex, complex]:
    return (2 - 1j, -1 + 1j) if type_ in COMPLEX else (-2, 3)


def product(instruction: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """What the instruction multiplies by alpha."""
    a, b = wide(a), wide(b)
    return {
        "gemv.n": lambda: a @ b,
        "gemv.t": lambda: a.T @ b,
        "ger": lambda: np.outer(a, b),
        "hadamard": lambda: a * b,
    }[instruction]()


# The instruction with the shapes of its operands.
FORMS = [
    *(("gemv.n", (m, k), (k,), (m,)) for m, k in [(1, 1), (5, 7), (16, 3), (1, 9)]),
    *(("gemv.t", (k, m), (k,), (m,)) for m, k in [(1, 1), (5, 7), (16, 3), (1, 9)]),
    *(("ger", (m,), (n,), (m, n)) for m, n in [(1, 1), (5, 7), (16, 3), (1, 9)]),
    *(("hadamard", shape, shape, shape) for shape in [(1,), (18,), (5, 7), (16, 1)]),
]


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize(("instruction", "a_shape", "b_shape", "c_shape"), FORMS)
def test_products(type_: str, instruction: str, a_shape: tuple, b_shape: tuple, c_shape: tuple) -> None:
    rng = np.random.default_rng(len(instruction) + sum(a_shape))
    a, b, c = (random_array(rng, type_, *shape) for shape in (a_shape, b_shape, c_shape))
    alpha, beta = factors(type_)
    expected = stored_as(alpha * product(instruction, a, b) + beta * wide(c), type_)
    run(text_of(instruction, *(type_ + dims(*x.shape) for x in (a, b, c)), type_), alpha, a, b, beta, c)
    same(c, expected)


@pytest.mark.parametrize(("instruction", "a_shape", "b_shape", "c_shape"), FORMS)
def test_strided_and_dynamic_operands(instruction: str, a_shape: tuple, b_shape: tuple, c_shape: tuple) -> None:
    rng = np.random.default_rng(3)

    def part(shape: tuple[int, ...]) -> np.ndarray:
        big = random_array(rng, "f64", *(3 * n + 1 for n in shape))
        return big[tuple(slice(1, 1 + 2 * n, 2) for n in shape)]

    def type_of(array: np.ndarray) -> str:
        order = array.ndim
        return f"f64{dims(*'?' * order)},strided<{','.join('?' * order)}>"

    a, b, c = part(a_shape), part(b_shape), part(c_shape)
    expected = 2 * product(instruction, a, b) - c
    run(text_of(instruction, type_of(a), type_of(b), type_of(c), "f64"), 2.0, a, b, -1.0, c)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize(
    ("alpha_type", "a_type", "b_type", "c_type"),
    [
        ("i8", "i8", "i16", "i32"),
        ("i16", "i16", "i8", "f32"),
        ("i8", "bf16", "i8", "f32"),
        ("f16", "f16", "f32", "f64"),
        ("f32", "f32", "c32", "c64"),
        ("c32", "f64", "c64", "c64"),
    ],
)
@pytest.mark.parametrize(("instruction", "a_shape", "b_shape", "c_shape"), FORMS[1::4])
def test_mixed_types(
    alpha_type: str,
    a_type: str,
    b_type: str,
    c_type: str,
    instruction: str,
    a_shape: tuple,
    b_shape: tuple,
    c_shape: tuple,
) -> None:
    rng = np.random.default_rng(11)
    a, b, c = (
        random_array(rng, a_type, *a_shape),
        random_array(rng, b_type, *b_shape),
        random_array(rng, c_type, *c_shape),
    )
    alpha = 2 - 1j if alpha_type in COMPLEX else -2
    expected = stored_as(alpha * product(instruction, a, b) + 3 * wide(c), c_type)
    types = (a_type + dims(*a_shape), b_type + dims(*b_shape), c_type + dims(*c_shape))
    run(text_of(instruction, *types, alpha_type, c_type), alpha, a, b, 3, c)
    same(c, expected)


@pytest.mark.parametrize("type_", [*FLOATS, *COMPLEX])
@pytest.mark.parametrize(("instruction", "a_shape", "b_shape", "c_shape"), FORMS[1::4])
def test_beta_zero_does_not_read_the_target(
    type_: str, instruction: str, a_shape: tuple, b_shape: tuple, c_shape: tuple
) -> None:
    rng = np.random.default_rng(2)
    a, b = random_array(rng, type_, *a_shape), random_array(rng, type_, *b_shape)
    c = np.full(c_shape, np.nan, DTYPES[type_], order="F")
    expected = stored_as(product(instruction, a, b), type_)
    run(text_of(instruction, *(type_ + dims(*x.shape) for x in (a, b, c)), type_), 1, a, b, 0, c)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize("type_", ["f16", "bf16"])
@pytest.mark.parametrize("instruction", ["gemv.n", "ger", "hadamard"])
def test_half_precision_is_rounded_once(type_: str, instruction: str) -> None:
    # 1 + e for the least e, times itself, minus 1 + 2e: a rounded product would have lost the square of e
    e = 2.0 ** -(10 if type_ == "f16" else 7)
    a, b, c = (np.array([x], DTYPES[type_]) for x in (1 + e, 1 + e, 1 + 2 * e))
    if instruction == "gemv.n":
        a = a.reshape(1, 1)
    if instruction == "ger":
        c = c.reshape(1, 1)
    types = (type_ + dims(*x.shape) for x in (a, b, c))
    run(text_of(instruction, *types, type_), 1, a, b, -1, c)
    assert float(c.flat[0]) == e * e


@pytest.mark.parametrize(
    ("instruction", "index", "expected"),
    [
        ("gemv.n", "%m, %v, %one, %v", [3, 7]),
        ("gemv.t", "%m, %v, %one, %v", [5, 6]),
        ("hadamard", "%v, %v, %one, %v", [2, 2]),
        ("hadamard", "%m, %m, %zero, %m", [[1, 4], [9, 16]]),
        ("ger", "%v, %v, %one, %m", [[2, 3], [4, 5]]),
    ],
)
def test_a_factor_may_be_the_target(instruction: str, index: str, expected: list) -> None:
    text = f"""
    func @f(%m: memref<i32x2x2>, %v: memref<i32x2>) {{
      %one = constant 1 : i32
      %zero = constant 0 : i32
      {instruction} %one, {index}
    }}"""
    m, v = np.asfortranarray([[1, 2], [3, 4]], np.int32), np.ones(2, np.int32)
    wanted = np.array(expected)
    if instruction == "gemv.n":
        wanted = np.array([[1, 2], [3, 4]]) @ np.ones(2, int) + 1
    if instruction == "gemv.t":
        wanted = np.array([[1, 2], [3, 4]]).T @ np.ones(2, int) + 1
    run(text, m, v)
    np.testing.assert_array_equal(m if wanted.ndim == 2 else v, wanted)


@pytest.mark.parametrize(("instruction", "a_shape", "b_shape", "c_shape"), FORMS[1::4])
def test_groups_add_atomically(instruction: str, a_shape: tuple, b_shape: tuple, c_shape: tuple) -> None:
    rng = np.random.default_rng(8)
    a, b, c = (random_array(rng, "f32", *shape) for shape in (a_shape, b_shape, c_shape))
    expected = c + 5 * 2 * product(instruction, a, b)
    text = f"""
    func @f(%a: memref<f32{dims(*a_shape)}>, %b: memref<f32{dims(*b_shape)}>, %c: memref<f32{dims(*c_shape)}>) {{
      %one = constant 1.0 : f32
      %two = constant 2.0 : f32
      {instruction}.atomic %two, %a, %b, %one, %c
    }}"""
    run(text, a, b, c, groups=5)
    np.testing.assert_array_equal(c, expected)


@pytest.mark.parametrize(
    ("instruction", "shapes", "message"),
    [
        ("gemv.n", [(2, 3), (2,), (2,)], "gemv: columns(op1(A)) = 3, but rows(b) = 2"),
        ("gemv.t", [(2, 3), (2,), (2,)], "gemv: rows(op1(A)) = 3, but rows(c) = 2"),
        ("ger", [(2,), (3,), (3, 3)], "ger: rows(a) = 2, but rows(C) = 3"),
        ("ger", [(2,), (3,), (2, 2)], "ger: rows(b) = 3, but columns(C) = 2"),
        ("hadamard", [(2,), (3,), (2,)], "hadamard: size 0 of A = 2, but size 0 of B = 3"),
        ("hadamard", [(2, 3), (2, 3), (2, 1)], "hadamard: size 1 of A = 3, but size 1 of C = 1"),
    ],
)
def test_sizes_known_at_run_time_must_match(instruction: str, shapes: list[tuple], message: str) -> None:
    arrays = [dense(np.ones(shape)) for shape in shapes]
    a, b, c = (f"f32{dims(*'?' * len(shape))}" for shape in shapes)
    text = text_of(instruction, a, b, c, "f32")
    given = (1.0, arrays[0], arrays[1], 1.0, arrays[2])
    assert failure(text, *given, code="PYTL-4012", line=3) == f"{message} (work-group 0)"
