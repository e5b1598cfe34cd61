"""The outer product of a vector and a matrix, added to a tensor of order 3."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @multiply(%a: memref<f32x3>, %B: memref<f32x2x4>, %C: memref<f32x4x3x2>) {
  %one = constant 1.0 : f32
  yateto.product {j, ki to ijk}, %one, %a, %B, %one, %C
}"""
)["multiply"]

random = np.random.default_rng(1)
a, B = random.random(3, np.float32), np.asfortranarray(random.random((2, 4), np.float32))
C = np.ones((4, 3, 2), np.float32, order="F")
kernel[1](a, B, C, backend="reference")
np.testing.assert_allclose(C, 1 + np.einsum("j,ki->ijk", a, B), rtol=1e-6)
