"""A product block by block, summed up in f32."""

import numpy as np

import pytl
from pytl import Memref, coop, f16, f32, parallel


@pytl.kernel
def multiply(A: Memref[f16, 8, 32], B: Memref[f16, 32, 8], C: Memref[f32, 8, 8]):
    with parallel():
        c = coop.full(f32, 0.0, shape=(8, 8), use="matrix_acc")
        for k in range(0, 32, 16):
            a = coop.load(A, 0, k, shape=(8, 16), use="matrix_a")
            b = coop.load(B, k, 0, shape=(16, 8), use="matrix_b")
            c = coop.mul_add(a, b, c)
        coop.store(c, C, 0, 0)


random = np.random.default_rng(1)
A = np.asfortranarray(random.integers(-3, 4, (8, 32)), np.float16)
B = np.asfortranarray(random.integers(-3, 4, (32, 8)), np.float16)
C = np.zeros((8, 8), np.float32, order="F")
multiply[1](A, B, C, backend="reference")
np.testing.assert_array_equal(C, A.astype(np.float32) @ B.astype(np.float32))
