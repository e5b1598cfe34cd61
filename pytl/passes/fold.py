"""Arithmetic on constants as the language defines it: integers wrap in their width, floats round to their type."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ..ir.meanings import Meanings, no_meaning
from ..ir.operation import Operation
from ..ir.types import BoolType, ScalarType, Type, component_type
from ..ops import ArithBinary, ArithUnary, Cast, Compare, CooperativeMatrixScale, Math, Size, SubgroupBroadcast
from ..ops.constants import constant_of, integer_bounds, round_to, wrap

_COMPARE = Meanings(
    "constant folding, cmp",
    {
        "eq": operator.eq,
        "ne": operator.ne,
        "gt": operator.gt,
        "ge": operator.ge,
        "lt": operator.lt,
        "le": operator.le,
    },
)
_BITWISE = Meanings("constant folding, arith", {"and": operator.and_, "or": operator.or_, "xor": operator.xor})
_ARITH = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}
_EXTREME = {"min": min, "max": max}
"""Of numbers, for nan is no number: where one operand is nan, the result is the other one."""


def fold(op: Operation) -> Any:
    """The constant that an instruction gives, or None where it isn't known or isn't a literal of the language.

    Undefined results (a division by zero) and results without a literal (infinity, nan, -2^63) are not folded. A known
    cooperative matrix has one literal for all of its components.
    """
    if isinstance(op, Size):
        return _known_size(op)
    if isinstance(op, SubgroupBroadcast):
        return constant_of(op.a)
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
        return _storable(_UNARY[op.variant](literals[0], type_), result)
    if isinstance(op, Math):
        return _MATH[op.variant](literals[0])
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


_MATH: Meanings[str, Callable[[Any], Any]] = Meanings(
    "constant folding, math",
    {
        **dict.fromkeys(("exp", "native_exp", "exp2", "native_exp2"), _power_of_zero),
        **dict.fromkeys(("sin", "native_sin"), lambda a: a if a == 0 else None),
        **dict.fromkeys(("cos", "native_cos"), lambda a: 1.0 if a == 0 else None),
        **dict.fromkeys(("log", "native_log", "log2", "native_log2"), lambda a: 0.0 if a == 1 else None),
    },
)


def _known_size(op: Size) -> int | None:
    type_ = op.tensor.type
    extent = type_.shape[op.mode] if hasattr(type_, "shape") else type_.count
    return extent if isinstance(extent, int) else None


def _binary(variant: str, a: Any, b: Any, type_: Type) -> Any:
    if isinstance(type_, BoolType):
        return _BITWISE[variant](a, b)
    assert isinstance(type_, ScalarType)
    if variant in _EXTREME:
        # which zero min(-0.0, 0.0) gives is left to the device
        if isinstance(a, float) and a == b == 0:
            return None
        return b if a != a else a if b != b else _EXTREME[variant](a, b)
    if type_.is_integer:
        return _INTEGER[variant](a, b, type_)
    if variant in _ARITH and (type_.name in ("f32", "f64", "bf16", "f16") or variant != "mul"):
        return _ARITH[variant](a, b)
    if variant == "mul" and type_.is_complex:
        return _exact_product(a, b, type_)
    if variant == "div" and type_.name in ("f16", "bf16"):
        return _narrow_quotient(a, b, type_)
    if variant in ("mul", "div", "rem"):
        return None  # left to the device: the last bit depends on it
    no_meaning("constant folding, arith", variant)


def _exact_product(a: complex, b: complex, type_: ScalarType) -> complex | None:
    """The product of complex numbers, where no sum or product in it is rounded, however they are fused."""
    part = type_.component
    terms = [(a.real, b.real), (a.imag, b.imag), (a.real, b.imag), (a.imag, b.real)]
    if not all(math.isfinite(x) for term in terms for x in term):
        return None
    exact = [Fraction(x) * Fraction(y) for x, y in terms]
    exact += [exact[0] - exact[1], exact[2] + exact[3]]
    if not exact[4] or not exact[5] or not all(abs(x) < 2**100 and _is_of(x, part) for x in exact):
        return None  # which zero a part is depends on how it is computed
    return complex(float(exact[4]), float(exact[5]))


def _is_of(number: Fraction, type_: ScalarType) -> bool:
    value = float(number)
    return value == number and (value == 0.0 or abs(value) > 2.0**-100) and round_to(value, type_) == value


def _narrow_quotient(a: float, b: float, type_: ScalarType) -> float | None:
    """A quotient in 16 bits, where it is the same whatever the last bits of a quotient in f32 are."""
    if not (math.isfinite(a) and math.isfinite(b)) or a == 0 or b == 0:
        return None
    wide = a / b
    near = {round_to(wide * (1.0 + error * 2.0**-20), type_) for error in (-1, 0, 1)}
    return near.pop() if len(near) == 1 and abs(wide) > 2.0**-14 else None


def _wrapping(word: str, exact: Callable[[int, int], int]) -> tuple[str, Callable[[int, int, ScalarType], int]]:
    return word, lambda a, b, type_: wrap(exact(a, b), type_)


def _quotient(a: int, b: int, type_: ScalarType) -> int | None:
    return None if b == 0 else wrap(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1), type_)


def _remainder(a: int, b: int, type_: ScalarType) -> int | None:
    return None if b == 0 else abs(a) % abs(b) * (1 if a >= 0 else -1)


_INTEGER: Meanings[str, Callable[[int, int, ScalarType], int | None]] = Meanings(
    "constant folding, arith of integers",
    {
        **dict(map(_wrapping, _BITWISE, _BITWISE.values())),
        **dict(map(_wrapping, _ARITH, _ARITH.values())),
        "div": _quotient,
        "rem": _remainder,
        "shl": lambda a, b, type_: wrap(a << b, type_) if 0 <= b < type_.bits else None,
        "shr": lambda a, b, type_: a >> b if 0 <= b < type_.bits else None,
    },
)


def _negative(a: Any, type_: Type) -> Any:
    return wrap(-a, type_) if isinstance(type_, ScalarType) and type_.is_integer else -a


def _absolute(a: Any, type_: Type) -> Any:
    assert isinstance(type_, ScalarType)
    if type_.is_complex:
        return None  # left to the device: the last bit depends on it
    return wrap(abs(a), type_) if type_.is_integer else abs(a)


_UNARY: Meanings[str, Callable[[Any, Type], Any]] = Meanings(
    "constant folding, arith",
    {
        "abs": _absolute,
        "neg": _negative,
        "not": lambda a, type_: (not a) if isinstance(a, bool) else ~a,
        "conj": lambda a, type_: a.conjugate(),
        "im": lambda a, type_: a.imag,
        "re": lambda a, type_: a.real,
    },
)


def _cast(a: Any, target: Type) -> Any:
    if not isinstance(target, ScalarType):
        return None
    if target.is_integer:
        if isinstance(a, int):
            return wrap(a, target)
        minimum, maximum = integer_bounds(target)
        return int(a) if math.isfinite(a) and minimum <= math.trunc(a) <= maximum else None
    if isinstance(a, int) and abs(a) > 2**53:
        return None  # the result would be rounded twice
    return complex(a) if target.is_complex else float(a)


def _storable(value: Any, type_: Type) -> Any:
    """The value as the literal of a constant of this type, if there is one."""
    if value is None or isinstance(value, bool):
        return value
    assert isinstance(type_, ScalarType)
    if isinstance(value, int):
        minimum, maximum = integer_bounds(type_)
        return value if minimum <= value <= maximum else None
    rounded = round_to(value, type_)
    number = complex(rounded)
    return rounded if math.isfinite(number.real) and math.isfinite(number.imag) else None
