"""Programs with kernels of gpu and xegpu: what test suites of MLIR and of Intel's extensions show, written anew.

Each is a module whose function `run` the host executes; what it computes is said by NumPy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

DTYPES: dict[str, Any] = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "tf32": np.float32, **{f"{sign}i{bits}": np.dtype(f"{'u' * (sign == 'u')}int{bits}") for sign in "su" for bits in (8, 16, 32, 64)},
    "i1": np.bool_, "si1": np.bool_, "ui1": np.bool_, "i4": ml_dtypes.int4, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64,
}  # fmt: skip


@dataclass(frozen=True)
class Program:
    """A module, and what its function `run` changes."""

    name: str
    after: str
    """The test of a public suite that shows the same."""
    parameters: str
    body: str
    """The kernel."""
    expected: Callable[..., Mapping[int, Any]]
    """What arguments are afterwards, by their numbers."""
    grid: Sequence[int] = (1, 1, 1)
    block: Sequence[int] = (16, 1, 1)
    of_kernel: str = ""
    """What stands between the parameters and the body."""
    host: str = ""
    """The body of `run`; one launch of the kernel where it is empty."""
    aliases: str = ""
    functions: str = ""
    """What the kernel calls."""
    given: Mapping[int, Any] | None = None
    """Arguments that are no small numbers."""
    is_whole: bool = False
    """Whether its work-items do the same, so that other backends than the interpreter execute it."""
    tolerance: float = 1e-6

    @property
    def types(self) -> list[str]:
        return [each.partition(": ")[2] for each in re.split(r", (?=%)", self.parameters)]

    @property
    def text(self) -> str:
        sizes = dict.fromkeys((*self.grid, *self.block))
        constants = "\n".join(f"    %n{size} = arith.constant {size} : index" for size in sizes)
        grid, block = (", ".join(f"%n{size}" for size in each) for each in (self.grid, self.block))
        passed = ", ".join(re.split(r", (?=%)", self.parameters)).replace(": ", " : ")
        launch = f"gpu.launch_func @kernels::@kernel blocks in ({grid}) threads in ({block}) args({passed})"
        host = self.host or f"{constants}\n    {launch}"
        kernel = f"""  gpu.module @kernels {{
    gpu.func @kernel({self.parameters}) {self.of_kernel} kernel {{
{_indented(self.body)}
      gpu.return
    }}
{self.functions}  }}
"""
        return f"""{self.aliases}module attributes {{gpu.container_module}} {{
{kernel if self.body else ""}  func.func @run({self.parameters}) {{
{host}
    return
  }}
}}
"""

    def arguments(self) -> list[Any]:
        """Small whole numbers for each memref, so that sums are exact."""
        random = np.random.default_rng(7)
        arguments = []
        for number, type_ in enumerate(self.types):
            if self.given is not None and number in self.given:
                value = self.given[number]
                arguments.append(value.copy() if isinstance(value, np.ndarray) else value)
                continue
            sizes = [int(size) for size in re.findall(r"(\d+)x", type_.partition(",")[0])]
            element = re.findall(r"x?([a-z]+\d*)(?=[,>])", type_)[0]
            arguments.append(random.integers(-3, 4, sizes).astype(DTYPES[element]))
        return arguments


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.strip().splitlines())


def nd(name: str, memory: str, of: str, block: str, more: str = "") -> str:
    """A descriptor of blocks."""
    return f"%{name} = xegpu.create_nd_tdesc %{memory} : {of} -> !xegpu.tensor_desc<{block}{more}>\n"


def f32(array: Any) -> Any:
    return np.asarray(array).astype(np.float32)


_C = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c8 = arith.constant 8 : index\n"
_C += "%c16 = arith.constant 16 : index\n%c32 = arith.constant 32 : index\n"


def _product(element: str, result: str, deep: int) -> str:
    """C += A B, in blocks of a sub-group, a loop over the depth."""
    a, b, c = f"memref<16x64x{element}>", f"memref<64x32x{element}>", f"memref<16x32x{result}>"
    return f"""{_C}%c64 = arith.constant 64 : index
%deep = arith.constant {deep} : index
%x = gpu.block_id x
%y = gpu.block_id y
%row = arith.muli %x, %c8 : index
%column = arith.muli %y, %c16 : index
{nd("ta", "a", a, f"8x{deep}x{element}")}{nd("tb", "b", b, f"{deep}x16x{element}")}{nd("tc", "c", c, f"8x16x{result}")}
%first = xegpu.load_nd %tc[%row, %column] : !xegpu.tensor_desc<8x16x{result}> -> vector<8x16x{result}>
%sum = scf.for %k = %c0 to %c64 step %deep iter_args(%acc = %first) -> (vector<8x16x{result}>) {{
  %va = xegpu.load_nd %ta[%row, %k] : !xegpu.tensor_desc<8x{deep}x{element}> -> vector<8x{deep}x{element}>
  %vb = xegpu.load_nd %tb[%k, %column] : !xegpu.tensor_desc<{deep}x16x{element}> -> vector<{deep}x16x{element}>
  %next = xegpu.dpas %va, %vb, %acc : vector<8x{deep}x{element}>, vector<{deep}x16x{element}>, vector<8x16x{result}> -> vector<8x16x{result}>
  scf.yield %next : vector<8x16x{result}>
}}
xegpu.store_nd %sum, %tc[%row, %column] : vector<8x16x{result}>, !xegpu.tensor_desc<8x16x{result}>"""


def _of_product(element: str, result: str, deep: int) -> Program:
    wide = np.int64 if result.endswith("i32") else np.float32
    return Program(
        f"product {element} {result}",
        "XeGPU/SG/simple_gemm",
        f"%a: memref<16x64x{element}>, %b: memref<64x32x{element}>, %c: memref<16x32x{result}>",
        _product(element, result, deep),
        lambda a, b, c: {2: (c.astype(wide) + a.astype(wide) @ b.astype(wide)).astype(c.dtype)},
        (2, 2, 1),
        is_whole=True,
    )


LANE = "#xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>"
BLOCK16 = "!xegpu.tensor_desc<16x16xf16>"


def _elementwise(lines: str) -> str:
    """Y of X, block by block."""
    of = "memref<16x32xf32>"
    return f"""{_C}%i = gpu.block_id x
