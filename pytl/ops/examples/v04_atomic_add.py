"""Each work-item that finds an even number takes a place of its own for it; the last one counts them."""

import numpy as np

import pytl
from pytl import Memref, atomic, foreach, i32, index


@pytl.kernel
def evens(x: Memref[i32, 32], count: Memref[i32], even_numbers: Memref[i32, 32]):
    for i in foreach(32):
        if x[i] & 1 == 0:
            place = atomic.add(count[()], 1, scope="work_group")
            even_numbers[index(place)] = x[i]


x = np.random.default_rng(0).integers(0, 100, 32).astype(np.int32)
count, even_numbers = np.zeros((), np.int32), np.zeros(32, np.int32)
evens[1](x, count, even_numbers, backend="reference")
assert count == np.sum(x % 2 == 0)
assert sorted(even_numbers[:count]) == sorted(x[x % 2 == 0])
