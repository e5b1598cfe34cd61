"""The exponent of a number, out of its bits."""

import numpy as np

import pytl
from pytl import Memref, bitcast, f32, foreach, i32


@pytl.kernel
def exponents(x: Memref[f32, 8], e: Memref[i32, 8]):
    for i in foreach(8):
        e[i] = (bitcast(x[i], i32) >> 23 & 255) - 127


x, e = np.float32(2) ** np.arange(-4, 4, dtype=np.float32), np.zeros(8, np.int32)
exponents[1](x, e, backend="reference")
np.testing.assert_array_equal(e, np.arange(-4, 4))
