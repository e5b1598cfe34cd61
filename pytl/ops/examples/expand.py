"""A mode of twelve is seen as three by four, so that the parts can be summed up."""

import numpy as np

import pytl
from pytl import Memref, expand, f32


@pytl.kernel
def sums_of_parts(x: Memref[f32, 12], y: Memref[f32, 4]):
    parts = expand(x, 0, (3, 4))
    pytl.sum(1.0, parts.T, 0.0, y)


x, y = np.arange(12, dtype=np.float32), np.zeros(4, np.float32)
sums_of_parts[1](x, y, backend="reference")
np.testing.assert_array_equal(y, x.reshape(4, 3).sum(axis=1))
