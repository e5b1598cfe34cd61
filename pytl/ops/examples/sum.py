"""The sums of a matrix's rows; sum(alpha, A.T, …) gives those of its columns."""

import numpy as np

import pytl
from pytl import Memref, f32


@pytl.kernel
def row_sums(A: Memref[f32, 4, 3], b: Memref[f32, 4]):
    pytl.sum(1.0, A, 0.0, b)


A = np.asfortranarray(np.arange(12).reshape(4, 3), np.float32)
b = np.zeros(4, np.float32)
row_sums[1](A, b, backend="reference")
np.testing.assert_array_equal(b, A.sum(axis=1))
