"""What is known of integers before a function runs: bounds of their values, and sizes that they are less than."""

from __future__ import annotations

import math
from collections.abc import Hashable

from ...ir.types import ScalarType
from ...ir.values import Function, Value
from ...ops import (
    ArithBinary,
    ArithUnary,
    Builtin,
    Cast,
    For,
    Foreach,
    ForeachTile,
    GroupId,
    NumGroups,
    SubgroupBuiltin,
    Subview,
)
from ...ops import Size as SizeOperation
from ...ops.constants import constant_of
from ...ops.preconditions import Number, Precondition, Size
from .intervals import Interval, of_binary, of_unary, whole

LARGEST_SIZE = 2**47
"""More elements than any memory has."""
LARGEST_ID = 2**62


class Known:
    """What the text of a function says about its integers."""

    def __init__(self, function: Function) -> None:
        self._bounds: dict[Value, Interval] = {}
        self._loops: dict[Value, tuple[Value, Value]] = {}
        self._steps: dict[Value, int] = {}
        for op in function.walk():
            if isinstance(op, For):
                self._loops[op.variable] = (op.start, op.stop)
                self._steps[op.variable] = constant_of(op.step) or 1
            elif isinstance(op, (Foreach, ForeachTile)):
                self._loops.update((v, pair) for v, *pair in zip(op.variables, op.start, op.stop))  # type: ignore[misc]

    def holds(self, precondition: Precondition) -> bool:
        """Whether a demand is met, whatever the function is launched with."""
        numbers = precondition.numbers
        if precondition.test == "holds":
            return False
        if precondition.test == "index":
            return self._lies_in(numbers[0], 1, numbers[1])
        if precondition.test in ("slice", "block"):
            at, count, extent = numbers
            return (precondition.test == "block" or self.bounds(count)[0] > 0) and self._lies_in(at, count, extent)
        if precondition.test == "positive":
            return self.bounds(numbers[0])[0] > 0
        keys = [self.canonical(number) for number in numbers]
        if precondition.test == "equal":
            return keys[0] == keys[1]
        constants = [key for key in keys if isinstance(key, int)]
        return len(constants) == len(keys) and math.prod(constants[1:]) == constants[0]

    def _lies_in(self, at: Number, count: Number, extent: Number) -> bool:
        minimum, maximum = self.bounds(at)
        if minimum < 0:
            return False
        if maximum + self.bounds(count)[1] <= self.bounds(extent)[0]:
            return True
        whole = self.canonical(extent)
        if maximum == 0 and self.canonical(count) == whole:
            return True
        return self.bounds(count)[1] <= 1 and isinstance(at, Value) and whole in self._below(at)

    def canonical(self, number: Number) -> Hashable:
        """A key that is equal for equal numbers: constants by their value, sizes by their tensor and mode."""
        if isinstance(number, Value):
            known = constant_of(number)
            if known is not None:
                return known
            if isinstance(number.owner, SizeOperation):
                return self.canonical(Size(number.owner.tensor, number.owner.mode))
            return number
        if not isinstance(number, Size):
            return number
        if isinstance(number.extent, int):
            return number.extent
        view = number.tensor.owner
        if isinstance(view, Subview):
            sizes = [piece.size for piece in view.slices if piece.keeps_mode]
            size = sizes[number.mode]
            assert size is not None
            return self.canonical(size)
        return number

    def bounds(self, number: Number) -> Interval:
        """The least and the largest that a number can be."""
        if isinstance(number, int):
            return (number, number)
        if isinstance(number, Size):
            extent = number.extent
            return (extent, extent) if isinstance(extent, int) else (0, LARGEST_SIZE)
        if number not in self._bounds:
            limits = whole(number.type)
            self._bounds[number] = limits  # for values that a loop carries
            minimum, maximum = self._find(number, limits)
            self._bounds[number] = (minimum, maximum) if limits[0] <= minimum <= maximum <= limits[1] else limits
        return self._bounds[number]

    def lies_in(self, number: Number, type_: ScalarType) -> bool:
        """Whether a number is always one of an integer type."""
        (minimum, maximum), (least, most) = self.bounds(number), whole(type_)
        return least <= minimum and maximum <= most

    def _find(self, value: Value, limits: Interval) -> Interval:
        known = constant_of(value)
        if known is not None:
            return (int(known), int(known))
        if value in self._loops:
            start, stop = self._loops[value]
            minimum, maximum = self.bounds(start)[0], self.bounds(stop)[1] - 1
            if constant_of(start) is not None and maximum >= minimum:
                maximum -= (maximum - minimum) % max(self._steps.get(value, 1), 1)
            return minimum, max(maximum, minimum)
        op = value.owner
        if isinstance(op, SizeOperation):
            return self.bounds(Size(op.tensor, op.mode))
        if isinstance(op, (Builtin, GroupId, NumGroups, SubgroupBuiltin)):
            return 0, min(LARGEST_ID, limits[1])
        if isinstance(op, Cast) and isinstance(op.operand.type, ScalarType) and op.operand.type.is_integer:
            return self.bounds(op.operand)
        if isinstance(op, ArithUnary) and isinstance(op.a.type, ScalarType) and op.a.type.is_integer:
            return of_unary(op.variant, self.bounds(op.a)) or limits
        if isinstance(op, ArithBinary):
            return of_binary(op.variant, self.bounds(op.a), self.bounds(op.b)) or limits
        return limits

    def _below(self, value: Value) -> set[Hashable]:
        """Sizes that a value is always less than."""
        op = value.owner
        if value in self._loops:
            return {self.canonical(self._loops[value][1])}
        if isinstance(op, Cast) and isinstance(op.operand.type, ScalarType) and op.operand.type.is_integer:
            # a number that fits is the same
            return self._below(op.operand) if self.lies_in(op.operand, value.type) else set()
        if isinstance(op, ArithBinary) and op.variant == "rem" and self.bounds(op.a)[0] >= 0:
            # the remainder of a division by zero is 0 on devices, which is not less than the divisor
            return {self.canonical(op.b)} if self.bounds(op.b)[0] > 0 else set()
        if isinstance(op, ArithBinary) and op.variant == "min":
            return self._below(op.a) | self._below(op.b)
        return set()
