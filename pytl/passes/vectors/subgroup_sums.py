"""Sums along contiguous numbers by the work-items of sub-groups: sum, cumsum, and gemv whose matrix is transposed.

Neighbouring work-items load neighbouring numbers of a sum, so that loads are coalesced, and each adds up its own. At
the end, pairs of work-items exchange numbers of several sums, until each has one of them, which it stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from ...ir.clone import clone_operation
from ...ir.types import compute_type
from ...ir.values import Value
from ...ops import Cumsum, Gemv, Sum
from ...ops.constants import zero_of
from ..targets import vector
from .access import ONE, Index
from .code import Code, Number
from .packs import Pack, Place, place_of
from .updates import ElementRange, Result


def written(op: Gemv | Sum | Cumsum, size: int, count: int, at_once: int, pack: Pack | None = None) -> vector.WorkItems:
    """The code of `count` sub-groups, whose work-items load numbers of at most `at_once` sums in a step.

    Of a pack of work-groups, each has `size` work-items, a power of two.
    """
    code = Code(op.location)
    place = place_of(code, op, pack)
    own = cast("Gemv | Sum | Cumsum", clone_operation(op, place.values)) if place.values else op
    if isinstance(own, Cumsum):
        return _Scans(code, own, size, count, place, is_packed=pack is not None).written()
    return _Sums(code, own, size, count, at_once, place).written()


class _Sums:
    def __init__(self, code: Code, op: Gemv | Sum, size: int, count: int, at_once: int, place: Place) -> None:
        self.op = op
        self.at_once = at_once
        self.size = size
        self.count = count
        self.code = code
        self.place = place
        self.result = Result(self.code, op)
        self.type = compute_type(op.updated.type.element)
        self.lane = code.number(place.lane)
        self.depth = self.code.size(op.A, 0)
        self.is_one = op.updated.type.order == 0
        self.sums: Number = 1 if self.is_one else self.code.size(op.updated, 0)

    def written(self) -> vector.WorkItems:
        code = self.code
        most = self.sums if isinstance(self.sums, int) else self.at_once
        at_once = max(1, min(self.at_once, self.size, most))
        first = 0 if self.count == 1 else code.times(code.place_once("subgroup_id"), at_once)
        code.each(first, self.sums, at_once * self.count, partial(self._several, at_once))
        return code.of_work_items(columns=at_once)

    def _several(self, at_once: int, first: Number) -> None:
        """So many sums, if there are: what is beyond is summed up again, and not stored."""
        code = self.code
        last = code.minus(self.sums, 1)
        numbers = [code.min(code.plus(first, n), last) if n else first for n in range(at_once)]
        sums = self._partial_sums(numbers)
        has_pairs = self.size & (self.size - 1) == 0
        mine = self._paired(sums) if has_pairs else self._chosen(list(map(partial(code.subgroup_total, "add"), sums)))
        own = code.number(code.plus(first, self.lane))
        end = code.number(code.min(code.plus(first, at_once), self.sums))
        with code.predicated_by([*self.place.conditions, code.compare("lt", own, end)]):
            at = () if self.is_one else (Index(own, 0),)
            self.result.update([ElementRange(at, ONE)], [mine])

    def _paired(self, sums: list[Value]) -> Value:
        """The sum whose number is the work-item's, of partial sums of all work-items.

        Pairs of work-items exchange what the other one needs: of two sums, each goes on with one. So few exchanges are
        needed: 8 sums of 16 work-items take 4 + 2 + 1, and one more for the rest of the work-items.
        """
        code, distance = self.code, 1
        while distance < self.size:
            others = [sums[begin : begin + 2] for begin in range(0, len(sums), 2)]
            is_odd = _has_bit(code, self.lane, distance)
            kept = [pair[0] if len(pair) == 1 else _either(code, is_odd, pair[1], pair[0]) for pair in others]
            given = [pair[0] if len(pair) == 1 else _either(code, is_odd, pair[0], pair[1]) for pair in others]
            sums = [code.arith("add", a, code.exchange(b, distance)) for a, b in zip(kept, given)]
            distance *= 2
        return sums[0]

    def _chosen(self, totals: list[Value]) -> Value:
        """The sum whose number is the work-item's, of sums that all work-items have."""
        code, mine = self.code, totals[0]
        for number, total in enumerate(totals[1:], 1):
            mine = _either(code, code.compare("eq", code.number(self.lane), code.number(number)), total, mine)
        return mine

    def _partial_sums(self, numbers: Sequence[Number]) -> list[Value]:
        """What a work-item adds up of each sum."""
        code = self.code
        sums = [code.constant(self.type, zero_of(self.type))] * len(numbers)
        whole = code.multiple_below(self.depth, self.size)
        sums = code.loop(
            0, whole, self.size, sums, lambda k, carried: self._added(numbers, code.plus(k, self.lane), carried)
        )
        if whole is self.depth or whole == self.depth:
            return sums
        k = code.plus(whole, self.lane)
        is_there = code.compare("lt", code.number(k), code.number(self.depth))
        return code.branch(is_there, lambda: self._added(numbers, k, sums), lambda: sums)

    def _added(self, numbers: Sequence[Number], k: Number, sums: Sequence[Value]) -> list[Value]:
        code, op = self.code, self.op
        entries = [self._number(op.A, (k,) if op.A.type.order == 1 else (k, number)) for number in numbers]
        if isinstance(op, Sum):
            return [code.arith("add", total, entry) for total, entry in zip(sums, entries)]
        factor = self._number(op.b, (k,))
        return [code.fma(entry, factor, total) for entry, total in zip(entries, sums)]

    def _number(self, tensor: Value, at: Sequence[Number]) -> Value:
        return self.code.cast(self.code.load_number(tensor, at), self.type)


