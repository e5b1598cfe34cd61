"""Arithmetic, comparisons, casts and constants on the reference backend, against exact arithmetic."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_kit import (
    BITS,
    COMPLEX,
    DTYPES,
    FLOATS,
    FORMATS,
    INTEGER_EDGES,
    INTEGERS,
    failure,
    float_edges,
    rounded,
    run,
    same,
    wrapped,
)


def elementwise(instruction: str, operand: str, result: str, *arrays: np.ndarray) -> np.ndarray:
    """`instruction` on the elements of arrays, its operands written `{0}` and `{1}`."""
    count = len(arrays[0])
    loads = "\n".join(f"%x{n} = load %a{n}[%i] : {operand}" for n in range(len(arrays)))
    parameters = ", ".join(f"%a{n}: memref<{operand}x?>" for n in range(len(arrays)))
    text = f"""
    func @f({parameters}, %r: memref<{result}x?>) {{
      %zero = constant 0 : index
      %n = size %r[0] : index
      foreach (%i) = (%zero), (%n) {{
        {loads}
        %y = {instruction.format(*(f"%x{n}" for n in range(len(arrays))))} : {result}
        store %y, %r[%i]
      }}
    }}"""
    out = np.zeros(count, DTYPES[result])
    run(text, *arrays, out)
    return out


def pairs(values: list | np.ndarray, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    left, right = zip(*itertools.product(values, values), strict=True)
    return np.array(left, dtype), np.array(right, dtype)


def quotient(a: int, b: int) -> int:
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


INTEGER_OPERATIONS = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": quotient,
    "rem": lambda a, b: a - b * quotient(a, b),
    "min": min,
    "max": max,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "shr": lambda a, b: a >> b,
}


@pytest.mark.parametrize("type_", INTEGERS)
@pytest.mark.parametrize("variant", INTEGER_OPERATIONS)
def test_integer_operations_wrap(variant: str, type_: str) -> None:
    edges = INTEGER_EDGES[type_]
    seconds = [v for v in edges if v != 0] if variant in ("div", "rem") else edges
    if variant in ("shl", "shr"):
        seconds = [0, 1, 3, BITS[type_] - 2, BITS[type_] - 1]
    chosen = list(itertools.product(edges, seconds))
    a, b = (np.array(side, DTYPES[type_]) for side in zip(*chosen, strict=True))
    expected = [wrapped(INTEGER_OPERATIONS[variant](x, y), type_) for x, y in chosen]
    same(elementwise(f"arith.{variant} {{0}}, {{1}}", type_, type_, a, b), expected)


def exact(variant: str, a: float, b: float, type_: str) -> float:
    """IEEE arithmetic on doubles where operands or result are special, else the exact result rounded once."""
    if variant in ("min", "max"):
        if math.isnan(a) or math.isnan(b):
            return b if math.isnan(a) else a
        return min(a, b) if variant == "min" else max(a, b)
    operations = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "rem": np.fmod}
    with np.errstate(all="ignore"):
        inexact = float(operations[variant](np.float64(a), np.float64(b)))
    if variant == "rem" or not (math.isfinite(a) and math.isfinite(b)) or (variant == "div" and b == 0):
        return inexact
    x, y = Fraction(a), Fraction(b)
    number = {"add": x + y, "sub": x - y, "mul": x * y}[variant] if variant != "div" else x / y
    # the sign of a zero is the operation's on doubles
    return math.copysign(rounded(number, type_), inexact)


@pytest.mark.parametrize("type_", FLOATS)
@pytest.mark.parametrize("variant", ["add", "sub", "mul", "div", "rem", "min", "max"])
def test_floating_operations_round_once(variant: str, type_: str) -> None:
    a, b = pairs(float_edges(type_), DTYPES[type_])
    actual = elementwise(f"arith.{variant} {{0}}, {{1}}", type_, type_, a, b)
    expected = np.array([exact(variant, float(x), float(y), type_) for x, y in zip(a, b, strict=True)])
    if variant in ("min", "max"):
        # which of -0.0 and 0.0 is the less is left open by C
        actual, expected = actual.astype(np.float64) + 0.0, expected + 0.0
    same(actual.astype(np.float64), expected)


@pytest.mark.parametrize("type_", COMPLEX)
@pytest.mark.parametrize("variant", ["add", "sub", "mul", "div"])
def test_complex_operations(variant: str, type_: str) -> None:
    numbers = [complex(x, y) for x in (-2.5, 0.0, 1.0, 3.75) for y in (-1.0, 0.0, 0.5)]
    a, b = pairs([n for n in numbers if n != 0], DTYPES[type_])
    actual = elementwise(f"arith.{variant} {{0}}, {{1}}", type_, type_, a, b)
    operations = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}
    expected = operations[variant](a.astype(np.complex128), b.astype(np.complex128))
    np.testing.assert_allclose(actual, expected, rtol=1e-6 if type_ == "c32" else 1e-14)


@pytest.mark.parametrize("type_", INTEGERS)
def test_integer_unary(type_: str) -> None:
    edges = INTEGER_EDGES[type_]
    a = np.array(edges, DTYPES[type_])
    same(elementwise("arith.abs {0}", type_, type_, a), [wrapped(abs(v), type_) for v in edges])
    same(elementwise("arith.neg {0}", type_, type_, a), [wrapped(-v, type_) for v in edges])
    same(elementwise("arith.not {0}", type_, type_, a), [~v for v in edges])


@pytest.mark.parametrize("type_", FLOATS)
def test_floating_unary(type_: str) -> None:
    a = float_edges(type_)
    wide = a.astype(np.float64)
    same(elementwise("arith.abs {0}", type_, type_, a), np.abs(wide).astype(a.dtype))
    same(elementwise("arith.neg {0}", type_, type_, a), (-wide).astype(a.dtype))


@pytest.mark.parametrize(("type_", "part"), [("c32", "f32"), ("c64", "f64")])
def test_complex_unary(type_: str, part: str) -> None:
    a = np.array([3 - 4j, -1 + 0j, 0 - 2j, 5 + 12j], DTYPES[type_])
    same(elementwise("arith.abs {0}", type_, part, a), np.array([5, 1, 2, 13], DTYPES[part]))
    same(elementwise("arith.im {0}", type_, part, a), a.imag)
    same(elementwise("arith.re {0}", type_, part, a), a.real)
    same(elementwise("arith.neg {0}", type_, type_, a), -a)
    same(elementwise("arith.conj {0}", type_, type_, a), a.conj())


ORDERED = [(variant, type_) for variant in ("gt", "ge", "lt", "le") for type_ in INTEGERS + FLOATS]
EQUATED = [(variant, type_) for variant in ("eq", "ne") for type_ in INTEGERS + FLOATS + COMPLEX]


@pytest.mark.parametrize(("variant", "type_"), EQUATED + ORDERED)
def test_comparisons(variant: str, type_: str) -> None:
    if type_ in COMPLEX:
        values = np.array([1 + 2j, 1 - 2j, 2 + 1j, 0j, complex(math.nan, 0)], DTYPES[type_])
    elif type_ in FLOATS:
        values = float_edges(type_)
    else:
        values = np.array(INTEGER_EDGES[type_], DTYPES[type_])
    a, b = pairs(values, DTYPES[type_])
    out = np.zeros(a.size, np.int8)
    text = f"""
    func @f(%a: memref<{type_}x?>, %b: memref<{type_}x?>, %r: memref<i8x?>) {{
      %zero = constant 0 : index
      %n = size %r[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {type_}
        %y = load %b[%i] : {type_}
        %c = cmp.{variant} %x, %y : bool
        %v = if %c -> (i8) {{
          %one = constant 1 : i8
          yield (%one)
        }} else {{
          %none = constant 0 : i8
          yield (%none)
        }}
        store %v, %r[%i]
      }}
    }}"""
    run(text, a, b, out)
    operators = {
        "eq": lambda x, y: x == y,
        "ne": lambda x, y: x != y,
        "gt": lambda x, y: x > y,
        "ge": lambda x, y: x >= y,
        "lt": lambda x, y: x < y,
        "le": lambda x, y: x <= y,
    }
    convert = complex if type_ in COMPLEX else (float if type_ in FLOATS else int)
    same(out, [operators[variant](convert(x), convert(y)) for x, y in zip(a, b, strict=True)])


@pytest.mark.parametrize(
    ("instruction", "table"),
    [
        ("arith.and %p, %q", [0, 0, 0, 1]),
        ("arith.or %p, %q", [0, 1, 1, 1]),
        ("arith.xor %p, %q", [0, 1, 1, 0]),
        ("arith.not %p", [1, 1, 0, 0]),
    ],
)
def test_operations_on_bool(instruction: str, table: list[int]) -> None:
    text = f"""
    func @f(%r: memref<i32x2x2>) {{
      %zero = constant 0 : index
      %two = constant 2 : index
      %one = constant 1 : index
      foreach (%i, %j) = (%zero, %zero), (%two, %two) {{
        %p = cmp.eq %i, %one : bool
        %q = cmp.eq %j, %one : bool
        %b = {instruction} : bool
        if %b {{
          %v = constant 1 : i32
          store %v, %r[%i, %j]
        }}
      }}
    }}"""
    out = np.zeros((2, 2), np.int32, order="F")
    run(text, out)
    assert out.ravel().tolist() == table


# Casts.


def cast_samples(type_: str) -> np.ndarray:
    if type_ in BITS:
        width = BITS[type_]
        extra = [2**k + d for k in range(6, width - 1) for d in (-1, 1, 2 ** (k - 5), 2 ** max(k - 8, 0) + 1)]
        extra += [2**k + 2 ** (k - 8) + d for k in range(9, width - 1) for d in (-1, 0, 1)]
        numbers = [n for v in extra for n in (v, -v)]
        return np.array(INTEGER_EDGES[type_] + [n for n in numbers if abs(n) < 2 ** (width - 1)], DTYPES[type_])
    if type_ in COMPLEX:
        return np.array([0, 1 - 2j, 0.1 + 1e-3j, complex(math.inf, 1)]).astype(DTYPES[type_])
    halves = [1 + 2.0**-8 + d for d in (-(2.0**-40), 0.0, 2.0**-40)] + [3 + 2.0**-6 + 2.0**-50, 1 + 2.0**-11]
    halves += [65519.9, 65520.0, 1e-45, 2.0**-134, 2.0**-134 * 1.001, 3.3961e38, 3.3962e38, 1e300, 1e-300]
    if type_ == "f64":
        return np.concatenate([float_edges("f64"), halves, -np.array(halves)])
    with np.errstate(over="ignore"):
        return np.concatenate([float_edges(type_), np.array(halves, np.float32).astype(DTYPES[type_])])


CASTS = [(a, b) for a in INTEGERS + FLOATS for b in INTEGERS + FLOATS + COMPLEX]
CASTS += [(a, b) for a in COMPLEX for b in COMPLEX]


@pytest.mark.parametrize(("source", "target"), CASTS)
def test_casts(source: str, target: str) -> None:
    values = cast_samples(source)
    if source in COMPLEX:
        actual = elementwise("cast {0}", source, target, values)
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(actual, values.astype(DTYPES[target]))
        return
    if target in BITS:
        if source in FLOATS:
            limit = 2 ** (BITS[target] - 1)
            finite = np.isfinite(values.astype(np.float64))
            values = values[finite]
            values = values[[-limit <= math.trunc(float(v)) < limit for v in values]]
            expected = [math.trunc(float(v)) for v in values]
        else:
            expected = [wrapped(int(v), target) for v in values]
        same(elementwise("cast {0}", source, target, values), expected)
        return
    part = {"c32": "f32", "c64": "f64"}.get(target, target)
    convert = float if source in FLOATS else int
    numbers = np.array([rounded(convert(v), part) for v in values])
    actual = elementwise("cast {0}", source, target, values)
    if target in COMPLEX:
        same(actual.imag, np.zeros(len(values), DTYPES[part]))
        actual = actual.real
    same(actual.astype(np.float64), numbers)


@pytest.mark.parametrize("source", FLOATS)
@pytest.mark.parametrize("target", INTEGERS)
def test_cast_beyond_an_integer_type(source: str, target: str) -> None:
    limit = 2.0 ** (BITS[target] - 1)
    largest = float(FORMATS[source][2])
    for value in (limit, -limit * 1.5 if limit < 2**14 else -limit * 2, math.nan, math.inf):
        if math.isfinite(value) and abs(value) > largest:
            continue
        text = f"""
        func @f(%x: {source}, %r: memref<{target}>) {{
          %y = cast %x : {target}
          store %y, %r[]
        }}"""
        message = failure(text, value, np.zeros((), DTYPES[target]), code="PYTL-4007", line=3)
        assert message == f"cast: {value!r} does not fit {target} (work-group 0)"
        run(text, value, np.zeros((), DTYPES[target]), checks=False)


@pytest.mark.at_night
@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(FLOATS),
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-(2**40), 2**40), min_size=1, max_size=20),
)
def test_any_integer_is_rounded_once(target: str, numbers: list[int]) -> None:
    actual = elementwise("cast {0}", "i64", target, np.array(numbers, np.int64))
    same(actual.astype(np.float64), [rounded(n, target) for n in numbers])


@pytest.mark.at_night
@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["bf16", "f16", "f32"]),
    st.lists(st.floats() | st.floats(-70000, 70000), min_size=1, max_size=20),
)
def test_any_double_is_rounded_once(target: str, numbers: list[float]) -> None:
    actual = elementwise("cast {0}", "f64", target, np.array(numbers))
    same(actual.astype(np.float64), [rounded(n, target) for n in numbers])


# Constants and scalar arguments.


@pytest.mark.parametrize(
    ("type_", "literal", "number"),
    [
        ("i8", "-128", -128),
        ("i16", "32767", 32767),
        ("i32", "-5", -5),
        ("i64", "9223372036854775807", 2**63 - 1),
        ("index", "12", 12),
        ("bf16", "0.1", 0.10009765625),
        ("f16", "0.1", 0.0999755859375),
        ("f32", "0x1.8p-140", 1.5 * 2.0**-140),
        ("f64", "0.1", 0.1),
        ("c32", "[1.5, -0.5]", 1.5 - 0.5j),
        ("c64", "[0.1, 2.0]", 0.1 + 2j),
    ],
)
def test_constants(type_: str, literal: str, number: complex) -> None:
    out = np.zeros((), DTYPES[type_])
    run(f"func @f(%r: memref<{type_}>) {{ %c = constant {literal} : {type_} store %c, %r[] }}", out)
    assert out[()] == np.array(number, DTYPES[type_])


@pytest.mark.parametrize(
    ("type_", "argument", "number"),
    [
        ("i8", 100, 100),
        ("i32", np.int64(-7), -7),
        ("index", 2**40, 2**40),
        ("bf16", 0.1, 0.10009765625),
        ("f16", np.float32(0.1), 0.0999755859375),
        ("f32", 0.1, float(np.float32(0.1))),
        ("f64", 3, 3.0),
        ("c32", 2, 2 + 0j),
        ("c64", 1 - 1j, 1 - 1j),
    ],
)
def test_scalar_arguments(type_: str, argument: complex, number: complex) -> None:
    out = np.zeros((), DTYPES[type_])
    run(f"func @f(%x: {type_}, %r: memref<{type_}>) {{ store %x, %r[] }}", argument, out)
    assert complex(out) == number


@pytest.mark.parametrize("flag", [True, False])
def test_bool_argument(flag: bool) -> None:
    out = np.zeros((), np.int32)
    run("func @f(%b: bool, %r: memref<i32>) { if %b { %one = constant 1 : i32 store %one, %r[] } }", flag, out)
    assert out == flag
