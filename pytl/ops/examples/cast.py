"""A type called as a function casts; a floating number is truncated to an integer."""

import numpy as np

import pytl
from pytl import Memref, f32, foreach, i32


@pytl.kernel
def truncate(x: Memref[f32, 4], n: Memref[i32, 4]):
    for i in foreach(4):
        n[i] = i32(x[i])


x, n = np.array([1.5, -1.5, 2.0, 0.9], np.float32), np.zeros(4, np.int32)
truncate[1](x, n, backend="reference")
np.testing.assert_array_equal(n, np.trunc(x))
