"""What other packages add to pytl: a backend and a language by entry points; a pass, an instruction, an element type.

Each test adds one in the one place that docs/architecture.md ("To add something") names for other packages.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from launch_kit import ROOT

BACKEND = """
from pytl.backends.base import Backend, Option
from pytl.passes import Canonicalize


class ToyBackend(Backend):
    name = "toy"
    options = {"loud": Option.choice(False, True)}

    def launch(self, lowered, arguments, groups, options, queue=None, depends=(), wait=True):
        print(lowered.original.name, groups, len(arguments), options["loud"])

    def emit(self, lowered, options):
        return f"toy code of @{lowered.function.name}"

    def passes(self, options):
        return [Canonicalize()]


class Failing(ToyBackend):
    def __init__(self):
        raise OSError("no toys here\\nand more")


class Other:
    pass
"""
FRONTEND = """
from pytl.frontends.base import Frontend
from pytl.ir.text import parse_text


class ToyFrontend(Frontend):
    name = "toy"
    title = "the toy language"
    endings = (".toy",)

    def read(self, text, name, *, strict=False, internal=False):
        return parse_text(text.replace("double", "axpby.n %two, %x, %zero, %x"), name, strict, internal)
"""
ENTRIES = """[pytl.frontends]
toy = toys:ToyFrontend
[pytl.backends]
toy = toys:ToyBackend
failing = toys:Failing
other = toys:Other
missing = no_such_package:Toy
reference = toys:ToyBackend
"""
HEAD = """
import numpy as np
import pytl

kernel = pytl.compile("func @f(%x: memref<f32x4>) { %0 = constant 2.0 : f32  axpby.n %0, %x, %0, %x }")["f"]
x = np.ones(4, np.float32)
"""


@pytest.fixture
def python(tmp_path: Path):
    """Runs a program where the package of toys is installed; gives what it prints."""
    (tmp_path / "toys.py").write_text(BACKEND + FRONTEND)
    info = tmp_path / "toys-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRIES)

    def run(program: str) -> str:
        path = os.pathsep.join([str(tmp_path), str(ROOT), str(ROOT / "tests")])
        environment = {**os.environ, "PYTHONPATH": path, "PYTL_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "-c", HEAD + program]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run


def test_a_backend_of_another_package(python) -> None:
    """It launches, emits, is listed, takes options, and is chosen as pytl's own are."""
    assert python(
        """
kernel[3](x, backend="toy")
kernel[2, {"loud": True}](x, backend="toy")
with pytl.use("toy"):
    kernel[1](x)
print(kernel.emit("toy"))
from pytl.backends.registry import backend_names
print(backend_names())
kernel[1](x, backend="reference")  # pytl's own come first
print(x)
"""
    ) == (
        "f 3 1 False\nf 2 1 True\nf 1 1 False\ntoy code of @f\n"
        "['sycl', 'reference', 'mlir', 'arm_sme', 'opencl', 'xegpu', 'failing', 'missing', 'other', 'toy']\n"
        "[4. 4. 4. 4.]\n"
    )


def test_backends_that_cannot_be_made(python) -> None:
    said = python(
        """
for name in ("failing", "other", "missing", "unknown"):
    try:
        kernel[1](x, backend=name)
    except pytl.PlatformError as error:
        print(error.code, error.diagnostics[0].message, "|", error.diagnostics[0].help)
"""
    )
    entry = "of an installed package, by its entry point `pytl.backends`"
    assert said.splitlines() == [
        f"PYTL-3011 the backend `failing` cannot be made: OSError: no toys here | it is toys:Failing {entry}",
        "PYTL-3011 the backend `other` cannot be made: TypeError: toys:Other is no subclass of "
        f"pytl.backends.base.Backend | it is toys:Other {entry}",
        "PYTL-3011 the backend `missing` cannot be made: ModuleNotFoundError: No module named 'no_such_package' | "
        f"it is no_such_package:Toy {entry}",
        "PYTL-3011 there is no backend `unknown` | the backends are sycl, reference, mlir, arm_sme, opencl, xegpu, "
        "failing, missing, other, toy",
    ]


def test_a_language_of_another_package(python, tmp_path: Path) -> None:
    """It is read by its name and by the ending of its files, in Python and by commands."""
    text = "func @d(%x: memref<f32x4>) { %two = constant 2.0 : f32  %zero = constant 0.0 : f32  double }"
    file = tmp_path / "double.toy"
    file.write_text(text)
    (tmp_path / "wrong.toy").write_text(text.replace("f32x4", "f32x4x4x4"))
    said = python(
        f"""
text = {text!r}
for read in (pytl.compile(text, language="toy"), pytl.compile(text, "some/file.toy")):
    x = np.ones(4, np.float32)
    read["d"][1](x, backend="reference")
    print(x)
for refused in (dict(name="some/file.tl"), dict(), dict(language="magic"), dict(language=None, name="file.unknown")):
    try:
        pytl.parse(text, **refused)
    except pytl.PytlError as error:
        print(error.code, error.diagnostics[0].message, "|", error.diagnostics[0].help)
from pytl.tools.cli import main
from toys import ToyFrontend
print(main(["convert", {str(file)!r}]))
main(["run", {str(file)!r}, "--groups", "1", "--backend", "reference"])
main(["check", {str(tmp_path / "wrong.toy")!r}])
try:
    ToyFrontend().write(kernel.module)
except pytl.LanguageError as error:
    print(error.code, error.diagnostics[0].message)
"""
    ).splitlines()
    assert said[:2] == ["[2. 2. 2. 2.]"] * 2
    assert [line.partition(" ")[0] for line in said[2:6]] == ["PYTL-0002", "PYTL-0002", "PYTL-3033", "PYTL-0002"], said
    languages = "tensor, 0.3, 0.4, yateto, xetile, mlir, mlir-2018, toy"
    assert said[4] == f"PYTL-3033 there is no language `magic` | the languages are {languages}"
    assert said[6:8] == ["func @d(%x: memref<f32x4>) {", "  %two = constant 0x1p+1 : f32"]
    assert any(line.startswith("%x ") or "checksum" in line for line in said), said
    assert any(": error[PYTL-" in line and "wrong.toy:1:" in line for line in said)
    assert said[-1] == "PYTL-3034 pytl reads the toy language, and does not write it"


