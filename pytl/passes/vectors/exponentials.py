"""The exponential function of vectors, in vector code.

A library's function is a call for each register, around which all other registers are stored. Written out, functions of
several vectors overlap, and nothing is stored. The error is below 1 ulp where multiply-adds are rounded once, and below
1.3 elsewhere. Where the machine has no instruction that scales by powers of two, results below 2^-125 are zero with
`fastmath`, which takes three instructions less.
"""

from __future__ import annotations

from ...ir.types import ScalarType, compute_type, f32, f64, i32, i64
from ...ir.values import Value
from ...process.records import dataclass
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
    powers: tuple[float, ...]
    """The coefficients of the rest of e^r behind 1 + r, divided by r², from the constant one on."""

    def shift(self, stored: int) -> float:
        """Added to a number of at most a quarter of this, it leaves that rounded to a whole one. The lowest bits then
        have that plus what the exponents of the factors are stored with: of one, of 2^(n - 1), or of two."""
        return 1.5 * 2.0**self.mantissa + stored

    @property
    def lowest_fast(self) -> float:
        """Where small results are zero: the factor of this is."""
        return (1 - self.bias) / LOG2_E


LOG2_E, LN2 = 1.44269504088896341, 0.693147180559945309
# (e^r - 1 - r) / r² by powers of r, for r within half the logarithm of two
POWERS = (
    0.5000000000000001,
    0.16666666666666669,
    0.041666666666624164,
    0.008333333333330065,
    0.0013888888917196719,
    0.00019841269863040545,
    2.4801521322368692e-05,
    2.7557268480310024e-06,
    2.7620075879983367e-07,
    2.5100375832561234e-08,
)
NARROW_POWERS = (0.5, 0.1666657702559799, 0.041666554662050534, 0.008363173074513711, 0.001392617611993558)
"""The same, for f32."""
_FORMS = {
    f32: _Form(i32, 23, 127, -104.0, 89.0, 0.693145751953125, 1.42860682030941723212e-6, NARROW_POWERS),
    f64: _Form(
        *(i64, 52, 1023, -746.0, 710.0, 6.93147180369123816490e-1, 1.90821492927058770002e-10),
        powers=POWERS,
    ),
}


def exponential(code: Code, variant: str, x: Value, is_fast: bool) -> Value:
    """e^x or 2^x, lane by lane: 2^n e^r, where n is the nearest whole number to x / ln 2 or to x.

    Halves are computed in f32.
    """
    lanes, given = x.type.lanes, x.type.element
    type_ = compute_type(given)
    form = _FORMS[type_]
    by_power = code.scales_by_powers(code.vector(type_, lanes))
    is_cut = (is_fast or variant.startswith("native")) and not by_power
    has_base_two = variant.endswith("exp2")

    def number(value: float) -> Value:
        return code.literal(type_, value, lanes)

    x = code.cast(x, type_)
    # a comparison with nan is false, so that nan stays
    lowest, highest = form.lowest_fast if is_cut else form.lowest, form.highest
    if has_base_two:
        lowest, highest = lowest * LOG2_E, highest * LOG2_E
    x = code.select(code.compare("gt", x, number(highest)), number(highest), x)
    x = code.select(code.compare("lt", x, number(lowest)), number(lowest), x)
    shift = number(form.shift(0 if by_power else form.bias - 1 if is_cut else 2 * form.bias))
    shifted = code.arith("add", x, shift) if has_base_two else code.fma(x, number(LOG2_E), shift)
    n = code.arith("sub", shifted, shift)
    if has_base_two:
        r = code.arith("mul", code.arith("sub", x, n), number(LN2))
    else:
        r = code.fma(n, number(-form.ln2_low), code.fma(n, number(-form.ln2_high), x))
    power, *others = map(number, reversed((1.0, 1.0, *form.powers)))
    for coefficient in others:
        power = code.fma(power, r, coefficient)
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
