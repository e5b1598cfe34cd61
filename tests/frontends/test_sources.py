"""Where sources are found, and the true lines and columns of kernels that stand inside of something."""

import linecache
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tracing_kit import dedented, findings, functions, message, text

import pytl
from pytl.diagnostics import TraceError
from pytl.frontends.python import trace

HERE = Path(__file__).name


class Nested:
    @staticmethod
    def kernel(A: pytl.Memref[pytl.f32, 4]):
        if True:
            A[0] = nobody


def test_a_kernel_in_a_class_keeps_its_place():
    (found,) = findings(Nested.kernel)
    assert found.location is not None
    line = found.location.source.line(found.location.line)
    assert line == "            A[0] = nobody"
    assert (found.location.column, found.location.end_column) == (20, 26)
    assert str(found.location).endswith(f"{HERE}:{found.location.line}:20")


def test_columns_are_characters():
    assert message("def kernel(A: Memref[f32, 4]):\n    größe = 'ÄÖÜ' ; A[nobody] = 1.0\n") == dedented("""
        error[PYTL-1020]: nobody is not defined
          --> <kernel>:2:23 in kernel
           |
         2 |     größe = 'ÄÖÜ' ; A[nobody] = 1.0
           |                       ^^^^^^
           = rule: a name is bound before it is used""")


def test_tabs_stay_below_their_columns():
    shown = message("def kernel(A: Memref[f32, 4]):\n\tA[nobody] = 1.0\n").splitlines()
    assert shown[3:5] == [" 2 | \tA[nobody] = 1.0", "   | \t  ^^^^^^"]


def test_decorated_kernels_are_found():
    def decorate(*arguments):
        return lambda f: f

    space = functions(
        """
        @decorate
        def a(f): ...

        @decorate(
            1,
        )
        @decorate(2)
        def kernel(A: Memref[f32, 4]):
            A[0] = 1.0
        """,
        decorate=lambda *a: lambda f: f,
    )
    assert "store" in text(space["kernel"])
    assert decorate is not None


def test_functions_of_the_same_name():
    space = functions("""
        def make(first):
            if first:
                def kernel(A: Memref[f32, 4]):
                    A[0] = 1.0
            else:
                def kernel(A: Memref[f32, 4]):
                    A[0] = 2.0
            return kernel
    """)
    assert "0x1p+0" in text(space["make"](True))
    assert "0x1p+1" in text(space["make"](False))


def test_exec_without_a_source():
    space = {}
    exec("def kernel(A): pass", space)
    with pytest.raises(TraceError) as caught:
        trace(space["kernel"])
    assert str(caught.value).strip() == dedented("""
        error[PYTL-1010]: the source of kernel can't be found: its code comes from <string>
           = rule: a kernel's source can be read: it is in a file, in a notebook cell, or in linecache
           = help: put the function into a file or a notebook cell; register text before exec runs it:
                   linecache.cache[name] = (len(text), None, text.splitlines(True), name)
                   exec(compile(text, name, "exec"), …)""")


def test_what_is_no_function():
    for given, name in [
        (lambda A: None, "this function is a lambda"),
        (print, "print is of type builtin_function_or_method"),
        (Nested, "Nested is of type type"),
        (3, "3 is of type int"),
    ]:
        with pytest.raises(TraceError) as caught:
            trace(given)
        assert (caught.value.code, caught.value.diagnostics[0].message) == ("PYTL-1011", name)


def test_async_functions_are_refused():
    space = functions("async def kernel(): ...")
    with pytest.raises(TraceError) as caught:
        trace(space["kernel"])
    assert caught.value.diagnostics[0].message == "kernel is written with async def"
    space = functions("class Kernels:\n    async def kernel(): ...")
    with pytest.raises(TraceError) as caught:
        trace(space["Kernels"].kernel)
    location = caught.value.diagnostics[0].location
    assert (location.line, location.column) == (2, 5)


def test_a_source_that_changed():
    space = functions("def kernel(): ...", "<changing>")
    for changed in ("def other(): ...\n", "def kernel(x): ...\n", "def kernel(:\n"):
        linecache.cache["<changing>"] = (len(changed), None, changed.splitlines(True), "<changing>")
        with pytest.raises(TraceError) as caught:
            trace(space["kernel"])
        found = caught.value.diagnostics[0]
        assert found.code == "PYTL-1010"
        assert found.message == "the definition of kernel is not where it was in <changing>"


