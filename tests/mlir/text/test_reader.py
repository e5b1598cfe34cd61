"""MLIR's generic form: what mlir-opt prints is read whole, and what is no text of it is told at its place."""

from __future__ import annotations

import math
import subprocess

import pytest

import pytl
from pytl.mlir.affine import read_map
from pytl.mlir.text import Memref, Opaque, Scalar, Vector, read_module, read_type
from pytl.mlir.text.reader import Dense, Raw

TEXT = """#loc1 = loc("x.mlir":3:5)
"builtin.module"() ({
  "func.func"() <{function_type = (f32, index) -> f32, sym_name = "f"}> ({
  ^bb0(%arg0: f32 loc("x.mlir":1:2), %arg1: index):
    %0:2 = "a.two"(%arg0) {
      list = [1, -2 : i64, "x\\22y"], deep = {k = @a::@b}, unit,
      t = memref<?x4xf32>} : (f32) -> (f32, i1) loc(#loc1)
    %1 = "a.dense"() <{value = dense<[[1.0, 0x7F800000], [-2.5e3, 0x7FC00000]]>
      : vector<2x2xf32>}> : () -> vector<2x2xf32> loc("x.mlir":7:9)
    "a.branch"(%0#1)[^bb1] <{ints = array<i64: 3, -4>,
      none = array<i32>, hint = #x.y<z <w -> v>>}> : (i1) -> () loc(#loc2)
  ^bb1:
    "func.return"(%0#0) : (f32) -> ()
  }) : () -> ()
}) : () -> ()
#loc2 = loc(unknown)
"""


def test_a_text_is_read_whole() -> None:
    module = read_module(TEXT)
    function = module.regions[0].blocks[0].operations[0]
    first, second = function.regions[0].blocks
    assert first.arguments == [("%arg0", Scalar("f32")), ("%arg1", Scalar("index"))]
    two, dense, branch = first.operations
    assert (two.results, two.operands, two.origin) == (["%0#0", "%0#1"], ["%arg0"], (3, 5))
    assert two.attributes == {
        "list": (1, -2, 'x"y'),
        "deep": {"k": "@a::@b"},
        "unit": True,
        "t": Memref((None, 4), Scalar("f32"), (4, 1), 0, ""),
    }
    value = dense.attributes["value"]
    assert isinstance(value, Dense) and value.type == Vector((2, 2), Scalar("f32"))
    assert value.values[0] == (1.0, math.inf) and value.values[1][0] == -2500.0 and math.isnan(value.values[1][1])
    assert dense.origin == (7, 9)
    assert branch.attributes == {"ints": (3, -4), "none": (), "hint": Raw("#x.y<z <w -> v>>")}
    assert (branch.operands, branch.successors, branch.origin) == (["%0#1"], ["^bb1"], (10, 5))
    assert (second.label, second.operations[0].operands) == ("^bb1", ["%0#0"])
    assert [op.name for op in module.walk()][1] == "func.func"


@pytest.mark.parametrize(
    ("attribute", "values"),
    [
        ("dense<0xC1E0000000200000> : vector<[2]xf64>", -2147483649.0),
        (
            "dense<[(0x7F800000, 1.0), (2.0, 0xBF800000)]> : tensor<2xcomplex<f32>>",
            (complex(math.inf, 1.0), 2.0 - 1.0j),
        ),
        ("dense<[[0xBC00]]> : tensor<1x1xf16>", ((-1.0,),)),
        ("dense<0x10> : vector<[4]xi32>", 16),
        ("array<f32: 0xFF800000, 1.5>", (-math.inf, 1.5)),
    ],
)
def test_hexadecimal_digits_of_floats_are_their_bits(attribute: str, values: object) -> None:
    module = read_module(f'"builtin.module"() ({{ "a.b"() {{value = {attribute}}} : () -> () }}) : () -> ()')
    value = module.regions[0].blocks[0].operations[0].attributes["value"]
    assert (value.values if isinstance(value, Dense) else value) == values


@pytest.mark.parametrize(
    "text, type_",
    [
        ("vector<4xindex>", Vector((4,), Scalar("index"))),
        ("memref<f32>", Memref((), Scalar("f32"), (), 0, "")),
        ("memref<2x3xi8, strided<[?, 1], offset: ?>, 3>", Memref((2, 3), Scalar("i8"), (None, 1), None, "3")),
        (
            "memref<?xmemref<4xf16, strided<[1]>>>",
            Memref((None,), Memref((4,), Scalar("f16"), (1,), 0, ""), (1,), 0, ""),
        ),
        ("!xegpu.nbarrier", Opaque("!xegpu.nbarrier")),
        (
            "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>",
            Memref((4, 4), Scalar("f32"), (4, 1), 0, "", read_map("(d0, d1) -> (d1, d0)")),
        ),
    ],
)
def test_types(text: str, type_: object) -> None:
    assert read_type(text) == type_
    assert read_type(str(type_)) == type_


@pytest.mark.parametrize("cut", range(1, len(TEXT) - 30, 23))
def test_a_text_that_ends_early_is_told(cut: int) -> None:
    with pytest.raises(pytl.LanguageError, match="PYTL-1220"):
        read_module(TEXT[:cut])


@pytest.mark.parametrize(
    "text, message",
    [
        ("func.func @f() { return }", "expected the name of an operation in quotation marks, but found `func.func`"),
        ('"a.b"(3) : (i32) -> ()', "expected a value, but found `3`"),
        ('"a.b"() : () -> 4', "expected a type, but found `4`"),
        ("", "a text has one module, and this one has 0"),
        ('"a.b"() ({ ' * 300, "regions are nested more than 100 deep"),
    ],
    ids=range(5),
)
def test_what_is_not_of_the_generic_form_is_told(text: str, message: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        read_module(text)
    assert (caught.value.diagnostics[0].rule.code, caught.value.diagnostics[0].message) == ("PYTL-1220", message)
    assert caught.value.diagnostics[0].location is not None


@pytest.mark.tools_of("mlir")
def test_what_mlir_opt_prints_is_read() -> None:
    from backends.test_xegpu import SIMT

    text = pytl.compile(SIMT)["f"].emit("xegpu")
    command = ["mlir-opt-22", "--mlir-print-op-generic", "--mlir-print-debuginfo"]
    printed = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    found = [op for op in read_module(printed).walk() if op.name == "xegpu.load"]
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "= xegpu.load " in line]
    assert sorted(op.origin[0] for op in found) == lines
