"""Products of short integers on backends whose processor adds two terms of a sum at once."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl import Memref, gemm, group_id, i8, i16, i32

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
