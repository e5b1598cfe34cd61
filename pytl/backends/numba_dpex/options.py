"""The options of a launch on a SYCL device: their values, the passes that they select, the values worth tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import passes
from ...ops.launch_defaults import IN_PARTS, NO_LOCK_STEP, OVERLAPPING
from ...passes import Pass, Pipeline
from ...passes.cpu_tiles import is_tiling, tilings
from ...passes.targets import cpu
from ...passes.targets.strategies import STRATEGY, operation_needing_many_items
from ...process.settings import SPECIALIZE_WORDS
from .. import checked
from ..base import Lowered, Option
from ..machines import MACHINE, MACHINE_OPTION, chosen_machine

AS_WRITTEN = "as-written"
"""The value of the option `matrix` for products of matrices that stay such, and are computed by vectors."""
MAX_ITEMS = 1024
"""The most work-groups that a launch may assign to a work-item."""
MAX_TILINGS = 6
"""Tilings that tuning tries; each takes about a second to compile."""


def _count(description: str, minimum: int, maximum: int) -> Option:
    """An option that is a number, or left to the passes."""

    def admits(value: Any) -> bool:
        return value == "auto" or (type(value) is int and minimum <= value <= maximum)

    return Option("auto", admits, f"'auto', or {description}: a number from {minimum} to {maximum}")


OPTIONS = {
    "strategy": Option.choice("auto", "one-item", "many-items"),
    "items": _count("work-groups that a work-item executes, on a processor", 1, MAX_ITEMS),
    "interleave": _count("how many of these are interleaved", 1, 4),
    "prefetch": _count("the distance of software prefetch in work-groups", 0, 64),
    "tile": Option(
        "auto",
        is_tiling,
        "'auto', or vectors x columns u steps of each vector kernel, joined by '+', such as '2x8u4+auto'",
    ),
    "matrix": Option.choice("auto", "vectors", "amx", AS_WRITTEN),
    "device": Option(
        None,
        lambda value: value is None or type(value) is str,
        "the filter string of a device, such as 'opencl:cpu' or 'gpu'; `pytl devices` lists them",
    ),
    "specialize": Option(
        None,
        lambda value: value is None or (type(value) is str and value in SPECIALIZE_WORDS),
        f"one of: {', '.join(map(repr, SPECIALIZE_WORDS))}",
    ),
    MACHINE: MACHINE_OPTION,
    checked.CHECKED: checked.OPTION,
}


def pipeline(options: Mapping[str, Any]) -> list[Pass]:
    """The passes that lower a function, for complete options."""
    machine = chosen_machine(options)
    items, interleave, prefetch = (
        -1 if options.get(name, "auto") == "auto" else options[name] for name in ("items", "interleave", "prefetch")
    )
    return [
        passes.RaiseLoops(as_written=bool(options.get(OVERLAPPING))),
        passes.LowerTiles(),
        *checked.checking_passes(options),
        passes.LowerForeachTile(),
        passes.LoopOverGemm(),
        passes.ExecutionStrategy(
            many_items=options.get("strategy") == "many-items",
            lock_step=not options.get(NO_LOCK_STEP),
            tiles=options.get("matrix") == "amx",
        ),
        passes.RaiseProducts(as_written=bool(options.get(OVERLAPPING)) or options.get("matrix") == AS_WRITTEN),
        passes.WorkItemLoops(whole_matrices=True, may_overlap=bool(options.get(OVERLAPPING))),
        # before canonicalize, so that the casts and products of constants that it makes are folded
        passes.LowerCollectives(only=("gemv", "ger", "axpby", "hadamard", "sum", "cumsum"), vectors=True),
        passes.Canonicalize(),
        passes.LongerProducts(),
        *([passes.LaunchInParts()] if options.get(IN_PARTS) else []),
        passes.AmxProducts(),
        passes.CpuKernels(machine),
        passes.CpuItems(machine, items=items, interleave=interleave, prefetch=prefetch),
        passes.CpuTiles(machine, tiles=tuple(options.get("tile", "auto").split("+"))),
        passes.CpuSchedule(machine),
        passes.InsertLifetimeStop(),
        passes.StackLayout(),
        passes.InsertBarrier(),
        passes.WorkGroupSize(),
        passes.Vectorize(),
    ]


def tuning_space(lowered: Lowered) -> Mapping[str, Sequence[Any]]:
    """The options that tuning tries on a lowered function, in the order of expected gain."""
    space: dict[str, Sequence[Any]] = {}
    *deciding, _ = pipeline(lowered.options)  # the last pass writes what these have decided as vector code
    function = Pipeline(deciding).run_on(lowered.original)
    if function.attributes.get(STRATEGY) == "one-item":
        tiles = tilings(function, chosen_machine(lowered.options), MAX_TILINGS)
        loop = next((op for op in function.body.operations if isinstance(op, cpu.Items)), None)
        if loop is not None and tiles:
            space["interleave"] = (1, 2, 4)
        space["tile"] = tiles
        if loop is not None:
            space["items"] = tuple(count for count in (loop.items // 4, loop.items * 4) if 1 <= count <= MAX_ITEMS)
        if loop is not None and loop.exceeds_cache is not None:
            space["prefetch"] = (0, 2, 8)
    if STRATEGY not in lowered.original.attributes and operation_needing_many_items(lowered.original) is None:
        space["strategy"] = ("one-item", "many-items")  # otherwise the pass execution-strategy has no choice
    return {name: values for name, values in space.items() if values}
