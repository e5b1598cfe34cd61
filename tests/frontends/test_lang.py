"""The functions and types of a kernel body, seen from outside of a kernel."""

import builtins
import inspect
import subprocess
import sys

import pytest
from launch_kit import PUBLIC, SHADOWING
from tracing_kit import FUNCTIONS

import pytl
from pytl.diagnostics import PytlError, find
from pytl.frontends import lang
from pytl.ir import registry
from pytl.ir.fields import Operand


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if FUNCTIONS[name].compute is None])
def test_called_outside_of_a_kernel(name):
    with pytest.raises(PytlError) as caught:
        FUNCTIONS[name](1, 2)
    assert str(caught.value).strip() == (
        f"error[PYTL-1000]: {name}(…) was called outside of a kernel\n"
        "   = rule: functions that a kernel body calls have a meaning in a kernel only\n"
        "   = help: call it in a function that is decorated with @pytl.kernel, or in one that a kernel calls"
    )


@pytest.mark.parametrize("name", ["Memref", "Group"])
def test_types_of_memory_outside_of_a_kernel(name):
    with pytest.raises(PytlError, match=rf"{name}\(…\) was called outside of a kernel"):
        getattr(pytl, name)(1.0)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_documentation(name):
    function = FUNCTIONS[name]
    assert function.__doc__ is not None
    assert "Manual: " in function.__doc__ or registry.namespace_of(function.operation) in ("v03", "v04")
    assert f"Instruction `{function.operation.mnemonic}`" in function.__doc__
    for part in function.operation.parts.values():
        if isinstance(part, Operand):
            assert f"{part.name}: {part.constraint}" in function.__doc__
    assert inspect.signature(function) == function.signature


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_are_parts_of_the_instruction(name):
    """A function without a builder of its own passes its arguments on by name."""
    function = FUNCTIONS[name]
    if function.build is lang.function.build_operation and not function.statement:
        known = set(function.operation.parts)
        assert set(function.signature.parameters) <= known
        assert set(function.fixed) <= known


@pytest.mark.additions
def test_each_instruction_with_a_name_of_its_own_has_a_function():
    """What is written with operators, statements and options has none."""
    written = {"arith", "cmp", "constant", "for", "if", "yield", "load", "store", "v04.arith"}
    written.add("v04.cooperative_matrix_store.t")
    called = {function.operation.mnemonic for function in FUNCTIONS.values()}
    known = {cls.mnemonic for namespace in (None, "v03", "v04") for cls in registry.all_instructions(namespace)}
    assert called <= known
    missing = sorted(known - called - written)
    assert not missing, f"no function of pytl/frontends/lang makes {', '.join(missing)}"


def test_public_names():
    assert set(lang.__all__) <= set(PUBLIC)
    for name in lang.__all__:
        assert getattr(pytl, name) is getattr(lang, name)


def test_everything_leaves_the_builtins_alone():
    """`from pytl import *` binds no name that Python has."""
    space: dict[str, object] = {}
    exec("from pytl import *", space)
    assert [name for name in space if hasattr(builtins, name) and not name.startswith("_")] == []
    assert all(hasattr(pytl, name) and hasattr(builtins, name) for name in SHADOWING)
    assert space["sqrt"] is pytl.sqrt and space["f32"] is pytl.f32


def test_rules_are_explained():
    for code in ("1000", "1010", "1020", "1030", "1040", "1050"):
        found = find(code)
        assert found is not None and found.section == "Python front end"


def test_the_import_is_light():
    """Nothing heavy is loaded by what this front end needs, whatever the rest of the package does."""
    command = "import sys, pytl.frontends.python; print({'typeguard', 'numba', 'dpctl'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "set()"
