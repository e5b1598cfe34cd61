"""The passes before MLIR's text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import passes
from ...ops.launch_defaults import OVERLAPPING
from ...passes import Pass
from ...passes.targets.amx import tile_factors
from ...passes.targets.host import executed_here
from ...passes.targets.machine import Machine
from .. import checked
from ..vector_options import row_passes, scheduling_passes

MATRIX = "matrix"
"""The option of users what multiplies factors for which x86 has tile registers."""


def streaming_passes(options: Mapping[str, Any], machine: Machine) -> list[Pass]:
    """The passes for a processor with a matrix extension, whose vector code may need local memory."""
    bits = machine.known_bits
    return [
        *_loops_and_tiles(options),
        passes.DenseBlocks(),
        passes.WorkItemLoops(may_overlap=bool(options.get(OVERLAPPING))),
        passes.LowerCollectives(streaming=True, without=machine.without),
        passes.Canonicalize(),
        passes.DivideRows(machine),
        passes.SmeProducts(machine, machine.without, bits),
        passes.Vectorize(machine, streaming=True, bits=bits, rows=machine.has_groups),
        passes.InsertLifetimeStop(),
        passes.StackLayout(),
    ]


def vector_passes(options: Mapping[str, Any], machine: Machine) -> list[Pass]:
    """The passes for a processor with vector registers.

    Where a function needs many work-items, one agent executes their code in loops, without vector code.
    """
    is_overlapping = bool(options.get(OVERLAPPING))
    return [
        *_loops_and_tiles(options),
        passes.ExecutionStrategy(tiles=tile_factors(machine) if options.get(MATRIX) == "amx" else ()),
        passes.RaiseProducts(as_written=is_overlapping),
        passes.DenseBlocks(),
        passes.WorkItemLoops(may_overlap=is_overlapping),
        passes.LowerCollectives(vectors=True),
        passes.Canonicalize(),
        passes.LongerProducts(),
        *row_passes(options, machine),
        passes.AmxProducts(machine),
        *scheduling_passes(options, machine),
        passes.InsertLifetimeStop(),
        passes.StackLayout(),
        passes.Vectorize(executed_here(machine)),
    ]


def _loops_and_tiles(options: Mapping[str, Any]) -> list[Pass]:
    return [
        passes.RaiseLoops(as_written=bool(options.get(OVERLAPPING))),
        *checked.checking_passes(options),
        passes.LowerForeachTile(),
        passes.LowerTiles(),
        passes.LoopOverGemm(),
    ]
