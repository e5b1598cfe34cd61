"""A matrix is the left factor of its own product."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @f(%A: memref<f32x4x4>, %B: memref<f32x4x4>) {
  %0 = constant 0 : index
  parallel {
    %m = cooperative_matrix_load.n %A[%0, %0] : coopmatrix<f32x4x4,matrix_acc>
    %a = xetile.convert %m : coopmatrix<f32x4x4,matrix_a>
    %b = xetile.convert %m : coopmatrix<f32x4x4,matrix_b>
    %r = cooperative_matrix_mul_add %a, %b, %m : coopmatrix<f32x4x4,matrix_acc>
    cooperative_matrix_store %r, %B[%0, %0]
  }
}"""
)["f"]

A = np.asfortranarray(np.arange(16).reshape(4, 4), np.float32)
B = np.zeros((4, 4), np.float32, order="F")
kernel[1](A, B, backend="reference")
np.testing.assert_array_equal(B, A @ A + A)
