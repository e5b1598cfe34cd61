"""Sums along contiguous numbers by the work-items of sub-groups: sum, cumsum, and gemv whose matrix is transposed.

Neighbouring work-items load neighbouring numbers of a sum, so that loads are coalesced, and each adds up its own. At
the end, pairs of work-items exchange numbers of several sums, until each has one of them, which it stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ...ir.types import compute_type
from ...ir.values import Value
from ...ops import Cumsum, Gemv, Sum
from ...ops.constants import zero_of
from ..targets import vector
from .access import ONE, Index
from .code import Code, Number
from .updates import ElementRange, Result


def written(op: Gemv | Sum | Cumsum, size: int, count: int, at_once: int) -> vector.WorkItems:
    """The code of `count` sub-groups, whose work-items load numbers of at most `at_once` sums in a step."""
    if isinstance(op, Cumsum):
        return scanned(op, size, count)
    return _Sums(op, size, count, at_once).written()


class _Sums:
    def __init__(self, op: Gemv | Sum, size: int, count: int, at_once: int) -> None:
        self.op = op
        self.at_once = at_once
        self.size = size
        self.count = count
        self.code = Code(op.location)
        self.result = Result(self.code, op)
        self.type = compute_type(op.updated.type.element)
        self.lane = self.code.place_once("subgroup_local_id")
        self.depth = self.code.size(op.A, 0)
        self.is_one = op.updated.type.order == 0
        self.sums: Number = 1 if self.is_one else self.code.size(op.updated, 0)

    def written(self) -> vector.WorkItems:
        code = self.code
        most = self.sums if isinstance(self.sums, int) else self.at_once
        at_once = max(1, min(self.at_once, self.size, most))
        first = 0 if self.count == 1 else code.times(code.place_once("subgroup_id"), at_once)
        code.each(first, self.sums, at_once * self.count, partial(self._several, at_once))
        return code.of_work_items({vector.ROWS: 1, vector.COLUMNS: at_once, vector.UNROLL: 1})

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
        with code.predicated(code.compare("lt", own, end)):
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
            is_odd = self._has_bit(distance)
            kept = [pair[0] if len(pair) == 1 else self._either(is_odd, pair[1], pair[0]) for pair in others]
            given = [pair[0] if len(pair) == 1 else self._either(is_odd, pair[0], pair[1]) for pair in others]
            sums = [code.arith("add", a, code.exchange(b, distance)) for a, b in zip(kept, given)]
            distance *= 2
        return sums[0]

    def _has_bit(self, bit: int) -> Value:
        code = self.code
        return code.compare("ne", code.number(code.bits(self.lane, bit)), code.number(0))

    def _either(self, condition: Value, a: Value, b: Value) -> Value:
        return self.code.branch(condition, partial(list, [a]), partial(list, [b]))[0]

    def _chosen(self, totals: list[Value]) -> Value:
        """The sum whose number is the work-item's, of sums that all work-items have."""
        code, mine = self.code, totals[0]
        for number, total in enumerate(totals[1:], 1):
            mine = self._either(code.compare("eq", code.number(self.lane), code.number(number)), total, mine)
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


def scanned(op: Cumsum, size: int, count: int) -> vector.WorkItems:
    """The code of `count` sub-groups for cumulative sums of a vector, or of columns.

    A sub-group scans so many numbers as it has work-items, and adds what came before: its last sum.
    """
    code, type_ = Code(op.location), compute_type(op.updated.type.element)
    result, lane = Result(code, op, type_), code.place_once("subgroup_local_id")
    depth = code.size(op.A, 0)
    zero = code.constant(type_, zero_of(type_))

    def line(at: tuple[Number, ...]) -> None:
        def entry(k: Number) -> Value:
            return code.cast(code.load_number(op.A, (k, *at)), type_)

        def update(k: Number, total: Value) -> None:
            place = (Index(code.number(k), 0), *(Index(code.number(each), 0) for each in at))
            result.update([ElementRange(place, ONE)], [total])

        def step(first: Number, carried: list[Value]) -> list[Value]:
            k = code.plus(first, lane)
            total = code.arith("add", carried[0], code.subgroup_scan(entry(k)))
            update(k, total)
            return [code.broadcast(total, size - 1)]

        whole = code.multiple_below(depth, size)
        (before,) = code.loop(0, whole, size, [zero], step)
        if whole is depth or whole == depth:
            return
        k = code.plus(whole, lane)
        is_there = code.compare("lt", code.number(k), code.number(depth))
        (own,) = code.branch(is_there, lambda: [entry(k)], lambda: [zero])
        total = code.arith("add", before, code.subgroup_scan(own))
        with code.predicated(is_there):
            update(k, total)

    first = 0 if count == 1 else code.place_once("subgroup_id")
    if op.A.type.order == 1:
        code.each(first, 1, count, lambda _: line(()))
    else:
        code.each(first, code.size(op.A, 1), count, lambda column: line((column,)))
    return code.of_work_items({vector.ROWS: 1, vector.COLUMNS: 1, vector.UNROLL: 1})
