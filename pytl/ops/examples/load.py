"""An element of a memref, and a memref of a group."""

import numpy as np

import pytl
from pytl import Group, Memref, f32, group_id


@pytl.kernel
def firsts(G: Group[f32, 4], x: Memref[f32, ...]):
    g = group_id()
    item = G[g]
    x[g] = item[0]


G = [np.full(4, value, np.float32) for value in (1, 2, 3)]
x = np.zeros(3, np.float32)
firsts[3](G, x, backend="reference")
np.testing.assert_array_equal(x, [1, 2, 3])
