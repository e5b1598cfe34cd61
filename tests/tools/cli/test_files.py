"""What commands read of Python files: every kernel that the import made, and what an expression names."""

import contextlib
import io
import sys
from pathlib import Path

import pytest
from launch_kit import ROOT

from pytl.tools.cli import main

HELPED = """\
import pytl
from pytl import Memref, f32, foreach

def twice(x):
    return x + x

@pytl.kernel
def double(A: Memref[f32, 8]):
    for i in foreach(8):
        A[i] = twice(A[i])
"""
FACTORIES = """\
import pytl
from pytl import Memref, axpby, f32

def make(n, element=f32):
    @pytl.kernel(name=f"scale{n}")
    def scale(x: Memref[element, n]):
        axpby(1.0, x, 1.0, x)
    return scale

def pair(n):
    return make(1 * n), make(2 * n)
"""
MODULE = """\
from factories import make, pair
import factories

class Solver:
    def __init__(self):
        self.kernel = make(3)

solver = Solver()
table = {"first": make(4), "a:b": [pair(5)]}
circular = [table]
circular.append(circular)
"""


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"helped.py": HELPED, "factories.py": FACTORIES, "module.py": MODULE}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def run(*arguments: str, code: int = 0) -> str:
    """What a command prints, on either stream."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        assert main(arguments) == code, out.getvalue()
    return out.getvalue()


def names(file: str) -> list[str]:
    """The functions that a command finds."""
    return [line.split("@")[1].split("(")[0] for line in run("opt", file).splitlines() if line.startswith("func")]


@pytest.mark.parametrize("file", ["helped.py", "helped.py:double"])
def test_kernels_call_functions_of_their_file(file: str) -> None:
    assert run("check", file) == ""
    assert "arith.add" in run("opt", file, "-p", "canonicalize")
    assert "def double(" in run("emit", "numba_dpex", file)
    assert "checksum A=" in run("run", file, "--groups", "1", "--backend", "reference")


def test_work_groups_in_three_dimensions(tmp_path: Path) -> None:
    (tmp_path / "grid.tl").write_text(
        "func @f(%o: memref<indexx2x3x2>) {\n  %x = builtin.group_id : index\n  %y = v04.group_id.y : index\n"
        "  %z = v04.group_id.z : index\n  store %y, %o[%x, %y, %z]\n}\n"
    )
    for backend in ("reference", "sycl"):
        shown = run("run", str(tmp_path / "grid.tl"), "--groups", "2x3x2", "--backend", backend)
        assert shown.splitlines()[0].startswith("@f: 12 work-groups in")
        assert shown.splitlines()[-1] == "checksum o=12"


def test_everything_that_the_import_made_is_found() -> None:
    assert names("module.py") == ["scale3", "scale4", "scale5", "scale10"]


def test_a_kernel_imported_from_another_module_is_found(directory: Path) -> None:
    (directory / "imports.py").write_text("from helped import double\n")
    assert names("imports.py") == ["double"]
    assert run("check", "imports.py", "helped.py", "imports.py") == ""
    assert "helped" not in sys.modules


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("make(16)", ["scale16"]),
        ("make(n=16, element=pytl.f64)", ["scale16"]),
        ("pair(2)", ["scale2", "scale4"]),
        ("[make(n) for n in (1, 2)]", ["scale1", "scale2"]),
        ("(make(n) for n in (1, 2))", ["scale1", "scale2"]),
        ("{1: make(1)}.values()", ["scale1"]),
        ("make(16).specialize()", ["scale16"]),
        ("[make(16), make(16)]", ["scale16"]),
        ("pair(2)[1:]", ["scale4"]),
    ],
)
def test_an_expression_names_kernels(expression: str, expected: list[str]) -> None:
    assert names(f"factories.py:{expression}") == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("table['first']", ["scale4"]),
        ("table['a:b']", ["scale5", "scale10"]),
        ("factories.make(2)", ["scale2"]),
        ("scale10", ["scale10"]),
        ("solver.kernel", ["scale3"]),
    ],
)
def test_an_expression_looks_into_containers(expression: str, expected: list[str]) -> None:
    assert names(f"module.py:{expression}") == expected


@pytest.mark.parametrize(
    ("expression", "headline", "help"),
    [
        ("pair(", "<argument>:1:5: error[PYTL-3030]: this is not a Python expression: '(' was never closed", ""),
        ("", "<argument>:1:1: error[PYTL-3030]: this is not a Python expression: invalid syntax", ""),
        ("x = 1", "<argument>:1:3: error[PYTL-3030]: this is not a Python expression: invalid syntax", ""),
        (
            "make()",
            "<argument>:1:1: error[PYTL-3030]: make() gives TypeError: make() missing 1 required positional argument: ",
            "",
        ),
        ("1 // 0", "<argument>:1:1: error[PYTL-3030]: 1 // 0 gives ZeroDivisionError: ", ""),
        ("exit(2)", "<argument>:1:1: error[PYTL-3030]: exit(2) gives SystemExit: 2", ""),
        ("pair(0)", "factories.py:6:1: error[PYTL-1001]: a size is at least 1, but 0 is given", ""),
        ("pair(None)", "factories.py:11:1: error[PYTL-3030]: pair(None) gives TypeError: ", ""),
        ("make(None)", "factories.py:6:1: error[PYTL-1001]: None is not a size", ""),
        (
            "make",
            "<argument>:1:1: error[PYTL-3030]: make of factories.py is of type function, and not a kernel",
            "call it: factories.py:make(…)",
        ),
        (
            "(1, 2)",
            "<argument>:1:1: error[PYTL-3030]: (1, 2) of factories.py is of type tuple, and not a kernel",
            "give a kernel, or a list, tuple or dict of kernels",
        ),
        ("other", "factories.py:1:1: error[PYTL-3030]: factories.py has no kernel other", "its kernels are: none"),
    ],
)
def test_expressions_that_name_no_kernel(expression: str, headline: str, help: str) -> None:
    shown = run("check", f"factories.py:{expression}", code=1)
    assert shown.startswith(headline) and help in shown
    assert "Traceback" not in shown and str(ROOT / "pytl") not in shown


@pytest.mark.parametrize("command", [("check",), ("opt",), ("emit", "mlir")])
def test_a_file_whose_functions_make_kernels(command: tuple[str, ...]) -> None:
    # nothing is wrong with the file, but there is nothing to print of it
    shown = run(*command, "factories.py", code=int(command != ("check",)))
    assert shown.startswith("factories.py:4:1: note[PYTL-3030]: the kernels of make are made when it is called")
    assert "= help: name it after the file: factories.py:make(…)" in shown


def test_kernels_of_one_name(directory: Path) -> None:
    text = FACTORIES.replace('(name=f"scale{n}")', "") + "\nkernels = [make(4), make(8), make(4)]\nother = pair(4)\n"
    (directory / "same.py").write_text(text + HELPED)
    assert run("check", "same.py") == ""
    run_it = ("run", "same.py", "--groups", "1", "--backend", "reference", "--function")
    for command in (("opt", "same.py"), ("emit", "numba_dpex", "same.py"), (*run_it, "scale")):
        shown = run(*command, code=1)
        assert shown.startswith("same.py:1:1: error[PYTL-3030]: same.py has 2 kernels named scale\n")
        assert "= help: name the one that is meant by an expression of Python: same.py:EXPRESSION" in shown
    assert "checksum A=" in run(*run_it, "double")
    assert names("same.py:kernels[0]") == ["scale"]


def test_a_kernel_of_gpu_is_run_on_random_data(directory: Path) -> None:
    body = """
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<16xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<16xf32>
    gpu.return"""
    (directory / "twice.mlir").write_text(
        f"gpu.module @m {{\n  gpu.func @k(%a: memref<16xf32>) kernel {{{body}\n  }}\n}}\n"
    )
    assert "\nchecksum a=" in run("run", "twice.mlir", "--function", "k")
    shown = run("run", "twice.mlir", "--function", "k", "--backend", "mlir", code=1)
    assert "error[PYTL-1341]" in shown and "Traceback" not in shown


def test_files_beside_each_other_do_not_mix(directory: Path) -> None:
    for folder, size in (("a", 4), ("b", 8)):
        (directory / folder).mkdir()
        (directory / folder / "sizes.py").write_text(f"N = {size}\n")
        text = HELPED.replace("import pytl\n", "import pytl\nfrom sizes import N\n").replace("8", "N")
        (directory / folder / "uses.py").write_text(text)
    assert "memref<f32x4>" in run("opt", "a/uses.py")
    assert "memref<f32x8>" in run("opt", "b/uses.py")
    assert "sizes" not in sys.modules


def test_files_of_packages_import_relatively(directory: Path) -> None:
    package = directory / "solver" / "inner"
    package.mkdir(parents=True)
    (directory / "solver" / "__init__.py").write_text("")
    (directory / "solver" / "helpers.py").write_text("def twice(x):\n    return x + x\n")
    (package / "__init__.py").write_text("from . import kernels\n")
    start = HELPED.index("def twice")
    text = HELPED[:start] + "from ..helpers import twice\n\n" + HELPED[HELPED.index("@pytl") :]
    (package / "kernels.py").write_text(text)
    assert names("solver/inner/kernels.py") == ["double"]
    assert names("solver/inner/__init__.py") == ["double"]
    # the name of a package that something else has
    (directory / "numpy").mkdir()
    (directory / "numpy" / "__init__.py").write_text("")
    (directory / "numpy" / "kernels.py").write_text(HELPED)
    assert names("numpy/kernels.py") == ["double"]


def test_kernels_of_installed_packages_are_theirs(directory: Path) -> None:
    package = directory / "site-packages"
    package.mkdir()
    (package / "library.py").write_text(HELPED)
    first = f"import sys\nsys.path.append({str(package)!r})\n"
    (directory / "uses.py").write_text(f"{first}import library\n{FACTORIES}\nkernel = make(2)\n")
    (directory / "takes.py").write_text(f"{first}from library import double\n")
    try:
        assert names("uses.py") == ["scale2"]
        assert names("takes.py") == ["double"]
    finally:
        sys.path.remove(str(package))
        sys.path.remove(str(package))
        del sys.modules["library"]


# those whose kernels are made by functions, and how to call them
EXAMPLES = {
    "ader_volume": "with_contract(10, 6)",
    "attention": "attention_kernel(bf16, 64, 32)",
    "dg_advection": "kernels(3)",
    "dpex_application": "make_kernels(4)",
    "flash_attention": "flash_attention_kernel(f32, 64, 32)",
    "ozaki": "split_kernel(True)",
    "gallery": "[mandelbrot_kernel(8), interference_kernel(8), reaction_kernel(8)]",
}


@pytest.mark.at_most(4)
@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("*.py")), ids=lambda file: file.stem)
def test_the_examples(file: Path) -> None:
    needed = {"dask_batches": "dask", "dpex_application": "dpnp"}.get(file.stem)
    if needed is not None:
        pytest.importorskip(needed)
    shown = run("check", str(file))
    if file.stem not in EXAMPLES:
        assert shown == ""
        return
    assert "note[PYTL-3030]" in shown and "error" not in shown
    expression = f"{file}:{EXAMPLES[file.stem]}"
    assert run("check", expression) == ""
    assert run("opt", expression).startswith("func @")
