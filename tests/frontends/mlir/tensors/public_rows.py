"""Programs in the manner of tests of public projects, written anew, each named by the test that shows the same.

`mlir`: llvm-project/mlir/test/Integration/Dialect/Linalg/CPU; `iree`: iree/tests/e2e; `triton`: what triton-shared's
test/Conversion/StructuredToMemref ends in; `tpp`: tpp-mlir/test/Integration; `torch`: what torch-mlir and TOSA's
lowering export.
"""

from __future__ import annotations

from math import erf as erf_of

import numpy as np
from frontends.mlir.tensors.linalg_rows import windows
from frontends.mlir.tensors.rows import Rows
from frontends.mlir.tensors.tile_rows import layer_norm, normalized, product, relu

row = Rows()
_KINDS = {"p": '"parallel"', "r": '"reduction"'}


def tensor(sizes: str, element: str = "f32") -> str:
    return f"tensor<{sizes}x{element}>" if sizes else f"tensor<{element}>"


def new(name: str, type_: str, value: str = "", sizes: str = "") -> str:
    """A tensor that is empty, or filled with a number; its type is that of the number's elements."""
    if not value:
        return f"\n  %{name} = tensor.empty({sizes}) : {type_}"
    element = type_.removesuffix(">").split("x")[-1].removeprefix("tensor<")
    return f"""
  %{name}_e = tensor.empty({sizes}) : {type_}
  %{name} = linalg.fill ins(%{value} : {element}) outs(%{name}_e : {type_}) -> {type_}"""


def generic(results: str, maps: str, kinds: str, ins: str, outs: str, body: str) -> str:
    """`ins` and `outs` are `NAME: TYPE; …`, `maps` are `(i, j) -> (i); …`; elements are called as tensors, with `'`."""
    read, written = ([tuple(each.split(": ")) for each in text.split("; ") if each] for text in (ins, outs))
    shown = ", ".join(f"affine_map<{each}>" for each in maps.split("; "))
    words = ", ".join(_KINDS[kind] for kind in kinds)
    elements = [(n, t.removesuffix(">").split("x")[-1].removeprefix("tensor<")) for n, t in (*read, *written)]
    arguments = ", ".join(f"%{name}_: {element}" for name, element in elements)
    group = {
        word: f"{word}({', '.join(f'%{n}' for n, _ in each)} : {', '.join(t for _, t in each)})"
        for word, each in (("ins", read), ("outs", written))
        if each
    }
    given = ", ".join(t for _, t in written)
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    return f"""
  {", ".join(f"%{name}" for name in results.split())} = linalg.generic {{indexing_maps = [{shown}],
      iterator_types = [{words}]}} {" ".join(group.values())} {{
  ^bb0({arguments}):
{lines}
  }} -> {given if len(written) == 1 else f"({given})"}"""


IJ, ROWS, COLUMNS = "(i, j) -> (i, j)", "(i, j) -> (i)", "(i, j) -> (j)"
_X34 = f"%x: {tensor('3x4')}"

# MLIR's own.

