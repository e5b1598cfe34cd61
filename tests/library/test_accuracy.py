"""The error of each function of the library stays within the bound that is stated, on every backend."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from launch_kit import ROOT

import pytl
from pytl import Memref, bf16, f16, f32, f64, foreach, group_id
from pytl.frontends import lang

pytestmark = pytest.mark.at_most(4)

BOUNDS = {name: getattr(lang, name).ulps for name in lang.__all__ if getattr(getattr(lang, name), "ulps", None)}
NAMES = [
    *(name for name in BOUNDS if name != "pow"),
    "pow(x, 4)",
    "pow(x, 5)",
    "pow(x, -3)",
    "pow(x, 1000)",
    "pow(x, y)",
]
WIDE, HALVES = ("f64", "f32"), ("f16", "bf16")
# Every piece of the library is in one of these; the nightly session measures all functions.
THROUGH_MLIR = (
    "floor",
    "rsqrt",
    "log",
    "log2",
    "tan",
    "acos",
    "atan",
    "sinh",
    "expm1",
    "erf",
    "pow(x, 1000)",
    "pow(x, y)",
)
COUNT = 2000


@pytest.fixture(scope="module")
def accuracy() -> Iterator[ModuleType]:
    """The script that measures a million arguments."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    try:
        import accuracy

        if not accuracy.can_measure():
            pytest.skip("long double is no wider than double here, so that the error of f64 can't be measured")
        yield accuracy
    finally:
        sys.path.remove(str(ROOT / "benchmarks"))


def wide_kernel(function: Any) -> pytl.Kernel:
    """One kernel for two types, since a build costs more than a run."""

    @pytl.kernel
    def apply(x64: Memref[f64, ...], y64: Memref[f64, ...], x32: Memref[f32, ...], y32: Memref[f32, ...]):
        for i in foreach(x64.shape[0]):
            y64[i] = function(x64[i])
        for i in foreach(x32.shape[0]):
            y32[i] = function(x32[i])

    return apply


def half_kernel(function: Any) -> pytl.Kernel:
    @pytl.kernel
    def apply(x16: Memref[f16, ...], y16: Memref[f16, ...], xb: Memref[bf16, ...], yb: Memref[bf16, ...]):
        for i in foreach(x16.shape[0]):
            y16[i] = function(x16[i])
        for i in foreach(xb.shape[0]):
            yb[i] = function(xb[i])

    return apply


def pair_kernel(types: tuple[str, str]) -> pytl.Kernel:
    """The kernel of the two types for a function of two numbers."""
    a, b = (getattr(pytl, name) for name in types)

    @pytl.kernel
    def apply(
        xa: Memref[a, ...],
        ya: Memref[a, ...],
        za: Memref[a, ...],
        xb: Memref[b, ...],
        yb: Memref[b, ...],
        zb: Memref[b, ...],
    ):
        for i in foreach(xa.shape[0]):
            za[i] = pytl.pow(xa[i], ya[i])
        for i in foreach(xb.shape[0]):
            zb[i] = pytl.pow(xb[i], yb[i])

    return apply


