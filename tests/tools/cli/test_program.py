"""`pytl` as a program: its exit code, a reader that goes away, and what a terminal is shown."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from cli_kit import BAD, GOOD
from launch_kit import ROOT

import pytl
from pytl.tools.cli import main

pytestmark = pytest.mark.usefixtures("directory")


def pytl_program(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytl", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60, **more)


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0 and capsys.readouterr().out == f"pytl {pytl.__version__}\n"


@pytest.mark.at_night
def test_as_a_program() -> None:
    assert pytl_program("check", "-", input=GOOD).returncode == 0
    wrong = pytl_program("check", "-", input=BAD)
    assert wrong.returncode == 1 and wrong.stderr == ""
    assert wrong.stdout.startswith("<stdin>:2:13: error[PYTL-0006]: ")


@pytest.mark.at_most(1)
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
