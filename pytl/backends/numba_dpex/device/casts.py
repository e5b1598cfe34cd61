"""Conversions between the register types: `cast_<t>(x)`."""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types

from .elements import DOUBLE, ELEMENTS, FLOAT, I32, I64, Element, round_to_bf16, round_to_f16
from .pointers import named_intrinsic
from .signatures import COMPLEX, FLOATS, INTEGERS, join, llvm, same, split


def _to_integer(builder: ir.IRBuilder, x: ir.Value, target: ir.IntType) -> ir.Value:
    if isinstance(x.type, ir.IntType):
        return builder.sext(x, target) if x.type.width < target.width else builder.trunc(x, target)
    # fptosi of what does not fit is poison, from which anything may follow: such values become 0 first.
    limit = 2.0 ** (target.width - 1)
    digits = 24 if x.type == FLOAT else 53
    if target.width <= digits:
        above = builder.fcmp_ordered(">", x, ir.Constant(x.type, -limit - 1.0))
    else:
        above = builder.fcmp_ordered(">=", x, ir.Constant(x.type, -limit))
    fits = builder.and_(above, builder.fcmp_ordered("<", x, ir.Constant(x.type, limit)))
    return builder.fptosi(builder.select(fits, x, ir.Constant(x.type, 0.0)), target)


def _to_float(builder: ir.IRBuilder, x: ir.Value, target: ir.Type) -> ir.Value:
    if isinstance(x.type, ir.IntType):
        return builder.sitofp(x, target)
    if x.type == target:
        return x
    return builder.fpext(x, target) if target == DOUBLE else builder.fptrunc(x, target)


def _double_to_odd_float(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Round a double to a float: toward zero, and then to an odd last bit if anything was lost.

    A second rounding to a much narrower type then gives what one rounding of the double would have given.
    """
    nearest = builder.fptrunc(x, FLOAT)
    bits = builder.bitcast(nearest, I32)
    widened = builder.fpext(nearest, DOUBLE)
    lost = builder.fcmp_ordered("!=", widened, x)
    too_far = builder.fcmp_ordered(">", llvm(builder, "fabs", widened), llvm(builder, "fabs", x))
    toward_zero = builder.sub(bits, builder.zext(too_far, I32))
    odd = builder.or_(toward_zero, builder.zext(lost, I32))
    # What is beyond the largest float was rounded to infinity; one toward zero from there is that float,
    # and it is odd.
    return builder.bitcast(builder.select(lost, odd, bits), FLOAT)


def _integer_to_odd_float(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    if x.type.width < 64:
        x = builder.sext(x, I64)
    # Beyond 2^53 the last 11 bits may not fit a double: one bit stands for all of them, which is rounding
    # to odd.
    low = builder.and_(x, I64(0x7FF))
    sticky = builder.or_(
        builder.sub(x, low), builder.select(builder.icmp_signed("!=", low, I64(0)), I64(0x400), I64(0))
    )
    large = builder.icmp_unsigned(">", builder.add(x, I64(1 << 53)), I64(1 << 54))
    return _double_to_odd_float(builder, builder.sitofp(builder.select(large, sticky, x), DOUBLE))


def _to_half(builder: ir.IRBuilder, x: ir.Value, round_to) -> ir.Value:
    if isinstance(x.type, ir.IntType):
        narrow = x.type.width <= 16  # exact in a float already
        return round_to(builder, builder.sitofp(x, FLOAT) if narrow else _integer_to_odd_float(builder, x))
    return round_to(builder, _double_to_odd_float(builder, x) if x.type == DOUBLE else x)


def _convert(builder: ir.IRBuilder, x: ir.Value, target: Element) -> ir.Value:
    if target.is_complex:
        part = target.part.storage
        if isinstance(x.type, ir.LiteralStructType):
            return join(builder, *(_to_float(builder, component, part) for component in split(builder, x)))
        return join(builder, _to_float(builder, x, part), ir.Constant(part, 0.0))
    if target.name == "f16":
        return _to_half(builder, x, round_to_f16)
    if target.name == "bf16":
        return _to_half(builder, x, round_to_bf16)
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
        return target.register(source), lambda context, builder, sig, args: _convert(builder, args[0], target)

    return named_intrinsic(name, definition)


CASTS = {f"cast_{name}": _cast(element) for name, element in ELEMENTS.items()}
