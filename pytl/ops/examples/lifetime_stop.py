"""The second alloca may take the place of the first, which is not used any more."""

import numpy as np

import pytl
from pytl import Memref, alloca, axpby, f32, lifetime_stop


@pytl.kernel
def there_and_back(x: Memref[f32, 8], y: Memref[f32, 8]):
    first = alloca(f32, 8)
    axpby(2.0, x, 0.0, first)
    axpby(1.0, first, 0.0, y)
    lifetime_stop(first)
    second = alloca(f32, 8)
    axpby(0.5, y, 0.0, second)
    axpby(1.0, second, 0.0, x)


x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
there_and_back[1](x, y, backend="reference")
np.testing.assert_array_equal(x, np.arange(8))
np.testing.assert_array_equal(y, 2 * x)
