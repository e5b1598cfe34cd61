"""Functions that are called, in the text, in the verifier, and in what is known of a call."""

from __future__ import annotations

from random import Random

import pytest
from calls_kit import nameless, outlined
from generator import SEEDS, generate
from hypothesis import given

import pytl
from pytl.frontends.registry import find_frontend
from pytl.ir.clone import clone_function, clone_module
from pytl.ir.linking import joined
from pytl.ir.types import MemrefType, f32, i32
from pytl.ir.values import Function, Module, Region, Value, kind_of
from pytl.ir.verifier import find_problems
from pytl.ops import Call
from pytl.ops.calls import effects_of, passes_as
from pytl.passes import Pipeline, find_pass

TEXT = """\
func @k(%x: memref<f32x8>,
        %g: group<memref<f32x8>x?>,
        %n: index) {
  %lo = constant 0 : index
  foreach (%i) = (%lo), (%n) {
    %a, %p = pytl.call @both(%x, %i) -> (f32, bool)
    store %a, %x[%i]
  }
  pytl.call @fill(%x, %g, %n)
}

func @both(%v: memref<f32x?>,
           %i: index) -> (f32, bool) {
  %a = load %v[%i] : f32
  %b = pytl.call @square(%a) -> (f32)
  %p = cmp.lt %a, %b : bool
  yield (%b, %p)
}

func @square(%x: f32) -> (f32) {
  %0 = arith.mul %x, %x : f32
  yield (%0)
}

func @fill(%from: memref<f32x8>,
           %to: group<memref<f32x8>x?>,
           %n: index) -> () {
  %item = load %to[%n] : memref<f32x8>
  %one = constant 0x1p+0 : f32
  %zero = constant 0x0p+0 : f32
  axpby.n %one, %from, %zero, %item
}"""


def test_the_text_is_read_as_it_is_printed() -> None:
    module = pytl.parse(TEXT, strict=True)
    assert str(module) == TEXT
    pytl.verify(module)
    kernel, both, square, fill = module.functions
    assert [each.is_kernel for each in module.functions] == [True, False, False, False]
    assert kernel.callees() == [both, square, fill]
    assert (kernel.results, square.results, fill.results) == (None, (f32,), ())


def test_functions_may_stand_in_any_order() -> None:
    functions = TEXT.split("\n\n")
    module = pytl.parse("\n\n".join(functions[::-1]), strict=True)
    assert str(Module.of(module["k"])) == TEXT


def test_kernels_are_what_is_launched() -> None:
    kernels = pytl.compile(TEXT)
    assert list(kernels) == ["k"]
    assert str(kernels["k"]) == TEXT
    assert [function.name for function in kernels["k"].module.functions] == ["k", "both", "square", "fill"]


def test_copies_call_copies() -> None:
    module = pytl.parse(TEXT)
    copy = clone_module(module)
    assert str(copy) == TEXT
    assert not set(copy.functions) & set(module.functions)
    assert copy.functions[0].callees() == copy.functions[1:]
    alone = clone_function(module.functions[0])
    assert str(Module.of(alone)) == TEXT and not set(alone.callees()) & set(module.functions)


def test_effects_go_through_calls() -> None:
    module = pytl.parse(TEXT)
    both, square, fill = module.functions[1:]
    assert (effects_of(both, {}).read, effects_of(both, {}).written) == ({0}, frozenset())
    assert (effects_of(fill, {}).read, effects_of(fill, {}).written) == ({0, 1}, {1})
    assert not any(effects_of(each, {}).acts for each in (both, square, fill))
    call = next(op for op in module.functions[0].body.operations if isinstance(op, Call))
    assert call.read_memory() == call.arguments[:2]
    assert call.written_memory() == [call.arguments[1]]


def test_a_barrier_is_more_than_reads_and_writes() -> None:
    module = pytl.parse("func @f() { pytl.call @g() } func @g() -> () { pytl.call @h() } func @h() -> () { barrier }")
    assert effects_of(module["g"], {}).acts


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("%0 = arith.add %x, %x : f32", "mixed"),
        ("if %p { axpby.n %x, %v, %x, %v }", "collective"),
        ("parallel { %0 = builtin.subgroup_id : i32 }", "collective"),
        ("%0 = builtin.subgroup_id : i32", "spmd"),
        ("%0 = v04.atomic_add %x, %v[%n] : f32", "mixed"),
        ("%0 = v04.atomic_add %x, %v[%n] : f32  store %0, %v[%n]", "spmd"),
        ("pytl.call @other(%v)", "collective"),
    ],
)
def test_where_a_function_may_be_called(body: str, kind: str) -> None:
    other = "func @other(%v: memref<f32x8>) -> () { parallel { } }"
    module = pytl.parse(f"func @f(%v: memref<f32x8>, %x: f32, %n: index, %p: bool) -> () {{ {body} }} {other}")
    assert not find_problems(module).errors
    assert kind_of(module["f"], {}) == kind


