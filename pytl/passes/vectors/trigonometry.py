"""Sine, cosine and tangent of f32 in vectors: the rest of an angle behind multiples of π or of π/2, and one polynomial.

Multiples are subtracted in parts. Where multiply-adds are in f64, whole numbers times the first part are exact, so that
nothing depends on how products are rounded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.types import f32, f64
from ...ir.values import Value
from .code import Code
from .formulas import Formulas

# (sin(y) / y - 1) / y² by powers of y², for y up to π/2 + 0.005 in size
SINE = (
    -0.16666666663791832,
    0.008333332754323044,
    -0.00019841083066329495,
    2.7536200133241123e-06,
    -2.407411159685172e-08,
)
# (tan(y) / y - 1) / y² by powers of y², for y up to π/4 + 0.005 in size
TANGENT = (
    0.3333333333713408,
    0.1333333234929343,
    0.05396867067658787,
    0.02186274378563787,
    0.008917415988032465,
    0.0033509033736770955,
    0.0020729615947629332,
    -0.00029160806578322257,
    0.0008479923135456002,
)
NARROW_TANGENT = (
    0.3333332350591617,
    0.13334461959522856,
    0.053761316129367534,
    0.023230167393892078,
    0.004955304954662552,
    0.008353299768168516,
)
"""The same, to the digits of f32."""
PI_PARTS = (3.1415926534682512, 1.2154201013012384e-10)
"""Of 33 bits and of 53."""
NARROW_PI_PARTS = (3.141592502593994, 1.5099578831723193e-07, 1.078060505991553e-14)
"""Of 24 bits each."""
INVERSE_PI = 0.3183098861837907
MOST = 1e5
"""Up to this, angles less multiples of π/2 are as exact as they have to be."""


def sine(code: Code, x: Value, is_fast: bool) -> tuple[Value, Value]:
    return _odd(lambda each: _of_multiples(code, each, is_fast, 0.0), code, x, is_fast)


def cosine(code: Code, x: Value, is_fast: bool) -> tuple[Value, Value]:
    return _of_multiples(code, x, is_fast, 0.5)


def tangent(code: Code, x: Value, is_fast: bool) -> tuple[Value, Value]:
    return _odd(lambda each: _tangent(code, each, is_fast), code, x, is_fast)


def _odd(write: Callable[[Value], tuple[Value, Value]], code: Code, x: Value, is_fast: bool) -> tuple[Value, Value]:
    """A function whose sign changes with that of x. In f32, of which a zero loses its sign, it is one of the size."""
    if not is_fast:
        return write(x)
    found, is_small = write(code.unary("abs", x))
    return Formulas(code, f32, x.type.lanes).with_sign_changed_by(found, x), is_small


def _of_multiples(code: Code, x: Value, is_fast: bool, beside: float) -> tuple[Value, Value]:
    """The sine of what is left behind a whole number of π and a part of it, with the sign that this multiple has."""
    of = Formulas(code, f32, x.type.lanes)
    # a cosine is negative behind an even number of π, and a half
    whole = of.whole + 2.0 * beside
    if beside:
        stored = of.add(of.fma(x, INVERSE_PI, -beside), whole)
        multiple = of.add(of.sub(stored, whole), beside)
    else:
        stored = of.fma(x, INVERSE_PI, whole)
        multiple = of.sub(stored, whole)
    found = _of_rest(of, x, multiple, 1.0, SINE, is_fast)
    return of.negated_if_odd(of.of(found), of.bits(stored)), _is_small(code, x)


def _of_rest(
    of: Formulas, x: Value, multiple: Value, scale: float, coefficients: Sequence[float], is_fast: bool
) -> Value:
    """A function of an angle less a multiple of π times a power of two."""
    to = of if is_fast else Formulas(of.code, f64, of.lanes)
    rest, multiple = to.of(x), to.of(multiple)
    for part in NARROW_PI_PARTS if is_fast else PI_PARTS:
        rest = to.fma(multiple, -scale * part, rest)
    square = to.mul(rest, rest)
    polynomial = to.polynomial(square, coefficients)
    if is_fast:
        return to.fma(to.mul(rest, square), polynomial, rest)
    # a product keeps the sign of zero
    return to.mul(rest, to.fma(square, polynomial, 1.0))


def _is_small(code: Code, x: Value) -> Value:
    to = Formulas(code, f32, x.type.lanes)
    return to.compare("le", code.unary("abs", x), MOST)


def _tangent(code: Code, x: Value, is_fast: bool) -> tuple[Value, Value]:
    of = Formulas(code, f32, x.type.lanes)
    stored = of.fma(x, 2.0 * INVERSE_PI, of.whole)
    multiple = of.sub(stored, of.whole)
    found = _of_rest(of, x, multiple, 0.5, NARROW_TANGENT if is_fast else TANGENT, is_fast)
    to = of if is_fast else Formulas(code, f64, of.lanes)
    # behind an odd multiple of π/2 it is the negative inverse
    is_odd = code.compare("lt", of.odd_as_sign(of.bits(stored)), code.literal(of.integer, 0, of.lanes))
    return of.of(to.select(is_odd, to.div(-1.0, found), found)), _is_small(code, x)
