"""The code blocks of the document on XeTile and XeGPU, as it prints them: they are read, lowered, and they run.

A block stands in a function whose parameters are the names that it uses. Its slips are notes (PYTL-1235); where it
breaks a rule of the document itself, the code is told.
"""

# The blocks have the blanks and the length of lines that the document gives them.
# ruff: noqa: E101, E501, W291

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pytl
from pytl.frontends.registry import find_frontend

BF16 = ml_dtypes.bfloat16
OFFSETS = """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c8 = arith.constant 8 : index
%yes = arith.cmpi eq, %c0, %c0 : index
%NAME:2 = scf.if %yes -> (index, index) {
  scf.yield %c8, %c1 : index, index
} else {
  scf.yield %c0, %c0 : index, index
}
"""
TILE_OFFSET, MOVED = OFFSETS.replace("NAME", "tile_offset"), OFFSETS.replace("NAME", "offsets")
A_LAYOUT = "#sg_map_a = xegpu.sg_map<{wi_layout = [1, 16], wi_data = [1, 1]}>\n"


@dataclass
class Block:
    """A block of the document, what stands around it, and what it computes of its arrays (rows first)."""

    text: str
    parameters: str = ""
    before: str = ""
    after: str = ""
    arrays: Callable[[], list[Any]] = list
    expected: Callable[..., None] | None = None
    codes: tuple[str, ...] = ()
    """What is told of it beside notes."""
    attributes: str = ""
    notes: int | None = None

    def __str__(self) -> str:
        signature = f"func.func @f({self.parameters}) {self.attributes}{{"
        return "\n".join((signature, self.before, self.text, self.after, "return\n}"))


