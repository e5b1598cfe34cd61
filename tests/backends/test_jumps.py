"""Loops that end early, on backends that compile: what Python computes, collective code under flags, and limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from jumps_kit import arrays, by_python, kernel_of, program

import pytl
from pytl import Memref, alloca, axpby, bound, f32, foreach, gemm, group_id, i32, index, parallel, subgroup

pytestmark = pytest.mark.at_most(4)

ONE_ITEM = pytest.param("sycl", {"strategy": "one-item"}, marks=NEEDS_SYCL, id="one-item")
MANY_ITEMS = pytest.param("sycl", {"strategy": "many-items"}, marks=NEEDS_SYCL, id="many-items")
MLIR = pytest.param("mlir", {}, marks=pytest.mark.tools_of("mlir"), id="mlir")
ARM = pytest.param("arm_sme", {}, marks=pytest.mark.tools_of("arm_sme"), id="arm_sme")
XEGPU = pytest.param("xegpu", {"interpreted": True}, marks=pytest.mark.tools_of("mlir"), id="xegpu")
REFERENCE = pytest.param("reference", {}, id="reference")


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), [ONE_ITEM, MANY_ITEMS, MLIR])
@pytest.mark.parametrize("seed", range(1000, 1003))
def test_random_programs(backend: str, options: dict[str, Any], seed: int) -> None:
    source = program(seed, 20)
    kernel = pytl.kernel(kernel_of(source))
    for n in (0, 6):
        given = arrays()
        kernel[1, options](*given, n, backend=backend)
        for found, wanted in zip(given, by_python(source, n), strict=True):
            np.testing.assert_array_equal(found, wanted)


@pytl.kernel
def powers(A: Memref[f32, 8, 8], B: Memref[f32, 8, 8, ...], n: index):
    """B := A^k B, until its corner is above 20, doubled then; without an end, its corner is -1."""
    b = B[:, :, group_id()]
    t = alloca(f32, 8, 8)
    for _ in range(n):
        gemm(1.0, A, b, 0.0, t)
        if t[0, 0] > 20.0:
            if t[1, 1] < 0.0:
                continue
            axpby(2.0, t, 0.0, b)
            break
        axpby(1.0, t, 0.0, b)
    else:
        b[0, 0] = -1.0


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), [REFERENCE, ONE_ITEM, MANY_ITEMS, MLIR, ARM, XEGPU])
def test_collective_code_under_flags(backend: str, options: dict[str, Any]) -> None:
    A = np.asfortranarray(2.0 * np.eye(8, dtype=np.float32))
    B = np.zeros((8, 8, 2), np.float32, order="F")
    B[:, :, 0] = np.eye(8)
    B[:, :, 1] = 0.25 * np.eye(8)
    powers[2, options](A, B, 6, backend=backend)
    want = np.stack([64.0 * np.eye(8), 16.0 * np.eye(8)], axis=2)
    want[0, 0, 1] = -1.0
    np.testing.assert_array_equal(B, want)


@pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
def items(x: Memref[f32, 32], y: Memref[f32, 32]):
    """Each work-item adds as many elements as its number says, and doubles what it got until it is above 100."""
    with parallel():
        me = subgroup.id() * subgroup.size() + subgroup.local_id()
        total, k = f32(0.0), i32(0)
        while k < 32:
            if k > me:
                break
            total += x[index(k)]
            k += 1
        while bound(total < 100.0, most=8):
            total *= 2.0
        y[index(me)] = total


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), [REFERENCE, MANY_ITEMS, MLIR, XEGPU])
def test_work_items_leave_at_their_own_time(backend: str, options: dict[str, Any]) -> None:
    x, y = np.arange(1, 33, dtype=np.float32), np.zeros(32, np.float32)
    items[1, options](x, y, backend=backend)
    want = np.cumsum(x)
    for _ in range(8):
        want = np.where(want < 100.0, 2 * want, want)
    np.testing.assert_array_equal(y, want)


@pytl.kernel
def halved(x: Memref[f32, 8, ...], most: index):
    g = group_id()
    for i in foreach(8):
        while bound(x[i, g] > 1.0, most):
            x[i, g] *= 0.5


@pytest.mark.at_night
@pytest.mark.parametrize(("backend", "options"), [ONE_ITEM, MANY_ITEMS, MLIR, ARM])
def test_a_limit_is_told_in_checked_mode(backend: str, options: dict[str, Any]) -> None:
    given = np.full((8, 3), 8.0, np.float32, order="F")
    given[3, 2] = 16.0
    whole = given.copy(order="F")
    with pytest.raises(pytl.ExecutionError) as caught:
        halved[3, {**options, "checks": "device"}](whole, 3, backend=backend)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == (
        "PYTL-1089",
        "while: its condition holds after most iterations, its limit (work-group 2, iteration (3))",
    )
    assert found.location is not None and "while bound" in found.location.source.line(found.location.line)
    halved[3, {**options, "checks": "device"}](given.copy(order="F"), 4, backend=backend)
    halved[3, options](given, 3, backend=backend)
    np.testing.assert_array_equal(given[3, 2], 2.0)
    assert (np.delete(given.ravel(order="F"), 19) == 1.0).all()
