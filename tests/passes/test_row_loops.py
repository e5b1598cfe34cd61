"""Loops along rows whose sums have no order: vectors along each row, with the option `fastmath`."""

from __future__ import annotations

import numpy as np
import pytest
from passes_kit import assert_meaning_kept, assert_printed_and_read, checked, sycl_passes

import pytl
from pytl import Memref, exp, f32, foreach, group_id, sqrt
from pytl.ir.values import Module
from pytl.passes import Pipeline
from pytl.passes.targets import cpu, vector

HEAD = """func @f(%x: memref<{type}x{rows}>, %y: memref<{type}x{rows}>, %r: memref<{type}x{points}>) {
  %none = constant 0 : index
  %end = constant {end} : index
  %points = constant {points} : index
  %zero = constant {zero} : {type}
  %one = constant {one} : {type}
  foreach (%t) = (%none), (%points) {
"""
SUM = """%s = for %i = %none, %end init(%c=%one) -> (TYPE) {
  %e = load %x[%i, %t] : TYPE
  %u = arith.OP %c, %e : TYPE
  yield (%u)
}
store %s, %r[%t]
"""
MOMENTS = """%begin = load %x[%none, %t] : f32
%m, %s, %q = for %i = %none, %end init(%c=%begin, %d=%zero, %v=%one) -> (f32, f32, f32) {
  %e = load %x[%i, %t] : f32
  %u = arith.max %c, %e : f32
  %w = arith.sub %d, %e : f32
  %z = arith.mul %e, %e : f32
  %h = arith.add %z, %v : f32
  %k = arith.add %h, %e : f32
  yield (%u, %w, %k)
}
%p = arith.add %m, %s : f32
for %i = %none, %end {
  %e = load %x[%i, %t] : f32
  %l = arith.div %e, %q : f32
  %n = cast %i : i32
  %g = cast %n : f32
  %a = arith.mul %l, %g : f32
  %b = arith.add %a, %p : f32
  store %b, %y[%i, %t]
}
store %p, %r[%t]
"""
LARGEST = """func @f(%x: memref<f32x37x11>, %r: memref<f32x11>, %at: memref<i32x11>) {
  %none = constant 0 : index
  %end = constant 37 : index
  %points = constant 11 : index
  %first = constant 0 : i32
  foreach (%t) = (%none), (%points) {
    %begin = load %x[%none, %t] : f32
    %m, %n = for %i = %none, %end init(%c=%begin, %d=%first) -> (f32, i32) {
      %e = load %x[%i, %t] : f32
      %is = cmp.gt %e, %c : bool
      %u, %v = if %is -> (f32, i32) {
        %g = load %x[%i, %t] : f32
        %j = cast %i : i32
        yield (%g, %j)
      } else {
        yield (%c, %d)
      }
      yield (%u, %v)
    }
    store %m, %r[%t]
    store %n, %at[%t]
  }
}"""
OPERATIONS = ["add", "sub", "mul", "min", "max"]


def of_points(body: str, type_: str = "f32", end: int = 19, points: int = 11) -> str:
    zero, one = ("0.0", "1.0") if type_[0] == "f" else ("0", "1")
    head = HEAD.replace("{rows}", "{end}x{points}")
    for word, value in {"type": type_, "end": end, "points": points, "zero": zero, "one": one}.items():
        head = head.replace(f"{{{word}}}", str(value))
    return f"{head}{body}  }}\n}}"


def free(**options: object) -> list[object]:
    return sycl_passes(**{"fastmath": True, "processor": "avx2", **options})


def kernel_of(text: str) -> cpu.Kernel:
    passes = free()
    until = next(number for number, each in enumerate(passes) if each.name == "cpu-schedule")
    module = Pipeline(passes[: until + 1]).run(checked(text))
    assert_printed_and_read(module)
    (kernel,) = (op for op in module.functions[0].walk() if isinstance(op, cpu.Kernel))
    return kernel


