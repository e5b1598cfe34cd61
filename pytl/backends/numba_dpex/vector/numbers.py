"""The language's arithmetic in registers, for scalars and, lane by lane, for vectors.

A scalar or vector is represented as in the device library: f16 and bf16 are floats, and a complex number is a struct of
its parts, each of which may be a vector.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from ....ir.meanings import Meanings
from ....ir.types import BoolType, ScalarType, Type, compute_type
from ..device import floats, integers
from ..device.casts import convert
from ..device.elements import ELEMENTS, round_to_bf16, round_to_f16
from ..device.math import exponential
from ..device.signatures import join, llvm, split
from ..element_names import device_name
from . import lanes

ROUNDED = {"f16": round_to_f16, "bf16": round_to_bf16}
ORDERS = Meanings("vector code, cmp", {"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="})
COMPLEX = {"mul": floats.product, "div": floats.quotient}
INTEGERS = Meanings("vector code, arith of integers", integers.EMIT)
FLOATS = Meanings("vector code, arith of floats", floats.EMIT)
UNARY: Meanings[str, Callable[[ir.IRBuilder, ir.Value], ir.Value]] = Meanings(
    "vector code, arith",
    {
        "abs": floats.modulus,
        "neg": floats.negated,
        "not": ir.IRBuilder.not_,
        "conj": floats.conjugate,
        "im": lambda builder, a: split(builder, a)[1],
        "re": lambda builder, a: split(builder, a)[0],
    },
)


EQUALITY: Meanings[str, Callable[[ir.IRBuilder, ir.Value, ir.Value], ir.Value]] = Meanings(
    "vector code, cmp of complex numbers", {"eq": ir.IRBuilder.and_, "ne": ir.IRBuilder.or_}
)
"""How the comparisons of both parts are joined."""


def literal(number: Any, type_: Type) -> ir.Value:
    """A constant of the language."""
    if isinstance(type_, BoolType):
        return ir.Constant(ir.IntType(1), int(number))
    assert isinstance(type_, ScalarType)
    part = lanes.component_of(compute_type(type_))
    if type_.is_complex:
        return ir.Constant.literal_struct([ir.Constant(part, x) for x in (complex(number).real, complex(number).imag)])
    return ir.Constant(part, number)


def spread(builder: ir.IRBuilder, value: ir.Value, count: int) -> ir.Value:
    """A number broadcast to all lanes of a vector."""
    if isinstance(value.type, ir.LiteralStructType):
        return join(builder, *(lanes.splat(builder, part, count) for part in split(builder, value)))
    return lanes.splat(builder, value, count)


def parts_of(builder: ir.IRBuilder, value: ir.Value) -> tuple[ir.Value, ...]:
    """The parts of a value, two for complex ones. Phis join parts: the device's compiler fails on structs."""
    return split(builder, value) if isinstance(value.type, ir.LiteralStructType) else (value,)


def of_parts(builder: ir.IRBuilder, parts: tuple[ir.Value, ...]) -> ir.Value:
    return parts[0] if len(parts) == 1 else join(builder, *parts)


def binary(builder: ir.IRBuilder, variant: str, a: ir.Value, b: ir.Value, type_: Type) -> ir.Value:
    """`a variant b` in the type's own arithmetic."""
    if isinstance(type_, BoolType):
        return INTEGERS[variant](builder, a, b)
    assert isinstance(type_, ScalarType)
    if type_.is_integer:
        return INTEGERS[variant](builder, a, b)
    if type_.is_complex:
        if variant in COMPLEX:
            return COMPLEX[variant](builder, a, b)
        pairs = zip(split(builder, a), split(builder, b), strict=True)
        return join(builder, *(FLOATS[variant](builder, x, y) for x, y in pairs))
    return rounded(builder, FLOATS[variant](builder, a, b), type_)


def unary(builder: ir.IRBuilder, variant: str, a: ir.Value) -> ir.Value:
    """`variant a` in the arithmetic of its type."""
    return UNARY[variant](builder, a)


def math(builder: ir.IRBuilder, variant: str, a: ir.Value, type_: ScalarType) -> ir.Value:
    """A mathematical function; of f16 and bf16 it is computed in f32."""
    return rounded(builder, exponential(builder, a, variant), type_)


def compare(builder: ir.IRBuilder, variant: str, a: ir.Value, b: ir.Value, type_: ScalarType) -> ir.Value:
    """A comparison; with a nan it is false, `ne` excepted."""
    if type_.is_complex:
        parts = zip(split(builder, a), split(builder, b), strict=True)
        x, y = (compare(builder, variant, p, q, type_.component) for p, q in parts)
        return EQUALITY[variant](builder, x, y)
    if type_.is_integer:
        return builder.icmp_signed(ORDERS[variant], a, b)
    compared = builder.fcmp_unordered if variant == "ne" else builder.fcmp_ordered
    return compared(ORDERS[variant], a, b)


def cast(builder: ir.IRBuilder, a: ir.Value, source: ScalarType, target: ScalarType) -> ir.Value:
    """A number converted to another type."""
    names = [device_name(type_) for type_ in (source, target)]
    if names[0] == names[1] or (names[0] in ROUNDED and names[1] == "f32"):
        return a  # between types that share register and values
    return convert(builder, a, ELEMENTS[names[1]])


def rounded(builder: ir.IRBuilder, a: ir.Value, type_: ScalarType) -> ir.Value:
    """A float rounded to the half type that it stands for."""
    return ROUNDED[type_.name](builder, a) if type_.name in ROUNDED else a


def multiply_add(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, c: ir.Value, type_: ScalarType) -> ir.Value:
    """`a b + c`, fused for floats."""
    if type_.is_complex:
        (p, q), (r, s), (x, y) = split(builder, a), split(builder, b), split(builder, c)
        x = llvm(builder, "fma", p, r, llvm(builder, "fma", builder.fneg(q), s, x))
        y = llvm(builder, "fma", p, s, llvm(builder, "fma", q, r, y))
        return join(builder, x, y)
    if type_.is_integer:
        return builder.add(builder.mul(a, b), c)
    return llvm(builder, "fma", a, b, c)


def lane_of(builder: ir.IRBuilder, value: ir.Value, lane: int) -> ir.Value:
    """One lane of a vector; a scalar as it is."""
    if isinstance(value.type, ir.LiteralStructType):
        return join(builder, *(lane_of(builder, part, lane) for part in split(builder, value)))
    if isinstance(value.type, ir.VectorType):
        return builder.extract_element(value, ir.IntType(32)(lane))
    return value


def of_lanes(builder: ir.IRBuilder, values: list[ir.Value]) -> ir.Value:
    """A vector of numbers."""
    if isinstance(values[0].type, ir.LiteralStructType):
        parts = zip(*(split(builder, value) for value in values), strict=True)
        return join(builder, *(of_lanes(builder, list(part)) for part in parts))
    vector: ir.Value = ir.Constant(ir.VectorType(values[0].type, len(values)), ir.Undefined)
    for lane, value in enumerate(values):
        vector = builder.insert_element(vector, value, ir.IntType(32)(lane))
    return vector


def shuffled(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, positions: list[int]) -> ir.Value:
    """A shuffle: lanes of two vectors, counted through both."""
    if isinstance(a.type, ir.LiteralStructType):
        pairs = zip(split(builder, a), split(builder, b), strict=True)
        return join(builder, *(builder.shuffle_vector(x, y, lanes.indices(tuple(positions))) for x, y in pairs))
    return builder.shuffle_vector(a, b, lanes.indices(tuple(positions)))
