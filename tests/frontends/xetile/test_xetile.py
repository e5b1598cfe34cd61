"""Texts of the document on XeTile: they run as they are printed, and what is wrong in them is told at its place."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import pytl

GEMM = """// C = A B, of blocks of 64 x 32
#wg_map_a = #xetile.wg_map<sg_layout = [2, 2], sg_data = [32, 16]>
#sg_map_a = #xetile.sg_map<wi_layout = [2, 8], wi_data = [1, 2]>
#xe_map_a = #xetile.xe_map<wg = #wg_map_a, sg = #sg_map_a>
func.func @gemm(%A: memref<AROWSx70xbf16>, %B: memref<70x80xbf16>, %C: memref<96x80xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c70 = arith.constant 70 : index
  %first = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : vector<64x32xfloat>
  %g = gpu.block_id x
  %j = arith.muli %g, %c32 : index
  %a0 = XeTile.init_tile %A, [%first, %c0] : memref<AROWSx70xbf16> into tile<64x32xbf16, #xe_map_a>
  %b0 = xetile.init_tile %B[%c0, %j] : memref<70x80xbf16> -> !xetile.tile<32x32xbf16>
  %r:3 = scf.for %k = %c0 to %c70 step %c32 iter_args(%a = %a0, %b = %b0, %c = %zero)
      -> (tile<64x32xbf16, #xe_map_a>, !xetile.tile<32x32xbf16>, vector<64x32xf32>) {
    %va = XeTile.load_tile %a : tile<64x32xbf16, #xe_map_a> into vector <64x32xbf16>
    %vb = XeTile.load_tile %b { padding = 1.0 } : tile<32x32xbf16> into vector<32x32xbf16>
    %vector_c = XeTile.tile_mma %va, %vb, %c :
     vector <64x32xfloat>, vector <64x32xbf16>, vector<32x32xbf16>
       into vector <64x32xfloat>
    %an = XeTile.update_tile_offset %a, %c0, %c32 :
      tile<64x32xbf16, #xe_map_a>, index, index into tile <64x32xbf16, #xe_map_a>
    %bn = XeTile.update_tile_offset %b, %c32, %c0 : tile<32x32xbf16>, index, index into tile <32x32xbf16>
    XeTile.prefetch_tile %bn:  tile<32x32xbf16>
    scf.yield %an, %bn, %vector_c : tile<64x32xbf16, #xe_map_a>, tile<32x32xbf16>, vector<64x32xf32>
  }
  %ct = XeTile.init_tile %C, [%first, %j] : memref<96x80xf32> into tile<64x32xf32>
  XeTile.store_tile %ct  %r#2 : vector<64x32xf32> into tile<64x32xf32>
  return
}
"""


def numbers(*shape: int, dtype: object = np.float32, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("rows", ["96", "?"])
@pytest.mark.parametrize("backend", ["reference", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_a_product_of_the_document_runs(backend: str, rows: str) -> None:
    """Rows and columns that no tile divides; what lies outside of A is zero, so that the padding of B adds nothing."""
    kernel = pytl.compile(GEMM.replace("AROWS", rows), language="xetile")["gemm"]
    a, b = numbers(96, 70, dtype=ml_dtypes.bfloat16), numbers(70, 80, dtype=ml_dtypes.bfloat16, seed=1)
    c = np.full((96, 80), 9, np.float32)
    expected = c.copy()
    expected[64:] = a[64:].astype(np.float32) @ b.astype(np.float32)
    kernel[3](a.T, b.T, c.T, backend=backend)
    np.testing.assert_array_equal(c, expected)


def body_of(lines: str, parameters: str = "%A: memref<20x40xf32>, %B: memref<40x20xf32>") -> str:
    return f"func.func @f({parameters}) {{\n%c0 = arith.constant 0 : index\n{lines}\nreturn\n}}"


def test_a_tile_is_transposed_and_padded() -> None:
    text = body_of("""%a = XeTile.init_tile %A, [3, 12] : memref<20x40xf32> into tile<32x64xf32>
%x = XeTile.load_tile  %a  { transpose = [1, 0], padding = -2.0 } :
     tile<32x64xf32> into vector <64x32xf32>
%y = arith.addf %x, %x : vector<64x32xf32>
%b = XeTile.init_tile %B, [%c0, 1] : memref<40x20xf32> into tile<64x32xf32>
XeTile.store_tile %y, %b : vector<64x32xf32>, tile<64x32xf32>""")
    a, b = numbers(20, 40), np.zeros((40, 20), np.float32)
    pytl.compile(text, language="xetile")["f"][1](a.T, b.T, backend="reference")
    padded = np.full((64, 96), -2, np.float32)
    padded[:17, :28] = a[3:, 12:]
    expected = np.zeros((40, 20), np.float32)
    expected[:, 1:] = 2 * padded[:32, :64].T[:40, :19]
    np.testing.assert_array_equal(b, expected)


def test_a_product_without_a_sum() -> None:
    """Factors of other shapes, strided rows, casts, and a file whose ending names the language."""
    text = body_of(
        """%a = XeTile.init_tile %A, [0, 0] : memref<8x16xf16, strided<[40, 1]>> into tile<8x16xf16>
