"""Each work-item stores its number in the work-group: that of the sub-group and the one within it."""

import numpy as np

import pytl
from pytl import Memref, i32, index, parallel, subgroup


@pytl.kernel(subgroup_size=8, work_group_size=(16, 1))
def number(x: Memref[i32, 16]):
    with parallel():
        me = subgroup.id() * subgroup.size() + subgroup.local_id()
        x[index(me)] = me


x = np.zeros(16, np.int32)
number[1](x, backend="reference")
np.testing.assert_array_equal(x, np.arange(16))
