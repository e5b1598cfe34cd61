"""A.shape gives sizes: Python integers where they are static, else the values of size instructions."""

import numpy as np

import pytl
from pytl import Memref, f32, foreach


@pytl.kernel
def count_up(A: Memref[f32, 2, ...]):
    for i, j in foreach((0, 0), A.shape):
        A[i, j] = f32(i + 2 * j)


A = np.zeros((2, 5), np.float32, order="F")
count_up[1](A, backend="reference")
np.testing.assert_array_equal(A, np.arange(10).reshape(5, 2).T)
