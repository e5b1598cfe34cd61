"""Each work-group stores its number, and how many there are."""

import numpy as np

import pytl
from pytl import Memref, group_id, group_size, index


@pytl.kernel
def number(x: Memref[index, 2, ...]):
    g = group_id()
    x[0, g] = g
    x[1, g] = group_size()


x = np.zeros((2, 4), np.int64, order="F")
number[4](x, backend="reference")
np.testing.assert_array_equal(x, [[0, 1, 2, 3], [4, 4, 4, 4]])
