"""Functions of memref, scf, affine, linalg and vector: each computes what NumPy computes, in both forms of the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from frontends.mlir.cases import Case, collector, execute, execute_what_mlir_prints
from frontends.mlir.host import Host
from launch_kit import needs_sycl
from sampling import at_night

pytestmark = pytest.mark.at_most(6)

CASES: list[Case] = []
case = collector(CASES)


def fortran(rows: int, columns: int) -> Callable[[np.random.Generator], np.ndarray]:
    return lambda rng: np.asfortranarray(rng.uniform(-1, 1, (rows, columns)).astype(np.float32))


# memref.

case("load and store", "a: memref<4x3xf32>; b: memref<3x4xf32>", """
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 3 {
      %v = memref.load %a[%i, %j] : memref<4x3xf32>
      memref.store %v, %b[%j, %i] : memref<3x4xf32>
    }
  }""", lambda a, b: {"b": a.T})  # fmt: skip
case("sizes", "a: memref<?x?xf32>; o: memref<2xf32>", """
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  %x = arith.index_cast %m : index to i64
  %y = arith.index_cast %n : index to i64
  %f = arith.sitofp %x : i64 to f32
  %g = arith.sitofp %y : i64 to f32
  memref.store %f, %o[%c0] : memref<2xf32>
  memref.store %g, %o[%c1] : memref<2xf32>""", lambda a, o: {"o": [5, 3]}, a=(5, 3))  # fmt: skip
case("columns of a strided layout", "a: memref<4x3xf32, strided<[1, 4]>>; o: memref<4x3xf32>", """
  memref.copy %a, %o : memref<4x3xf32, strided<[1, 4]>> to memref<4x3xf32>""",
  lambda a, o: {"o": a}, a=fortran(4, 3))  # fmt: skip
case("columns of a layout map", "a: memref<4x3xf32, #swap>; o: memref<4x3xf32>", """
  memref.copy %a, %o : memref<4x3xf32, #swap> to memref<4x3xf32>""",
  lambda a, o: {"o": a}, a=fortran(4, 3))  # fmt: skip
case("tiles of a layout map",
     "a: memref<4x6xf32, affine_map<(i, j) -> (i floordiv 2, j floordiv 3, i mod 2, j mod 3)>>; o: memref<4x6xf32>", """
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %v = affine.load %a[%i, %j] : memref<4x6xf32, affine_map<(i, j) -> (i floordiv 2, j floordiv 3, i mod 2, j mod 3)>>
      affine.store %v, %o[%i, %j] : memref<4x6xf32>
    }
  }""", lambda a, o: {"o": a.transpose(0, 2, 1, 3).reshape(4, 6)}, a=(2, 2, 2, 3))  # fmt: skip
case("elements that share memory", "a: memref<3x2xf32, strided<[1, 1]>>; o: memref<3x2xf32>", """
  memref.copy %a, %o : memref<3x2xf32, strided<[1, 1]>> to memref<3x2xf32>""",
  lambda a, o: {"o": np.lib.stride_tricks.sliding_window_view(a, 2)}, a=(4,))  # fmt: skip
case("a number without dimensions", "a: memref<f32>; o: memref<f32>", """
  %v = memref.load %a[] : memref<f32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %o[] : memref<f32>""", lambda a, o: {"o": a + a})  # fmt: skip
case("subviews", "a: memref<6x8xf32>; n: index; o: memref<6x8xf32>", """
  %s = memref.subview %a[1, %n] [3, 4] [1, 1] : memref<6x8xf32> to memref<3x4xf32, strided<[8, 1], offset: ?>>
  %r = memref.subview %a[%n, 0] [1, 8] [1, 1] : memref<6x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  %t = memref.subview %o[0, 0] [3, 4] [2, 2] : memref<6x8xf32> to memref<3x4xf32, strided<[16, 2]>>
  %l = memref.subview %o[5, 0] [1, 8] [1, 1] : memref<6x8xf32> to memref<8xf32, strided<[1], offset: 40>>
  memref.copy %s, %t : memref<3x4xf32, strided<[8, 1], offset: ?>> to memref<3x4xf32, strided<[16, 2]>>
  memref.copy %r, %l : memref<8xf32, strided<[1], offset: ?>> to memref<8xf32, strided<[1], offset: 40>>""",
  lambda a, n, o: {"o": _subviews(a, n, o)}, n=2)  # fmt: skip
case("a transposed view", "a: memref<4x3xf32>; o: memref<3x4xf32>", """
  %t = memref.transpose %a (d0, d1) -> (d1, d0) : memref<4x3xf32> to memref<3x4xf32, strided<[1, 3]>>
  memref.copy %t, %o : memref<3x4xf32, strided<[1, 3]>> to memref<3x4xf32>""", lambda a, o: {"o": a.T})  # fmt: skip
case("joined and split dimensions", "a: memref<2x3x4xf32>; o: memref<6x2x2xf32>", """
  %f = memref.collapse_shape %a [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  %e = memref.expand_shape %f [[0], [1, 2]] output_shape [6, 2, 2] : memref<6x4xf32> into memref<6x2x2xf32>
  memref.copy %e, %o : memref<6x2x2xf32> to memref<6x2x2xf32>""", lambda a, o: {"o": a.reshape(6, 2, 2)})  # fmt: skip
case("dynamic dimensions that are joined and split", "a: memref<?x?xf32>; o: memref<?x2xf32>; n: index", """
  %f = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %e = memref.expand_shape %f [[0, 1]] output_shape [%n, 2] : memref<?xf32> into memref<?x2xf32>
  memref.copy %e, %o : memref<?x2xf32> to memref<?x2xf32>""",
  lambda a, o, n: {"o": a.reshape(6, 2)}, a=(4, 3), o=(6, 2), n=6)  # fmt: skip
case("other shapes of the same elements", "a: memref<2x6xf32>; s: memref<3xi32>; o: memref<3x2x2xf32>; p: memref<?x?x?xf32>; "
     "q: memref<6xf32>", """
  %r = memref.reshape %a(%s) : (memref<2x6xf32>, memref<3xi32>) -> memref<3x2x2xf32>
  memref.copy %r, %o : memref<3x2x2xf32> to memref<3x2x2xf32>
  %t = memref.reshape %a(%s) : (memref<2x6xf32>, memref<3xi32>) -> memref<?x?x?xf32>
  memref.copy %t, %p : memref<?x?x?xf32> to memref<?x?x?xf32>
  %h = memref.alloca() : memref<1xindex>
  memref.store %c6, %h[%c0] : memref<1xindex>
  %f = memref.subview %a[1, 0] [1, 6] [1, 1] : memref<2x6xf32> to memref<1x6xf32, strided<[6, 1], offset: 6>>
  %l = memref.alloca() : memref<1x6xf32>
  memref.copy %f, %l : memref<1x6xf32, strided<[6, 1], offset: 6>> to memref<1x6xf32>
  %u = memref.reshape %l(%h) : (memref<1x6xf32>, memref<1xindex>) -> memref<?xf32>
  memref.copy %u, %q : memref<?xf32> to memref<6xf32>""",
  lambda a, s, o, p, q: {"o": a.reshape(3, 2, 2), "p": a.reshape(3, 2, 2), "q": a[1]},
  s=np.array([3, 2, 2], np.int32), p=(3, 2, 2))  # fmt: skip
