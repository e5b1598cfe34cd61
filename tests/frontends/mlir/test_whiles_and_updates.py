"""scf.while, atomic updates, memory of the module, and regions in place: what they compute, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from frontends.mlir.cases import Case, collector, execute, execute_what_mlir_prints
from frontends.mlir.test_mistakes import told
from launch_kit import needs_sycl
from sampling import at_night

import pytl

pytestmark = pytest.mark.at_most(4)

CASES: list[Case] = []
case = collector(CASES)


def loop(condition: str, body: str, carried: str = "index", first: str = "%c0", *, args: str = "%k") -> str:
    """`scf.while` over one carried number, which is stored."""
    return f"""
  %r = scf.while (%k = {first}) : ({carried}) -> {carried} {{
    {condition}
    scf.condition(%c) {args} : {carried}
  }} do {{
  ^bb0(%k: {carried}):
    {body}
    scf.yield %q : {carried}
  }}"""


STORE = """
  %i64 = arith.index_cast %r : index to i64
  memref.store %i64, %o[%c0] : memref<1xi64>"""
COUNT = """
    %old = memref.load %n[%c0] : memref<1xi64>
    %one = arith.constant 1 : i64
    %new = arith.addi %old, %one : i64
    memref.store %new, %n[%c0] : memref<1xi64>"""


def counted(name: str, predicate: str, step: int, first: int, stop: int) -> None:
    """A loop by each comparison: where it ends, and how often its body is executed."""
    rounds, at = 0, first
    holds = {"slt": int.__lt__, "sle": int.__le__, "sgt": int.__gt__, "sge": int.__ge__, "ne": int.__ne__}
    unsigned = {"ult": "slt", "ule": "sle", "ugt": "sgt", "uge": "sge"}
    while holds[unsigned.get(predicate, predicate)](at, stop):
        rounds, at = rounds + 1, at + step
    body = f"""{COUNT}
    %s = arith.constant {step} : index
    %q = arith.addi %k, %s : index"""
    text = loop(f"%c = arith.cmpi {predicate}, %k, %m : index", body, first="%a") + STORE
    head = {"a": "index", "m": "index", "n": "memref<1xi64>", "o": "memref<1xi64>"}
    CASES.append(
        Case(
            f"while {name}",
            head,
            lambda rng: {"a": first, "m": stop, "n": np.zeros(1, np.int64), "o": np.zeros(1, np.int64)},
            text,
            lambda a, m, n, o: {"n": [rounds], "o": [at]},
        )
    )


for predicate, step, first, stop in [
    ("slt", 1, 0, 7), ("slt", 3, -2, 6), ("slt", 1, 5, 2), ("sle", 1, 0, 7), ("sle", 4, 1, 9), ("sgt", -1, 6, 0),
    ("sgt", -3, 9, -1), ("sge", -2, 7, 1), ("sge", -1, 0, 3), ("ne", 1, 2, 6), ("ne", -2, 6, 0), ("ult", 3, 1, 8),
    ("ule", 1, 0, 3), ("ugt", -2, 9, 2), ("uge", -3, 12, 2),
]:  # fmt: skip
    counted(f"{predicate} by {step} from {first} to {stop}", predicate, step, first, stop)

case("while with a sum", "a: memref<8xf32>; o: memref<1xf32>; n: index", """
  %k, %s = scf.while (%i = %c0, %x = %z) : (index, f32) -> (index, f32) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %x : index, f32
  } do {
  ^bb0(%i: index, %x: f32):
    %v = memref.load %a[%i] : memref<8xf32>
    %p = arith.addf %x, %v : f32
    %q = arith.addi %i, %c1 : index
    scf.yield %q, %p : index, f32
  }
  memref.store %s, %o[%c0] : memref<1xf32>""", lambda a, o, n: {"o": [a[:6].sum()]}, n=6)  # fmt: skip
case("while until a sum is reached", "a: memref<8xf32>; o: memref<2xf32>; n: index", """
  %two = arith.constant 2.0 : f32
  %k, %s = scf.while (%i = %c0, %x = %z) : (index, f32) -> (index, f32) {
    %l = arith.cmpi ult, %i, %n : index
    %m = arith.cmpf olt, %x, %two : f32
    %c = arith.andi %m, %l : i1
    scf.condition(%c) %i, %x : index, f32
  } do {
  ^bb0(%i: index, %x: f32):
    %v = memref.load %a[%i] : memref<8xf32>
    %p = arith.addf %x, %v : f32
    %q = arith.addi %i, %c1 : index
    scf.yield %q, %p : index, f32
  }
  %j = arith.index_cast %k : index to i32
  %f = arith.sitofp %j : i32 to f32
  memref.store %s, %o[%c0] : memref<2xf32>
  memref.store %f, %o[%c1] : memref<2xf32>""",
  lambda a, o, n: {"o": [2, 4]}, a=lambda rng: np.full(8, 0.5, np.float32), n=8)  # fmt: skip
case("while a number is halved", "o: memref<1xf32>; n: index", """
  %k, %s = scf.while (%i = %n, %x = %z) : (index, f32) -> (index, f32) {
    %c = arith.cmpi sgt, %i, %c0 : index
    scf.condition(%c) %i, %x : index, f32
  } do {
  ^bb0(%i: index, %x: f32):
    %one = arith.constant 1.0 : f32
    %p = arith.addf %x, %one : f32
    %q = arith.shrui %i, %c1 : index
    scf.yield %q, %p : index, f32
  }
  memref.store %s, %o[%c0] : memref<1xf32>""", lambda o, n: {"o": [10]}, n=1000)  # fmt: skip
case("while a number is doubled", "o: memref<32xf32>; n: index", """
  %k = scf.while (%i = %c1) : (index) -> index {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %z, %o[%i] : memref<32xf32>
    %q = arith.muli %i, %c2 : index
    scf.yield %q : index
  }""", lambda o, n: {"o": [0 if i in (1, 2, 4, 8, 16) else x for i, x in enumerate(o)]}, n=20)  # fmt: skip
case("a body in front of the condition", "o: memref<8xf32>; n: index", """
  %k = scf.while (%i = %c0) : (index) -> index {
    memref.store %z, %o[%i] : memref<8xf32>
    %q = arith.addi %i, %c1 : index
    %c = arith.cmpi slt, %q, %n : index
    scf.condition(%c) %q : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  }""", lambda o, n: {"o": [0, 0, 0, *o[3:]]}, n=3)  # fmt: skip
case("a body in front of two conditions", "a: memref<8xf32>; o: memref<8xf32>; n: index", """
  %k = scf.while (%i = %c0) : (index) -> index {
    %v = memref.load %a[%i] : memref<8xf32>
    memref.store %z, %o[%i] : memref<8xf32>
    %q = arith.addi %i, %c1 : index
    %c = arith.cmpi slt, %q, %n : index
    %p = arith.cmpf olt, %v, %z : f32
    %b = arith.andi %c, %p : i1
    scf.condition(%b) %q : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  }""", lambda a, o, n: {"o": [0, 0, 0, *o[3:]]},
  a=lambda rng: np.array([-1, -1, 1, -1, -1, -1, 1, 1], np.float32), n=7)  # fmt: skip
case("whiles in a parallel loop", "a: memref<4x8xf32>; o: memref<4xf32>; n: index", """
  scf.parallel (%g) = (%c0) to (%c4) step (%c1) {
    %k, %s = scf.while (%i = %c0, %x = %z) : (index, f32) -> (index, f32) {
      %c = arith.cmpi slt, %i, %n : index
      scf.condition(%c) %i, %x : index, f32
    } do {
    ^bb0(%i: index, %x: f32):
      %v = memref.load %a[%g, %i] : memref<4x8xf32>
      %p = arith.addf %x, %v : f32
      %q = arith.addi %i, %c2 : index
      scf.yield %q, %p : index, f32
    }
    memref.store %s, %o[%g] : memref<4xf32>
  }""", lambda a, o, n: {"o": a[:, :7:2].sum(1)}, n=7)  # fmt: skip
case("a vector that a while carries", "a: memref<5x4xf32>; o: memref<4xf32>", """
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %k, %s = scf.while (%i = %c0, %x = %zero) : (index, vector<4xf32>) -> (index, vector<4xf32>) {
    %c = arith.cmpi slt, %i, %c5 : index
    scf.condition(%c) %i, %x : index, vector<4xf32>
  } do {
  ^bb0(%i: index, %x: vector<4xf32>):
    %v = vector.load %a[%i, %c0] : memref<5x4xf32>, vector<4xf32>
    %p = arith.addf %x, %v : vector<4xf32>
    %q = arith.addi %i, %c1 : index
    scf.yield %q, %p : index, vector<4xf32>
  }
  vector.store %s, %o[%c0] : memref<4xf32>, vector<4xf32>""", lambda a, o: {"o": a.sum(0)})  # fmt: skip
case("products in a while", "a: memref<4x4xf32>; o: memref<4x4xf32>; n: index", """
  %k = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%i: index):
    linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>)
    %q = arith.addi %i, %c1 : index
    scf.yield %q : index
  }""", lambda a, o, n: {"o": o + 3 * (a @ a)}, n=3)  # fmt: skip

# Updates.

for kind in ("addi", "maxs", "mins"):
    combine: Any = {"addi": np.add, "maxs": np.maximum, "mins": np.minimum}[kind]

    def updated(combine: Any = combine) -> Any:
        def expected(a: Any, k: Any, o: Any) -> Any:
            o = o.copy()
            combine.at(o, k, a)
            return {"o": o}

        return expected

    CASES.append(
        Case(
            f"{kind} of many",
            {"a": "memref<700xi32>", "k": "memref<700xi32>", "o": "memref<5xi32>"},
            lambda rng: {
                "a": rng.integers(-99, 99, 700).astype(np.int32),
                "k": rng.integers(0, 5, 700).astype(np.int32),
                "o": np.zeros(5, np.int32),
            },
            f"""
  %n = arith.constant 700 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {{
    %v = memref.load %a[%i] : memref<700xi32>
    %w = memref.load %k[%i] : memref<700xi32>
    %x = arith.index_cast %w : i32 to index
    %y = memref.atomic_rmw {kind} %v, %o[%x] : (i32, memref<5xi32>) -> i32
  }}""",
            updated(),
        )
    )
for kind in ("addf", "maximumf", "maxnumf", "minimumf", "minnumf"):
    reduce: Any = {"addf": np.sum, "ma": np.max, "mi": np.min}[kind if kind == "addf" else kind[:2]]
    case(f"{kind} of many", "a: memref<4x5xf32>; o: memref<1xf32>", f"""
  affine.parallel (%i, %j) = (0, 0) to (4, 5) {{
    %v = affine.load %a[%i, %j] : memref<4x5xf32>
    %y = memref.atomic_rmw {kind} %v, %o[%c0] : (f32, memref<1xf32>) -> f32
  }}""", lambda a, o, reduce=reduce: {"o": [reduce([o[0], reduce(a)])]})  # fmt: skip
_KINDS = {
    "mulf": lambda old, new: old * new, "addf": lambda old, new: old + new, "assign": lambda old, new: new,
    "maximumf": max, "minnumf": min,
}  # fmt: skip
for kind, by in _KINDS.items():
    case(f"{kind} by one work-item", "a: memref<4xf32>; o: memref<4xf32>; p: memref<4xf32>", f"""
  scf.for %i = %c0 to %c4 step %c1 {{
    %v = memref.load %a[%i] : memref<4xf32>
    %y = memref.atomic_rmw {kind} %v, %o[%i] : (f32, memref<4xf32>) -> f32
    memref.store %y, %p[%i] : memref<4xf32>
  }}""", lambda a, o, p, by=by: {"o": list(map(by, o, a)), "p": o})  # fmt: skip
for kind, number in {"andi": 12 & 10, "ori": 12 | 10, "muli": 120, "maxu": 12, "minu": 10}.items():
    CASES.append(
        Case(
            f"{kind} by one work-item",
            {"o": "memref<1xi32>"},
            lambda rng: {"o": np.array([12], np.int32)},
            f"""
  %v = arith.constant 10 : i32
  %y = memref.atomic_rmw {kind} %v, %o[%c0] : (i32, memref<1xi32>) -> i32""",
            lambda o, number=number: {"o": [number]},
        )
    )
case("an update by a region", "a: memref<4x5xf32>; o: memref<2xf32>", """
  affine.parallel (%i, %j) = (0, 0) to (4, 5) {
    %v = affine.load %a[%i, %j] : memref<4x5xf32>
    %y = memref.generic_atomic_rmw %o[%c0] : memref<2xf32> {
    ^bb0(%old: f32):
      %s = arith.addf %v, %old : f32
      memref.atomic_yield %s : f32
    }
  }""", lambda a, o: {"o": [o[0] + a.sum(), o[1]]})  # fmt: skip
case("an update by a longer region", "o: memref<2xf32>; p: memref<1xf32>", """
  %y = memref.generic_atomic_rmw %o[%c1] : memref<2xf32> {
  ^bb0(%old: f32):
    %s = arith.mulf %old, %old : f32
    %t = arith.negf %s : f32
    memref.atomic_yield %t : f32
  }
  memref.store %y, %p[%c0] : memref<1xf32>""", lambda o, p: {"o": [o[0], -o[1] * o[1]], "p": [o[1]]})  # fmt: skip
case("an update between products", "a: memref<4x4xf32>; o: memref<4x4xf32>; p: memref<1xf32>", """
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>)
  %two = arith.constant 2.0 : f32
  %y = memref.atomic_rmw mulf %two, %o[%c1, %c2] : (f32, memref<4x4xf32>) -> f32
  linalg.fill ins(%y : f32) outs(%p : memref<1xf32>)
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%o : memref<4x4xf32>)""",
  lambda a, o, p: {"o": _between(a, o), "p": [(o + a @ a)[1, 2]]})  # fmt: skip


def _between(a: Any, o: Any) -> Any:
    o = o + a @ a
    o[1, 2] *= 2
    return o + a @ a


# Regions in place, hints, indices.

case("a switch", "o: memref<5xf32>", """
  scf.for %i = %c0 to %c5 step %c1 {
    %v = scf.index_switch %i -> f32
    case 1 {
      %x = arith.constant 10.0 : f32
      scf.yield %x : f32
    }
    case 4 {
      %x = arith.constant 40.0 : f32
      scf.yield %x : f32
    }
    default {
      scf.yield %z : f32
    }
    memref.store %v, %o[%i] : memref<5xf32>
    scf.index_switch %i
    case 2 {
      memref.store %v, %o[%c3] : memref<5xf32>
      scf.yield
    }
    default {
    }
  }""", lambda o: {"o": [0, 10, 0, 0, 40]})  # fmt: skip
case("regions in place", "a: memref<4xf32>; o: memref<4xf32>", """
  %v = scf.execute_region -> f32 {
    %x = memref.load %a[%c2] : memref<4xf32>
    scf.yield %x : f32
  }
  memref.alloca_scope {
    %t = memref.alloca() : memref<1xf32>
    memref.store %v, %t[%c0] : memref<1xf32>
    %w = memref.load %t[%c0] : memref<1xf32>
    memref.store %w, %o[%c1] : memref<4xf32>
  }
  memref.prefetch %a[%c0], read, locality<3>, data : memref<4xf32>
  affine.for %i = 0 to 1 {
    affine.prefetch %a[%i + 2], write, locality<0>, instr : memref<4xf32>
  }""", lambda a, o: {"o": [o[0], a[2], *o[2:]]})  # fmt: skip
case("indices of a shape", "o: memref<24xf32>; n: index", """
  affine.for %i = 0 to 24 {
    %p:3 = affine.delinearize_index %i into (2, %n, 4) : index, index, index
    %q:2 = affine.delinearize_index %i into (6) : index, index
    %r = affine.linearize_index [%p#2, %p#0, %p#1] by (4, 2, %n) : index
    %s = affine.linearize_index disjoint [%q#0, %q#1] by (6) : index
    %t = arith.subi %s, %i : index
    %u = arith.addi %t, %r : index
    %v = arith.index_cast %u : index to i32
    %f = arith.sitofp %v : i32 to f32
    affine.store %f, %o[%i] : memref<24xf32>
  }""", lambda o, n: {"o": [(i % 4) * 6 + i // 12 * 3 + i // 4 % 3 for i in range(24)]}, n=3)  # fmt: skip

# Memory of the module.

GLOBALS = f"""memref.global "private" constant @table : memref<2x3xf32> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, -0.5]]>
memref.global constant @sevens : memref<4xf32> = dense<7.0> {{alignment = 64 : i64}}
memref.global "private" constant @many : memref<200xi32> = dense<{[n * n - 7 for n in range(200)]}>
memref.global "private" constant @ends : memref<2xf32> = dense<[0x7F800000, 0xFF800000]>
memref.global "private" constant @bits : memref<3xi1> = dense<[true, false, true]>
memref.global "private" constant @one : memref<f64> = dense<2.5>
"""
GLOBAL = """
  %t = memref.get_global @table : memref<2x3xf32>
  %s = memref.get_global @sevens : memref<4xf32>
  %m = memref.get_global @many : memref<200xi32>
  %e = memref.get_global @ends : memref<2xf32>
  %b = memref.get_global @bits : memref<3xi1>
  %w = memref.get_global @one : memref<f64>
  memref.copy %t, %o : memref<2x3xf32> to memref<2x3xf32>
  memref.copy %s, %p : memref<4xf32> to memref<4xf32>
  memref.copy %m, %q : memref<200xi32> to memref<200xi32>
  memref.copy %e, %r : memref<2xf32> to memref<2xf32>
  memref.copy %b, %u : memref<3xi1> to memref<3xi1>
  memref.copy %w, %v : memref<f64> to memref<f64>"""


CASES.append(
    Case(
        "memory of the module",
        {"o": "memref<2x3xf32>", "p": "memref<4xf32>", "q": "memref<200xi32>", "r": "memref<2xf32>",
         "u": "memref<3xi1>", "v": "memref<f64>"},
        lambda rng: {"o": np.zeros((2, 3), np.float32), "p": np.zeros(4, np.float32), "q": np.zeros(200, np.int32),
                     "r": np.zeros(2, np.float32), "u": np.zeros(3, np.int8), "v": np.zeros((), np.float64)},
        GLOBAL,
        lambda **_: {"o": [[1, 2, 3], [4, 5, -0.5]], "p": [7] * 4, "q": np.arange(200) ** 2 - 7,
                     "r": [np.inf, -np.inf], "u": [1, 0, 1], "v": 2.5},
        GLOBALS,
    )
)  # fmt: skip
case("memory of the module in a parallel loop", "o: memref<5x3xf32>", """
  scf.parallel (%i) = (%c0) to (%c5) step (%c1) {
    %t = memref.get_global @table : memref<2x3xf32>
    affine.for %j = 0 to 3 {
      %x = memref.load %t[%c1, %j] : memref<2x3xf32>
      memref.store %x, %o[%i, %j] : memref<5x3xf32>
    }
  }""", lambda o: {"o": [[4, 5, -0.5]] * 5})  # fmt: skip
CASES[-1] = replace(CASES[-1], module=GLOBALS)
IDS = [each.name for each in CASES]


@pytest.mark.parametrize("given", CASES, ids=IDS)
def test_a_function_computes_what_numpy_does(given: Case) -> None:
    execute(given.text, given, "reference")
    execute(given.text, given, "reference", 3)


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize("given", CASES, ids=IDS)
def test_on_a_device(given: Case) -> None:
    execute(given.text, given, "sycl")


@pytest.mark.at_most(2)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("given", CASES, ids=IDS)
def test_what_mlir_prints_of_it_is_the_same(given: Case) -> None:
    execute_what_mlir_prints(given, CASES)


def test_a_while_that_counts_is_raised_as_a_loop_is() -> None:
    text = """func.func @f(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %end = scf.while (%k = %c0) : (index) -> index {
        %less = arith.cmpi slt, %k, %c5 : index
        scf.condition(%less) %k : index
      } do {
      ^bb0(%k: index):
        %x = memref.load %a[%i, %k] : memref<4x5xf32>
        %y = memref.load %b[%k, %j] : memref<5x6xf32>
        %z = memref.load %c[%i, %j] : memref<4x6xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        memref.store %s, %c[%i, %j] : memref<4x6xf32>
        %next = arith.addi %k, %c1 : index
        scf.yield %next : index
      }
    }
  }
  return
}"""
    assert "gemm.n.n" in pytl.from_mlir(text)["f"].ir("raised")


CONDITIONS = {
    "of memory": """
    %v = memref.load %a[%k] : memref<8xi32>
    %m = arith.constant 5 : i32
    %c = arith.cmpi ne, %v, %m : i32""",
    "of another direction": "%c = arith.cmpi sgt, %k, %c0 : index",
    "of a bound that moves": """
    %b = memref.load %a[%c0] : memref<8xi32>
    %m = arith.index_cast %b : i32 to index
    %c = arith.cmpi slt, %k, %m : index""",
    "one of which holds": """
    %e = arith.cmpi slt, %k, %n : index
    %v = memref.load %a[%k] : memref<8xi32>
    %m = arith.constant 5 : i32
    %d = arith.cmpi ne, %v, %m : i32
    %c = arith.ori %e, %d : i1""",
    "that always holds": "%c = arith.constant true",
}


@pytest.mark.parametrize("condition", CONDITIONS.values(), ids=list(CONDITIONS))
def test_a_while_that_nothing_bounds_is_refused(condition: str) -> None:
    body = "%q = arith.addi %k, %c1 : index"
    text = f"""func.func @f(%a: memref<8xi32>, %n: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index{loop(condition, body)}
  memref.store %x, %a[%r] : memref<8xi32>
  return
}}"""
    assert [each[0::2] for each in told(text)] == [
        ("PYTL-1319", "scf.while: nothing bounds its iterations"),
        ("PYTL-1309", "%x is not defined here"),
    ]


def test_an_update_that_the_language_lacks_is_refused() -> None:
    text = """func.func @f(%a: memref<8xi32>, %o: memref<1xi32>, %f: memref<1xf32>) {
  affine.parallel (%i) = (0) to (8) {
    %c0 = arith.constant 0 : index
    %v = affine.load %a[%i] : memref<8xi32>
    %x = memref.atomic_rmw ori %v, %o[%c0] : (i32, memref<1xi32>) -> i32
    %y = memref.generic_atomic_rmw %o[%c0] : memref<1xi32> {
    ^bb0(%old: i32):
      %s = arith.muli %old, %v : i32
      memref.atomic_yield %s : i32
    }
    %z = memref.atomic_rmw addi %v, %f[%c0] : (i32, memref<1xf32>) -> f32
    %w = memref.atomic_rmw nand %v, %o[%c0] : (i32, memref<1xi32>) -> i32
  }
  return
}"""
    assert told(text) == [
        ("PYTL-1320", 5, "memref.atomic_rmw: an update by ori is not atomic in the language"),
        ("PYTL-1320", 6, "memref.generic_atomic_rmw: this region is not atomic in the language"),
        ("PYTL-1305", 11, "memref.atomic_rmw: an element of memref<1xf32> is updated with a number of the type i32"),
        (
            "PYTL-1305",
            12,
            "memref.atomic_rmw: there is no such update; there are addf, addi, andi, assign, maximumf, maxnumf, maxs, "
            "maxu, minimumf, minnumf, mins, minu, mulf, muli, ori, xori",
        ),
    ]


def test_memory_of_the_module_that_is_no_constant_is_refused() -> None:
    text = """memref.global @counter : memref<1xi32> = dense<0>
