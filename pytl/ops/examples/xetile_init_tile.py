"""A tile begins before the matrix: what lies outside of it reads as 0, and is not stored."""

import numpy as np

import pytl
from pytl import Memref, f32, parallel, tile


@pytl.kernel
def shift(A: Memref[f32, 6, 8], B: Memref[f32, 6, 8]):
    with parallel():
        moved = tile.load(tile.init(A, (-1, -1), shape=(6, 8)))
        tile.store(moved, tile.init(B, (0, 0), shape=(6, 8)))


A = np.asfortranarray(np.arange(48).reshape(6, 8), np.float32)
B = np.ones((6, 8), np.float32, order="F")
shift[1](A, B, backend="reference")
np.testing.assert_array_equal(B[1:, 1:], A[:-1, :-1])
assert not B[0].any() and not B[:, 0].any()
