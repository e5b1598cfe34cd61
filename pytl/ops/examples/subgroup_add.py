"""The sum over a sub-group, and the sums of those before each work-item."""

import numpy as np

import pytl
from pytl import Memref, i32, index, parallel, subgroup


@pytl.kernel
def sums(x: Memref[i32, 16], before: Memref[i32, 16], total: Memref[i32, 16]):
    with parallel():
        i = index(subgroup.local_id())
        before[i] = subgroup.add.exclusive_scan(x[i])
        total[i] = subgroup.add.reduce(x[i])


x = np.arange(1, 17, dtype=np.int32)
before, total = np.zeros(16, np.int32), np.zeros(16, np.int32)
sums[1](x, before, total, backend="reference")
np.testing.assert_array_equal(before, np.cumsum(x) - x)
assert (total == x.sum()).all()
