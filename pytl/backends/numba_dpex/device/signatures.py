"""Typing that the device functions share: operands of one type; calls of functions of LLVM and OpenCL."""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types

from .elements import scalar_of

INTEGERS = (types.int8, types.int16, types.int32, types.int64)
FLOATS = (types.float32, types.float64)
COMPLEX = (types.complex64, types.complex128)


def same(name: str, allowed: tuple[types.Type, ...], *operands: types.Type) -> types.Type:
    """The common type of the operands, which must be one of those allowed."""
    first = operands[0]
    if first not in allowed or any(operand != first for operand in operands):
        allowed_types, actual_types = (", ".join(map(str, group)) for group in (allowed, operands))
        raise errors.TypingError(f"{name} takes operands of one type out of {allowed_types}, not {actual_types}")
    return first


def call(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> ir.Value:
    """A call of a function from operands of one type to that type: an LLVM intrinsic or an OpenCL builtin."""
    function = builder.module.globals.get(name)
    if function is None:
        ty = arguments[0].type
        function = ir.Function(builder.module, ir.FunctionType(ty, [ty] * len(arguments)), name)
        if not name.startswith("llvm."):
            function.calling_convention = "spir_func"
            function.attributes.add("nounwind")
            function.attributes.add("readnone")
    return builder.call(function, arguments)


def opencl(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> ir.Value:
    """An OpenCL builtin on floats or vectors of them, by its Itanium-mangled SPIR-V name."""
    type_ = arguments[0].type
    mangled = "f" if scalar_of(type_) == ir.FloatType() else "d"
    more = mangled
    if isinstance(type_, ir.VectorType):
        mangled, more = f"Dv{type_.count}_{mangled}", "S_"
    base = f"__spirv_ocl_{name}"
    return call(builder, f"_Z{len(base)}{base}{mangled}{more * (len(arguments) - 1)}", *arguments)


def llvm(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> ir.Value:
    """An LLVM intrinsic on floats or vectors of them."""
    type_ = arguments[0].type
    suffix = "f32" if scalar_of(type_) == ir.FloatType() else "f64"
    if isinstance(type_, ir.VectorType):
        suffix = f"v{type_.count}{suffix}"
    return call(builder, f"llvm.{name}.{suffix}", *arguments)


def split(builder: ir.IRBuilder, value: ir.Value) -> tuple[ir.Value, ir.Value]:
    return builder.extract_value(value, 0), builder.extract_value(value, 1)


def join(builder: ir.IRBuilder, re: ir.Value, im: ir.Value) -> ir.Value:
    value = ir.Constant(ir.LiteralStructType([re.type, im.type]), ir.Undefined)
    return builder.insert_value(builder.insert_value(value, re, 0), im, 1)


def choose(builder: ir.IRBuilder, condition: ir.Value, a: ir.Value, b: ir.Value) -> ir.Value:
    """A select that also takes complex values, which SPIR-V's OpSelect does not before version 1.4."""
    if not isinstance(a.type, ir.LiteralStructType):
        return builder.select(condition, a, b)
    pairs = zip(split(builder, a), split(builder, b), strict=True)
    return join(builder, *(builder.select(condition, x, y) for x, y in pairs))
