"""Vectors of elements: conversions between memory and the registers that computations use.

A register holds f16 and bf16 as f32. A mask has a truth value for each lane; None stands for all.
"""

from __future__ import annotations

from functools import lru_cache

from llvmlite import ir

from ....ir.types import ScalarType
from ..device import elements
from ..device.elements import ELEMENTS, I32, constant
from ..device.signatures import intrinsic
from ..element_names import device_name
from .context import Context, Number, Tensor


def component_of(type_: ScalarType) -> ir.Type:
    """The LLVM type of a lane, which holds one part of a complex number."""
    return ELEMENTS[device_name(type_.component)].storage


def splat(builder: ir.IRBuilder, scalar: ir.Value, count: int) -> ir.Value:
    """A number broadcast to all lanes."""
    if count == 1:
        return scalar
    undefined = _undefined(scalar.type, count)
    return builder.shuffle_vector(builder.insert_element(undefined, scalar, I32(0)), undefined, indices((0,) * count))


# llvmlite writes the text of a type and of a constant once for each object, and there are a few only.


@lru_cache(maxsize=64)
def vector_of(element: ir.Type, count: int) -> ir.VectorType:
    """The type of a vector."""
    return ir.VectorType(element, count)


@lru_cache(maxsize=64)
def _undefined(element: ir.Type, count: int) -> ir.Constant:
    return ir.Constant(vector_of(element, count), ir.Undefined)


@lru_cache(maxsize=256)
def indices(lanes: tuple[int, ...]) -> ir.Constant:
    """The lanes of a shuffle."""
    return ir.Constant(vector_of(I32, len(lanes)), list(lanes))


def load(context: Context, tensor: Tensor, at: tuple[Number, ...], count: int, mask: ir.Value | None) -> ir.Value:
    """Contiguous numbers of the element's component type, in register form; inactive lanes are 0."""
    builder, element = context.builder, tensor.element
    address, stored = _vector_pointer(context, tensor, at, count)
    align = element.component.size
    if mask is None:
        value = builder.load(address, align=align)
    else:
        nothing = constant(stored, 0)
        types = [stored, address.type]
        value = intrinsic(builder, "masked.load", stored, types, address, I32(align), mask, nothing)
    return decode(builder, element, value)


def store(
    context: Context,
    value: ir.Value,
    tensor: Tensor,
    at: tuple[Number, ...],
    count: int,
    mask: ir.Value | None,
    past_caches: int = 0,
) -> None:
    """Write contiguous numbers of the element's component type; memory of inactive lanes keeps its value.

    They are stored past the caches where `past_caches` is given, of which their address is a multiple.
    """
    builder, element = context.builder, tensor.element
    address, stored = _vector_pointer(context, tensor, at, count)
    align = element.component.size
    value = encode(builder, element, value)
    if past_caches:
        instruction = builder.store(value, address, align=past_caches)
        instruction.set_metadata("nontemporal", builder.module.add_metadata([I32(1)]))
    elif mask is None:
        builder.store(value, address, align=align)
    else:
        intrinsic(builder, "masked.store", ir.VoidType(), [stored, address.type], value, address, I32(align), mask)


def _vector_pointer(context: Context, tensor: Tensor, at: tuple[Number, ...], count: int) -> tuple[ir.Value, ir.Type]:
    """The address of a vector of so many numbers in memory, and its type there."""
    address = context.vector_address(tensor, at)
    stored = ELEMENTS[device_name(tensor.element.component)].storage
    if count > 1:
        stored = vector_of(stored, count)
    return context.builder.bitcast(address, stored.as_pointer(address.type.addrspace)), stored


def decode(builder: ir.IRBuilder, element: ScalarType, stored: ir.Value) -> ir.Value:
    """The register form of a value from memory."""
    return elements.decode(builder, ELEMENTS[device_name(element.component)], stored)


def encode(builder: ir.IRBuilder, element: ScalarType, value: ir.Value) -> ir.Value:
    """The memory form of a value from registers, which is rounded there."""
    return elements.encode(builder, ELEMENTS[device_name(element.component)], value)


def interleave(builder: ir.IRBuilder, a: ir.Value, b: ir.Value) -> ir.Value:
    """The lanes of two vectors interleaved."""
    if isinstance(a.type, ir.VectorType) and a.type.count == 1:  # SPIR-V has no vectors of one
        a, b = (builder.extract_element(part, I32(0)) for part in (a, b))
    if not isinstance(a.type, ir.VectorType):
        undefined = _undefined(a.type, 2)
        return builder.insert_element(builder.insert_element(undefined, a, I32(0)), b, I32(1))
    count = a.type.count
    return builder.shuffle_vector(
        a, b, indices(tuple(k for pair in zip(range(count), range(count, 2 * count)) for k in pair))
    )


def deinterleave(builder: ir.IRBuilder, value: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The even and the odd lanes of a vector."""
    undefined = ir.Constant(value.type, ir.Undefined)
    even, odd = (
        builder.shuffle_vector(value, undefined, indices(tuple(range(part, value.type.count, 2)))) for part in (0, 1)
    )
    return even, odd


def is_any(builder: ir.IRBuilder, bits: ir.Value) -> ir.Value:
    """Whether one of the lanes is true."""
    return intrinsic(builder, "vector.reduce.or", ir.IntType(1), [bits.type], bits)
