"""The work-groups along y divide the columns of a matrix among them, as evenly as they come."""

import numpy as np

import pytl
from pytl import Memref, f32, foreach, group_id, group_size


@pytl.kernel
def row_sums(A: Memref[f32, 8, 12], sums: Memref[f32, 8]):
    for i in foreach(8):
        s = f32(0.0)
        for j in range(group_id(1), 12, group_size(1)):
            s += A[i, j]
        pytl.atomic.add(sums[i], s)


A, sums = np.asfortranarray(np.arange(96).reshape(8, 12), np.float32), np.zeros(8, np.float32)
row_sums[1, 5](A, sums, backend="reference")
np.testing.assert_array_equal(sums, A.sum(axis=1))
