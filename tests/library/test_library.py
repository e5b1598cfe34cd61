"""The library's functions: what they become in a kernel, what they refuse, and what they are outside of kernels."""

import cmath
import math
import warnings

import ml_dtypes
import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from tracing_kit import body, findings, function, text

import pytl
from pytl import Memref, bf16, c32, f16, f32, f64, foreach, i8, i32
from pytl.diagnostics import PytlError
from pytl.frontends import lang

pytestmark = pytest.mark.at_most(4)


def test_min_max_and_abs_are_instructions() -> None:
    assert body("y = pytl.min(x, 1.0, x)\nz = pytl.max(x, 0)\nw = pytl.abs(y)") == body(
        "y = min(x, 1.0, x)\nz = max(x, 0)\nw = abs(y)"
    )


def test_clamp_and_where() -> None:
    assert body("y = clamp(x, 0, 1.0)").splitlines() == [
        "%0 = constant 0x0p+0 : f32",
        "%1 = constant 0x1p+0 : f32",
        "%2 = arith.max %x, %0 : f32",
        "%y = arith.min %2, %1 : f32",
    ]
    assert body("y = where(x > 0.0, x, 2.0)").splitlines() == [
        "%0 = constant 0x0p+0 : f32",
        "%1 = cmp.gt %x, %0 : bool",
        "%y = if %1 -> (f32) {",
        "  yield (%x)",
        "} else {",
        "  %2 = constant 0x1p+1 : f32",
        "  yield (%2)",
        "}",
    ]


def test_literals_are_computed_while_tracing() -> None:
    assert body("A[i, j] = sqrt(4) * rsqrt(0.25) + floor(-0.5) + pytl.max(1, 2) + clamp(7, 0, 3)").splitlines()[0] == (
        "%0 = constant 0x1p+3 : f32"
    )


def test_a_value_takes_the_name_of_the_user() -> None:
    assert "%root = " in text("def f(x: f64, A: Memref[f64, 4]):\n    root = sqrt(x)\n    A[0] = root")


def test_a_function_runs_where_a_helper_does() -> None:
    """Inlined functions of the user's call the library's, and are called with arrays' elements."""

    def norm(a: f32, b: f32):
        return pytl.sqrt(a * a + b * b)

    @pytl.kernel
    def norms(x: pytl.Memref[f32, 4], y: pytl.Memref[f32, 4]):
        for i in pytl.foreach(4):
            y[i] = norm(x[i], 4.0)

    x, y = np.array([3, 0, 7.5, -3], np.float32), np.zeros(4, np.float32)
    norms[1](x, y, backend="reference")
    assert y.tolist() == [5.0, 4.0, 8.5, 5.0]
    assert norm(np.float32(3), np.float32(4)) == 5.0


@pytest.mark.parametrize(
    ("source", "message", "help"),
    [
        ("y = sqrt(i)", "x of sqrt is index, not a floating point number", "cast it: f64(i)"),
        ("y = sqrt(A)", "x of sqrt is memref<f32x16x8>, not a floating point number", None),
        ("y = clamp(x, 0, f64(1))", "clamp of f32 and f64", "cast one of them: f32(f64(1))"),
        ("y = where(x, 1.0, x)", "condition of where is f32, not a truth value", "compare it: x != 0"),
        ("y = pytl.min(x, A)", "b of min is memref<f32x16x8>, not a real number", None),
        ("y = pytl.pow(x, i)", "n of pow is index, not a real number, or an integer up to i32", "cast it: i32(i)"),
        ("y = pytl.pow(x, 1j)", "n of pow is the Python complex 1j, not a real number, or an integer up to i32", None),
        ("y = pytl.pow(x, A)", "n of pow is memref<f32x16x8>, not a real number, or an integer up to i32", None),
        ("y = pytl.pow(i, 0.5)", "x of pow is index, and the other is a floating point number", "cast it: f64(i)"),
        ("y = pytl.pow(x, f64(2))", "pow of f32 and f64", "cast one of them: f32(f64(2))"),
        ("y = pytl.pow(c32(1j), x)", "x of pow is c32, not a floating point number", None),
        ("y = pytl.pow(i, -1)", "index to the power -1 is not an integer", "cast it: f64(i)"),
        ("y = pytl.pow(A, 2)", "x of pow is memref<f32x16x8>, not a number", None),
        (
            "y = pytl.pow(2.0, i32(i))",
            "nothing gives the literal 2.0 a type here",
            "name the type: f64(2.0), or f32(2.0) if its uses are f32",
        ),
        ("y = sqrt()", "sqrt: missing a required argument: 'x'", "write sqrt(x)"),
    ],
)
def test_mistakes(source: str, message: str, help: str | None) -> None:
    (found,) = findings(f"def f(A: Memref[f32, 16, 8], i: index, x: f32):\n    {source}\n")
    assert found.message == message
    if help:
        assert found.help == help


