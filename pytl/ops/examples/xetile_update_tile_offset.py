"""A tile goes down the diagonal of a matrix."""

import numpy as np

import pytl
from pytl import Memref, f32, parallel, tile


@pytl.kernel
def diagonal(A: Memref[f32, 8, 8], B: Memref[f32, 2, 2]):
    with parallel():
        t, sum_ = tile.init(A, (0, 0), shape=(2, 2)), tile.load(tile.init(B, (0, 0), shape=(2, 2)))
        for _ in range(4):
            sum_ = sum_ + tile.load(t)
            t = tile.update_offset(t, 2, 2)
        tile.store(sum_, tile.init(B, (0, 0), shape=(2, 2)))


A = np.asfortranarray(np.arange(64).reshape(8, 8), np.float32)
B = np.zeros((2, 2), np.float32, order="F")
diagonal[1](A, B, backend="reference")
np.testing.assert_array_equal(B, sum(A[k : k + 2, k : k + 2] for k in range(0, 8, 2)))
