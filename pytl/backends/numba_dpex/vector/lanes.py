"""Vectors of elements: conversions between memory and the registers that computations use.

A register holds f16 and bf16 as f32, and complex numbers with their parts side by side, so that a vector of n complex
numbers has 2n floats. A *mask* says which lanes of a vector are active: None for all, the number of active lanes as a
constant or as an i64, or a truth value per lane.
"""

from __future__ import annotations

from dataclasses import dataclass

from llvmlite import ir
from numba.core import cgutils

from ....ir.types import ScalarType, compute_type
from ..device import elements
from ..device.elements import ELEMENTS, I32, I64, constant, like
from ..matrix_layout import device_name
from .context import Context, Number, Tensor


def component_of(type_: ScalarType) -> ir.Type:
    """The LLVM type of a lane, which holds one part of a complex number."""
    return ELEMENTS[device_name(type_.component)].storage


def parts_of(type_: ScalarType) -> int:
    """Lanes per element."""
    return 2 if type_.is_complex else 1


def vector_type(type_: ScalarType, lanes: int) -> ir.Type:
    """The LLVM type of a vector of elements in registers; for a single real element, that of the element."""
    count = lanes * parts_of(type_)
    return component_of(type_) if count == 1 else ir.VectorType(component_of(type_), count)


def splat(builder: ir.IRBuilder, scalar: ir.Value, count: int) -> ir.Value:
    """A number broadcast to all lanes."""
    if count == 1:
        return scalar
    type_ = ir.VectorType(scalar.type, count)
    first = builder.insert_element(ir.Constant(type_, ir.Undefined), scalar, I32(0))
    return builder.shuffle_vector(first, ir.Constant(type_, ir.Undefined), indices([0] * count))


def indices(lanes: list[int]) -> ir.Constant:
    """The lanes of a shuffle."""
    return ir.Constant(ir.VectorType(I32, len(lanes)), lanes)


@dataclass(frozen=True)
class Lanes:
    """The elements of a vector, and which of them are active."""

    count: int
    mask: Number | None = None

    @property
    def is_whole(self) -> bool:
        return self.mask is None

    def bits(self, builder: ir.IRBuilder, parts: int) -> ir.Value:
        """The mask as a vector of truth values, one per lane."""
        count = self.count * parts
        if isinstance(self.mask, int):
            return ir.Constant(ir.VectorType(ir.IntType(1), count), [int(k < self.mask * parts) for k in range(count)])
        assert self.mask is not None
        if isinstance(self.mask.type, ir.VectorType):
            return self.mask if parts == 1 else interleave(builder, self.mask, self.mask)
        active = self.mask if parts == 1 else builder.mul(self.mask, I64(parts))
        steps = ir.Constant(ir.VectorType(I64, count), list(range(count)))
        return builder.icmp_signed("<", steps, splat(builder, active, count))


def load(context: Context, tensor: Tensor, at: tuple[Number, ...], lanes: Lanes) -> ir.Value:
    """Elements that are contiguous along the first mode, in register form; inactive lanes are 0."""
    builder, element = context.builder, tensor.element
    address, stored = _vector_pointer(context, tensor, at, lanes)
    align = element.component.size
    if lanes.is_whole or lanes.count * parts_of(element) == 1:
        value = builder.load(address, align=align)
    else:
        mask = lanes.bits(builder, parts_of(element))
        nothing = constant(stored, 0)
        types = [stored, address.type]
        value = _intrinsic(builder, "masked.load", stored, types, address, I32(align), mask, nothing)
    return decode(builder, element, value)


def store(context: Context, value: ir.Value, tensor: Tensor, at: tuple[Number, ...], lanes: Lanes) -> None:
    """Write elements that are contiguous along the first mode; memory of inactive lanes keeps its value."""
    builder, element = context.builder, tensor.element
    address, stored = _vector_pointer(context, tensor, at, lanes)
    align = element.component.size
    value = encode(builder, element, value)
    if lanes.is_whole or lanes.count * parts_of(element) == 1:
        builder.store(value, address, align=align)
    elif isinstance(lanes.mask, int):
        _store_pieces(builder, value, address, lanes.mask * parts_of(element), align)
    else:
        mask = lanes.bits(builder, parts_of(element))
        _intrinsic(builder, "masked.store", ir.VoidType(), [stored, address.type], value, address, I32(align), mask)


def _store_pieces(builder: ir.IRBuilder, value: ir.Value, address: ir.Value, count: int, align: int) -> None:
    """Write the first lanes, as vectors of powers of two: a masked store takes longer."""
    done = 0
    scalars = builder.bitcast(address, value.type.element.as_pointer(address.type.addrspace))
    while done < count:
        width = 1 << (count - done).bit_length() - 1
        piece_address = builder.gep(scalars, [I64(done)])
        if width == 1:
            piece = builder.extract_element(value, I32(done))
        else:
            undefined = ir.Constant(value.type, ir.Undefined)
            piece = builder.shuffle_vector(value, undefined, indices(list(range(done, done + width))))
            piece_address = builder.bitcast(piece_address, piece.type.as_pointer(address.type.addrspace))
        builder.store(piece, piece_address, align=align)
        done += width


