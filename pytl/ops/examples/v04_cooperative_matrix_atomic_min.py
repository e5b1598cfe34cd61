"""The least components of the blocks of all work-groups."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, group_id, parallel


@pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
def least(A: Memref[f32, 8, 4, ...], B: Memref[f32, 8, 4]):
    g = group_id()
    with parallel():
        coop.atomic_min(coop.load(A[:, :, g], 0, 0, shape=(8, 4), use="matrix_acc"), B, 0, 0)


A = np.asfortranarray(np.random.default_rng(0).integers(-9, 9, (8, 4, 5)), np.float32)
B = A[:, :, 0].copy(order="F")
least[5](A, B, backend="reference")
np.testing.assert_array_equal(B, A.min(axis=2))