@pytest.mark.parametrize(
    ("source", "help"),
    [
        ("np.sqrt(x)", "call pytl's own: from pytl import sqrt"),
        ("math.sqrt(x)", "call pytl's own: from pytl import sqrt"),
        ("cmath.log(x)", "call pytl's own: from pytl import log"),
        ("np.floor(x)", "call pytl's own: from pytl import floor"),
        ("np.where(x > 0, x, 0.0)", "call pytl's own: from pytl import where"),
        ("np.clip(x, 0.0, 1.0)", "call pytl's own: from pytl import clamp"),
        ("np.maximum(x, 0.0)", "call Python's own: max"),
        ("math.fabs(x)", "call Python's own: abs"),
        ("math.pow(x, 2)", "call pytl's own: pytl.pow"),
        ("np.power(x, 2)", "call pytl's own: pytl.pow"),
        ("pow(x, 2)", "call pytl's own: pytl.pow(x, n)"),
        ("math.erf(x)", "call pytl's own: from pytl import erf"),
        ("np.exp(x)", "call pytl's own: from pytl import exp"),
    ],
)
def test_the_help_names_our_functions(source: str, help: str) -> None:
    program = function(f"def f(x: f32, A: Memref[f32, 4]):\n    A[0] = {source}\n", np=np, math=math, cmath=cmath)
    (found,) = findings(program)
    assert (found.rule.code, found.help) == ("PYTL-1040", help)


@pytest.mark.parametrize("name", [name for name in lang.__all__ if getattr(getattr(lang, name), "ulps", None)])
def test_documentation_states_the_bound(name: str) -> None:
    function = getattr(lang, name)
    said = " ".join(function.__doc__.split())
    wide, narrow = function.ulps["f64"], function.ulps["f32"]
    if wide == 0:
        assert "exact" in said
    elif wide == narrow == 0.5:
        assert "rounded correctly" in said
    else:
        assert f"within {wide:g} ulp" in said
        assert wide == narrow or (
            f", {narrow:g} in f32" in said or (narrow == 0.5 and "f32 is rounded correctly" in said)
        )


# Powers with exponents that are known at run time; those that are known while tracing are in test_accuracy.py.


