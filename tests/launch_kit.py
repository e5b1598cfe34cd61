"""Small programs that go wrong, and what their users see."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pytl
from pytl.devices import compilers

ROOT = Path(pytl.__file__).parents[1]
SHADOWING = ["abs", "compile", "max", "min", "pow", "sum"]
"""Public names that Python has, too: `from pytl import *` leaves them out."""
PUBLIC = [*pytl.__all__, *SHADOWING]
NO_DRIVERS = str(Path(__file__).parent)
"""A folder that lists no driver of OpenCL, for OCL_ICD_VENDORS: the system's stay out of what a test starts."""
has_sycl = compilers.can_launch()
needs_sycl = pytest.mark.skipif(not has_sycl, reason="nothing here compiles and launches kernels on SYCL")
BACKENDS = [pytest.param("sycl", marks=needs_sycl), "reference"]

HEAD = """\
import numpy as np
import pytl
from pytl import Group, Memref, alloca, axpby, f32, gemm, group_id

@pytl.kernel
def add(alpha: f32, A: Memref[f32, 4, 8], B: Memref[f32, 4, 8]):
    axpby(alpha, A, 1.0, B)

A = np.ones((4, 8), np.float32, order="F")
B = np.ones((4, 8), np.float32, order="F")
"""
KEEP = "before = {name: array.copy() for name, array in globals().items() if isinstance(array, np.ndarray)}\n"


class Program:
    """A program of the user's, in a file of its own in the working directory."""

    def __init__(self, directory: Path) -> None:
        self.file = directory / "program.py"

    def error(self, prepare: str, call: str) -> pytl.PytlError:
        """Execute the head, `prepare` and `call`, which fails; asserts that no array was changed."""
        text = f"{HEAD}\n{prepare}\n{KEEP}{call}\n"
        self.file.write_text(text)
        linecache.checkcache(str(self.file))
        names: dict[str, Any] = {"__name__": "__main__"}
        with pytest.raises(pytl.PytlError) as caught:
            exec(compile(text, str(self.file), "exec"), names)
        for name, before in names["before"].items():
            after = names[name]
            assert after is not before
            assert after.tobytes() == before.tobytes(), f"{name} was changed"
        return caught.value

    def stderr(self, prepare: str, call: str, python: str = sys.executable, **environment: str) -> str:
        """What a fresh Python prints for the same program."""
        self.file.write_text(f"{HEAD}\n{prepare}\n{call}\n")
        done = subprocess.run(
            [python, self.file.name],
            cwd=self.file.parent,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTL_BACKEND": "reference", **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 1
        return done.stderr


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.chdir(tmp_path)
    return Program(tmp_path)


def column_major(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    """An array of distinct small numbers in the language's layout."""
    return np.asfortranarray(np.arange(np.prod(shape)).reshape(shape) % 13, dtype=dtype)


def clean_python(source: str, *flags: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh process without variables or drivers of the user's, but with the cache of the tests."""
    ours = {"PYTL_CACHE_DIR": os.environ["PYTL_CACHE_DIR"], "OCL_ICD_VENDORS": NO_DRIVERS}
    return subprocess.run(
        [sys.executable, *flags, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{source}"],
        env={**ours, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
