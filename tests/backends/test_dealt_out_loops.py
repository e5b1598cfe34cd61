"""Loops that the work-groups of a launch deal out among them: any number of these executes each iteration once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CodeType
from typing import Any

import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl
from pytl import Memref, f64, gemm, group_id, group_size, index

pytestmark = pytest.mark.at_most(3)

N = 16
TRANSPOSES = 300
"""Iterations whose matrices are more than a cache holds, so that they are prefetched."""


@pytl.kernel
def own_factors(A: Memref[f64, N, N, ...], B: Memref[f64, N, N, ...], C: Memref[f64, N, N, ...], n: index):
    for i in range(group_id(), n, group_size()):
        gemm(1.0, A[:, :, i], B[:, :, i], 1.0, C[:, :, i])


@pytl.kernel
def shared_factor(A: Memref[f64, N, N, ...], B: Memref[f64, N, N], C: Memref[f64, N, N, ...], n: index):
    for i in range(group_id(), n, group_size()):
        gemm(1.0, A[:, :, i], B, 1.0, C[:, :, i])


def column_major(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return np.asfortranarray(rng.integers(-4, 5, shape).astype(np.float64))


@functools.cache
def product(is_shared: bool, size: int, turns: int) -> tuple[np.ndarray, ...]:
    """Both factors, the result before, and what is in it behind so many iterations of `size`; nobody writes them."""
    rng = np.random.default_rng(turns)
    a, b, c = (column_major(rng, N, N, size) for _ in range(3))
    b = np.asfortranarray(b[:, :, 0]) if is_shared else b
    expected = c.copy("F")
    whole = np.einsum("ikg,kj->ijg" if is_shared else "ikg,kjg->ijg", a, b, optimize=True)
    expected[:, :, :turns] += whole[:, :, :turns]
    return a, b, c, expected


def assert_computed(launch: Callable[..., Any], is_shared: bool, size: int, turns: int, *numbers: int) -> None:
    """A launch multiplies what `turns` iterations have, of `size` that there is memory for."""
    a, b, before, expected = product(is_shared, size, turns)
    c = before.copy("F")
    launch(a, b, c, *numbers)
    assert np.array_equal(c, expected)


@pytest.mark.at_night
@needs_sycl
@pytest.mark.parametrize("groups", [1, 2, 7, 64, 299, 300, 301, 1000])
@pytest.mark.parametrize("kernel", [own_factors, shared_factor], ids=lambda kernel: kernel.name)
@pytest.mark.parametrize("turns", [0, 1, 5, TRANSPOSES])
def test_any_number_of_work_groups(kernel, groups, turns):
    launch = kernel[groups]
    assert_computed(launch, kernel is shared_factor, TRANSPOSES, turns, turns)


@pytest.mark.at_night
@needs_sycl
@pytest.mark.parametrize(
    "options", [{"items": 3, "interleave": 1}, {"items": 8, "interleave": 4, "prefetch": 3}], ids=str
)
@pytest.mark.parametrize("groups", [1, 3, 40, TRANSPOSES])
def test_choices_of_what_is_interleaved_and_prefetched(options, groups):
    assert_computed(shared_factor[groups, options], True, TRANSPOSES, TRANSPOSES, TRANSPOSES)


@pytest.mark.at_night
@pytest.mark.parametrize("backend", ["reference", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
@pytest.mark.parametrize("groups", [1, 3, 10, 12])
def test_other_backends(backend, groups):
    assert_computed(lambda *given: own_factors[groups](*given, backend=backend), False, 12, 10, 10)


BATCH = f"memref<{TRANSPOSES}x{N}x{N}xf64>"
MODULE = f"""func.func @product(%A: {BATCH}, %B: {BATCH}, %C: {BATCH}) {{
  linalg.batch_matmul ins(%A, %B : {BATCH}, {BATCH}) outs(%C : {BATCH})
  return
}}"""


@pytest.mark.at_night
@needs_sycl
@pytest.mark.parametrize("groups", [..., 1, 3, 64, 1000])
def test_a_batch_of_mlir(groups):
    rng = np.random.default_rng(0)
    a, b, c = (rng.integers(-4, 5, (TRANSPOSES, N, N)).astype(np.float64) for _ in range(3))
    expected = c + a @ b
    pytl.from_mlir(MODULE)["product"][groups](a, b, c)
    assert np.array_equal(c, expected)


# What is prefetched when, as the generated source says it.

NAMES: dict[str, Any] = {
    "min": min,
    "max": max,
    "int_mul": lambda a, b: a * b,
    "int_add": lambda a, b: a + b,
    "int_sub": lambda a, b: a - b,
    "int_div": lambda a, b: a // b,
    "int_rem": lambda a, b: a % b,
    "select": lambda condition, a, b: a if condition else b,
    "global_f64": lambda address: address,
}
MATRIX = N * N
"""Elements from one iteration's matrix to the next."""


@functools.cache
def source_of(distance: int) -> CodeType:
    """The generated source with such a distance."""
    source = shared_factor.emit("numba_dpex", prefetch=distance, interleave=1)
    entry = next(line for line in source.splitlines() if line.startswith("def "))
    assert "C_size2, n, groups_of_all, share)" in entry
    return compile(source, "generated", "exec")


def executed(distance: int, groups: int, share: int, stop: int) -> list[list[tuple[int, int]]]:
    """For each work-item, the iterations that it executes in order, and the one that it prefetches meanwhile."""
    calls: list[list[tuple[int, int]]] = []
    for item in range(-(-groups // share)):
        calls.append([])

        def vector_kernel(a_later: int, c_later: int, a: int, b: int, c: int) -> None:
            assert (a, a_later) == (c, c_later)
            calls[-1].append((a // MATRIX, a_later // MATRIX))

        names = {**NAMES, "group_id": lambda item=item: item, "vector_kernel": vector_kernel}
        exec(source_of(distance), names)
        names["shared_factor"](item, 0, stop, 0, 0, stop, stop, groups, share)
    return calls


@pytest.mark.parametrize("distance", [1, 2, 5])
@pytest.mark.parametrize("share", [1, 2, 3, 8])
@pytest.mark.parametrize("groups", [1, 2, 5, 8, 9, 800, 1000])
def test_what_is_prefetched_is_what_the_work_item_executes_later(distance, share, groups):
    stop = 1000
    found = executed(distance, groups, share, stop)
    assert sorted(now for calls in found for now, _ in calls) == list(range(stop))
    for calls in found:
        order = [now for now, _ in calls]
        for place, (_, ahead) in enumerate(calls):
            assert 0 <= ahead < stop
            if place + distance < len(order) and groups < stop:
                assert ahead == order[place + distance]


def test_the_next_work_group_is_prefetched_where_each_has_one_iteration():
    for calls in executed(2, 1000, 61, 1000):
        assert all(ahead == min(now + 2, 999) for now, ahead in calls)
