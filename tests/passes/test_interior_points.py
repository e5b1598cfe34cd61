"""Points of a `foreach` between those at its ends: what is known there, and that all compute what the text says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from passes_kit import assert_stages_agree, text_after

import pytl
from pytl import Memref, f32, foreach, i32, index

N = 150
SSE = {"processor": "sse"}


@pytl.kernel
def clamped(x: Memref[f32, 150], y: Memref[f32, 150]):
    for i in foreach(150):
        y[i] = x[max(i - 2, 0)] + 2.0 * x[min(i + 1, 149)]


@pytl.kernel
def periodic(x: Memref[f32, 150], y: Memref[f32, 150]):
    for i in foreach(150):
        y[i] = x[(i + 149) % 150] - x[(i + 3) % 150]


@pytl.kernel
def asked(x: Memref[f32, 150], y: Memref[f32, 150]):
    for i in foreach(150):
        if i > 0 and i < 149:
            y[i] = x[i - 1] + x[i + 1]
        elif i == 0:
            y[i] = x[0] * 3.0
        else:
            y[i] = -x[i]


@pytl.kernel
def by_choice(x: Memref[f32, 150], y: Memref[f32, 150]):
    """Plain loops, whose points become those of a `foreach`."""
    for i in range(150):
        left = x[i - 1] if i != 0 else x[149]
        right = x[0] if 149 <= i else x[i + 1]
        y[i] = right - left


@pytl.kernel
def backwards(x: Memref[f32, 150], y: Memref[f32, 150]):
    for i in foreach(150):
        y[i] = x[max(147 - i, 0)] + x[min(150 - i, 149)]


@pytl.kernel
def window(x: Memref[f32, 150], w: Memref[f32, 5], y: Memref[f32, 150]):
    """A loop in each point; one bound in another one."""
    for i in foreach(150):
        total = f32(0.0)
        for k in range(5):
            total += w[k] * x[min(max(i + k - 2, 0), 149)]
        y[i] = total


@pytl.kernel
def banded(A: Memref[f32, 150, 5], x: Memref[f32, 150], y: Memref[f32, 150]):
    """Bounds of a loop."""
    for i in foreach(150):
        total = f32(0.0)
        for k in range(max(2 - i, 0), min(152 - i, 5)):
            total += A[i, k] * x[i + k - 2]
        y[i] = total


@pytl.kernel
def image(x: Memref[f32, 90, 7], y: Memref[f32, 90, 7]):
    """Two variables, of which one is the lanes'."""
    for i, j in foreach((0, 0), (90, 7)):
        up = x[i, j - 1] if j > 0 else 0.0
        y[i, j] = x[max(i - 1, 0), j] + x[min(i + 1, 89), min(j + 1, 6)] + up


@pytl.kernel
def open_size(x: Memref[f32, ...], y: Memref[f32, ...], n: index):
    for i in foreach(n):
        left = x[i - 1] if i > 0 else x[n - 1]
        y[i] = left + x[(i + 1) % n] + x[max(i - 3, 0)]


