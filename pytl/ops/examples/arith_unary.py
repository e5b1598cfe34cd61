"""Absolute value, negation, and the parts of complex numbers."""

import numpy as np

import pytl
from pytl import Memref, c32, f32, foreach


@pytl.kernel
def take_apart(z: Memref[c32, 3], size: Memref[f32, 3], low: Memref[f32, 3]):
    for i in foreach(3):
        size[i] = abs(z[i])
        low[i] = -z[i].conj().imag


z = np.array([3 + 4j, -2j, 1], np.complex64)
size, low = np.zeros(3, np.float32), np.zeros(3, np.float32)
take_apart[1](z, size, low, backend="reference")
np.testing.assert_allclose(size, abs(z))
np.testing.assert_array_equal(low, z.imag)