case("one element in another shape", "a: memref<f32>; s: memref<2xindex>; o: memref<1x?xf32>", """
  %r = memref.reshape %a(%s) : (memref<f32>, memref<2xindex>) -> memref<1x?xf32>
  memref.copy %r, %o : memref<1x?xf32> to memref<1x?xf32>""",
  lambda a, s, o: {"o": a.reshape(1, 1)}, s=np.array([1, 1]), a=lambda rng: np.array(rng.uniform(), np.float32),
  o=(1, 1))  # fmt: skip
case("a reinterpreted diagonal", "a: memref<4x4xf32>; o: memref<4xf32>", """
  %d = memref.reinterpret_cast %a to offset: [0], sizes: [4], strides: [5] : memref<4x4xf32> to memref<4xf32, strided<[5]>>
  memref.copy %d, %o : memref<4xf32, strided<[5]>> to memref<4xf32>""", lambda a, o: {"o": np.diag(a)})  # fmt: skip
case("a view by its metadata", "a: memref<?x?xf32, strided<[?, 1], offset: ?>>; o: memref<3xf32>; i: index", """
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a
    : memref<?x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  %down = arith.muli %i, %strides#0 : index
  %at = arith.addi %offset, %down : index
  %r = memref.reinterpret_cast %base to offset: [%at], sizes: [3], strides: [1]
    : memref<f32> to memref<3xf32, strided<[1], offset: ?>>
  memref.copy %r, %o : memref<3xf32, strided<[1], offset: ?>> to memref<3xf32>""",
  lambda a, o, i: {"o": a[2]}, a=lambda rng: rng.uniform(-1, 1, (5, 9)).astype(np.float32)[:, 2:5], i=2)  # fmt: skip
case("memrefs that are said to be apart", "a: memref<8xf32>; o: memref<2x4xf32>", """
  %x, %y = memref.distinct_objects %a, %o : memref<8xf32>, memref<2x4xf32>
  %m = memref.collapse_shape %y [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  memref.copy %x, %m : memref<8xf32> to memref<8xf32>""", lambda a, o: {"o": a.reshape(2, 4)})  # fmt: skip
case("local memory", "a: memref<8xf32>; o: memref<8xf32>", """
  %t = memref.alloca() : memref<8xf32>
  %u = memref.alloc(%c8) {alignment = 64 : i64} : memref<?xf32>
  memref.copy %a, %t : memref<8xf32> to memref<8xf32>
  linalg.exp ins(%t : memref<8xf32>) outs(%u : memref<?xf32>)
  %w = memref.cast %u : memref<?xf32> to memref<8xf32>
  memref.copy %w, %o : memref<8xf32> to memref<8xf32>
  memref.dealloc %u : memref<?xf32>""", lambda a, o: {"o": np.exp(a)})  # fmt: skip

# scf.

case("a loop that carries numbers", "a: memref<8xf32>; o: memref<2xf32>", """
  %s, %m = scf.for %i = %c1 to %c8 step %c2 iter_args(%x = %z, %y = %z) -> (f32, f32) {
    %v = memref.load %a[%i] : memref<8xf32>
    %p = arith.addf %x, %v : f32
    %q = arith.maxnumf %y, %v : f32
    scf.yield %p, %q : f32, f32
  }
  memref.store %s, %o[%c0] : memref<2xf32>
  memref.store %m, %o[%c1] : memref<2xf32>""", lambda a, o: {"o": [a[1::2].sum(), max(0, a[1::2].max())]})  # fmt: skip
case("a loop over unsigned numbers", "o: memref<4xf32>; n: i32", """
  %one = arith.constant 1 : i32
  %first = arith.constant -2 : i32
  %v = arith.constant 5.0 : f32
  scf.for unsigned %i = %n to %first step %one : i32 {
    %j = arith.subi %i, %n : i32
    %k = arith.index_cast %j : i32 to index
    memref.store %v, %o[%k] : memref<4xf32>
  }""", lambda o, n: {"o": [5, 5, 5, o[3]]}, n=-5)  # fmt: skip
case("branches", "a: memref<8xf32>; o: memref<8xf32>; p: i1", """
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %a[%i] : memref<8xf32>
    %n = arith.cmpf olt, %v, %z : f32
    %w = scf.if %n -> (f32) {
      %m = arith.negf %v : f32
      scf.yield %m : f32
    } else {
      scf.yield %v : f32
    }
    scf.if %p {
      memref.store %w, %o[%i] : memref<8xf32>
    }
  }""", lambda a, o, p: {"o": np.abs(a)}, p=True)  # fmt: skip
case("a parallel loop in blocks", "a: memref<?xf32>; o: memref<?xf32>", """
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.parallel (%i) = (%c1) to (%n) step (%c2) {
    %v = memref.load %a[%i] : memref<?xf32>
    memref.store %v, %o[%i] : memref<?xf32>
    scf.reduce
  }""", lambda a, o: {"o": np.where(np.arange(2001) % 2, a, o)}, a=(2001,), o=(2001,))  # fmt: skip
case("a parallel loop that reduces", "a: memref<4x5xf32>; o: memref<2xf32>", """
  %s, %m = scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c5) step (%c1, %c1) init (%z, %z) -> (f32, f32) {
    %v = memref.load %a[%i, %j] : memref<4x5xf32>
    scf.reduce(%v, %v : f32, f32) {
    ^bb0(%x: f32, %y: f32):
      %p = arith.addf %x, %y : f32
      scf.reduce.return %p : f32
    }, {
    ^bb0(%x: f32, %y: f32):
      %p = arith.minnumf %x, %y : f32
      scf.reduce.return %p : f32
    }
  }
  memref.store %s, %o[%c0] : memref<2xf32>
  memref.store %m, %o[%c1] : memref<2xf32>""", lambda a, o: {"o": [a.sum(), min(0, a.min())]})  # fmt: skip
case("forall", "a: memref<4x5xf32>; o: memref<4x5xf32>", """
  scf.forall (%i, %j) in (4, %c5) {
    %v = memref.load %a[%i, %j] : memref<4x5xf32>
    memref.store %v, %o[%i, %j] : memref<4x5xf32>
  }""", lambda a, o: {"o": a})  # fmt: skip
