"""Powers of two, and the logarithms that lead back."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @f(%x: memref<f64x8>, %y: memref<f64x8>) {
  %0 = constant 0 : index
  %8 = constant 8 : index
  foreach (%i) = (%0), (%8) {
    %a = load %x[%i] : f64
    %b = v04.math.exp2 %a : f64
    %c = v04.math.log2 %b : f64
    store %c, %y[%i]
  }
}"""
)["f"]

x, y = np.arange(8.0), np.zeros(8)
kernel[1](x, y, backend="reference")
np.testing.assert_allclose(y, x, atol=1e-15)
