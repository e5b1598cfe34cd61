"""Functions at the ends of their ranges give the same zeros with their sign, infinities and nans on every backend."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from sampling import alike, crossed

import pytl
from pytl import Memref, bf16, f16, f32, f64, foreach

pytestmark = pytest.mark.at_most(4)

INF, NAN = math.inf, math.nan
LARGE = 2000.0
"""An exponent that is beyond every type's range."""
EXPECTED: dict[str, list[tuple[float, float]]] = {
    "log": [(0.0, -INF), (-0.0, -INF), (-1.0, NAN), (-INF, NAN), (INF, INF), (NAN, NAN), (1.0, 0.0)],
    "log2": [
        (0.0, -INF),
        (-0.0, -INF),
        (-1.0, NAN),
        (-INF, NAN),
        (INF, INF),
        (NAN, NAN),
        (1.0, 0.0),
        (8.0, 3.0),
        (0.25, -2.0),
    ],
    "exp": [(LARGE, INF), (INF, INF), (-LARGE, 0.0), (-INF, 0.0), (NAN, NAN), (0.0, 1.0), (-0.0, 1.0)],
    "exp2": [
        (LARGE, INF),
        (INF, INF),
        (-LARGE, 0.0),
        (-INF, 0.0),
        (NAN, NAN),
        (0.0, 1.0),
        (-0.0, 1.0),
        (3.0, 8.0),
        (-2.0, 0.25),
    ],
    "sqrt": [(0.0, 0.0), (-0.0, -0.0), (-1.0, NAN), (-INF, NAN), (INF, INF), (NAN, NAN), (4.0, 2.0)],
    "rsqrt": [(0.0, INF), (-0.0, -INF), (-1.0, NAN), (-INF, NAN), (INF, 0.0), (NAN, NAN), (4.0, 0.5)],
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.0, math.pi / 2), (-1.0, -math.pi / 2), (1.5, NAN), (-INF, NAN), (NAN, NAN)],
    "acos": [(0.0, math.pi / 2), (1.0, 0.0), (-1.0, math.pi), (1.5, NAN), (-INF, NAN), (NAN, NAN)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INF, math.pi / 2), (-INF, -math.pi / 2), (NAN, NAN), (1.0, math.pi / 4)],
    "sinh": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (LARGE, INF), (-LARGE, -INF)],
    "cosh": [(0.0, 1.0), (-0.0, 1.0), (INF, INF), (-INF, INF), (NAN, NAN), (LARGE, INF), (-LARGE, INF)],
    "expm1": [(0.0, 0.0), (-0.0, -0.0), (INF, INF), (-INF, -1.0), (NAN, NAN), (LARGE, INF), (-LARGE, -1.0)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN), (LARGE, 1.0)],
    "erf": [(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN), (LARGE, 1.0)],
}
"""What each function gives for some numbers, in every type."""
INSTRUCTIONS = ("exp", "exp2", "log", "log2", "sin", "cos")
"""Those that the dialect 0.4 has instructions for."""
TYPES: dict[str, Any] = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16}
ELEMENTS = {"f64": f64, "f32": f32, "f16": f16, "bf16": bf16}
BACKENDS = [
    "reference",
    pytest.param("sycl", marks=NEEDS_SYCL),
    pytest.param("mlir", marks=pytest.mark.tools_of("mlir")),
    pytest.param("arm_sme", marks=pytest.mark.tools_of("arm_sme")),
]


def compare(name: str, type_: str, found: np.ndarray) -> None:
    expected = np.array([result for _, result in EXPECTED[name]]).astype(TYPES[type_])
    shown = f"{name} of {type_} gave {found.tolist()}, not {expected.tolist()}"
    assert np.array_equal(found, expected, equal_nan=True), shown
    numbers = ~np.isnan(expected)
    assert np.array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers])), shown


def numbers_for(name: str, type_: str) -> np.ndarray:
    return np.array([given for given, _ in EXPECTED[name]]).astype(TYPES[type_])


# Functions are written in the language: of the backends through MLIR, one takes each between the nights.
ON_MLIR = crossed(BACKENDS[2:], EXPECTED, kind_of=alike)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "name"), [*crossed(BACKENDS[:2], EXPECTED), *ON_MLIR])
def test_functions_of_python(backend: str, name: str) -> None:
    function = getattr(pytl, name)

    @pytl.kernel
    def apply(a: Memref[f64, ...], b: Memref[f32, ...], c: Memref[f16, ...], d: Memref[bf16, ...]):
        for i in foreach(a.shape[0]):
            a[i] = function(a[i])
            b[i] = function(b[i])
            c[i] = function(c[i])
            d[i] = function(d[i])

    arrays = [numbers_for(name, type_) for type_ in TYPES]
    apply[1](*arrays, backend=backend)
    for type_, found in zip(TYPES, arrays):
        compare(name, type_, found)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("type_", TYPES)
def test_instructions_of_texts(type_: str, backend: str) -> None:
    parameters = ", ".join(f"%{name}: memref<{type_}x?>" for name in INSTRUCTIONS)
    loops = "\n".join(
        f"%n{name} = size %{name}[0] : index\n"
        f"foreach (%i)=(%zero),(%n{name}) {{ %a = load %{name}[%i] : {type_}\n %b = {name} %a : {type_}\n"
        f" store %b, %{name}[%i] }}"
        for name in INSTRUCTIONS
    )
    text = f"func @f({parameters}) {{\n %zero = constant 0 : index\n {loops}\n}}"
    arrays = [numbers_for(name, type_) for name in INSTRUCTIONS]
    pytl.compile(pytl.parse(text, language="0.4"))["f"][1](*arrays, backend=backend)
    for name, found in zip(INSTRUCTIONS, arrays):
        compare(name, type_, found)


@pytest.mark.parametrize("name", EXPECTED)
def test_outside_of_kernels_and_constants_while_tracing(name: str) -> None:
    for given, expected in EXPECTED[name]:
        for dtype in TYPES.values():
            found = float(getattr(pytl, name)(dtype(given)))
            wanted = float(dtype(expected))
            same = found == wanted and math.copysign(1, found) == math.copysign(1, wanted)
            assert same or (math.isnan(found) and math.isnan(wanted)), (name, given, dtype)
