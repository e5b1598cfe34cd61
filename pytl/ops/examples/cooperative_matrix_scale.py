"""A block is scaled by a number; `alpha * block` is the same."""

import numpy as np

import pytl
from pytl import Memref, coop, f32, parallel


@pytl.kernel
def scale(alpha: f32, A: Memref[f32, 8, 8]):
    with parallel():
        block = coop.load(A, 0, 0, shape=(8, 8), use="matrix_acc")
        coop.store(coop.scale(alpha, block), A, 0, 0)


A = np.asfortranarray(np.arange(64).reshape(8, 8), np.float32)
scale[1](0.5, A, backend="reference")
np.testing.assert_array_equal(A, 0.5 * np.arange(64).reshape(8, 8))
