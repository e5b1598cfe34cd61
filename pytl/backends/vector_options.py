"""Options of launches that decide vector code: the passes that they select, and the values worth tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import passes
from ..ir.values import Function
from ..ops.launch_defaults import APART, BEGINS_AT, OVERLAPPING, PAST_CACHES
from ..passes import Pass
from ..passes.targets.machine import Machine
from ..passes.targets.tile_words import is_tiling
from .base import Option

MAX_ITEMS = 1024
"""The most work-groups that a launch may assign to a work-item."""
MAX_TILINGS = 6
"""Tilings that tuning tries; each takes about a second to compile."""
FASTMATH = "fastmath"
"""The option of a launch whose sums over loops may be added in any order, and be rounded otherwise."""


def _count(description: str, minimum: int, maximum: int) -> Option:
    """An option that is a number, or left to the passes."""

    def admits(value: Any) -> bool:
        return value == "auto" or (type(value) is int and minimum <= value <= maximum)

    return Option("auto", admits, f"'auto', or {description}: a number from {minimum} to {maximum}")


VECTOR_OPTIONS = {
    "items": _count("work-groups that a work-item executes, on a processor", 1, MAX_ITEMS),
    "interleave": _count("how many of these are interleaved", 1, 4),
    "prefetch": _count("the distance of software prefetch in work-groups", 0, 64),
    "tile": Option(
        "auto",
        is_tiling,
        "'auto', or vectors x columns u steps of each vector kernel, joined by '+', such as '2x8u4+auto'",
    ),
    FASTMATH: Option.choice(False, True),
}


def row_passes(options: Mapping[str, Any], machine: Machine) -> list[Pass]:
    """The passes that decide what is done with rows at a time."""
    may_overlap, is_fast = bool(options.get(OVERLAPPING)), bool(options.get(FASTMATH))
    return [
        passes.FuseRows(machine, may_overlap=may_overlap, fastmath=is_fast),
        passes.DivideRows(machine, vectors=True, may_overlap=may_overlap, fastmath=is_fast),
    ]


def scheduling_passes(options: Mapping[str, Any], machine: Machine) -> list[Pass]:
    """The passes that make kernels of vector code, and decide about each."""
    items, interleave, prefetch = (
        -1 if options.get(name, "auto") == "auto" else options[name] for name in ("items", "interleave", "prefetch")
    )
    may_overlap = bool(options.get(OVERLAPPING))
    return [
        passes.AtomicUpdates(machine, may_overlap=may_overlap),
        passes.IndependentLoops(machine, may_overlap=may_overlap),
        passes.InteriorPoints(machine),
        passes.ItemLanes(
            machine,
            items=items,
            interleave=interleave,
            may_overlap=may_overlap,
            fastmath=bool(options.get(FASTMATH)),
        ),
        passes.CpuKernels(
            machine,
            may_overlap=may_overlap,
            fastmath=bool(options.get(FASTMATH)),
            apart=bool(options.get(APART)),
        ),
        passes.CpuItems(
            machine,
            items=items,
            interleave=interleave,
            prefetch=prefetch,
            past_caches=options.get(PAST_CACHES, 0),
            begins_at=options.get(BEGINS_AT, 0),
        ),
        passes.CpuTiles(machine, tiles=tuple(options.get("tile", "auto").split("+"))),
        passes.CpuSchedule(machine),
    ]


def learn_tiles(function: Function, machine: Machine, seconds: Mapping[str, float]) -> None:
    """Fit the model of tiles to what tuning has found of a function behind these passes, if this processor runs it."""
    from ..passes.targets.host import host_machine
    from ..passes.tile_times import learn, timed_in

    timed = timed_in(function, machine, seconds) if machine == host_machine() else None
    if timed is not None:
        learn(timed)


def scheduling_space(function: Function, machine: Machine) -> dict[str, Sequence[Any]]:
    """The options that tuning tries on a function behind these passes, in the order of expected gain."""
    from ..passes.cpu_tiles import tilings  # a launch needs neither
    from ..passes.targets import cpu

    space: dict[str, Sequence[Any]] = {}
    tiles = tilings(function, machine, MAX_TILINGS)
    loop = next((op for op in function.body.operations if isinstance(op, cpu.Items)), None)
    if loop is not None and tiles:
        space["interleave"] = (1, 2, 4)
    space["tile"] = tiles
    if loop is not None:
        space["items"] = tuple(count for count in (loop.items // 4, loop.items * 4) if 1 <= count <= MAX_ITEMS)
    if loop is not None and loop.exceeds_cache is not None:
        space["prefetch"] = (0, 2, 8)
    return {name: values for name, values in space.items() if values}
