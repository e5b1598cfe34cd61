"""inline-calls, and the other passes in the presence of calls."""

from __future__ import annotations

import pytest
from calls_kit import nameless
from forms.table import all_rows

import pytl
from pytl.backends.registry import find_backend
from pytl.ir.types import CoopMatrixType
from pytl.ir.values import Function, Module, Region
from pytl.ops import Barrier, Call
from pytl.passes import Pipeline, find_pass
from pytl.passes.analysis.calls import Kinds
from pytl.passes.inline_calls import inlined, without_calls

NESTED = """\
func @k(%x: memref<f32x8>, %y: memref<f32x?>) {
  %0 = constant 0 : index
  %1 = constant 8 : index
  foreach (%i) = (%0), (%1) {
    %a = pytl.call @outer(%x, %i) -> (f32)
    store %a, %x[%i]
  }
  pytl.call @both(%x, %y)
}
func @outer(%v: memref<f32x?>, %i: index) -> (f32) {
  %a = load %v[%i] : f32
  %b = pytl.call @square(%a) -> (f32)
  yield (%b)
}
func @square(%x: f32) -> (f32) {
  %0 = arith.mul %x, %x : f32
  yield (%0)
}
func @both(%a: memref<f32x8>, %b: memref<f32x?>) -> () {
  %z = constant 0 : index
  %s = pytl.call @outer(%b, %z) -> (f32)
  axpby.n %s, %a, %s, %a
}"""

INLINED = """\
func @k(%x: memref<f32x8>,
        %y: memref<f32x?>) {
  %0 = constant 0 : index
  %1 = constant 8 : index
  foreach (%i) = (%0), (%1) {
    %a = load %x[%i] : f32
    %b = arith.mul %a, %a : f32
    store %b, %x[%i]
  }
  %z = constant 0 : index
  %a = load %y[%z] : f32
  %b = arith.mul %a, %a : f32
  axpby.n %b, %x, %b, %x
}"""


def run(text: str, *passes: str) -> Module:
    return Pipeline([find_pass(each) for each in passes]).run(pytl.parse(text))


def test_all_calls_are_inlined() -> None:
    module = run(NESTED, "inline-calls")
    assert str(module) == INLINED
    (function,) = module.functions
    assert not any(isinstance(op, Call) for op in function.walk())


def test_calls_of_sequential_functions_stay() -> None:
    module = run(NESTED, "inline-calls{keep=sequential}")
    assert [function.name for function in module.functions] == ["k", "outer", "square"]
    assert [op.callee.name for op in module["k"].calls()] == ["outer", "outer"]


def test_the_module_that_is_given_stays_as_it_is() -> None:
    module = pytl.parse(NESTED)
    text = str(module)
    whole = inlined(module["k"])
    assert whole.parameters is module["k"].parameters
    Pipeline([find_pass("inline-calls")]).run(module)
    assert str(module) == text
    without = without_calls(module["k"], lambda function: function.name == "square")
    assert [function.name for function in without.callees()] == []
    assert nameless(without) == nameless(whole)
    assert without_calls(module["k"], lambda function: function.name == "none") is module["k"]
    assert str(module) == text


def test_views_get_the_types_of_what_is_passed() -> None:
    text = """
func @k(%A: memref<f32x4x8>, %n: index) {
  pytl.call @column(%A, %n)
}
func @column(%A: memref<f32x?x?>, %n: index) -> () {
  %v = subview %A[0:4, %n] : memref<f32x4>
  %w = fuse %A[0, 1] : memref<f32x?>
  %z = constant 0 : index
  %one = load %w[%z] : f32
  axpby.n %one, %v, %one, %v
}"""
    (function,) = run(text, "inline-calls").functions
    assert "fuse %A[0,1] : memref<f32x32>" in str(function).replace("[0, 1]", "[0,1]")


def test_places_tell_the_call() -> None:
    (function,) = run(NESTED, "inline-calls").functions
    product = next(op for op in function.walk() if op.word == "arith.mul")
    lines = []
    place = product.location
    while place is not None:
        lines.append(place.line)
        place = place.caller
    assert lines == [16, 12, 5]


ALONE = {
    "builtin": "asks for a place",
    "v04.group_id": "asks for a place",
    "v04.num_groups": "asks for a place",
    "v04.associated": "is known where calls are inlined",
    "debug.print": "names the work-item",
    "debug.call": "names the work-item",
    "debug.assert": "names the work-item",
    "debug.require": "is told with the other checks of the kernel",
    "barrier": "waits for other work-items",
}
"""Instructions of any region, on numbers and memory, that need the kernel around them."""


@pytest.mark.at_night
@pytest.mark.additions
def test_a_work_item_does_every_other_instruction_on_numbers_by_itself() -> None:
    needing: dict[str, bool] = {}
    for row in {row.form: row for row in all_rows()}.values():
        for op in pytl.parse(row.module_text).functions[0].walk():
            is_matrix = any(isinstance(value.type, CoopMatrixType) for value in (*op.operands, *op.results))
            if op.kind == "mixed" and op.callee is None and not (is_matrix or op.regions or getattr(op, "flag", "")):
                alone = Function("f", [], Region(operations=[op]), results=())
                needing[op.mnemonic] = not Kinds().is_sequential(alone)
    assert len(needing) > 20
    wrong = {name for name, needs in needing.items() if needs} ^ (ALONE.keys() & needing.keys())
    assert not wrong, f"see passes/analysis/calls.py: {', '.join(sorted(wrong))}"


