"""Kernels before a change and after it, measured in turns: how many times as fast they are as those of a revision.

    python benchmarks/before.py REVISION [--budget SECONDS] [--cells N] [--only TEXT]

The revision is checked out beside the repository for the run. Each of the two trees has a process of its own, on one
core; they take turns, kernel by kernel, and the ratio of a kernel is the median of those of its turns. The kernels are
those of the other scripts, with their data: products in L2 and from memory, with transposed factors and in other types,
the chain, SeisSol's, cooperative matrices, what moves data, what many work-items execute, functions of rows, and
programs as people write them. A ratio above one says that this tree is faster. With `PYTL_BACKEND=mlir` in the
environment, what says no backend is code by MLIR.
"""

from __future__ import annotations

import argparse
import itertools
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from host import random
from measure import IDLE, THREADS, Variant, machine_name, use_cores
from workload import above_zero, batch

ROOT = Path(__file__).resolve().parents[1]
TURNS = 5
LEAST = 3
"""Runs of a turn."""
Made = Callable[[], Variant]


def product(size: tuple[int, int, int], dtype: str, place: str) -> Variant:
    import gemm

    m, n, k = size
    items, total = batch((m * k + m * n) * np.dtype(dtype).itemsize, 2.0 * m * n * k, place)
    a, b, c = random((m, k, items), (k, n), (m, n, items), dtype=dtype)
    return gemm.by_pytl(a, b, c, total)


def chained(place: str) -> Variant:
    import chain

    items, total = batch((16 * 8 + 16 * 16) * 4, chain.FLOPS_PER_ITEM, place)
    return chain.by_pytl(*random((16, 8, items), (8, 8), (8, 16), (16, 16, items), dtype="float32"), total)


def long_chain(kind: str, count: int, extent: int, dtype: str, place: str) -> Variant:
    import chain

    return chain.long_by_pytl(kind, *chain.random_chain(count, extent, dtype, place))


