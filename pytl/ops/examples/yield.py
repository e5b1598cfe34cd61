"""Python code has no yield: in the text, it gives the results of a region to its `if` or `for`."""

import numpy as np

import pytl
from pytl import Memref, i32


@pytl.kernel
def collatz(start: i32, steps: i32, x: Memref[i32]):
    n = start
    for _ in range(i32(0), steps):
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    x[()] = n


x = np.zeros((), np.int32)
collatz[1](6, 8, x, backend="reference")
assert x == 1
