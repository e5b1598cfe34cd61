"""A campaign of random programs: `PYTHONPATH=tests python -m properties.campaign --seconds 500 --first 0`.

Programs are those of the properties, with f16 twice as often. Each is executed on the reference backend and on those
of `--backends`, on "sycl" with both strategies. A line tells each disagreement, the last one the counts. A seed names
two programs.

`--work-items` takes the programs of `properties.work_items` instead, whose sub-groups have 8, 16 or 32 work-items, one
of each seed, and executes them by many work-items on "sycl" and "opencl"; "oracle" is the reference backend behind the
passes.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections import Counter
from collections.abc import Collection
from random import Random

from differential.cases import STRATEGIES
from generator import ELEMENTS, generate
from generator.bodies import bodies
from properties.test_backends import LONG, SIZE, assert_has_the_same_bits, assert_leaves_the_same, ways_of
from properties.work_items import assert_work_items_agree, program

import pytl
from pytl.process.settings import CACHE

PROGRESS = 500
"""Seeds after which the counts are printed."""
MORE_HALVES = (*ELEMENTS, "f16")


def execute_programs(seed: int, backends: Collection[str]) -> None:
    """Execute the two programs of a seed. Raises AssertionError where they differ."""
    size = 5 + seed % (LONG - 4)
    text = bodies(Random(seed), size, elements=MORE_HALVES)
    if "sycl" in backends:
        for way in STRATEGIES:
            assert_has_the_same_bits(text, seed, {"strategy": way}, "sycl")
    if "mlir" in backends:
        assert_has_the_same_bits(text, seed, {}, "mlir")
    (kernel,) = pytl.compile(generate(Random(seed), safe=True, size=seed % (SIZE + 1), elements=MORE_HALVES)).values()
    sizes = {"specialize": ("never", "always")[seed % 2]}
    if "sycl" in backends:
        for way in ways_of(kernel.function):
            assert_leaves_the_same(kernel, seed, {"strategy": way, **sizes}, "sycl")
    if "mlir" in backends:
        assert_leaves_the_same(kernel, seed, sizes, "mlir")


def execute_work_items(seed: int, backends: Collection[str]) -> None:
    """Execute the program of a seed by many work-items. Raises AssertionError where results differ."""
    size = seed % (SIZE + 1)
    if "oracle" in backends:
        assert_work_items_agree(seed, size)
    devices = [name for name in ("sycl", "opencl") if name in backends]
    if devices:
        (kernel,) = pytl.compile(program(seed, size)).values()
        options = {"strategy": "many-items", "specialize": ("never", "always")[seed // 2 % 2]}
        for name in devices:
            assert_leaves_the_same(kernel, seed, options, name)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--first", type=int, default=0, help="the first seed")
    arguments.add_argument("--seconds", type=float, default=500, help="how long new programs are made")
    arguments.add_argument("--seeds", type=int, default=2**32, help="how many seeds are tried at most")
    arguments.add_argument("--backends", default="sycl,mlir", help="sycl, mlir or both, with a comma between")
    arguments.add_argument("--work-items", action="store_true", help="programs for sub-groups of 8, 16 and 32")
    options = arguments.parse_args()
    counts: Counter[str] = Counter()
    end, seed = time.monotonic() + options.seconds, options.first
    run, programs = (execute_work_items, 1) if options.work_items else (execute_programs, 2)
    with CACHE.scope(False):
        while time.monotonic() < end and seed < options.first + options.seeds:
            try:
                run(seed, options.backends.split(","))
                counts["agree"] += programs
            except Exception as error:
                if "have other zeros than" in str(error):  # which sums and products of any order may have
                    counts["other signs of zero"] += 1
                    continue
                counts[type(error).__name__] += 1
                last = "".join(traceback.format_exception_only(error)).strip().splitlines()[0]
                print(f"seed {seed}: {last[:500]}", flush=True)
            finally:
                seed += 1
            if seed % PROGRESS == 0:
                print(f"seeds {options.first} to {seed - 1}: {dict(counts)}", flush=True)
    print(f"seeds {options.first} to {seed - 1}: {dict(counts)}", flush=True)


if __name__ == "__main__":
    main()
