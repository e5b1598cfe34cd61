"""Casts in messages: the type that holds the numbers, and the loss in another type."""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import ScalarType, Type, c32, c64, f32, f64, promotable

_DIGITS = {"bf16": 8, "f16": 11, "f32": 24, "f64": 53}
"""Binary digits of the numbers of a floating type."""
_WIDE = (f32, f64, c32, c64)


def cast_to(type_: Type, source: str, source_type: Type) -> str:
    """`f32(x), which rounds`: the cast of an expression, with its loss.

    >>> from pytl.ir.types import i32
    >>> cast_to(f64, "n", i32), cast_to(f32, "n", i32), cast_to(f32, "x", f64), cast_to(i32, "x", f64)
    ('f64(n)', 'f32(n), which rounds numbers beyond 2^24', 'f32(x), which rounds', 'i32(x), which drops the fraction')
    """
    return f"{type_}({source}){loss(source_type, type_)}"


def loss(source_type: Type, type_: Type) -> str:
    """What a cast of one type to another loses, as a help says it; empty where it loses nothing."""
    if not isinstance(source_type, ScalarType) or not isinstance(type_, ScalarType) or _holds(type_, source_type):
        return ""
    if type_.is_integer:
        return ", which drops the fraction" if not source_type.is_integer else ""
    if source_type.is_integer:
        return f", which rounds numbers beyond 2^{_DIGITS[type_.component.name]}"
    return ", which rounds"


def _holds(type_: ScalarType, source_type: ScalarType) -> bool:
    """Whether a type has all numbers of another. c32 lacks some numbers of i32, though i32 is promotable to it."""
    is_i32 = source_type.is_integer and source_type.bits == 32
    return promotable(source_type, type_) and not (is_i32 and type_.component == f32)


def common(types: Sequence[ScalarType]) -> ScalarType | None:
    """The least type that holds the numbers of all of some types; None where no type does.

    >>> from pytl.ir.types import bf16, f16, i32, i64
    >>> str(common([f32, f64])), str(common([f32, i32])), str(common([f16, bf16])), common([i64, f64])
    ('f64', 'f64', 'f32', None)
    """
    return next((t for t in (*types, *_WIDE) if all(t == each or _holds(t, each) for each in types)), None)


def floating_for(source_type: ScalarType) -> ScalarType:
    """The floating type that an integer is best cast to: the least that holds all of its numbers, else f64.

    >>> from pytl.ir.types import i16, i64
    >>> str(floating_for(i16)), str(floating_for(i64))
    ('f32', 'f64')
    """
    return f32 if _holds(f32, source_type) else f64
