"""Programs after public files that were read: reduced to what they show, written anew, with numbers of their own."""

from __future__ import annotations

from math import erf as erf_of

import numpy as np
from frontends.mlir.tensors.linalg_rows import windows
from frontends.mlir.tensors.public_rows import IJ, ROWS, generic, new, tensor
from frontends.mlir.tensors.rows import Rows

row = Rows()
LINALG = "llvm/llvm-project: mlir/test/Integration/Dialect/Linalg/CPU"
VECTOR = "llvm/llvm-project: mlir/test/Integration/Dialect/Vector/CPU"
IREE = "iree-org/iree: tests/e2e"
TRITON = "microsoft/triton-shared: test/Conversion/StructuredToMemref"
erf = np.vectorize(erf_of)
EACH = "(i) -> (i)"
IJK = "(i, j, k) -> (i, j, k)"
ADDED = "%s = arith.addf %x_, %f_ : f32\nlinalg.yield %s : f32"
"""The body of a sum of the elements of %x in %f."""
LINE, STRIP = "memref<*xf32>", "memref<?xf32, strided<[1], offset: ?>>"


def at(name: str, of: str, offset: str, sizes: str, strides: str) -> str:
    """A view of memory without a rank, as exporters of Triton address it: the text, and its type."""
    shape = "x".join(size if size.isdigit() else "?" for size in sizes.split(", "))
    known = ", ".join(step if step.isdigit() else "?" for step in strides.split(", "))
    type_ = f"memref<{shape}xf32, strided<[{known}], offset: ?>>"
    return f"""
  %{name} = memref.reinterpret_cast %{of} to offset: [{offset}], sizes: [{sizes}], strides: [{strides}]
    : memref<*xf32> to {type_}"""


def loaded(name: str, sizes: str, of: str, type_: str) -> str:
    """A tensor of a copy of memory."""
    return f"""
  %{name}_m = memref.alloc() : memref<{sizes}xf32>
  memref.copy %{of}, %{name}_m : {type_} to memref<{sizes}xf32>
  %{name} = bufferization.to_tensor %{name}_m restrict writable : memref<{sizes}xf32> to tensor<{sizes}xf32>"""


def put(name: str, type_: str, to: str, memref: str) -> str:
    return f"\n  bufferization.materialize_in_destination %{name} in writable %{to} : ({type_}, {memref}) -> ()"


# MLIR's own.

row(
    f"{LINALG}/pack-unpack-mmt4d.mlir",
    "a product by packed tiles, the last ones padded",
    "%x: tensor<5x6xi32>, %y: tensor<6x7xi32>, %o: tensor<5x7xi32>",
    "tensor<5x7xi32>",
    """
  %xe = tensor.empty() : tensor<2x6x4x1xi32>
  %ye = tensor.empty() : tensor<2x6x4x1xi32>
  %oe = tensor.empty() : tensor<2x2x4x4xi32>
  %re = tensor.empty() : tensor<5x7xi32>
  %xp = linalg.pack %x padding_value(%zero_i32 : i32) inner_dims_pos = [0, 1] inner_tiles = [4, 1] into %xe
    : tensor<5x6xi32> -> tensor<2x6x4x1xi32>
  %yp = linalg.pack %y padding_value(%zero_i32 : i32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 1]
    into %ye : tensor<6x7xi32> -> tensor<2x6x4x1xi32>
  %op = linalg.pack %o padding_value(%zero_i32 : i32) inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %oe
    : tensor<5x7xi32> -> tensor<2x2x4x4xi32>
  %m = linalg.mmt4d ins(%xp, %yp : tensor<2x6x4x1xi32>, tensor<2x6x4x1xi32>) outs(%op : tensor<2x2x4x4xi32>)
    -> tensor<2x2x4x4xi32>
  %r = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %re : tensor<2x2x4x4xi32> -> tensor<5x7xi32>""",
    lambda x, y, o: o + x @ y,
)
row(
    f"{LINALG}/runtime-verification.mlir",
    "elements from the fourth one backwards",
    f"%x: {tensor('?')}",
    tensor("?"),
    f"""
  %n = tensor.dim %x, %c0 : {tensor("?")}
  %f = tensor.splat %zero[%n] : {tensor("?")}"""
    + generic(
        "r",
        "(i) -> (3 - i); (i) -> (i)",
        "p",
        f"x: {tensor('?')}",
        f"f: {tensor('?')}",
        "linalg.yield %x_ : f32",
    ),
    lambda x: x[::-1],
    x=(4,),
)
row(
    f"{LINALG}/runtime-verification.mlir",
    "windows that lie side by side",
    f"%x: {tensor('8x15')}, %k: {tensor('2x5')}",
    tensor("4x3"),
    f"  %f = tensor.splat %zero : {tensor('4x3')}"
    + generic(
        "r",
        "(i, j, k, l) -> (i * 2 + k, j * 5 + l); (i, j, k, l) -> (k, l); (i, j, k, l) -> (i, j)",
        "pprr",
        f"x: {tensor('8x15')}; k: {tensor('2x5')}",
        f"f: {tensor('4x3')}",
        "%p = arith.mulf %x_, %k_ : f32\n%s = arith.addf %f_, %p : f32\nlinalg.yield %s : f32",
    ),
    lambda x, k: np.einsum("ikjl,kl->ij", x.reshape(4, 2, 3, 5), k),
)
row(
    f"{LINALG}/test-matmul-masked-vec.mlir",
    "a product of sizes that are passed",
    f"%x: {tensor('?x?')}, %y: {tensor('?x?')}, %m: index, %n: index",
    tensor("?x?"),
    """
  %e = bufferization.alloc_tensor(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%x, %y : tensor<?x?xf32>, tensor<?x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>""",
    lambda x, y, m, n: x @ y,
    x=(5, 3),
    y=(3, 4),
    m=5,
    n=4,
)
row(
    f"{LINALG}/test-conv-2d-nchw-fchw-q-img2col.mlir",
    "a convolution of bytes with zero points, whose sums begin at a constant",
    "%x: tensor<1x2x4x3xi8>, %k: tensor<3x2x2x2xi8>, %a: i32, %b: i32",
    "tensor<1x18xi32>",
    """
  %o = arith.constant dense<-3> : tensor<1x3x3x2xi32>
  %c = linalg.conv_2d_nchw_fchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k, %a, %b : tensor<1x2x4x3xi8>, tensor<3x2x2x2xi8>, i32, i32) outs(%o : tensor<1x3x3x2xi32>)
    -> tensor<1x3x3x2xi32>
  %r = tensor.collapse_shape %c [[0], [1, 2, 3]] : tensor<1x3x3x2xi32> into tensor<1x18xi32>""",
    lambda x, k, a, b: (
        (
            np.einsum(
                "nchwjk,fcjk->nfhw", windows(x.astype(np.int32) - a, 2, (2, 2), (1, 1), (1, 1)), k.astype(np.int32) - b
            )
            - 3
        )
        .reshape(1, 18)
        .astype(np.int32)
    ),
)
row(
    f"{VECTOR}/0-d-vectors.mlir",
    "vectors of one element without a dimension",
    "%x: memref<f32>, %n: index, %o: memref<4xf32>",
    "",
    """
  %v = vector.transfer_read %x[], %zero : memref<f32>, vector<f32>
  %w = vector.fma %v, %v, %v : vector<f32>
  %e = vector.extract %w[] : f32 from vector<f32>
  %b = vector.broadcast %w : vector<f32> to vector<2x2xf32>
  %k = vector.create_mask %n : vector<i1>
  %h = vector.extract %k[] : i1 from vector<i1>
  %q = vector.reduction <add>, %v : vector<f32> into f32
  %t = arith.select %h, %e, %q : f32
  %s = vector.insert %t, %b [1, 0] : f32 into vector<2x2xf32>
  %f = vector.shape_cast %s : vector<2x2xf32> to vector<4xf32>
  vector.store %f, %o[%c0] : memref<4xf32>, vector<4xf32>""",
    lambda x, n, o: {2: np.array([x * x + x, x * x + x, x * x + x if n else x, x * x + x])},
    n=0,
)
row(
    f"{VECTOR}/broadcast.mlir",
    "stretched along each dimension",
    "%x: memref<3x1x2xf32>, %o: memref<3x4x2xf32>",
    "",
    """
  %v = vector.transfer_read %x[%c0, %c0, %c0], %zero : memref<3x1x2xf32>, vector<3x1x2xf32>
  %w = vector.broadcast %v : vector<3x1x2xf32> to vector<3x4x2xf32>
  %l = vector.extract %v[2, 0] : vector<2xf32> from vector<3x1x2xf32>
  %m = vector.broadcast %l : vector<2xf32> to vector<3x4x2xf32>
  %s = arith.addf %w, %m : vector<3x4x2xf32>
  vector.transfer_write %s, %o[%c0, %c0, %c0] : vector<3x4x2xf32>, memref<3x4x2xf32>""",
    lambda x, o: {1: np.broadcast_to(x, (3, 4, 2)) + x[2, 0]},
)

