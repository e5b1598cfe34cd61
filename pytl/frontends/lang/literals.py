"""How a Python number becomes a constant of the language."""

from __future__ import annotations

import cmath
import struct
from math import inf

from ...ir.types import BoolType, CoopMatrixType, ScalarType, Type, component_type
from ...ops.constants import Beyond, BeyondComplex
from .traced import Choice, Literal, Number


def literal_of(number: Number, type_: Type) -> Number | None:
    """The number as a literal of the type, None where it has another kind: 1 is an f32, but 1.5 is no i32.

    >>> from pytl.ir.types import c32, f32, i32
    >>> literal_of(1, f32), literal_of(1.5, i32), literal_of(1.5, c32)
    (1.0, None, (1.5+0j))
    """
    part = component_type(type_)
    if isinstance(part, BoolType) or isinstance(number, bool):
        return number if isinstance(part, BoolType) and isinstance(number, bool) else None
    if not isinstance(part, ScalarType):
        return None
    if isinstance(number, complex):
        return number if part.is_complex else None
    if part.is_complex:
        real = _real(number)
        return BeyondComplex(real) if isinstance(real, Beyond) else complex(real, 0.0)
    if isinstance(number, float):
        return number if part.is_floating else None
    return _real(number) if part.is_floating else number


def cast_literal(number: Number | str, type_: Type) -> Number | None:
    """The number after an explicit cast: a float loses its fraction where the type is an integer.

    An infinity or nan may be given by its name, as Python's float takes it.

    >>> from pytl.ir.types import f32
    >>> cast_literal("-inf", f32), cast_literal("1", f32)
    (-inf, None)
    """
    part = component_type(type_)
    if isinstance(number, str):
        if number.lower().lstrip("+-") not in ("inf", "nan"):
            return None
        number = float(number)
    if isinstance(number, float) and isinstance(part, ScalarType) and part.is_integer:
        finite = number == number and abs(number) != float("inf")
        return int(number) if finite else None
    return literal_of(number, type_)


def name_of_call(number: Literal) -> str:
    """How to give a literal a type of its kind, for a message: the widest type, which holds Python's number.

    A floating or complex number that the narrower type holds, too, is named with both, for its uses decide.
    """
    if isinstance(number, Choice):
        return name_of_call(number.then)
    if isinstance(number, bool):
        return f"bool_({number})"
    if isinstance(number, int):
        return f"index({number})"
    # infinities and nan have no literal in Python
    shown = str(number) if cmath.isfinite(number) else "…" if isinstance(number, complex) else f'"{number}"'
    wide, narrow = ("c64", "c32") if isinstance(number, complex) else ("f64", "f32")
    return (
        f"{wide}({shown}), or {narrow}({shown}) if its uses are {narrow}" if _is_single(number) else f"{wide}({shown})"
    )


def _is_single(number: float | complex) -> bool:
    """Whether a number of 32 bits, or a pair of them, has the same value."""
    parts = (number.real, number.imag)
    return all(part != part or abs(part) in (0.0, inf) or _rounded(part) == part for part in parts)


def _rounded(part: float) -> float | None:
    try:
        return float(struct.unpack("f", struct.pack("f", part))[0])
    except OverflowError:
        return None


def may_be_constant(type_: Type) -> bool:
    """Whether there are constants of the type."""
    return isinstance(type_, (BoolType, ScalarType, CoopMatrixType))


def _real(number: int | float) -> float:
    try:
        return float(number)
    except OverflowError:
        return Beyond("inf")  # the constant's own rule reports it