row(
    "mlir/test-tensor-matmul.mlir",
    "a product in three loops over tiles",
    f"%x: {tensor('6x8')}, %y: {tensor('8x4')}",
    tensor("6x4"),
    new("f", tensor("6x4"), "zero")
    + """
  %r = scf.for %i = %c0 to %c6 step %c2 iter_args(%a = %f) -> (tensor<6x4xf32>) {
    %s = scf.for %j = %c0 to %c4 step %c2 iter_args(%b = %a) -> (tensor<6x4xf32>) {
      %t = scf.for %k = %c0 to %c8 step %c4 iter_args(%c = %b) -> (tensor<6x4xf32>) {
        %u = tensor.extract_slice %x[%i, %k] [2, 4] [1, 1] : tensor<6x8xf32> to tensor<2x4xf32>
        %v = tensor.extract_slice %y[%k, %j] [4, 2] [1, 1] : tensor<8x4xf32> to tensor<4x2xf32>
        %w = tensor.extract_slice %c[%i, %j] [2, 2] [1, 1] : tensor<6x4xf32> to tensor<2x2xf32>
        %m = linalg.matmul ins(%u, %v : tensor<2x4xf32>, tensor<4x2xf32>) outs(%w : tensor<2x2xf32>) -> tensor<2x2xf32>
        %n = tensor.insert_slice %m into %c[%i, %j] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<6x4xf32>
        scf.yield %n : tensor<6x4xf32>
      }
      scf.yield %t : tensor<6x4xf32>
    }
    scf.yield %s : tensor<6x4xf32>
  }""",
    np.matmul,
)
row(
    "mlir/test-one-shot-bufferize.mlir",
    "a dot by packed pieces",
    f"%x: {tensor('16')}, %y: {tensor('16')}, %o: {tensor('')}",
    tensor(""),
    """
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<f32>) -> tensor<f32>
  %c16 = arith.constant 16 : index
  %e = bufferization.alloc_tensor(%c8) : tensor<?x2xf32>
  %p = scf.for %i = %c0 to %c16 step %c2 iter_args(%t = %e) -> (tensor<?x2xf32>) {
    %n = affine.apply affine_map<(i)[s] -> (i ceildiv s)>(%i)[%c2]
    %s0 = tensor.extract_slice %x[%i] [2] [1] : tensor<16xf32> to tensor<2xf32>
    %s1 = tensor.cast %s0 : tensor<2xf32> to tensor<?xf32>
    %s2 = tensor.pad %s1 low[%c0] high[%c0] {
    ^bb0(%at: index):
      tensor.yield %zero : f32
    } : tensor<?xf32> to tensor<2xf32>
    %s3 = tensor.insert_slice %s2 into %t[%n, 0] [1, 2] [1, 1] : tensor<2xf32> into tensor<?x2xf32>
    scf.yield %s3 : tensor<?x2xf32>
  }
  %r = scf.for %i = %c0 to %c16 step %c2 iter_args(%t = %f) -> (tensor<f32>) {
    %n = affine.apply affine_map<(i)[s] -> (i ceildiv s)>(%i)[%c2]
    %u = tensor.extract_slice %p[%n, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
    %v = tensor.extract_slice %y[%i] [2] [1] : tensor<16xf32> to tensor<2xf32>
    %d = linalg.dot ins(%u, %v : tensor<2xf32>, tensor<2xf32>) outs(%t : tensor<f32>) -> tensor<f32>
    scf.yield %d : tensor<f32>
  }""",
    lambda x, y, o: {None: np.dot(x, y), 2: np.dot(x, y)},
)
row(
    "mlir/test-subtensor-insert.mlir",
    "a small tensor put into a larger one",
    f"%x: {tensor('2')}, %y: {tensor('4')}",
    tensor("4"),
    "  %r = tensor.insert_slice %x into %y[1] [2] [1] : tensor<2xf32> into tensor<4xf32>",
    lambda x, y: np.concatenate((y[:1], x, y[3:])),
)
row(
    "mlir/test-subtensor-insert-multiple-uses.mlir",
    "the old value is used behind it",
    f"%x: {tensor('2')}, %y: {tensor('4')}",
    f"{tensor('4')}, {tensor('4')}",
    """
  %r = tensor.insert_slice %x into %y[0] [2] [1] : tensor<2xf32> into tensor<4xf32>
  %s = tensor.insert_slice %x into %y[2] [2] [1] : tensor<2xf32> into tensor<4xf32>""",
    lambda x, y: (np.concatenate((x, y[2:])), np.concatenate((y[:2], x))),
)
row(
    "mlir/test-padtensor.mlir",
    "padding of a static tensor by one that is passed",
    f"%x: {tensor('1x2x3')}, %n: index",
    tensor("1x4x?"),
    """
  %p = arith.constant 2.3 : f32
  %r = tensor.pad %x low[0, 1, %n] high[0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %p : f32
  } : tensor<1x2x3xf32> to tensor<1x4x?xf32>""",
    lambda x, n: np.pad(x, ((0, 0), (1, 1), (n, 1)), constant_values=np.float32(2.3)),
    n=2,
)
row(
    "mlir/test-collapse-tensor.mlir",
    "",
    f"%x: {tensor('2x3x4')}",
    tensor("2x12"),
    "  %r = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x3x4xf32> into tensor<2x12xf32>",
    lambda x: x.reshape(2, 12),
)
row(
    "mlir/test-expand-tensor.mlir",
    "with a size that is not known",
    f"%x: {tensor('?')}, %n: index",
    tensor("?x3x2"),
    "  %r = tensor.expand_shape %x [[0, 1, 2]] output_shape [%n, 3, 2] : tensor<?xf32> into tensor<?x3x2xf32>",
    lambda x, n: x.reshape(n, 3, 2),
    x=(12,),
    n=2,
)
row(
    "mlir/test-tensor-e2e.mlir",
    "a sum of two constants",
    "",
    tensor("3"),
    """
  %x = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %y = arith.constant dense<[1.0, 1.0, 1.0]> : tensor<3xf32>
  %r = arith.addf %x, %y : tensor<3xf32>""",
    lambda: np.array([2, 3, 4], np.float32),
)
row(
    "mlir/test-tile-reduction-subf.mlir",
    "a reduction that subtracts",
    f"%x: {tensor('2x8')}",
    tensor("2"),
    new("f", tensor("2"), "zero")
    + generic(
        "r",
        f"{IJ}; {ROWS}",
        "pr",
        f"x: {tensor('2x8')}",
        f"f: {tensor('2')}",
        "%d = arith.subf %f_, %x_ : f32\nlinalg.yield %d : f32",
    ),
    lambda x: -x.sum(1),
)
row(
    "mlir/test-elementwise.mlir",
    "on a constant",
    f"%x: {tensor('2x3')}",
    tensor("2x3"),
    """
  %k = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %r = arith.addf %x, %k : tensor<2x3xf32>""",
    lambda x: x + np.arange(1, 7, dtype=np.float32).reshape(2, 3),
)
row(
    "mlir/mmt4d.mlir",
    "",
    f"%x: {tensor('2x2x4x1')}, %y: {tensor('3x2x4x1')}",
    tensor("2x3x4x4"),
    new("f", tensor("2x3x4x4"), "zero")
    + """
  %r = linalg.mmt4d ins(%x, %y : tensor<2x2x4x1xf32>, tensor<3x2x4x1xf32>) outs(%f : tensor<2x3x4x4xf32>) -> tensor<2x3x4x4xf32>""",
    lambda x, y: np.einsum("mkxz,nkyz->mnxy", x, y),
)
row(
    "mlir/test-conv-2d-nhwc-hwcf-call.mlir",
    "on tensors",
    f"%x: {tensor('2x6x5x3')}, %k: {tensor('2x2x3x4')}",
    tensor("2x5x4x4"),
    new("f", tensor("2x5x4x4"), "zero")
    + """
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %k : tensor<2x6x5x3xf32>, tensor<2x2x3x4xf32>) outs(%f : tensor<2x5x4x4xf32>) -> tensor<2x5x4x4xf32>""",
    lambda x, k: np.einsum("nhwcjk,jkcf->nhwf", windows(x, 1, (2, 2), (1, 1), (1, 1)), k),
)
row(
    "mlir/vectorize-insert-slice-rank-reducing.mlir",
    "a slice that is put in another rank",
    f"%x: {tensor('1x3')}, %y: {tensor('4')}",
    tensor("4"),
    """
  %s = tensor.extract_slice %x[0, 0] [1, 2] [1, 1] : tensor<1x3xf32> to tensor<2xf32>
  %r = tensor.insert_slice %s into %y[1] [2] [1] : tensor<2xf32> into tensor<4xf32>""",
    lambda x, y: np.concatenate((y[:1], x[0, :2], y[3:])),
)
row(
    "mlir/ArmSVE/reduce_2d.mlir",
    "an exclusive or of columns",
    "%x: tensor<4x5xi32>",
    "tensor<5xi32>",
    new("f", "tensor<5xi32>", "zero_i32")
    + generic(
        "r",
        f"{IJ}; {COLUMNS}",
        "rp",
        "x: tensor<4x5xi32>",
        "f: tensor<5xi32>",
        "%d = arith.xori %f_, %x_ : i32\nlinalg.yield %d : i32",
    ),
    lambda x: np.bitwise_xor.reduce(x, 0),
)