# IREE's.

row(
    f"{IREE}/regression/associative_reordering.mlir",
    "squared distances from a mean, in which one is far off",
    f"%x: {tensor('96')}, %m: {tensor('')}",
    tensor(""),
    new("f", tensor(""), "zero")
    + generic(
        "r",
        "(i) -> (i); (i) -> (); (i) -> ()",
        "r",
        f"x: {tensor('96')}; m: {tensor('')}",
        f"f: {tensor('')}",
        "%d = arith.subf %x_, %m_ : f32\n%q = arith.mulf %d, %d : f32\n%s = arith.addf %q, %f_ : f32\nlinalg.yield %s : f32",
    ),
    lambda x, m: np.float32(((x.astype(np.float64) - m) ** 2).sum()),
    x=lambda rng: np.where(np.arange(96) == 40, 150, rng.uniform(-1, 1, 96)).astype(np.float32),
)
for name, kept, maps, letters in (
    ("", "3x4", "", "bmk,kn->bmn"),
    (
        ", its second factor transposed",
        "4x3",
        "indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>,\n"
        "    affine_map<(b, i, j, k) -> (b, i, j)>]\n    ",
        "bmk,nk->bmn",
    ),
):
    row(
        f"{IREE}/regression/broadcast_batch_matmul_to_matmul.mlir",
        f"a batch of products with the same weights{name}",
        f"%x: {tensor('2x5x3')}, %w: {tensor(kept)}",
        tensor("2x5x4"),
        new("e", tensor(f"2x{kept}"))
        + new("f", tensor("2x5x4"), "zero")
        + f"""
  %b = linalg.broadcast ins(%w : {tensor(kept)}) outs(%e : {tensor(f"2x{kept}")}) dimensions = [0]
  %r = linalg.batch_matmul {maps}ins(%x, %b : {tensor("2x5x3")}, {tensor(f"2x{kept}")}) outs(%f : {tensor("2x5x4")})
    -> {tensor("2x5x4")}""",
        lambda x, w, letters=letters: np.einsum(letters, x, w),
    )
