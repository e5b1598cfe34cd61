"""Three matrices are multiplied through temporary memory of the work-group."""

import numpy as np

import pytl
from pytl import Memref, alloca, f32, gemm


@pytl.kernel
def triple(A: Memref[f32, 4, 2], B: Memref[f32, 2, 3], C: Memref[f32, 3, 4], D: Memref[f32, 4, 4]):
    t = alloca(f32, 4, 3)
    gemm(1.0, A, B, 0.0, t)
    gemm(1.0, t, C, 0.0, D)


random = np.random.default_rng(1)
A, B, C = (np.asfortranarray(random.random(shape), np.float32) for shape in ((4, 2), (2, 3), (3, 4)))
D = np.zeros((4, 4), np.float32, order="F")
triple[1](A, B, C, D, backend="reference")
np.testing.assert_allclose(D, A @ B @ C, rtol=1e-6)
