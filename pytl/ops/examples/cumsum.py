"""Running sums along the second mode."""

import numpy as np

import pytl
from pytl import Memref, cumsum, i32


@pytl.kernel
def running(A: Memref[i32, 2, 4], B: Memref[i32, 2, 4]):
    cumsum(1, A, 1, 0, B)


A = np.array([[1, 2, 3, 4], [1, 1, 1, 1]], np.int32, order="F")
B = np.zeros((2, 4), np.int32, order="F")
running[1](A, B, backend="reference")
np.testing.assert_array_equal(B, np.cumsum(A, axis=1))