@pytest.mark.at_night
@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=NEEDS_SYCL)])
def test_powers_at_run_time(backend: str) -> None:
    @pytl.kernel
    def powers(
        x: Memref[f64, ...], y: Memref[f32, ...], z: Memref[i32, ...], n: Memref[i32, ...], small: Memref[i8, ...]
    ):
        for i in foreach(x.shape[0]):
            x[i] = pytl.pow(x[i], n[i])
            y[i] = pytl.pow(y[i], small[i])
            z[i] = pytl.pow(z[i], n[i])

    random = np.random.default_rng(3)
    n = np.concatenate([random.integers(-40, 40, 200), 2 ** random.integers(6, 31, 200) * random.choice([-1, 1], 200)])
    n = np.concatenate([n, [2**31 - 1, -(2**31), 0, 3, -3, 3, -3, 2**31 - 1, -1]]).astype(np.int32)
    exact_x = np.exp(random.uniform(-700, 700, n.size) / np.maximum(30, np.abs(n.astype(float))))
    x = exact_x * random.choice([-1, 1], n.size)
    x[-9:] = [1 + 2**-22, 1 - 2**-22, np.nan, -0.0, -0.0, -np.inf, -np.inf, -1, 5e-324]
    small = np.clip(n, -128, 127).astype(np.int8)
    y = random.uniform(-3, 3, n.size).astype(np.float32)
    z = np.resize(np.array([-3, -2, -1, 0, 1, 2, 3, 10**6], np.int32), n.size)
    with np.errstate(all="ignore"):
        exact_x = x.astype(np.longdouble) ** n.astype(np.longdouble)
        exact_y = y.astype(np.longdouble) ** small.astype(np.longdouble)
    exact_z = [
        pow(int(b), int(e), 2**32) if e >= 0 else {1: 1, -1: (-1) ** (int(e) % 2)}.get(int(b), 0) for b, e in zip(z, n)
    ]
    powers[1](x, y, z, n, small, backend=backend)
    assert z.tolist() == [(value + 2**31) % 2**32 - 2**31 for value in exact_z]
    for found, exact in ((x, exact_x), (y, exact_y)):
        with np.errstate(all="ignore"):
            rounded = exact.astype(found.dtype)
            close = np.abs(found - exact) <= 2 * np.spacing(np.abs(rounded))
        same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
        assert np.all(same | close)
        assert np.array_equal(np.signbit(found)[~np.isnan(found)], np.signbit(rounded)[~np.isnan(found)])


def test_powers_of_every_type() -> None:
    text("""
    def f(a: f16, b: bf16, c: c32, d: i8, A: Memref[f16, 1], B: Memref[bf16, 1], C: Memref[c32, 1], D: Memref[i8, 1]):
        A[0] = pytl.pow(a, 5)
        B[0] = pytl.pow(b, -3) + pytl.pow(b, d)
        C[0] = pytl.pow(c, 3) + pytl.pow(c, -2) + pytl.pow(c, 0)
        D[0] = pytl.pow(d, 3) + pytl.pow(d, 0)
    """)
    assert body("y = pytl.pow(x, 3)").splitlines() == ["%0 = arith.mul %x, %x : f32", "%y = arith.mul %0, %x : f32"]


SPECIAL = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 7.0, 1023.0, 1e4, math.inf, math.nan)


@pytest.mark.at_night
@pytest.mark.parametrize(
    "backend",
    ["reference", pytest.param("sycl", marks=NEEDS_SYCL), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))],
)
def test_powers_are_those_of_numpy_where_they_are_exact_or_special(backend: str) -> None:
    """Each number with each, of either sign: the same zeros, infinities, nans and whole numbers, in every type."""

    @pytl.kernel
    def powers(a: Memref[f64, 3, ...], b: Memref[f32, 3, ...], c: Memref[f16, 3, ...], d: Memref[bf16, 3, ...]):
        for i in foreach(a.shape[1]):
            a[2, i] = pytl.pow(a[0, i], a[1, i])
            b[2, i] = b[0, i] ** b[1, i]
            c[2, i] = pytl.pow(c[0, i], c[1, i])
            d[2, i] = d[0, i]
            d[2, i] **= d[1, i]

    numbers = [sign * each for each in SPECIAL for sign in (1, -1)]
    pairs = np.array([(x, y, -1.0) for x in numbers for y in numbers]).T
    arrays = [np.asfortranarray(pairs.astype(dtype)) for dtype in ("f8", "f4", "f2", ml_dtypes.bfloat16)]
    powers[1](*arrays, backend=backend)
    for array in arrays:
        with np.errstate(all="ignore"):
            expected = np.power(array[0].astype("f8"), array[1].astype("f8")).astype(array.dtype)
        ends = ~np.isfinite(expected) | (expected == 0) | (expected == np.rint(expected.astype("f8")))
        assert ends.sum() > 400
        assert np.array_equal(array[2, ends], expected[ends], equal_nan=True)
        signed = ends & ~np.isnan(expected)
        assert np.array_equal(np.signbit(array[2, signed]), np.signbit(expected[signed]))


