"""Arithmetic and conversions of the device library against NumPy, where they are likely to go wrong."""

from __future__ import annotations

import itertools
import math
import operator

import ml_dtypes
import numpy as np
import pytest

BF16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
DTYPES |= {"f16": np.float16, "bf16": BF16.type, "f32": np.float32, "f64": np.float64}
DTYPES |= {"c32": np.complex64, "c64": np.complex128}
INTEGERS, FLOATS, COMPLEX = ["i8", "i16", "i32", "i64"], ["f32", "f64"], ["c32", "c64"]

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
random = np.random.default_rng(20240607)


def integers(name):
    info = np.iinfo(DTYPES[name])
    edges = [0, 1, -1, 2, -2, 3, -3, 7, -8, info.min, info.min + 1, info.max, info.max - 1]
    return np.array([*edges, *random.integers(info.min, info.max, 12)], DTYPES[name])


def floats(name):
    info = np.finfo(DTYPES[name])
    positive = [
        0,
        1,
        0.5,
        1.5,
        3,
        1e-3,
        math.pi,
        1e5,
        info.max,
        info.tiny,
        info.smallest_subnormal,
        info.tiny * 0.75,
        np.inf,
    ]
    return np.array([*positive, *(-x for x in map(float, positive)), np.nan], DTYPES[name])


def complexes(name):
    part = {"c32": np.float32, "c64": np.float64}[name]
    values = np.array([0, 1, -1, 0.5, -3, math.pi, 1e3, 1e-3], part)
    grid = values[:, None] + 1j * values[None, :].astype(DTYPES[name])
    return grid.astype(DTYPES[name]).ravel()


def pairs(values):
    a, b = zip(*itertools.product(values, values), strict=True)
    return np.array(a, values.dtype), np.array(b, values.dtype)


def assert_identical(actual, expected, label=""):
    """The same bits, but for the bits of a NaN."""
    expected = np.asarray(expected).astype(actual.dtype)
    bits = f"u{min(actual.dtype.itemsize, 8)}"
    same = (
        (actual.view(bits) == expected.view(bits)) | (np.isnan(actual) & np.isnan(expected))
        if (actual.dtype.kind in "fV" or actual.dtype == BF16)
        else actual == expected
    )
    wrong = np.flatnonzero(~np.asarray(same))
    assert wrong.size == 0, f"{label}: entries {wrong[:5]}: {actual[wrong[:5]]}, not {expected[wrong[:5]]}"


