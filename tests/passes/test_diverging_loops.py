"""Loops whose bounds differ among points of a `foreach`, or among work-groups in lanes: which have vectors, of what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from guarded_kit import at_both_ends
from passes_kit import assert_stages_agree, text_after
from vector_kit import internal

import pytl
from pytl import Memref, exp, f32, f64, foreach, group_id, i8, i32, index
from pytl.ir.types import VectorType
from pytl.ops import For
from pytl.passes.analysis.early_end import continue_condition

GROUPS = 3
POINTS = 19
"""No multiple of any number of lanes."""
SSE = {"processor": "sse"}


@pytl.kernel
def lower(A: Memref[f64, 19, 19, ...], x: Memref[f64, 19, ...], y: Memref[f64, 19, ...]):
    """Points leave the loop one after the other."""
    g = group_id()
    for i in foreach(19):
        total = f64(0.0)
        for k in range(i + 1):
            total += A[i, k, g] * x[k, g]
        y[i, g] = total


@pytl.kernel
def upper(A: Memref[f64, 19, 19, ...], x: Memref[f64, 19, ...], y: Memref[f64, 19, ...]):
    """Points enter the loop one after the other."""
    g = group_id()
    for i in foreach(19):
        total = f64(0.0)
        for k in range(i + 1, 19):
            total += A[i, k, g] * x[k, g]
        y[i, g] = total


@pytl.kernel
def backwards(A: Memref[f32, 19, 19, ...], x: Memref[f32, 19, ...], y: Memref[f32, 19, ...]):
    """The last points enter the loop first."""
    g = group_id()
    for i in foreach(19):
        total = f32(0.0)
        for k in range(18 - i, 19):
            total += A[i, k, g] * x[k, g]
        y[i, g] = total


@pytl.kernel
def third(A: Memref[f32, 19, 19, ...], x: Memref[f32, 19, ...], y: Memref[f32, 19, ...]):
    """Steps of three."""
    g = group_id()
    for i in foreach(19):
        total = f32(0.0)
        for k in range(i32(1), i32(i), i32(3)):
            total += A[i, index(k), g] * x[index(k), g]
        y[i, g] = total


@pytl.kernel
def windows(x: Memref[f32, 19, ...], y: Memref[f32, 19, ...]):
    """Bounds that grow together: as many iterations for all, each of which has contiguous elements."""
    g = group_id()
    for i in foreach(15):
        total = f32(0.0)
        for k in range(i, i + 5):
            total += x[k, g]
        y[i, g] = total


@pytl.kernel
def series(N: Memref[i32, 19, ...], x: Memref[f64, 19, ...], y: Memref[f64, 19, ...]):
    """Numbers of iterations from memory, of which some are negative, and several results."""
    g = group_id()
    for i in foreach(19):
        term = f64(1.0)
        total = f64(1.0)
        for k in range(1, N[i, g]):
            term = term * x[i, g] / f64(k)
            total += term
        y[i, g] = total + term


@pytl.kernel
def segments(P: Memref[index, 20, ...], x: Memref[f64, 60, ...], y: Memref[f64, 19, ...]):
    """A range of each point's own, in front of which nothing is known."""
    g = group_id()
    for i in foreach(19):
        total = f64(0.0)
        for k in range(P[i, g], P[i + 1, g]):
            total += exp(x[k, g])
        y[i, g] = total


@pytl.kernel
def narrow(N: Memref[i8, 19, ...], x: Memref[f32, 19, ...], y: Memref[f32, 19, 8, ...]):
    """Stores in a loop, with a variable of eight bits."""
    g = group_id()
    for i in foreach(19):
        for k in range(N[i, g], i8(5)):
            y[i, index(k) + 3, g] = exp(x[i, g] * f32(k))


@pytl.kernel
def nested(N: Memref[i32, 19, ...], x: Memref[f64, 19, ...], y: Memref[f64, 19, 5, ...]):
    """Loops in a loop and under a condition, on which the same points and others diverge."""
    g = group_id()
    for i in foreach(19):
        if x[i, g] > 0.8:
            for k in range(index(N[i, g])):
                for j in range(k):
                    y[i, k, g] = y[i, k, g] + x[i, g] * f64(j)
                for j in range(i):
                    y[i, 0, g] = y[i, 0, g] - x[j, g]