def finite_elements(name: str, order: int, dtype: str) -> Variant:
    import seissol

    (maker, *_), _ = seissol.makers_of(seissol.CASES[name](order), dtype, seissol.ITEMS // 4)
    return maker()


def moved(row: str, dtype: str) -> Variant:
    import bandwidth

    case = bandwidth.cases()[row]
    return bandwidth.by_pytl(case, bandwidth.random_arrays(case, dtype, 20_000_000 // (case.elements() * 8)))


def matrices(types: object) -> Variant:
    import coopmatrix

    (maker, *_), _ = coopmatrix.makers_of(types, 256)
    return maker()


def of_rows(name: str, backend: str, is_fast: bool, shape: tuple[int, int]) -> Variant:
    import rows

    x = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    return rows.by_pytl(name, backend, is_fast, x, rows.expected_of(name, x))


def natural_program(row: str) -> Variant:
    import natural

    return natural.made("pytl", row)


def kernels() -> dict[str, Made]:
    """The kernels by their names in the table."""
    import bandwidth
    import chain
    import coopmatrix
    import gemm
    import host
    import rows
    import seissol
    import work_items
    from peers.natural.cases import CASES

    import pytl

    found: dict[str, Made] = {}
    for dtype in ("float32", "float64"):
        for size in [*host.SQUARES, *gemm.REMAINDERS, *gemm.DRAWN]:
            found[f"gemm {'×'.join(map(str, size))} {dtype}, L2"] = partial(product, size, dtype, "L2")
        for size in gemm.SQUARES:
            found[f"gemm {'×'.join(map(str, size))} {dtype}, memory"] = partial(product, size, dtype, "memory")
        for row in bandwidth.cases():
            found[f"{row} {dtype}"] = partial(moved, row, dtype)
        for name in seissol.CASES:
            for order in seissol.ORDERS:
                found[f"SeisSol's {name}, order {order} {dtype}"] = partial(finite_elements, name, order, dtype)
    for place in ("L2", "memory"):
        found[f"the chain, {place}"] = partial(chained, place)
        for kind, count, extent, dtype in itertools.product(
            chain.KINDS, chain.LENGTHS, chain.EXTENTS, ("float32", "float64")
        ):
            name = f"chain by {kind}, {count} of {extent} {dtype}, {place}"
            found[name] = partial(long_chain, kind, count, extent, dtype, place)
    for types in coopmatrix.TYPES:
        found[f"cooperative matrices, {types}"] = partial(matrices, types)
    for name in work_items.kernels() if pytl.default_backend() == "sycl" else ():
        found[f"{name}, many work-items"] = partial(work_items.by_pytl, name, "many-items")
    ways = itertools.product(rows.OF_NUMBA, (*rows.SHAPES, (262144, 64)), ("sycl", "mlir"), (False, True))
    for loops, shape, backend, is_fast in ways:
        way = f"{backend}, fastmath" if is_fast else backend
        arguments = (loops.__name__, backend, is_fast, shape)
        found[f"{loops.__name__} of rows, {shape[0]}×{shape[1]}, {way}"] = partial(of_rows, *arguments)
    for row in CASES:
        found[f"natural: {row}"] = partial(natural_program, row)
    x, y = random((host.LENGTH, 16), (host.LENGTH, 16), dtype="float32")
    found["axpby, L2"] = partial(host.axpby, x, y, 16_000)
    (normalized,) = random((*host.NORMALIZED, 32), dtype="float32")
    found["layer norm, L2"] = partial(host.layer_norm, normalized, 20_000)
    return found


def child() -> None:
    """Answer each line, the name of a kernel and a number of seconds, with the median seconds of its runs."""
    use_cores(1)
    made = kernels()
    name, variant = "", None
    for line in sys.stdin:
        wanted, seconds = line.rstrip("\n").split("\t")
        if wanted != name or variant is None:
            name, variant = wanted, made[wanted]()
            variant.run()
        times: list[float] = []
        variant.run()
        while len(times) < LEAST or sum(times) < float(seconds):
            began = time.perf_counter()
            variant.run()
            times.append(time.perf_counter() - began)
        print(statistics.median(times), flush=True)


class Tree:
    """A process that measures the kernels of a tree."""

    def __init__(self, root: Path) -> None:
        environment = {**os.environ, **IDLE, **dict.fromkeys(THREADS, "1"), "PYTHONPATH": str(root)}
        command = [sys.executable, __file__, "--child"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)

    def seconds(self, name: str, budget: float) -> float:
        assert self._process.stdin is not None and self._process.stdout is not None
        print(f"{name}\t{budget}", file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"{name} has failed")
        return float(answer)

    def end(self) -> None:
        self._process.communicate()


def ratios(before: Tree, after: Tree, names: list[str], budget: float) -> Iterator[tuple[str, float]]:
    """How many times as fast each kernel has become."""
    for name in names:
        turns = []
        for _ in range(TURNS):
            old, new = (tree.seconds(name, budget / TURNS / 2) for tree in (before, after))
            turns.append(old / new)
        yield name, statistics.median(turns)


def main() -> None:
    if sys.argv[1:] == ["--child"]:
        child()
        return
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("revision", help="what is measured beside this tree, in git's words")
    parser.add_argument("--budget", type=above_zero(float), default=1.0, help="seconds for a kernel")
    parser.add_argument("--cells", type=above_zero(int), help="as many kernels at most, to try things out")
    parser.add_argument("--only", default="", help="kernels whose names have this text")
    options = parser.parse_args()
    names = [name for name in kernels() if options.only in name][: options.cells]
    if not names:
        parser.error(f"no kernel has {options.only!r} in its name")
    print(f"{machine_name()}; before: {options.revision}")
    with tempfile.TemporaryDirectory(prefix="pytl-before-") as directory:
        git = ("git", "-C", str(ROOT), "worktree")
        subprocess.run((*git, "add", "-q", "--detach", f"{directory}/tree", options.revision), check=True)
        try:
            before, after = Tree(Path(directory, "tree")), Tree(ROOT)
            found = []
            for name, ratio in ratios(before, after, names, options.budget):
                print(f"{ratio:6.2f}  {name}", flush=True)
                found.append(ratio)
            before.end()
            after.end()
        finally:
            subprocess.run((*git, "remove", "--force", f"{directory}/tree"), check=True)
    print(f"{statistics.geometric_mean(found):6.2f}  geometric mean of {len(found)}; the least {min(found):.2f}")


if __name__ == "__main__":
    main()
