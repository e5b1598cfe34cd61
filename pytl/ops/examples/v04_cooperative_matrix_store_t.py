"""A block is stored transposed; what lies outside of the memref is left out."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, parallel


@pytl.kernel
def turn(A: Memref[f32, 8, 4], B: Memref[f32, 4, 6]):
    with parallel():
        block = coop.load(A, 0, 0, shape=(8, 4), use="matrix_acc")
        coop.store(block, B, 0, 0, checked="rows", transpose=True)


A = np.asfortranarray(np.arange(32).reshape(8, 4), np.float32)
B = np.zeros((4, 6), np.float32, order="F")
turn[1](A, B, backend="reference")
np.testing.assert_array_equal(B, A[:6].T)