memref.global constant @nothing : memref<1xi32> = uninitialized
memref.global constant @large : memref<5000xi32> = dense<1>
memref.global constant @wrong : memref<4xi32> = dense<[1, 2]>
func.func @f(%a: memref<8xi32>) {
  %p = memref.get_global @counter : memref<1xi32>
  %q = memref.get_global @nothing : memref<1xi32>
  %r = memref.get_global @large : memref<5000xi32>
  %s = memref.get_global @wrong : memref<4xi32>
  %t = memref.get_global @none : memref<4xi32>
  %u = memref.get_global @large : memref<4xi32>
  return
}"""
    assert told(text) == [
        ("PYTL-1321", 6, "memref.get_global: the values of @counter are not constant"),
        ("PYTL-1321", 7, "memref.get_global: the values of @nothing are not constant"),
        ("PYTL-1321", 8, "memref.get_global: @large has 5000 elements"),
        ("PYTL-1305", 9, "memref.get_global: 2 elements are given, but memref<4xi32> has 4"),
        ("PYTL-1309", 10, "memref.get_global: @none is no memory of the module"),
        ("PYTL-1305", 11, "memref.get_global: @large is memref<5000xi32>, but memref<4xi32> is written here"),
    ]


@pytest.mark.parametrize("backend", ["reference", *at_night(["sycl"])])
def test_the_host_executes_a_while_that_memory_ends(backend: str) -> None:
    text = """func.func @f(%a: memref<8xi32>, %o: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  scf.while : () -> () {
    %v = memref.load %a[%c0] : memref<8xi32>
    %c = arith.cmpi ne, %v, %one : i32
    scf.condition(%c)
  } do {
    %v = memref.load %a[%c0] : memref<8xi32>
    %odd = arith.andi %v, %one : i32
    %is_odd = arith.trunci %odd : i32 to i1
    %half = arith.divsi %v, %two : i32
    %more = arith.muli %v, %three : i32
    %next = arith.addi %more, %one : i32
    %w = arith.select %is_odd, %next, %half : i32
    memref.store %w, %a[%c0] : memref<8xi32>
    %n = memref.load %o[%c0] : memref<1xi32>
    %m = arith.addi %n, %one : i32
    memref.store %m, %o[%c0] : memref<1xi32>
    scf.yield
  }
  return
}"""
    a, steps = np.full(8, 27, np.int32), np.zeros(1, np.int32)
    pytl.from_mlir(text)["f"][...](a, steps, backend=backend)
    assert (a.tolist(), steps.tolist()) == ([1, *[27] * 7], [111])
