"""Programs on tensors that are large enough to be dealt out to work-groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from frontends.mlir.tensors.linalg_rows import softmax, steps, windows
from frontends.mlir.tensors.rows import Rows

row = Rows()


def product(m: str, k: str, n: str, name: str, a: str, b: str, indent: str = "") -> str:
    """`%NAME = A B`, of sizes that are numbers, or names of indices."""

    def shape(*sizes: str) -> str:
        return "tensor<" + "x".join(each if each.isdigit() else "?" for each in sizes) + "xf32>"

    sizes = ", ".join(each for each in (m, n) if not each.isdigit())
    out = shape(m, n)
    return f"""
  %{name}_e = tensor.empty({sizes}) : {out}
  %{name}_f = linalg.fill ins(%zero : f32) outs(%{name}_e : {out}) -> {out}
  %{name} = linalg.matmul ins(%{a}, %{b} : {shape(m, k)}, {shape(k, n)}) outs(%{name}_f : {out}) -> {out}"""


def relu(m: str, n: str, name: str, x: str, bias: str) -> str:
    type_ = f"tensor<{m}x{n}xf32>"
    return f"""
  %{name} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
      ins(%{x}, %{bias} : {type_}, tensor<{n}xf32>) outs(%{x} : {type_}) {{
  ^bb0(%{name}_u: f32, %{name}_v: f32, %{name}_w: f32):
    %{name}_s = arith.addf %{name}_u, %{name}_v : f32
    %{name}_m = arith.maximumf %{name}_s, %zero : f32
    linalg.yield %{name}_m : f32
  }} -> {type_}"""


row(
    "linalg.matmul",
    "by tiles",
    "%x: tensor<128x40xf32>, %y: tensor<40x192xf32>",
    "tensor<128x192xf32>",
    product("128", "40", "192", "r", "x", "y"),
    np.matmul,
)
row(
    "linalg.matmul",
    "by tiles that do not divide it",
    "%x: tensor<101x40xf32>, %y: tensor<40x67xf32>",
    "tensor<101x67xf32>",
    product("101", "40", "67", "r", "x", "y"),
    np.matmul,
)
row(
    "linalg.matmul",
    "of unknown sizes, by tiles",
    "%x: tensor<?x?xf32>, %y: tensor<?x?xf32>",
    "tensor<?x?xf32>",
    """
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?xf32>
"""
    + product("%m", "?", "%n", "r", "x", "y"),
    np.matmul,
    x=(70, 9),
    y=(9, 130),
)
row(
    "linalg.matmul",
    "a layer with a bias",
    "%x: tensor<128x48xf32>, %y: tensor<48x64xf32>, %b: tensor<64xf32>",
    "tensor<128x64xf32>",
    product("128", "48", "64", "p", "x", "y") + relu("128", "64", "r", "p", "b"),
    lambda x, y, b: np.maximum(x @ y + b, 0),
)
row(
    "linalg.matmul",
    "two layers",
    "%x: tensor<96x32xf32>, %y: tensor<32x64xf32>, %b: tensor<64xf32>, %z: tensor<64x16xf32>",
    "tensor<96x16xf32>",
    product("96", "32", "64", "p", "x", "y")
    + relu("96", "64", "q", "p", "b")
    + product("96", "64", "16", "r", "q", "z"),
    lambda x, y, b, z: np.maximum(x @ y + b, 0) @ z,
)
row(
    "linalg.matmul",
    "of a product that each row needs",
    "%x: tensor<64x64xf32>, %y: tensor<64x64xf32>",
    "tensor<64x64xf32>",
    product("64", "64", "64", "p", "x", "y") + product("64", "64", "64", "r", "p", "p"),
    lambda x, y: x @ y @ (x @ y),
    tolerance=1e-4,
)
row(
    "linalg.matmul",
    "by tiles, of an argument that is added to",
    "%x: tensor<128x20xf32>, %y: tensor<20x128xf32>, %z: tensor<128x128xf32>",
    "tensor<128x128xf32>",
    """
  %r = linalg.matmul ins(%x, %y : tensor<128x20xf32>, tensor<20x128xf32>) outs(%z : tensor<128x128xf32>) -> tensor<128x128xf32>""",
    lambda x, y, z: z + x @ y,
)


def convolution(
    about: str,
    x: str,
    k: str,
    out: str,
    strides: tuple[int, int],
    dilations: tuple[int, int],
    word: str,
    letters: str,
    first: int,
) -> None:
    sizes = tuple(int(size) for size, letter in zip(k.split("x"), letters.partition(",")[2]) if letter in "jk")
    type_ = f"tensor<{out}xf32>"
    row(
        f"linalg.{word}",
        about,
        f"%x: tensor<{x}xf32>, %k: tensor<{k}xf32>",
        type_,
        f"""
  %e = tensor.empty() : {type_}
  %f = linalg.fill ins(%zero : f32) outs(%e : {type_}) -> {type_}
  %r = linalg.{word}{steps(dilations=dilations, strides=strides)}
    ins(%x, %k : tensor<{x}xf32>, tensor<{k}xf32>) outs(%f : {type_}) -> {type_}""",
        lambda x, k: np.einsum(letters, windows(x, first, sizes, strides, dilations), k),
    )


_NHWC, _NCHW = "nhwcjk,jkcf->nhwf", "nchwjk,fcjk->nfhw"
convolution("by lines", "2x18x18x8", "3x3x8x12", "2x16x16x12", (1, 1), (1, 1), "conv_2d_nhwc_hwcf", _NHWC, 1)
convolution("by lines, dilated", "1x20x20x8", "3x3x8x12", "1x16x14x12", (1, 1), (2, 3), "conv_2d_nhwc_hwcf", _NHWC, 1)
convolution(
    "by lines, with strides", "1x33x33x8", "3x3x8x12", "1x16x31x12", (2, 1), (1, 1), "conv_2d_nhwc_hwcf", _NHWC, 1
)
convolution(
    "by lines, with strides in lines",
    "1x33x33x8",
    "3x3x8x12",
    "1x16x16x12",
    (2, 2),
    (1, 1),
    "conv_2d_nhwc_hwcf",
    _NHWC,
    1,
)
convolution(
    "by lines, channels first", "2x8x18x18", "12x8x3x3", "2x12x16x16", (1, 1), (1, 1), "conv_2d_nchw_fchw", _NCHW, 2
)
row(
    "linalg.generic",
    "elements by tiles",
    "%x: tensor<300x200xf32>, %y: tensor<200xf32>",
    "tensor<300x200xf32>",
    """
  %e = tensor.empty() : tensor<300x200xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
      affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<300x200xf32>, tensor<200xf32>) outs(%e : tensor<300x200xf32>) {
  ^bb0(%u: f32, %v: f32, %w: f32):
    %i = linalg.index 0 : index
    %k = arith.remui %i, %c2 : index
    %q = arith.cmpi eq, %k, %c0 : index
    %s = arith.addf %u, %v : f32
    %t = arith.select %q, %s, %u : f32
    linalg.yield %t : f32
  } -> tensor<300x200xf32>""",
    lambda x, y: np.where(np.arange(300)[:, None] % 2 == 0, x + y, x),
)
row(
    "linalg.softmax",
    "by rows",
    "%x: tensor<300x200xf32>",
    "tensor<300x200xf32>",
    """
  %e = tensor.empty() : tensor<300x200xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<300x200xf32>) outs(%e : tensor<300x200xf32>) -> tensor<300x200xf32>""",
    lambda x: softmax(x, 1),
)
row(
    "linalg.reduce",
    "by rows",
    "%x: tensor<300x200xf32>",
    "tensor<300xf32>",
    """
  %e = tensor.empty() : tensor<300xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<300xf32>) -> tensor<300xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<300x200xf32>) outs(%f : tensor<300xf32>) dimensions = [1]""",
    lambda x: x.sum(1),
    tolerance=1e-4,
)
row(
    "linalg.reduce",
    "to one number, by partial results",
    "%x: tensor<300x200xf32>",
    "tensor<f32>",
    """
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<300x200xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]""",
    lambda x: x.sum(),
    tolerance=1e-3,
)
row(
    "linalg.reduce",
    "to one number that is read by all",
    "%x: tensor<256x200xf32>",
    "tensor<256x200xf32>, f32",
    """
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<256x200xf32>) outs(%f : tensor<f32>) dimensions = [0, 1]
  %s = tensor.extract %m[] : tensor<f32>
  %b = tensor.splat %s : tensor<256x200xf32>
  %r = arith.divf %x, %b : tensor<256x200xf32>""",
    lambda x: (x / x.max(), x.max()),
)
row(
    "linalg.reduce",
    "of integers to a number, by partial results",
    "%x: tensor<1x120x300xi32>, %y: tensor<1xi32>",
    "tensor<1xi32>",
    """
  %r = linalg.reduce { arith.maxsi } ins(%x : tensor<1x120x300xi32>) outs(%y : tensor<1xi32>) dimensions = [1, 2]""",
    lambda x, y: np.maximum(x.max((1, 2)), y),
)
row(
    "linalg.dot",
    "of long vectors",
    "%x: tensor<40000xf32>, %y: tensor<40000xf32>",
    "tensor<f32>",
    """
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.dot ins(%x, %y : tensor<40000xf32>, tensor<40000xf32>) outs(%f : tensor<f32>) -> tensor<f32>""",
    np.dot,
    tolerance=1e-4,
)
for _about, _name, _start, _of, _shape in (
    ("a sum", "addf", "zero", np.sum, (40000,)),
    ("a maximum", "maximumf", "low", np.max, (33000,)),
    ("a short sum", "addf", "zero", np.sum, (100,)),
):
    row(
        "linalg.reduce",
        f"of an unknown number of elements, {_about}",
        "%x: tensor<?xf32>",
        "tensor<f32>",
        f"""
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%{_start} : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce {{ arith.{_name} }} ins(%x : tensor<?xf32>) outs(%f : tensor<f32>) dimensions = [0]""",
        _of,
        tolerance=1e-4,
        x=_shape,
    )
row(
    "linalg.generic",
    "a mean of squares, of unknown rows and columns",
    "%x: tensor<?x?xf32>",
    "tensor<f32>, index",
    """
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]} ins(%x : tensor<?x?xf32>) outs(%f : tensor<f32>) {
  ^bb0(%u: f32, %o: f32):
    %q = arith.mulf %u, %u : f32
    %t = arith.addf %o, %q : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %s = arith.muli %m, %n : index
  %i = arith.index_cast %s : index to i64
  %c = arith.sitofp %i : i64 to f32
  %d = tensor.from_elements %c : tensor<f32>
  %r = arith.divf %sum, %d : tensor<f32>""",
    lambda x: ((x**2).mean(), x.size),
    tolerance=1e-4,
    x=(333, 127),
)
for _about, _head, _maps, _of, _shapes in (
    ("backwards", "%x: tensor<50000xf32>", "(i) -> (49999 - i)", lambda x: x[::-1], {}),
    ("by turns", "%x: tensor<7xf32>", "(i) -> (i mod 7)", lambda x: np.resize(x, 50000), {}),
    ("of a diagonal", "%x: tensor<?x?xf32>", "(i) -> (i floordiv 300, i floordiv 300)",
     lambda x: np.repeat(np.diag(x), 300)[:50000], {"x": (170, 170)}),
):  # fmt: skip
    _type = _head.partition(": ")[2]
    row(
        "linalg.generic",
        f"elements {_about}, and their places",
        _head,
        "tensor<50000xf32>",
        f"""
  %e = tensor.empty() : tensor<50000xf32>
  %r = linalg.generic {{indexing_maps = [affine_map<{_maps}>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%x : {_type}) outs(%e : tensor<50000xf32>) {{
  ^bb0(%u: f32, %o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %v = arith.sitofp %n : i32 to f32
    %s = arith.addf %u, %v : f32
    linalg.yield %s : f32
  }} -> tensor<50000xf32>""",
        lambda x, of=_of: of(x) + np.arange(50000, dtype=np.float32),
        **_shapes,
    )
row(
    "linalg.dot",
    "of vectors of a prime length",
    "%x: tensor<40009xf32>, %y: tensor<40009xf32>",
    "tensor<f32>",
    """
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.dot ins(%x, %y : tensor<40009xf32>, tensor<40009xf32>) outs(%f : tensor<f32>) -> tensor<f32>""",
    np.dot,
    tolerance=1e-4,
)
row(
    "linalg.dot",
    "of vectors of unknown length, scaled by all",
    "%x: tensor<?xf32>, %y: tensor<?xf32>",
    "tensor<?xf32>",
    """
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %p = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%f : tensor<f32>) -> tensor<f32>
  %s = tensor.extract %p[] : tensor<f32>
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %t = tensor.splat %s[%n] : tensor<?xf32>
  %r = arith.mulf %x, %t : tensor<?xf32>""",
    lambda x, y: x * np.dot(x, y),
    tolerance=1e-3,
    x=(50000,),
    y=(50000,),
)
row(
    "linalg.pack",
    "of a tensor that is computed, and unpacked again",
    "%x: tensor<64x600xf32>",
    "tensor<64x600xf32>",
    """
  %e = tensor.empty() : tensor<64x600xf32>
  %a = linalg.square ins(%x : tensor<64x600xf32>) outs(%e : tensor<64x600xf32>) -> tensor<64x600xf32>
  %d = tensor.empty() : tensor<8x75x8x8xf32>
  %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %d : tensor<64x600xf32> -> tensor<8x75x8x8xf32>
  %q = arith.addf %p, %p : tensor<8x75x8x8xf32>
  %g = tensor.empty() : tensor<64x600xf32>
  %r = linalg.unpack %q inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %g
    : tensor<8x75x8x8xf32> -> tensor<64x600xf32>""",
    lambda x: 2 * x * x,
)
row(
    "tensor.gather",
    "of rows that are computed",
    "%x: tensor<128x300xf32>, %p: tensor<128x1xindex>",
    "tensor<128x300xf32>",
    """
  %e = tensor.empty() : tensor<128x300xf32>
  %a = linalg.square ins(%x : tensor<128x300xf32>) outs(%e : tensor<128x300xf32>) -> tensor<128x300xf32>
  %r = tensor.gather %a[%p] gather_dims([0]) : (tensor<128x300xf32>, tensor<128x1xindex>) -> tensor<128x300xf32>""",
    lambda x, p: np.square(x)[p[:, 0]],
    p=lambda rng: rng.permutation(128)[:, None],
)
row(
    "tensor.insert_slice",
    "of halves that are read again",
    "%x: tensor<256x200xf32>",
    "tensor<256x200xf32>",
    """
  %a = tensor.extract_slice %x[0, 0] [128, 200] [1, 1] : tensor<256x200xf32> to tensor<128x200xf32>
  %b = tensor.extract_slice %x[128, 0] [128, 200] [1, 1] : tensor<256x200xf32> to tensor<128x200xf32>
  %e = tensor.empty() : tensor<256x200xf32>
  %p = tensor.insert_slice %b into %e[0, 0] [128, 200] [1, 1] : tensor<128x200xf32> into tensor<256x200xf32>
  %q = tensor.insert_slice %a into %p[128, 0] [128, 200] [1, 1] : tensor<128x200xf32> into tensor<256x200xf32>
  %r = arith.addf %q, %q : tensor<256x200xf32>""",
    lambda x: 2 * np.concatenate((x[128:], x[:128])),
)


def layer_norm(x: Any, g: Any, b: Any) -> Any:
    mean = x.mean(1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(1, keepdims=True) + np.float32(1e-5)) * g + b


def normalized(m: int, n: int) -> str:
    """Layer norm, as exporters write it."""
    wide, narrow = f"tensor<{m}x{n}xf32>", f"tensor<{m}xf32>"
    whole, rows, columns = (f"affine_map<(i, j) -> ({each})>" for each in ("i, j", "i", "j"))
    reduced = 'iterator_types = ["parallel", "reduction"]'
    return f"""
  %count = arith.constant {n}.0 : f32
  %eps = arith.constant 1.0e-05 : f32
  %e = tensor.empty() : {narrow}
  %f = linalg.fill ins(%zero : f32) outs(%e : {narrow}) -> {narrow}
  %sum = linalg.generic {{indexing_maps = [{whole}, {rows}], {reduced}}} ins(%x : {wide}) outs(%f : {narrow}) {{
  ^bb0(%u: f32, %o: f32):
    %s0 = arith.addf %o, %u : f32
    linalg.yield %s0 : f32
  }} -> {narrow}
  %e1 = tensor.empty() : {narrow}
  %mean = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%sum : {narrow}) outs(%e1 : {narrow}) {{
  ^bb0(%u: f32, %o: f32):
    %s1 = arith.divf %u, %count : f32
    linalg.yield %s1 : f32
  }} -> {narrow}
  %e2 = tensor.empty() : {narrow}
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : {narrow}) -> {narrow}
  %squares = linalg.generic {{indexing_maps = [{whole}, {rows}, {rows}], {reduced}}}
      ins(%x, %mean : {wide}, {narrow}) outs(%f2 : {narrow}) {{
  ^bb0(%u: f32, %v: f32, %o: f32):
    %d = arith.subf %u, %v : f32
    %q = arith.mulf %d, %d : f32
    %s2 = arith.addf %o, %q : f32
    linalg.yield %s2 : f32
  }} -> {narrow}
  %e3 = tensor.empty() : {wide}
  %r = linalg.generic {{indexing_maps = [{whole}, {rows}, {rows}, {columns}, {columns}, {whole}],
      iterator_types = ["parallel", "parallel"]}}
      ins(%x, %mean, %squares, %g, %b : {wide}, {narrow}, {narrow}, tensor<{n}xf32>, tensor<{n}xf32>) outs(%e3 : {wide}) {{
  ^bb0(%u: f32, %v: f32, %w: f32, %h: f32, %k: f32, %o: f32):
    %d3 = arith.subf %u, %v : f32
    %var = arith.divf %w, %count : f32
    %more = arith.addf %var, %eps : f32
    %root = math.rsqrt %more : f32
    %t1 = arith.mulf %d3, %root : f32
    %t2 = arith.mulf %t1, %h : f32
    %t3 = arith.addf %t2, %k : f32
    linalg.yield %t3 : f32
  }} -> {wide}"""


row(
    "linalg.generic",
    "layer norm by rows",
    "%x: tensor<200x192xf32>, %g: tensor<192xf32>, %b: tensor<192xf32>",
    "tensor<200x192xf32>",
    normalized(200, 192),
    layer_norm,
    tolerance=1e-4,
)
TILE_ROWS = row.rows
