"""The tools of MLIR: which are found, what is said of those that are missing, and of those that fail."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launch_kit import clean_python, column_major
from mlir_kit import Written, memref

import pytl
from pytl.backends.arm_sme import machine
from pytl.backends.mlir import process, toolchain
from pytl.backends.registry import find_backend
from pytl.diagnostics.quoting import mlir_location, mlir_source

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no tools are called on Windows")

TWICE = Written(
    "func @twice(%x: memref<f32x4>) {\n  %two = constant 2.0 : f32\n  axpby.n %two, %x, %two, %x\n}",
    {"x": memref("f32", 4)},
    f"""
      scf.for %i = %c0 to %c1 step %c1 {{
        %v = memref.load %x[%i] : {memref("f32", 4)}
        %w = arith.addf %v, %v : f32
        memref.store %w, %x[%i] : {memref("f32", 4)}
      }}""",
)
ON_DEBIAN = "on Debian and Ubuntu: sudo apt-get install -y --no-install-recommends "
CONDA = "; with conda: conda install -c conda-forge mlir llvm-tools"
linux = pytest.mark.skipif(sys.platform != "linux", reason="the help names another system's packages")


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_CACHE", "0")  # what was built before would need no tool


def script(file: Path, text: str) -> None:
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)


def fake_tools(directory: Path, suffix: str = "-22", **texts: str) -> Path:
    """Tools that do what these scripts say, and hand on what they read if there is none."""
    for name in ("mlir-opt", "mlir-translate", "llc"):
        script(directory / f"{name}{suffix}", texts.get(name.replace("-", "_"), "cat"))
    return directory


def error_of(kernel: pytl.Kernel, backend: str = "mlir", **options: Any) -> pytl.PytlError:
    x = column_major(4)
    before = x.copy()
    with pytest.raises(pytl.PytlError) as caught:
        kernel[1, options](x, backend=backend)
    assert np.array_equal(x, before)
    return caught.value


def told(error: pytl.PytlError) -> tuple[str, str, str | None]:
    (found,) = error.diagnostics
    return found.code, found.message, found.help


# What is missing.


@linux
def test_all_that_is_missing_is_told_at_once(tmp_path, monkeypatch):
    for name in ("PYTL_CC", "PYTL_CROSS_CC", "PYTL_QEMU"):
        monkeypatch.setenv(name, "nothing")
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(tmp_path))
    kernel = TWICE.kernel()
    tools = f"mlir-opt, mlir-translate, llc of LLVM 22 (or 21, 20, 19) (PYTL_MLIR_TOOLS is {tmp_path})"
    assert told(error_of(kernel)) == (
        "PYTL-3013",
        f"{tools}, a C compiler (PYTL_CC is nothing) are not installed",
        f"{ON_DEBIAN}mlir-22-tools llvm-22 gcc libc6-dev{CONDA}",
    )
    assert told(error_of(kernel, "arm_sme")) == (
        "PYTL-3013",
        f"{tools}, a C compiler for Arm (PYTL_CROSS_CC is nothing), qemu-aarch64 (PYTL_QEMU is nothing) "
        "are not installed",
        f"{ON_DEBIAN}mlir-22-tools llvm-22 gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user{CONDA}",
    )


@linux
def test_only_what_is_missing_is_told(tmp_path, monkeypatch):
    fake_tools(tmp_path, "-20")
    (tmp_path / "llc-20").unlink()
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(tmp_path))
    monkeypatch.setenv("PYTL_CC", sys.executable)
    monkeypatch.setenv("PYTL_CROSS_CC", sys.executable)
    monkeypatch.setenv("PYTL_QEMU", sys.executable)
    message = f"llc of LLVM 20 (PYTL_MLIR_TOOLS is {tmp_path}) is not installed"
    assert told(error_of(TWICE.kernel())) == ("PYTL-3013", message, f"{ON_DEBIAN}llvm-20{CONDA}")
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(fake_tools(tmp_path)))
    monkeypatch.setenv("PYTL_QEMU", "nothing")
    message = "qemu-aarch64 (PYTL_QEMU is nothing) is not installed"
    assert told(error_of(TWICE.kernel(), "arm_sme")) == ("PYTL-3013", message, f"{ON_DEBIAN}qemu-user")


def test_a_stage_needs_the_tools_and_the_text_does_not(tmp_path, monkeypatch, by_hand):
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(tmp_path))
    kernel = by_hand(TWICE)
    assert kernel.emit("mlir") == kernel.emit("mlir", stage="mlir") == TWICE.text
    with pytest.raises(pytl.PlatformError) as caught:
        kernel.emit("mlir", stage="asm")
    assert caught.value.code == "PYTL-3013"


def test_devices_tell_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(tmp_path))
    (missing, advice) = find_backend("mlir").describe()
    assert missing.startswith("not available: mlir-opt, mlir-translate, llc of LLVM 22 (or 21, 20, 19)")
    assert "llvm" in advice


def test_nothing_needs_the_tools_before_a_launch(tmp_path):
    program = (
        "import numpy as np, pytl\n"
        "text = 'func @f(%a: memref<f32x4>) { %0 = constant 2.0 : f32  axpby.n %0, %a, %0, %a }'\n"
        "a = np.ones(4, np.float32)\n"
        "pytl.compile(text)['f'][1](a, backend='reference')\n"
        "print(a[0], pytl.use('arm_sme') is not None)"
    )
    done = clean_python(program, PATH="", PYTL_MLIR_TOOLS=str(tmp_path))
    assert (done.stderr, done.stdout) == ("", "4.0 True\n")


# What is found.


def found_in(directory: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(directory))
    return toolchain.find_toolchain()


def test_the_newest_version_that_is_whole_is_taken(tmp_path, monkeypatch):
    fake_tools(tmp_path, "-20")
    fake_tools(tmp_path, "-21")
    script(tmp_path / "mlir-opt-22", "cat")
    found = found_in(tmp_path, monkeypatch)
    assert found.version == 21
    assert found.paths == {name: f"{tmp_path}/{name}-21" for name in ("mlir-opt", "mlir-translate", "llc")}


def test_tools_without_a_version_in_their_names_are_asked(tmp_path, monkeypatch):
    says = "echo 'LLVM version {}.1.0'"
    fake_tools(tmp_path, "", mlir_opt=says.format(21), mlir_translate=says.format(21), llc=says.format(21))
    script(tmp_path / "opt", says.format(18))  # of another release, and not needed
    found = found_in(tmp_path, monkeypatch)
    assert (found.version, sorted(found.paths)) == (21, ["llc", "mlir-opt", "mlir-translate"])


def test_tools_of_different_versions_do_not_go_together(tmp_path, monkeypatch):
    says = "echo 'LLVM version {}.1.0'"
    fake_tools(tmp_path, "", mlir_opt=says.format(21), mlir_translate=says.format(21), llc=says.format(20))
    assert isinstance(found_in(tmp_path, monkeypatch), toolchain.Missing)


def test_tools_that_are_installed_meanwhile_are_found(tmp_path, monkeypatch):
    assert isinstance(found_in(tmp_path, monkeypatch), toolchain.Missing)
    fake_tools(tmp_path)
    assert found_in(tmp_path, monkeypatch).version == 22


# What fails.

BUG = "this is a bug of pytl: report it with the text that k.emit gives"


def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_hand: Any, **tools: str) -> pytl.PytlError:
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(fake_tools(tmp_path, **tools)))
    monkeypatch.setenv("PYTL_CC", sys.executable)
    return error_of(by_hand(TWICE))


def test_a_message_leads_to_the_users_line(tmp_path, monkeypatch, by_hand):
    says = """cat > /dev/null; cat >&2 <<'END'
