"""Powers with a floating point exponent, 2**(y log2(x)), with the special cases of IEEE's and NumPy's power.

In f64 the logarithm and its product with y are sums of two numbers: the product's error shows in the result, and the
product is as large as 1024.
"""

from __future__ import annotations

from typing import Any

from ..scalars import f32, f64
from .logarithms import log2_of_parts
from .polynomials import fast_two_sum, polynomial, two_product, two_sum
from .roots import LARGEST, narrow_root, root_of_positive
from .rounding import floor_f64, nearest
from .scaling import mantissa, mantissa_narrow, power_of_two, power_of_two_narrow

THIRD, THIRD_REST = 0.3333333333333333, 1.850371707708594e-17
FIFTH, FIFTH_REST = 0.2, -1.1102230246251566e-17
# (log((1 + s) / (1 - s)) / 2s - 1 - s²/3 - s⁴/5) / s⁶ by powers of s², for mantissas in [√½, √2)
SERIES = (
    0.14285714285714285,
    0.11111111111111474,
    0.09090909090650334,
    0.07692307762474186,
    0.06666657336287021,
    0.058830251424611485,
    0.0523644770717523,
    0.05308572170605708,
)
TWO_OVER_LN2, TWO_OVER_LN2_REST = 2.8853900817779268, 4.0710547481862066e-17
LN2, LN2_REST = 0.6931471805599453, 2.3190468138462996e-17
# (exp(z) - 1 - z) / z² by powers of z, for z up to ln(2)/2 in size
EXPONENTIAL = (
    0.5,
    0.1666666666666667,
    0.04166666666666667,
    0.008333333333326141,
    0.0013888888888883752,
    0.00019841269874801073,
    2.480158732553378e-05,
    2.7557255425009614e-06,
    2.7557273660822466e-07,
    2.510520668068106e-08,
    2.0914679595617734e-09,
)
SHORT_EXPONENTIAL = (
    0.5,
    0.16666666718998416,
    0.041666666718981754,
    0.008333298483352309,
    0.001388885404921242,
    0.00019899274293835886,
    2.4859578557659402e-05,
)


def pow_f64(x: Any, y: Any) -> Any:
    size = abs(x)
    if 0.0 < size <= LARGEST and abs(y) <= LARGEST:
        return with_sign(x, y, power_of_positive(size, y))
    return special_power(x, y)


def pow_f32(x: Any, y: Any) -> Any:
    base, exponent = f64(x), f64(y)
    size = abs(base)
    if 0.0 < size <= LARGEST and abs(exponent) <= LARGEST:
        return f32(with_sign(base, exponent, short_power(size, exponent)))
    return f32(special_power(base, exponent))


def with_sign(x: Any, y: Any, power: Any) -> Any:
    """The power of x, from that of its size: negative for an odd y, and nan for a y with a fraction, if x is."""
    if x < 0.0:
        if floor_f64(y) != y:
            return (x - x) / (x - x)
        return -power if is_odd(y) else power
    return power


def is_odd(y: Any) -> Any:
    """Whether a whole number is odd."""
    half = 0.5 * y
    return floor_f64(half) != half


def special_power(x: Any, y: Any) -> Any:
    """The power where x is zero, infinite or nan, or y is infinite or nan."""
    if y == 0.0 or x == 1.0:
        return f64(1.0)
    if x != x or y != y:
        return x + y
    size = abs(x)
    if abs(y) > LARGEST:
        if size == 1.0:
            return f64(1.0)
        return abs(y) if (size - 1.0) * y > 0.0 else f64(0.0)
    # x is zero or infinite; the sign of a zero shows in its inverse
    result = size if y > 0.0 else 1.0 / size
    negative = x < 0.0 or 1.0 / x < 0.0
    odd = floor_f64(y) == y and is_odd(y)
    return -result if negative and odd else result


def power_of_positive(x: Any, y: Any) -> Any:
    """x**y for finite numbers, and x above zero."""
    if x == 1.0:
        return f64(1.0)
    high, low = long_logarithm(x)
    # y so large that its parts would overflow leads out of range by far, since x is not 1
    near = y * high
    if near >= 1025.0:
        return 1.0 / f64(0.0)
    if near <= -1077.0:
        return f64(0.0)
    product, error = two_product(y, high)
    return long_power_of_two(product, error + y * low)


