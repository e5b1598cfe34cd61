"""Memrefs that loops carry and branches give: what is computed, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frontends.mlir.cases import Case, collector, execute, execute_what_mlir_prints
from frontends.mlir.test_mistakes import told
from launch_kit import needs_sycl

import pytl

CASES: list[Case] = []
case = collector(CASES)
M8 = "memref<8xf32>"
PART = "memref<2xf32, strided<[1], offset: ?>>"


def smoothed(x: Any, y: Any) -> Any:
    x, y = x.copy(), y.copy()
    for _ in range(3):
        y[1:7] = x[:6] + x[2:]
        x, y = y, x
    return x, y


case("two that a loop exchanges", f"x: {M8}; y: {M8}; o: {M8}", f"""
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> ({M8}, {M8}) {{
    scf.for %j = %c1 to %c7 step %c1 {{
      %l = arith.subi %j, %c1 : index
      %m = arith.addi %j, %c1 : index
      %u = memref.load %a[%l] : {M8}
      %v = memref.load %a[%m] : {M8}
      %w = arith.addf %u, %v : f32
      memref.store %w, %b[%j] : {M8}
    }}
    scf.yield %b, %a : {M8}, {M8}
  }}
  linalg.copy ins(%r#0 : {M8}) outs(%o : {M8})""",
  lambda x, y, o: {"x": smoothed(x, y)[1], "y": smoothed(x, y)[0], "o": smoothed(x, y)[0]})  # fmt: skip
case("one of two, by a branch", f"x: {M8}; y: {M8}; n: index", f"""
  %c = arith.cmpi slt, %n, %c2 : index
  %m, %k = scf.if %c -> ({M8}, index) {{
    scf.yield %x, %c1 : {M8}, index
  }} else {{
    scf.yield %y, %c2 : {M8}, index
  }}
  %v = memref.load %m[%k] : {M8}
  memref.store %v, %m[%c0] : {M8}""",
  lambda x, y, n: {"x": x, "y": np.concatenate([y[2:3], y[1:]])}, n=5)  # fmt: skip
case("memory that a branch takes", f"x: {M8}; n: index", f"""
  %c = arith.cmpi slt, %n, %c2 : index
  %m = scf.if %c -> ({M8}) {{
    %t = memref.alloc() : {M8}
    linalg.fill ins(%z : f32) outs(%t : {M8})
    scf.yield %t : {M8}
  }} else {{
    %t = memref.alloc() : {M8}
    linalg.copy ins(%x : {M8}) outs(%t : {M8})
    scf.yield %t : {M8}
  }}
  %v = memref.load %m[%c1] : {M8}
  memref.store %v, %x[%c0] : {M8}""", lambda x, n: {"x": np.concatenate([[0], x[1:]])}, n=1)  # fmt: skip
case("a select, and a part of it", f"x: {M8}; y: {M8}; n: index; o: memref<2xf32>", f"""
  %c = arith.cmpi slt, %n, %c2 : index
  %m = arith.select %c, %x, %y : {M8}
  %p = memref.subview %m[%n] [2] [1] : {M8} to {PART}
  linalg.copy ins(%p : {PART}) outs(%o : memref<2xf32>)""", lambda x, y, n, o: {"o": y[4:6]}, n=4)  # fmt: skip
case("a switch in a switch", f"x: {M8}; y: {M8}; o: {M8}; n: index", f"""
  %m = scf.index_switch %n -> {M8}
  case 0 {{
    scf.yield %x : {M8}
  }}
  case 1 {{
    scf.yield %y : {M8}
  }}
  default {{
    %c = arith.cmpi slt, %n, %c4 : index
    %s = arith.select %c, %y, %o : {M8}
    scf.yield %s : {M8}
  }}
  memref.store %z, %m[%n] : {M8}""",
  lambda x, y, o, n: {"o": np.where(np.arange(8) == 5, 0, o), "y": y}, n=5)  # fmt: skip
case("a part that moves on", f"x: {M8}; o: memref<4xf32>", f"""
  %first = memref.subview %x[%c1] [2] [1] : {M8} to {PART}
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %first, %at = %c1) -> ({PART}, index) {{
    %u = memref.load %p[%c0] : {PART}
    %v = memref.load %p[%c1] : {PART}
    %w = arith.addf %u, %v : f32
    memref.store %w, %o[%i] : memref<4xf32>
    %next = arith.addi %at, %c1 : index
    %q = memref.subview %x[%next] [2] [1] : {M8} to {PART}
    scf.yield %q, %next : {PART}, index
  }}
  %l = memref.load %r#0[%c1] : {PART}
  memref.store %l, %o[%c3] : memref<4xf32>""",
  lambda x, o: {"o": [x[1] + x[2], x[2] + x[3], x[3] + x[4], x[5]]})  # fmt: skip
