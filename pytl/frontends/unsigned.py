"""Unsigned integers: those of the same bits, which the language's arithmetic takes for signed ones."""

from __future__ import annotations

from ..ir.types import BoolType, ScalarType
from ..ir.values import Value
from ..ops.builder import Builder
from ..ops.constants import constant_of, wrap


def select(builder: Builder, condition: Value, a: Value, b: Value) -> Value:
    """`a` where the condition holds, else `b`."""
    if a is b:
        return a
    return builder.branch(condition, [a.type], lambda inner: [a], lambda inner: [b])[0]


def negated(builder: Builder, condition: Value) -> Value:
    """Whether a condition does not hold."""
    return builder.unary("not", condition)


def truth(builder: Builder, number: Value) -> Value:
    """Whether an integer is not 0."""
    return builder.compare("ne", number, builder.zero(number.type))


def as_integer(builder: Builder, condition: Value, type_: ScalarType, one: int = 1) -> Value:
    """A number for true, and 0 for false."""
    return select(builder, condition, builder.constant(type_, one), builder.constant(type_, 0))


def integer(builder: Builder, type_: ScalarType, number: int) -> Value:
    """A number of an integer type; the lowest one is no constant of the language."""
    number = wrap(number, type_)
    if number == -(1 << (type_.bits - 1)):
        return builder.arith("shl", builder.constant(type_, 1), builder.constant(type_, type_.bits - 1))
    return builder.constant(type_, number)


def lowest(builder: Builder, type_: ScalarType) -> Value:
    """The lowest number of a signed type."""
    return integer(builder, type_, -(1 << (type_.bits - 1)))


def below_unsigned(builder: Builder, variant: str, a: Value, b: Value) -> Value:
    """A comparison of unsigned integers."""
    low = lowest(builder, a.type)
    return builder.compare(variant, builder.arith("xor", a, low), builder.arith("xor", b, low))


def shifted_right(builder: Builder, a: Value, b: Value) -> Value:
    """A shift to the right that fills in zeros."""
    type_ = a.type
    one, last = builder.constant(type_, 1), builder.constant(type_, type_.bits - 1)
    kept = builder.arith("shl", builder.arith("shl", one, builder.arith("sub", last, b)), one)
    return builder.arith("and", builder.arith("shr", a, b), builder.arith("sub", kept, one))


def quotient_unsigned(builder: Builder, a: Value, b: Value) -> Value:
    """The quotient of unsigned integers, of which half fits the signed division."""
    type_ = a.type
    zero, one = builder.zero(type_), builder.constant(type_, 1)
    known = constant_of(b)

    def large(inner: Builder) -> list[Value]:
        # a divisor of the upper half goes in once, or not at all
        return [as_integer(inner, below_unsigned(inner, "ge", a, b), type_)]

    def small(inner: Builder) -> list[Value]:
        def whole(within: Builder) -> list[Value]:
            return [within.arith("div", a, b)]

        def halves(within: Builder) -> list[Value]:
            half = within.arith("div", shifted_right(within, a, one), b)
            near = within.arith("shl", half, one)
            rest = within.arith("sub", a, within.arith("mul", near, b))
            return [within.arith("add", near, as_integer(within, below_unsigned(within, "ge", rest, b), type_))]

        return inner.branch(inner.compare("ge", a, zero), [type_], whole, halves)

    if known is not None:
        return (large if known < 0 else small)(builder)[0]
    return builder.branch(builder.compare("lt", b, zero), [type_], large, small)[0]


def extended_unsigned(builder: Builder, a: Value, target: ScalarType) -> Value:
    """An unsigned integer in a wider type; a truth value as 0 or 1."""
    if isinstance(a.type, BoolType):
        return as_integer(builder, a, target)
    wide = builder.cast(a, target)
    if a.type.bits >= target.bits:
        return wide
    return builder.arith("and", wide, builder.constant(target, (1 << a.type.bits) - 1))
