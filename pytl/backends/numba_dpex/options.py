"""The options of a launch on a SYCL device: their values, the passes that they select, the values worth tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import passes
from ...ir.values import Function
from ...ops.launch_defaults import IN_PARTS, NO_BLOCKS, NO_LOCK_STEP, OVERLAPPING
from ...passes import Pass, Pipeline
from ...passes.targets.amx import tile_factors
from ...passes.targets.spmd import work_group_of
from ...passes.targets.strategies import STRATEGY, operation_needing_many_items
from ...process.settings import SPECIALIZE_WORDS
from .. import checked
from ..base import Lowered, Option
from ..machines import MACHINE, MACHINE_OPTION, chosen_device, chosen_machine
from ..vector_options import VECTOR_OPTIONS, row_passes, scheduling_passes, scheduling_space

AS_WRITTEN = "as-written"
"""The value of the option `matrix` for products of matrices that stay such, and are computed by vectors."""

OPTIONS = {
    "strategy": Option.choice("auto", "one-item", "many-items"),
    **VECTOR_OPTIONS,
    "work_group": Option(
        "auto",
        lambda value: type(value) is str and work_group_of(value) is not None,
        "'auto', or the work-items of a sub-group x sub-groups of a work-group, such as '16x2', for many-items",
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
    size, count = work_group_of(options.get("work_group", "auto")) or (0, 0)
    device = chosen_device(options)
    if options.get("matrix") == "vectors":
        device = device.without_matrices()
    return [
        passes.RaiseLoops(as_written=bool(options.get(OVERLAPPING))),
        passes.LowerTiles(),
        *checked.checking_passes(options),
        passes.LowerForeachTile(),
        passes.LoopOverGemm(),
        passes.ExecutionStrategy(
            many_items=options.get("strategy") == "many-items",
            lock_step=not options.get(NO_LOCK_STEP),
            tiles=tile_factors(chosen_machine(options)) if options.get("matrix") == "amx" else (),
            matrix_types=device.matrix_types,
        ),
        passes.RaiseProducts(as_written=bool(options.get(OVERLAPPING)) or options.get("matrix") == AS_WRITTEN),
        passes.DenseBlocks(),
        passes.WorkItemLoops(whole_matrices=True, may_overlap=bool(options.get(OVERLAPPING))),
        # before canonicalize, so that the casts and products of constants that it makes are folded
        passes.LowerCollectives(vectors=True, blocks=not options.get(NO_BLOCKS)),
        passes.Canonicalize(),
        passes.LongerProducts(),
        *row_passes(options, chosen_machine(options)),
        *([passes.LaunchInParts()] if options.get(IN_PARTS) else []),
        passes.AmxProducts(chosen_machine(options)),
        passes.SubgroupBlocks(
            device,
            tiles=tuple(options.get("tile", "auto").split("+")),
            size=size,
            count=count,
            packs=not (options.get(IN_PARTS) or options.get(NO_BLOCKS)),
        ),
        *([] if options.get(NO_BLOCKS) else [passes.SubgroupPoints(device)]),
        *scheduling_passes(options, chosen_machine(options)),
        passes.InsertLifetimeStop(),
        passes.StackLayout(),
        passes.InsertBarrier(),
        passes.WorkGroupSize(),
        passes.Vectorize(chosen_machine(options), calls_for_casts=True),
    ]


def _blocks(lowered: Lowered) -> dict[str, Sequence[Any]]:
    """The blocks and work-groups of products that many work-items execute."""
    steps = pipeline(lowered.options)
    number = next(number for number, step in enumerate(steps) if isinstance(step, passes.SubgroupBlocks))
    blocks = steps[number]
    assert isinstance(blocks, passes.SubgroupBlocks)
    tiles, teams = blocks.choices(Pipeline(steps[:number]).run_on(lowered.original))
    return {name: values for name, values in (("tile", tiles), ("work_group", teams)) if values}


def decided(lowered: Lowered) -> Function:
    """The function behind all passes that decide about vector code."""
    *deciding, _ = pipeline(lowered.options)  # the last pass writes what these have decided
    return Pipeline(deciding).run_on(lowered.original)


def tuning_space(lowered: Lowered) -> Mapping[str, Sequence[Any]]:
    """The options that tuning tries on a lowered function, in the order of expected gain."""
    space: dict[str, Sequence[Any]] = {}
    function = decided(lowered)
    if function.attributes.get(STRATEGY) == "one-item":
        space.update(scheduling_space(function, chosen_machine(lowered.options)))
    else:
        space.update(_blocks(lowered))
    if STRATEGY not in lowered.original.attributes and operation_needing_many_items(lowered.original) is None:
        space["strategy"] = ("one-item", "many-items")  # otherwise the pass execution-strategy has no choice
    return space
