"""MLIR of 2018 as a language: texts as such, what commands make of them, what hostile texts are told."""

from __future__ import annotations

import time

import numpy as np
import pytest

import pytl
from pytl.frontends.mlir2018.frontend import read_checked
from pytl.frontends.mlir2018.printer import generic_text, print_module
from pytl.frontends.mlir2018.today import print_today, to_operations
from pytl.frontends.mlir2018.tree import Operation, walk
from pytl.frontends.registry import find_frontend
from pytl.mlir.text import read_text as read_today

FRONTEND = find_frontend("mlir-2018", "")
SCALE = """func @scale(%A: memref<?xf32>, %x: f32) {
  %n = dim %A, 0 : memref<?xf32>
  for %i = 0 to %n {
    %a = load %A[%i] : memref<?xf32>
    %b = mulf %a, %x : f32
    store %b, %A[%i] : memref<?xf32>
  }
  return
}"""


def codes(text: str) -> list[str]:
    return [each.code for each in read_checked(text, "text")[1].in_order()]


def today(text: str) -> str:
    module, diagnostics = read_checked(text, "text")
    operations = to_operations(module, diagnostics)
    assert diagnostics.errors == []
    return print_today(operations)


# Texts.


def test_maps_of_no_elements_lead_to_no_place_twice() -> None:
    """Though the other dimension has more indices than memory has room for."""
    assert codes("func @f(memref<0x9223372036854775807xf32, (i, j) -> (j, i) size (8, 4)>)") == []
    assert codes("func @f(memref<0x4xf32, (i, j) -> (i)>)") == []


def test_a_text_is_a_kernel() -> None:
    kernel = pytl.compile(SCALE, language="mlir-2018")["scale"]
    array = np.arange(5, dtype=np.float32)
    kernel[1](array, 2.0, backend="reference")
    assert array.tolist() == [0, 2, 4, 6, 8]


def test_the_first_line_tells_the_language() -> None:
    assert [each.name for each in pytl.parse(f"// language: mlir-2018\n{SCALE}").functions] == ["scale"]


def test_a_diagnostic_of_a_launch_leads_to_the_text() -> None:
    text = SCALE.replace("%b = mulf %a, %x : f32", "%L = alloc() : memref<1xf32>\n    %b = load %L[0] : memref<1xf32>")
    kernel = pytl.compile(text, language="mlir-2018")["scale"]
    with pytest.raises(pytl.ExecutionError) as caught:
        kernel[1](np.zeros(5, np.float32), 2.0, backend="reference")
    assert "--> <text>:6:5" in str(caught.value) and "6 |     %b = load %L[0] : memref<1xf32>" in str(caught.value)


def test_strict_makes_errors_of_slips() -> None:
    text = SCALE.replace("store %b,", "store %b to")
    assert codes(text) == ["PYTL-1401"]
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(text, strict=True, language="mlir-2018")
    assert [(each.code, each.severity) for each in caught.value.diagnostics] == [("PYTL-1401", "error")]


def test_all_problems_are_told_at_once() -> None:
    text = """func @f(%A: memref<4xf32>, %i: i32) {
  %x = load %A[%i] : memref<4xf32>
  %y = subi %x, %x : f32
  %z = addi %y, %y : f16
  for %i = 0 to 4 {
    %v = alloc( : memref<4xf32>
    dealloc %v : memref<4xf32>
    foo
  }
  store %w, %A[0, 0] : memref<4xf32>
}
func @f() { retrun }
func @g(%t: memref<4xindex>) {
  return %t : memref<4xindex>
}"""
    assert codes(text) == [
        *("PYTL-1410", "PYTL-1425", "PYTL-1427", "PYTL-1406", "PYTL-1400", "PYTL-1425"),
        *("PYTL-1421", "PYTL-1433", "PYTL-1405", "PYTL-1401", "PYTL-1401"),
        *("PYTL-1409", "PYTL-1425", "PYTL-1412", "PYTL-1424", "PYTL-1412"),
    ]


