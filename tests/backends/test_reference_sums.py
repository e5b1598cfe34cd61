"""Sums and cumulative sums on the reference backend, against NumPy in exact arithmetic."""

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


def sum_text(transpose: str, a: str, b: str, scalars: str, beta: str | None = None) -> str:
    return f"""
    func @f(%alpha: {scalars}, %a: memref<{a}>, %beta: {beta or scalars}, %b: memref<{b}>) {{
      sum.{transpose} %alpha, %a, %beta, %b
    }}"""


def cumsum_text(mode: int, a: str, b: str, scalars: str) -> str:
    return f"""
    func @f(%alpha: {scalars}, %a: memref<{a}>, %beta: {scalars}, %b: memref<{b}>) {{
      cumsum %alpha, %a, {mode}, %beta, %b
    }}"""


def factors(type_: str) -> tuple[complex, complex]:
    return (2 - 1j, -1 + 1j) if type_ in COMPLEX else (-2, 3)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("transpose", ["n", "t"])
@pytest.mark.parametrize("shape", [(1,), (18,), (1, 1), (5, 7), (16, 2), (2, 33)])
def test_sum(type_: str, transpose: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(sum(shape))
    a = random_array(rng, type_, *shape)
    # a vector has no transpose: it is summed up to a single number
    total = wide(a).sum(axis=1 if len(shape) == 2 and transpose == "n" else 0)
    b = random_array(rng, type_, *total.shape)
    alpha, beta = factors(type_)
    expected = stored_as(alpha * total + beta * wide(b), type_)
    run(sum_text(transpose, type_ + dims(*shape), type_ + dims(*b.shape), type_), alpha, a, beta, b)
    same(b, expected)


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize(
    ("shape", "mode"),
    [
        ((1,), 0),
        ((18,), 0),
        ((5, 7), 0),
        ((5, 7), 1),
        ((3, 4, 5), 0),
        ((3, 4, 5), 1),
        ((3, 4, 5), 2),
        ((2, 3, 2, 4), 3),
    ],
)
def test_cumsum(type_: str, shape: tuple[int, ...], mode: int) -> None:
    rng = np.random.default_rng(sum(shape) + mode)
    a, b = random_array(rng, type_, *shape), random_array(rng, type_, *shape)
    alpha, beta = factors(type_)
    expected = stored_as(alpha * np.cumsum(wide(a), axis=mode) + beta * wide(b), type_)
    type_text = type_ + dims(*shape)
    run(cumsum_text(mode, type_text, type_text, type_), alpha, a, beta, b)
    same(b, expected)


@pytest.mark.parametrize(("type_", "count"), [("i8", 300), ("i16", 70000)])
def test_integer_sums_wrap_in_their_own_type(type_: str, count: int) -> None:
    a, total = np.full(count, 7, DTYPES[type_]), np.zeros((), DTYPES[type_])
    run(sum_text("n", f"{type_}x{count}", type_, type_), 1, a, 0, total)
    same(total, stored_as(np.array(7 * count), type_))
    sums = np.zeros_like(a)
    run(cumsum_text(0, f"{type_}x{count}", f"{type_}x{count}", type_), 1, a, 0, sums)
    same(sums, stored_as(7 * np.arange(1, count + 1), type_))


@pytest.mark.parametrize("type_", ["f16", "bf16"])
def test_half_precision_is_summed_in_float32(type_: str) -> None:
    # one by one in the type itself, the sum would stop at 2048 or 256
    count = 5000
    a, total, sums = np.ones(count, DTYPES[type_]), np.zeros((), DTYPES[type_]), np.zeros(count, DTYPES[type_])
    run(sum_text("n", f"{type_}x{count}", type_, type_), 1, a, 0, total)
    same(total, np.float32(count).astype(DTYPES[type_]))
    run(cumsum_text(0, f"{type_}x{count}", f"{type_}x{count}", type_), 1, a, 0, sums)
    same(sums, np.arange(1, count + 1, dtype=np.float32).astype(DTYPES[type_]))


@pytest.mark.parametrize(
    ("a_type", "b_type"),
    [("i8", "i64"), ("i16", "f32"), ("bf16", "f32"), ("f16", "f64"), ("f32", "c32"), ("c32", "c64")],
)
def test_operands_are_promoted_before_they_are_summed(a_type: str, b_type: str) -> None:
    rng = np.random.default_rng(6)
    a = random_array(rng, a_type, 40, 3)
    a[:, 0] = 100
    b, sums = random_array(rng, b_type, 3), random_array(rng, b_type, 40, 3)
    expected, expected_sums = wide(a).sum(axis=0) + 2 * wide(b), np.cumsum(wide(a), axis=0) + 2 * wide(sums)
    run(sum_text("t", f"{a_type}x40x3", f"{b_type}x3", a_type, b_type), 1, a, 2, b)
    same(b, stored_as(expected, b_type))
    text = cumsum_text(0, f"{a_type}x40x3", f"{b_type}x40x3", b_type).replace(f"alpha: {b_type}", f"alpha: {a_type}")
    run(text, 1, a, 2, sums)
    same(sums, stored_as(expected_sums, b_type))


@pytest.mark.parametrize("type_", [*FLOATS, *COMPLEX])
def test_beta_zero_does_not_read_the_target(type_: str) -> None:
    a = random_array(np.random.default_rng(0), type_, 4, 3)
    b, sums = np.full(4, np.nan, DTYPES[type_]), np.full((4, 3), np.nan, DTYPES[type_], order="F")
    run(sum_text("n", f"{type_}x4x3", f"{type_}x4", type_), 1, a, 0, b)
    np.testing.assert_array_equal(wide(b), wide(a).sum(axis=1))
    run(cumsum_text(1, f"{type_}x4x3", f"{type_}x4x3", type_), 1, a, 0, sums)
    np.testing.assert_array_equal(wide(sums), np.cumsum(wide(a), axis=1))


def test_strided_dynamic_and_empty_modes() -> None:
    big = random_array(np.random.default_rng(1), "f64", 11, 9)
    a, b, sums = big[1:9:2, 2:8:3], np.ones(4), np.ones((4, 2), order="F")
    run(sum_text("n", "f64x?x?,strided<?,?>", "f64x?", "f64"), 2.0, a, 1.0, b)
    np.testing.assert_array_equal(b, 2 * a.sum(axis=1) + 1)
    run(cumsum_text(1, "f64x?x?,strided<?,?>", "f64x?x?", "f64"), 2.0, a, 1.0, sums)
    np.testing.assert_array_equal(sums, 2 * np.cumsum(a, axis=1) + 1)
    run(sum_text("n", "f64x?x?", "f64x?", "f64"), 2.0, np.zeros((4, 0)), 3.0, b)
    np.testing.assert_array_equal(b, 3 * (2 * a.sum(axis=1) + 1))
    run(cumsum_text(0, "f64x?", "f64x?", "f64"), 2.0, np.zeros(0), 3.0, np.zeros(0))


def test_cumsum_in_place_and_atomic_sums_of_groups() -> None:
    text = """
    func @f(%a: memref<f32x3x?>, %b: memref<f32>) {
      %one = constant 1.0 : f32
      %zero = constant 0.0 : f32
      %g = builtin.group_id : index
      %s = subview %a[0:3, %g] : memref<f32x3>
      cumsum %one, %s, 0, %zero, %s
      sum.n.atomic %one, %s, %one, %b
    }"""
    a, b = dense(np.arange(12).reshape(3, 4)), np.zeros((), np.float32)
    expected = np.cumsum(a, axis=0)
    run(text, a, b, groups=4)
    np.testing.assert_array_equal(a, expected)
    assert b == expected.sum()


def test_sizes_known_at_run_time_must_match() -> None:
    a, b = dense(np.ones((2, 3))), np.zeros(2, np.float32)
    text = sum_text("t", "f32x?x?", "f32x?", "f32")
    message = failure(text, 1.0, a, 0.0, b, code="PYTL-4012", line=3)
    assert message == "sum: rows(op(A)) = 3, but rows(b) = 2 (work-group 0)"
    text = cumsum_text(0, "f32x?x?", "f32x?x?", "f32")
    message = failure(text, 1.0, a, 0.0, dense(np.ones((2, 4))), code="PYTL-4012", line=3)
    assert message == "cumsum: size 1 of A = 3, but size 1 of B = 4 (work-group 0)"