SOURCE:3:3: error: 'vector.gather' op failed to lower
  %v = vector.gather
       ^
SOURCE:3:3: note: see current operation: %21 = "vector.gather"(%arg6)
PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/
Stack dump:
END
exit 1""".replace("SOURCE", mlir_source("<text>"))
    error = failing(tmp_path, monkeypatch, by_hand, mlir_opt=says)
    assert str(error) == (
        "\nerror[PYTL-3060]: mlir-opt-22 does not compile @twice: 'vector.gather' op failed to lower\n"
        "  --> <text>:3:3\n"
        "   |\n"
        " 3 |   axpby.n %two, %x, %two, %x\n"
        "   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "   = rule: the tools of MLIR and LLVM compile what pytl emits\n"
        f"   = help: {BUG}\n"
        "           mlir-opt-22 says:\n"
        "             error: 'vector.gather' op failed to lower"
    )


def test_what_llc_cannot_select_is_told_at_the_kernel(tmp_path, monkeypatch, by_hand):
    says = "cat > /dev/null; printf 'LLVM ERROR: Cannot select: t5: nxv4f32\\nIn function: twice\\n' >&2; exit 70"
    error = failing(tmp_path, monkeypatch, by_hand, llc=says)
    assert told(error) == (
        "PYTL-3060",
        "llc-22 does not compile @twice: LLVM ERROR: Cannot select: t5: nxv4f32",
        f"{BUG}\nllc-22 says:\n  LLVM ERROR: Cannot select: t5: nxv4f32\n  In function: twice",
    )
    assert error.diagnostics[0].location.line == 1


def test_a_tool_that_is_killed(tmp_path, monkeypatch, by_hand):
    assert told(failing(tmp_path, monkeypatch, by_hand, mlir_translate="kill -9 $$")) == (
        "PYTL-3060",
        "mlir-translate-22 was ended by SIGKILL while it compiled @twice",
        "the machine has too little memory for it, most often: end other programs, or divide the kernel",
    )


def test_a_tool_that_hangs(tmp_path, monkeypatch, by_hand):
    monkeypatch.setenv("PYTL_TOOL_SECONDS", "0.3")
    assert told(failing(tmp_path, monkeypatch, by_hand, mlir_opt="sleep 60 & wait")) == (
        "PYTL-3061",
        "mlir-opt-22 has not ended after 0.3 s",
        "set PYTL_TOOL_SECONDS to a larger number if it needs longer",
    )


def test_a_tool_that_cannot_be_started(tmp_path, monkeypatch, by_hand):
    fake_tools(tmp_path)
    (tmp_path / "mlir-opt-22").write_text("#!/no/such/interpreter\n")
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(tmp_path))
    monkeypatch.setenv("PYTL_CC", sys.executable)
    assert told(error_of(by_hand(TWICE))) == (
        "PYTL-3060",
        "mlir-opt-22 cannot be started: No such file or directory",
        f"{tmp_path}/mlir-opt-22 is what was found; PYTL_MLIR_TOOLS, PYTL_CC, PYTL_CROSS_CC and PYTL_QEMU name others",
    )


def test_a_linker_that_fails_names_no_temporary_file(tmp_path, monkeypatch, by_hand):
    script(tmp_path / "linker", 'echo "ld: $5: undefined reference to \\`g\'" >&2; exit 1')
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(fake_tools(tmp_path)))
    monkeypatch.setenv("PYTL_CC", str(tmp_path / "linker"))
    _, message, help = told(error_of(by_hand(TWICE)))
    assert message == "linker does not compile @twice: ld: -lm: undefined reference to `g'"
    assert "/tmp" not in message + str(help)
    assert str(help).startswith("linker is what PYTL_CC names: see whether it fails without PYTL_CC, too; if so, this")


def test_no_room_for_temporary_files(tmp_path, monkeypatch, by_hand):
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(fake_tools(tmp_path)))
    monkeypatch.setenv("PYTL_CC", sys.executable)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    assert told(error_of(by_hand(TWICE))) == (
        "PYTL-3062",
        "no temporary file can be written: No such file or directory",
        "set TMPDIR to a directory that can be written, with room in it",
    )


def test_what_is_linked_must_be_a_library(tmp_path, monkeypatch, by_hand):
    script(tmp_path / "linker", """printf '\\177ELF' > "$3\"""")
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(fake_tools(tmp_path)))
    monkeypatch.setenv("PYTL_CC", str(tmp_path / "linker"))
    error = error_of(by_hand(TWICE))
    assert told(error)[:2] == ("PYTL-3062", "the library of @twice cannot be loaded: kernel.so: file too short")


