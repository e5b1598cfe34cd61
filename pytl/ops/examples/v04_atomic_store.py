"""One iteration writes a number and then says so; the others read it only where they see that."""

import numpy as np

import pytl
from pytl import Memref, atomic, f32, foreach, i32


@pytl.kernel
def passed(x: f32, box: Memref[f32], flag: Memref[i32], seen: Memref[f32, 16]):
    for i in foreach(16):
        if i == 0:
            box[()] = x
            atomic.store(flag[()], 1, scope="work_group", order="release")
        if atomic.load(flag[()], scope="work_group", order="acquire") == 1:
            seen[i] = box[()]


box, flag, seen = np.zeros((), np.float32), np.zeros((), np.int32), np.zeros(16, np.float32)
passed[1](2.0, box, flag, seen, backend="reference")
assert box == 2 and seen[0] == 2 and set(seen) <= {0.0, 2.0}
