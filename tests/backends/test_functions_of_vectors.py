"""Functions that are written out in vector code: exponentials, square roots and extremes, beside NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference_kit import DTYPES

import pytl
from pytl import Memref, exp, f32, f64, foreach, group_id
from pytl.frontends.lang.library.elementary import WITH_FASTMATH
from pytl.passes.targets.host import host_machine

pytestmark = pytest.mark.at_most(4)

WAYS = [
    ("sycl", {}),
    ("sycl", {"fastmath": True}),
    *(("mlir", {"machine": name, "fastmath": fast}) for name in ("host", "avx2", "avx512") for fast in (False, True)),
]
each_way = pytest.mark.parametrize(("backend", "options"), WAYS, ids=str)
FUNCTIONS = ("log", "log2", "sin", "cos", "tan", "asin", "acos", "atan", "erf")
"""Those of f32 that vectors have formulas for."""
WIDE_FUNCTIONS = ("asin", "acos")
"""Those of f64."""
LIMITS = {"f16": (-25.0, 16.0), "bf16": (-134.0, 128.0), "f32": (-150.0, 128.0), "f64": (-1075.0, 1024.0)}
"""The powers of two between which numbers of a type are."""


def numbers(type_: str) -> np.ndarray:
    """Exponents of two: all through the range, near zero and near its ends, and beyond it."""
    rng, (low, high) = np.random.default_rng(3), LIMITS[type_]
    near = [rng.uniform(end - 1, end + 1, 60) for end in (low, high, 0.0)]
    edges = [0.0, -0.0, math.inf, -math.inf, math.nan, 3 * low, 3 * high, 1e-30, -1e-30]
    return np.concatenate([rng.uniform(low, high, 500), *near, edges])


@each_way
@pytest.mark.parametrize("type_", LIMITS)
@pytest.mark.parametrize("variant", ["exp", "native_exp", "exp2", "native_exp2"])
def test_exponentials(variant: str, type_: str, backend: str, options: dict[str, object]) -> None:
    has_base_two = variant.endswith("exp2")
    kernel = pytl.compile(f"""
    func @f(%a: memref<{type_}x?>, %r: memref<{type_}x?>) {{
      %zero = constant 0 : index
      %n = size %a[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {type_}
        %y = {"v04." if has_base_two else ""}math.{variant} %x : {type_}
        store %y, %r[%i]
      }}
    }}""")["f"]
    a = (numbers(type_) * (1 if has_base_two else math.log(2))).astype(np.float32 if type_ != "f64" else np.float64)
    a = a.astype(DTYPES[type_])
    found = np.zeros_like(a)
    kernel[1, options](a, found, backend=backend)
    wide = np.longdouble
    with np.errstate(over="ignore", under="ignore"):
        exact = (np.exp2 if has_base_two else np.exp)(a.astype(np.float64).astype(wide))
        rounded = exact.astype(np.float64).astype(DTYPES[type_])
    result = found.astype(np.float64).astype(wide)
    far = ~np.isfinite(rounded.astype(np.float64))
    # an ulp beyond the last number is infinite
    is_last = np.abs(rounded.astype(np.float64)) >= np.float64(2.0 ** (LIMITS[type_][1] - 1)) * 1.99
    np.testing.assert_array_equal(result[far & ~is_last], rounded[far & ~is_last].astype(wide))
    near = ~far & ~is_last
    digits = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}[type_]
    least = LIMITS[type_][0] + digits + 1
    is_small = exact[near] < wide(2) ** (least if not variant.startswith("native") else least + 1)
    unit = np.maximum(exact[near] * wide(2) ** (1 - digits), wide(2) ** (LIMITS[type_][0] + 1))
    bound = unit * (2 if not variant.startswith("native") else 8192)
    # small results may be zero with `fastmath`
    may_vanish = is_small & (bool(options.get("fastmath")) or variant.startswith("native"))
    error = np.abs(result[near] - exact[near])
    assert np.all((error <= bound) | (may_vanish & (result[near] == 0)))


@each_way
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_square_roots_are_rounded_correctly(type_: str, backend: str, options: dict[str, object]) -> None:
    scalar = getattr(pytl, type_)

    @pytl.kernel
    def kernel(X: Memref[scalar, 1024], Y: Memref[scalar, 1024]):
        for i in foreach(1024):
            Y[i] = pytl.sqrt(X[i])

    dtype = DTYPES[type_]
    tiny, huge = np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max
    rng = np.random.default_rng(5)
    x = np.exp2(rng.uniform(math.log2(tiny), math.log2(huge), 1024)).astype(dtype)
    x[:9] = [0.0, -0.0, math.inf, -math.inf, math.nan, -1.0, tiny, huge, -tiny]
    y = np.zeros_like(x)
    kernel[1, options](x, y, backend=backend)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(y, np.sqrt(x))
    assert math.copysign(1.0, y[1]) == -1.0


@each_way
@pytest.mark.parametrize("is_first", [True, False], ids=["carried first", "carried second"])
@pytest.mark.parametrize("variant", ["max", "min"])
def test_extremes_of_nan(variant: str, is_first: bool, backend: str, options: dict[str, object]) -> None:
    """Of a number and nan it is the number, wherever in a row nan is."""
    extreme = getattr(pytl, variant)

    @pytl.kernel
    def kernel(X: Memref[f32, 80, 16, ...], Y: Memref[f32, 16, ...], Z: Memref[f32, 80, 16, ...]):
        g = group_id()
        for t in foreach(16):
            found = X[0, t, g]
            for i in range(80):
                found = extreme(found, X[i, t, g]) if is_first else extreme(X[i, t, g], found)
            Y[t, g] = found
            for i in range(80):
                Z[i, t, g] = extreme(X[i, t, g], X[79 - i, t, g])

    rng = np.random.default_rng(7)
    x = np.asfortranarray(rng.standard_normal((80, 16, 5)).astype(np.float32))
    x[rng.random(x.shape) < 0.3] = math.nan
    x[:, 3], x[1:, 4], x[:79, 5], x[0, 6] = math.nan, math.nan, math.nan, math.nan
    x[2, 7], x[3, 8] = math.inf, -math.inf
    y, z = np.zeros((16, 5), np.float32, order="F"), np.zeros_like(x)
    kernel[5, options](x, y, z, backend=backend)
    numpy = np.fmax if variant == "max" else np.fmin
    np.testing.assert_array_equal(y, numpy.reduce(x))
    np.testing.assert_array_equal(z, numpy(x, x[::-1]))


@each_way
def test_comparisons_of_widened_numbers(backend: str, options: dict[str, object]) -> None:
    """They are those of f32, where the constant is one, or is beyond all of them."""

    @pytl.kernel
    def kernel(X: Memref[f32, 64], Y: Memref[f64, 64, 6]):
        for i in foreach(64):
            x = f64(X[i])
            Y[i, 0] = 1.0 if x <= 1.7976931348623157e308 else 0.0
            Y[i, 1] = 1.0 if x >= 0.1 else 0.0  # which f32 has not
            Y[i, 2] = 1.0 if x < 0.5 else 0.0
            Y[i, 3] = 1.0 if x == 3.4028234663852886e38 else 0.0
            Y[i, 4] = 1.0 if x > 1.7976931348623157e308 else 0.0
            Y[i, 5] = 1.0 if x < 3.4028234663852890e38 else 0.0

    largest = np.finfo(np.float32).max
    x = np.resize(np.array([0.1, 0.5, 0.4, math.inf, -math.inf, math.nan, largest, -largest, 0.0], np.float32), 64)
    y = np.zeros((64, 6), order="F")
    kernel[1, options](x, y, backend=backend)
    wide = x.astype(np.float64)
    compared = [wide <= np.finfo(np.float64).max, wide >= 0.1, wide < 0.5, wide == float(largest)]
    compared += [wide > np.finfo(np.float64).max, wide < 3.4028234663852890e38]
    np.testing.assert_array_equal(y, np.stack(compared, axis=1).astype(np.float64))


def test_the_processor_scales_by_powers_where_it_can() -> None:
    @pytl.kernel
    def kernel(X: Memref[f32, 64, ...]):
        g = group_id()
        for i in foreach(64):
            X[i, g] = exp(X[i, g])

    has_instruction = host_machine().scales_by_powers
    for machine, expected in (("zen4", has_instruction), ("avx512", False), ("avx2", False)):
        text = kernel.emit("mlir", machine=machine)
        assert ("avx512.mask.scalef" in text) == expected
    # code that is built ahead of time may be executed by an older processor
    assert b"vscalef" not in kernel.emit("spirv")


@pytest.mark.parametrize("type_", ["f32", "f64"])
@pytest.mark.parametrize(
    ("name", "splits", "scales"),
    [("log", True, False), ("log2", True, False), ("expm1", False, True), ("sinh", False, True), ("cosh", False, True)],
)
def test_powers_of_two_are_bits(name: str, splits: bool, scales: bool, type_: str) -> None:
    """What the library divides out and multiplies in step by step, vectors have by the bits of f64."""
    scalar, function = getattr(pytl, type_), getattr(pytl, name)

    @pytl.kernel
    def kernel(X: Memref[scalar, 64], Y: Memref[scalar, 64]):
        for i in foreach(64):
            Y[i] = function(X[i])

    code = kernel.ir("vectorize")
    assert code.count("vector.cmp") < 9
    assert (code.count("vector.arith.shr") > 0) >= splits
    assert (code.count("vector.arith.shl") > 0) >= (splits or (scales and type_ == "f64"))


@each_way
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_powers_and_logarithms_of_all_exponents(type_: str, backend: str, options: dict[str, object]) -> None:
    """Exact ones, of subnormal numbers too, and of special ones."""
    scalar, dtype = getattr(pytl, type_), DTYPES[type_]
    least, most = (-149, 127) if type_ == "f32" else (-1074, 1023)
    exponents = np.arange(least, most + 1)
    x = np.concatenate([np.ldexp(1.0, exponents), [0.0, -0.0, math.inf, math.nan, -1.0]]).astype(dtype)
    n = x.size

    @pytl.kernel
    def kernel(X: Memref[scalar, n], Y: Memref[scalar, n], Z: Memref[scalar, n]):
        for i in foreach(n):
            Y[i] = pytl.log2(X[i])
            Z[i] = pytl.log(X[i])

    y, z = np.zeros_like(x), np.zeros_like(x)
    kernel[1, options](x, y, z, backend=backend)
    with np.errstate(divide="ignore", invalid="ignore"):
        np.testing.assert_array_equal(y, np.log2(x))
        np.testing.assert_allclose(z, np.log(x), rtol=3e-16 if type_ == "f64" else 1.2e-7)


def arguments_of(name: str) -> np.ndarray:
    """Of all sizes, with ends of ranges, neighbours of multiples of π/2, and what is special."""
    rng = np.random.default_rng(11)
    bits = rng.integers(0, 2**32, 3000, dtype=np.uint32).view(np.float32)
    near = (np.arange(1, 400) * (math.pi / 2)).astype(np.float32)
    edges = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 0.5, 1.125, 0.9, 3.9375, 1e5, -1e5, 2.0**-126, 1e-45]
    found = [
        bits,
        rng.normal(0, 3, 3000),
        rng.uniform(0.5, 2, 2000),
        np.array([0.8999902606010437, 0.889281153678894]),
        rng.uniform(-1, 1, 2000),
        near,
        np.nextafter(near, np.float32(0)),
        edges,
    ]
    with np.errstate(invalid="ignore"):  # a signalling nan
        return np.concatenate(found).astype(np.float32)


def exact_of(name: str, x: np.ndarray, dtype: type = np.float64) -> np.ndarray:
    wide = x.astype(dtype)
    if name == "erf":
        return np.array([math.erf(each) for each in wide])
    with np.errstate(all="ignore"):
        return getattr(np, {"atan": "arctan", "asin": "arcsin", "acos": "arccos"}.get(name, name))(wide)


@each_way
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_f32(name: str, backend: str, options: dict[str, object]) -> None:
    """Vectors have formulas of their own, within the same bounds, and with those of `fastmath`."""
    function = getattr(pytl, name)

    @pytl.kernel
    def kernel(X: Memref[f32, ...], Y: Memref[f32, ...]):
        for i in foreach(X.shape[0]):
            Y[i] = function(X[i])

    x = arguments_of(name)
    y, exact = np.zeros_like(x), exact_of(name, x)
    kernel[1, options](x, y, backend=backend)
    with np.errstate(all="ignore"):
        rounded = exact.astype(np.float32)
    assert np.array_equal(np.isnan(y), np.isnan(rounded))
    numbers = ~np.isnan(rounded)
    assert np.array_equal(np.signbit(y[numbers]), np.signbit(rounded[numbers]))
    is_finite = np.isfinite(rounded)
    assert np.array_equal(y[~is_finite & numbers], rounded[~is_finite & numbers])
    unit = np.ldexp(1.0, np.maximum(np.frexp(exact[is_finite])[1] - 24, -149))
    bound = WITH_FASTMATH.get(name, 0.51) if options.get("fastmath") else 0.51
    assert np.max(np.abs(y[is_finite] - exact[is_finite]) / unit) <= bound


def wide_arguments() -> np.ndarray:
    """Of all sizes, many between -1 and 1 and at the ends of ranges, and what is special."""
    rng = np.random.default_rng(12)
    ends = np.array([0.5, 1.0, 2.0**-27, 2.0**-1022])
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, 2.0)])
    found = [
        rng.integers(0, 2**64, 4000, dtype=np.uint64).view(np.float64),
        rng.uniform(-1, 1, 4000),
        rng.uniform(0.49, 0.53, 2000) * rng.choice([-1.0, 1.0], 2000),
        (1.0 - np.exp2(rng.uniform(-53, -1, 2000))) * rng.choice([-1.0, 1.0], 2000),
        near,
        -near,
        np.array([0.0, -0.0, math.inf, -math.inf, math.nan, 5e-324, -5e-324]),
    ]
    return np.concatenate(found)


@each_way
@pytest.mark.parametrize("name", WIDE_FUNCTIONS)
def test_functions_of_f64(name: str, backend: str, options: dict[str, object]) -> None:
    """They are within the library's bounds with `fastmath`, too; what is special is as the reference has it."""
    function = getattr(pytl, name)

    @pytl.kernel
    def kernel(X: Memref[f64, ...], Y: Memref[f64, ...], Z: Memref[f64, ...]):
        for i in foreach(X.shape[0]):
            Y[i] = function(X[i])
            if X[i] > 0.25:  # some lanes
                Z[i] = function(X[i] * 0.75)

    x = wide_arguments()
    y, z, expected, other = (np.zeros_like(x) for _ in range(4))
    with np.errstate(all="ignore"):
        exact = exact_of(name, x.astype(np.longdouble), np.longdouble)
        kernel[1](x, expected, other, backend="reference")
    kernel[1, options](x, y, z, backend=backend)
    rounded = exact.astype(np.float64)
    numbers = ~np.isnan(rounded)
    np.testing.assert_array_equal(np.isnan(y), ~numbers)
    np.testing.assert_array_equal(np.isnan(expected), ~numbers)
    np.testing.assert_array_equal(np.signbit(y[numbers]), np.signbit(expected[numbers]))
    is_special = np.isin(np.abs(x), [0.0, 5e-324, 1.0, math.inf])
    np.testing.assert_array_equal(y[is_special], expected[is_special])
    unit = np.spacing(np.abs(rounded[numbers])).astype(np.longdouble)
    assert np.max(np.abs(y[numbers] - exact[numbers]) / unit) <= 1.0
    assert np.max(np.abs(expected[numbers] - exact[numbers]) / unit) <= 1.0
    np.testing.assert_allclose(z, other, rtol=5e-16)