%b = XeTile.init_tile %B, [0, 0] : memref<16x24xf16> into tile<16x24xf16>
%x = XeTile.load_tile %a : tile<8x16xf16> into vector<8x16xf16>
%y = XeTile.load_tile %b : tile<16x24xf16> into vector<16x24xf16>
%p = XeTile.tile_mma %x, %y : vector <8x16xf16>, vector<16x24xf16> into vector <8x24xfloat>
%n = arith.truncf %p : vector<8x24xf32> to vector<8x24xf16>
%c = XeTile.init_tile %C, [0, 0] : memref<8x24xf16> into tile<8x24xf16>
XeTile.store_tile %c %n : vector<8x24xf16> into tile<8x24xf16>""",
        "%A: memref<8x16xf16, strided<[40, 1]>>, %B: memref<16x24xf16>, %C: memref<8x24xf16>",
    )
    whole, b, c = numbers(8, 40, dtype=np.float16), numbers(16, 24, dtype=np.float16, seed=1), np.zeros((8, 24), "f2")
    pytl.compile(text, "product.xetile")["f"][1](whole[:, :16].T, b.T, c.T, backend="reference")
    np.testing.assert_array_equal(c, whole[:, :16] @ b)


A = "%a = XeTile.init_tile %A, [%c0, %c0] : memref<20x40xf32> into tile<8x16xf32>\n"
WRONG = {
    "base_stride": (
        "%a = XeTile.init_tile %A, [%c0, %c0], [%c0, %c0], [%c0, %c0] : memref<20x40xf32> into tile<8x16xf32>",
        ("PYTL-1233", 3, "the innermost stride is not the constant 1"),
    ),
    "no sign": (
        A + "%b = XeTile.update_tile_offset %a, %c0, offset_y : tile<8x16xf32>, index, index into tile <8x16xf32>",
        ("PYTL-0001", 4, "expected a name such as %x, but found `offset_y`"),
    ),
    "dpas": (A + "XeGPU.joint %a, %a, %a", ("PYTL-1230", 4, "`XeGPU.joint` is no operation that is read here")),
    "shape": (
        A + "%v = XeTile.load_tile %a : tile<8x16xf32> into vector<16x8xf32>",
        ("PYTL-0636", 4, ""),
    ),
    "types of a product": (
        A + "%v = XeTile.load_tile %a : tile<8x16xf32> into vector<8x16xf32>\n"
        "%p = XeTile.tile_mma %v, %v, %v : vector<8x8xf32>, vector<8x16xf32>, vector<8x16xf32> into vector<8x16xf32>",
        ("PYTL-1232", 5, "the types are not those of the values"),
    ),
    "a vector's size": (
        A + "%v = arith.constant dense<0.0> : vector<?x8xf32>",
        ("PYTL-1231", 4, "a vector has one to three sizes, which are known"),
    ),
    "results": (
        "%c9 = arith.constant 9 : index\n%r:3 = scf.for %i = %c0 to %c9 step %c9 iter_args(%x = %c0) -> (index) {\n"
        "scf.yield %x : index\n}",
        ("PYTL-1232", 4, "scf.for gives 1 values, not 3"),
    ),
    "a dimension": ("%g = gpu.block_id y", ("PYTL-0001", 3, "a launch has the dimension x alone")),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told_at_its_place(what: str) -> None:
    lines, (code, line, message) = WRONG[what]
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.compile(body_of(lines), language="xetile")
    found = [(told.code, told.location.line) for told in caught.value.diagnostics if told.location]
    assert (code, line) in found
    assert any(message in told.message for told in caught.value.diagnostics if told.code == code)


@pytest.mark.parametrize("cut", range(40, len(GEMM) - 4, 37))
def test_a_text_that_ends_early_is_told(cut: int) -> None:
    with pytest.raises(pytl.LanguageError):
        pytl.parse(GEMM.replace("AROWS", "96")[:cut], language="xetile")


@pytest.mark.tools_of("mlir")
def test_it_is_printed_as_todays_xegpu() -> None:
    from backends.test_xegpu import verified

    text = pytl.compile(GEMM.replace("AROWS", "96").replace("70", "64"), language="xetile")["gemm"].emit(
        "xegpu", blocks="preferred"
    )
    assert "%A: memref<96x64xbf16, strided<[64, 1]>>, %B: memref<64x80xbf16, strided<[80, 1]>>" in text
    assert "xegpu.dpas" in verified(text)


def test_a_position_is_two_results_of_one_name() -> None:
    """The document's `[%tile_offset:2]`."""
    text = body_of("""%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%offset:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%r = %c0, %s = %c1) -> (index, index) {
  %t = arith.addi %r, %c1 : index
  %u = arith.addi %s, %c5 : index
  scf.yield %t, %u : index, index
}
%a = XeTile.init_tile %A, [%offset:2] : memref<20x40xf32> into tile<8x16xf32>
%x = XeTile.load_tile %a : tile<8x16xf32> into vector<8x16xf32>
%b = XeTile.init_tile %B, [0, 0] : memref<40x20xf32> into tile<8x16xf32>
XeTile.store_tile %b %x : vector<8x16xf32> into tile<8x16xf32>""")
    a, b = numbers(20, 40), np.zeros((40, 20), np.float32)
    pytl.compile(text, language="xetile")["f"][1](a.T, b.T, backend="reference")
    padded = np.zeros((40, 60), np.float32)
    padded[:20, :40] = a
    np.testing.assert_array_equal(b[:8, :16], padded[5:13, 26:42])