def test_the_generic_form_of_every_operation_is_read_as_the_same() -> None:
    text = """#map = (d0)[s0] -> (d0 + s0)
#layout = (d0)[s0] -> (d0 + s0)
func @g(i32) -> (i32, i32)
func @f(%A: memref<?xf32>, %B: memref<8xf32, 1>, %T: memref<1xi32>, %n: index, %x: i32, %t: tensor<4xf32>) {
  %0 = affine_apply #map(%n)[%n]
  %1 = call @g(%x) : (i32) -> (i32, i32)
  %2 = constant @g : (i32) -> (i32, i32)
  %3 = call_indirect %2(%x) : (i32) -> (i32, i32)
  %4 = dim %A, 0 : memref<?xf32>
  %5 = alloc(%n)[%n] : memref<?xf32, #layout>
  %6 = reshape %A : memref<?xf32> (%n) : memref<2x?xf32>
  %7 = view memref<?xf32, #map>(%n)[%n] %A : memref<?xf32>
  %8 = alloc_static(0x10) : memref<4xf32>
  dma_start %A[%n], %B[%n], %n, %T[%n] : memref<?xf32>, memref<8xf32, 1>, memref<1xi32>
  dma_wait %T[%n], %n : memref<1xi32>
  %9 = load %A[%n] : memref<?xf32>
  store %9, %A[%n] : memref<?xf32>
  %10 = tensor_load %8 : memref<4xf32>
  tensor_store %t, %8 : memref<4xf32>
  %11 = extract_element %t[%n] : tensor<4xf32>
  %12 = addi %x, %1#1 : i32
  %13 = mulf %9, %11 : f32
  %14 = cmpi "ule", %x, %12 : i32
  %15 = select %14, %x, %12 : i32
  %16 = memref_cast %8 : memref<4xf32> to memref<?xf32>
  %17 = tensor_cast %t : tensor<4xf32> to tensor<*xf32>
  dealloc %8 : memref<4xf32>
  cond_br %14, ^bb1(%x : i32), ^bb2
^bb1(%y: i32):
  br ^bb2
^bb2:
  return
}"""
    module, diagnostics = read_checked(text, "text")
    assert diagnostics.items == []
    generic = print_module(module)
    for function in module.functions:
        for block in function.blocks or []:
            for each in walk(block.instructions):
                if isinstance(each, Operation) and each.name not in ("select", "constant"):
                    custom = print_operation(each)
                    assert custom in generic
                    generic = generic.replace(custom, generic_text(each))
    again, diagnostics = read_checked(generic, "generic")
    assert diagnostics.items == []
    assert again == module
    assert print_today(to_operations(again, diagnostics)) == print_today(to_operations(module, diagnostics))


def print_operation(operation: Operation) -> str:
    from pytl.frontends.mlir2018.printer import operation_text

    return operation_text(operation)


