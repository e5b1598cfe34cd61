"""A block is loaded while other work-groups may update it."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, parallel


@pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
def copy(A: Memref[f32, 8, 8], B: Memref[f32, 8, 8]):
    with parallel():
        a = coop.atomic_load(A, 0, 0, shape=(8, 8), use="matrix_acc", order="acquire")
        coop.store(a, B, 0, 0)


A, B = np.asfortranarray(np.arange(64).reshape(8, 8), np.float32), np.zeros((8, 8), np.float32, order="F")
copy[1](A, B, backend="reference")
np.testing.assert_array_equal(A, B)