def load_scalar(context: Context, tensor: Tensor, at: tuple[Number, ...]) -> tuple[ir.Value, ...]:
    """One element in register form, by its parts."""
    builder, element = context.builder, tensor.element
    address = context.address(tensor, at)
    if element.is_complex:
        return tuple(builder.load(builder.gep(address, [I32(0), I32(part)], inbounds=True)) for part in (0, 1))
    return (decode(builder, element, builder.load(address)),)


def _vector_pointer(context: Context, tensor: Tensor, at: tuple[Number, ...], lanes: Lanes) -> tuple[ir.Value, ir.Type]:
    """The address of a vector in memory, and its type there."""
    address = context.vector_address(tensor, at)
    stored = ELEMENTS[device_name(tensor.element.component)].storage
    count = lanes.count * parts_of(tensor.element)
    if count > 1:
        stored = ir.VectorType(stored, count)
    return context.builder.bitcast(address, stored.as_pointer(address.type.addrspace)), stored


def decode(builder: ir.IRBuilder, element: ScalarType, stored: ir.Value) -> ir.Value:
    """The register form of a value from memory."""
    return elements.decode(builder, ELEMENTS[device_name(element.component)], stored)


def encode(builder: ir.IRBuilder, element: ScalarType, value: ir.Value) -> ir.Value:
    """The memory form of a value from registers, rounded."""
    if element.name == "bf16":
        value = elements.round_to_bf16(builder, value)
    return elements.encode(builder, ELEMENTS[device_name(element.component)], value)


def as_stored(builder: ir.IRBuilder, element: ScalarType, value: ir.Value) -> ir.Value:
    """A register's value as memory would give it back: f16 and bf16 are rounded."""
    return value if compute_type(element) == element else decode(builder, element, encode(builder, element, value))


def convert(builder: ir.IRBuilder, value: ir.Value, source: ScalarType, target: ScalarType) -> ir.Value:
    """Elements of a type converted to the register form of another, to which they are promotable."""
    source, target = compute_type(source), compute_type(target)
    if source == target or (source.is_integer and target.is_integer and source.size == target.size):
        return value
    if target.is_complex and not source.is_complex:
        value = convert(builder, value, source, target.component)
        return interleave(builder, value, constant(value.type, 0.0))
    wide = like(value, component_of(target))
    if source.is_integer:
        return builder.sext(value, wide) if target.is_integer else builder.sitofp(value, wide)
    return builder.fpext(value, wide)


def interleave(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> ir.Value:
    """The lanes of two vectors interleaved."""
    if isinstance(a.type, ir.VectorType) and a.type.count == 1:  # SPIR-V has no vectors of one
        a, b = (builder.extract_element(part, I32(0)) for part in (a, b))
    if not isinstance(a.type, ir.VectorType):
        undefined = ir.Constant(ir.VectorType(a.type, 2), ir.Undefined)
        return builder.insert_element(builder.insert_element(undefined, a, I32(0)), b, I32(1))
    count = a.type.count
    return builder.shuffle_vector(
        a, b, indices([k for pair in zip(range(count), range(count, 2 * count)) for k in pair])
    )


def deinterleave(builder: ir.IRBuilder, value: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The even and the odd lanes of a vector."""
    undefined = ir.Constant(value.type, ir.Undefined)
    even, odd = (
        builder.shuffle_vector(value, undefined, indices(list(range(part, value.type.count, 2)))) for part in (0, 1)
    )
    return even, odd


def is_any(builder: ir.IRBuilder, bits: ir.Value) -> ir.Value:
    """Whether one of the lanes is true."""
    return _intrinsic(builder, "vector.reduce.or", ir.IntType(1), [bits.type], bits)


def _intrinsic(
    builder: ir.IRBuilder, name: str, result: ir.Type, overloads: list[ir.Type], *arguments: ir.Value
) -> ir.Value:
    suffix = ".".join(_mangled(type_) for type_ in overloads)
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.{suffix}"), arguments)


def _mangled(type_: ir.Type) -> str:
    """The name of a type in overloaded LLVM intrinsics."""
    if isinstance(type_, ir.PointerType):
        return f"p{type_.addrspace}{_mangled(type_.pointee)}"
    if isinstance(type_, ir.VectorType):
        return f"v{type_.count}{_mangled(type_.element)}"
    if isinstance(type_, ir.IntType):
        return f"i{type_.width}"
    return {"half": "f16", "float": "f32", "double": "f64"}[str(type_)]