# Today's spelling.


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("memref<4x8xf32, (i, j) -> (j, i) size (8, 4)>", "memref<4x8xf32, strided<[1, 4]>>"),
        ("memref<4x8xf32, (i, j) -> (i, j) size (4, 8)>", "memref<4x8xf32>"),
        ("memref<4x8xf32, (i, j) -> (i, j) size (4, 16)>", "memref<4x8xf32, strided<[16, 1]>>"),
        ("memref<4x8xf32, (i, j) -> (i + 2, j + 1) size (9, 16)>", "memref<4x8xf32, strided<[16, 1], offset: 33>>"),
        ("memref<4x8xf32, (i, j)[s] -> (i, j) size (4, s)>", "memref<4x8xf32, strided<[?, 1], offset: ?>>"),
        ("memref<4x8xf32, (i, j) -> (j, i)>", "memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>"),
        (
            "memref<4x8xf32, (i, j) -> (j, i) size (8, 4), (i, j) -> (j, i) size (4, 8), hbm>",
            'memref<4x8xf32, "hbm">',
        ),
        (
            "memref<4xf32, (i)[a] -> (i + a) size (9), (i)[b] -> (2 * i + b), 3>",
            "memref<4xf32, strided<[2], offset: ?>, 3>",
        ),
        (
            "memref<16x8xf32, (d0, d1) -> (d0 floordiv 4, d1, d0 mod 4) size (4, 8, 4)>",
            "memref<16x8xf32, affine_map<(d0, d1) -> (d0 floordiv 4, d1, d0 mod 4)>>",
        ),
        ('!llvm<"i32*">', "!llvm.ptr"),
        ("() -> ((f32) -> f32)", "() -> ((f32) -> f32)"),
    ],
)
def test_types_of_today(given: str, made: str) -> None:
    assert today(f"func @f({given})") == f"func.func private @f({made})"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("func @f(vector<0xf32>)", "vector<0xf32> has no elements"),
        ('func @f(!vector<"x">)', 'vector is a dialect of today\'s MLIR, which has no type !vector<"x">'),
        ('func @f(!llvm<"double">)', '!llvm<"double"> has no counterpart: LLVM\'s pointers do'),
        ('func @f() { "arith.foo"() : () -> () return }', '"arith.foo" is no name that MLIR leaves to other dialects'),
        ('func @f() { ""() : () -> () return }', '"" is no name that MLIR leaves to other dialects'),
        ('func @f() { %x = constant [1] : !my<"list"> return }', 'there is no constant of type !my<"list">'),
        (
            "func @f(%A: memref<4xf32, (i)[s] -> (2 * i + s)>) { %B = view memref<2xf32> () %A : "
            "memref<4xf32, (i)[s] -> (2 * i + s)> return }",
            "view of a memref whose elements are not in row-major order",
        ),
        (
            "func @f(%A: memref<4xf32>) { %B = view memref<2xf32, (i) -> (2 * i mod 3)> () %A : memref<4xf32> return }",
            "the index map of memref<2xf32, (i) -> (2 * i mod 3)> has no strides in the base",
        ),
        (
            "func @f(%A: memref<8xf32>) { %B = reshape %A : memref<8xf32> () : "
            "memref<2x4xf32, (i, j) -> (j, i)> return }",
            "the map of memref<2x4xf32, (i, j) -> (j, i)> has no strides",
        ),
        (
            "func @f(memref<2x2x2xf32, (i, j, k)[s] -> (i, j, s * s * k) size (2, 4611686018427387904, "
            "4611686018427387904)>)",
            "the maps of the memref make too large a map",
        ),
        (
            "func @f() { %A = alloc() : memref<4xf32, (i) -> (9 - i)> return }",
            "elements of memref<4xf32, (i) -> (9 - i)> lie in front of the first one",
        ),
    ],
)
def test_what_today_has_no_counterpart_for_is_told(text: str, why: str) -> None:
    module, diagnostics = read_checked(text, "text")
    assert diagnostics.errors == []
    to_operations(module, diagnostics)
    assert [(each.code, each.message) for each in diagnostics.errors] == [("PYTL-1450", why)]


def test_what_is_printed_for_today_reads_as_the_operations() -> None:
    module, diagnostics = read_checked(SCALE, "text")
    made = to_operations(module, diagnostics)
    again, found = read_today(print_today(made), "today")
    assert found.errors == []
    assert [each.name for each in again.walk()] == [each.name for each in made.walk() if each.name != "affine.yield"]


def test_memory_of_no_elements_has_none() -> None:
    text = "func @f() { %A = alloc() : memref<0x8xf32, (i, j) -> (j, i) size (8, 4)> return }"
    assert "memref.alloc() : memref<0xf32>" in today(text)


def test_symbols_of_a_composition_stand_in_the_order_of_its_maps() -> None:
    text = """func @f(%a: index, %b: index) {
  %A = alloc()[%a, %b] : memref<4xf32, (i)[a] -> (i + a) size (9), (i)[b] -> (2 * i + b)>
  return
}"""
    assert "affine.apply affine_map<()[s0, s1] -> (s0 * 2 + s1)>()[%a, %b]" in today(text)


