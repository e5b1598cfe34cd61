"""A copy of a tensor with its modes in another order."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @permute(%A: memref<f32x2x3x4>, %B: memref<f32x4x2x3>) {
  %one = constant 1.0 : f32
  %zero = constant 0.0 : f32
  yateto.axpby {ijk to kij}, %one, %A, %zero, %B
}"""
)["permute"]

A = np.asfortranarray(np.random.default_rng(1).random((2, 3, 4), np.float32))
B = np.zeros((4, 2, 3), np.float32, order="F")
kernel[1](A, B, backend="reference")
np.testing.assert_array_equal(B, A.transpose(2, 0, 1))
