"""Launches whose arrays share no memory have code that executes products in another order, and others have not."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl import Group, Memref, alloca, f32, gemm, group_id
from pytl.backends.registry import find_backend
from pytl.launch.aliasing import are_apart, ranges_apart
from pytl.launch.binding import bind
from pytl.launch.calls import match
from pytl.launch.specialization import specialize


@pytl.kernel
def chain(A: Memref[f32, 20, 4], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4], D: Group[f32, 20, 4]):
    t = alloca(f32, 20, 4)
    gemm(1.0, A, B, 0.0, t)
    gemm(1.0, t, C, 1.0, D[group_id()])


def lie_apart(*arrays: object) -> bool:
    launches = chain.current().launches
    call = match(launches.signature, arrays, {}, 2, {}, find_backend("reference"))
    bound = bind(specialize(launches, call), call)
    pairs = bound.specialization.signature.products
    assert {target for target, _ in pairs} == {3} and len(ranges_apart(pairs, bound.arguments)) == 3
    return are_apart(pairs, bound.arguments)


def test_only_arrays_that_are_known_to_share_nothing_are_apart() -> None:
    a, small = np.ones((20, 4), np.float32, order="F"), np.ones((4, 4), np.float32, order="F")
    d = np.zeros((20, 4, 2), np.float32, order="F")
    assert lie_apart(a, small, small, d)
    assert not lie_apart(d[:, :, 1], small, small, d)
    # items of several arrays may be anywhere
    assert not lie_apart(a, small, small, [d[:, :, 0], d[:, :, 1]])


def test_a_chain_without_a_local_matrix_asks_nothing() -> None:
    @pytl.kernel
    def product(A: Memref[f32, 4, 4], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4]):
        gemm(1.0, A, B, 0.0, C)

    assert product.current().launches.signature.products == []


@pytest.mark.parametrize("shared", (False, True))
def test_results_are_those_of_the_text(shared: bool) -> None:
    """Also of the second launch, by a plan, with other arrays than the first one."""
    rng = np.random.default_rng(1)
    b, c = (np.asfortranarray(rng.integers(-4, 5, (4, 4)).astype(np.float32)) for _ in range(2))
    for is_shared in (False, shared):
        d = np.asfortranarray(rng.integers(-4, 5, (20, 4, 1)).astype(np.float32))
        a = d[:, :, 0] if is_shared else d[:, :, 0].copy(order="F")
        expected = d[:, :, 0] + a @ b @ c
        chain[1](a, b, c, d)
        np.testing.assert_array_equal(d[:, :, 0], expected)