# What becomes no kernel.


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("br ^a\n^a:\nbr ^a", "cf.br: nothing ends the loop"),
        ("%A = alloc_static(0x10) : memref<4xf32>\nreturn", "there is no memref at the address 0x10"),
        ("...", "what `...` stands for is not in the text"),
        ("%i = constant 1 : i32\ncond_br %c, ^a, ^a\n^a:\n...", "what `...` stands for is not in the text"),
        ("call @g() : () -> ()\nreturn", "func.call: @g is not defined in the text"),
        ("call @f(%c) : (i1) -> ()\nreturn", "func.call: @f is called within itself"),
    ],
)
def test_a_note_says_why_a_function_is_no_kernel(body: str, why: str) -> None:
    found = FRONTEND.read(f"func @g()\nfunc @f(%c: i1) {{\n{body}\n}}", "text")
    notes = [each for each in found.diagnostics.items if each.code == "PYTL-1453"]
    assert [each.message for each in notes] == [f"@f is no kernel: {why}"]
    assert found.module.functions == [] and found.diagnostics.errors == []


def test_a_counted_loop_of_blocks_is_executed() -> None:
    text = """func @f(%A: memref<9xf32>, %n: index) {
  %c0 = constant 0 : index
  %c1 = constant 1 : index
  br ^head(%c0 : index)
^head(%i: index):
  %more = cmpi "slt", %i, %n : index
  cond_br %more, ^body, ^end
^body:
  %v = load %A[%i] : memref<9xf32>
  %w = addf %v, %v : f32
  store %w, %A[%i] : memref<9xf32>
  %j = addi %i, %c1 : index
  br ^head(%j : index)
^end:
  return
}"""
    a = np.arange(9, dtype=np.float32)
    pytl.compile(text, language="mlir-2018")["f"][1](a, 5, backend="reference")
    assert a.tolist() == [0, 2, 4, 6, 8, 5, 6, 7, 8]


def test_a_block_after_many_branches_is_written_once_for_each_way_up_to_a_limit() -> None:
    def ladder(steps: int) -> str:
        lines = ["func @f(%c: i1) {", "br ^b0"]
        for n in range(steps):
            lines += [f"^b{n}:", f"cond_br %c, ^b{n + 1}, ^b{n + 2}"]
        return "\n".join([*lines, f"^b{steps}:", f"br ^b{steps + 1}", f"^b{steps + 1}:", "return", "}"])

    assert len(FRONTEND.read(ladder(6), "text").module.functions) == 1
    (note,) = [each for each in FRONTEND.read(ladder(60), "text").diagnostics.items if each.code == "PYTL-1453"]
    assert note.message == "@f is no kernel: cf.cond_br: the branches become too many conditions within each other"


# Hostile texts.


