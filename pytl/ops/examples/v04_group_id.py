"""A work-group for each tile of a matrix, by its place along x and y."""

import numpy as np

import pytl
from pytl import Memref, f32, group_id


@pytl.kernel
def scaled(alpha: f32, A: Memref[f32, ..., ...]):
    i, j = group_id("x") * 4, group_id("y") * 8
    pytl.axpby(alpha, A[i : i + 4, j : j + 8], 0.0, A[i : i + 4, j : j + 8])


A = np.ones((12, 16), np.float32, order="F")
scaled[3, 2](2.0, A, backend="reference")
np.testing.assert_array_equal(A, 2)
