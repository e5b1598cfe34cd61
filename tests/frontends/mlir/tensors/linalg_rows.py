"""A program for each operation of `linalg`."""

from __future__ import annotations

from typing import Any

import numpy as np
from frontends.mlir.tensors.rows import Rows

row = Rows()

# Elementwise.


def positive(rng: Any) -> Any:
    return rng.uniform(0.5, 2, (2, 3)).astype(np.float32)


def of_elements(word: str, count: int, expected: Any, element: str = "f32", about: str = "", **more: Any) -> None:
    names = "xyz"[:count]
    type_ = f"tensor<2x3x{element}>"
    head = ", ".join(f"%{n}: {type_}" for n in names)
    shown, types = ", ".join(f"%{n}" for n in names), ", ".join([type_] * count)
    row(
        f"linalg.{word}",
        about,
        head,
        type_,
        f"""
  %e = tensor.empty() : {type_}
  %r = linalg.{word} ins({shown} : {types}) outs(%e : {type_}) -> {type_}""",
        expected,
        **more,
    )


_erf = np.vectorize(__import__("math").erf, otypes=[np.float32])
of_elements("add", 2, np.add)
of_elements("sub", 2, np.subtract)
of_elements("mul", 2, np.multiply, "f64")
of_elements("div", 2, np.divide, y=positive)
of_elements(
    "div",
    2,
    lambda x, y: (x / y).astype(np.int32),
    "i32",
    "of integers",
    y=lambda rng: rng.integers(1, 5, (2, 3)).astype(np.int32),
)
of_elements(
    "div_unsigned",
    2,
    lambda x, y: (x.view("u4") // y.view("u4")).view("i4"),
    "i32",
    y=lambda rng: rng.integers(1, 5, (2, 3)).astype(np.int32),
)
of_elements("max", 2, np.maximum)
of_elements("max", 2, np.maximum, "i32", "of integers")
of_elements("min", 2, np.minimum)
of_elements("powf", 2, np.power, x=positive)
of_elements("exp", 1, np.exp)
of_elements("log", 1, np.log, x=positive)
of_elements("abs", 1, np.abs)
of_elements("ceil", 1, np.ceil)
of_elements("floor", 1, np.floor)
of_elements("negf", 1, np.negative)
of_elements("reciprocal", 1, lambda x: 1 / x, x=positive)
of_elements("round", 1, np.round)
of_elements("sqrt", 1, np.sqrt, x=positive)
of_elements("rsqrt", 1, lambda x: 1 / np.sqrt(x), x=positive)
of_elements("square", 1, np.square)
of_elements("tanh", 1, np.tanh)
of_elements("erf", 1, _erf)
row(
    "linalg.select",
    "",
    "%c: tensor<2x3xi1>, %x: tensor<2x3xf32>, %y: tensor<2x3xf32>",
    "tensor<2x3xf32>",
    """
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.select ins(%c, %x, %y : tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>)
    outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>""",
    np.where,
)
row(
    "linalg.elementwise",
    "unary",
    "%x: tensor<2x3xf32>",
    "tensor<2x3xf32>",
    """
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%x : tensor<2x3xf32>)
    outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>""",
    np.exp,
)
row(
    "linalg.elementwise",
    "with maps",
    "%x: tensor<3x2xf32>, %y: tensor<3xf32>",
    "tensor<2x3xf32>",
    """
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add>
    indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>]
    ins(%x, %y : tensor<3x2xf32>, tensor<3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>""",
    lambda x, y: x.T + y,
)
row(
    "linalg.elementwise",
    "ternary",
    "%c: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>",
    "tensor<4xf32>",
    """
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<select>
    ins(%c, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>""",
    np.where,
)

# Fills, copies and their like.

row(
    "linalg.fill",
    "",
    "%v: f32, %o: tensor<2x3xf32>",
    "tensor<2x3xf32>",
    "  %r = linalg.fill ins(%v : f32) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>",
    lambda v, o: {None: np.full((2, 3), v, np.float32), 1: np.full((2, 3), v, np.float32)},
)
row(
    "linalg.fill",
    "of unknown sizes",
    "%x: tensor<?x?xf32>",
    "tensor<?x?xf32>",
    """
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%n, %m) : tensor<?x?xf32>
  %r = linalg.fill ins(%one : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>""",
    lambda x: np.ones((3, 2), np.float32),
    x=(2, 3),
)
row(
    "linalg.copy",
    "",
    "%x: tensor<2x3xf32>",
    "tensor<2x3xf32>",
    """
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.copy ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>""",
    lambda x: x,
)
row(
    "linalg.copy",
    "with a cast",
    "%x: tensor<2x3xf32>",
    "tensor<2x3xf64>",
    """
  %e = tensor.empty() : tensor<2x3xf64>
  %r = linalg.copy ins(%x : tensor<2x3xf32>) outs(%e : tensor<2x3xf64>) -> tensor<2x3xf64>""",
    lambda x: x.astype(np.float64),
)
row(
    "linalg.transpose",
    "",
    "%x: tensor<2x3x4xf32>",
    "tensor<4x2x3xf32>",
    """
  %e = tensor.empty() : tensor<4x2x3xf32>
  %r = linalg.transpose ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<4x2x3xf32>) permutation = [2, 0, 1]""",
    lambda x: x.transpose(2, 0, 1),
)
row(
    "linalg.broadcast",
    "",
    "%x: tensor<3xf32>",
    "tensor<2x3x4xf32>",
    """
  %e = tensor.empty() : tensor<2x3x4xf32>
  %r = linalg.broadcast ins(%x : tensor<3xf32>) outs(%e : tensor<2x3x4xf32>) dimensions = [0, 2]""",
    lambda x: np.broadcast_to(x[:, None], (2, 3, 4)),
)
row(
    "linalg.map",
    "",
    "%x: tensor<2x3xf32>, %y: tensor<2x3xf32>",
    "tensor<2x3xf32>",
    """
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.map ins(%x, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>)
    (%u: f32, %v: f32, %o: f32) {
      %w = arith.mulf %u, %v : f32
      %z = arith.subf %w, %u : f32
      linalg.yield %z : f32
    }""",
    lambda x, y: x * y - x,
)
row(
    "linalg.map",
    "by an operation in braces",
    "%x: tensor<2x3xf32>, %y: tensor<2x3xf32>",
    "tensor<2x3xf32>",
    """
  %e = tensor.empty() : tensor<2x3xf32>
  %r = linalg.map { arith.maximumf } ins(%x, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>)""",
    np.maximum,
)
row(
    "linalg.fill_rng_2d",
    "",
    "%a: f64, %b: f64, %s: i32",
    "tensor<4x3xf32>",
    """
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.fill_rng_2d ins(%a, %b, %s : f64, f64, i32) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>""",
    lambda a, b, s: _random(a, b, s),
    a=-1.0,
    b=2.0,
    s=5,
)


def _random(low: float, high: float, seed: int) -> Any:
    """A linear congruential generator, once by the row's index and once by the column's."""
    step, more = np.int32(1103515245), np.int32(12345)
    with np.errstate(over="ignore"):
        rows = (np.arange(4, dtype=np.int32) + np.int32(seed)) * step + more
        numbers = (np.arange(3, dtype=np.int32) + rows[:, None]) * step + more
    return ((numbers + 2147483647.0) * ((high - low) * 2.3283063999999999e-10) + low).astype(np.float32)


# Reductions.


def reduction(about: str, word: str, start: str, element: str, expected: Any, dimensions: str = "[1]") -> None:
    row(
        "linalg.reduce",
        about,
        f"%x: tensor<3x5x{element}>",
        f"tensor<3x{element}>",
        f"""
  %k = arith.constant {start if element == "i1" else f"{start} : {element}"}
  %e = tensor.empty() : tensor<3x{element}>
  %f = linalg.fill ins(%k : {element}) outs(%e : tensor<3x{element}>) -> tensor<3x{element}>
  %r = linalg.reduce {{ {word} }} ins(%x : tensor<3x5x{element}>) outs(%f : tensor<3x{element}>) dimensions = {dimensions}""",
        expected,
    )


reduction("by sums", "arith.addf", "0.0", "f32", lambda x: x.sum(1))
reduction("by sums of integers", "arith.addi", "0", "i32", lambda x: x.sum(1, dtype=np.int32))
reduction("by products", "arith.mulf", "1.0", "f32", lambda x: x.prod(1))
reduction("by maxima", "arith.maximumf", "0xFF800000", "f32", lambda x: x.max(1))
reduction("by minima", "arith.minimumf", "0x7F800000", "f32", lambda x: x.min(1))
reduction("by maxima of integers", "arith.maxsi", "-128", "i8", lambda x: x.max(1))
reduction("by and", "arith.andi", "-1", "i32", lambda x: np.bitwise_and.reduce(x, 1))
reduction("by or", "arith.ori", "0", "i32", lambda x: np.bitwise_or.reduce(x, 1))
reduction("by xor", "arith.xori", "0", "i32", lambda x: np.bitwise_xor.reduce(x, 1))
reduction("by or of truth values", "arith.ori", "false", "i1", lambda x: x.any(1))
reduction("by and of truth values", "arith.andi", "true", "i1", lambda x: x.all(1))
row(
    "linalg.reduce",
    "over two dimensions, with a region",
    "%x: tensor<2x3x4xf32>, %o: tensor<3xf32>",
    "tensor<3xf32>",
    """
  %e = arith.addf %o, %o : tensor<3xf32>
  %r = linalg.reduce ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<3xf32>) dimensions = [0, 2]
    (%u: f32, %s: f32) {
      %a = math.absf %u : f32
      %b = arith.addf %a, %s : f32
      linalg.yield %b : f32
    }""",
    lambda x, o: 2 * o + np.abs(x).sum((0, 2)),
)
row(
    "linalg.reduce",
    "to a number",
    "%x: tensor<7xf32>",
    "tensor<f32>",
    """
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<7xf32>) outs(%f : tensor<f32>) dimensions = [0]""",
    lambda x: x.sum(),
)
row(
    "linalg.reduce",
    "of two tensors",
    "%x: tensor<3x5xf32>, %y: tensor<3x5xi32>",
    "tensor<3xf32>, tensor<3xi32>",
    """
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %g = tensor.empty() : tensor<3xi32>
  %h = linalg.fill ins(%zero_i32 : i32) outs(%g : tensor<3xi32>) -> tensor<3xi32>
  %r, %s = linalg.reduce ins(%x, %y : tensor<3x5xf32>, tensor<3x5xi32>) outs(%f, %h : tensor<3xf32>, tensor<3xi32>)
    dimensions = [1] (%u: f32, %v: i32, %a: f32, %b: i32) {
      %p = arith.addf %u, %a : f32
      %q = arith.maxsi %v, %b : i32
      linalg.yield %p, %q : f32, i32
    }""",
    lambda x, y: (x.sum(1), np.maximum(y.max(1), 0)),
)

# linalg.generic.

row(
    "linalg.generic",
    "a product with a transposed factor",
    "%x: tensor<3x4xf32>, %y: tensor<5x4xf32>",
    "tensor<3x5xf32>",
    """
  %e = tensor.empty() : tensor<3x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>,
      affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<3x4xf32>, tensor<5x4xf32>) outs(%f : tensor<3x5xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<3x5xf32>""",
    lambda x, y: x @ y.T,
)
row(
    "linalg.generic",
    "with affine expressions in a map",
    "%x: tensor<9xf32>, %k: tensor<3xf32>",
    "tensor<4xf32>",
    """
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, k) -> (2 * i + k)>, affine_map<(i, k) -> (k)>,
      affine_map<(i, k) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<9xf32>, tensor<3xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    %q = arith.addf %o, %p : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>""",
    lambda x, k: np.array([x[2 * i : 2 * i + 3] @ k for i in range(4)]),
)
row(
    "linalg.generic",
    "with a constant index",
    "%x: tensor<3x4xf32>",
    "tensor<3xf32>",
    """
  %e = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i, 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<3x4xf32>) outs(%e : tensor<3xf32>) {
  ^bb0(%u: f32, %o: f32):
    linalg.yield %u : f32
  } -> tensor<3xf32>""",
    lambda x: x[:, 2],
)
row(
    "linalg.index",
    "",
    "%x: tensor<3x4xf32>",
    "tensor<3x4xf32>",
    """
  %e = tensor.empty() : tensor<3x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%u: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.cmpi sle, %j, %i : index
    %s = arith.select %k, %u, %zero : f32
    linalg.yield %s : f32
  } -> tensor<3x4xf32>""",
    np.tril,
)
row(
    "linalg.yield",
    "of the largest element and its place",
    "%x: tensor<3x5xf32>",
    "tensor<3xf32>, tensor<3xindex>",
    """
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %g = tensor.empty() : tensor<3xindex>
  %h = linalg.fill ins(%c0 : index) outs(%g : tensor<3xindex>) -> tensor<3xindex>
  %r, %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
      affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3x5xf32>) outs(%f, %h : tensor<3xf32>, tensor<3xindex>) {
  ^bb0(%u: f32, %m: f32, %at: index):
    %j = linalg.index 1 : index
    %k = arith.cmpf ogt, %u, %m : f32
    %a = arith.select %k, %u, %m : f32
    %b = arith.select %k, %j, %at : index
    linalg.yield %a, %b : f32, index
  } -> (tensor<3xf32>, tensor<3xindex>)""",
    lambda x: (x.max(1), x.argmax(1)),
)
row(
    "linalg.generic",
    "of complex numbers",
    "%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>",
    "tensor<4xcomplex<f32>>",
    """
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x, %y : tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>)
      outs(%e : tensor<4xcomplex<f32>>) {
  ^bb0(%u: complex<f32>, %v: complex<f32>, %o: complex<f32>):
    %p = complex.mul %u, %v : complex<f32>
    %q = complex.conj %p : complex<f32>
    linalg.yield %q : complex<f32>
  } -> tensor<4xcomplex<f32>>""",
    lambda x, y: (x * y).conj(),
)
row(
    "linalg.generic",
    "that reads another tensor by index",
    "%x: tensor<3x4xf32>, %k: tensor<5xi32>",
    "tensor<5x4xf32>",
    """
  %e = tensor.empty() : tensor<5x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%k : tensor<5xi32>) outs(%e : tensor<5x4xf32>) {
  ^bb0(%u: i32, %o: f32):
    %i = arith.index_cast %u : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %x[%i, %j] : tensor<3x4xf32>
    linalg.yield %v : f32
  } -> tensor<5x4xf32>""",
    lambda x, k: x[k],
    k=lambda rng: rng.integers(0, 3, 5).astype(np.int32),
)
row(
    "linalg.generic",
    "a cumulative sum by a triangle",
    "%x: tensor<5xf32>",
    "tensor<5xf32>",
    """
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%u: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.cmpi sle, %j, %i : index
    %s = arith.addf %o, %u : f32
    %t = arith.select %k, %s, %o : f32
    linalg.yield %t : f32
  } -> tensor<5xf32>""",
    np.cumsum,
)
row(
    "linalg.generic",
    "on a tensor and a number",
    "%x: tensor<4xf32>, %a: f32",
    "tensor<4xf32>",
    """
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%x, %a : tensor<4xf32>, f32) outs(%e : tensor<4xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %p = arith.mulf %u, %v : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>""",
    lambda x, a: a * x,
)

# Products.


def product(
    word: str,
    shapes: str,
    expected: Any,
    element: str = "f32",
    about: str = "",
    maps: str = "",
    sums: str = "",
    **more: Any,
) -> None:
    x, y, o = shapes.split()
    sums = sums or element
    types = [f"tensor<{x}x{element}>", f"tensor<{y}x{element}>"]
    out = f"tensor<{o}x{sums}>" if o != "-" else f"tensor<{sums}>"
    zero = f"  %k = arith.constant {'0.0' if sums.startswith('f') else '0'} : {sums}"
    if "complex" in sums:
        zero = f"  %k = complex.constant [0.0 : f32, 0.0 : f32] : {sums}"
    row(
        f"linalg.{word}",
        about,
        f"%x: {types[0]}, %y: {types[1]}",
        out,
        f"""
{zero}
  %e = tensor.empty() : {out}
  %f = linalg.fill ins(%k : {sums}) outs(%e : {out}) -> {out}
  %r = linalg.{word}{maps} ins(%x, %y : {", ".join(types)}) outs(%f : {out}) -> {out}""",
        expected,
        **more,
    )


def einsum(text: str) -> Any:
    return lambda x, y: np.einsum(text, x, y)


def wide(text: str, dtype: Any) -> Any:
    return lambda x, y: np.einsum(text, x.astype(dtype), y.astype(dtype))


def maps(*texts: str) -> str:
    dimensions = "".join(dict.fromkeys("".join((texts[-1], *texts))))
    shown = ", ".join(f"affine_map<({', '.join(dimensions)}) -> ({', '.join(each)})>" for each in texts)
    return f" indexing_maps = [{shown}]"


product("matmul", "3x4 4x5 3x5", np.matmul)
product("matmul", "4x3 4x5 3x5", einsum("km,kn->mn"), about="of a transposed first factor", maps=maps("km", "kn", "mn"))
product(
    "matmul", "3x4 5x4 3x5", einsum("mk,nk->mn"), about="of a transposed second factor", maps=maps("mk", "nk", "mn")
)
product(
    "matmul",
    "4 4x5 3x5",
    lambda x, y: np.broadcast_to(x @ y, (3, 5)),
    about="of a factor that is broadcast",
    maps=maps("k", "kn", "mn"),
)
product("matmul", "3x4 4x5 3x5", wide("mk,kn->mn", np.int32), "i8", "with sums of another type", sums="i32")
product("matmul", "3x4 4x5 3x5", wide("mk,kn->mn", np.float32), "f16", "of halves", sums="f32", tolerance=1e-3)
product(
    "matmul",
    "3x4 4x5 3x5",
    lambda x, y: x.view("u1").astype(np.int32) @ y.view("u1").astype(np.int32),
    "i8",
    "with unsigned casts",
    " {cast = #linalg.type_fn<cast_unsigned>}",
    "i32",
)
product("batch_matmul", "2x3x4 2x4x5 2x3x5", np.matmul)
product(
    "batch_matmul",
    "2x4x3 2x4x5 2x3x5",
    einsum("bkm,bkn->bmn"),
    about="of a transposed first factor",
    maps=maps("bkm", "bkn", "bmn"),
)
product(
    "batch_matmul",
    "2x3x4 2x5x4 2x3x5",
    einsum("bmk,bnk->bmn"),
    about="of a transposed second factor",
    maps=maps("bmk", "bnk", "bmn"),
)
product("batch_reduce_matmul", "2x3x4 2x4x5 3x5", einsum("bmk,bkn->mn"))
product("matvec", "3x4 4 3", np.matmul)
product("vecmat", "4 4x5 5", np.matmul)
product("batch_matvec", "2x3x4 2x4 2x3", einsum("bmk,bk->bm"))
product("batch_vecmat", "2x4 2x4x5 2x5", einsum("bk,bkn->bn"))
product("dot", "6 6 -", np.dot)
product("mmt4d", "2x3x4x5 6x3x7x5 2x6x4x7", einsum("mkxz,nkyz->mnxy"))
product("batch_mmt4d", "2x2x3x4x5 2x6x3x7x5 2x2x6x4x7", einsum("bmkxz,bnkyz->bmnxy"))
product("contract", "2x3x4 4x5x3 5x2", einsum("abc,cdb->da"), maps=maps("abc", "cdb", "da"))
product("matmul", "3x4 4x5 3x5", np.matmul, "complex<f32>", "of complex numbers", tolerance=1e-4)
product("contract", "3x4 4 3", einsum("mk,k->m"), "i32", "of integers", maps=maps("mk", "k", "m"))


def quantized(word: str, x: str, y: str, o: str, expected: Any, attributes: str = "") -> None:
    types = f"tensor<{x}xi8>, tensor<{y}xi8>, i32, i32"
    out = f"tensor<{o}xi32>"
    row(
        f"linalg.{word}",
        "",
        f"%x: tensor<{x}xi8>, %y: tensor<{y}xi8>, %a: i32, %b: i32",
        out,
        f"""
  %e = tensor.empty() : {out}
  %f = linalg.fill ins(%zero_i32 : i32) outs(%e : {out}) -> {out}
  %r = linalg.{word}{attributes} ins(%x, %y, %a, %b : {types}) outs(%f : {out}) -> {out}""",
        lambda x, y, a, b: expected(x.astype(np.int32) - np.int32(a), y.astype(np.int32) - np.int32(b)),
        a=3,
        b=-2,
    )


quantized("quantized_matmul", "3x4", "4x5", "3x5", np.matmul)
quantized("quantized_batch_matmul", "2x3x4", "2x4x5", "2x3x5", np.matmul)

# Convolutions: shapes of the input and the kernel, and the sum over windows, whose axes are the last ones of the input.

CONVOLUTIONS = {
    "conv_1d": ("9", "3", "wk,k->w", 0),
    "conv_2d": ("7x9", "2x3", "hwjk,jk->hw", 0),
    "conv_3d": ("5x6x7", "2x3x2", "dhwijk,ijk->dhw", 0),
    "conv_1d_ncw_fcw": ("2x3x9", "4x3x3", "ncwk,fck->nfw", 2),
    "conv_1d_nwc_wcf": ("2x9x3", "3x3x4", "nwck,kcf->nwf", 1),
    "conv_2d_nchw_fchw": ("2x3x7x9", "4x3x2x3", "nchwjk,fcjk->nfhw", 2),
    "conv_2d_nhwc_hwcf": ("2x7x9x3", "2x3x3x4", "nhwcjk,jkcf->nhwf", 1),
    "conv_2d_nhwc_fhwc": ("2x7x9x3", "4x2x3x3", "nhwcjk,fjkc->nhwf", 1),
    "conv_2d_ngchw_fgchw": ("2x2x3x7x9", "4x2x3x2x3", "ngchwjk,fgcjk->ngfhw", 3),
    "conv_2d_ngchw_gfchw": ("2x2x3x7x9", "2x4x3x2x3", "ngchwjk,gfcjk->ngfhw", 3),
    "conv_2d_nhwgc_gfhwc": ("2x7x9x2x3", "2x4x2x3x3", "nhwgcjk,gfjkc->nhwgf", 1),
    "conv_3d_ncdhw_fcdhw": ("1x2x5x6x7", "3x2x2x3x2", "ncdhwijk,fcijk->nfdhw", 2),
    "conv_3d_ndhwc_dhwcf": ("1x5x6x7x2", "2x3x2x2x3", "ndhwcijk,ijkcf->ndhwf", 1),
    "depthwise_conv_1d_ncw_cw": ("2x3x9", "3x3", "ncwk,ck->ncw", 2),
    "depthwise_conv_1d_nwc_wc": ("2x9x3", "3x3", "nwck,kc->nwc", 1),
    "depthwise_conv_1d_nwc_wcm": ("2x9x3", "3x3x2", "nwck,kcm->nwcm", 1),
    "depthwise_conv_2d_nchw_chw": ("2x3x7x9", "3x2x3", "nchwjk,cjk->nchw", 2),
    "depthwise_conv_2d_nhwc_hwc": ("2x7x9x3", "2x3x3", "nhwcjk,jkc->nhwc", 1),
    "depthwise_conv_2d_nhwc_hwcm": ("2x7x9x3", "2x3x3x2", "nhwcjk,jkcm->nhwcm", 1),
    "depthwise_conv_3d_ncdhw_cdhw": ("1x2x5x6x7", "2x2x3x2", "ncdhwijk,cijk->ncdhw", 2),
    "depthwise_conv_3d_ndhwc_dhwc": ("1x5x6x7x2", "2x3x2x2", "ndhwcijk,ijkc->ndhwc", 1),
    "depthwise_conv_3d_ndhwc_dhwcm": ("1x5x6x7x2", "2x3x2x2x3", "ndhwcijk,ijkcm->ndhwcm", 1),
}
"""The last number is the first of the input's axes that windows move along."""


def windows(x: Any, first: int, sizes: tuple[int, ...], strides: tuple[int, ...], dilations: tuple[int, ...]) -> Any:
    spans = tuple((size - 1) * dilation + 1 for size, dilation in zip(sizes, dilations))
    axes = tuple(range(first, first + len(sizes)))
    found = np.lib.stride_tricks.sliding_window_view(x, spans, axes)
    steps = [slice(None)] * found.ndim
    for number, axis in enumerate(axes):
        steps[axis] = slice(None, None, strides[number])
        steps[found.ndim - len(sizes) + number] = slice(None, None, dilations[number])
    return found[tuple(steps)]


def steps(strides: tuple[int, ...], dilations: tuple[int, ...]) -> str:
    shown = [f"dense<{list(each)}> : tensor<{len(each)}xi64>" for each in (dilations, strides)]
    return f" {{dilations = {shown[0]}, strides = {shown[1]}}}"


def shape(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("x")))