@pytest.mark.at_most(4)
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("func @f(" + "(" * 5000, "PYTL-1403"),
        ("func @f(" + "vector<2x" * 5000, "PYTL-1403"),
        ("func @f() -> " + "() -> " * 5000 + "i1", "PYTL-1403"),
        ("func @f() -> (" + "() -> (" * 5000, "PYTL-1403"),
        ("func @f() attributes {a: " + "[" * 5000, "PYTL-1403"),
        ("func @f() {" + "for %i = 0 to 1 {" * 5000, "PYTL-1403"),
        ("func @f(%i: index) {" + "if (d) : d >= 0 (%i) {" * 5000, "PYTL-1403"),
        ("func @f(%i: index) {" + "if (d) : d >= 0 (%i) {} else " * 3000 + "{} return }", "PYTL-1403"),
        ("#m = (d0) -> (" + "(" * 5000, "PYTL-0711"),
        ("#m = (d0) -> (" + "d0 + " * 5000, "PYTL-0711"),
        ("func @f(i" + "9" * 50_000 + ")", "PYTL-1402"),
        ("func @f(memref<" + "9" * 50_000 + "xf32>)", "PYTL-1402"),
        ("func @f(memref<4xf32, " + "9" * 50_000 + ">)", "PYTL-1402"),
        ("func @f() { %x = constant " + "9" * 50_000 + " : i32 return }", "PYTL-1402"),
        ("func @f() { %x = constant 1e999 : f32 return }", "PYTL-1402"),
        ("func @f() { %x = alloc_static(0x" + "f" * 17 + ") : memref<4xf32> return }", "PYTL-1402"),
        ("func @f() { for %i = 0 to 4 step " + "9" * 400 + " {} return }", "PYTL-1419"),
        ("func @f() { for %i = 0 to " + "9" * 400 + " {} return }", "PYTL-1400"),
        ("func @f(%x: i32) { %y = addi %x#" + "9" * 9000 + ", %x : i32 return }", "PYTL-1408"),
        ('func @f() attributes {a: "' + "x" * 50_000, "PYTL-1400"),
        ("!a = type !b\n!b = type !a\nfunc @f(!a)", "PYTL-1404"),
        ("!a = type memref<4x!a>\nfunc @f(!a)", "PYTL-1404"),
        ("\0" * 1000, "PYTL-0030"),
        ("func @f() {" + "^a:" * 20_000 + "return }", "PYTL-1421"),
        ("%" * 50_000, "PYTL-1400"),
        ("", ""),
    ],
)
def test_hostile_texts_are_told(text: str, code: str) -> None:
    start = time.perf_counter()
    with_codes = codes(text)
    assert time.perf_counter() - start < 20
    assert (code in with_codes) if code else not with_codes


@pytest.mark.parametrize(
    "text",
    [
        "func @f() {" + "".join(f"for %i{n} = 0 to 1 {{" for n in range(64)) + "}" * 64 + " return }",
        "func @f(%i: index) {" + "if (d) : d >= 0 (%i) {} else " * 64 + "{} return }",
        "func @f(" + "(" * 63 + ") -> ()" * 63 + ")",
    ],
    ids=["loops", "conditions", "types"],
)
def test_the_deepest_texts_are_printed_and_executed(text: str) -> None:
    module, diagnostics = read_checked(text, "text")
    assert diagnostics.items == []
    assert read_checked(print_module(module), "printed")[0] == module
    assert print_today(to_operations(module, diagnostics))
    assert FRONTEND.read(text, "text").diagnostics.errors == []


def test_aliases_of_aliases_do_not_grow_a_text() -> None:
    """Each type has the one before twice: what is printed has their names."""
    lines = ["!t0 = type i32", *(f"!t{n} = type (!t{n - 1}, !t{n - 1}) -> ()" for n in range(1, 60))]
    text = "\n".join([*lines, "func @f(!t59)"])
    module, diagnostics = read_checked(text, "text")
    assert diagnostics.items == []
    assert len(print_module(module)) < 10_000


def test_maps_one_after_the_other_do_not_grow_without_end() -> None:
    twice = "(d0) -> (d0 floordiv 2 + d0 mod 3 + (d0 + 1) floordiv 5 + (d0 + 2) mod 7) size (99999)"
    text = f"func @f(memref<9xf32, {', '.join([twice] * 12)}>)"
    module, diagnostics = read_checked(text, "text")
    to_operations(module, diagnostics)
    assert {each.code for each in diagnostics.errors} <= {"PYTL-1414", "PYTL-1450"}


@pytest.mark.at_night
def test_long_functions_are_checked_in_time() -> None:
    lines = [f"  %x{n + 1} = addi %x{n}, %x{n} : i32" for n in range(5000)]
    blocks = [f"^b{n}:\n  br ^b{n + 1}" for n in range(3000)]
    text = "\n".join(["func @f(%x0: i32) {", *lines, "  br ^b0", *blocks, "^b3000:\n  return\n}"])
    start = time.perf_counter()
    module, diagnostics = read_checked(text, "text")
    assert diagnostics.items == []
    assert read_checked(print_module(module), "printed")[0] == module
    assert time.perf_counter() - start < 20
