"""Every work-item of the sub-group gets the number of the fourth."""

import numpy as np

import pytl
from pytl import Memref, f32, index, parallel, subgroup


@pytl.kernel
def relative(x: Memref[f32, 16]):
    with parallel():
        i = index(subgroup.local_id())
        x[i] = x[i] / subgroup.broadcast(x[i], 3)


x = np.arange(1, 17, dtype=np.float32)
relative[1](x, backend="reference")
np.testing.assert_array_equal(x, np.arange(1, 17) / np.float32(4))