def check(name: str, types: tuple[str, str], backend: str, accuracy: ModuleType) -> None:
    given, arrays = [], []
    for type_ in types:
        numbers = accuracy.arguments(name, type_, COUNT)
        if backend == "reference":
            step = max(1, numbers[0].size // 6000)  # all halves are for the faster ones
            numbers = [each[::step].copy() for each in numbers]
        given.append((type_, numbers, np.zeros_like(numbers[0])))
        arrays += [*numbers, given[-1][2]]
    if name == accuracy.PAIRS:
        kernel = pair_kernel(types)
    else:
        kernel = (wide_kernel if types == WIDE else half_kernel)(accuracy.FUNCTIONS[name])
    kernel[1](*arrays, backend=backend)
    for type_, numbers, result in given:
        errors = accuracy.ulps(result, accuracy.exact_results(name, numbers), type_)
        at = int(np.argmax(errors))
        assert errors[at] <= accuracy.BOUNDS[name][type_], (
            f"{name} of {type_} is off by {errors[at]} ulp at {', '.join(float(each[at]).hex() for each in numbers)}"
        )


@pytest.mark.at_most(1)
@pytest.mark.parametrize("types", [WIDE, HALVES], ids="-".join)
@pytest.mark.parametrize("name", NAMES)
def test_on_the_reference(name: str, types: tuple[str, str], accuracy: ModuleType) -> None:
    check(name, types, "reference", accuracy)


# Halves are computed as f32, by the same two casts in each function.


@pytest.mark.at_most(1)
@NEEDS_SYCL
@pytest.mark.parametrize(("name", "types"), [*((name, WIDE) for name in NAMES), ("rsqrt", HALVES)])
def test_on_sycl(name: str, types: tuple[str, str], accuracy: ModuleType) -> None:
    check(name, types, "sycl", accuracy)


@pytest.mark.at_night
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize(("name", "types"), [*((name, WIDE) for name in THROUGH_MLIR), ("rsqrt", HALVES)])
def test_on_mlir(name: str, types: tuple[str, str], accuracy: ModuleType) -> None:
    check(name, types, "mlir", accuracy)


# Sums and products with their errors hold where each operation is rounded by itself: in vector code, in loops of one
# work-item, in both strategies, and with Arm's vectors.


def ways_kernel(sine: Any, root: Any) -> pytl.Kernel:
    @pytl.kernel
    def ways(x: Memref[f64, 64, ...], in_vectors: Memref[f64, 64, ...], in_a_loop: Memref[f64, 64, ...]):
        g = group_id()
        for i in foreach(64):
            in_vectors[i, g] = sine(x[i, g])
        for i in range(64):
            in_a_loop[i, g] = root(x[i, g])

    return ways


@pytest.mark.at_night
@pytest.mark.parametrize(
    ("backend", "options"),
    [
        pytest.param("sycl", {"strategy": "one-item"}, marks=NEEDS_SYCL),
        pytest.param("sycl", {"strategy": "many-items"}, marks=NEEDS_SYCL),
        pytest.param("arm_sme", {}, marks=pytest.mark.tools_of("arm_sme")),
    ],
)
def test_in_every_kind_of_code(backend: str, options: dict[str, Any], accuracy: ModuleType) -> None:
    x = np.asfortranarray(np.resize(accuracy.drawn("sin", "f64", 1000), (64, 16)))
    results = {"sin": np.zeros_like(x), "rsqrt": np.zeros_like(x)}
    ways_kernel(pytl.sin, pytl.rsqrt)[16, options](x, *results.values(), backend=backend)
    for name, y in results.items():
        with np.errstate(all="ignore"):
            exact = accuracy.EXACT[name](x.astype(np.longdouble))
        assert accuracy.ulps(y, exact, "f64").max() <= accuracy.BOUNDS[name]["f64"], name


def test_what_is_measured_is_all_there_is(accuracy: ModuleType) -> None:
    assert {name.partition("(")[0] for name in accuracy.EXACT} == set(BOUNDS)


def test_a_unit_in_the_last_place(accuracy: ModuleType) -> None:
    """The measure itself, on numbers whose distance is known."""
    one = np.longdouble(1)
    for type_, digits in accuracy.DIGITS.items():
        dtype, unit = accuracy.DTYPES[type_], np.longdouble(2) ** (1 - digits)
        least = np.longdouble(2) ** accuracy.LEAST[type_]
        exact = np.array([one, one, one + unit / 4, least, np.nan, -0 * one, np.inf, -one])
        results = np.array([one, one + unit, one, 0 * one, np.nan, 0 * one, np.inf, one]).astype(dtype)
        expected = [0.0, 1.0, 0.25, 1.0, 0.0, 0.0, 0.0, np.inf]
        assert accuracy.ulps(results, exact, type_).tolist() == expected
        assert (
            accuracy.ulps(
                np.array([0.0, np.nan, 1.0], dtype), np.array([-0.0, 1, np.nan], np.longdouble), type_
            ).tolist()
            == [np.inf] * 3
        )
