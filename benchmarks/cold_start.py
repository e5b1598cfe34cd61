"""How long a fresh process takes to its first result when its kernel is in the compilation cache.

    python benchmarks/cold_start.py [REPETITIONS]

Prints medians of wall time, from the start of Python to a line that the process prints: (a) after `import pytl` and
`import dpctl.tensor` alone, which load the SYCL run time; (b) after the first launch of the kernel of
examples/fused_kernel.py on device arrays, its result checked. Processes of both kinds take turns. The bar: (b) comes
within 0.5 s of (a). Beside it stands (c), the same with an empty cache.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BAR = 0.5
IMPORTS = """
import pytl
import dpctl.tensor
print("there", flush=True)
"""
LAUNCH = """
import time
began = time.perf_counter()
import pytl
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
print("there", imported - began, before - imported, launched - before, flush=True)
expected = host[3] + alpha * np.einsum("ikg,lk,lj->ijg", *host[:3])
assert np.allclose(result, expected, rtol=1e-4, atol=1e-4)
print(fused.cache_info().builds, fused.cache_info().disk_hits)
"""


class Run:
    """A process, from its start to the line that it prints."""

    def __init__(self, program: str, cache: str) -> None:
        places = os.pathsep.join([str(ROOT), str(ROOT / "examples")])
        environment = {**os.environ, "PYTHONPATH": places, "PYTL_CACHE_DIR": cache}
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True
        ) as run:
            assert run.stdout is not None
            word, *parts = run.stdout.readline().split() or [""]
            self.seconds = time.perf_counter() - began
            self.rest = run.stdout.read().split()
        if run.returncode or word != "there":
            raise SystemExit("the program failed")
        self.parts = list(map(float, parts))
        """Seconds of the imports, of the kernel's definition and its data, of the launch."""


def main(repetitions: int = 15) -> None:
    with tempfile.TemporaryDirectory() as cache:
        cold = Run(LAUNCH, cache)
        assert cold.rest == ["1", "0"], "the first process finds nothing"
        pairs = [(Run(IMPORTS, cache), Run(LAUNCH, cache)) for _ in range(repetitions)]
    assert all(warm.rest == ["0", "1"] for _, warm in pairs), "every other finds its kernel"
    imports = statistics.median(run.seconds for run, _ in pairs)
    warm = statistics.median(run.seconds for _, run in pairs)
    difference = statistics.median(warm.seconds - run.seconds for run, warm in pairs)
    print(f"medians of {repetitions} processes each, in seconds")
    print(f"  (a) import pytl, dpctl.tensor        {imports:6.3f}")
    print(f"  (b) first result, warm cache         {warm:6.3f}")
    for name, times in zip(("imports", "kernel and data", "launch"), zip(*(run.parts for _, run in pairs))):
        print(f"        {name:<31}{statistics.median(times):6.3f}")
    print(f"  (c) first result, empty cache        {cold.seconds:6.3f}   once")
    verdict = "ok" if difference <= BAR else "TOO SLOW"
    print(f"  (b) - (a)                            {difference:6.3f}   of {BAR} {verdict}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