row(
    f"{IREE}/regression/pack_pad_transpose_1x9_into_2x1x8x4_issue_12546.mlir",
    "a row in tiles that are turned",
    "%x: tensor<1x7xi8>",
    "tensor<2x1x4x2xi8>",
    """
  %p = arith.constant -1 : i8
  %e = tensor.empty() : tensor<2x1x4x2xi8>
  %r = linalg.pack %x padding_value(%p : i8) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2] into %e
    : tensor<1x7xi8> -> tensor<2x1x4x2xi8>""",
    lambda x: np.stack([np.append(x[0], -1), np.full(8, -1)], -1).reshape(2, 1, 4, 2).astype(np.int8),
)
row(
    f"{IREE}/regression/linalg_ops_dynamic.mlir",
    "a batch of products in half precision, of unknown depth",
    "%x: tensor<2x3x?xf16>, %y: tensor<2x?x4xf16>",
    "tensor<2x3x4xf16>",
    """
  %z = arith.constant 0.0 : f16"""
    + new("f", "tensor<2x3x4xf16>", "z")
    + generic(
        "r",
        "(b, i, j, k) -> (b, i, k); (b, i, j, k) -> (b, k, j); (b, i, j, k) -> (b, i, j)",
        "pppr",
        "x: tensor<2x3x?xf16>; y: tensor<2x?x4xf16>",
        "f: tensor<2x3x4xf16>",
        "%p = arith.mulf %x_, %y_ : f16\n%s = arith.addf %f_, %p : f16\nlinalg.yield %s : f16",
    ),
    lambda x, y: x @ y,
    tolerance=5e-3,
    x=lambda rng: rng.integers(-4, 5, (2, 3, 5)).astype(np.float16),
    y=lambda rng: rng.integers(-4, 5, (2, 5, 4)).astype(np.float16),
)
row(
    f"{IREE}/regression/linalg_ops_dynamic.mlir",
    "a product of unknown batch and rows, and erf of it",
    f"%x: {tensor('?x?x8')}, %y: {tensor('?x8x4')}",
    tensor("?x?x4"),
    f"""
  %b = tensor.dim %x, %c0 : {tensor("?x?x8")}
  %m = tensor.dim %x, %c1 : {tensor("?x?x8")}"""
    + new("f", tensor("?x?x4"), "zero", "%b, %m")
    + f"""
  %p = linalg.batch_matmul ins(%x, %y : {tensor("?x?x8")}, {tensor("?x8x4")}) outs(%f : {tensor("?x?x4")}) -> {tensor("?x?x4")}
  %r = math.erf %p : {tensor("?x?x4")}""",
    lambda x, y: erf(x @ y).astype(np.float32),
    x=(3, 2, 8),
    y=(3, 8, 4),
)
row(
    f"{IREE}/regression/libm_linking.mlir",
    "functions of one number",
    f"%x: {tensor('')}",
    f"{tensor('')}, {tensor('')}, {tensor('')}",
    "  %r = math.tanh %x : tensor<f32>\n  %s = math.ceil %x : tensor<f32>\n  %t = math.floor %x : tensor<f32>",
    lambda x: (np.tanh(x), np.ceil(x), np.floor(x)),
)
row(
    f"{IREE}/regression/split_reduction_using_tiling.mlir",
    "sums over two dimensions of numbers that are made of their places",
    "",
    tensor("8"),
    """
  %w = arith.constant 600.0 : f32"""
    + new("e", tensor("8x64x32"))
    + generic(
        "x",
        IJK,
        "ppp",
        "",
        f"e: {tensor('8x64x32')}",
        """
%i = linalg.index 0 : index
%j = linalg.index 1 : index
%k = linalg.index 2 : index
%ij = arith.addi %i, %j : index
%ijk = arith.addi %ij, %k : index
%n = arith.index_cast %ijk : index to i32
%v = arith.uitofp %n : i32 to f32
%q = arith.divf %v, %w : f32
linalg.yield %q : f32""",
    )
    + new("f", tensor("8"), "zero")
    + generic("r", f"{IJK}; (i, j, k) -> (i)", "prr", f"x: {tensor('8x64x32')}", f"f: {tensor('8')}", ADDED),
    lambda: np.add.outer(np.add.outer(np.arange(8.0), np.arange(64.0)), np.arange(32.0)).sum((1, 2)) / 600,
)
row(
    f"{IREE}/regression/scalar_computation.mlir",
    "operations on numbers, without an iteration",
    f"%x: {tensor('')}, %y: {tensor('')}",
    f"{tensor('')}, {tensor('')}",
    new("e", tensor(""))
    + generic(
        "s",
        "() -> (); () -> (); () -> ()",
        "",
        f"x: {tensor('')}; y: {tensor('')}",
        f"e: {tensor('')}",
        "%a = arith.addf %x_, %y_ : f32\nlinalg.yield %a : f32",
    )
    + generic(
        "r",
        "() -> (); () -> (); () -> ()",
        "",
        f"s: {tensor('')}; y: {tensor('')}",
        f"e: {tensor('')}",
        "%a = arith.subf %y_, %s_ : f32\n%b = arith.mulf %a, %s_ : f32\nlinalg.yield %b : f32",
    ),
    lambda x, y: ((y - (x + y)) * (x + y), x + y),
)
row(
    f"{IREE}/regression/strided_slice.mlir",
    "the sum of two slices with steps, put into a third one",
    "%x: tensor<7x9xi32>, %y: tensor<9x8xi32>",
    "tensor<8x7xi32>",
    new("e", "tensor<3x2xi32>")
    + """
  %k = arith.constant dense<11> : tensor<8x7xi32>
  %a = tensor.extract_slice %x[1, 2] [3, 2] [2, 4] : tensor<7x9xi32> to tensor<3x2xi32>
  %b = tensor.extract_slice %y[0, 1] [3, 2] [4, 3] : tensor<9x8xi32> to tensor<3x2xi32>"""
    + generic(
        "c",
        f"{IJ}; {IJ}; {IJ}",
        "pp",
        "a: tensor<3x2xi32>; b: tensor<3x2xi32>",
        "e: tensor<3x2xi32>",
        "%s = arith.addi %a_, %b_ : i32\nlinalg.yield %s : i32",
    )
    + "\n  %r = tensor.insert_slice %c into %k[1, 0] [3, 2] [3, 5] : tensor<3x2xi32> into tensor<8x7xi32>",
    lambda x, y: put_into(np.full((8, 7), 11, np.int32), x[1::2, 2::4] + y[::4, 1::3][:, :2]),
)
row(
    f"{IREE}/regression/strided_slice.mlir",
    "what is behind a place, which counts from the end where it is negative",
    f"%x: {tensor('?')}, %k: i64",
    tensor("3"),
    f"""
  %z = arith.constant 0 : i64
  %n = tensor.dim %x, %c0 : {tensor("?")}
  %w = arith.index_cast %n : index to i64
  %back = arith.addi %k, %w : i64
  %is = arith.cmpi slt, %k, %z : i64
  %b = arith.select %is, %back, %k : i64
  %i = arith.index_cast %b : i64 to index
  %l = arith.subi %n, %i : index
  %s = tensor.extract_slice %x[%i] [%l] [1] : {tensor("?")} to {tensor("?")}"""
    + new("e", tensor("?"), "", "%l")
    + generic(
        "m",
        f"{EACH}; {EACH}",
        "p",
        f"s: {tensor('?')}",
        f"e: {tensor('?')}",
        "%d = arith.mulf %s_, %s_ : f32\nlinalg.yield %d : f32",
    )
    + f"\n  %r = tensor.cast %m : {tensor('?')} to {tensor('3')}",
    lambda x, k: x[k:] ** 2,
    x=(8,),
    k=-3,
)
row(
    f"{IREE}/regression/dynamic_torch_index_select_negative.mlir",
    "elements of each row by a table of places",
    "%x: tensor<?x?x?xi32>, %k: tensor<?x?x?xi32>",
    "tensor<?x?x?xi32>",
    """
  %a = tensor.dim %k, %c0 : tensor<?x?x?xi32>
  %b = tensor.dim %k, %c1 : tensor<?x?x?xi32>
  %c = tensor.dim %k, %c2 : tensor<?x?x?xi32>"""
    + new("e", "tensor<?x?x?xi32>", "", "%a, %b, %c")
    + generic(
        "r",
        f"{IJK}; {IJK}",
        "ppp",
        "k: tensor<?x?x?xi32>",
        "e: tensor<?x?x?xi32>",
        """
%i = linalg.index 0 : index
%j = linalg.index 1 : index
%n = arith.index_cast %k_ : i32 to index
%v = tensor.extract %x[%i, %j, %n] : tensor<?x?x?xi32>
linalg.yield %v : i32""",
    ),
    lambda x, k: np.take_along_axis(x, k, 2),
    x=(2, 3, 4),
    k=lambda rng: rng.integers(0, 4, (2, 3, 5)).astype(np.int32),
)
row(
    f"{IREE}/regression/dynamic_linalg_matmul_on_tensors_fuse_2.mlir",
    "a product added to what a generic operation fills",
    f"%x: {tensor('?x?')}, %y: {tensor('?x?')}, %o: {tensor('?x?')}",
    tensor("?x?"),
    generic(
        "f",
        IJ,
        "pp",
        "",
        f"o: {tensor('?x?')}",
        "%m = arith.constant -2 : i32\n%v = arith.sitofp %m : i32 to f32\nlinalg.yield %v : f32",
    )
    + f"\n  %r = linalg.matmul ins(%x, %y : {tensor('?x?')}, {tensor('?x?')}) outs(%f : {tensor('?x?')}) -> {tensor('?x?')}",
    lambda x, y, o: {None: x @ y - 2, 2: x @ y - 2},
    x=(3, 5),
    y=(5, 2),
    o=(3, 2),
)
row(
    f"{IREE}/regression/reduction_inner_dim_unaligned.mlir",
    "a sum along a prime number, of which the last element was put there",
    f"%x: {tensor('1x67')}, %y: {tensor('1x1')}",
    tensor("1"),
    f"  %i = tensor.insert_slice %y into %x[0, 66] [1, 1] [1, 1] : {tensor('1x1')} into {tensor('1x67')}"
    + new("f", tensor("1"), "zero")
    + generic("r", f"{IJ}; {ROWS}", "pr", f"i: {tensor('1x67')}", f"f: {tensor('1')}", ADDED.replace("x_", "i_")),
    lambda x, y: x[:, :66].sum(1) + y[0],
)
row(
    f"{IREE}/regression/transpose.mlir",
    "a matrix turned by a map",
    "%x: tensor<5x9xi32>",
    "tensor<9x5xi32>",
    new("e", "tensor<9x5xi32>")
    + generic(
        "r", f"(i, j) -> (j, i); {IJ}", "pp", "x: tensor<5x9xi32>", "e: tensor<9x5xi32>", "linalg.yield %x_ : i32"
    ),
    np.transpose,
)
row(
    f"{IREE}/regression/large_reduction.mlir",
    "sums of rows, whose number no tile divides",
    f"%x: {tensor('129x96')}",
    tensor("129"),
    new("f", tensor("129"), "zero")
    + generic("r", f"{IJ}; {ROWS}", "pr", f"x: {tensor('129x96')}", f"f: {tensor('129')}", ADDED),
    lambda x: x.sum(1),
)
row(
    f"{IREE}/regression/linalg_ops.mlir",
    "two results of one operation, of one empty tensor",
    "%x: tensor<3x4xi32>, %y: tensor<3x4xi32>",
    "tensor<3x4xi32>, tensor<3x4xi32>",
    new("e", "tensor<3x4xi32>")
    + """
  %r, %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%x, %y : tensor<3x4xi32>, tensor<3x4xi32>) outs(%e, %e : tensor<3x4xi32>, tensor<3x4xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
    %p = arith.subi %a, %b : i32
    %q = arith.muli %a, %b : i32
    linalg.yield %p, %q : i32, i32
  } -> (tensor<3x4xi32>, tensor<3x4xi32>)""",
    lambda x, y: (x - y, x * y),
)
row(
    f"{IREE}/regression/linalg_ops.mlir",
    "a convolution with a bias of each channel",
    f"%x: {tensor('1x7x7x3')}, %k: {tensor('3x3x3x4')}, %b: {tensor('4')}",
    tensor("1x3x3x4"),
    new("f", tensor("1x3x3x4"), "zero")
    + new("e", tensor("1x3x3x4"))
    + """
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %k : tensor<1x7x7x3xf32>, tensor<3x3x3x4xf32>) outs(%f : tensor<1x3x3x4xf32>) -> tensor<1x3x3x4xf32>"""
    + generic(
        "r",
        "(n, i, j, k) -> (n, i, j, k); (n, i, j, k) -> (k); (n, i, j, k) -> (n, i, j, k)",
        "pppp",
        f"c: {tensor('1x3x3x4')}; b: {tensor('4')}",
        f"e: {tensor('1x3x3x4')}",
        "%s = arith.addf %c_, %b_ : f32\nlinalg.yield %s : f32",
    ),
    lambda x, k, b: np.einsum("nhwcjk,jkcf->nhwf", windows(x, 1, (3, 3), (2, 2), (1, 1)), k) + b,
)
row(
    f"{IREE}/linalg/narrow_n_matmuls.mlir",
    "a matrix of bytes by a vector, sums in 32 bits",
    "%x: tensor<3x5xi8>, %y: tensor<5xi8>, %o: tensor<3xi32>",
    "tensor<3xi32>",
    "  %r = linalg.matvec ins(%x, %y : tensor<3x5xi8>, tensor<5xi8>) outs(%o : tensor<3xi32>) -> tensor<3xi32>",
    lambda x, y, o: o + x.astype(np.int32) @ y,
)
row(
    f"{IREE}/linalg/narrow_n_matmuls.mlir",
    "a batch of products of bytes that give two columns",
    "%x: tensor<2x3x5xi8>, %y: tensor<2x5x2xi8>",
    "tensor<2x3x2xi32>",
    """
  %o = arith.constant dense<4> : tensor<2x3x2xi32>
  %r = linalg.batch_matmul ins(%x, %y : tensor<2x3x5xi8>, tensor<2x5x2xi8>) outs(%o : tensor<2x3x2xi32>) -> tensor<2x3x2xi32>""",
    lambda x, y: 4 + x.astype(np.int32) @ y.astype(np.int32),
)

