"""The exponential function of vectors of f32, in vector code.

A library's function is a call for each register, around which all other registers are stored. Written out, functions of
several vectors overlap, and nothing is stored. The error is below 1 ulp where multiply-adds are rounded once, and below
1.2 elsewhere. With `fastmath`, results below 2^-125 are zero, which takes three instructions less.
"""

from __future__ import annotations

from ...ir.types import VectorType, f32, i32
from ...ir.values import Value
from .code import Code

LOWEST, HIGHEST = -104.0, 89.0
"""Beyond these, results are zero and infinity."""
LOWEST_FAST = -87.33654
"""With `fastmath`: minus 126 times the logarithm of two, whose factor is zero."""
LOG2_E = 1.44269504088896341
LN2_HIGH, LN2_LOW = 0.693145751953125, 1.42860682030941723212e-6
"""The logarithm of two in two parts, of which the first one times an exponent is exact."""
SHIFT = 1.5 * 2.0**23
"""Added to a number of at most 2²¹, this leaves it rounded to a whole one, which the lowest bits then have."""
BIAS = 127
"""What an exponent is stored with."""
COEFFICIENTS = (
    1.9875691500e-4,
    1.3981999507e-3,
    8.3334519073e-3,
    4.1665795894e-2,
    1.6666665459e-1,
    5.0000001201e-1,
    1.0,
    1.0,
)
"""Of e^r for r within half the logarithm of two, that of the highest power first (S. Moshier's Cephes)."""
MANTISSA = 23
"""Bits of a number of f32 below its exponent."""


def has_code(code: Code, variant: str, type_: object) -> bool:
    """Whether a function of vectors of a type is written out here."""
    return variant == "exp" and type_ == f32 and not code.is_scalable


def exp(code: Code, x: Value, is_fast: bool) -> Value:
    """e^x, lane by lane: 2^n e^r, where n is the nearest whole number to x / ln 2."""
    lanes = x.type.lanes

    def number(value: float) -> Value:
        return code.literal(f32, value, lanes)

    # a comparison with nan is false, so that nan stays
    lowest = LOWEST_FAST if is_fast else LOWEST
    x = code.select(code.compare("gt", x, number(HIGHEST)), number(HIGHEST), x)
    x = code.select(code.compare("lt", x, number(lowest)), number(lowest), x)
    # what exponents are stored with is in the lowest bits, too: of one factor of 2^(n - 1), or of two
    shift = number(SHIFT + (BIAS - 1 if is_fast else 2 * BIAS))
    shifted = code.fma(x, number(LOG2_E), shift)
    n = code.arith("sub", shifted, shift)
    r = code.fma(n, number(-LN2_LOW), code.fma(n, number(-LN2_HIGH), x))
    power = number(COEFFICIENTS[0])
    for coefficient in COEFFICIENTS[1:]:
        power = code.fma(power, r, number(coefficient))
    stored = code.bitcast(shifted, VectorType(i32, lanes))
    if is_fast:
        power, exponents = code.arith("add", power, power), [stored]
    else:
        # n may be beyond the exponents of normal numbers
        half = code.arith("shr", stored, code.literal(i32, 1, lanes))
        exponents = [half, code.arith("sub", stored, half)]
    for exponent in exponents:
        # what is beside the lowest bits leaves at the other end
        factor = code.arith("shl", exponent, code.literal(i32, MANTISSA, lanes))
        power = code.arith("mul", power, code.bitcast(factor, x.type))
    return power
