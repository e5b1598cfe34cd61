"""`pytl ops`, `pytl explain` and `pytl devices`."""

from __future__ import annotations

import re

import pytest
from cli_kit import Run
from launch_kit import ROOT, clean_python, needs_sycl

from pytl.devices.compilers import NUMBA_DPEX, installed_compiler
from pytl.devices.versions import version_of
from pytl.diagnostics import all_rules

pytestmark = [pytest.mark.usefixtures("directory"), pytest.mark.at_most(2)]


def test_ops(run: Run) -> None:
    overview = run("ops")
    kinds = [line.split(":")[0] for line in overview.splitlines() if line and not line.startswith(" ")]
    assert kinds == ["Collective instructions", "Mixed instructions", "SPMD instructions"]
    collective, mixed, spmd = (block for block in overview.split("\n\n") if block.startswith("  "))
    assert "  gemm(" in collective and "= alloca " in collective
    assert "= load " in mixed and "= subgroup_broadcast " in spmd
    page = run("ops", "gemm")
    assert "  PYTL-0330  columns(op1(A)) = rows(op2(B))" in page
    assert "@pytl.kernel" in page and "  gemm.n.t %" in page.partition("The kernel as text")[2]
    assert "group_id" in run("ops", "group_id")
    assert [line for line in run("ops", "arith").splitlines() if "instruction; manual" in line] == [
        "A mixed instruction; manual: Arithmetic (binary).",
        "A mixed instruction; manual: Arithmetic (unary).",
    ]


def test_explain_shows_an_example(run: Run) -> None:
    assert run("explain", "0330").endswith(
        "\n\nThis text breaks it:\n\n  func @f(%a: memref<f32x4x8>, %x: f32) {\n    gemm.n.n %x, %a, %a, %x, %a\n  }\n"
    )
    assert "\n\nThis program breaks it:\n\n  import numpy as np\n" in run("explain", "2001")
    assert run("explain", "3031").endswith("\n\nThis command breaks it:\n\n  pytl ops gem\n")


@pytest.mark.at_night
def test_explain_knows_every_code(run: Run) -> None:
    listed = {line[:9] for line in run("explain").splitlines()}
    written = set()
    for file in (ROOT / "pytl").rglob("*.py"):
        written |= set(re.findall(r'Rule\(\s*"(PYTL-\d{4})"', file.read_text()))
    assert written and written <= listed
    for rule in all_rules():
        page = run("explain", rule.code)
        assert page.startswith(f"{rule.code}: {rule.severity}\n\n{rule.text}\n\nSection: ")
    assert run("explain", "2003") == run("explain", "pytl-2003")


@needs_sycl
def test_devices(run: Run) -> None:
    shown = run("devices")
    assert re.match(r"sycl\n  \S+:\S+:\d+", shown)
    assert "(default)" in shown and "local memory" in shown
    assert "\nreference\n  NumPy, on every platform; slow and checked\nmlir\n  " in shown
    assert "\narm_sme\n  " in shown


@needs_sycl
def test_devices_with_what_compiles(run: Run) -> None:
    compiler = installed_compiler()
    assert compiler is not None
    shown = run("devices", "--verbose")
    rows = dict(re.findall(r"^  ([\w-]+) {2,}(\S.*)$", shown.partition("opencl:cpu")[0], re.MULTILINE))
    assert rows["compiler"] == compiler.name
    assert {name: rows[name] for name in (*compiler.modules.values(), "dpctl")} == {
        name: version_of(name) for name in (*compiler.modules.values(), "dpctl")
    }
    assert "compiler" not in run("devices")