# IREE's.

row(
    "iree/linalg/gather_like_ops.mlir",
    "columns of rows that indices name",
    "%x: tensor<2x4xi64>, %k: tensor<4xi64>",
    "tensor<4x4xi64>",
    new("e", "tensor<4x4xi64>")
    + generic(
        "r",
        f"{COLUMNS}; {IJ}",
        "pp",
        "k: tensor<4xi64>",
        "e: tensor<4x4xi64>",
        """
%d = arith.index_cast %k_ : i64 to index
%j = linalg.index 1 : index
%v = tensor.extract %x[%d, %j] : tensor<2x4xi64>
linalg.yield %v : i64""",
    ),
    lambda x, k: np.broadcast_to(x[k, np.arange(4)], (4, 4)),
    k=lambda rng: rng.integers(0, 2, 4),
)
row(
    "iree/linalg/argmax.mlir",
    "of a long vector",
    f"%x: {tensor('200')}",
    f"{tensor('')}, tensor<i32>",
    new("f", tensor(""), "low")
    + new("g", "tensor<i32>", "zero_i32")
    + generic(
        "r s",
        "(i) -> (i); (i) -> (); (i) -> ()",
        "r",
        f"x: {tensor('200')}",
        f"f: {tensor('')}; g: tensor<i32>",
        """
%i = linalg.index 0 : index
%n = arith.index_cast %i : index to i32
%m = arith.maximumf %x_, %f_ : f32
%c = arith.cmpf ogt, %x_, %f_ : f32
%a = arith.select %c, %n, %g_ : i32
linalg.yield %m, %a : f32, i32""",
    ),
    lambda x: (x.max(), np.int32(x.argmax())),
)
row(
    "iree/linalg/index.mlir",
    "places in a matrix",
    "",
    "tensor<3x4xi32>",
    new("e", "tensor<3x4xi32>")
    + generic(
        "r",
        IJ,
        "pp",
        "",
        "e: tensor<3x4xi32>",
        """
%i = linalg.index 0 : index
%j = linalg.index 1 : index
%a = affine.apply affine_map<(i, j) -> (i * 10 + j)>(%i, %j)
%b = arith.index_cast %a : index to i32
linalg.yield %b : i32""",
    ),
    lambda: np.arange(3, dtype=np.int32)[:, None] * 10 + np.arange(4, dtype=np.int32),
)
row(
    "iree/linalg_tensor_ops/add.mlir",
    "a matrix that is turned, and a vector",
    f"%x: {tensor('5x3')}, %y: {tensor('3')}",
    tensor("3x5"),
    new("e", tensor("3x5"))
    + generic(
        "r",
        "(i, j) -> (j, i); (i, j) -> (i); (i, j) -> (i, j)",
        "pp",
        f"x: {tensor('5x3')}; y: {tensor('3')}",
        f"e: {tensor('3x5')}",
        "%a = arith.addf %x_, %y_ : f32\nlinalg.yield %a : f32",
    ),
    lambda x, y: x.T + y[:, None],
)
row(
    "iree/tensor_ops/extract_slice.mlir",
    "with a stride, that is multiplied",
    f"%x: {tensor('6x4')}, %y: {tensor('2x3')}",
    tensor("3x3"),
    """
  %s = tensor.extract_slice %x[0, 1] [3, 2] [2, 1] : tensor<6x4xf32> to tensor<3x2xf32>"""
    + product("3", "2", "3", "r", "s", "y"),
    lambda x, y: x[::2, 1:3] @ y,
)
row(
    "iree/tensor_ops/tensor_cast.mlir",
    "between sizes that are known and not",
    f"%x: {tensor('2x4')}",
    tensor("2x4"),
    """
  %s = tensor.cast %x : tensor<2x4xf32> to tensor<?x4xf32>
  %t = math.absf %s : tensor<?x4xf32>
  %r = tensor.cast %t : tensor<?x4xf32> to tensor<2x4xf32>""",
    np.abs,
)
row(
    "iree/tensor_ops/concat.mlir",
    "as slices that are put in",
    f"%x: {tensor('2x3')}, %y: {tensor('2x2')}",
    tensor("2x5"),
    new("e", tensor("2x5"))
    + """
  %p = tensor.insert_slice %x into %e[0, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<2x5xf32>
  %r = tensor.insert_slice %y into %p[0, 3] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x5xf32>""",
    lambda x, y: np.concatenate((x, y), 1),
)
row(
    "iree/regression/dynamic_abs.mlir",
    "",
    f"%x: {tensor('?x?')}",
    tensor("?x?"),
    "  %r = math.absf %x : tensor<?x?xf32>",
    np.abs,
    x=(2, 5),
)
row(
    "iree/regression/dynamic_add.mlir",
    "",
    f"%x: {tensor('?')}, %y: {tensor('?')}",
    tensor("?"),
    "  %r = arith.addf %x, %y : tensor<?xf32>",
    np.add,
    x=(7,),
    y=(7,),
)
row(
    "iree/regression/dynamic_compare_and_select.mlir",
    "",
    "%x: tensor<?xi32>, %y: tensor<?xi32>",
    "tensor<?xi32>",
    """
  %c = arith.cmpi slt, %x, %y : tensor<?xi32>
  %r = arith.select %c, %x, %y : tensor<?xi1>, tensor<?xi32>""",
    np.minimum,
    x=(9,),
    y=(9,),
)
row(
    "iree/regression/dynamic_linalg_matmul_on_tensors.mlir",
    "",
    f"%x: {tensor('?x?')}, %y: {tensor('?x?')}",
    tensor("?x?"),
    """
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %y, %c1 : tensor<?x?xf32>"""
    + product("%m", "?", "%n", "r", "x", "y"),
    np.matmul,
    x=(3, 4),
    y=(4, 5),
)
row(
    "iree/regression/dynamic_matmuls_on_same_accumulator_issue_12060.mlir",
    "two products that begin with the same",
    f"%x: {tensor('3x4')}, %y: {tensor('4x3')}, %z: {tensor('3x3')}",
    f"{tensor('3x3')}, {tensor('3x3')}",
    """
  %r = linalg.matmul ins(%x, %y : tensor<3x4xf32>, tensor<4x3xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>
  %s = linalg.matmul ins(%r, %r : tensor<3x3xf32>, tensor<3x3xf32>) outs(%z : tensor<3x3xf32>) -> tensor<3x3xf32>""",
    lambda x, y, z: (z + x @ y, z + (z + x @ y) @ (z + x @ y)),
)
row(
    "iree/regression/dynamic_reduce_min.mlir",
    "",
    f"%x: {tensor('?x4')}",
    tensor("4"),
    new("f", tensor("4"), "high")
    + generic(
        "r",
        f"{IJ}; {COLUMNS}",
        "rp",
        f"x: {tensor('?x4')}",
        f"f: {tensor('4')}",
        "%m = arith.minimumf %x_, %f_ : f32\nlinalg.yield %m : f32",
    ),
    lambda x: x.min(0),
    x=(5, 4),
)
row(
    "iree/regression/dynamic_torch_index_select_vector.mlir",
    "",
    f"%x: {tensor('5x3')}, %k: tensor<?xi32>",
    tensor("?x3"),
    """
  %n = tensor.dim %k, %c0 : tensor<?xi32>"""
    + new("e", tensor("?x3"), "", "%n")
    + generic(
        "r",
        f"{ROWS}; {IJ}",
        "pp",
        "k: tensor<?xi32>",
        f"e: {tensor('?x3')}",
        """
%i = arith.index_cast %k_ : i32 to index
%j = linalg.index 1 : index
%v = tensor.extract %x[%i, %j] : tensor<5x3xf32>
linalg.yield %v : f32""",
    ),
    lambda x, k: x[k],
    k=lambda rng: rng.integers(0, 5, 4).astype(np.int32),
)
row(
    "iree/regression/linalg_quantized_matmul_vs_linalg_matmul.mlir",
    "the sums that zero points add, by products",
    "%x: tensor<3x4xi8>, %y: tensor<4x5xi8>",
    "tensor<3x5xi32>, tensor<3x5xi32>",
    """
  %a = arith.constant 3 : i32
  %b = arith.constant -2 : i32"""
    + new("f", "tensor<3x5xi32>", "zero_i32")
    + new("g", "tensor<3x5xi32>", "zero_i32")
    + """
  %r = linalg.quantized_matmul ins(%x, %y, %a, %b : tensor<3x4xi8>, tensor<4x5xi8>, i32, i32) outs(%f : tensor<3x5xi32>) -> tensor<3x5xi32>
  %s = linalg.matmul ins(%x, %y : tensor<3x4xi8>, tensor<4x5xi8>) outs(%g : tensor<3x5xi32>) -> tensor<3x5xi32>""",
    lambda x, y: ((x.astype(np.int32) - 3) @ (y.astype(np.int32) + 2), x.astype(np.int32) @ y.astype(np.int32)),
)
row(
    "iree/regression/reduction_broadcast_elementwise.mlir",
    "each by the sum of its row",
    _X34,
    tensor("3x4"),
    new("f", tensor("3"), "zero")
    + generic(
        "q",
        f"{IJ}; {ROWS}",
        "pr",
        f"x: {tensor('3x4')}",
        f"f: {tensor('3')}",
        "%a = arith.addf %f_, %x_ : f32\nlinalg.yield %a : f32",
    )
    + new("e", tensor("3x4"))
    + generic(
        "r",
        f"{IJ}; {ROWS}; {IJ}",
        "pp",
        f"x: {tensor('3x4')}; q: {tensor('3')}",
        f"e: {tensor('3x4')}",
        "%m = arith.subf %x_, %q_ : f32\nlinalg.yield %m : f32",
    ),
    lambda x: x - x.sum(1, keepdims=True),
)
row(
    "iree/regression/layernorm.mlir",
    "with one factor for a column",
    f"%x: {tensor('5x8')}, %g: {tensor('8')}, %b: {tensor('8')}",
    tensor("5x8"),
    normalized(5, 8),
    layer_norm,
    tolerance=1e-4,
)
row(
    "iree/regression/softmax.mlir",
    "by generic operations",
    _X34,
    tensor("3x4"),
    new("f", tensor("3"), "low")
    + generic(
        "m",
        f"{IJ}; {ROWS}",
        "pr",
        f"x: {tensor('3x4')}",
        f"f: {tensor('3')}",
        "%a = arith.maximumf %x_, %f_ : f32\nlinalg.yield %a : f32",
    )
    + new("e", tensor("3x4"))
    + generic(
        "p",
        f"{IJ}; {ROWS}; {IJ}",
        "pp",
        f"x: {tensor('3x4')}; m: {tensor('3')}",
        f"e: {tensor('3x4')}",
        "%d = arith.subf %x_, %m_ : f32\n%h = math.exp %d : f32\nlinalg.yield %h : f32",
    )
    + new("g", tensor("3"), "zero")
    + generic(
        "q",
        f"{IJ}; {ROWS}",
        "pr",
        f"p: {tensor('3x4')}",
        f"g: {tensor('3')}",
        "%t = arith.addf %p_, %g_ : f32\nlinalg.yield %t : f32",
    )
    + generic(
        "r",
        f"{IJ}; {ROWS}; {IJ}",
        "pp",
        f"p: {tensor('3x4')}; q: {tensor('3')}",
        f"e: {tensor('3x4')}",
        "%u = arith.divf %p_, %q_ : f32\nlinalg.yield %u : f32",
    ),
    lambda x: np.exp(x - x.max(1, keepdims=True)) / np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True),
)
row(
    "iree/regression/split_reduction.mlir",
    "partial sums, then their sum",
    f"%x: {tensor('24')}",
    tensor(""),
    """
  %y = tensor.expand_shape %x [[0, 1]] output_shape [4, 6] : tensor<24xf32> into tensor<4x6xf32>"""
    + new("f", tensor("4"), "zero")
    + generic(
        "p",
        f"{IJ}; {ROWS}",
        "pr",
        f"y: {tensor('4x6')}",
        f"f: {tensor('4')}",
        "%a = arith.addf %y_, %f_ : f32\nlinalg.yield %a : f32",
    )
    + new("g", tensor(""), "zero")
    + generic(
        "r",
        "(i) -> (i); (i) -> ()",
        "r",
        f"p: {tensor('4')}",
        f"g: {tensor('')}",
        "%b = arith.addf %p_, %g_ : f32\nlinalg.yield %b : f32",
    ),
    lambda x: x.sum(),
)
row(
    "iree/regression/trunci.mlir",
    "",
    "%x: tensor<4xi32>",
    "tensor<4xi8>",
    "  %r = arith.trunci %x : tensor<4xi32> to tensor<4xi8>",
    lambda x: x.astype(np.int8),
)
row(
    "iree/regression/i1_inlined_constant.mlir",
    "",
    f"%x: {tensor('4')}, %y: {tensor('4')}",
    tensor("4"),
    """
  %c = arith.constant dense<[true, false, false, true]> : tensor<4xi1>
  %r = arith.select %c, %x, %y : tensor<4xi1>, tensor<4xf32>""",
    lambda x, y: np.where([True, False, False, True], x, y),
)
row(
    "iree/regression/xla_reverse_after_slice.mlir",
    "a slice read backwards",
    f"%x: {tensor('8')}",
    tensor("4"),
    """
  %s = tensor.extract_slice %x[2] [4] [1] : tensor<8xf32> to tensor<4xf32>"""
    + new("e", tensor("4"))
    + generic(
        "r",
        "(i) -> (i)",
        "p",
        "",
        f"e: {tensor('4')}",
        """
%i = linalg.index 0 : index
%j = arith.subi %c3, %i : index
%v = tensor.extract %s[%j] : tensor<4xf32>
linalg.yield %v : f32""",
    ),
    lambda x: x[2:6][::-1],
)

