"""item-lanes: which work-groups become lanes of vectors, and that they compute the same."""

from __future__ import annotations

import numpy as np
import pytest
from passes_kit import stage, text_after

import pytl
from pytl import Memref, alloca, f64, foreach, group_id, index, sqrt

N, ITEMS = 3, 6
"""Work-groups of which four or two are lanes, and some are left over."""
SMALL = {"processor": "sse"}


@pytl.kernel
def cholesky(A: Memref[f64, N, N, ...], L: Memref[f64, N, N, ...]):
    g = group_id()
    a = L[:, :, g]
    a[:] = A[:, :, g]
    for j in range(N):
        root = sqrt(a[j, j])
        for i in foreach(j, N):
            a[i, j] = a[i, j] / root
        for i, k in foreach((j + 1, j + 1), (N, N)):
            a[i, k] -= a[i, j] * a[k, j]


@pytl.kernel
def lu(A: Memref[f64, N, N, ...], P: Memref[index, ...], s: Memref[f64, ...], F: Memref[f64, N]):
    """With pivots, which differ, numbers of each work-group, memory of its own, and an array for all."""
    g = group_id()
    a, row = A[:, :, g], alloca(f64, N)
    for k in range(N):
        pivot = index(k)
        for i in range(k + 1, N):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = index(i)
        for j in foreach(N):
            row[j] = a[k, j]
            a[k, j] = a[pivot, j]
            a[pivot, j] = row[j]
        for i in foreach(k + 1, N):
            a[i, k] = a[i, k] / a[k, k]
        for i, j in foreach((k + 1, k + 1), (N, N)):
            a[i, j] -= a[i, k] * a[k, j] * F[0]
    P[g] = pivot
    s[g] += a[0, 0]


@pytl.kernel
def solve(L: Memref[f64, N, N, ...], B: Memref[f64, N, 2, ...]):
    g = group_id()
    for j in foreach(2):
        for i in range(N):
            x = B[i, j, g]
            for k in range(i):
                x -= L[i, k, g] * B[k, j, g]
            B[i, j, g] = x / L[i, i, g]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("kernel", [lu, solve], ids=lambda kernel: kernel.name)
def test_each_stage_computes_the_same(kernel: pytl.Kernel) -> None:
    shown = stage(str(kernel), "item-lanes", ITEMS, **SMALL)
    assert "cpu.items" in shown and "remainder %g" in shown
    assert "axpby.t" in shown


def test_a_copy_to_what_is_changed_in_place_takes_no_memory_of_its_own() -> None:
    shown = cholesky.ir("item-lanes")
    assert shown.count("alloca") == 1 and shown.count("axpby.t") == 2


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
def test_factors_of_all_matrices(backend: str) -> None:
    a = np.random.default_rng(1).standard_normal((19, N, N))
    a = a @ a.swapaxes(1, 2) + np.eye(N)
    given, found = np.asfortranarray(a.transpose(1, 2, 0)), np.zeros((N, N, 19), order="F")
    cholesky[19](given, found, backend=backend)
    expected = np.linalg.cholesky(a)
    assert np.allclose(np.tril(found.transpose(2, 0, 1)), expected, rtol=1e-14)
    cholesky[19](given, given, backend=backend)  # in place, which takes other code
    assert np.allclose(np.tril(given.transpose(2, 0, 1)), expected, rtol=1e-14)


def in_steps(body: str, parameters: str = "%a: memref<f64x4x4x?>") -> str:
    return f"""
func @f({parameters}) {{
  %g = builtin.group_id : index
  %zero = constant 0 : index
  %one = constant 1 : index
  %n = constant 4 : index
  for %k = %zero, %n {{
    {body}
  }}
}}"""


STEP = "%x = load %a[%k, %zero, {}] : f64\nstore %x, %a[%one, %one, {}]"


PARTS, ITEM = "%a: memref<f64x4x4x?>", "%b: group<memref<f64x4>x?>"
OF_ITEM = "%i = load %b[%zero] : memref<f64x4>\n%x = load %i[%k] : f64\nstore %x, %a[{}, %k, %g]"


def test_numbers_of_neighbours_stay() -> None:
    """A work-group that accesses the part of another one is no lane, and neither are groups and shared results."""
    assert "cpu.items" in stage(in_steps(STEP.format("%g", "%g")), "item-lanes", ITEMS, **SMALL)
    for body, parameters in (
        ("%h = arith.add %g, %one : index\n" + STEP.format("%h", "%h"), "%a: memref<f64x4x4x?>"),
        (STEP.format("%g", "%zero"), "%a: memref<f64x4x4x?>"),
        (STEP.format("%g", "%g"), "%a: memref<f64x4x4x?,strided<1,?,?>>"),
        (STEP.format("%g", "%g").replace("store", "store.atomic"), "%a: memref<f64x4x4x?>"),
        ("%i = load %a[%g] : memref<f64x4>\n%x = load %i[%zero] : f64\nstore %x, %i[%k]", "%a: group<memref<f64x4>x?>"),
        (OF_ITEM.format("%one"), f"{PARTS}, {ITEM}"),
        (f"foreach (%j) = (%zero), (%k) {{\n{OF_ITEM.format('%j')}\n}}", f"{PARTS}, {ITEM}"),
        (STEP.format("%g", "%g"), "%a: memref<f64x99x99x?>"),
    ):
        assert "cpu.items" not in text_after("item-lanes", in_steps(body, parameters), **SMALL)


@pytest.mark.parametrize("element", ["i8", "f32", "f64"])
def test_vectors_have_lengths_of_spirv(element: str) -> None:
    text = in_steps(STEP.format("%g", "%g"), "%a: memref<f64x4x4x?>").replace("f64", element)
    assert '"lanes"=16}' in text_after("item-lanes", text, machine="avx512")


def test_options_of_a_launch() -> None:
    assert '"items"=8' in cholesky.ir("item-lanes", items=3, machine="avx2")
    for options in ({"items": 1}, {"interleave": 2}):
        assert "cpu.items" not in cholesky.ir("item-lanes", **options)
