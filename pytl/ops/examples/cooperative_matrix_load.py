"""Blocks of 8x8 are loaded by a sub-group, 0 where the matrix ends, and stored transposed."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, parallel


@pytl.kernel
def transpose(A: Memref[f32, 12, 8], B: Memref[f32, 8, 16]):
    with parallel():
        for i in range(0, 12, 8):
            block = coop.load(A, i, 0, shape=(8, 8), use="matrix_acc", transpose=True, checked="cols")
            coop.store(block, B, 0, i)


A = np.asfortranarray(np.arange(96).reshape(12, 8), np.float32)
B = np.ones((8, 16), np.float32, order="F")
transpose[1](A, B, backend="reference")
np.testing.assert_array_equal(B[:, :12], A.T)
assert not B[:, 12:].any()