def test_a_pass_of_another_package(python) -> None:
    """It is called by name wherever passes are, with its options."""
    said = python(
        """
from dataclasses import dataclass
from pytl.passes import find_pass, pass_names
from pytl.passes.manager import Pass, register

@register
@dataclass(frozen=True)
class RenameFunction(Pass):
    name = "rename-function"
    often: int = 1

    def run(self, function):
        function.name = function.name * self.often

print("rename-function" in pass_names(), find_pass("rename-function{often=3}"))
print(kernel.ir("rename-function{often=2}").splitlines()[0])
"""
    )
    assert said == "True rename-function{often=3}\nfunc @ff(%x: memref<f32x4>) {\n"


def test_an_instruction_of_another_package(python) -> None:
    """A class alone is read, printed and verified; every backend refuses by name what it has no entry for."""
    said = python(
        """
from pytl.ir.constraints import FLOATING
from pytl.ir.fields import Operand, Result
from pytl.ir.operation import Operation
from pytl.ir.registry import instruction

@instruction
class Twice(Operation):
    mnemonic = "toy.twice"
    assembly = "` ` $a ` : ` $result"
    section = "Toys"
    kind = "mixed"
    pure = True
    a = Operand(FLOATING)
    result = Result(FLOATING)

text = "func @g(%x: memref<f32x4>, %a: f32) { %b = toy.twice %a : f32  axpby.n %b, %x, %b, %x }"
kernel = pytl.compile(text)["g"]
print(kernel)
try:
    pytl.compile(text.replace("%a: f32", "%a: i32"))
except pytl.LanguageError as error:
    print(error.code)
for backend in ("reference", "sycl", "mlir", "arm_sme"):
    try:
        kernel.emit(backend) if backend != "reference" else kernel[1](x, 1.0, backend=backend)
        print(backend, "did not refuse")
    except Exception as error:
        print(backend, "toy.twice" in str(error))
"""
    )
    assert said.splitlines()[-4:] == ["reference True", "sycl True", "mlir True", "arm_sme True"], said
    assert "%b = toy.twice %a : f32" in said and "\nPYTL-03" in said


def test_an_element_type_of_another_package(python) -> None:
    """Every backend refuses it by name, with a code, and so do constants; nothing computes with it by default."""
    said = python(
        """
from pytl.ir.types import SCALAR_TYPES, MemrefType, ScalarType, index
from pytl.ir.values import Function, Module, Region, Value
from pytl.ops import Axpby
from pytl.ops.builder import Builder

toy = SCALAR_TYPES["toy8"] = ScalarType("toy8", "floating", 1)

def made(write):
    array, number = Value(MemrefType(toy, (4,)), "x"), Value(toy, "a")
    builder = Builder(None)
    write(builder, array, number)
    function = Function("f", [array, number], Region("collective", [], builder.operations))
    return pytl.compile(Module([function]))["f"]

axpby = made(lambda to, x, a: to.add(Axpby(None, transpose="n", alpha=a, A=x, beta=a, B=x)))
added = made(lambda to, x, a: to.store(to.arith("add", a, a), x, [to.zero(index)]))
print("%x: memref<toy8x4>" in str(axpby))
for kernel in (axpby, added):
    for backend in ("sycl", "mlir", "arm_sme"):
        try:
            kernel.emit(backend)
        except pytl.PytlError as error:
            print(backend, error.code, error.diagnostics[0].message)
    for backend in ("reference", "sycl", "mlir"):
        try:
            kernel[1](np.ones(4, np.uint8), 1.0, backend=backend)
        except pytl.PytlError as error:
            print(backend, error.code, error.diagnostics[0].message)
try:
    made(lambda to, x, a: to.store(to.constant(toy, 0.1), x, [to.zero(index)]))
except NotImplementedError as error:
    print(error)
"""
    ).splitlines()
    refused = [
        f"{backend} PYTL-3021 the backend {backend} has no code for values of type toy8"
        for backend in ("sycl", "mlir", "arm_sme")
    ]
    arrays = [
        f"{backend} PYTL-3021 no data type of arrays stands for elements of toy8"
        for backend in ("reference", "sycl", "mlir")
    ]
    assert said == ["True", *(refused + arrays) * 2, "internal error: constants has no entry for toy8"]
