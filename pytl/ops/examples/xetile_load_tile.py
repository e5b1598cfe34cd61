"""A tile at the edge of a matrix is loaded transposed, with -1 outside of the matrix."""

import numpy as np

import pytl
from pytl import Memref, f32, parallel, tile


@pytl.kernel
def corner(A: Memref[f32, 6, 8], B: Memref[f32, 4, 4]):
    with parallel():
        t = tile.init(A, (4, 5), shape=(4, 4))
        tile.store(tile.load(t, transpose=True, padding=-1.0), tile.init(B, (0, 0), shape=(4, 4)))


A = np.asfortranarray(np.arange(48).reshape(6, 8), np.float32)
B = np.zeros((4, 4), np.float32, order="F")
corner[1](A, B, backend="reference")
np.testing.assert_array_equal(B[:3, :2], A[4:, 5:].T)
assert (B[3] == -1).all() and (B[:, 2:] == -1).all()