%at = arith.muli %i, %c8 : index
{nd("tx", "x", of, "8x32xf32")}{nd("ty", "y", of, "8x32xf32")}
%v = xegpu.load_nd %tx[%at, %c0] : !xegpu.tensor_desc<8x32xf32> -> vector<8x32xf32>
%w = xegpu.load_nd %ty[%at, %c0] : !xegpu.tensor_desc<8x32xf32> -> vector<8x32xf32>
{lines}
xegpu.store_nd %r, %ty[%at, %c0] : vector<8x32xf32>, !xegpu.tensor_desc<8x32xf32>"""


def _of_elements(name: str, after: str, lines: str, expected: Callable[..., Any], tolerance: float = 2e-6) -> Program:
    return Program(
        name,
        after,
        "%x: memref<16x32xf32>, %y: memref<16x32xf32>",
        _elementwise(lines),
        lambda x, y: {1: expected(x, y)},
        (2, 1, 1),
        is_whole=True,
        tolerance=tolerance,
    )


def _wg_layouts(a: str, b: str, c: str) -> str:
    return f"#a = #xegpu.layout<{a}>\n#b = #xegpu.layout<{b}>\n#c = #xegpu.layout<{c}>\n"


def _softmax(x: np.ndarray) -> np.ndarray:
    raised = np.exp(x - x.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


_SCATTERED = "%x: memref<64xf32>, %y: memref<64xf32>"
_OFFSETS = (
    "%at = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60]> : vector<16xindex>\n"
)
_ALL = "%all = arith.constant dense<true> : vector<16xi1>\n"
_SCATTER = "!xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>"


def _reduced(axis: int) -> str:
    zero = "%zero = arith.constant dense<0.0> : vector<16xf32>"
    shape = "1x16" if axis == 0 else "16x1"
    one = "1x16" if axis == 0 else "16x1"
    return f"""{_C}{zero}
{nd("tx", "x", "memref<16x16xf16>", "16x16xf16")}{nd("ty", "y", "memref<16x16xf32>", "16x16xf32")}
%v = xegpu.load_nd %tx[%c0, %c0] : {BLOCK16} -> vector<16x16xf16>
%e = arith.extf %v : vector<16x16xf16> to vector<16x16xf32>
%s = vector.multi_reduction <add>, %e, %zero [{axis}] : vector<16x16xf32> to vector<16xf32>
%c = vector.shape_cast %s : vector<16xf32> to vector<{shape}xf32>
%r = vector.broadcast %c : vector<{one}xf32> to vector<16x16xf32>
xegpu.store_nd %r, %ty[%c0, %c0] : vector<16x16xf32>, !xegpu.tensor_desc<16x16xf32>"""


PROGRAMS: list[Program] = [
    _of_product("f16", "f32", 16),
    _of_product("bf16", "f32", 16),
    _of_product("bf16", "bf16", 16),
    _of_product("i8", "i32", 32),
    _of_product("f16", "f16", 16),
    _of_product("tf32", "f32", 8),
    _of_product("ui8", "i32", 32),
    _of_product("si8", "si32", 32),
    Program(
        "product of lanes",
        "XeGPU/LANE/simple_gemm",
        "%a: memref<8x32xf16>, %b: memref<32x16xf16>, %c: memref<8x16xf32>",
        f"""{_C}{nd("ta", "a", "memref<8x32xf16>", "8x16xf16")}{nd("tb", "b", "memref<32x16xf16>", "16x16xf16")}
{nd("tc", "c", "memref<8x16xf32>", "8x16xf32")}
%zero = arith.constant dense<0.0> : vector<8xf32>
%sum = scf.for %k = %c0 to %c32 step %c16 iter_args(%acc = %zero) -> (vector<8xf32>) {{
  %va = xegpu.load_nd %ta[%c0, %k] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
  %vb = xegpu.load_nd %tb[%k, %c0] <{{packed}}> : {BLOCK16} -> vector<16xf16>
  %next = xegpu.dpas %va, %vb, %acc : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
  scf.yield %next : vector<8xf32>
}}
xegpu.store_nd %sum, %tc[%c0, %c0] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda a, b, c: {2: f32(a) @ f32(b)},
    ),
    Program(
        "product of a work-group",
        "XeGPU/WG/simple_gemm",
        "%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>",
        f"""{_C}%c64 = arith.constant 64 : index
{nd("ta", "a", "memref<64x64xf16>", "64x32xf16", ", #a")}{nd("tb", "b", "memref<64x64xf16>", "32x64xf16", ", #b")}
{nd("tc", "c", "memref<64x64xf32>", "64x64xf32", ", #c")}
xegpu.prefetch_nd %ta[%c0, %c0] : !xegpu.tensor_desc<64x32xf16, #a>
%first = xegpu.load_nd %tc[%c0, %c0] : !xegpu.tensor_desc<64x64xf32, #c> -> vector<64x64xf32>
%sum = scf.for %k = %c0 to %c64 step %c32 iter_args(%acc = %first) -> (vector<64x64xf32>) {{
  %va = xegpu.load_nd %ta[%c0, %k] : !xegpu.tensor_desc<64x32xf16, #a> -> vector<64x32xf16>
  %vb = xegpu.load_nd %tb[%k, %c0] : !xegpu.tensor_desc<32x64xf16, #b> -> vector<32x64xf16>
  %next = xegpu.dpas %va, %vb, %acc {{layout_result_0 = #c}} : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>
  scf.yield %next : vector<64x64xf32>
}}
xegpu.store_nd %sum, %tc[%c0, %c0] : vector<64x64xf32>, !xegpu.tensor_desc<64x64xf32, #c>""",
        lambda a, b, c: {2: c + f32(a) @ f32(b)},
        block=(64, 1, 1),
        aliases=_wg_layouts(
            "sg_layout = [2, 2], sg_data = [32, 32], inst_data = [8, 16]",
            "sg_layout = [2, 2], sg_data = [32, 32], inst_data = [16, 16]",
            "sg_layout = [2, 2], sg_data = [32, 32], inst_data = [8, 16]",
        ),
        is_whole=True,
    ),
    Program(
        "layouts of a work-group are converted",
        "XeGPU/WG/arith_ops",
        "%x: memref<32x32xf32>, %y: memref<32x32xf32>",
        f"""{_C}{nd("tx", "x", "memref<32x32xf32>", "32x32xf32", ", #a")}{nd("ty", "y", "memref<32x32xf32>", "32x32xf32", ", #b")}
%v = xegpu.load_nd %tx[%c0, %c0] {{layout = #a}} : !xegpu.tensor_desc<32x32xf32, #a> -> vector<32x32xf32>
%t = vector.transpose %v, [1, 0] : vector<32x32xf32> to vector<32x32xf32>
%w = xegpu.convert_layout %t <{{input_layout = #a, target_layout = #b}}> : vector<32x32xf32>
%zero = arith.constant {{layout_result_0 = #xegpu.slice<#b, dims = [0]>}} dense<0.0> : vector<32xf32>
%s = vector.multi_reduction <add>, %w, %zero [0] : vector<32x32xf32> to vector<32xf32>
%m = vector.broadcast %s : vector<32xf32> to vector<32x32xf32>
%r = arith.subf %w, %m : vector<32x32xf32>
xegpu.store_nd %r, %ty[%c0, %c0] : vector<32x32xf32>, !xegpu.tensor_desc<32x32xf32, #b>""",
        lambda x, y: {1: x.T - x.T.sum(0)},
        block=(64, 1, 1),
        aliases="#a = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>\n"
        "#b = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>\n",
        is_whole=True,
    ),
    _of_elements(
        "arithmetic of blocks",
        "XeGPU/WG/arith_ops",
        """%two = arith.constant dense<2.0> : vector<8x32xf32>
%p = arith.mulf %v, %two : vector<8x32xf32>
%q = arith.addf %p, %w : vector<8x32xf32>
%n = arith.negf %q : vector<8x32xf32>
%is = arith.cmpf ogt, %n, %w : vector<8x32xf32>
%r = arith.select %is, %n, %w : vector<8x32xi1>, vector<8x32xf32>""",
        lambda x, y: np.where(-(2 * x + y) > y, -(2 * x + y), y),
    ),
    _of_elements(
        "exponentials of blocks", "XeGPU/WG/math_exp", "%r = math.exp %v : vector<8x32xf32>", lambda x, y: np.exp(x)
    ),
    _of_elements(
        "ceilings, floors and maxima",
        "XeGPU/VC/ceil_floor_f32, fmax_f32",
        """%h = arith.constant dense<0.5> : vector<8x32xf32>
%z = arith.mulf %v, %h : vector<8x32xf32>
%p = math.ceil %z : vector<8x32xf32>
%q = math.floor %z : vector<8x32xf32>
%m = arith.maximumf %p, %w : vector<8x32xf32>
%r = arith.subf %m, %q : vector<8x32xf32>""",
        lambda x, y: np.maximum(np.ceil(x / 2), y) - np.floor(x / 2),
    ),
    _of_elements(
        "halves with their rounding",
        "Gpu/EltwiseAdd_BF16",
        """%p = arith.truncf %v : vector<8x32xf32> to vector<8x32xbf16>
%q = arith.truncf %w : vector<8x32xf32> to vector<8x32xbf16>
%s = arith.addf %p, %q : vector<8x32xbf16>
%r = arith.extf %s : vector<8x32xbf16> to vector<8x32xf32>""",
        lambda x, y: x + y,
    ),
    _of_elements(
        "rows are shuffled, cut and put together",
        "XeGPU/VC/block_reduce",
        """%a = vector.extract_strided_slice %v {offsets = [2, 16], sizes = [4, 16], strides = [1, 1]} : vector<8x32xf32> to vector<4x16xf32>
%b = vector.insert_strided_slice %a, %w {offsets = [0, 0], strides = [1, 1]} : vector<4x16xf32> into vector<8x32xf32>
%row = vector.extract %v[7] : vector<32xf32> from vector<8x32xf32>
%one = vector.extract %v[0, 3] : f32 from vector<8x32xf32>
%c = vector.insert %row, %b[6] : vector<32xf32> into vector<8x32xf32>
%d = vector.insert %one, %c[5, 1] : f32 into vector<8x32xf32>
%r = vector.shuffle %d, %v [7, 6, 5, 4, 3, 2, 1, 8] : vector<8x32xf32>, vector<8x32xf32>""",
        lambda x, y: _shuffled(x, y),
    ),
    Program(
        "sums of columns",
        "XeGPU/SG/col_reduce_16x16xf16",
        "%x: memref<16x16xf16>, %y: memref<16x16xf32>",
        _reduced(0),
        lambda x, y: {1: np.broadcast_to(f32(x).sum(0), (16, 16))},
        is_whole=True,
    ),
    Program(
        "sums of rows",
        "XeGPU/SG/row_reduce_16x16xf16",
        "%x: memref<16x16xf16>, %y: memref<16x16xf32>",
        _reduced(1),
        lambda x, y: {1: np.broadcast_to(f32(x).sum(1)[:, None], (16, 16))},
        is_whole=True,
    ),
    Program(
        "the second factor transposed as words",
        "XeGPU/SG/simple_gemm_transpose_b",
        "%a: memref<8x16xf16>, %b: memref<16x16xf16>, %c: memref<8x16xf32>",
        f"""{_C}{nd("ta", "a", "memref<8x16xf16>", "8x16xf16")}{nd("tc", "c", "memref<8x16xf32>", "8x16xf32")}
%pointer = memref.extract_aligned_pointer_as_index %b : memref<16x16xf16> -> index
%address = arith.index_cast %pointer : index to i64
%tb = xegpu.create_nd_tdesc %address, shape: [16, 8], strides: [8, 1] : i64 -> !xegpu.tensor_desc<16x8xf32>
%va = xegpu.load_nd %ta[%c0, %c0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
%words = xegpu.load_nd %tb[%c0, %c0] : !xegpu.tensor_desc<16x8xf32> -> vector<16x8xf32>
%rows = vector.bitcast %words : vector<16x8xf32> to vector<16x16xf16>
%vb = vector.transpose %rows, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
%vc = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
xegpu.store_nd %vc, %tc[%c0, %c0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda a, b, c: {2: f32(a) @ f32(b).T},
    ),
    Program(
        "attention",
        "XeGPU/SG/flash_attention_fwd",
        "%q: memref<8x16xf16>, %k: memref<32x16xf16>, %v: memref<32x16xf16>, %o: memref<8x16xf32>",
        f"""{_C}{nd("tq", "q", "memref<8x16xf16>", "8x16xf16")}{nd("tk", "k", "memref<32x16xf16>", "16x16xf16")}
{nd("tv", "v", "memref<32x16xf16>", "16x16xf16")}{nd("to", "o", "memref<8x16xf32>", "8x16xf32")}
%vq = xegpu.load_nd %tq[%c0, %c0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
%zero = arith.constant dense<0.0> : vector<8x16xf32>
%none = arith.constant dense<0.0> : vector<8xf32>
%low = arith.constant dense<0xFF800000> : vector<8xf32>
%all:3 = scf.for %at = %c0 to %c32 step %c16 iter_args(%acc = %zero, %m = %low, %l = %none)
    -> (vector<8x16xf32>, vector<8xf32>, vector<8xf32>) {{
  %rows = xegpu.load_nd %tk[%at, %c0] : {BLOCK16} -> vector<16x16xf16>
  %vk = vector.transpose %rows, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
  %s = xegpu.dpas %vq, %vk, %zero : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
  %m1 = vector.multi_reduction <maxnumf>, %s, %m [1] : vector<8x16xf32> to vector<8xf32>
  %mc = vector.shape_cast %m1 : vector<8xf32> to vector<8x1xf32>
  %mb = vector.broadcast %mc : vector<8x1xf32> to vector<8x16xf32>
  %d = arith.subf %s, %mb : vector<8x16xf32>
  %p = math.exp %d : vector<8x16xf32>
  %dm = arith.subf %m, %m1 : vector<8xf32>
  %f = math.exp %dm : vector<8xf32>
  %lf = arith.mulf %l, %f : vector<8xf32>
  %l1 = vector.multi_reduction <add>, %p, %lf [1] : vector<8x16xf32> to vector<8xf32>
  %fc = vector.shape_cast %f : vector<8xf32> to vector<8x1xf32>
  %fb = vector.broadcast %fc : vector<8x1xf32> to vector<8x16xf32>
  %old = arith.mulf %acc, %fb : vector<8x16xf32>
  %ph = arith.truncf %p : vector<8x16xf32> to vector<8x16xf16>
  %vv = xegpu.load_nd %tv[%at, %c0] : {BLOCK16} -> vector<16x16xf16>
  %new = xegpu.dpas %ph, %vv, %old : vector<8x16xf16>, vector<16x16xf16>, vector<8x16xf32> -> vector<8x16xf32>
  scf.yield %new, %m1, %l1 : vector<8x16xf32>, vector<8xf32>, vector<8xf32>
}}
%lc = vector.shape_cast %all#2 : vector<8xf32> to vector<8x1xf32>
%lb = vector.broadcast %lc : vector<8x1xf32> to vector<8x16xf32>
%r = arith.divf %all#0, %lb : vector<8x16xf32>
xegpu.store_nd %r, %to[%c0, %c0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda q, k, v, o: {3: _softmax(f32(q) @ f32(k).T) @ f32(v)},
        is_whole=True,
        tolerance=2e-3,
    ),
    Program(
        "softmax of a work-group",
        "XeGPU/WG/softmax_intra_sg_cross_lane",
        "%x: memref<32x64xf32>, %y: memref<32x64xf32>",
        f"""{_C}%c64 = arith.constant 64 : index
%low = arith.constant dense<0xFF800000> : vector<16xf32>
%zero = arith.constant dense<0.0> : vector<16xf32>
%g = gpu.block_id x
%row = arith.muli %g, %c16 overflow<nsw> : index
{nd("tx", "x", "memref<32x64xf32>", "16x32xf32")}{nd("ty", "y", "memref<32x64xf32>", "16x32xf32")}
%all:2 = scf.for %k = %c0 to %c64 step %c32 iter_args(%m = %low, %s = %zero) -> (vector<16xf32>, vector<16xf32>) {{
  %v = xegpu.load_nd %tx[%row, %k] <{{layout = #a}}> : !xegpu.tensor_desc<16x32xf32> -> vector<16x32xf32>
  %m1 = vector.multi_reduction <maximumf>, %v, %m [1] : vector<16x32xf32> to vector<16xf32>
  %d = arith.subf %m, %m1 : vector<16xf32>
  %f = math.exp %d : vector<16xf32>
  %old = arith.mulf %s, %f : vector<16xf32>
  %b = vector.broadcast %m1 : vector<16xf32> to vector<32x16xf32>
  %t = vector.transpose %b, [1, 0] : vector<32x16xf32> to vector<16x32xf32>
  %w = arith.subf %v, %t : vector<16x32xf32>
  %e = math.exp %w : vector<16x32xf32>
  %s1 = vector.multi_reduction <add>, %e, %old [1] : vector<16x32xf32> to vector<16xf32>
  scf.yield %m1, %s1 : vector<16xf32>, vector<16xf32>
}}
scf.for %k = %c0 to %c64 step %c32 {{
  %v = xegpu.load_nd %tx[%row, %k] <{{layout = #a}}> : !xegpu.tensor_desc<16x32xf32> -> vector<16x32xf32>
  %b = vector.broadcast %all#0 : vector<16xf32> to vector<32x16xf32>
  %t = vector.transpose %b, [1, 0] : vector<32x16xf32> to vector<16x32xf32>
  %w = arith.subf %v, %t : vector<16x32xf32>
  %e = math.exp %w : vector<16x32xf32>
  %c = vector.broadcast %all#1 : vector<16xf32> to vector<32x16xf32>
  %u = vector.transpose %c, [1, 0] : vector<32x16xf32> to vector<16x32xf32>
  %r = arith.divf %e, %u : vector<16x32xf32>
  xegpu.store_nd %r, %ty[%row, %k] <{{layout = #a}}> : vector<16x32xf32>, !xegpu.tensor_desc<16x32xf32>
}}""",
        lambda x, y: {1: _softmax(x)},
        (2, 1, 1),
        (32, 1, 1),
        aliases="#a = #xegpu.layout<sg_layout = [2, 1], sg_data = [8, 32]>\n",
        is_whole=True,
    ),
    Program(
        "a descriptor that moves",
        "XeGPU/SIMT/loadstore_nd_update_offset",
        "%x: memref<32x32xf32>, %y: memref<32x32xf32>",
        f"""{_C}{nd("tx", "x", "memref<32x32xf32>", "8x16xf32")}{nd("ty", "y", "memref<32x32xf32>", "8x16xf32")}
%sx = xegpu.update_nd_offset %tx, [0, 16] : !xegpu.tensor_desc<8x16xf32>
%ends:2 = scf.for %i = %c0 to %c32 step %c8 iter_args(%a = %sx, %b = %ty)
    -> (!xegpu.tensor_desc<8x16xf32>, !xegpu.tensor_desc<8x16xf32>) {{
  %v = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
  xegpu.store_nd %v, %b : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
  %a1 = xegpu.update_nd_offset %a, [%c8, 0] : !xegpu.tensor_desc<8x16xf32>
  %b1 = xegpu.update_nd_offset %b, [%c8, 0] : !xegpu.tensor_desc<8x16xf32>
  scf.yield %a1, %b1 : !xegpu.tensor_desc<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
}}""",
        lambda x, y: {1: np.concatenate([x[:, 16:], y[:, 16:]], 1)},
        is_whole=True,
    ),
    Program(
        "blocks beyond the memory are zeros",
        "XeGPU/SIMT/loadstore_nd",
        "%x: memref<20x30xf32>, %y: memref<24x32xf32>",
        f"""{_C}{nd("tx", "x", "memref<20x30xf32>", "8x16xf32")}{nd("ty", "y", "memref<24x32xf32>", "8x16xf32")}
%i = gpu.block_id x
%row = arith.muli %i, %c8 : index
%v = xegpu.load_nd %tx[%row, 16] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
xegpu.store_nd %v, %ty[%row, 16] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda x, y: {1: np.concatenate([y[:, :16], np.pad(x, ((0, 4), (0, 2)))[:, 16:]], 1)},
        (3, 1, 1),
        is_whole=True,
    ),
    Program(
        "blocks of memory of three dimensions",
        "XeGPU/WG/store_nd_3d_subview, simple_3d_gemm",
        "%x: memref<2x8x32xf32>, %y: memref<2x8x32xf32>",
        f"""{_C}%g = gpu.block_id z
%tx = xegpu.create_nd_tdesc %x[%g, %c0, %c0] : memref<2x8x32xf32> -> !xegpu.tensor_desc<8x16xf32>
%ty = xegpu.create_nd_tdesc %y[%g, %c0, 0] : memref<2x8x32xf32> -> !xegpu.tensor_desc<8x16xf32>
%v = xegpu.load_nd %tx[%c0, 16] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
%r = arith.addf %v, %v : vector<8x16xf32>
xegpu.store_nd %r, %ty[%c0, %c0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda x, y: {1: np.concatenate([2 * x[:, :, 16:], y[:, :, 16:]], 2)},
        (1, 1, 2),
        is_whole=True,
    ),
    Program(
        "blocks side by side, packed",
        "XeGPU/VC/gemm_4kx4kx4k",
        "%a: memref<8x32xf16>, %b: memref<32x16xf16>, %c: memref<8x16xf32>",
        f"""{_C}{nd("ta", "a", "memref<8x32xf16>", "8x16xf16", ", #xegpu.block_tdesc_attr<array_length = 2>")}
{nd("tb", "b", "memref<32x16xf16>", "16x16xf16")}{nd("tc", "c", "memref<8x16xf32>", "8x16xf32")}
%both = xegpu.load_nd %ta[%c0, %c0] : !xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>> -> vector<2x8x16xf16>
%a0 = vector.extract %both[0] : vector<8x16xf16> from vector<2x8x16xf16>
%a1 = vector.extract %both[1] : vector<8x16xf16> from vector<2x8x16xf16>
%b0 = xegpu.load_nd %tb[%c0, %c0] <{{packed}}> : {BLOCK16} -> vector<8x16x2xf16>
%b1 = xegpu.load_nd %tb[%c16, %c0] <{{packed}}> : {BLOCK16} -> vector<8x16x2xf16>
%s = xegpu.dpas %a0, %b0 : vector<8x16xf16>, vector<8x16x2xf16> -> vector<8x16xf32>
%t = xegpu.dpas %a1, %b1, %s : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
xegpu.store_nd %t, %tc[%c0, %c0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda a, b, c: {2: f32(a) @ f32(b)},
        is_whole=True,
    ),
    Program(
        "memory of unknown sizes",
        "XeGPU/VC/dynamic_memref",
        "%x: memref<?x?xf32>, %y: memref<?x?xf32>",
        f"""{_C}{nd("tx", "x", "memref<?x?xf32>", "8x16xf32")}
%h = memref.dim %y, %c0 : memref<?x?xf32>
%w = memref.dim %y, %c1 : memref<?x?xf32>
%ty = xegpu.create_nd_tdesc %y, shape: [%h, %w], strides: [%w, 1] : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
%v = xegpu.load_nd %tx[%c0, 8] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
xegpu.store_nd %v, %ty[%c0, %c0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda x, y: {1: x[:, 8:]},
        given={0: np.arange(192, dtype=np.float32).reshape(8, 24), 1: np.zeros((8, 16), np.float32)},
    ),
    Program(
        "memory with strides",
        "XeGPU/VC/dynamic_strided_memref_2d, LANE/load_store_subview",
        "%x: memref<16x64xf32>, %y: memref<8x16xf32>",
        f"""{_C}%part = memref.subview %x[4, 32] [8, 16] [1, 1] : memref<16x64xf32> to memref<8x16xf32, strided<[64, 1], offset: 288>>
{nd("tx", "part", "memref<8x16xf32, strided<[64, 1], offset: 288>>", "8x16xf32")}{nd("ty", "y", "memref<8x16xf32>", "8x16xf32")}
%v = xegpu.load_nd %tx[%c0, %c0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
xegpu.store_nd %v, %ty[%c0, %c0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda x, y: {1: x[4:12, 32:48]},
        is_whole=True,
    ),
    Program(
        "elements at offsets",
        "XeGPU/SIMT/loadstore_scatter_chunk_size_1_non_contig_offsets",
        _SCATTERED,
        f"""{_OFFSETS}%mask = arith.constant dense<[true, true, false, true, true, true, true, true, true, true, true, true, true, true, true, false]> : vector<16xi1>
%v = xegpu.load %x[%at], %mask <{{l1_hint = #xegpu.cache_hint<cached>}}> : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16xf32>
%one = arith.constant dense<1> : vector<16xindex>
%next = arith.addi %at, %one : vector<16xindex>
xegpu.prefetch %y[%next] : memref<64xf32>, vector<16xindex>
xegpu.store %v, %y[%next], %mask : vector<16xf32>, memref<64xf32>, vector<16xindex>, vector<16xi1>""",
        lambda x, y: {
            1: _put(
                y, [4 * n + 1 for n in range(16) if n not in (2, 15)], [x[4 * n] for n in range(16) if n not in (2, 15)]
            )
        },
        is_whole=True,
    ),
    Program(
        "elements in chunks",
        "XeGPU/SIMT/loadstore_scatter_chunk_size_2",
        _SCATTERED,
        f"""{_OFFSETS}{_ALL}%v = xegpu.load %x[%at], %all <{{chunk_size = 2}}> : memref<64xf32>, vector<16xindex>, vector<16xi1> -> vector<16x2xf32>
%d = arith.addf %v, %v : vector<16x2xf32>
xegpu.store %d, %y[%at], %all <{{chunk_size = 2}}> : vector<16x2xf32>, memref<64xf32>, vector<16xindex>, vector<16xi1>""",
        lambda x, y: {1: np.concatenate([2 * x.reshape(16, 4)[:, :2], y.reshape(16, 4)[:, 2:]], 1).ravel()},
        is_whole=True,
    ),
    Program(
        "scattered descriptors that move",
        "XeGPU/SIMT/loadstore_scatter_chunk_size_1_update_offset",
        _SCATTERED,
        f"""{_OFFSETS}{_ALL}%two = arith.constant dense<2> : vector<16xindex>
%tx = xegpu.create_tdesc %x, %at : memref<64xf32>, vector<16xindex> -> {_SCATTER}
%ty = xegpu.create_tdesc %y, %at : memref<64xf32>, vector<16xindex> -> {_SCATTER}
%ux = xegpu.update_offset %tx, %two : {_SCATTER}, vector<16xindex>
xegpu.prefetch %ux : {_SCATTER}
%v = xegpu.load %ux, %all : {_SCATTER}, vector<16xi1> -> vector<16xf32>
xegpu.store %v, %ty, %all : vector<16xf32>, {_SCATTER}, vector<16xi1>""",
        lambda x, y: {1: _put(y, range(0, 64, 4), x[2::4])},
        is_whole=True,
    ),
    Program(
        "elements of lanes",
        "XeGPU/SIMT/loadstore_scatter_chunk_size_1",
        _SCATTERED,
        """%i = gpu.lane_id
%two = arith.constant 2 : index
%true = arith.constant true
%at = arith.muli %i, %two : index
%v = xegpu.load %x[%at], %true : memref<64xf32>, index, i1 -> f32
%w = arith.addf %v, %v : f32
xegpu.store %w, %y[%i], %true : f32, memref<64xf32>, index, i1""",
        lambda x, y: {1: _put(y, range(16), 2 * x[:32:2])},
        is_whole=True,
    ),
    Program(
        "atomic updates",
        "XeGPU/VC/atomic_rmw",
        "%x: memref<16xf32>, %y: memref<16xi32>",
        """%c0 = arith.constant 0 : index
%true = arith.constant dense<true> : vector<16xi1>
%at = arith.constant dense<[0, 0, 1, 2, 3, 3, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15]> : vector<16xindex>
%ones = arith.constant dense<1.0> : vector<16xf32>
%t = xegpu.create_tdesc %x, %at : memref<16xf32>, vector<16xindex> -> !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>
%r = xegpu.atomic_rmw addf %t, %true, %ones : !xegpu.tensor_desc<16xf32, #xegpu.scatter_tdesc_attr<>>, vector<16xi1>, vector<16xf32> -> vector<16xf32>
%i = gpu.thread_id x
%n = arith.index_cast %i : index to i32
%s = memref.atomic_rmw maxs %n, %y[%c0] : (i32, memref<16xi32>) -> i32
xegpu.fence memory_kind = global, fence_scope = workgroup""",
        lambda x, y: {0: x + np.bincount([0, 0, 1, 2, 3, 3, 3, *range(7, 16)], minlength=16), 1: _put(y, [0], [15])},
    ),
    Program(
        "local memory by offsets",
        "XeGPU/VC/gather_scatter_slm/store_load_slm_no_chunk_f32",
        "%x: memref<16xf32>, %y: memref<16xf32>",
        """%slm = memref.alloc() : memref<64xi8, 3>
%local = memref.view %slm[%c0][] : memref<64xi8, 3> to memref<16xf32, 3>
%i = gpu.thread_id x
%c15 = arith.constant 15 : index
%true = arith.constant true
%v = memref.load %x[%i] : memref<16xf32>
xegpu.store %v, %local[%i], %true : f32, memref<16xf32, 3>, index, i1
gpu.barrier
%j = arith.subi %c15, %i : index
%w = xegpu.load %local[%j], %true : memref<16xf32, 3>, index, i1 -> f32
memref.store %w, %y[%i] : memref<16xf32>""".replace("%slm =", "%c0 = arith.constant 0 : index\n%slm ="),
        lambda x, y: {1: x[::-1]},
        is_whole=True,
    ),
    Program(
        "matrices in local memory",
        "XeGPU/WG/load_store_matrix",
        "%x: memref<32x32xf32>, %y: memref<32x32xf32>",
        f"""{_C}%slm = memref.alloca() : memref<4096xi8, 3>
%m = xegpu.create_mem_desc %slm : memref<4096xi8, 3> -> !xegpu.mem_desc<32x32xf32>
{nd("tx", "x", "memref<32x32xf32>", "16x32xf32")}{nd("ty", "y", "memref<32x32xf32>", "32x16xf32")}
%v = xegpu.load_nd %tx[%c16, %c0] : !xegpu.tensor_desc<16x32xf32> -> vector<16x32xf32>
xegpu.store_matrix %v, %m[%c0, 0] : vector<16x32xf32>, !xegpu.mem_desc<32x32xf32>, index
%w = xegpu.load_nd %tx[%c0, %c0] : !xegpu.tensor_desc<16x32xf32> -> vector<16x32xf32>
xegpu.store_matrix %w, %m[16, %c0] : vector<16x32xf32>, !xegpu.mem_desc<32x32xf32>, index
gpu.barrier
%r = xegpu.load_matrix %m[0, 8] : !xegpu.mem_desc<32x32xf32> -> vector<32x16xf32>
xegpu.store_nd %r, %ty[%c0, %c0] : vector<32x16xf32>, !xegpu.tensor_desc<32x16xf32>""",
        lambda x, y: {1: np.concatenate([np.concatenate([x[16:], x[:16]])[:, 8:24], y[:, 16:]], 1)},
        is_whole=True,
    ),
    Program(
        "matrices in blocks, of sub-groups",
        "XeGPU/WG/load_store_matrix",
        "%x: memref<32x32xf16>, %y: memref<32x32xf16>",
        f"""{_C}%slm = memref.alloca() : memref<2048xi8, 3>
%m = xegpu.create_mem_desc %slm : memref<2048xi8, 3> -> !xegpu.mem_desc<32x32xf16, #xegpu.mem_layout<stride = [1, 32], block = [16, 16]>>
{nd("tx", "x", "memref<32x32xf16>", "32x32xf16", ", #a")}{nd("ty", "y", "memref<32x32xf16>", "32x32xf16", ", #a")}
%v = xegpu.load_nd %tx[%c0, %c0] : !xegpu.tensor_desc<32x32xf16, #a> -> vector<32x32xf16>
xegpu.store_matrix %v, %m[0, 0] {{layout = #a}} : vector<32x32xf16>, !xegpu.mem_desc<32x32xf16, #xegpu.mem_layout<stride = [1, 32], block = [16, 16]>>
gpu.barrier
%w = xegpu.load_matrix %m[0, 0] {{layout = #b}} : !xegpu.mem_desc<32x32xf16, #xegpu.mem_layout<stride = [1, 32], block = [16, 16]>> -> vector<32x32xf16>
%r = vector.transpose %w, [1, 0] : vector<32x32xf16> to vector<32x32xf16>
xegpu.store_nd %r, %ty[%c0, %c0] : vector<32x32xf16>, !xegpu.tensor_desc<32x32xf16, #a>""",
        lambda x, y: {1: x.T},
        block=(64, 1, 1),
        aliases="#a = #xegpu.layout<sg_layout = [2, 2], sg_data = [16, 16]>\n"
        "#b = #xegpu.layout<sg_layout = [4, 1], sg_data = [8, 32]>\n",
        is_whole=True,
    ),
    Program(
        "elements of a vector, turned",
        "Vector/CPU/0-d-vectors",
        "%x: memref<4xf32>, %y: memref<4xf32>",
        """%c0 = arith.constant 0 : index
%v = vector.load %x[%c0] : memref<4xf32>, vector<4xf32>
%e:4 = vector.to_elements %v : vector<4xf32>
%w = vector.from_elements %e#3, %e#2, %e#1, %e#0 : vector<4xf32>
vector.store %w, %y[%c0] : memref<4xf32>, vector<4xf32>""",
        lambda x, y: {1: x[::-1]},
        is_whole=True,
    ),
    Program(
        "numbers of four bits with scales",
        "Conversion/ArithToAMDGPU/scaling-extf",
        "%x: memref<16xf32>, %s: memref<16xf32>, %y: memref<16xf32>",
        """%i = gpu.thread_id x
%v = memref.load %x[%i] : memref<16xf32>
%b = memref.load %s[%i] : memref<16xf32>
%e = arith.truncf %b : f32 to f8E8M0FNU
%n = arith.scaling_truncf %v, %b : f32, f32 to f4E2M1FN
%w = arith.scaling_extf %n, %e : f4E2M1FN, f8E8M0FNU to f32
memref.store %w, %y[%i] : memref<16xf32>""",
        lambda x, s, y: {
            2: f32((x / np.exp2(np.arange(16) - 9)).astype(ml_dtypes.float4_e2m1fn)) * np.exp2(np.arange(16) - 9)
        },
        given={0: np.linspace(-3, 3, 16).astype(np.float32), 1: (1.75 * np.exp2(np.arange(16) - 9)).astype(np.float32)},
        is_whole=True,
    ),
    Program(
        "named barriers",
        "XeGPU/VC/nbarrier",
        "%x: memref<64xf32>, %y: memref<64xf32>",
        """xegpu.alloc_nbarrier 1
%id = arith.constant 0 : i8
%count = arith.constant 4 : i8
%b = xegpu.init_nbarrier %id, %count : i8, i8 -> !xegpu.nbarrier
%slm = memref.alloc() : memref<64xf32, 3>
%i = gpu.thread_id x
%last = arith.constant 63 : index
%v = memref.load %x[%i] : memref<64xf32>
memref.store %v, %slm[%i] : memref<64xf32, 3>
xegpu.nbarrier_arrive %b : !xegpu.nbarrier
xegpu.nbarrier_wait %b : !xegpu.nbarrier
%j = arith.subi %last, %i : index
%w = memref.load %slm[%j] : memref<64xf32, 3>
memref.store %w, %y[%i] : memref<64xf32>""",
        lambda x, y: {1: x[::-1]},
        block=(64, 1, 1),
        is_whole=True,
    ),
    Program(
        "numbers of work-items",
        "XeGPU/LANE/no-xegpu-ops",
        "%y: memref<2x64x8xi32>",
        "\n".join(
            [
                *(
                    f"%v{n} = gpu.{name}"
                    for n, name in enumerate(
                        (
                            *("thread_id x", "subgroup_id : index", "lane_id", "subgroup_size : index"),
                            *("num_subgroups : index", "block_dim x", "grid_dim x", "global_id x"),
                        )
                    )
                ),
                "%b = gpu.block_id x",
                *(
                    f"%i{n} = arith.constant {n} : index\n%w{n} = arith.index_cast %v{n} : index to i32\n"
                    f"memref.store %w{n}, %y[%b, %v0, %i{n}] : memref<2x64x8xi32>"
                    for n in range(8)
                ),
            ]
        ),
        lambda y: {0: [[[t, t // 16, t % 16, 16, 4, 64, 2, 64 * b + t] for t in range(64)] for b in range(2)]},
        (2, 1, 1),
        (64, 1, 1),
        is_whole=True,
    ),
    Program(
        "what work-items give each other",
        "GPU/shuffle, all-reduce, subgroup-reduce",
        "%x: memref<32xf32>, %y: memref<6x32xf32>",
        """%i = gpu.thread_id x
%v = memref.load %x[%i] : memref<32xf32>
%one = arith.constant 1 : i32
%three = arith.constant 3 : i32
%width = arith.constant 16 : i32
%s, %is = gpu.shuffle xor %v, %one, %width : f32
%r, %ir = gpu.rotate %v, 3, 16 : f32
%b = gpu.subgroup_broadcast %v, specific_lane %three : f32
%a = gpu.all_reduce add %v uniform {} : (f32) -> f32
%m = gpu.all_reduce %v uniform {
^bb0(%p: f32, %q: f32):
  %n = arith.maximumf %p, %q : f32
  gpu.yield %n : f32
} : (f32) -> f32
%c = gpu.subgroup_reduce add %v cluster(size = 4) : (f32) -> f32
"""
        + "\n".join(
            f"%k{n} = arith.constant {n} : index\nmemref.store %{name}, %y[%k{n}, %i] : memref<6x32xf32>"
            for n, name in enumerate("srbamc")
        ),
        lambda x, y: {
            1: [
                x[np.arange(32) ^ 1],
                x[[n // 16 * 16 + (n + 3) % 16 for n in range(32)]],
                x[[n // 16 * 16 + 3 for n in range(32)]],
                [x.sum()] * 32,
                [x.max()] * 32,
                np.repeat(x.reshape(8, 4).sum(1), 4),
            ]
        },
        block=(32, 1, 1),
        is_whole=True,
    ),
    Program(
        "sums by shuffles in a loop",
        "GPU/shuffle, subgroup-reduce",
        "%x: memref<2x48xf32>, %y: memref<2x48xf32>, %n: memref<2x48xi32>",
        """%b = gpu.block_id x
%i = gpu.thread_id x
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c4 = arith.constant 4 : index
%one = arith.constant 1 : i32
%width = arith.constant 16 : i32
%v = memref.load %x[%b, %i] : memref<2x48xf32>
%s = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %v) -> f32 {
  %shift = arith.index_cast %k : index to i32
  %distance = arith.shli %one, %shift : i32
  %o, %is = gpu.shuffle xor %t, %distance, %width : f32
  %u = arith.addf %t, %o : f32
  scf.yield %u : f32
}
memref.store %s, %y[%b, %i] : memref<2x48xf32>
%d, %there = gpu.shuffle down %v, %one, %width : f32
%m = arith.extui %there : i1 to i32
%greatest = gpu.all_reduce maxsi %m uniform {} : (i32) -> i32
%g = arith.addi %m, %greatest : i32
memref.store %g, %n[%b, %i] : memref<2x48xi32>""",
        lambda x, y, n: {
            1: np.repeat(x.reshape(6, 16).sum(1), 16).reshape(2, 48),
            2: np.tile(np.arange(16) < 15, 6).reshape(2, 48) + 1,
        },
        (2, 1, 1),
        (48, 1, 1),
        is_whole=True,
    ),
    Program(
        "work-items of two dimensions that wait in a loop",
        "GPU/outlining",
        "%x: memref<4x8xf32>, %y: memref<4x8xf32>",
        """%i = gpu.thread_id x
%j = gpu.thread_id y
%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c3 = arith.constant 3 : index
%c7 = arith.constant 7 : index
%v = memref.load %x[%j, %i] : memref<4x8xf32>
memref.store %v, %local[%j, %i] : memref<4x8xf32, #gpu.address_space<workgroup>>
gpu.barrier
scf.for %k = %c0 to %c3 step %c1 {
  %q = arith.subi %c7, %i : index
  %w = memref.load %local[%j, %q] : memref<4x8xf32, #gpu.address_space<workgroup>>
  %z = arith.addf %w, %v : f32
  gpu.barrier
  %is = arith.cmpi ne, %i, %c0 : index
  scf.if %is {
    memref.store %z, %local[%j, %i] : memref<4x8xf32, #gpu.address_space<workgroup>>
  }
  gpu.barrier
}
%r = memref.load %local[%j, %i] : memref<4x8xf32, #gpu.address_space<workgroup>>
memref.store %r, %y[%j, %i] : memref<4x8xf32>""",
        lambda x, y: {1: _turned(x)},
        block=(8, 4, 1),
        of_kernel="workgroup(%local: memref<4x8xf32, #gpu.address_space<workgroup>>)",
        is_whole=True,
    ),
    Program(
        "matrices of a sub-group",
        "GPU/wmma-matmul",
        "%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf32>",
        """%i = arith.constant 0 : index
%two = arith.constant 2.0 : f32
%va = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
%vb = gpu.subgroup_mma_load_matrix %b[%i, %i] {leadDimension = 16 : index, transpose} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
%vc = gpu.subgroup_mma_constant_matrix %two : !gpu.mma_matrix<16x16xf32, "COp">
%s = gpu.subgroup_mma_compute %va, %vb, %vc : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
%d = gpu.subgroup_mma_elementwise mulf %s, %vc : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
%e = gpu.subgroup_mma_extract_thread_local %d[%i] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
%f = gpu.subgroup_mma_insert_thread_local %e, %d[%i] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
gpu.subgroup_mma_store_matrix %f, %c[%i, %i] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>""",
        lambda a, b, c: {2: 2 * (f32(a) @ f32(b).T + 2)},
    ),
    Program(
        "numbers of a work-group of thirteen, exchanged as far as there are partners",
        "GPU/CUDA/shuffle",
        "%y: memref<13xf32>",
        """%t = gpu.thread_id x
%n = arith.index_cast %t : index to i32
%v = arith.sitofp %n : i32 to f32
%width = arith.constant 13 : i32
%four = arith.constant 4 : i32
%other, %is = gpu.shuffle xor %v, %four, %width : f32
cf.cond_br %is, ^end(%other : f32), ^none
^none:
%less = arith.constant -1.0 : f32
cf.br ^end(%less : f32)
^end(%r: f32):
memref.store %r, %y[%t] : memref<13xf32>""",
        lambda y: {0: [4, 5, 6, 7, 0, 1, 2, 3, 12, -1, -1, -1, 8]},
        block=(13, 1, 1),
    ),
    Program(
        "a product of a sub-group of thirty-two, added to what it reads",
        "GPU/CUDA/TensorCore/wmma-matmul-f32",
        "%a: memref<16x16xf16>, %c: memref<16x16xf32>",
        """%i = arith.constant 0 : index
%va = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
%vb = gpu.subgroup_mma_load_matrix %a[%i, %i] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
%vc = gpu.subgroup_mma_load_matrix %c[%i, %i] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
%s = gpu.subgroup_mma_compute %va, %vb, %vc : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
gpu.subgroup_mma_store_matrix %s, %c[%i, %i] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>""",
        lambda a, c: {1: f32(a) @ f32(a) + c},
        block=(32, 1, 1),
        tolerance=2e-3,
    ),
    Program(
        "a product of numbers of four bits",
        "XeGPU/dpas",
        "%a: memref<8x64xi4>, %b: memref<64x16xi4>, %c: memref<8x16xi32>",
        """%i = arith.constant 0 : index
%da = xegpu.create_nd_tdesc %a : memref<8x64xi4> -> !xegpu.tensor_desc<8x64xi4>
%db = xegpu.create_nd_tdesc %b : memref<64x16xi4> -> !xegpu.tensor_desc<64x16xi4>
%dc = xegpu.create_nd_tdesc %c : memref<8x16xi32> -> !xegpu.tensor_desc<8x16xi32>
%va = xegpu.load_nd %da[%i, %i] : !xegpu.tensor_desc<8x64xi4> -> vector<8x64xi4>
%vb = xegpu.load_nd %db[%i, %i] : !xegpu.tensor_desc<64x16xi4> -> vector<64x16xi4>
%vc = xegpu.dpas %va, %vb : vector<8x64xi4>, vector<64x16xi4> -> vector<8x16xi32>
xegpu.store_nd %vc, %dc[%i, %i] : vector<8x16xi32>, !xegpu.tensor_desc<8x16xi32>""",
        lambda a, b, c: {2: a.astype(np.int32) @ b.astype(np.int32)},
        is_whole=True,
    ),
    Program(
        "parts that are turned, masked, repeated, and seen as integers",
        "Vector/transfer-read, transfer-write, bitcast",
        "%x: memref<6x5xf32>, %y: memref<4x8xf32>, %z: memref<3x4xi32>",
        """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%pad = arith.constant 9.0 : f32
%m = vector.create_mask %c3, %c2 : vector<8x4xi1>
%a = vector.transfer_read %x[%c1, %c2], %pad, %m {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<6x5xf32>, vector<4x8xf32>
vector.transfer_write %a, %y[%c0, %c0] : vector<4x8xf32>, memref<4x8xf32>
%r = vector.transfer_read %x[%c0, %c1], %pad {permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<6x5xf32>, vector<3x4xf32>
%i = vector.bitcast %r : vector<3x4xf32> to vector<3x4xi32>
%k = vector.constant_mask [2, 3] : vector<3x4xi1>
vector.transfer_write %i, %z[%c0, %c0], %k : vector<3x4xi32>, memref<3x4xi32>""",
        lambda x, y, z: {1: _read_in_columns(x), 2: _repeated(x, z)},
        is_whole=True,
    ),
    Program(
        "one lane for all",
        "Vector/warp-distribution",
        "%x: memref<64xf32>, %y: memref<16xf32>",
        """%lane = gpu.lane_id
%four = arith.constant 4 : index
%at = arith.muli %lane, %four : index
%v = vector.load %x[%at] : memref<64xf32>, vector<4xf32>
%r = gpu.warp_execute_on_lane_0(%lane)[16] args(%v : vector<4xf32>) -> (vector<1xf32>) {
^bb0(%w: vector<64xf32>):
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %m = vector.shape_cast %w : vector<64xf32> to vector<16x4xf32>
  %s = vector.multi_reduction <add>, %m, %zero [1] : vector<16x4xf32> to vector<16xf32>
  gpu.yield %s : vector<16xf32>
}
vector.store %r, %y[%lane] : memref<16xf32>, vector<1xf32>""",
        lambda x, y: {1: x.reshape(16, 4).sum(1)},
    ),
    Program(
        "work-items that print",
        "GPU/printf",
        "%y: memref<16xi32>",
        """%i = gpu.thread_id x
%n = arith.index_cast %i : index to i32
%c3 = arith.constant 3 : index
%is = arith.cmpi eq, %i, %c3 : index
scf.if %is {
  gpu.printf "work-item %d\\n", %n : i32
}
memref.store %n, %y[%i] : memref<16xi32>""",
        lambda y: {0: np.arange(16)},
    ),
    Program(
        "clusters, and memory whose size the launch says",
        "GPU/cluster, dynamic-shared-memory",
        "%y: memref<2x16xf32>",
        """%i = gpu.thread_id x
%b = gpu.cluster_id x
%d = gpu.cluster_dim x
%n = gpu.cluster_block_id x
%m = gpu.cluster_dim_blocks x
%c0 = arith.constant 0 : index
%bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
%local = memref.view %bytes[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<16xf32, #gpu.address_space<workgroup>>
%s = arith.addi %d, %n : index
%t = arith.addi %s, %m : index
%u = arith.muli %t, %i : index
%v = arith.index_cast %u : index to i32
%w = arith.sitofp %v : i32 to f32
memref.store %w, %local[%i] : memref<16xf32, #gpu.address_space<workgroup>>
%x = memref.load %local[%i] : memref<16xf32, #gpu.address_space<workgroup>>
memref.store %x, %y[%b, %i] : memref<2x16xf32>""",
        lambda y: {0: np.broadcast_to(3.0 * np.arange(16), (2, 16))},
        host="""    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %lanes = arith.constant 16 : index
    %size = arith.constant 64 : i32
    gpu.launch_func @kernels::@kernel blocks in (%two, %one, %one) threads in (%lanes, %one, %one)
        dynamic_shared_memory_size %size args(%y : memref<2x16xf32>)""",
    ),
    Program(
        "memory of devices",
        "XeGPU/WG/simple_gemm: its host",
        "%x: memref<64xf32>, %y: memref<64xf32>",
        """%i = gpu.global_id x
%v = memref.load %x[%i] : memref<64xf32>
%w = memref.load %y[%i] : memref<64xf32>
%s = arith.addf %v, %w : f32
memref.store %s, %y[%i] : memref<64xf32>""",
        lambda x, y: {1: x + 3},
        host="""    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %lanes = arith.constant 16 : index
    %three = arith.constant 3.0 : f32
    %zero = arith.constant 0 : i32
    gpu.set_default_device %zero
    %t0 = gpu.wait async
    %a, %t1 = gpu.alloc async [%t0] () : memref<64xf32>
    %b = gpu.alloc host_shared () : memref<64xf32>
    %t2 = gpu.memcpy async [%t1] %a, %x : memref<64xf32>, memref<64xf32>
    gpu.memset %b, %three : memref<64xf32>, f32
    %u = memref.cast %y : memref<64xf32> to memref<*xf32>
    gpu.host_register %u : memref<*xf32>
    %t3 = gpu.launch_func async [%t2] @kernels::@kernel blocks in (%four, %one, %one) threads in (%lanes, %one, %one)
        args(%a : memref<64xf32>, %b : memref<64xf32>)
    gpu.wait [%t3]
    gpu.memcpy %y, %b : memref<64xf32>, memref<64xf32>
    gpu.host_unregister %u : memref<*xf32>
    %t4 = gpu.dealloc async [%t3] %a : memref<64xf32>
    gpu.dealloc %b : memref<64xf32>
    gpu.wait [%t4]""",
        is_whole=True,
    ),
    Program(
        "tokens that a loop and a branch give",
        "GPU/CUDA/async",
        "%x: memref<16xf32>",
        """%i = gpu.thread_id x
%v = memref.load %x[%i] : memref<16xf32>
%w = arith.addf %v, %v : f32
memref.store %w, %x[%i] : memref<16xf32>""",
        lambda x: {0: 8 * x},
        host="""    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %lanes = arith.constant 16 : index
    %more = arith.constant 1.0 : f32
    %true = arith.constant true
    %a, %t0 = gpu.alloc async () : memref<16xf32>
    %t1 = gpu.memcpy async [%t0] %a, %x : memref<16xf32>, memref<16xf32>
    %t2 = scf.for %i = %zero to %three step %one iter_args(%t = %t1) -> (!gpu.async.token) {
      %next = gpu.launch_func async [%t] @kernels::@kernel blocks in (%one, %one, %one) threads in (%lanes, %one, %one)
        args(%a : memref<16xf32>)
      scf.yield %next : !gpu.async.token
    }
    %b, %u0 = gpu.alloc async () : memref<16xf32>
    %u1 = gpu.memset async [%u0] %b, %more : memref<16xf32>, f32
    %both = gpu.wait async [%t2, %u1]
    %t3 = scf.if %true -> (!gpu.async.token) {
      %done = gpu.memcpy async [%both] %b, %a : memref<16xf32>, memref<16xf32>
      scf.yield %done : !gpu.async.token
    } else {
      scf.yield %both : !gpu.async.token
    }
    %t4 = gpu.memcpy async [%t3] %x, %b : memref<16xf32>, memref<16xf32>
    %t5 = gpu.dealloc async [%t4] %a : memref<16xf32>
    %t6 = gpu.dealloc async [%t4] %b : memref<16xf32>
    gpu.wait [%t5, %t6]""",
        is_whole=True,
    ),
    Program(
        "elements of a grid",
        "Dialect/GPU: addf, and EltwiseAdd_BF16",
        "%x: memref<8x40xf32>, %y: memref<8x40xf32>",
        """%n = arith.constant 40 : index
%i = gpu.global_id x
%j = gpu.thread_id y
%k = gpu.block_id y
%size = gpu.block_dim y
%first = arith.muli %k, %size : index
%row = arith.addi %first, %j : index
%inside = arith.cmpi ult, %i, %n : index
scf.if %inside {
  %v = memref.load %x[%row, %i] : memref<8x40xf32>
  %w = memref.load %y[%row, %i] : memref<8x40xf32>
  %s = arith.addf %v, %w : f32
  memref.store %s, %y[%row, %i] : memref<8x40xf32>
}""",
        lambda x, y: {1: x + y},
        (3, 2, 1),
        (16, 4, 1),
        is_whole=True,
    ),
    Program(
        "a kernel in place",
        "GPU/gpu-launch",
        "%x: memref<4x16xf32>, %y: memref<4x16xf32>",
        "",
        lambda x, y: {1: x * 2 + np.arange(16)},
        host="""    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %lanes = arith.constant 16 : index
    %two = arith.constant 2.0 : f32
    %before = gpu.wait async
    %token = gpu.launch async [%before] blocks(%bx, %by, %bz) in (%gx = %four, %gy = %one, %gz = %one)
        threads(%tx, %ty, %tz) in (%sx = %lanes, %sy = %one, %sz = %one) workgroup(%w : memref<16xf32, 3>) {
      %v = memref.load %x[%bx, %tx] : memref<4x16xf32>
      %d = arith.mulf %v, %two : f32
      memref.store %d, %w[%tx] : memref<16xf32, 3>
      gpu.barrier
      %e = memref.load %w[%tx] : memref<16xf32, 3>
      %i = arith.index_cast %tx : index to i32
      %f = arith.sitofp %i : i32 to f32
      %g = arith.addf %e, %f : f32
      memref.store %g, %y[%bx, %tx] : memref<4x16xf32>
      gpu.terminator
    }
    gpu.wait [%token]""",
    ),
    Program(
        "branches and local memory of a kernel",
        "GPU/outlining",
        "%x: memref<32xf32>, %y: memref<32xf32>",
        """%i = gpu.thread_id x
%c31 = arith.constant 31 : index
%c16 = arith.constant 16 : index
%v = memref.load %x[%i] : memref<32xf32>
memref.store %v, %local[%i] : memref<32xf32, #gpu.address_space<workgroup>>
gpu.barrier
%low = arith.cmpi ult, %i, %c16 : index
cf.cond_br %low, ^first, ^second
^first:
%j = arith.subi %c31, %i : index
%w = memref.load %local[%j] : memref<32xf32, #gpu.address_space<workgroup>>
cf.br ^end(%w : f32)
^second:
%n = arith.negf %v : f32
cf.br ^end(%n : f32)
^end(%r: f32):
memref.store %r, %y[%i] : memref<32xf32>""",
        lambda x, y: {1: np.concatenate([x[:15:-1], -x[16:]])},
        block=(32, 1, 1),
        of_kernel="workgroup(%local: memref<32xf32, #gpu.address_space<workgroup>>)",
        is_whole=True,
    ),
    Program(
        "contractions and transfers of vectors",
        "Vector/contraction",
        "%x: memref<8x16xf32>, %y: memref<16x8xf32>, %z: memref<8x8xf32>",
        """%c0 = arith.constant 0 : index
%pad = arith.constant 0.0 : f32
%a = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]} : memref<8x16xf32>, vector<8x16xf32>
%b = vector.transfer_read %y[%c0, %c0], %pad : memref<16x8xf32>, vector<16x8xf32>
%c = arith.constant dense<1.0> : vector<8x8xf32>
%d = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
  iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<8x16xf32>, vector<16x8xf32> into vector<8x8xf32>
vector.transfer_write %d, %z[%c0, %c0] : vector<8x8xf32>, memref<8x8xf32>""",
        lambda x, y, z: {2: x @ y + 1},
        is_whole=True,
    ),
    Program(
        "a bias and a rectifier behind a product",
        "XeGPU/VC/gemm_postop",
        "%a: memref<8x16xf16>, %b: memref<16x16xf16>, %bias: memref<16xf32>, %c: memref<8x16xf32>",
        f"""{_C}{nd("ta", "a", "memref<8x16xf16>", "8x16xf16")}{nd("tb", "b", "memref<16x16xf16>", "16x16xf16")}
{nd("tc", "c", "memref<8x16xf32>", "8x16xf32")}{nd("td", "bias", "memref<16xf32>", "16xf32")}
%va = xegpu.load_nd %ta[%c0, %c0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
%vb = xegpu.load_nd %tb[%c0, %c0] : {BLOCK16} -> vector<16x16xf16>
%row = xegpu.load_nd %td[%c0] : !xegpu.tensor_desc<16xf32> -> vector<16xf32>
%s = xegpu.dpas %va, %vb : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
%rows = vector.broadcast %row : vector<16xf32> to vector<8x16xf32>
%t = arith.addf %s, %rows : vector<8x16xf32>
%zero = arith.constant dense<0.0> : vector<8x16xf32>
%r = arith.maximumf %t, %zero : vector<8x16xf32>
xegpu.store_nd %r, %tc[%c0, %c0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>""",
        lambda a, b, bias, c: {3: np.maximum(f32(a) @ f32(b) + bias, 0)},
        is_whole=True,
    ),
]


def _turned(x: np.ndarray) -> np.ndarray:
    local = x.copy()
    for _ in range(3):
        local[:, 1:] = (local[:, ::-1] + x)[:, 1:]
    return local


def _read_in_columns(x: np.ndarray) -> np.ndarray:
    found = np.full((4, 8), 9.0)
    found[:2, :3] = x[1:4, 2:4].T
    return found


def _repeated(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    found = z.copy()
    found[:2, :3] = np.broadcast_to(x[0, 1:4].view(np.int32), (2, 3))
    return found


def _shuffled(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    result = np.empty_like(y)
    for at in (0, 8):
        v, w = x[at : at + 8], y[at : at + 8].copy()
        w[:4, :16] = v[2:6, 16:]
        w[6], w[5, 1] = v[7], v[0, 3]
        result[at : at + 8] = np.concatenate([w, v])[[7, 6, 5, 4, 3, 2, 1, 8]]
    return result


def _put(array: np.ndarray, places: Sequence[int], values: Any) -> np.ndarray:
    result = array.copy()
    result[list(places)] = values
    return result
