"""A contraction over two indices, for each item of a batch: C[i, j] = sum over k and l of A[i, k, l] B[l, k, j]."""

import numpy as np

import pytl

contract = pytl.compile(
    """
func @contract(%A: group<memref<f64x4x3x2>x?>, %B: memref<f64x2x3x5>, %C: memref<f64x4x5x?>) {
  %one = constant 1.0 : f64
  %zero = constant 0.0 : f64
  %g = builtin.group_id : index
  %a = load %A[%g] : memref<f64x4x3x2>
  %c = subview %C[0:4, 0:5, %g] : memref<f64x4x5>
  yateto.log {ik[l], [l]kj to ij}, %one, %a, %B, %zero, %c
}"""
)["contract"]

random = np.random.default_rng(1)
A = [np.asfortranarray(random.random((4, 3, 2))) for _ in range(3)]
B = np.asfortranarray(random.random((2, 3, 5)))
C = np.zeros((4, 5, 3), order="F")
contract[3](A, B, C, backend="reference")
for item in range(3):
    np.testing.assert_allclose(C[:, :, item], np.einsum("ikl,lkj->ij", A[item], B))
