"""Each work-item puts its number into its first row; the rows below are the second ones of work-items."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, parallel, subgroup


@pytl.kernel(subgroup_size=4, work_group_size=(4, 1))
def numbered(B: Memref[f32, 6, 2]):
    with parallel():
        zeros = coop.full(f32, 0.0, shape=(6, 2), use="matrix_acc")
        coop.store(coop.insert(f32(subgroup.local_id()), zeros, 1), B, 0, 0)


B = np.ones((6, 2), np.float32, order="F")
numbered[1](B, backend="reference")
np.testing.assert_array_equal(B[:, 1], [0, 1, 2, 3, 0, 0])
np.testing.assert_array_equal(B[:, 0], 0)
