"""What an editor shows of a kernel: mypy reads one that uses every function, and one that is full of mistakes."""

import ast
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from launch_kit import ROOT

import pytl
from pytl.frontends import lang

SAMPLES = Path(__file__).parent / "editor"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("editor")
    for sample in SAMPLES.glob("*.txt"):
        (folder / f"{sample.stem}.py").write_bytes(sample.read_bytes())
    return folder


@pytest.fixture(scope="module")
def remarks(folder):
    """The lines with an error, by file; one run, since mypy takes seconds to start."""
    options = ["--strict", "--follow-imports=silent", "--config-file=", "--ignore-missing-imports"]
    ended = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "accepted.py", "refused.py"],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    found = re.findall(r"^(\w+)\.py:(\d+): error: (.*)$", ended.stdout, re.MULTILINE)
    assert found, ended.stdout + ended.stderr
    return found


@pytest.mark.at_night
def test_a_kernel_is_accepted(remarks):
    assert [remark for remark in remarks if remark[0] == "accepted"] == []


@pytest.mark.at_night
def test_mistakes_are_shown_where_they_stand(remarks):
    lines = (SAMPLES / "refused.txt").read_text().splitlines()
    marked = {number for number, line in enumerate(lines, 1) if "  # " in line}
    assert {int(line) for file, line, _ in remarks if file == "refused"} == marked


def test_what_is_accepted_is_a_kernel(folder):
    kernels = {k: v for k, v in runpy.run_path(str(folder / "accepted.py")).items() if isinstance(v, pytl.Kernel)}
    assert list(kernels) == ["collective", "spmd", "with_defaults", "of_others"]
    pytl.verify(pytl.parse(str(kernels["collective"].specialize(n=4))))
    pytl.verify(pytl.parse(str(kernels["spmd"])))
    pytl.verify(pytl.parse(str(kernels["with_defaults"].specialize(arrays=2))))
    pytl.verify(pytl.parse(str(kernels["of_others"])))


def test_what_is_accepted_names_every_function():
    tree = ast.parse((SAMPLES / "accepted.txt").read_text())
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    named |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    types = {"bf16", "c64", "i16"}
    assert set(lang.__all__) - types <= named
