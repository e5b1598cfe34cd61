"""Numbers: what the language's arithmetic has not in one instruction, such as that of unsigned integers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from ...ir.clone import clone_operation
from ...ir.types import BoolType, ScalarType, f64, i64
from ...ir.values import Function, Value
from ...ops import MathSince04, Store
from ...ops.builder import Builder
from ...ops.constants import round_to
from ..lang.library import powers
from ..lang.library.declare import of_one_type
from ..unsigned import as_integer as as_integer
from ..unsigned import below_unsigned as below_unsigned
from ..unsigned import extended_unsigned as extended_unsigned
from ..unsigned import integer as integer
from ..unsigned import lowest as lowest
from ..unsigned import negated as negated
from ..unsigned import quotient_unsigned as quotient_unsigned
from ..unsigned import select as select
from ..unsigned import shifted_right as shifted_right
from ..unsigned import truth as truth

Pair = Callable[[Builder, Value, Value], Value]


def remainder_unsigned(at: Builder, a: Value, b: Value) -> Value:
    return at.arith("sub", a, at.arith("mul", quotient_unsigned(at, a, b), b))


def rounded_quotient(up: bool) -> Pair:
    """The quotient of signed integers rounded up, or down."""

    def write(at: Builder, a: Value, b: Value) -> Value:
        quotient, rest = at.arith("div", a, b), at.arith("rem", a, b)
        zero = at.zero(a.type)
        same = at.compare("ge", at.arith("xor", a, b), zero)
        is_inexact = at.compare("ne", rest, zero)
        # the truncated quotient is too small where the exact one is positive, and too large where it is negative
        off = at.arith("and", is_inexact, same if up else negated(at, same))
        return at.arith("add", quotient, as_integer(at, off, a.type, 1 if up else -1))

    return write


def rounded_up_unsigned(at: Builder, a: Value, b: Value) -> Value:
    quotient = quotient_unsigned(at, a, b)
    rest = at.arith("sub", a, at.arith("mul", quotient, b))
    return at.arith("add", quotient, as_integer(at, truth(at, rest), a.type))


def bits_of(at: Builder, a: Value) -> Value:
    """How many bits of an integer are 1, counted in pairs, fours, bytes and all bytes."""
    type_ = a.type
    if isinstance(type_, BoolType):
        return a

    def of_every(step: int) -> Value:
        """The lower half of each `2 step` bits."""
        return integer(at, type_, sum((1 << step) - 1 << bit for bit in range(0, type_.bits, 2 * step)))

    def right(value: Value, step: int) -> Value:
        return at.arith("shr", value, at.constant(type_, step))

    count = at.arith("sub", a, at.arith("and", right(a, 1), of_every(1)))
    pairs = of_every(2)
    count = at.arith("add", at.arith("and", count, pairs), at.arith("and", right(count, 2), pairs))
    count = at.arith("and", at.arith("add", count, right(count, 4)), of_every(4))
    if type_.bits == 8:
        return count
    ones = integer(at, type_, sum(1 << bit for bit in range(0, type_.bits, 8)))
    return right(at.arith("mul", count, ones), type_.bits - 8)


def leading_zeros(at: Builder, a: Value) -> Value:
    """How many zeros stand above the highest bit that is 1; all, if there is none."""
    if isinstance(a.type, BoolType):
        return negated(at, a)
    step = 1
    while step < a.type.bits:
        a = at.arith("or", a, at.arith("shr", a, at.constant(a.type, step)))
        step *= 2
    return at.arith("sub", at.constant(a.type, a.type.bits), bits_of(at, a))


def trailing_zeros(at: Builder, a: Value) -> Value:
    """How many zeros stand below the lowest bit that is 1; all, if there is none."""
    if isinstance(a.type, BoolType):
        return negated(at, a)
    return bits_of(at, at.arith("and", at.unary("not", a), at.arith("sub", a, at.constant(a.type, 1))))


@of_one_type(powers.run_time_power_of_long, lambda type_: type_.is_integer, "an integer")
def _long_power(x: Any, n: Any) -> Any:
    """The power of an integer with an exponent of 64 bits, which `pow` does not take."""


def integer_power(at: Builder, a: Value, b: Value) -> Value:
    """The power of an integer; of a negative exponent, without its fraction."""
    if isinstance(a.type, BoolType):
        return at.arith("or", a, negated(at, b))
    return called(at, "pow" if a.type.bits < 64 else _long_power, [a, b])


def float_of_unsigned(at: Builder, a: Value, target: ScalarType) -> Value:
    if isinstance(a.type, BoolType):
        return select(at, a, at.constant(target, 1.0), at.constant(target, 0.0))
    if a.type.bits < 64:
        return at.cast(extended_unsigned(at, a, i64), target)
    wide = at.cast(a, i64)
    one = at.constant(i64, 1)

    def halves(inner: Builder) -> list[Value]:
        # the last bit is kept, so that the half is rounded as the whole is
        half = inner.arith("or", shifted_right(inner, wide, one), inner.arith("and", wide, one))
        rounded = inner.cast(half, target)
        return [inner.arith("add", rounded, rounded)]

    return at.branch(at.compare("ge", wide, at.zero(i64)), [target], lambda inner: [inner.cast(wide, target)], halves)[
        0
    ]


def unsigned_of_float(at: Builder, a: Value, target: ScalarType) -> Value:
    if target.bits < 64:
        return at.cast(at.cast(a, i64), target)
    wide = at.cast(a, f64)
    limit = at.constant(f64, 2.0**63)

    def upper(inner: Builder) -> list[Value]:
        rest = inner.cast(inner.arith("sub", wide, limit), target)
        return [inner.arith("xor", rest, lowest(inner, target))]

    return at.branch(at.compare("lt", wide, limit), [target], lambda inner: [inner.cast(a, target)], upper)[0]


# Floating point numbers.


def floating(at: Builder, type_: ScalarType, number: float) -> Value:
    """A number; the language has no constants that are not finite, and these are quotients by 0."""
    if math.isfinite(number):
        return at.constant(type_, number)
    dividend = 0.0 if math.isnan(number) else math.copysign(1.0, number)
    return at.arith("div", at.constant(type_, dividend), at.constant(type_, 0.0))


def is_nan(at: Builder, a: Value) -> Value:
    return at.compare("ne", a, a)


def is_infinite(at: Builder, a: Value) -> Value:
    return at.compare("eq", at.unary("abs", a), floating(at, a.type, math.inf))


def is_finite(at: Builder, a: Value) -> Value:
    return at.compare("lt", at.unary("abs", a), floating(at, a.type, math.inf))


def with_sign(at: Builder, a: Value, b: Value) -> Value:
    """The first number with the second one's sign, which a zero has, too."""
    zero = at.zero(a.type)
    below = at.compare("lt", b, zero)
    under = at.compare("lt", at.arith("div", at.one(a.type), b), zero)
    is_negative = at.arith("or", below, at.arith("and", at.compare("eq", b, zero), under))
    size = at.unary("abs", a)
    return select(at, is_negative, at.unary("neg", size), size)


