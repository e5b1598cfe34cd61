"""The command line: every command, what it prints where, and its exit code."""

import io
import os
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from launch_kit import ROOT, clean_python, has_sycl, needs_sycl

from pytl.cli import main
from pytl.diagnostics import all_rules

GOOD = """\
func @scale(%alpha: f32, %x: memref<f32x8>) {
    %zero = constant 0.0 : f32
    axpby.n %alpha, %x, %zero, %x
}
func @copy(%a: memref<f64x4x?>, %b: memref<f64x4x?>) {
    %one = constant 1.0 : f64
    %zero = constant 0.0 : f64
    axpby.n.atomic %one, %a, %zero, %b
}
"""
BAD = """\
func @first(%x: memref<f32x8>) {
    axpby.n %alpha, %x, %alpha, %x
}
func @second(%A: memref<f32x4x8>, %B: memref<f32x4x8>, %C: memref<f32x4x4>, %a: f32) {
    gemm.n.n %a, %A, %B, %a, %C
}
"""
KERNELS = """\
import pytl
from pytl import Memref, axpby, constexpr, f32

@pytl.kernel
def good(x: Memref[f32, 8]):
    axpby(1.0, x, 1.0, x)

@pytl.kernel
def wrong(x: Memref[f32, 8]):
    y[0] = x[0]

@pytl.kernel
def sized(x: Memref[f32, ...], n: constexpr):
    for k in range(n):
        x[k] = 1.0
"""
PLACE = re.compile(r"^[^\s:][^:]*:\d+:\d+: (error|warning|note)\[PYTL-\d{4}\]: \S")


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"good.tl": GOOD, "bad.tl": BAD, "kernels.py": KERNELS}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


