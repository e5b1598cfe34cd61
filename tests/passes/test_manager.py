"""Passes by name and option, and pipelines."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from launch_kit import ROOT, clean_python
from passes_kit import LOWERING

import pytl
from pytl.diagnostics import PytlError
from pytl.ir.types import i32
from pytl.ops import Cast
from pytl.passes import (
    Canonicalize,
    ExecutionStrategy,
    LowerCollectives,
    Pipeline,
    WorkGroupSize,
    find_pass,
    pass_names,
)
from pytl.passes.manager import NAMES, Pass, class_name

TEXT = """func @f(%a: memref<f32x4>, %x: f32) {
  %t = alloca : memref<f32x4>
  axpby.n %x, %a, %x, %t
  axpby.n %x, %t, %x, %a
}"""


FOLDER = Path(pytl.passes.__file__).parent


@pytest.mark.additions
def test_names():
    """Each module that registers a pass is in NAMES."""
    registering = [file for file in FOLDER.glob("*.py") if "\n@register\n" in file.read_text()]
    missing = {file.stem.replace("_", "-") for file in registering} - set(NAMES)
    assert not missing, f"add {', '.join(sorted(missing))} to NAMES of pytl/passes/manager.py"
    assert list(NAMES) == sorted(NAMES) == pass_names()
    assert len(registering) == len(NAMES)


@pytest.mark.additions
def test_type_checkers_know_each_pass():
    tree = ast.parse((FOLDER / "__init__.py").read_text())
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    known = {(node.module, alias.name) for node in checked.body for alias in node.names}
    wanted = {(name.replace("-", "_"), class_name(name)) for name in NAMES}
    missing = [f"from .{module} import {name} as {name}" for module, name in sorted(wanted - known)]
    assert not missing, f"add to pytl/passes/__init__.py: {'; '.join(missing)}"
    assert known == wanted


@pytest.mark.additions
def test_the_guide_has_a_row_of_each_pass():
    page = (ROOT / "docs/guide/ir.md").read_text()
    told = {name for row in re.findall(r"^\| (`.*?) \|", page, re.MULTILINE) for name in re.findall("`(.*?)`", row)}
    missing = sorted(set(NAMES) - told)
    assert not missing, f"add a row of {', '.join(missing)} to the table of passes in docs/guide/ir.md"


@pytest.mark.parametrize("name", pass_names())
def test_a_pass_is_found_by_what_it_prints(name):
    step = find_pass(name)
    assert find_pass(str(step)) == step
    assert step.name == name


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("canonicalize{}", Canonicalize()),
        (" canonicalize ", Canonicalize()),
        ("canonicalize{unsafe-fp-math=true}", Canonicalize(unsafe_fp_math=True)),
        ("lower-collectives{only=}", LowerCollectives()),
        ("lower-collectives{only=gemm + sum}", LowerCollectives(only=("gemm", "sum"))),
        ("execution-strategy{many-items=true}", ExecutionStrategy(many_items=True)),
        ("execution-strategy{ many-items = false }", ExecutionStrategy()),
    ],
)
def test_options(text, step):
    assert find_pass(text) == step


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("canonicalise", "there is no pass `canonicalise`", f"the passes are {', '.join(pass_names())}"),
        ("", "there is no pass ``", f"the passes are {', '.join(pass_names())}"),
        ("canonicalize{a=1}", "`a=1` is not an option of canonicalize", "its options are: unsafe-fp-math (bool)"),
        (
            "lower-collectives{a=1}",
            "`a=1` is not an option of lower-collectives",
            "its options are: only (words joined by +), vectors (bool), blocks (bool), streaming (bool), "
            "without (words joined by +)",
        ),
        ("stack-layout{a=1}", "`a=1` is not an option of stack-layout", "its options are: none"),
        (
            "execution-strategy{many-items=3}",
            "`many-items=3` is not an option of execution-strategy",
            "its options are: many-items (bool), lock-step (bool), tiles (words joined by +), only-many (bool), "
            "matrix-types (words joined by +)",
        ),
        (
            "execution-strategy{many-items}",
            "`many-items` is not an option of execution-strategy",
            "its options are: many-items (bool), lock-step (bool), tiles (words joined by +), only-many (bool), "
            "matrix-types (words joined by +)",
        ),
        (
            "execution-strategy{many-items=true",
            "the options of execution-strategy do not end with a brace",
            "write execution-strategy{…}",
        ),
        ("specialize{", "the options of specialize do not end with a brace", "write specialize{…}"),
    ],
)
def test_mistakes_in_names_and_options(text, message, help):
    with pytest.raises(PytlError) as caught:
        find_pass(text)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.help) == ("PYTL-3001", message, help)


def test_a_pipeline_leaves_its_input_unchanged():
    module = pytl.parse(TEXT)
    before = str(module)
    after = Pipeline([*LOWERING, ExecutionStrategy()]).run(module)
    assert str(module) == before
    assert str(after) != before


def test_stages_are_told_in_order():
    stages = []
    Pipeline(LOWERING, on_stage=lambda step, module: stages.append((step.name, str(module)))).run(pytl.parse(TEXT))
    assert [name for name, _ in stages] == [step.name for step in LOWERING]
    texts = dict(stages)
    assert "lifetime_stop" not in texts["canonicalize"]
    assert "lifetime_stop" in texts["insert-lifetime-stop"]
    assert "stack.offset" in texts["stack-layout"]
    assert "barrier" in texts["insert-barrier"]
    assert "work_group_size" in texts["work-group-size"]


@dataclass(frozen=True)
class Breaking(Pass):
    """Uses a scalar where a memref is needed."""

    name = "breaking"

    def run(self, function):
        cast = Cast(None, [i32], operand=function.parameters[0])
        function.body.operations.append(cast)


@pytest.mark.parametrize("at_the_end", [False, True])
def test_a_pass_that_breaks_the_ir_is_reported_with_what_is_wrong(at_the_end):
    with pytest.raises(pytl.LanguageError) as caught:
        Pipeline([Canonicalize(), Breaking()], at_the_end=at_the_end).run(pytl.parse(TEXT))
    messages = [(d.code, d.message) for d in caught.value.diagnostics]
    assert messages == [
        ("PYTL-3002", "after breaking the IR is not valid"),
        ("PYTL-0300", "cast: operand is memref<f32x4>, but must be scalar-type / coopmatrix-type"),
    ]


def test_a_function_is_the_same_whenever_it_is_verified():
    module = pytl.parse(TEXT)
    assert str(Pipeline(LOWERING, at_the_end=True).run(module)) == str(Pipeline(LOWERING).run(module))


def test_an_index_that_folding_shows_out_of_bounds_is_no_fault_of_the_pass():
    text = """func @f(%a: memref<f32x4>, %x: f32, %p: bool) {
      %three = constant 3 : index
      if %p {
        %six = arith.add %three, %three : index
        store %x, %a[%six]
      }
    }"""
    after = Pipeline([Canonicalize()]).run(pytl.parse(text))
    assert "constant 6 : index" in str(after)


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("", "subgroup_size=16, work_group_size=[16,1]"),
        (" attributes{subgroup_size=8}", "subgroup_size=8, work_group_size=[8,1]"),
        (" attributes{work_group_size=[32,2]}", "work_group_size=[32,2], subgroup_size=16"),
        (" attributes{work_group_size=[24,1]}", "work_group_size=[24,1], subgroup_size=8"),
        (" attributes{subgroup_size=8, work_group_size=[24,2]}", "subgroup_size=8, work_group_size=[24,2]"),
    ],
)
def test_work_group_size(given, written):
    after = Pipeline([WorkGroupSize()]).run(pytl.parse(f"func @f(){given} {{ }}"))
    assert str(after) == f"func @f() attributes{{{written}}} {{\n}}"


@pytest.mark.parametrize(
    ("given", "many", "strategy", "reason"),
    [
        ("", False, "one-item", "the launch or its device asks for it"),
        ("", True, "many-items", "the launch or its device asks for it"),
        ('attributes{"strategy"="many-items"} ', False, "many-items", "the function names it"),
        ('attributes{"strategy"="one-item"} ', True, "one-item", "the function names it"),
    ],
)
def test_execution_strategy(given, many, strategy, reason):
    after = Pipeline([ExecutionStrategy(many_items=many)]).run(pytl.parse(f"func @f() {given}{{ }}"))
    assert str(after) == f'func @f() attributes{{"strategy"="{strategy}", "strategy.reason"="{reason}"}} {{\n}}'
    again = Pipeline([ExecutionStrategy(many_items=not many)]).run(after)
    assert str(again) == str(after)  # what was chosen stays


@pytest.mark.parametrize(
    ("instruction", "strategy"),
    [
        ("%v = builtin.subgroup_id : i32", "one-item"),
        ("%v = builtin.subgroup_local_id : i32", "many-items"),
        ("%v = subgroup_add.reduce %x : f32", "many-items"),
        ("%v = subgroup_broadcast %x, %i : f32", "many-items"),
        ("%v = cooperative_matrix_load.n %a[%n, %n] : coopmatrix<f32x4x4,matrix_acc>", "one-item"),
        ("if %p { cooperative_matrix_store %m, %a[%n, %n] }", "one-item"),
        # the same number for all
        ("%v = builtin.subgroup_size : i32", "one-item"),
        ("store.atomic_add %x, %a[%n, %n]", "one-item"),
    ],
)
def test_what_tells_work_items_apart_is_executed_by_many_items(instruction, strategy):
    def text(attributes):
        return f"""func @f(%a: memref<f32x4x4>, %x: f32, %n: index, %i: i32, %p: bool) {attributes} {{
      %m = constant 1.0 : coopmatrix<f32x4x4,matrix_acc>
      parallel {{ {instruction} }}
    }}"""

    (function,) = Pipeline([ExecutionStrategy()]).run(pytl.parse(text(""))).functions
    assert function.attributes["strategy"] == strategy
    reason = function.attributes["strategy.reason"]
    told = reason.endswith(" in line 3 distinguishes the work-items of a sub-group")
    assert told == (strategy == "many-items")
    asking = pytl.parse(text('attributes{"strategy"="one-item"}'))
    if strategy == "one-item":
        pytl.verify(asking)
        return
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.verify(asking)
    (problem,) = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert problem.code == "PYTL-0109"
    assert problem.message == f"@f asks for one work-item, but {reason}"
    assert problem.help == 'leave the attribute out, or write "many-items"'


def test_passes_are_imported_when_they_are_asked_for() -> None:
    """A process that finds its kernels in the cache runs none, and does not wait for them."""
    program = """
import pytl
print(*sorted(name for name in ("barrier", "collectives", "work_items") if f"pytl.passes.{name}" in sys.modules))
from pytl.passes import InsertBarrier, find_pass, pass_names
print(InsertBarrier.name, find_pass("work-item-loops"), pass_names() == list(pytl.passes.NAMES))
try:
    pytl.passes.Barrier
except AttributeError as error:
    print(error)
"""
    done = clean_python(program)
    lines = [
        "",
        "insert-barrier work-item-loops{whole-matrices=false,may-overlap=false} True",
        "module 'pytl.passes' has no attribute 'Barrier'",
    ]
    assert (done.stderr, done.stdout.splitlines()) == ("", lines)
