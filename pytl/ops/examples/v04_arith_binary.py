"""The larger of two numbers, component by component."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @f(%A: memref<f32x4x4>, %B: memref<f32x4x4>) {
  %0 = constant 0 : index
  parallel {
    %m = cooperative_matrix_load.n %A[%0, %0] : coopmatrix<f32x4x4,matrix_acc>
    %z = constant 0x1p+1 : coopmatrix<f32x4x4,matrix_acc>
    %r = v04.arith.max %m, %z : coopmatrix<f32x4x4,matrix_acc>
    cooperative_matrix_store %r, %B[%0, %0]
  }
}"""
)["f"]

A = np.asfortranarray(np.random.default_rng(0).integers(-3, 4, (4, 4)), np.float32)
B = np.zeros((4, 4), np.float32, order="F")
kernel[1](A, B, backend="reference")
np.testing.assert_array_equal(B, np.maximum(A, 2))
