"""Numbers as m 2^k in vectors, and powers of two, by the bits of f64.

The language has no access to bits: the library divides powers of two out one by one, each by a comparison and two
products, and multiplies them in likewise. What it so computes is known by its digest (`library.py`), and both ways are
exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.types import f64, i64
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, Compare
from ...ops.constants import constant_of
from ...ops.control import If
from ...process.records import dataclass
from .code import Code
from .library import Known, digest_of, is_step, needless_for

if TYPE_CHECKING:
    from ...ir.operation import Operation

OF_F64 = ("be6ab9ffb37d8880", "d2163e59ad43e972")
OF_F32 = ("b5546696d9e275f9", "a9e8691a9f11449c")
"""Digests of m and k of a positive f64, and of one that was an f32, with m in [√½, √2)."""
OF_POWERS = ("81dd14ec2cc57d91", "9ecd60387b96528d")
"""Digests of a power of two, of a whole f64 between -200 and 200, and between -1000 and 1000."""
_MANTISSA = 52
"""Bits of an f64 below its exponent."""
_ROOT_OF_TWO = 1.4142135623730951
_WHOLE = 1.5 * 2.0**_MANTISSA
"""Added to a whole number below 2^51 in size, its lowest bits are that number."""
_LEAST, _UP = 2.0**-1022, 54
"""The least number that is stored with all of its bits, and the power of two that makes smaller ones of that kind."""


@dataclass(frozen=True)
class Split(Known):
    """A number that a region splits so."""

    has_all_bits: bool
    """Whether the number is none of the least ones, of which some bits are not stored."""


def split(region: Region) -> Split | None:
    """The first number that a region splits in the library's way."""
    for op in region.operations:
        if is_step(op, _ROOT_OF_TWO, 2):  # the last one
            (argument, of_mantissa), (other, of_exponent) = (digest_of(result, region) for result in op.results)
            if argument is not None and argument is other and (of_mantissa, of_exponent) in (OF_F64, OF_F32):
                return Split(argument, op, needless_for(region, op), (of_mantissa, of_exponent) == OF_F32)
    return None


@dataclass(frozen=True)
class Power(Known):
    """A power of two that a region computes."""


def power_of_two(region: Region) -> Power | None:
    """The last power of two that a region computes in the library's way."""
    for op in reversed(region.operations):
        if is_step(op, 1.0, 1):  # the last one
            exponent = _doubled(op)
            if exponent is not None and digest_of(op.results[0], region, exponent)[1] in OF_POWERS:
                return Power(exponent, op, needless_for(region, op, exponent))
    return None


def _doubled(last: If) -> Value | None:
    """What decides, behind a sum with a constant, in each step of which this one is the last; else None."""
    step: Operation | None = last
    while isinstance(step, If):
        condition = step.condition.owner
        if not isinstance(condition, Compare):
            return None
        step = condition.a.owner
    return step.a if isinstance(step, ArithBinary) and constant_of(step.b) is not None else None


def power(code: Code, exponent: Value) -> Value:
    """Two to the power of whole numbers that f64 has exponents for; of others, a number."""
    lanes = exponent.type.lanes
    stored = code.arith("add", exponent, code.literal(f64, _WHOLE + 1023, lanes))
    shifted = code.arith("shl", code.bitcast(stored, code.vector(i64, lanes)), code.literal(i64, _MANTISSA, lanes))
    return code.bitcast(shifted, exponent.type)


def parts(code: Code, x: Value, has_all_bits: bool) -> tuple[Value, Value]:
    """m and k of positive finite numbers; of others, numbers."""
    lanes, integers = x.type.lanes, code.vector(i64, x.type.lanes)

    def bits_of(number: float) -> Value:
        return code.bitcast(code.literal(f64, number, lanes), integers)

    begin = code.literal(f64, 0.0, lanes)
    if not has_all_bits:
        is_small = code.compare("lt", x, code.literal(f64, _LEAST, lanes))
        x = code.select(is_small, code.arith("mul", x, code.literal(f64, 2.0**_UP, lanes)), x)
        begin = code.select(is_small, code.literal(f64, -float(_UP), lanes), begin)
    width = code.literal(i64, _MANTISSA, lanes)
    bits = code.bitcast(x, integers)
    # the exponents of numbers from √½ on are one larger than those of smaller ones
    exponent = code.arith("shr", code.arith("sub", bits, bits_of(0.5 * _ROOT_OF_TWO)), width)
    mantissa = code.bitcast(code.arith("sub", bits, code.arith("shl", exponent, width)), x.type)
    whole = code.bitcast(code.arith("add", exponent, bits_of(_WHOLE)), x.type)
    power = code.arith("sub", whole, code.literal(f64, _WHOLE, lanes))
    return mantissa, power if has_all_bits else code.arith("add", power, begin)
