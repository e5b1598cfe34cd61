"""Constants (manual: Constant) and what is known of a value at compile time."""

from __future__ import annotations

import cmath
import math
import struct
from collections.abc import Iterator
from typing import Any

from ..ir.constraints import BOOL, COOPMATRIX, SCALAR
from ..ir.fields import Field, Result
from ..ir.meanings import Meanings
from ..ir.operation import Operation, Problem, check
from ..ir.printer import print_constant
from ..ir.registry import instruction
from ..ir.types import BoolType, ScalarType, Type, component_type
from ..ir.values import Value


class ConstantPart(Field):
    """A boolean, integer, floating or complex constant."""

    @property
    def grammar(self) -> str:
        return "constant"

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.literal()

    def print(self, printer: Any, operation: Any) -> None:
        printer.write(print_constant(operation.literal, component_type(operation.result.type)))


_KINDS = {bool: "boolean", int: "integer", float: "floating", complex: "complex"}
_KIND_NAMES = {kind: f"{'an' if kind == 'integer' else 'a'} {kind} constant" for kind in _KINDS.values()}
_WRITTEN_FORMS = {**_KIND_NAMES, "boolean": "true or false", "complex": "a complex constant, as [1.0, 0.0]"}


def _kind_of(literal: bool | complex) -> str:
    return next(kind for class_, kind in _KINDS.items() if isinstance(literal, class_))


@check("PYTL-0420", "the constant's kind matches the type: integer, floating, complex or boolean", "Constant")
def kind_matches(op: Constant) -> Iterator[Problem]:
    type_, actual = component_type(op.result.type), _kind_of(op.literal)
    expected = "boolean" if isinstance(type_, BoolType) else type_.kind if isinstance(type_, ScalarType) else ""
    if actual != expected:
        shown = str(op.literal).lower() if actual == "boolean" else op.literal
        whole = actual == "integer" and expected == "floating"
        fix = f"write {op.literal}.0" if whole else f"write {_WRITTEN_FORMS[expected]}"
        yield Problem(f"{shown} is {_KIND_NAMES[actual]}, but the type is {type_}", fix)


@check("PYTL-0421", "an integer constant is representable in its type", "Constant")
def integer_range(op: Constant) -> Iterator[Problem]:
    type_ = component_type(op.result.type)
    if isinstance(type_, ScalarType) and type_.is_integer and isinstance(op.literal, int):
        minimum, maximum = integer_bounds(type_)
        if not minimum <= op.literal <= maximum:
            yield Problem(f"{op.literal} is beyond {type_}, which holds {minimum} … {maximum}")


@check(
    "PYTL-0422",
    "a floating constant is in the range of its type, or is an infinity or nan",
    "Constants",
    "The manual has no infinities and nan. They are written inf, -inf and nan; numbers that are too large are none.",
)
def floating_range(op: Constant) -> Iterator[Problem]:
    if op.is_beyond:
        yield Problem(f"the constant is beyond the range of {component_type(op.result.type)}")


class Beyond(float):
    """The infinity that stands for a number beyond double precision."""


class BeyondComplex(complex):
    """The same of complex numbers."""


@instruction
class Constant(Operation):
    """Sets the result to a constant; every entry of a cooperative matrix to the same one.

    Floating constants, and the parts of complex ones, may be `inf`, `-inf` and `nan`.

    A floating constant is rounded to its type when the instruction is made, so the text shows the value that is
    computed with.
    """

    mnemonic = "constant"
    section = "Constant"
    literal: Any = ConstantPart("the constant")
    result = Result(BOOL | SCALAR | COOPMATRIX)
    assembly = "` ` $literal ` : |->` $result"
    rules = (kind_matches, integer_range, floating_range)
    pure = True

    def __init__(self, *arguments: Any, **parts: Any) -> None:
        super().__init__(*arguments, **parts)
        type_ = component_type(self.result.type)
        literal = self.literal
        self.is_beyond = isinstance(literal, (Beyond, BeyondComplex))
        """Whether the type has no such number: rounding gave an infinity that nobody has asked for."""
        if isinstance(type_, ScalarType) and isinstance(literal, (float, complex)):
            self.literal = round_to(literal, type_)
            self.is_beyond |= cmath.isinf(self.literal) and not cmath.isinf(literal)


