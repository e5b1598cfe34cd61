"""Types and attributes are read to their last character, and a mistake in one is told at its place."""

from __future__ import annotations

import pytest

import pytl
from pytl.mlir.text import Complex, Function, Opaque, ScalableVector, Scalar, Tensor, read_module, read_text, read_type
from pytl.mlir.text.tree import Raw

F32 = Scalar("f32")


@pytest.mark.parametrize(
    "type_, wrong, message",
    [
        ("memref<4x4xf32, strided<[4x 1]>>", "x 1", "expected `,` or `]`, but found `x`"),
        ("memref<4x4xf32, strided<[4, 1], offset: 4%>>", "%>", "expected `>`, but found `%`"),
        ("memref<4x4xf32, strided<[1, @x]>>", "@x", "expected a number, but found `@x`"),
        ("memref<4x4xf32, strided<[, 1]>>", ", 1]", "expected a number, but found `,`"),
        ("memref<4x4xf32, strided<[4 4, 1]>>", "4, 1]", "expected `,` or `]`, but found `4`"),
        ("memref<4x4xf32, strided<[4]>>", "strided", "the layout has 1 strides, and the memref 2 dimensions"),
        ("memref<4x4xf32, strided<[4, 1], offset: 99999999999999999999>>", "9999", "it has at most 63 bits"),
        ("memref<4x4xf32, strided<[4, 1]>, strided<[4, 1]>>", "strided<[4, 1]>>", "a memref has one layout"),
        ("memref<4x4xf32, 1, 2>", "2>", "a memref has one memory space"),
        ("memref<4x4xf32, affine_map<(d0) -> (d0)>>", "affine", "the layout is of 1 dimensions"),
        ("memref<4x4xf32, affine_map<(d0, d1) -> (d2, d1)>>", "d2", "`d2` is no dimension and no symbol here"),
        ("memref<4x4xf32, #layout>", "#layout", "no alias is called #layout"),
        ("memref<99999999999999999999x4xf32>", "9", "the size has more than 63 bits"),
        ("memref<4x4xi999999999>", "i9", "an integer has 1 to 16777216 bits"),
        ("memref<4x-4xf32>", "-4", "expected a type, but found `-4`"),
        ("memref<4x4xf32", "", "expected `>`, but found `)`"),
        ("complex<vector<2xf32>>", "vector", "the parts of a complex number are floats or integers"),
        ("vector<?xf32>", "vector", "the sizes of a vector are known"),
        ("!unknown", "!unknown", "no alias is called !unknown"),
    ],
)
def test_a_mistake_in_a_type_is_told_at_its_place(type_: str, wrong: str, message: str) -> None:
    head = "func.func @f(%a: "
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(f"// a comment\n{head}{type_}) {{\n  return\n}}\n", language="mlir")
    first = caught.value.diagnostics[0]
    assert message in first.message
    column = (
        len(head)
        + 1
        + (type_.rindex(wrong) if wrong in ("2>", "4, 1]") else type_.index(wrong) if wrong else len(type_))
    )
    assert (first.location.line, first.location.column) == (2, column)


@pytest.mark.parametrize(
    "text, type_",
    [
        ("complex<f32>", Complex(F32)),
        ("tensor<4x?xf32>", Tensor((4, None), F32)),
        ("tensor<*xf32>", Tensor(None, F32)),
        ("tensor<4xf32, #sparse.csr<a -> b>>", Tensor((4,), F32, "#sparse.csr<a -> b>")),
        ("(f32, index) -> (i32, (f32) -> ())", Function((F32, Scalar("index")), (Scalar("i32"), Function((F32,), ())))),
        ("(f32) -> ((i1) -> i1)", Function((F32,), (Function((Scalar("i1"),), (Scalar("i1"),)),))),
        ("vector<[4]x2xf32>", ScalableVector((4, 2), (True, False), F32)),
        ("memref<*xf32>", Opaque("memref<*xf32>")),
        ("none", Opaque("none")),
    ],
)
def test_types(text: str, type_: object) -> None:
    assert read_type(text) == type_
    assert read_type(str(type_)) == type_


def test_a_descriptor_has_sizes_an_element_and_attributes() -> None:
    attributes = "#xegpu.block_tdesc_attr<array_length = 2 : i64, boundary_check = false>"
    layout = "#xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>"
    type_ = read_type(f"!xegpu.tensor_desc<8x16xf16, {attributes}, {layout}>")
    assert isinstance(type_, Opaque)
    assert (type_.shape, type_.element) == ((8, 16), Scalar("f16"))
    first, second = type_.attributes
    assert (first.name, first.entries) == ("#xegpu.block_tdesc_attr", {"array_length": 2, "boundary_check": False})
    assert second.entries == {"lane_layout": (1, 16), "lane_data": (1, 1)}


def test_attributes_of_dialects_have_words_or_entries_or_their_text() -> None:
    inner = '"a.b"() {k = #vector.kind<add>, d = #gpu<dim x>, r = #x.y<z <w -> v>>, p = #m} : () -> ()'
    module = read_module('#m = #x.z<a = [1]>\n"builtin.module"() ({' + inner + "}) : () -> ()")
    found = module.regions[0].blocks[0].operations[0].attributes
    assert (found["k"].name, found["k"].words) == ("#vector.kind", ("add",))
    assert found["d"].words == ("dim", "x")
    assert found["r"] == Raw("#x.y<z <w -> v>>")
    assert found["p"].entries == {"a": (1,)}


LOCATIONS = {
    '"x":3:5': (3, 5),
    '"x":3:5 to :9': (3, 5),
    '"name"("x":3:5)': (3, 5),
    'callsite("x":3:5 at "y":1:1)': (3, 5),
    'fused<"meta">[unknown, "x":3:5]': (3, 5),
    "#there": (3, 5),
    "unknown": (1, 1),
    '"name"': (1, 1),
}


@pytest.mark.parametrize("location", LOCATIONS)
def test_locations(location: str) -> None:
    module, found = read_text(f'func.func @f() {{ return }} loc({location})\n#there = loc("x":3:5)')
    assert not found.items
    assert module.regions[0].blocks[0].operations[0].origin == LOCATIONS[location]


def test_a_location_that_is_none_is_told() -> None:
    _, found = read_text('func.func @f() { return } loc("x":3%)')
    assert [(d.message, d.location.column) for d in found.items] == [("expected `:`, but found `%`", 36)]


def test_a_broken_alias_is_told_once_where_it_is_defined() -> None:
    text = "#m = affine_map<(d0) -> (d9)>\nfunc.func @f(%i: index) {\n  %z = affine.apply #m(%i)\n  return\n}"
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(text, language="mlir")
    assert [(d.message, d.location.line) for d in caught.value.diagnostics] == [
        ("`d9` is no dimension and no symbol here", 1)
    ]


def test_a_loop_of_blocks_over_what_could_not_be_read() -> None:
    text = """func.func @f(%a: memref<4xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0 : index)
^head(%i: index):
  %z = foo.bar %i
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^end
^body:
  %v = memref.load %a[%z] : memref<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j : index)
^end:
  return
}"""
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(text, language="mlir")
    assert caught.value.diagnostics[0].message == "`foo.bar` is no operation that is read here"
    assert all(each.location is not None for each in caught.value.diagnostics)
