"""What lies outside of a memref is loaded as 7."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @f(%A: memref<f32x4x4>, %B: memref<f32x4x4>) {
  %0 = constant 0 : index
  parallel {
    %two = constant 2 : index
    %m = xetile.load_padded.n %A[%0, %two] padding(7.0) : coopmatrix<f32x4x4,matrix_acc>
    cooperative_matrix_store %m, %B[%0, %0]
  }
}"""
)["f"]

A = np.asfortranarray(np.arange(16).reshape(4, 4), np.float32)
B = np.zeros((4, 4), np.float32, order="F")
kernel[1](A, B, backend="reference")
np.testing.assert_array_equal(B[:, :2], A[:, 2:])
assert (B[:, 2:] == 7).all()
