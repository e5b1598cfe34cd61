"""Loops along rows whose sums have no order: vectors along the row of each point, whose lanes are added up at the end.

The points of a `foreach` are in step: an iteration has one vector or several of each, so that a sum does not wait for
the one before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...ir.values import Value
from ...ops.control import For
from ..targets.row_loops import NEUTRAL, recurrences, vectors_of
from .access import Lanes
from .code import Code, Number


class Points(Protocol):
    """The points of a vector, as `points.py` has them."""

    code: Code
    count: int
    row_lanes: int
    chains: int

    @property
    def active_count(self) -> int: ...

    def vector(self, value: Value) -> Value: ...

    def row(self, op: For, lane: int, count: int) -> Row: ...


class Row(Protocol):
    """The iterations of a loop for one point, as lanes."""

    def iteration(self, first: Number, carried: Sequence[Value], lanes: Lanes) -> list[Value]: ...


State = list[Value]
"""What is carried for each point: for each vector of an iteration, the vectors of all carried numbers."""


def write(points: Points, op: For, start: Number, stop: Number) -> list[Value]:
    """The loop for all points that are active. Returns its results, with points as lanes."""
    return _RowLoop(points, op).write(start, stop)


class _RowLoop:
    """A loop along rows, for the points of a vector."""

    def __init__(self, points: Points, op: For) -> None:
        self.points = points
        self.code: Code = points.code
        self.op = op
        self.count = points.row_lanes
        self.variants = recurrences(op) or []
        self.rows = [points.row(op, lane, self.count) for lane in range(points.active_count)]
        self.inits = [points.vector(init) for init in op.inits]

    def write(self, start: Number, stop: Number) -> list[Value]:
        code, count = self.code, self.count
        left = code.minus(stop, start)
        vectors = vectors_of(self.op, self.points.chains)
        while vectors > 1 and isinstance(left, int) and left < vectors * count:
            vectors //= 2
        state = [value for lane in range(len(self.rows)) for _ in range(vectors) for value in self._begin(lane)]
        if not isinstance(left, int):
            left = code.arith("max", left, code.number(0))
        whole = code.plus(start, code.multiple_below(left, vectors * count))
        state = code.loop(start, whole, vectors * count, state, lambda i, values: self._step(i, values, vectors))
        state = self._joined(state, vectors)
        if vectors > 1:
            end = code.plus(start, code.multiple_below(left, count))
            state = code.loop(whole, end, count, state, lambda i, values: self._step(i, values, 1))
            whole = end
        return self._results(self._remainder(whole, stop, state))

    def _begin(self, lane: int) -> State:
        """What a vector of a point begins with."""
        code, begun = self.code, []
        for variant, init in zip(self.variants, self.inits):
            element = init.type.element
            if variant in NEUTRAL:
                literal = NEUTRAL[variant] if element.is_integer else float(NEUTRAL[variant])
                begun.append(code.literal(element, literal, self.count))
            else:
                begun.append(code.splat(code.extract(init, lane), self.count))
        return begun

    def _step(self, first: Number, state: Sequence[Value], vectors: int) -> State:
        """An iteration: the next vectors of all points."""
        size, left, after = len(self.variants), list(state), list[Value]()
        for row in self.rows:
            for n in range(vectors):
                carried, left = left[:size], left[size:]
                at = self.code.plus(first, n * self.count)
                after += row.iteration(at, carried, Lanes(self.count))
        return after

    def _joined(self, state: Sequence[Value], vectors: int) -> State:
        """What all vectors of a point have together."""
        if vectors == 1:
            return list(state)
        size, joined = len(self.variants), list[Value]()
        for begin in range(0, len(state), size * vectors):
            of_point = state[begin : begin + size * vectors]
            joined += [self._folded(variant, of_point[k::size]) for k, variant in enumerate(self.variants)]
        return joined

    def _folded(self, variant: str, values: Sequence[Value]) -> Value:
        """Values with an operation between them, in pairs."""
        values = list(values)
        while len(values) > 1:
            odd = values[len(values) // 2 * 2 :]
            values = [self.code.arith(variant, a, b) for a, b in zip(values[::2], values[1::2])] + odd
        return values[0]

    def _remainder(self, whole: Number, stop: Number, state: State) -> State:
        """The elements behind the last whole vector."""
        code, left = self.code, self.code.minus(stop, whole)
        if isinstance(left, int):
            return self._masked(whole, left, state) if left > 0 else state
        condition = code.compare("gt", left, code.number(0))
        if not state:
            with code.predicated(condition):
                self._masked(whole, left, state)
            return state
        return code.branch(condition, lambda: self._masked(whole, left, state), lambda: state)

    def _masked(self, first: Number, count: Number, state: State) -> State:
        lanes = Lanes(self.count, count)
        size, after = len(self.variants), list[Value]()
        for number, row in enumerate(self.rows):
            before = state[number * size : (number + 1) * size]
            given = row.iteration(first, before, lanes)
            mask = self.code.mask(count, self.count)
            after += [self.code.select(mask, new, old) for new, old in zip(given, before)]
        return after

    def _results(self, state: State) -> list[Value]:
        """The results of all points, each with what it began with."""
        code, results = self.code, []
        for k, (variant, init) in enumerate(zip(self.variants, self.inits)):
            rows = state[k :: len(self.variants)]
            total = self._across(variant, rows)
            results.append(code.arith(variant, init, total) if variant in NEUTRAL else total)
        return results

    def _across(self, variant: str, rows: Sequence[Value]) -> Value:
        """What the lanes of each row give together, as the lanes of one vector."""
        code, points = self.code, self.points.count
        if points == self.count:
            padded = [*rows, *[code.zeros_like(rows[0])] * (points - len(rows))]
            return self._folded(variant, code.transpose(padded))
        totals = [self._total(variant, row) for row in rows]
        return code.from_elements([*totals, *totals[:1] * (points - len(totals))])

    def _total(self, variant: str, row: Value) -> Value:
        """What the lanes of a vector give together."""
        count = row.type.lanes
        while count > 1:
            count //= 2
            low, high = (self.code.shuffle(row, row, range(begin, begin + count)) for begin in (0, count))
            row = self.code.arith(variant, low, high)
        return self.code.extract(row, 0)