# Triton's kernels behind triton-shared: memory in, tensors inside, memory out.

_COPIED = """
  %b = memref.alloc() : memref<{0}>
  memref.copy %m, %b : memref<{0}> to memref<{0}>
  %x = bufferization.to_tensor %b restrict writable : memref<{0}> to tensor<{0}>"""


def triton(name: str, about: str, given: str, out: str, body: str, expected: object, tolerance: float = 2e-5) -> None:
    row(
        f"triton/{name}",
        about,
        f"%m: memref<{given}>, %o: memref<{out}>",
        "",
        _COPIED.format(given)
        + body
        + f"""
  bufferization.materialize_in_destination %r in writable %o : (tensor<{out}>, memref<{out}>) -> ()""",
        lambda m, o: {1: expected(m)},
        tolerance=tolerance,
    )  # type: ignore[operator]


triton(
    "kernel-01-vector-add.mlir", "", "16xf32", "16xf32", "\n  %r = arith.addf %x, %x : tensor<16xf32>", lambda m: m + m
)
triton(
    "reducesum_scalar.mlir",
    "a sum in an element",
    "16xf32",
    "1xf32",
    """
  %e = bufferization.alloc_tensor() : tensor<f32>
  %f = tensor.insert %zero into %e[] : tensor<f32>
  %s = linalg.reduce ins(%x : tensor<16xf32>) outs(%f : tensor<f32>) dimensions = [0] (%in: f32, %so: f32) {
    %a = arith.addf %in, %so : f32
    linalg.yield %a : f32
  }
  %v = tensor.extract %s[] : tensor<f32>
  %r = tensor.from_elements %v : tensor<1xf32>""",
    lambda m: m.sum()[None],
)
triton(
    "convert_argmin_argmax.mlir",
    "the first of several largest",
    "8xf32",
    "1xi32",
    new("f", tensor(""), "low")
    + new("g", "tensor<i32>", "zero_i32")
    + new("k", "tensor<8xi32>")
    + generic(
        "at",
        "(i) -> (i)",
        "p",
        "",
        "k: tensor<8xi32>",
        "%i = linalg.index 0 : index\n%j = arith.index_cast %i : index to i32\nlinalg.yield %j : i32",
    )
    + """
  %p:2 = linalg.reduce ins(%x, %at : tensor<8xf32>, tensor<8xi32>) outs(%f, %g : tensor<f32>, tensor<i32>) dimensions = [0]
    (%in: f32, %i1: i32, %so: f32, %i2: i32) {
      %eq = arith.cmpf oeq, %in, %so : f32
      %lt = arith.cmpi slt, %i1, %i2 : i32
      %tie = arith.andi %eq, %lt : i1
      %gt = arith.cmpf ogt, %in, %so : f32
      %is = arith.ori %gt, %tie : i1
      %u = arith.select %is, %in, %so : f32
      %v = arith.select %is, %i1, %i2 : i32
      linalg.yield %u, %v : f32, i32
    }
  %w = tensor.extract %p#1[] : tensor<i32>
  %r = tensor.from_elements %w : tensor<1xi32>""",
    lambda m: np.array([m.argmax()], np.int32),
)
triton(
    "masked_ldst_1d.mlir",
    "a part of what is there",
    "16xf32",
    "8xf32",
    """
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %x[3] [5] [1] : tensor<16xf32> to tensor<5xf32>
  %r = tensor.insert_slice %s into %f[0] [5] [1] : tensor<5xf32> into tensor<8xf32>""",
    lambda m: np.concatenate((m[3:8], np.zeros(3, np.float32))),
)

