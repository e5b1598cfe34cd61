"""A slice is a view; what is stored through it is stored in the memref."""

import numpy as np

import pytl
from pytl import Memref, axpby, f32, index


@pytl.kernel
def copy_block(i: index, A: Memref[f32, 8, 6], B: Memref[f32, 4, 6]):
    axpby(1.0, A[i : i + 4, 1:4], 0.0, B[:, 2:5])


A = np.asfortranarray(np.arange(48).reshape(8, 6), np.float32)
B = np.zeros((4, 6), np.float32, order="F")
copy_block[1](3, A, B, backend="reference")
np.testing.assert_array_equal(B[:, 2:5], A[3:7, 1:4])
