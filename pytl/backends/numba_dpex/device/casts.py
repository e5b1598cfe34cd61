"""Conversions between the register types: `cast_<t>(x)`."""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types

from ....ir.types import F16_OVERFLOW
from .elements import (
    DOUBLE,
    ELEMENTS,
    FLOAT,
    I32,
    I64,
    Element,
    constant,
    like,
    round_to_bf16,
    round_to_f16,
    scalar_of,
)
from .pointers import named_intrinsic
from .signatures import COMPLEX, FLOATS, INTEGERS, join, llvm, same, split


def _to_integer(builder: ir.IRBuilder, x: ir.Value, target: ir.IntType) -> ir.Value:
    source, result_type = scalar_of(x.type), like(x, target)
    if isinstance(source, ir.IntType):
        return builder.sext(x, result_type) if source.width < target.width else builder.trunc(x, result_type)
    # fptosi of what does not fit is poison, from which anything may follow: such values become 0 first.
    limit = 2.0 ** (target.width - 1)
    digits = 24 if source == FLOAT else 53
    if target.width <= digits:
        above = builder.fcmp_ordered(">", x, constant(x.type, -limit - 1.0))
    else:
        above = builder.fcmp_ordered(">=", x, constant(x.type, -limit))
    fits = builder.and_(above, builder.fcmp_ordered("<", x, constant(x.type, limit)))
    return builder.fptosi(builder.select(fits, x, constant(x.type, 0.0)), result_type)


def _to_float(builder: ir.IRBuilder, x: ir.Value, target: ir.Type) -> ir.Value:
    source, result_type = scalar_of(x.type), like(x, target)
    if isinstance(source, ir.IntType):
        return builder.sitofp(x, result_type)
    if source == target:
        return x
    return builder.fpext(x, result_type) if target == DOUBLE else builder.fptrunc(x, result_type)


def _double_to_odd_float(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Round a double to a float: toward zero, and then to an odd last bit if anything was lost.

    A second rounding to a much narrower type then gives what one rounding of the double would have given.
    """
    nearest = builder.fptrunc(x, like(x, FLOAT))
    bits = builder.bitcast(nearest, like(x, I32))
    widened = builder.fpext(nearest, x.type)
    is_inexact = builder.fcmp_ordered("!=", widened, x)
    too_far = builder.fcmp_ordered(">", llvm(builder, "fabs", widened), llvm(builder, "fabs", x))
    toward_zero = builder.sub(bits, builder.zext(too_far, bits.type))
    odd = builder.or_(toward_zero, builder.zext(is_inexact, bits.type))
    # A float beyond the largest one was rounded to infinity; rounded toward zero it is the largest float, which is odd.
    return builder.bitcast(builder.select(is_inexact, odd, bits), nearest.type)


def _integer_to_odd_float(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    if scalar_of(x.type).width < 64:
        x = builder.sext(x, like(x, I64))

    def number(value: int) -> ir.Constant:
        return constant(x.type, value)

    # Beyond 2^53 the last 11 bits may not fit a double: one bit stands for all of them, which is rounding to odd.
    low = builder.and_(x, number(0x7FF))
    sticky = builder.or_(
        builder.sub(x, low), builder.select(builder.icmp_signed("!=", low, number(0)), number(0x400), number(0))
    )
    large = builder.icmp_unsigned(">", builder.add(x, number(1 << 53)), number(1 << 54))
    return _double_to_odd_float(builder, builder.sitofp(builder.select(large, sticky, x), like(x, DOUBLE)))


def in_range_of_f16(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """An integer or a float that is the same in f16; the integer is exact in a float, too.

    LLVM takes a cast of an integer to a half and on to a wider type for one cast, if the integer has few digits that
    count. It overlooks that a half overflows: 2^29 would stay 2^29. So what overflows is the least such number first.
    """
    is_integer = isinstance(scalar_of(x.type), ir.IntType)
    compare = builder.icmp_signed if is_integer else builder.fcmp_ordered
    for order, limit in ((">", F16_OVERFLOW), ("<", -F16_OVERFLOW)):
        most = constant(x.type, limit if is_integer else float(limit))
        x = builder.select(compare(order, x, most), most, x)
    return x


def _to_half(builder: ir.IRBuilder, x: ir.Value, target: Element) -> ir.Value:
    source = scalar_of(x.type)
    is_wide = isinstance(source, ir.IntType) and source.width > 16
    if target.name == "f16":
        if is_wide or not isinstance(source, ir.IntType):
            x = in_range_of_f16(builder, x)
    elif is_wide:
        x = _integer_to_odd_float(builder, x)
    if source == DOUBLE:
        x = _double_to_odd_float(builder, x)
    elif isinstance(scalar_of(x.type), ir.IntType):
        x = builder.sitofp(x, like(x, FLOAT))
    return round_to_f16(builder, x) if target.name == "f16" else round_to_bf16(builder, x)


def convert(builder: ir.IRBuilder, x: ir.Value, target: Element) -> ir.Value:
    """A number converted to another type, or a vector lane by lane."""
    if target.is_complex:
        part = target.part.storage
        if isinstance(x.type, ir.LiteralStructType):
            return join(builder, *(_to_float(builder, component, part) for component in split(builder, x)))
        re = _to_float(builder, x, part)
        return join(builder, re, constant(re.type, 0.0))
    if target.name in ("f16", "bf16"):
        return _to_half(builder, x, target)
    if isinstance(target.register, types.Integer):
        return _to_integer(builder, x, target.storage)
    return _to_float(builder, x, target.storage)


def _cast(target: Element):
    name = f"cast_{target.name}"

    def definition(typing_context, x):
        """`x` as a value of another type; a float that does not fit an integer becomes 0."""
        source = types.unliteral(x)
        if source in COMPLEX and not target.is_complex:
            raise errors.TypingError(f"{name} does not take {source}: choose a part with real or imag")
        same(name, INTEGERS + FLOATS + COMPLEX, source)
        return target.register(source), lambda context, builder, sig, args: convert(builder, args[0], target)

    return named_intrinsic(name, definition)


CASTS = {f"cast_{name}": _cast(element) for name, element in ELEMENTS.items()}