def kernel_sizes(kernel: str, letters: str) -> tuple[int, ...]:
    return tuple(
        size for size, letter in zip(shape(kernel), letters.partition(",")[2].partition("->")[0]) if letter in "ijk"
    )


def convolution(word: str, has_steps: bool) -> None:
    x, k, letters, first = CONVOLUTIONS[word]
    sizes = kernel_sizes(k, letters)
    count = len(sizes)
    # the plain ones move by one element
    strides, dilations = ((2, 1, 2)[:count], (1, 2, 1)[:count]) if has_steps else ((1,) * count, (1,) * count)

    def expected(x: Any, k: Any) -> Any:
        return np.einsum(letters, windows(x, first, sizes, strides, dilations), k)

    out = "x".join(map(str, expected(np.zeros(shape(x)), np.zeros(shape(k))).shape))
    attributes, about = (steps(strides, dilations), "with strides and dilations") if has_steps else ("", "")
    product(word, f"{x} {k} {out}", expected, about=about, maps=attributes)


for _word in CONVOLUTIONS:
    convolution(_word, False)
    if _word.count("_") > 1:
        convolution(_word, True)
for _word in (
    "conv_2d_nchw_fchw", "conv_2d_nhwc_hwcf", "conv_2d_nhwc_fhwc", "conv_2d_ngchw_gfchw", "conv_2d_nhwgc_gfhwc",
    "conv_3d_ndhwc_dhwcf", "depthwise_conv_2d_nhwc_hwc", "depthwise_conv_2d_nhwc_hwcm",
):  # fmt: skip
    _x, _k, _letters, _first = CONVOLUTIONS[_word]
    _sizes = kernel_sizes(_k, _letters)
    _ones = (1,) * len(_sizes)

    def _of(
        x: Any, k: Any, letters: str = _letters, first: int = _first, sizes: Any = _sizes, ones: Any = _ones
    ) -> Any:
        return np.einsum(letters, windows(x, first, sizes, ones, ones), k)

    _out = "x".join(map(str, _of(np.zeros(shape(_x)), np.zeros(shape(_k))).shape))
    quantized(f"{_word}_q", _x, _k, _out, _of, steps(_ones, _ones))

