"""Numbers: what the language's arithmetic has not in one instruction, such as that of unsigned integers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from ...ir.clone import clone_operation
from ...ir.types import BoolType, ScalarType, f64, i64
from ...ir.values import Function, Value
from ...ops import Constant
from ...ops.builder import Builder
from ..lang import pow
from ..lang.function import CalledFunction, KernelFunction
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
from .elementary import is_finite

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
    return called(builder, pow if a.type.bits < 64 else _long_power, [a, b])


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


def with_nan(order: str) -> Pair:
    """The minimum ("lt") or maximum ("gt"), which is nan where one of the numbers is."""

    def write(builder: Builder, a: Value, b: Value) -> Value:
        # a comparison with nan is false, so that `b` is chosen where it is nan; this is one instruction of processors
        chosen = select(builder, builder.compare(order, a, b), a, b)
        return select(builder, builder.compare("ne", a, a), a, chosen)

    return write


_SMALLEST_NORMAL = {"f64": 2.0**-1022, "f32": 2.0**-126, "bf16": 2.0**-126, "f16": 2.0**-14}


def is_normal(builder: Builder, a: Value) -> Value:
    """Whether a number is finite, and neither zero nor subnormal."""
    assert isinstance(a.type, ScalarType)
    is_large = builder.compare("ge", builder.unary("abs", a), builder.constant(a.type, _SMALLEST_NORMAL[a.type.name]))
    return builder.arith("and", is_large, called(builder, is_finite, [a]))


# Functions of the language.


@functools.cache
def _body_of(function: Callable[..., Any], types: tuple[str, ...]) -> tuple[Function, Value]:
    """What a function of the language computes of arguments of some types, and which value it gives."""
    from .. import lang
    from ..python import trace

    given: list[Value] = []
    gives = CalledFunction(lambda value: value, lambda call: given.append(call.arguments["value"]), name="gives")
    if not isinstance(function, CalledFunction):
        formula = function
        function = CalledFunction(formula, lambda call: call.inline(formula, *call.arguments.values()))
    X, Y, Z = (getattr(lang, name) for name in (*types, *types[:1] * 2)[:3])

    def of_one(x: X) -> None:  # type: ignore[valid-type]
        gives(function(x))

    def of_two(x: X, y: Y) -> None:  # type: ignore[valid-type]
        gives(function(x, y))

    def of_three(x: X, y: Y, z: Z) -> None:  # type: ignore[valid-type]
        gives(function(x, y, z))

    of: Any = (of_one, of_two, of_three)[len(types) - 1]
    body = trace(of, name="body", attributes={}, constexprs={}, names={"X": X, "Y": Y, "Z": Z})
    return body, given[0]


def called(builder: Builder, function: Callable[..., Any], arguments: Sequence[Value]) -> Value:
    """What a function of the language gives; its instructions are written in place."""
    body, result = _body_of(function, tuple(str(each.type) for each in arguments))
    known: dict[Value, Any] = dict(zip(body.parameters, arguments))
    for each in body.body.operations:
        if isinstance(each, Constant):
            known[each.result] = builder.constant(each.result.type, each.literal)
        else:
            op = clone_operation(each, known)
            _placed(op, builder)
            builder.add(op)
    written: Value = known[result]
    return written


def written(function: Callable[..., Any]) -> Callable[..., Value]:
    """What writes the instructions of a function of the language, of which some are one."""
    if isinstance(function, KernelFunction):
        return lambda at, a: at.add(function.operation(at.location, [a.type], **function.fixed, a=a)).results[0]
    return lambda at, *operands: called(at, function, operands)


def _placed(op: Any, builder: Builder) -> None:
    op.location = builder.location
    for region in op.regions:
        for inner in region.operations:
            _placed(inner, builder)
