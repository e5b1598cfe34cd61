"""Integers that vectors compute in other types: divisions as those of floats, and 64 bits as 32."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from reference_kit import DTYPES

import pytl
from pytl import Memref, f32, f64, foreach, i8, i32, i64, index

pytestmark = pytest.mark.at_most(4)

WAYS = [("sycl", {}), *(("mlir", {"machine": name}) for name in ("host", "avx2", "avx512", "sse"))]
each_way = pytest.mark.parametrize(("backend", "options"), WAYS, ids=str)
RNG = np.random.default_rng(11)


def numbers(bits: int) -> list[int]:
    """Small numbers, those around powers of two, and the ends of a type."""
    around = {sign * (1 << k) + near for k in range(bits) for sign in (1, -1) for near in (-1, 0, 1)}
    ends = {-(1 << (bits - 1)), (1 << (bits - 1)) - 1}
    return sorted(n for n in around | ends | set(range(-4, 12)) if -n <= 1 << (bits - 1) and n < 1 << (bits - 1))


def pairs(bits: int) -> tuple[np.ndarray, np.ndarray]:
    """Dividends and divisors: all pairs of i8, and of others those of edges, of exact multiples and at random."""
    dtype, least, most = f"i{bits // 8}", -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    chosen = np.array(range(-128, 128) if bits == 8 else numbers(bits), np.int64)
    a, b = (each.ravel() for each in np.meshgrid(chosen, chosen))
    drawn = [RNG.integers(least, most, 3000, np.int64) >> RNG.integers(0, bits, 3000) for _ in range(2)]
    factors = RNG.integers(1, 1 << (bits // 2 - 1), (2, 1000))
    multiples = factors.prod(0)[:, None] + np.array([-1, 0, 1])
    a = np.concatenate([a, drawn[0], multiples.ravel(), -multiples.ravel()])
    b = np.concatenate([b, drawn[1], np.repeat(factors[0], 3), np.repeat(-factors[0], 3)])
    return a.astype(dtype), b.astype(dtype)


def divided(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Quotients and remainders toward zero in Python's integers, wrapped; both are 0 where the divisor is."""
    bits = 8 * a.itemsize
    found = []
    for x, y in zip(a.tolist(), b.tolist()):
        quotient = 0 if y == 0 else abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        remainder = 0 if y == 0 else x - quotient * y
        found.append(((quotient + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1)), remainder))
    quotients, remainders = np.array(found, np.int64).T
    return quotients.astype(a.dtype), remainders.astype(a.dtype)


