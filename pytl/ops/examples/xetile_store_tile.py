"""Of a tile that is stored over the edge of a matrix, only what lies in the matrix is."""

import numpy as np

import pytl
from pytl import Memref, f32, parallel, tile


@pytl.kernel
def place(A: Memref[f32, 4, 4], B: Memref[f32, ..., ...]):
    with parallel():
        tile.store(tile.load(tile.init(A, (0, 0), shape=(4, 4))), tile.init(B, (3, -2), shape=(4, 4)))


A = np.asfortranarray(np.arange(16).reshape(4, 4), np.float32)
B = np.zeros((5, 6), np.float32, order="F")
place[1](A, B, backend="reference")
np.testing.assert_array_equal(B[3:, :2], A[:2, 2:])
assert not B[:3].any() and not B[:, 2:].any()
