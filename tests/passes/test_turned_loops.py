"""Loops along contiguous memory in a foreach whose points lie a stride apart."""

from __future__ import annotations

import numpy as np
import pytest
from passes_kit import assert_meaning_kept, assert_printed_and_read, cache_of, checked, costs_of, stage, sycl_passes
from properties.execution import execute

import pytl
from pytl import Memref, f32, foreach, group_id
from pytl.ir.values import Module
from pytl.passes import Pipeline, find_pass
from pytl.passes.targets import vector
from pytl.passes.targets.turned_loops import MAX_WRITTEN

HEAD = """func @f(%x: memref<f32x19x11>, %y: memref<f32x19x11>, %r: memref<f32x11>, %at: memref<i32x11>, %k: index) {
  %none = constant 0 : index
  %one = constant 1 : index
  %end = constant {end} : index
  %points = constant {points} : index
  %zero = constant 0.0 : f32
  foreach (%t) = (%none), (%points) {
"""
SUM = """%s = for %i = %none, %end init(%c=%zero) -> (f32) {
  %e = load %x[%i, %t] : f32
  %u = arith.add %c, %e : f32
  yield (%u)
}
"""
SOFTMAX = """%begin = load %x[%none, %t] : f32
%m = for %i = %none, %end init(%c=%begin) -> (f32) {
  %e = load %x[%i, %t] : f32
  %u = arith.max %c, %e : f32
  yield (%u)
}
%s = for %i = %none, %end init(%c=%zero) -> (f32) {
  %e = load %x[%i, %t] : f32
  %d = arith.sub %e, %m : f32
  %p = math.exp %d : f32
  store %p, %y[%i, %t]
  %u = arith.add %c, %p : f32
  yield (%u)
}
for %i = %none, %end {
  %e = load %y[%i, %t] : f32
  %q = arith.div %e, %s : f32
  store %q, %y[%i, %t]
}
"""
RUNNING = SUM.replace("yield", "store %u, %y[%i, %t]\n  yield")
LARGEST = """%begin = load %x[%none, %t] : f32
%first = constant 0 : i32
%m, %n = for %i = %none, %end init(%c=%begin, %d=%first) -> (f32, i32) {
  %e = load %x[%i, %t] : f32
  %j = cast %i : i32
  %is = cmp.gt %e, %c : bool
  %u, %v = if %is -> (f32, i32) {
    yield (%e, %j)
  } else {
    yield (%c, %d)
  }
  yield (%u, %v)
}
store %n, %at[%t]
"""


def of_points(body: str, end: int = 19, points: int = 11) -> str:
    head = HEAD.replace("{end}", str(end)).replace("{points}", str(points))
    return f"{head}{body}  }}\n}}"


def vectorized(body: str, points: int = 11) -> Module:
    module = Pipeline(sycl_passes()).run(checked(of_points(body, points=points)))
    assert_printed_and_read(module)
    return module


def counts(module: Module, *kinds: type) -> list[int]:
    return [sum(isinstance(op, kind) for op in module.functions[0].walk()) for kind in kinds]


@pytest.mark.parametrize(
    ("body", "turned"),
    [(SUM + "store %s, %r[%t]\n", 1), (SOFTMAX, 2), (RUNNING, 2), (LARGEST, 1)],
    ids=["sum", "softmax", "running", "largest"],
)
@pytest.mark.parametrize("points", [11, 16])
def test_rows_are_loaded_at_once(body: str, turned: int, points: int) -> None:
    text = of_points(body, points=points).replace("x11>", f"x{points}>")
    module = assert_meaning_kept(text, *sycl_passes(), exact="exp" not in body, groups=1)
    transposes, gathers = counts(module, vector.Transpose, vector.Gather)
    assert transposes == turned
    assert not gathers
    # what a block of iterations leaves over goes point by point


