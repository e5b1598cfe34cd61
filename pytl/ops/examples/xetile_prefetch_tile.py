"""The next tile is asked for while one is added up."""

import numpy as np

import pytl
from pytl import Memref, f32, parallel, tile


@pytl.kernel
def total(A: Memref[f32, 8, ...], B: Memref[f32, 8, 4], n: pytl.index):
    with parallel():
        t, sum_ = tile.init(A, (0, 0), shape=(8, 4)), tile.load(tile.init(B, (0, 0), shape=(8, 4)))
        for _ in range(n):
            following = tile.update_offset(t, 0, 4)
            tile.prefetch(following)
            sum_ = sum_ + tile.load(t)
            t = following
        tile.store(sum_, tile.init(B, (0, 0), shape=(8, 4)))


A = np.asfortranarray(np.arange(80).reshape(8, 10), np.float32)
B = np.zeros((8, 4), np.float32, order="F")
total[1](A, B, 3, backend="reference")
np.testing.assert_array_equal(B, np.pad(A, ((0, 0), (0, 2))).reshape(8, 3, 4).sum(axis=1))