def test_functions_that_compute_the_same_keep_their_places():
    space = functions("""
        class First:
            def kernel(A: Memref[f32, 4]):
                A[0] = nobody

        class Second:
            def kernel(A: Memref[f32, 4]):
                A[0] = nobody
    """)
    for kind, line in (("First", 3), ("Second", 7)):
        (found,) = findings(space[kind].kernel)
        assert found.location is not None and found.location.line == line


def test_a_function_that_moved():
    space = functions("def kernel(A: Memref[f32, 4]):\n    A[0] = 1.0\n", "<moving>")
    moved = "# a line more\n\ndef kernel(A: Memref[f32, 4]):\n    A[0] = 1.0\n"
    linecache.cache["<moving>"] = (len(moved), None, moved.splitlines(True), "<moving>")
    function = trace(space["kernel"])
    assert "store" in str(function)
    assert function.location is not None and function.location.line == 3


SCRIPT = """
import pytl
from pytl import Memref, f32
from pytl.frontends.python import trace

def kernel(A: Memref[f32, 4]):
    A[0] = 1.0

print(trace(kernel))
"""


def run(*command: str, **options) -> subprocess.CompletedProcess[str]:
    root = str(Path(pytl.__file__).parents[1])
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env={"PYTHONPATH": root}, **options
    )


def test_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert "store %1, %A[%0]" in run(str(script)).stdout


def test_a_pipe_has_no_source():
    ended = run("-", input=SCRIPT)
    assert ended.returncode == 1
    assert "error[PYTL-1010]: the source of kernel can't be found: its code comes from <stdin>" in ended.stderr


OWN_TEXT = SCRIPT.replace("def kernel", "@pytl.kernel\ndef kernel").replace("trace(kernel)", "kernel")


def test_standard_input_from_a_file(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(OWN_TEXT)
    with open(script) as file:
        assert "store %1, %A[%0]" in run("-", stdin=file).stdout


def test_a_command():
    assert "store %1, %A[%0]" in run("-c", OWN_TEXT).stdout
    assert "store %1, %A[%0]" in run("-Wignore", "-Bc", OWN_TEXT).stdout


def test_exec_of_a_text_that_stands_around_it():
    text = OWN_TEXT.replace("1.0", "3.0")
    other = text.replace("3.0", "4.0")  # the same name, another function
    space = {}
    exec(text, space)
    assert "0x1.8p+1" in str(space["kernel"])
    assert other not in str(space["kernel"])


IMPORTED = """
import pytl
from pytl import Memref, f32

def part(x):
    return x * {0}

@pytl.kernel
def kernel(A: Memref[f32, 4]):
    A[0] = part(A[0])
"""


def test_a_file_that_was_edited_after_its_import(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "edited_after_import.py"
    file.write_text(IMPORTED.format("2.0"))
    import edited_after_import

    file.write_text("# edited\n" + IMPORTED.format("50.0"))
    assert "0x1p+1" in str(edited_after_import.kernel)
    assert edited_after_import.kernel.function.location.line == 10, "where it stands now"

    helpers = tmp_path / "helpers_edited_after_import.py"
    helpers.write_text("def part(x):\n    return x * 2.0\n")
    import helpers_edited_after_import

    helpers.write_text("def part(x):\n    return x * 50.0\n")

    @pytl.kernel
    def kernel(A: pytl.Memref[pytl.f32, 4]):
        A[0] = helpers_edited_after_import.part(A[0])

    with pytest.raises(TraceError, match=r"(?s)the definition of part is not where it was in .*import it again"):
        str(kernel)


def test_an_edited_file_is_read_again(tmp_path):
    file = tmp_path / "edited.py"
    for number in ("1.0", "2.0"):
        source = textwrap.dedent(SCRIPT.replace("1.0", number))
        file.write_text(source + "#" * len(number))
        space = {"__name__": "edited"}
        exec(compile(source, str(file), "exec"), space)
        linecache.checkcache(str(file))
        assert f"constant {float(number).hex()[:3]}" in text(space["kernel"])