def test_a_loop_that_carries_nothing_goes_along_its_own_memory() -> None:
    body = """%s = load %r[%t] : f32
    for %i = %none, %end {
      %e = load %x[%i, %t] : f32
      %n = cast %i : i32
      %f = cast %n : f32
      %g = load %x[%i, %none] : f32
      %p = arith.mul %e, %s : f32
      %q = arith.add %p, %f : f32
      %v = arith.mul %q, %g : f32
      store %v, %y[%i, %t]
    }
    """
    module = assert_meaning_kept(of_points(body), *sycl_passes(), exact=True, groups=1)
    assert counts(module, vector.Transpose, vector.Gather) == [0, 0]


def test_sums_keep_their_order() -> None:
    assert_meaning_kept(of_points(SUM + "store %s, %r[%t]\n"), *sycl_passes(), exact=True, groups=1)


@pytest.mark.parametrize(
    "body",
    [
        # what is read may have been written in the iteration before
        """for %i = %one, %end {
          %j = arith.sub %i, %one : index
          %e = load %x[%j, %t] : f32
          store %e, %x[%i, %t]
        }
        """,
        # the place depends on the iteration in another mode, too
        """for %i = %none, %points { %e = load %x[%i, %i] : f32
          store %e, %r[%t]
        }
        """,
    ],
)
def test_what_has_to_keep_its_order_stays(body: str) -> None:
    assert counts(vectorized(body), vector.Transpose) == [0]


def test_loads_pass_stores_of_other_parameters_unless_arrays_overlap() -> None:
    text = of_points("for %i = %none, %end {\n%e = load %x[%i, %t] : f32\nstore %e, %y[%i, %t]\n}\n")
    for name, is_turned in (("cpu-kernels", True), ("cpu-kernels{may-overlap=true}", False)):
        passes = [find_pass("execution-strategy"), find_pass(name)]
        assert ('"turned"=true' in str(Pipeline(passes).run(checked(text)))) is is_turned


def test_a_long_loop_is_not_written_out() -> None:
    count = MAX_WRITTEN // 4
    more = [f"%e{n} = arith.mul %e{n - 1}, %e : f32\n" for n in range(1, count)]
    body = SUM.replace("%u = ", f"%e0 = arith.mul %e, %e : f32\n{''.join(more)}%u = ")
    body = body.replace("%c, %e :", f"%c, %e{count - 1} :")
    assert counts(vectorized(body + "store %s, %r[%t]\n"), vector.Transpose) == [0]


@pytest.mark.parametrize("fastmath", [False, True])
def test_the_exponential_function_is_written_out_and_right_everywhere(fastmath: bool) -> None:
    text = """func @f(%a: memref<f32x64>, %b: memref<f32x64>) {
      %none = constant 0 : index
      %end = constant 64 : index
      foreach (%i) = (%none), (%end) {
        %e = load %a[%i] : f32
        %p = math.exp %e : f32
        store %p, %b[%i]
      }
    }"""
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 88.72283, 88.7229, -87.4, -103.97, -103.98, 1e30, -1e30]
    a = np.array([*special, *np.linspace(-105, 90, 64 - len(special))], np.float32)
    module = Pipeline(sycl_passes(fastmath=fastmath)).run(checked(text))
    assert counts(module, vector.VectorMath) == [0]
    with np.errstate(all="ignore"):
        exact = np.exp(a.astype(np.longdouble))
        if fastmath:  # about the least normal number, results are zero
            exact = np.where(exact < 2.0**-125, 0, exact)
        (_, b) = execute(module, [a, np.zeros_like(a)], 1)
        rounded = exact.astype(np.float32)
        assert np.array_equal(np.isfinite(b), np.isfinite(rounded))
        known = np.isfinite(rounded)
        assert np.array_equal(b[~known], rounded[~known], equal_nan=True)
        least = 2.0**-125 if fastmath else 0.0
        assert np.all(np.abs(b[known] - exact[known]) <= np.maximum(np.spacing(np.abs(rounded[known])), least))


