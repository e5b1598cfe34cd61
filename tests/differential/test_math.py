"""The exponential function: each backend against the reference."""

from __future__ import annotations

import math

import numpy as np
import pytest
from differential.cases import BOUNDS, STRATEGIES, WAYS, Batch, Case, each, literal
from reference_kit import COMPLEX, DTYPES, FLOATS, FORMATS

import pytl

pytestmark = pytest.mark.at_most(5)

LIMIT = {"f16": 17.0, "f64": 745.0, "c64": 745.0}
"""How far the exponential of the number is not 0 and not infinite; 104 for the others."""


def arguments(type_: str) -> np.ndarray:
    """Numbers up to where the results overflow and vanish, near zero, and what IEEE 754 has beside numbers."""
    rng = np.random.default_rng(9)
    limit = LIMIT.get(type_, 104.0)
    found = np.concatenate([rng.uniform(-limit, limit, 400), rng.uniform(-2, 2, 100), rng.normal(0, 1e-3, 50)])
    if type_ in COMPLEX:
        angles = np.concatenate([rng.uniform(-10, 10, 400), rng.uniform(-1e4, 1e4, 150)])
        # on the axes, and where the modulus overflows but the result does not
        overflow = math.log(FORMATS["f32" if type_ == "c32" else "f64"][2])
        reals = [0.0, -0.0, 2.5, math.inf, -math.inf, math.nan, overflow + 0.15, overflow + 20, -overflow]
        sides = [0.0, -0.0, 1.0, -1.5, 3.0, 1e-12, math.inf, -math.inf, math.nan]
        edges = np.array([complex(re, im) for re in reals for im in sides])
        return np.concatenate([found + 1j * angles, edges]).astype(DTYPES[type_])
    edges = np.array([0.0, -0.0, math.inf, -math.inf, math.nan, 2 * limit, -2 * limit])
    return np.concatenate([found, edges]).astype(np.float32 if type_ == "bf16" else DTYPES[type_]).astype(DTYPES[type_])


def math_case(variant: str, type_: str) -> Case:
    """Elements of an array, a scalar parameter, and a constant."""
    a = arguments(type_)
    number = 0.5 - 0.25j if type_ in COMPLEX else 0.5
    body = f"""
      %zero = constant 0 : index
      %one = constant 1 : index
      %l = constant {literal(number, type_)} : {type_}
      %n = size %r[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {type_}
        %z = math.{variant} %x : {type_}
        store %z, %r[%i]
      }}
      %y = math.{variant} %p : {type_}
      store %y, %s[%zero]
      %k = math.{variant} %l : {type_}
      store %k, %s[%one]"""
    return Case(
        f"{variant}-{type_}",
        {
            "a": (f"memref<{type_}x?>", a),
            "p": (type_, -3 * number),
            "r": (f"memref<{type_}x?>", np.zeros_like(a)),
            "s": (f"memref<{type_}x2>", np.zeros(2, DTYPES[type_])),
        },
        body,
        BOUNDS[variant],
    )


MATH = [
    Batch(variant, [math_case(variant, type_) for type_ in types])
    for variant in ("exp", "native_exp")
    for types in (FLOATS, COMPLEX)
]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", WAYS)
@each(MATH)
def test_exponential(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


MANY = 1_000_000


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", WAYS[:3])
@pytest.mark.parametrize(("variant", "ulps"), [("exp", 2), ("native_exp", 8192)])
def test_bounds_hold_for_many_arguments(variant: str, ulps: int, way: str) -> None:
    """From where the result vanishes to where it overflows, as docs/guide/numbers.md tells."""
    kernel = pytl.compile(f"""
    func @f(%a: memref<f32x?>, %r: memref<f32x?>) {{
      %zero = constant 0 : index
      %n = size %a[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : f32
        %y = math.{variant} %x : f32
        store %y, %r[%i]
      }}
    }}""")["f"]
    ends = np.array([-np.inf, -110, -1e-45, -0.0, 0.0, 1e-45, 90, np.inf], np.float32)
    a = np.concatenate([np.linspace(-104, 88.7, MANY, dtype=np.float32), ends])
    found = np.zeros_like(a)
    backend, options = ("sycl", {"strategy": way}) if way in STRATEGIES else (way, {})
    kernel[1, options](a, found, backend=backend)
    exact = np.exp(a.astype(np.float64))
    with np.errstate(over="ignore"):
        unit = np.spacing(exact.astype(np.float32))
    finite = np.isfinite(unit)
    assert np.all(np.abs(found[finite] - exact[finite]) <= ulps * unit[finite])
    assert np.array_equal(found[~finite], np.full(np.sum(~finite), np.inf, np.float32))
    assert found[-8] == 0
