"""Functions in the manner of MLIR's own tests that are executed on a processor, each with what comes of it.

The tests are named by their paths below mlir/test. The functions are written anew: what a test makes up and prints is
an argument here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .cases import Case, collector

LINALG, RUNNER, ARITH = "Integration/Dialect/Linalg/CPU", "mlir-runner", "Integration/Dialect/Arith/CPU"
VECTOR, STANDARD = "Integration/Dialect/Vector/CPU", "Integration/Dialect/Standard/CPU"


@dataclass(frozen=True)
class Tried:
    """A test of MLIR, what it is about, and what becomes of it."""

    path: str
    about: str
    case: Case
    becomes: str = ""
    """A word that `k.ir("raised")` has: an instruction for the work-group."""
    code: str = ""
    """Of what is refused, by which rule."""

    @property
    def verdict(self) -> str:
        if self.code:
            return f"refused with {self.code}"
        return f"`{self.becomes}`; equal" if self.becomes else "equal"


TRIED: list[Tried] = []
_CASES: list[Case] = []
_case = collector(_CASES)


def tried(path: str, about: str, head: str, body: str, expected: Any, **more: Any) -> None:
    """A function that is executed."""
    becomes, module = more.pop("becomes", ""), more.pop("module", "")
    _case(about, head, body, expected, **more)
    TRIED.append(Tried(path, about, replace(_CASES[-1], module=module), becomes))


def refused(path: str, about: str, head: str, body: str, code: str) -> None:
    _case(about, head, body, dict)
    TRIED.append(Tried(path, about, _CASES[-1], "", code))


def _windows(a: Any, shape: tuple[int, ...]) -> Any:
    return np.lib.stride_tricks.sliding_window_view(a, shape)


# linalg.

_BODY = """ {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  }"""


def _generic(maps: list[str], kinds: str, operands: str) -> str:
    words = ", ".join({"p": '"parallel"', "r": '"reduction"'}[kind] for kind in kinds)
    listed = ", ".join(f"affine_map<{each}>" for each in maps)
    return f"""
  linalg.generic {{indexing_maps = [{listed}], iterator_types = [{words}]}}
    {operands}{_BODY}"""


def _products(head: str) -> str:
    types = dict(each.split(": ", 1) for each in head.split("; "))
    a, b, o = types.values()
    return f"ins(%a, %b : {a}, {b}) outs(%o : {o})"


_HEAD = "a: memref<?xf32>; b: memref<?xf32>; o: memref<?xf32>"
tried(
    f"{LINALG}/test-conv-1d-call.mlir", "convolution of one dimension, as linalg.generic", _HEAD,
    _generic(["(i, k) -> (i + k)", "(i, k) -> (k)", "(i, k) -> (i)"], "pr", _products(_HEAD)),
    lambda a, b, o: {"o": o + np.correlate(a, b, "valid")}, a=(11,), b=(3,), o=(9,),
)  # fmt: skip
_HEAD = "a: memref<?x?xf32>; b: memref<?x?xf32>; o: memref<?x?xf32>"
tried(
    f"{LINALG}/test-conv-2d-call.mlir", "convolution of two dimensions, as linalg.generic", _HEAD,
    _generic(["(i, j, k, l) -> (i + k, j + l)", "(i, j, k, l) -> (k, l)", "(i, j, k, l) -> (i, j)"], "pprr",
             _products(_HEAD)),
    lambda a, b, o: {"o": o + np.einsum("ijkl,kl->ij", _windows(a, (3, 3)), b)}, a=(8, 7), b=(3, 3), o=(6, 5),
)  # fmt: skip
_HEAD = "a: memref<?x?x?xf32>; b: memref<?x?x?xf32>; o: memref<?x?x?xf32>"
tried(
    f"{LINALG}/test-conv-3d-call.mlir", "convolution of three dimensions, as linalg.generic", _HEAD,
    _generic(["(i, j, k, l, m, n) -> (i + l, j + m, k + n)", "(i, j, k, l, m, n) -> (l, m, n)",
              "(i, j, k, l, m, n) -> (i, j, k)"], "ppprrr", _products(_HEAD)),
    lambda a, b, o: {"o": o + np.einsum("ijklmn,lmn->ijk", _windows(a, (2, 3, 2)), b)},
    a=(5, 5, 4), b=(2, 3, 2), o=(4, 3, 3),
)  # fmt: skip
_HEAD = "a: memref<2x8x3xf32>; b: memref<3x3x4xf32>; o: memref<2x6x4xf32>"
tried(
    f"{LINALG}/test-conv-1d-nwc-wcf-call.mlir", "convolution with channels, as linalg.generic", _HEAD,
    _generic(["(n, w, f, k, c) -> (n, w + k, c)", "(n, w, f, k, c) -> (k, c, f)", "(n, w, f, k, c) -> (n, w, f)"],
             "ppprr", _products(_HEAD)),
    lambda a, b, o: {"o": o + np.einsum("nwck,kcf->nwf", _windows(a, (1, 3, 1))[..., 0, :, 0], b)},
)  # fmt: skip
_HEAD = "a: memref<2x6x5x3xf32>; b: memref<2x2x3x4xf32>; o: memref<2x5x4x4xf32>"
tried(
    f"{LINALG}/test-conv-2d-nhwc-hwcf-call.mlir", "images with channels, as linalg.generic", _HEAD,
    _generic(["(n, h, w, f, k, l, c) -> (n, h + k, w + l, c)", "(n, h, w, f, k, l, c) -> (k, l, c, f)",
              "(n, h, w, f, k, l, c) -> (n, h, w, f)"], "pppprrr", _products(_HEAD)),
    lambda a, b, o: {"o": o + np.einsum("nhwckl,klcf->nhwf", _windows(a, (1, 2, 2, 1))[..., 0, :, :, 0], b)},
)  # fmt: skip
tried(
    f"{LINALG}/test-conv-2d-nhwc-hwcf-call.mlir", "the same by its name", _HEAD,
    """
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %b : memref<2x6x5x3xf32>, memref<2x2x3x4xf32>) outs(%o : memref<2x5x4x4xf32>)""",
    lambda a, b, o: {"o": o + np.einsum("nhwckl,klcf->nhwf", _windows(a, (1, 2, 2, 1))[..., 0, :, :, 0], b)},
)  # fmt: skip
_S = "memref<?xf32, strided<[?], offset: ?>>"
tried(
    f"{LINALG}/matmul-vs-matvec.mlir", "a product by columns, each a matvec on subviews",
    "a: memref<?x?xf32>; b: memref<?x?xf32>; o: memref<?x?xf32>; p: memref<?x?xf32>", f"""
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %x = memref.dim %a, %c1 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  linalg.fill ins(%z : f32) outs(%o : memref<?x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%o : memref<?x?xf32>)
  linalg.fill ins(%z : f32) outs(%p : memref<?x?xf32>)
  scf.for %i = %c0 to %n step %c1 {{
    %u = memref.subview %b[0, %i] [%x, 1] [1, 1] : memref<?x?xf32> to {_S}
    %v = memref.subview %p[0, %i] [%m, 1] [1, 1] : memref<?x?xf32> to {_S}
    linalg.matvec ins(%a, %u : memref<?x?xf32>, {_S}) outs(%v : {_S})
  }}""", lambda a, b, o, p: {"o": a @ b, "p": a @ b}, a=(5, 3), b=(3, 2), o=(5, 2), p=(5, 2), becomes="gemv",
)  # fmt: skip
tried(
    f"{LINALG}/rank-reducing-subview.mlir", "subviews that leave out dimensions of one element",
    "a: memref<3x1x4xf32>; o: memref<3x4xf32>; p: memref<4xf32>", """
  %s = memref.subview %a[0, 0, 0] [3, 1, 4] [1, 1, 1] : memref<3x1x4xf32> to memref<3x4xf32>
  %r = memref.subview %a[1, 0, 0] [1, 1, 4] [1, 1, 1] : memref<3x1x4xf32> to memref<4xf32, strided<[1], offset: 4>>
  memref.copy %s, %o : memref<3x4xf32> to memref<3x4xf32>
  memref.copy %r, %p : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32>""",
    lambda a, o, p: {"o": a[:, 0], "p": a[1, 0]},
)  # fmt: skip
tried(
    f"{LINALG}/mmt4d.mlir", "products of tiles", "a: memref<2x3x4x2xf32>; b: memref<2x3x5x2xf32>; o: memref<2x2x4x5xf32>",
    """
  linalg.mmt4d ins(%a, %b : memref<2x3x4x2xf32>, memref<2x3x5x2xf32>) outs(%o : memref<2x2x4x5xf32>)""",
    lambda a, b, o: {"o": o + np.einsum("mkij,nklj->mnil", a, b)},
)  # fmt: skip
tried(
    f"{LINALG}/test-elementwise.mlir", "sums of elements, as linalg.generic", "a: memref<3x4xf32>; b: memref<3x4xf32>; "
    "o: memref<3x4xf32>", """
  linalg.generic {indexing_maps = [#ident, #ident, #ident], iterator_types = ["parallel", "parallel"]}
    ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%o : memref<3x4xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %t = arith.addf %x, %y : f32
    linalg.yield %t : f32
  }""", lambda a, b, o: {"o": a + b},
)  # fmt: skip
tried(
    f"{LINALG}/test-tensor-matmul.mlir", "a product of tensors",
    "a: memref<2x3xf32>; b: memref<3x4xf32>; o: memref<2x4xf32>", """
  %t = bufferization.to_tensor %a restrict : memref<2x3xf32> to tensor<2x3xf32>
  %u = bufferization.to_tensor %b restrict : memref<3x4xf32> to tensor<3x4xf32>
  %e = tensor.empty() : tensor<2x4xf32>
  %f = "linalg.fill"(%z, %e) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }) : (f32, tensor<2x4xf32>) -> tensor<2x4xf32>
  %m = linalg.matmul ins(%t, %u : tensor<2x3xf32>, tensor<3x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  bufferization.materialize_in_destination %m in restrict writable %o : (tensor<2x4xf32>, memref<2x4xf32>) -> ()""",
    lambda a, b, o: {"o": a @ b},
)  # fmt: skip

# memref, scf and affine.

tried(
    f"{RUNNER}/copy.mlir", "copies, turned by reinterpret_cast, of one element, and of nothing",
    "a: memref<2x3xf32>; o: memref<2x3xf32>; t: memref<3x2xf32>; s: memref<f32>; u: memref<f32>; e: memref<?x3xf32>; "
    "f: memref<?x3xf32>", """
  memref.copy %a, %o : memref<2x3xf32> to memref<2x3xf32>
  %c = memref.reinterpret_cast %t to offset: [0], sizes: [2, 3], strides: [1, 2]
    : memref<3x2xf32> to memref<2x3xf32, strided<[1, 2]>>
  memref.copy %a, %c : memref<2x3xf32> to memref<2x3xf32, strided<[1, 2]>>
  memref.copy %s, %u : memref<f32> to memref<f32>
  memref.copy %e, %f : memref<?x3xf32> to memref<?x3xf32>""",
    lambda a, o, t, s, u, e, f: {"o": a, "t": a.T, "u": s}, e=(0, 3), f=(0, 3),
)  # fmt: skip
tried(
    f"{RUNNER}/sgemm-naive-codegen.mlir", "a naive product that sums in a memref of one element",
    "a: memref<8x8xf32>; b: memref<8x8xf32>; o: memref<8x8xf32>", """
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %m = memref.alloc() : memref<1xf32>
      %v = affine.load %o[%i, %j] : memref<8x8xf32>
      affine.store %v, %m[0] : memref<1xf32>
      affine.for %k = 0 to 8 {
        %x = affine.load %a[%i, %k] : memref<8x8xf32>
        %y = affine.load %b[%k, %j] : memref<8x8xf32>
        %s = affine.load %m[0] : memref<1xf32>
        %p = arith.mulf %x, %y : f32
        %q = arith.addf %p, %s : f32
        affine.store %q, %m[0] : memref<1xf32>
      }
      %r = affine.load %m[0] : memref<1xf32>
      affine.store %r, %o[%i, %j] : memref<8x8xf32>
      memref.dealloc %m : memref<1xf32>
    }
  }""", lambda a, b, o: {"o": o + a @ b},
)  # fmt: skip
tried(
    f"{RUNNER}/affine-loop-fusion.mlir", "a loop that reads what another one has written in part",
    "a: memref<16xf32>; t: memref<16xf32>; o: memref<16xf32>", """
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i] : memref<16xf32>
    affine.store %v, %t[2 * %i] : memref<16xf32>
  }
  affine.for %j = 0 to 16 {
    %v = affine.load %t[%j] : memref<16xf32>
    affine.store %v, %o[%j] : memref<16xf32>
  }""", lambda a, t, o: {"o": np.where(np.arange(16) % 2, t, a[np.arange(16) // 2])},
)  # fmt: skip
tried(
    f"{RUNNER}/global-memref.mlir", "memory of the module, of no dimension to three", "o: memref<2x2x2xf32>; "
    "p: memref<4xf32>; q: memref<f32>", """
  %s = memref.get_global @scalar : memref<f32>
  %l = memref.get_global @line : memref<4xf32>
  %b = memref.get_global @block : memref<2x2x2xf32>
  memref.copy %s, %q : memref<f32> to memref<f32>
  memref.copy %l, %p : memref<4xf32> to memref<4xf32>
  memref.copy %b, %o : memref<2x2x2xf32> to memref<2x2x2xf32>""",
    lambda o, p, q: {"o": np.arange(8).reshape(2, 2, 2), "p": [0, 1, 2, 3], "q": 10.5},
    module="""memref.global "private" constant @scalar : memref<f32> = dense<10.5>