def wrap(value, dtype):
    bits = 8 * np.dtype(dtype).itemsize
    return (int(value) + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def truncated_div(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


INTEGER_OPERATIONS = {
    "int_add(a, b)": operator.add,
    "int_sub(a, b)": operator.sub,
    "int_mul(a, b)": operator.mul,
    "int_div(a, b)": truncated_div,
    "int_rem(a, b)": lambda a, b: 0 if b == 0 else a - b * truncated_div(a, b),
    "int_min(a, b)": min,
    "int_max(a, b)": max,
    "neg(a)": lambda a, b: -a,
    "absolute(a)": lambda a, b: abs(a),
    "select(a < b, b, a)": max,
}


@pytest.mark.at_most(2)
@pytest.mark.parametrize("name", INTEGERS)
def test_integer_arithmetic_wraps_and_never_traps(device, name):
    a, b = pairs(integers(name))
    results = device.evaluate(dict.fromkeys(INTEGER_OPERATIONS, name), a=a, b=b)
    for (label, meaning), result in zip(INTEGER_OPERATIONS.items(), results, strict=True):
        expected = [wrap(meaning(int(x), int(y)), a.dtype) for x, y in zip(a, b, strict=True)]
        assert_identical(result, np.array(expected, a.dtype), label)


@pytest.mark.parametrize("name", INTEGERS)
def test_shifts_mask_their_counts(device, name):
    width = 8 * np.dtype(DTYPES[name]).itemsize
    counts = np.array([0, 1, 3, width - 1, width, width + 1, -1], DTYPES[name])
    a, b = (np.array(x, DTYPES[name]) for x in zip(*itertools.product(integers(name), counts), strict=True))
    left, right = device.evaluate({"shl(a, b)": name, "shr(a, b)": name}, a=a, b=b)
    masked = [int(count) % width for count in b]
    assert_identical(left, [wrap(int(x) << n, a.dtype) for x, n in zip(a, masked, strict=True)], "shl")
    assert_identical(right, [int(x) >> n for x, n in zip(a, masked, strict=True)], "shr")


FLOAT_OPERATIONS = {
    "float_div(a, b)": np.divide,
    "float_rem(a, b)": np.fmod,
    "fmin(a, b)": np.fmin,
    "fmax(a, b)": np.fmax,
    "neg(a)": lambda a, b: -a,
    "absolute(a)": lambda a, b: np.abs(a),
    "select(a < b, a, b)": lambda a, b: np.where(a < b, a, b),
    "a + b": np.add,
    "a * b": np.multiply,
}


@pytest.mark.parametrize("name", FLOATS)
def test_float_arithmetic(device, name):
    a, b = pairs(floats(name))
    results = device.evaluate(dict.fromkeys(FLOAT_OPERATIONS, name), a=a, b=b)
    for (label, meaning), result in zip(FLOAT_OPERATIONS.items(), results, strict=True):
        expected = meaning(a, b)
        if label[:4] in ("fmin", "fmax"):  # which of two zeros is not specified
            result, expected = result + DTYPES[name](0), expected + DTYPES[name](0)
        assert_identical(result, expected, label)


@pytest.mark.parametrize("name", FLOATS)
def test_fma_rounds_once(device, name):
    a, b = (random.standard_normal(200).astype(DTYPES[name]) for _ in range(2))
    c = -(a * b)  # leaves just what the product's rounding lost
    (result,) = device.evaluate({"fma(a, b, c)": name}, a=a, b=b, c=c)
    exact = np.array([float(x) * float(y) + float(z) for x, y, z in zip(a, b, c, strict=True)])
    if name == "f64":
        assert np.count_nonzero(result) > 100
    else:
        assert_identical(result, exact.astype(np.float32))


@pytest.mark.parametrize("name", FLOATS)
def test_exponential(device, name):
    x = np.array([*floats(name), *np.linspace(-90, 90, 100)], DTYPES[name])
    (result,) = device.evaluate({"exp(x)": name}, x=x)
    expected = np.exp(x.astype(np.float64)).astype(DTYPES[name])
    np.testing.assert_allclose(result, expected, rtol=4 * np.finfo(DTYPES[name]).eps, atol=np.finfo(DTYPES[name]).tiny)


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_arithmetic(device, name):
    part = {"c32": "f32", "c64": "f64"}[name]
    a, b = pairs(complexes(name)[::3])
    exact = {
        "neg(a)": -a,
        "conj(a)": np.conj(a),
        "make_complex(imag(a), real(b))": a.imag + 1j * b.real,
        "select(real(a) < real(b), a, b)": np.where(a.real < b.real, a, b),
    }
    rounded = {
        "complex_mul(a, b)": a * b,
        "complex_div(a, b)": np.where(b == 0, 0, a / np.where(b == 0, 1, b)),
        "exp(complex_mul(a, make_complex(cast_f32(0.01), cast_f32(0.01))))": np.exp(a * DTYPES[name](0.01 + 0.01j)),
    }
    rounded = {key.replace("cast_f32", f"cast_{part}"): value for key, value in rounded.items()}
    results = device.evaluate(dict.fromkeys([*exact, *rounded], name), a=a, b=b)
    for (label, expected), result in zip(exact.items(), results, strict=False):
        np.testing.assert_array_equal(result, expected.astype(result.dtype), label)
    tolerance = 20 * np.finfo(DTYPES[name]).eps
    for (label, expected), result in zip(rounded.items(), results[len(exact) :], strict=True):
        finite = b != 0 if "div" in label else slice(None)
        np.testing.assert_allclose(result[finite], expected[finite], rtol=tolerance, atol=tolerance, err_msg=label)


@pytest.mark.parametrize("name", COMPLEX)
def test_complex_extremes(device, name):
    part = {"c32": "f32", "c64": "f64"}[name]
    huge, small = np.finfo(DTYPES[part]).max / 4, np.finfo(DTYPES[part]).tiny * 4
    z = np.array(
        [complex(huge, huge), complex(small, small), complex(huge, -small), complex(0, -huge), 3 + 4j],
        DTYPES[name],
    )
    modulus, one, zero, real_axis = device.evaluate(
        {
            "absolute(z)": part,
            "complex_div(z, z)": name,
            "complex_div(z, make_complex(cast_f64(0.0), cast_f64(0.0)))".replace("f64", part): name,
            "exp(make_complex(real(z), cast_f64(0.0)))".replace("f64", part): name,
        },
        z=z,
    )
    np.testing.assert_allclose(modulus, np.abs(z), rtol=4 * np.finfo(DTYPES[part]).eps)
    np.testing.assert_allclose(one, np.ones(5), rtol=4 * np.finfo(DTYPES[part]).eps)
    assert not np.isfinite(zero).any() and np.isinf(zero.real[0])
    assert np.isinf(real_axis.real[0]) and (real_axis.imag == 0).all()


def half_rounding_cases(half):
    """Doubles on, just beside and between the values of a half type and their midpoints."""
    finite = np.arange(0, 1 << 16, 7, dtype=np.uint16).view(half).astype(np.float64)
    finite = finite[np.isfinite(finite)]
    middle = (finite + np.arange(0, 1 << 16, 7, dtype=np.uint16)[: finite.size].view(half).astype(np.float64)) / 2
    step = np.abs(finite) * float(ml_dtypes.finfo(half).eps) / 2
    midpoints = np.concatenate([middle, finite + step, finite - step])
    midpoints = midpoints[np.isfinite(midpoints)]
    beside = np.concatenate([midpoints, np.nextafter(midpoints, np.inf), np.nextafter(midpoints, -np.inf)])
    specials = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        65519.99,
        65520.0,
        -65520.1,
        1e300,
        -1e300,
        1e-300,
        3.5e38,
        1e-45,
    ]
    return np.concatenate([finite, beside, specials])


def round_half_exactly(x, half):
    """Round doubles to a half type by comparing with its neighbours: no second rounding can hide here."""
    info = ml_dtypes.finfo(half)
    digits, lowest = int(info.nmant) + 1, int(info.minexp)
    _, exponent = np.frexp(np.where(np.isfinite(x), x, 1.0))
    quantum = np.ldexp(1.0, np.maximum(exponent - 1, lowest) - (digits - 1))
    rounded = np.rint(x / quantum) * quantum  # the division by a power of two is exact, and rint goes to even
    rounded = np.where(np.isfinite(x), rounded, x)
    return np.where(np.abs(rounded) > float(info.max), np.copysign(np.inf, x), rounded)


@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_half_types_round_once(device, name):
    x = half_rounding_cases(DTYPES[name])
    single = x.astype(np.float32)
    (from_double,) = device.evaluate({f"cast_{name}(x)": "f32"}, x=x)
    rounded, cast, stored = device.evaluate(
        {f"round_{name}(x)": "f32", f"cast_{name}(x)": "f32", f"round_{name}(x) ": name}, x=single
    )
    assert_identical(from_double, round_half_exactly(x, DTYPES[name]).astype(np.float32), "from f64")
    expected = round_half_exactly(single.astype(np.float64), DTYPES[name]).astype(np.float32)
    assert_identical(rounded, expected, "round")
    assert_identical(cast, expected, "cast")
    assert_identical(stored.astype(np.float32), expected, "store")


@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_half_types_load_and_store_every_value(device, name):
    every = np.arange(1 << 16, dtype=np.uint16).view(DTYPES[name])
    copy, widened = device.evaluate({"x": name, " x": "f32"}, x=every)
    assert_identical(copy, every, "store")
    assert_identical(widened, every.astype(np.float32), "load")


@pytest.mark.parametrize("name", ["f16", "bf16"])
def test_half_types_from_wide_integers(device, name):
    powers = [1 << k for k in range(63)]
    near = [sign * (p + p // 256 * m + d) for p in powers for m in (0, 1, 3) for d in (-1, 0, 1) for sign in (1, -1)]
    x = np.array([v for v in near if -(1 << 63) <= v < 1 << 63] + [-(1 << 63), (1 << 63) - 1], np.int64)
    (result,) = device.evaluate({f"cast_{name}(x)": "f32"}, x=x)
    expected = [_integer_to_half(int(v), DTYPES[name]) for v in x]
    assert_identical(result, np.array(expected, np.float32))


def _integer_to_half(value, half):
    info = ml_dtypes.finfo(half)
    shift = max(abs(value).bit_length() - int(info.nmant) - 1, 0)
    kept, lost = abs(value) >> shift, abs(value) & ((1 << shift) - 1)
    middle = 1 << shift >> 1
    kept += lost > middle or (lost == middle and lost > 0 and kept & 1)
    rounded = float(kept << shift)
    return math.copysign(rounded if rounded <= float(info.max) else math.inf, value)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("source", [*INTEGERS, "f16", "bf16", *FLOATS, *COMPLEX])
def test_casts(device, source):
    dtype = np.dtype(DTYPES[source])
    if source in INTEGERS:
        x = integers(source)
    elif source in COMPLEX:
        x = complexes(source)
    else:
        values = np.array([0, 1, -1, 2.5, -2.5, 100.75, -127.99, 0.3, 1e-3])
        x = values.astype(dtype)
    targets = COMPLEX if source in COMPLEX else list(DTYPES)
    results = device.evaluate({f"cast_{target}(x)": target for target in targets}, x=x)
    for target, result in zip(targets, results, strict=True):
        if source == "i64" and target in ("f16", "bf16"):
            continue  # NumPy rounds twice: see test_half_types_from_wide_integers
        if target == "bf16" and source in INTEGERS:
            expected = x.astype(np.float64).astype(BF16)
        else:
            expected = x.astype(DTYPES[target])
        np.testing.assert_array_equal(result, expected, f"{source} to {target}")


@pytest.mark.parametrize("source", FLOATS)
def test_floats_that_do_not_fit_an_integer_become_zero(device, source):
    dtype = DTYPES[source]
    limits = [2.0**w for w in (7, 15, 31, 63)]
    x = np.array([v for m in limits for v in (m, -m, np.nextafter(dtype(m), dtype(0)), -m - 1, -m * 1.5, m * 2)], dtype)
    x = np.concatenate([x, np.array([np.inf, -np.inf, np.nan, 1e30], dtype)])
    results = device.evaluate({f"cast_{target}(x)": target for target in INTEGERS}, x=x)
    for target, result in zip(INTEGERS, results, strict=True):
        info = np.iinfo(DTYPES[target])
        expected = [int(v) if np.isfinite(v) and info.min <= int(v) <= info.max else 0 for v in map(float, x)]
        np.testing.assert_array_equal(result, expected, target)
