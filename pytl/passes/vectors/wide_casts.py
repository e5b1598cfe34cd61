"""Casts between integers of 64 bits and floats, in vectors, where no instruction has them.

Before AVX-512, x86 casts such integers one by one, and Intel's driver calls a function for them on all processors. The
numbers of a vector are mostly small, so that one comparison decides for a shorter way. Results are those of the
language's cast: rounded once, and 0 for a float that no such integer is.
"""

from __future__ import annotations

from ...ir.types import ScalarType, f32, f64, i32, i64
from ...ir.values import Value
from ..targets import vector
from .code import Code

_MANTISSA = 52
"""Bits of an f64's mantissa that it stores."""
_UNIT = 2.0**_MANTISSA
"""From here on an f64 is a whole number, and its last bits are those of an integer."""
_MIDDLE = 1.5 * _UNIT
"""The same for integers of both signs, up to 2**51 of each."""
_HALF = 32
"""Bits of half an integer."""
_LOST = 11
"""The last bits of an integer of 64, which an f64 may not have."""
_NEAR = 30
"""The bits of numbers from which a vector of steps stays in i32."""
_END = 2.0**63
"""The first whole number behind those of 64 bits."""


def to_float(code: Code, a: Value, target: ScalarType) -> Value:
    """Integers of 64 bits as floats.

    Only a call takes longer than the formulas of large numbers: instructions load one number after the other faster.
    """
    if not code.calls_for_casts:
        return code.cast(a, target)
    a = code.cast(a, i64)
    span = code.literal(i64, 1 << (_MANTISSA - 1), a.type.lanes)
    width = code.literal(i64, _MANTISSA, a.type.lanes)
    is_far = code.compare("ne", code.arith("shr", code.arith("add", a, span), width), code.zeros_like(a))
    (found,) = code.branch(
        code.reduce("or", is_far),
        lambda: [code.cast(_far_to_float(code, a, target), target)],
        lambda: [code.cast(_small_to_float(code, a), target)],
    )
    return found


def steps_to_float(code: Code, first: Value, step: int, lanes: int, target: ScalarType) -> Value:
    """Integers of 64 bits from `first` on, each larger by the same, as floats."""

    def of(type_: ScalarType) -> Value:
        return code.step(code.cast(first, type_), lanes, step)

    reach = (abs(step) * lanes).bit_length()
    if reach >= _NEAR:
        return to_float(code, of(i64), target)
    # of numbers below 2**30 none leaves i32 on the way
    far = code.compare("ne", code.arith("shr", first, code.constant(i64, _NEAR)), code.constant(i64, 0))
    (found,) = code.branch(far, lambda: [to_float(code, of(i64), target)], lambda: [code.cast(of(i32), target)])
    return found


def _small_to_float(code: Code, a: Value) -> Value:
    """Integers from -2**51 on and below 2**51 as f64, which are exact."""
    middle = code.literal(f64, _MIDDLE, a.type.lanes)
    stored = code.arith("add", a, code.bitcast(middle, a.type))
    return code.arith("sub", code.bitcast(stored, middle.type), middle)


def _far_to_float(code: Code, a: Value, target: ScalarType) -> Value:
    """Any integers as f64, rounded as for a cast to the target."""
    lanes = a.type.lanes

    def number(value: int) -> Value:
        return code.literal(i64, value, lanes)

    if target != f64:
        # where not all bits fit f64, one stands for all that f32 never has: the second rounding is then the only one
        cut = code.arith("and", a, number((1 << _LOST) - 1))
        some = code.select(code.compare("ne", cut, number(0)), number(1 << (_LOST - 1)), number(0))
        odd = code.arith("or", code.arith("sub", a, cut), some)
        far = code.arith("shr", code.arith("add", a, number(1 << (_MANTISSA + 1))), number(_MANTISSA + 2))
        a = code.select(code.compare("ne", far, number(0)), odd, a)
    low = code.arith("and", a, number((1 << _HALF) - 1))
    high = code.arith("shr", a, number(_HALF))
    high = code.arith("mul", _small_to_float(code, high), code.literal(f64, 2.0**_HALF, lanes))
    return code.arith("add", high, _small_to_float(code, low))


def to_integer(code: Code, x: Value, target: ScalarType) -> Value:
    """Floats as integers of 64 bits, of a type of these."""
    x = code.cast(x, f32) if x.type.element.size == 2 else x
    type_, lanes = x.type.element, x.type.lanes
    fits = code.compare("lt", code.unary("abs", x), code.literal(type_, 2.0**31, lanes))
    (found,) = code.branch(
        code.reduce("or", code.unary("not", fits)),
        lambda: [_far_to_integer(code, code.cast(x, f64)) if code.calls_for_casts else code.cast(x, i64)],
        lambda: [code.cast(code.cast(x, i32), i64)],
    )
    return code.cast(found, target)


def _far_to_integer(code: Code, x: Value) -> Value:
    """Any f64 as integers."""
    lanes, integers = x.type.lanes, code.vector(i64, x.type.lanes)
    unit = code.literal(f64, _UNIT, lanes)

    def bits_of(whole: Value) -> Value:
        return code.bitcast(code.arith("add", whole, unit), integers)

    x = code.select(_fits(code, x), x, code.zeros_like(x))
    size = code.math("floor", code.unary("abs", x))
    high = code.math("floor", code.arith("mul", size, code.literal(f64, 2.0**-_HALF, lanes)))
    low = code.arith("sub", size, code.arith("mul", high, code.literal(f64, 2.0**_HALF, lanes)))
    # the exponent of the high half is shifted out
    high = code.arith("shl", bits_of(high), code.literal(i64, _HALF, lanes))
    found = code.arith("add", high, code.arith("sub", bits_of(low), code.bitcast(unit, integers)))
    is_negative = code.compare("lt", x, code.zeros_like(x))
    return code.select(is_negative, code.unary("neg", found), found)


def _fits(code: Code, x: Value) -> Value:
    """Which floats are integers of 64 bits when they are truncated."""
    end, begin = (code.literal(x.type.element, sign * _END, x.type.lanes) for sign in (1, -1))
    return code.arith("and", code.compare("ge", x, begin), code.compare("lt", x, end))


def truncated(code: Code, x: Value) -> Value:
    """Floats as integers of 64 bits and back: toward zero, and 0 where no such integer is."""
    zeros = code.zeros_like(x)
    size, made = code.unary("abs", x), x.owner
    if not isinstance(made, vector.VectorMath) or made.variant != "floor":
        size = code.math("floor", size)
    whole = code.select(code.compare("lt", x, zeros), code.arith("sub", zeros, size), size)
    return code.select(_fits(code, x), whole, zeros)
