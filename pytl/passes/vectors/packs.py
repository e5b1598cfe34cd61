"""Work-groups of the language that the work-items of one sub-group execute side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.operation import Operation
from ...ir.values import Value
from ...ops import Subview
from ...process.records import dataclass
from .code import Code, Number


@dataclass(frozen=True)
class Place:
    """Where a work-item is among those that execute an instruction."""

    lane: Number
    conditions: Sequence[Value]
    """All of which hold where it may store."""
    values: dict[Value, Value]
    """What it has in place of some values."""


def place_of(code: Code, op: Operation, pack: Pack | None) -> Place:
    """The place of a work-item that executes an instruction: in its sub-group, or among those of its work-group."""
    if pack is None:
        return Place(code.place_once("subgroup_local_id"), (), {})
    return pack.begin(code, op)


@dataclass(frozen=True)
class Pack:
    """How they are spread: so many work-groups, each of which has as many work-items."""

    items: int
    width: int
    numbers: Sequence[Value]
    """The number of the first work-group, and how many there are at all."""
    group: Value
    """What stands for the number of the work-group in the instructions."""
    slot: Value
    """What stands for its place among those of the pack."""
    locals: Sequence[tuple[Value, Subview]]
    """What stands for local memory in the instructions, each with the view of a work-group's own part."""
    views: Sequence[Operation]
    """What depends on all these, in order."""

    def begin(self, code: Code, op: Operation) -> Place:
        """A work-item's place, with what an instruction takes."""
        lane = code.place_once("subgroup_local_id")
        first, count = self.numbers
        own = code.number(code.plus(first, code.over(lane, self.width)))
        end = code.number(code.min(code.plus(first, self.items), count))
        # others execute the last one, too, and do not store
        group = code.number(code.min(own, code.minus(end, 1)))
        values = {self.group: group, self.slot: code.number(code.minus(group, first))}
        views = self._needed(op)
        used = {value for each in (op, *views) for value in _operands(each)}
        for value, view in self.locals:
            if value in used:
                code.copied(view, values)
                values[value] = values[view.results[0]]
        for each in views:
            code.copied(each, values)
        return Place(code.remainder(lane, self.width), [code.compare("lt", own, end)], values)

    def _needed(self, op: Operation) -> list[Operation]:
        """The views that an instruction depends on, in order."""
        used = _operands(op)
        needed: list[Operation] = []
        for view in reversed(self.views):
            if used.intersection(view.results):
                needed.insert(0, view)
                used.update(view.operands)
        return needed


def _operands(op: Operation) -> set[Value]:
    """The values that an instruction takes, also in its regions."""
    return {*op.operands, *(value for region in op.regions for inner in region.walk() for value in inner.operands)}
