"""A matrix times a vector; gemv(alpha, A.T, …) takes the transposed."""

import numpy as np

import pytl
from pytl import Memref, f64, gemv


@pytl.kernel
def multiply(A: Memref[f64, 4, 3], b: Memref[f64, 3], c: Memref[f64, 4]):
    gemv(2.0, A, b, 1.0, c)


A = np.asfortranarray(np.arange(12.0).reshape(4, 3))
b = np.array([1.0, 0.0, -1.0])
c = np.ones(4)
multiply[1](A, b, c, backend="reference")
np.testing.assert_array_equal(c, 2 * A @ b + 1)
