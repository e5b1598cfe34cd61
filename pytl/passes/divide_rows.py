"""divide-rows: what is done along rows, for work-items or vectors that go along them.

A loop whose order is open, along contiguous memory, has sixteen partial results, each of every sixteenth element, which
are joined behind it: neighbouring work-items read neighbouring elements. What costs much and is the same along a row,
such as a root, is computed once a row, in a `foreach` of its own. Where loops have vectors along rows, they stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.types import ScalarType, index
from ..ir.values import Function, Region, Value
from ..ops import For, Foreach, Load, Store
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..ops.control import ANY_ORDER
from ..ops.views import root_of
from ..process.records import dataclass
from .canonicalize import Canonicalize
from .cpu_kernels import free_rows
from .invariants import has_no_effect, inner_operations, is_costly, needed_for, operands_of
from .manager import Pass, register
from .targets.machine import DEFAULT, Machine
from .targets.row_loops import CHOSEN, NEUTRAL, Recurrence, recurrences
from .targets.strategies import STRATEGY
from .targets.turned_loops import goes_along

LANES = 16
"""Partial results of a loop."""
CHAINS = 4
"""Results of each lane at a time, none of which waits for another one."""
MOST = 4096
"""Elements of local memory for partial results, and for what is computed once a row."""


@register
@dataclass(frozen=True)
class DivideRows(Pass):
    """Divides loops along rows into partial results, and computes once what is the same along a row.

    With `vectors`, where one work-item executes a work-group, loops stay that have vectors along rows.
    """

    name = "divide-rows"
    of_called = True
    machine: Machine = DEFAULT
    vectors: bool = False
    may_overlap: bool = False
    """Whether a launch has arrays of different parameters that overlap."""
    fastmath: bool = False

    def run(self, function: Function) -> None:
        has_vectors = self.vectors and function.attributes.get(STRATEGY) == "one-item"
        if self._divide(function.body, has_vectors):
            Canonicalize().run(function)

    def _divide(self, region: Region, has_vectors: bool) -> bool:
        changed, operations = False, list[Operation]()
        for op in region.operations:
            parts = self._parts(op, has_vectors) if isinstance(op, Foreach) else None
            changed |= parts is not None
            operations += [op] if parts is None else parts
            for inner in op.regions:
                changed |= inner.kind != "spmd" and self._divide(inner, has_vectors)
        region.operations = operations
        return changed

    def _parts(self, op: Foreach, has_vectors: bool) -> list[Operation] | None:
        if has_vectors and free_rows(op, self.machine, not self.may_overlap, self.fastmath):
            return None
        return _partial_results(op) or _once_a_row(op)


def _extents(op: Foreach, variables: Sequence[Value]) -> list[int] | None:
    """How many values the last variables have; None where that is not known, or they are no indices from 0 on, or have
    no value.
    """
    if any(variable.type != index for variable in variables):
        return None
    bounds = [(constant_of(a), constant_of(b)) for a, b in zip(op.start, op.stop)][-len(variables) :]
    return [int(stop) for _, stop in bounds] if all(a == 0 and b is not None and b > 0 for a, b in bounds) else None


# Partial results.


def _partial_results(op: Foreach) -> list[Operation] | None:
    """A `foreach` with such a loop as one over partial results, and one that joins them."""
    loops = [each for each in op.body.operations if isinstance(each, For) and each.attributes.get(ANY_ORDER) is True]
    extents = _extents(op, op.variables)
    if len(loops) != 1 or extents is None or prod(extents) * LANES > MOST:
        return None
    loop = loops[0]
    at = op.body.operations.index(loop)
    before, behind = op.body.operations[:at], op.body.operations[at + 1 :]
    change = _change(loop)
    if change is None or not all(has_no_effect(each) or isinstance(each, Load) for each in before):
        return None
    return _Divided(op, loop, change, extents).operations(before, behind)


def _change(loop: For) -> Recurrence | None:
    """How the number changes that a long loop along contiguous memory carries."""
    start, stop = constant_of(loop.start), constant_of(loop.stop)
    if start is None or stop is None or stop - start < 4 * LANES or loop.step is not None or len(loop.results) != 1:
        return None
    *inside, _ = loop.body.operations
    if not all(has_no_effect(op) or isinstance(op, Load) for op in inside):
        return None
    has_lanes = any(isinstance(op, Load) and goes_along(op, loop.variable) for op in inside)
    if not has_lanes or not isinstance(loop.results[0].type, ScalarType):
        return None
    found = recurrences(loop)
    return found[0] if found and found[0].place is None else None


class _Divided:
    """A loop in a `foreach` by partial results."""

    def __init__(self, op: Foreach, loop: For, change: Recurrence, extents: Sequence[int]) -> None:
        self.op, self.loop, self.change = op, loop, change
        self.builder = Builder(loop.location)
        self.memory = self.builder.allocate(loop.results[0].type, [LANES, *extents])
        self.stops = [self.builder.constant(index, extent) for extent in extents]
        self.first = int(constant_of(loop.start))
        self.count = int(constant_of(loop.stop)) - self.first

    def operations(self, before: Sequence[Operation], behind: Sequence[Operation]) -> list[Operation]:
        lanes = self.builder.constant(index, LANES)
        self.builder.foreach([lanes, *self.stops], lambda to, points: self._part(to, points, before))
        self.builder.foreach(self.stops, lambda to, points: self._joined(to, points, before, behind))
        return self.builder.operations

    def _copied(self, to: Builder, operations: Sequence[Operation], points: Sequence[Value]) -> dict[Value, Value]:
        mapping = dict(zip(self.op.variables, points))
        for op in operations:
            to.add(clone_operation(op, mapping))
        return mapping

    def _part(self, to: Builder, points: Sequence[Value], before: Sequence[Operation]) -> None:
        lane, *rest = points
        mapping = self._copied(to, before, rest)
        steps = self.count // LANES
        chained = steps // CHAINS
        begin = self._neutral(to)
        begin = mapping.get(self.loop.inits[0], self.loop.inits[0]) if begin is None else begin

        def step(inner: Builder, number: Value, carried: list[Value], count: int) -> list[Value]:
            first = inner.arith("mul", number, inner.constant(index, count))
            return [self._element(inner, mapping, lane, first, n, each) for n, each in enumerate(carried)]

        stop = self.builder.constant(index, chained)
        totals = to.loop(stop, [begin] * CHAINS, lambda i, k, carried: step(i, k, carried, CHAINS))
        while len(totals) > 1:
            totals = [self._both(to, a, b) for a, b in zip(totals[::2], totals[1::2])]
        if chained * CHAINS < steps:
            stop = self.builder.constant(index, steps)
            totals = to.loop(stop, totals, lambda i, k, carried: step(i, k, carried, 1), first=chained * CHAINS)
        to.store(totals[0], self.memory, points)

    def _element(
        self, to: Builder, known: dict[Value, Value], lane: Value, first: Value, number: int, carried: Value
    ) -> Value:
        """What a lane carries behind one of its elements."""
        step = to.arith("add", first, to.constant(index, number)) if number else first
        place = to.arith("add", to.arith("mul", step, to.constant(index, LANES)), lane)
        return self._iteration(to, known, place, carried)

    def _iteration(self, to: Builder, known: dict[Value, Value], place: Value, carried: Value) -> Value:
        """What an iteration hands on."""
        at = to.arith("add", place, to.constant(index, self.first)) if self.first else place
        mapping = {**known, self.loop.variable: at, self.loop.carried[0]: carried}
        for op in self.loop.body.operations[:-1]:
            to.add(clone_operation(op, mapping))
        return mapping.get(self.loop.yielded[0], self.loop.yielded[0])

    def _joined(
        self, to: Builder, points: Sequence[Value], before: Sequence[Operation], behind: Sequence[Operation]
    ) -> None:
        mapping = self._copied(to, before, points)
        init = mapping.get(self.loop.inits[0], self.loop.inits[0])
        lanes, whole = to.constant(index, LANES), self.count // LANES * LANES
        (total,) = to.loop(
            lanes, [init], lambda i, k, carried: [self._both(i, carried[0], i.load(self.memory, [k, *points]))]
        )
        if whole < self.count:
            stop = to.constant(index, self.count)
            (total,) = to.loop(
                stop, [total], lambda i, k, carried: [self._iteration(i, mapping, k, carried[0])], first=whole
            )
        mapping[self.loop.results[0]] = total
        for op in behind:
            to.add(clone_operation(op, mapping))

    def _neutral(self, to: Builder) -> Value | None:
        """What changes no result; None where a lane may begin with what the loop begins with."""
        if self.change.variant not in NEUTRAL:
            return None
        type_ = self.loop.results[0].type
        return to.constant(type_, (int if type_.is_integer else float)(NEUTRAL[self.change.variant]))

    def _both(self, to: Builder, a: Value, b: Value) -> Value:
        """What two results have together."""
        if self.change.variant != CHOSEN:
            return to.arith(self.change.variant, a, b)
        assert self.change.element is not None
        mapping = {self.loop.carried[0]: a, self.change.element: b}
        for op in self.change.operations:
            to.add(clone_operation(op, mapping))
        return mapping[self.loop.yielded[0]]


# What is the same along a row.


def _once_a_row(op: Foreach) -> list[Operation] | None:
    """A `foreach` over rows that computes what is the same along each, and one over elements; None for others."""
    along, *rows = op.variables
    extents = _extents(op, rows) if rows else None
    if extents is None or prod(extents) > MOST:
        return None
    written = {root_of(each.tensor) for each in op.body.walk() if isinstance(each, Store)}
    varying, same = {along}, list[Operation]()
    for each in op.body.operations:
        is_load = isinstance(each, Load) and not each.is_item and root_of(each.tensor) not in written
        if (is_load or has_no_effect(each)) and not varying & operands_of(each):
            same.append(each)
        else:
            varying.update(each.results)
    needed = needed_for((value for each in same if is_costly(each) for value in each.results), same)
    used = {value for each in op.body.operations if each not in needed for value in operands_of(each)}
    kept = [v for each in needed if is_costly(each) for v in each.results if v in used]
    if not kept or not all(isinstance(value.type, ScalarType) for value in kept):
        return None
    to = Builder(op.location)
    memory = [to.allocate(value.type, extents) for value in kept]
    stops = [to.constant(index, extent) for extent in extents]

    def once(inner: Builder, points: list[Value]) -> None:
        mapping = dict(zip(rows, points))
        for each in needed:
            inner.add(clone_operation(each, mapping))
        for value, tensor in zip(kept, memory):
            inner.store(mapping[value], tensor, points)

    to.foreach(stops, once)
    inner = Builder(op.location, to)
    mapping = {value: inner.load(tensor, rows) for value, tensor in zip(kept, memory)}
    rest = [each for each in op.body.operations if not set(each.results) & set(kept)]
    for each in rest:
        for part in (each, *inner_operations(each)):
            part.replace_operands(lambda value: mapping.get(value, value))
    op.body.operations = [*inner.operations, *rest]
    return [*to.operations, op]
