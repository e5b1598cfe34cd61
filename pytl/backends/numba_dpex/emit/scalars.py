"""Arithmetic on single numbers as expressions of generated source."""

from __future__ import annotations

from ....ir.meanings import Meanings
from ....ir.types import BoolType, ScalarType, Type
from ..element_names import device_name

_BOOLEAN = Meanings("generated source, arith of truth values", {"and": "&", "or": "|", "xor": "!="})
_COMPARE = Meanings("generated source, cmp", {"eq": "==", "ne": "!=", "gt": ">", "ge": ">=", "lt": "<", "le": "<="})
_BITWISE = {"and": "&", "or": "|", "xor": "^"}
_INTEGER = Meanings(
    "generated source, arith of integers",
    {
        # numba's own + - * leave an overflow undefined
        **{word: f"int_{word}({{}}, {{}})" for word in ("add", "sub", "mul", "div", "rem", "min", "max")},
        **{word: f"{word}({{}}, {{}})" for word in ("shl", "shr")},
        **{word: f"({{}} {sign} {{}})" for word, sign in _BITWISE.items()},
    },
)
_COMPLEX = Meanings(
    "generated source, arith of complex numbers",
    {"add": "({} + {})", "sub": "({} - {})", "mul": "complex_mul({}, {})", "div": "complex_div({}, {})"},
)
_FLOATING = Meanings(
    "generated source, arith of floats",
    {
        "add": "({} + {})",
        "sub": "({} - {})",
        "mul": "({} * {})",
        "div": "float_div({}, {})",
        "rem": "float_rem({}, {})",
        "min": "fmin({}, {})",
        "max": "fmax({}, {})",
    },
)
_UNARY = Meanings(
    "generated source, arith",
    {"abs": "absolute({})", "neg": "neg({})", "conj": "conj({})", "im": "imag({})", "re": "real({})"},
)
_MATH_WORDS = ("exp", "sin", "cos", "exp2", "log", "log2")
_MATH = Meanings(
    "generated source, math",
    {"sqrt": "sqrt({})", **{word: f"{word}({{}})" for each in _MATH_WORDS for word in (each, f"native_{each}")}},
)
_HALF = ("f16", "bf16")


def binary(variant: str, a: str, b: str, type_: Type) -> str:
    """`a variant b` in the type's own arithmetic."""
    if isinstance(type_, BoolType):
        return f"({a} {_BOOLEAN[variant]} {b})"
    assert isinstance(type_, ScalarType)
    if type_.is_integer:
        return _integer(variant, a, b, type_)
    if type_.is_complex:
        return _COMPLEX[variant].format(a, b)
    return rounded(_FLOATING[variant].format(a, b), type_)


def _integer(variant: str, a: str, b: str, type_: ScalarType) -> str:
    together = _INTEGER[variant].format(a, b)
    # numba computes narrower operands of bitwise operators in 64 bits
    return f"cast_{type_.name}{together}" if variant in _BITWISE and type_.size < 8 else together


def unary(variant: str, a: str, type_: Type) -> str:
    """`variant a` in the type's own arithmetic."""
    if variant == "not":
        if isinstance(type_, BoolType):
            return f"(not {a})"
        assert isinstance(type_, ScalarType)
        return f"cast_{device_name(type_)}(~{a})"
    return _UNARY[variant].format(a)


def math(variant: str, a: str, type_: ScalarType) -> str:
    """A mathematical function of a number; of f16 and bf16 it is computed in float32."""
    return rounded(_MATH[variant].format(a), type_)


def compare(variant: str, a: str, b: str) -> str:
    return f"({a} {_COMPARE[variant]} {b})"


def cast(a: str, source: ScalarType, target: ScalarType) -> str:
    """A conversion to another type; none between types with the same register type and values."""
    if device_name(source) == device_name(target):
        return a
    if source.name in _HALF and target.name == "f32":
        return a  # the register is a float32 already
    return f"cast_{device_name(target)}({a})"


def bitcast(a: str, source: ScalarType, target: ScalarType) -> str:
    """A number of another type with the same bits."""
    names = device_name(source), device_name(target)
    return a if names[0] == names[1] else f"bitcast_{names[0]}_{names[1]}({a})"


def rounded(a: str, type_: ScalarType) -> str:
    """A float32 register rounded to the half type it stands for."""
    return f"round_{type_.name}({a})" if type_.name in _HALF else a


def multiply_add(a: str, b: str, c: str, type_: ScalarType) -> str:
    """`a * b + c` in the accumulator's type, fused where the device has fused operations."""
    if type_.is_floating:
        return f"fma({a}, {b}, {c})"  # a * b + c alone is never contracted
    return binary("add", c, binary("mul", a, b, type_), type_)