def test_what_may_be_passed() -> None:
    fixed, open_ = MemrefType(f32, (4, 8)), MemrefType(f32, ("?", 8), (1, "?"))
    text = (
        "func @f(%a: memref<f32x4x8>, %b: memref<f32x?x8>, %c: group<memref<f32x4>x4>, %d: group<memref<f32x4>x?>) { }"
    )
    a, b, c, d = (parameter.type for parameter in pytl.parse(text).functions[0].parameters)
    assert fixed == a and open_ != b
    assert passes_as(a, b) and not passes_as(b, a)
    assert passes_as(c, d) and not passes_as(d, c)
    assert passes_as(f32, f32) and not passes_as(f32, i32)
    local = MemrefType(f32, (4, 8), space="local")
    assert not passes_as(local, b)


def test_two_functions_of_one_name() -> None:
    square = pytl.parse(TEXT)["square"]
    other = clone_function(square)
    x = Value(f32, "x")
    kernel = Function("k", [x], Region("collective"))
    for callee in (square, other):
        kernel.body.operations.append(Call(None, [f32], callee=callee, arguments=[x]))
    (problem,) = find_problems(Module.of(kernel)).errors
    assert (problem.code, problem.message) == ("PYTL-1101", "@square is the name of two functions that are called")
    module = joined([kernel])
    assert [function.name for function in module.functions] == ["k", "square"]
    other.body = clone_function(pytl.parse("func @g(%x: f32) -> (f32) { yield (%x) }")["g"]).body
    other.body.operations[0].yielded = other.parameters
    module = joined([kernel], ["square"])
    assert sorted(function.name for function in module.functions) == ["k", "square_1", "square_2"]
    assert str(pytl.parse(str(module))) == str(module)


def test_the_dialects_have_no_calls() -> None:
    kernel = pytl.compile(TEXT)["k"]
    for dialect in ("0.4", "0.3"):
        with pytest.raises(pytl.LanguageError, match=r"pytl\.call has no form in the dialect") as caught:
            kernel.ir(dialect=dialect)
        assert "inline-calls" in str(caught.value)
        with pytest.raises(pytl.LanguageError):
            pytl.parse(TEXT, language=dialect)


@pytest.mark.parametrize("language", ["0.3", "0.4", "yateto"])
def test_other_languages_have_no_functions_that_are_called(language: str) -> None:
    with pytest.raises(pytl.LanguageError, match="@f is a function that is called"):
        find_frontend(language, "").write(pytl.parse("func @f() -> () { }"))


def test_recursion_is_told_wherever_it_is() -> None:
    text = "func @k() { pytl.call @a() } func @a() -> () { pytl.call @b() } func @b() -> () { pytl.call @a() }"
    with pytest.raises(pytl.LanguageError, match="PYTL-1104"):
        pytl.verify(pytl.parse(text))


@pytest.mark.at_night
def test_many_functions_are_no_matter() -> None:
    """Functions that call each other in a row, deeper than Python's stack, are refused and not followed."""
    text = "func @k() { pytl.call @f0() }\n"
    text += (
        "\n".join(f"func @f{k}() -> () {{ pytl.call @f{k + 1}() }}" for k in range(5000)) + "func @f5000() -> () { }"
    )
    module = pytl.parse(text)
    assert str(pytl.parse(str(module))) == str(module)
    assert len(clone_module(module).functions) == 5002
    with pytest.raises(pytl.LanguageError, match="calls more than 32 deep"):
        pytl.verify(module)


@pytest.mark.at_night
@given(SEEDS)
def test_programs_with_calls(seed: int) -> None:
    """Their text is read as it is printed, and inlining gives back the program that they were made of."""
    (function,) = pytl.parse(generate(Random(seed), safe=bool(seed % 2), size=14)).functions
    module = outlined(function, Random(seed))
    text = str(module)
    again = pytl.parse(text, strict=True)
    assert str(again) == text
    pytl.verify(again)
    (inlined,) = Pipeline([find_pass("inline-calls")]).run(again).functions
    assert nameless(inlined) == nameless(function)
    assert str(again) == text