def numbers(*shape: int, dtype: Any = np.float32, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def padded(array: np.ndarray, row: int, column: int, shape: tuple[int, int], padding: float = 0) -> np.ndarray:
    found = np.full((array.shape[0] + 128, array.shape[1] + 128), padding, array.dtype)
    found[: array.shape[0], : array.shape[1]] = array
    return found[row : row + shape[0], column : column + shape[1]]


def two(dtype: Any, *shapes: tuple[int, ...]) -> Callable[[], list[Any]]:
    return lambda: [numbers(*shape, dtype=dtype, seed=seed) for seed, shape in enumerate(shapes)]


def copies(row: int, column: int, shape: tuple[int, int], turned: bool = False, padding: float = 0) -> Any:
    """The block of the first array is stored at the beginning of the second."""

    def expected(a: np.ndarray, b: np.ndarray) -> None:
        block = padded(a, row, column, shape, padding)
        block = block.T if turned else block
        b[: block.shape[0], : block.shape[1]] = block[: b.shape[0], : b.shape[1]]

    return expected


def store_of(name: str, shape: str, element: str = "bf16", memory: str = "128x128") -> str:
    return f"""%out = xetile.init_tile %B, [0, 0] : memref<{memory}x{element}> into tile<{shape}x{element}>
xetile.store_tile {name}, %out : vector<{shape}x{element}>, tile<{shape}x{element}>"""


def copy_tile(name: str) -> str:
    return f"%v = xetile.load_tile {name} : tile<8x16xbf16> into vector<8x16xbf16>\n" + store_of("%v", "8x16")


TILE_64 = "%tile_a = xetile.init_tile %A, [96, 80] : memref<128x128xbf16> into tile<SHAPExbf16>\n"
TWO_128 = "%A: memref<128x128xbf16>, %B: memref<128x128xbf16>"
METADATA = """%mem, %first, %base_shape:2, %base_strides:2 = memref.extract_strided_metadata %base_memref
  : memref<?x?xbf16> -> memref<bf16>, index, index, index, index, index
"""


def products(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    c[:64, :128] = a[:64, :32].astype(np.float32) @ b[:32, :128].astype(np.float32)


def sums(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    c[:64, :128] += a[:64, :32].astype(np.float32) @ b[:32, :128].astype(np.float32)


FACTORS = """%ta = xetile.init_tile %A, [0, 0] : memref<64x32xbf16> into tile<64x32xbf16>
%tb = xetile.init_tile %B, [0, 0] : memref<32x128xbf16> into tile<32x128xbf16>
%tc = xetile.init_tile %C, [0, 0] : memref<64x128xf32> into tile<64x128xf32>
%vector_a = xetile.load_tile %ta : tile<64x32xbf16> into vector<64x32xbf16>
%vector_b = xetile.load_tile %tb : tile<32x128xbf16> into vector<32x128xbf16>
"""
PRODUCT = "%A: memref<64x32xbf16>, %B: memref<32x128xbf16>, %C: memref<64x128xf32>"
STORED = "xetile.store_tile NAME, %tc : vector<64x128xf32>, tile<64x128xf32>"


def product_arrays() -> list[Any]:
    return [numbers(64, 32, dtype=BF16), numbers(32, 128, dtype=BF16, seed=1), numbers(64, 128, seed=2)]


TILES = {
    "init_tile": Block(
        """  %block = XeTile.init_tile %base_memref, [%tile_offset:2] :
     memref<128x128xbf16> into tile<8x16xbf16 >""",
        "%base_memref: memref<128x128xbf16>, %B: memref<128x128xbf16>",
        TILE_OFFSET, copy_tile("%block"), two(BF16, (128, 128), (128, 128)), copies(8, 1, (8, 16)), notes=0,
    ),
    "init_tile of a dynamic memref": Block(
        """  %block = XeTile.init_tile %base_memref, [%tile_offset:2], [%base_shape:2], [%base_strides:2]:
     memref<?x?xbf16> into tile<8x16xbf16>""",
        "%base_memref: memref<?x?xbf16>, %B: memref<128x128xbf16>",
        TILE_OFFSET + METADATA, copy_tile("%block"), two(BF16, (12, 14), (128, 128)), copies(8, 1, (8, 16)), notes=0,
    ),
    "init_tile of an address": Block(
        """  %block = XeTile.init_tile %base_addr, [%tile_offset:2], [%base_shape:2], [%base_strides:2]:
     i64 into tile<8x16xbf16>""",
        "%base_addr: i64, %base_memref: memref<?x?xbf16>, %B: memref<128x128xbf16>",
        TILE_OFFSET + METADATA, copy_tile("%block"),
        lambda: [numbers(12 * 14, dtype=BF16), numbers(12, 14, dtype=BF16), numbers(128, 128, dtype=BF16)],
        lambda a, m, b: copies(8, 1, (8, 16))(a.reshape(12, 14), b), notes=0,
    ),
    "load_tile": Block(
        """  %vector_a = XeTile.load_tile %tile_a   
     tile<64x64xbf16> into vector <64x64xb16>""",
        TWO_128, TILE_64.replace("SHAPE", "64x64"), store_of("%vector_a", "64x64"),
        two(BF16, (128, 128), (128, 128)), copies(96, 80, (64, 64)), notes=2,
    ),
    "load_tile transposed": Block(
        """  %vector_a = XeTile.load_tile  %tile_a  { transpose = [1, 0] } :
     tile<32x64xbf16> into vector <64x32xbf16>""",
        TWO_128, TILE_64.replace("SHAPE", "32x64"), store_of("%vector_a", "64x32"),
        two(BF16, (128, 128), (128, 128)), copies(96, 80, (32, 64), turned=True), notes=0,
    ),
    "load_tile padded": Block(
        """  %vector_a = XeTile.load_tile %tile_a  { padding = 1.0 }
     tile<64x64xbf16> into vector <64x64xb16>""",
        TWO_128, TILE_64.replace("SHAPE", "64x64"), store_of("%vector_a", "64x64"),
        two(BF16, (128, 128), (128, 128)), copies(96, 80, (64, 64), padding=1), notes=2,
    ),
    "store_tile": Block(
        """  XeTile.store_tile %tile_a  %vector_a  :
   vector <64x64xbf16> into tile<64x64xbf16> """,
        "%B: memref<128x128xbf16>, %A: memref<128x128xbf16>",
        TILE_64.replace("SHAPE", "64x64")
        + """%from = xetile.init_tile %B, [0, 0] : memref<128x128xbf16> into tile<64x64xbf16>
%vector_a = xetile.load_tile %from : tile<64x64xbf16> into vector<64x64xbf16>""",
        "", two(BF16, (128, 128), (128, 128)),
        lambda b, a: a.__setitem__((slice(96, 128), slice(80, 128)), b[:32, :48]), notes=1,
    ),
    "prefetch_tile": Block(
        "  XeTile.prefetch_tile %coop_tile:  tile<8x8xbf16> ",
        "%A: memref<128x128xbf16>",
        "%coop_tile = xetile.init_tile %A, [0, 0] : memref<128x128xbf16> into tile<8x8xbf16>",
        "", two(BF16, (128, 128)), lambda a: None, notes=0,
    ),
    "tile_mma": Block(
        """  %vector_d = XeTile.tile_mma %vector_a, %vector_b, %vector_c   :
     vector <64x128xfloat>, vector <64x32xbf16>, vector<32x128xbf16>
	   into vector <64x128xfloat>  """,
        PRODUCT, FACTORS + "%vector_c = xetile.load_tile %tc : tile<64x128xf32> into vector<64x128xf32>",
        STORED.replace("NAME", "%vector_d"), product_arrays, sums, notes=0,
    ),
    "tile_mma of the table": Block(
        "%vector_d = XeTile.tile_mma %vector_c, %vector_a, %vector_b : vector <64x128xfloat>, vector <64x32xbf16>, "
        "vector<32x128xbf16>  into vector <64x128xfloat>  ",
        PRODUCT, FACTORS + "%vector_c = xetile.load_tile %tc : tile<64x128xf32> into vector<64x128xf32>",
        STORED.replace("NAME", "%vector_d"), product_arrays, sums, notes=0,
    ),
    "tile_mma without a sum": Block(
        """  %vector_c = XeTile.tile_mma %vector_a, %vector_b   :
     vector <64x32xbf16>, vector<32x128xbf16>
	   into vector <64x128xfloat>  """,
        PRODUCT, FACTORS, STORED.replace("NAME", "%vector_c"), product_arrays, products, notes=0,
    ),
    "update_tile_offset": Block(
        """  %tile_updated = XeTile.update_tile_offset %tile, %offset_x, offset_y :
		tile<64x64xbf16>, index, index into tile <64x64xbf16>""",
        TWO_128 + ", %offset_x: index, %offset_y: index",
        "%tile = xetile.init_tile %A, [3, 4] : memref<128x128xbf16> into tile<64x64xbf16>",
        "%v = xetile.load_tile %tile_updated : tile<64x64xbf16> into vector<64x64xbf16>\n" + store_of("%v", "64x64"),
        lambda: [*two(BF16, (128, 128), (128, 128))(), 70, 80],
        lambda a, b, x, y: copies(73, 84, (64, 64))(a, b), notes=1,
    ),
    "layouts": Block(
        """   %a_init_tile = xetile.init_tile %A[%m, %c0] : memref<1024x1024xf16> -> !xetile.tile<128x128xf16, #xe_map_a>""",
        "%A: memref<1024x1024xf16>, %m: index",
        """#wg_map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 128]>
   #sg_map_a = #xetile.sg_map<wi_layout = [2, 8], wi_data = [1, 2]>
   #xe_map_a = #xetile.xe_map<wg = #wg_map_a, sg = #sg_map_a>
%c0 = arith.constant 0 : index""",
        "", lambda: [numbers(1024, 1024, dtype=np.float16), 3], lambda a, m: None, notes=0,
    ),
}  # fmt: skip
MAP_28 = "#sg_map_a = xegpu.sg_map<{wi_layout = [2, 8], wi_data = [1, 2]}>\n"
TDESC = (
    "%tdesc2 = xegpu.create_nd_tdesc %A, %offsets:2 : memref<128x128xELEMENT>, index, index into tensor_desc<TYPE>\n"
)
ADDRESS = "%mem_addr: uint64, %base_memref: memref<?x?xbf16>, %B: memref<128x128xbf16>"
META = METADATA.replace("%base_strides", "%base_stride").replace("%mem,", "%mem0,")


def address_arrays() -> list[Any]:
    return [numbers(20 * 24, dtype=BF16), numbers(20, 24, dtype=BF16), numbers(128, 128, dtype=BF16)]


def from_address(a: np.ndarray, m: np.ndarray, b: np.ndarray) -> None:
    copies(8, 1, (8, 16))(a.reshape(20, 24), b)


LOADED = "%value = xegpu.load_nd NAME {mode = vc} : tensor_desc<8x16xbf16> into vector<8x16xbf16>\n"
SPREAD = "%lane = vector.step : vector<16xindex>\n%true = arith.constant dense<true> : vector<16xi1>\n"
ONE_LANE = "%lane = gpu.lane_id\n%true = arith.constant true\n"
LINEAR = "%mem_addr: uint64, %B: memref<64xi8>"
BLOCKS = {
    "create_nd_tdesc, VC": Block(
        """%tdesc2 = XeGPU.create_nd_tdesc %mem_addr, %offsets:2, %base_shape:2,%base_stride:2 {mode =vc}
		: uint64, index, index, index, index, index, index
     	into tensor_desc <8x16xbf16>""",
        ADDRESS, MOVED + META, LOADED.replace("NAME", "%tdesc2") + store_of("%value", "8x16"),
        address_arrays, from_address, notes=0,
    ),
    "create_nd_tdesc, SIMT": Block(
        """ #sg_map_a = xegpu.sg_map<{wi_layout = [2, 8], wi_data = [1, 2]}>
%tdesc2 = XeGPU.create_nd_tdesc %mem_addr, %offsets:2, %base_shape:2,%base_stride:2 
		: uint64, index, index, index, index, index, index
     	into tensor_desc <8x1xbf16, #sg_map_a>""",
        ADDRESS, MOVED + META, codes=("PYTL-0633",),
    ),
    "create_nd_tdesc of a memref": Block(
        """  %tdesc2 = XeGPU.create_nd_tdesc %mref, %offsets:2 
		: memref<1024x1024xbf16>, index, index
     	into tensor_desc <8x16xbf16>""",
        "%mref: memref<1024x1024xbf16>, %B: memref<128x128xbf16>", MOVED,
        LOADED.replace("NAME", "%tdesc2") + store_of("%value", "8x16"),
        two(BF16, (1024, 1024), (128, 128)), copies(8, 1, (8, 16)), notes=0,
    ),
    "create_nd_tdesc of one dimension": Block(
        """  #sg_map_a = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [1, 1]}>
  %tdesc1 = XeGPU.create _nd_tdesc %mem_addr, %offset  
		{memory_scope=slm, boundary_check=false}: 
		uint64, index into tensor_desc <16xbf16, #sg_map_a>""",
        "%mem_addr: uint64, %offset: index", codes=("PYTL-1251",),
    ),
    "create_nd_tdesc of one dimension, VC": Block(
        """  %tdesc1 = XeGPU.create _nd_tdesc %mem_addr, %offset  
		{memory_scope=slm, boundary_check=false, mode = vc}: 
		uint64, index into tensor_desc <16xbf16>""",
        "%mem_addr: uint64, %offset: index", codes=("PYTL-1251",),
    ),
    "load_nd, SIMT": Block(
        """  %result = XeGPU.load_nd %tdesc2 {L1_hint = uncached, L3_hint = uncached }: 
          tensor_desc <8x16xbf16, #sg_map_a > into vector<8x1xbf16 >""",
        TWO_128, MAP_28 + MOVED + TDESC.replace("ELEMENT", "bf16").replace("TYPE", "8x16xbf16, #sg_map_a"),
        """%o = xegpu.create_nd_tdesc %B, %c0, %c0 : memref<128x128xbf16>, index, index into tensor_desc<8x16xbf16, #sg_map_a>
xegpu.store_nd %result, %o : vector<8x1xbf16>, tensor_desc<8x16xbf16, #sg_map_a>""",
        two(BF16, (128, 128), (128, 128)), copies(8, 1, (8, 16)), notes=0,
    ),
    "load_nd, VC": Block(
        """  %result = XeGPU.load_nd %tdesc2 {L1_hint = uncached, L3_hint = uncached, mode = vc }: 
          tensor_desc <8x16xbf16> into vector<8x16xbf16>""",
        TWO_128, MOVED + TDESC.replace("ELEMENT", "bf16").replace("TYPE", "8x16xbf16"), store_of("%result", "8x16"),
        two(BF16, (128, 128), (128, 128)), copies(8, 1, (8, 16)), notes=0,
    ),
    "load_nd transposed": Block(
        """  %at = XeGPU.load_nd %block_a   {transpose = [1,0]  mode = vc}:
     tile<8x16xf32> into vector <16x8xf32>""",
        "%A: memref<128x128xf32>, %B: memref<128x128xf32>",
        MOVED + TDESC.replace("ELEMENT", "f32").replace("TYPE", "8x16xf32").replace("%tdesc2", "%block_a"),
        store_of("%at", "16x8", "f32"), two(np.float32, (128, 128), (128, 128)),
        copies(8, 1, (8, 16), turned=True), notes=1,
    ),
    "load_nd transposed, SIMT": Block(
        """  #sg_map_a = xegpu.sg_map<{wi_layout = [1, 16], wi_data = [1, 1]}>
  %at = XeGPU.load_nd %block_a   {transpose = [1,0] }:
     tile<8x16xf32, #sg_map > into vector <1x8xf32>""",
        "%A: memref<128x128xf32>", MOVED + "#sg_map_a = xegpu.sg_map<{wi_layout = [1, 16], wi_data = [1, 1]}>\n"
        + TDESC.replace("ELEMENT", "f32").replace("TYPE", "8x16xf32, #sg_map_a").replace("%tdesc2", "%block_a"),
        codes=("PYTL-1234",),
    ),
    "store_nd": Block(
        """  XeGPU.store_nd %value, %tdesc2  { mode = vc}:
          vector<8x16xbf16>, tensor_desc <8x16xbf16> """,
        TWO_128, "%from = xegpu.create_nd_tdesc %A, 0, 0 : memref<128x128xbf16>, index, index into tensor_desc<8x16xbf16>\n"
        + LOADED.replace("NAME", "%from") + MOVED
        + TDESC.replace("%A", "%B").replace("ELEMENT", "bf16").replace("TYPE", "8x16xbf16"), "",
        two(BF16, (128, 128), (128, 128)),
        lambda a, b: b.__setitem__((slice(8, 16), slice(1, 17)), a[:8, :16]), notes=0,
    ),
    "store_nd, SIMT": Block(
        """  #sg_map_c = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [1, 1]}>
  XeGPU.store_nd %value, %tdesc2:
          vector<8x1xfp32>, tensor_desc <8x16xfp32, #sg_map_c > """,
        "%A: memref<128x128xf32>", "#sg_map_d = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [1, 1]}>\n" + MOVED
        + TDESC.replace("ELEMENT", "f32").replace("TYPE", "8x16xf32, #sg_map_d")
        + "%value = arith.constant dense<3.0> : vector<8x1xf32>", "", two(np.float32, (128, 128)),
        lambda a: a.__setitem__((slice(8, 16), slice(1, 17)), 3), notes=0,
    ),
    "prefetch_nd": Block(
        """  XeGPU.prefetch_nd %tdesc2 {mode = vc} : tensor_desc <8x16xbf16 >  """,
        "%A: memref<128x128xbf16>", MOVED + TDESC.replace("ELEMENT", "bf16").replace("TYPE", "8x16xbf16"),
        "", two(BF16, (128, 128)), lambda a: None, notes=0,
    ),
    "update_nd_offset": Block(
        """  %tdesc_updated = XeGpu.update_nd_offset %tdesc, %offsets:2 {mode = vc}:
  	  tensor_desc<8x16xbf16>, index, index into tensor_desc<8x16xbf16>""",
        TWO_128, MOVED + TDESC.replace("ELEMENT", "bf16").replace("TYPE", "8x16xbf16").replace("%tdesc2", "%tdesc"),
        LOADED.replace("NAME", "%tdesc_updated") + store_of("%value", "8x16"),
        two(BF16, (128, 128), (128, 128)), copies(16, 2, (8, 16)), notes=0,
    ),
    "create_tdesc": Block(
        """  %scatter_tdesc0 = XeGPU.create_tdesc %mem_addr, %offsets, mode = vc}:
     	uint64, Vector<16 x index>, into tensor_desc<16 x uint8, #scattered>
  %result0 = XeGPU.load_gather %scatter_tdesc0, %mask {L1_hint = cached, L2_hint = uncached, mode = vc}: 
        	  tensor_desc <16xuint8, #Scattered>, vector<16xi1> into vector<16xuint8>""",
        LINEAR, SPREAD + """%three = arith.constant dense<3> : vector<16xindex>
%ten = arith.constant dense<10> : vector<16xindex>
%offsets = arith.muli %lane, %three : vector<16xindex>
%mask = arith.cmpi slt, %lane, %ten : vector<16xindex>""",
        """%o = xegpu.create_tdesc %B, %lane {mode = vc} : memref<64xi8>, vector<16xindex> -> tensor_desc<16xi8, #scattered>
xegpu.store_scatter %result0, %o, %true {mode = vc} : vector<16xi8>, tensor_desc<16xi8, #scattered>, vector<16xi1>
XeGPU.prefetch %scatter_tdesc0  {mode = vc}: tensor_desc <16xuint8, #scattered>""",
        lambda: [numbers(48, dtype=np.int8), numbers(64, dtype=np.int8)],
        lambda a, b: b.__setitem__(slice(0, 16), np.where(np.arange(16) < 10, a[:46:3], 0)),
    ),
    "create_tdesc, SIMT": Block(
        """  #sg_map_a = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [1, 1]}>
  %scatter_tdesc0 = XeGPU.create_tdesc %mem_addr, %offsets { mode = vc}:
     	uint64, index, into tensor_desc<16 x uint8, #scattered, #sg_map_a>""",
        "%mem_addr: uint64, %offsets: index", codes=("PYTL-1237", "PYTL-1244"),
    ),
    "load_gather, SIMT": Block(
        """  %result0 = XeGPU.load_gather %scatter_tdesc0, %mask {L1_hint = cached, L2_hint = uncached }: 
        	  tensor_desc <16xuint8, #Scattered, #sg_map_a>, i1 into uint8""",
        LINEAR, A_LAYOUT + ONE_LANE + """%seven = arith.constant 7 : index
%mask = arith.cmpi sge, %lane, %seven : index
%scatter_tdesc0 = xegpu.create_tdesc %mem_addr, %lane : uint64, index into tensor_desc<16xuint8, #scattered, #sg_map_a>""",
        """%o = xegpu.create_tdesc %B, %lane : memref<64xi8>, index into tensor_desc<16xi8, #scattered, #sg_map_a>
%moved = XeGpu.update_offset %o, %seven : tensor_desc<16xi8, #scattered, #sg_map_a>, index into tensor_desc<16xi8, #scattered, #sg_map_a>
XeGPU.store_scatter %result0, %moved, %true : uint8, i1, tensor_desc<16xi8, #scattered, #sg_map_a>""",
        lambda: [numbers(48, dtype=np.int8), numbers(64, dtype=np.int8)],
        lambda a, b: b.__setitem__(slice(7, 23), np.where(np.arange(16) >= 7, a[:16], 0)),
    ),
    "chunks, SIMT": Block(
        """  #sg_map_a = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [8, 1]}>
  %scatter_tdesc_chunk = XeGPU.create_tdesc, %base_addr, %offsets 
		{memory_scope=slm, chunk_size_per_lane=8 }: 
		uint64, index into tensor_desc <16x8xuint16, #scattered, #sg_map_a>""",
        "%base_addr: uint64, %offsets: index", codes=("PYTL-1251", "PYTL-1245"),
    ),
    "chunks": Block(
        """  %scatter_tdesc_chunk = XeGPU.create_tdesc, %base_addr, %offsets 
		{memory_scope=slm, chunk_size_per_lane=8, mode = vc}: 
		memref<128xbf16, 3>, vector<16xindex> into tensor_desc <16x8xbf16, #scattered>
%result = XeGPU.load_gather %scatter_tdesc_chunk, %mask  {L1 = cached, L2 = uncached, transpose=[1,0], mode = vc}: 
          tensor_desc <16x8xbf16, #Scattered>, vector<16xi1> -> vector<8x16xbf16>""",
        "%A: memref<128xbf16>, %B: memref<128xbf16>", SPREAD + """%mask = arith.constant dense<true> : vector<16xi1>
%base_addr = memref.alloca() : memref<128xbf16, 3>
%eight = arith.constant dense<8> : vector<16xindex>
%offsets = arith.muli %lane, %eight : vector<16xindex>
%g = xegpu.create_tdesc %A, %offsets {chunk_size_per_lane = 8, mode = vc} : memref<128xbf16>, vector<16xindex> into tensor_desc<16x8xbf16, #scattered>
%l = xegpu.create_tdesc %base_addr, %offsets {memory_scope = slm, chunk_size_per_lane = 8, mode = vc} : memref<128xbf16, 3>, vector<16xindex> into tensor_desc<16x8xbf16, #scattered>
%x = xegpu.load_gather %g, %mask {transpose = [1, 0], mode = vc} : tensor_desc<16x8xbf16, #scattered>, vector<16xi1> into vector<8x16xbf16>
xegpu.store_scatter %x, %l, %mask {mode = vc} : vector<8x16xbf16>, tensor_desc<16x8xbf16, #scattered>, vector<16xi1>
gpu.barrier""",
        """%twice = arith.addf %result, %result : vector<8x16xbf16>
%o = xegpu.create_tdesc %B, %offsets {chunk_size_per_lane = 8, mode = vc} : memref<128xbf16>, vector<16xindex> into tensor_desc<16x8xbf16, #scattered>
xegpu.store_scatter %twice, %o, %mask {mode = vc} : vector<8x16xbf16>, tensor_desc<16x8xbf16, #scattered>, vector<16xi1>""",
        two(BF16, (128,), (128,)), lambda a, b: b.__setitem__(slice(None), a + a),
    ),
    "update_offsets": Block(
        """%tdesc_updated = XeGpu.update_offsets %scatter_tdesc1, %offsets  {mode = vc}:
  	tensor_desc <16xuint16, #scattered>, vector<16xuint16>, into tensor_desc <16xuint16, #scattered>
XeGPU.store_scatter %value, %tdesc_updated, %mask  { mode = vc}: 
     	 vector<16xuint16>, vector<16xi1>, tensor_desc <16xuint16, #scattered>""",
        "%A: memref<40000xi16>", SPREAD + """%mask = arith.constant dense<true> : vector<16xi1>
%value = arith.constant dense<5> : vector<16xi16>
%offsets = arith.constant dense<-32768> : vector<16xi16>
%scatter_tdesc1 = xegpu.create_tdesc %A, %lane {mode = vc} : memref<40000xi16>, vector<16xindex> into tensor_desc<16xi16, #scattered>""",
        "", lambda: [numbers(40000, dtype=np.int16)], lambda a: a.__setitem__(slice(32768, 32784), 5),
    ),
    "atomic_rmw": Block(
        """  %ret_value = XeGPU.atomic_rmw “addf” %value, %scatter_Desc1, %mask {mode = vc}: 
          vector<16xbf16>, tensor_desc <16xbf16, #scattered>, vector<16xi1> to vector<16xbf16>""",
        "%A: memref<64xbf16>", SPREAD + """%mask = arith.constant dense<true> : vector<16xi1>
%zero = arith.constant dense<0> : vector<16xindex>
%value = arith.constant dense<1.0> : vector<16xbf16>
%scatter_Desc1 = xegpu.create_tdesc %A, %zero {mode = vc} : memref<64xbf16>, vector<16xindex> into tensor_desc<16xbf16, #scattered>""",
        "", two(BF16, (64,)), lambda a: a.__setitem__(0, a[0] + BF16(16)), notes=0,
    ),
    "atomic_rmw, SIMT": Block(
        """  #sg_map = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [1, 1]}>
  %ret_value = XeGPU.atomic_rmw “addf” %value, %scatter_Desc1, %mask}: 
          bf16, tensor_desc <16xbf16, #scattered, #sg_map>, i1 to bf16""",
        "%A: memref<64xbf16>", A_LAYOUT + ONE_LANE + """%mask = arith.constant true
%value = arith.constant 1.0 : bf16
%scatter_Desc1 = xegpu.create_tdesc %A, %lane : memref<64xbf16>, index into tensor_desc<16xbf16, #scattered, #sg_map_a>""",
        "", two(BF16, (64,)), lambda a: a.__setitem__(slice(0, 16), a[:16] + BF16(1)), notes=1,
    ),
    "named barriers": Block(
        """  XeGPU.alloc_nbarrier %nbarrier_count: i8
  %nbarrier  = XeGPU.create_nbarrier  %nbarrier_id, %nbarrier_role, {num_producers = 2, num_consumers = 2} : i8, i8, nbarrier_role into nbarrier
  XeGPU.nbarrier_arrive %nbarrier  
  XeGPU. nbarrier_wait %nbarrier  
XeGPU.compile_hint {hint=schedule_barrier}
  XeGPU.mfence { {memory_kind = "ugm" , fence_op = "none", fence_scope = "local"}""",
        "%A: memref<32xi32>, %B: memref<32xi32>", """%nbarrier_count = arith.constant 1 : i8
%nbarrier_id = arith.constant 0 : i8
%nbarrier_role = arith.constant 0 : i8
%sg = gpu.subgroup_id : index
%lane = gpu.lane_id
%c16 = arith.constant 16 : index
%c31 = arith.constant 31 : index
%b = arith.muli %sg, %c16 : index
%i = arith.addi %b, %lane : index
%x = memref.load %A[%i] : memref<32xi32>
memref.store %x, %B[%i] : memref<32xi32>""",
        """%j = arith.subi %c31, %i : index
%y = memref.load %B[%j] : memref<32xi32>
memref.store %y, %A[%i] : memref<32xi32>""",
        two(np.int32, (32,), (32,)),
        lambda a, b: (b.__setitem__(slice(None), a.copy()), a.__setitem__(slice(None), b[::-1])),
        attributes="attributes {known_block_size = array<i32: 32, 1, 1>} ",
    ),
    "mfence of the table": Block("XeGPU.mfence {fence_scope = global}", codes=("PYTL-1249",)),
}  # fmt: skip
VNNI = """  %bt = XeGPU.load_nd %block_b   {vnni_axis = 0, mode = vc }:
     tile<16x16xbf16> into vector <8x16x2xbf16>
  %at = XeGPU.load_nd %block_a   {vnni_axis  = 1, mode = vc}:
     tile<8x16xbf16> into vector <8x8x2xbf16>
  %vector_c = XeGPU.dpas %at, %bt   { mode = vc}:
     vector <8x8x2xbf16>, vector<8x16x2xbf16> 
	   into vector <8x16xfloat>   
%vector_d = XeGPU.dpas %vector_c, %at, %bt    vector <8x16xfloat> , vector <8x8x2xbf16>, vector<8x16x2xbf16>  -> vector <8x16xfloat>
  XeGPU.store_nd %vector_d, %block_c {mode = vc} : vector<8x16xf32>, tensor_desc<8x16xf32>"""
VNNI_SIMT = """  #sg_map_b = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [2, 1]}>
  %bt = XeGPU.load_nd %block_b   {vnni_axis = 0 }:
     tile<16x16xbf16, #sg_map_b> into vector <8x1x2xbf16>
  #sg_map_a = xegpu.sg_map<{ wi_layout = [2, 8], wi_data = [1, 2]}>
  %at = XeGPU.load_nd %block_a   {vnni_axis  = 1 }:
     tile<8x16xbf16, #sg_map_a> into vector <4x1x2xbf16>
  %vector_c = XeGPU.dpas %at, %bt :
     vector <4x2xbf16>, vector<8x2xbf16> 
	   into vector <8x1xfloat>   
%again = scf.for %i = %z to %n step %o iter_args(%c = %vector_c) -> (vector<8x1xf32>) {
  %d = arith.addf %c, %vector_c : vector<8x1xf32>
  scf.yield %d : vector<8x1xf32>
}
  XeGPU.store_nd %again, %block_c : vector<8x1xf32>, tensor_desc<8x16xf32, #sg_map_c>"""


def vnni_product(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> None:
    c[:] = 2 * (a.astype(np.float32) @ b.astype(np.float32))


def descriptors(maps: str = "") -> str:
    found = ""
    for name, shape in (("a", "8x16xbf16"), ("b", "16x16xbf16"), ("c", "8x16xf32")):
        map_ = f", #sg_map_{name}" if maps else ""
        found += f"%block_{name} = xegpu.create_nd_tdesc %{name.upper()}, 0, 0 : memref<{shape}>, index, index "
        found += f"into tensor_desc<{shape}{map_}>\n"
    return maps + found


MAPS = """#sg_map_a = xegpu.sg_map<{ wi_layout = [2, 8], wi_data = [1, 2]}>
#sg_map_b = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [2, 1]}>
#sg_map_c = xegpu.sg_map<{ wi_layout = [1, 16], wi_data = [1, 1]}>
%z = arith.constant 0 : index
%o = arith.constant 1 : index
%n = arith.constant 1 : index
"""
SMALL = "%A: memref<8x16xbf16>, %B: memref<16x16xbf16>, %C: memref<8x16xf32>"
for name, text, before in (("dpas", VNNI, descriptors()), ("dpas, SIMT", VNNI_SIMT, descriptors(MAPS))):
    BLOCKS[name] = Block(
        text, SMALL, before, "",
        lambda: [numbers(8, 16, dtype=BF16), numbers(16, 16, dtype=BF16, seed=1), numbers(8, 16)], vnni_product,
    )  # fmt: skip
ALL = {**TILES, **BLOCKS}


@pytest.mark.parametrize("name", ALL)
def test_a_block_of_the_document(name: str) -> None:
    block = ALL[name]
    if block.codes:
        with pytest.raises(pytl.LanguageError) as caught:
            pytl.compile(str(block), language="xetile")
        told = {each.code for each in caught.value.diagnostics if each.severity == "error"}
        assert told == set(block.codes)
        return
    kernel = pytl.compile(str(block), language="xetile")["f"]
    notes = find_frontend("xetile", "").read(str(block), "<text>").diagnostics.items
    assert all(each.code == "PYTL-1235" for each in notes)
    if block.notes is not None:
        assert len(notes) == block.notes
    given = block.arrays()
    wanted = [array.copy() if isinstance(array, np.ndarray) else array for array in given]
    assert block.expected is not None
    block.expected(*wanted)
    kernel[1](*(array.T if isinstance(array, np.ndarray) else array for array in given), backend="reference")
    for found, expected in zip(given, wanted):
        np.testing.assert_array_equal(found, expected)


TODAY = ["tile_mma", "dpas", "dpas, SIMT", "update_offsets", "chunks", "create_nd_tdesc, VC"]


@pytest.mark.at_most(2)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("name", TODAY)
def test_it_runs_as_todays_xegpu(name: str) -> None:
    """The text that is printed of it is verified by mlir-opt, and executed."""
    block = ALL[name]
    kernel = pytl.compile(str(block), language="xetile")["f"]
    given = block.arrays()
    wanted = [array.copy() for array in given]
    assert block.expected is not None
    block.expected(*wanted)
    kernel[1, {"interpreted": True, "blocks": "preferred"}](*(array.T for array in given), backend="xegpu")
    for found, expected in zip(given, wanted):
        np.testing.assert_array_equal(found, expected)