def test_a_literal_is_the_exponent_of_the_numbers_type() -> None:
    assert body("y = pytl.pow(x, 2.0)") == body("y = pytl.pow(x, 2)")
    assert "v04" not in body("y = pytl.pow(x, 0.5)") and "math.exp" not in body("y = pytl.pow(2.0, x)")


@pytest.mark.at_most(1)
@pytest.mark.parametrize("power", ["x, 0.5", "x, x", "2.5, x", "2, x", "x, 1e10", "x, 5000", "x, i32(i)", "i, i32(i)"])
def test_the_operator_is_the_function(power: str) -> None:
    base, exponent = power.split(", ")
    assert body(f"y = {base} ** {exponent}") == body(f"y = pytl.pow({power})")
    if base == "x":
        assert body(f"x **= {exponent}") == body(f"x = pytl.pow({power})")


# Outside of kernels.


def test_python_numbers_give_python_numbers() -> None:
    for value, expected in [
        (pytl.exp(1.0), math.e),
        (pytl.exp(0), 1.0),
        (pytl.native_exp(1j * math.pi).real, -1.0),
        (pytl.sqrt(2), math.sqrt(2)),
        (pytl.rsqrt(0.25), 2.0),
        (pytl.floor(-0.5), -1.0),
        (pytl.ceil(0.5), 1.0),
        (pytl.sign(-3), -1),
        (pytl.clamp(5, 0, 3), 3),
        (pytl.min(1, 2.5), 1.0),
        (pytl.max(float("nan"), 2.5), 2.5),
        (pytl.abs(3 - 4j), 5.0),
        (pytl.where(False, 1, 2), 2),
        (pytl.pow(2, 100), 2**100),
        (pytl.pow(2, -1), 0.5),
        (pytl.pow(1.5, 7), 1.5**7),
        (pytl.pow(1j, 2), -1 + 0j),
        (pytl.pow(2, 0.5), math.sqrt(2)),
        (pytl.pow(10.0, -2.5), 10.0**-2.5),
        (pytl.pow(4.0, 3.0), 64.0),
        (pytl.log(1), 0.0),
        (pytl.log2(2.0**-1074), -1074.0),
        (pytl.sin(0), 0.0),
        (pytl.cos(0), 1.0),
        (pytl.sin(6381956970095103.0 * 2.0**797), 1.0),
        (pytl.tan(-0.0), -0.0),
        (pytl.asin(1.0), math.asin(1.0)),
        (pytl.acos(-1.0), math.pi),
        (pytl.atan(-1.0), math.atan(-1.0)),
        (pytl.sinh(1.0), math.sinh(1.0)),
        (pytl.cosh(1.0), math.cosh(1.0)),
        (pytl.expm1(1e-9), math.expm1(1e-9)),
        (pytl.tanh(1.0), math.tanh(1.0)),
        (pytl.erf(-7), -1.0),
    ]:
        assert value == expected and type(value) is type(expected), (value, expected)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, ml_dtypes.bfloat16])
def test_numpy_scalars_keep_their_type(dtype: type) -> None:
    x = dtype(2.25)
    for value, expected in [
        (pytl.sqrt(x), 1.5),
        (pytl.floor(x), 2.0),
        (pytl.ceil(-x), -2.0),
        (pytl.rsqrt(dtype(4)), 0.5),
        (pytl.exp(dtype(0)), 1.0),
        (pytl.clamp(x, 0, 1.5), 1.5),
        (pytl.min(1.5, x), 1.5),
        (pytl.abs(-x), 2.25),
        (pytl.sign(-x), -1.0),
        (pytl.where(np.bool_(True), x, 1.0), 2.25),
        (pytl.pow(x, 2), 5.0625),
        (pytl.pow(dtype(2), np.int8(-3)), 0.125),
        (pytl.pow(x, 0.5), 1.5),
        (pytl.pow(16.0, x), 512.0),
        (pytl.log2(dtype(8)), 3.0),
        (pytl.log(dtype(1)), 0.0),
        (pytl.sin(dtype(0)), 0.0),
        (pytl.cos(dtype(0)), 1.0),
        (pytl.tan(dtype(0)), 0.0),
        (pytl.atan(dtype(0)), 0.0),
        (pytl.asin(dtype(0)), 0.0),
        (pytl.acos(dtype(1)), 0.0),
        (pytl.sinh(dtype(0)), 0.0),
        (pytl.cosh(dtype(0)), 1.0),
        (pytl.expm1(dtype(-100)), -1.0),
        (pytl.tanh(dtype(30)), 1.0),
        (pytl.erf(dtype(30)), 1.0),
    ]:
        assert value == expected and type(value) is dtype, (value, type(value))


