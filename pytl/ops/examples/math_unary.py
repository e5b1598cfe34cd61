"""The exponential function, of real numbers or complex ones; native_exp is faster and less exact."""

import numpy as np

import pytl
from pytl import Memref, exp, f32, foreach


@pytl.kernel
def logistic(x: Memref[f32, 5]):
    for i in foreach(5):
        x[i] = 1.0 / (1.0 + exp(-x[i]))


x = np.array([-2, -1, 0, 1, 2], np.float32)
logistic[1](x, backend="reference")
np.testing.assert_allclose(x, 1 / (1 + np.exp([2.0, 1.0, 0.0, -1.0, -2.0])), rtol=1e-6)
