"""Arithmetic on scalar values as the manual defines it, one NumPy array entry per lane.

Nothing is checked here: where the language leaves the result undefined, these functions give any result
quietly, since a lane that does not take part in an instruction may hold any operands. The reference backend executes by
them, and calls of pytl's functions outside of kernels compute by them. `import pytl` alone imports none of this.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..ir.meanings import Meanings
from ..ir.types import BoolType, ScalarType, c64, f64

Array = np.ndarray

_DTYPES = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "c32": np.complex64,
    "c64": np.complex128,
}


@cache
def dtype_of(type_: ScalarType | BoolType) -> np.dtype:
    """The NumPy type that holds values of a scalar type, or of bool."""
    if isinstance(type_, BoolType):
        return np.dtype(np.bool_)
    if type_.name == "bf16":
        # imported where it is needed: most kernels have no bf16, and NumPy knows the other types by itself
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(_DTYPES[type_.name])


def computing_dtype(type_: ScalarType) -> np.dtype:
    """The type of the computation, before rounding to the type: float32 for f16 and bf16, else the type itself.

    Float32 has more than twice the digits of either plus two, so that rounding a single sum, product or
    quotient twice gives what rounding it once does.
    """
    return np.dtype(np.float32) if type_.is_floating and type_.size == 2 else dtype_of(type_)


def widened(values: Array, type_: ScalarType | BoolType) -> Array:
    """Values of a type, exactly, in the type that they are computed with."""
    if isinstance(type_, BoolType):
        return values
    return values.astype(computing_dtype(type_), copy=False)


# Binary operations.


def _quotient(a: Array, b: Array) -> Array:
    # The least integer divided by -1 wraps like a negation; as a division it would trap on some machines.
    one = b.dtype.type(1)
    divisor = np.where((b == 0) | (b == -1), one, b)
    floor = a // divisor
    is_below = (floor * divisor != a) & ((a < 0) != (divisor < 0))
    return np.where(b == -1, -a, floor + is_below)


def _remainder(a: Array, b: Array) -> Array:
    one = b.dtype.type(1)
    return np.fmod(a, np.where((b == 0) | (b == -1), one, b))


def _shift(shift: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    def shifted(a: Array, b: Array) -> Array:
        width = b.dtype.itemsize * 8
        return shift(a, np.where((b < 0) | (b >= width), b.dtype.type(0), b))

    return shifted


_INTEGER: Meanings[str, Callable[[Array, Array], Array]] = Meanings(
    "NumPy's form, arith of integers",
    {
        "add": np.add,
        "sub": np.subtract,
        "mul": np.multiply,
        "div": _quotient,
        "rem": _remainder,
        "min": np.minimum,
        "max": np.maximum,
        "shl": _shift(np.left_shift),
        "shr": _shift(np.right_shift),
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
    },
)


def _complex_product(a: Array, b: Array) -> Array:
    # by parts, since NumPy fuses products and sums on some processors and for some lengths
    product = np.empty(np.broadcast_shapes(a.shape, b.shape), a.dtype)
    product.real = a.real * b.real - a.imag * b.imag
    product.imag = a.real * b.imag + a.imag * b.real
    return product


def product(a: Array, b: Array) -> Array:
    """Products of numbers in the type that they are computed with."""
    return _complex_product(a, b) if a.dtype.kind == "c" else np.multiply(a, b)


def _complex_quotient(a: Array, b: Array) -> Array:
    # in the next wider type, since NumPy takes the reciprocal of the divisor, which may overflow
    wide = np.complex128 if a.dtype == np.complex64 else np.clongdouble
    return (a.astype(wide) / b.astype(wide)).astype(a.dtype)


_COMPLEX: Meanings[str, Callable[[Array, Array], Array]] = Meanings(
    "NumPy's form, arith of complex numbers",
    {
        "add": np.add,
        "sub": np.subtract,
        "mul": _complex_product,
        "div": _complex_quotient,
    },
)
_INEXACT: Meanings[str, Callable[[Array, Array], Array]] = Meanings(
    "NumPy's form, arith of floats",
    {
        "add": np.add,
        "sub": np.subtract,
        "mul": np.multiply,
        "div": np.divide,
        "rem": np.fmod,
        "min": np.fmin,
        "max": np.fmax,
    },
)
_BOOLEAN: Meanings[str, Callable[[Array, Array], Array]] = Meanings(
    "NumPy's form, arith of truth values",
    {
        "and": np.logical_and,
        "or": np.logical_or,
        "xor": np.logical_xor,
    },
)


def binary(variant: str, a: Array, b: Array, type_: ScalarType | BoolType) -> Array:
    """`a <variant> b` on values of a type. Integers wrap; f16 and bf16 are rounded to nearest even."""
    if isinstance(type_, BoolType):
        return _BOOLEAN[variant](a, b)
    if type_.is_integer:
        return _INTEGER[variant](a, b)
    if type_.is_complex:
        return _COMPLEX[variant](a, b)
    result = _INEXACT[variant](widened(a, type_), widened(b, type_))
    return result.astype(dtype_of(type_), copy=False)


# Unary operations.


def _absolute(a: Array) -> Array:
    # in double precision, since NumPy's own np.abs of complex64 is off by more than a rounding
    is_complex = np.iscomplexobj(a)
    return np.hypot(a.real.astype(np.float64), a.imag.astype(np.float64)) if is_complex else np.abs(a)


_UNARY: Meanings[str, Callable[[Array], Array]] = Meanings(
    "NumPy's form, arith",
    {
        "abs": _absolute,
        "neg": np.negative,
        "not": np.invert,
        "conj": np.conjugate,
        "im": np.imag,
        "re": np.real,
    },
)


def unary(variant: str, a: Array, type_: ScalarType | BoolType, result: ScalarType | BoolType) -> Array:
    """`<variant> a` on values of a type; abs, im and re of complex numbers give another, `result`."""
    return _UNARY[variant](widened(a, type_)).astype(dtype_of(result), copy=False)


# Mathematical functions.


_FUNCTIONS: Meanings[str, Callable[[Array], Array]] = Meanings(
    "NumPy's form, math",
    {
        "exp": np.exp,
        "native_exp": np.exp,  # as accurately as possible, too
        **dict.fromkeys(("sin", "native_sin"), np.sin),
        **dict.fromkeys(("cos", "native_cos"), np.cos),
        **dict.fromkeys(("exp2", "native_exp2"), lambda a: np.exp(a * np.log(2)) if np.iscomplexobj(a) else np.exp2(a)),
        **dict.fromkeys(("log", "native_log"), np.log),
        **dict.fromkeys(("log2", "native_log2"), np.log2),
        "sqrt": np.sqrt,  # of vector code, as the next one
        "floor": np.floor,
    },
)


def math(variant: str, values: Array, type_: ScalarType) -> Array:
    """A mathematical function, computed in double precision and rounded once."""
    wide = _FUNCTIONS[variant](widened(values, type_).astype(np.complex128 if type_.is_complex else np.float64))
    return cast(wide, c64 if type_.is_complex else f64, type_)


# Comparisons.

_COMPARISONS: Meanings[str, Callable[[Array, Array], Array]] = Meanings(
    "NumPy's form, cmp",
    {
        "eq": np.equal,
        "ne": np.not_equal,
        "gt": np.greater,
        "ge": np.greater_equal,
        "lt": np.less,
        "le": np.less_equal,
    },
)


def compare(variant: str, a: Array, b: Array, type_: ScalarType) -> Array:
    """Compare values of a type; the result is of bool."""
    return _COMPARISONS[variant](widened(a, type_), widened(b, type_))


# Casts.


def cast(values: Array, source: ScalarType, target: ScalarType) -> Array:
    """Values of one type in another, rounded once."""
    if target.is_integer and source.is_floating:
        wide = widened(values, source)
        return np.where(beyond(values, source, target), wide.dtype.type(0), wide).astype(dtype_of(target))
    if target.name == "bf16" and source.name not in ("bf16", "f16", "f32", "i8", "i16"):
        return _to_odd_float32(_to_float64(values)).astype(dtype_of(target))
    if target.is_complex and not source.is_complex:
        return cast(values, source, target.component).astype(dtype_of(target))
    return widened(values, source).astype(dtype_of(target), copy=False)


def beyond(values: Array, source: ScalarType, target: ScalarType) -> Array:
    """Where floating values, truncated, do not fit an integer type; a nan never does."""
    limit = 2.0 ** (target.bits - 1)
    whole = np.trunc(widened(values, source).astype(np.float64))
    return ~((whole >= -limit) & (whole < limit))


def _to_float64(values: Array) -> Array:
    if values.dtype != np.int64:
        return values.astype(np.float64)
    # What float64 cannot hold is gathered in one low bit, where it still tells above from below a half.
    low = values & 0xFFFF
    is_large = np.abs(values.astype(np.float64)) >= 2.0**32
    rounded = (values - low) | np.where(low != 0, 1 << 16, 0)
    return np.where(is_large, rounded, values).astype(np.float64)


def _to_odd_float32(values: Array) -> Array:
    # Rounded to odd: truncated, with the last bit set where something was cut off. Rounding that again to
    # fewer digits gives what rounding the original once would; float32 lies between float64 and bf16.
    near = values.astype(np.float32)
    is_above = np.abs(near.astype(np.float64)) > np.abs(values)
    below = np.where(is_above, np.nextafter(near, np.float32(0)), near)
    is_cut = (below.astype(np.float64) != values) & ~np.isnan(values)
    return (below.view(np.uint32) | is_cut.astype(np.uint32)).view(np.float32)


def scalar_argument(value: Any, type_: ScalarType | BoolType) -> Array:
    """A Python or NumPy number as a uniform value of a type."""
    if isinstance(type_, BoolType):
        return np.array([bool(value)])
    if type_.is_integer:
        half = 1 << (type_.bits - 1)
        return np.array([(int(value) + half) % (2 * half) - half], dtype_of(type_))
    if type_.is_complex:
        return np.array([complex(value)]).astype(dtype_of(type_))
    return cast(np.array([float(value)]), f64, type_)
