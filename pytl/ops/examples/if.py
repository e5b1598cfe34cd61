"""A name that both branches bind is what the `if` gives."""

import numpy as np

import pytl
from pytl import Memref, f32, foreach


@pytl.kernel
def leak(slope: f32, x: Memref[f32, 4]):
    for i in foreach(4):
        if x[i] < 0.0:
            y = slope * x[i]
        else:
            y = x[i]
        x[i] = y


x = np.array([-2, -1, 0, 1], np.float32)
leak[1](0.5, x, backend="reference")
np.testing.assert_array_equal(x, [-1, -0.5, 0, 1])
