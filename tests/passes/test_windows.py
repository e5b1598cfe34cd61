"""Windows over points: short loops whose weights all points share, written out, with the weights in front."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from passes_kit import assert_stages_agree, text_after

import pytl
from pytl import Memref, f32, f64, foreach, group_id, index

SSE = {"processor": "sse"}
N = 70


@pytl.kernel
def filtered(x: Memref[f32, 80], w: Memref[f32, 9], y: Memref[f32, 70]):
    for i in foreach(70):
        total = f32(0.0)
        for k in range(9):
            total += w[k] * x[i + k]
        y[i] = total


@pytl.kernel
def image(x: Memref[f32, 80, 20, ...], w: Memref[f32, 3, 3], y: Memref[f32, 70, 17, ...]):
    """A loop in a loop, and two sums."""
    g = group_id()
    for i, j in foreach((0, 0), (70, 17)):
        total, sizes = f32(0.0), f32(1.0)
        for b in range(3):
            for a in range(2, 0, -1):
                total += w[a, b] * x[i + a, j + b, g]
                sizes = sizes * w[a, b]
        y[i, j, g] = total + sizes


@pytl.kernel
def polynomial(x: Memref[f64, 70], c: Memref[f64, 6], y: Memref[f64, 70]):
    for i in foreach(70):
        value = f64(0.0)
        for k in range(1, 6, 2):
            value = value * x[i] + c[k]
        y[i] = value + c[0]


@pytl.kernel
def open_size(x: Memref[f32, ...], w: Memref[f32, 4], y: Memref[f32, ...], n: index):
    for i in foreach(n):
        total = f32(0.0)
        for k in range(4):
            total += w[k] * x[i + k]
        y[i] = total


KERNELS = [filtered, image, polynomial, open_size]


def arrays(kernel: pytl.Kernel, n: int = 33) -> list[Any]:
    rng, found = np.random.default_rng(9), list[Any]()
    for each in kernel.function.parameters:
        if str(each.type) == "index":
            found.append(n)
            continue
        extents = map(str, each.type.shape)
        shape = tuple((40 if kernel is open_size else 2) if extent == "?" else int(extent) for extent in extents)
        dtype = {"f32": np.float32, "f64": np.float64}[str(each.type.element)]
        found.append(np.asfortranarray(rng.uniform(-1, 1, shape).astype(dtype)))
    return found


def groups(kernel: pytl.Kernel) -> int:
    return 2 if kernel is image else 1


@pytest.mark.at_most(3)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_each_stage_computes_the_same(kernel: pytl.Kernel) -> None:
    assert_stages_agree(str(kernel), SSE, arrays(kernel), groups(kernel))


@pytest.mark.at_most(4)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_backends_compute_the_same(kernel: pytl.Kernel, backend: str) -> None:
    for n in (33, 0):
        expected, found = arrays(kernel, n), arrays(kernel, n)
        kernel[groups(kernel)](*expected, backend="reference")
        kernel[groups(kernel)](*found, backend=backend)
        assert np.array_equal(found[2], expected[2])


def test_numpy_agrees() -> None:
    x, w, y = arrays(filtered)
    filtered[1](x, w, y, backend="mlir")
    assert np.allclose(y, np.convolve(x, w[::-1], "valid")[:N], atol=1e-5)


@pytest.mark.parametrize(
    ("kernel", "weights"), [(filtered, 9), (image, 6), (polynomial, 4)], ids=lambda each: str(each)
)
def test_weights_are_loaded_once(kernel: pytl.Kernel, weights: int) -> None:
    shown = text_after("cpu-kernels", str(kernel), **SSE)
    before, _, inside = shown.partition("foreach")
    assert "for %" not in shown and before.count("load") == weights
    assert "load %w" not in inside and "load %c" not in inside


def test_nothing_is_loaded_in_front_of_what_may_have_no_points() -> None:
    before = text_after("cpu-kernels", str(open_size), **SSE).partition("foreach")[0]
    assert "load" not in before


TEXT = """func @f(%x: memref<f32x80>, %w: memref<f32x80>, %y: memref<f32x80>) {
  %zero = constant 0 : index
  %n = constant 64 : index
  %few = constant COUNT : index
  %start = constant 0.0 : f32
  foreach (%i) = (%zero), (%n) {
    %s = for %k = %zero, %few init(%t=%start) -> (f32) {
      %j = arith.add %i, %k : index
      %a = load %x[%j] : f32
      %b = load %w[%WEIGHT] : f32
      %c = arith.mul %a, %b : f32
      %d = arith.add %t, %c : f32
      yield (%d)
    }
    store %s, %TARGET[%i]
  }
}"""


@pytest.mark.parametrize(
    ("count", "weight", "target", "is_written_out"),
    [(8, "k", "y", True), (60, "k", "y", False), (8, "j", "y", False), (8, "k", "w", False)],
    ids=["few", "many", "no weights", "stored"],
)
def test_which_loops_are_written_out(count: int, weight: str, target: str, is_written_out: bool) -> None:
    text = TEXT.replace("COUNT", str(count)).replace("WEIGHT", weight).replace("TARGET", target)
    assert ("for %k" not in text_after("cpu-kernels", text, **SSE)) is is_written_out


@pytest.mark.parametrize("backend", ["mlir", "sycl"])
def test_one_array_for_weights_and_results(backend: str) -> None:
    """A point loads what others have not stored: all weights lie behind the points."""

    @pytl.kernel
    def tail(x: Memref[f32, 80], w: Memref[f32, 80], y: Memref[f32, 80]):
        for i in foreach(70):
            total = f32(0.0)
            for k in range(4):
                total += w[k + 72] * x[i + k]
            y[i] = total

    rng = np.random.default_rng(3)
    x, both = rng.random(80, np.float32), rng.random(80, np.float32)
    expected = both.copy()
    tail[1](x, expected, expected, backend="reference")
    tail[1](x, both, both, backend=backend)
    assert np.array_equal(both, expected)