case("a place in memory without a rank", "p: memref<*xf32>; n: i32", """
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %begin = arith.index_cast %n : i32 to index
  %v = arith.sitofp %n : i32 to f32
  %s = memref.reinterpret_cast %p to offset: [%begin], sizes: [1], strides: [1]
    : memref<*xf32> to memref<1xf32, strided<[1], offset: ?>>
  %r = scf.for %i = %zero to %five step %one iter_args(%a = %s) -> (memref<1xf32, strided<[1], offset: ?>>) : i32 {
    memref.store %v, %a[%c0] : memref<1xf32, strided<[1], offset: ?>>
    %base, %at, %size, %step = memref.extract_strided_metadata %a
      : memref<1xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
    %j = arith.index_cast %i : i32 to index
    %k = arith.addi %at, %j : index
    %m = memref.reinterpret_cast %base to offset: [%k], sizes: [1], strides: [1]
      : memref<f32> to memref<1xf32, strided<[1], offset: ?>>
    scf.yield %m : memref<1xf32, strided<[1], offset: ?>>
  }""",
  lambda p, n: {"p": np.where(np.isin(np.arange(32), [3, 4, 6, 9]), 3, p)}, p=(32,), n=3)  # fmt: skip
case("memory that a loop gives up", f"x: {M8}; y: {M8}", f"""
  %r:2 = scf.while (%m = %x, %i = %c0) : ({M8}, index) -> ({M8}, index) {{
    %c = arith.cmpi slt, %i, %c3 : index
    scf.condition(%c) %m, %i : {M8}, index
  }} do {{
  ^bb0(%m: {M8}, %i: index):
    %k = arith.addi %i, %c1 : index
    %v = memref.load %m[%k] : {M8}
    memref.store %v, %y[%i] : {M8}
    scf.yield %y, %k : {M8}, index
  }}
  memref.store %z, %r#0[%c5] : {M8}""",
  lambda x, y: {"y": [x[1], y[2], y[3], y[3], y[4], 0, y[6], y[7]], "x": x})  # fmt: skip
case("blocks that are passed memory", f"x: {M8}; y: {M8}; n: index", f"""
  %c = arith.cmpi slt, %n, %c2 : index
  cf.cond_br %c, ^store(%x : {M8}), ^other
^other:
  cf.br ^store(%y : {M8})
^store(%m: {M8}):
  memref.store %z, %m[%c4] : {M8}""",
  lambda x, y, n: {"x": x, "y": np.where(np.arange(8) == 4, 0, y)}, n=3)  # fmt: skip
NAMED = [pytest.param(each, id=each.name) for each in CASES]


@pytest.mark.parametrize("given", NAMED)
def test_a_function_computes_what_numpy_does(given: Case) -> None:
    execute(given.text, given, "reference")


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize("given", NAMED)
def test_on_a_device(given: Case) -> None:
    execute(given.text, given, "sycl")


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("given", NAMED)
def test_on_the_host_through_mlir(given: Case) -> None:
    execute(given.text, given, "mlir")


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("given", NAMED)
def test_what_mlir_prints_of_it_is_the_same(given: Case) -> None:
    execute_what_mlir_prints(given, CASES)


def test_memory_that_an_iteration_takes_is_not_carried() -> None:
    found = told(f"""func.func @f(%x: {M8}, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x) -> ({M8}) {{
    %t = memref.alloc() : {M8}
    linalg.copy ins(%m : {M8}) outs(%t : {M8})
    scf.yield %t : {M8}
  }}
  memref.copy %r, %x : {M8} to {M8}
  return
}}""")
    assert found == [("PYTL-1305", 4, "scf.for: it gives %t, which is memory that it takes itself")]


def test_a_loop_takes_parts_of_parts_no_more_often_than_it_has_states() -> None:
    with pytest.raises(pytl.LanguageError, match="views of views"):
        pytl.from_mlir("""func.func @f(%x: memref<?xf32, strided<[1], offset: ?>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %x) -> (memref<?xf32, strided<[1], offset: ?>>) {
    memref.store %z, %m[%c0] : memref<?xf32, strided<[1], offset: ?>>
    %t = memref.subview %m[1] [2] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
    %u = memref.cast %t : memref<2xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    scf.yield %u : memref<?xf32, strided<[1], offset: ?>>
  }
  return
}""")


def test_a_branch_without_else_gives_no_memory() -> None:
    found = told(f"""func.func @f(%c: i1, %x: {M8}) {{
  %r = scf.if %c -> {M8} {{
    scf.yield %x : {M8}
  }}
  return
}}""")
    assert found == [("PYTL-1305", 2, "scf.if: it gives values, but has no else")]
