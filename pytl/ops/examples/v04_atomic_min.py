"""The least of all numbers, of all work-groups."""

import numpy as np

import pytl
from pytl import Memref, atomic, f32, foreach, group_id


@pytl.kernel
def least(x: Memref[f32, 8, ...], result: Memref[f32]):
    g = group_id()
    for i in foreach(8):
        atomic.min(result[()], x[i, g])


x = np.asfortranarray(np.random.default_rng(0).random((8, 3)), np.float32)
result = np.full((), 2, np.float32)
least[3](x, result, backend="reference")
assert result == x.min()
