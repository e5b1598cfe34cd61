"""Two contiguous modes become one: a tensor as a matrix."""

import numpy as np

import pytl
from pytl import Memref, f32, fuse, gemm


@pytl.kernel
def apply(A: Memref[f32, 2, 2], T: Memref[f32, 2, 3, 4], R: Memref[f32, 2, 3, 4]):
    gemm(1.0, A, fuse(T, 1, 2), 0.0, fuse(R, 1, 2))


A = np.array([[1, 2], [3, 4]], np.float32, order="F")
T = np.asfortranarray(np.arange(24).reshape(2, 3, 4), np.float32)
R = np.zeros((2, 3, 4), np.float32, order="F")
apply[1](A, T, R, backend="reference")
np.testing.assert_array_equal(R, np.einsum("ij,jkl->ikl", A, T))
