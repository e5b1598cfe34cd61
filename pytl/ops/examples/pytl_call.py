"""The kernel has the code of a function once, however often it calls the function."""

import numpy as np

import pytl
from pytl import Memref, f64, foreach


@pytl.function
def horner(x: f64, a: Memref[f64, ...]) -> f64:
    value = f64(0.0)
    for i in range(a.shape[0]):
        value = value * x + a[i]
    return value


@pytl.kernel
def quotients(p: Memref[f64, 4], q: Memref[f64, 4], x: Memref[f64, ...]):
    for i in foreach(x.shape[0]):
        x[i] = horner(x[i], p) / horner(x[i], q)


p, q, x = np.array([1.0, -2.0, 0.0, 3.0]), np.array([0.0, 1.0, 0.0, 1.0]), np.linspace(-1, 1, 9)
expected = np.polyval(p, x) / np.polyval(q, x)
quotients[1](p, q, x, backend="reference")
np.testing.assert_allclose(x, expected)
