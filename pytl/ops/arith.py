"""Arithmetic, casts and comparisons (manual: Arithmetic (binary), Arithmetic (unary), Cast, Comparison)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

from ..diagnostics import Location
from ..ir.constraints import BOOL, COOPMATRIX, SCALAR
from ..ir.fields import Operand, Result, Variant
from ..ir.meanings import Meanings
from ..ir.operation import Check, Operation, Problem, check, written_result_type
from ..ir.registry import instruction
from ..ir.text.rules import COMPARED_TYPE
from ..ir.types import BoolType, CoopMatrixType, ScalarType, Type, UnknownType, bool_, component_type
from ..ir.values import Value

BINARY = {
    "add": "sum",
    "sub": "difference",
    "mul": "product",
    "div": "quotient; integers are truncated toward zero",
    "rem": "remainder of the division; it has the sign of the first operand",
    "shl": "first operand shifted left by the second",
    "shr": "first operand shifted right arithmetically by the second",
    "and": "bitwise and",
    "or": "bitwise or",
    "xor": "bitwise exclusive or",
    "min": "minimum",
    "max": "maximum",
}
UNARY = {
    "abs": "absolute value",
    "neg": "negation",
    "not": "bitwise not",
    "conj": "complex conjugate",
    "im": "imaginary part",
    "re": "real part",
}
COMPARISONS = {
    "eq": "equal",
    "ne": "not equal",
    "gt": "greater than",
    "ge": "greater than or equal",
    "lt": "less than",
    "le": "less than or equal",
}


def is_integer(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.is_integer


def is_complex(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.is_complex


def _is_scalar(type_: Type) -> bool:
    return isinstance(type_, ScalarType)


def _is_real(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and not type_.is_complex


def _has_bits(type_: Type) -> bool:
    return isinstance(type_, BoolType) or is_integer(type_)


def _has_scalars(type_: Type) -> bool:
    """Whether the type is a scalar, or a cooperative matrix of them."""
    return isinstance(component_type(type_), ScalarType)


_BINARY_ADMITS: Meanings[str, Callable[[Type], bool]] = Meanings(
    "the verifier, arith",
    {
        **dict.fromkeys(("add", "sub", "mul", "div"), _has_scalars),
        **dict.fromkeys(("rem", "min", "max"), _is_real),
        **dict.fromkeys(("shl", "shr"), is_integer),
        **dict.fromkeys(("and", "or", "xor"), _has_bits),
    },
)
_UNARY_ADMITS: Meanings[str, Callable[[Type], bool]] = Meanings(
    "the verifier, arith",
    {
        "neg": _has_scalars,
        "abs": _is_scalar,
        "not": _has_bits,
        **dict.fromkeys(("conj", "im", "re"), is_complex),
    },
)


def admits_binary(variant: str, type_: Type) -> bool:
    """Whether the manual's table allows this operation on this operand type."""
    return _BINARY_ADMITS[variant](type_)


def admits_unary(variant: str, type_: Type) -> bool:
    """Whether the manual's table allows this operation on this operand type."""
    return _UNARY_ADMITS[variant](type_)


def admits_cast(source: Type, target: Type) -> bool:
    """Whether the manual's table of casts has this one: all but complex to real, within scalars or one shape."""
    if isinstance(source, CoopMatrixType) != isinstance(target, CoopMatrixType):
        return False
    a, b = component_type(source), component_type(target)
    if not (isinstance(a, ScalarType) and isinstance(b, ScalarType)):
        return False
    return not (a.is_complex and not b.is_complex)


@check("PYTL-0401", "both operands and the result have the same type", "Arithmetic (binary)")
def same_types(op: ArithBinary) -> Iterator[Problem]:
    if op.a.type != op.b.type:
        yield Problem(
            f"the operands are {op.a.type} and {op.b.type}",
            f"cast one of them: cast %value : {op.a.type}",
            "b",
        )
    elif op.result.type != op.a.type:
        yield Problem(f"the operands are {op.a.type}, but the result is {op.result.type}", f"write : {op.a.type}")


@check("PYTL-0402", "the operation is in the table of allowed types", "Arithmetic (binary)")
def binary_allowed(op: ArithBinary) -> Iterator[Problem]:
    if op.a.type == op.b.type and not admits_binary(op.variant, op.a.type):
        yield Problem(f"not defined on {op.a.type}", part="a")


@check(
    "PYTL-1271",
    "an integer is not divided by a constant 0",
    "Arithmetic (binary)",
    "The result is undefined; the instruction may stand where it is never executed.",
    severity="warning",
    of_values=True,
)
def divisor_is_not_zero(op: ArithBinary) -> Iterator[Problem]:
    if op.variant in ("div", "rem") and is_integer(component_type(op.a.type)):
        owner = op.b.owner
        if owner is not None and owner.mnemonic == "constant" and owner.literal == 0:
            yield Problem("the divisor is 0", "divide by another number", "b")


def _type_beside(part: str, parts: dict[str, Any]) -> Type | None:
    """The type of the other operand, where that is a value."""
    other = parts["b" if part == "a" else "a"]
    return other.type if isinstance(other, Value) and not isinstance(other.type, UnknownType) else None


