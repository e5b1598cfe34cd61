"""Each work-item stores the rows of a matrix that it holds, from the last component to the first."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, index, parallel, subgroup


@pytl.kernel(subgroup_size=4, work_group_size=(4, 1))
def turned(A: Memref[f32, 8, 2], B: Memref[f32, 4, 4]):
    with parallel():
        a = coop.load(A, 0, 0, shape=(8, 2), use="matrix_acc")
        me = index(subgroup.local_id())
        B[me, 3] = coop.extract(a, 0)
        B[me, 2] = coop.extract(a, 1)
        B[me, 1] = coop.extract(a, 2)
        B[me, 0] = coop.extract(a, 3)


A = np.asfortranarray(np.arange(16).reshape(8, 2), np.float32)
B = np.zeros((4, 4), np.float32, order="F")
turned[1](A, B, backend="reference")
np.testing.assert_array_equal(B[:, ::-1], np.hstack([A[:4], A[4:]]))
