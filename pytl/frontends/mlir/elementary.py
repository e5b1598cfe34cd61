"""Elementary functions of floating point numbers: those of the library, and what is composed of them."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...ir.values import Value
from ...ops import Math, MathSince04
from ...ops.builder import Builder
from ...ops.constants import round_to
from ..lang.library.complementary_error import erfc
from . import scalars

Function = Callable[..., Value]


def library(name: str) -> Function:
    return lambda at, *operands: scalars.called(at, name, operands)


def _instruction(variant: str) -> Function:
    kind = Math if variant == "exp" else MathSince04
    return lambda at, a: at.add(kind(at.location, [a.type], variant=variant, a=a)).results[0]


def _number(builder: Builder, like: Value, number: float) -> Value:
    return builder.constant(like.type, round_to(number, like.type))


def angle(builder: Builder, y: Value, x: Value) -> Value:
    """The angle of a point: the arc tangent of the smaller coordinate by the larger one, turned to its octant."""
    zero = builder.zero(x.type)
    across, up = builder.unary("abs", x), builder.unary("abs", y)
    is_steep = builder.compare("gt", up, across)
    small, large = (scalars.select(builder, is_steep, *pair) for pair in ((across, up), (up, across)))
    ratio = builder.arith("div", small, large)
    # the ratio of two zeros, and that of two infinities, is no number
    ratio = scalars.select(builder, builder.compare("eq", large, zero), zero, ratio)
    ratio = scalars.select(
        builder, builder.compare("eq", small, scalars.floating(builder, x.type, math.inf)), builder.one(x.type), ratio
    )
    first = scalars.called(builder, "atan", [ratio])
    first = scalars.select(builder, is_steep, builder.arith("sub", _number(builder, x, math.pi / 2), first), first)
    is_left = builder.compare("lt", scalars.with_sign(builder, builder.one(x.type), x), zero)
    first = scalars.select(builder, is_left, builder.arith("sub", _number(builder, x, math.pi), first), first)
    either = builder.arith("or", scalars.is_nan(builder, x), scalars.is_nan(builder, y))
    return scalars.select(builder, either, builder.arith("add", x, y), scalars.with_sign(builder, first, y))


def log_of_one_more(builder: Builder, a: Value) -> Value:
    """log(1 + a): the logarithm of what 1 + a is rounded to, scaled by what is lost."""
    one = builder.one(a.type)
    more = builder.arith("add", one, a)
    added = builder.arith("sub", more, one)
    scaled = builder.arith("div", builder.arith("mul", _instruction("log")(builder, more), a), added)
    is_itself = builder.arith(
        "or", builder.compare("eq", more, one), builder.compare("eq", a, scalars.floating(builder, a.type, math.inf))
    )
    return scalars.select(builder, is_itself, a, scaled)


def _cubic_root(builder: Builder, a: Value) -> Value:
    """The power of a third, and a step of Newton's."""
    size, zero = builder.unary("abs", a), builder.zero(a.type)
    root = scalars.called(builder, "pow", [size, _number(builder, a, 1 / 3)])
    square = builder.arith("mul", root, root)
    off = builder.arith("sub", builder.arith("mul", square, root), size)
    step = builder.arith("div", off, builder.arith("mul", _number(builder, a, 3.0), square))
    is_end = builder.arith(
        "or",
        builder.compare("eq", size, zero),
        builder.compare("eq", size, scalars.floating(builder, a.type, math.inf)),
    )
    return scalars.with_sign(builder, scalars.select(builder, is_end, root, builder.arith("sub", root, step)), a)


def _root(builder: Builder, a: Value) -> Value:
    return scalars.called(builder, "sqrt", [a])


def _area_of_sine(builder: Builder, a: Value) -> Value:
    size, one = builder.unary("abs", a), builder.one(a.type)
    square = builder.arith("mul", size, size)
    below = builder.arith("add", one, _root(builder, builder.arith("add", square, one)))
    sum_ = builder.arith("add", size, builder.arith("div", size, builder.arith("div", below, size)))
    is_zero = builder.compare("eq", size, builder.zero(a.type))
    return scalars.with_sign(builder, scalars.select(builder, is_zero, size, log_of_one_more(builder, sum_)), a)


def _area_of_cosine(builder: Builder, a: Value) -> Value:
    rest = builder.arith("sub", a, builder.one(a.type))
    inner = builder.arith("add", builder.arith("add", rest, rest), builder.arith("mul", rest, rest))
    return log_of_one_more(builder, builder.arith("add", rest, _root(builder, inner)))


def _area_of_tangent(builder: Builder, a: Value) -> Value:
    one = builder.one(a.type)
    ratio = builder.arith("div", builder.arith("add", a, a), builder.arith("sub", one, a))
    return builder.arith("mul", _number(builder, a, 0.5), log_of_one_more(builder, ratio))


FUNCTIONS: dict[str, Function] = {
    **{word: _instruction(word) for word in ("exp", "exp2", "log", "log2", "sin", "cos")},
    **{
        word: library(word)
        for word in (
            *("sqrt", "rsqrt", "tan", "asin", "acos", "atan", "sinh", "cosh"),
            *("tanh", "expm1", "erf", "floor", "ceil"),
        )
    },
    "erfc": lambda at, a: scalars.called(at, erfc, [a]),
    "log1p": log_of_one_more,
    "cbrt": _cubic_root,
    "asinh": _area_of_sine,
    "acosh": _area_of_cosine,
    "atanh": _area_of_tangent,
}
"""Of one number, by their names in MLIR's math."""
