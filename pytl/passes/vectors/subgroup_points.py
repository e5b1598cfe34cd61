"""The points of a `foreach` by the work-items of sub-groups.

Neighbouring work-items execute neighbouring points of a line, which is as long as the first mode; the other variables
are the same for all of them. Where a point adds up numbers that are contiguous, while those of neighbouring points lie
apart, a sub-group executes one point at a time: neighbouring work-items load neighbouring numbers, and the sub-group
puts together what they have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ...ir.types import index
from ...ir.values import Value
from ...ops import For, Foreach, Yield
from ...ops.constants import constant_of, zero_of
from ..targets import vector
from ..targets.subgroup_forms import combinations_of
from .code import Code, Number
from .packs import Pack, place_of


def in_lines(
    op: Foreach, size: int, count: int, most: int, several: bool, pack: Pack | None = None
) -> vector.WorkItems:
    """The code of `count` sub-groups for points of lines whose length is known, or of a pack of work-groups.

    A work-item executes up to `most` points of a line in an iteration. Of lines that would leave half of the work-items
    idle, a sub-group executes `several` at a time, as many as it has work-items for.
    """
    points = _Points(op, count, pack)
    code, place = points.code, points.place
    covered, together = covered_by(size, points.start, points.stop) if several else ([], size)
    number = math.prod(covered)
    at, rest = [], place.lane
    for mode, extent in enumerate(covered):
        at.append(code.plus(points.start[mode], code.remainder(rest, extent)))
        rest = code.over(rest, extent)
    conditions = list(place.conditions)
    if number * together < size and covered:
        conditions.append(code.compare("lt", code.number(place.lane), code.number(number * together)))
    split = len(covered)
    if split == len(points.start):
        if count > 1:
            conditions.append(code.compare("eq", code.number(points.of_subgroup), code.number(0)))
        with code.predicated_by(conditions):
            points.execute(at)
        return code.of_work_items()
    along = count if split == len(points.start) - 1 else 1
    """How many sub-groups share a line."""
    step = together * along
    start, stop = points.start[split], points.stop[split]
    own = rest if along == 1 else code.plus(code.times(points.of_subgroup, together), rest)
    whole = max(stop - start, 0) // step if isinstance(start, int) and isinstance(stop, int) else None
    at_once = max(1, min(most, whole or 1))

    def line(others: Sequence[Number]) -> None:
        def point(first: Number) -> None:
            points.execute((*at, code.plus(first, own), *others))

        def if_there(first: Number) -> None:
            mine = code.number(code.plus(first, own))
            with code.predicated(code.compare("lt", mine, code.number(stop))):
                points.execute((*at, mine, *others))

        def several(count: int, first: Number) -> None:
            for n in range(count):
                point(code.plus(first, n * step))

        if whole is None:
            code.each(start, stop, step, if_there)
            return
        assert isinstance(start, int) and isinstance(stop, int)
        in_loop = whole // at_once * at_once
        code.each(start, start + in_loop * step, at_once * step, lambda first: several(at_once, first))
        several(whole - in_loop, start + in_loop * step)
        if start + whole * step < stop:
            if_there(start + whole * step)

    with code.predicated_by(conditions):
        points.for_each_line(line, split)
    return code.of_work_items(rows=at_once)


def covered_by(size: int, start: Sequence[Number], stop: Sequence[Number]) -> tuple[list[int], int]:
    """The sizes of leading modes whose points so many work-items have all at a time, and how many numbers of the next
    mode they have; of no such mode, one.
    """
    covered: list[int] = []
    left = size
    for first, last in zip(start, stop):
        extent = last - first if isinstance(first, int) and isinstance(last, int) else None
        if extent is None or not 0 < 2 * extent <= left:
            break
        covered.append(extent)
        left //= extent
    return covered, left if len(covered) < len(start) else 1


def one_at_a_time(op: Foreach, size: int, count: int) -> vector.WorkItems:
    """The code of `count` sub-groups, each of which executes a point at a time."""
    points = _Points(op, count)
    code, lane = points.code, points.code.place_once("subgroup_local_id")
    operations = op.body.operations
    last = max(number for number, inner in enumerate(operations) if isinstance(inner, For))

    def point(place: Sequence[Number]) -> None:
        values = points.values_at(place)
        for inner in operations[: last + 1]:
            if isinstance(inner, For):
                _combined(code, inner, values, size, lane)
            else:
                code.copied(inner, values)
        with code.predicated(code.compare("eq", lane, code.number(0))):
            for inner in operations[last + 1 :]:
                code.copied(inner, values)

    def line(others: Sequence[Number]) -> None:
        first = points.of_subgroup if len(points.start) == 1 else 0
        step = count if len(points.start) == 1 else 1
        code.each(code.plus(points.start[0], first), points.stop[0], step, lambda i: point((i, *others)))

    points.for_each_line(line)
    return code.of_work_items()


def _combined(code: Code, loop: For, values: dict[Value, Value], size: int, lane: Value) -> None:
    """A loop that puts numbers together, each of whose iterations another work-item executes."""
    combinations = combinations_of(loop)
    inits = [code.constant_of(values.get(value, value)) for value in loop.inits]
    # what begins a maximum may take part in it more than once
    own = [
        code.constant(init.type, zero_of(init.type)) if each.variant == "add" else init
        for init, each in zip(inits, combinations)
    ]
    start, stop = (_number(code, values.get(value, value)) for value in (loop.start, loop.stop))
    extent = code.minus(stop, start)
    if not isinstance(extent, int):  # the loop may have no iteration
        extent = code.arith("max", code.number(extent), code.number(0))

    def iteration(first: Number, carried: Sequence[Value]) -> list[Value]:
        mapping = dict(values)
        place = code.number(code.plus(start, code.plus(first, lane)))
        mapping[loop.variable] = code.cast(place, loop.variable.type)
        mapping.update(zip(loop.carried, carried))
        for inner in loop.body.operations:
            if not isinstance(inner, Yield):
                code.copied(inner, mapping)
        return [mapping.get(value, value) for value in loop.yielded]

    whole = code.multiple_below(extent, size)
    own = code.loop(0, whole, size, own, iteration)
    if whole != extent and whole is not extent:
        place = code.number(code.plus(whole, lane))
        is_there = code.compare("lt", place, code.number(extent))
        before = list(own)
        own = code.branch(is_there, lambda: iteration(whole, before), lambda: before)
    for result, init, each, value in zip(loop.results, inits, combinations, own):
        total = code.subgroup_total(each.variant, value)
        values[result] = code.arith("add", init, total) if each.variant == "add" else total


class _Points:
    """The loops over the points of a `foreach`, and copies of its body."""

    def __init__(self, op: Foreach, count: int, pack: Pack | None = None) -> None:
        self.op = op
        self.count = count
        self.code = Code(op.location)
        self.start = [_number(self.code, value) for value in op.start]
        self.stop = [_number(self.code, value) for value in op.stop]
        self.of_subgroup: Number = 0 if count == 1 else self.code.place_once("subgroup_id")
        self.place = place_of(self.code, op, pack)

    def for_each_line(self, write: Callable[[Sequence[Number]], None], along: int = 0) -> None:
        """Write something for all values of the variables behind that of a mode. Sub-groups share the last one's."""
        bounds = [(*each, 1) for each in zip(self.start, self.stop)][along + 1 :]
        if bounds:
            bounds[-1] = (self.code.plus(self.start[-1], self.of_subgroup), self.stop[-1], self.count)
        self.code.nest(bounds, write)

    def values_at(self, place: Sequence[Number]) -> dict[Value, Value]:
        """What the variables are at a point."""
        code = self.code
        return self.place.values | {
            variable: code.cast(code.number(number), variable.type)
            for variable, number in zip(self.op.variables, place, strict=True)
        }

    def execute(self, place: Sequence[Number]) -> None:
        values = self.values_at(place)
        for op in self.op.body.operations:
            if not isinstance(op, Yield):
                self.code.copied(op, values)


def _number(code: Code, value: Value) -> Number:
    """A bound as an index: a constant where it is known."""
    known = constant_of(value)
    return int(known) if known is not None else code.cast(value, index)
