"""The work-group that is done last adds what all of them have left behind."""

import numpy as np

import pytl
from pytl import Memref, alloca, atomic, f32, foreach, group_id, group_size, i32


@pytl.kernel
def total(x: Memref[f32, 8, ...], parts: Memref[f32, ...], done: Memref[i32], result: Memref[f32]):
    g = group_id()
    part = alloca(f32)
    pytl.sum(1.0, x[:, g], 0.0, part)
    for _ in foreach(1):
        parts[g] = part[()]
        before = atomic.add(done[()], 1, scope="device", order="acquire_release")
        if before == i32(group_size()) - 1:
            s = f32(0.0)
            for k in range(group_size()):
                s += atomic.load(parts[k])
            result[()] = s


x = np.asfortranarray(np.random.default_rng(0).integers(-3, 4, (8, 5)), np.float32)
parts, done, result = np.zeros(5, np.float32), np.zeros((), np.int32), np.zeros((), np.float32)
total[5](x, parts, done, result, backend="reference")
assert result == x.sum() and done == 5
