"""A loop whose iterations follow one another; names that its body binds again are carried on."""

import numpy as np

import pytl
from pytl import Memref, f64


@pytl.kernel
def horner(x: f64, a: Memref[f64, 5], y: Memref[f64]):
    value = f64(0.0)
    for i in range(5):
        value = value * x + a[i]
    y[()] = value


a, y = np.array([1.0, -2.0, 0.0, 3.0, 0.5]), np.zeros(())
horner[1](2.0, a, y, backend="reference")
assert y == np.polyval(a, 2.0)
