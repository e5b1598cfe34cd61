"""Copies of matrices in local memory, by the work-items of sub-groups, for all blocks that load their numbers later.

Neighbouring work-items load numbers that lie side by side, once. They store them side by side, too, or, of a matrix
that is turned, where those of neighbouring rows lie so.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.values import Value
from ..factor_copies import FactorCopy
from ..subgroup_shapes import lines_at_once
from ..targets import vector
from .code import Code, Number


def written(copy: FactorCopy, target: Value, size: int, count: int, at_once: int) -> vector.WorkItems:
    """The code of `count` sub-groups that fill `target` with a copy.

    Of lines with more numbers than a sub-group has work-items, one loads a number of each of `at_once` lines before it
    stores the first. Of shorter ones, a sub-group copies as many at a time as it has work-items for.
    """
    return _Copy(copy, target, size, count).written(at_once)


class _Copy:
    def __init__(self, copy: FactorCopy, target: Value, size: int, count: int) -> None:
        self.copy = copy
        self.target = target
        self.size = size
        self.count = count
        self.code = Code(copy.product.location)
        along, lines = copy.source.type.shape
        assert isinstance(along, int) and isinstance(lines, int)
        self.along, self.lines = along, lines
        self.lane = self.code.place_once("subgroup_local_id")

    def written(self, at_once: int) -> vector.WorkItems:
        together = lines_at_once(self.size, self.along)
        if together > 1:
            at_once = together
            self._short_lines(at_once)
        else:
            self._long_lines(at_once)
        return self.code.of_work_items(rows=at_once)

    def _first(self, at_once: int) -> Number:
        """The first line of a sub-group."""
        return 0 if self.count == 1 else self.code.times(self.code.place_once("subgroup_id"), at_once)

    def _move(self, k: Number, lines: Sequence[Number]) -> None:
        """Copy the number of each of some lines."""
        code, copy = self.code, self.copy
        numbers = [code.load_number(copy.source, (k, line)) for line in lines]
        for line, number in zip(lines, numbers):
            code.store_number(number, self.target, (line, k) if copy.is_turned else (k, line))

    def _short_lines(self, at_once: int) -> None:
        code = self.code
        k, own = code.remainder(self.lane, self.along), code.over(self.lane, self.along)

        def several(first: Number) -> None:
            line = code.plus(first, own)
            conditions: list[Value] = []
            if at_once * self.along < self.size:
                conditions.append(code.compare("lt", self.lane, code.number(at_once * self.along)))
            if self.lines % at_once:
                conditions.append(code.compare("lt", code.number(line), code.number(self.lines)))
            with code.predicated_by(conditions):
                self._move(k, [line])

        code.each(self._first(at_once), self.lines, at_once * self.count, several)

    def _long_lines(self, at_once: int) -> None:
        code, size = self.code, self.size

        def along(lines: Sequence[Number]) -> None:
            whole = self.along // size * size
            code.each(0, whole, size, lambda start: self._move(code.plus(start, self.lane), lines))
            if whole < self.along:
                k = code.number(code.plus(whole, self.lane))
                with code.predicated(code.compare("lt", k, code.number(self.along))):
                    self._move(k, lines)

        parts, left = divmod(self.lines, at_once)
        first = self._first(at_once)
        stop = parts * at_once
        code.each(first, stop, at_once * self.count, lambda line: along([code.plus(line, n) for n in range(at_once)]))
        if left:
            rest = [stop + n for n in range(left)]
            if self.count == 1:
                along(rest)
            else:
                number = code.number(code.place_once("subgroup_id"))
                with code.predicated(code.compare("eq", number, code.number(parts % self.count))):
                    along(rest)