# What Triton's kernels become on processors: memory without a rank, and the numbers of a program at the end.


def put_into(whole: np.ndarray, part: np.ndarray) -> np.ndarray:
    whole[1:8:3, 0:6:5] = part
    return whole


def products_by_blocks(x: np.ndarray, y: np.ndarray, o: np.ndarray, depth: int, step: int) -> np.ndarray:
    o = o.copy()
    o[:24].reshape(4, 6)[...] = x[: 4 * depth].reshape(4, depth) @ y[: depth * 6].reshape(depth, 6)
    return o


row(
    f"{TRITON}/kernel-03-matrix-multiplication.mlir",
    "products of blocks whose places the loop carries",
    f"%x: {LINE}, %y: {LINE}, %k: i32, %step: i32, %o: {LINE}",
    "",
    """
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n4 = arith.constant 4 : i32
  %c6x = arith.constant 6 : index
  %depth = arith.index_cast %k : i32 to index
  %wide = arith.muli %step, %n4 : i32
  %dx = arith.index_cast %n4 : i32 to index
  %dy = arith.muli %dx, %c6x : index
  %times = arith.divsi %k, %n4 : i32"""
    + new("f", tensor("4x6"), "zero")
    + """
  %sum, %i, %j = scf.for %at = %n0 to %times step %n1 iter_args(%c = %f, %p = %c0, %q = %c0) -> (tensor<4x6xf32>, index, index) : i32 {"""
    + at("vx", "x", "%p", "4, 4", "%depth, 1")
    + at("vy", "y", "%q", "4, 6", "6, 1")
    + loaded("a", "4x4", "vx", "memref<4x4xf32, strided<[?, 1], offset: ?>>")
    + loaded("b", "4x6", "vy", "memref<4x6xf32, strided<[6, 1], offset: ?>>")
    + """
    %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
    %d = arith.addf %c, %m : tensor<4x6xf32>
    %p1 = arith.addi %p, %dx : index
    %q1 = arith.addi %q, %dy : index
    scf.yield %d, %p1, %q1 : tensor<4x6xf32>, index, index
  }"""
    + at("vo", "o", "0", "4, 6", "6, 1")
    + put("sum", tensor("4x6"), "vo", "memref<4x6xf32, strided<[6, 1], offset: ?>>"),
    lambda x, y, k, step, o: {4: products_by_blocks(x, y, o, k, step)},
    x=(32,),
    y=(48,),
    o=(30,),
    k=8,
    step=1,
)


def wrapped(x: np.ndarray, wide: int, first: int, o: np.ndarray) -> np.ndarray:
    o = o.copy()
    columns = [*range(first, wide), *range(max(4 - (wide - first), 0))][:4]
    o[:12].reshape(3, 4)[...] = x.reshape(-1, wide)[:3][:, columns]
    return o


