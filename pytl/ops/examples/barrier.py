"""Each work-item reads what another has stored; the barrier lies between."""

import numpy as np

import pytl
from pytl import Memref, alloca, barrier, i32, index, parallel, subgroup


@pytl.kernel
def reverse(x: Memref[i32, 16]):
    t = alloca(i32, 16)
    with parallel():
        i = index(subgroup.local_id())
        t[i] = x[i]
        barrier("local")
        x[i] = t[15 - i]


x = np.arange(16, dtype=np.int32)
reverse[1](x, backend="reference")
np.testing.assert_array_equal(x, np.arange(16)[::-1])