@pytest.mark.parametrize("text", ["0", "-1", "soon", "nan", "inf"])
def test_seconds_are_more_than_none(text, monkeypatch):
    monkeypatch.setenv("PYTL_TOOL_SECONDS", text)
    with pytest.raises(pytl.PlatformError) as caught:
        process.TOOL_SECONDS.get()
    assert caught.value.code == "PYTL-3020"


@pytest.mark.tools_of("mlir")
def test_text_that_is_wrong_is_shown(monkeypatch, by_hand):
    kernel = by_hand(Written(TWICE.signature, TWICE.parameters, "      %v = arith.addf %c0, %c1 : index"))
    assert told(error_of(kernel)) == (
        "PYTL-3060",
        "mlir-opt-22 does not compile @twice: 'arith.addf' op operand #0 must be floating-point-like, but got 'index'",
        f"{BUG}\nmlir-opt-22 says:\n"
        "  line 6 of the text: %v = arith.addf %c0, %c1 : index\n"
        "  error: 'arith.addf' op operand #0 must be floating-point-like, but got 'index'",
    )


@pytest.mark.tools_of("mlir")
def test_an_operation_with_a_place_is_found_in_the_users_text(by_hand):
    body = f"      %v = arith.addf %c0, %c1 : index {mlir_location('<text>', 3, 3)}"
    error = error_of(by_hand(Written(TWICE.signature, TWICE.parameters, body)))
    assert error.diagnostics[0].location.line == 3
    assert "axpby.n %two, %x, %two, %x" in str(error)


