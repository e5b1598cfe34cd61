"""The exponential function of vectors, in vector code.

A library's function is a call for each register, around which all other registers are stored. Written out, functions of
several vectors overlap, and nothing is stored. The error is below 1 ulp where multiply-adds are rounded once, and below
1.2 elsewhere. Where the machine has no instruction that scales by powers of two, results below 2^-125 are zero with
`fastmath`, which takes three instructions less.
"""

from __future__ import annotations

from typing import Any

from ...ir.types import ScalarType, compute_type, f32, f64, i32, i64
from ...ir.values import Value
from ...process.records import dataclass
from ..targets.sme import EXPONENTIALS
from .code import Code


@dataclass(frozen=True)
class _Form:
    """How the function of a type is computed."""

    integer: ScalarType
    """The type that has its numbers' bits."""
    mantissa: int
    """Bits of a number below its exponent."""
    bias: int
    """What is added to exponents that are stored."""
    lowest: float
    highest: float
    """Beyond these, results are zero and infinity."""
    ln2_high: float
    ln2_low: float
    """The logarithm of two in two parts, of which the first one times an exponent is exact."""
    coefficients: tuple[float, ...]
    """Of e^r for r within half the logarithm of two, that of the highest power first: those of the least error beside
    1 + r, each rounded before the ones of higher powers were chosen."""

    def shift(self, stored: int) -> float:
        """Added to a number of at most a quarter of this, it leaves that rounded to a whole one. The lowest bits then
        have that plus what the exponents of the factors are stored with: of one, of 2^(n - 1), or of two."""
        return 1.5 * 2.0**self.mantissa + stored

    @property
    def lowest_fast(self) -> float:
        """Where small results are zero: the factor of this is."""
        return (1 - self.bias) / LOG2_E


LOG2_E = 1.44269504088896341
_FORMS = {
    f32: _Form(
        *(i32, 23, 127, -104.0, 89.0, 0.693145751953125, 1.42860682030941723212e-6),
        coefficients=(
            0.001382103888317942619,
            0.008368670940399169922,
            0.04166826233267784119,
            0.1666652113199234009,
            0.4999999403953552246,
            1.0,
            1.0,
        ),
    ),
    f64: _Form(
        *(i64, 52, 1023, -746.0, 710.0, 6.93147180369123816490e-1, 1.90821492927058770002e-10),
        coefficients=(
            2.50065405651439682e-8,
            2.763045781755011398e-7,
            2.755756572761955642e-6,
            2.480149244725323137e-5,
            1.984126952992467502e-4,
            1.388888894434414569e-3,
            8.333333333483551597e-3,
            0.0416666666665269636,
            0.1666666666666642982,
            0.5000000000000011102,
            1.0,
            1.0,
        ),
    ),
}


def has_code(variant: str, type_: Any) -> bool:
    """Whether a function of vectors of a type is written out here."""
    return variant == "exp" and type_ in EXPONENTIALS


def exp(code: Code, x: Value, is_fast: bool) -> Value:
    """e^x, lane by lane: 2^n e^r, where n is the nearest whole number to x / ln 2. Halves are computed in f32."""
    lanes, given = x.type.lanes, x.type.element
    type_ = compute_type(given)
    form = _FORMS[type_]
    by_power = code.scales_by_powers(code.vector(type_, lanes))
    is_cut = is_fast and not by_power

    def number(value: float) -> Value:
        return code.literal(type_, value, lanes)

    x = code.cast(x, type_)
    # a comparison with nan is false, so that nan stays
    lowest = form.lowest_fast if is_cut else form.lowest
    x = code.select(code.compare("gt", x, number(form.highest)), number(form.highest), x)
    x = code.select(code.compare("lt", x, number(lowest)), number(lowest), x)
    shift = number(form.shift(0 if by_power else form.bias - 1 if is_cut else 2 * form.bias))
    shifted = code.fma(x, number(LOG2_E), shift)
    n = code.arith("sub", shifted, shift)
    r = code.fma(n, number(-form.ln2_low), code.fma(n, number(-form.ln2_high), x))
    power = number(form.coefficients[0])
    for coefficient in form.coefficients[1:]:
        power = code.fma(power, r, number(coefficient))
    if by_power:
        return code.cast(code.scale_by_power(power, n), given)
    stored = code.bitcast(shifted, code.vector(form.integer, lanes))
    if is_cut:
        power, exponents = code.arith("add", power, power), [stored]
    else:
        # n may be beyond the exponents of normal numbers
        half = code.arith("shr", stored, code.literal(form.integer, 1, lanes))
        exponents = [half, code.arith("sub", stored, half)]
    for exponent in exponents:
        # what is beside the lowest bits leaves at the other end
        factor = code.arith("shl", exponent, code.literal(form.integer, form.mantissa, lanes))
        power = code.arith("mul", power, code.bitcast(factor, x.type))
    return code.cast(power, given)
