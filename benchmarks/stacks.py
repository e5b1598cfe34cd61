"""The two stacks of SYCL beside each other: numba-dpex on an older Python, pytl's own target of numba on a newer one.

    python benchmarks/stacks.py OLD NEW [--turns N] [--budget SECONDS] [--write]

OLD and NEW are the Pythons of two environments. Each runs a process that holds all kernels; cells are measured in
turns, one environment after the other, so that what else the machine does meets both. Arrays are NumPy's, at the same
places.
The bars: the geometric mean of old over new is at least 0.97, and compiling takes no longer than on the old one.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
TITLE = "## Two stacks"
STARTS = """
import sys, time
began = time.perf_counter()
import numpy as np, pytl
from pytl import Memref, f32, gemm, group_id
text = sys.argv[1]
kernel = pytl.compile(text)["fused"]
B, C = np.ones((8, 8), "f4", order="F"), np.ones((8, 16), "f4", order="F")
A, D = np.ones((16, 8, 64), "f4", order="F"), np.ones((16, 16, 64), "f4", order="F")
kernel[64](A, B, C, D, backend="sycl")
print(time.perf_counter() - began)
"""
FUSED = """\
func @fused(%A: memref<f32x16x8x?>, %B: memref<f32x8x8>, %C: memref<f32x8x16>, %D: memref<f32x16x16x?>) {
  %g = group_id : index
  %o = constant 1.0 : f32
  %z = constant 0.0 : f32
  %a = subview %A[:, :, %g] : memref<f32x16x8>
  %d = subview %D[:, :, %g] : memref<f32x16x16>
  %t = alloca : memref<f32x16x8>
  gemm.n.t %o, %a, %B, %z, %t
  gemm.n.n %o, %t, %C, %o, %d
}
"""


def runs() -> Iterator[tuple[str, Callable[[], Any]]]:
    """The cells of this process: a name, and a function that does the work once."""
    import numpy as np
    from memory import placed
    from seissol import CASES, ELEMENTS, pack, random_batch

    import pytl
    from pytl import Memref, axpby, f32, gemm, group_id

    generator = np.random.default_rng(1)
    for dtype in ("float32", "float64"):
        for n in (4, 8, 16, 32, 64):
            element, items = getattr(pytl, ELEMENTS[dtype]), max(64, 2**19 // (n * n))

            @pytl.kernel
            def product(A: Memref[element, n, n, ...], B: Memref[element, n, n], C: Memref[element, n, n, ...]):
                i = group_id()
                gemm(1.0, A[:, :, i], B, 1.0, C[:, :, i])

            shapes = ((n, n, items), (n, n), (n, n, items))
            arrays = [placed(generator.random(shape, dtype) / n) for shape in shapes]
            yield f"square {n}, {ELEMENTS[dtype]}", lambda k=product[items], a=arrays: k(*a, backend="sycl")
    shapes = ((16, 8, 4000), (8, 8), (8, 16), (16, 16, 4000))
    arrays = [placed(generator.random(shape, "float32") / 16) for shape in shapes]
    chain = pytl.compile(FUSED)["fused"][4000]
    yield "chain, f32", lambda: chain(*arrays, backend="sycl")
    for name, case_of in CASES.items():
        for dtype in ("float32", "float64"):
            case = case_of(4)
            batch = random_batch(case, dtype, 2000)
            kernel = case.kernel(getattr(pytl, ELEMENTS[dtype]))[batch.items]
            given = {**case.numbers, **pack(case, batch)}
            yield f"SeisSol {name}, order 4, {ELEMENTS[dtype]}", lambda k=kernel, g=given: k(**g, backend="sycl")

    @pytl.kernel
    def small(x: Memref[f32, 8]):
        axpby(1.0, x, 0.0, x)

    x, launch = np.ones(8, np.float32), small[1]
    yield "launch of a small kernel", lambda: launch(x, backend="sycl")


def serve() -> None:
    """Answer each line, the number of a cell and seconds, with the median seconds of that cell."""
    cells = list(runs())
    for _, run in cells:
        run()
    print(json.dumps([name for name, _ in cells]), flush=True)
    for line in sys.stdin:
        number, budget = line.split()
        _, run = cells[int(number)]
        run()
        times: list[float] = []
        while len(times) < 3 or (sum(times) < float(budget) and len(times) < 2000):
            began = time.perf_counter()
            run()
            times.append(time.perf_counter() - began)
        print(statistics.median(times), flush=True)


def process(python: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.Popen(
        [python, *arguments], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT / "benchmarks"
    )


def first_launch(python: str, cache: str) -> float:
    """Seconds from the start of the program to its first result, in a fresh process."""
    done = process(python, "-c", STARTS, FUSED, PYTL_CACHE_DIR=cache)
    return float(done.communicate()[0])


def ask(worker: subprocess.Popen[str], cell: int, budget: float) -> float:
    assert worker.stdin is not None and worker.stdout is not None
    print(cell, budget, file=worker.stdin, flush=True)
    return float(worker.stdout.readline())


def measured(pythons: tuple[str, str], turns: int, budget: float) -> dict[str, tuple[float, float]]:
    """Seconds of each cell on both."""
    found: dict[str, list[list[float]]] = {}
    with tempfile.TemporaryDirectory() as directory:
        places = [str(Path(directory, name)) for name in ("old", "new")]
        for _ in range(turns):
            for number, (python, place) in enumerate(zip(pythons, places)):
                with tempfile.TemporaryDirectory(dir=directory) as empty:
                    found.setdefault("first launch, compiled", [[], []])[number].append(first_launch(python, empty))
                first_launch(python, place)
                found.setdefault("first launch, cached", [[], []])[number].append(first_launch(python, place))
        workers = [process(python, "stacks.py", "--serve", PYTL_CACHE_DIR=p) for python, p in zip(pythons, places)]
        names, others = (json.loads(worker.stdout.readline()) for worker in workers if worker.stdout is not None)
        assert names == others
        for _ in range(turns):
            for cell, name in enumerate(names):
                for number, worker in enumerate(workers):
                    found.setdefault(name, [[], []])[number].append(ask(worker, cell, budget))
        for worker in workers:
            worker.communicate()
    return {name: (statistics.median(old), statistics.median(new)) for name, (old, new) in found.items()}


def versions(python: str) -> str:
    code = (
        "import sys; from pytl.devices.compilers import installed_compiler; "
        "from pytl.devices.versions import version_of; v, name = version_of, installed_compiler().name; "
        'print(f\'Python {sys.version.split()[0]}, {name}, numba {v("numba")}, dpctl {v("dpctl")}\')'
    )
    return process(python, "-c", code).communicate()[0].strip()


def table(pythons: tuple[str, str], cells: dict[str, tuple[float, float]], load: float) -> str:
    lines = [
        f"{TITLE}\n",
        f"Old: {versions(pythons[0])}. New: {versions(pythons[1])}. Medians in ms, in turns; `benchmarks/stacks.py`. ",
        f"The load of the machine was {load:.1f} when they began.\n",
        "| cell | old | new | old/new |\n|---|---|---|---|",
    ]
    lines += [f"| {name} | {old * 1e3:.3f} | {new * 1e3:.3f} | {old / new:.2f} |" for name, (old, new) in cells.items()]
    ratios = [old / new for name, (old, new) in cells.items() if not name.endswith("compiled")]
    old, new = cells["first launch, compiled"]
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    lines.append(f"\nGeometric mean of old over new without compiling: {mean:.3f} (bar 0.97).")
    lines.append(f"Compiling, new over old: {new / old:.2f} (bar 1.00).\n")
    return "\n".join(lines)


def write(section: str) -> None:
    text = PAGE.read_text()
    before, _, rest = text.partition(f"{TITLE}\n")
    following = re.search(r"^## ", rest, re.MULTILINE)
    after = rest[following.start() :] if following else ""
    PAGE.write_text(f"{before.rstrip()}\n\n{section}{chr(10) if after else ''}{after}")


def main() -> None:
    if sys.argv[1:] == ["--serve"]:
        serve()
        return
    parser = argparse.ArgumentParser(description="Both stacks in one table.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--budget", type=float, default=0.1, help="seconds for each cell and turn")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md")
    given = parser.parse_args()
    pythons, load = (os.path.abspath(given.old), os.path.abspath(given.new)), os.getloadavg()[0]
    section = table(pythons, measured(pythons, given.turns, given.budget), load)
    print(section)
    if given.write:
        write(section)


if __name__ == "__main__":
    main()
