"""Branches on one condition as one branch, in which what both compute is computed once.

The sine and the cosine of an angle are branches on the size of the angle, which both reduce.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ..ir.operation import Operation
from ..ir.values import Region, Value
from ..ops import If, Yield
from ..ops.control import terminator
from .analysis.uses import computes_alone, replace_uses


def merge_branches(region: Region, kept: Callable[[Region], Collection[Operation]]) -> None:
    """Merge the branches of a region, and of those in it, that depend on one condition and access no memory.

    `kept` are the instructions of a region that stay as they are.
    """
    for each in [region, *(part for op in region.walk() for part in op.regions)]:
        _compute_once(each)
    _merge(region, kept)


def _merge(region: Region, kept: Callable[[Region], Collection[Operation]]) -> None:
    if not _may_merge(region):  # most have nothing to merge, and to know what is kept takes long
        return
    stay = kept(region)
    first: dict[Value, If] = {}
    for op in list(region.operations):
        if not isinstance(op, If) or op in stay or not computes_alone(op):
            continue
        before = first.setdefault(op.condition, op)
        moved = [] if before is op else _needed(op, before, region.operations)
        if before is op or moved is None:
            continue
        both = _merged(before, op)
        first[op.condition] = both
        others = [each for each in region.operations if each is not op and each not in moved]
        at = others.index(before)
        region.operations = [*others[:at], *moved, both, *others[at + 1 :]]
        replace_uses(region, dict(zip([*before.results, *op.results], both.results)))
    for op in region.operations:
        for part in op.regions if op not in stay else ():
            if op in first.values():
                _compute_once(part)
            _merge(part, kept)


def _may_merge(region: Region) -> bool:
    """Whether two branches of a region, or of one in it, depend on one condition."""
    conditions = [op.condition for op in region.operations if isinstance(op, If) and op.results]
    inside = (part for op in region.operations for part in op.regions)
    return len({*conditions}) < len(conditions) or any(map(_may_merge, inside))


def _compute_once(region: Region) -> None:
    """Leave one of several instructions of a region that compute the same."""
    known: dict[Any, Operation] = {}
    replaced: dict[Value, Value] = {}
    operations = []
    for op in region.operations:
        op.replace_operands(lambda value: replaced.get(value, value))
        twin = known.setdefault(op.key(), op) if op.pure and not op.regions else op
        if twin is op:
            operations.append(op)
        else:
            replaced.update(zip(op.results, twin.results))
    region.operations = operations
    replace_uses(region, replaced)


def _needed(op: If, before: If, operations: list[Operation]) -> list[Operation] | None:
    """What has to be moved in front of an earlier branch with a later one; None where that is not possible."""
    between = operations[operations.index(before) + 1 : operations.index(op)]
    needed = {value for part in op.regions for inner in part.walk() for value in inner.operands}
    moved: list[Operation] = []
    for each in reversed(between):
        if needed.isdisjoint(each.results):
            continue
        if not each.pure or each.regions:
            return None
        moved.insert(0, each)
        needed.update(each.operands)
    return moved if needed.isdisjoint(before.results) else None


def _merged(a: If, b: If) -> If:
    """One branch that gives the results of both, those of the first one first."""
    parts = []
    for one, other in ((a.then_body, b.then_body), (a.else_body, b.else_body)):
        ends = terminator(one), terminator(other)
        assert ends[0] is not None and ends[1] is not None, "branches that return values yield"
        end = Yield(ends[1].location, yielded=[*ends[0].yielded, *ends[1].yielded])
        parts.append(Region(one.kind, [], [*one.operations[:-1], *other.operations[:-1], end], one.location))
    results = [*a.results, *b.results]
    types, names = [each.type for each in results], [each.name for each in results]
    return If(a.location, types, names, condition=a.condition, then_body=parts[0], else_body=parts[1])