memref.global "private" constant @line : memref<4xf32> = dense<[0.0, 1.0, 2.0, 3.0]>
memref.global "private" constant @block : memref<2x2x2xf32> = dense<[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]>
""",
)  # fmt: skip
tried(
    f"{RUNNER}/memref-reinterpret-cast.mlir", "other sizes and strides of memory", "a: memref<2x3xf32>; o: memref<6x1xf32>; "
    "p: memref<3x2xf32>; m: index; n: index", """
  %l = memref.reinterpret_cast %a to offset: [0], sizes: [6, 1], strides: [1, 1]
    : memref<2x3xf32> to memref<6x1xf32, strided<[1, 1]>>
  %t = memref.reinterpret_cast %a to offset: [%c0], sizes: [%m, %n], strides: [1, %m]
    : memref<2x3xf32> to memref<?x?xf32, strided<[1, ?], offset: ?>>
  memref.copy %l, %o : memref<6x1xf32, strided<[1, 1]>> to memref<6x1xf32>
  memref.copy %t, %p : memref<?x?xf32, strided<[1, ?], offset: ?>> to memref<3x2xf32>""",
    lambda a, o, p, m, n: {"o": a.reshape(6, 1), "p": a.reshape(2, 3).T}, m=3, n=2,
)  # fmt: skip
tried(
    f"{RUNNER}/memref-reshape.mlir", "shapes that are in memory", "a: memref<2x3xf32>; s: memref<1xindex>; o: memref<?xf32>; "
    "p: memref<?x?xf32>", """
  %r = memref.reshape %a(%s) : (memref<2x3xf32>, memref<1xindex>) -> memref<?xf32>
  memref.copy %r, %o : memref<?xf32> to memref<?xf32>
  %t = memref.alloca() : memref<2xi32>
  %one = arith.constant 1 : i32
  %six = arith.constant 6 : i32
  memref.store %one, %t[%c0] : memref<2xi32>
  memref.store %six, %t[%c1] : memref<2xi32>
  %u = memref.reshape %a(%t) : (memref<2x3xf32>, memref<2xi32>) -> memref<?x?xf32>
  memref.copy %u, %p : memref<?x?xf32> to memref<?x?xf32>""",
    lambda a, s, o, p: {"o": a.reshape(6), "p": a.reshape(1, 6)}, s=np.array([6]), o=(6,), p=(1, 6),
)  # fmt: skip
tried(
    f"{RUNNER}/unranked-memref.mlir", "memrefs without a rank", "a: memref<2x3xf32>; o: memref<2x3xf32>", """
  %u = memref.cast %a : memref<2x3xf32> to memref<*xf32>
  %v = memref.cast %u : memref<*xf32> to memref<2x3xf32>
  memref.copy %v, %o : memref<2x3xf32> to memref<2x3xf32>""",
    lambda a, o: {"o": a}, a=(2, 3), o=(2, 3),
)  # fmt: skip
tried(
    f"{STANDARD}/test_subview.mlir", "subviews with steps, of dynamic sizes", "a: memref<?x?xf32>; o: memref<?x?xf32>; "
    "m: index; n: index", """
  %s = memref.subview %a[1, 0] [%m, %n] [2, 3] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 3], offset: ?>>
  memref.copy %s, %o : memref<?x?xf32, strided<[?, 3], offset: ?>> to memref<?x?xf32>""",
    lambda a, o, m, n: {"o": a[1:6:2, 0:6:3]}, a=(7, 6), o=(3, 2), m=3, n=2,
)  # fmt: skip
tried(
    f"{STANDARD}/test-ceil-floor-pos-neg.mlir", "divisions that round up and down", "o: memref<4x12xf32>", """
  affine.for %i = -6 to 6 {
    %x = arith.index_cast %i : index to i32
    %d = arith.constant 4 : i32
    %e = arith.constant -4 : i32
    %p = arith.ceildivsi %x, %d : i32
    %q = arith.floordivsi %x, %d : i32
    %r = arith.ceildivsi %x, %e : i32
    %s = arith.floordivsi %x, %e : i32
    %pf = arith.sitofp %p : i32 to f32
    %qf = arith.sitofp %q : i32 to f32
    %rf = arith.sitofp %r : i32 to f32
    %sf = arith.sitofp %s : i32 to f32
    affine.store %pf, %o[0, %i + 6] : memref<4x12xf32>
    affine.store %qf, %o[1, %i + 6] : memref<4x12xf32>
    affine.store %rf, %o[2, %i + 6] : memref<4x12xf32>
    affine.store %sf, %o[3, %i + 6] : memref<4x12xf32>
  }""", lambda o: {"o": [[-(-i // 4) for i in range(-6, 6)], [i // 4 for i in range(-6, 6)],
                         [-(i // 4) for i in range(-6, 6)], [i // -4 for i in range(-6, 6)]]},
)  # fmt: skip
tried(
    f"{RUNNER}/utils.mlir", "memory that is filled", "o: memref<2x3x4xf32>; s: memref<f32>", """
  %v = arith.constant 10.5 : f32
  linalg.fill ins(%v : f32) outs(%o : memref<2x3x4xf32>)
  linalg.fill ins(%v : f32) outs(%s : memref<f32>)""", lambda o, s: {"o": np.full((2, 3, 4), 10.5), "s": 10.5},
)  # fmt: skip
tried(
    f"{RUNNER}/test-convert-breakable-loop-to-scf.mlir", "a loop whose body alone says when it ends, as scf.while", "o: memref<1xf32>",
    """
  %one = arith.constant 1.0 : f32
  %r = scf.while (%more = %one) : (f32) -> f32 {
    %v = memref.load %o[%c0] : memref<1xf32>
    %c = arith.cmpf une, %v, %more : f32
    scf.condition(%c) %v : f32
  } do {
  ^bb0(%v: f32):
    memref.store %v, %o[%c0] : memref<1xf32>
    scf.yield %v : f32
  }""", lambda o: {"o": o},
)  # fmt: skip

# arith and vector.

tried(
    f"{ARITH}/comparison.mlir", "comparisons, signed and not", "a: memref<4xf32>; o: memref<8xf32>", "".join(f"""
  %x{n} = arith.constant {x} : i8
  %y{n} = arith.constant {y} : i8
  %c{n}0 = arith.cmpi slt, %x{n}, %y{n} : i8
  %c{n}1 = arith.cmpi ult, %x{n}, %y{n} : i8
  %f{n}0 = arith.uitofp %c{n}0 : i1 to f32
  %f{n}1 = arith.sitofp %c{n}1 : i1 to f32
  %i{n}0 = arith.constant {2 * n} : index
  %i{n}1 = arith.constant {2 * n + 1} : index
  memref.store %f{n}0, %o[%i{n}0] : memref<8xf32>
  memref.store %f{n}1, %o[%i{n}1] : memref<8xf32>""" for n, (x, y) in enumerate([(1, 2), (-1, 2), (2, -1), (-128, 127)])),
    lambda a, o: {"o": [1, -1, 1, 0, 0, -1, 1, 0]},
)  # fmt: skip
tried(
    f"{ARITH}/shifts.mlir", "shifts", "o: memref<3xf32>", """
  %x = arith.constant -8 : i8
  %y = arith.constant 2 : i8
  %p = arith.shli %x, %y : i8
  %q = arith.shrsi %x, %y : i8
  %r = arith.shrui %x, %y : i8
  %pf = arith.sitofp %p : i8 to f32
  %qf = arith.sitofp %q : i8 to f32
  %rf = arith.sitofp %r : i8 to f32
  memref.store %pf, %o[%c0] : memref<3xf32>
  memref.store %qf, %o[%c1] : memref<3xf32>
  memref.store %rf, %o[%c2] : memref<3xf32>""", lambda o: {"o": [-32, -2, 62]},
)  # fmt: skip
tried(
    f"{VECTOR}/transfer-read.mlir", "transfers beyond the end, with padding", "a: memref<5xf32>; o: memref<8xf32>", """
  %p = arith.constant -42.0 : f32
  %v = vector.transfer_read %a[%c1], %p : memref<5xf32>, vector<8xf32>
  vector.transfer_write %v, %o[%c0] : vector<8xf32>, memref<8xf32>""",
    lambda a, o: {"o": [*a[1:], *[-42] * 4]},
)  # fmt: skip
tried(
    f"{VECTOR}/contraction.mlir", "products of vectors", "a: memref<2x2xf32>; b: memref<2x2xf32>; o: memref<2x2xf32>", """
  %v = vector.transfer_read %a[%c0, %c0], %z : memref<2x2xf32>, vector<2x2xf32>
  %w = vector.transfer_read %b[%c0, %c0], %z : memref<2x2xf32>, vector<2x2xf32>
  %s = vector.transfer_read %o[%c0, %c0], %z : memref<2x2xf32>, vector<2x2xf32>
  %c = vector.contract {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"],
    kind = #vector.kind<add>} %v, %w, %s : vector<2x2xf32>, vector<2x2xf32> into vector<2x2xf32>
  vector.transfer_write %c, %o[%c0, %c0] : vector<2x2xf32>, memref<2x2xf32>""", lambda a, b, o: {"o": o + a @ b},
)  # fmt: skip
tried(
    f"{VECTOR}/create-mask.mlir", "masks of dynamic sizes", "o: memref<2x3xf32>; m: index; n: index", """
  %k = vector.create_mask %m, %n : vector<2x3xi1>
  %one = arith.constant dense<1.0> : vector<2x3xf32>
  %zero = arith.constant dense<0.0> : vector<2x3xf32>
  %v = arith.select %k, %one, %zero : vector<2x3xi1>, vector<2x3xf32>
  vector.transfer_write %v, %o[%c0, %c0] : vector<2x3xf32>, memref<2x3xf32>""",
    lambda o, m, n: {"o": [[1, 1, 0], [0, 0, 0]]}, m=1, n=2,
)  # fmt: skip
refused(
    f"{VECTOR}/ArmSVE/contraction.mlir", "vectors whose length a processor has", "a: memref<?xf32>", """
  %v = vector.load %a[%c0] : memref<?xf32>, vector<[4]xf32>""", "PYTL-1303",
)  # fmt: skip
tried(
    f"{VECTOR}/reductions-f32.mlir", "reductions of vectors", "a: memref<8xf32>; o: memref<3xf32>", """
  %v = vector.load %a[%c0] : memref<8xf32>, vector<8xf32>
  %s = vector.reduction <add>, %v : vector<8xf32> into f32
  %m = vector.reduction <maximumf>, %v : vector<8xf32> into f32
  %p = vector.reduction <mul>, %v : vector<8xf32> into f32
  memref.store %s, %o[%c0] : memref<3xf32>
  memref.store %m, %o[%c1] : memref<3xf32>
  memref.store %p, %o[%c2] : memref<3xf32>""", lambda a, o: {"o": [a.sum(), a.max(), a.prod()]},
)  # fmt: skip


def table() -> str:
    """The table of the guide."""
    lines = ["| test of MLIR | what is taken from it | verdict |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| `{each.path}` | {each.about} | {each.verdict} |" for each in TRIED)])
