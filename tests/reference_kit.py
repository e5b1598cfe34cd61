"""Running texts on the reference backend, and exact arithmetic to compare its results with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import pytl
from pytl.backends.reference import GroupView, MemrefView, execute
from pytl.diagnostics import ExecutionError

INTEGERS = ["i8", "i16", "i32", "i64", "index"]
FLOATS = ["bf16", "f16", "f32", "f64"]
COMPLEX = ["c32", "c64"]
DTYPES: dict[str, np.dtype] = {
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "index": np.dtype(np.int64),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f16": np.dtype(np.float16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "c32": np.dtype(np.complex64),
    "c64": np.dtype(np.complex128),
}
BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "index": 64}
# digits, exponent of the least subnormal, largest number
FORMATS = {
    "bf16": (8, -133, Fraction(255) * 2**120),
    "f16": (11, -24, Fraction(65504)),
    "f32": (24, -149, Fraction(2**24 - 1) * 2**104),
    "f64": (53, -1074, Fraction(2**53 - 1) * 2**971),
}

INTEGER_EDGES = {
    name: [-(2 ** (n - 1)), -(2 ** (n - 1)) + 1, -100, -7, -2, -1, 0, 1, 2, 3, 7, 100, 2 ** (n - 1) - 1]
    for name, n in BITS.items()
}
_REALS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    -1 / 3,
    2.5,
    -7.25,
    1e-3,
    300.0,
    12345.678,
    math.inf,
    -math.inf,
    math.nan,
]


def float_edges(name: str) -> np.ndarray:
    """Numbers of a floating type, with its largest, least normal and least subnormal."""
    digits, least, largest = FORMATS[name]
    ends = [float(largest), -float(largest), math.ldexp(1.0, least), math.ldexp(-1.0, least + digits - 1)]
    return np.array(_REALS + ends).astype(np.float32 if name != "f64" else np.float64).astype(DTYPES[name])


def rounded(value: Fraction | int | float, name: str) -> float:
    """A number rounded once to a floating type, to nearest even, by exact arithmetic."""
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value) or value == 0.0):
        return value
    value = Fraction(value)
    if value == 0:
        return 0.0
    digits, least, largest = FORMATS[name]
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    unit = Fraction(2) ** max(exponent - digits + 1, least)
    result = round(value / unit) * unit
    if abs(result) > largest:
        return math.inf if value > 0 else -math.inf
    # a negative number may be rounded to a zero, which keeps the sign
    return float(result) if value > 0 else -float(-result)


def wrapped(value: int, name: str) -> int:
    """An integer in two's complement."""
    half = 2 ** (BITS[name] - 1)
    return (value + half) % (2 * half) - half


def same(actual: np.ndarray, expected: Sequence[Any] | np.ndarray) -> None:
    """The very same numbers, signs of zeros included; a nan equals a nan."""
    actual = np.asarray(actual)
    expected = np.asarray(expected)
    if actual.dtype == ml_dtypes.bfloat16 or expected.dtype == ml_dtypes.bfloat16:
        actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_array_equal(actual, expected)
    if actual.dtype.kind == "f":
        numbers = ~np.isnan(actual)
        np.testing.assert_array_equal(np.signbit(actual)[numbers], np.signbit(expected)[numbers])


def view(array: np.ndarray, space: str = "global") -> MemrefView:
    """An array of any positive strides as a view on the flat buffer of its span."""
    strides = tuple(s // array.itemsize for s in array.strides)
    span = 1 + sum((n - 1) * s for n, s in zip(array.shape, strides, strict=True)) if array.size else 0
    buffer = np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,))
    return MemrefView(buffer, 0, array.shape, strides)


def run(text: str, *arguments: Any, groups: int = 1, function: int = 0, **ways: bool) -> None:
    """Execute the first function of a text; arrays are passed as views, lists of arrays as groups."""
    module = pytl.parse(text, "kernel.tl")
    pytl.verify(module)
    execute(module.functions[function], [_argument(a) for a in arguments], groups, **ways)


def _argument(given: Any) -> Any:
    if isinstance(given, np.ndarray):
        return view(given)
    if isinstance(given, list):
        return GroupView([view(item) for item in given])
    return given


def failure(text: str, *arguments: Any, code: str, line: int, groups: int = 1, **ways: bool) -> str:
    """Execute a text that breaks a rule; returns the message of the error."""
    with pytest.raises(ExecutionError) as caught:
        run(text, *arguments, groups=groups, **ways)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.location is not None
    assert found.location.line == line
    return found.message


def dense(values: Any, dtype: np.dtype | str = "f32") -> np.ndarray:
    """A column-major array."""
    return np.asarray(values).astype(DTYPES.get(dtype, dtype), order="F")  # type: ignore[call-overload]


def random_array(rng: np.random.Generator, name: str, *shape: int) -> np.ndarray:
    """Small integers, so that sums are exact in every type; complex ones with both parts."""
    numbers = rng.integers(-3, 4, shape)
    if name in COMPLEX:
        return dense(numbers + 1j * rng.integers(-3, 4, shape), name)
    return dense(numbers, name)


def dims(*sizes: int | str) -> str:
    """A shape as the text of a type has it: x4x?."""
    return "".join(f"x{n}" for n in sizes)


def wide(array: np.ndarray) -> np.ndarray:
    """An array in which small numbers are added and multiplied exactly."""
    return array.astype(np.complex128) if array.dtype.kind == "c" else array.astype(np.float64)


def stored_as(values: np.ndarray, name: str) -> np.ndarray:
    """What a type keeps of small whole numbers: integers wrap around, bf16 and f16 round."""
    if name in INTEGERS:
        return np.asarray(values).astype(np.int64).astype(DTYPES[name])
    # float32 holds them exactly, from where they are rounded once
    return np.asarray(values).astype(np.float32).astype(DTYPES[name]) if name == "bf16" else values.astype(DTYPES[name])
