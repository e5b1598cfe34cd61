"""Integers as linear forms: a constant and multiples of values, by which positions in memory are compared."""

from __future__ import annotations

from collections.abc import Mapping

from ...ir.values import Value
from ...ops import ArithBinary, Size
from ...ops.builder import Builder
from ...ops.constants import constant_of
from ...process.records import dataclass


@dataclass(frozen=True)
class Linear:
    """`constant` and a multiple of each value of `terms`, none of which is 0."""

    constant: int = 0
    terms: tuple[tuple[Value, int], ...] = ()

    @classmethod
    def of(cls, value: Value) -> Linear:
        """The value itself."""
        return cls(0, ((value, 1),))

    @property
    def is_constant(self) -> bool:
        return not self.terms

    def factor(self, value: Value) -> int:
        """What a value is multiplied by."""
        return dict(self.terms).get(value, 0)

    def plus(self, other: Linear, times: int = 1) -> Linear:
        total = dict(self.terms)
        for value, factor in other.terms:
            total[value] = total.get(value, 0) + factor * times
        terms = tuple((value, factor) for value, factor in total.items() if factor)
        return Linear(self.constant + other.constant * times, terms)

    def times(self, number: int) -> Linear:
        return Linear().plus(self, number)

    def at(self, value: Value, form: Linear) -> Linear:
        """The form where a value is another form."""
        factor = self.factor(value)
        return self.plus(Linear.of(value), -factor).plus(form, factor) if factor else self

    def equals(self, other: Linear) -> bool:
        return self.plus(other, -1) == Linear()

    def write(self, builder: Builder) -> Value:
        """Instructions that compute the form, as an `index`."""
        from ...ir.types import index

        total: Value | None = builder.constant(index, self.constant) if self.constant or not self.terms else None
        for value, factor in self.terms:
            term = value if factor == 1 else builder.arith("mul", value, builder.constant(index, factor))
            total = term if total is None else builder.arith("add", term, total)
        assert total is not None
        return total


MAX_TERMS = 64
"""A form with more terms, or with larger numbers than an index has, is a term of its own."""
_LARGE = 1 << 63


def linear_of(value: Value, known: Mapping[Value, Linear]) -> Linear:
    """The linear form of an integer; `known` has the forms of values that others are made of."""
    forms: dict[Value, Linear] = {}
    pending = [value]
    while pending:  # values may be made of others in long chains, and of the same ones again and again
        at = pending[-1]
        op = at.owner
        if at in forms:
            pending.pop()
        elif at in known or not isinstance(op, ArithBinary) or op.variant not in ("add", "sub", "mul"):
            forms[at] = known[at] if at in known else _alone(at)
        elif missing := [each for each in (op.a, op.b) if each not in forms]:
            pending += missing
        else:
            forms[at] = _joined(at, op.variant, forms[op.a], forms[op.b])
    return forms[value]


def _alone(value: Value) -> Linear:
    """The form of what is no sum or product."""
    constant = constant_of(value)
    if constant is not None:
        return Linear(int(constant))
    op = value.owner
    if isinstance(op, Size) and isinstance(op.tensor.type.shape[op.mode], int):
        return Linear(op.tensor.type.shape[op.mode])
    return Linear.of(value)


def _joined(value: Value, variant: str, a: Linear, b: Linear) -> Linear:
    if variant != "mul":
        form = a.plus(b, 1 if variant == "add" else -1)
    elif a.is_constant or b.is_constant:
        form = b.times(a.constant) if a.is_constant else a.times(b.constant)
    else:
        return Linear.of(value)
    is_small = all(abs(number) < _LARGE for number in (form.constant, *(factor for _, factor in form.terms)))
    return form if is_small and len(form.terms) <= MAX_TERMS else Linear.of(value)