def integer_bounds(type_: ScalarType) -> tuple[int, int]:
    """The least and the largest constant of an integer type; the manual leaves out -2^63."""
    maximum = 2 ** (type_.bits - 1) - 1
    return (-maximum if type_.bits == 64 else -maximum - 1), maximum


def wrap(value: int, type_: ScalarType) -> int:
    """An integer in two's complement of the type's width."""
    half = 1 << (type_.bits - 1)
    return (value + half) % (2 * half) - half


def round_to(literal: Any, type_: ScalarType) -> Any:
    """A floating or complex number rounded to the type, overflow giving infinity; others are left as they are.

    >>> from pytl.ir.types import f32
    >>> round_to(0.1, f32).hex()
    '0x1.99999a0000000p-4'
    """
    if isinstance(literal, float) and type_.is_floating:
        return _round_real(literal, type_.name)
    if isinstance(literal, complex) and type_.is_complex:
        part = type_.component.name
        return complex(_round_real(literal.real, part), _round_real(literal.imag, part))
    return literal


_FORMS = Meanings("constants", {"f32": "<f", "f16": "<e"})
"""The letters that the module struct has for types."""


def _round_real(value: float, name: str) -> float:
    if name == "f64" or math.isnan(value) or math.isinf(value):
        return value
    if name == "bf16":
        return _round_bf16(value)
    form = _FORMS[name]
    try:
        return float(struct.unpack(form, struct.pack(form, value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def _round_bf16(value: float) -> float:
    # Rounded once, from double: 8 significant bits, down to the least subnormal 2^-133.
    if value == 0.0:
        return value
    _, exponent = math.frexp(value)
    unit = math.ldexp(1.0, max(exponent - 8, -133))
    rounded = round(value / unit) * unit  # Python rounds halves to even
    largest = math.ldexp(255.0, 120)
    return math.copysign(math.inf, value) if abs(rounded) > largest else math.copysign(rounded, value)


def constant_of(value: Value | None) -> Any:
    """The constant that a value is known to have, or None."""
    owner = value.owner if value is not None else None
    if not isinstance(owner, Constant):
        return None
    literal = owner.literal
    return literal if isinstance(literal, int) or _is_of(literal, component_type(owner.result.type)) else None


def constant_bound(bound: int | Value | None) -> int | None:
    """A bound that is a number, or the integer that a value of the kernel is known to be; None if neither.

    Constants of other kinds are reported elsewhere.
    """
    known = constant_of(bound) if isinstance(bound, Value) else bound
    return known if type(known) is int else None


def _is_of(literal: float | complex, type_: Type) -> bool:
    """Whether a type has such numbers. If not (PYTL-0420), nothing is known of the constant."""
    if not isinstance(type_, ScalarType) or type_.is_integer:
        return False
    return type_.is_complex or not isinstance(literal, complex)


def is_constant(value: Value | None, number: int) -> bool:
    """Whether a value is known to be this number, in whatever type."""
    known = constant_of(value)
    return known is not None and not isinstance(known, bool) and known == number


def are_same(a: Value, b: Value) -> bool:
    """Whether two values are certainly the same number."""
    return a is b or (constant_of(a) is not None and constant_of(a) == constant_of(b))


def zero_of(type_: Type) -> int | float | complex | bool:
    """The literal for zero (or false) of a scalar, bool or coopmatrix type."""
    part = component_type(type_)
    if isinstance(part, BoolType):
        return False
    assert isinstance(part, ScalarType)
    return {"integer": 0, "floating": 0.0, "complex": 0j}[part.kind]


def one_of(type_: ScalarType) -> int | float | complex:
    """The literal for one of a scalar type."""
    return {"integer": 1, "floating": 1.0, "complex": 1 + 0j}[type_.kind]
