"""Loads that repeat another one, with nothing stored between: a branch reads what its condition has read already.

    for i in range(n):
        if X[i] > 3.0:
            s += X[i]

Vector code would load again under a mask, and branch around the load.
"""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.values import Region, Value
from ..ops import For, Foreach, If, Load, Yield
from .analysis.uses import replace_uses

Known = dict[tuple[Value, ...], Value]
"""What was loaded, by the tensor and the indices."""


def without_repeated_loads(op: For | Foreach) -> None:
    """Let an iteration, or a point, use what it has loaded already."""
    replaced: dict[Value, Value] = {}
    _reuse(op.body, {}, replaced)
    if replaced:
        replace_uses(op.body, replaced)


def _reuse(region: Region, known: Known, replaced: dict[Value, Value]) -> None:
    kept: list[Operation] = []
    for op in region.operations:
        if isinstance(op, Load) and not op.is_item:
            place = (op.tensor, *op.indices)
            if place in known:
                replaced[op.result] = known[place]
                continue
            known[place] = op.result
        changes_memory = not _stores_nothing(op)
        if changes_memory and not isinstance(op, If):  # a loop's iteration comes behind the one before
            known.clear()
        for inner in op.regions:
            _reuse(inner, dict(known), replaced)
        if changes_memory:
            known.clear()
        kept.append(op)
    region.operations = kept


def _stores_nothing(op: Operation) -> bool:
    if not isinstance(op, (For, If)):
        return op.pure or isinstance(op, (Load, Yield))
    return all(_stores_nothing(inner) for region in op.regions for inner in region.operations)