WHICH = {
    "%a = load %v[%n] : f32  store %a, %v[%n]": "sequential",
    "%a = load %g[%n] : memref<f32x4>  %b = load %a[%n] : f32  store %b, %v[%n]": "sequential",
    "for %i = %n, %n { }": "sequential",
    "if %p { store %x, %v[%n] }": "sequential",
    "%s = subview %v[0:2] : memref<f32x2>  %t = size %s[0] : index": "sequential",
    "pytl.call @good()": "sequential",
    "pytl.call @bad()": None,
    "pytl.call @waits()": "collective",
    "store.atomic_add %x, %v[%n]": None,
    "store.atomic %x, %v[%n]": None,
    "%a = v04.atomic_add %x, %v[%n] : f32": None,
    "%a = alloca : memref<f32x4,local>": "collective",
    "barrier": "collective",
    "axpby.n %x, %v, %x, %v": "collective",
    "axpby.n.atomic %x, %v, %x, %v": None,
    "for %i = %n, %n { if %p { barrier } }": "collective",
    "parallel { }": None,
    "foreach (%i) = (%n), (%n) { pytl.call @good() %a = builtin.group_size : index }": "collective",
    "foreach (%i) = (%n), (%n) { store.atomic %x, %v[%i] }": None,
    "%a = builtin.group_id : index": "collective",
    "%a = builtin.subgroup_id : i32": None,
    "%a = builtin.subgroup_local_id : i32": "spmd",
    "%a = subgroup_add.reduce %x : f32  store %a, %v[%n]": "spmd",
    "%a = builtin.subgroup_local_id : i32  barrier": None,
    "%a = builtin.subgroup_size : i32": None,
    "%m = constant 0.0 : coopmatrix<f32x8x8,matrix_acc>": None,
    'debug.print "x" ()': None,
}


@pytest.mark.parametrize("body", WHICH)
def test_which_calls_need_nothing_of_the_kernel(body: str) -> None:
    head = "func @f(%v: memref<f32x4>, %g: group<memref<f32x4>x?>, %x: f32, %p: bool, %n: index) -> ()"
    others = "func @good() -> () { } func @bad() -> () { parallel { } } func @waits() -> () { barrier }"
    module = pytl.parse(f"{head} {{ {body} }} {others}")
    kinds, function = Kinds(), module["f"]
    assert kinds.is_sequential(function) is (WHICH[body] == "sequential")
    assert kinds.is_spmd(function) is (WHICH[body] in ("sequential", "spmd"))
    assert kinds.is_collective(function) is (WHICH[body] in ("sequential", "collective"))


def test_memory_that_is_passed_twice_is_seen() -> None:
    text = """
func @k(%A: memref<f32x4x8>, %B: memref<f32x4>) {
  %a = subview %A[0:4, 0] : memref<f32x4>
  %b = subview %A[0:4, 1] : memref<f32x4>
  pytl.call @add(%a, %B)
  pytl.call @add(%a, %b)
  pytl.call @add(%B, %B)
  pytl.call @both(%A, %A)
}
func @add(%a: memref<f32x4>, %b: memref<f32x4>) -> () {
  %one = constant 1.0 : f32
  axpby.n %one, %a, %one, %b
}
func @both(%a: memref<f32x4x8>, %b: memref<f32x4x8>) -> () {
  %one = constant 1.0 : f32
  %t = alloca : memref<f32x4x8,local>
  axpby.n %one, %a, %one, %t
  axpby.n %one, %b, %one, %t
}"""
    kernel = run(text, "inline-calls{keep=sequential+collective}")["k"]
    assert [op.callee.name for op in kernel.calls()] == ["add", "both"]
    assert sum(op.mnemonic == "axpby" for op in kernel.walk()) == 2


def test_calls_pass_the_number_of_the_work_group() -> None:
    text = """
func @k(%x: memref<f32x4>) {
  pytl.call @outer(%x)
}
func @outer(%x: memref<f32x4>) -> () {
  pytl.call @inner(%x)
}
func @inner(%x: memref<f32x4>) -> () {
  %g = builtin.group_id : index
  %n = builtin.group_size : index
  %one = constant 1.0 : f32
  store %one, %x[%g]
  store %one, %x[%n]
}"""
    module = run(text, "inline-calls{keep=collective}")
    assert [[p.name for p in module[name].parameters] for name in ("outer", "inner")] == [
        ["x", "group_id", "group_size"],
        ["x", "group_id", "group_size"],
    ]
    builtins = [op.word for function in module.functions for op in function.walk() if op.mnemonic == "builtin"]
    assert builtins == ["builtin.group_id", "builtin.group_size"]


