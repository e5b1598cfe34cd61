"""A product of two matrices for each item of a batch, the factor B shared by all."""

import numpy as np

import pytl
from pytl import Group, Memref, f32, gemm, group_id


@pytl.kernel
def multiply(A: Group[f32, 4, 3], B: Memref[f32, 2, 3], C: Memref[f32, 4, 2, ...]):
    g = group_id()
    gemm(1.0, A[g], B.T, 0.0, C[:, :, g])


random = np.random.default_rng(1)
A = [np.asfortranarray(random.random((4, 3)), np.float32) for _ in range(5)]
B = np.asfortranarray(random.random((2, 3)), np.float32)
C = np.zeros((4, 2, 5), np.float32, order="F")
multiply[5](A, B, C, backend="reference")
for item in range(5):
    np.testing.assert_allclose(C[:, :, item], A[item] @ B.T, rtol=1e-6)
