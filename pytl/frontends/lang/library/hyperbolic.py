"""The hyperbolic tangent and the error function: polynomials up to 1, and from there on 1 less a small number."""

from __future__ import annotations

from typing import Any

from ..math import exp
from ..scalars import f32, f64
from .polynomials import polynomial, polynomial_in_pairs

# (tanh(x) / x - 1) / x² by powers of x²
TANGENT = (
    -0.3333333333333333,
    0.1333333333333309,
    -0.05396825396804637,
    0.02186948852912909,
    -0.008863235404578283,
    0.003592126679366341,
    -0.0014558246920964941,
    0.0005899792946300052,
    -0.00023895705228738225,
    9.646277743313181e-05,
    -3.8389607893147334e-05,
    1.4606131676715378e-05,
    -4.987760317520347e-06,
    1.3791814499083342e-06,
    -2.6330772232959337e-07,
    2.5155023659382105e-08,
)
NARROW_TANGENT = (
    -0.33333295583724976,
    0.1333235502243042,
    -0.053880367428064346,
    0.021488163620233536,
    -0.007948187179863453,
    0.0023028042633086443,
    -0.00035884641692973673,
)
"""The same, for f32."""
# erf(x) / x - 1 by powers of x²
ERROR = (
    0.1283791670955126,
    -0.3761263890318375,
    0.11283791670954879,
    -0.026866170645076792,
    0.0052239776248180145,
    -0.000854832698083379,
    0.0001205533111164271,
    -1.4925595266831182e-05,
    1.6461000484121368e-06,
    -1.6350312701054695e-07,
    1.4659775274047436e-08,
    -1.1372848856791674e-09,
    5.957176147748911e-11,
)
# (1 - erf(x)) exp(x²) from 1 to 6, by powers of 5.6 / (1 + x) - 1.8, which lies in [-1, 1]
COMPLEMENT = (
    0.24402507744132423,
    0.16947097195130428,
    0.016466202800374023,
    -0.0021703781610291004,
    -0.00030971232530550277,
    0.00010776601399694476,
    -2.623660581058657e-06,
    -4.878961493404706e-06,
    1.2089425869031524e-06,
    1.1745588694954854e-09,
    -8.033882088436171e-08,
    2.361729369484741e-08,
    -1.482105903887243e-09,
    -1.3676246011267835e-09,
    6.316941024928813e-10,
    -1.0486207719774045e-10,
    -3.0993202516444026e-11,
    1.5489721481730434e-11,
)


NARROW_ERROR = (
    0.12837916706154343,
    -0.3761263846802871,
    0.11283782495236845,
    -0.026865430727670243,
    0.005221031807858023,
    -0.0008484080405535107,
    0.00011265959025606609,
    -9.667044571486996e-06,
)
"""As `ERROR`, for f32."""
# log(1 - erf(x)) from 1 to 4 by powers of (x - 2.5) / 1.5
NARROW_COMPLEMENT = (
    -7.806815272727264,
    -8.029021111004955,
    -2.123760906742585,
    -0.03664630296024443,
    0.010962852552154257,
    -0.003194763891509097,
    0.0008767322217607843,
    -0.00022168193713285972,
    4.6895587022581285e-05,
    -2.542888619759094e-06,
    -2.211289408057152e-06,
)
"""Of this, the complement has as many bits as f32 needs."""


def tanh_f64(x: Any) -> Any:
    size = abs(x)
    if size >= 1.0:
        result = 1.0 - 2.0 / (exp(size + size) + 1.0)
        return -result if x < 0.0 else result
    z = x * x
    # a zero keeps its sign
    return x if size < 2.0**-28 else x + x * (z * polynomial(z, TANGENT))


def tanh_f32(x: Any) -> Any:
    size = abs(x)
    if size >= 1.0:
        result = f32(1.0 - 2.0 / (exp(size + size) + 1.0))
        return -result if x < 0.0 else result
    z = x * x
    # a zero keeps its sign
    return x if size < 2.0**-14 else f32(x + x * (z * polynomial(z, NARROW_TANGENT)))


def erf_f64(x: Any) -> Any:
    size = abs(x)
    if size >= 1.0:
        result = error_from_one(size)
        return -result if x < 0.0 else result
    # eight times the number, so that the product is exact for subnormal numbers
    eightfold = 8.0 * x
    return 0.125 * (eightfold + eightfold * polynomial(x * x, ERROR))


def error_from_one(size: Any) -> Any:
    if size >= 6.0:
        return f64(1.0)
    small = polynomial(5.6 / (1.0 + size) - 1.8, COMPLEMENT)
    return 1.0 - exp(-(size * size)) * small


def erf_f32(x: Any) -> Any:
    wide = f64(x)
    size = abs(wide)
    if size >= 1.0:
        result = f32(narrow_error_from_one(size))
        return -result if x < 0.0 else result
    return f32(wide + wide * polynomial_in_pairs(wide * wide, NARROW_ERROR))


def narrow_error_from_one(size: Any) -> Any:
    if size >= 4.0:  # where the complement is less than half a unit
        return f64(1.0)
    return 1.0 - exp(polynomial_in_pairs((size - 2.5) * (1 / 1.5), NARROW_COMPLEMENT))
