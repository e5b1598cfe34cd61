"""Work-groups take turns at a mean that forgets: each halves it, and adds half of its own sum."""

import numpy as np

import pytl
from pytl import Memref, atomic, f32, foreach, group_id


@pytl.kernel
def damped(x: Memref[f32, ...], mean: Memref[f32]):
    g = group_id()
    for i in foreach(1):
        atomic.scale_add(mean[()], 0.5, 0.5 * x[g])


x, mean = np.full(6, 8, np.float32), np.zeros((), np.float32)
damped[6](x, mean, backend="reference")
assert mean == 8 * (1 - 0.5**6)
