"""The exponential function on the reference backend, against decimal arithmetic."""

from __future__ import annotations

import cmath
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from reference_kit import COMPLEX, DTYPES, FLOATS, rounded, run, same, wide

VARIANTS = ["exp", "native_exp"]


def exp_of(type_: str, variant: str, values: np.ndarray) -> np.ndarray:
    text = f"""
    func @f(%a: memref<{type_}x?>, %r: memref<{type_}x?>) {{
      %zero = constant 0 : index
      %n = size %a[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {type_}
        %y = math.{variant} %x : {type_}
        store %y, %r[%i]
      }}
    }}"""
    out = np.zeros_like(values)
    run(text, values, out)
    return out


def exact(value: float) -> Fraction:
    """e to the power of a number, to more digits than any type has."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 60, 10**6, -(10**6)
        return Fraction(Decimal(value).exp())


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("type_", FLOATS)
def test_exp(type_: str, variant: str) -> None:
    limit = {"f16": 12.0, "bf16": 95.0, "f32": 105.0, "f64": 750.0}[type_]
    rng = np.random.default_rng(5)
    numbers = [0.0, 1.0, -1.0, 0.5, 2.0**-30, limit, -limit, *rng.uniform(-limit, limit, 200), *rng.uniform(-1, 1, 50)]
    values = np.array(numbers).astype(np.float32 if type_ == "bf16" else np.float64).astype(DTYPES[type_])
    found = wide(exp_of(type_, variant, values))
    expected = np.array([rounded(exact(x), type_) for x in wide(values)])
    if type_ == "f64":
        np.testing.assert_allclose(found, expected, rtol=4e-16)
    else:
        same(found, expected)


@pytest.mark.parametrize("type_", FLOATS)
def test_exp_at_the_ends(type_: str) -> None:
    values = np.array([0.0, -0.0, math.inf, -math.inf, math.nan]).astype(np.float32).astype(DTYPES[type_])
    same(exp_of(type_, "exp", values), np.array([1.0, 1.0, math.inf, 0.0, math.nan]))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("type_", COMPLEX)
def test_exp_of_complex_numbers(type_: str, variant: str) -> None:
    rng = np.random.default_rng(9)
    values = (rng.uniform(-20, 20, 200) + 1j * rng.uniform(-20, 20, 200)).astype(DTYPES[type_])
    found = exp_of(type_, variant, values)
    expected = np.array([cmath.exp(complex(z)) for z in values])
    tolerance = 1e-15 if type_ == "c64" else 6e-8
    assert np.max(np.abs(found - expected) / np.abs(expected)) < tolerance


def test_exp_in_a_collective_region() -> None:
    text = """
    func @f(%x: f64, %r: memref<f64>) {
      %y = math.exp %x : f64
      store %y, %r[]
    }"""
    out = np.zeros(())
    run(text, 2.5, out)
    assert out == pytest.approx(math.exp(2.5), rel=1e-15)
