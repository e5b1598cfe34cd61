"""Two vectors are multiplied element by element."""

import numpy as np

import pytl
from pytl import Memref, c32, hadamard


@pytl.kernel
def multiply(a: Memref[c32, 3], b: Memref[c32, 3], c: Memref[c32, 3]):
    hadamard(1.0, a, b, 0.0, c)


a = np.array([1, 1j, 1 + 1j], np.complex64)
b = np.array([2, 2, 1 - 1j], np.complex64)
c = np.zeros(3, np.complex64)
multiply[1](a, b, c, backend="reference")
np.testing.assert_array_equal(c, a * b)
