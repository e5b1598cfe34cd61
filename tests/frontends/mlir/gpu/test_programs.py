"""Programs with kernels of gpu and xegpu beside NumPy: on the interpreter, and where they are read, on other backends."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest
from frontends.mlir.gpu.kernels_of_items import PROGRAMS
from frontends.mlir.gpu.operations import REFUSED
from frontends.mlir.gpu.programs import DTYPES, Program, nd
from sampling import at_night

import pytl

WHOLE = [each for each in PROGRAMS if each.is_whole]


def check(program: Program, arguments: list, given: list) -> None:
    for number, expected in program.expected(*given).items():
        found = arguments[number]
        assert found.shape == np.shape(expected)
        wide = np.complex128 if np.iscomplexobj(expected) else np.float64
        wanted = np.asarray(expected).astype(wide)
        scale = np.abs(wanted).max(initial=1)
        np.testing.assert_allclose(found.astype(wide), wanted, rtol=0, atol=program.tolerance * scale)


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
    # what the language has no number or loop for is told first
    assert {told.rule.code for told in caught.value.diagnostics} <= {"PYTL-1303", "PYTL-1319", "PYTL-1341"}


def _of_all_types() -> list[tuple[str, str, str]]:
    """The elements of two factors and of their product, of all types that MLIR verifies xegpu.dpas with."""
    integers = ["i1", "i4", *(f"{sign}i{bits}" for sign in ("", "s", "u") for bits in (8, 16, 32, 64)), "si1", "ui1"]
    floats = [(of, of, wide) for of in ("f16", "bf16", "tf32", "f32", "f64") for wide in ("f32", "f64")]
    return [*((of, of, wide) for of in integers for wide in ("i32", "i64")), *floats, ("si1", "ui8", "i32")]


@pytest.mark.at_most(3)
@pytest.mark.parametrize("backend", ["mlir", "reference", *at_night(["sycl"])])
@pytest.mark.parametrize("types", _of_all_types(), ids="-".join)
def test_products_are_of_all_types(types: tuple[str, str, str], backend: str) -> None:
    first, second, result = types
    memory = f"%a: memref<8x16x{first}>, %b: memref<16x16x{second}>, %c: memref<8x16x{result}>"
    body = nd("ta", "a", f"memref<8x16x{first}>", f"8x16x{first}") + nd(
        "tb", "b", f"memref<16x16x{second}>", f"16x16x{second}"
    )
    body += nd("tc", "c", f"memref<8x16x{result}>", f"8x16x{result}")
    body += f"""%va = xegpu.load_nd %ta[0, 0] : !xegpu.tensor_desc<8x16x{first}> -> vector<8x16x{first}>
%vb = xegpu.load_nd %tb[0, 0] : !xegpu.tensor_desc<16x16x{second}> -> vector<16x16x{second}>
%vc = xegpu.dpas %va, %vb : vector<8x16x{first}>, vector<16x16x{second}> -> vector<8x16x{result}>
xegpu.store_nd %vc, %tc[0, 0] : vector<8x16x{result}>, !xegpu.tensor_desc<8x16x{result}>"""
    rng = np.random.default_rng(2)
    a, b = (
        np.abs(rng.integers(-8, 8, n)) if of[0] == "u" else rng.integers(-8, 8, n)
        for of, n in zip(types, ((8, 16), (16, 16)))
    )
    a, b = a.astype(DTYPES[first]), b.astype(DTYPES[second])
    if result == "i64" and "64" in first:
        a = a << 40  # sums are taken in the result's type
    given = {0: a, 1: b, 2: np.zeros((8, 16), DTYPES[result])}
    program = Program("products", "", memory, body, lambda *_: {}, given=given)
    arguments = program.arguments()
    pytl.from_mlir(program.text)["run"](*arguments, backend=backend)
    wide = np.int64 if result[0] == "i" else np.float64
    left, right = (-x.astype(wide) if of == "si1" else x.astype(wide) for x, of in zip((a, b), types))
    np.testing.assert_array_equal(arguments[2], (left @ right).astype(DTYPES[result]))


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
