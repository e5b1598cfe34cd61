"""Comparisons give truth values, which conditions take."""

import numpy as np

import pytl
from pytl import Memref, f32, foreach


@pytl.kernel
def between(low: f32, high: f32, x: Memref[f32, 6]):
    for i in foreach(6):
        if x[i] < low or x[i] >= high:
            x[i] = 0.0


x = np.arange(6, dtype=np.float32)
between[1](2.0, 4.0, x, backend="reference")
np.testing.assert_array_equal(x, [0, 0, 2, 3, 0, 0])
