"""The largest of all numbers, and how often it was replaced."""

import numpy as np

import pytl
from pytl import Memref, atomic, foreach, i32


@pytl.kernel
def records(x: Memref[i32, 16], most: Memref[i32], count: Memref[i32]):
    for i in foreach(16):
        if atomic.max(most[()], x[i]) < x[i]:
            atomic.add(count[()], 1)


x = np.arange(16, dtype=np.int32)
most, count = np.full((), -1, np.int32), np.zeros((), np.int32)
records[1](x, most, count, backend="reference")
assert most == 15
assert 1 <= count <= 16
