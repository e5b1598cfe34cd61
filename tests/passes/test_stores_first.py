"""Loops along rows that store elements and sum them up become two, and a maximum beside sums goes along rows."""

from __future__ import annotations

import numpy as np
import pytest
from passes_kit import assert_meaning_kept, checked, costs_of, sycl_passes

import pytl
from pytl import Memref, exp, f32, foreach, group_id
from pytl.ir.values import Module
from pytl.ops import For, Store
from pytl.passes import Pipeline
from pytl.passes.targets import cpu, vector

HEAD = """func @f(%x: memref<f32x{rows}>, %y: memref<{type}x{rows}>, %r: memref<f32x{points}>,
        %h: memref<f32x{points}>) {
  %none = constant 0 : index
  %end = constant {end} : index
  %points = constant {points} : index
  %zero = constant 0.0 : f32
  %two = constant 2.0 : f32
  foreach (%t) = (%none), (%points) {
"""
LARGEST = """%begin = load %x[%none, %t] : f32
%m = for %i = %none, %end init(%c=%begin) -> (f32) {
  %e = load %x[%i, %t] : f32
  %u = arith.max %c, %e : f32
  yield (%u)
}
store %m, %h[%t]
"""
SQUARES = """%s = for %i = %none, %end init(%c=%zero) -> (f32) {
  %e = load %x[%i, %t] : f32
  %d = arith.sub %e, %two : f32
  store %d, %y[%i, %t]
  %p = arith.mul %d, %d : f32
  %u = arith.add %c, %p : f32
  yield (%u)
}
store %s, %r[%t]
"""
SCALED = SQUARES.replace("store %d, %y", "%q = arith.mul %d, %two : f32\n  store %q, %y")
"""The difference is computed twice."""
HALVES = SQUARES.replace("store %d, %y", "%w = cast %d : f16\n  store %w, %y")
"""So it is, as what is stored is rounded."""
COSTLY = SCALED.replace("arith.sub %e", "arith.div %e")
RUNNING = SQUARES.replace("  store %d, %y[%i, %t]\n", "").replace("  yield", "  store %u, %y[%i, %t]\n  yield")
"""A store needs the sum."""
OLD = SQUARES.replace("  store", "  %o = load %y[%i, %t] : f32\n  store").replace("%d, %d", "%o, %o")
"""The sum needs what was there before."""


def of_points(body: str, end: int = 37, points: int = 16) -> str:
    type_ = "f16" if "f16" in body else "f32"
    head = HEAD.replace("{rows}", f"{end}x{points}").replace("{type}", type_)
    return f"{head.replace('{end}', str(end)).replace('{points}', str(points))}{body}  }}\n}}"


def loops_of(text: str) -> list[For]:
    """The loops of the only kernel."""
    passes = sycl_passes(processor="avx2")
    until = next(number for number, each in enumerate(passes) if each.name == "cpu-kernels")
    module = Pipeline(passes[: until + 1]).run(checked(text))
    (kernel,) = (op for op in module.functions[0].walk() if isinstance(op, cpu.Kernel))
    return [op for op in kernel.body.walk() if isinstance(op, For)]


def kept(text: str, *, exact: bool = True) -> Module:
    return assert_meaning_kept(text, *sycl_passes(processor="avx2"), exact=exact, groups=1)


def count(module: Module, kind: type) -> int:
    return sum(isinstance(op, kind) for op in module.functions[0].walk())


