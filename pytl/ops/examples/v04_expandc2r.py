"""A complex vector is multiplied by a real matrix as two columns of reals."""

import numpy as np

import pytl
from pytl import Memref, c32, expandc2r, f32


@pytl.kernel
def product(A: Memref[f32, 8, 8], x: Memref[c32, 8], y: Memref[c32, 8]):
    pytl.gemm(1.0, expandc2r(x), A.T, 0.0, expandc2r(y))


rng = np.random.default_rng(0)
A = np.asfortranarray(rng.integers(-3, 4, (8, 8)), np.float32)
x = (rng.integers(-3, 4, 8) + 1j * rng.integers(-3, 4, 8)).astype(np.complex64)
y = np.zeros(8, np.complex64)
product[1](A, x, y, backend="reference")
np.testing.assert_array_equal(y, A @ x)
