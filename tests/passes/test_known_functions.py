"""vectorize, of functions that are known by their text: what stands beside them, and is no part of them, is done."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl import Memref, atan, erf, f32, f64, floor, foreach, log, sin

POINTS = 41


@pytl.kernel
def stored_before(x: Memref[f32, ...], y: Memref[f32, 4, ...]):
    for i in foreach(x.shape[0]):
        if x[i] < 1.0:
            y[0, i] = x[i]
        y[1, i] = log(x[i] + 3.0)
        y[2, i] = atan(x[i])
        y[3, i] = erf(x[i])


@pytl.kernel
def stored_with_a_result(x: Memref[f32, ...], y: Memref[f32, 2, ...]):
    """The branch gives what a function is computed of, and stores beside that."""
    for i in foreach(x.shape[0]):
        angle = x[i]
        if angle < 1.0:
            y[0, i] = angle
            angle = angle + 1.0
        y[1, i] = sin(angle)


@pytl.kernel
def rounded(x: Memref[f64, ...], y: Memref[f64, 2, ...]):
    for i in foreach(x.shape[0]):
        if x[i] < 1.0:
            y[0, i] = x[i]
        y[1, i] = floor(x[i])


@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("kernel", [stored_before, stored_with_a_result, rounded], ids=lambda kernel: kernel.name)
def test_stores_under_conditions_stay(kernel: pytl.Kernel, backend: str) -> None:
    element = kernel.function.parameters[1].type
    dtype = np.float64 if str(element.element) == "f64" else np.float32
    x = np.linspace(-2.0, 2.0, POINTS).astype(dtype)
    expected, found = (np.zeros((element.shape[0], POINTS), dtype, order="F") for _ in range(2))
    kernel[1](x, expected, backend="reference")
    kernel[1](x, found, backend=backend)
    assert np.array_equal(expected[0], np.where(x < 1.0, x, 0.0).astype(dtype))
    assert np.array_equal(found[0], expected[0])
    assert np.allclose(found, expected, rtol=1e-6)
