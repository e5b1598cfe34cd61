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


def remainder_unsigned(builder: Builder, a: Value, b: Value) -> Value:
    return builder.arith("sub", a, builder.arith("mul", quotient_unsigned(builder, a, b), b))


def rounded_quotient(up: bool) -> Pair:
    """The quotient of signed integers rounded up, or down."""

    def write(builder: Builder, a: Value, b: Value) -> Value:
        quotient, rest = builder.arith("div", a, b), builder.arith("rem", a, b)
        zero = builder.zero(a.type)
        same = builder.compare("ge", builder.arith("xor", a, b), zero)
        is_inexact = builder.compare("ne", rest, zero)
        # the truncated quotient is too small where the exact one is positive, and too large where it is negative
        off = builder.arith("and", is_inexact, same if up else negated(builder, same))
        return builder.arith("add", quotient, as_integer(builder, off, a.type, 1 if up else -1))

    return write


def rounded_up_unsigned(builder: Builder, a: Value, b: Value) -> Value:
    quotient = quotient_unsigned(builder, a, b)
    rest = builder.arith("sub", a, builder.arith("mul", quotient, b))
    return builder.arith("add", quotient, as_integer(builder, truth(builder, rest), a.type))


def upper_product(is_signed: bool) -> Pair:
    """The upper half of the bits of a product, by products of halves."""

    def write(builder: Builder, a: Value, b: Value) -> Value:
        type_ = a.type
        if isinstance(type_, BoolType):
            return builder.constant(type_, False)
        half = builder.constant(type_, type_.bits // 2)
        mask = integer(builder, type_, (1 << type_.bits // 2) - 1)
        zero = builder.zero(type_)

        def parts(value: Value) -> tuple[Value, Value]:
            return builder.arith("and", value, mask), shifted_right(builder, value, half)

        def total(*values: Value) -> Value:
            return functools.reduce(lambda x, y: builder.arith("add", x, y), values)

        low, high = zip(parts(a), parts(b))
        (cross, more), (other, also) = (
            parts(builder.arith("mul", *pair)) for pair in ((low[0], high[1]), (high[0], low[1]))
        )
        _, least = parts(builder.arith("mul", *low))
        _, carried = parts(total(least, cross, other))
        upper = total(builder.arith("mul", *high), more, also, carried)
        for one, factor in ((a, b), (b, a)) if is_signed else ():
            off = select(builder, builder.compare("lt", one, zero), factor, zero)
            upper = builder.arith("sub", upper, off)
        return upper

    return write


def bits_of(builder: Builder, a: Value) -> Value:
    """How many bits of an integer are 1, counted in pairs, fours, bytes and all bytes."""
    type_ = a.type
    if isinstance(type_, BoolType):
        return a

    def of_every(step: int) -> Value:
        """The lower half of each `2 step` bits."""
        return integer(builder, type_, sum((1 << step) - 1 << bit for bit in range(0, type_.bits, 2 * step)))

    def right(value: Value, step: int) -> Value:
        return builder.arith("shr", value, builder.constant(type_, step))

    count = builder.arith("sub", a, builder.arith("and", right(a, 1), of_every(1)))
    pairs = of_every(2)
    count = builder.arith("add", builder.arith("and", count, pairs), builder.arith("and", right(count, 2), pairs))
    count = builder.arith("and", builder.arith("add", count, right(count, 4)), of_every(4))
    if type_.bits == 8:
        return count
    ones = integer(builder, type_, sum(1 << bit for bit in range(0, type_.bits, 8)))
    return right(builder.arith("mul", count, ones), type_.bits - 8)


def leading_zeros(builder: Builder, a: Value) -> Value:
    """How many zeros stand above the highest bit that is 1; all, if there is none."""
    if isinstance(a.type, BoolType):
        return negated(builder, a)
    step = 1
    while step < a.type.bits:
        a = builder.arith("or", a, builder.arith("shr", a, builder.constant(a.type, step)))
        step *= 2
    return builder.arith("sub", builder.constant(a.type, a.type.bits), bits_of(builder, a))


def trailing_zeros(builder: Builder, a: Value) -> Value:
    """How many zeros stand below the lowest bit that is 1; all, if there is none."""
    if isinstance(a.type, BoolType):
        return negated(builder, a)
    return bits_of(
        builder, builder.arith("and", builder.unary("not", a), builder.arith("sub", a, builder.constant(a.type, 1)))
    )


@of_one_type(powers.run_time_power_of_long, lambda type_: type_.is_integer, "an integer")
def _long_power(x: Any, n: Any) -> Any:
    """The power of an integer with an exponent of 64 bits, which `pow` does not take."""


def integer_power(builder: Builder, a: Value, b: Value) -> Value:
    """The power of an integer; of a negative exponent, without its fraction."""
    if isinstance(a.type, BoolType):
        return builder.arith("or", a, negated(builder, b))
    return called(builder, "pow" if a.type.bits < 64 else _long_power, [a, b])


def float_of_unsigned(builder: Builder, a: Value, target: ScalarType) -> Value:
    if isinstance(a.type, BoolType):
        return select(builder, a, builder.constant(target, 1.0), builder.constant(target, 0.0))
    if a.type.bits < 64:
        return builder.cast(extended_unsigned(builder, a, i64), target)
    wide = builder.cast(a, i64)
    one = builder.constant(i64, 1)

    def halves(inner: Builder) -> list[Value]:
        # the last bit is kept, so that the half is rounded as the whole is
        half = inner.arith("or", shifted_right(inner, wide, one), inner.arith("and", wide, one))
        rounded = inner.cast(half, target)
        return [inner.arith("add", rounded, rounded)]

    return builder.branch(
        builder.compare("ge", wide, builder.zero(i64)), [target], lambda inner: [inner.cast(wide, target)], halves
    )[0]


def unsigned_of_float(builder: Builder, a: Value, target: ScalarType) -> Value:
    if target.bits < 64:
        return builder.cast(builder.cast(a, i64), target)
    wide = builder.cast(a, f64)
    limit = builder.constant(f64, 2.0**63)

    def upper(inner: Builder) -> list[Value]:
        rest = inner.cast(inner.arith("sub", wide, limit), target)
        return [inner.arith("xor", rest, lowest(inner, target))]

    return builder.branch(builder.compare("lt", wide, limit), [target], lambda inner: [inner.cast(a, target)], upper)[0]


# Floating point numbers.


def floating(builder: Builder, type_: ScalarType, number: float) -> Value:
    """A number; the language has no constants that are not finite, and these are quotients by 0."""
    if math.isfinite(number):
        return builder.constant(type_, number)
    dividend = 0.0 if math.isnan(number) else math.copysign(1.0, number)
    return builder.arith("div", builder.constant(type_, dividend), builder.constant(type_, 0.0))


def is_nan(builder: Builder, a: Value) -> Value:
    return builder.compare("ne", a, a)


def is_infinite(builder: Builder, a: Value) -> Value:
    return builder.compare("eq", builder.unary("abs", a), floating(builder, a.type, math.inf))


def is_finite(builder: Builder, a: Value) -> Value:
    return builder.compare("lt", builder.unary("abs", a), floating(builder, a.type, math.inf))


_SMALLEST_NORMAL = {"f64": 2.0**-1022, "f32": 2.0**-126, "bf16": 2.0**-126, "f16": 2.0**-14}


def is_normal(builder: Builder, a: Value) -> Value:
    """Whether a number is finite, and neither zero nor subnormal."""
    assert isinstance(a.type, ScalarType)
    is_large = builder.compare("ge", builder.unary("abs", a), builder.constant(a.type, _SMALLEST_NORMAL[a.type.name]))
    return builder.arith("and", is_large, is_finite(builder, a))


def with_sign(builder: Builder, a: Value, b: Value) -> Value:
    """The first number with the second one's sign, which a zero has, too."""
    zero = builder.zero(a.type)
    below = builder.compare("lt", b, zero)
    under = builder.compare("lt", builder.arith("div", builder.one(a.type), b), zero)
    is_negative = builder.arith("or", below, builder.arith("and", builder.compare("eq", b, zero), under))
    size = builder.unary("abs", a)
    return select(builder, is_negative, builder.unary("neg", size), size)


def truncated(builder: Builder, a: Value) -> Value:
    """Rounded toward zero."""
    return with_sign(builder, called(builder, "floor", [builder.unary("abs", a)]), a)


def rounded(to_even: bool) -> Callable[[Builder, Value], Value]:
    """Rounded to the nearest whole number; of two, to the even one, or to the one away from zero."""

    def write(builder: Builder, a: Value) -> Value:
        size, one = builder.unary("abs", a), builder.one(a.type)
        half = builder.constant(a.type, 0.5)
        low = called(builder, "floor", [size])
        rest = builder.arith("sub", size, low)
        up = builder.compare("gt" if to_even else "ge", rest, half)
        if to_even:
            twice = builder.arith(
                "mul", called(builder, "floor", [builder.arith("mul", low, half)]), builder.constant(a.type, 2.0)
            )
            is_odd = builder.compare("ne", twice, low)
            up = builder.arith("or", up, builder.arith("and", builder.compare("eq", rest, half), is_odd))
        return with_sign(builder, select(builder, up, builder.arith("add", low, one), low), a)

    return write


def with_nan(word: str) -> Pair:
    """The minimum or maximum, which is nan where one of the numbers is."""

    order = "gt" if word == "max" else "lt"

    def write(builder: Builder, a: Value, b: Value) -> Value:
        # a comparison with nan is false, so that `b` is chosen where it is nan; this is one instruction of processors
        chosen = select(builder, builder.compare(order, a, b), a, b)
        return select(builder, is_nan(builder, a), a, chosen)

    return write


def hypotenuse(builder: Builder, x: Value, y: Value) -> Value:
    """The square root of x² + y², whose squares do not overflow."""
    sides = [builder.unary("abs", side) for side in (x, y)]
    large, small = builder.arith("max", *sides), builder.arith("min", *sides)
    ratio = builder.arith("div", small, large)
    one, zero = builder.constant(x.type, 1.0), builder.zero(x.type)
    length = builder.arith(
        "mul", large, called(builder, "sqrt", [builder.arith("add", one, builder.arith("mul", ratio, ratio))])
    )
    # the ratio of two zeros, and that of two infinities, is no number
    is_end = builder.arith(
        "or", builder.compare("eq", large, zero), builder.compare("eq", large, floating(builder, x.type, math.inf))
    )
    length = select(builder, is_end, large, length)
    either = builder.arith("or", is_nan(builder, x), is_nan(builder, y))
    infinite = builder.compare("eq", large, floating(builder, x.type, math.inf))
    return select(builder, builder.arith("and", either, negated(builder, infinite)), builder.arith("add", x, y), length)


def decimal_logarithm(builder: Builder, a: Value) -> Value:
    binary = builder.add(MathSince04(builder.location, [a.type], variant="log2", a=a)).results[0]
    return builder.arith("mul", binary, builder.constant(a.type, round_to(math.log10(2.0), a.type)))


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


def called(builder: Builder, function: str | Callable[..., Any], arguments: Sequence[Value]) -> Value:
    """What a function of the language gives, by its name in the library; its instructions are written in place."""
    body = _body_of(function, str(arguments[0].type), len(arguments))
    known: dict[Value, Any] = dict(zip(body.parameters, arguments))
    stored: Value | None = None
    for each in body.body.operations:
        op = clone_operation(each, known)
        if isinstance(op, Store):
            stored = op.data
        else:
            _placed(op, builder)
            builder.add(op)
    assert stored is not None
    return stored


def _placed(op: Any, builder: Builder) -> None:
    op.location = builder.location
    for region in op.regions:
        for inner in region.operations:
            _placed(inner, builder)
