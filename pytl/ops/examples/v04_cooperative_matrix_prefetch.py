"""The next matrix is asked for before this one is stored."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @f(%A: memref<f32x4x8>, %B: memref<f32x4x8>) {
  %0 = constant 0 : index
  %4 = constant 4 : index
  parallel {
    %m = cooperative_matrix_load.n %A[%0, %0] : coopmatrix<f32x4x4,matrix_acc>
    v04.cooperative_matrix_prefetch 0, %A[%0, %4], 4, 4
    cooperative_matrix_store %m, %B[%0, %0]
    %n = cooperative_matrix_load.n %A[%0, %4] : coopmatrix<f32x4x4,matrix_acc>
    cooperative_matrix_store %n, %B[%0, %4]
  }
}"""
)["f"]

A = np.asfortranarray(np.random.default_rng(0).integers(-3, 4, (4, 8)), np.float32)
B = np.zeros((4, 8), np.float32, order="F")
kernel[1](A, B, backend="reference")
np.testing.assert_array_equal(B, A)
