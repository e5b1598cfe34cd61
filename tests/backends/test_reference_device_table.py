"""The sizes and forms that an implementation tests on its devices, on the reference backend against NumPy.

Numbers are random and the results are compared within rounding: tests/backends/test_reference_blas.py and
test_reference_sums.py compare exactly.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from reference_kit import COMPLEX, DTYPES, dense, dims, run, wide

REAL = ["f32", "f64"]
TRANSPOSES = ["n", "t"]


def numbers(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    if DTYPES[type_].kind == "i":
        return dense(rng.integers(-100, 100, shape), type_)
    values = rng.standard_normal(shape)
    return dense(values + 1j * rng.standard_normal(shape) if type_ in COMPLEX else values, type_)


def literal(value: complex, type_: str) -> str:
    if type_ in COMPLEX:
        return f"[{value.real!r},{value.imag!r}]"
    return str(int(value.real)) if DTYPES[type_].kind == "i" else repr(float(value.real))


def check(
    instruction: str,
    operands: str,
    expected: np.ndarray,
    arrays: dict[str, np.ndarray],
    alpha: complex = 1,
    beta: complex = 0,
    types: dict[str, str] | None = None,
) -> None:
    """Run the instruction, and compare the last array within the rounding of a few hundred sums."""
    names = {dtype: name for name, dtype in DTYPES.items() if name != "index"}
    typed = {name: names[a.dtype] + dims(*a.shape) for name, a in arrays.items()} | (types or {})
    parameters = ", ".join(f"%{name}: memref<{type_}>" for name, type_ in typed.items())
    first, *_, target = arrays.values()
    of_alpha, of_beta = names[first.dtype], names[target.dtype]
    text = f"""
    func @f({parameters}) {{
      %alpha = constant {literal(complex(alpha), of_alpha)} : {of_alpha}
      %beta = constant {literal(complex(beta), of_beta)} : {of_beta}
      {instruction} {operands}
    }}"""
    run(text, *arrays.values())
    epsilon = np.finfo(target.dtype).eps if target.dtype.kind in "fc" else 0
    np.testing.assert_allclose(wide(target), expected, rtol=50 * epsilon, atol=1000 * epsilon)


# axpby.


@pytest.mark.parametrize("type_", REAL)
@pytest.mark.parametrize(
    ("shape", "transpose"),
    [
        ((), "n"),
        *(((m,), "n") for m in (18, 16, 32)),
        *itertools.product(itertools.product((18, 16, 32), (5, 17)), "nt"),
    ],
)
@pytest.mark.parametrize(("alpha", "beta"), [(1, 0), (1, 1), (-1, 2)])
def test_axpby(type_: str, shape: tuple[int, ...], transpose: str, alpha: int, beta: int) -> None:
    rng = np.random.default_rng(len(shape))
    a = numbers(rng, type_, *shape)
    b = numbers(rng, type_, *(shape[::-1] if transpose == "t" else shape))
    expected = alpha * (wide(a).T if transpose == "t" else wide(a)) + beta * wide(b)
    check(f"axpby.{transpose}", "%alpha, %a, %beta, %b", expected, {"a": a, "b": b}, alpha, beta)


# cumsum.


@pytest.mark.parametrize("type_", REAL)
@pytest.mark.parametrize(
    ("shape", "mode"),
    [
        *(((m,), 0) for m in (18, 16, 32, 123, 435)),
        *itertools.product(itertools.product((17, 76), (5, 135)), (0, 1)),
        *itertools.product([(65, 65, 65)], (0, 1, 2)),
    ],
)
def test_cumsum(type_: str, shape: tuple[int, ...], mode: int) -> None:
    a = numbers(np.random.default_rng(mode), type_, *shape)
    b = np.full_like(a, np.nan)
    expected = np.cumsum(wide(a), axis=mode)
    check("cumsum", f"%alpha, %a, {mode}, %beta, %b", expected, {"a": a, "b": b})


# gemm.

GEMM = "%alpha, %a, %b, %beta, %c"


@pytest.mark.parametrize("type_", REAL)
@pytest.mark.parametrize(("m", "n"), [*itertools.product((20, 32, 53), (5, 16, 23))])
@pytest.mark.parametrize(("alpha", "beta"), [(1, 0), (1, 1), (-1, 2)])
def test_gemm_of_packed_matrices(type_: str, m: int, n: int, alpha: int, beta: int) -> None:
    rng = np.random.default_rng(m + n)
    a, b, c = numbers(rng, type_, m, 56), numbers(rng, type_, 56, n), numbers(rng, type_, m, n)
    expected = alpha * wide(a) @ wide(b) + beta * wide(c)
    check("gemm.n.n", GEMM, expected, {"a": a, "b": b, "c": c}, alpha, beta)


@pytest.mark.parametrize("type_", REAL)
@pytest.mark.parametrize(("ta", "tb"), [("n", "n"), ("t", "t")])
@pytest.mark.parametrize(("m", "n"), [*itertools.product((20, 53), (5, 23))])
def test_gemm_with_leading_dimensions(type_: str, ta: str, tb: str, m: int, n: int) -> None:
    rng, k = np.random.default_rng(m + n), 56

    def part(rows: int, columns: int, lead: int) -> tuple[np.ndarray, str]:
        big = numbers(rng, type_, rows + lead, columns)
        return big[:rows], f"{type_}x{rows}x{columns},strided<1,{rows + lead}>"

    a, a_type = part(*((m, k) if ta == "n" else (k, m)), 7)
    b, b_type = part(*((k, n) if tb == "n" else (n, k)), 3)
    c, c_type = part(m, n, 13)
    beyond = c.base[m:].copy()
    expected = (wide(a) if ta == "n" else wide(a).T) @ (wide(b) if tb == "n" else wide(b).T)
    types = {"a": a_type, "b": b_type, "c": c_type}
    check(f"gemm.{ta}.{tb}", GEMM, expected, {"a": a, "b": b, "c": c}, types=types)
    np.testing.assert_array_equal(c.base[m:], beyond)


@pytest.mark.parametrize("type_", REAL)
@pytest.mark.parametrize(
    ("a_shape", "b_shape", "c_shape"),
    [("x?x23", "x23x43", "x?x43"), ("x63x23", "x23x?", "x63x?"), ("x?x?", "x?x?", "x?x?")],
)
def test_gemm_of_dynamic_sizes(type_: str, a_shape: str, b_shape: str, c_shape: str) -> None:
    rng = np.random.default_rng(1)
    a, b, c = numbers(rng, type_, 63, 23), numbers(rng, type_, 23, 43), numbers(rng, type_, 63, 43)
    types = {"a": type_ + a_shape, "b": type_ + b_shape, "c": type_ + c_shape}
    check("gemm.n.n", GEMM, wide(a) @ wide(b), {"a": a, "b": b, "c": c}, types=types)


@pytest.mark.parametrize("type_", COMPLEX)
@pytest.mark.parametrize(("m", "n"), [*itertools.product((16, 21, 32, 42), (7, 11))])
def test_gemm_of_complex_matrices(type_: str, m: int, n: int) -> None:
    rng = np.random.default_rng(m + n)
    a, b, c = numbers(rng, type_, m, 53), numbers(rng, type_, 53, n), numbers(rng, type_, m, n)
    alpha, beta = -1 - 2j, 2 + 3j
    expected = alpha * wide(a) @ wide(b) + beta * wide(c)
    check("gemm.n.n", GEMM, expected, {"a": a, "b": b, "c": c}, alpha, beta)


@pytest.mark.parametrize(("m", "n"), [(20, 5), (53, 23)])
def test_gemm_of_mixed_types(m: int, n: int) -> None:
    rng = np.random.default_rng(2)
    a, b, c = numbers(rng, "i16", m, 56), numbers(rng, "i16", 56, n), numbers(rng, "f32", m, n)
    # small whole numbers: exact in f32
    check("gemm.n.n", GEMM, wide(a) @ wide(b), {"a": a, "b": b, "c": c})


# gemv, ger, hadamard.


@pytest.mark.parametrize("type_", [*REAL, *COMPLEX])
@pytest.mark.parametrize("transpose", TRANSPOSES)
@pytest.mark.parametrize(("m", "n"), [(20, 5), (32, 16), (53, 23)])
def test_gemv(type_: str, transpose: str, m: int, n: int) -> None:
    rng = np.random.default_rng(m)
    a = numbers(rng, type_, *((m, n) if transpose == "n" else (n, m)))
    b, c = numbers(rng, type_, n), numbers(rng, type_, m)
    alpha, beta = (-1 - 2j, 2 + 3j) if type_ in COMPLEX else (1, 0)
    expected = alpha * (wide(a) if transpose == "n" else wide(a).T) @ wide(b) + beta * wide(c)
    check(f"gemv.{transpose}", GEMM, expected, {"a": a, "b": b, "c": c}, alpha, beta)


@pytest.mark.parametrize("type_", REAL)
@pytest.mark.parametrize(("m", "n"), [*itertools.product((10, 32, 45), (1, 16, 17, 48))])
def test_ger(type_: str, m: int, n: int) -> None:
    rng = np.random.default_rng(m + n)
    a, b, c = numbers(rng, type_, m), numbers(rng, type_, n), numbers(rng, type_, m, n)
    check("ger", GEMM, np.outer(wide(a), wide(b)), {"a": a, "b": b, "c": c})


@pytest.mark.parametrize("type_", REAL)
@pytest.mark.parametrize("shape", [(18,), (32,), (435,), (17, 5), (76, 135)])
def test_hadamard(type_: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(shape[0])
    a, b, c = (numbers(rng, type_, *shape) for _ in range(3))
    check("hadamard", GEMM, wide(a) * wide(b), {"a": a, "b": b, "c": c})


# sum.


@pytest.mark.parametrize("type_", REAL)
@pytest.mark.parametrize(
    ("shape", "transpose"),
    [*(((m,), "n") for m in (18, 16, 32, 435)), *itertools.product(itertools.product((17, 76), (5, 135)), "nt")],
)
def test_sum(type_: str, shape: tuple[int, ...], transpose: str) -> None:
    a = numbers(np.random.default_rng(shape[0]), type_, *shape)
    expected: Any = wide(a).sum(axis=1 if len(shape) == 2 and transpose == "n" else 0)
    b = np.full(expected.shape, np.nan, DTYPES[type_])
    check(f"sum.{transpose}", "%alpha, %a, %beta, %b", expected, {"a": a, "b": b})
