"""Arithmetic on single numbers as expressions of generated source."""

from __future__ import annotations

from ....ir.types import BoolType, ScalarType, Type
from .writer import device_name

_PLAIN = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^"}
_BOOLEAN = {"and": "&", "or": "|", "xor": "!="}
_COMPARE = {"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="}
_HALF = ("f16", "bf16")


def binary(variant: str, a: str, b: str, type_: Type) -> str:
    """`a variant b` in the type's own arithmetic."""
    if isinstance(type_, BoolType):
        return f"({a} {_BOOLEAN[variant]} {b})"
    assert isinstance(type_, ScalarType)
    if type_.is_integer:
        return _integer(variant, a, b, type_)
    if type_.is_complex:
        if variant in ("mul", "div"):
            return f"complex_{variant}({a}, {b})"
        return f"({a} {_PLAIN[variant]} {b})"
    return rounded(_floating(variant, a, b), type_)


def _integer(variant: str, a: str, b: str, type_: ScalarType) -> str:
    if variant in ("shl", "shr"):
        return f"{variant}({a}, {b})"
    if variant in ("and", "or", "xor"):
        # numba computes narrower operands in 64 bits
        together = f"({a} {_PLAIN[variant]} {b})"
        return together if type_.size == 8 else f"cast_{type_.name}{together}"
    return f"int_{variant}({a}, {b})"  # numba's own + - * leave an overflow undefined


def _floating(variant: str, a: str, b: str) -> str:
    if variant in _PLAIN:
        return f"({a} {_PLAIN[variant]} {b})"
    return {"div": f"float_div({a}, {b})", "rem": f"float_rem({a}, {b})", "min": f"fmin({a}, {b})"}.get(
        variant, f"fmax({a}, {b})"
    )


def unary(variant: str, a: str, type_: Type) -> str:
    """`variant a` in the type's own arithmetic."""
    if variant == "not":
        if isinstance(type_, BoolType):
            return f"(not {a})"
        assert isinstance(type_, ScalarType)
        return f"cast_{device_name(type_)}(~{a})"
    function = {"abs": "absolute", "re": "real", "im": "imag"}.get(variant, variant)
    return f"{function}({a})"


def math(variant: str, a: str, type_: ScalarType) -> str:
    """A mathematical function of a number; of f16 and bf16 it is computed in float32."""
    return rounded(f"{variant}({a})", type_)


def compare(variant: str, a: str, b: str) -> str:
    return f"({a} {_COMPARE[variant]} {b})"


def cast(a: str, source: ScalarType, target: ScalarType) -> str:
    """A conversion to another type; none between types with the same register type and values."""
    if device_name(source) == device_name(target):
        return a
    if source.name in _HALF and target.name == "f32":
        return a  # the register is a float32 already
    return f"cast_{device_name(target)}({a})"


def rounded(a: str, type_: ScalarType) -> str:
    """A float32 register rounded to the half type it stands for."""
    return f"round_{type_.name}({a})" if type_.name in _HALF else a


def multiply_add(a: str, b: str, c: str, type_: ScalarType) -> str:
    """`a * b + c` in the accumulator's type, fused where the device has fused operations."""
    if type_.is_floating:
        return f"fma({a}, {b}, {c})"  # a * b + c alone is never contracted
    return binary("add", c, binary("mul", a, b, type_), type_)
