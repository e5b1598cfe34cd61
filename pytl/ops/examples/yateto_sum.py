"""Sums over the first and the last mode of a tensor."""

import numpy as np

import pytl

kernel = pytl.compile(
    """
func @total(%A: memref<f64x2x3x4>, %b: memref<f64x3>) {
  %one = constant 1.0 : f64
  %zero = constant 0.0 : f64
  yateto.sum {ijk to j}, %one, %A, %zero, %b
}"""
)["total"]

A = np.asfortranarray(np.random.default_rng(1).random((2, 3, 4)))
b = np.zeros(3)
kernel[1](A, b, backend="reference")
np.testing.assert_allclose(b, A.sum(axis=(0, 2)))