def test_memory_of_functions_lies_behind_that_of_callers() -> None:
    text = """
func @k(%x: memref<f32x4>) attributes{work_group_size=[32,1]} {
  %a = alloca : memref<f32x4,local>
  %one = constant 1.0 : f32
  axpby.n %one, %x, %one, %a
  pytl.call @outer(%x)
  pytl.call @inner(%x)
  axpby.n %one, %a, %one, %x
}
func @outer(%x: memref<f32x4>) -> () {
  %a = alloca : memref<f32x20,local>
  pytl.call @inner(%x)
}
func @inner(%x: memref<f32x4>) -> () {
  %a = alloca {alignment=128} : memref<f32x4,local>
}"""
    module = run(text, "stack-layout")
    found = {function.name: {n: v for n, v in function.attributes.items() if "." in n} for function in module.functions}
    assert found == {
        "k": {"stack.size": 464, "stack.calls": 128, "stack.alignment": 128},
        "outer": {"stack.size": 272, "stack.calls": 128, "stack.alignment": 128},
        "inner": {"stack.size": 80, "stack.alignment": 128},
    }
    # both calls have the same memory
    words = [op.word for op in run(text, "stack-layout", "insert-barrier")["k"].body.operations]
    assert words[3:6] == ["pytl.call", "barrier", "pytl.call"]


def test_an_option_that_is_none() -> None:
    with pytest.raises(pytl.PytlError, match="it keeps calls that are: sequential, spmd, collective"):
        find_pass("inline-calls{keep=all}")


def test_what_backends_say_they_call() -> None:
    found = {name: find_backend(name).calls for name in ("reference", "sycl", "opencl", "mlir", "arm_sme", "xegpu")}
    assert found == {
        "reference": ("all",),
        "sycl": ("sequential", "spmd", "collective"),
        "opencl": ("sequential", "spmd", "collective"),
        "mlir": ("sequential", "collective"),
        "arm_sme": ("sequential",),
        "xegpu": (),
    }


def test_barriers_see_through_calls() -> None:
    text = """
func @k(%x: memref<f32x32>, %y: memref<f32x32>, %z: memref<f32x32>) attributes{work_group_size=[32,1]} {
  %one = constant 1.0 : f32
  axpby.n %one, %x, %one, %y
  pytl.call @reads(%y, %z)
  pytl.call @nothing(%y)
  pytl.call @reads(%x, %x)
}
func @reads(%a: memref<f32x32>, %b: memref<f32x32>) -> () {
  %one = constant 1.0 : f32
  axpby.n %one, %a, %one, %b
}
func @nothing(%a: memref<f32x32>) -> () {
  %one = constant 0 : index
  %s = size %a[0] : index
}"""
    (kernel, *_) = run(text, "insert-barrier").functions
    words = [op.mnemonic for op in kernel.body.operations]
    assert words == ["constant", "axpby", "barrier", "pytl.call", "pytl.call", "barrier", "pytl.call"]
    assert all(op.global_fence and not op.local_fence for op in kernel.walk() if isinstance(op, Barrier))


def test_dead_calls_are_removed() -> None:
    text = """
func @k(%x: memref<f32x8>, %n: index) {
  %a = alloca : memref<f32x8,local>
  %unused = pytl.call @pure(%x, %n) -> (f32)
  pytl.call @fill(%a)
  %used = pytl.call @pure(%x, %n) -> (f32)
  pytl.call @waits()
  store %used, %x[%n]
}
func @pure(%x: memref<f32x8>, %n: index) -> (f32) {
  %v = load %x[%n] : f32
  %dead = arith.mul %v, %v : f32
  yield (%v)
}
func @fill(%a: memref<f32x8,local>) -> () {
  %zero = constant 0.0 : f32
  axpby.n %zero, %a, %zero, %a
}
func @waits() -> () {
  barrier.local
}"""
    module = run(text, "canonicalize")
    assert [op.callee.name for op in module["k"].calls()] == ["pure", "waits"]
    assert [function.name for function in module.functions] == ["k", "pure", "waits"]
    assert [op.mnemonic for op in module["pure"].walk()] == ["load", "yield"]


def test_specializing_goes_through_calls() -> None:
    module = run(NESTED, "specialize{shapes=y:4}")
    assert {function.name for function in module.functions} == {"k", "outer_1", "square", "both_1", "outer_2"}
    types = {function.name: str(function.parameters[0].type) for function in module.functions}
    assert types["outer_1"] == "memref<f32x8>" and types["outer_2"] == "memref<f32x4>"
    assert str(module["both_1"].parameters[1].type) == "memref<f32x4>"


def test_every_pass_leaves_modules_with_calls_valid() -> None:
    """Passes that change kernels alone leave functions that are called as they were."""
    from pytl.passes import pass_names

    for name in pass_names():
        if name in ("specialize", "insert-checks", "launch-in-parts", "execution-strategy"):
            continue  # they ask for options or kernels, and the last one writes an attribute
        before = pytl.parse(NESTED)
        after = Pipeline([find_pass(name)]).run(before)
        changed = [f.name for f in after.functions if not f.is_kernel and str(f) != str(before[f.name])]
        assert not changed or find_pass(name).of_called, name
