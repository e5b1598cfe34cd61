"""Elements are stored; atomic.add adds to one that other work-items and work-groups update, too."""

import numpy as np

import pytl
from pytl import Memref, atomic, foreach, group_id, i32


@pytl.kernel
def histogram(x: Memref[i32, 8, ...], bins: Memref[i32, 4], done: Memref[i32, ...]):
    g = group_id()
    for i in foreach(8):
        atomic.add(bins[pytl.index(x[i, g])], 1)
    done[g] = 1


x = np.asfortranarray(np.arange(24).reshape(8, 3) % 4, np.int32)
bins, done = np.zeros(4, np.int32), np.zeros(3, np.int32)
histogram[3](x, bins, done, backend="reference")
np.testing.assert_array_equal(bins, np.bincount(x.ravel()))
assert done.all()
