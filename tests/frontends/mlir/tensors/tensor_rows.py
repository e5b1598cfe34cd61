"""A program for each operation of `tensor` and `bufferization`, and for what carries tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from frontends.mlir.tensors.rows import Rows

row = Rows()

# Constants.

_X4 = "%x: tensor<4xf32>"


def constant(about: str, type_: str, text: str, value: Any) -> None:
    row("arith.constant", about, "", type_, f"  %r = arith.constant {text} : {type_}", lambda: value)


constant("a splat", "tensor<2x3xf32>", "dense<1.5>", np.full((2, 3), 1.5, np.float32))
constant("a splat of integers", "tensor<4xi32>", "dense<-7>", np.full(4, -7, np.int32))
constant("truth values", "tensor<3xi1>", "dense<[true, false, true]>", np.array([True, False, True]))
constant("a splat of truth", "tensor<2x2xi1>", "dense<true>", np.ones((2, 2), bool))
constant(
    "nested lists", "tensor<2x3xf64>", "dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>", np.arange(1.0, 7.0).reshape(2, 3)
)
constant("integers", "tensor<2x2xi64>", "dense<[[1, -2], [3, 4]]>", np.array([[1, -2], [3, 4]]))
constant("indices", "tensor<3xindex>", "dense<[2, 0, 1]>", np.array([2, 0, 1]))
constant(
    "bytes in hexadecimal",
    "tensor<3xf32>",
    '"0x0000803F0000004000004040"'.join(("dense<", ">")),
    np.array([1, 2, 3], np.float32),
)
constant("a splat in hexadecimal", "tensor<3xi32>", 'dense<"0x05000000">', np.full(3, 5, np.int32))
constant(
    "numbers in hexadecimal", "tensor<2xf32>", "dense<[0x7F800000, 0x3F800000]>", np.array([np.inf, 1], np.float32)
)
constant("halves", "tensor<2xf16>", "dense<[1.5, -0.25]>", np.array([1.5, -0.25], np.float16))
constant("bytes", "tensor<4xi8>", "dense<[1, 2, -3, 127]>", np.array([1, 2, -3, 127], np.int8))
constant(
    "complex numbers",
    "tensor<2xcomplex<f32>>",
    "dense<[(1.0, 2.0), (-1.0, 0.5)]>",
    np.array([1 + 2j, -1 + 0.5j], np.complex64),
)
constant("a splat of complex numbers", "tensor<3xcomplex<f64>>", "dense<(1.0, -2.0)>", np.full(3, 1 - 2j))
constant("without dimensions", "tensor<f32>", "dense<2.5>", np.array(2.5, np.float32))
constant(
    "many elements", "tensor<300xi32>", f"dense<[{', '.join(map(str, range(300)))}]>", np.arange(300, dtype=np.int32)
)

# tensor.

row(
    "tensor.empty",
    "is written before it is read",
    "%n: index",
    "tensor<?xf32>",
    """
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>""",
    lambda n: np.ones(n, np.float32),
    n=5,
)
row(
    "tensor.dim",
    "",
    "%x: tensor<?x3xf32>",
    "index, index",
    """
  %r = tensor.dim %x, %c0 : tensor<?x3xf32>
  %s = tensor.dim %x, %c1 : tensor<?x3xf32>""",
    lambda x: (5, 3),
    x=(5, 3),
)
row("tensor.rank", "", "%x: tensor<2x3xf32>", "index", "  %r = tensor.rank %x : tensor<2x3xf32>", lambda x: 2)
row(
    "tensor.extract",
    "",
    "%x: tensor<3x4xf32>, %i: index",
    "f32",
    "  %r = tensor.extract %x[%i, %c2] : tensor<3x4xf32>",
    lambda x, i: x[i, 2],
    i=1,
)
row(
    "tensor.extract",
    "without dimensions",
    "%x: tensor<f64>",
    "f64",
    "  %r = tensor.extract %x[] : tensor<f64>",
    lambda x: x[()],
)
row(
    "tensor.extract",
    "of a constant",
    "",
    "f32",
    """
  %k = arith.constant dense<[1.0, 4.0]> : tensor<2xf32>
  %r = tensor.extract %k[%c1] : tensor<2xf32>""",
    lambda: np.float32(4),
)


def _put(x: Any, value: Any, *at: Any) -> Any:
    x = x.copy()
    x[at] = value
    return x


row(
    "tensor.insert",
    "",
    "%x: tensor<3x4xf32>, %v: f32",
    "tensor<3x4xf32>",
    "  %r = tensor.insert %v into %x[%c1, %c2] : tensor<3x4xf32>",
    lambda x, v: _put(x, v, 1, 2),
)
row(
    "tensor.insert",
    "and the old value, too",
    f"{_X4}, %v: f32",
    "tensor<4xf32>, tensor<4xf32>",
    """
  %r = tensor.insert %v into %x[%c1] : tensor<4xf32>
  %s = tensor.insert %v into %x[%c2] : tensor<4xf32>""",
    lambda x, v: (_put(x, v, 1), _put(x, v, 2)),
)
row(
    "tensor.extract_slice",
    "",
    "%x: tensor<6x8xf32>",
    "tensor<2x3xf32>",
    "  %r = tensor.extract_slice %x[1, 2] [2, 3] [1, 1] : tensor<6x8xf32> to tensor<2x3xf32>",
    lambda x: x[1:3, 2:5],
)
row(
    "tensor.extract_slice",
    "with steps",
    "%x: tensor<6x8xf32>",
    "tensor<2x3xf32>",
    "  %r = tensor.extract_slice %x[1, 1] [2, 3] [2, 3] : tensor<6x8xf32> to tensor<2x3xf32>",
    lambda x: x[1:5:2, 1:8:3],
)
row(
    "tensor.extract_slice",
    "of one dimension less",
    "%x: tensor<6x8xf32>, %i: index",
    "tensor<8xf32>",
    "  %r = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<6x8xf32> to tensor<8xf32>",
    lambda x, i: x[i],
    i=3,
)
row(
    "tensor.extract_slice",
    "of sizes that are computed",
    "%x: tensor<?x?xf32>, %n: index",
    "tensor<?x?xf32>",
    """
  %d = tensor.dim %x, %c1 : tensor<?x?xf32>
  %h = arith.divui %d, %c2 : index
  %r = tensor.extract_slice %x[1, %h] [%n, %h] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>""",
    lambda x, n: x[1 : 1 + n, 4:8],
    x=(6, 8),
    n=3,
)
row(
    "tensor.extract_slice",
    "of a part",
    "%x: tensor<6x8xf32>",
    "tensor<2x2xf32>",
    """
  %a = tensor.extract_slice %x[1, 1] [4, 6] [1, 1] : tensor<6x8xf32> to tensor<4x6xf32>
  %r = tensor.extract_slice %a[1, 1] [2, 2] [2, 3] : tensor<4x6xf32> to tensor<2x2xf32>""",
    lambda x: x[1:5, 1:7][1:4:2, 1:5:3],
)
row(
    "tensor.insert_slice",
    "",
    "%x: tensor<2x3xf32>, %y: tensor<6x8xf32>",
    "tensor<6x8xf32>",
    "  %r = tensor.insert_slice %x into %y[1, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<6x8xf32>",
    lambda x, y: _put(y, x, slice(1, 3), slice(2, 5)),
)
row(
    "tensor.insert_slice",
    "of one dimension less, at an offset",
    "%x: tensor<8xf32>, %y: tensor<6x8xf32>, %i: index",
    "tensor<6x8xf32>",
    "  %r = tensor.insert_slice %x into %y[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<6x8xf32>",
    lambda x, y, i: _put(y, x, i),
    i=4,
)
row(
    "tensor.insert_slice",
    "into an empty one, by halves",
    "%x: tensor<4xf32>, %y: tensor<4xf32>",
    "tensor<8xf32>",
    """
  %e = tensor.empty() : tensor<8xf32>
  %a = tensor.insert_slice %x into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %r = tensor.insert_slice %y into %a[4] [4] [1] : tensor<4xf32> into tensor<8xf32>""",
    lambda x, y: np.concatenate((x, y)),
)
row(
    "tensor.insert_slice",
    "of a tensor into itself",
    "%x: tensor<4x4xf32>",
    "tensor<4x4xf32>",
    """
  %a = tensor.extract_slice %x[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %r = tensor.insert_slice %a into %x[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>""",
    lambda x: _put(x, x[:2].copy(), slice(1, 3)),
)
row(
    "tensor.cast",
    "",
    "%x: tensor<?x3xf32>",
    "tensor<2x?xf32>",
    "  %r = tensor.cast %x : tensor<?x3xf32> to tensor<2x?xf32>",
    lambda x: x,
    x=(2, 3),
)
row(
    "tensor.collapse_shape",
    "",
    "%x: tensor<2x3x4xf32>",
    "tensor<6x4xf32>",
    "  %r = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x3x4xf32> into tensor<6x4xf32>",
    lambda x: x.reshape(6, 4),
)
row(
    "tensor.collapse_shape",
    "to no dimension",
    "%x: tensor<1x1xf32>",
    "tensor<f32>",
    "  %r = tensor.collapse_shape %x [] : tensor<1x1xf32> into tensor<f32>",
    lambda x: x.reshape(()),
)
row(
    "tensor.collapse_shape",
    "of unknown sizes",
    "%x: tensor<?x?x4xf32>",
    "tensor<?xf32>",
    "  %r = tensor.collapse_shape %x [[0, 1, 2]] : tensor<?x?x4xf32> into tensor<?xf32>",
    lambda x: x.reshape(-1),
    x=(2, 3, 4),
)
row(
    "tensor.expand_shape",
    "",
    "%x: tensor<6x4xf32>",
    "tensor<2x3x4xf32>",
    "  %r = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 3, 4] : tensor<6x4xf32> into tensor<2x3x4xf32>",
    lambda x: x.reshape(2, 3, 4),
)
row(
    "tensor.expand_shape",
    "of unknown sizes",
    "%x: tensor<?xf32>, %n: index",
    "tensor<?x2xf32>",
    "  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>",
    lambda x, n: x.reshape(n, 2),
    x=(6,),
    n=3,
)
row(
    "tensor.expand_shape",
    "from no dimension",
    "%x: tensor<f32>",
    "tensor<1x1xf32>",
    "  %r = tensor.expand_shape %x [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>",
    lambda x: x.reshape(1, 1),
)
row(
    "tensor.reshape",
    "",
    "%x: tensor<2x6xf32>",
    "tensor<3x4xf32>",
    """
  %k = arith.constant dense<[3, 4]> : tensor<2xindex>
  %r = tensor.reshape %x(%k) : (tensor<2x6xf32>, tensor<2xindex>) -> tensor<3x4xf32>""",
    lambda x: x.reshape(3, 4),
)
row(
    "tensor.pad",
    "by numbers on both sides",
    "%x: tensor<2x3xf32>",
    "tensor<5x6xf32>",
    """
  %r = tensor.pad %x low[1, 0] high[2, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<2x3xf32> to tensor<5x6xf32>""",
    lambda x: np.pad(x, ((1, 2), (0, 3)), constant_values=1),
)
row(
    "tensor.pad",
    "by sizes that are passed",
    "%x: tensor<?xf32>, %n: index",
    "tensor<?xf32>",
    """
  %r = tensor.pad %x nofold low[%n] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>""",
    lambda x, n: np.pad(x, (n, 1)),
    x=(4,),
    n=2,
)
row(
    "tensor.pad",
    "with values of their indices",
    "%x: tensor<2xi64>",
    "tensor<5xi64>",
    """
  %r = tensor.pad %x low[2] high[1] {
  ^bb0(%i: index):
    %v = arith.index_cast %i : index to i64
    tensor.yield %v : i64
  } : tensor<2xi64> to tensor<5xi64>""",
    lambda x: np.array([0, 1, *x, 4]),
)
row(
    "tensor.concat",
    "",
    "%x: tensor<2x3xf32>, %y: tensor<2x1xf32>, %z: tensor<2x2xf32>",
    "tensor<2x6xf32>",
    """
  %r = tensor.concat dim(1) %x, %y, %z : (tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>""",
    lambda x, y, z: np.concatenate((x, y, z), 1),
)
row(
    "tensor.concat",
    "of unknown sizes",
    "%x: tensor<?x3xf32>, %y: tensor<?x3xf32>",
    "tensor<?x3xf32>",
    "  %r = tensor.concat dim(0) %x, %y : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>",
    lambda x, y: np.concatenate((x, y)),
    x=(2, 3),
    y=(4, 3),
)
row(
    "tensor.generate",
    "",
    "%n: index",
    "tensor<?x3xindex>",
    """
  %r = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %a = arith.muli %i, %c3 : index
    %b = arith.addi %a, %j : index
    tensor.yield %b : index
  } : tensor<?x3xindex>""",
    lambda n: np.arange(3 * n).reshape(n, 3),
    n=4,
)
row(
    "tensor.generate",
    "of another tensor's elements",
    "%x: tensor<4xf32>",
    "tensor<4xf32>",
    """
  %r = tensor.generate {
  ^bb0(%i: index):
    %a = arith.subi %c3, %i : index
    %b = tensor.extract %x[%a] : tensor<4xf32>
    tensor.yield %b : f32
  } : tensor<4xf32>""",
    lambda x: x[::-1],
)
row(
    "tensor.yield",
    "of a value that is chosen",
    "%x: tensor<4xf32>",
    "tensor<6xf32>",
    """
  %r = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    %q = arith.cmpi eq, %i, %c0 : index
    %v = arith.select %q, %one, %zero : f32
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<6xf32>""",
    lambda x: np.array([1, *x, 0], np.float32),
)
row(
    "tensor.splat",
    "",
    "%v: f32",
    "tensor<2x3xf32>",
    "  %r = tensor.splat %v : tensor<2x3xf32>",
    lambda v: np.full((2, 3), v, np.float32),
)
row(
    "tensor.splat",
    "of unknown sizes",
    "%v: f32, %n: index",
    "tensor<?x3xf32>",
    "  %r = tensor.splat %v[%n] : tensor<?x3xf32>",
    lambda v, n: np.full((n, 3), v, np.float32),
    n=2,
)
row(
    "tensor.from_elements",
    "",
    "%a: f32, %b: f32, %c: f32, %d: f32",
    "tensor<2x2xf32>",
    "  %r = tensor.from_elements %a, %b, %c, %d : tensor<2x2xf32>",
    lambda *all_: np.array(all_, np.float32).reshape(2, 2),
)
row(
    "tensor.from_elements",
    "without dimensions",
    "%a: i32",
    "tensor<i32>",
    "  %r = tensor.from_elements %a : tensor<i32>",
    lambda a: np.array(a, np.int32),
)
row(
    "tensor.gather",
    "rows",
    "%x: tensor<5x4xf32>, %k: tensor<3x1xindex>",
    "tensor<3x4xf32>",
    "  %r = tensor.gather %x[%k] gather_dims([0]) : (tensor<5x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>",
    lambda x, k: x[k[:, 0]],
    k=lambda rng: rng.integers(0, 5, (3, 1)),
)
row(
    "tensor.gather",
    "elements, all dimensions kept",
    "%x: tensor<5x4xf32>, %k: tensor<3x2x2xi32>",
    "tensor<3x2x1x1xf32>",
    "  %r = tensor.gather %x[%k] gather_dims([0, 1]) : (tensor<5x4xf32>, tensor<3x2x2xi32>) -> tensor<3x2x1x1xf32>",
    lambda x, k: x[k[..., 0], k[..., 1]][..., None, None],
    k=lambda rng: rng.integers(0, 4, (3, 2, 2)).astype(np.int32),
)
row(
    "tensor.scatter",
    "rows",
    "%s: tensor<2x1x4xf32>, %x: tensor<5x4xf32>, %k: tensor<2x1xindex>",
    "tensor<5x4xf32>",
    """
  %r = tensor.scatter %s into %x[%k] scatter_dims([0]) unique
    : (tensor<2x1x4xf32>, tensor<5x4xf32>, tensor<2x1xindex>) -> tensor<5x4xf32>""",
    lambda s, x, k: _put(x, s[:, 0], k[:, 0]),
    k=lambda rng: rng.permutation(5)[:2].reshape(2, 1),
)
row(
    "tensor.bitcast",
    "",
    "%x: tensor<4xi32>",
    "tensor<4xf32>",
    "  %r = tensor.bitcast %x : tensor<4xi32> to tensor<4xf32>",
    lambda x: x.view(np.float32),
    x=lambda rng: rng.integers(1 << 29, 1 << 30, 4).astype(np.int32),
)
row(
    "tensor.parallel_insert_slice",
    "",
    "%x: tensor<8xf32>",
    "tensor<8xf32>",
    """
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<8xf32>) {
    %at = arith.muli %i, %c2 : index
    %p = tensor.extract_slice %x[%at] [2] [1] : tensor<8xf32> to tensor<2xf32>
    %q = arith.addf %p, %p : tensor<2xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %q into %o[%at] [2] [1] : tensor<2xf32> into tensor<8xf32>
    }
  }""",
    lambda x: 2 * x,
)

# bufferization.

row(
    "bufferization.alloc_tensor",
    "",
    "%n: index",
    "tensor<?x2xf32>",
    """
  %e = bufferization.alloc_tensor(%n) : tensor<?x2xf32>
  %r = linalg.fill ins(%one : f32) outs(%e : tensor<?x2xf32>) -> tensor<?x2xf32>""",
    lambda n: np.ones((n, 2), np.float32),
    n=3,
)
row(
    "bufferization.alloc_tensor",
    "a copy",
    f"{_X4}, %v: f32",
    "tensor<4xf32>, tensor<4xf32>",
    """
  %e = bufferization.alloc_tensor() copy(%x) : tensor<4xf32>
  %r = tensor.insert %v into %e[%c0] : tensor<4xf32>
  %s = arith.addf %x, %x : tensor<4xf32>""",
    lambda x, v: (_put(x, v, 0), x + x),
)
row(
    "bufferization.dealloc_tensor",
    "",
    _X4,
    "tensor<4xf32>",
    """
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = arith.addf %x, %f : tensor<4xf32>
  bufferization.dealloc_tensor %f : tensor<4xf32>""",
    lambda x: x + 1,
)


def _memory(operation: str, about: str, head: str, body: str, expected: Any, **more: Any) -> None:
    """A program that gives nothing and writes its memref %o."""
    row(operation, about, head, "", body, expected, **more)


_memory(
    "bufferization.to_tensor",
    "",
    "%m: memref<4xf32>, %o: memref<4xf32>",
    """
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %u = arith.mulf %t, %t : tensor<4xf32>
  bufferization.materialize_in_destination %u in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()""",
    lambda m, o: {1: m * m},
)
_memory(
    "bufferization.to_tensor",
    "writable",
    "%m: memref<4xf32>",
    """
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %u = linalg.negf ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %u in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()""",
    lambda m: {0: -m},
)
_memory(
    "bufferization.to_buffer",
    "",
    "%x: tensor<4xf32>, %o: memref<4xf32>",
    """
  %t = arith.addf %x, %x : tensor<4xf32>
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.copy %b, %o : memref<4xf32> to memref<4xf32>""",
    lambda x, o: {1: 2 * x},
)
row(
    "bufferization.materialize_in_destination",
    "of a tensor",
    "%x: tensor<4xf32>, %y: tensor<4xf32>",
    "tensor<4xf32>",
    """
  %t = arith.addf %x, %x : tensor<4xf32>
  %r = bufferization.materialize_in_destination %t in %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>""",
    lambda x, y: 2 * x,
)
_memory(
    "bufferization.clone",
    "",
    "%m: memref<4xf32>, %o: memref<4xf32>",
    """
  %t = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.copy %t, %o : memref<4xf32> to memref<4xf32>""",
    lambda m, o: {1: m},
)
_memory(
    "bufferization.dealloc",
    "",
    "%o: memref<4xf32>",
    """
  %true = arith.constant true
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%a : memref<4xf32>)
  memref.copy %a, %o : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%a : memref<4xf32>) if (%true)""",
    lambda o: {0: np.ones(4, np.float32)},
)

# Arithmetic on tensors.


def arith(name: str, types: str, expected: Any, words: str = "", result: str = "", **shapes: Any) -> None:
    """An operation of arith, math or complex on tensors of types, with words in front of its operands."""
    elements = types.split()
    head = ", ".join(f"%{n}: tensor<2x3x{e}>" for n, e in zip("xyz", elements))
    names = ", ".join(f"%{n}" for n, _ in zip("xyz", elements))
    gives = f"tensor<2x3x{result or elements[0]}>"
    shown = f"tensor<2x3x{elements[0]}>" + (f" to {gives}" if result and name.split(".")[1] in _CASTS else "")
    if name == "arith.select":
        shown = f"tensor<2x3xi1>, {gives}"
    row(name, "on tensors", head, gives, f"  %r = {name} {words}{names} : {shown}", expected, **shapes)


_CASTS = ("extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui", "extsi", "extui", "trunci", "index_cast", "bitcast")


def positive(rng: Any) -> Any:
    return rng.uniform(0.5, 2, (2, 3)).astype(np.float32)


def nonzero(rng: Any) -> Any:
    return rng.integers(1, 6, (2, 3)).astype(np.int32)


def counts(rng: Any) -> Any:
    return rng.integers(0, 30, (2, 3)).astype(np.int32)


arith("arith.addf", "f32 f32", lambda x, y: x + y)
arith("arith.subf", "f64 f64", lambda x, y: x - y)
arith("arith.mulf", "f16 f16", lambda x, y: x * y)
arith("arith.divf", "f32 f32", lambda x, y: x / y, y=positive)
arith("arith.remf", "f32 f32", np.fmod, y=positive)
arith("arith.negf", "f32", lambda x: -x)
arith("arith.maximumf", "f32 f32", np.maximum)
arith("arith.minimumf", "f32 f32", np.minimum)
arith("arith.maxnumf", "f32 f32", np.fmax)
arith("arith.minnumf", "f32 f32", np.fmin)
arith("arith.addi", "i32 i32", lambda x, y: x + y)
arith("arith.subi", "i64 i64", lambda x, y: x - y)
arith("arith.muli", "i8 i8", lambda x, y: x * y)
arith("arith.divsi", "i32 i32", lambda x, y: (x / y).astype(np.int32), y=nonzero)
arith("arith.divui", "i32 i32", lambda x, y: x // y, x=counts, y=nonzero)
arith("arith.remsi", "i32 i32", np.fmod, y=nonzero)
arith("arith.remui", "i32 i32", lambda x, y: x % y, x=counts, y=nonzero)
arith("arith.ceildivsi", "i32 i32", lambda x, y: -(-x // y), y=nonzero)
arith("arith.floordivsi", "i32 i32", lambda x, y: x // y, y=nonzero)
arith("arith.maxsi", "i32 i32", np.maximum)
arith("arith.minsi", "i32 i32", np.minimum)
arith("arith.maxui", "i32 i32", lambda x, y: np.maximum(x.view("u4"), y.view("u4")).view("i4"))
arith("arith.minui", "i32 i32", lambda x, y: np.minimum(x.view("u4"), y.view("u4")).view("i4"))
arith("arith.andi", "i32 i32", lambda x, y: x & y)
arith("arith.ori", "i32 i32", lambda x, y: x | y)
arith("arith.xori", "i32 i32", lambda x, y: x ^ y)
arith("arith.andi", "i1 i1", lambda x, y: x & y)
arith("arith.shli", "i32 i32", lambda x, y: x << y, x=counts, y=nonzero)
arith("arith.shrsi", "i32 i32", lambda x, y: x >> y, y=nonzero)
arith("arith.shrui", "i32 i32", lambda x, y: x >> y, x=counts, y=nonzero)
arith("arith.cmpf", "f32 f32", lambda x, y: x < y, "olt, ", "i1")
arith("arith.cmpi", "i32 i32", lambda x, y: x >= y, "sge, ", "i1")
arith("arith.select", "i1 f32 f32", np.where, result="f32")
arith("arith.extf", "f32", lambda x: x.astype(np.float64), result="f64")
arith("arith.truncf", "f64", lambda x: x.astype(np.float32), result="f32")
arith("arith.sitofp", "i32", lambda x: x.astype(np.float32), result="f32")
arith("arith.uitofp", "i8", lambda x: x.view(np.uint8).astype(np.float32), result="f32")
arith(
    "arith.fptosi",
    "f32",
    lambda x: x.astype(np.int32),
    result="i32",
    x=lambda rng: rng.uniform(-9, 9, (2, 3)).astype("f4"),
)
arith("arith.fptoui", "f32", lambda x: x.astype(np.int32), result="i32", x=positive)
arith("arith.extsi", "i8", lambda x: x.astype(np.int32), result="i32")
arith("arith.extui", "i8", lambda x: x.view(np.uint8).astype(np.int32), result="i32")
arith("arith.trunci", "i32", lambda x: x.astype(np.int8), result="i8")
arith("arith.index_cast", "i32", lambda x: x.astype(np.int64), result="index")
arith("arith.bitcast", "f32", lambda x: x.view(np.int32), result="i32")
for _name, _of in {
    "absf": np.abs, "ceil": np.ceil, "floor": np.floor, "exp": np.exp, "exp2": np.exp2, "sin": np.sin, "cos": np.cos,
    "tanh": np.tanh, "expm1": np.expm1, "round": np.round, "roundeven": np.round, "trunc": np.trunc, "atan": np.arctan,
}.items():  # fmt: skip
    arith(f"math.{_name}", "f32", _of)
for _name, _of in {"log": np.log, "log2": np.log2, "log1p": np.log1p, "sqrt": np.sqrt}.items():
    arith(f"math.{_name}", "f32", _of, x=positive)
arith("math.erfc", "f32", np.vectorize(math.erfc))
arith("math.isnormal", "f32", lambda x: np.isfinite(x) & (x != 0), result="i1")
row(
    "math.sincos",
    "on tensors",
    "%x: tensor<2x3xf32>",
    "tensor<2x3xf32>, tensor<2x3xf32>",
    """
  %y = arith.addf %x, %x : tensor<2x3xf32>
  %r, %s = math.sincos %y : tensor<2x3xf32>""",
    lambda x: (np.sin(2 * x), np.cos(2 * x)),
)


def _of_halves(x: Any, y: Any, sign: str) -> Any:
    wide = {"u": "u8", "i": "i8"}[sign]
    product = x.view(f"{sign}4").astype(wide) * y.view(f"{sign}4").astype(wide)
    return product.astype("i4"), (product >> 32).astype("i4")


def _any(rng: Any) -> Any:
    return rng.integers(-(2**31), 2**31, (2, 3)).astype(np.int32)


for _name, _on in {
    "addui_extended": lambda x, y: (x + y, x.view("u4").astype("u8") + y.view("u4") >= 2**32),
    "mului_extended": lambda x, y: _of_halves(x, y, "u"),
    "mulsi_extended": lambda x, y: _of_halves(x, y, "i"),
}.items():
    _second = "tensor<2x3xi1>" if "add" in _name else "tensor<2x3xi32>"
    row(
        f"arith.{_name}",
        "on tensors",
        "%x: tensor<2x3xi32>, %y: tensor<2x3xi32>",
        f"tensor<2x3xi32>, {_second}",
        f"  %r, %s = arith.{_name} %x, %y : tensor<2x3xi32>{', tensor<2x3xi1>' if 'add' in _name else ''}",
        _on,
        x=_any,
        y=_any,
    )
arith("math.rsqrt", "f32", lambda x: 1 / np.sqrt(x), x=positive)
for _name, _of in {"cbrt": np.cbrt, "asinh": np.arcsinh, "sinh": np.sinh}.items():
    arith(f"math.{_name}", "f32", _of)
arith("math.acosh", "f32", np.arccosh, x=lambda rng: rng.uniform(1, 3, (2, 3)).astype(np.float32))
arith("math.atanh", "f32", np.arctanh)
arith("math.absi", "i32", np.abs)
arith("math.powf", "f32 f32", np.power, x=positive)
arith("math.atan2", "f32 f32", np.arctan2)
arith("math.copysign", "f32 f32", np.copysign)
arith("math.fma", "f32 f32 f32", lambda x, y, z: x * y + z)
row(
    "math.fpowi",
    "on tensors",
    "%x: tensor<2x3xf32>, %y: tensor<2x3xi32>",
    "tensor<2x3xf32>",
    "  %r = math.fpowi %x, %y : tensor<2x3xf32>, tensor<2x3xi32>",
    lambda x, y: x**y,
    x=positive,
)
row(
    "arith.addf",
    "by a constant",
    _X4,
    "tensor<4xf32>",
    """
  %k = arith.constant dense<2.0> : tensor<4xf32>
  %a = arith.addf %x, %k : tensor<4xf32>
  %r = arith.mulf %a, %a : tensor<4xf32>""",
    lambda x: (x + 2) ** 2,
)
row(
    "arith.select",
    "by one truth value",
    f"%c: i1, {_X4}, %y: tensor<4xf32>",
    "tensor<4xf32>",
    "  %r = arith.select %c, %x, %y : tensor<4xf32>",
    lambda c, x, y: x if c else y,
)

# Complex numbers one by one.


def complex_(name: str, body: str, expected: Any, results: str = "complex<f32>") -> None:
    row(
        name,
        "of numbers",
        "%a: tensor<complex<f32>>, %b: tensor<complex<f32>>",
        f"tensor<{results}>",
        f"""
  %x = tensor.extract %a[] : tensor<complex<f32>>
  %y = tensor.extract %b[] : tensor<complex<f32>>
{body}
  %r = tensor.from_elements %z : tensor<{results}>""",
        expected,
        tolerance=1e-4,
    )


for _name, _on in {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}.items():
    complex_(f"complex.{_name}", f"  %z = complex.{_name} %x, %y : complex<f32>", _on)
complex_("complex.neg", "  %z = complex.neg %x : complex<f32>", lambda a, b: -a)
complex_("complex.conj", "  %z = complex.conj %x : complex<f32>", lambda a, b: a.conj())
complex_("complex.re", "  %z = complex.re %x : complex<f32>", lambda a, b: a.real, "f32")
complex_("complex.im", "  %z = complex.im %x : complex<f32>", lambda a, b: a.imag, "f32")
complex_("complex.abs", "  %z = complex.abs %x : complex<f32>", lambda a, b: np.abs(a), "f32")
complex_(
    "complex.create",
    "  %u = complex.re %y : complex<f32>\n  %z = complex.create %u, %one : complex<f32>",
    lambda a, b: np.complex64(b.real + 1j),
)
complex_("complex.exp", "  %z = complex.exp %x : complex<f32>", lambda a, b: np.exp(a))
complex_("complex.log", "  %z = complex.log %x : complex<f32>", lambda a, b: np.log(a))
complex_("complex.sqrt", "  %z = complex.sqrt %x : complex<f32>", lambda a, b: np.sqrt(a))
complex_("complex.sign", "  %z = complex.sign %x : complex<f32>", lambda a, b: a / np.abs(a))
complex_("complex.sin", "  %z = complex.sin %x : complex<f32>", lambda a, b: np.sin(a))
complex_("complex.cos", "  %z = complex.cos %x : complex<f32>", lambda a, b: np.cos(a))
for _name, _of in {"tan": np.tan, "tanh": np.tanh, "expm1": np.expm1, "log1p": np.log1p}.items():
    complex_(f"complex.{_name}", f"  %z = complex.{_name} %x : complex<f32>", lambda a, b, of=_of: of(a))
complex_("complex.rsqrt", "  %z = complex.rsqrt %x : complex<f32>", lambda a, b: 1 / np.sqrt(a))
complex_(
    "complex.atan2",
    "  %z = complex.atan2 %x, %y : complex<f32>",
    lambda a, b: -1j * np.log((b + 1j * a) / np.sqrt(a * a + b * b)),
)
complex_("complex.pow", "  %z = complex.pow %x, %y : complex<f32>", lambda a, b: a**b)
complex_("complex.angle", "  %z = complex.angle %x : complex<f32>", lambda a, b: np.angle(a), "f32")
complex_(
    "complex.constant",
    "  %k = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>\n  %z = complex.add %x, %k : complex<f32>",
    lambda a, b: a + np.complex64(1 + 2j),
)
complex_("complex.eq", "  %z = complex.eq %x, %x : complex<f32>", lambda a, b: np.array(True), "i1")
complex_("complex.neq", "  %z = complex.neq %x, %y : complex<f32>", lambda a, b: np.array(True), "i1")

# Calls and control flow.

row(
    "func.call",
    "with tensors, twice",
    "%x: tensor<4xf32>",
    "tensor<4xf32>",
    """
  %a = call @twice(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %r = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>""",
    lambda x: 4 * x,
    module="""func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = arith.addf %x, %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
""",
)
row(
    "func.return",
    "several tensors and numbers",
    "%x: tensor<4xf32>, %y: tensor<4xf32>",
    "tensor<4xf32>, f32, tensor<4xf32>",
    """
  %r = arith.addf %x, %y : tensor<4xf32>
  %s = tensor.extract %x[%c1] : tensor<4xf32>
  %t = arith.subf %x, %y : tensor<4xf32>""",
    lambda x, y: (x + y, x[1], x - y),
)
row(
    "func.return",
    "the same tensor twice",
    _X4,
    "tensor<4xf32>, tensor<4xf32>",
    """
  %r = arith.addf %x, %x : tensor<4xf32>
  %s = tensor.cast %r : tensor<4xf32> to tensor<4xf32>""",
    lambda x: (2 * x, 2 * x),
)
row(
    "func.return",
    "an argument",
    _X4,
    "tensor<4xf32>",
    "  %r = tensor.cast %x : tensor<4xf32> to tensor<4xf32>",
    lambda x: x,
)
row(
    "scf.for",
    "carries a tensor",
    "%x: tensor<4xf32>, %n: index",
    "tensor<4xf32>",
    """
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<4xf32>) {
    %u = arith.addf %t, %x : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }""",
    lambda x, n: (n + 1) * x,
    n=3,
)
row(
    "scf.for",
    "carries two tensors that change places",
    "%x: tensor<4xf32>, %y: tensor<4xf32>",
    "tensor<4xf32>, tensor<4xf32>",
    """
  %r, %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x, %u = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    scf.yield %u, %t : tensor<4xf32>, tensor<4xf32>
  }""",
    lambda x, y: (y, x),
)
row(
    "scf.for",
    "carries a tensor and a number",
    "%x: tensor<4xf32>",
    "f32, tensor<4xf32>",
    """
  %r, %s = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %zero, %t = %x) -> (f32, tensor<4xf32>) {
    %v = tensor.extract %t[%i] : tensor<4xf32>
    %b = arith.addf %a, %v : f32
    %u = tensor.insert %b into %t[%i] : tensor<4xf32>
    scf.yield %b, %u : f32, tensor<4xf32>
  }""",
    lambda x: (x.sum(), np.cumsum(x)),
)
row(
    "scf.if",
    "gives a tensor",
    "%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>",
    "tensor<4xf32>",
    """
  %r = scf.if %c -> (tensor<4xf32>) {
    %u = arith.addf %x, %y : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }""",
    lambda c, x, y: x + y if c else y,
)
row(
    "scf.if",
    "gives a tensor of unknown size",
    "%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>",
    "tensor<?xf32>",
    """
  %r = scf.if %c -> (tensor<?xf32>) {
    scf.yield %x : tensor<?xf32>
  } else {
    %u = arith.addf %x, %y : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }""",
    lambda c, x, y: x if c else x + y,
    x=(5,),
    y=(5,),
)
for _name, _about, _choice in (
    ("scf.if", "gives tensors of two sizes", """scf.if %c -> (tensor<?xf32>) {
    scf.yield %x : tensor<?xf32>
  } else {
    %u = arith.addf %y, %y : tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }"""),
    ("arith.select", "of tensors of two sizes", "arith.select %c, %x, %w : tensor<?xf32>"),
):  # fmt: skip
    for _is_first in (True, False):
        row(
            _name,
            f"{_about}, the {'first' if _is_first else 'second'} one",
            "%c: i1, %x: tensor<?xf32>, %y: tensor<?xf32>",
            "tensor<?xf32>",
            f"""
  %w = arith.addf %y, %y : tensor<?xf32>
  %v = {_choice}
  %r = arith.negf %v : tensor<?xf32>""",
            lambda c, x, y: -x if c else -2 * y,
            c=_is_first,
            x=(5,),
            y=(7,),
        )
row(
    "scf.if",
    "gives parts of sizes that it computes",
    "%n: index, %x: tensor<?xf32>",
    "tensor<?xf32>, tensor<f32>",
    """
  %c = arith.cmpi sgt, %n, %c2 : index
  %r, %q = scf.if %c -> (tensor<?xf32>, f32) {
    %m = arith.subi %n, %c1 : index
    %u = tensor.extract_slice %x[1] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %u, %one : tensor<?xf32>, f32
  } else {
    scf.yield %x, %zero : tensor<?xf32>, f32
  }
  %s = tensor.from_elements %q : tensor<f32>""",
    lambda n, x: (x[1:n], 1.0) if n > 2 else (x, 0.0),
    n=4,
    x=(9,),
)
row(
    "cf.cond_br",
    "of blocks that tensors are passed to, in a function that is called",
    "%c: i1, %x: tensor<4xf32>",
    "tensor<4xf32>",
    "  %r = call @g(%c, %x) : (i1, tensor<4xf32>) -> tensor<4xf32>",
    lambda c, x: 8 * x if c else 4 * x,
    module="""func.func private @g(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  cf.cond_br %c, ^twice, ^meet(%x : tensor<4xf32>)
^twice:
  %y = arith.addf %x, %x : tensor<4xf32>
  cf.br ^meet(%y : tensor<4xf32>)
^meet(%m: tensor<4xf32>):
  cf.br ^head(%c0, %m : index, tensor<4xf32>)
^head(%i: index, %t: tensor<4xf32>):
  %more = arith.cmpi slt, %i, %c2 : index
  cf.cond_br %more, ^body, ^end
^body:
  %u = arith.addf %t, %t : tensor<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %u : index, tensor<4xf32>)
