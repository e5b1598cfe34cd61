"""Logarithms: of the mantissa by a series in s = f / (2 + f), where 1 + f is the mantissa, and of the power of two."""

from __future__ import annotations

from typing import Any

from ..scalars import f32, f64
from .polynomials import polynomial
from .roots import LARGEST
from .scaling import mantissa, mantissa_narrow

# (log((1 + s) / (1 - s)) / s - 2) / s² by powers of s², for mantissas in [√½, √2)
SERIES = (
    0.6666666666666666,
    0.4000000000000088,
    0.28571428570803614,
    0.22222222391713917,
    0.18181795640132906,
    0.15386239702814658,
    0.13268773138656886,
    0.13086626147840102,
)
SHORT_SERIES = (0.6666666655449709, 0.40000121839806124, 0.28550820815960665, 0.23330467216303835)
# The first summand has 32 bits, so that its product with an exponent is exact.
LN2, LN2_REST = 0.6931471803691238, 1.9082149292705877e-10
INVERSE_LN2, INVERSE_LN2_REST = 1.4426950407214463, 1.6751713164886512e-10


def log_f64(x: Any) -> Any:
    if 0.0 < x <= LARGEST:
        m, k = mantissa(x)
        f = m - 1.0
        half, rest = rest_of_logarithm(f)
        return k * LN2 - ((half - (rest + k * LN2_REST)) - f)
    return of_no_positive(x)


def of_no_positive(x: Any) -> Any:
    """The logarithm of special values: -inf for zero, inf for infinity, and nan for nan and negative numbers."""
    return -1.0 / abs(x) if x == 0.0 else (x - x) / (x - x) if x < 0.0 else x


def rest_of_logarithm(f: Any) -> Any:
    """f²/2 and the rest in log(1 + f) = f - (f²/2 - rest)."""
    s = f / (2.0 + f)
    half = 0.5 * f * f
    z = s * s
    return half, s * (half + z * polynomial(z, SERIES))


def log2_f64(x: Any) -> Any:
    if 0.0 < x <= LARGEST:
        m, k = mantissa(x)
        return log2_of_parts(m, k)
    return of_no_positive(x)


def log2_of_parts(m: Any, k: Any) -> Any:
    """The logarithm of m 2**k to the base 2, for m in [√½, √2)."""
    f = m - 1.0
    half, rest = rest_of_logarithm(f)
    # log(1 + f) as a number of 20 bits, whose product with one of 32 is exact, and the rest of it
    head = f - half
    c = 8589934593.0 * head
    head = c - (c - head)
    tail = ((f - head) - half) + rest
    product = head * INVERSE_LN2
    low = (tail + head) * INVERSE_LN2_REST + tail * INVERSE_LN2
    total = k + product
    return total + (low + ((k - total) + product))


def short_logarithm(x: Any) -> Any:
    """The exponent of a positive f32, and the logarithm of its mantissa, in f64."""
    m, k = x, f64(0.0)
    if x < 1.0:
        m = x * 2.0**150
        k = f64(-150.0)
    m, k = mantissa_narrow(m, k)
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    return k, s * (2.0 + z * polynomial(z, SHORT_SERIES))


def log_f32(x: Any) -> Any:
    wide = f64(x)
    if 0.0 < wide <= LARGEST:
        k, logarithm = short_logarithm(wide)
        return f32(k * 0.6931471805599453 + logarithm)
    return of_no_positive(x)


def log2_f32(x: Any) -> Any:
    wide = f64(x)
    if 0.0 < wide <= LARGEST:
        k, logarithm = short_logarithm(wide)
        return f32(k + logarithm * 1.4426950408889634)
    return of_no_positive(x)