class _Scans:
    """Cumulative sums along a mode: a sub-group scans so many numbers as it has work-items, and adds what came before,
    its last sum.
    """

    def __init__(self, code: Code, op: Cumsum, size: int, count: int, place: Place, is_packed: bool) -> None:
        self.code = code
        self.op = op
        self.size = size
        self.count = count
        self.place = place
        self.is_packed = is_packed
        self.type = compute_type(op.updated.type.element)
        self.result = Result(code, op, self.type)
        self.lane = code.number(place.lane)
        self.depth = code.size(op.A, op.mode)

    def written(self) -> vector.WorkItems:
        code, mode = self.code, self.op.mode
        first = 0 if self.count == 1 else code.place_once("subgroup_id")
        others = [other for other in range(self.op.A.type.order) if other != mode]
        sizes = [code.size(self.op.A, other) for other in reversed(others)] or [1]
        # sub-groups share the lines that differ in the last mode
        bounds: list[tuple[Number, Number, Number]] = [(0, size, 1) for size in reversed(sizes)]
        bounds[-1] = (first, sizes[0], self.count)
        code.nest(bounds, lambda at: self._line(at[: len(others)]))
        return code.of_work_items()

    def _line(self, at: tuple[Number, ...]) -> None:
        code, size = self.code, self.size
        zero = code.constant(self.type, zero_of(self.type))

        def step(first: Number, carried: list[Value]) -> list[Value]:
            k = code.plus(first, self.lane)
            own, total = self._scan(self._entry(at, k), carried[0])
            self._update(at, k, own, ())
            return [code.broadcast(own, size - 1) if total is None else total]

        whole = code.multiple_below(self.depth, size)
        (before,) = code.loop(0, whole, size, [zero], step)
        if whole is self.depth or whole == self.depth:
            return
        k = code.plus(whole, self.lane)
        is_there = code.compare("lt", code.number(k), code.number(self.depth))
        (number,) = code.branch(is_there, lambda: [self._entry(at, k)], lambda: [zero])
        own, _ = self._scan(number, before)
        self._update(at, k, own, [is_there])

    def _indices(self, at: tuple[Number, ...], k: Number) -> tuple[Number, ...]:
        mode = self.op.mode
        return (*at[:mode], k, *at[mode:])

    def _entry(self, at: tuple[Number, ...], k: Number) -> Value:
        return self.code.cast(self.code.load_number(self.op.A, self._indices(at, k)), self.type)

    def _update(self, at: tuple[Number, ...], k: Number, total: Value, conditions: Sequence[Value]) -> None:
        indices = tuple(Index(self.code.number(each), 0) for each in self._indices(at, k))
        with self.code.predicated_by([*self.place.conditions, *conditions]):
            self.result.update([ElementRange(indices, ONE)], [total])

    def _scan(self, number: Value, before: Value) -> tuple[Value, Value | None]:
        """The sum up to a work-item's number, with what came before; and up to the last one, where all have that."""
        code = self.code
        if not self.is_packed:
            return code.arith("add", before, code.subgroup_scan(number)), None
        own = total = number
        distance = 1
        while distance < self.size:  # of twice as many work-items, those of the other half have this sum
            other = code.exchange(total, distance)
            is_behind = _has_bit(code, self.lane, distance)
            own = _either(code, is_behind, code.arith("add", other, own), own)
            total = code.arith("add", total, other)
            distance *= 2
        return code.arith("add", before, own), code.arith("add", before, total)


def _has_bit(code: Code, number: Value, bit: int) -> Value:
    return code.compare("ne", code.number(code.bits(number, bit)), code.number(0))


def _either(code: Code, condition: Value, a: Value, b: Value) -> Value:
    return code.branch(condition, partial(list, [a]), partial(list, [b]))[0]
