"""How long a fresh process takes to its first result when its kernel is in the compilation cache.

    python benchmarks/cold_start.py [REPETITIONS]

Prints medians of wall time, from the start of Python to a line that the process prints: (a) after `import dpctl.tensor`
alone, in an environment in which it finds its libraries without pytl; (b) after `import pytl` and the first launch of
the kernel of examples/fused_kernel.py on device arrays, its result checked. Processes of both kinds take turns. The
bar: (b) comes within 0.5 s of (a). Beside it stands (c), the same with an empty cache. The second column has seconds of
the processor of the whole process, with its end, which depend less on what else the machine does.
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
import time
began = time.perf_counter()
import pytl
without_dpctl = time.perf_counter()
import dpctl.tensor as dpt
import numpy as np
imported = time.perf_counter()
from fused_kernel import fused, random_data
alpha, items = 1.5, 100
host = random_data(items)
A, B, C, D = (dpt.asarray(array, order="F") for array in host)
before = time.perf_counter()
fused[items](alpha, A, B, C, D)
launched = time.perf_counter()
result = dpt.asnumpy(D)
print("there", without_dpctl - began, imported - without_dpctl, before - imported, launched - before, flush=True)
expected = host[3] + alpha * np.einsum("ikg,lk,lj->ijg", *host[:3])
assert np.allclose(result, expected, rtol=1e-4, atol=1e-4)
print(fused.cache_info().builds, fused.cache_info().disk_hits)
"""


class Run:
    """A process, from its start to the line that it prints."""

    def __init__(self, program: str, cache: str, **variables: str) -> None:
        places = os.pathsep.join([str(ROOT), str(ROOT / "examples")])
        environment = {**os.environ, "PYTHONPATH": places, "PYTL_CACHE_DIR": cache, **variables}
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
        """Seconds of `import pytl`, of the other imports, of the kernel's definition and its data, of the launch."""


def _processor_time() -> float:
    """Seconds of all processes that this one started and that have ended."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def row(name: str, seconds: float, processor: float | None = None, remark: str = "") -> None:
    print(f"  {name:<34}{seconds:8.3f}{'' if processor is None else f'{processor:10.3f}':10}{remark}")


def main(repetitions: int = 15) -> None:
    with tempfile.TemporaryDirectory() as cache:
        cold = Run(LAUNCH, cache)
        assert cold.rest == ["1", "0"], "the first process finds nothing"
        pairs = [(Run(IMPORTS, cache, **LOADABLE), Run(LAUNCH, cache)) for _ in range(repetitions)]
    assert all(warm.rest == ["0", "1"] for _, warm in pairs), "every other finds its kernel"
    median = statistics.median
    difference = median(warm.seconds - alone.seconds for alone, warm in pairs)
    processor = median(warm.processor - alone.processor for alone, warm in pairs)
    print(f"medians of {repetitions} processes each{'wall':>14}{'processor':>10}")
    row("(a) import dpctl.tensor", median(r.seconds for r, _ in pairs), median(r.processor for r, _ in pairs))
    row("(b) first result, warm cache", median(r.seconds for _, r in pairs), median(r.processor for _, r in pairs))
    for name, times in zip(
        ("import pytl", "dpctl, NumPy", "kernel and data", "launch"), zip(*(warm.parts for _, warm in pairs))
    ):
        row(f"      {name}", median(times))
    row("(c) first result, empty cache", cold.seconds, cold.processor, "  once")
    row("(b) - (a)", difference, processor, f"  of {BAR}: {'ok' if difference <= BAR else 'TOO SLOW'}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
