"""Formulas of vectors: arithmetic with constants in it, polynomials by multiply-adds, signs by bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ...ir.types import ScalarType, f32, i32, i64
from ...ir.values import Value
from .code import Code

Term: TypeAlias = Value | float


class Formulas:
    """What is computed in vectors of one type of floats: a number stands for a vector that has it in all lanes."""

    def __init__(self, code: Code, element: ScalarType, lanes: int) -> None:
        self.code = code
        self.element = element
        self.lanes = lanes
        self.integer, self.mantissa = (i32, 23) if element == f32 else (i64, 52)
        """The type that has its numbers' bits, and how many of these are below the exponent."""
        self.whole = 1.5 * 2.0**self.mantissa
        """Added to a number, it leaves that rounded to a whole one, which its lowest bits then have."""

    def term(self, a: Term) -> Value:
        return a if isinstance(a, Value) else self.code.literal(self.element, a, self.lanes)

    def add(self, a: Term, b: Term) -> Value:
        return self.code.arith("add", self.term(a), self.term(b))

    def sub(self, a: Term, b: Term) -> Value:
        return self.code.arith("sub", self.term(a), self.term(b))

    def mul(self, a: Term, b: Term) -> Value:
        return self.code.arith("mul", self.term(a), self.term(b))

    def div(self, a: Term, b: Term) -> Value:
        return self.code.arith("div", self.term(a), self.term(b))

    def fma(self, a: Term, b: Term, c: Term) -> Value:
        return self.code.fma(self.term(a), self.term(b), self.term(c))

    def select(self, condition: Value, a: Term, b: Term) -> Value:
        return self.code.select(condition, self.term(a), self.term(b))

    def compare(self, variant: str, a: Term, b: Term) -> Value:
        return self.code.compare(variant, self.term(a), self.term(b))

    def polynomial(self, x: Value, coefficients: Sequence[float], rest: Value | None = None) -> Value:
        """c0 + c1 x + c2 x² + …, and the next power of x times a rest, if there is one."""
        terms: list[Term] = [*coefficients, *([] if rest is None else [rest])]
        total = terms.pop()
        for coefficient in reversed(terms):
            total = self.fma(total, x, coefficient)
        return self.term(total)

    def polynomial_in_pairs(self, x: Value, coefficients: Sequence[float]) -> Value:
        """The same without a rest, as the sum of its even and odd powers, which do not wait for each other."""
        square = self.mul(x, x)
        odd = self.polynomial(square, coefficients[1::2])
        return self.fma(odd, x, self.polynomial(square, coefficients[::2]))

    def of(self, a: Value) -> Value:
        """Numbers of another type, as those of this one."""
        return self.code.cast(a, self.element)

    # Bits.

    def bits(self, a: Term) -> Value:
        return self.code.bitcast(self.term(a), self.code.vector(self.integer, self.lanes))

    def from_bits(self, a: Value) -> Value:
        return self.code.bitcast(a, self.code.vector(self.element, self.lanes))

    def shifted(self, direction: str, a: Value, count: int) -> Value:
        """Bits that are moved up (`shl`), or down (`shr`), where the sign fills them up."""
        return self.code.arith(direction, a, self.code.literal(self.integer, count, self.lanes))

    def negated_if_odd(self, a: Value, bits: Value) -> Value:
        """a, with the other sign where the lowest of some bits is one."""
        return self.from_bits(self.code.arith("xor", self.bits(a), self.odd_as_sign(bits)))

    def odd_as_sign(self, bits: Value) -> Value:
        """The lowest of some bits in the place of the sign, and no others."""
        return self.shifted("shl", bits, 8 * self.element.size - 1)

    def with_sign_of(self, a: Value, x: Value) -> Value:
        """a, which has no sign, with that of x."""
        return self.from_bits(self.code.arith("or", self.bits(a), self.sign_of(x)))

    def with_sign_changed_by(self, a: Value, x: Value) -> Value:
        """a, with the other sign where x is negative."""
        return self.from_bits(self.code.arith("xor", self.bits(a), self.sign_of(x)))

    def sign_of(self, x: Value) -> Value:
        """The bits of zero, with the sign of x."""
        return self.code.arith("and", self.bits(x), self.bits(-0.0))
