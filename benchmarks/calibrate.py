"""Fits the description of this machine's processor, and keeps it for pytl beside the compilation cache.

    python benchmarks/calibrate.py [--seconds 120] [--print] [--keep-costs]

Three steps, of one core: rates and latencies of instructions, by micro-kernels in C (they need a C compiler); the times
of products of several sizes under several register tiles, to which the constants of the model of tiles are fitted; and
other sizes with the old and the new constants in turns. New constants that are slower there are left out, while rates
are kept. Launches find the machine from then on: the file is `machine.json` in the folder of `pytl cache ls`.

`--print` keeps nothing, and prints the machine as JSON.
"""

from __future__ import annotations

import argparse
import ctypes
import datetime
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from measure import machine_name, use_cores
from peers import Missing
from peers.native import address, load

import pytl
from pytl.devices.processors import running_processor
from pytl.ir.types import f32
from pytl.passes.targets import calibrated, host
from pytl.passes.targets.costs import Measurement, RegisterTileCosts
from pytl.passes.targets.machine import Caches, Execution, Machine
from pytl.passes.tile_times import FITTED, Timed, error, fitted
from pytl.passes.tiles import Product, fitting_tiles

TRIES, ROUNDS = 100, 10_000
SAMPLE = [
    *((8, 8, 8), (16, 16, 16), (24, 24, 24), (40, 40, 40), (20, 9, 20), (13, 13, 13), (56, 9, 56), (23, 23, 23)),
    *((48, 30, 17), (12, 50, 33), (33, 12, 60), (64, 20, 8)),
]
"""m, n, k of the products that the constants are fitted to."""
CHECKED = [
    *((8, 8, 8), (16, 16, 16), (32, 32, 32), (64, 64, 64), (20, 9, 20), (35, 9, 35), (10, 9, 10), (9, 9, 9)),
    *(tuple(random.Random(seed).choices(range(1, 65), k=3)) for seed in range(8)),
]
"""Those that old and new constants are compared on: squares, remainders and drawn sizes of gemm.py."""
TILES_OF_EACH = 8
"""Half of them those that the model finds cheapest."""
CACHED_ITEMS = 64
"""The most items that a product is computed for in turns; fewer where a half of the second-level cache has no more."""
WORTH = 1.01
"""How many times as fast products must be with other constants for these to be taken."""
ALTERNATIVES: list[tuple[str, dict[str, float]]] = [
    ("tiles", {"few_sums": 10}),
    ("tiles", {"longest_unrolled": 100}),
    ("tiles", {"max_unrolled": 2}),
    ("tiles", {"max_sums": 16}),
    ("tiles", {"many_vectors": 2}),
    ("tiles", {"unrolls_splits": 1}),
    ("items", {"max_cost_of_two": 0.8, "max_cost_of_four": 0.75}),
    ("items", {"max_cost_of_two": 0.9, "max_cost_of_four": 0.85}),
    ("items", {"max_cost_of_two": 0.995, "max_cost_of_four": 0.99}),
]
"""Constants that are tried beside those that are fitted."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=120.0, help="about how long it may take (default: 120)")
    options.add_argument("--print", action="store_true", dest="only_print", help="keep nothing, print the machine")
    options.add_argument("--keep-costs", action="store_true", help="measure rates alone")
    chosen = options.parse_args()
    use_cores(1)
    processor = running_processor()
    machine = host.machine_for(processor)
    began = time.perf_counter()
    print(f"{machine_name()}: {machine.name}", flush=True)
    measurement = Measurement(machine_name().partition(",")[0], str(datetime.date.today()), "benchmarks/calibrate.py")
    try:
        machine = with_rates(machine, measurement)
    except Missing as missing:
        print(f"rates are those of the preset: {missing}")
    if not chosen.keep_costs:
        machine = host.note(machine.named())
        costs = fitted_tiles(machine, began + 0.4 * chosen.seconds)
        changes = [("tiles", {name: getattr(costs, name) for name in FITTED}), *ALTERNATIVES]
        for number, (part, constants) in enumerate(changes, 1):
            until = began + (0.4 + 0.6 * number / len(changes)) * chosen.seconds
            new = host.note(with_constants(machine, part, constants, measurement))
            words = ", ".join(f"{name} {value:g}" for name, value in constants.items())
            mean = ratio(machine, new, until)
            taken = mean >= WORTH
            print(f"{part}: {words}: {mean:.3f}, {'taken' if taken else 'left'}", flush=True)
            machine = new if taken else machine
    print(f"{time.perf_counter() - began:.0f} s")
    if chosen.only_print:
        print(calibrated.encoded(machine.named(), processor).decode())
    else:
        print(f"wrote {calibrated.store(machine.named(), processor)}")


# Rates.


def with_rates(machine: Machine, measurement: Measurement) -> Machine:
    """The machine with what its core executes per cycle."""
    library = load("rates.c", "the rates of instructions")
    page = np.zeros(1 << 14, np.uint8)
    line = -page.ctypes.data % 64 + page.ctypes.data + 1024
    vector = int(library.vector_bytes())
    rates = Rates(library, line)
    has_masks = hasattr(library, "masked_loads")
    aligned, masked = rates.of("loads", line), rates.of("masked_loads", line) if has_masks else 1.0
    stores, fmas = rates.of("stores", line), rates.of("fmas", line)
    has_halves = hasattr(library, "half_fmas")
    execution = replace(
        machine.execution,
        measured=measurement,
        fmas=_rounded(fmas, 0.25),
        loads=_rounded(aligned, 0.25),
        stores=_rounded(stores, 0.25),
        others=_rounded(rates.of("others", line), 0.25),
        half=min(max(_rounded(fmas / rates.of("half_fmas", line), 0.25), 0.5), 1.0) if has_halves else 1.0,
        fma_latency=_rounded(1 / rates.of("chained_fmas", line), 0.5),
        # a vector's load takes about three cycles more than a number's
        load_latency=_rounded(1 / rates.of("chased", line), 0.5) + 3,
        masked_load=max(_rounded(aligned / masked, 0.1), 1.0) if has_masks else 1.0,
        masked_store=max(_rounded(stores / rates.of("masked_stores", line), 0.1), 1.0) if has_masks else 1.0,
        split_load=max(_rounded(aligned / rates.of("loads", line + 64 - vector // 2), 0.1), 1.0),
    )
    caches = replace(
        machine.caches,
        measured=measurement,
        from_second_level=_rounded(rates.read((machine.caches.first_level + machine.caches.second_level) // 2), 0.5),
        from_memory=_rounded(rates.read(64 << 20), 0.5),
        past_caches=_rounded(rates.copy("copying_past", 128 << 20) / rates.copy("copying", 128 << 20), 0.1),
    )
    for part in (execution, caches):
        values = {name: value for name, value in vars(part).items() if name != "measured"}
        print(f"{type(part).__name__}: {', '.join(f'{name} {value:g}' for name, value in values.items())}", flush=True)
    assert isinstance(execution, Execution) and isinstance(caches, Caches)
    return replace(machine, execution=execution, caches=caches)


def _rounded(value: float, unit: float) -> float:
    """A rate without what differs from run to run."""
    return max(round(round(value / unit) * unit, 3), unit)


class Rates:
    """Rates of the functions of rates.c, each beside a chain of additions, which takes a cycle each."""

    def __init__(self, library: ctypes.CDLL, data: int) -> None:
        self.library = library
        self.data = data

    def of(self, name: str, at: int) -> float:
        """Instructions per cycle: the best of some tries."""
        return self._best(self._runner(name, ctypes.c_int64(ROUNDS), ctypes.c_void_p(at)))

    def read(self, size: int) -> float:
        """Bytes per cycle that are read of an array of a size."""
        array = np.ones(size + 64, np.uint8)  # zeros would be one page
        rounds = max((4 << 20) // size, 1)
        run = self._runner("reading", ctypes.c_int64(rounds), address(array), ctypes.c_int64(size // 64 * 64))
        return self._best(run)

    def copy(self, name: str, size: int) -> float:
        """Bytes per cycle that are copied of an array of a size."""
        array = np.ones(2 * size + 64, np.uint8)
        array = array[-array.ctypes.data % 64 :]
        return self._best(self._runner(name, ctypes.c_int64(1), address(array), ctypes.c_int64(size)))

    def _best(self, run: Callable[[], float]) -> float:
        """The rate in cycles, where nobody else had the core."""
        additions = self._runner("additions", ctypes.c_int64(ROUNDS // 16), None)
        pairs = [(run(), additions()) for _ in range(TRIES)]
        return max(rate for rate, _ in pairs) / max(clock for _, clock in pairs)

    def _runner(self, name: str, *arguments: Any) -> Callable[[], float]:
        function = getattr(self.library, name)
        function.restype = ctypes.c_int64

        def run() -> float:
            began = time.perf_counter()
            count = function(*arguments)
            return float(count) / (time.perf_counter() - began)

        return run


# The model of register tiles.


def cached_items(size: tuple[int, int, int]) -> int:
    m, n, k = size
    in_cache = host.host_machine().caches.second_level // 2 // (4 * m * (n + k))
    return max(min(CACHED_ITEMS, in_cache), 1)


def kernel_of(size: tuple[int, int, int]) -> pytl.Kernel:
    m, n, k = size
    text = f"""func @product(%a: memref<f32x{m}x{k}x?>, %b: memref<f32x{k}x{n}>, %c: memref<f32x{m}x{n}x?>) {{
      %i = builtin.group_id : index
      %items = constant {cached_items(size)} : index
      %g = arith.rem %i, %items : index
      %x = subview %a[0:{m}, 0:{k}, %g] : memref<f32x{m}x{k}>
      %y = subview %c[0:{m}, 0:{n}, %g] : memref<f32x{m}x{n}>
      gemm.n.n 1.0, %x, %b, 1.0, %y
    }}"""
    return pytl.compile(text)["product"]


def launches_of(size: tuple[int, int, int], options: Sequence[dict[str, Any]]) -> list[Callable[[], float]]:
    """For each choice of options what launches the product, and gives the seconds of an item."""
    import dpctl.tensor as tensor

    m, n, k = size
    cached = cached_items(size)
    items = max(int(2e7 / (m * n * k)) // cached, 1) * cached
    generator = np.random.default_rng(1)
    shapes = ((m, k, cached), (k, n), (m, n, cached))
    a, b, c = (
        tensor.asarray(np.asfortranarray(generator.random(shape, dtype=np.float32) - 0.5), order="F")
        for shape in shapes
    )
    kernel = kernel_of(size)

    def launch(chosen: dict[str, Any]) -> Callable[[], float]:
        launcher = kernel[items, chosen]
        launcher(a, b, c, backend="sycl")
        bound = launcher.bind(a, b, c, backend="sycl")

        def run() -> float:
            began = time.perf_counter()
            bound()
            return (time.perf_counter() - began) / items

        return run

    return [launch(chosen) for chosen in options]


def turns(runs: Sequence[Callable[[], float]], count: int) -> list[float]:
    """The least time of each; they take turns."""
    taken: list[list[float]] = [[] for _ in runs]
    for _ in range(count):
        for times, run in zip(taken, runs):
            times.append(run())
    return [min(times) for times in taken]


def timed_tiles(machine: Machine, size: tuple[int, int, int]) -> Timed:
    """A product under several tiles."""
    product = Product.plain(f32, size, machine.caches.line)
    tiles = sorted(fitting_tiles(machine, [product]), key=lambda tile: tile.cost)
    half = TILES_OF_EACH // 2
    others = tiles[half : len(tiles) * 2 // 3]
    tiles = [*tiles[:half], *random.Random(str(size)).sample(others, min(half, len(others)))]
    options = [
        {
            "tile": f"{tile.vectors}x{tile.columns}u{tile.unroll}",
            "interleave": 1,
            "prefetch": 0,
            "machine": machine.kind,
        }
        for tile in tiles
    ]
    times = turns(launches_of(size, options), 40)
    seconds = {(tile.vectors, tile.columns, tile.unroll): time for tile, time in zip(tiles, times)}
    return Timed(product, seconds)


def fitted_tiles(machine: Machine, until: float) -> RegisterTileCosts:
    """The constants that predict the times of all tiles of a size relative to each other best."""
    timed: list[Timed] = []
    for size in SAMPLE:
        if time.perf_counter() > until:
            break
        timed.append(timed_tiles(machine, size))
        shown = (f"{v}x{c}u{u} {seconds * 1e9:.0f}" for (v, c, u), seconds in timed[-1].seconds.items())
        print(f"{size}: {', '.join(shown)} ns", flush=True)
    best = fitted(machine, timed)
    shown = (f"{name} {getattr(best, name):g}" for name in FITTED)
    errors = (math.sqrt(error(each, timed) / len(timed)) for each in (replace(machine, tiles=best), machine))
    print(f"fitted: {', '.join(shown)}; error {', before '.join(f'{each:.3f}' for each in errors)}")
    return best


def with_constants(machine: Machine, part: str, constants: dict[str, float], measurement: Measurement) -> Machine:
    """The machine with other constants in a part of its costs."""
    return replace(machine, **{part: replace(getattr(machine, part), **constants, measured=measurement)}).named()


def ratio(old: Machine, new: Machine, until: float) -> float:
    """How many times as fast the products are whose code differs with the new constants: the geometric mean."""
    ratios = []
    for size in CHECKED:
        if time.perf_counter() > until:
            break
        texts = [kernel_of(size).ir("vector", machine=machine.name) for machine in (old, new)]
        if texts[0] == texts[1]:
            continue
        before, after = turns(launches_of(size, [{"machine": machine.name} for machine in (old, new)]), 60)
        ratios.append(before / after)
        print(f"{size}: {ratios[-1]:.3f}", flush=True)
    return statistics.geometric_mean(ratios) if ratios else 1.0


if __name__ == "__main__":
    main()