def test_helpers_with_loops_and_branches() -> None:
    def smoothed(x, terms: int):
        total = f64(0.0)
        for k in pytl.unroll(range(1, terms)):
            total += pytl.sin(k * x) / pytl.pow(f64(k), 2) if k % 2 == 1 else 0.0
        return pytl.clamp(total, -1.0, 1.0)

    @pytl.kernel
    def apply(x: Memref[f64, 1], y: Memref[f64, 1]):
        total = f64(0.0)
        for k in pytl.unroll(range(1, 6)):
            if k % 2 == 1:
                total += pytl.sin(f64(k) * x[0]) / pytl.pow(f64(k), 2)
        y[0] = pytl.clamp(total, -1.0, 1.0)

    y = np.zeros(1)
    apply[1](np.array([0.7]), y, backend="reference")
    assert y[0] == smoothed(np.float64(0.7), 6)
    with pytest.raises(PytlError, match="unroll takes a range, but got the Python int 4"):
        pytl.unroll(4)


@pytest.mark.at_night
@NEEDS_SYCL
def test_constants_are_folded_to_the_same_bits() -> None:
    @pytl.kernel
    def constants(y: Memref[f64, 8], z: Memref[f32, 8]):
        y[0] = pytl.sin(f64(1e300)) + pytl.log(f64(5e-324))
        y[1] = pytl.rsqrt(f64(-0.0))
        y[2] = pytl.pow(f64(1e300), 5)
        y[3] = pytl.tanh(f64(-0.0))
        y[4] = pytl.erf(f64(2.0)) * pytl.tan(f64(-3.7))
        y[5] = pytl.sqrt(f64(-1.0))
        z[0] = pytl.cos(f32(1e30)) + pytl.log2(f32(1e-45))
        z[1] = pytl.ceil(f32(-0.5))

    found = []
    for backend in ("reference", "sycl"):
        y, z = np.zeros(8), np.zeros(8, np.float32)
        constants[1](y, z, backend=backend)
        found.append((y, z))
    (a, c), (b, d) = found
    assert a[:5].tobytes() == b[:5].tobytes() and c.tobytes() == d.tobytes() and math.isnan(b[5])
    assert a[1] == -math.inf and a[2] == math.inf and math.isnan(a[5]) and math.copysign(1, c[1]) == -1


def test_what_numpy_would_warn_of_is_quiet() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(pytl.sqrt(-1.0)) and pytl.rsqrt(0.0) == math.inf and pytl.exp(1e4) == math.inf
        assert math.isnan(pytl.sqrt(np.float32("nan"))) and pytl.f32(1e300) == math.inf


