"""Sine, cosine and tangent: the angle is reduced to [-π/4, π/4], where they are polynomials."""

from __future__ import annotations

from typing import Any

from ..scalars import f32, f64
from .polynomials import fast_two_sum, polynomial, two_product
from .reduction import reduced, reduced_short
from .roots import LARGEST

# (sin(y) / y - 1) / y² and (cos(y) - 1 + y²/2) / y⁴ by powers of y²
SINE = (
    -0.16666666666666666,
    0.008333333333333331,
    -0.00019841269841265063,
    2.7557319219337312e-06,
    -2.5052106231802837e-08,
    1.6058531516797758e-10,
    -7.586691094197958e-13,
)
COSINE = (
    0.041666666666666664,
    -0.0013888888888887398,
    2.480158729876456e-05,
    -2.7557317271145144e-07,
    2.087614614655861e-09,
    -1.1382623647474604e-11,
)
SHORT_SINE = (-0.16666666663854168, 0.008333331874273714, -0.000198400864995936, 2.7249895230611676e-06)
SHORT_COSINE = (0.041666666664320264, -0.0013888887671652504, 2.480060018036381e-05, -2.7300933687212943e-07)
TINY = 2.0**-27
"""Below this bound, the sine and the tangent of an f64 are equal to the angle."""


def sine_parts(high: Any, low: Any) -> Any:
    """The sine of high + low as a number and a correction to add."""
    z = high * high
    v = z * high
    return high, v * SINE[0] - (z * (0.5 * low - v * polynomial(z, SINE[1:])) - low)


def cosine_parts(high: Any, low: Any) -> Any:
    """The same for the cosine."""
    z = high * high
    half = 0.5 * z
    w = 1.0 - half
    return w, ((1.0 - w) - half) + (z * (z * polynomial(z, COSINE)) - high * low)


def sum_of(parts: Any) -> Any:
    return parts[0] + parts[1]


def sin_f64(x: Any) -> Any:
    size = abs(x)
    if size <= LARGEST:
        return sine_of_finite(x, size)
    return x - x


def sine_of_finite(x: Any, size: Any) -> Any:
    quadrant, high, low = reduced(size)
    sine, cosine = sum_of(sine_parts(high, low)), sum_of(cosine_parts(high, low))
    result = cosine if quadrant & 1 == 1 else sine
    result = -result if (quadrant & 2 == 2) ^ (x < 0.0) else result
    return x if size < TINY else result


def cos_f64(x: Any) -> Any:
    size = abs(x)
    if size <= LARGEST:
        return cosine_of_finite(size)
    return x - x


def cosine_of_finite(size: Any) -> Any:
    quadrant, high, low = reduced(size)
    sine, cosine = sum_of(sine_parts(high, low)), sum_of(cosine_parts(high, low))
    result = sine if quadrant & 1 == 1 else cosine
    return -result if (quadrant + 1) & 2 == 2 else result


def tan_f64(x: Any) -> Any:
    size = abs(x)
    if size <= LARGEST:
        return tangent_of_finite(x, size)
    return x - x


def tangent_of_finite(x: Any, size: Any) -> Any:
    quadrant, high, low = reduced(size)
    sine_sum, sine_rest = sine_parts(high, low)
    sine, sine_rest = fast_two_sum(sine_sum, sine_rest)
    cosine_sum, cosine_rest = cosine_parts(high, low)
    cosine, cosine_rest = fast_two_sum(cosine_sum, cosine_rest)
    # the tangent is sine / cosine in even quadrants, and -cosine / sine in odd ones
    odd = quadrant & 1 == 1
    above = cosine if odd else sine
    above_rest = cosine_rest if odd else sine_rest
    below = sine if odd else cosine
    below_rest = sine_rest if odd else cosine_rest
    near = above / below
    product, error = two_product(near, below)
    result = near + (((above - product) - error) + (above_rest - near * below_rest)) / below
    result = -result if odd ^ (x < 0.0) else result
    return x if size < TINY else result


# f32, in f64


def short_parts(size: Any) -> Any:
    """The quadrant of a finite f32 from 0 on, given as f64, with the sine and the cosine of the remainder."""
    quadrant, y = reduced_short(size)
    z = y * y
    return quadrant, y + y * z * polynomial(z, SHORT_SINE), 1.0 - 0.5 * z + z * z * polynomial(z, SHORT_COSINE)


def sin_f32(x: Any) -> Any:
    wide = f64(x)
    if abs(wide) <= LARGEST:
        quadrant, sine, cosine = short_parts(abs(wide))
        result = cosine if quadrant & 1 == 1 else sine
        result = -result if (quadrant & 2 == 2) ^ (wide < 0.0) else result
        return x if wide == 0.0 else f32(result)
    return x - x


def cos_f32(x: Any) -> Any:
    wide = f64(x)
    if abs(wide) <= LARGEST:
        quadrant, sine, cosine = short_parts(abs(wide))
        result = sine if quadrant & 1 == 1 else cosine
        return f32(-result if (quadrant + 1) & 2 == 2 else result)
    return x - x


def tan_f32(x: Any) -> Any:
    wide = f64(x)
    if abs(wide) <= LARGEST:
        quadrant, sine, cosine = short_parts(abs(wide))
        odd = quadrant & 1 == 1
        result = (-cosine if odd else sine) / (sine if odd else cosine)
        result = -result if wide < 0.0 else result
        return x if wide == 0.0 else f32(result)
    return x - x
