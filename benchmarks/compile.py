"""How long a kernel takes to be compiled: a cold build of the manual's chain, and the part of it that is pytl's own.

    python benchmarks/compile.py [--budget SECONDS] [--write]

A build is timed in fresh processes, from their start to a line that they print: (a) after the import of numba-dpex and
a first trivial kernel of its own; (b) after `import pytl` and the first launch of the kernel of
examples/fused_kernel.py, with an empty cache. Processes of both kinds take turns; what counts is how much longer (b)
takes. Tracing, verifying and lowering the same kernel, which needs no numba, is timed in fresh processes that have
imported what it needs: the first time, and when it was done before. All numbers are medians.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from cold_start import CHAIN, ROOT, Run
from measure import Cell, core_counts
from workload import main

PROCESSES = 9
"""Of each kind, for a budget of a second and more; fewer for a smaller one, and three at least."""
TRIVIAL = """
import pytl
import dpctl.tensor as dpt
import numba_dpex
from numba_dpex import kernel_api

@numba_dpex.kernel
def increment(item: kernel_api.Item, a):
    i = item.get_id(0)
    a[i] = a[i] + 1

a = dpt.ones(16, dtype="f4")
numba_dpex.call_kernel(increment, kernel_api.Range(16), a)
print("there", flush=True)
assert (dpt.asnumpy(a) == 2).all()
"""
"""`import pytl` makes the wheels of dpctl loadable, and imports none of numba."""
FRONT_END = """
import importlib, pkgutil, sys, time
import pytl
from pytl.backends.registry import find_backend
from fused_kernel import fused
for package in ("ir", "ops", "frontends", "passes"):
    module = importlib.import_module(f"pytl.{package}")
    for info in pkgutil.walk_packages(module.__path__, f"{module.__name__}."):
        if ".examples" not in info.name:
            importlib.import_module(info.name)
backend = find_backend("sycl")
options = backend.complete_options({}, None)
times = []
for _ in range(11):
    began = time.perf_counter()
    kernel = pytl.kernel(fused.__wrapped__)
    kernel.current().launches.lowered(backend, options).function
    times.append(time.perf_counter() - began)
assert not [name for name in sys.modules if name.partition(".")[0] in ("numba", "numba_dpex")]
print(times[0], sorted(times[1:])[5])
"""


def builds(processes: int) -> tuple[float, float, float]:
    """Seconds of (a), of (b), and of the difference."""
    pairs = []
    for _ in range(processes):
        with tempfile.TemporaryDirectory() as cache:
            trivial, chain = Run(TRIVIAL, cache), Run(CHAIN, cache)
        if chain.rest != ["1", "0"]:
            raise SystemExit("a kernel was found in an empty cache")
        pairs.append((trivial.seconds, chain.seconds))
    median = statistics.median
    return median(a for a, _ in pairs), median(b for _, b in pairs), median(b - a for a, b in pairs)


def front_end(processes: int) -> tuple[float, float]:
    """Seconds of tracing, verifying and lowering: the first time, and warm."""
    places = os.pathsep.join([str(ROOT), str(ROOT / "examples")])
    command, environment = [sys.executable, "-c", FRONT_END], {**os.environ, "PYTHONPATH": places}
    runs = [subprocess.run(command, env=environment, capture_output=True, text=True) for _ in range(processes)]
    if any(run.returncode for run in runs):
        raise SystemExit(runs[0].stderr or "the front end failed")
    first, warm = zip(*(map(float, run.stdout.split()) for run in runs))
    return statistics.median(first), statistics.median(warm)


def cells(cores: int, budget: float) -> Iterator[Cell]:
    processes = max(3, min(PROCESSES, round(PROCESSES * budget)))
    trivial, chain, beyond = builds(processes)
    first, warm = front_end(processes)
    rows = (
        ("numba-dpex: its import and a first trivial kernel", "", trivial),
        ("pytl: import and the chain's first result, with an empty cache", "", chain),
        ("the chain, beyond numba-dpex's own", "build", beyond),
        ("tracing, verifying, lowering: the first time", "front end", first),
        ("tracing, verifying, lowering: warm", "front end", warm),
    )
    for row, place, seconds in rows:
        yield Cell("compilation", row, "f32", cores, 0.0, {"pytl": seconds}, unit="ms", place=place)


if __name__ == "__main__":
    main(__file__, __doc__, {"compile": cells}, core_counts()[-1:])
