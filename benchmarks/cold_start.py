"""How long a fresh process takes to its first result when its kernel is in the compilation cache.

    python benchmarks/cold_start.py [REPETITIONS]

Prints medians of wall time, from the start of Python to a line that the process prints, and of processor time, which
depends less on what else the machine does:

(a) `import dpctl.tensor` alone, in an environment in which it finds its libraries without pytl;
(b) `import pytl` and the first launch of the kernel of examples/fused_kernel.py on device arrays, its result checked;
(c) the same for the six products of six_products.py;
(d) as (c), where the cache keeps no machine code, so that the device's driver compiles SPIR-V;
(e) as (c), with an empty cache.

The parts of (b), (c) and (d) stand below them. Processes of all kinds take turns. Python's bytecode is on disk, as with
an installed package. The bar: (b) and (c) come within 0.5 s of (a), in wall time on an idle machine, and in processor
time.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BAR = 0.5
IMPORTS = """
import dpctl.tensor
print("there", flush=True)
"""
LIBRARIES = Path(sys.prefix) / "lib"
LOADABLE = {"LD_LIBRARY_PATH": str(LIBRARIES), "OCL_ICD_FILENAMES": str(LIBRARIES / "libintelocl.so")}
"""What makes dpctl loadable without pytl where pip has installed it."""
LAUNCH = """
import resource, time
def now():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return time.perf_counter(), used.ru_utime + used.ru_stime
times = [now()]
import pytl
times.append(now())
import dpctl.tensor as dpt
import numpy as np
times.append(now())
{kernel}
times.append(now())
kernel.function
times.append(now())
kernel[items](*values, *arrays)
times.append(now())
kernel[items](*values, *arrays)
times.append(now())
result = dpt.asnumpy(arrays[-1])
parts = [later - earlier for former, latter in zip(times, times[1:]) for earlier, later in zip(former, latter)]
variant = kernel.cache_info().variants[0].built
print("there", *parts, variant.seconds, flush=True)
assert np.allclose(result, expected, rtol=1e-4, atol=1e-4)
print(kernel.cache_info().builds, kernel.cache_info().disk_hits)
"""
PARTS = ("import pytl", "dpctl, NumPy", "data", "trace", "first launch", "second launch")
"""What the program measures, each in wall time and processor time; last comes the wall time of the driver."""
FUSED = """
from fused_kernel import fused as kernel, random_data
values, items = [1.5], 100
host = random_data(items)
expected = host[3] + 2 * 1.5 * np.einsum("ikg,lk,lj->ijg", *host[:3])
arrays = [dpt.asarray(array, order="F") for array in host]
"""
PRODUCTS = """
from six_products import expected as result_of, random_data, volume as kernel
values, items = [], 100
host = random_data(items)
expected = 2 * result_of(*host) - host[-1]
arrays = [dpt.asarray(array, order="F") for array in host]
"""
"""Both kernels are launched twice, and add to their last argument."""
CHAIN = LAUNCH.format(kernel=FUSED)
SIX_PRODUCTS = LAUNCH.format(kernel=PRODUCTS)


class Run:
    """A process, from its start to the line that it prints."""

    def __init__(self, program: str, cache: str, **variables: str) -> None:
        places = os.pathsep.join([str(ROOT), str(ROOT / "examples"), str(ROOT / "benchmarks")])
        bytecode = {"PYTHONPYCACHEPREFIX": str(Path(cache) / "bytecode")}
        environment = {**os.environ, "PYTHONPATH": places, "PYTL_CACHE_DIR": cache, **bytecode, **variables}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        used, began = _processor_time(), time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True
        ) as run:
            assert run.stdout is not None
            word, *parts = run.stdout.readline().split() or [""]
            self.seconds = time.perf_counter() - began
            self.rest = run.stdout.read().split()
        if run.returncode or word != "there":
            raise SystemExit("the program failed")
        self.processor = _processor_time() - used
        self.parts = list(map(float, parts))
        """Seconds of each of PARTS, in wall time and in processor time, and of the driver."""


def _processor_time() -> float:
    """Seconds of all processes that this one started and that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def row(name: str, seconds: float, processor: float | None = None, remark: str = "") -> None:
    print(f"  {name:<44}{seconds:8.3f}{'' if processor is None else f'{processor:10.3f}':10}{remark}")


def rows(name: str, runs: list[Run]) -> None:
    """A row of a kind of process, and one of each part."""
    median = statistics.median
    row(name, median(r.seconds for r in runs), median(r.processor for r in runs))
    medians = [median(times) for times in zip(*(r.parts for r in runs))]
    if not medians:
        return
    for number, part in enumerate(PARTS):
        row(f"      {part}", *medians[2 * number : 2 * number + 2])
    row("      of the first launch: the driver", medians[-1])


def difference(name: str, runs: list[Run], alone: list[Run]) -> None:
    pairs = list(zip(runs, alone))
    wall = statistics.median(run.seconds - other.seconds for run, other in pairs)
    processor = statistics.median(run.processor - other.processor for run, other in pairs)
    told = ["ok" if seconds <= BAR else "TOO SLOW" for seconds in (wall, processor)]
    row(name, wall, processor, f"  of {BAR}: {told[0]}, {told[1]}")


def main(repetitions: int = 15) -> None:
    kinds: dict[str, list[Run]] = {"a": [], "b": [], "c": [], "d": []}
    with tempfile.TemporaryDirectory() as cache:
        Run(CHAIN, cache)  # the bytecode of all modules is written
        cold = Run(SIX_PRODUCTS, cache)
        assert cold.rest == ["1", "0"], "the first process finds nothing"
        for _ in range(repetitions):
            kinds["a"].append(Run(IMPORTS, cache, **LOADABLE))
            kinds["b"].append(Run(CHAIN, cache))
            kinds["c"].append(Run(SIX_PRODUCTS, cache))
            kinds["d"].append(Run(SIX_PRODUCTS, cache, PYTL_CACHE_MACHINE_CODE="0"))
    assert all(run.rest == ["0", "1"] for kind in "bcd" for run in kinds[kind]), "every other finds its kernel"
    print(f"medians of {repetitions} processes each{'wall':>24}{'processor':>10}")
    row(
        "(a) import dpctl.tensor", *(statistics.median(t) for t in zip(*((r.seconds, r.processor) for r in kinds["a"])))
    )
    rows("(b) two products, warm cache", kinds["b"])
    rows("(c) six products, warm cache", kinds["c"])
    rows("(d) six products, no machine code", kinds["d"])
    row("(e) six products, empty cache", cold.seconds, cold.processor, "  once")
    difference("(b) - (a)", kinds["b"], kinds["a"])
    difference("(c) - (a)", kinds["c"], kinds["a"])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
