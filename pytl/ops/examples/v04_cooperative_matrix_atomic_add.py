"""Each sub-group of each work-group adds ones, and keeps what it found."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, group_id, index, parallel, subgroup


@pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
def count(A: Memref[f32, 4, 4], previous: Memref[f32, 4, 4, 2, ...]):
    g = group_id()
    with parallel():
        ones = coop.full(f32, 1.0, shape=(4, 4), use="matrix_acc")
        before = coop.atomic_add(ones, A, 0, 0)
        coop.store(before, previous[:, :, index(subgroup.id()), g], 0, 0)


A, previous = np.zeros((4, 4), np.float32, order="F"), np.zeros((4, 4, 2, 3), np.float32, order="F")
count[3](A, previous, backend="reference")
np.testing.assert_array_equal(A, 6)
assert sorted(previous[2, 1].ravel()) == [0, 1, 2, 3, 4, 5]