# Poolings.

POOLINGS = {
    "ncw": ("2x3x9", 2),
    "nwc": ("2x9x3", 1),
    "nchw": ("2x3x7x9", 2),
    "nhwc": ("2x7x9x3", 1),
    "ndhwc": ("1x5x6x7x2", 1),
}
POOLED = {
    "sum": ("ncw", "nwc", "nchw", "nhwc", "ndhwc"), "max": ("ncw", "nwc", "nchw", "nhwc", "ndhwc"),
    "min": ("nwc", "nhwc", "ndhwc"), "max_unsigned": ("nwc", "nhwc"), "min_unsigned": ("nwc", "nhwc"),
}  # fmt: skip


def pooling(layout: str, word: str) -> None:
    x, first = POOLINGS[layout]
    count = len(shape(x)) - 2
    sizes, strides, dilations = (2, 3, 2)[:count], (2, 1, 1)[:count], (1, 2, 1)[:count]
    element = "i32" if "unsigned" in word else "f32"

    def expected(x: Any) -> Any:
        found = windows(x.view("u4") if "unsigned" in word else x, first, sizes, strides, dilations)
        axes = tuple(range(found.ndim - count, found.ndim))
        return getattr(found, word.partition("_")[0])(axes).astype(x.dtype)

    out = f"tensor<{'x'.join(map(str, expected(np.zeros(shape(x), 'f4')).shape))}x{element}>"
    start = {"sum": "0.0", "max": "0xFF800000", "min": "0x7F800000", "max_unsigned": "0", "min_unsigned": "-1"}[word]
    kernel = f"tensor<{'x'.join(map(str, sizes))}x{element}>"
    row(
        f"linalg.pooling_{layout}_{word}",
        "",
        f"%x: tensor<{x}x{element}>",
        out,
        f"""
  %k = arith.constant {start} : {element}
  %w = tensor.empty() : {kernel}
  %e = tensor.empty() : {out}
  %f = linalg.fill ins(%k : {element}) outs(%e : {out}) -> {out}
  %r = linalg.pooling_{layout}_{word}{steps(strides, dilations)}
    ins(%x, %w : tensor<{x}x{element}>, {kernel}) outs(%f : {out}) -> {out}""",
        expected,
    )