def program(directory: Path, name: str, *lines: str) -> str:
    script(directory / name, "\n".join(lines))
    return str(directory / name)


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")
def test_a_program_that_does_not_tell_its_version(tmp_path: Path, monkeypatch) -> None:
    """One that hangs is told of after a few seconds, holds up no others, and reads nothing that is typed."""
    names = ("mlir-opt", "mlir-translate", "llc", "opt")
    for name in names:
        program(tmp_path, name, f"echo {name} >> {tmp_path}/asked", "cat > /dev/null", "sleep 600")
    monkeypatch.setattr(process, "VERSION_SECONDS", 0.3)
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(tmp_path))
    pattern = rf"\[PYTL-3061\] {tmp_path}/mlir-opt --version has not ended after 0.3 s"
    with pytest.warns(UserWarning, match=pattern):
        missing = toolchain.find_toolchain()
    assert isinstance(missing, toolchain.Missing)
    assert (tmp_path / "asked").read_text() == "mlir-opt\n"
    with pytest.warns(UserWarning, match="qemu --version has not ended"):
        assert machine.qemu_version(program(tmp_path, "qemu", "exec sleep 600")) == (0, 0)
    assert process.version_text(program(tmp_path, "garbage", "printf 'version \\377 22.1'")) == "version \ufffd 22.1"
    assert process.version_text(str(tmp_path / "none")) == ""


def test_a_few_seconds_are_enough() -> None:
    assert process.VERSION_SECONDS <= 5


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["exit 0"], "has written nothing for @twice"),
        (['while [ "$1" != -o ]; do shift; done', 'echo garbage > "$2"'], "has written something else for @twice"),
        (['while [ "$1" != -o ]; do shift; done', 'echo "int f;" | cc -shared -x c -o "$2" -'], "lacks the kernel"),
    ],
)
def test_a_linker_that_is_none(lines: list[str], what: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PYTL_CC", program(tmp_path, "cc", *lines))
    error = error_of(pytl.compile(TWICE.signature)["twice"])
    assert error.code == "PYTL-3081" and what in error.diagnostics[0].message
    assert "PYTL_CC" in error.diagnostics[0].help
    assert error_of(pytl.compile(TWICE.signature)["twice"]).code == "PYTL-3081"  # and nothing of it is kept


@pytest.mark.at_most(2)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("tool", ["mlir-opt", "mlir-translate", "llc", "opt"])
def test_a_tool_that_is_none(tool: str, tmp_path: Path, monkeypatch) -> None:
    found = toolchain.find_toolchain()
    for name, place in found.paths.items():
        link = tmp_path / f"{name}-{found.version}"
        if name == tool:
            script(link, "exit 0")
        else:
            link.symlink_to(place)
    monkeypatch.setenv("PYTL_MLIR_TOOLS", str(tmp_path))
    error = error_of(pytl.compile(TWICE.signature)["twice"])
    assert error.code == "PYTL-3081"
    assert f"{tool}-{found.version} ended without an error, but has written nothing" in error.diagnostics[0].message


@pytest.mark.tools_of("arm_sme")
def test_a_cross_compiler_that_is_none(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PYTL_CROSS_CC", program(tmp_path, "cc", "exit 0"))
    with pytest.raises(pytl.PytlError) as caught:
        pytl.compile(TWICE.signature)["twice"][1](np.ones(4, np.float32), backend="arm_sme")
    assert caught.value.code == "PYTL-3081"
