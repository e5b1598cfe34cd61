"""Typing that the device functions share: operands of one type; calls of functions of LLVM and OpenCL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types

from .elements import scalar_of
from .pointers import named_intrinsic, with_arity

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


def of_one_type(
    name: str,
    allowed: tuple[types.Type, ...],
    count: int,
    emit: Callable[..., ir.Value],
    result: Callable[[types.Type], types.Type] = lambda ty: ty,
) -> Any:
    """A function of generated source with so many operands of one type, written by `emit(builder, *operands)`."""

    def definition(typing_context: Any, *operands: types.Type) -> Any:
        ty = same(name, allowed, *operands)
        return result(ty)(*operands), lambda context, builder, sig, args: emit(builder, *args)

    return named_intrinsic(name, with_arity(definition, count))


def of_nothing(name: str, result: types.Type, emit: Callable[[ir.IRBuilder], ir.Value]) -> Any:
    """A function of generated source without operands."""

    def definition(typing_context: Any) -> Any:
        return result(), lambda context, builder, sig, args: emit(builder)

    return named_intrinsic(name, definition)


def opencl(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> ir.Value:
    """An OpenCL builtin on floats or vectors of them, by its Itanium-mangled SPIR-V name."""
    type_ = arguments[0].type
    mangled = "f" if scalar_of(type_) == ir.FloatType() else "d"
    more = mangled
    if isinstance(type_, ir.VectorType):
        mangled, more = f"Dv{type_.count}_{mangled}", "S_"
    base = f"__spirv_ocl_{name}"
    symbol = f"_Z{len(base)}{base}{mangled}{more * (len(arguments) - 1)}"
    function = builder.module.globals.get(symbol)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(type_, [type_] * len(arguments)), symbol)
        function.calling_convention = "spir_func"
        function.attributes.add("nounwind")
        function.attributes.add("readnone")
    return builder.call(function, arguments)


def llvm(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> ir.Value:
    """An LLVM intrinsic on floats or vectors of them, from operands of one type to that type."""
    type_ = arguments[0].type
    return intrinsic(builder, name, type_, [type_], *arguments)


def intrinsic(
    builder: ir.IRBuilder, name: str, result: ir.Type, overloads: Sequence[ir.Type], *arguments: ir.Value
) -> ir.Value:
    """An LLVM intrinsic that is overloaded for some types."""
    suffix = ".".join(map(_mangled, overloads))
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.{suffix}"), arguments)


def _mangled(type_: ir.Type) -> str:
    """A type in the names of intrinsics."""
    if isinstance(type_, ir.PointerType):
        return f"p{type_.addrspace}{_mangled(type_.pointee)}"
    if isinstance(type_, ir.VectorType):
        return f"v{type_.count}{_mangled(type_.element)}"
    if isinstance(type_, ir.IntType):
        return f"i{type_.width}"
    return {"half": "f16", "float": "f32", "double": "f64"}[str(type_)]


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
