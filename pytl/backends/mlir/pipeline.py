"""The passes before MLIR's text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ... import passes
from ...ops.launch_defaults import OVERLAPPING
from ...passes import Pass
from .. import checked


def lowering_passes(options: Mapping[str, Any], collectives: Pass | None = None) -> list[Pass]:
    """The passes for the target-neutral form; `collectives` stands in for what lowers all collective instructions."""
    return [
        passes.RaiseLoops(as_written=bool(options.get(OVERLAPPING))),
        *checked.checking_passes(options),
        passes.LowerForeachTile(),
        passes.LowerTiles(),
        passes.LoopOverGemm(),
        passes.WorkItemLoops(),
        collectives or passes.LowerCollectives(),
        passes.Canonicalize(),
        passes.InsertLifetimeStop(),
        passes.StackLayout(),
    ]
