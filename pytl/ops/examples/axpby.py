"""The weighted sum of a matrix and a transposed one."""

import numpy as np

import pytl
from pytl import Memref, axpby, f32


@pytl.kernel
def blend(alpha: f32, A: Memref[f32, 3, 4], B: Memref[f32, 4, 3]):
    axpby(alpha, A.T, 1.0, B)


A = np.asfortranarray(np.arange(12).reshape(3, 4), np.float32)
B = np.ones((4, 3), np.float32, order="F")
blend[1](0.5, A, B, backend="reference")
np.testing.assert_array_equal(B, 0.5 * A.T + 1)
