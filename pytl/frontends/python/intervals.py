"""Intervals of integers. An integer that can't be negative passes as an index, and has the remainder of Python."""

from __future__ import annotations

from typing import Any

from ...ir.operation import Operation
from ...ir.types import ScalarType
from ...ir.values import Value
from ...ops import ArithBinary, ArithUnary, Builtin, Cast, Constant, GroupId, If, NumGroups, Size, SubgroupBuiltin
from ...ops.control import terminator
from ...passes.analysis.intervals import Interval, of_binary, of_unary, whole

MAX_DEPTH = 64
"""How many instructions are looked through."""
MAX_WORK_ITEMS = 2**15 - 1
"""More work-items than any device has in a work-group, which bounds the numbers of sub-groups and of work-items."""


class Intervals:
    """The intervals of a kernel's integers. What no instruction gives, as a loop's variable, is told by `learn`."""

    def __init__(self) -> None:
        self._intervals: dict[Value, Interval] = {}

    def learn(self, value: Value, minimum: int, maximum: int) -> None:
        """Note where a value lies; what doesn't fit its type is no news."""
        lowest, highest = whole(value.type)
        if lowest <= minimum <= maximum <= highest:
            self._intervals[value] = minimum, maximum

    def of(self, value: Value) -> Interval:
        """The interval of an integer."""
        return self._of(value, 0)

    def may_be_negative(self, value: Value) -> bool:
        return self.of(value)[0] < 0

    def _of(self, value: Value, depth: int) -> Interval:
        if value not in self._intervals:
            limits = whole(value.type)
            minimum, maximum = self._computed(value, depth + 1) if depth < MAX_DEPTH else limits
            if not limits[0] <= minimum <= maximum <= limits[1]:
                minimum, maximum = limits  # it wraps around
            self._intervals[value] = minimum, maximum
        return self._intervals[value]

    def _computed(self, value: Value, depth: int) -> Interval:
        op: Operation | None = value.owner
        if isinstance(op, Constant):
            number = int(op.literal)
            return number, number
        if isinstance(op, Cast) and isinstance(op.operand.type, ScalarType) and op.operand.type.is_integer:
            return self._of(op.operand, depth)
        if isinstance(op, ArithBinary):
            interval = of_binary(op.variant, self._of(op.a, depth), self._of(op.b, depth))
            return interval or whole(value.type)
        if isinstance(op, ArithUnary):
            return self._unary(op, depth)
        if isinstance(op, Size):
            return 0, whole(value.type)[1]
        if isinstance(op, (GroupId, NumGroups)):
            return 0, whole(value.type)[1]
        if isinstance(op, (Builtin, SubgroupBuiltin)):
            of_launch = op.variant in ("group_id", "group_size")
            return 0, whole(value.type)[1] if of_launch else MAX_WORK_ITEMS
        if isinstance(op, If) and op.else_body is not None:
            return self._chosen(op, op.results.index(value), depth)
        return whole(value.type)

    def _unary(self, op: Any, depth: int) -> Interval:
        if not (isinstance(op.a.type, ScalarType) and op.a.type.is_integer):
            return whole(op.result.type)
        return of_unary(op.variant, self._of(op.a, depth)) or whole(op.result.type)

    def _chosen(self, op: If, position: int, depth: int) -> Interval:
        ends = [terminator(op.then_body), terminator(op.else_body)]
        intervals = [self._of(end.yielded[position], depth) for end in ends if end is not None]
        return min(minimum for minimum, _ in intervals), max(maximum for _, maximum in intervals)
