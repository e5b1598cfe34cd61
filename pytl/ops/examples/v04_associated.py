"""A kernel with a bias that may be left out."""

import numpy as np

import pytl
from pytl import Memref, associated, axpby, f32, gemv


@pytl.kernel
def layer(A: Memref[f32, 8, 4], x: Memref[f32, 4], bias: Memref[f32, 8], y: Memref[f32, 8]):
    gemv(1.0, A, x, 0.0, y)
    if associated(bias):
        axpby(1.0, bias, 1.0, y)


A, x, y = np.ones((8, 4), np.float32, order="F"), np.ones(4, np.float32), np.zeros(8, np.float32)
layer[1](A, x, np.full(8, 3, np.float32), y, backend="reference")
assert (y == 7).all()
layer[1](A, x, None, y, backend="reference")
assert (y == 4).all()
