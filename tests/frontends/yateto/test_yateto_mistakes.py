"""Mistakes in texts of the immediate language: code, place and message of each; all of a text at once."""

# ruff: noqa: E501 -- a mistake stands on a line
from __future__ import annotations

import pytest

import pytl
from pytl.frontends.registry import find_frontend
from pytl.ir.verifier import find_problems

HEAD = (
    "define @f(%a: memref<f32x4x8>, %b: memref<f32x8x4>, %v: memref<i32x4>, %w: memref<u8x4>, %i: i32, %x: f32, "
    "%g: group<memref<f32x4x8>,pointers>, %s: memref<i32x4x4>) {"
)
T = "memref<f32x4x8>"
MISTAKES = [
    ("%0 = alloca : memref<f32x4x?>", "?", "1200", "a size is `?`, but must be known"),
    ("%0 = alloca : memref<f32x0>", "0>", "1200", "a size is 0"),
    ("%0 = alloca : memref<f32x4,strided<0>>", "0>>", "1200", "a stride is 0"),
    ("%0 = alloca : memref<f32x4x2,strided<1>>", "strided", "1201", "the layout has 1 strides, but the shape has 2 modes"),
    ("%0 = alloca : memref<f32x4x2,strided<1,3>>", "strided", "1201", "the stride of mode 1 is 3, but mode 0 ends after 4 elements"),
    ("%0 = alloca : memref<c32x4>", "c32", "1203", "c32 is a type of the tensor language, and not of the immediate language"),
    ("%0 = alloca : f32", "f32", "1205", "alloca gives a memref, but f32 is written here"),
    ("%0 = get_work_item %a : memref<f32x4x8>", "%a", "1205", "%a is memref<f32x4x8>, but must be a group"),
    ("%0 = get_work_item %g, i32 %x : group<memref<f32x4x8>,pointers>", "%x", "1205", "%x is f32, but must be an integer"),
    ("%0 = get_work_item %g, f32 %x : group<memref<f32x4x8>,pointers>", "f32 %x", "1205", "expected an integer type, but found f32"),
    ("%0 = get_work_item %g, i64 %i : group<memref<f32x4x8>,pointers>", "i64", "1204", "%i is i32, but i64 is written here"),
    ("%0 = get_work_item %g : group<memref<f32x4x8>,distance<32>>", "group<", "1204", "%g is group<memref<f32x4x8>,pointers>, but group<memref<f32x4x8>,distance<32>> is written here"),
    (f"axpby {{ij to ji}}, 1.0, %g, 0.0, %b : {T} to memref<f32x8x4>", "%g", "1205", "%g is group<memref<f32x4x8>,pointers>, but must be a memref"),
    (f"axpby {{ij to ji}}, 1.0, %a, %b : {T} to memref<f32x8x4>", "%b", "1207", "there is no factor of %b"),
    (f"axpby {{ij to ji}}, %x, %a, 0.0, %b : {T} to memref<f32x8x4>", "%x", "1206", "expected a floating constant, but found a value"),
    (f"axpby {{ij to ji}}, 1, %a, 0.0, %b : {T} to memref<f32x8x4>", "1,", "0001", "expected a floating constant, but found 1"),
    ("axpby {i to i}, 1.5, %v, 0.0, %v : memref<i32x4> to memref<i32x4>", "1.5", "1206", "1.5 is no number of i32, which holds whole numbers"),
    ("axpby {i to i}, 1.0, %v, 1e10, %v : memref<i32x4> to memref<i32x4>", "1e10", "1206", "10000000000.0 is no number of i32, which holds -2147483648 … 2147483647"),
    ("axpby {i to i}, -1.0, %w, 1.0, %w : memref<u8x4> to memref<u8x4>", "-1.0", "1206", "-1.0 is no number of u8, which holds 0 … 255"),
    ("axpby {i to i}, 1e300, %v, 1.0, %y : memref<i32x4> to memref<f32x4>", "%y", "0006", "%y is not defined here"),
    (f"axpby {{ij to ji}}, 1e300, %a, 0.0, %b : {T} to memref<f32x8x4>", "1e300", "0422", "constant: the constant is beyond the range of f32"),
    ("axpby {i to i}, 1.0, %w, 0.0, %v : memref<u8x4> to memref<i32x4>", "%v", "1209", "%v is memref<i32x4>, but %w is memref<u8x4>"),
    ("sum {ii to i}, 1.0, %s, 0.0, %v : memref<i32x4x4> to memref<i32x4>", "i to", "0604", "index i occurs twice in the input"),
    (f"axpby {{ij to ij}}, 1.0, %a, 0.0, %b : {T} to memref<f32x8x4>", "ij}", "0606", "yateto.axpby: index i has size 4 in A, but 8 in B"),
    (f"log {{ik, kj to ij}}, 1.0, %a, %b, 0.0, %a : {T}, memref<f32x8x4> to {T}", "j}", "0606", "yateto.log: index j has size 4 in B, but 8 in C"),
    (f"log {{ik, kj to}}, 1.0, %a, %b, 0.0, %a : {T}, memref<f32x8x4> to {T}", "}", "0600", "expected indices or _, but found `}`"),
    (f"%0 = subview %a[0:4] : {T} to {T}", "subview", "1208", "%a is memref<f32x4x8> with 2 modes, but is given 1 index or slice"),
    (f"%0 = subview %a[:, 3:9] : {T} to {T}", "3:9", "1208", "[3:9) is no slice of mode 1 of %a, whose size is 8"),
    (f"%0 = subview %a[:, 3:3] : {T} to {T}", "3:3", "1208", "[3:3) is no slice of mode 1 of %a, whose size is 8"),
    (f"%0 = subview %a[-1:, :] : {T} to {T}", "-1:", "1208", "[-1:4) is no slice of mode 0 of %a, whose size is 4"),
    (f"%0 = subview %a[4, :] : {T} to {T}", "4, ", "1208", "index 4 is out of bounds of mode 0 of %a, whose size is 4"),
    (f"%0 = subview %a[2:4, :] : {T} to memref<f32x2x8>", "memref<f32x2x8>", "1204", "the view is memref<f32x2x8,strided<1,4>>, but memref<f32x2x8> is written here"),
    ("for u8 %k = 0 to 256 { }", "256", "1210", "256 is beyond u8, which holds 0 … 255"),
    ("for i8 %k = -129 to 2 { }", "-129", "1210", "-129 is beyond i8, which holds -128 … 127"),
    ("for f32 %k = 0 to 2 { }", "f32", "1205", "expected an integer type, but found f32"),
    ("lifetime_stop %a", "lifetime_stop", "0313", "lifetime_stop: the operand is a parameter, not an alloca"),
    ("gemm.n.n %x", "gemm.n.n", "0002", "there is no instruction `gemm.n.n` in the immediate language"),
    ("alloca : memref<f32>", "alloca", "0008", "the value of alloca is not assigned"),
    ("%0 = barrier", "barrier", "0008", "barrier gives 0 values, but is assigned to 1 name"),
]  # fmt: skip


