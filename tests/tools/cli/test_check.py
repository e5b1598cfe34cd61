"""`pytl check`: what it lists of texts, of standard input, and of Python files."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from cli_kit import BAD, GOOD, KERNELS, PLACE, Run

from pytl.tools.cli import main

pytestmark = pytest.mark.usefixtures("directory")


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
        "syntax.py:2:1: error[PYTL-3030]: syntax.py is not valid Python: invalid syntax",
        "none.py:1:1: error[PYTL-3030]: none.py has no kernels",
        "imports.py:1:1: error[PYTL-3030]: importing imports.py gives ModuleNotFoundError: "
        "No module named 'no_such_module'",
        "null.py:1:1: error[PYTL-3030]: null.py is not valid Python: source code string cannot contain null bytes",
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
