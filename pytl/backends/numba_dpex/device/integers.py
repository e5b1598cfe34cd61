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
