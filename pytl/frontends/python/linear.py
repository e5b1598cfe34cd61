"""The difference of two indices, simplified: the size of the slice `i + 2 : i + 6` is 4, whatever i is."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.operation import Operation
from ...ir.values import Value
from ...ops import ArithBinary, ArithUnary
from ...ops.constants import constant_of

Bound = int | Value


class Linear:
    """A sum of values with integer factors, and a constant."""

    def __init__(self, factors: dict[Value, int], constant: int) -> None:
        self.factors = {value: factor for value, factor in factors.items() if factor}
        self.constant = constant

    @classmethod
    def of(cls, bound: Bound) -> Linear:
        """A bound as a linear sum: additions, subtractions, negations and products with constants are followed."""
        if not isinstance(bound, Value):
            return cls({}, bound)
        constant = constant_of(bound)
        if constant is not None:
            return cls({}, constant)
        owner = bound.owner
        if isinstance(owner, ArithBinary) and owner.variant in ("add", "sub", "mul"):
            a, b = cls.of(owner.a), cls.of(owner.b)
            if owner.variant != "mul":
                return a.plus(b, 1 if owner.variant == "add" else -1)
            if not a.factors or not b.factors:
                factor, other = (a.constant, b) if not a.factors else (b.constant, a)
                return cls({}, 0).plus(other, factor)
        if isinstance(owner, ArithUnary) and owner.variant == "neg":
            return cls({}, 0).plus(cls.of(owner.a), -1)
        return cls({bound: 1}, 0)

    def plus(self, other: Linear, factor: int) -> Linear:
        """`self + factor * other`."""
        factors = dict(self.factors)
        for value, count in other.factors.items():
            factors[value] = factors.get(value, 0) + factor * count
        return Linear(factors, self.constant + factor * other.constant)


def difference(stop: Bound, start: Bound) -> Bound | None:
    """`stop - start` as a number or a value that exists already; None where it has to be computed."""
    first = Linear.of(start)
    if not first.factors and first.constant == 0:
        return stop
    result = Linear.of(stop).plus(first, -1)
    if not result.factors:
        return result.constant
    if result.constant == 0 and list(result.factors.values()) == [1]:
        return next(iter(result.factors))
    return None


def needed(operations: Iterable[Operation], used: Iterable[Bound]) -> list[Operation]:
    """Those of the operations that the values depend on, or that do more than compute."""
    required = {value for value in used if isinstance(value, Value)}
    needed_operations: list[Operation] = []
    for operation in reversed(list(operations)):
        if not operation.pure or any(value in required for value in operation.results):
            needed_operations.append(operation)
            required.update(operation.operands)
    return needed_operations[::-1]