@pytest.mark.parametrize("body", [SQUARES, SCALED, HALVES])
@pytest.mark.parametrize("points", [8, 11])
def test_elements_are_stored_along_rows_and_summed_in_order(body: str, points: int) -> None:
    text = of_points(body, points=points)
    stores, sums = loops_of(text)
    assert not stores.results and any(isinstance(op, Store) for op in stores.body.walk())
    assert sums.results and not any(isinstance(op, Store) for op in sums.body.walk())
    module = kept(text)
    vectors = -(-points // 8)
    assert count(module, vector.Transpose) == vectors  # of what was stored, or of what is loaded
    assert not count(module, vector.Gather)


@pytest.mark.parametrize("body", [COSTLY, RUNNING, OLD])
def test_others_stay_one_loop(body: str) -> None:
    text = of_points(body)
    assert len(loops_of(text)) == 1
    kept(text)


def test_rows_that_leave_the_cache_stay_one_loop() -> None:
    text = of_points(SQUARES)
    with costs_of("caches", second_level=8 * 37 * 4 * 2):
        assert len(loops_of(text)) == 2
    with costs_of("caches", second_level=8 * 37 * 4 * 2 - 1):
        assert len(loops_of(text)) == 1


@pytest.mark.parametrize("points", [8, 11])
@pytest.mark.parametrize("end", [37, 300])
def test_a_maximum_beside_sums_in_order_turns_nothing(end: int, points: int) -> None:
    text = of_points(LARGEST + SQUARES, end, points)
    module = kept(text)
    assert count(module, vector.Transpose) == -(-points // 8)
    assert not count(module, vector.Gather)


def test_short_loops_of_maxima_go_by_points() -> None:
    module = kept(of_points(LARGEST + SQUARES, 15))
    assert count(module, vector.Transpose) == 2 * 2


def test_a_maximum_alone_goes_along_rows() -> None:
    module = kept(of_points(LARGEST, 37))
    assert not count(module, vector.Transpose)


def test_each_row_begins_with_its_own_number() -> None:
    x = -np.arange(37 * 16, dtype=np.float32).reshape(37, 16, order="F")
    x[0, 0] = 1e6  # no other row's largest number
    arguments = [x, np.zeros_like(x, order="F"), np.zeros(16, np.float32), np.zeros(16, np.float32)]
    for text in (of_points(LARGEST), of_points(LARGEST + SQUARES)):
        assert_meaning_kept(text, *sycl_passes(processor="avx2"), arguments=arguments, groups=1)


def vector_code(body: str) -> vector.Code:
    module = Pipeline(sycl_passes(processor="avx2")).run(checked(of_points(body, 32, 8)))
    (code,) = (op for op in module.functions[0].walk() if isinstance(op, vector.Code))
    return code


def test_short_rows_are_loaded_in_the_order_of_memory() -> None:
    loops = [op for op in vector_code(LARGEST).body.walk() if isinstance(op, For)]
    assert len(loops) == 8
    for number, loop in enumerate(loops):
        (load,) = (op for op in loop.body.walk() if isinstance(op, vector.Load))
        first, row = load.indices
        assert first is loop.variable and row.owner.literal == number
        assert loop.attributes["unroll"] is False


def test_functions_of_short_rows_are_written_out() -> None:
    body = vector_code(LARGEST.replace("%u = arith.max %c, %e", "%f = math.exp %e : f32\n  %u = arith.max %c, %f")).body
    loads = [op for op in body.walk() if isinstance(op, vector.Load) and op.tensor.type.order == 2]
    assert not any(isinstance(op, For) for op in body.walk())
    places = [tuple(at.owner.literal for at in op.indices) for op in loads]
    assert places[-32:] == [(first, row) for row in range(8) for first in range(0, 32, 8)]


def test_what_was_accessed_before_is_reduced_in_step() -> None:
    body = LARGEST + LARGEST.replace("max", "min").replace("%m", "%n").replace("%begin", "%first").replace("%h", "%r")
    codes = map(vector_code, (LARGEST, body))
    by_row, in_step = ([op.trips for op in code.body.walk() if isinstance(op, For)] for code in codes)
    assert in_step == [*by_row, 4]


@pytl.kernel
def softmax(X: Memref[f32, 70, 16, ...], Y: Memref[f32, 70, 16, ...]):
    g = group_id()
    for t in foreach(16):
        largest = X[0, t, g]
        for i in range(70):
            largest = max(largest, X[i, t, g])
        total = f32(0.0)
        for i in range(70):
            raised = exp(X[i, t, g] - largest)
            Y[i, t, g] = raised
            total += raised
        for i in range(70):
            Y[i, t, g] = Y[i, t, g] / total


@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_a_softmax_is_that_of_numpy(backend: str) -> None:
    x = np.asfortranarray(np.random.default_rng(5).standard_normal((70, 16, 3), dtype=np.float32) * 4)
    x[3, 2, 0] = -np.inf
    raised = np.exp((x - x.max(axis=0)).astype(np.float64))
    y = np.zeros_like(x, order="F")
    softmax[3](x, y, backend=backend)
    np.testing.assert_allclose(y, raised / raised.sum(axis=0), rtol=2e-6, atol=1e-30)
    in_place = x.copy(order="F")
    softmax[3](in_place, in_place, backend=backend)
    np.testing.assert_allclose(in_place, y, rtol=1e-6)
