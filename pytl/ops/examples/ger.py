"""The product of a column and a row is added to a matrix."""

import numpy as np

import pytl
from pytl import Memref, f32, ger


@pytl.kernel
def update(alpha: f32, a: Memref[f32, 4], b: Memref[f32, 3], C: Memref[f32, 4, 3]):
    ger(alpha, a, b, 1.0, C)


a, b = np.arange(4, dtype=np.float32), np.arange(3, dtype=np.float32)
C = np.ones((4, 3), np.float32, order="F")
update[1](2.0, a, b, C, backend="reference")
np.testing.assert_array_equal(C, 2 * np.outer(a, b) + 1)