def findings(text: str) -> list[pytl.Diagnostic]:
    parsed = find_frontend("yateto", "").read(text, "text")
    return [*parsed.diagnostics.errors, *find_problems(parsed.module).errors]


@pytest.mark.parametrize(("line", "at", "code", "message"), MISTAKES, ids=[f"{m[2]} {m[3]}" for m in MISTAKES])
def test_a_mistake(line: str, at: str, code: str, message: str) -> None:
    found = {(error.code, error.message): error for error in findings(f"{HEAD}\n{line}\n}}")}
    error = found.get((f"PYTL-{code}", message))
    assert error is not None, list(found)
    assert error.location is not None and error.location.line == 2
    assert line.startswith(at, error.location.column - 1), line[error.location.column - 1 :]
    others = [each for each in found if each != (f"PYTL-{code}", message)]
    assert all(each[0] == f"PYTL-{code}" for each in others), others


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", "0004", "there is no function in the text"),
        ("func @f() { }", "0001", "expected `define`, but found `func`"),
        ("define f() { }", "0001", "expected the function's name, as @kernel, but found `f`"),
        ("define @f() {", "0001", "the region is not closed"),
        ("define @f(%a: group<f32,pointers>) { }", "0001", "a group is of memrefs; found `f32`"),
        ("define @f(%a: group<memref<f32>,pointer>) { }", "0001", "expected `distance<…>` or `pointers`, but found `pointer`"),
        ("define @f(%a: group<memref<f32x4>,distance<3>>) { }", "1202", "the distance of group<memref<f32x4>,distance<3>> is 3, but an item ends after 4 elements"),
        ("define @f(%a: void) { }", "0102", "%a is void"),
        ("define @f(%a: f32, %a: f32) { }", "0007", "%a is already defined in line 1"),
        ("define @f() { } define @f() { }", "0010", "@f is defined twice"),
        ("define @f(%a: group<memref<f32x3x4,strided<2,7>>,pointers>, %n: i32) {\n%0 = get_work_item %a, i32 %n : "
         "group<memref<f32x3x4,strided<2,7>>,pointers> }", "1211",
         "the strides of memref<f32x3x4,strided<2,7>> do not divide each other, and its group is taken with an offset"),
        ("define @f() { barrier\x0c }", "0030", "the text has a form feed (U+000C)"),
    ],
)  # fmt: skip
def test_a_text_with_a_mistake(text: str, code: str, message: str) -> None:
    assert (f"PYTL-{code}", message) in [(error.code, error.message) for error in findings(text)]


