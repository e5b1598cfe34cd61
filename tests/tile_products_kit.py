"""Gemms that tile registers compute, beside the reference backend."""

from __future__ import annotations

from typing import Any

import numpy as np
from differential.cases import small

import pytl
from pytl import Group, Memref, alloca, bf16, f32, foreach, gemm, group_id

TYPES = {"bf16": pytl.bf16, "f16": pytl.f16, "i8": pytl.i8, "f32": pytl.f32, "i32": pytl.i32}
SUMS = {"bf16": "f32", "f16": "f32", "i8": "i32"}
SHARED = ("left", "right", "none")
"""Which factor all work-groups share."""
OPTIONS = {"matrix": "amx", "machine": "amxfp16"}


def compare_gemm(backend: str, type_: str, transposed: str, shared: str) -> None:
    """Compare what a product leaves; and look where its factors are packed."""
    m, n, k = 35, 24, 40
    element, sums = TYPES[type_], TYPES[SUMS[type_]]
    of_left, of_right = (element, *_shape((m, k), transposed[0])), (element, *_shape((k, n), transposed[1]))
    Left = (Memref if shared == "left" else Group)[of_left]
    Right = (Memref if shared == "right" else Group)[of_right]

    @pytl.kernel
    def product(alpha: element, A: Left, B: Right, C: Group[sums, m, n]):
        g = group_id()
        a = A if shared == "left" else A[g]
        b = B if shared == "right" else B[g]
        gemm(alpha, a.T if transposed[0] == "t" else a, b.T if transposed[1] == "t" else b, 1, C[g])

    rng, count = np.random.default_rng(5), 6

    def many(shape: tuple[int, ...], is_one: bool) -> Any:
        return small(rng, type_, *shape) if is_one else small(rng, type_, *shape, count)

    a, b = many(of_left[1:], shared == "left"), many(of_right[1:], shared == "right")
    c = small(rng, SUMS[type_], m, n, count)
    expected = c.copy(order="F")
    product[count](2, a, b, expected, backend="reference")
    product[count, OPTIONS](2, a, b, c, backend=backend)
    np.testing.assert_array_equal(c, expected)
    front, _, inside = _code(product, backend).partition("cpu.items")
    # what all work-groups share is packed, or turned, once
    assert front.count("vector.code") == (shared == "left" or (shared == "right" and transposed[1] == "t"))
    assert "tile_product" in inside


def _shape(shape: tuple[int, int], transposed: str) -> tuple[int, int]:
    return shape if transposed == "n" else shape[::-1]


def _code(kernel: pytl.Kernel, backend: str) -> str:
    return kernel.ir("vectorize", backend=backend, **OPTIONS)


def compare_chain(backend: str) -> None:
    """The same of two products, with what a foreach makes of the first one's sums between them."""

    @pytl.kernel
    def layers(V: Memref[bf16, 40, 24], W: Memref[bf16, 16, 40], X: Group[bf16, 24, 20], Y: Group[f32, 16, 20]):
        g = group_id()
        sums, inner = alloca(f32, 40, 20), alloca(bf16, 40, 20)
        gemm(1.0, V, X[g], 0.0, sums)
        for i, j in foreach((0, 0), (40, 20)):
            inner[i, j] = bf16(max(sums[i, j], f32(0.0)))
        gemm(1.0, W, inner, 1.0, Y[g])

    rng = np.random.default_rng(6)
    arrays = [small(rng, "bf16", 40, 24), small(rng, "bf16", 16, 40), small(rng, "bf16", 24, 20, 5)]
    y = small(rng, "f32", 16, 20, 5)
    expected = y.copy(order="F")
    layers[5](*arrays, expected, backend="reference")
    layers[5, OPTIONS](*arrays, y, backend=backend)
    np.testing.assert_allclose(y, expected, rtol=1e-6)
    front, _, inside = _code(layers, backend).partition("cpu.items")
    assert front.count("vector.code") == 2 and inside.count("tile_product") >= 2 and "vector.load %V" not in inside
