"""Loops of a work-group that reduce a row: vectors along the row, as in a `foreach` of one point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from launch_kit import needs_sycl
from passes_kit import sycl_passes
from properties.execution import execute

import pytl
from pytl import Memref, f32, f64, foreach, group_id, i32, sqrt
from pytl.passes import Pipeline

N = 75


def moments(type_: Any = f32) -> pytl.Kernel:
    @pytl.kernel
    def moments(A: Memref[type_, N, ...], R: Memref[type_, N, ...], y: Memref[type_, 2, ...]):
        g = group_id()
        total = type_(0.0)
        for j in range(N):
            total += A[j, g]
        mean = total / float(N)
        squares = type_(0.0)
        for j in range(N):
            off = A[j, g] - mean
            squares += off * off
        factor = 1.0 / sqrt(squares)
        for j in foreach(N):
            R[j, g] = A[j, g] * factor
        y[0, g] = mean
        y[1, g] = squares

    return moments


@pytl.kernel
def largest(A: Memref[f32, N, ...], R: Memref[f32, N, ...], y: Memref[f32, 2, ...]):
    g = group_id()
    most = A[0, g]
    place = i32(0)
    for j in range(N):
        if A[j, g] > most:
            most = A[j, g]
            place = i32(j)
    y[0, g] = most
    y[1, g] = f32(place)


@pytl.kernel
def in_turn(A: Memref[f32, N, ...], R: Memref[f32, N, ...], y: Memref[f32, 2, ...]):
    g = group_id()
    both = f32(1.0)
    for k in range(3):
        most = f32(0.0)
        for j in range(N):
            most = max(most, abs(A[j, g]))
        both = 0.5 * both + most
        R[k, g] = both
    y[0, g] = both


def lowered(kernel: pytl.Kernel, fastmath: bool) -> Any:
    return Pipeline(sycl_passes(fastmath=fastmath, processor="avx2")).run(kernel.module)


def along(kernel: pytl.Kernel, fastmath: bool) -> int:
    """How many kernels go along rows."""
    return kernel.ir("cpu-kernels", fastmath=fastmath).count('"along"')


def test_loops_whose_order_is_free_go_along_the_row() -> None:
    assert along(moments(), True) == 2
    assert along(moments(), False) == 0  # sums keep their order
    assert along(largest, False) == 1
    assert along(in_turn, False) == 1


def test_other_loops_stay_loops() -> None:
    @pytl.kernel
    def others(A: Memref[f32, 90, 90, ...], x: Memref[f32, 3], n: i32, y: Memref[f32, 3, ...]):
        g = group_id()
        s = f32(0.0)
        for j in range(90):
            s += A[2, j, g]  # not contiguous
        t = f32(0.0)
        for j in range(3):
            t += x[j]  # short
        u = f32(0.0)
        for j in range(90):
            u = 0.5 * u + A[j, 0, g]  # each after the other
        y[0, g] = s
        y[1, g] = t
        y[2, g] = u

    assert along(others, True) == 0


def data(groups: int, dtype: type = np.float32) -> list[np.ndarray]:
    a = np.random.default_rng(groups).standard_normal((N, groups)).astype(dtype, order="F")
    return [a, np.zeros_like(a), np.zeros((2, groups), dtype, order="F")]


@pytest.mark.parametrize("fastmath", [False, True])
@pytest.mark.parametrize("groups", [1, 3])
def test_the_result_stays(fastmath: bool, groups: int) -> None:
    a, r, y = data(groups)
    _, found, sums = execute(lowered(moments(), fastmath), [a, r, y], groups)
    squares = N * a.var(axis=0)
    np.testing.assert_allclose(sums.reshape(2, groups, order="F"), [a.mean(axis=0), squares], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(found.reshape(N, groups, order="F"), a / np.sqrt(squares), rtol=1e-4)
    _, _, found = execute(lowered(largest, fastmath), [a, r, y], groups)
    np.testing.assert_array_equal(found.reshape(2, groups, order="F"), [a.max(axis=0), a.argmax(axis=0)])
    _, parts, found = execute(lowered(in_turn, fastmath), [a, r, y], groups)
    most = np.abs(a).max(axis=0)
    wanted = [0.5 + most, 0.25 + 1.5 * most, 0.125 + 1.75 * most]
    np.testing.assert_allclose(parts.reshape(N, groups, order="F")[:3], wanted, rtol=1e-6)
    np.testing.assert_allclose(found.reshape(2, groups, order="F")[0], wanted[2], rtol=1e-6)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("type_, dtype", [(f32, np.float32), (f64, np.float64)])
@pytest.mark.parametrize(
    "backend", [pytest.param("sycl", marks=needs_sycl), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))]
)
def test_on_the_device(type_: Any, dtype: type, backend: str) -> None:
    a, r, y = data(5, dtype)
    moments(type_)[5, {"fastmath": True}](a, r, y, backend=backend)
    squares = N * a.var(axis=0)
    np.testing.assert_allclose(y, [a.mean(axis=0), squares], rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(r, a / np.sqrt(squares), rtol=1e-4)
