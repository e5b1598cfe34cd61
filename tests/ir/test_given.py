"""What is no text and no module, and paths of all kinds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launch_kit import ROOT, needs_sycl

import pytl
from pytl.diagnostics import LanguageError, LaunchError

pytestmark = pytest.mark.at_most(4)

TEXT = "func @twice(%a: memref<f32x4>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }"
MODULE = pytl.parse(TEXT)


@pytest.mark.parametrize(
    ("call", "given", "message", "help"),
    [
        (pytl.parse, b"func @f() { }", "pytl.parse is given an object of type bytes", "decode it first: text.decode()"),
        (pytl.parse, None, "pytl.parse is given None", "pass a text of the language"),
        (pytl.parse, Path("a.tl"), f"pytl.parse is given an object of type {type(Path()).__name__}", "read the file"),
        (pytl.parse, MODULE, "pytl.parse is given an object of type Module", "it is IR already"),
        (pytl.compile, 5, "pytl.compile is given an object of type int", "pass a text of the language"),
        (pytl.compile, None, "pytl.compile is given None", "pass a text of the language"),
        (pytl.compile, bytearray(b""), "pytl.compile is given an object of type bytearray", "decode it first"),
        (pytl.verify, None, "pytl.verify is given None", "pass a module"),
        (pytl.verify, TEXT, "pytl.verify is given an object of type str", "read it first: pytl.parse(text)"),
        (pytl.verify, MODULE.functions[0], "pytl.verify is given an object of type Function", "pytl.Module(["),
        (pytl.verify, pytl.compile(TEXT)["twice"], "pytl.verify is given an object of type Kernel", "kernel.module"),
        (pytl.verify, pytl.Module([None]), "pytl.verify is given an object of type Module", "pass a module"),
    ],
)
def test_what_is_no_text_and_no_module(call: Any, given: Any, message: str, help: str) -> None:
    with pytest.raises(LanguageError) as caught:
        call(given)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("PYTL-3082", message)
    assert found.help is not None and help in found.help
    assert found.location is not None and found.location.source.name == __file__


@pytest.mark.parametrize("name", [Path("a.tl"), b"a\xff.tl", "a.tl", 5, None], ids=str)
def test_a_text_may_be_called_anything(name: Any) -> None:
    with pytest.raises(LanguageError) as caught:
        pytl.parse("func", name=name)
    assert str(caught.value).count("--> ") == 1


@pytest.mark.parametrize("offset", ["3", 1.5, None, [1], "\x1b[31m"], ids=ascii)
def test_offsets_of_pointers(offset: Any) -> None:
    with pytest.raises(LaunchError) as caught:
        pytl.pointers([np.zeros(20)], offset=offset)
    (found,) = caught.value.diagnostics
    assert found.code == "PYTL-2012" and found.message.startswith("the offset is ")
    assert found.location.source.name == __file__
    assert pytl.pointers([np.zeros(20)], offset=np.int8(4)).offset == 4


PROGRAM = """
import sys
import numpy as np
import pytl

@pytl.kernel
def twice(a: pytl.Memref[pytl.f32, 4]):
    pytl.axpby(1.0, a, 1.0, a)

a = np.ones(4, np.float32)
for backend in sys.argv[1:]:
    twice[1](a, backend=backend)
print(a.tolist())
twice[1](None)
"""
BACKENDS = [
    pytest.param("sycl", marks=needs_sycl),
    pytest.param("mlir", marks=pytest.mark.tools_of("mlir")),
    pytest.param("arm_sme", marks=pytest.mark.tools_of("arm_sme")),
]


@pytest.mark.at_night
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such paths")
@pytest.mark.parametrize("backend", ["reference", *BACKENDS])
def test_paths_and_warnings_of_encodings(backend: str, tmp_path: Path) -> None:
    """A path that is not UTF-8, all output in ASCII, and every warning about an encoding an error."""
    directory = os.fsencode(tmp_path) + b"/\xff\xfe"
    os.mkdir(directory)
    file = directory + b"/k\xe9.py"
    with open(file, "w", encoding="ascii") as opened:
        opened.write(PROGRAM)
    environment = {**os.environb, b"PYTHONPATH": os.fsencode(ROOT), b"PYTL_CACHE_DIR": directory + b"/cache"}
    environment[b"PYTHONIOENCODING"] = b"ascii:backslashreplace"
    strict = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    command = [sys.executable, *strict, file, backend]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="ascii", check=False)
    assert done.stdout == "[2.0, 2.0, 2.0, 2.0]\n", done.stderr
    assert "error[PYTL-2002]" in done.stderr and "k\\udce9.py:14" in done.stderr
    if backend == "reference":
        for arguments in (["check"], ["emit", "numba_dpex"], ["run", "--groups", "1", "--backend", "reference"]):
            command = [sys.executable, *strict, "-m", "pytl", *arguments, file]
            environment[b"PYTHONIOENCODING"] = b"ascii"
            with open(file, "w", encoding="ascii") as opened:
                opened.write(PROGRAM.partition("a = np")[0])
            done = subprocess.run(command, env=environment, capture_output=True, encoding="ascii", check=False)
            assert (done.returncode, done.stderr) == (0, "")