def count(module: Module, kind: type) -> int:
    return sum(isinstance(op, kind) for op in module.functions[0].walk())


@pytest.mark.parametrize("op", [*OPERATIONS, "and", "or", "xor"])
@pytest.mark.parametrize("type_", ["f32", "i32"])
def test_each_operation_is_done_in_another_order(op: str, type_: str) -> None:
    if type_ == "f32" and op not in OPERATIONS:
        return
    text = of_points(SUM.replace("TYPE", type_).replace("OP", op), type_)
    module = assert_meaning_kept(text, *free(), exact=False, groups=1)
    assert not count(module, vector.Gather)
    # the lanes of eight rows are added up at once, by seven pairs of vectors; of the last three rows by four pairs
    assert not count(module, vector.Transpose)
    assert 2 * (7 + 4) <= count(module, vector.Shuffle) <= 2 * (7 + 5)


@pytest.mark.parametrize(("end", "points"), [(19, 11), (16, 8), (64, 2), (150, 3)])
def test_several_sums_in_a_loop(end: int, points: int) -> None:
    module = assert_meaning_kept(of_points(MOMENTS, end=end, points=points), *free(), exact=False, groups=1)
    assert_printed_and_read(module)
    assert not count(module, vector.Gather)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("processor", ["sse", "avx512", "neon", "sve256"])
def test_long_rows_on_other_machines(processor: str) -> None:
    text = of_points(MOMENTS, end=300, points=3)
    module = assert_meaning_kept(text, *free(processor=processor), exact=False, groups=1)
    assert not count(module, vector.Gather)


@pytest.mark.parametrize(
    "line", ["%e = load %x[%i, %none] : f32", "store %one, %y[%i, %t]\n%e = arith.add %one, %one : f32"]
)
@pytest.mark.parametrize("processor", ["sse", "avx2", "sve256"])
def test_a_sum_that_is_the_same_at_all_points(line: str, processor: str) -> None:
    body = SUM.replace("%e = load %x[%i, %t] : TYPE", line).replace("TYPE", "f32").replace("OP", "add")
    assert_meaning_kept(of_points(body), *free(processor=processor), exact=False, groups=1)


def test_numbers_are_multiplied_by_a_reciprocal_and_added_at_once() -> None:
    module = assert_meaning_kept(of_points(MOMENTS), *free(), exact=False, groups=1)
    divisions = [op for op in module.functions[0].walk() if isinstance(op, vector.VectorBinary) and op.variant == "div"]
    assert not divisions
    assert count(module, vector.Fma)


@pytest.mark.parametrize(
    ("end", "points", "chosen"),
    [
        (32, 64, [8, 8, 1]),  # short ones
        (120, 4096, [8, 8, 1]),
        (256, 64, [4, 8, 1]),  # from the second-level cache
        (128, 2048, [2, 8, 2]),  # from the third one: the longer, the fewer
        (512, 512, [1, 8, 4]),
        (65536, 64, [1, 8, 4]),  # from memory
    ],
)
def test_long_rows_are_executed_one_after_the_other(end: int, points: int, chosen: list[int]) -> None:
    kernel = kernel_of(of_points(MOMENTS, end=end, points=points))
    assert [kernel.attributes[name] for name in ("lanes", "along", "chains")] == chosen


@pytest.mark.parametrize(
    "body",
    [
        # the sum is read in each iteration
        """%s = for %i = %none, %end init(%c=%zero) -> (f32) {
          %e = load %x[%i, %t] : f32
          %u = arith.add %c, %e : f32
          store %u, %y[%i, %t]
          yield (%u)
        }
        """,
        # two operations
        """%s = for %i = %none, %end init(%c=%zero) -> (f32) {
          %e = load %x[%i, %t] : f32
          %v = arith.mul %c, %e : f32
          %u = arith.add %v, %e : f32
          yield (%u)
        }
        """,
        # what is read was written in the iteration before
        """%s = for %i = %none, %end init(%c=%zero) -> (f32) {
          %e = load %x[%i, %t] : f32
          store %e, %x[%none, %t]
          %u = arith.add %c, %e : f32
          yield (%u)
        }
        """,
        # no more than a vector
        "%k = constant 15 : index\n" + SUM.replace("TYPE", "f32").replace("OP", "add").replace("%end", "%k"),
    ],
)
def test_other_loops_stay(body: str) -> None:
    assert "along" not in kernel_of(of_points(body + "store %s, %r[%t]\n" * ("store %s" not in body))).attributes


