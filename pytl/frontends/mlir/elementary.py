"""Functions of floating point numbers that are no instructions, in the language: those of the library, and formulas.

A formula is a function of the language, which `scalars.called` writes in place. Both values of a `where` are computed.
"""

from __future__ import annotations

import math
from typing import Any

from ...ir.values import Value
from ...ops import ArithBinary, MathSince04
from ..lang import atan, floor, pow, sqrt, where
from ..lang.function import Call, CalledFunction, function_of

HALF, QUARTER, PI, HALF_PI, THIRD = 0.5, 0.25, math.pi, math.pi / 2, 1 / 3
DIGITS_OF_TWO = math.log10(2.0)


def _instruction(variant: str) -> Any:
    """A function that is an instruction, where the language's own function of the name is written in the language."""
    return function_of(MathSince04, name=variant, variant=variant)(lambda a: a)


log, log2, sin, cos = map(_instruction, ("log", "log2", "sin", "cos"))


def _infinity(call: Call) -> Value:
    type_ = call.arguments["like"].type
    one, zero = (call.typed(number, type_, "like") for number in (1.0, 0.0))
    result: Value = call.emit(ArithBinary, variant="div", a=one, b=zero).result
    return result


infinity: Any = CalledFunction(lambda like: like, _infinity, name="infinity")
"""Infinity of a number's type: the language has no constants that are not finite, and this one is a quotient by 0."""


# Comparisons.


def is_nan(a: Any) -> Any:
    return a != a


def is_infinite(a: Any) -> Any:
    return abs(a) == infinity(a)


def is_finite(a: Any) -> Any:
    return abs(a) < infinity(a)


def has_sign(a: Any) -> Any:
    """Whether a number has a sign, as a zero may."""
    return (a < 0.0) | ((a == 0.0) & (1.0 / a < 0.0))


def with_sign(a: Any, b: Any) -> Any:
    """The first number with the second one's sign."""
    size = abs(a)
    return where(has_sign(b), -size, size)


# Rounding.


def truncated(a: Any) -> Any:
    """Rounded toward zero."""
    return with_sign(floor(abs(a)), a)


def rounded(a: Any) -> Any:
    """Rounded to the nearest whole number; of two, to the one away from zero."""
    size = abs(a)
    low = floor(size)
    return with_sign(where(size - low >= HALF, low + 1.0, low), a)


def rounded_to_even(a: Any) -> Any:
    """Rounded to the nearest whole number; of two, to the even one."""
    size = abs(a)
    low = floor(size)
    rest = size - low
    is_odd = floor(low * HALF) * 2.0 != low
    is_up = (rest > HALF) | ((rest == HALF) & is_odd)
    return with_sign(where(is_up, low + 1.0, low), a)


# Functions.


def angle(y: Any, x: Any) -> Any:
    """The angle of a point: the arc tangent of the smaller coordinate by the larger one, turned to its octant."""
    across, up = abs(x), abs(y)
    is_steep = up > across
    small, large = where(is_steep, across, up), where(is_steep, up, across)
    # the ratio of two zeros, and that of two infinities, is no number
    ratio = where(large == 0.0, 0.0, small / large)
    ratio = where(small == infinity(x), 1.0, ratio)
    first = atan(ratio)
    first = where(is_steep, HALF_PI - first, first)
    first = where(has_sign(x), PI - first, first)
    return where(is_nan(x) | is_nan(y), x + y, with_sign(first, y))


def hypotenuse(x: Any, y: Any) -> Any:
    """The square root of x² + y², whose squares do not overflow."""
    large, small = max(abs(x), abs(y)), min(abs(x), abs(y))
    ratio = small / large
    length = large * sqrt(1.0 + ratio * ratio)
    # the ratio of two zeros, and that of two infinities, is no number
    length = where((large == 0.0) | is_infinite(large), large, length)
    return where((is_nan(x) | is_nan(y)) & (large != infinity(large)), x + y, length)


def decimal_logarithm(a: Any) -> Any:
    return log2(a) * DIGITS_OF_TWO


def log_of_one_more(a: Any) -> Any:
    """log(1 + a): the logarithm of what 1 + a is rounded to, scaled by what is lost."""
    more = 1.0 + a
    scaled = log(more) * a / (more - 1.0)
    return where((more == 1.0) | (a == infinity(a)), a, scaled)


def cubic_root(a: Any) -> Any:
    """The power of a third, and a step of Newton's."""
    size = abs(a)
    root = pow(size, THIRD)
    square = root * root
    step = (square * root - size) / (3.0 * square)
    return with_sign(where((size == 0.0) | is_infinite(size), root, root - step), a)


def area_of_sine(a: Any) -> Any:
    size = abs(a)
    below = 1.0 + sqrt(size * size + 1.0)
    total = log_of_one_more(size + size / (below / size))
    return with_sign(where(size == 0.0, size, total), a)


def area_of_cosine(a: Any) -> Any:
    rest = a - 1.0
    return log_of_one_more(rest + sqrt((rest + rest) + rest * rest))


def area_of_tangent(a: Any) -> Any:
    return HALF * log_of_one_more((a + a) / (1.0 - a))