@pytl.kernel
def roots(N: Memref[i32, ...], x: Memref[f64, ...], y: Memref[f64, ...]):
    """Work-groups as lanes."""
    g = group_id()
    root = x[g]
    for _ in range(N[g]):
        root = 0.5 * (root + x[g] / root)
    y[g] = root


@pytl.kernel
def converged(x: Memref[f64, 19, ...], y: Memref[f64, 19, ...]):
    """A loop that each point leaves when it has what it needs."""
    g = group_id()
    for i in foreach(19):
        root = x[i, g]
        for k in range(40):
            change = 0.5 * (root - x[i, g] / root)
            root = root - change
            if abs(change) < 1e-9 * f64(k):
                break
        y[i, g] = root


@pytl.kernel
def stored_until(N: Memref[i32, 19, ...], x: Memref[f32, 19, ...], y: Memref[f32, 19, 8, ...]):
    """Stores in a loop that ends early, whose bounds differ, too."""
    g = group_id()
    for i in foreach(19):
        if N[i, g] >= 0:
            for k in range(index(N[i, g])):
                if f32(k) > 3.0 * x[i, g]:
                    break
                for j in range(3):
                    if j > k:
                        break
                    y[i, k + j, g] = exp(x[i, g] * f32(j))


@pytl.kernel
def escaped(x: Memref[f64, ...], y: Memref[f64, ...]):
    """Work-groups as lanes."""
    g = group_id()
    u = f64(0.0)
    steps = f64(0.0)
    for _ in range(30):
        u = u * u + x[g] - 0.5
        if u * u > 4.0:
            break
        steps += 1.0
    y[g] = steps


ENDING_EARLY = [converged, stored_until, escaped]
KERNELS = [lower, upper, backwards, third, windows, series, segments, narrow, nested, roots, *ENDING_EARLY]


def data(kernel: pytl.Kernel, groups: int) -> list[Any]:
    rng, found = np.random.default_rng(11), list[Any]()
    for each in kernel.function.parameters:
        shape = tuple(groups if extent == "?" else int(extent) for extent in map(str, each.type.shape))
        element = str(each.type.element)
        if element == "index":
            found.append(np.asfortranarray(np.sort(rng.integers(0, 61, shape), axis=0)))
        elif element.startswith("i"):
            found.append(np.asfortranarray(rng.integers(-3, 6, shape).astype({"i8": "i1", "i32": "i4"}[element])))
        else:
            found.append(np.asfortranarray(rng.uniform(0.5, 1.5, shape).astype({"f32": "f4", "f64": "f8"}[element])))
    return found


@pytest.mark.at_most(3)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_each_stage_computes_the_same(kernel: pytl.Kernel) -> None:
    assert "vector.reduce" in text_after("vectorize", str(kernel), **SSE)
    assert_stages_agree(str(kernel), SSE, data(kernel, GROUPS), GROUPS)


@pytest.mark.at_most(4)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_backends_compute_the_same(kernel: pytl.Kernel, backend: str) -> None:
    groups = 21 if kernel in (roots, escaped) else GROUPS
    expected, found = data(kernel, groups), data(kernel, groups)
    kernel[groups](*expected, backend="reference")
    kernel[groups](*found, backend=backend)
    for one, other in zip(found, expected):
        assert np.allclose(one, other, rtol=1e-6 if one.dtype == np.float32 else 1e-14, atol=0)


@pytest.mark.at_most(3)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_many_work_items_compute_the_same(kernel: pytl.Kernel) -> None:
    expected, found = data(kernel, GROUPS), data(kernel, GROUPS)
    kernel[GROUPS](*expected, backend="reference")
    kernel[GROUPS, {"strategy": "many-items"}](*found, backend="sycl")
    for one, other in zip(found, expected):
        assert np.allclose(one, other, rtol=1e-6 if one.dtype == np.float32 else 1e-14, atol=0)