row(
    f"{TRITON}/wraparound_side_by_side.mlir",
    "columns up to the last one, and from the first one on",
    f"%x: {LINE}, %n: i32, %first: i32, %o: {LINE}",
    "",
    """
  %wide = arith.index_cast %n : i32 to index
  %i = arith.index_cast %first : i32 to index
  %end = arith.addi %i, %c4 : index
  %stop = arith.minsi %end, %wide : index
  %l = arith.subi %stop, %i : index
  %left = arith.subi %c4, %l : index"""
    + at("v", "x", "%i", "3, %l", "%wide, 1")
    + at("w", "x", "0", "3, %left", "%wide, 1")
    + """
  %m = memref.alloc() : memref<3x4xf32>
  %a = memref.subview %m[0, 0] [3, %l] [1, 1] : memref<3x4xf32> to memref<3x?xf32, strided<[4, 1]>>
  %b = memref.subview %m[0, %l] [3, %left] [1, 1] : memref<3x4xf32> to memref<3x?xf32, strided<[4, 1], offset: ?>>
  memref.copy %v, %a : memref<3x?xf32, strided<[?, 1], offset: ?>> to memref<3x?xf32, strided<[4, 1]>>
  memref.copy %w, %b : memref<3x?xf32, strided<[?, 1], offset: ?>> to memref<3x?xf32, strided<[4, 1], offset: ?>>
  %t = bufferization.to_tensor %m restrict writable : memref<3x4xf32> to tensor<3x4xf32>"""
    + at("to", "o", "0", "3, 4", "4, 1")
    + put("t", tensor("3x4"), "to", "memref<3x4xf32, strided<[4, 1], offset: ?>>"),
    lambda x, n, first, o: {3: wrapped(x, n, first, o)},
    x=(18,),
    o=(14,),
    n=6,
    first=4,
)
row(
    f"{TRITON}/reducemax_32_256_bf16.mlir",
    "maxima over the outermost dimension of memory that overlaps, stored where numbers say",
    f"%x: {LINE}, %k: tensor<12xi32>, %o: {LINE}",
    "",
    at("v", "x", "0", "3, 4, 3", "5, 1, 1")
    + loaded("t", "3x4x3", "v", "memref<3x4x3xf32, strided<[5, 1, 1], offset: ?>>")
    + new("f", tensor("4x3"), "low")
    + """
  %m = linalg.reduce ins(%t : tensor<3x4x3xf32>) outs(%f : tensor<4x3xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %g = arith.maximumf %a, %b : f32
      linalg.yield %g : f32
    }
  %flat = tensor.collapse_shape %m [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %line = memref.cast %o : memref<*xf32> to memref<?xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    ins(%k, %flat : tensor<12xi32>, tensor<12xf32>) {
  ^bb0(%n: i32, %e: f32):
    %at = arith.index_cast %n : i32 to index
    memref.store %e, %line[%at] : memref<?xf32>
    linalg.yield
  }""",
    lambda x, k, o: {2: scattered(x, k, o)},
    x=(17,),
    k=lambda rng: rng.permutation(12).astype(np.int32),
    o=(13,),
)


def scattered(x: np.ndarray, k: np.ndarray, o: np.ndarray) -> np.ndarray:
    o = o.copy()
    whole = np.lib.stride_tricks.as_strided(x, (3, 4, 3), (20, 4, 4))
    o[k] = whole.max(0).reshape(12)
    return o


