"""Broken texts: reading goes on, hides nothing and invents nothing, and never fails in another way than it says."""

import re
import time
from random import Random

import pytest
from generator import generate
from hypothesis import example, given, settings
from hypothesis import strategies as st

import pytl
from pytl.diagnostics import render_all
from pytl.ir.text import parse_text, parse_type
from pytl.ir.verifier import find_problems

pytestmark = pytest.mark.at_most(4)


def errors(text):
    parsed = parse_text(text)
    found = [*parsed.diagnostics.items, *find_problems(parsed.module).items]
    return [(d.location.line, d.message) for d in found if d.severity == "error"]


FUNCTION = """func @f(%v: memref<f32x4>, %x: f32, %i: i32, %n: index, %p: bool) {
%s
}"""
WRONG = "%w = arith.add %x, %i : f32"
BROKEN = [
    "%y = arith.add %x %x : f32",
    "%y = arith.add %x, : f32",
    "%y = arith.add %x, %x :",
    "%y = arith.add %x, %x",
    "%y arith.add %x, %x : f32",
    "%y = ",
    '%y = $ ; { } "',
    "= 3",
    "for %j = %n %n {\n  store %x, %v[%j]\n}",
    "for %j = %n, %n init(%y=%x) -> {\n  yield (%y)\n}",
    "foreach (%j) = (%n) {\n  if %p {\n  }\n  else {\n  }\n}",
    "if %p\n{\n  store %x, %v[%n] ; }\n}\n{ }",
    '%y = alloca{"a}"} : memref<f32x4,local>',
    '%y = alloca{"}"=1, "{"} : memref<f32x4,local>',
    "%y = load %v[%n : f32",
    "barrier.what",
    "%y = constant 1.2.3 : f32",
    "%y = load %v[%n] : memref<f32x>",
]


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_instruction_is_one_error_and_hides_no_other(broken):
    text = FUNCTION.replace("%s", f"{WRONG}\n{broken}\nstore %x, %v[%n]\n{WRONG.replace('%w', '%u')}")
    lines = [line for line, _ in errors(text)]
    last = text.count("\n")
    assert sorted(lines)[0] == 2
    assert sorted(lines)[-1] == last
    assert len(lines) == 3
    assert 2 < lines[0] < last


def test_errors_of_nested_regions_stay_in_their_instruction():
    text = FUNCTION.replace(
        "%s",
        """  for %j = %n, %n {
    %a = arith.ad %x, %x : f32
    if %p {
      %b = arith.neg : f32
    } else {
      store %a, %v[%j]
    }
    store %x, %v[%k]
  }
  %k = cast %x : f64""",
    )
    assert errors(text) == [
        (3, "there is no instruction `arith.ad`"),
        (5, "expected a value such as %x, but found `:`"),
        (9, "%k is not defined here"),
    ]


def test_a_function_that_is_not_closed_ends_where_the_next_begins():
    text = """func @f(%s: memref<f32>, %x: f32, %p: bool) {
  if %p {
    store %x, %s[]
  %w = arith.not %x : f32
}
func @g(%s: memref<f32>, %x: f32) {
  %w = arith.not %x : f32
  store %x, %s[]
}"""
    assert errors(text) == [
        (6, "the region is not closed"),
        (4, "arith.not: not defined on f32"),
        (7, "arith.not: not defined on f32"),
    ]
    assert [function.name for function in parse_text(text).module.functions] == ["f", "g"]


def test_a_brace_too_many_ends_the_function():
    text = """func @f(%s: memref<f32>, %x: f32) {
  store %x, %s[]
  }
  %y = arith.neg %x : f32
}
func @g(%s: memref<f32>, %x: f32) {
  store %x, %s[]
  %w = arith.not %x : f32
}"""
    assert errors(text) == [(4, "expected `func`, but found `%y`"), (8, "arith.not: not defined on f32")]


def test_a_broken_head_hides_its_function_only():
    text = "func @f(%x f32) {\n  yield ()\n}\n  func @g(%x: f33) { }\nfunc (%x: f32) { }\nfunc @h() { yield () }"
    assert errors(text) == [
        (1, "expected `:`, but found `f32`"),
        (4, "expected a type, but found `f33`"),
        (5, "expected the function's name, as @kernel, but found `(`"),
        (6, "the body of a function yields nothing"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ";",
        "\0",
        "\ufeff",
        "\x7fELF\x02\x01\x01\0\0\0>\0\x01\0",
        "\ud800\udfff",
        "func",
        "func @",
        "func @f",
        "func @f(",
        "func @f(%",
        "func @f(%a",
        "func @f(%a:",
        "func @f(%a: memref<",
        "func @f(%a: memref<f32x4>",
        "func @f(%a: memref<f32x4>{",
        'func @f(%a: memref<f32x4>{"',
        "func @f() attributes",
        "func @f() {",
        "func @f() { %",
        "func @f() { %a, ",
        "func @f() { parallel {",
        "}{",
        "func func @f() {}",
        "func @f() {}}",
        "<html><body>404</body></html>",
        "٣ ² func @٣() {}",
    ],
)
def test_texts_that_are_no_programs_are_told_so(text):
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(text)
    assert all(d.code in ("PYTL-0001", "PYTL-0004", "PYTL-0030") for d in caught.value.diagnostics)
    assert 1 <= len(caught.value.diagnostics) <= 4
    assert str(caught.value).startswith("\nerror[PYTL-")


def repeated(opening, closing, count=100_000):
    return opening * count + closing * count


