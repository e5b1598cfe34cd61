"""The largest number so far, in the order of the work-items."""

import numpy as np

import pytl
from pytl import Memref, f32, index, parallel, subgroup


@pytl.kernel
def peaks(x: Memref[f32, 16]):
    with parallel():
        i = index(subgroup.local_id())
        x[i] = subgroup.max.inclusive_scan(x[i])


x = np.random.default_rng(1).random(16).astype(np.float32)
expected = np.maximum.accumulate(x)
peaks[1](x, backend="reference")
np.testing.assert_array_equal(x, expected)