for _word, _layouts in POOLED.items():
    for _layout in _layouts:
        pooling(_layout, _word)

# Softmax, and packing.


def softmax(x: Any, axis: int) -> Any:
    raised = np.exp(x - x.max(axis, keepdims=True))
    return raised / raised.sum(axis, keepdims=True)


for _axis in range(3):
    row(
        "linalg.softmax",
        f"over dimension {_axis}",
        "%x: tensor<2x3x4xf32>",
        "tensor<2x3x4xf32>",
        f"""
  %e = tensor.empty() : tensor<2x3x4xf32>
  %r = linalg.softmax dimension({_axis}) ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>""",
        lambda x, axis=_axis: softmax(x, axis),
    )
row(
    "linalg.pack",
    "",
    "%x: tensor<4x6xf32>",
    "tensor<2x2x2x3xf32>",
    """
  %e = tensor.empty() : tensor<2x2x2x3xf32>
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %e : tensor<4x6xf32> -> tensor<2x2x2x3xf32>""",
    lambda x: x.reshape(2, 2, 2, 3).transpose(0, 2, 1, 3),
)
row(
    "linalg.pack",
    "with padding, in another order",
    "%x: tensor<5x7xf32>",
    "tensor<3x2x3x4xf32>",
    """
  %e = tensor.empty() : tensor<3x2x3x4xf32>
  %r = linalg.pack %x padding_value(%one : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %e
    : tensor<5x7xf32> -> tensor<3x2x3x4xf32>""",
    lambda x: np.pad(x, ((0, 3), (0, 2)), constant_values=1).reshape(2, 4, 3, 3).transpose(2, 0, 3, 1),
)
row(
    "linalg.pack",
    "of unknown sizes",
    "%x: tensor<?x6xf32>, %o: tensor<?x2x2x3xf32>",
    "tensor<?x2x2x3xf32>",
    """
  %e = linalg.fill ins(%zero : f32) outs(%o : tensor<?x2x2x3xf32>) -> tensor<?x2x2x3xf32>
  %r = linalg.pack %x inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %e : tensor<?x6xf32> -> tensor<?x2x2x3xf32>""",
    lambda x, o: (lambda r: {None: r, 1: r})(x.reshape(2, 2, 2, 3).transpose(0, 2, 1, 3)),
    x=(4, 6),
    o=(2, 2, 2, 3),
)
row(
    "linalg.unpack",
    "",
    "%x: tensor<2x2x2x3xf32>",
    "tensor<4x6xf32>",
    """
  %e = tensor.empty() : tensor<4x6xf32>
  %r = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 3] into %e : tensor<2x2x2x3xf32> -> tensor<4x6xf32>""",
    lambda x: x.transpose(0, 2, 1, 3).reshape(4, 6),
)
row(
    "linalg.unpack",
    "of padded tiles, in another order",
    "%x: tensor<3x2x3x4xf32>",
    "tensor<5x7xf32>",
    """
  %e = tensor.empty() : tensor<5x7xf32>
  %r = linalg.unpack %x outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [3, 4] into %e
    : tensor<3x2x3x4xf32> -> tensor<5x7xf32>""",
    lambda x: x.transpose(1, 3, 0, 2).reshape(8, 9)[:5, :7],
)
row(
    "linalg.matmul",
    "that adds to an argument",
    "%x: tensor<3x4xf32>, %y: tensor<4x5xf32>, %z: tensor<3x5xf32>",
    "tensor<3x5xf32>",
    """
  %r = linalg.matmul ins(%x, %y : tensor<3x4xf32>, tensor<4x5xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>""",
    lambda x, y, z: z + x @ y,
)
row(
    "linalg.add",
    "of memrefs",
    "%x: memref<2x3xf32>, %o: memref<2x3xf32>",
    "",
    "  linalg.add ins(%x, %x : memref<2x3xf32>, memref<2x3xf32>) outs(%o : memref<2x3xf32>)",
    lambda x, o: {1: 2 * x},
)
row(
    "linalg.softmax",
    "of memrefs",
    "%x: memref<2x3xf32>, %o: memref<2x3xf32>",
    "",
    "  linalg.softmax dimension(1) ins(%x : memref<2x3xf32>) outs(%o : memref<2x3xf32>)",
    lambda x, o: {1: softmax(x, 1)},
)
LINALG_ROWS = row.rows
