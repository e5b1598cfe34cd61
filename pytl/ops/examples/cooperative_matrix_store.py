"""Every sub-group adds ones to a block at the edge; what lies outside of the matrix is left out."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, parallel


@pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
def add_ones(A: Memref[f32, 10, 8]):
    with parallel():
        ones = coop.full(f32, 1.0, shape=(8, 8), use="matrix_acc")
        coop.store(ones, A, 4, 0, checked="rows", atomic="add")


A = np.zeros((10, 8), np.float32, order="F")
add_ones[1](A, backend="reference")
np.testing.assert_array_equal(A[:4], 0)
np.testing.assert_array_equal(A[4:], 2)
