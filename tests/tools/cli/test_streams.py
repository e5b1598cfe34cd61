"""The command line where its standard streams are closed, or take no more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from launch_kit import ROOT

SHELL = Path("/bin/sh")
FULL = Path("/dev/full")
TEXT = "func @f() { }"


def shell(redirected: str) -> subprocess.CompletedProcess[str]:
    """`pytl` as a shell starts it."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = f"{sys.executable} -m pytl {redirected}"
    return subprocess.run(
        [SHELL, "-c", command], env=environment, input=TEXT, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.skipif(not SHELL.exists(), reason="needs a shell")
def test_closed_streams() -> None:
    silent = shell("opt - >&-")
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, "", "")
    deaf = shell("check - <&-")
    assert deaf.returncode == 1 and deaf.stderr == ""
    assert deaf.stdout.startswith("-:1:1: error[PYTL-3030]: standard input is closed\n")


@pytest.mark.skipif(not (SHELL.exists() and FULL.exists()), reason="needs a device that is full")
def test_a_full_disk() -> None:
    full = shell(f"opt - > {FULL}")
    assert (full.returncode, full.stdout) == (1, "")
    assert full.stderr.startswith(
        "<stdout>:1:1: error[PYTL-3030]: the output cannot be written: No space left on device"
    )
