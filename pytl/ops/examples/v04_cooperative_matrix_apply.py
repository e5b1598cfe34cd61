"""Each component of a matrix becomes its exponential on the diagonal and below, and 0 above."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @f(%A: memref<f32x4x4>, %B: memref<f32x4x4>) {
  %0 = constant 0 : index
  parallel {
    %m = cooperative_matrix_load.n %A[%0, %0] : coopmatrix<f32x4x4,matrix_acc>
    %r = v04.cooperative_matrix_apply (%i, %j, %v) = %m -> coopmatrix<f32x4x4,matrix_acc> {
      %c = cmp.ge %i, %j : bool
      %e = if %c -> (f32) {
        %f = math.exp %v : f32
        yield (%f)
      } else {
        %z = constant 0x0p+0 : f32
        yield (%z)
      }
      yield (%e)
    }
    cooperative_matrix_store %r, %B[%0, %0]
  }
}"""
)["f"]

A = np.asfortranarray(np.random.default_rng(0).integers(-3, 4, (4, 4)), np.float32)
B = np.zeros((4, 4), np.float32, order="F")
kernel[1](A, B, backend="reference")
np.testing.assert_allclose(B, np.tril(np.exp(A)), rtol=1e-6)
