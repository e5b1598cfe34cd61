"""What is wrong with a module is told at its operation, all at once; and no text harms whoever reads it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from frontends.mlir.programs import program

import pytl
from pytl.diagnostics.examples import example_of
from pytl.mlir.text import read_text
from pytl.mlir.text.reader import Reader

pytestmark = pytest.mark.at_most(4)


def told(text: str) -> list[tuple[str, int, str]]:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(text, "f.mlir")
    return [(d.code, d.location.line if d.location else 0, d.message) for d in caught.value.diagnostics]


def test_all_mistakes_are_told_at_once_at_their_operations() -> None:
    text = """func.func @f(%a: memref<4x4xf32>, %t: tensor<*xf32>, %i: index) {
  %v = memref.load %a[%i] : memref<4x4xf32>
  %w = arith.addf %v, %x : f32
  %u = arith.addi %i, %y : index
  scf.while (%k = %i) : (index) -> index {
    %c = arith.cmpi slt, %k, %i : index
    scf.condition(%c) %k : index
  } do {
  ^bb0(%k: index):
    scf.yield %k : index
  }
  %z = affine.apply affine_map<(d0) -> (d0 floordiv 0)>(%i)
  %q = affine.apply affine_map<(d0) -> (d0 + 1>(%i)
  foo.bar %i
  %p = "math.bar"(%w) : (f32) -> f32
  memref.store %p, %a[%i, %i] : memref<4x4xf32>
  return
}
func.func @g(%a: memref<4xf32>, %i: index) -> vector<4xf32> {
  %v = vector.load %a[%i] : memref<4xf32>, vector<4xf32>
  return %v : vector<4xf32>
}"""
    assert sorted(told(text), key=lambda each: each[1]) == [
        ("PYTL-1304", 1, "func.func: %t is tensor<*xf32>, which has no rank"),
        ("PYTL-1305", 2, "memref.load: 1 indices are given, but memref<4x4xf32> has 2 dimensions"),
        ("PYTL-1309", 3, "%x is not defined here"),
        ("PYTL-1309", 4, "%y is not defined here"),
        ("PYTL-1319", 5, "scf.while: nothing bounds its iterations"),
        ("PYTL-0704", 12, "the second operand of floordiv is 0"),
        ("PYTL-0700", 13, "expected `)`, but found `>`"),
        ("PYTL-1301", 14, "`foo.bar` is no operation that is read here"),
        ("PYTL-1302", 15, "math.bar: it has no meaning here"),
        ("PYTL-1308", 19, "func.func: it gives vector<4xf32>"),
    ]


RESHAPED = {
    "another number of elements": (
        "memref<2x3xf32>, memref<1xi32>) -> memref<5xf32>",
        "memref<2x3xf32> has 6 elements, but memref<5xf32> has 5",
    ),
    "a shape of another order": (
        "memref<2x3xf32>, memref<1xi32>) -> memref<3x2xf32>",
        "memref<3x2xf32> has 2 dimensions, but the shape is memref<1xi32>",
    ),
    "a shape whose order is not known": (
        "memref<2x3xf32>, memref<?xi32>) -> memref<6xf32>",
        "memref<6xf32> has 1 dimensions, but the shape is memref<?xi32>",
    ),
    "a shape of floating point numbers": (
        "memref<2x3xf32>, memref<1xf32>) -> memref<6xf32>",
        "memref<1xf32> is no shape: its elements are integers, in one dimension",
    ),
    "columns first": (
        "memref<2x3xf32, strided<[1, 2]>>, memref<1xi32>) -> memref<6xf32>",
        "the elements of memref<2x3xf32, strided<[1, 2]>> are not in row-major order",
    ),
}


@pytest.mark.parametrize("types, message", RESHAPED.values(), ids=list(RESHAPED))
def test_shapes_that_elements_do_not_have(types: str, message: str) -> None:
    a, s = types.partition(") ->")[0].rsplit(", ", 1)
    text = f"func.func @f(%a: {a}, %s: {s}) {{\n %r = memref.reshape %a(%s) : ({types}\n return\n}}"
    assert told(text) == [("PYTL-1305", 2, f"memref.reshape: {message}")]


SCALABLE = {
    "loaded": "%v = vector.load %a[%c0] : memref<?xf32>, vector<[4]xf32>",
    "constant": "%v = arith.constant dense<1.0> : vector<[4]xf32>",
    "of two dimensions": "%v = vector.broadcast %x : f32 to vector<4x[8]xf32>",
    "transferred": "%v = vector.transfer_read %a[%c0], %x : memref<?xf32>, vector<[4]xf32>",
    "masks": "%v = vector.create_mask %c0 : vector<[4]xi1>",
    "in the generic form": '%v = "vector.broadcast"(%x) : (f32) -> vector<[4]xf32>',
}


@pytest.mark.parametrize("operation", SCALABLE.values(), ids=list(SCALABLE))
def test_vectors_as_long_as_a_processor_has_them_are_refused(operation: str) -> None:
    text = f"func.func @f(%a: memref<?xf32>, %x: f32) {{\n %c0 = arith.constant 0 : index\n {operation}\n return\n}}"
    (only,) = told(text)
    assert only[:2] == ("PYTL-1303", 3)
    assert "]xf32>" in only[2] or "]xi1>" in only[2]


def test_places_are_those_of_the_text_and_not_of_its_locations() -> None:
    text = '#loc = loc("other.py":70:2)\nfunc.func @f(%a: memref<4xf32>) {\n  %v = arith.addi %b, %b : i32 loc(#loc)\n  return\n}'
    assert told(text) == [("PYTL-1309", 3, "%b is not defined here")]


@pytest.mark.parametrize("code", range(1300, 1322))
def test_each_rule_has_an_example_that_breaks_it(code: int) -> None:
    example = example_of(f"PYTL-{code}")
    assert example is not None
    if example.form == "shell":
        body = example.text.partition("\n")[2].rpartition("END")[0]
        assert f"PYTL-{code}" in {each[0] for each in told(body)}


HOSTILE = {
    "deep regions": "func.func @f(%n: index) {\n" + "scf.for %i = %n to %n step %n {\n" * 5000,
    "deep generic regions": '"builtin.module"() ({' * 5000,
    "deep lists": 'func.func @f() attributes {a = ' + "[" * 50000,
    "deep types": "func.func @f(%a: " + "memref<4x" * 5000 + "f32" + ">" * 5000 + ") {\n return }",
    "deep functions": "func.func @f(%a: " + "(" * 50000,
    "deep maps": "#m = affine_map<(d0) -> (" + "(" * 50000 + "d0" + ")" * 50000 + ")>\nfunc.func @f(%i: index) {\n %a = affine.apply #m(%i) return }",
    "huge numbers": "func.func @f(%a: memref<" + "9" * 100000 + "xf32>) { return }",
    "huge constants": "func.func @f() { %a = arith.constant 1" + "0" * 100000 + " : i32\n return }",
    "huge floats": "func.func @f() { %a = arith.constant 1.0e999999 : f32\n return }",
    "many results": "func.func @f() { %a:1000000000 = func.call @f() : () -> ()\n return }",
    "many elements": "func.func @f(%x: f32) { %a = vector.broadcast %x : f32 to vector<1000000000xf32>\n return }",
    "aliases of aliases": "\n".join(["!a0 = memref<4xf32>", *(f"!a{n} = ({', '.join([f'!a{n - 1}'] * 9)}) -> ()" for n in range(1, 20))])
    + "\nfunc.func @f(%a: !a19) { return }",
    "an alias of itself": "!a = !a\n#m = #m\nfunc.func @f(%a: !a) { return }",
    "no end of a text": 'func.func @f() { "arith',
    "names of code": 'func.func @"os.system(1)"(%a: memref<4xf32>) { return }',
    "blanks": "\x00\x01\x7f\u202e",
    "an empty text": "",
    "whiles in conditions of whiles": "func.func @f(%n: index) {\n %c1 = arith.constant 1 : index\n"
    + "".join(f" %r{n} = scf.while (%a{n} = %n) : (index) -> index {{\n" for n in range(40))
    + "".join(
        f" %c{n}x = arith.cmpi slt, %a{n}, %n : index\n scf.condition(%c{n}x) %a{n} : index\n }} do {{\n ^bb0(%b{n}: index):\n"
        f" %d{n} = arith.addi %b{n}, %c1 : index\n scf.yield %d{n} : index\n }}\n"
        for n in reversed(range(40))
    )
    + " return\n}",
    "calls of functions that call twice": "".join(
        f"func.func private @f{n}(%x: f32) -> f32 {{\n %y = func.call @f{n + 1}(%x) : (f32) -> f32\n"
        f" %z = func.call @f{n + 1}(%y) : (f32) -> f32\n return %z : f32\n}}\n"
        for n in range(2000)
    )
    + "func.func private @f2000(%x: f32) -> f32 {\n return %x : f32\n}\nfunc.func @k(%a: memref<f32>, %x: f32) {\n"
    " %y = func.call @f0(%x) : (f32) -> f32\n memref.store %y, %a[] : memref<f32>\n return\n}",
    "a product of sizes": "func.func @f(%a: memref<9999999999x9999999999x9999999999xf32>) {\n memref.copy %a, %a : "
    "memref<9999999999x9999999999x9999999999xf32> to memref<9999999999x9999999999x9999999999xf32>\n return }",
}  # fmt: skip


REPEATED = (
    "func.func @f(%n: index) {\n %z = arith.constant 0 : index\n"
    " %r = scf.while (%a = %n) : (index) -> index {\n %d0 = arith.addi %a, %a : index\n"
    + "".join(f" %d{n} = arith.muli %d{n - 1}, %d{n - 1} : index\n" for n in range(1, 99))
    + " %e0 = arith.cmpi slt, %d98, %d98 : index\n"
    + "".join(f" %e{n} = arith.andi %e{n - 1}, %e{n - 1} : i1\n" for n in range(1, 99))
    + " scf.condition(%e98) %a : index\n } do {\n ^bb0(%b: index):\n scf.yield %b : index\n }\n return\n}"
)  # fmt: skip
"""A condition of the same condition again and again."""


def test_what_doubles_in_each_line_is_read_in_time() -> None:
    assert pytl.from_mlir(REPEATED)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=list(HOSTILE))
def test_a_hostile_text_is_told(text: str) -> None:
    assert told(text)


def test_what_is_never_closed_is_skipped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regions around an operation that can't be read are not looked through again, each for itself."""
    read = [0]
    once = Reader.next

    def counted(reader: Reader) -> str:
        read[0] += 1
        return once(reader)

    monkeypatch.setattr(Reader, "next", counted)
    lines = 3000
    told("func.func @f(%n: index) {\n" + "scf.for %i = %n to %n step %n {\n" * lines)
    assert read[0] < 15 * lines  # a line has nine tokens


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ("scf.for %i = %n\n  to %n stop %n {\n}", 3, "expected `step`, but found `stop`"),
        ("%v arith.addi %n, %n : index\n%w = arith.addi %v, %n : index", 2, "expected `=`, but found `arith.addi`"),
        ("%a, %b:2 arith.addi %n, %n : index\n%w = arith.addi %a, %b#1 : index", 2, "expected `=`, but found"),
        ("%c = arith.cmpi slt, %n, %n : index\nscf.if %c, {\n}\nelse {\n}", 3, "expected `{`, but found `,`"),
    ],
    ids=["several lines", "a result", "several results", "an else on a line of its own"],
)
def test_one_mistake_is_told_once(lines: str, line: int, message: str) -> None:
    """Nothing follows from it: what it skips is not read as something else, and names in front of it are known."""
    ((code, at, said),) = told(f"func.func @f(%n: index) {{\n{lines}\nreturn\n}}")
    assert (code, at) == ("PYTL-1300", line) and message in said