@pytest.mark.parametrize(
    ("name", "scalar"), [*((name, f32) for name in FUNCTIONS), *((name, f64) for name in WIDE_FUNCTIONS)]
)
def test_functions_are_known(name: str, scalar: type) -> None:
    """The library's text is not what vectors execute, but for few arguments behind a branch."""
    function = getattr(pytl, name)

    @pytl.kernel
    def kernel(X: Memref[scalar, 64], Y: Memref[scalar, 64]):
        for i in foreach(64):
            Y[i] = function(X[i])

    before_branches = kernel.ir("vectorize").partition("= if ")[0]
    assert before_branches.count("vector.fma") > 5
    assert before_branches.count("vector.select") < 10


@pytest.mark.parametrize(
    ("name", "count"), [("tan", 1), ("asin", 0), ("pow(x, 7)", 2), ("pow(x, y)", 6), ("pow(x, 1.7)", 6)]
)
def test_errors_of_products_are_multiply_adds(name: str, count: int) -> None:
    """Also where a factor is a constant, or both are the same."""
    functions = {
        "tan": lambda x, y: pytl.tan(x),
        "asin": lambda x, y: pytl.asin(x),  # whose errors are those of a root, for which there is an instruction
        "pow(x, 7)": lambda x, y: pytl.pow(x, 7),
        "pow(x, y)": pytl.pow,
        "pow(x, 1.7)": lambda x, y: pytl.pow(x, 1.7),
    }
    function = functions[name]

    @pytl.kernel
    def kernel(X: Memref[f64, 64], Y: Memref[f64, 64]):
        for i in foreach(64):
            Y[i] = function(X[i], Y[i])

    assert kernel.ir("vectorize").count("vector.fma") >= count


