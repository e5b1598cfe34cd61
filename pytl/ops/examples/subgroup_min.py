"""The least number of a sub-group, which every work-item gets."""

import numpy as np

import pytl
from pytl import Memref, f32, index, parallel, subgroup


@pytl.kernel
def above_least(x: Memref[f32, 16]):
    with parallel():
        i = index(subgroup.local_id())
        x[i] = x[i] - subgroup.min.reduce(x[i])


x = np.random.default_rng(1).random(16).astype(np.float32)
expected = x - x.min()
above_least[1](x, backend="reference")
np.testing.assert_array_equal(x, expected)
