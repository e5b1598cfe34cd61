"""The order of a `foreach`'s variables, and points that transpose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from passes_kit import assert_stages_agree, text_after

import pytl
from pytl import Memref, f32, f64, foreach, group_id, index

SSE = {"processor": "sse"}
GROUPS = 2


@pytl.kernel
def transposed(x: Memref[f32, 21, 35, ...], y: Memref[f32, 35, 21, ...]):
    g = group_id()
    for i, j in foreach((0, 0), (35, 21)):
        y[i, j, g] = x[j, i, g]


@pytl.kernel
def the_other_order(x: Memref[f64, 21, 35, ...], y: Memref[f64, 35, 21, ...]):
    g = group_id()
    for j, i in foreach((0, 0), (21, 35)):
        y[i, j, g] = x[j, i, g]


@pytl.kernel
def a_part(x: Memref[f32, 21, 35, ...], y: Memref[f32, 35, 21, ...]):
    g = group_id()
    for i, j in foreach((3, 5), (30, 20)):
        y[i, j, g] = x[j, i, g]


@pytl.kernel
def open_sizes(x: Memref[f32, ..., ...], y: Memref[f32, ..., ...], n: index):
    for i, j in foreach((0, 0), (n, 17)):
        y[i, j] = x[j, i]


@pytl.kernel
def in_front(x: Memref[f32, 35, 3, 35, ...], y: Memref[f32, 35, 35, ...]):
    """A mode of the left tensor stays between."""
    g = group_id()
    for k in range(3):
        for i, j in foreach((0, 0), (35, 35)):
            y[i, j, g] = x[j, k, i, g]


@pytl.kernel
def along_columns(x: Memref[f32, 35, 21, ...], y: Memref[f32, 35, 21, ...]):
    """The first variable is that of rows."""
    g = group_id()
    for j, i in foreach((0, 0), (21, 35)):
        y[i, j, g] = 2.0 * x[i, j, g] + f32(j)


@pytl.kernel
def of_three(x: Memref[f32, 3, 40, ...], y: Memref[f32, 3, 40, ...]):
    """Too few rows for lanes."""
    g = group_id()
    for j, i in foreach((0, 0), (40, 3)):
        y[i, j, g] = x[i, j, g] + f32(j) * x[0, j, g]


KERNELS = [transposed, the_other_order, a_part, open_sizes, in_front, along_columns, of_three]


def groups(kernel: pytl.Kernel) -> int:
    return 1 if kernel is open_sizes else GROUPS


def arrays(kernel: pytl.Kernel, n: int = 19) -> list[Any]:
    rng, found = np.random.default_rng(9), list[Any]()
    for each in kernel.function.parameters:
        if str(each.type) == "index":
            found.append(n)
            continue
        extents = map(str, each.type.shape)
        shape = tuple((24 if kernel is open_sizes else GROUPS) if extent == "?" else int(extent) for extent in extents)
        dtype = {"f32": np.float32, "f64": np.float64}[str(each.type.element)]
        found.append(np.asfortranarray(rng.uniform(-1, 1, shape).astype(dtype)))
    return found


@pytest.mark.at_most(4)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_each_stage_computes_the_same(kernel: pytl.Kernel) -> None:
    assert_stages_agree(str(kernel), SSE, arrays(kernel), groups(kernel))


@pytest.mark.at_most(4)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_backends_compute_the_same(kernel: pytl.Kernel, backend: str) -> None:
    expected, found = arrays(kernel), arrays(kernel)
    kernel[groups(kernel)](*expected, backend="reference")
    kernel[groups(kernel)](*found, backend=backend)
    assert np.array_equal(found[1], expected[1])


def test_numpy_agrees() -> None:
    for kernel in (transposed, the_other_order):
        x, y = arrays(kernel)
        kernel[GROUPS](x, y, backend="mlir")
        assert np.array_equal(y, x.swapaxes(0, 1))


@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("n", [-3, 0, 1])
def test_there_may_be_no_points(backend: str, n: int) -> None:
    expected, (x, y, _) = arrays(open_sizes), arrays(open_sizes)
    open_sizes[1](x, y, n, backend=backend)
    expected[1][: max(n, 0), :17] = expected[0][:17, : max(n, 0)].T
    assert np.array_equal(x, expected[0]) and np.array_equal(y, expected[1])


@pytest.mark.parametrize(
    "kernel", [transposed, the_other_order, a_part, open_sizes, in_front], ids=lambda kernel: kernel.name
)
def test_what_transposes_is_turned(kernel: pytl.Kernel) -> None:
    shown = text_after("cpu-kernels", str(kernel), **SSE)
    assert "axpby.t" in shown and "foreach" not in shown


def test_contiguous_points_are_lanes() -> None:
    shown = text_after("cpu-kernels", str(along_columns), **SSE)
    assert "foreach (%i, %j)" in shown
    assert "foreach (%j, %i)" in text_after("cpu-kernels", str(of_three), **SSE)


@pytest.mark.parametrize(
    "body",
    [
        "%v = load %x[%j, %i] : f32\nstore %v, %x[%i, %j]",
        "%v = load %x[%j, %i] : f32\n%w = arith.neg %v : f32\nstore %w, %y[%i, %j]",
        "%v = load %x[%j, %j] : f32\nstore %v, %y[%i, %j]",
        "%v = load %x[%i, %j] : f32\nstore %v, %y[%i, %j]",
        "%v = load %x[%j, %i] : f32\nstore.atomic %v, %y[%i, %j]",
    ],
    ids=["in place", "computed", "a diagonal", "a copy", "atomic"],
)
def test_others_are_not(body: str) -> None:
    text = f"""func @f(%x: memref<f32x30x30>, %y: memref<f32x30x30>) {{
      %zero = constant 0 : index
      %n = constant 30 : index
      foreach (%i, %j) = (%zero, %zero), (%n, %n) {{
        {body}
      }}
    }}"""
    assert "axpby" not in text_after("cpu-kernels", text, **SSE)