@each_way
@pytest.mark.parametrize("is_constant", [False, True])
def test_powers_of_f64(is_constant: bool, backend: str, options: dict[str, object]) -> None:
    @pytl.kernel
    def kernel(X: Memref[f64, ...], Y: Memref[f64, ...], Z: Memref[f64, ...]):
        for i in foreach(X.shape[0]):
            Z[i] = pytl.pow(X[i], 1.7 if is_constant else Y[i])

    rng = np.random.default_rng(4)
    x = np.concatenate(
        [np.exp2(rng.uniform(-1070, 1020, 2000)), rng.uniform(0.5, 2, 2000), [0.0, 1.0, math.inf, 5e-324]]
    )
    y = (
        np.full_like(x, 1.7)
        if is_constant
        else rng.uniform(-1070, 1020, x.size) / np.log2(np.where((x == 0) | (x == 1), 2, x))
    )
    y[~np.isfinite(y)] = -0.5
    z = np.zeros_like(x)
    kernel[1, options](x, y, z, backend=backend)
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.longdouble), y.astype(np.longdouble))
        rounded = exact.astype(np.float64)
        unit = np.spacing(np.where(np.isfinite(rounded), np.abs(rounded), 1.0))
        error = np.where(np.isfinite(rounded), np.abs((z - exact) / unit), np.where(z == rounded, 0.0, np.inf))
    assert np.max(error) <= (1.01 if not options.get("fastmath") else 4.0)


