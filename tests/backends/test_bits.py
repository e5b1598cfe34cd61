"""Complex memory as reals, and numbers as others of the same bits, on every backend."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pytl
from pytl import Memref, alloca, c32, c64, expandc2r, f32, f64, foreach, strides

BACKENDS: list[Any] = [
    ("reference", {}),
    ("sycl", {"strategy": "one-item"}),
    ("sycl", {"strategy": "many-items"}),
    ("opencl", {}),
    pytest.param(("mlir", {}), marks=pytest.mark.tools_of("mlir")),
    pytest.param(("arm_sme", {}), marks=pytest.mark.tools_of("arm_sme")),
]


@pytl.kernel
def parts(C: Memref[c32, 8, ..., strides(1, ...)], o: Memref[f32, 8], D: Memref[c64, 4]):
    L = alloca(c64, 4)
    M = expandc2r(L)
    for i, p in foreach((0, 0), (4, 2)):
        M[p, i] = f64(i * 10 + p)
    for i in foreach(4):
        D[i] = L[i]
    R = expandc2r(C)
    for i in foreach(8):
        o[i] = R[0, i, 1] - R[1, i, 1]
        R[1, i, 0] = 7.0


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", BACKENDS)
def test_what_is_written_by_parts_is_read_whole(way: tuple[str, dict[str, Any]]) -> None:
    backend, options = way
    C = np.asfortranarray((np.arange(24) + 1j * np.arange(24)[::-1]).reshape(8, 3, order="F"), np.complex64)
    before = C.copy()
    o, D = np.zeros(8, np.float32), np.zeros(4, np.complex128)
    parts[1, options](C, o, D, backend=backend)
    np.testing.assert_array_equal(o, before[:, 1].real - before[:, 1].imag)
    np.testing.assert_array_equal(C[:, 0], before[:, 0].real + 7j)
    np.testing.assert_array_equal(C[:, 1:], before[:, 1:])
    np.testing.assert_array_equal(D, np.arange(4) * 10 + 1j * (np.arange(4) * 10 + 1))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", BACKENDS)
def test_a_product_of_reals(way: tuple[str, dict[str, Any]]) -> None:
    @pytl.kernel
    def product(A: Memref[f64, 8, 8], x: Memref[c64, 8], y: Memref[c64, 8]):
        pytl.gemm(1.0, expandc2r(x), A.T, 0.0, expandc2r(y))

    rng = np.random.default_rng(0)
    A = np.asfortranarray(rng.integers(-3, 4, (8, 8)), np.float64)
    x = (rng.integers(-3, 4, 8) + 1j * rng.integers(-3, 4, 8)).astype(np.complex128)
    y = np.zeros(8, np.complex128)
    backend, options = way
    product[1, options](A, x, y, backend=backend)
    np.testing.assert_array_equal(y, A @ x)


def test_parts_of_one_element_are_no_race() -> None:
    text = """
func @f(%x: memref<c32x4>, %v: f32) {{
  %r = v04.expandc2r %x : memref<f32x2x4>
  %0 = constant 0 : index
  %2 = constant 2 : index
  foreach (%p) = (%0), (%2) {{
    store %v, %r[%p, %0]
    {more}
  }}
}}"""
    x = np.zeros(4, np.complex64)
    pytl.compile(text.format(more=""))["f"][1](x, 2.0, backend="reference")
    assert x[0] == 2 + 2j
    with pytest.raises(pytl.ExecutionError, match="PYTL-4030"):
        pytl.compile(text.format(more="%w = load %x[%0] : c32"))["f"][1](x, 2.0, backend="reference")
    with pytest.raises(pytl.ExecutionError, match="PYTL-4031"):
        pytl.compile(text.format(more=""))["f"][2](x, 2.0, backend="reference")


def test_an_index_beyond_the_parts_is_told() -> None:
    text = """
func @f(%x: memref<c32x?>, %i: index, %v: f32) {
  %r = v04.expandc2r %x : memref<f32x2x?>
  %1 = constant 1 : index
  store %v, %r[%1, %i]
}"""
    kernel = pytl.compile(text)["f"]
    for backend, code in (("reference", "PYTL-2060"), ("sycl", "PYTL-2060")):
        with pytest.raises(pytl.PytlError, match=code):
            kernel[1](np.zeros(4, np.complex64), 4, 1.0, backend=backend)


def test_memory_that_has_ended_has_no_parts() -> None:
    text = """
func @f(%o: memref<f32>) {
  %t = alloca : memref<c32,local>
  %z = constant [1.0, 2.0] : c32
  store %z, %t[]
  %r = v04.expandc2r %t : memref<f32x2,local>
  lifetime_stop %t
  %0 = constant 0 : index
  %v = load %r[%0] : f32
  store %v, %o[]
}"""
    with pytest.raises(pytl.ExecutionError, match="used after its lifetime_stop"):
        pytl.compile(text)["f"][1](np.zeros((), np.float32), backend="reference")


def test_the_bits_of_wide_numbers_keep_their_order() -> None:
    text = """
func @f(%x: c32, %o: memref<i64>, %y: memref<c32>) {
  %b = v04.bitcast %x : i64
  store %b, %o[]
  %c = v04.bitcast %b : c32
  store %c, %y[]
}"""
    o, y = np.zeros((), np.int64), np.zeros((), np.complex64)
    for backend in ("reference", "sycl"):
        pytl.compile(text)["f"][1](1 - 2j, o, y, backend=backend)
        assert o.view(np.complex64) == 1 - 2j == y


def test_mistakes_in_python() -> None:
    from tracing_kit import functions

    for call, message in (
        ("bitcast(x, i64)", "f32 has 32 bits, and i64 has 64"),
        ("bitcast(x, bool_)", "bitcast takes a number type"),
        ("bitcast(A, i32)", "only numbers have bits, but this is memref<f32x4>"),
        ("bitcast(1.0, i32)", "nothing gives the literal 1.0 a type"),
        ("expandc2r(A)", "the elements of memref<f32x4> are real"),
    ):
        source = f"def f(A: Memref[f32, 4], x: f32):\n    y = {call}\n    A[0] = x\n"
        with pytest.raises(pytl.TraceError, match="PYTL-") as caught:
            str(pytl.kernel(functions(source)["f"]))
        assert message in str(caught.value), str(caught.value)