def of_groups(end: str, points: str) -> str:
    """How functions begin whose work-groups have rows of their own."""
    return (
        HEAD.partition("\n")[2]
        .replace("{end}", end)
        .replace("{points}", points)
        .replace("  %none", "  %g = builtin.group_id : index\n  %none", 1)
    )


SUMS = (
    """func @f(%x: memref<f32x32xPOINTSx?>, %r: memref<f32xPOINTSx?>) {
"""
    + of_groups("32", "POINTS")
    + """    %a = for %i = %none, %end init(%c=%zero) -> (f32) {
      %e = load %x[%i, %t, %g] : f32
      %u = arith.add %c, %e : f32
      yield (%u)
    }
    %b = for %i = %none, %end init(%c=%a) -> (f32) {
      %e = load %x[%i, %t, %g] : f32
      %d = arith.mul %e, %e : f32
      %u = arith.add %c, %d : f32
      yield (%u)
    }
    store %b, %r[%t, %g]
  }
}"""
)
"""Sums of rows of each work-group, which two loops go along."""


def prefetched(points: int, name: str = "cpu-schedule", **costs: int) -> str:
    """Where a working set exceeds the cache, with vectors of sixteen points."""
    text = SUMS.replace("POINTS", str(points))
    with cache_of(1000), costs_of("prefetches", **{"max_in_blocks": 4096, **costs}):
        shown = stage(text, name, groups=3, items=3, prefetch=1, processor="avx512")
    return shown.partition(" prefetching if %")[2]


def test_blocks_prefetch_what_the_next_work_group_reads() -> None:
    shown = prefetched(16)
    assert "= subview %x[0:32, 0:16, %g] : memref<f32x32x16>" in shown
    later = shown.partition(" = cpu.later")[0].split()[-1]
    assert f", 0:16, {later}]" in shown
    # 32 lines for two blocks of each loop
    assert '{"line"=64, "level"=1, "per_tile"=32, "per_iteration"=[8,8]}' in shown
    assert '"level"=2' in prefetched(16, in_blocks=2047)
    assert "cpu.prefetch" not in prefetched(16, max_in_blocks=2047)


def test_blocks_prefetch_what_the_next_vector_of_points_reads() -> None:
    shown = prefetched(48)
    assert '{"onwards"=true, "line"=64, "level"=1, "per_tile"=32, "per_iteration"=[8,8]}' in shown
    assert "cpu.later" not in shown


# in a block of each of two loops; 27 points are two vectors, which are no loop, of 54 lines
@pytest.mark.parametrize(("points", "lines"), [(16, 2 * 8), (27, 2 * 2 * 7), (48, 2 * 8)])
def test_each_line_of_a_vector_of_points_is_prefetched_once(points: int, lines: int) -> None:
    assert prefetched(points, "vectorize").count("vector.prefetch ") == lines


def test_of_what_is_known_at_run_time_only_nothing_is_prefetched() -> None:
    text = SUMS.replace("POINTS", "16").replace("%end = constant 32 : index", "%end = size %x[0] : index")
    with cache_of(1000), costs_of("prefetches", max_in_blocks=4096):
        for each in (text, SUMS.replace("= constant POINTS", "= size %r[0]")):
            each = each.replace("f32x32x16x?", "f32x?x16x?").replace("POINTS", "?")
            assert "cpu.prefetch" not in stage(each, "cpu-schedule", groups=3, items=3, prefetch=1, processor="avx512")


NORMALIZED = (
    """func @f(%x: memref<f32xENDx16x?>, %y: memref<f32xENDx16x?>) {
"""
    + of_groups("END", "16")
    + """    %begin = load %x[%none, %t, %g] : f32
    %m = for %i = %none, %end init(%c=%begin) -> (f32) {
      %e = load %x[%i, %t, %g] : f32
      %u = arith.max %c, %e : f32
      yield (%u)
    }
    %s = for %i = %none, %end init(%c=%zero) -> (f32) {
      %e = load %x[%i, %t, %g] : f32
      %d = arith.sub %e, %m : f32
      store %d, %y[%i, %t, %g]
      %u = arith.add %c, %d : f32
      yield (%u)
    }
    for %i = %none, %end {
      %e = load %y[%i, %t, %g] : f32
      %d = arith.sub %e, %s : f32
      store %d, %y[%i, %t, %g]
    }
  }
}"""
)
"""Rows whose maximum comes first: one loop then stores, another one sums, and the last one goes along rows, too."""