@each_way
def test_functions_in_branches_and_of_other_functions(backend: str, options: dict[str, object]) -> None:
    """Lanes that do not take a branch, arguments that are computed, and large ones, which have the library's text."""

    @pytl.kernel
    def kernel(X: Memref[f32, 100], Y: Memref[f32, 100], Z: Memref[f32, 100]):
        for i in foreach(100):
            x = X[i]
            y = f32(0.0)
            if x > 0.0:
                y = pytl.log(x) + pytl.sin(x * 3.0)
            Y[i] = y
            Z[i] = pytl.sin(pytl.cos(x)) + pytl.cos(x) * pytl.atan(pytl.sin(x))

    x = np.random.default_rng(2).normal(0, 3, 100).astype(np.float32)
    x[::7], x[3] = 1e6, 3e30
    y, z = np.zeros_like(x), np.zeros_like(x)
    kernel[1, options](x, y, z, backend=backend)
    wide = x.astype(np.float64)
    with np.errstate(invalid="ignore"):
        expected = np.where(x > 0, np.log(wide) + np.sin((x * np.float32(3)).astype(np.float64)), 0.0)
    np.testing.assert_allclose(y, expected, rtol=1e-6, atol=1e-6)
    expected = np.sin(np.cos(wide)) + np.cos(wide) * np.arctan(np.sin(wide))
    np.testing.assert_allclose(z, expected, rtol=1e-6, atol=1e-6)
