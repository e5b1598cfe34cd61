"""Stores that all branches of a point end with, as one store behind them."""

from __future__ import annotations

import numpy as np
import pytest
from passes_kit import assert_stages_agree, text_after

import pytl
from pytl import Memref, f32, foreach

SSE = {"processor": "sse"}


@pytl.kernel
def soft_threshold(x: Memref[f32, 37], y: Memref[f32, 37]):
    for i in foreach(37):
        if x[i] > 0.3:
            y[i] = x[i] - 0.3
        elif x[i] < -0.3:
            y[i] = x[i] + 0.3
        else:
            y[i] = 0.0


@pytl.kernel
def two_results(x: Memref[f32, 37], y: Memref[f32, 37, 2]):
    """Two stores, and a number that is used behind the branch."""
    for i in foreach(37):
        if x[i] > 0.0:
            a = x[i] * 2.0
            y[i, 0] = a
            y[i, 1] = x[i]
        else:
            a = x[i] - 1.0
            y[i, 0] = x[i]
            y[i, 1] = a
        y[i, 1] = y[i, 1] + a


@pytl.kernel
def in_another_order(x: Memref[f32, 37], y: Memref[f32, 37, 2]):
    """The last stores are to other elements; those before them have to stay in front of these."""
    for i in foreach(37):
        if x[i] > 0.0:
            y[i, 0] = x[i]
            y[i, 1] = 1.0
        else:
            y[i, 1] = x[i]
            y[i, 0] = 2.0


@pytl.kernel
def loaded_behind(x: Memref[f32, 37], y: Memref[f32, 37, 2]):
    """One branch loads what it has stored."""
    for i in foreach(37):
        if x[i] > 0.0:
            y[i, 0] = x[i]
            a = y[i, 0]
        else:
            y[i, 0] = -x[i]
            a = 1.0
        y[i, 1] = a


@pytl.kernel
def one_branch(x: Memref[f32, 37], y: Memref[f32, 37]):
    for i in foreach(37):
        if x[i] > 0.0:
            y[i] = x[i] * x[i]


@pytl.kernel
def in_a_loop(x: Memref[f32, 37], y: Memref[f32, 37]):
    for i in foreach(37):
        for k in range(3):
            if x[i] > 0.2 * f32(k):
                y[i] = y[i] + 1.0
            else:
                y[i] = y[i] * 0.5


KERNELS = [soft_threshold, two_results, in_another_order, loaded_behind, one_branch, in_a_loop]


def arrays(kernel: pytl.Kernel) -> list[np.ndarray]:
    rng = np.random.default_rng(5)
    shapes = [tuple(map(int, each.type.shape)) for each in kernel.function.parameters]
    return [np.asfortranarray(rng.uniform(-1, 1, shape).astype(np.float32)) for shape in shapes]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_each_stage_computes_the_same(kernel: pytl.Kernel) -> None:
    assert_stages_agree(str(kernel), SSE, arrays(kernel), 1)


@pytest.mark.at_most(4)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_backends_compute_the_same(kernel: pytl.Kernel, backend: str) -> None:
    expected, found = arrays(kernel), arrays(kernel)
    kernel[1](*expected, backend="reference")
    kernel[1](*found, backend=backend)
    assert np.array_equal(found[1], expected[1])


def test_numpy_agrees() -> None:
    x, y = arrays(soft_threshold)
    soft_threshold[1](x, y, backend="mlir")
    expected = np.sign(x) * np.maximum(np.abs(x) - np.float32(0.3), 0)
    assert np.allclose(y, expected, rtol=0, atol=1e-7)


@pytest.mark.parametrize(
    ("kernel", "branches", "masks"),
    [(soft_threshold, 0, 0), (in_another_order, 2, 4), (loaded_behind, 0, 0), (one_branch, 1, 1)],
    ids=lambda each: getattr(each, "name", str(each)),
)
def test_nothing_is_branched_over_but_stores_that_stay(kernel: pytl.Kernel, branches: int, masks: int) -> None:
    """In the loop over whole vectors; the last vector has a mask anyway."""
    body = text_after("vectorize", str(kernel), **SSE).partition("for %")[2]
    code = body[: body.index("\n    }\n")]
    assert code.count("vector.reduce.or") == branches
    assert len([line for line in code.splitlines() if "vector.store" in line and "mask" in line]) <= masks
