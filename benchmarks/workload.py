"""What the workloads' scripts share: their options, a process for each number of cores, and how much data there is.

A workload is a name with a function that yields its cells for a number of cores and a budget of seconds for each. A
script may have several; `main` measures them and, with `--write`, keeps what they found beside docs/performance.md.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from measure import Cell, core_counts, in_process, machine_name, processor_kind, send, use_cores
from page import Run, keep, text_of

Cells = Callable[[int, float], Iterator[Cell]]

CACHE, MOST_ITEMS = 512 * 1024, 256
MEMORY = 100_000_000
FLOPS = 5e8
"""Work of a launch on data in cache: enough for the launch itself to count for little."""
WHERE = {"L2": "in L2", "memory": "from memory"}


def batch(item_bytes: int, item_flops: float, place: str) -> tuple[int, int]:
    """Items of the batch, and items that are worked on: whole batches, with each item as often."""
    if place == "memory":
        return MEMORY // item_bytes, MEMORY // item_bytes
    items = min(MOST_ITEMS, 1 << (CACHE // item_bytes).bit_length() - 1)
    return items, items * max(1, round(FLOPS / (item_flops * items)))


def places(cores: int) -> tuple[str, ...]:
    """Where the data are. Data in cache is for one core: two could work on an item at the same time."""
    return ("L2", "memory") if cores == 1 else ("memory",)


def peak_of(dtype: str) -> float | None:
    """GFLOP/s of multiply-adds on all cores of this process; None where there is no compiler to measure it with."""
    from peers import Missing
    from peers.native import Machine

    try:
        return Machine().fma_peak(dtype)
    except Missing:
        return None


def above_zero(kind: type) -> Callable[[str], Any]:
    """Reads a number of a command line."""

    def number(text: str) -> Any:
        value = kind(text)
        if not 0 < value < math.inf:
            raise argparse.ArgumentTypeError(f"{text} is not above 0")
        return value

    return number


def arguments(description: str, names: Sequence[str]) -> argparse.Namespace:
    """The options that all workloads have; `--cores` is a process's own."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("--only", choices=names, help="the one kind to measure, all if left out")
    parser.add_argument("--budget", type=above_zero(float), default=1.0, help="seconds for a cell of the tables")
    parser.add_argument(
        "--cells", type=above_zero(int), help="as many on one core and on two at most, to try things out"
    )
    parser.add_argument("--write", action="store_true", help="put tables and plots into docs/performance.md")
    parser.add_argument("--cores", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def main(script: str, description: str, workloads: Mapping[str, Cells], counts: Sequence[int] = ()) -> None:
    """Measure workloads on one core and on two, or on `counts`; print their tables, and keep them with `--write`."""
    options = arguments(description, list(workloads))
    if options.cores is not None:
        use_cores(options.cores)
        with contextlib.suppress(ImportError):  # who needs it says that it is missing
            # before dpnp's MKL, whose functions have the names of those in torch and take other integers
            import torch  # noqa: F401
        import pytl  # noqa: F401 (it makes the others loadable)

        for cell in itertools.islice(workloads[options.only](options.cores, options.budget), options.cells):
            send(cell)
        return
    if importlib.util.find_spec("numba_dpex") is None:
        sys.exit("numba-dpex is not installed here, so there is nothing to compare with")
    from peers import Missing
    from peers.native import Machine

    for name in [options.only] if options.only else workloads:
        machine = machine_name()
        try:
            rates = Machine().bandwidth()
            bandwidth = f"Memory, all cores, GB/s: triad {rates['triad']:.1f}, reading {rates['reading']:.1f}."
        except Missing as missing:
            bandwidth = f"{missing}."
        passed = ["--budget", str(options.budget), "--only", name]
        passed += [] if options.cells is None else ["--cells", str(options.cells)]
        script = str(Path(script).resolve())
        cells = [cell for cores in counts or core_counts() for cell in in_process(script, cores, passed)]
        run = Run.of(cells, processor_kind(), machine, bandwidth)
        sys.stdout.write(text_of(name, [run]))
        if options.write:
            keep(name, run)