@pytl.kernel
def open_start(x: Memref[f32, ...], y: Memref[f32, ...], n: index):
    for i in foreach(n // 3, n):
        y[i] = x[max(i - 2, n // 3)] + x[min(i + 2, n - 1)]


KERNELS = [clamped, periodic, asked, by_choice, backwards, window, banded, image]


def arrays(kernel: pytl.Kernel, n: int = N) -> list[Any]:
    rng, found = np.random.default_rng(9), list[Any]()
    for each in kernel.function.parameters:
        if str(each.type) == "index":
            found.append(n)
        else:
            shape = tuple(n if extent == "?" else int(extent) for extent in map(str, each.type.shape))
            found.append(np.asfortranarray(rng.uniform(-1, 1, shape).astype(np.float32)))
    return found


@pytest.mark.at_most(4)
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
    assert np.array_equal(found[-1], expected[-1])


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 63, 64, 65, 200])
@pytest.mark.parametrize("kernel", [open_size, open_start], ids=lambda kernel: kernel.name)
def test_sizes_that_a_launch_says(kernel: pytl.Kernel, n: int) -> None:
    expected, found = arrays(kernel, n), arrays(kernel, n)
    kernel[1](*expected, backend="reference")
    kernel[1](*found, backend="mlir")
    assert np.array_equal(found[1], expected[1])


def test_numpy_agrees() -> None:
    x, y = arrays(clamped)
    clamped[1](x, y, backend="mlir")
    at = np.arange(N)
    assert np.array_equal(y, x[np.maximum(at - 2, 0)] + 2 * x[np.minimum(at + 1, N - 1)])
    x, y = arrays(periodic)
    periodic[1](x, y, backend="mlir")
    assert np.array_equal(y, np.roll(x, 1) - np.roll(x, -3))
    A, x, y = arrays(banded)
    banded[1](A, x, y, backend="mlir")
    dense = sum(np.diag(A[max(2 - k, 0) : N - max(k - 2, 0), k], k - 2) for k in range(5))
    assert np.allclose(y, dense @ x, atol=1e-6)


@pytest.mark.parametrize("kernel", [*KERNELS, open_size], ids=lambda kernel: kernel.name)
def test_nothing_is_asked_between_the_ends(kernel: pytl.Kernel) -> None:
    shown = text_after("interior-points", str(kernel), **SSE)
    assert shown.count("foreach") == 3
    inside = shown[shown.rindex("foreach") :]
    bounds_of_columns = 2 if kernel is image else 0
    asked = sum(inside.count(each) for each in ("cmp.", "arith.max", "arith.min", "arith.rem"))
    assert asked == bounds_of_columns


HEAD = """func @f(%x: memref<f32x400>, %y: memref<f32x400>, %n: index, %m: i32) {
  %zero = constant 0 : index
  %one = constant 1 : index
  %all = constant 400 : index
  %far = constant 200 : index
  %huge = constant 9223372036854775800 : index
"""


@pytest.mark.parametrize(
    "index_of",
    [
        "%k = arith.max %i, %far : index",
        "%k = arith.max %i, %n : index",
        "%j = cast %i : i32\n%a = arith.add %j, %m : i32\n%b = arith.max %a, %j : i32\n%k = cast %b : index",
        "%a = arith.add %i, %huge : index\n%b = arith.min %a, %all : index\n%k = arith.max %b, %zero : index",
        "%a = arith.add %i, %n : index\n%b = arith.add %n, %one : index\n%c = arith.max %a, %b : index\n"
        "%k = arith.sub %c, %n : index",
        "%a = arith.mul %i, %i : index\n%k = arith.min %a, %all : index",
        "%a = arith.add %i, %one : index\n%k = arith.rem %a, %n : index",
        "%a = load %x[%i] : f32\n%b = cast %a : index\n%k = arith.max %b, %zero : index",
    ],
    ids=["in the middle", "anywhere", "narrow", "wraps", "wraps for some", "no multiple", "by any number", "loaded"],
)
def test_what_is_not_known_stays(index_of: str) -> None:
    body = f"foreach (%i) = (%zero), (%all) {{\n{index_of}\n%v = load %x[%k] : f32\nstore %v, %y[%i]\n}}\n}}"
    assert text_after("interior-points", HEAD + body, **SSE).count("foreach") == 1


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
def test_sums_with_large_numbers_wrap(backend: str) -> None:
    @pytl.kernel
    def far(far: index, y: Memref[f32, 150]):
        for i in foreach(150):
            y[i] = f32(1.0) if i + far > far + 2 else f32(2.0)

    y = np.zeros(N, np.float32)
    far[1](2**63 - 5, y, backend=backend)
    assert np.array_equal(y, np.where((np.arange(N) > 2) & (np.arange(N) < 5), 1, 2))


def test_few_points_stay_together() -> None:
    @pytl.kernel
    def few(x: Memref[f32, 3], y: Memref[f32, 3]):
        for i in foreach(3):
            y[i] = x[max(i - 1, 0)]

    assert few.ir("interior-points").count("foreach") == 1


@pytest.mark.parametrize("backend", ["mlir", "sycl"])
def test_each_point_of_a_short_row_is_executed_once(backend: str) -> None:

    @pytl.kernel
    def wide(x: Memref[f32, 9], y: Memref[f32, 9]):
        for i in foreach(9):
            y[i] = y[i] + x[max(i - 5, 0)] + x[min(i + 6, 8)]

    x, y = np.arange(9, dtype=np.float32), np.zeros(9, np.float32)
    wide[1](x, y, backend=backend)
    at = np.arange(9)
    assert np.array_equal(y, x[np.maximum(at - 5, 0)] + x[np.minimum(at + 6, 8)])


def test_a_narrow_variable() -> None:
    """It may wrap, and is no index."""

    @pytl.kernel
    def narrow(x: Memref[f32, 150], y: Memref[f32, 150]):
        for i in foreach(150):
            k = i32(i)
            y[i] = x[index(max(k - 1, 0))]

    expected, found = arrays(narrow), arrays(narrow)
    narrow[1](*expected, backend="reference")
    narrow[1](*found, backend="mlir")
    assert np.array_equal(found[1], expected[1])