LARGE = {
    "digits": FUNCTION.replace("%s", f"%y = constant {'9' * 100_000} : i64"),
    "size": f"func @f(%a: memref<f32x{'9' * 100_000}>) {{ }}",
    "fraction": FUNCTION.replace("%s", f"%y = constant 0.{'3' * 100_000} : f32"),
    "hexadecimal digits": FUNCTION.replace("%s", f"%y = constant 0x{'f' * 100_000}p0 : f64"),
    "exponent": FUNCTION.replace("%s", f"%y = constant 1e{'9' * 100_000} : f64"),
    "hexadecimal exponent": FUNCTION.replace("%s", f"%y = constant 0x1p-{'9' * 100_000} : f64"),
    "name": FUNCTION.replace("%s", f"%{'y' * 100_000} = barrier"),
    "word": FUNCTION.replace("%s", f"{'y' * 100_000} %x"),
    "modifiers": FUNCTION.replace("%s", f"gemm{'.n' * 50_000} %x"),
    "unclosed regions": FUNCTION.replace("%s", "if %p {" * 100_000),
    "nested regions": FUNCTION.replace("%s", repeated("if %p {", "}")),
    "nested arrays": FUNCTION.replace("%s", f'%y = alloca{{"a"={repeated("[", "]")}}} : memref<f32,local>'),
    "nested dictionaries": FUNCTION.replace("%s", f"%y = alloca{repeated('{' + chr(34) + 'a' + chr(34) + '=', '}')}"),
    "braces": "{" * 100_000,
    "closing braces": "func @f() {" + "}" * 100_000,
    "modes": f"func @f(%a: memref<f32{'x2' * 20_000}>) {{ }}",
    "errors": FUNCTION.replace("%s", "\n".join(f"%y{n} = cast %z{n} : f32" for n in range(5_000))),
    "unknown words": FUNCTION.replace("%s", "\n".join(f"wrd{n} %x" for n in range(3_000))),
    "comments": ";" * 100_000,
    "blanks": " \n" * 100_000,
}


@pytest.mark.at_most(1)
@pytest.mark.parametrize("name", LARGE)
def test_large_texts_take_no_long_time(name):
    started = time.process_time()
    found = errors(LARGE[name])
    if name not in ("fraction", "hexadecimal exponent"):
        assert found
    assert all(len(message) < 400 or name in ("name", "word", "modes") for _, message in found)
    assert time.process_time() - started < 30  # they take three seconds at most; in quadratic time, minutes


def test_regions_may_be_nested_deeply():
    depth = 60
    text = FUNCTION.replace("%s", "if %p {\n" * depth + "store %x, %v[%n]\n" + "}\n" * depth)
    module = pytl.parse(text)
    pytl.verify(module)
    assert str(pytl.parse(str(module))) == str(module)


@pytest.mark.parametrize("text", ["", "f3", "memref<f32x4> x", "memref<boolx4>", "memref<indexx?x", "group<f32x4>"])
def test_types_that_are_none(text):
    with pytest.raises(pytl.LanguageError) as caught:
        parse_type(text)
    assert caught.value.code == "PYTL-0001"


TOKEN = re.compile(r"[%@]?[A-Za-z0-9_.]+|->|\s+|.", re.DOTALL)
PIECES = [
    *'{}()[]<>,:=%@;"?+-. \n\0é$',
    *"func for if else foreach parallel init attributes yield -> true memref<f32x4> group< strided<".split(),
    *"%0 %x @f 0 -1 1.5 0x1p3 1e99 99999999999999999999 index bool void i8 c64 constant load store subview".split(),
    *"gemm.n.t axpby.t.atomic barrier.local alloca lifetime_stop arith.add arith. cmp.lt cast size .n .atomic".split(),
]


@st.composite
def broken_texts(draw):
    """A valid text with some tokens or characters deleted, inserted, replaced or exchanged."""
    rng = draw(st.randoms(use_true_random=False))
    text = generate(Random(draw(st.integers(0, 10_000))), size=rng.randrange(8))
    parts = TOKEN.findall(text) if rng.randrange(4) else list(text)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(parts)) if parts else 0
        action = rng.randrange(5)
        if action == 0:
            del parts[at : at + rng.randrange(1, 4)]
        elif action == 1:
            parts.insert(at, rng.choice(PIECES))
        elif action == 2:
            parts[at : at + 1] = [rng.choice(PIECES)]
        elif action == 3:
            parts[at : at + 1] = parts[at : at + 8] * 2
        else:
            parts = parts[: at + 1]
    return "".join(parts)


@pytest.mark.at_night
@settings(deadline=2_000, max_examples=250)
@given(broken_texts())
@example("func @f(%a: memref<f32x4>) { %b = subview %a[:, :] : memref<f32x4> }")
@example("func @f(%a: f32) { %b = subview %a[:] : memref<f32x4> }")
@example("func @f() { %b = cmp.lt 1, 2 : memref<f32> }")
@example("func @f() { %b = arith.add 1, 2 : memref<f32> }")
def test_no_broken_text_is_answered_with_a_traceback(text):
    parsed = parse_text(text)
    found = [*parsed.diagnostics.items, *find_problems(parsed.module).items]
    assert render_all(found).count("= rule:") == len(found)
    if not any(d.severity == "error" for d in found):
        printed = str(parsed.module)
        assert str(pytl.parse(printed)) == printed
    for d in found:
        assert d.location is not None
        assert 1 <= d.location.line <= d.location.end_line <= text.count("\n") + 1


@pytest.mark.at_night
@settings(deadline=2_000, max_examples=100)
@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_no_text_at_all_is_answered_with_a_traceback(text):
    found = parse_text(text).diagnostics.errors
    assert found
    assert all(d.code in ("PYTL-0001", "PYTL-0004", "PYTL-0030") for d in found)
