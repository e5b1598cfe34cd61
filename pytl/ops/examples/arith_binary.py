"""Python's operators are the language's; // on integers truncates towards zero, as in C."""

import numpy as np

import pytl
from pytl import Memref, foreach, i32


@pytl.kernel
def halves(x: Memref[i32, 4], low: Memref[i32, 4], high: Memref[i32, 4]):
    for i in foreach(4):
        low[i] = x[i] & 255
        high[i] = max(x[i] // 256, 0)


x = np.array([3, 256, 1000, -1000], np.int32)
low, high = np.zeros(4, np.int32), np.zeros(4, np.int32)
halves[1](x, low, high, backend="reference")
np.testing.assert_array_equal(low, x & 255)
np.testing.assert_array_equal(high, [0, 1, 3, 0])