def test_numbers_are_those_of_arith() -> None:
    """An operation of arith that is one instruction of the language is known by the same table as in MLIR's texts."""
    text = body_of("""%c1 = arith.constant 1 : index
%c7 = arith.constant 7 : index
%four = arith.constant 4 : index
%two = arith.shrsi %four, %c1 : index
%row = arith.shli %c1, %two : index
%column = arith.remsi %c7, %row : index
%a = xetile.init_tile %A, [%row, %column] : memref<20x40xf32> into tile<8x16xf32>
%x = xetile.load_tile %a : tile<8x16xf32> into vector<8x16xf32>
%b = xetile.init_tile %B, [0, 0] : memref<40x20xf32> into tile<8x16xf32>
xetile.store_tile %x, %b : vector<8x16xf32>, tile<8x16xf32>""")
    a, b = numbers(20, 40), np.zeros((40, 20), np.float32)
    pytl.compile(text, language="xetile")["f"][1](a.T, b.T, backend="reference")
    np.testing.assert_array_equal(b[:8, :16], a[4:12, 3:19])


def told(text: str) -> list[tuple[str, int, int, str]]:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.compile(text, language="xetile")
    return [
        (d.code, d.location.line, d.location.column, d.message)
        for d in caught.value.diagnostics
        if d.location and d.severity == "error"
    ]


def test_a_region_that_is_not_closed_is_told_where_the_next_function_begins() -> None:
    """Both regions end there; one brace is missing for all that is known. The function behind is read."""
    loop = "func.func @f(%n: index) {\nscf.for %i = %n to %n step %n {\nreturn\n"
    assert told(loop + "func.func @g() {\n%x = arith.addi %y, %y : index\nreturn\n}") == [
        ("PYTL-0001", 4, 1, "the region is not closed"),
        ("PYTL-0006", 5, 17, "%y is not defined here"),
    ]


def test_an_operand_is_told_at_its_place() -> None:
    text = (
        "func.func @f(%n: index, %x: f32) {\n%a = arith.addi %n, %x : index\n%b = arith.addi %n, %nn : index\nreturn\n}"
    )
    assert [each[:3] for each in told(text)] == [("PYTL-1232", 2, 21), ("PYTL-0006", 3, 21)]


HOSTILE = {
    "loops": "func.func @f(%n: index) {\n" + "scf.for %i = %n to %n step %n {\n" * 3000,
    "closed loops": "func.func @f(%n: index) {\n" + "scf.for %i = %n to %n step %n {\n" * 300 + "}\n" * 301,
    "lists": "func.func @f() attributes {a = " + "[" * 50_000,
    "a size": "func.func @f(%a: memref<" + "9" * 50_000 + "xf32>) {\nreturn\n}",
    "a number": "func.func @f(%A: memref<4x4xf32>) {\n%a = xetile.init_tile %A, [" + "9" * 50_000 + ", 0]",
    "an attribute": "func.func @f(%a: index) {\nxetile.prefetch_tile %a {x = 1.0e999} : index\nreturn\n}",
    "results": "func.func @f() {\n%a:1000000000 = gpu.lane_id\nreturn\n}",
    "several blocks": "func.func @f() {\ngpu.barrier\n^b:\ngpu.barrier\nreturn\n}",
    "the generic form": 'func.func @f() {\n"gpu.barrier"() : () -> ()\nreturn\n}',
    "a function in a function": "func.func @f() {\nfunc.func @g() {\nreturn\n}\nreturn\n}",
    "a name of code": 'func.func @"os.system(1)"() {\nreturn\n}',
    "no arguments' names": "func.func @f(index) {\nreturn\n}",
    "results of a function": "func.func @f(%n: index) -> index {\nreturn %n : index\n}",
    "no body": "func.func @f(%n: index)",
    "control characters": "\x00\x01\x7f",
}  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_a_hostile_text_is_told(text: str) -> None:
    assert told(text)