@instruction
class ArithBinary(Operation):
    """Binary arithmetic on scalars, and component by component on cooperative matrices.

    Integers wrap around. A division by zero, and a shift by the type's width or more, are undefined behaviour.

    Floating numbers follow IEEE 754, with its infinities, nan and signed zeros. `min` and `max` give the other operand
    where one is nan, and either of two zeros.
    """

    mnemonic = "arith"
    section = "Arithmetic (binary)"
    variant: Any = Variant(BINARY)
    a: Any = Operand(BOOL | SCALAR | COOPMATRIX, "first operand")
    b: Any = Operand(BOOL | SCALAR | COOPMATRIX, "second operand")
    result: Any = Result(BOOL | SCALAR | COOPMATRIX, like="a")
    assembly = "` ` $a `, ` $b ` : ` $result"
    rules: ClassVar[tuple[Check, ...]] = (same_types, binary_allowed, divisor_is_not_zero)
    pure = True

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return written_result_type(parts) or _type_beside(part, parts)


def unary_result(variant: str, type_: Type) -> Type:
    """The result type of a unary operation: abs, im and re of a complex number are real."""
    if variant in ("abs", "im", "re") and isinstance(type_, ScalarType):
        return type_.component
    return type_


@check("PYTL-0403", "the operation is in the table of allowed types", "Arithmetic (unary)")
def unary_allowed(op: ArithUnary) -> Iterator[Problem]:
    if not admits_unary(op.variant, op.a.type):
        yield Problem(f"not defined on {op.a.type}", part="a")


@check(
    "PYTL-0404",
    "the result has the operand's type; abs, im and re of a complex operand give its component type",
    "Arithmetic (unary)",
)
def unary_type(op: ArithUnary) -> Iterator[Problem]:
    expected = unary_result(op.variant, op.a.type)
    if op.result.type != expected and admits_unary(op.variant, op.a.type):
        yield Problem(f"the operand is {op.a.type}, but the result is {op.result.type}", f"write : {expected}", "a")


@instruction
class ArithUnary(Operation):
    """Unary arithmetic on scalars, and component by component on cooperative matrices."""

    mnemonic = "arith"
    section = "Arithmetic (unary)"
    variant: Any = Variant(UNARY)
    a: Any = Operand(BOOL | SCALAR | COOPMATRIX, "operand")
    result: Any = Result(BOOL | SCALAR | COOPMATRIX)
    assembly = "` ` $a ` : ` $result"
    rules = (unary_allowed, unary_type)
    pure = True

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return written_result_type(parts)

    def infer_result_types(self) -> list[Type]:
        return [unary_result(self.variant, self.a.type)]


@check("PYTL-0405", "casts from complex to real types are forbidden", "Cast")
def cast_allowed(op: Cast) -> Iterator[Problem]:
    a, b = component_type(op.operand.type), component_type(op.result.type)
    if is_complex(a) and not is_complex(b):
        yield Problem(
            f"{op.operand.type} cannot be cast to {op.result.type}",
            "take a part first, with arith.re, arith.im or arith.abs",
            "operand",
        )


@check("PYTL-0406", "a cooperative matrix is cast to one of the same shape and use", "Cast")
def cast_shapes(op: Cast) -> Iterator[Problem]:
    source, target = op.operand.type, op.result.type
    source_is, target_is = isinstance(source, CoopMatrixType), isinstance(target, CoopMatrixType)
    if source_is != target_is or (source_is and (source.shape, source.use) != (target.shape, target.use)):
        yield Problem(f"the operand is {source}, but the result is {target}", part="operand")


@instruction
class Cast(Operation):
    """Casts a number, or every component of a cooperative matrix, to another type.

    Integers are sign-extended or truncated; a floating number is rounded toward zero to an integer, which is
    undefined where it doesn't fit; what becomes complex has a zero imaginary part.
    """

    mnemonic = "cast"
    section = "Cast"
    operand: Any = Operand(SCALAR | COOPMATRIX, "what is cast")
    result: Any = Result(SCALAR | COOPMATRIX)
    assembly = "` ` $operand ` : ` $result"
    rules: ClassVar[tuple[Check, ...]] = (cast_allowed, cast_shapes)
    pure = True


@check("PYTL-0407", "both operands have the same scalar type", "Comparison")
def compared_types(op: Compare) -> Iterator[Problem]:
    if op.a.type != op.b.type:
        yield Problem(f"the operands are {op.a.type} and {op.b.type}", "cast one of them", "b")


@check("PYTL-0408", "complex numbers are compared for equality only", "Comparison")
def compared_order(op: Compare) -> Iterator[Problem]:
    if op.variant not in ("eq", "ne") and is_complex(op.a.type):
        yield Problem(f"{op.a.type} has no order", "compare the absolute values", "a")


@instruction
class Compare(Operation):
    """Compares two numbers. A comparison with a nan is false, `ne` excepted."""

    mnemonic = "cmp"
    section = "Comparison"
    variant: Any = Variant(COMPARISONS)
    a: Any = Operand(SCALAR, "first operand")
    b: Any = Operand(SCALAR, "second operand")
    result: Any = Result(BOOL)
    assembly = "` ` $a `, ` $b ` : ` $result"
    rules = (compared_types, compared_order)
    pure = True

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return _type_beside(part, parts) or parts.get("compared_type")

    @classmethod
    def complete(cls, parser: Any, parts: dict[str, Any], location: Location) -> None:
        annotated = parts["result_types"][0]
        compared = {parts[name].type for name in ("a", "b") if isinstance(parts[name], Value)}
        if isinstance(annotated, ScalarType) and compared <= {annotated, UnknownType()}:
            parser.note(COMPARED_TYPE, f"the annotation {annotated} is read as bool", location)
            parts["compared_type"] = annotated
            parts["result_types"] = [bool_]

    def infer_result_types(self) -> list[Type]:
        return [bool_]