^end:
  return %t : tensor<4xf32>
}
""",
)
row(
    "scf.index_switch",
    "gives tensors of several sizes",
    "%n: index, %x: tensor<?xf32>, %y: tensor<?xf32>",
    "tensor<?xf32>",
    """
  %r = scf.index_switch %n -> tensor<?xf32>
  case 2 {
    scf.yield %x : tensor<?xf32>
  }
  case 3 {
    %u = tensor.extract_slice %y[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  default {
    scf.yield %y : tensor<?xf32>
  }""",
    lambda n, x, y: y[:3],
    n=3,
    x=(4,),
    y=(6,),
)
row(
    "scf.index_switch",
    "gives a tensor",
    "%n: index, %x: tensor<4xf32>, %y: tensor<4xf32>",
    "tensor<4xf32>",
    """
  %r = scf.index_switch %n -> tensor<4xf32>
  case 0 {
    scf.yield %x : tensor<4xf32>
  }
  default {
    scf.yield %y : tensor<4xf32>
  }""",
    lambda n, x, y: y,
    n=2,
)
row(
    "scf.while",
    "carries a tensor",
    "%x: tensor<4xf32>, %n: index",
    "tensor<4xf32>",
    """
  %r, %k = scf.while (%t = %x, %i = %c0) : (tensor<4xf32>, index) -> (tensor<4xf32>, index) {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %t, %i : tensor<4xf32>, index
  } do {
  ^bb0(%t: tensor<4xf32>, %i: index):
    %u = arith.addf %t, %x : tensor<4xf32>
    %j = arith.addi %i, %c1 : index
    scf.yield %u, %j : tensor<4xf32>, index
  }""",
    lambda x, n: (n + 1) * x,
    n=4,
)
row(
    "scf.forall",
    "writes tiles of a product",
    "%x: tensor<8x3xf32>, %y: tensor<3x4xf32>",
    "tensor<8x4xf32>",
    """
  %e = tensor.empty() : tensor<8x4xf32>
  %r = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %e) -> (tensor<8x4xf32>) {
    %a = tensor.extract_slice %x[%i, 0] [2, 3] [1, 1] : tensor<8x3xf32> to tensor<2x3xf32>
    %b = tensor.extract_slice %o[%i, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%b : tensor<2x4xf32>) -> tensor<2x4xf32>
    %m = linalg.matmul ins(%a, %y : tensor<2x3xf32>, tensor<3x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %o[%i, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x4xf32>
    }
  }""",
    lambda x, y: x @ y,
)
row(
    "scf.forall",
    "with temporaries of unknown size, in a loop in a loop",
    "%x: tensor<3x?xf32>, %o: tensor<3x?xf32>",
    "tensor<3x?xf32>",
    """
  %n = tensor.dim %x, %c1 : tensor<3x?xf32>
  %r = scf.forall (%i) in (3) shared_outs(%t = %o) -> tensor<3x?xf32> {
    %s = tensor.extract_slice %x[%i, 0] [1, %n] [1, 1] : tensor<3x?xf32> to tensor<?xf32>
    %u = arith.addf %s, %s : tensor<?xf32>
    %f = tensor.extract_slice %t[%i, 0] [1, %n] [1, 1] : tensor<3x?xf32> to tensor<?xf32>
    %v = scf.forall (%j) in (2) shared_outs(%w = %f) -> tensor<?xf32> {
      %m = arith.divui %n, %c2 : index
      %at = arith.muli %j, %m : index
      %p = tensor.extract_slice %u[%at] [%m] [1] : tensor<?xf32> to tensor<?xf32>
      %q = math.absf %p : tensor<?xf32>
      %k = arith.addf %q, %p : tensor<?xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %k into %w[%at] [%m] [1] : tensor<?xf32> into tensor<?xf32>
      }
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %t[%i, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<3x?xf32>
    }
  }""",
    lambda x, o: 2 * (np.abs(x) + x),
    x=(3, 8),
    o=(3, 8),
)
row(
    "scf.forall",
    "over tiles of at most so many elements",
    "%x: tensor<?xf32>, %o: tensor<?xf32>",
    "tensor<?xf32>",
    """
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %r = scf.forall (%i) = (0) to (%n) step (4) shared_outs(%t = %o) -> tensor<?xf32> {
    %m = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %s = tensor.extract_slice %x[%i] [%m] [1] : tensor<?xf32> to tensor<?xf32>
    %u = arith.addf %s, %s : tensor<?xf32>
    %v = math.absf %u : tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %v into %t[%i] [%m] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }""",
    lambda x, o: 2 * np.abs(x),
    x=(10,),
    o=(10,),
)
row(
    "scf.execute_region",
    "gives a tensor",
    _X4,
    "tensor<4xf32>",
    """
  %r = scf.execute_region -> tensor<4xf32> {
    %u = arith.addf %x, %x : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }""",
    lambda x: 2 * x,
)
row(
    "affine.for",
    "carries a tensor",
    _X4,
    "tensor<4xf32>",
    """
  %r = affine.for %i = 0 to 3 iter_args(%t = %x) -> (tensor<4xf32>) {
    %u = arith.addf %t, %x : tensor<4xf32>
    affine.yield %u : tensor<4xf32>
  }""",
    lambda x: 4 * x,
)
row(
    "vector.transfer_write",
    "to a tensor, of what is read from one",
    "%x: tensor<8xf32>, %y: tensor<8xf32>",
    "tensor<8xf32>",
    """
  %v = vector.transfer_read %x[%c4], %zero {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
  %r = vector.transfer_write %v, %y[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>""",
    lambda x, y: np.concatenate((x[4:], y[4:])),
)
TENSOR_ROWS = row.rows
complex_(
    "complex.bitcast",
    """
  %n = complex.bitcast %x : complex<f32> to i64
  %c32 = arith.constant 32 : i64
  %u = arith.shrui %n, %c32 : i64
  %v = arith.trunci %u : i64 to i32
  %w = arith.bitcast %v : i32 to f32
  %m = complex.bitcast %n : i64 to complex<f32>
  %p = complex.re %m : complex<f32>
  %z = arith.subf %p, %w : f32""",
    lambda a, b: a.real - a.imag,
    "f32",
)
complex_(
    "complex.powi",
    """
  %n = arith.constant 3 : i32
  %c = complex.powi %x, %n : complex<f32>, i32
  %m = arith.constant -2 : i32
  %d = complex.powi %y, %m : complex<f32>, i32
  %z = complex.add %c, %d : complex<f32>""",
    lambda a, b: a**3 + b**-2,
)
