"""The peers in C: built with the machine's compiler at their first use, and called through ctypes.

libxsmm is Debian's (`libxsmm-dev`); its static libraries go into the driver, with the stub for the BLAS that it would
call for large products. Its version 2, which Debian does not have, is where the variable LIBXSMM_2 says. What can't be
built is `Missing`, with the command that installs what it needs.
"""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from measure import ELEMENTS
from memory import placed

from peers import Missing

FOLDER = Path(__file__).parent
FLAGS = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC", "-Wl,-z,defs"]
LIBXSMM = ["-lxsmm", "-lxsmmnoblas", "-lpthread", "-lm", "-ldl", "-lrt"]
INSTALLED_BY = "apt-get install libxsmm-dev gcc"
NEWEST, NEWEST_FOLDER = "libxsmm 2", "LIBXSMM_2"
"""What the newest libxsmm is called, and the variable that names its folder."""


@functools.cache
def load(source: str, peer: str, *libraries: str) -> ctypes.CDLL:
    """A source of this folder, or one with a whole path, as a library."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        raise Missing(peer, "no C compiler is found", INSTALLED_BY)
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "library.so"
        command = [compiler, *FLAGS, str(FOLDER / source), "-o", str(library), *libraries]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode:
            said = (built.stderr.strip().splitlines() or ["the compiler failed"])[0]
            raise Missing(peer, said, INSTALLED_BY)
        return ctypes.CDLL(str(library))


def address(array: np.ndarray) -> ctypes.c_void_p:
    """Where an array's numbers are, which live as long as this object."""
    return array.ctypes.data_as(ctypes.c_void_p)


def newest_libxsmm() -> list[str]:
    """The compiler's options for version 2, in a folder with its headers in `include`, and its library."""
    folder = Path(os.environ.get(NEWEST_FOLDER, os.devnull)).absolute()
    libraries = [path for name in ("libxsmm.so.2", "lib/libxsmm.so.2") if (path := folder / name).is_file()]
    if not libraries or not (folder / "include" / "libxsmm.h").is_file():
        reason = f"{NEWEST_FOLDER} names no folder that has include/libxsmm.h and libxsmm.so.2"
        raise Missing(NEWEST, reason, f"export {NEWEST_FOLDER}=…, where it was built")
    path = libraries[0]
    return ["-DLIBXSMM_2", f"-I{folder / 'include'}", str(path), f"-Wl,-rpath,{path.parent}"]


class Libxsmm:
    """Batches in the layout of pytl: column-major, the batch last; by Debian's version, or by version 2."""

    def __init__(self, newest: bool = False) -> None:
        options = newest_libxsmm() if newest else LIBXSMM
        self.library = load("libxsmm_driver.c", NEWEST if newest else "libxsmm", *options)

    def gemm(
        self, a: np.ndarray, b: np.ndarray, c: np.ndarray, total: int, transposed: str = "nn", ahead: bool = False
    ) -> None:
        """C_i += op(A_i) op(B) for `total` items, again from the first when the batch is through."""
        m, n, items = c.shape
        k = b.shape["nt".index(transposed[1])]
        flags = (int(letter == "t") for letter in transposed)
        self._call("gemm", (m, n, k, *flags, 1, int(ahead)), (a, b, c), items, total)

    def chain(
        self, a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray, total: int, ahead: bool = False
    ) -> None:
        """D_i += A_i Bᵀ C, α being in C already."""
        m, n, items = d.shape
        self._call("chain", (m, n, b.shape[1], b.shape[0], int(ahead)), (a, b, c, d), items, total)

    def steps(self, dtype: str, steps: Any, scratch: int, items: int, total: int) -> None:
        """A list of steps, of the type that steps.py declares, for `total` items."""
        numbers = (len(steps), scratch, items, total)
        status = getattr(self.library, f"steps_{ELEMENTS[dtype]}")(steps, *map(ctypes.c_int64, numbers))
        if status:
            raise NotImplementedError("libxsmm does not make all kernels of a list on this processor")

    def _call(
        self, name: str, numbers: tuple[int, ...], arrays: tuple[np.ndarray, ...], items: int, total: int
    ) -> None:
        assert all(array.flags.f_contiguous for array in arrays)
        function = getattr(self.library, f"{name}_{ELEMENTS[arrays[0].dtype.name]}")
        status = function(*numbers, *map(address, arrays), ctypes.c_int64(items), ctypes.c_int64(total))
        if status:
            raise NotImplementedError(f"libxsmm makes no kernel for {name}{numbers} on this processor")


class Machine:
    """The machine's own rates, on the threads that OpenMP has in this process; the best of several tries."""

    def __init__(self) -> None:
        self.library = load("machine.c", "the machine's peak")
        self.threads = int(os.environ.get("OMP_NUM_THREADS", os.cpu_count() or 1))

    def fma_peak(self, dtype: str) -> float:
        """GFLOP/s of multiply-adds in registers."""
        function = getattr(self.library, f"fma_peak_{ELEMENTS[dtype]}")
        function.restype = ctypes.c_int64
        out = np.ones(2, dtype)

        def rate() -> float:
            out[1] = 0
            began = time.perf_counter()
            flops = function(ctypes.c_int64(2_000_000), address(out))
            return flops * self.threads / (time.perf_counter() - began) / 1e9

        return max(rate() for _ in range(7))

    def triad(self, moved: int) -> Callable[[], Any]:
        """The function that computes a := b + s c on arrays of a total size in bytes."""
        count = moved // 24
        a, b, c = (placed(np.ones(count)) for _ in range(3))
        size, scale = ctypes.c_int64(count), ctypes.c_double(0.5)
        return lambda: self.library.triad(address(a), address(b), address(c), scale, size)

    def reading(self, moved: int) -> Callable[[], Any]:
        """The function that sums an array of a size in bytes."""
        array = placed(np.ones(moved // 8))
        function = self.library.read_all
        function.restype = ctypes.c_double
        return lambda: function(address(array), ctypes.c_int64(array.size))

    def bandwidth(self) -> dict[str, float]:
        """GB/s of the triad and of reading alone, on arrays of about 100 MB each."""
        count = 12_000_000
        calls = {"triad": (24 * count, self.triad(24 * count)), "reading": (8 * count, self.reading(8 * count))}
        rates = dict.fromkeys(calls, 0.0)
        for _ in range(5):
            for name, (moved, call) in calls.items():
                began = time.perf_counter()
                call()
                rates[name] = max(rates[name], moved / (time.perf_counter() - began) / 1e9)
        return rates
