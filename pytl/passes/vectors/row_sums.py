"""Loops along rows whose sums have no order: vectors along the row of each point, whose lanes are added up at the end.

Where the points of a `foreach` are in step, an iteration has one vector or several of each, so that a sum does not wait
for the one before it. A loop that sums nothing goes along one row after the other; so does one beside others whose sums
have an order, for which there are more points than rows may be in step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ...ir.operation import Operation
from ...ir.types import component_type
from ...ir.values import Value
from ...ops.control import For
from ...ops.math import Math
from ...ops.memory import Load, Store
from ...ops.regions import Foreach
from ...ops.views import root_of
from ..targets.row_loops import CHOSEN, NEUTRAL, Recurrence, recurrences, vectors_alone, vectors_of
from ..targets.turned_loops import MAX_WRITTEN
from ..targets.vector import SEGMENT
from .access import Lanes
from .code import Code, Number


class Points(Protocol):
    """The points of a vector, as `points.py` has them."""

    code: Code
    op: Foreach | For
    count: int
    row_lanes: int
    chains: int
    turns: bool

    @property
    def active_count(self) -> int: ...

    def vector(self, value: Value) -> Value: ...

    def number(self, value: Value) -> Value: ...

    def row(self, op: For, lane: int, count: int) -> Row: ...


class Row(Protocol):
    """The iterations of a loop for one point, as lanes."""

    choices: dict[Operation, Recurrence]

    def iteration(self, first: Number, carried: Sequence[Value], lanes: Lanes) -> list[Value]: ...

    def chosen(self, change: Recurrence, a: Value, b: Value) -> Value: ...


State = list[Value]
"""What is carried for each point: for each vector of an iteration, the vectors of all carried numbers."""


def write(points: Points, op: For, start: Number, stop: Number) -> list[Value]:
    """The loop for all points that are active. Returns its results, with points as lanes where there are several."""
    count = points.active_count
    in_step = 1 if not op.results or _goes_by_rows(points, op) else count
    groups = [range(lane, min(lane + in_step, count)) for lane in range(0, count, in_step)]
    changes, is_written_out = recurrences(op) or [], _is_written_out(points, op)
    loops = [_RowLoop(points, op, changes, lanes, is_written_out) for lanes in groups]
    states = [value for loop in loops for value in loop.write(start, stop)]
    return loops[0].results(states)


def _goes_by_rows(points: Points, op: For) -> bool:
    """Whether a loop with results is one for each row, though rows are short.

    What no loop before has accessed is loaded and stored in the order of memory so, which the processor's prefetchers
    follow best.
    """
    if points.turns or points.count == 1:
        return True
    operations = points.op.body.operations
    before = {root for each in operations[: operations.index(op)] if isinstance(each, For) for root in _accessed(each)}
    machine = points.code.machine
    is_short = machine is not None and op.trips is not None and op.trips < vectors_alone(machine) * points.row_lanes
    return is_short and not _accessed(op) <= before and (not _has_functions(op) or _is_written_out(points, op))


def _is_written_out(points: Points, op: For) -> bool:
    """Whether all iterations of a loop for each row are written, as those with functions, which compute long.

    Compilers mix the loads of others: they stay loops.
    """
    if op.trips is None or points.count == 1 or not _has_functions(op):
        return False
    size = len(list(op.body.walk())) * points.active_count
    return size * -(-op.trips // points.row_lanes) <= MAX_WRITTEN


def _has_functions(op: For) -> bool:
    return any(isinstance(each, Math) for each in op.body.walk())


def _accessed(loop: For) -> set[Value]:
    return {root_of(op.tensor) for op in loop.body.walk() if isinstance(op, (Load, Store))}


class _RowLoop:
    """A loop along rows, for points of a vector in step."""

    def __init__(
        self, points: Points, op: For, changes: Sequence[Recurrence], lanes: Sequence[int], is_written_out: bool
    ) -> None:
        self.points = points
        self.code: Code = points.code
        self.op = op
        self.count = points.row_lanes
        self.lanes = lanes
        self.changes = changes
        self.is_written_out = is_written_out
        self.rows = [points.row(op, lane, self.count) for lane in lanes]
        for row in self.rows:
            row.choices.update((each.branch, each) for each in self.changes if each.branch is not None)
        self.inits = list(map(points.number if points.count == 1 else points.vector, op.inits))

    def write(self, start: Number, stop: Number) -> State:
        """Write the loop. Returns what the lanes of each row carry at its end."""
        code, count = self.code, self.count
        left = code.minus(stop, start)
        vectors = 1 if self.is_written_out else vectors_of(self.op, self.points.chains)
        while vectors > 1 and isinstance(left, int) and left < vectors * count:
            vectors //= 2
        state = [value for lane in self.lanes for _ in range(vectors) for value in self._begin(lane)]
        if not isinstance(left, int):
            left = code.arith("max", left, code.number(0))
        whole = code.plus(start, code.multiple_below(left, vectors * count))
        state = self._joined(self._steps(start, whole, state, vectors), vectors)
        if vectors > 1:
            end = code.plus(start, code.multiple_below(left, count))
            state = self._steps(whole, end, state, 1)
            whole = end
        return self._remainder(whole, stop, state)

    def _steps(self, start: Number, stop: Number, state: State, vectors: int) -> State:
        """All iterations, of so many vectors of each point."""
        if self.is_written_out and isinstance(start, int) and isinstance(stop, int):
            for first in range(start, stop, vectors * self.count):
                state = self._step(first, state, vectors)
            return state
        # vectors of one iteration are loaded in order, which the processor's prefetchers follow best
        step = vectors * self.count
        return self.code.loop(start, stop, step, state, lambda i, values: self._step(i, values, vectors), False)

    def _begin(self, lane: int) -> State:
        """What a vector of a point begins with."""
        code, begun = self.code, list[Value]()
        neutral = {each.number: NEUTRAL[each.variant] for each in self.changes if each.variant in NEUTRAL}
        for number, init in enumerate(self.inits):
            if number in neutral:
                element = component_type(init.type)
                literal = (int if element.is_integer else float)(neutral[number])
                begun.append(code.literal(element, literal, self.count))
            else:
                first = init if self.points.count == 1 else code.extract(init, lane)
                begun.append(code.splat(first, self.count))
        return begun

    def _step(self, first: Number, state: Sequence[Value], vectors: int) -> State:
        """An iteration: the next vectors of all points."""
        size, left, after = len(self.inits), list(state), list[Value]()
        for row in self.rows:
            for n in range(vectors):
                carried, left = left[:size], left[size:]
                at = self.code.plus(first, n * self.count)
                after += row.iteration(at, carried, Lanes(self.count))
        return after

    def _joined(self, state: Sequence[Value], vectors: int) -> State:
        """What all vectors of a point have together."""
        if vectors == 1 or not state:
            return list(state)
        size, joined = len(self.inits), list[Value]()
        for begin in range(0, len(state), size * vectors):
            of_point = [list(state[n : n + size]) for n in range(begin, begin + size * vectors, size)]
            joined += self._folded(of_point)
        return joined

    def _folded(self, states: list[State]) -> State:
        """What several have together, joined in pairs."""
        while len(states) > 1:
            odd = states[len(states) // 2 * 2 :]
            states = [self._both(a, b) for a, b in zip(states[::2], states[1::2])] + odd
        return states[0]

    def _both(self, a: State, b: State) -> State:
        """What two have together."""
        code, both = self.code, list(a)
        for each in self.changes:
            n, at = each.number, each.place
            if each.variant == CHOSEN:
                both[n] = self.points.row(self.op, 0, self.count).chosen(each, a[n], b[n])
                continue
            if at is None:
                both[n] = code.arith(each.variant, a[n], b[n])
                continue
            # of equal numbers the first one
            is_before = code.arith("and", code.compare("eq", b[n], a[n]), code.compare("lt", b[at], a[at]))
            takes = code.arith("or", code.compare(each.variant, b[n], a[n]), is_before)
            both[n], both[at] = (code.select(takes, b[k], a[k]) for k in (n, at))
        return both

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
        size, after = len(self.inits), list[Value]()
        for number, row in enumerate(self.rows):
            before = state[number * size : (number + 1) * size]
            given = row.iteration(first, before, lanes)
            mask = self.code.mask(count, self.count)
            after += [self.code.select(mask, new, old) for new, old in zip(given, before)]
        return after

    def results(self, state: State) -> list[Value]:
        """The results of all points, each with what it began with, of what the lanes of their rows carry."""
        size = len(self.inits)
        if not size:
            return []
        results = self._across([state[n : n + size] for n in range(0, len(state), size)])
        for each in self.changes:
            if each.variant in NEUTRAL:
                init = self.inits[each.number]
                results[each.number] = self.code.arith(each.variant, init, results[each.number])
        return results

    def _across(self, rows: list[State]) -> State:
        """What the lanes of each row have together, as the lanes of vectors."""
        code, points = self.code, self.points.count
        if points == self.count:
            return self._paired([*rows, *[None] * (points - len(rows))])
        totals = [self._total(row) for row in rows]
        if points == 1:
            return totals[0]
        return [code.from_elements([*of, *of[:1] * (points - len(of))]) for of in map(list, zip(*totals))]

    def _paired(self, rows: Sequence[State | None]) -> State:
        """What the lanes of each row have together, in its lane; some of the last rows may be missing.

        A step joins neighbouring lanes of two rows: of sixteen rows, these are 30 shuffles, a transposition has 64. At
        first lanes are neighbours in segments of 128 bits, in which processors shuffle at the least cost; then
        segments are.
        """
        first, count, joined = rows[0], self.count, 1
        assert first is not None
        segment = min(SEGMENT // (8 * max(value.type.element.size for value in first)), count)
        while len(rows) > 1:
            block, chunk = (segment, 1) if joined < segment else (count, segment)
            both = [n + side for at in range(0, count, block) for side in (0, count) for n in range(at, at + block)]
            even, odd = (
                [n for at in range(begin, 2 * count, 2 * chunk) for n in both[at : at + chunk]] for begin in (0, chunk)
            )
            rows = [a and self._neighbours(a, b or a, even, odd) for a, b in zip(rows[::2], rows[1::2])]
            joined *= 2
        assert rows[0] is not None
        return rows[0]

    def _neighbours(self, a: State, b: State, even: Sequence[int], odd: Sequence[int]) -> State:
        """What lanes of two rows have together with others."""
        low, high = ([self.code.shuffle(x, y, lanes) for x, y in zip(a, b)] for lanes in (even, odd))
        return self._both(low, high)

    def _total(self, row: State) -> State:
        """What the lanes of a row have together, as numbers."""
        count = self.count
        while count > 1:
            count //= 2
            low, high = (
                [self.code.shuffle(value, value, range(first, first + count)) for value in row] for first in (0, count)
            )
            row = self._both(low, high)
        return [self.code.extract(value, 0) for value in row]
