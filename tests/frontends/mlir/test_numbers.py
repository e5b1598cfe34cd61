"""arith and math compute what NumPy computes, of each type, of numbers and of vectors."""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl

pytestmark = pytest.mark.at_most(3)

INTEGERS = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64}
FLOATS = {"f32": np.float32, "f64": np.float64}
UNSIGNED = {np.int8: np.uint8, np.int16: np.uint16, np.int32: np.uint32, np.int64: np.uint64}
Binary = Callable[[Any, Any], Any]
BACKENDS = ["reference", pytest.param("sycl", marks=needs_sycl)]


def unsigned(of: Binary) -> Binary:
    return lambda a, b: of(a.view(UNSIGNED[a.dtype.type]), b.view(UNSIGNED[b.dtype.type]))


def toward_zero(a: Any, b: Any) -> Any:
    return np.where((a < 0) != (b < 0), -(np.abs(a.astype(object)) // np.abs(b.astype(object))),
                    np.abs(a.astype(object)) // np.abs(b.astype(object)))  # fmt: skip


def shift_of(a: Any, b: Any) -> Any:
    return np.abs(b.astype(object)) % (8 * a.itemsize)


OF_INTEGERS: dict[str, Binary] = {
    "addi": np.add,
    "subi": np.subtract,
    "muli": np.multiply,
    "andi": np.bitwise_and,
    "ori": np.bitwise_or,
    "xori": np.bitwise_xor,
    "divsi": toward_zero,
    "remsi": lambda a, b: a.astype(object) - toward_zero(a, b) * b.astype(object),
    "divui": unsigned(lambda a, b: a // b),
    "remui": unsigned(lambda a, b: a % b),
    "ceildivsi": lambda a, b: -(-a.astype(object) // b.astype(object)),
    "floordivsi": lambda a, b: a.astype(object) // b.astype(object),
    "ceildivui": unsigned(lambda a, b: -(-a.astype(object) // b.astype(object))),
    "minsi": np.minimum,
    "maxsi": np.maximum,
    "minui": unsigned(np.minimum),
    "maxui": unsigned(np.maximum),
}
SHIFTS: dict[str, Binary] = {"shli": np.left_shift, "shrsi": np.right_shift, "shrui": unsigned(np.right_shift)}
OF_FLOATS: dict[str, Binary] = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
    "remf": np.fmod,
    "minimumf": np.minimum,
    "maximumf": np.maximum,
    "minnumf": np.fmin,
    "maxnumf": np.fmax,
}
FUNCTIONS: dict[str, tuple[Callable[[Any], Any], float, float]] = {
    "absf": (np.abs, -3, 3),
    "exp": (np.exp, -3, 3),
    "exp2": (np.exp2, -3, 3),
    "log": (np.log, 0.1, 9),
    "log2": (np.log2, 0.1, 9),
    "log10": (np.log10, 0.1, 9),
    "sqrt": (np.sqrt, 0, 9),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0.1, 9),
    "sin": (np.sin, -3, 3),
    "cos": (np.cos, -3, 3),
    "tan": (np.tan, -1, 1),
    "tanh": (np.tanh, -3, 3),
    "asin": (np.arcsin, -1, 1),
    "acos": (np.arccos, -1, 1),
    "atan": (np.arctan, -3, 3),
    "sinh": (np.sinh, -3, 3),
    "cosh": (np.cosh, -3, 3),
    "expm1": (np.expm1, -1, 1),
    "erf": (np.vectorize(math.erf), -3, 3),
    "erfc": (np.vectorize(math.erfc), -3, 9),
    "floor": (np.floor, -3, 3),
    "ceil": (np.ceil, -3, 3),
    "trunc": (np.trunc, -3, 3),
    "round": (lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), -3, 3),
    "roundeven": (np.round, -3, 3),
}
COUNT = 12


def kernel(type_: str, lines: list[str], result: str = "") -> str:
    """A function that stores one result after the other of each pair of numbers."""
    body = "\n".join(
        f"{line}\n    memref.store %r{row}, %out[%c{row}, %i] : memref<{len(lines)}x{COUNT}x{result or type_}>"
        for row, line in enumerate(lines)
    )
    places = "\n".join(f"  %c{row} = arith.constant {row} : index" for row in range(max(len(lines), 2)))
    return f"""func.func @f(%x: memref<{COUNT}x{type_}>, %y: memref<{COUNT}x{type_}>, %out: memref<{len(lines)}x{COUNT}x{result or type_}>) {{
{places}
  %n = arith.constant {COUNT} : index
  scf.for %i = %c0 to %n step %c1 {{
    %a = memref.load %x[%i] : memref<{COUNT}x{type_}>
    %b = memref.load %y[%i] : memref<{COUNT}x{type_}>
{body}
  }}
  return
}}"""


def run(text: str, x: Any, y: Any, rows: int, dtype: Any, backend: str) -> np.ndarray:
    out = np.zeros((rows, COUNT), dtype)
    pytl.from_mlir(text)["f"][...](x, y, out, backend=backend)
    return out


def integers(type_: str) -> tuple[np.ndarray, np.ndarray]:
    rng, dtype = np.random.default_rng(3), INTEGERS[type_]
    limits = np.iinfo(dtype)
    a = rng.integers(limits.min, limits.max, COUNT, dtype)
    b = rng.integers(-9, 9, COUNT).astype(dtype)
    b[b == 0] = 5
    b[:3] = rng.integers(limits.min, limits.max, 3, dtype)
    b[a == limits.min] = 3
    return a, b


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", INTEGERS)
def test_integers(type_: str, backend: str) -> None:
    a, b = integers(type_)
    lines = [f"    %r{n} = arith.{name} %a, %b : {type_}" for n, name in enumerate(OF_INTEGERS)]
    out = run(kernel(type_, lines), a, b, len(lines), INTEGERS[type_], backend)
    with np.errstate(all="ignore"):
        for row, (name, of) in zip(out, OF_INTEGERS.items()):
            np.testing.assert_array_equal(row, _wrapped(of(a, b), a.dtype), err_msg=name)


def _wrapped(values: Any, dtype: Any) -> np.ndarray:
    bits = 8 * dtype.itemsize
    return np.array([(int(v) + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1) for v in values], dtype)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", INTEGERS)
def test_shifts(type_: str, backend: str) -> None:
    a, b = integers(type_)
    b = shift_of(a, b).astype(a.dtype)
    lines = [f"    %r{n} = arith.{name} %a, %b : {type_}" for n, name in enumerate(SHIFTS)]
    out = run(kernel(type_, lines), a, b, len(lines), INTEGERS[type_], backend)
    for row, (name, of) in zip(out, SHIFTS.items()):
        np.testing.assert_array_equal(row, of(a, b).astype(a.dtype), err_msg=name)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", INTEGERS)
def test_comparisons_of_integers(type_: str, backend: str) -> None:
    a, b = integers(type_)
    b[5:8] = a[5:8]
    u = UNSIGNED[INTEGERS[type_]]
    wanted: dict[str, Any] = {"eq": a == b, "ne": a != b, "slt": a < b, "sle": a <= b, "sgt": a > b, "sge": a >= b}
    p, q = a.view(u), b.view(u)
    wanted |= {"ult": p < q, "ule": p <= q, "ugt": p > q, "uge": p >= q}
    lines = [f"    %r{n} = arith.cmpi {name}, %a, %b : {type_}" for n, name in enumerate(wanted)]
    out = run(kernel(type_, lines, "i1"), a, b, len(lines), np.int8, backend)
    for row, (name, found) in zip(out, wanted.items()):
        np.testing.assert_array_equal(row, found, err_msg=name)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", INTEGERS)
def test_bits(type_: str, backend: str) -> None:
    """How many bits are 1, and how many zeros stand above and below them."""
    a, b = integers(type_)
    a[:4], b[:3] = [0, -1, 1, np.iinfo(a.dtype).min], [2, 6, 8]
    bits = 8 * a.dtype.itemsize
    for given in (a, b):
        texts = [format(int(v) % (1 << bits), f"0{bits}b") for v in given]
        wanted = {
            "ctpop": [text.count("1") for text in texts],
            "ctlz": [bits - len(text.lstrip("0")) for text in texts],
            "cttz": [bits - len(text.rstrip("0")) for text in texts],
        }
        lines = [f"    %r{n} = math.{name} %a : {type_}" for n, name in enumerate(wanted)]
        out = run(kernel(type_, lines), given, given, len(lines), a.dtype, backend)
        for row, (name, found) in zip(out, wanted.items()):
            np.testing.assert_array_equal(row, found, err_msg=name)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", INTEGERS)
def test_powers_of_integers(type_: str, backend: str) -> None:
    """They wrap around; those of negative exponents are 1 / x**-n without its fraction."""
    a, b = integers(type_)
    limits = np.iinfo(a.dtype)
    a[:8] = [1, -1, -1, 2, -3, 0, 7, -2]
    b[:8] = [-5, limits.min, limits.min + 1, 6, 5, 0, limits.max, -1]
    b[8:] = [3, limits.max, 17, 1]
    modulus = 1 << 8 * a.dtype.itemsize
    wanted = [
        pow(int(x), int(n), modulus) if n >= 0 else int(x) if abs(int(x)) == 1 and n % 2 else int(abs(int(x)) == 1)
        for x, n in zip(a, b)
    ]
    (found,) = run(kernel(type_, [f"    %r0 = math.ipowi %a, %b : {type_}"]), a, b, 1, a.dtype, backend)
    np.testing.assert_array_equal(found, _wrapped(wanted, a.dtype))


def floats(type_: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    a, b = (rng.uniform(-3, 3, COUNT).astype(FLOATS[type_]) for _ in range(2))
    a[:4], b[:4] = [np.nan, 1, np.nan, np.inf], [1, np.nan, np.nan, 2]
    b[5] = a[5]
    return a, b


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", FLOATS)
def test_floats(type_: str, backend: str) -> None:
    a, b = floats(type_)
    lines = [f"    %r{n} = arith.{name} %a, %b : {type_}" for n, name in enumerate(OF_FLOATS)]
    out = run(kernel(type_, lines), a, b, len(lines), FLOATS[type_], backend)
    with np.errstate(all="ignore"):
        for row, (name, of) in zip(out, OF_FLOATS.items()):
            np.testing.assert_allclose(row, of(a, b), rtol=1e-6 if type_ == "f32" else 1e-14, err_msg=name)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", FLOATS)
def test_comparisons_of_floats(type_: str, backend: str) -> None:
    a, b = floats(type_)
    bad = np.isnan(a) | np.isnan(b)
    plain = {"eq": a == b, "gt": a > b, "ge": a >= b, "lt": a < b, "le": a <= b, "ne": (a != b) & ~bad}
    wanted: dict[str, Any] = {f"o{word}": found & ~bad for word, found in plain.items()}
    wanted |= {f"u{word}": found | bad for word, found in plain.items()}
    wanted |= {"ord": ~bad, "uno": bad, "true": bad | True, "false": bad & False}
    lines = [f"    %r{n} = arith.cmpf {name}, %a, %b : {type_}" for n, name in enumerate(wanted)]
    out = run(kernel(type_, lines, "i1"), a, b, len(lines), np.int8, backend)
    for row, (name, found) in zip(out, wanted.items()):
        np.testing.assert_array_equal(row, found, err_msg=name)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", FLOATS)
def test_functions(type_: str, backend: str) -> None:
    rng = np.random.default_rng(5)
    share = rng.uniform(0, 1, COUNT).astype(FLOATS[type_])
    share[:3] = [0.25, 0.75, 7.0 / 12]
    lines, wanted = [], []
    for n, (name, (of, low, high)) in enumerate(FUNCTIONS.items()):
        lines.append(
            f"    %w{n} = arith.constant {float(high - low)} : {type_}\n    %l{n} = arith.constant {float(low)} : {type_}\n"
            f"    %s{n} = arith.mulf %a, %w{n} : {type_}\n    %t{n} = arith.addf %s{n}, %l{n} : {type_}\n"
            f"    %r{n} = math.{name} %t{n} : {type_}"
        )
        dtype = FLOATS[type_]
        wanted.append(of(share * dtype(high - low) + dtype(low)))
    out = run(kernel(type_, lines), share, share, len(lines), FLOATS[type_], backend)
    for row, name, found in zip(out, FUNCTIONS, wanted):
        tolerance = 3e-6 if type_ == "f32" else 1e-14
        np.testing.assert_allclose(row, found, rtol=tolerance, atol=tolerance, err_msg=name)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", FLOATS)
def test_powers(type_: str, backend: str) -> None:
    rng = np.random.default_rng(6)
    x, y = (rng.uniform(low, 3, COUNT).astype(FLOATS[type_]) for low in (0, -3))
    x[:4], y[:4] = [-2, -2, 0, np.nan], [3, 0.5, -1, 0]
    (found,) = run(kernel(type_, [f"    %r0 = math.powf %a, %b : {type_}"]), x, y, 1, FLOATS[type_], backend)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(found, np.power(x, y), rtol=1e-6 if type_ == "f32" else 1e-15)


@pytest.mark.parametrize("backend", BACKENDS)
def test_kinds_of_floats_and_pairs(backend: str) -> None:
    tiny = np.finfo(np.float32).smallest_normal
    x = np.array([0, -0.0, tiny, -tiny, np.inf, -np.inf, np.nan, 1, 2, -3, 1e30, 1e-30], np.float32)
    names = ("isnan", "isinf", "isfinite", "isnormal")
    lines = [f"    %r{n} = math.{name} %a : f32" for n, name in enumerate(names)]
    out = run(kernel("f32", lines, "i1"), x, x, len(lines), np.int8, backend)
    wanted = [np.isnan(x), np.isinf(x), np.isfinite(x), np.isfinite(x) & (x != 0)]
    np.testing.assert_array_equal(out, wanted)
    angle = np.linspace(-3, 3, COUNT, dtype=np.float32)
    (found,) = run(
        kernel("f32", ["    %s, %c = math.sincos %a : f32\n    %r0 = arith.subf %s, %c : f32"]),
        angle,
        angle,
        1,
        np.float32,
        backend,
    )
    np.testing.assert_allclose(found, np.sin(angle) - np.cos(angle), rtol=1e-5, atol=1e-6)


def _angle_of_two(y: Any, x: Any) -> Any:
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y))


COMPLEX: dict[str, Callable[..., Any]] = {
    "tan": np.tan,
    "tanh": np.tanh,
    "expm1": np.expm1,
    "log1p": np.log1p,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "atan2": _angle_of_two,
}
_LONG = np.finfo(np.longdouble).eps < np.finfo(np.float64).eps / 100


@pytest.mark.at_night
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", FLOATS)
def test_functions_of_complex_numbers(type_: str, backend: str) -> None:
    """Within 5 units in the last place of the larger part, on each side of each axis; long double is the reference."""
    rng = np.random.default_rng(8)
    real = FLOATS[type_]
    count = 64
    z, other = (rng.uniform(0.3, 2.5, count) * np.exp(2j * np.pi * rng.uniform(0, 1, count)) for _ in range(2))
    z[:8] = [25 + 1j, -25 - 2j, 0.3 + 1.5j, -1.3, -0.4, 2j, 1.01 - 1e-3j, 40j]
    other[:4] = [1, -1, 1 + 1e-3j, -1 - 1j]
    z, other = z.astype(np.result_type(real, np.complex64)), other.astype(np.result_type(real, np.complex64))
    shape = f"tensor<{count}xcomplex<{type_}>>"
    body = "".join(f"  %{name} = complex.{name} %z : {shape}\n" for name in COMPLEX if name != "atan2")
    names = ", ".join(f"%{name}" for name in COMPLEX)
    text = f"""func.func @f(%z: {shape}, %o: {shape}) -> ({", ".join([shape] * len(COMPLEX))}) {{
{body}  %atan2 = complex.atan2 %z, %o : {shape}
  return {names} : {", ".join([shape] * len(COMPLEX))}
}}"""
    found = pytl.from_mlir(text)["f"][...](z, other, backend=backend)
    wide, wide_other = z.astype(np.clongdouble), other.astype(np.clongdouble)
    for (name, of), mine in zip(COMPLEX.items(), found):
        exact = of(wide, wide_other) if name == "atan2" else of(wide)
        units = np.spacing(np.maximum(np.abs(exact.real), np.abs(exact.imag)).astype(real))
        off = np.maximum(np.abs(mine.real - exact.real), np.abs(mine.imag - exact.imag)) / units
        assert off.max() <= (5 if _LONG or type_ == "f32" else 20), (name, z[off.argmax()], other[off.argmax()])


CASTS = [
    ("i8", "i32", "extsi", lambda a: a.astype(np.int32)),
    ("i8", "i32", "extui", lambda a: a.view(np.uint8).astype(np.int32)),
    ("i32", "i8", "trunci", lambda a: a.astype(np.int8)),
    ("i32", "index", "index_cast", lambda a: a.astype(np.int64)),
    ("i32", "index", "index_castui", lambda a: a.view(np.uint32).astype(np.int64)),
    ("i64", "f64", "sitofp", lambda a: a.astype(np.float64)),
    ("i64", "f64", "uitofp", lambda a: a.view(np.uint64).astype(np.float64)),
    ("i32", "f32", "uitofp", lambda a: a.view(np.uint32).astype(np.float32)),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("source, target, name, of", CASTS, ids=[" ".join(case[:3]) for case in CASTS])
def test_casts_of_integers(source: str, target: str, name: str, of: Callable[[Any], Any], backend: str) -> None:
    a, b = integers(source)
    line = f"    %r0 = arith.{name} %a : {source} to {target}"
    dtype = (INTEGERS | FLOATS)[target]
    out = run(kernel(source, [line], target), a, b, 1, dtype, backend)
    np.testing.assert_array_equal(out[0], of(a))


@pytest.mark.parametrize("backend", BACKENDS)
def test_casts_of_floats(backend: str) -> None:
    a = np.array([0.0, 1.9, -1.9, 3e9, 2.0**63, 1.5e19, 7, 8, 9, 10, 11, 12])
    for name, type_, wanted in (
        ("fptosi", "i64", np.where(a < 2.0**62, a, 0).astype(np.int64)),
        ("fptoui", "i64", np.array([int(v) if v >= 0 else 0 for v in a], np.uint64).view(np.int64)),
        ("truncf", "f32", a.astype(np.float32)),
    ):
        # what does not fit an integer type has no value there
        given = np.where(wanted == 0, 0.0, a)
        line = f"    %r0 = arith.{name} %a : f64 to {type_}"
        out = run(kernel("f64", [line], type_), given, given, 1, wanted.dtype, backend)
        np.testing.assert_array_equal(out[0], wanted, err_msg=name)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_truth_values(backend: str) -> None:
    """Of one bit: sums are exclusive or, products are and; as a signed number, true is -1."""
    x = np.array([0, 0, 1, 1] * 3, np.int8)
    y = np.array([0, 1, 0, 1] * 3, np.int8)
    a, b = x.astype(bool), y.astype(bool)
    wanted = {
        "addi %a, %b": a ^ b, "muli %a, %b": a & b, "ori %a, %b": a | b, "cmpi eq, %a, %b": a == b,
        "cmpi slt, %a, %b": a & ~b, "cmpi sge, %a, %b": ~(a & ~b), "cmpi ult, %a, %b": ~a & b,
        "cmpi uge, %a, %b": a | ~b,
    }  # fmt: skip
    lines = [f"    %r{n} = arith.{words} : i1" for n, words in enumerate(wanted)]
    of_bits = {"ctpop %a": a, "ctlz %a": ~a, "cttz %a": ~a, "ipowi %a, %b": a | ~b}
    lines += [f"    %r{n} = math.{words} : i1" for n, words in enumerate(of_bits, len(lines))]
    wanted |= of_bits
    out = run(kernel("i1", lines), x, y, len(lines), np.int8, backend)
    for row, (name, found) in zip(out, wanted.items()):
        np.testing.assert_array_equal(row.astype(bool), found, err_msg=name)
    for name, type_, found in (("extsi", "i32", -x.astype(np.int32)), ("extui", "i32", x.astype(np.int32)),
                               ("uitofp", "f32", x.astype(np.float32)), ("sitofp", "f32", -x.astype(np.float32))):  # fmt: skip
        out = run(kernel("i1", [f"    %r0 = arith.{name} %a : i1 to {type_}"], type_), x, y, 1, found.dtype, backend)
        np.testing.assert_array_equal(out[0], found, err_msg=name)


def test_numbers_that_are_no_constants_of_the_language() -> None:
    x = np.zeros(COUNT, np.float32)
    lines = [
        f"    %r{n} = arith.constant {bits} : f32" for n, bits in enumerate(["0x7F800000", "0xFF800000", "0x7FC00000"])
    ]
    out = run(kernel("f32", lines), x, x, 3, np.float32, "reference")
    assert (out[0] == np.inf).all() and (out[1] == -np.inf).all() and np.isnan(out[2]).all()
    y = np.zeros(COUNT, np.int8)
    assert (run(kernel("i8", ["    %r0 = arith.constant -128 : i8"]), y, y, 1, np.int8, "reference") == -128).all()


@pytest.mark.tools_of("mlir")
def test_the_generic_form_is_the_same() -> None:
    a, b = integers("i32")
    lines = [f"    %r{n} = arith.{name} %a, %b : i32" for n, name in enumerate(OF_INTEGERS)]
    text = kernel("i32", lines)
    printed = subprocess.run(
        ["mlir-opt-22", "--mlir-print-op-generic"], input=text, text=True, capture_output=True, check=True
    ).stdout
    custom, generic = (run(each, a, b, len(lines), np.int32, "reference") for each in (text, printed))
    np.testing.assert_array_equal(custom, generic)
