"""Differences and sums of exponentials: exp(x) - 1, hyperbolic sine and cosine.

An exponential is 2**n (1 + r + rest), where r is exact and the rest is less than a quarter of it.
"""

from __future__ import annotations

from typing import Any

from ..math import exp
from ..scalars import f32, f64
from .logarithms import LN2, LN2_REST
from .polynomials import fast_two_sum, polynomial, two_sum
from .real_powers import EXPONENTIAL, scaled
from .roots import LARGEST
from .rounding import nearest
from .scaling import power_of_two_narrow

# (sinh(x) / x - 1) / x² by powers of x², for x up to 1 in size
SINE = (
    0.16666666666666666,
    0.008333333333333299,
    0.00019841269841324198,
    2.7557319191381816e-06,
    2.5052117695907823e-08,
    1.6057679623801638e-10,
    7.746178593018827e-13,
)
MIN_ONE = 40.0
"""From here on, 1 is less than half a unit of the exponential, and its inverse is, too."""
OVER = 711.0
"""From here on, the functions are out of range."""


def parts(x: Any) -> Any:
    """n, r and the rest of the exponential, for x up to 711 in size."""
    n = nearest(x * 1.4426950408889634)
    high = x - n * LN2
    low = n * LN2_REST
    r = high - low
    rest = (high - r) - low
    return n, r, rest + (r * rest + r * r * polynomial(r, EXPONENTIAL))


def large(x: Any, halvings: float) -> Any:
    """The exponential of a number from 40 to 711, divided by so many powers of two."""
    n, r, rest = parts(x)
    total, error = fast_two_sum(f64(1.0), r)
    return scaled(total + (error + rest), n - halvings)


def expm1_f64(x: Any) -> Any:
    if -MIN_ONE < x < MIN_ONE:
        n, r, rest = parts(x)
        power = power_of_two_narrow(n)
        total, error = two_sum(power - 1.0, power * r)
        # a zero keeps its sign
        return x if abs(x) < 2.0**-54 else total + (error + power * rest)
    if MIN_ONE <= x <= OVER:
        return large(x, 0.0)
    return f64(-1.0) if x < 0.0 else x * LARGEST


def sinh_f64(x: Any) -> Any:
    size = abs(x)
    if size < 1.0:
        z = x * x
        return x + x * (z * polynomial(z, SINE))
    if size <= OVER:
        result = half_of_both(size, -1.0)
        return -result if x < 0.0 else result
    return x * LARGEST


def cosh_f64(x: Any) -> Any:
    size = abs(x)
    if size <= OVER:
        return half_of_both(size, 1.0)
    return size * LARGEST


def half_of_both(size: Any, sign: float) -> Any:
    """Half of an exponential and of its inverse, the latter times a sign."""
    if size >= MIN_ONE:
        return large(size, 1.0)
    n, r, rest = parts(size)
    power = power_of_two_narrow(n)
    total, error = fast_two_sum(f64(1.0), r)
    total, error = fast_two_sum(total, error + rest)
    high, low = power * total, power * error
    inverse = 1.0 / high
    inverse = sign * (inverse - low * inverse * inverse)
    total, error = two_sum(high, inverse)
    return 0.5 * (total + (error + low))


# f32, in f64


def expm1_f32(x: Any) -> Any:
    wide = f64(x)
    # a zero keeps its sign
    return f32(wide * (1.0 + 0.5 * wide) if abs(wide) < 2.0**-18 else exp(wide) - 1.0)


def sinh_f32(x: Any) -> Any:
    wide = f64(x)
    if abs(wide) < 0.0625:
        z = wide * wide
        return f32(wide + wide * (z * polynomial(z, SINE[:2])))
    power = exp(wide)
    return f32(0.5 * (power - 1.0 / power))


def cosh_f32(x: Any) -> Any:
    power = exp(f64(x))
    return f32(0.5 * (power + 1.0 / power))