def test_all_mistakes_of_a_text_at_once() -> None:
    text = """define @f(%a: memref<f32x4x?>, %b: memref<f32x4>) {
  %0 = subview %b[1:5] : memref<f32x4> to memref<f32x4>
  axpby {i to i}, 1.0, %0, 0.0, %b : memref<f32x4> to memref<f32x4>
  nonsense %b
  axpby {ij to i}, 1.0, %a, 0.0, %b : memref<f32x4x2> to memref<f32x4>
  for i8 %i = 0 to 200 {
    axpby {i to j}, 1.0, %b, 0.0, %b : memref<f32x4> to memref<f32x5>
  }
}
define @g(%b: memref<f32x4>) {
  axpby {i to j}, 1.0, %c, 0.0, %b : memref<f32x4> to memref<f32x4>
}"""
    found = [(error.code, error.location.line) for error in findings(text) if error.location]
    assert found == [
        ("PYTL-1200", 1),
        ("PYTL-1208", 2),
        ("PYTL-0002", 4),
        ("PYTL-1210", 6),
        ("PYTL-1204", 7),
        ("PYTL-0006", 11),
        ("PYTL-0610", 7),
        ("PYTL-0610", 7),
    ]


def test_the_message_with_its_caret() -> None:
    with pytest.raises(pytl.LanguageError) as raised:
        pytl.parse(f"{HEAD}\n  %0 = subview %a[:, 3:9] : {T} to {T}\n}}", "kernel.yateto")
    assert (
        str(raised.value).strip()
        == f"""error[PYTL-1208]: [3:9) is no slice of mode 1 of %a, whose size is 8
  --> kernel.yateto:2:22
   |
 1 | {HEAD}
   |           -- %a is memref<f32x4x8>
 2 |   %0 = subview %a[:, 3:9] : memref<f32x4x8> to memref<f32x4x8>
   |                      ^^^
   = rule: a slice [from:to) lies in its mode, 0 ≤ from < to ≤ size, and so does an index; there is one for each mode"""
    )
