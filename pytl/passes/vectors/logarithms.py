"""Logarithms of f32 in vectors: of the mantissa by a polynomial, and of the power of two, both by the number's bits.

The mantissa less 1 is exact in f32. Conversions to f64 and back take as long as what they are for, so that the strict
natural logarithm is a sum of two numbers of f32. Its mantissa is multiplied by one of three numbers of few bits, which
leaves it between 0.865 and 1.125: what is no sum of two numbers is less than 1/200 of the result.
"""

from __future__ import annotations

from ...ir.types import f32, f64
from ...ir.values import Value
from .code import Code
from .formulas import Formulas

# (log(1 + f) - f + f²/2) / f³ by powers of f: those that are computed in f64, and further ones
WIDE_SERIES = (0.33333333281199246, -0.24999990275042186, 0.20000010039684973)
SERIES = (
    -0.16668001523071926,
    0.14286524547786641,
    -0.12450743320911725,
    0.1103778335905502,
    -0.10646191638199634,
    0.10530864738938345,
    -0.06201500119018334,
)
NARROW_SERIES = (
    0.33333330728190674,
    -0.25000306422569796,
    0.2000104509416068,
    -0.16641281463106394,
    0.14214495923947962,
    -0.1299818376365153,
    0.12622319849228378,
    -0.0790274377239344,
)
"""The same, to the digits of f32."""
SHORT_SERIES = (
    0.3333333510395713,
    -0.2500002157920561,
    0.19998149066424045,
    -0.16658745067388162,
    0.14573194475597065,
    -0.13126683176261528,
)
"""The same, for f from -0.136 to 0.125."""
LEAST, INFINITY, HALF = 1 << 23, 0xFF << 23, 1 << 31
"""The bits of the least number that is stored with all of its bits, and of infinity; and half of all integers."""
ROOT_OF_HALF, LN2, INVERSE_LN2 = 0.7071067811865476, 0.6931471805599453, 1.4426950408889634
FIRST, SECOND, THIRD = 0.69230769, 0.89, 1.11
"""Where mantissas begin, and those that are multiplied by another number."""
LN2_PARTS = (0.693145751953125, 1.4286068203094173e-06)
"""The first one has 16 bits behind the point, so that its products with exponents are exact."""
FACTORS = ((1.25, -0.22314453125, 9.799357902442336e-07), (0.8125, 0.2076416015625, -2.2367842554983845e-06))
"""What is multiplied with, and the logarithm of its inverse in two such parts."""


def natural(code: Code, x: Value, is_fast: bool) -> tuple[Value, Value]:
    of = Formulas(code, f32, x.type.lanes)
    if not is_fast:
        return _sum_of_two(of, x), _is_plain(of, x)
    exponent, logarithm = _parts(of, x, is_fast)
    return of.fma(exponent, LN2, logarithm), _is_plain(of, x)


def binary(code: Code, x: Value, is_fast: bool) -> tuple[Value, Value]:
    of = Formulas(code, f32, x.type.lanes)
    to = of if is_fast else Formulas(code, f64, x.type.lanes)
    exponent, logarithm = _parts(of, x, is_fast)
    return of.of(to.fma(logarithm, INVERSE_LN2, exponent)), _is_plain(of, x)


def _is_plain(of: Formulas, x: Value) -> Value:
    """Whether all of a number's bits are stored, and it has no sign: one comparison of what wraps around."""
    moved = of.code.arith("add", of.bits(x), of.code.literal(of.integer, HALF - LEAST, of.lanes))
    return of.code.compare("lt", moved, of.code.literal(of.integer, INFINITY - LEAST - HALF, of.lanes))


def _split(of: Formulas, x: Value, first: float) -> tuple[Value, Value]:
    """The exponent as an integer, and the mantissa, from a first one on."""
    bits = of.bits(x)
    exponent = of.shifted("shr", of.code.arith("sub", bits, of.bits(first)), of.mantissa)
    return exponent, of.from_bits(of.code.arith("sub", bits, of.shifted("shl", exponent, of.mantissa)))


def _parts(of: Formulas, x: Value, is_fast: bool) -> tuple[Value, Value]:
    """The exponent, and the logarithm of the mantissa, in f64 or f32."""
    to = of if is_fast else Formulas(of.code, f64, of.lanes)
    exponent, mantissa = _split(of, x, ROOT_OF_HALF)
    less = of.sub(mantissa, 1.0)
    f = to.of(less)
    if is_fast:
        rest = of.polynomial(less, NARROW_SERIES)
    else:
        rest = to.polynomial(f, WIDE_SERIES, to.of(of.polynomial(less, SERIES)))
    return to.of(exponent), to.fma(to.mul(f, f), to.fma(rest, f, -0.5), f)


def _sum_of_two(of: Formulas, x: Value) -> Value:
    exponent, mantissa = _split(of, x, FIRST)
    is_low, is_high = of.compare("lt", mantissa, SECOND), of.compare("ge", mantissa, THIRD)
    factor, high, low = (
        of.select(is_high, last, of.select(is_low, first, plain))
        for first, last, plain in zip(*FACTORS, (1.0, 0.0, 0.0))
    )
    f = of.fma(mantissa, factor, -1.0)
    k = of.of(exponent)
    high, low = of.fma(k, LN2_PARTS[0], high), of.fma(k, LN2_PARTS[1], low)
    # f - f²/2, and what that is off by
    negative = of.mul(f, -0.5)
    near = of.fma(negative, f, f)
    error = of.fma(negative, f, of.sub(f, near))
    # high is zero, or the larger one
    total = of.add(high, near)
    rest = of.add(of.add(of.sub(near, of.sub(total, high)), error), low)
    cube = of.mul(of.mul(f, f), f)
    return of.add(total, of.fma(cube, of.polynomial(f, SHORT_SERIES), rest))
