"""Atomic updates of one work-item: which become loads and stores or sums, and what they compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from guarded_kit import guarded_page
from passes_kit import assert_stages_agree, text_after

import pytl
from pytl import Memref, alloca, atomic, c64, f32, f64, foreach, group_id, i32, index
from pytl.ops.launch_defaults import OVERLAPPING

GROUPS, POINTS, BINS = 5, 70, 9
SSE = {"processor": "sse"}


@pytl.kernel
def local(X: Memref[index, 70, ...], H: Memref[i32, 9, ...]):
    """Local memory of a work-group."""
    g = group_id()
    bins = alloca(i32, 9)
    bins[:] = 0
    for i in foreach(70):
        atomic.add(bins[X[i, g]], 1)
    H[:, g] = bins


@pytl.kernel
def own_part(X: Memref[index, 70, ...], H: Memref[f64, 9, ...], Y: Memref[f64, 70, ...]):
    """The part of a tensor that no other work-group accesses, with what an element was before."""
    g = group_id()
    for i in foreach(70):
        if X[i, g] > 2:
            atomic.add(H[X[i, g], g], f64(i))
        else:
            Y[i, g] = atomic.max(H[X[i, g], g], 3.0)


@pytl.kernel
def stored(X: Memref[index, 70, ...], H: Memref[f32, 9, ...]):
    """Atomic stores and minima; all points that store to an element store the same."""
    g = group_id()
    for i in foreach(70):
        atomic.store(H[X[i, g], g], f32(X[i, g]))
    for i in foreach(70):
        atomic.min(H[X[i, g], g], f32(i) * 0.125)


@pytl.kernel
def few(X: Memref[index, 70, ...], H: Memref[i32, 9]):
    """Fewer elements than points, which all work-groups add to."""
    g = group_id()
    for i in foreach(70):
        atomic.add(H[X[i, g]], i32(i))


@pytl.kernel
def energy(X: Memref[f64, 70, ...], E: Memref[f64, 2]):
    """Two elements, to one of which points add under a condition, and in a loop."""
    g = group_id()
    for i in foreach(70):
        atomic.add(E[0], X[i, g] * X[i, g], scope="device")
        if X[i, g] > 0.9:
            for k in range(3):
                atomic.add(E[1], X[i, g] * f64(k))


@pytl.kernel
def norm(X: Memref[f32, 70, ...], E: Memref[f32, 1]):
    """One sum."""
    g = group_id()
    for i in foreach(70):
        atomic.add(E[0], X[i, g] * X[i, g])


@pytl.kernel
def matrix(A: Memref[f32, 7, 10, ...], n: index, E: Memref[f32, 4]):
    """Two variables, and as many points as a launch says."""
    g = group_id()
    for i, j in foreach((0, 0), (n, 10)):
        atomic.add(E[n - 4], A[i, j, g])


KERNELS = [local, own_part, stored, few, energy, norm, matrix]


def data(kernel: pytl.Kernel, n: int = 7) -> list[Any]:
    rng, found = np.random.default_rng(3), list[Any]()
    for each in kernel.function.parameters:
        if str(each.type) == "index":
            found.append(n)
            continue
        shape = tuple(GROUPS if extent == "?" else int(extent) for extent in map(str, each.type.shape))
        element = str(each.type.element)
        if each.name in ("H", "E", "Y"):
            found.append(np.zeros(shape, {"i32": "i4", "f32": "f4", "f64": "f8"}[element], order="F"))
        elif element == "index":
            found.append(np.asfortranarray(rng.integers(0, BINS, shape)))
        else:
            found.append(np.asfortranarray(rng.uniform(0.5, 1.5, shape).astype({"f32": "f4", "f64": "f8"}[element])))
    if kernel is own_part:  # of which each point finds the same before
        found[0][:] = np.where(found[0] <= 2, 1, found[0])
        found[1][1] = 4.0
    return found


@pytest.mark.at_most(3)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_each_stage_computes_the_same(kernel: pytl.Kernel) -> None:
    arguments = data(kernel)
    assert_stages_agree(str(kernel), SSE, arguments, GROUPS)


@pytest.mark.at_most(4)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_backends_compute_the_same(kernel: pytl.Kernel, backend: str) -> None:
    expected, found = data(kernel), data(kernel)
    kernel[GROUPS](*expected, backend="reference")
    kernel[GROUPS](*found, backend=backend)
    for one, other in zip(found, expected):
        assert np.allclose(one, other, rtol=1e-5 if np.asarray(one).dtype == np.float32 else 1e-13)


def test_numpy_agrees() -> None:
    X, H = data(local)
    local[GROUPS](X, H, backend="mlir")
    assert np.array_equal(H, np.stack([np.bincount(X[:, g], minlength=BINS) for g in range(GROUPS)], 1))
    X, H = data(few)
    few[GROUPS](X, H, backend="mlir")
    weights = np.repeat(np.arange(POINTS)[:, None], GROUPS, 1)
    assert np.array_equal(H, np.bincount(X.ravel(), weights.ravel(), BINS))
    X, E = data(energy)
    energy[GROUPS](X, E, backend="mlir")
    assert np.allclose(E, [np.sum(X * X), 3 * np.sum(X[X > 0.9])], rtol=1e-13)


@pytest.mark.parametrize("kernel", [local, own_part, stored], ids=lambda kernel: kernel.name)
def test_what_a_work_group_alone_accesses_is_loaded_and_stored(kernel: pytl.Kernel) -> None:
    shown = kernel.ir("atomic-updates")
    assert "atomic" not in shown and "for %i = " in shown


def test_what_points_add_is_summed_first() -> None:
    shown = energy.ir("atomic-updates")
    assert shown.count("atomic_add") == 2 and "v04.atomic_add.device" in shown
    assert "vector.fma" in norm.ir("vectorize")
    shown = few.ir("atomic-updates")
    assert "memref<i32x9,local>" in shown and shown.count("atomic_add") == 1


def test_nothing_is_added_without_points() -> None:
    """The element might not be there."""
    for backend in ("mlir", "sycl"):
        A, _, E = data(matrix)
        matrix[GROUPS](A, 0, E, backend=backend)
        assert not E.any()


@pytl.kernel
def selective(X: Memref[i32, 70], m: index, E: Memref[c64, ...], F: Memref[f32, ...]):
    """Sums of which points add to one under a condition, and to the other one in a loop."""
    for i in foreach(70):
        if m > 0:
            atomic.add(E[0], c64(f64(X[i])))
        for k in range(X[i]):
            atomic.add(F[0], f32(k))


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
def test_elements_that_no_point_adds_to_need_not_be_there(backend: str) -> None:
    page = guarded_page()
    nothing, none = page[len(page) :].view(np.complex128), page[len(page) :].view(np.float32)
    selective[1](np.zeros(70, np.int32), 0, nothing, none, backend=backend)
    E, F = np.zeros(1, np.complex128), np.full(1, -0.0, np.float32)
    selective[1](np.full(70, 3, np.int32), 1, E, F, backend=backend)
    assert E == 210 and F == 210


HEAD = """
func @f(%x: memref<i32x70x?>, %y: memref<f32x9x?>, %z: memref<f16x9x?>, %n: memref<f32x?>, %e: memref<f32x40>) {
  %g = builtin.group_id : index
  %zero = constant 0 : index
  %all = constant 70 : index
  %value = constant 1.0 : f32
  %half = constant 1.0 : f16
  foreach (%i) = (%zero), (%all) {
    %j = load %x[%i, %g] : i32
    %k = cast %j : index
"""


@pytest.mark.parametrize(
    "body",
    [
        "%b = v04.atomic_add.cross_device %value, %y[%k, %g] : f32",
        "%b = v04.atomic_add.work_group.acquire_release %value, %y[%k, %g] : f32",
        "store.atomic_add %value, %y[%k, %k]",
        "store.atomic_add %value, %n[%k]",
        "store.atomic_add %value, %e[%k]",
        "store.atomic_add %half, %z[%zero, %zero]",
        "%b = v04.atomic_add %value, %n[%zero] : f32\nstore %b, %y[%k, %g]",
        "store.atomic_add %value, %n[%zero]\nstore %value, %y[%k, %g]",
        "%b = v04.atomic_min %value, %n[%zero] : f32",
        "%b = v04.atomic_load %n[%zero] : f32\nstore.atomic_add %b, %n[%zero]",
    ],
    ids=[
        "for other devices",
        "ordered",
        "of other groups",
        "of an open size",
        "nearly as many elements as points",
        "f16",
        "what was there is used",
        "something else is stored",
        "a minimum",
        "read",
    ],
)
def test_other_updates_stay(body: str) -> None:
    text = f"{HEAD}{body}\n}}\n}}"
    before = text_after("execution-strategy", text, **SSE)
    assert text_after("atomic-updates", text, **SSE).count("atomic") == before.count("atomic") > 0


def test_arrays_that_overlap_are_updated_atomically() -> None:
    text = f"{HEAD}store.atomic_add %value, %y[%k, %g]\n}}\n}}"
    assert "atomic" not in text_after("atomic-updates", text, **SSE)
    assert "atomic" in text_after("atomic-updates", text, **SSE, **{OVERLAPPING: True})


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
def test_one_array_for_two_parameters(backend: str) -> None:
    @pytl.kernel
    def both(X: Memref[f64, 40, ...], Y: Memref[f64, 40, ...]):
        g = group_id()
        for i in foreach(40):
            atomic.add(X[i, g], 1.0)
            atomic.add(Y[39 - i, g], 2.0)

    X = np.zeros((40, GROUPS), order="F")
    both[GROUPS](X, X, backend=backend)
    assert (X == 3.0).all()
