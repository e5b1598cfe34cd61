"""LLVM vectors: addresses, the form of f16 and bf16 in memory, and rounding."""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types

from .elements import FLOAT, HALF, I16, I32, I64, Element


def constant(ty: ir.VectorType, number: float) -> ir.Constant:
    """A number broadcast to a vector."""
    return ir.Constant(ty, [ty.element(number)] * ty.count)


def splat(builder: ir.IRBuilder, value: ir.Value, lanes: int) -> ir.Value:
    undefined = ir.Constant(ir.VectorType(value.type, lanes), ir.Undefined)
    first = builder.insert_element(undefined, value, I32(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(I32, lanes), [0] * lanes))


def element_address(builder: ir.IRBuilder, address: ir.Value, index: ir.Value | int, ty: ir.Type) -> ir.Value:
    """The address of a vector whose first lane is an element."""
    index = I64(index) if isinstance(index, int) else index
    return builder.bitcast(builder.gep(address, [index]), ty.as_pointer(address.type.addrspace))


def rounded(builder: ir.IRBuilder, value: ir.Value, half: str) -> ir.Value:
    """A vector of floats rounded to values of f16 or bf16."""
    if half == "f16":
        narrow = ir.VectorType(HALF, value.type.count)
        return builder.fpext(builder.fptrunc(value, narrow), value.type)
    whole = ir.VectorType(I32, value.type.count)
    bits = builder.bitcast(value, whole)
    lowest_kept = builder.and_(builder.lshr(bits, constant(whole, 16)), constant(whole, 1))
    nearest = builder.add(bits, builder.add(lowest_kept, constant(whole, 0x7FFF)))
    quiet_nan = builder.or_(bits, constant(whole, 0x00400000))
    kept = builder.select(builder.fcmp_unordered("uno", value, value), quiet_nan, nearest)
    return builder.bitcast(builder.and_(kept, constant(whole, 0xFFFF0000)), value.type)


def decoded(builder: ir.IRBuilder, element: Element, stored: ir.Value) -> ir.Value:
    """The register form of a vector from memory."""
    floats = ir.VectorType(FLOAT, stored.type.count)
    if element.name == "f16":
        return builder.fpext(builder.bitcast(stored, ir.VectorType(HALF, stored.type.count)), floats)
    if element.name == "bf16":
        whole = ir.VectorType(I32, stored.type.count)
        return builder.bitcast(builder.shl(builder.zext(stored, whole), constant(whole, 16)), floats)
    return stored


def encoded(builder: ir.IRBuilder, element: Element, value: ir.Value) -> ir.Value:
    """The memory form of a vector from registers."""
    short = ir.VectorType(I16, value.type.count)
    if element.name == "f16":
        return builder.bitcast(builder.fptrunc(value, ir.VectorType(HALF, value.type.count)), short)
    if element.name == "bf16":
        whole = ir.VectorType(I32, value.type.count)
        return builder.trunc(builder.lshr(builder.bitcast(value, whole), constant(whole, 16)), short)
    return value


def literals(name: str, *arguments: types.Type) -> list[int]:
    """The values of a device function's literal arguments."""
    for ty in arguments:
        if not isinstance(ty, types.IntegerLiteral):
            raise errors.TypingError(f"{name} takes literals for sizes, not {ty}")
    return [ty.literal_value for ty in arguments]