class Run:
    """Runs a command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str, code: int = 0) -> str:
        """The standard output of a command that ends with the code, and the standard error where it fails."""
        assert main(arguments) == code
        self.out, self.err = self.capsys.readouterr()
        return self.out

    def fails(self, *arguments: str) -> list[str]:
        """The headlines of a command that fails, from either stream."""
        self(*arguments, code=1)
        return [line for line in (self.out + self.err).splitlines() if re.search(r"(error|note|warning)\[PYTL", line)]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


# check.


def test_check_of_what_is_right(run: Run) -> None:
    assert run("check", "good.tl") == ""
    assert run("check", "good.tl", "kernels.py:good") == ""


def test_check_lists_all_errors_of_all_files(run: Run) -> None:
    assert run.fails("check", "bad.tl", "good.tl", "kernels.py") == [
        "bad.tl:2:13: error[PYTL-0006]: %alpha is not defined here",
        "bad.tl:2:25: error[PYTL-0006]: %alpha is not defined here",
        "bad.tl:5:5: error[PYTL-0330]: gemm: columns(op1(A)) = 8, but rows(op2(B)) = 4",
        "bad.tl:5:5: error[PYTL-0332]: gemm: columns(C) = 4, but columns(op2(B)) = 8",
        "kernels.py:10:5: error[PYTL-1020]: y is not defined",
        "kernels.py:13:5: note[PYTL-2020]: sized has no value for n yet",
    ]
    assert all(PLACE.match(line) for line in run.out.splitlines() if "[PYTL-" in line)
    assert run.err == ""


def test_check_of_files_that_are_none(run: Run, directory: Path) -> None:
    (directory / "binary.tl").write_bytes(b"\xff\x00func")
    (directory / "empty.tl").write_text("")
    lines = run.fails("check", "missing.tl", ".", "binary.tl", "empty.tl", "good.tl", "missing.py")
    assert lines == [
        "missing.tl:1:1: error[PYTL-3030]: missing.tl cannot be read: No such file or directory",
        ".:1:1: error[PYTL-3030]: . cannot be read: Is a directory",
        "binary.tl:1:1: error[PYTL-3030]: binary.tl is not a text in UTF-8",
        "empty.tl:1:1: error[PYTL-0004]: there is no function in the text",
        "missing.py:1:1: error[PYTL-3030]: missing.py cannot be read: No such file or directory",
    ]


def test_check_of_standard_input(run: Run, monkeypatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(BAD.encode())))
    assert run.fails("check", "-")[0] == "<stdin>:2:13: error[PYTL-0006]: %alpha is not defined here"


def test_notes_become_errors_with_strict(run: Run, directory: Path) -> None:
    text = "func @f(%x: memref<f32x8>, %i: index) { %v = load %x[%i] : f32  store %v, %x[%i] "
    text += "%s = group_size : index  store %v, %x[%s] }"
    (directory / "alias.tl").write_text(text)
    assert main(["check", "alias.tl"]) == 0
    relaxed = run.capsys.readouterr().out
    strict = run.fails("check", "--strict", "alias.tl")
    assert "note[PYTL-0022]" in relaxed and "error[" not in relaxed
    assert any("error[PYTL-0022]" in line for line in strict)


def test_warnings_do_not_fail(run: Run, directory: Path) -> None:
    (directory / "nothing.tl").write_text("func @f() {}")
    assert "nothing.tl:1:6: warning[PYTL-0205]" in run("check", "nothing.tl")


def test_python_files_that_fail(run: Run, directory: Path) -> None:
    (directory / "raises.py").write_text("import pytl\n\nvalue = {}['key']\n")
    (directory / "syntax.py").write_text("import pytl\ndef f(:\n    pass\n")
    (directory / "none.py").write_text("x = 1\n")
    (directory / "annotated.py").write_text("import pytl\npytl.Memref[1, 2]\n")
    (directory / "imports.py").write_text("import no_such_module\n")
    (directory / "null.py").write_bytes(b"x = 1\0\n")
    (directory / "ends.py").write_text("import sys\nsys.exit(3)\n")
    (directory / "imports_syntax.py").write_text("\nimport syntax\n")
    broken = ["null.py", "ends.py", "imports_syntax.py"]
    lines = run.fails("check", "raises.py", "syntax.py", "none.py", "imports.py", *broken, "kernels.py:other")
    assert lines == [
        "raises.py:3:1: error[PYTL-3030]: importing raises.py gives KeyError: 'key'",
        "syntax.py:2:1: error[PYTL-3030]: syntax.py is no Python: invalid syntax",
        "none.py:1:1: error[PYTL-3030]: none.py has no kernels",
        "imports.py:1:1: error[PYTL-3030]: importing imports.py gives ModuleNotFoundError: "
        "No module named 'no_such_module'",
        "null.py:1:1: error[PYTL-3030]: null.py is no Python: source code string cannot contain null bytes",
        "ends.py:2:1: error[PYTL-3030]: importing ends.py gives SystemExit: 3",
        "imports_syntax.py:2:1: error[PYTL-3030]: importing imports_syntax.py gives SyntaxError: "
        "invalid syntax (syntax.py, line 2)",
        "kernels.py:1:1: error[PYTL-3030]: kernels.py has no kernel other",
    ]
    assert "= help: its kernels are: good, wrong, sized" in run.out
    assert run.fails("check", "annotated.py") == ["annotated.py:2:1: error[PYTL-1001]: 1 is not an element type"]


def test_a_python_file_with_the_name_of_a_module(run: Run, directory: Path) -> None:
    import random

    (directory / "random.py").write_text(KERNELS)
    (directory / "helper.py").write_text("from pytl import f32\n")
    (directory / "uses.py").write_text(KERNELS.replace("import pytl\n", "import pytl\nimport helper\n"))
    path = list(sys.path)
    assert run("check", "random.py:good", "uses.py:good") == ""
    assert sys.modules["random"] is random and sys.path == path
    assert "helper" not in sys.modules


# opt and emit.


def test_opt(run: Run) -> None:
    plain = run("opt", "good.tl")
    assert plain.count("func @") == 2
    assert "stack" not in plain
    assert run("opt", "kernels.py:good", "-p", "canonicalize", "-p", "work-group-size").startswith("func @good(")
    assert "work_group_size" in run.out


def test_what_opt_prints_is_read_again(run: Run, directory: Path) -> None:
    (directory / "again.tl").write_text(run("opt", "good.tl"))
    assert run("opt", "again.tl") == (directory / "again.tl").read_text()


@pytest.mark.parametrize(
    ("arguments", "message", "help"),
    [
        (
            ("opt", "good.tl", "-p", "magic"),
            "error[PYTL-3001]: there is no pass `magic`",
            "the passes are canonicalize,",
        ),
        (("opt", "good.tl", "-p", "stack-layout{x=1}"), "error[PYTL-3001]: `x=1` is no option of stack-layout", "none"),
        (
            ("emit", "cuda", "good.tl"),
            "error[PYTL-3011]: there is no backend `cuda`",
            "the backends are sycl, reference, mlir, arm_sme",
        ),
        (
            ("emit", "mlir", "good.tl", "--stage", "wasm"),
            "error[PYTL-3019]: the backend mlir has no stage `wasm`",
            "its stages are mlir, llvm-dialect, llvm, asm",
        ),
        (
            ("emit", "reference", "good.tl"),
            "error[PYTL-3011]: the backend reference generates no source",
            "",
        ),
        (
            ("emit", "numba_dpex", "good.tl", "-o", "strategy=magic"),
            "error[PYTL-3012]: the option strategy is 'magic'",
            "'one-item'",
        ),
        (("emit", "numba_dpex", "good.tl", "-o", "strategy"), "error[PYTL-3031]: -o is 'strategy'", "NAME=VALUE"),
        (("run", "good.tl", "--groups", "2"), "error[PYTL-3031]: there are several functions", "@scale, @copy"),
        (
            ("run", "good.tl", "--groups", "2", "--function", "none"),
            "error[PYTL-3031]: there is no function @none",
            "@scale, @copy",
        ),
        (
            ("run", "kernels.py:good", "--groups", "-1"),
            "error[PYTL-2016]: the number of work-groups is -1",
            "the number of batch items",
        ),
        (
            ("run", "kernels.py:good", "--groups", "1", "--backend", "cuda"),
            "error[PYTL-3011]: there is no backend `cuda`",
            "the backends are",
        ),
        (
            ("run", "kernels.py:good", "--groups", "1", "--arg", "beta=1"),
            "error[PYTL-3032]: @good has no scalar beta",
            "leave --arg out",
        ),
        (
            ("run", "good.tl", "--function", "scale", "--groups", "1", "--arg", "x=1"),
            "error[PYTL-3032]: @scale has no scalar x",
            "--arg takes one of: alpha",
        ),
        (
            ("run", "good.tl", "--function", "copy", "--groups", "1", "--dim", "nope=5"),
            "error[PYTL-3032]: @copy has no dynamic mode nope",
            "--dim takes one of: a, a.1, b, b.1",
        ),
        (
            ("run", "good.tl", "--function", "copy", "--groups", "1", "--dim", "a.0=4", "--dim", "b.2=1"),
            "error[PYTL-3032]: @copy has no dynamic mode a.0, b.2",
            "--dim takes one of: a, a.1, b, b.1",
        ),
        (
            ("tune", "good.tl", "--function", "scale", "--groups", "1", "--dim", "x=8"),
            "error[PYTL-3032]: @scale has no dynamic mode x",
            "leave --dim out",
        ),
        (
            ("run", "good.tl", "--function", "copy", "--groups", "1", "--dim", "a=²"),
            "error[PYTL-3032]: --dim is 'a=²'",
            "write --dim 16, --dim A=16 or --dim A.0=16",
        ),
        (
            ("opt", "good.tl", "-p", "specialize{"),
            "error[PYTL-3001]: the options of specialize do not end with a brace",
            "write specialize{…}",
        ),
        (
            ("run", "good.tl", "--function", "scale", "--groups", "1", "--arg", "alpha=one"),
            "error[PYTL-3032]: alpha is f32, but 'one' is given",
            "",
        ),
        (
            ("run", "good.tl", "--function", "scale", "--groups", "1", "--arg", "alpha=1e60"),
            "error[PYTL-2009]: alpha is 1e+60, which is beyond the range of f32",
            "declare alpha as f64",
        ),
        (("run", "good.tl", "--groups", "1", "--dim", "x"), "error[PYTL-3031]: there are several functions", ""),
        (
            ("run", "kernels.py:good", "--groups", "1", "--dim", "x=y"),
            "error[PYTL-3032]: --dim is 'x=y'",
            "write --dim 16, --dim A=16 or --dim A.0=16",
        ),
        (("run", "kernels.py:good", "--groups", "-1"), "error[PYTL-2016]: the number of work-groups is -1", ""),
        (
            ("run", "good.tl", "--function", "copy", "--groups", "1", "--dim", "99999999999999999"),
            "error[PYTL-3032]: there is no memory for a of 4 x 99999999999999999 elements",
            "ask for fewer work-groups, or less by --dim",
        ),
        (("run", "missing.tl", "--groups", "1"), "missing.tl:1:1: error[PYTL-3030]", ""),
        (("ops", "gem"), "error[PYTL-3031]: there is no instruction gem", "did you mean gemm?"),
        (("explain", "PYTL-9999"), "error[PYTL-3031]: there is no code PYTL-9999", "`pytl explain` lists all"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str, help: str, run: Run) -> None:
    (line,) = run.fails(*arguments)
    assert line.startswith(message)
    assert run.out == "" and f"{help}" in run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize("command", ["opt", "emit numba_dpex", "run --groups 1 --function first"])
def test_files_with_errors_are_not_worked_on(command: str, run: Run) -> None:
    name, *rest = command.split()
    target = [rest.pop(0)] if name == "emit" else []
    lines = run.fails(name, *target, "bad.tl", *rest)
    assert len(lines) == 4 and run.out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("magic",),
        ("run", "good.tl"),
        ("run", "good.tl", "--groups", "1", "--seed", "-1"),
        ("check",),
        ("emit", "numba_dpex"),
    ],
)
def test_wrong_usage_ends_with_2(arguments: tuple[str, ...], capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: pytl" in capsys.readouterr().err


def test_emit(run: Run) -> None:
    source = run("emit", "numba_dpex", "good.tl")
    assert source.count("\ndef ") == 2 and "def scale(" in source and "def copy(" in source
    compile(source, "source", "exec")
    assert "local_id()" in run("emit", "numba_dpex", "kernels.py:good", "-o", "strategy=many-items")


# run.


def checksum(text: str) -> str:
    last = text.splitlines()[-1]
    assert last.startswith("checksum ")
    return last


BACKENDS = ["reference", *(["sycl"] if has_sycl else [])]
ELEMENTS = ["i8", "i16", "i32", "i64", "index", "bf16", "f16", "f32", "f64", "c32", "c64"]


@pytest.mark.parametrize("element", ELEMENTS)
def test_checksums_of_every_element_type(element: str, run: Run, directory: Path) -> None:
    one = "[1.0, 0.5]" if element[0] == "c" else "1.0" if element[0] in "bf" else "1"
    (directory / "sum.tl").write_text(
        f"func @sum(%s: {element}, %a: memref<{element}x5x?>, %b: group<memref<{element}x5>x?>,\n"
        f"          %c: memref<{element}x5x?>) {{\n"
        "    %g = builtin.group_id : index\n    %zero = constant 0 : index\n"
        f"    %one = constant {one} : {element}\n"
        f"    %x = load %b[%g] : memref<{element}x5>\n"
        f"    %y = subview %a[0:5,%g] : memref<{element}x5>\n    %z = subview %c[0:5,%g] : memref<{element}x5>\n"
        "    axpby.n %one, %x, %s, %z\n    axpby.n %one, %y, %one, %z\n}\n"
    )
    sums = {
        checksum(run("run", "sum.tl", "--groups", "7", "--seed", "3", "--backend", backend)) for backend in BACKENDS
    }
    assert len(sums) == 1
    (line,) = sums
    assert re.fullmatch(r"checksum a=\S+ b=\S+ c=\S+", line)


def test_seeds_and_defaults(run: Run) -> None:
    def scaled(*more: str) -> str:
        return checksum(run("run", "good.tl", "--function", "scale", "--groups", "1", "--backend", "reference", *more))

    assert scaled() == scaled("--seed", "0") == scaled()
    assert scaled("--seed", "1") != scaled()
    assert scaled("--arg", "alpha=0") == "checksum x=0"


def test_dims(run: Run) -> None:
    first = run("run", "good.tl", "--function", "copy", "--groups", "3", "--backend", "reference")
    assert re.fullmatch(r"@copy: 3 work-groups in \d+\.\d{3} s, compilation included", first.splitlines()[0])
    same = run("run", "good.tl", "--function", "copy", "--groups", "1", "--backend", "reference", "--dim", "3")
    assert checksum(same) == checksum(first)
    both = ("--dim", "a.1=3", "--dim", "b=3")
    named = run("run", "good.tl", "--function", "copy", "--groups", "1", "--backend", "reference", *both)
    assert checksum(named) == checksum(first)


def test_no_data_is_made_for_dynamic_modes_behind_an_offset(run: Run, directory: Path) -> None:
    text = "func @f(%g: group<memref<f32x?x4>x4, offset: 3>) { parallel {} }"
    (directory / "group.tl").write_text(text)
    (line,) = run.fails("run", "group.tl", "--groups", "1", "--backend", "reference", "--dim", "2")
    assert line.startswith("error[PYTL-2012]: memref<f32x?x4> of g has dynamic modes")


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_readmes_kernel(backend: str, run: Run, directory: Path) -> None:
    example = str(ROOT / "examples/fused_kernel.py")
    from_python = checksum(run("run", f"{example}:fused", "--groups", "20", "--seed", "5", "--backend", backend))
    (directory / "fused.tl").write_text(run("opt", f"{example}:fused"))
    from_text = checksum(run("run", "fused.tl", "--groups", "20", "--seed", "5", "--backend", "reference"))
    assert from_python == from_text
    assert re.fullmatch(r"checksum A=\S+ B=\S+ C=\S+ D=\S+", from_text)


def test_no_arrays_and_no_groups(run: Run, directory: Path) -> None:
    (directory / "nothing.tl").write_text("func @f(%n: i32, %t: bool) {}")
    assert checksum(run("run", "nothing.tl", "--groups", "2", "--backend", "reference")) == "checksum of no arrays"
    assert checksum(run("run", "good.tl", "--function", "copy", "--groups", "0", "--backend", "reference")) == (
        "checksum a=0 b=0"
    )


# ops, explain, devices.


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


def test_devices_without_the_sycl_stack() -> None:
    done = clean_python(
        "class Hide:\n"
        "    def __init__(self, finder): self.finder = finder\n"
        "    def find_spec(self, name, *rest):\n"
        "        return None if name in ('dpctl', 'numba_dpex') else self.finder.find_spec(name, *rest)\n"
        "sys.meta_path[:] = [Hide(f) if hasattr(f, 'find_spec') else f for f in sys.meta_path]\n"
        "from pytl.cli import main; sys.exit(main(['devices']))"
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, second, third, *rest = done.stdout.splitlines()
    assert (first, second) == ("sycl", "  not available: dpctl, the Python binding of SYCL, is not installed.")
    assert "numba-dpex" in third
    assert rest[:3] == ["reference", "  NumPy, on every platform; slow and checked", "mlir"]


# As a program.


def pytl_program(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytl", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60, **more)


def test_as_a_program() -> None:
    assert pytl_program("check", "-", input=GOOD).returncode == 0
    wrong = pytl_program("check", "-", input=BAD)
    assert wrong.returncode == 1 and wrong.stderr == ""
    assert wrong.stdout.startswith("<stdin>:2:13: error[PYTL-0006]: ")


@pytest.mark.parametrize("arguments", [("explain",), ("opt", "good.tl"), ("check", "bad.tl")])
def test_a_reader_that_goes_away(arguments: tuple[str, ...]) -> None:
    """As in `pytl explain | head -n 0`."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "pytl", *arguments],
            stdout=gone,
            stderr=subprocess.PIPE,
            env=environment,
            text=True,
            check=False,
            timeout=60,
        )
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize(
    "name", ["a\x1b[31m.tl", "a\nb\rc.tl", "a\u202e.py", "a\udcff.tl", "no\x07such.tl", "a\x9b.py:k\x1b["]
)
def test_a_terminal_gets_no_commands_of_names_and_texts(name: str, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    path = name.partition(":")[0]
    if not path.startswith("no"):
        (tmp_path / path).write_text("func @f() { \x1b[1m } ; \x1b[0m\n'''\x1b''' + \x1b\n")
    assert main(["check", name]) == 1
    shown = "".join(capsys.readouterr())
    assert "PYTL-" in shown and shown.replace("\n", "").isprintable()


def test_arguments_that_are_no_text(capsys) -> None:
    for arguments in (
        ["\x1b[31m"],
        ["check", "--\x1b[31m", "x"],
        ["explain", "\x1b[31m"],
        ["ops", "\x1b[31m"],
        ["check"],
    ):
        with pytest.raises(SystemExit) if arguments[0] in ("check", "\x1b[31m") else nullcontext():
            assert main(arguments) == 1
        assert "".join(capsys.readouterr()).replace("\n", "").isprintable()


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.tl"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert main(["check", "--strict", str(file)]) == 0
    assert capsys.readouterr().out == ""


def test_the_name_of_a_file_is_no_expression(tmp_path: Path, capsys, monkeypatch) -> None:
    """A shell that lists `*.tl` may find a file whose name looks like a kernel of a Python file beside it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("open('imported', 'w')")
    (tmp_path / "a.py:open('evaluated', 'w').tl").write_text(GOOD)
    assert main(["check", "a.py:open('evaluated', 'w').tl"]) == 0
    assert not (tmp_path / "imported").exists() and not (tmp_path / "evaluated").exists()


def test_sizes_and_truth_values_that_are_named(tmp_path: Path, capsys) -> None:
    file = tmp_path / "a.tl"
    file.write_text(
        "func @f(%p: bool, %g: group<memref<f32x4>x?, offset: ?>) {\n  %id = builtin.group_id : index\n"
        "  %v = load %g[%id] : memref<f32x4>\n  if %p { axpby.n 1.0, %v, 1.0, %v }\n}"
    )
    command = ["run", str(file), "--groups", "2", "--backend", "reference"]
    for right in (["--dim", "g.offset=3", "--arg", "p=true"], ["--arg", "p=0"]):
        assert main([*command, *right]) == 0
        assert "checksum g=" in capsys.readouterr().out
    for wrong, message in {
        ("--arg", "p=maybe"): "p is bool, but 'maybe' is given",
        ("--dim", "g=3"): "@f has no dynamic mode g",
        ("--dim", "g.0=3"): "@f has no dynamic mode g.0",
    }.items():
        assert main([*command, *wrong]) == 1
        assert message in capsys.readouterr().err