def test_names_that_are_wrong_are_told_with_those_that_are_meant() -> None:
    text = """func.func @f(%count: index) {
  %twice = arith.addi %count, %cuont : index
  %twice = arith.addi %count, %count : index
  return
}"""
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(text)
    assert [(d.code, d.message, d.help) for d in caught.value.diagnostics] == [
        ("PYTL-1309", "%cuont is not defined here", "did you mean %count?"),
        ("PYTL-1317", "%twice is already defined in line 2", "choose another name"),
    ]


def test_a_mistake_among_brackets_that_are_closed_is_followed_by_others() -> None:
    """What was skipped to the end of the text for one operation is looked at for those that are not around it."""
    found = told("""func.func @f(%n: index) {
  scf.for %i = %n to %n step %n {
    arith.adx (%n
    arith.adx )
  }
  arith.ady %n
  return
}
func.func @g(%n: index) {
  arith.adz (%n""")
    assert [line for code, line, _ in found if code == "PYTL-1301"] == [3, 6, 10]


def test_mutilated_texts_are_told_or_read() -> None:
    """Texts with pieces missing, twice or exchanged: nothing but a `LanguageError` comes of them."""
    rng = random.Random(5)
    texts = [program(seed).text for seed in range(6)]
    for _ in range(300):
        text = rng.choice(texts)
        a, b = sorted(rng.randrange(len(text)) for _ in range(2))
        b = min(b, a + 30)
        other = rng.choice(texts)
        at = rng.randrange(len(other))
        changed = rng.choice(
            [text[:a] + text[b:], text[:a] + text[a:b] * 2 + text[b:], text[:a] + other[at : at + 20] + text[b:]]
        )
        try:
            pytl.from_mlir(changed)
        except pytl.LanguageError:
            pass