@each_way
@pytest.mark.parametrize("type_", ["i8", "i16", "i32", "i64"])
def test_lanes_are_divided_by_lanes(type_: str, backend: str, options: dict[str, Any]) -> None:
    """Also under a condition, in vectors that are not whole, and by what is the same for all lanes."""
    a, b = pairs(8 * np.dtype(DTYPES[type_]).itemsize)
    a, b = a[: a.size - a.size % 16 - 3], b[: b.size - b.size % 16 - 3]
    kernel = pytl.compile(f"""func @f(%d: {type_}, %a: memref<{type_}x?>, %b: memref<{type_}x?>, %q: memref<{type_}x?>,
        %r: memref<{type_}x?>, %s: memref<{type_}x?>) {{
      %first = constant 0 : index %end = size %a[0] : index %zero = constant 0 : {type_}
      foreach (%i) = (%first), (%end) {{
        %x = load %a[%i] : {type_} %y = load %b[%i] : {type_} %c = cmp.gt %x, %zero : bool
        %u = arith.div %x, %y : {type_} store %u, %q[%i]
        %t = arith.div %x, %d : {type_} store %t, %s[%i]
        if %c {{ %v = arith.rem %x, %y : {type_} store %v, %r[%i] }}
      }}
    }}""")["f"]
    for divisor in (0, -1, 7):
        found = [np.full(a.size, 99, a.dtype) for _ in range(3)]
        kernel[1, options](divisor, a, b, *found, backend=backend)
        quotients, remainders = divided(a, b)
        np.testing.assert_array_equal(found[0], quotients)
        np.testing.assert_array_equal(found[1], np.where(a > 0, remainders, 99))
        np.testing.assert_array_equal(found[2], divided(a, np.full_like(a, divisor))[0])
    defined = np.flatnonzero(b)[:: b.size // 500]
    oracle = [np.full(defined.size, 99, a.dtype) for _ in range(3)]
    kernel[1](7, a[defined], b[defined], *oracle, backend="reference")
    for part, expected in zip(found, oracle):
        np.testing.assert_array_equal(part[defined], expected)


@each_way
def test_integers_of_known_range_are_computed_in_32_bits(backend: str, options: dict[str, Any]) -> None:
    """Numbers of points, of 64 bits, and those that were narrow in memory: some sums of them leave 32 bits."""
    n, m = 1003, 29

    @pytl.kernel
    def kernel(
        x: Memref[i32, n],
        a: Memref[f32, n],
        b: Memref[f64, n],
        c: Memref[i64, m, m],
        d: Memref[f32, m, m],
        e: Memref[i64, n],
        h: Memref[f32, n],
        k: Memref[i8, n],
        p: Memref[i32, n],
    ) -> None:
        for g in foreach(n):
            a[g] = f32(g % 192) * 0.5 + f32(g // 192)
            b[g] = f64(g % 7 * (g // 5)) - f64(3 * g)
        for i, j in foreach((3, 2), (3 + m, 2 + m)):
            c[i - 3, j - 2] = i64(i * j) if (i + j) % 2 == 0 else i64(-(abs(i - j + 5000) % 5))
            d[i - 3, j - 2] = f32(i) if i <= j else f32(j - 100)
        for g in foreach(n):
            y = i64(x[g])
            e[g] = (y + 1) * y
            h[g] = f32(y)
            k[g] = i8(y % 3)
            p[g] = x[index(abs(y) % n)]

    x = np.concatenate([[-(1 << 31), (1 << 31) - 1, 0, -1, 1], RNG.integers(-(1 << 31), 1 << 31, n - 5)])
    x = x.astype(np.int32)
    results = [np.zeros(n, np.float32), np.zeros(n), np.zeros((m, m), np.int64, order="F")]
    results += [np.zeros((m, m), np.float32, order="F"), np.zeros(n, np.int64), np.zeros(n, np.float32)]
    results += [np.zeros(n, np.int8), np.zeros(n, np.int32)]
    found = [np.zeros_like(each) for each in results]
    kernel[1, options](x, *found, backend=backend)
    kernel[1](x, *results, backend="reference")
    for part, oracle in zip(found, results):
        np.testing.assert_array_equal(part, oracle)
    g, y = np.arange(n), x.astype(np.int64)
    i, j = np.meshgrid(np.arange(3, 3 + m), np.arange(2, 2 + m), indexing="ij")
    expected: list[np.ndarray] = [
        (g % 192 * 0.5 + g // 192).astype(np.float32),
        (g % 7 * (g // 5) - 3 * g).astype(np.float64),
        np.where((i + j) % 2 == 0, i * j, -((i - j + 5000) % 5)),
        np.where(i <= j, i, j - 100).astype(np.float32),
        (y + 1) * y,
        y.astype(np.float32),
        np.fmod(y, 3).astype(np.int8),
        x[np.abs(y) % n],
    ]
    for part, exact in zip(found, expected):
        np.testing.assert_array_equal(part, exact)


def test_what_is_known_to_be_narrow_has_no_vector_of_64_bits() -> None:
    kernel = pytl.compile("""func @f(%r: memref<f32x500>) {
      %first = constant 0 : index %end = constant 500 : index %d = constant 7 : index
      foreach (%i) = (%first), (%end) {
        %m = arith.rem %i, %d : index %n = arith.div %i, %d : index %s = arith.mul %m, %n : index
        %y = cast %s : f32 store %y, %r[%i]
      }
    }""")["f"]
    text = kernel.ir("vectorize")
    assert "xi32>" in text
    assert "xindex>" not in text and "xi64>" not in text
    found = np.zeros(500, np.float32)
    kernel[1](found, backend="reference")
    i = np.arange(500)
    np.testing.assert_array_equal(found, i % 7 * (i // 7))


def test_no_division_of_vectors_is_left_to_compilers() -> None:
    """LLVM divides lane by lane, and Intel's driver calls its library."""
    text = """func @f(%a: memref<i32x64>, %b: memref<i32x64>) {
      %first = constant 0 : index %end = constant 64 : index
      foreach (%i) = (%first), (%end) {
        %x = load %a[%i] : i32 %z = load %b[%i] : i32 %y = arith.OP %x, %z : i32 store %y, %b[%i]
      }
    }"""
    for variant in ("div", "rem"):
        kernel = pytl.compile(text.replace("OP", variant))["f"]
        assert "vector.arith.div" in kernel.ir("vectorize")
        llvm = kernel.emit("numba_dpex", stage="llvm")
        assert "fdiv <" in llvm and "sdiv" not in llvm and "srem" not in llvm