def truncated(at: Builder, a: Value) -> Value:
    """Rounded toward zero."""
    return with_sign(at, called(at, "floor", [at.unary("abs", a)]), a)


def rounded(to_even: bool) -> Callable[[Builder, Value], Value]:
    """Rounded to the nearest whole number; of two, to the even one, or to the one away from zero."""

    def write(at: Builder, a: Value) -> Value:
        size, one = at.unary("abs", a), at.one(a.type)
        half = at.constant(a.type, 0.5)
        low = called(at, "floor", [size])
        rest = at.arith("sub", size, low)
        up = at.compare("gt" if to_even else "ge", rest, half)
        if to_even:
            twice = at.arith("mul", called(at, "floor", [at.arith("mul", low, half)]), at.constant(a.type, 2.0))
            is_odd = at.compare("ne", twice, low)
            up = at.arith("or", up, at.arith("and", at.compare("eq", rest, half), is_odd))
        return with_sign(at, select(at, up, at.arith("add", low, one), low), a)

    return write


def with_nan(word: str) -> Pair:
    """The minimum or maximum, which is nan where one of the numbers is."""

    def write(at: Builder, a: Value, b: Value) -> Value:
        either = at.arith("or", is_nan(at, a), is_nan(at, b))
        return select(at, either, at.arith("add", a, b), at.arith(word, a, b))

    return write


def hypotenuse(at: Builder, x: Value, y: Value) -> Value:
    """The square root of x² + y², whose squares do not overflow."""
    sides = [at.unary("abs", side) for side in (x, y)]
    large, small = at.arith("max", *sides), at.arith("min", *sides)
    ratio = at.arith("div", small, large)
    one, zero = at.constant(x.type, 1.0), at.zero(x.type)
    length = at.arith("mul", large, called(at, "sqrt", [at.arith("add", one, at.arith("mul", ratio, ratio))]))
    # the ratio of two zeros, and that of two infinities, is no number
    is_end = at.arith("or", at.compare("eq", large, zero), at.compare("eq", large, floating(at, x.type, math.inf)))
    length = select(at, is_end, large, length)
    either = at.arith("or", is_nan(at, x), is_nan(at, y))
    infinite = at.compare("eq", large, floating(at, x.type, math.inf))
    return select(at, at.arith("and", either, negated(at, infinite)), at.arith("add", x, y), length)


def decimal_logarithm(at: Builder, a: Value) -> Value:
    binary = at.add(MathSince04(at.location, [a.type], variant="log2", a=a)).results[0]
    return at.arith("mul", binary, at.constant(a.type, round_to(math.log10(2.0), a.type)))


# Functions of pytl's library.


@functools.cache
def _body_of(callee: str | Callable[..., Any], type_name: str, count: int) -> Function:
    """A kernel that stores what a function gives for so many numbers."""
    from .. import lang
    from ..python import trace

    function, Number = getattr(lang, callee) if isinstance(callee, str) else callee, getattr(lang, type_name)
    Memory = lang.Memref[Number, 1]  # type: ignore[valid-type]

    def of_one(x: Number, result: Memory) -> None:  # type: ignore[valid-type]
        result[0] = function(x)  # type: ignore[index]

    def of_two(x: Number, y: Number, result: Memory) -> None:  # type: ignore[valid-type]
        result[0] = function(x, y)  # type: ignore[index]

    of: Any = {1: of_one, 2: of_two}[count]
    types = {"Number": Number, "Memory": Memory}
    return trace(of, name="body", attributes={}, constexprs={}, names=types)


def called(at: Builder, function: str | Callable[..., Any], arguments: Sequence[Value]) -> Value:
    """What a function of the language gives, by its name in the library; its instructions are written in place."""
    body = _body_of(function, str(arguments[0].type), len(arguments))
    known: dict[Value, Any] = dict(zip(body.parameters, arguments))
    stored: Value | None = None
    for each in body.body.operations:
        op = clone_operation(each, known)
        if isinstance(op, Store):
            stored = op.data
        else:
            _placed(op, at)
            at.add(op)
    assert stored is not None
    return stored


def _placed(op: Any, at: Builder) -> None:
    op.location = at.location
    for region in op.regions:
        for inner in region.operations:
            _placed(inner, at)