HIDING = """
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == {name!r} else found(name, *rest)
"""
LOSSES = '''
import numpy as np
import pytl
scale = pytl.compile("""func @scale(%x: memref<f32x4>) {
  %a = constant 2.0 : f32
  %b = constant 0.0 : f32
  axpby.n %a, %x, %b, %x
}""")["scale"]
x = np.ones(4, np.float32)
assert "axpby" in str(scale) and "def scale" in scale.emit("sycl")
scale[1](x, backend="reference")
print(x.tolist())
try: scale[1](x, backend="sycl")
except pytl.PlatformError as error: print(len(error.diagnostics), error.diagnostics[0].code, error.diagnostics[0].help)
print(x.tolist())
'''


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize(
    ("name", "code"),
    [("numba", "PYTL-3314"), ("llvmlite", "PYTL-3314"), ("dpctl", "PYTL-3013"), ("the driver", "PYTL-3013")],
)
def test_where_one_part_is_missing_the_rest_works_and_one_error_names_the_command(name: str, code: str) -> None:
    hidden = "" if name == "the driver" else HIDING.format(name=name)
    environment = {"OCL_ICD_FILENAMES": "/none"} if name == "the driver" else {}
    done = clean_python(f"{hidden}{LOSSES}", PYTL_CACHE="0", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    first, told, last = done.stdout.splitlines()
    assert (first, last) == ("[2.0, 2.0, 2.0, 2.0]", "[2.0, 2.0, 2.0, 2.0]")
    advice = "Unset the variables of the environment" if name == "the driver" else "Install the versions that work"
    assert told.startswith(f"1 {code} {advice}") and "pip install '" in told


@pytest.mark.at_night
@needs_sycl
def test_without_llvm_spirv_llvmlite_makes_the_code_if_its_llvm_is_new_enough() -> None:
    done = clean_python(f"{HIDING.format(name='dpcpp_llvm_spirv')}{LOSSES}", PYTL_CACHE="0")
    assert (done.returncode, done.stderr) == (0, "")
    _, *told, last = done.stdout.splitlines()
    if installed_compiler() is NUMBA_DPEX:
        assert told[0].startswith("1 PYTL-3314 ") and last == "[2.0, 2.0, 2.0, 2.0]"
    else:
        assert not told and last == "[4.0, 4.0, 4.0, 4.0]"


STAGES = """
import shutil
shutil.which = lambda program, *rest, **named: None
import pytl
f = pytl.compile("func @f(%x: memref<f32x4>, %a: f32) { axpby.n %a, %x, %a, %x }")["f"]
for backend in ("sycl", "opencl", "mlir", "arm_sme"):
    for stage in pytl.backends.registry.find_backend(backend).stages:
        try: print(backend, stage, len(f.emit(backend, stage=stage)) > 100)
        except pytl.PytlError as error: print(backend, stage, *(f"{d.code} {d.help}" for d in error.diagnostics))
"""


@pytest.mark.at_night
@needs_sycl
@pytest.mark.parametrize(
    "name", ["nothing", "numba_dpex", "numba", "llvmlite", "dpcpp_llvm_spirv", "dpctl", "pyopencl"]
)
def test_each_stage_is_shown_or_says_what_installs_what_is_missing(name: str) -> None:
    """Without the tools of MLIR and of binutils, and without one package."""
    done = clean_python(f"{HIDING.format(name=name)}{STAGES}", PYTL_CACHE="0")
    assert (done.returncode, done.stderr) == (0, "")
    shown = dict(re.fullmatch(r"(\w+ [\w-]+) (?:PYTL-)?(.*)", line).groups() for line in done.stdout.splitlines())  # type: ignore[union-attr]
    assert {stage: told for stage, told in shown.items() if told != "True" and "install" not in told} == {}
    assert shown["sycl python"] == shown["opencl python"] == shown["mlir mlir"] == "True"
    assert all(shown[f"{backend} asm"].startswith("3") for backend in ("sycl", "mlir"))
    compiler = installed_compiler()
    assert compiler is not None
    for stage in ("sycl llvm", "sycl spirv"):
        missing = name in (*compiler.modules, "dpctl") and not (
            name == "dpcpp_llvm_spirv" and compiler is not NUMBA_DPEX
        )
        assert shown[stage].startswith("3") if missing else stage == "sycl spirv" or shown[stage] == "True"


def test_devices_without_the_sycl_stack() -> None:
    done = clean_python(
        "class Hide:\n"
        "    def __init__(self, finder): self.finder = finder\n"
        "    def find_spec(self, name, *rest):\n"
        "        return None if name in ('dpctl', 'numba_dpex') else self.finder.find_spec(name, *rest)\n"
        "sys.meta_path[:] = [Hide(f) if hasattr(f, 'find_spec') else f for f in sys.meta_path]\n"
        "from pytl.tools.cli import main; sys.exit(main(['devices']))"
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third, *rest = done.stdout.splitlines()
    assert (first, second) == ("sycl", "  not available: dpctl, the Python binding of SYCL, is not installed.")
    assert "pip install 'numba==" in third
    assert rest[:3] == ["reference", "  NumPy, on every platform; slow and checked", "mlir"]
