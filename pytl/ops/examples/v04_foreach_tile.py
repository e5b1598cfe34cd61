"""Sub-groups add tiles of two matrices; the tiles at the ends are smaller, which the checks take care of."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, foreach_tile


@pytl.kernel(subgroup_size=16, work_group_size=(32, 2))
def add(A: Memref[f32, ..., ...], B: Memref[f32, ..., ...], C: Memref[f32, ..., ...]):
    for (i, j), size in foreach_tile((0, 0), A.shape, (16, 8)):
        a = coop.load(A, i, j, shape=(16, 8), use="matrix_acc", checked="both")
        b = coop.load(B, i, j, shape=(16, 8), use="matrix_acc", checked="both")
        coop.store(a + b, C, i, j, checked="both")


A, B = (np.asfortranarray(np.random.default_rng(seed).integers(-9, 9, (50, 30)), np.float32) for seed in (0, 1))
C = np.zeros((50, 30), np.float32, order="F")
add[1](A, B, C, backend="reference")
np.testing.assert_array_equal(C, A + B)
