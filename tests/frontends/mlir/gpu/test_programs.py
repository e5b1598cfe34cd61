"""Programs with kernels of gpu and xegpu beside NumPy: on the interpreter, and where they are read, on other backends."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from frontends.mlir.gpu.operations import REFUSED
from frontends.mlir.gpu.programs import PROGRAMS, Program
from sampling import at_night

import pytl

WHOLE = [each for each in PROGRAMS if each.is_whole]


def check(program: Program, arguments: list, given: list) -> None:
    for number, expected in program.expected(*given).items():
        found = arguments[number]
        assert found.shape == np.shape(expected)
        wanted = np.asarray(expected).astype(np.float64)
        scale = np.abs(wanted).max(initial=1)
        np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=0, atol=program.tolerance * scale)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.name)
def test_the_host_function_launches_it(program: Program) -> None:
    given, arguments = program.arguments(), program.arguments()
    assert pytl.from_mlir(program.text, program.name)["run"](*arguments) is None
    check(program, arguments, given)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", ["mlir", *at_night(["sycl", "reference"])])
@pytest.mark.parametrize("program", WHOLE, ids=lambda each: each.name)
def test_it_is_launched_on_other_backends(program: Program, backend: str) -> None:
    kernels = pytl.from_mlir(program.text, program.name)
    given, arguments = program.arguments(), program.arguments()
    kernels["run"](*arguments, backend=backend)
    check(program, arguments, given)
    if program.host:  # which passes other arguments
        return
    arguments = program.arguments()
    kernels["kernel"][tuple(program.grid)](*arguments, backend=backend)
    check(program, arguments, given)


@pytest.mark.parametrize("program", [each for each in PROGRAMS if not each.is_whole], ids=lambda each: each.name)
def test_others_are_left_to_the_interpreter(program: Program) -> None:
    kernels = pytl.from_mlir(program.text, program.name)
    if "kernel" not in kernels:
        return
    with pytest.raises(pytl.LanguageError) as caught:
        kernels["kernel"][tuple(program.grid)](*program.arguments(), backend="mlir")
    # what the language has no number for is told first
    assert {told.rule.code for told in caught.value.diagnostics} <= {"PYTL-1303", "PYTL-1341"}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused_with_its_reason(name: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(f"func.func @f() {{\n  {name} @x\n  return\n}}")
    (only,) = caught.value.diagnostics
    assert (only.rule.code, only.location.line, only.help) == ("PYTL-1301", 2, REFUSED[name])


@pytest.mark.at_most(8)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.name)
def test_mlir_opt_verifies_it(program: Program) -> None:
    done = subprocess.run(["mlir-opt-22"], input=program.text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
