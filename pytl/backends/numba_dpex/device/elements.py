"""The element types of memory, and the form their values take in registers.

Memory holds an element as the tensor language lays it out; a register holds it as a numba type. The two differ for
`f16` and `bf16`, because numba has no such types. In memory, such a value is 16 bits; in a register, it is a float32
that the narrow type represents exactly. Rounding happens where the program asks for it
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import types

from ....process.records import dataclass

I1, I16, I32, I64 = ir.IntType(1), ir.IntType(16), ir.IntType(32), ir.IntType(64)
HALF, FLOAT, DOUBLE = ir.HalfType(), ir.FloatType(), ir.DoubleType()


def scalar_of(type_: ir.Type) -> ir.Type:
    """The type of a vector's lanes; other types as they are."""
    return type_.element if isinstance(type_, ir.VectorType) else type_


def like(value: ir.Value, scalar: ir.Type) -> ir.Type:
    """The type with another element type, and as many lanes as a value has."""
    return ir.VectorType(scalar, value.type.count) if isinstance(value.type, ir.VectorType) else scalar


def constant(type_: ir.Type, value: float) -> ir.Constant:
    """A number, broadcast to all lanes of a vector's type."""
    return ir.Constant(type_, [value] * type_.count if isinstance(type_, ir.VectorType) else value)


@dataclass(frozen=True)
class Element:
    name: str
    register: types.Type
    storage: ir.Type
    size: int

    @property
    def is_complex(self) -> bool:
        return isinstance(self.register, types.Complex)

    @property
    def part(self) -> Element:
        """The type of the real and imaginary part of a complex element."""
        return ELEMENTS[{"c32": "f32", "c64": "f64"}[self.name]]


ELEMENTS = {
    element.name: element
    for element in (
        Element("i8", types.int8, ir.IntType(8), 1),
        Element("i16", types.int16, I16, 2),
        Element("i32", types.int32, I32, 4),
        Element("i64", types.int64, I64, 8),
        Element("f16", types.float32, I16, 2),
        Element("bf16", types.float32, I16, 2),
        Element("f32", types.float32, FLOAT, 4),
        Element("f64", types.float64, DOUBLE, 8),
        Element("c32", types.complex64, ir.LiteralStructType([FLOAT, FLOAT]), 8),
        Element("c64", types.complex128, ir.LiteralStructType([DOUBLE, DOUBLE]), 16),
    )
}


def encode(builder: ir.IRBuilder, element: Element, value: ir.Value) -> ir.Value:
    """The stored form of register values that are not complex, which the element's type represents exactly."""
    if element.name == "f16":
        return builder.bitcast(builder.fptrunc(value, like(value, HALF)), like(value, I16))
    if element.name == "bf16":
        bits = builder.bitcast(value, like(value, I32))
        return builder.trunc(builder.lshr(bits, constant(bits.type, 16)), like(value, I16))
    return value


def decode(builder: ir.IRBuilder, element: Element, stored: ir.Value) -> ir.Value:
    """The register value of a stored form that is not complex."""
    if element.name == "f16":
        return builder.fpext(builder.bitcast(stored, like(stored, HALF)), like(stored, FLOAT))
    if element.name == "bf16":
        wide = builder.zext(stored, like(stored, I32))
        return builder.bitcast(builder.shl(wide, constant(wide.type, 16)), like(stored, FLOAT))
    return stored


def add(builder: ir.IRBuilder, element: Element, a: ir.Value, b: ir.Value) -> ir.Value:
    """The sum of two real register values, as a value of the element type."""
    if isinstance(element.register, types.Integer):
        return builder.add(a, b)
    return rounded(builder, element, builder.fadd(a, b))


def scale_add(builder: ir.IRBuilder, element: Element, scaled: ir.Value, factor: ir.Value, a: ir.Value) -> ir.Value:
    """`a + factor * scaled` of real register values, as a value of the element type, to which it is rounded once."""
    if isinstance(element.register, types.Integer):
        return builder.add(a, builder.mul(factor, scaled))
    return rounded(builder, element, builder.fadd(a, builder.fmul(factor, scaled)))


def rounded(builder: ir.IRBuilder, element: Element, x: ir.Value) -> ir.Value:
    """A register value as a value of the element type."""
    if element.name == "f16":
        return round_to_f16(builder, x)
    if element.name == "bf16":
        return round_to_bf16(builder, x)
    return x


def round_to_f16(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return builder.fpext(builder.fptrunc(x, like(x, HALF)), x.type)


def round_to_bf16(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Round a float to the nearest bf16, ties to even: SPIR-V knows no bf16 here."""
    bits = builder.bitcast(x, like(x, I32))

    def number(value: int) -> ir.Constant:
        return constant(bits.type, value)

    lowest_kept = builder.and_(builder.lshr(bits, number(16)), number(1))
    rounded = builder.add(bits, builder.add(lowest_kept, number(0x7FFF)))
    # Rounding up would carry a NaN's payload into the sign; dropping the low half could leave an infinity.
    quiet_nan = builder.or_(bits, number(0x00400000))
    kept = builder.select(builder.fcmp_unordered("uno", x, x), quiet_nan, rounded)
    return builder.bitcast(builder.and_(kept, number(0xFFFF0000)), x.type)
