"""Arc tangent, arc sine and arc cosine, as sums of two numbers where an angle is added that is known to more digits."""

from __future__ import annotations

from typing import Any

from ..scalars import f32, f64
from .polynomials import halves, polynomial
from .roots import root_of_positive
from .trigonometry import TINY

# (atan(t) / t - 1) / t² by powers of t², for t up to 7/16 in size
TANGENT = (
    -0.3333333333333333,
    0.1999999999999941,
    -0.14285714285566672,
    0.1111111109663336,
    -0.09090908355081977,
    0.07692285541401948,
    -0.06666241706297325,
    0.05876944220330461,
    -0.052166649790788854,
    0.044921989571273566,
    -0.03312674367384146,
    0.014771803541259421,
)
# (asin(s) / s - 1) / s² by powers of s², for s up to 1/2 in size
SINE = (
    0.16666666666666669,
    0.07499999999998433,
    0.04464285714635543,
    0.030381944138531247,
    0.02237217294214989,
    0.017352392720869973,
    0.013971212973552933,
    0.011479177415184906,
    0.01032281435018578,
    0.005457506718640358,
    0.01740087944269402,
    -0.014851887071247204,
    0.028757851367421566,
)
HALF_PI, HALF_PI_REST = 1.5707963267948966, 6.123233995736766e-17
# the arc tangents of 1/2, of 1 and of 3/2
HALF, HALF_REST = 0.4636476090008061, 2.2698777452961687e-17
ONE, ONE_REST = 0.7853981633974483, 3.061616997868383e-17
THREE_HALVES, THREE_HALVES_REST = 0.982793723247329, 1.3903311031230998e-17


def atan_f64(x: Any) -> Any:
    size = abs(x)
    result = arc_of_tangent(size)
    result = -result if x < 0.0 else result
    # a zero keeps its sign
    return x if size < TINY else result


def arc_of_tangent(size: Any) -> Any:
    """The arc tangent of a number from 0 on: that of the nearest of some numbers, and the rest of it."""
    t, near, rest = size, f64(0.0), f64(0.0)
    if size >= 2.4375:
        t = -1.0 / size
        near = f64(HALF_PI)
        rest = f64(HALF_PI_REST)
    elif size >= 1.1875:
        t = (size - 1.5) / (1.0 + 1.5 * size)
        near = f64(THREE_HALVES)
        rest = f64(THREE_HALVES_REST)
    elif size >= 0.6875:
        t = (size - 1.0) / (size + 1.0)
        near = f64(ONE)
        rest = f64(ONE_REST)
    elif size >= 0.4375:
        t = (2.0 * size - 1.0) / (2.0 + size)
        near = f64(HALF)
        rest = f64(HALF_REST)
    z = t * t
    return near + (t + (t * (z * polynomial(z, TANGENT)) + rest))


def asin_f64(x: Any) -> Any:
    size = abs(x)
    if size < 0.5:
        z = x * x
        return x if size < TINY else x + x * (z * polynomial(z, SINE))
    if size < 1.0:
        # π/2 - 2 asin(√((1 - x) / 2))
        z, head, low = half_angle(1.0 - size)
        root = head + low
        twice = 2.0 * (root * (z * polynomial(z, SINE)))
        result = ONE - ((twice - (HALF_PI_REST - 2.0 * low)) - (ONE - 2.0 * head))
        return -result if x < 0.0 else result
    return at_the_end(x, HALF_PI * x)


def acos_f64(x: Any) -> Any:
    size = abs(x)
    if size < 0.5:
        z = x * x
        return HALF_PI - (x - (HALF_PI_REST - x * (z * polynomial(z, SINE))))
    if size < 1.0:
        z, head, low = half_angle(1.0 - size)
        root = head + low
        p = root * (z * polynomial(z, SINE))
        if x < 0.0:
            return 2.0 * (HALF_PI - (root + (p - HALF_PI_REST)))
        return 2.0 * (head + (p + low))
    return at_the_end(x, f64(0.0) if x > 0.0 else 2.0 * f64(HALF_PI))


def half_angle(rest: Any) -> Any:
    """Half of a number between 0 and 1/2, and its root as the sum of two numbers, the first of 26 bits."""
    z = 0.5 * rest
    root = root_of_positive(z)
    head = halves(root)[0]
    return z, head, (z - head * head) / (root + head)


def at_the_end(x: Any, end: Any) -> Any:
    """What a function is at 1 and -1; nan beyond."""
    return end if abs(x) == 1.0 else (x - x) / (x - x)


# f32, in f64


def atan_f32(x: Any) -> Any:
    return f32(atan_f64(f64(x)))


def asin_f32(x: Any) -> Any:
    return f32(asin_f64(f64(x)))


def acos_f32(x: Any) -> Any:
    return f32(acos_f64(f64(x)))
