"""Python numbers become constants of the type that is wanted where they stand, rounded to it once."""

import numpy as np

import pytl
from pytl import Memref, f16, foreach


@pytl.kernel
def tenths(x: Memref[f16, 4]):
    for i in foreach(4):
        x[i] = x[i] * 0.1


x = np.arange(4, dtype=np.float16)
tenths[1](x, backend="reference")
np.testing.assert_array_equal(x, np.arange(4, dtype=np.float16) * np.float16(0.1))