def test_launches_stay_in_the_arrays() -> None:
    """Arrays that are shorter than a function's other arrays say are refused, or what is missing is left out."""
    text = """func.func @f(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
func.func @g(%a: memref<?x4xf32>, %c: memref<?x4xf32>) {
  linalg.exp ins(%a : memref<?x4xf32>) outs(%c : memref<?x4xf32>)
  return
}"""
    kernels = pytl.from_mlir(text)
    a, c = np.ones((4, 4), np.float32), np.zeros((6, 4), np.float32)
    with pytest.raises(pytl.LaunchError, match=r"mode 1 of C \(c\) is 6, but mode 1 of B \(a\) is 4"):
        kernels["f"][...](a, a, c, backend="reference")
    kernels["g"][...](a, c, backend="reference")
    assert (c[4:] == 0).all() and (c[:4] > 2).all()


def test_an_array_that_does_not_fit_is_told_in_its_own_order() -> None:
    text = (
        "func.func @f(%a: memref<4x3xf32>) { linalg.exp ins(%a : memref<4x3xf32>) outs(%a : memref<4x3xf32>) return }"
    )
    kernel = pytl.from_mlir(text)["f"]
    with pytest.raises(pytl.LaunchError, match=r"a has the shape 3x4, but .* needs 4x3"):
        kernel[...](np.ones((3, 4), np.float32), backend="reference")
    with pytest.raises(pytl.LaunchError, match=r"has the strides \(1, 4\) .*needs \(3, 1\)"):
        kernel[...](np.ones((4, 3), np.float32, order="F"), backend="reference")


def test_a_tree_is_read_as_a_text_is(tmp_path: Path) -> None:
    module, found = read_text(
        "func.func @f(%a: memref<4xf32>) { linalg.exp ins(%a : memref<4xf32>) outs(%a : memref<4xf32>) return }"
    )
    assert not found.items
    x = np.zeros(4, np.float32)
    pytl.from_mlir(module)["f"][...](x, backend="reference")
    assert (x == 1).all()
