"""What the help names for functions of Python, math and NumPy: it is traced, and computes what they compute."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tracing_kit import findings, function

import pytl
from pytl import Memref, f64
from pytl.frontends.python.counterparts import ELEMENTARY, known_of_math

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "functions.md"
HEAD = (
    "def kernel(X: Memref[f64, 5], Y: Memref[f64, 5], Z: Memref[f64, 5], x: f64, i: i32):\n    for k in foreach(5):\n"
)
NUMBERS = np.array([0.25, 0.5, 0.75, -0.5, -0.75]), np.array([0.5, -0.25, 2.0, 3.0, -0.5])
POSITIVE = np.array([1.5, 2.0, 3.25, 10.0, 1.25]), NUMBERS[1]


def help_of(call: str) -> str:
    """The help of the only error of a kernel that makes a call."""
    (found,) = findings(function(f"{HEAD}        r = {call}", math=math, np=np))
    assert found.code == "PYTL-1040" and found.help is not None
    return found.help


def formula_of(call: str) -> str:
    """What the help says to write."""
    text = help_of(call).removeprefix("write ")
    ends = [end for end in range(len(text) + 1) if text[end : end + 2] in (", ", "")]
    for end in reversed(ends):
        try:
            compile(text[:end], "<help>", "eval")
        except SyntaxError:
            continue
        return text[:end]
    raise AssertionError(text)


CALLS = [
    *((f"math.{head}", head.split("(")[0]) for head in ELEMENTARY if hasattr(math, head.split("(")[0])),
    *((f"np.{name}(x, y)", name) for name in ("fmod", "mod", "remainder", "floor_divide", "arctan2", "hypot")),
    *((f"np.{name}(x, y)", name) for name in ("add", "subtract", "multiply", "divide", "greater", "isclose")),
    *((f"np.{name}(x)", name) for name in ("square", "reciprocal", "negative", "arcsinh", "rad2deg", "deg2rad")),
    *((f"np.{name}(x)", name) for name in ("isnan", "isinf", "isfinite", "fix", "log1p", "nan_to_num")),
]


@pytest.mark.parametrize(("call", "name"), CALLS)
def test_the_formula_computes_the_function(call: str, name: str) -> None:
    function_name, parameters = call.rstrip(")").split("(")
    formula = formula_of(f"{function_name}({', '.join(f'{each.upper()}[k]' for each in parameters.split(', '))})")
    kernel = pytl.kernel(function(f"{HEAD}        r = {formula}\n        Z[k] = f64(r)"))
    x, y = POSITIVE if name in ("acosh", "log10") else NUMBERS
    z = np.zeros(5)
    kernel[1](x, y, z, 0.0, 0, backend="reference")
    known = getattr(np if call.startswith("np.") else math, name)
    arguments = [{"x": x, "y": y}[each] for each in parameters.split(", ")]
    np.testing.assert_allclose(z, [float(known(*numbers)) for numbers in zip(*arguments, strict=True)], rtol=1e-14)


def test_halves_are_rounded_as_the_help_says() -> None:
    assert help_of("round(x)") == (
        "write floor(x + 0.5), of the type of its argument; "
        "of two that are equally near it takes the larger, Python the even one"
    )
    assert help_of("np.round(x)") == help_of("np.rint(x)") == help_of("round(x)")

    @pytl.kernel
    def rounded(X: Memref[f64, 5], Z: Memref[f64, 5]):
        for k in pytl.foreach(5):
            Z[k] = pytl.floor(X[k] + 0.5)

    z = np.zeros(5)
    rounded[1](np.array([0.5, 1.5, 2.5, -0.5, -1.6]), z, backend="reference")
    assert z.tolist() == [1.0, 2.0, 3.0, 0.0, -2.0]


def test_special_values_are_recognised() -> None:
    @pytl.kernel
    def kinds(X: Memref[f64, 5], N: Memref[f64, 5], E: Memref[f64, 5], F: Memref[f64, 5]):
        for k in pytl.foreach(5):
            N[k] = f64(X[k] != X[k])
            E[k] = f64(abs(X[k]) == float("inf"))
            F[k] = f64(abs(X[k]) < float("inf"))

    x = np.array([1.0, np.nan, np.inf, -np.inf, 0.0])
    results = [np.zeros(5) for _ in range(3)]
    kinds[1](x, *results, backend="reference")
    for found, known in zip(results, (np.isnan, np.isinf, np.isfinite), strict=True):
        assert found.tolist() == known(x).tolist()


@pytest.mark.parametrize(
    ("call", "help"),
    [
        ("np.float32(0.5 * x)", "write f32(0.5 * x)"),
        ("np.float64(x)", "write f64(x)"),
        ("np.int32(i)", "write i32(i)"),
        ("np.int64(i)", "write i64(i)"),
        ("np.complex64(x)", "write c32(x)"),
        ("np.bool_(x)", "compare: x != 0"),
        ("np.uint8(i)", "cast to a type of pytl: i8, i16, i32, i64, f16, f32, f64, bf16, c32, c64"),
        ("divmod(i, 3)", "write (i // 3, i % 3), which truncate toward zero"),
        ("np.max(X)", "write a loop over the elements: m = max(m, X[i])"),
        ("np.zeros(4)", "write alloca(f32, m, n), whose sizes are known while tracing, and assign to it: T[:] = 0.0"),
        ("np.dot(X, Y)", "write A @ B, or call gemm or gemv"),
        ("np.arctan(x)", "call pytl's own: from pytl import atan"),
        ("np.median(X)", "NumPy works on arrays of the host; write loops, or call gemm and axpby"),
        # a formula repeats no long argument
        ("math.hypot(x * x + x * 0.5, x)", "write sqrt(x * x + y * y), whose squares may overflow"),
        ("math.degrees(x * x + x * 0.5)", "write (x * x + x * 0.5) * 57.29577951308232"),
    ],
)
def test_help(call: str, help: str) -> None:
    assert help_of(call) == help


def test_what_pytl_has_not_at_all() -> None:
    known = ", ".join(known_of_math())
    assert help_of("math.lgamma(x)") == (
        "pytl has no lgamma for values of a kernel: "
        f"compute it before the launch, or with those that there are, {known}"
    )
    assert {"sqrt", "erf", "expm1", "pow"} <= set(known_of_math()) and "lgamma" not in known_of_math()


def test_the_guide_has_all_of_them() -> None:
    page = GUIDE.read_text()
    for head, (formula, remark) in ELEMENTARY.items():
        assert f"| `{head}` | `{formula}`{', ' if remark else ''}{remark} |" in page, head
    assert all(f"`{name}(" in page or f"pytl.{name}(" in page or name == "fabs" for name in known_of_math())