def long_logarithm(x: Any) -> Any:
    """The logarithm to the base 2 of a positive f64, as the sum of two numbers."""
    m, k = mantissa(x)
    # s = (m - 1) / (m + 1) and what it is off by
    f = m - 1.0
    d, d_rest = two_sum(m, f64(1.0))
    s = f / d
    product, error = two_product(s, d)
    s_rest = (((f - product) - error) - s * d_rest) / d
    # q = s²/3 + s⁴/5 + …
    z, z_rest = two_product(s, s)
    z_rest = z_rest + 2.0 * (s * s_rest)
    c, c_rest = fast_two_sum(f64(FIFTH), z * polynomial(z, SERIES))
    product, error = two_product(z, c)
    error = error + (z * (c_rest + FIFTH_REST) + z_rest * c)
    c, c_rest = fast_two_sum(f64(THIRD), product)
    c_rest = c_rest + (THIRD_REST + error)
    q, q_rest = two_product(z, c)
    q_rest = q_rest + (z * c_rest + z_rest * c)
    # log(m) = 2 (s + s q)
    product, error = two_product(s, q)
    high, low = fast_two_sum(s, product)
    low = low + (error + (s * q_rest + (s_rest + s_rest * q)))
    product, error = two_product(high, TWO_OVER_LN2)
    error = error + (high * TWO_OVER_LN2_REST + low * TWO_OVER_LN2)
    total, rest = fast_two_sum(k, product) if k != 0.0 else (product, f64(0.0))
    return fast_two_sum(total, rest + error)


def long_power_of_two(high: Any, low: Any) -> Any:
    """2 to the power of the sum of two numbers, the first of which lies between -1077 and 1025."""
    n = nearest(high)
    r, r_rest = two_sum(high - n, low)
    z, z_rest = two_product(r, LN2)
    z_rest = z_rest + (r * LN2_REST + r_rest * LN2)
    total, rest = fast_two_sum(f64(1.0), z)
    result = total + (rest + (z * z * polynomial(z, EXPONENTIAL) + (z_rest + z_rest * z)))
    return scaled(result, n)


def scaled(m: Any, n: Any) -> Any:
    """m 2**n for a whole n between -1077 and 1025, rounded once, also where it is subnormal."""
    first, last = n, f64(1.0)
    if n > 900.0:
        first = n - 200.0
        last = f64(2.0**200)
    elif n < -900.0:
        first = n + 200.0
        last = f64(2.0**-200)
    return m * power_of_two(first) * last


def short_power(x: Any, y: Any) -> Any:
    """x**y for numbers of f32, given and computed as f64; what is out of range of f32 is so of f64's result."""
    m, k = x, f64(0.0)
    if x < 1.0:
        m = x * 2.0**150
        k = f64(-150.0)
    m, k = mantissa_narrow(m, k)
    near = y * log2_of_parts(m, k)
    if near >= 129.0:
        return f64(2.0**129)
    if near <= -152.0:
        return f64(0.0)
    n = nearest(near)
    z = (near - n) * LN2
    return (1.0 + (z + z * z * polynomial(z, SHORT_EXPONENTIAL))) * power_of_two_narrow(n)


def half_power_f64(x: Any) -> Any:
    """The power with exponent 0.5: the square root, but for -0.0 and -inf, whose powers are positive."""
    if 0.0 < x <= LARGEST:
        return root_of_positive(x)
    return half_power_of_others(x)


def half_power_f32(x: Any) -> Any:
    wide = f64(x)
    if 0.0 < wide <= LARGEST:
        return f32(narrow_root(wide))
    return f32(half_power_of_others(wide))


def half_power_of_others(x: Any) -> Any:
    size = abs(x)
    if size == 0.0 or size > LARGEST:
        return size
    return (x - x) / (x - x)


BODIES = {"f64": pow_f64, "f32": pow_f32}
"""The functions of x and y, by the name of their type."""
HALF_POWERS = {"f64": half_power_f64, "f32": half_power_f32}
"""The functions of x for the exponent 0.5, which are the fastest and rounded correctly."""