def test_sums_keep_their_order_by_default() -> None:
    text = of_points(MOMENTS)
    passes = sycl_passes(processor="avx2")
    assert str(Pipeline(passes).run(checked(text))) == str(
        Pipeline(sycl_passes(processor="avx2", fastmath=False)).run(checked(text))
    )
    assert_meaning_kept(text, *passes, exact=True, groups=1)


@pytest.mark.parametrize("condition", ["gt %e, %c", "lt %e, %c", "gt %c, %e"])
def test_the_first_of_the_largest_is_found_by_default(condition: str) -> None:
    x = np.random.default_rng(3).integers(-4, 4, (37, 11)).astype(np.float32, order="F")
    x[5, 1], x[0, 2], x[:, 3], x[7, 4], x[:9, 5] = np.nan, np.nan, np.nan, np.inf, -0.0
    arguments = [x, np.zeros(11, np.float32), np.zeros(11, np.int32)]
    text = LARGEST.replace("gt %e, %c", condition)
    module = assert_meaning_kept(text, *sycl_passes(processor="avx2"), arguments=arguments, exact=True, groups=1)
    assert not count(module, vector.Gather)
    # the numbers, and where they are: the lanes of two vectors of points
    assert not count(module, vector.Transpose)
    assert 2 * 2 * (7 + 4) <= count(module, vector.Shuffle) <= 2 * 2 * (7 + 5)


@pytl.kernel
def rows(X: Memref[f32, 1100, 16, ...], Y: Memref[f32, 1100, 16, ...], Z: Memref[f32, 16, ...]):
    g = group_id()
    for t in foreach(16):
        largest = X[0, t, g]
        for i in range(1100):
            largest = max(largest, X[i, t, g])
        total = f32(0.0)
        for i in range(1100):
            raised = exp(X[i, t, g] - largest)
            Y[i, t, g] = raised
            total += raised * raised
        length = sqrt(total)
        for i in range(1100):
            Y[i, t, g] = Y[i, t, g] / length
        Z[t, g] = length


@pytest.mark.at_night
@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_launches_take_the_option(backend: str) -> None:
    x = np.asfortranarray(np.random.default_rng(2).standard_normal((1100, 16, 3), dtype=np.float32))
    x[3, 2, 0], x[4, 5, 1], x[7, 7, 2] = np.nan, np.inf, -np.inf
    results = []
    for of, options in (("reference", {}), (backend, {"fastmath": True})):
        y, z = np.zeros_like(x, order="F"), np.zeros((16, 3), np.float32, order="F")
        with np.errstate(all="ignore"):
            rows[3, options](x, y, z, backend=of)
        results.append((y, z))
    for expected, found in zip(*results):
        np.testing.assert_allclose(found, expected, rtol=5e-5, atol=1e-7)


@pytest.mark.tools_of("mlir")
def test_loops_along_rows_stay_as_they_are() -> None:
    stages = {stage: rows.emit("mlir", stage=stage, fastmath=True) for stage in ("mlir", "llvm")}
    # a sum, and what is left of a row; what is written, and what is left of that
    loops = rows.ir("vectorize", fastmath=True).count("unroll=false")
    assert loops and stages["mlir"].count("{llvm.loop_annotation = ") == loops
    assert "llvm.loop.unroll.disable" in stages["llvm"]