def test_casts() -> None:
    for value, expected in [
        (f32(1), np.float32(1)),
        (f64(np.float32(0.1)), np.float64(np.float32(0.1))),
        (i32(-2.7), np.int32(-2)),
        (i8(np.int32(300)), np.int8(44)),
        (c32(np.float32(2)), np.complex64(2)),
        (pytl.cast(0.1, f16), np.float16(0.1)),
        (bf16(np.float64(1 + 2**-8 + 2**-40)), ml_dtypes.bfloat16(1 + 2**-7)),
        (pytl.index(3), np.int64(3)),
        (pytl.bool_(np.bool_(True)), True),
    ]:
        assert value == expected and type(value) is type(expected), (value, expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pytl.min(np.float32(1), np.float64(1)), "min got numbers of f32 and f64"),
        (lambda: pytl.sqrt(np.ones(3)), "sqrt takes numbers of Python or NumPy, but got an array of float64"),
        (lambda: pytl.sqrt(np.int32(4)), "sqrt takes a floating point number, but got i32"),
        (lambda: pytl.sqrt(1j), "sqrt takes a floating point number, but got c64"),
        (lambda: pytl.clamp("x", 0, 1), "clamp takes numbers of Python or NumPy, but got the Python string 'x'"),
        (lambda: pytl.min(np.uint8(1), 2), "min takes numbers of Python or NumPy, but got NumPy's uint8"),
        (lambda: pytl.clamp(np.int8(1), 0, 300), "300 is beyond i8, which holds -128 … 127"),
        (lambda: pytl.clamp(np.int8(1), 0, 1.5), "the Python float 1.5 is used where i8 is expected"),
        (lambda: i8(300), "300 is beyond i8, which holds -128 … 127"),
        (lambda: i32(np.float64(1e300)), "1e+300 does not fit i32"),
        (lambda: f32(1j), "the Python complex 1j can't be f32"),
        (lambda: f32(np.complex64(1j)), "c32 can't be cast to f32"),
        (lambda: pytl.pow(np.int32(2), 0.5), "x of pow is i32, and the other is a floating point number"),
        (
            lambda: pytl.pow(1j, 0.5),
            "c64 to the power of a number with a fraction has several values, and pow takes real numbers",
        ),
        (lambda: pytl.pow(np.float32(2), np.float64(0.5)), "pow got numbers of f32 and f64"),
        (lambda: pytl.pow(np.int32(2), -1), "i32 to the power -1 is not an integer"),
        (lambda: pytl.where(1.0, 1, 2), "the Python float 1.0 can't be bool"),
        (lambda: f32(None), "f32 takes a number of Python or NumPy, but got None"),
    ],
)
def test_what_is_refused_outside(call, message: str) -> None:
    with pytest.raises(PytlError) as caught:
        call()
    assert caught.value.diagnostics[0].message == message
    assert caught.value.diagnostics[0].rule.code == "PYTL-1100"


@pytest.mark.parametrize("call", ["gemm(1.0, None, None, 0.0, None)", "group_id()", "alloca(pytl.f32, 4)", "barrier()"])
def test_what_has_no_meaning_outside(call: str) -> None:
    with pytest.raises(PytlError, match=r"was called outside of a kernel"):
        eval(f"pytl.{call}")


HALF_POWERS = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1.0, 2.0, 4.0, 1e-5, 60000.0])


@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=NEEDS_SYCL)])
@pytest.mark.parametrize("type_", [pytl.f64, pytl.f32, pytl.f16], ids=str)
def test_a_power_of_one_half_is_a_root(type_, backend) -> None:
    """But for -0.0 and -inf, whose power is positive."""

    @pytl.kernel
    def half(x: pytl.Memref[type_, ...], y: pytl.Memref[type_, ...]):
        for i in pytl.foreach(x.shape[0]):
            y[i] = x[i] ** 0.5

    dtype = {"f64": np.float64, "f32": np.float32, "f16": np.float16}[str(type_.ir_type)]
    drawn = np.abs(np.random.default_rng(5).standard_normal(500))
    extremes = [np.finfo(dtype).smallest_subnormal, np.finfo(dtype).max]
    x = np.concatenate([HALF_POWERS.astype(dtype), drawn.astype(dtype), np.array(extremes, dtype)])
    y = np.zeros_like(x)
    half[1](x, y, backend=backend)
    with np.errstate(invalid="ignore"):
        expected = np.sqrt(x)
    expected[1], expected[3] = 0.0, np.inf
    np.testing.assert_array_equal(y, expected)
    assert not np.signbit(y[1])
    assert pytl.pow(dtype(-np.inf), 0.5) == np.inf
    assert pytl.pow(dtype(2.0), 0.5) == expected[7]