def test_numpy_agrees() -> None:
    A, x, y = data(lower, GROUPS)
    lower[GROUPS](A, x, y, backend="mlir")
    assert np.allclose(y, np.einsum("ikg,kg->ig", A * np.tri(POINTS)[:, :, None], x), rtol=1e-13)
    A, x, y = data(upper, GROUPS)
    upper[GROUPS](A, x, y, backend="mlir")
    assert np.allclose(y, np.einsum("ikg,kg->ig", A * (1 - np.tri(POINTS))[:, :, None], x), rtol=1e-13)
    P, x, y = data(segments, GROUPS)
    segments[GROUPS](P, x, y, backend="mlir")
    sums = [[np.exp(x[a:b, g]).sum() for a, b in zip(P[:-1, g], P[1:, g])] for g in range(GROUPS)]
    assert np.allclose(y, np.transpose(sums), rtol=1e-13)


@pytest.mark.parametrize("kernel", [lower, upper, backwards, windows], ids=lambda kernel: kernel.name)
def test_triangles_have_contiguous_vectors(kernel: pytl.Kernel) -> None:
    code = kernel.ir("vectorize")
    assert "vector.load" in code and "gather" not in code


@pytest.mark.parametrize("kernel", ENDING_EARLY, ids=lambda kernel: kernel.name)
def test_a_loop_ends_where_no_lane_goes_on(kernel: pytl.Kernel) -> None:
    """What is carried says so in front of all that lanes carry, and is a branch around an iteration."""
    code = kernel.ir("vectorize")
    assert "vector.reduce.or" in code
    loops = [op for op in internal(code).walk() if isinstance(op, For) and continue_condition(op) is not None]
    assert any(all(not isinstance(value.type, VectorType) for value in op.carried[:1]) for op in loops)


def test_nothing_is_loaded_for_iterations_without_points() -> None:
    """`x` has as many elements as the longest loop of a point iterations, or begins where the shortest one does."""

    @pytl.kernel
    def sums(N: Memref[i32, 19], x: Memref[f32, 4], y: Memref[f32, 19]):
        for i in foreach(19):
            total = f32(0.0)
            for k in range(index(N[i])):
                total += x[k]
            y[i] = total

    counts, values = np.arange(19, dtype=np.int32) % 8 - 3, np.arange(1, 5, dtype=np.float32)
    expected = np.array([values[: max(n, 0)].sum() for n in counts], np.float32)
    for x in at_both_ends(values):
        y = np.empty(19, np.float32)
        sums[1](counts, x, y, backend="mlir")
        assert (y == expected).all()

    @pytl.kernel
    def rests(x: Memref[f32, 19], y: Memref[f32, 19]):
        for i in foreach(19):
            total = f32(0.0)
            for k in range(18 - i, 19):
                total += x[k]
            y[i] = total

    values = np.arange(19, dtype=np.float32)
    for x in at_both_ends(values):
        y = np.empty(19, np.float32)
        rests[1](x, y, backend="mlir")
        assert (y == np.cumsum(values[::-1])).all()


FEW = """func @f(%a: memref<f32x40x40>, %y: memref<f32x40>) {
  %zero = constant 0 : index
  %one = constant 1 : index
  %n = constant 40 : index
  %start = constant 0.0 : f32
  foreach (%i) = (%zero), (%n) {
    %sum = for %k = %zero, %i init(%s=%start) -> (f32) {
      %x = load %a[BODY
      %t = arith.add %s, %OUT : f32
      yield (%t)
    }
    store %sum, %y[%i]
  }
}"""


@pytest.mark.parametrize(
    ("body", "out", "are_lanes"),
    [
        ("%i, %k] : f32", "x", True),
        ("%k, %i] : f32", "x", False),
        ("%k, %i] : f32\n%e = math.exp %x : f32", "e", True),
        (
            "%k, %i] : f32\n%v0 = arith.mul %x, %x : f32\n"
            + "\n".join(f"%v{n + 1} = arith.mul %v{n}, %x : f32" for n in range(8)),
            "v8",
            True,
        ),
    ],
    ids=["contiguous", "apart", "exponential", "much arithmetic"],
)
def test_what_computes_little_with_elements_apart_stays(body: str, out: str, are_lanes: bool) -> None:
    text = FEW.replace("BODY", body).replace("OUT", out)
    assert ("cpu.kernel" in text_after("cpu-kernels", text, **SSE)) is are_lanes
