"""Arithmetic on constants as the language defines it: integers wrap in their width, floats round to their type."""

from __future__ import annotations

import math
import operator
from typing import Any

from ..ir.operation import Operation
from ..ir.types import BoolType, ScalarType, Type, component_type
from ..ops import ArithBinary, ArithUnary, Cast, Compare, CooperativeMatrixScale, Math, Size
from ..ops.constants import constant_of, integer_bounds, round_to, wrap

_COMPARE = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}
_BITWISE = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}
_ARITH = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


def fold(op: Operation) -> Any:
    """The constant that an instruction gives, or None where it isn't known or isn't a literal of the language.

    Undefined results (a division by zero) and results without a literal (infinity, nan, -2^63) are not folded. A known
    cooperative matrix has one literal for all of its components.
    """
    if isinstance(op, Size):
        return _known_size(op)
    if not isinstance(op, (ArithBinary, ArithUnary, Cast, Compare, CooperativeMatrixScale, Math)):
        return None
    literals = [constant_of(value) for value in op.operands]
    type_ = component_type(op.operands[0].type)
    if any(literal is None for literal in literals) or not isinstance(type_, (ScalarType, BoolType)):
        return None
    result = component_type(op.results[0].type)
    if isinstance(op, Compare):
        return _COMPARE[op.variant](*literals)
    if isinstance(op, Cast):
        return _storable(_cast(literals[0], result), result)
    if isinstance(op, ArithUnary):
        return _storable(_unary(op.variant, literals[0], type_), result)
    if isinstance(op, Math):
        return _power_of_zero(literals[0])
    variant = "mul" if isinstance(op, CooperativeMatrixScale) else op.variant
    return binary_of_constants(variant, literals[0], literals[1], type_)


def binary_of_constants(variant: str, a: Any, b: Any, type_: Type) -> Any:
    """`arith.<variant>` on two constants of a type, or None, as for `fold`."""
    return _storable(_binary(variant, a, b, type_), type_)


def _power_of_zero(exponent: Any) -> Any:
    """exp(0) = 1; other results are left to the device, because their last bit depends on it."""
    if exponent != 0:
        return None
    return complex(1.0, exponent.imag) if isinstance(exponent, complex) else 1.0


def _known_size(op: Size) -> int | None:
    type_ = op.tensor.type
    extent = type_.shape[op.mode] if hasattr(type_, "shape") else type_.count
    return extent if isinstance(extent, int) else None


def _binary(variant: str, a: Any, b: Any, type_: Type) -> Any:
    if isinstance(type_, BoolType):
        return _BITWISE[variant](a, b)
    assert isinstance(type_, ScalarType)
    if variant in ("min", "max"):
        # which zero min(-0.0, 0.0) gives is left to the device
        both_zero = isinstance(a, float) and a == b == 0
        return None if both_zero else min(a, b) if variant == "min" else max(a, b)
    if type_.is_integer:
        return _integer(variant, a, b, type_)
    if variant in _ARITH and (type_.name in ("f32", "f64", "bf16", "f16") or variant != "mul"):
        return _ARITH[variant](a, b)
    # quotients and remainders of floats, and complex products, are left to the device: their last bit depends on it
    return None


def _integer(variant: str, a: int, b: int, type_: ScalarType) -> int | None:
    if variant in _BITWISE:
        return _BITWISE[variant](a, b)
    if variant in _ARITH:
        return wrap(_ARITH[variant](a, b), type_)
    if variant in ("shl", "shr"):
        if not 0 <= b < type_.bits:
            return None
        return wrap(a << b, type_) if variant == "shl" else a >> b
    if b == 0:
        return None
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return wrap(quotient, type_) if variant == "div" else a - quotient * b


def _unary(variant: str, a: Any, type_: Type) -> Any:
    if variant == "not":
        return (not a) if isinstance(a, bool) else ~a
    assert isinstance(type_, ScalarType)
    if variant == "neg":
        return wrap(-a, type_) if type_.is_integer else -a
    if variant == "abs":
        if type_.is_complex:
            return None
        return wrap(abs(a), type_) if type_.is_integer else abs(a)
    return {"conj": lambda: a.conjugate(), "re": lambda: a.real, "im": lambda: a.imag}[variant]()


def _cast(a: Any, target: Type) -> Any:
    if not isinstance(target, ScalarType):
        return None
    if target.is_integer:
        if isinstance(a, int):
            return wrap(a, target)
        least, most = integer_bounds(target)
        return int(a) if least <= math.trunc(a) <= most else None
    if isinstance(a, int) and abs(a) > 2**53:
        return None  # the result would be rounded twice
    return complex(a) if target.is_complex else float(a)


def _storable(value: Any, type_: Type) -> Any:
    """The value as the literal of a constant of this type, if there is one."""
    if value is None or isinstance(value, bool):
        return value
    assert isinstance(type_, ScalarType)
    if isinstance(value, int):
        least, most = integer_bounds(type_)
        return value if least <= value <= most else None
    rounded = round_to(value, type_)
    number = complex(rounded)
    return rounded if math.isfinite(number.real) and math.isfinite(number.imag) else None
