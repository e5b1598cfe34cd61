"""A product whose three sizes no tile divides: the tiles at the edges are padded with 0."""

import numpy as np

import pytl
from pytl import Memref, f32, parallel, tile


@pytl.kernel
def product(A: Memref[f32, 21, 29], B: Memref[f32, 29, 19], C: Memref[f32, 21, 19]):
    with parallel():
        for i in range(0, 21, 16):
            for j in range(0, 19, 16):
                a, b = tile.init(A, (i, 0), shape=(16, 8)), tile.init(B, (0, j), shape=(8, 16))
                c = tile.init(C, (i, j), shape=(16, 16))
                sum_ = tile.load(c)
                for _ in range(0, 29, 8):
                    sum_ = tile.mma(tile.load(a), tile.load(b), sum_)
                    a, b = tile.update_offset(a, 0, 8), tile.update_offset(b, 8, 0)
                tile.store(sum_, c)


random = np.random.default_rng(1)
A, B, C = (np.asfortranarray(random.integers(-3, 4, s), np.float32) for s in ((21, 29), (29, 19), (21, 19)))
expected = A @ B + C
product[1](A, B, C, backend="reference")
np.testing.assert_array_equal(C, expected)