def normalized(end: int, name: str = "cpu-schedule") -> str:
    with cache_of(1000), costs_of("prefetches", max_in_blocks=1 << 16):
        shown = stage(NORMALIZED.replace("END", str(end)), name, groups=3, items=3, prefetch=1, processor="avx512")
    return shown.partition(" prefetching if %")[2]


def test_loops_behind_a_maximum_of_long_rows_prefetch_what_it_reads() -> None:
    shown = normalized(256)
    assert "= subview %x[0:256, 0:16, %g] : memref<f32x256x16>" in shown
    # 256 lines for sixteen blocks of each of three loops; what is stored first is not prefetched
    assert '"per_tile"=256, "per_iteration"=[6,6,6]' in shown
    assert shown.count("cpu.prefetch") == 1
    # each lane of a loop that goes along rows takes its turn: six of sixteen steps of a block
    assert normalized(256, "vectorize").count("vector.prefetch ") == 3 * 6


def test_a_maximum_of_short_rows_reads_them_in_order() -> None:
    assert "cpu.prefetch" not in normalized(112)


LONG = (
    """func @f(%x: memref<f32xENDx16x?>, %r: memref<f32x16x?>) {
"""
    + of_groups("END", "16")
    + """    %s = for %i = %none, %end init(%c=%zero) -> (f32) {
      %e = load %x[%i, %t, %g] : f32
      %u = arith.add %c, %e : f32
      yield (%u)
    }
    store %s, %r[%t, %g]
  }
}"""
)


@pytest.mark.parametrize(
    ("end", "processor", "is_crowded"),
    [(1024, "avx512", True), (2048, "avx512", True), (1536, "avx512", False), (1024, "avx2", False)],
)
def test_blocks_of_rows_that_crowd_a_place_of_the_cache_begin_at_lines(
    end: int, processor: str, is_crowded: bool
) -> None:
    """Sixteen lines of as many rows have one place where these are whole pages, which eight or twelve fit."""
    text = LONG.replace("END", str(end))
    module = assert_meaning_kept(text, *sycl_passes(processor=processor), exact=True, groups=1)
    assert counts(module, vector.ToLine) == [int(is_crowded)]
    aligned = text.replace("x16x?>,", "x16x?> {alignment=64},", 1)
    assert counts(Pipeline(sycl_passes(processor=processor)).run(checked(aligned)), vector.ToLine) == [0]


@pytl.kernel
def in_order(X: Memref[f32, 1024, 16, ...], Y: Memref[f32, 16, ...]):
    g = group_id()
    for t in foreach(16):
        total = f32(0.0)
        for i in range(1024):
            total += X[i, t, g]
        Y[t, g] = total


@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
@pytest.mark.parametrize("begin", [0, 4, 16, 60])
def test_sums_keep_their_order_wherever_an_array_begins(begin: int, backend: str) -> None:
    numbers = np.random.default_rng(begin).standard_normal(1024 * 16 * 2, dtype=np.float32)
    memory = np.zeros(numbers.nbytes + 128, np.uint8)
    first = -memory.ctypes.data % 64 + begin
    x = memory[first : first + numbers.nbytes].view(np.float32).reshape((1024, 16, 2), order="F")
    x[...] = numbers.reshape(x.shape, order="F")
    y = np.zeros((16, 2), np.float32, order="F")
    in_order[2](x, y, backend=backend)
    assert np.array_equal(y, np.add.accumulate(x, axis=0)[-1])