# TPP's, and networks as exporters write them.

row(
    "tpp/vectorizer-mlp-fma.mlir",
    "two layers with biases",
    f"%x: {tensor('4x8')}, %y: {tensor('8x6')}, %b: {tensor('6')}, %z: {tensor('6x5')}, %c: {tensor('5')}",
    tensor("4x5"),
    product("4", "8", "6", "p", "x", "y")
    + relu("4", "6", "q", "p", "b")
    + product("4", "6", "5", "s", "q", "z")
    + relu("4", "5", "r", "s", "c"),
    lambda x, y, b, z, c: np.maximum(np.maximum(x @ y + b, 0) @ z + c, 0),
)
row(
    "tpp/tpp-brgemm.mlir",
    "a sum of products of a batch",
    f"%x: {tensor('3x4x5')}, %y: {tensor('3x5x4')}, %z: {tensor('4x4')}",
    tensor("4x4"),
    """
  %r = linalg.batch_reduce_matmul ins(%x, %y : tensor<3x4x5xf32>, tensor<3x5x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>""",
    lambda x, y, z: z + np.einsum("bmk,bkn->mn", x, y),
)
row(
    "tpp/tpp-run-dequantize-quantize-correctness-i8-f32-i8.mlir",
    "bytes scaled to floats and back",
    "%x: tensor<4x5xi8>, %s: tensor<5xf32>",
    "tensor<4x5xi8>",
    new("e", tensor("4x5"))
    + generic(
        "f",
        f"{IJ}; {COLUMNS}; {IJ}",
        "pp",
        "x: tensor<4x5xi8>; s: tensor<5xf32>",
        f"e: {tensor('4x5')}",
        "%a = arith.sitofp %x_ : i8 to f32\n%b = arith.mulf %a, %s_ : f32\nlinalg.yield %b : f32",
    )
    + new("g", "tensor<4x5xi8>")
    + generic(
        "r",
        f"{IJ}; {COLUMNS}; {IJ}",
        "pp",
        f"f: {tensor('4x5')}; s: tensor<5xf32>",
        "g: tensor<4x5xi8>",
        "%c = arith.divf %f_, %s_ : f32\n%d = math.roundeven %c : f32\n%h = arith.fptosi %d : f32 to i8\nlinalg.yield %h : i8",
    ),
    lambda x, s: x,
    s=lambda rng: rng.uniform(0.5, 1, 5).astype(np.float32),
)
row(
    "torch/batch_norm",
    "for inference",
    f"%x: {tensor('1x3x4x4')}, %m: {tensor('3')}, %v: {tensor('3')}",
    tensor("1x3x4x4"),
    "\n  %eps = arith.constant 1.0e-05 : f32"
    + new("e", tensor("1x3x4x4"))
    + generic(
        "r",
        "(n, c, h, w) -> (n, c, h, w); (n, c, h, w) -> (c); (n, c, h, w) -> (c); (n, c, h, w) -> (n, c, h, w)",
        "pppp",
        f"x: {tensor('1x3x4x4')}; m: {tensor('3')}; v: {tensor('3')}",
        f"e: {tensor('1x3x4x4')}",
        "%a = arith.subf %x_, %m_ : f32\n%b = arith.addf %v_, %eps : f32\n%c = math.rsqrt %b : f32\n%d = arith.mulf %a, %c : f32\nlinalg.yield %d : f32",
    ),
    lambda x, m, v: (x - m[:, None, None]) / np.sqrt(v[:, None, None] + np.float32(1e-5)),
    v=lambda rng: rng.uniform(0.5, 1, 3).astype(np.float32),
)
row(
    "torch/gelu",
    "by erf",
    f"%x: {tensor('2x8')}",
    tensor("2x8"),
    "\n  %half = arith.constant 0.5 : f32\n  %root = arith.constant 0.70710678 : f32"
    + new("e", tensor("2x8"))
    + generic(
        "r",
        f"{IJ}; {IJ}",
        "pp",
        f"x: {tensor('2x8')}",
        f"e: {tensor('2x8')}",
        "%a = arith.mulf %x_, %root : f32\n%b = math.erf %a : f32\n%c = arith.addf %b, %one : f32\n%d = arith.mulf %x_, %c : f32\n%h = arith.mulf %d, %half : f32\nlinalg.yield %h : f32",
    ),
    lambda x: x * np.vectorize(lambda v: 0.5 * (1 + erf_of(v / 2**0.5)))(x),
)
row(
    "torch/attention",
    "of one head",
    f"%x: {tensor('4x6')}, %y: {tensor('6x4')}, %z: {tensor('4x5')}",
    tensor("4x5"),
    product("4", "6", "4", "s", "x", "y")
    + new("f", tensor("4"), "low")
    + generic(
        "m",
        f"{IJ}; {ROWS}",
        "pr",
        f"s: {tensor('4x4')}",
        f"f: {tensor('4')}",
        "%a = arith.maximumf %s_, %f_ : f32\nlinalg.yield %a : f32",
    )
    + new("e", tensor("4x4"))
    + generic(
        "p",
        f"{IJ}; {ROWS}; {IJ}",
        "pp",
        f"s: {tensor('4x4')}; m: {tensor('4')}",
        f"e: {tensor('4x4')}",
        "%d = arith.subf %s_, %m_ : f32\n%h = math.exp %d : f32\nlinalg.yield %h : f32",
    )
    + new("g", tensor("4"), "zero")
    + generic(
        "q",
        f"{IJ}; {ROWS}",
        "pr",
        f"p: {tensor('4x4')}",
        f"g: {tensor('4')}",
        "%t = arith.addf %p_, %g_ : f32\nlinalg.yield %t : f32",
    )
    + generic(
        "w",
        f"{IJ}; {ROWS}; {IJ}",
        "pp",
        f"p: {tensor('4x4')}; q: {tensor('4')}",
        f"e: {tensor('4x4')}",
        "%u = arith.divf %p_, %q_ : f32\nlinalg.yield %u : f32",
    )
    + product("4", "4", "5", "r", "w", "z"),
    lambda x, y, z: np.exp(x @ y) / np.exp(x @ y).sum(1, keepdims=True) @ z,
)
row(
    "torch/max_pool2d",
    "with padding",
    f"%x: {tensor('1x2x5x5')}",
    tensor("1x2x3x3"),
    """
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %low : f32
  } : tensor<1x2x5x5xf32> to tensor<1x2x7x7xf32>
  %w = tensor.empty() : tensor<3x3xf32>"""
    + new("f", tensor("1x2x3x3"), "low")
    + """
  %r = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
    ins(%p, %w : tensor<1x2x7x7xf32>, tensor<3x3xf32>) outs(%f : tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>""",
    lambda x: windows(
        np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), constant_values=-np.inf), 2, (3, 3), (2, 2), (1, 1)
    ).max((-1, -2)),
)
row(
    "torch/embedding",
    "rows of a table, summed up",
    f"%x: {tensor('6x4')}, %k: tensor<2x3xi64>",
    tensor("2x4"),
    new("f", tensor("2x4"), "zero")
    + generic(
        "r",
        "(i, j, k) -> (i, k); (i, j, k) -> (i, j)",
        "ppr",
        "k: tensor<2x3xi64>",
        f"f: {tensor('2x4')}",
        """
%i = arith.index_cast %k_ : i64 to index
%j = linalg.index 1 : index
%v = tensor.extract %x[%i, %j] : tensor<6x4xf32>
%a = arith.addf %f_, %v : f32
linalg.yield %a : f32""",
    ),
    lambda x, k: x[k].sum(1),
    k=lambda rng: rng.integers(0, 6, (2, 3)),
)
row(
    "torch/cumsum",
    "by a loop",
    f"%x: {tensor('3x4')}",
    tensor("3x4"),
    new("e", tensor("3x4"), "zero")
    + new("f", tensor("3"), "zero")
    + """
  %r, %last = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %e, %so = %f) -> (tensor<3x4xf32>, tensor<3xf32>) {
    %c = tensor.extract_slice %x[0, %j] [3, 1] [1, 1] : tensor<3x4xf32> to tensor<3xf32>
    %n = arith.addf %so, %c : tensor<3xf32>
    %u = tensor.insert_slice %n into %t[0, %j] [3, 1] [1, 1] : tensor<3xf32> into tensor<3x4xf32>
    scf.yield %u, %n : tensor<3x4xf32>, tensor<3xf32>
  }""",
    lambda x: np.cumsum(x, 1),
)
PUBLIC_ROWS = row.rows
