"""Products of short integers on backends whose processor adds two terms of a sum at once, and of bf16 with fastmath."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import pytl
from pytl import Group, Memref, bf16, f32, gemm, group_id, i8, i16, i32

pytestmark = pytest.mark.at_most(2)


@pytest.mark.parametrize("backend", ["sycl", "mlir"])
def test_extreme_numbers_are_added_exactly_and_wrap_around(backend):
    @pytl.kernel
    def products(
        A: Memref[i8, 21, 7, ...],
        B: Memref[i8, 7, 5],
        C: Memref[i32, 21, 5, ...],
        L: Memref[i16, 9, 16, ...],
        R: Memref[i16, 6, 9],
        S: Memref[i32, 16, 6, ...],
    ):
        g = group_id()
        gemm(1, A[:, :, g], B, 1, C[:, :, g])
        gemm(-3, L[:, :, g].T, R.T, 0, S[:, :, g])

    generator = np.random.default_rng(1)

    def numbers(dtype, *shape):
        ends = np.array([np.iinfo(dtype).min, np.iinfo(dtype).min + 1, np.iinfo(dtype).max], dtype)
        return np.asfortranarray(generator.choice(ends, shape))

    a, b, c = numbers(np.int8, 21, 7, 3), numbers(np.int8, 7, 5), numbers(np.int32, 21, 5, 3)
    left, right, s = numbers(np.int16, 9, 16, 3), numbers(np.int16, 6, 9), numbers(np.int32, 16, 6, 3)
    left[:, 0], right[0] = -(2**15), -(2**15)  # two products are 2^31
    wide = np.int64
    of_bytes = (c.astype(wide) + np.einsum("ikg,kj->ijg", a.astype(wide), b.astype(wide))).astype(np.int32)
    of_shorts = (-3 * np.einsum("kig,jk->ijg", left.astype(wide), right.astype(wide))).astype(np.int32)
    products[3](a, b, c, left, right, s, backend=backend)
    np.testing.assert_array_equal(c, of_bytes)
    np.testing.assert_array_equal(s, of_shorts)


@pytest.mark.at_most(4)
@pytest.mark.parametrize("backend", ["sycl", "mlir"])
@pytest.mark.parametrize("transposed", ["nn", "tt"])
@pytest.mark.parametrize("result", ["f32", "bf16"])
def test_pairs_of_bf16_with_fastmath(backend, transposed, result):
    sums = {"f32": f32, "bf16": bf16}[result]
    of_left, of_right = ((21, 7), (7, 5)) if transposed == "nn" else ((7, 21), (5, 7))
    left, right = (bf16, *of_left), (bf16, *of_right)

    @pytl.kernel
    def products(A: Group[left], B: Memref[right], C: Group[sums, 21, 5]):
        a, b = A[group_id()], B
        gemm(0.5, a.T if transposed == "tt" else a, b.T if transposed == "tt" else b, 1, C[group_id()])

    generator = np.random.default_rng(2)

    def numbers(dtype, *shape):
        return np.asfortranarray(generator.integers(-8, 9, shape).astype(dtype))

    dtype = np.float32 if result == "f32" else ml_dtypes.bfloat16
    a, b, c = numbers(ml_dtypes.bfloat16, *of_left, 3), numbers(ml_dtypes.bfloat16, *of_right), numbers(dtype, 21, 5, 3)
    a[2, 2, 0], b[1, 1] = np.nan, np.inf
    rows, columns = (each.astype(np.float32) for each in (a, b))
    if transposed == "tt":
        rows, columns = rows.transpose(1, 0, 2), columns.T
    with np.errstate(invalid="ignore"):
        expected = c.astype(np.float32) + 0.5 * np.einsum("ikg,kj->ijg", rows, columns)
    products[3, {"fastmath": True}](a, b, c, backend=backend)
    np.testing.assert_array_equal(c.astype(np.float32), expected.astype(dtype).astype(np.float32))
    text = products.ir("vectorize", backend=backend, fastmath=True, machine="zen4")
    assert text.count("vector.dot") and "vector.fma" not in text


@pytest.mark.parametrize("backend", ["sycl", "mlir"])
def test_small_bf16_count_without_fastmath(backend):
    @pytl.kernel
    def product(A: Memref[bf16, 16, 4], B: Memref[bf16, 4, 8], C: Memref[f32, 16, 8]):
        gemm(1.0, A, B, 0.0, C)

    a, b = (
        np.full(shape, number, ml_dtypes.bfloat16, "F") for shape, number in (((16, 4), 2.0**-130), ((4, 8), 2.0**120))
    )
    c = np.zeros((16, 8), np.float32, "F")
    product[1](a, b, c, backend=backend)
    assert (c == 4 * 2.0**-10).all()


@pytest.mark.tools_of("mlir")
def test_processors_without_the_instruction_multiply_each_half(monkeypatch):
    from pytl.passes.targets import host
    from pytl.process.settings import CACHE

    @pytl.kernel
    def product(A: Memref[bf16, 16, 5], B: Memref[bf16, 5, 8], C: Memref[f32, 16, 8]):
        gemm(1.0, A, B, 1.0, C)

    monkeypatch.setattr(host, "absent_features", lambda: {"bf16"})
    generator = np.random.default_rng(3)
    a, b, c = (
        np.asfortranarray(generator.integers(-8, 9, shape).astype(dtype))
        for shape, dtype in (((16, 5), ml_dtypes.bfloat16), ((5, 8), ml_dtypes.bfloat16), ((16, 8), np.float32))
    )
    expected = c + a.astype(np.float32) @ b.astype(np.float32)
    options = {"fastmath": True, "machine": "zen4"}
    with CACHE.scope(False):
        product[1, options](a, b, c, backend="mlir")
        assert "dpbf16ps" not in product.emit("mlir", **options)
    np.testing.assert_array_equal(c, expected)
    assert "vector.dot" in product.ir("vectorize", backend="mlir", **options)
