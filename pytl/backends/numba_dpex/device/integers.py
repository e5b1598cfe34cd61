"""Integer arithmetic that neither traps nor becomes undefined.

Plain numba operators raise on a zero divisor, divide toward minus infinity, mark sums of int64 as never
overflowing, and shift by counts beyond the width.
"""

from __future__ import annotations

from llvmlite import ir

from .elements import constant, scalar_of
from .signatures import INTEGERS, of_one_type


def _minus_one(b: ir.Value) -> ir.Constant:
    return constant(b.type, -1)


def _zero(b: ir.Value) -> ir.Constant:
    return constant(b.type, 0)


def _harmless_divisor(builder: ir.IRBuilder, b: ir.Value) -> ir.Value:
    """`b`, or 1 in place of the two divisors with which the processor's division may trap: 0 and -1."""
    bad = builder.or_(builder.icmp_signed("==", b, _zero(b)), builder.icmp_signed("==", b, _minus_one(b)))
    return builder.select(bad, constant(b.type, 1), b)


def _div(builder, a, b):
    """The quotient toward zero; 0 where `b` is 0, and MIN / -1 wraps to MIN."""
    quotient = builder.sdiv(a, _harmless_divisor(builder, b))
    quotient = builder.select(builder.icmp_signed("==", b, _minus_one(b)), builder.sub(_zero(a), a), quotient)
    return builder.select(builder.icmp_signed("==", b, _zero(b)), _zero(a), quotient)


def _rem(builder, a, b):
    """The remainder of that, with the sign of `a`."""
    # A divisor of 1 leaves remainder 0, which is what 0 and -1 are to give.
    return builder.srem(a, _harmless_divisor(builder, b))


def quotient_by(builder: ir.IRBuilder, a: ir.Value, divisor: int) -> ir.Value:
    """The quotient toward zero by a constant other than 0, without a division.

    Intel's driver calls its vector library for each division of i32, whatever the divisor.
    """
    width, size = scalar_of(a.type).width, abs(divisor)
    if size == 1:
        quotient = a
    elif size & (size - 1) == 0:
        shift = size.bit_length() - 1
        # a negative number is rounded up
        sign = builder.ashr(a, constant(a.type, width - 1))
        bias = builder.lshr(sign, constant(a.type, width - shift))
        quotient = builder.ashr(builder.add(a, bias), constant(a.type, shift))
    else:
        factor, shift = _reciprocal(size, width)
        quotient = _high_product(builder, a, _wrapped(factor, width))
        if factor >> (width - 1):
            quotient = builder.add(quotient, a)
        quotient = builder.ashr(quotient, constant(a.type, shift))
        quotient = builder.sub(quotient, builder.ashr(a, constant(a.type, width - 1)))
    return quotient if divisor > 0 else builder.sub(_zero(quotient), quotient)


def remainder_by(builder: ir.IRBuilder, a: ir.Value, divisor: int) -> ir.Value:
    """The remainder of that, with the sign of `a`."""
    size = abs(divisor)
    product = builder.mul(quotient_by(builder, a, size), constant(a.type, _wrapped(size, scalar_of(a.type).width)))
    return builder.sub(a, product)


def _reciprocal(size: int, width: int) -> tuple[int, int]:
    """The least factor of `width` bits that divides by a number which is no power of two, and a shift to the right.

    The factor is 2**(width + shift) / size, rounded up, and so close to it that no number is divided wrongly
    (T. Granlund and P. L. Montgomery, Division by Invariant Integers using Multiplication, 1994, section 5).

    >>> _reciprocal(10, 32), _reciprocal(7, 32)
    ((1717986919, 2), (2454267027, 2))
    """
    for shift in range(width):
        power = 1 << (width + shift)
        factor = power // size + 1
        if factor * size - power <= 1 << (shift + 1):
            return factor, shift
    raise AssertionError(size)


def _wrapped(number: int, width: int) -> int:
    """A number in two's complement."""
    return (number + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))


def _high_product(builder: ir.IRBuilder, a: ir.Value, factor: int) -> ir.Value:
    """The high half of a product with a constant."""
    width = scalar_of(a.type).width
    wide = ir.IntType(2 * width)
    type_ = ir.VectorType(wide, a.type.count) if isinstance(a.type, ir.VectorType) else wide
    product = builder.mul(builder.sext(a, type_), constant(type_, factor))
    return builder.trunc(builder.ashr(product, constant(type_, width)), a.type)


def _pick(builder, order, a, b):
    return builder.select(builder.icmp_signed(order, a, b), a, b)


def _masked(builder: ir.IRBuilder, count: ir.Value) -> ir.Value:
    """The count of a shift, modulo the width."""
    return builder.and_(count, constant(count.type, scalar_of(count.type).width - 1))


EMIT = {
    "add": ir.IRBuilder.add,
    "sub": ir.IRBuilder.sub,
    "mul": ir.IRBuilder.mul,
    "div": _div,
    "rem": _rem,
    "min": lambda builder, a, b: _pick(builder, "<", a, b),
    "max": lambda builder, a, b: _pick(builder, ">", a, b),
    "shl": lambda builder, a, count: builder.shl(a, _masked(builder, count)),
    "shr": lambda builder, a, count: builder.ashr(a, _masked(builder, count)),
    "and": ir.IRBuilder.and_,
    "or": ir.IRBuilder.or_,
    "xor": ir.IRBuilder.xor,
}
"""The LLVM instruction of each operation of the language on integers, or lane by lane on vectors of them."""


FUNCTIONS = [
    *(
        of_one_type(f"int_{word}", INTEGERS, 2, EMIT[word])
        for word in ("add", "sub", "mul", "div", "rem", "min", "max")
    ),
    *(of_one_type(word, INTEGERS, 2, EMIT[word]) for word in ("shl", "shr")),
]
"""The functions of generated source that are no operators."""
