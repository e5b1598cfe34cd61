"""Integers of 64 bits as floats and back in vectors, and integers that are computed in 32 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from reference_kit import DTYPES

import pytl
from pytl import Memref, f32, f64, foreach, group_id

pytestmark = pytest.mark.at_most(4)

WAYS = [("sycl", {}), *(("mlir", {"machine": name}) for name in ("host", "avx2", "avx512", "sse"))]
each_way = pytest.mark.parametrize(("backend", "options"), WAYS, ids=str)
RNG = np.random.default_rng(7)
LEAST, MOST = -(1 << 63), (1 << 63) - 1


def integers() -> np.ndarray:
    """Numbers of 64 bits around powers of two, and around those halfway between two of f32, and of f64."""
    around = {sign * (1 << k) + near for k in range(64) for sign in (1, -1) for near in (-2, -1, 0, 1, 2)}
    halfway = {
        sign * ((1 << k) + (m << (k - digits)) + (1 << (k - digits - 1)) + near)
        for digits in (23, 52)
        for k in range(digits + 1, 63)
        for m in (0, 1, 2, 3, (1 << digits) - 1)
        for sign in (1, -1)
        for near in (-1, 0, 1)
    }
    chosen = np.array(sorted(n for n in around | halfway if LEAST <= n <= MOST), np.int64)
    shifted = RNG.integers(LEAST, MOST, 4000) >> RNG.integers(0, 64, 4000)
    # vectors of small numbers alone have a shorter way
    return np.concatenate([np.arange(-40, 40), chosen, [LEAST, MOST], shifted, np.arange(1 << 40, (1 << 40) + 37)])


def floats(type_: str) -> np.ndarray:
    """Numbers with and without a fraction, near the ends of integers, beyond these, and none."""
    dtype = {"f32": np.float32, "f64": np.float64}[type_]
    powers = (0, 1, 23, 24, 30, 31, 32, 51, 52, 53, 62, 63, 64, 100)
    ends = np.array([sign * 2.0**k for k in powers for sign in (1, -1)], dtype)
    near = np.concatenate([ends, np.nextafter(ends, dtype(0)), np.nextafter(ends, dtype(np.inf)), ends + dtype(0.5)])
    others = [0.0, -0.0, 0.5, -0.5, 0.99, -0.99, np.inf, -np.inf, np.nan, 1e300 if dtype is np.float64 else 1e38]
    spread = RNG.uniform(-1, 1, 3000) * 2.0 ** RNG.uniform(0, 66, 3000)
    small = RNG.uniform(-100, 100, 69)
    return np.concatenate([small, near, others, spread, small]).astype(dtype)


def foreach_kernel(source: str, target: str, lines: str) -> Any:
    return pytl.compile(f"""func @f(%a: memref<{source}x?>, %r: memref<{target}x?>) {{
      %first = constant 0 : index %end = size %a[0] : index
      foreach (%i) = (%first), (%end) {{ %x = load %a[%i] : {source} {lines} store %y, %r[%i] }}
    }}""")["f"]


def truncated(x: np.ndarray) -> np.ndarray:
    """What the language's cast gives: 0 where a number does not fit."""
    fits = (x >= -(2.0**63)) & (x < 2.0**63)
    return np.where(fits, x, 0).astype(np.int64)


@each_way
@pytest.mark.parametrize("type_", ["f16", "bf16", "f32", "f64"])
def test_integers_become_floats_with_one_rounding(type_: str, backend: str, options: dict[str, Any]) -> None:
    a = integers()
    kernel = foreach_kernel("i64", type_, f"%y = cast %x : {type_}")
    found, oracle = (np.zeros(a.size, DTYPES[type_]) for _ in range(2))
    kernel[1, options](a, found, backend=backend)
    kernel[1](a, oracle, backend="reference")
    np.testing.assert_array_equal(found, oracle)
    if type_ in ("f32", "f64"):
        np.testing.assert_array_equal(found, a.astype(DTYPES[type_]))


@each_way
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_floats_become_integers(type_: str, backend: str, options: dict[str, Any]) -> None:
    a = floats(type_)
    kernel = foreach_kernel(type_, "i64", "%y = cast %x : i64")
    found = np.zeros(a.size, np.int64)
    kernel[1, options](a, found, backend=backend)
    np.testing.assert_array_equal(found, truncated(a))
    fits = np.abs(a) < 2.0**63
    oracle = np.zeros(int(fits.sum()), np.int64)
    kernel[1](a[fits], oracle, backend="reference")
    np.testing.assert_array_equal(found[fits], oracle)


@each_way
@pytest.mark.parametrize("type_", ["f32", "f64"])
def test_floats_that_become_integers_and_floats_again(type_: str, backend: str, options: dict[str, Any]) -> None:
    """There is no negative zero among integers."""
    a = floats(type_)
    kernel = foreach_kernel(type_, type_, f"%n = cast %x : index %y = cast %n : {type_}")
    found = np.zeros(a.size, a.dtype)
    kernel[1, options](a, found, backend=backend)
    expected = truncated(a).astype(a.dtype)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


@each_way
@pytest.mark.parametrize("offset", [0, 5, (1 << 30) - 40, (1 << 31) - 20, (1 << 40) + 3, -50, LEAST, MOST - 200])
def test_numbers_of_points_become_floats(offset: int, backend: str, options: dict[str, Any]) -> None:
    """Whatever is added to them when the kernel is launched."""
    n = 83

    @pytl.kernel
    def kernel(offset: pytl.i64, a: Memref[f32, ...], b: Memref[f64, ...], c: Memref[f32, ...]) -> None:
        for i in foreach(a.shape[0]):
            a[i] = f32(pytl.i64(i) + offset)
            b[i] = f64(pytl.i64(i) + offset)
            c[i] = f32(offset - 3 * pytl.i64(i))

    results = [np.zeros(n, dtype) for dtype in (np.float32, np.float64, np.float32)]
    kernel[1, options](offset, *results, backend=backend)
    with np.errstate(over="ignore"):
        numbers = np.arange(n) + np.int64(offset)
        fewer = np.int64(offset) - 3 * np.arange(n)
    for found, exact in zip(results, (numbers, numbers, fewer)):
        np.testing.assert_array_equal(found, exact.astype(found.dtype))


@each_way
def test_numbers_of_work_groups_become_floats(backend: str, options: dict[str, Any]) -> None:
    @pytl.kernel
    def kernel(a: Memref[f32, ...], b: Memref[f64, ...]) -> None:
        g = group_id()
        a[g] = 0.5 * f32(g) + 1.0
        b[g] = f64(g)

    for n in (1, 16, 53):
        a, b = np.zeros(n, np.float32), np.zeros(n)
        kernel[n, options](a, b, backend=backend)
        np.testing.assert_array_equal(a, 0.5 * np.arange(n) + 1)
        np.testing.assert_array_equal(b, np.arange(n))
