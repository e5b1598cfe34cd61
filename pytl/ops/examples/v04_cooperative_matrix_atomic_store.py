"""All sub-groups store the same block, transposed, which is a race without atomic accesses."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, parallel


@pytl.kernel(subgroup_size=16, work_group_size=(64, 1))
def turn(A: Memref[f32, 8, 4], B: Memref[f32, 4, 8]):
    with parallel():
        a = coop.load(A, 0, 0, shape=(8, 4), use="matrix_acc")
        coop.atomic_store(a, B, 0, 0, transpose=True, scope="work_group")


A, B = np.asfortranarray(np.arange(32).reshape(8, 4), np.float32), np.zeros((4, 8), np.float32, order="F")
turn[1](A, B, backend="reference")
np.testing.assert_array_equal(A.T, B)
