"""Integer arithmetic that neither traps nor becomes undefined.

Plain numba operators raise on a zero divisor, divide toward minus infinity, mark sums of int64 as never
overflowing, and shift by counts beyond the width.
"""

from __future__ import annotations

from llvmlite import ir
from numba.extending import intrinsic

from .elements import constant, scalar_of
from .pointers import SPIRV
from .signatures import INTEGERS, same


def _minus_one(b: ir.Value) -> ir.Constant:
    return constant(b.type, -1)


def _zero(b: ir.Value) -> ir.Constant:
    return constant(b.type, 0)


def _harmless_divisor(builder: ir.IRBuilder, b: ir.Value) -> ir.Value:
    """`b`, or 1 in place of the two divisors with which the processor's division may trap: 0 and -1."""
    bad = builder.or_(builder.icmp_signed("==", b, _zero(b)), builder.icmp_signed("==", b, _minus_one(b)))
    return builder.select(bad, constant(b.type, 1), b)


def _div(builder, a, b):
    quotient = builder.sdiv(a, _harmless_divisor(builder, b))
    quotient = builder.select(builder.icmp_signed("==", b, _minus_one(b)), builder.sub(_zero(a), a), quotient)
    return builder.select(builder.icmp_signed("==", b, _zero(b)), _zero(a), quotient)


def _rem(builder, a, b):
    # A divisor of 1 leaves remainder 0, which is what 0 and -1 are to give.
    return builder.srem(a, _harmless_divisor(builder, b))


def _pick(builder, order, a, b):
    return builder.select(builder.icmp_signed(order, a, b), a, b)


def _masked(builder: ir.IRBuilder, count: ir.Value) -> ir.Value:
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


def _binary(name: str, a, b, emit):
    ty = same(name, INTEGERS, a, b)

    def codegen(context, builder, sig, args):
        return emit(builder, *args)

    return ty(ty, ty), codegen


@intrinsic(target=SPIRV)
def int_add(typing_context, a, b):
    """a + b, wrapping."""
    return _binary("int_add", a, b, EMIT["add"])


@intrinsic(target=SPIRV)
def int_sub(typing_context, a, b):
    """a - b, wrapping."""
    return _binary("int_sub", a, b, EMIT["sub"])


@intrinsic(target=SPIRV)
def int_mul(typing_context, a, b):
    """a * b, wrapping."""
    return _binary("int_mul", a, b, EMIT["mul"])


@intrinsic(target=SPIRV)
def int_div(typing_context, a, b):
    """a / b toward zero; 0 where b is 0, and MIN / -1 wraps to MIN."""
    return _binary("int_div", a, b, EMIT["div"])


@intrinsic(target=SPIRV)
def int_rem(typing_context, a, b):
    """The remainder of int_div, with the sign of a; 0 where b is 0 or -1."""
    return _binary("int_rem", a, b, EMIT["rem"])


@intrinsic(target=SPIRV)
def int_min(typing_context, a, b):
    return _binary("int_min", a, b, EMIT["min"])


@intrinsic(target=SPIRV)
def int_max(typing_context, a, b):
    return _binary("int_max", a, b, EMIT["max"])


@intrinsic(target=SPIRV)
def shl(typing_context, a, count):
    """a << count, with the count taken modulo the width."""
    return _binary("shl", a, count, EMIT["shl"])


@intrinsic(target=SPIRV)
def shr(typing_context, a, count):
    """a >> count with the sign shifted in, and the count taken modulo the width."""
    return _binary("shr", a, count, EMIT["shr"])