case("forall with bounds", "a: memref<6x5xf32>; o: memref<6x5xf32>", """
  scf.forall (%i, %j) = (1, 0) to (6, 5) step (2, 1) {
    %v = memref.load %a[%i, %j] : memref<6x5xf32>
    memref.store %v, %o[%i, %j] : memref<6x5xf32>
    scf.forall.in_parallel {
    }
  }""", lambda a, o: {"o": np.where(np.arange(6)[:, None] % 2, a, o)})  # fmt: skip
case("a parallel loop with products", "a: memref<3x4x5xf32>; b: memref<3x5x6xf32>; o: memref<3x4x6xf32>", """
  scf.parallel (%g) = (%c0) to (%c3) step (%c1) {
    %x = memref.subview %a[%g, 0, 0] [1, 4, 5] [1, 1, 1] : memref<3x4x5xf32> to memref<4x5xf32, strided<[5, 1], offset: ?>>
    %y = memref.subview %b[%g, 0, 0] [1, 5, 6] [1, 1, 1] : memref<3x5x6xf32> to memref<5x6xf32, strided<[6, 1], offset: ?>>
    %w = memref.subview %o[%g, 0, 0] [1, 4, 6] [1, 1, 1] : memref<3x4x6xf32> to memref<4x6xf32, strided<[6, 1], offset: ?>>
    linalg.fill ins(%z : f32) outs(%w : memref<4x6xf32, strided<[6, 1], offset: ?>>)
    linalg.matmul ins(%x, %y : memref<4x5xf32, strided<[5, 1], offset: ?>>, memref<5x6xf32, strided<[6, 1], offset: ?>>)
      outs(%w : memref<4x6xf32, strided<[6, 1], offset: ?>>)
    scf.reduce
  }""", lambda a, b, o: {"o": a @ b})  # fmt: skip

# affine.

case("affine bounds", "o: memref<8x8xf32>; n: index", """
  %v = arith.constant 2.0 : f32
  affine.for %i = 0 to %n {
    affine.for %j = max affine_map<(d0)[s0] -> (d0, s0 - 3)>(%i)[%n] to min affine_map<(d0) -> (d0 + 3, 8)>(%i) step 2 {
      affine.store %v, %o[%i, %j] : memref<8x8xf32>
    }
  }""", lambda o, n: {"o": _banded(o, n)}, n=7)  # fmt: skip
