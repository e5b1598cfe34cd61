"""Each work-item of the work-group does the same once: here there are 32, in sub-groups of 16."""

import numpy as np

import pytl
from pytl import Memref, atomic, i32, parallel


@pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
def count(n: Memref[i32]):
    with parallel():
        atomic.add(n[()], 1)


n = np.zeros((), np.int32)
count[3](n, backend="reference")
assert n == 3 * 32
