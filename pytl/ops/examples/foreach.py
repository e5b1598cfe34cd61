"""Every element is computed by itself, in any order and by any work-item."""

import numpy as np

import pytl
from pytl import Memref, f32, foreach


@pytl.kernel
def clip(A: Memref[f32, 4, 3]):
    for i, j in foreach((0, 0), (4, 3)):
        A[i, j] = min(A[i, j], 5.0)


A = np.asfortranarray(np.arange(12).reshape(4, 3), np.float32)
clip[1](A, backend="reference")
np.testing.assert_array_equal(A, np.minimum(np.arange(12).reshape(4, 3), 5))