case("affine expressions", "o: memref<8xf32>; n: index", """
  affine.for %i = -3 to 5 {
    %a = affine.apply affine_map<(d0)[s0] -> (d0 floordiv 2 + s0 ceildiv 3 - (d0 mod 3))>(%i)[%n]
    %b = affine.min affine_map<(d0) -> (d0, 2)>(%a)
    %c = affine.max affine_map<(d0) -> (d0, -1)>(%b)
    %x = arith.index_cast %c : index to i32
    %f = arith.sitofp %x : i32 to f32
    affine.store %f, %o[%i + 3] : memref<8xf32>
  }""", lambda o, n: {"o": [max(-1, min(2, i // 2 + 2 - i % 3)) for i in range(-3, 5)]}, n=5)  # fmt: skip
case("affine branches", "o: memref<6x6xf32>; n: index", """
  %v = arith.constant 2.0 : f32
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 6 {
      affine.if affine_set<(d0, d1)[s0] : (d0 - d1 >= 0, s0 - d0 - d1 >= 0, d0 mod 2 == 0)>(%i, %j)[%n] {
        affine.store %v, %o[%i, %j] : memref<6x6xf32>
      } else {
        affine.store %z, %o[%i, %j] : memref<6x6xf32>
      }
    }
  }""", lambda o, n: {"o": [[2 * (i >= j and i + j <= n and i % 2 == 0) for j in range(6)] for i in range(6)]}, n=6)  # fmt: skip
case("an affine parallel loop", "a: memref<4x6xf32>; o: memref<4x6xf32>; n: index", """
  affine.parallel (%i, %j) = (0, max(0, 1)) to (min(4, %n), 6) step (1, 2) {
    %v = affine.load %a[%i, %j] : memref<4x6xf32>
    affine.store %v, %o[%i, %j] : memref<4x6xf32>
  }""", lambda a, o, n: {"o": _parallel(a, o)}, n=3)  # fmt: skip
case("an affine parallel loop that reduces", "a: memref<4x6xf32>; o: memref<2xf32>", """
  %s:2 = affine.parallel (%i, %j) = (0, 0) to (4, 6) reduce ("addf", "maximumf") -> (f32, f32) {
    %v = affine.load %a[%i, %j] : memref<4x6xf32>
    affine.yield %v, %v : f32, f32
  }
  memref.store %s#0, %o[%c0] : memref<2xf32>
  memref.store %s#1, %o[%c1] : memref<2xf32>""", lambda a, o: {"o": [a.sum(), a.max()]})  # fmt: skip

# linalg.

_MM = "a: memref<4x5xf32>; b: memref<5x6xf32>; o: memref<4x6xf32>"
case("matmul", _MM, """
  linalg.matmul ins(%a, %b : memref<4x5xf32>, memref<5x6xf32>) outs(%o : memref<4x6xf32>)""",
  lambda a, b, o: {"o": o + a @ b})  # fmt: skip
case("matmul with maps", "a: memref<5x4xf32>; b: memref<5x6xf32>; o: memref<4x6xf32>", """
  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, #kj, #ij]
    ins(%a, %b : memref<5x4xf32>, memref<5x6xf32>) outs(%o : memref<4x6xf32>)""",
  lambda a, b, o: {"o": o + a.T @ b})  # fmt: skip
case("batch_matmul", "a: memref<3x4x5xf32>; b: memref<3x5x6xf32>; o: memref<3x4x6xf32>", """
  linalg.fill ins(%z : f32) outs(%o : memref<3x4x6xf32>)
  linalg.batch_matmul ins(%a, %b : memref<3x4x5xf32>, memref<3x5x6xf32>) outs(%o : memref<3x4x6xf32>)""",
  lambda a, b, o: {"o": a @ b})  # fmt: skip
case("matvec and vecmat", "a: memref<4x5xf32>; x: memref<5xf32>; y: memref<4xf32>; u: memref<4xf32>; v: memref<5xf32>", """
  linalg.matvec ins(%a, %x : memref<4x5xf32>, memref<5xf32>) outs(%y : memref<4xf32>)
  linalg.vecmat ins(%u, %a : memref<4xf32>, memref<4x5xf32>) outs(%v : memref<5xf32>)""",
  lambda a, x, y, u, v: {"y": y + a @ x, "v": v + u @ a})  # fmt: skip
case("dot", "x: memref<5xf32>; y: memref<5xf32>; o: memref<f32>", """
  linalg.dot ins(%x, %y : memref<5xf32>, memref<5xf32>) outs(%o : memref<f32>)""", lambda x, y, o: {"o": o + x @ y})  # fmt: skip
case("a generic product", "a: memref<?x?xf32>; b: memref<?x6xf32>; o: memref<4x?xf32>", """
  linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : memref<?x?xf32>, memref<?x6xf32>) outs(%o : memref<4x?xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  }""", lambda a, b, o: {"o": o + a @ b}, a=(4, 5), b=(5, 6), o=(4, 6))  # fmt: skip
case("a generic convolution", "a: memref<9xf32>; w: memref<3xf32>; o: memref<7xf32>", """
  linalg.generic {indexing_maps = [#conv, #col1, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a, %w : memref<9xf32>, memref<3xf32>) outs(%o : memref<7xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  }""", lambda a, w, o: {"o": o + np.correlate(a, w, "valid")})  # fmt: skip
case("indices of a generic operation", "o: memref<4x5xf32>; s: f32", """
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, #ident], iterator_types = ["parallel", "parallel"]}
    ins(%s : f32) outs(%o : memref<4x5xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.addi %i, %j : index
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    %t = arith.mulf %f, %x : f32
    linalg.yield %t : f32
  }""", lambda o, s: {"o": np.add.outer(np.arange(4), np.arange(5)) * s}, s=1.5)  # fmt: skip
case("transpose and broadcast", "a: memref<4x5xf32>; v: memref<5xf32>; t: memref<5x4xf32>; o: memref<4x5xf32>", """
  linalg.transpose ins(%a : memref<4x5xf32>) outs(%t : memref<5x4xf32>) permutation = [1, 0]
  linalg.broadcast ins(%v : memref<5xf32>) outs(%o : memref<4x5xf32>) dimensions = [0]""",
  lambda a, v, t, o: {"t": a.T, "o": np.broadcast_to(v, (4, 5))})  # fmt: skip
case("reduce", "a: memref<4x5xf32>; v: memref<5xf32>; m: memref<4xf32>; s: memref<f32>", """
  linalg.reduce { arith.addf } ins(%a : memref<4x5xf32>) outs(%v : memref<5xf32>) dimensions = [0]
  linalg.reduce ins(%a : memref<4x5xf32>) outs(%m : memref<4xf32>) dimensions = [1] (%in: f32, %init: f32) {
    %x = arith.maximumf %in, %init : f32
    linalg.yield %x : f32
  }
  linalg.reduce { arith.mulf } ins(%a : memref<4x5xf32>) outs(%s : memref<f32>) dimensions = [0, 1]""",
  lambda a, v, m, s: {"v": v + a.sum(0), "m": np.maximum(m, a.max(1)), "s": s * a.prod()})  # fmt: skip
case("map", "a: memref<4xf32>; b: memref<4xf32>; o: memref<4xf32>", """
  linalg.map { arith.subf } ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>)""",
  lambda a, b, o: {"o": a - b})  # fmt: skip
case("element-wise operations", "a: memref<4x5xf32>; b: memref<4x5xf32>; o: memref<6x4x5xf32>", "".join(f"""
  %o{n} = memref.subview %o[{n}, 0, 0] [1, 4, 5] [1, 1, 1] : memref<6x4x5xf32> to memref<4x5xf32, strided<[5, 1], offset: {20 * n}>>
  linalg.{word} ins({given} : {types}) outs(%o{n} : memref<4x5xf32, strided<[5, 1], offset: {20 * n}>>)"""
  for n, (word, given, types) in enumerate([
      *((word, "%a, %b", "memref<4x5xf32>, memref<4x5xf32>") for word in ("add", "sub", "mul", "max")),
      ("square", "%a", "memref<4x5xf32>"), ("negf", "%b", "memref<4x5xf32>")])),
  lambda a, b, o: {"o": np.stack([a + b, a - b, a * b, np.maximum(a, b), a * a, -b])})  # fmt: skip
case("elementwise", "a: memref<4xf32>; b: memref<4xf32>; o: memref<4xf32>", """
  linalg.elementwise kind=#linalg.elementwise_kind<div> ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%o : memref<4xf32>)""",
  lambda a, b, o: {"o": a / b})  # fmt: skip

# vector.

case("vectors of memory", "a: memref<8x8xf32>; o: memref<8x8xf32>", """
  %v = vector.load %a[%c1, %c2] : memref<8x8xf32>, vector<2x4xf32>
  %t = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  vector.store %t, %o[%c3, %c4] : memref<8x8xf32>, vector<4x2xf32>
  affine.for %i = 0 to 2 {
    %w = affine.vector_load %a[%i, %i + 1] : memref<8x8xf32>, vector<3xf32>
    affine.vector_store %w, %o[%i, 0] : memref<8x8xf32>, vector<3xf32>
  }""", lambda a, o: {"o": _vectors(a, o)})  # fmt: skip
case("vectors beyond the end", "a: memref<6xf32>; o: memref<6xf32>", """
  %p = arith.constant 9.0 : f32
  %v = vector.transfer_read %a[%c4], %p : memref<6xf32>, vector<4xf32>
  %r = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xf32>, vector<4xf32>
  vector.transfer_write %r, %o[%c3] : vector<4xf32>, memref<6xf32>""",
  lambda a, o: {"o": [*o[:3], 9, 9, a[5]]})  # fmt: skip
case("masks of vectors that are turned", "a: memref<3x4xf32>; o: memref<3x4xf32>; n: index", """
  %p = arith.constant 9.0 : f32
  %m = vector.create_mask %c2, %n : vector<3x4xi1>
  %v = vector.transfer_read %a[%c0, %c0], %p, %m {permutation_map = affine_map<(i, j) -> (j, i)>}
    : memref<3x4xf32>, vector<4x3xf32>
  vector.transfer_write %v, %o[%c0, %c2], %m {permutation_map = affine_map<(i, j) -> (j, i)>}
    : vector<4x3xf32>, memref<3x4xf32>
  %k = vector.constant_mask [1] : vector<4xi1>
  %w = vector.transfer_read %a[%c2, %c0], %p, %k {permutation_map = affine_map<(i, j) -> (0, j)>}
    : memref<3x4xf32>, vector<2x4xf32>
  %r = vector.extract %w[1] : vector<4xf32> from vector<2x4xf32>
  vector.store %r, %o[%c2, %c0] : memref<3x4xf32>, vector<4xf32>""",
  lambda a, o, n: {"o": [[*o[0, :2], *a[0, :2]], [*o[1, :2], *a[1, :2]], [a[2, 0], 9, 9, 9]]}, n=3)  # fmt: skip
case("vectors that are joined and divided", "a: memref<8xf32>; o: memref<8xf32>", """
  %v = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
  %even, %odd = vector.deinterleave %v : vector<8xf32> -> vector<4xf32>
  %sum = arith.addf %even, %odd : vector<4xf32>
  %r = vector.interleave %odd, %sum : vector<4xf32> -> vector<8xf32>
  vector.store %r, %o[%c0] : memref<8xf32>, vector<8xf32>""",
  lambda a, o: {"o": np.stack([a[1::2], a[::2] + a[1::2]], 1).ravel()})  # fmt: skip
case("masks", "a: memref<6xf32>; o: memref<6xf32>; n: index", """
  %m = vector.create_mask %n : vector<6xi1>
  %one = arith.constant dense<1.0> : vector<6xf32>
  %v = vector.maskedload %a[%c0], %m, %one : memref<6xf32>, vector<6xi1>, vector<6xf32> into vector<6xf32>
  %k = vector.constant_mask [5] : vector<6xi1>
  vector.maskedstore %o[%c0], %k, %v : memref<6xf32>, vector<6xi1>, vector<6xf32>""",
  lambda a, o, n: {"o": [*a[:3], 1, 1, o[5]]}, n=3)  # fmt: skip
_INDEXED = "a: memref<4x8xf32>; i: memref<2x3xi32>; n: index; o: memref<4x8xf32>; p: memref<4x8xf32>"
case("elements by their numbers", _INDEXED, """
  %m = vector.create_mask %n, %c2 : vector<2x3xi1>
  %at = vector.load %i[%c0, %c0] : memref<2x3xi32>, vector<2x3xi32>
  %one = arith.constant dense<1.0> : vector<2x3xf32>
  %v = vector.gather %a[%n, %c1] [%at], %m, %one : memref<4x8xf32>, vector<2x3xi32>, vector<2x3xi1>, vector<2x3xf32> into vector<2x3xf32>
  vector.store %v, %o[%c0, %c0] : memref<4x8xf32>, vector<2x3xf32>
  %all = vector.constant_mask [2, 3] : vector<2x3xi1>
  %four = arith.constant dense<[[0, 3, -1], [3, 9, 1]]> : vector<2x3xi8>
  %some = arith.constant dense<[[1, 1, 1], [1, 0, 1]]> : vector<2x3xi1>
  vector.scatter %p[%c1, %c2] [%four], %some, %v : memref<4x8xf32>, vector<2x3xi8>, vector<2x3xi1>, vector<2x3xf32>
  %few = vector.gather %a[%c3, %c1] [%four], %some, %v {alignment = 4 : i64}
    : memref<4x8xf32>, vector<2x3xi8>, vector<2x3xi1>, vector<2x3xf32> into vector<2x3xf32>
  vector.store %few, %p[%c2, %c4] : memref<4x8xf32>, vector<2x3xf32>
  vector.scatter %o[%c2, %c0] [%at], %all, %one : memref<4x8xf32>, vector<2x3xi32>, vector<2x3xi1>, vector<2x3xf32>""",
  lambda a, i, n, o, p: _by_numbers(a, i, n, o, p), i=np.array([[2, 0, 7], [5, 1, 0]], np.int32), n=1)  # fmt: skip
case("elements of a line by their numbers", "a: memref<4x8xf32>; i: memref<4xi32>; n: index; o: memref<4x8xf32>", """
  %m = vector.create_mask %n : vector<4xi1>
  %at = vector.load %i[%c0] : memref<4xi32>, vector<4xi32>
  %one = arith.constant dense<1.0> : vector<4xf32>
  %v = vector.gather %a[%c1, %c2] [%at], %m, %one : memref<4x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %k = arith.constant dense<[1, 0, 1, 1]> : vector<4xi1>
  vector.scatter %o[%c2, %c1] [%at], %k, %v : memref<4x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %w = vector.expandload %a[%n, %c4], %k, %v : memref<4x8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %o[%n, %c3], %m, %w : memref<4x8xf32>, vector<4xi1>, vector<4xf32>""",
  lambda a, i, n, o: _in_line(a, i, o), i=np.array([4, -2, 0, 6], np.int32), n=3)  # fmt: skip
case("elements that the mask has room for", "a: memref<3x8xf32>; o: memref<3x8xf32>; p: memref<8xf32>; n: index", """
  %m = arith.constant dense<[[1, 0, 1, 1], [0, 1, 0, 1]]> : vector<2x4xi1>
  %one = arith.constant dense<1.0> : vector<2x4xf32>
  %v = vector.expandload %a[%n, %c5], %m, %one : memref<3x8xf32>, vector<2x4xi1>, vector<2x4xf32> into vector<2x4xf32>
  vector.compressstore %o[%c0, %c2], %m, %v : memref<3x8xf32>, vector<2x4xi1>, vector<2x4xf32>
  %k = vector.create_mask %n : vector<4xi1>
  %l = arith.constant dense<[0, 0, 0, 1]> : vector<4xi1>
  %x = arith.xori %k, %l : vector<4xi1>
  %two = arith.constant dense<2.0> : vector<4xf32>
  %w = vector.expandload %p[%c6], %x, %two : memref<8xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %p[%c2], %x, %w : memref<8xf32>, vector<4xi1>, vector<4xf32>
  vector.store %w, %o[%c2, %c0] : memref<3x8xf32>, vector<4xf32>""",
  lambda a, o, p, n: _by_room(a, o, p), n=1)  # fmt: skip
case("masked reductions", "a: memref<3x4xf32>; o: memref<4xf32>; p: memref<3xf32>; n: index", """
  %v = vector.load %a[%c0, %c0] : memref<3x4xf32>, vector<3x4xf32>
  %f = vector.extract %v[0] : vector<4xf32> from vector<3x4xf32>
  %m = vector.create_mask %n : vector<4xi1>
  %none = arith.constant dense<false> : vector<4xi1>
  %s = vector.mask %m { vector.reduction <add>, %f : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %t = vector.mask %m { vector.reduction <maximumf>, %f, %s : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %u = vector.mask %none { vector.reduction <mul>, %f : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %w = vector.mask %none { vector.yield %s : f32 } : vector<4xi1> -> f32
  vector.mask %none { } : vector<4xi1>
  %r = vector.from_elements %s, %t, %u, %w : vector<4xf32>
  vector.store %r, %o[%c0] : memref<4xf32>, vector<4xf32>
  %rows = vector.create_mask %c2, %n : vector<3x4xi1>
  %one = arith.constant dense<1.0> : vector<3xf32>
  %x = vector.mask %rows { vector.multi_reduction <add>, %v, %one [1] : vector<3x4xf32> to vector<3xf32> } : vector<3x4xi1> -> vector<3xf32>
  vector.store %x, %p[%c0] : memref<3xf32>, vector<3xf32>""",
  lambda a, o, p, n: {"o": [a[0, :3].sum(), max(a[0, :3].sum(), a[0, :3].max()), 1, a[0, :3].sum()],
                      "p": 1 + a[:, :3].sum(1) * [1, 1, 0]}, n=3)  # fmt: skip
case("masked products", "a: memref<2x3xf32>; b: memref<3x2xf32>; o: memref<2x2xf32>; p: memref<3x2xf32>; n: index", """
  %v = vector.load %a[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %w = vector.load %b[%c0, %c0] : memref<3x2xf32>, vector<3x2xf32>
  %one = arith.constant dense<1.0> : vector<2x2xf32>
  %m = vector.create_mask %n, %c2, %n : vector<2x2x3xi1>
  %c = vector.mask %m { vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"],
    kind = #vector.kind<add>} %v, %w, %one : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32> } : vector<2x2x3xi1> -> vector<2x2xf32>
  vector.store %c, %o[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
  %x = vector.extract %v[0] : vector<3xf32> from vector<2x3xf32>
  %y = vector.extract %w[0] : vector<2xf32> from vector<3x2xf32>
  %k = vector.create_mask %c2, %n : vector<3x2xi1>
  %d = vector.mask %k { vector.outerproduct %x, %y, %w {kind = #vector.kind<mul>} : vector<3xf32>, vector<2xf32> } : vector<3x2xi1> -> vector<3x2xf32>
  vector.store %d, %p[%c0, %c0] : memref<3x2xf32>, vector<3x2xf32>""",
  lambda a, b, o, p, n: {"o": 1 + np.outer([1, 0], a[0, :1] @ b[:1]),
                         "p": np.where([[1, 0], [1, 0], [0, 0]], b * np.outer(a[0], b[0]), b)}, n=1)  # fmt: skip
case("masked transfers", "a: memref<4x5xf32>; i: memref<3xi32>; o: memref<4x5xf32>; n: index", """
  %m = vector.create_mask %n, %c2 : vector<3x2xi1>
  %v = vector.mask %m { vector.transfer_read %a[%c1, %c2], %z {permutation_map = #swap} : memref<4x5xf32>, vector<2x3xf32> } : vector<3x2xi1> -> vector<2x3xf32>
  %w = vector.transfer_read %a[%c1, %c2], %z, %m {permutation_map = #swap} : memref<4x5xf32>, vector<2x3xf32>
  %s = arith.addf %v, %w : vector<2x3xf32>
  vector.mask %m { vector.transfer_write %s, %o[%c0, %c0] {permutation_map = #swap} : vector<2x3xf32>, memref<4x5xf32> } : vector<3x2xi1>
  %k = arith.constant dense<[1, 1, 0]> : vector<3xi1>
  %l = vector.create_mask %n : vector<3xi1>
  %x = arith.xori %k, %l : vector<3xi1>
  %two = arith.constant dense<2.0> : vector<3xf32>
  %r = vector.mask %x, %two { vector.transfer_read %a[%c0, %c3], %z : memref<4x5xf32>, vector<3xf32> } : vector<3xi1> -> vector<3xf32>
  vector.store %r, %o[%c3, %c0] : memref<4x5xf32>, vector<3xf32>
  %at = vector.load %i[%c0] : memref<3xi32>, vector<3xi32>
  %g = vector.mask %k { vector.gather %a[%c2, %c0] [%at], %l, %two : memref<4x5xf32>, vector<3xi32>, vector<3xi1>, vector<3xf32> into vector<3xf32> } : vector<3xi1> -> vector<3xf32>
  vector.store %g, %o[%c2, %c2] : memref<4x5xf32>, vector<3xf32>""",
  lambda a, i, o, n: _masked(a, o), i=np.array([4, 9, 9], np.int32), n=1)  # fmt: skip
case("what is joined so far", "a: memref<2x3xf32>; o: memref<4x2x3xf32>; p: memref<3xf32>; q: memref<2xf32>", """
  %v = vector.load %a[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %two = arith.constant dense<2.0> : vector<2xf32>
  %three = arith.constant dense<3.0> : vector<3xf32>
  %s:2 = vector.scan <add>, %v, %two {inclusive = true, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32>
  %t:2 = vector.scan <mul>, %v, %two {inclusive = false, reduction_dim = 1 : i64} : vector<2x3xf32>, vector<2xf32>
  %u:2 = vector.scan <maximumf>, %v, %three {inclusive = true, reduction_dim = 0 : i64} : vector<2x3xf32>, vector<3xf32>
  %w:2 = vector.scan <add>, %v, %three {inclusive = false, reduction_dim = 0 : i64} : vector<2x3xf32>, vector<3xf32>
  %row = vector.extract %v[0] : vector<3xf32> from vector<2x3xf32>
  %e:3 = vector.to_elements %row : vector<3xf32>
  %f = vector.from_elements %e#2, %e#0, %e#1 : vector<3xf32>
  %g = vector.extract %f[0] : f32 from vector<3xf32>
  %zero = vector.broadcast %g : f32 to vector<f32>
  %h:2 = vector.scan <add>, %f, %zero {inclusive = false, reduction_dim = 0 : i64} : vector<3xf32>, vector<f32>
  %lone = vector.to_elements %h#1 : vector<f32>
  %last = vector.from_elements %lone, %lone : vector<2xf32>
  %b = vector.insert %s#0, %zeros[0] : vector<2x3xf32> into vector<4x2x3xf32>
  %c = vector.insert %t#0, %b[1] : vector<2x3xf32> into vector<4x2x3xf32>
  %d = vector.insert %u#0, %c[2] : vector<2x3xf32> into vector<4x2x3xf32>
  %i = vector.insert %w#0, %d[3] : vector<2x3xf32> into vector<4x2x3xf32>
  vector.store %i, %o[%c0, %c0, %c0] : memref<4x2x3xf32>, vector<4x2x3xf32>
  %j = arith.addf %u#1, %w#1 : vector<3xf32>
  %k = arith.subf %j, %h#0 : vector<3xf32>
  vector.store %k, %p[%c0] : memref<3xf32>, vector<3xf32>
  %l = arith.addf %s#1, %t#1 : vector<2xf32>
  %m = arith.subf %l, %last : vector<2xf32>
  vector.store %m, %q[%c0] : memref<2xf32>, vector<2xf32>""".replace(
      "  %two =", "  %zeros = arith.constant dense<0.0> : vector<4x2x3xf32>\n  %two =", 1),
  lambda a, o, p, q: _scans(a))  # fmt: skip
case("elements of vectors", "o: memref<6xf32>; i: index; x: f32", """
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : vector<6xf32>
  %w = vector.insert %x, %v[%i] : f32 into vector<6xf32>
  %e = vector.extract %w[%i] : f32 from vector<6xf32>
  %b = vector.broadcast %e : f32 to vector<6xf32>
  %s = vector.shape_cast %w : vector<6xf32> to vector<2x3xf32>
  %r = vector.extract %s[1] : vector<3xf32> from vector<2x3xf32>
  %q = vector.insert %r, %s[0] : vector<3xf32> into vector<2x3xf32>
  %f = vector.shape_cast %q : vector<2x3xf32> to vector<6xf32>
  %g = vector.fma %f, %b, %v : vector<6xf32>
  vector.store %g, %o[%c0] : memref<6xf32>, vector<6xf32>""",
  lambda o, i, x: {"o": np.array([4, 5, x, 4, 5, x]) * x + np.arange(1, 7)}, i=5, x=7.0)  # fmt: skip
case("parts of vectors", "o: memref<4xf32>", """
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %p = vector.extract_strided_slice %v {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %q = vector.insert_strided_slice %p, %v {offsets = [2], strides = [1]} : vector<2xf32> into vector<4xf32>
  vector.store %q, %o[%c0] : memref<4xf32>, vector<4xf32>""", lambda o: {"o": [1, 2, 2, 3]})  # fmt: skip
case("reductions of vectors", "a: memref<2x4xf32>; o: memref<4xf32>; p: memref<2xf32>", """
  %v = vector.load %a[%c0, %c0] : memref<2x4xf32>, vector<2x4xf32>
  %f = vector.extract %v[0] : vector<4xf32> from vector<2x4xf32>
  %s = vector.reduction <add>, %f : vector<4xf32> into f32
  %t = vector.reduction <mul>, %f, %s : vector<4xf32> into f32
  %m = vector.reduction <maximumf>, %f : vector<4xf32> into f32
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %r = vector.multi_reduction <add>, %v, %zero [1] : vector<2x4xf32> to vector<2xf32>
  vector.store %r, %p[%c0] : memref<2xf32>, vector<2xf32>
  memref.store %s, %o[%c0] : memref<4xf32>
  memref.store %t, %o[%c1] : memref<4xf32>
  memref.store %m, %o[%c2] : memref<4xf32>""",
  lambda a, o, p: {"o": [a[0].sum(), a[0].sum() * a[0].prod(), a[0].max(), o[3]], "p": a.sum(1)})  # fmt: skip
case("products of vectors", "a: memref<2x3xf32>; b: memref<3x2xf32>; o: memref<2x2xf32>; p: memref<3x3xf32>", """
  %v = vector.load %a[%c0, %c0] : memref<2x3xf32>, vector<2x3xf32>
  %w = vector.load %b[%c0, %c0] : memref<3x2xf32>, vector<3x2xf32>
  %zero = arith.constant dense<0.0> : vector<2x2xf32>
  %c = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"],
    kind = #vector.kind<add>} %v, %w, %zero : vector<2x3xf32>, vector<3x2xf32> into vector<2x2xf32>
  vector.store %c, %o[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
  %x = vector.extract %v[0] : vector<3xf32> from vector<2x3xf32>
  %y = vector.extract %v[1] : vector<3xf32> from vector<2x3xf32>
  %d = vector.outerproduct %x, %y : vector<3xf32>, vector<3xf32>
  vector.store %d, %p[%c0, %c0] : memref<3x3xf32>, vector<3x3xf32>""",
  lambda a, b, o, p: {"o": a @ b, "p": np.outer(a[0], a[1])})  # fmt: skip
case("bits of vectors", "a: memref<2x2xf32>; o: memref<2x2xf32>; h: memref<4xf32>", """
  %v = vector.transfer_read %a[%c0, %c0], %z : memref<2x2xf32>, vector<2x2xf32>
  %b = arith.bitcast %v : vector<2x2xf32> to vector<2x2xi32>
  %one = arith.constant dense<8388608> : vector<2x2xi32>
  %n = arith.addi %b, %one : vector<2x2xi32>
  %w = arith.bitcast %n : vector<2x2xi32> to vector<2x2xf32>
  vector.transfer_write %w, %o[%c0, %c0] : vector<2x2xf32>, memref<2x2xf32>
  %s = arith.constant dense<[0, 15360, 16384, -16384]> : vector<4xi16>
  %x = arith.bitcast %s : vector<4xi16> to vector<4xf16>
  %y = arith.extf %x : vector<4xf16> to vector<4xf32>
  vector.store %y, %h[%c0] : memref<4xf32>, vector<4xf32>""",
  lambda a, o, h: {"o": 2 * a, "h": [0, 1, 2, -2]})  # fmt: skip
case("numbers of four bits with scales", "a: memref<8xf32>; s: memref<8xf32>; o: memref<8xf32>", """
  %v = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
  %s1 = vector.load %s[%c0] : memref<8xf32>, vector<8xf32>
  %e = arith.truncf %s1 : vector<8xf32> to vector<8xf8E8M0FNU>
  %t = arith.scaling_truncf %v, %s1 to_nearest_even fastmath<nnan> : vector<8xf32>, vector<8xf32> to vector<8xf4E2M1FN>
  %w = arith.scaling_extf %t, %e fastmath<nnan> : vector<8xf4E2M1FN>, vector<8xf8E8M0FNU> to vector<8xf32>
  vector.store %w, %o[%c0] : memref<8xf32>, vector<8xf32>""",
  lambda a, s, o: {"o": (a / _powers(s)).astype(ml_dtypes.float4_e2m1fn).astype(np.float32) * _powers(s)})  # fmt: skip
case("a loop that carries a vector", "a: memref<5x4xf32>; o: memref<4xf32>", """
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %s = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %zero) -> (vector<4xf32>) {
    %v = vector.load %a[%i, %c0] : memref<5x4xf32>, vector<4xf32>
    %p = arith.addf %x, %v : vector<4xf32>
    scf.yield %p : vector<4xf32>
  }
  vector.store %s, %o[%c0] : memref<4xf32>, vector<4xf32>""", lambda a, o: {"o": a.sum(0)})  # fmt: skip

# What kernels that pytl printed have shown: these run always.

PRINTED: list[Case] = []
printed = collector(PRINTED)
printed("a view by the metadata of one of another shape", "a: memref<24xf32>; o: memref<3xf32>; i: index", """
  %m = memref.reinterpret_cast %a to offset: [4], sizes: [4, 5], strides: [5, 1]
    : memref<24xf32> to memref<4x5xf32, strided<[5, 1], offset: ?>>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m
    : memref<4x5xf32, strided<[5, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  %down = arith.muli %i, %strides#0 : index
  %at = arith.addi %offset, %down : index
  %r = memref.reinterpret_cast %base to offset: [%at], sizes: [3], strides: [%strides#1]
    : memref<f32> to memref<3xf32, strided<[?], offset: ?>>
  memref.copy %r, %o : memref<3xf32, strided<[?], offset: ?>> to memref<3xf32>""",
  lambda a, o, i: {"o": a[4:].reshape(4, 5)[2, :3]}, i=2)  # fmt: skip
printed("bits of vectors as numbers of another width",
        "a: memref<2x2xf32>; o: memref<2x2xf32>; h: memref<4xf32>; p: memref<2xf32>", """
  %v = vector.load %a[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
  %b = vector.bitcast %v : vector<2x2xf32> to vector<2x8xi8>
  %w = vector.bitcast %b : vector<2x8xi8> to vector<2x2xf32>
  vector.store %w, %o[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
  %s = arith.constant dense<[1006649344, -1073725440]> : vector<2xi32>
  %x = vector.bitcast %s : vector<2xi32> to vector<4xf16>
  %y = arith.extf %x : vector<4xf16> to vector<4xf32>
  vector.store %y, %h[%c0] : memref<4xf32>, vector<4xf32>
  %t = arith.constant dense<[-1, 1, 2, -2]> : vector<4xi16>
  %i = vector.bitcast %t : vector<4xi16> to vector<2xi32>
  %f = arith.sitofp %i : vector<2xi32> to vector<2xf32>
  vector.store %f, %p[%c0] : memref<2xf32>, vector<2xf32>""",
  lambda a, o, h, p: {"o": a, "h": [2, 1, 2, -2], "p": [131071, -131070]})  # fmt: skip
printed("masked vectors longer than memory", "a: memref<3x4xf32>; o: memref<3x4xf32>; n: index", """
  %p = arith.constant dense<2.0> : vector<8xf32>
  %m = vector.create_mask %n : vector<8xi1>
  %v = vector.maskedload %a[%c1, %c0], %m, %p : memref<3x4xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  vector.maskedstore %o[%c0, %c1], %m, %v : memref<3x4xf32>, vector<8xi1>, vector<8xf32>
  %w = vector.extract_strided_slice %v {offsets = [4], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  vector.store %w, %o[%c2, %c0] : memref<3x4xf32>, vector<4xf32>""",
  lambda a, o, n: {"o": [[o[0, 0], *a[1, :3]], o[1], [2] * 4]}, n=3)  # fmt: skip
CASES += PRINTED


def _powers(numbers: Any) -> Any:
    return np.exp2(np.floor(np.log2(np.abs(numbers))))


def _by_numbers(a: Any, i: Any, n: int, o: Any, p: Any) -> Any:
    v = np.ones((2, 3), np.float32)
    v[0, :2] = a[1, 1 + i[0, :2]]
    o[:2, :3] = v
    for number, value in zip([0, 3, -1, 3, 1], v[[0, 0, 0, 1, 1], [0, 1, 2, 0, 2]]):
        p[1, 2 + number] = value
    p[2:4, 4:7] = [a[3, [1, 4, 0]], [a[3, 4], v[1, 1], a[3, 2]]]
    o[2, i] = 1
    return {"o": o, "p": p}


def _in_line(a: Any, i: Any, o: Any) -> Any:
    v = np.append(a[1, 2 + i[:3]], 1)
    o[2, 1 + i[[0, 2, 3]]] = v[[0, 2, 3]]
    o[3, 3:6] = a[3, 4], v[1], a[3, 5]
    return {"o": o}


def _masked(a: Any, o: Any) -> Any:
    o[0, :2] = 2 * a[1, 2:4]
    o[3, :3] = 2, a[0, 4], 2
    o[2, 2:5] = a[2, 4], 2, 2
    return {"o": o}


def _scans(a: Any) -> Any:
    sums, products = a.cumsum(1), 2 * np.cumprod(np.column_stack([[1, 1], a[:, :2]]), 1)
    largest, before = np.maximum.accumulate(a, 0), np.array([[3, 3, 3], 3 + a[0]])
    turned = a[0, [2, 0, 1]]
    short = turned[0] + np.array([0, turned[0], turned[0] + turned[1]])
    return {
        "o": np.stack([sums, products, largest, before]),
        "p": largest[1] + before[1] - short,
        "q": sums[:, 2] + products[:, 2] - short[2],
    }


def _by_room(a: Any, o: Any, p: Any) -> Any:
    v = np.array([[a[1, 5], 1, a[1, 6], a[1, 7]], [1, a[2, 5], 1, a[2, 6]]])
    o[0, 2:5], o[1, 2:4] = v[0, [0, 2, 3]], v[1, [1, 3]]
    o[2, :4] = p[6], 2, 2, p[7]
    p[2:4] = p[6:8]
    return {"o": o, "p": p}


def _subviews(a: Any, n: int, o: Any) -> Any:
    o = o.copy()
    o[0:6:2, 0:8:2] = a[1:4, n : n + 4]
    o[5] = a[n]
    return o


def _banded(o: Any, n: int) -> Any:
    o = o.copy()
    for i in range(n):
        o[i, max(i, n - 3) : min(i + 3, 8) : 2] = 2
    return o


def _parallel(a: Any, o: Any) -> Any:
    o = o.copy()
    o[:3, 1::2] = a[:3, 1::2]
    return o


def _vectors(a: Any, o: Any) -> Any:
    o = o.copy()
    o[3:7, 4:6] = a[1:3, 2:6].T
    for i in range(2):
        o[i, :3] = a[i, i + 1 : i + 4]
    return o


IDS = [each.name for each in CASES]


@pytest.mark.parametrize("given", CASES, ids=IDS)
def test_a_function_computes_what_numpy_does(given: Case) -> None:
    execute(given.text, given, "reference")
    execute(given.text, given, "reference", 3)  # as any number of work-groups does


@pytest.mark.at_most(len(PRINTED))
@pytest.mark.parametrize("given", PRINTED, ids=lambda given: given.name)
def test_what_printed_kernels_have(given: Case) -> None:
    execute(given.text, given, "reference")


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize("backend", ["sycl", *at_night(["mlir"])])
@pytest.mark.parametrize("given", CASES, ids=IDS)
def test_on_a_device(given: Case, backend: str) -> None:
    execute(given.text, given, backend)


HOSTED = ["masks", "elements of a line by their numbers"]
"""What MLIR's own passes are tried with."""


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("given", [each for each in CASES if each.name in HOSTED], ids=HOSTED)
def test_mlirs_own_code_does_the_same(given: Case) -> None:
    arguments = given.given(np.random.default_rng(11))
    expected = given.expected(**{n: v.copy() if isinstance(v, np.ndarray) else v for n, v in arguments.items()})
    Host(given.text).call("f", list(arguments.values()))
    for name, wanted in expected.items():
        np.testing.assert_allclose(arguments[name], wanted, rtol=2e-6, atol=2e-6, err_msg=name)


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("given", CASES, ids=IDS)
def test_what_mlir_prints_of_it_is_the_same(given: Case) -> None:
    execute_what_mlir_prints(given, CASES)