row(
    f"{TRITON}/gather_scatter_ptr_to_linalg.mlir",
    "rows gathered one by one, from places that are computed",
    f"%x: {LINE}, %n: i32, %from: i32, %o: {LINE}",
    "",
    """
  %n8 = arith.constant 3 : i32"""
    + new("e", "tensor<6xi32>")
    + generic(
        "places",
        EACH,
        "p",
        "",
        "e: tensor<6xi32>",
        """
%i = linalg.index 0 : index
%k = arith.index_cast %i : index to i32
%q = arith.divsi %k, %n8 : i32
%m = arith.remsi %k, %n8 : i32
%a = arith.muli %m, %n : i32
%b = arith.addi %a, %q : i32
%c = arith.addi %b, %from : i32
linalg.yield %c : i32""",
    )
    + """
  %m = memref.alloc() : memref<6x4xf32>
  scf.for %r = %c0 to %c6 step %c1 {
    %p = tensor.extract %places[%r] : tensor<6xi32>
    %at = arith.index_cast %p : i32 to index"""
    + at("row", "x", "%at", "1, 4", "4, 1")
    + """
    %to = memref.subview %m[%r, 0] [1, 4] [1, 1] : memref<6x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
    memref.copy %row, %to : memref<1x4xf32, strided<[4, 1], offset: ?>> to memref<1x4xf32, strided<[4, 1], offset: ?>>
  }
  %t = bufferization.to_tensor %m restrict writable : memref<6x4xf32> to tensor<6x4xf32>"""
    + at("vo", "o", "0", "6, 4", "4, 1")
    + put("t", tensor("6x4"), "vo", "memref<6x4xf32, strided<[4, 1], offset: ?>>"),
    lambda x, n, f, o: {3: np.concatenate([x[f + (i % 3) * n + i // 3 :][:4] for i in range(6)] + [o[24:]])},
    x=(30,),
    o=(25,),
    **{"n": 7, "from": 2},
)


def normalized_row(
    x: np.ndarray, w: np.ndarray, b: np.ndarray, n: int, eps: float, pid: int, o: np.ndarray
) -> np.ndarray:
    o = o.copy()
    row = x[pid * n :][:n]
    mean, variance = row.mean(), row.var()
    o[pid * n :][:n] = (row - mean) / np.sqrt(variance + eps) * w[:n] + b[:n]
    return o


MASKED = (
    """
    %p = arith.index_cast %at : i32 to index
    %from = arith.addi %base, %p : index"""
    + at("v", "x", "%from", "4", "1")
    + """
    %e = arith.addi %p, %c4 : index
    %stop = arith.minsi %e, %size : index
    %l = arith.subi %stop, %p : index
    %m = memref.alloc() : memref<4xf32>
    %short = arith.cmpi slt, %l, %c4 : index
    scf.if %short {
      linalg.fill ins(%zero : f32) outs(%m : memref<4xf32>)
    }
    %a = memref.subview %v[0] [%l] [1] : memref<4xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    %b = memref.subview %m[0] [%l] [1] : memref<4xf32> to memref<?xf32, strided<[1]>>
    memref.copy %a, %b : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
    %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>"""
)
"""Four elements of a row of %x from %at on, zeros where it ends."""


def summed(name: str, of: str) -> str:
    return f"""
  %{name}_e = bufferization.alloc_tensor() : tensor<f32>
  %{name}_i = tensor.insert %zero into %{name}_e[] : tensor<f32>
  %{name}_t = linalg.reduce ins(%{of} : tensor<4xf32>) outs(%{name}_i : tensor<f32>) dimensions = [0]
    (%g: f32, %h: f32) {{
      %k = arith.addf %g, %h : f32
      linalg.yield %k : f32
    }}
  %{name} = tensor.extract %{name}_t[] : tensor<f32>"""


row(
    f"{TRITON}/kernel-05-layer-norm-fwd.mlir",
    "a row that is read by masked pieces, three times",
    f"%x: {LINE}, %w: memref<?xf32>, %bias: memref<?xf32>, %n: i32, %eps: f32, %pid: i32, %o: {LINE}",
    "",
    """
  %n0 = arith.constant 0 : i32
  %n4 = arith.constant 4 : i32
  %size = arith.index_cast %n : i32 to index
  %begin = arith.muli %pid, %n : i32
  %base = arith.index_cast %begin : i32 to index"""
    + new("f", tensor("4"), "zero")
    + """
  %parts = scf.for %at = %n0 to %n step %n4 iter_args(%c = %f) -> (tensor<4xf32>) : i32 {"""
    + MASKED
    + """
    %d = arith.addf %c, %t : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }"""
    + summed("total", "parts")
    + """
  %number = arith.sitofp %n : i32 to f32
  %mean = arith.divf %total, %number : f32"""
    + """
  %squares = scf.for %at = %n0 to %n step %n4 iter_args(%c = %f) -> (tensor<4xf32>) : i32 {"""
    + MASKED
    + "\n    %left = arith.subi %size, %p : index"
    + new("ue", tensor("4"))
    + generic(
        "u",
        f"{EACH}; {EACH}",
        "p",
        f"t: {tensor('4')}",
        f"ue: {tensor('4')}",
        """
%i = linalg.index 0 : index
%is = arith.cmpi slt, %i, %left : index
%y = arith.subf %t_, %mean : f32
%z = arith.select %is, %y, %zero : f32
%q = arith.mulf %z, %z : f32
linalg.yield %q : f32""",
    )
    + """
    %d = arith.addf %c, %u : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }"""
    + summed("spread", "squares")
    + """
  %variance = arith.divf %spread, %number : f32
  %safe = arith.addf %variance, %eps : f32
  %root = math.sqrt %safe : f32
  scf.for %at = %n0 to %n step %n4 : i32 {"""
    + MASKED
    + at("vo", "o", "%from", "4", "1")
    + """
    %mw = memref.alloc() : memref<4xf32>
    %mb = memref.alloc() : memref<4xf32>
    linalg.fill ins(%zero : f32) outs(%mw : memref<4xf32>)
    linalg.fill ins(%zero : f32) outs(%mb : memref<4xf32>)
    %wv = memref.subview %w[%p] [%l] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %bv = memref.subview %bias[%p] [%l] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
    %mwv = memref.subview %mw[0] [%l] [1] : memref<4xf32> to memref<?xf32, strided<[1]>>
    %mbv = memref.subview %mb[0] [%l] [1] : memref<4xf32> to memref<?xf32, strided<[1]>>
    memref.copy %wv, %mwv : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
    memref.copy %bv, %mbv : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1]>>
    %tw = bufferization.to_tensor %mw restrict writable : memref<4xf32> to tensor<4xf32>
    %tb = bufferization.to_tensor %mb restrict writable : memref<4xf32> to tensor<4xf32>"""
    + generic(
        "u",
        f"{EACH}; {EACH}; {EACH}; {EACH}",
        "p",
        f"t: {tensor('4')}; tw: {tensor('4')}; tb: {tensor('4')}",
        f"f: {tensor('4')}",
        """
%y = arith.subf %t_, %mean : f32
%z = arith.divf %y, %root : f32
%q = arith.mulf %z, %tw_ : f32
%s = arith.addf %q, %tb_ : f32
linalg.yield %s : f32""",
    )
    + f"""
    %part = tensor.extract_slice %u[0] [%l] [1] : tensor<4xf32> to tensor<?xf32>
    %end = memref.subview %vo[0] [%l] [1] : memref<4xf32, strided<[1], offset: ?>> to {STRIP}
    bufferization.materialize_in_destination %part in writable %end : (tensor<?xf32>, {STRIP}) -> ()
  }}""",
    lambda x, w, bias, n, eps, pid, o: {6: normalized_row(x, w, bias, n, eps, pid, o)},
    x=(44,),
    w=(11,),
    bias=(11,),
    o=(44,),
    n=11,
    eps=np.float32(0.1),
    pid=2,
)
row(
    f"{TRITON}/masked_ldst_2d.mlir",
    "a part of a matrix that lies in columns, as far as it goes",
    f"%x: {LINE}, %m: i32, %n: i32, %o: {LINE}",
    "",
    """
  %other = arith.constant -7.0 : f32
  %c20 = arith.constant 20 : index
  %mi = arith.index_cast %m : i32 to index
  %ni = arith.index_cast %n : i32 to index
  %ml = arith.minsi %mi, %c4 : index
  %nl = arith.minsi %ni, %c5 : index
  %v = memref.reinterpret_cast %x to offset: [%c3], sizes: [4, 5], strides: [1, %c20]
    : memref<*xf32> to memref<4x5xf32, strided<[1, ?], offset: ?>>
  %t_m = memref.alloc() : memref<4x5xf32>
  %sm = arith.cmpi slt, %ml, %c4 : index
  %sn = arith.cmpi slt, %nl, %c5 : index
  %short = arith.ori %sm, %sn : i1
  scf.if %short {
    linalg.fill ins(%other : f32) outs(%t_m : memref<4x5xf32>)
  }
  %a = memref.subview %v[0, 0] [%ml, %nl] [1, 1] : memref<4x5xf32, strided<[1, ?], offset: ?>> to memref<?x?xf32, strided<[1, ?], offset: ?>>
  %b = memref.subview %t_m[0, 0] [%ml, %nl] [1, 1] : memref<4x5xf32> to memref<?x?xf32, strided<[5, 1]>>
  memref.copy %a, %b : memref<?x?xf32, strided<[1, ?], offset: ?>> to memref<?x?xf32, strided<[5, 1]>>
  %t = bufferization.to_tensor %t_m restrict writable : memref<4x5xf32> to tensor<4x5xf32>"""
    + at("vo", "o", "0", "4, 5", "5, 1")
    + put("t", tensor("4x5"), "vo", "memref<4x5xf32, strided<[5, 1], offset: ?>>"),
    lambda x, m, n, o: {3: masked(x, m, n, o)},
    x=(100,),
    o=(21,),
    m=3,
    n=4,
)


def masked(x: np.ndarray, m: int, n: int, o: np.ndarray) -> np.ndarray:
    o = o.copy()
    part = np.full((4, 5), -7, np.float32)
    part[:m, :n] = np.lib.stride_tricks.as_strided(x[3:], (4, 5), (4, 80))[:m, :n]
    o[:20] = part.reshape(20)
    return o


row(
    f"{TRITON}/convert_argmin_argmax_2d.mlir",
    "the place of the largest element of each row, the first of several",
    f"%x: {LINE}, %rows: i32, %columns: i32, %o: {LINE}",
    "",
    """
  %none = arith.constant -1 : i32
  %a = arith.index_cast %rows : i32 to index
  %b = arith.index_cast %columns : i32 to index"""
    + new("ie", "tensor<5xi32>")
    + generic(
        "i0",
        EACH,
        "p",
        "",
        "ie: tensor<5xi32>",
        "%i = linalg.index 0 : index\n%n = arith.index_cast %i : index to i32\nlinalg.yield %n : i32",
    )
    + """
  %i1 = tensor.expand_shape %i0 [[0, 1]] output_shape [1, 5] : tensor<5xi32> into tensor<1x5xi32>"""
    + at("v", "x", "0", "4, 5", "%a, %b")
    + loaded("t", "4x5", "v", "memref<4x5xf32, strided<[?, ?], offset: ?>>")
    + new("we", "tensor<4x5xi32>")
    + generic(
        "wide", f"(i, j) -> (0, j); {IJ}", "pp", "i1: tensor<1x5xi32>", "we: tensor<4x5xi32>", "linalg.yield %i1_ : i32"
    )
    + new("f", tensor("4"), "low")
    + new("g", "tensor<4xi32>", "none")
    + """
  %best, %place = linalg.reduce ins(%t, %wide : tensor<4x5xf32>, tensor<4x5xi32>) outs(%f, %g : tensor<4xf32>, tensor<4xi32>)
    dimensions = [1] (%p: f32, %q: i32, %r: f32, %s: i32) {
      %same = arith.cmpf oeq, %p, %r : f32
      %before = arith.cmpi slt, %q, %s : i32
      %first = arith.andi %same, %before : i1
      %more = arith.cmpf ogt, %p, %r : f32
      %is = arith.ori %more, %first : i1
      %y = arith.select %is, %p, %r : f32
      %z = arith.select %is, %q, %s : i32
      linalg.yield %y, %z : f32, i32
    }
  %numbers = arith.sitofp %place : tensor<4xi32> to tensor<4xf32>"""
    + at("vo", "o", "0", "4", "1")
    + put("numbers", tensor("4"), "vo", "memref<4xf32, strided<[1], offset: ?>>"),
    lambda x, rows, columns, o: {
        3: np.append(np.lib.stride_tricks.as_strided(x, (4, 5), (4 * rows, 4 * columns)).argmax(1), o[4:])
    },
    x=lambda rng: rng.integers(0, 3, 60).astype(np.float32),
    o=(6,),
    rows=13,
    columns=2,
)
row(
    f"{TRITON}/convert_minmax_fp_reduce.mlir",
    "the largest number, by the maximum that leaves out what is no number",
    f"%x: {tensor('33')}, %o: {LINE}",
    "",
    """
  %e = bufferization.alloc_tensor() : tensor<f32>
  %i = tensor.insert %low into %e[] : tensor<f32>
  %m = linalg.reduce ins(%x : tensor<33xf32>) outs(%i : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %c = arith.maxnumf %a, %b : f32
      linalg.yield %c : f32
    }
  %n = tensor.extract %m[] : tensor<f32>"""
    + at("vo", "o", "0", "1", "1")
    + "\n  affine.store %n, %vo[0] : memref<1xf32, strided<[1], offset: ?>>",
    lambda x, o: {1: np.append(np.nanmax(x), o[1:])},
    x=lambda rng: np.where(np.arange(33) == 7, np.nan, rng.uniform(-1, 1, 33)).astype(np.float32),
    o=(3,),
)
row(
    f"{TRITON}/reducesum_middle_dim.mlir",
    "sums over the dimension in the middle, which is turned to the front",
    f"%x: {LINE}, %o: {LINE}",
    "",
    at("v", "x", "0", "3, 5, 4", "20, 4, 1")
    + loaded("t", "3x5x4", "v", "memref<3x5x4xf32, strided<[20, 4, 1], offset: ?>>")
    + new("te", tensor("5x3x4"))
    + """
  %turned = linalg.transpose ins(%t : tensor<3x5x4xf32>) outs(%te : tensor<5x3x4xf32>) permutation = [1, 0, 2]"""
    + new("f", tensor("3x4"), "zero")
    + """
  %s = linalg.reduce ins(%turned : tensor<5x3x4xf32>) outs(%f : tensor<3x4xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %c = arith.addf %a, %b : f32
      linalg.yield %c : f32
    }
  %shape = arith.constant dense<12> : tensor<1xindex>
  %flat = tensor.reshape %s(%shape) : (tensor<3x4xf32>, tensor<1xindex>) -> tensor<12xf32>"""
    + at("vo", "o", "0", "12", "1")
    + put("flat", tensor("12"), "vo", "memref<12xf32, strided<[1], offset: ?>>"),
    lambda x, o: {1: np.append(x.reshape(3, 5, 4).sum(1), o[12:])},
    x=(60,),
    o=(13,),
)


def stretched(name: str, of: str, d: int, to: str) -> str:
    """A branch that stretches a dimension of one element to the other tensor's size, and else gives the tensor."""
    sizes = ("%to, %other" if d == 0 else "%other, %to").replace("%to", to).replace("%other", f"%{name}_other")
    kept = "(i, j) -> (0, j)" if d == 0 else "(i, j) -> (i, 0)"
    return f"""
  %{name}_size = tensor.dim %{of}, %c{d} : tensor<?x?xf32>
  %{name}_is = arith.cmpi eq, %{name}_size, %c1 : index
  %{name} = scf.if %{name}_is -> tensor<?x?xf32> {{
    %{name}_other = tensor.dim %{of}, %c{1 - d} : tensor<?x?xf32>
    %{name}_e = tensor.empty({sizes}) : tensor<?x?xf32>
    %{name}_g = linalg.generic {{indexing_maps = [affine_map<{kept}>, affine_map<{IJ}>],
        iterator_types = ["parallel", "parallel"]}} ins(%{of} : tensor<?x?xf32>) outs(%{name}_e : tensor<?x?xf32>) {{
    ^bb0(%a: f32, %b: f32):
      linalg.yield %a : f32
    }} -> tensor<?x?xf32>
    scf.yield %{name}_g : tensor<?x?xf32>
  }} else {{
    scf.yield %{of} : tensor<?x?xf32>
  }}"""


for _shapes in (((1, 3), (4, 3)), ((2, 5), (2, 1)), ((1, 1), (3, 2))):
    row(
        f"{LINALG}/runtime-verification.mlir",
        f"a sum of {_shapes[0]} and {_shapes[1]}, stretched where a size is one",
        "%x: tensor<?x?xf32>, %y: tensor<?x?xf32>",
        "tensor<?x?xf32>",
        "".join(f"\n  %{n}{d} = tensor.dim %{n}, %c{d} : tensor<?x?xf32>" for n in "xy" for d in (0, 1))
        + "".join(f"\n  %m{d} = arith.maxui %x{d}, %y{d} : index" for d in (0, 1))
        + stretched("xr", "x", 0, "%m0")
        + stretched("xw", "xr", 1, "%m1")
        + stretched("yr", "y", 0, "%m0")
        + stretched("yw", "yr", 1, "%m1")
        + "\n  %r = arith.addf %xw, %yw : tensor<?x?xf32>",
        np.add,
        x=_shapes[0],
        y=_shapes[1],
    )
row(
    f"{LINALG}/test-tile-reduction-subf.mlir",
    "differences along rows",
    "%x: tensor<3x7xf32>",
    "tensor<3xf32>",
    new("f", tensor("3"), "one")
    + generic(
        "r",
        f"{IJ}; {ROWS}",
        "pr",
        f"x: {tensor('3x7')}",
        f"f: {tensor('3')}",
        "%s = arith.subf %f_, %x_ : f32\nlinalg.yield %s : f32",
    ),
    lambda x: 1 - x.sum(1),
)
row(
    f"{IREE}/regression/argmax_linking.mlir",
    "the place of the largest of an unknown number of elements of each row",
    "%x: tensor<4x?xf32>",
    "tensor<4x1xi64>",
    "\n  %zero_i64 = arith.constant 0 : i64"
    + new("f", tensor("4"), "low")
    + new("p", "tensor<4xi64>", "zero_i64")
    + generic(
        "v at",
        f"{IJ}; {ROWS}; {ROWS}",
        "pr",
        "x: tensor<4x?xf32>",
        f"f: {tensor('4')}; p: tensor<4xi64>",
        """
%i = linalg.index 1 : index
%n = arith.index_cast %i : index to i64
%m = arith.maximumf %x_, %f_ : f32
%c = arith.cmpf ogt, %x_, %f_ : f32
%s = arith.select %c, %n, %p_ : i64
linalg.yield %m, %s : f32, i64""",
    )
    + """
  %r = tensor.expand_shape %at [[0, 1]] output_shape [4, 1] : tensor<4xi64> into tensor<4x1xi64>""",
    lambda x: x.argmax(1)[:, None],
    x=(4, 37),
)
row(
    f"{TRITON}/scalar_store_loop_iterargs.mlir",
    "numbers stored at places that a loop carries as memory",
    f"%n: i32, %x: {LINE}",
    "",
    """
  %begin = arith.index_cast %n : i32 to index
  %number = arith.sitofp %n : i32 to f32"""
    + at("first", "x", "%begin", "1", "1")
    + """
  %l, %w = scf.for %i = %c0 to %c5 step %c1 iter_args(%p = %first, %k = %begin)
      -> (memref<1xf32, strided<[1], offset: ?>>, index) {
    memref.store %number, %p[%c0] : memref<1xf32, strided<[1], offset: ?>>
    %base, %at, %size, %step = memref.extract_strided_metadata %p
      : memref<1xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
    %on = arith.addi %at, %i : index
    %next = memref.reinterpret_cast %base to offset: [%on], sizes: [1], strides: [1]
      : memref<f32> to memref<1xf32, strided<[1], offset: ?>>
    %m = arith.addi %k, %i : index
    scf.yield %next, %m : memref<1xf32, strided<[1], offset: ?>>, index
  }""",
    lambda n, x: {1: np.where(np.isin(np.arange(20), [2, 3, 5, 8]), 2, x)},
    x=(20,),
    n=2,
)
row(
    f"{TRITON}/early_return.mlir",
    "numbers stored unless one that is loaded says not to",
    f"%x: {LINE}, %n: i32, %o: {LINE}",
    "",
    """
  %i = arith.index_cast %n : i32 to index
  %stop = arith.constant -1.0 : f32"""
    + at("v", "x", "%i", "1", "1")
    + at("vo", "o", "0", "4", "1")
    + """
  %l = memref.load %v[%c0] : memref<1xf32, strided<[1], offset: ?>>
  %is = arith.cmpf oeq, %l, %stop : f32
  cf.cond_br %is, ^end, ^more
^more:"""
    + new("e", tensor("4"), "one")
    + put("e", tensor("4"), "vo", "memref<4xf32, strided<[1], offset: ?>>")
    + """
  cf.br ^end
^end:""",
    lambda x, n, o: {2: np.append(np.ones(4, np.float32), o[4:])},
    x=(7,),
    n=3,
    o=(6,),
)
row(
    f"{IREE}/models/collatz.mlir",
    "how many steps it takes to one",
    "%x: tensor<f32>",
    "tensor<f32>, tensor<f32>",
    """
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %n = tensor.splat %zero : tensor<f32>
  %r, %s = scf.while (%steps = %n, %at = %x) : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %v = tensor.extract %at[] : tensor<f32>
    %more = arith.cmpf ogt, %v, %one : f32
    scf.condition(%more) %steps, %at : tensor<f32>, tensor<f32>
  } do {
  ^bb0(%steps: tensor<f32>, %at: tensor<f32>):
    %k = tensor.extract %steps[] : tensor<f32>
    %v = tensor.extract %at[] : tensor<f32>
    %l = arith.addf %k, %one : f32
    %half = arith.divf %v, %two : f32
    %floor = math.floor %half : f32
    %odd = arith.cmpf olt, %floor, %half : f32
    %w = scf.if %odd -> f32 {
      %triple = arith.mulf %v, %three : f32
      %higher = arith.addf %triple, %one : f32
      scf.yield %higher : f32
    } else {
      scf.yield %half : f32
    }
    %next = tensor.insert %l into %steps[] : tensor<f32>
    %new = tensor.insert %w into %at[] : tensor<f32>
    scf.yield %next, %new : tensor<f32>, tensor<f32>
  }""",
    lambda x: (np.float32(111), np.float32(1)),
    x=lambda rng: np.array(27, np.float32),
)
row(
    f"{IREE}/linalg/index.mlir",
    "each third number of each second line, of numbers that are indices",
    "",
    tensor("4x5"),
    new("e", tensor("12x20"), "zero")
    + generic(
        "f",
        IJ,
        "pp",
        "",
        f"e: {tensor('12x20')}",
        """%a = linalg.index 0 : index
%b = linalg.index 1 : index
%n = affine.apply affine_map<(d0, d1) -> (d0 * 20 + d1)>(%a, %b)
%m = arith.index_cast %n : index to i32
%v = arith.sitofp %m : i32 to f32
linalg.yield %v : f32""",
    )
    + f"\n  %r = tensor.extract_slice %f[3, 4] [4, 5] [2, 3] : {tensor('12x20')} to {tensor('4x5')}",
    lambda: np.arange(240, dtype=np.float32).reshape(12, 20)[3:11:2, 4:19:3],
)
row(
    f"{IREE}/linalg/gather_like_ops.mlir",
    "rows by numbers that another tensor has, none of them read twice",
    f"%x: {tensor('3x4')}, %i: tensor<5xi64>",
    tensor("5x4"),
    new("e", tensor("5x4"), "zero")
    + generic(
        "r",
        f"(i, j) -> (i); {IJ}",
        "pp",
        "i: tensor<5xi64>",
        f"e: {tensor('5x4')}",
        """%n = arith.index_cast %i_ : i64 to index
%m = linalg.index 1 : index
%v = tensor.extract %x[%n, %m] : tensor<3x4xf32>
linalg.yield %v : f32""",
    ),
    lambda x, i: x[i],
    i=lambda rng: np.array([2, 0, 2, 1, 1]),
)
row(
    f"{LINALG}/test-subtensor-insert-multiple-uses.mlir",
    "a number put into two places of one tensor, which stays as it was",
    f"%x: {tensor('1')}",
    f"{tensor('3')}, {tensor('3')}, {tensor('3')}",
    """
  %k = arith.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %r = tensor.insert_slice %x into %k[0] [1] [1] : tensor<1xf32> into tensor<3xf32>
  %s = tensor.insert_slice %x into %k[2] [1] [1] : tensor<1xf32> into tensor<3xf32>
  %u = arith.addf %k, %k : tensor<3xf32>
  %t = arith.addf %u, %s : tensor<3xf32>""",
    lambda x: (np.array([x[0], 5, 6]), np.array([4, 5, x[0]]), np.array([12, 15, 12 + x[0]])),
)
row(
    f"{LINALG}/vectorize-insert-slice-rank-reducing.mlir",
    "a line that is put into a column",
    "%x: tensor<5xi32>",
    "tensor<5x3xi32>",
    """
  %e = tensor.empty() : tensor<5x3xi32>
  %f = linalg.fill ins(%zero_i32 : i32) outs(%e : tensor<5x3xi32>) -> tensor<5x3xi32>
  %r = tensor.insert_slice %x into %f[0, 2] [5, 1] [1, 1] : tensor<5xi32> into tensor<5x3xi32>""",
    lambda x: np.stack([0 * x, 0 * x, x], 1),
)
READ_ROWS = row.rows


def table() -> str:
    """The files, with the programs after each."""
    files: dict[str, list[str]] = {}
    for each in READ_ROWS:
        files.setdefault(each.operation, []).append(each.about)
    lines = [f"| `{file}` | {'; '.join(about)} |" for file, about in files.items()]
    return "\n".join(["| file | programs |", "|---|---|", *lines])
