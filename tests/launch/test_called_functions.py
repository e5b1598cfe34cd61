"""Launches of kernels that call functions: what a launch looks at is what the functions do, too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL, WAYS
from tracing_kit import functions

import pytl

STORE = """
@pytl.function
def store(x: Memref[f32, ...], i: index, value: f32) -> None:
    x[i] = value

@pytl.function
def loaded(x: Memref[f32, ...], i: index) -> f32:
    return x[i]

@pytl.kernel
def k(x: Memref[f32, ...], y: Memref[f32, ...]):
    for i in foreach(4):
        store(x, i, loaded(y, i))
"""


def kernel_of(source: str) -> pytl.Kernel:
    return functions(source)["k"]


def test_what_functions_write_is_written() -> None:
    kernel = kernel_of(STORE)
    x, y = np.zeros(4, np.float32), np.ones(4, np.float32)
    y.flags.writeable = False
    kernel[1](x, y, backend="reference")
    assert x.sum() == 4
    with pytest.raises(pytl.LaunchError, match="read-only"):
        kernel[1](y, x, backend="reference")


def test_the_sizes_that_functions_need_are_asked_for() -> None:
    kernel = kernel_of(STORE)
    for few in (0, 1):
        sizes = [4, 4]
        sizes[few] = 3
        with pytest.raises(pytl.LaunchError, match="PYTL-2"):
            kernel[1, {"checks": False}](*(np.zeros(size, np.float32) for size in sizes), backend="reference")


def test_arrays_that_functions_need_apart_are_kept_apart() -> None:
    kernel = kernel_of("""
@pytl.function
def product(A: Memref[f32, 4, 4], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4]):
    gemm(1.0, A, B, 0.0, C)

@pytl.kernel
def k(A: Memref[f32, 4, 4], B: Memref[f32, 4, 4], C: Memref[f32, 4, 4]):
    product(A, B, C)
""")
    A, B = (np.ones((4, 4), np.float32, order="F") for _ in range(2))
    with pytest.raises(pytl.LaunchError) as caught:
        kernel[1](A, B, A, backend="reference")
    inlined = pytl.compile(kernel.ir("inline-calls{}"))["k"]
    with pytest.raises(pytl.LaunchError) as other:
        inlined[1](A, B, A, backend="reference")
    assert caught.value.diagnostics[0].code == other.value.diagnostics[0].code


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", ["reference", *WAYS])
def test_places_along_y_and_z(way: str) -> None:
    kernel = kernel_of("""
@pytl.function
def place() -> index:
    return group_id("x") + 10 * group_id("y") + 100 * group_id("z")

@pytl.kernel
def k(x: Memref[i32, 2, 3, 2]):
    x[group_id("x"), group_id("y"), group_id("z")] = i32(place())
""")
    x = np.zeros((2, 3, 2), np.int32, order="F")
    backend, options = (way, {}) if way in ("reference", "mlir", "arm_sme") else ("sycl", {"strategy": way})
    kernel[2, 3, 2, options](x, backend=backend)
    expected = [[[i + 10 * j + 100 * k for k in range(2)] for j in range(3)] for i in range(2)]
    np.testing.assert_array_equal(x, expected)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", ["reference", *WAYS])
def test_functions_ask_whether_parameters_were_passed(way: str) -> None:
    kernel = kernel_of("""
@pytl.function
def either(x: Memref[f32, 4], y: Memref[f32, 4], i: index) -> f32:
    return x[i] if associated(x) else y[i]

@pytl.kernel
def k(x: Memref[f32, 4], y: Memref[f32, 4], z: Memref[f32, 4]):
    for i in foreach(4):
        z[i] = either(x, y, i)
""")
    backend, options = (way, {}) if way in ("reference", "mlir", "arm_sme") else ("sycl", {"strategy": way})
    x, y, z = (np.full(4, n, np.float32) for n in range(3))
    kernel[1, options](None, y, z, backend=backend)
    assert z.tolist() == [1] * 4
    kernel[1, options](x, y, z, backend=backend)
    assert z.tolist() == [0] * 4


DEBUGGED = """
@pytl.function
def shown(x):
    print(f"x is {x}")
    assert x > 0.0, "positive"
    return x + 1.0

@pytl.kernel
def k(x: Memref[f32, 2]):
    x[0] = shown(x[0])
    x[1] = shown(x[1])
"""


def test_functions_print(capsys: pytest.CaptureFixture[str]) -> None:
    x = np.array([1, 2], np.float32)
    kernel_of(DEBUGGED)[1](x, backend="reference")
    assert capsys.readouterr().out.splitlines() == ["[work-group 0] x is 1.0", "[work-group 0] x is 2.0"]
    assert x.tolist() == [2, 3]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", WAYS)
def test_printing_is_left_out_or_refused(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    backend, options = (way, {}) if way in ("mlir", "arm_sme") else ("sycl", {"strategy": way})
    with pytest.raises(pytl.LaunchError, match="PYTL-1084"):
        kernel_of(DEBUGGED)[1, options](np.ones(2, np.float32), backend=backend)
    monkeypatch.setenv("PYTL_DEBUG_PRINT", "ignore")
    kernel, x = kernel_of(DEBUGGED), np.array([1, 2], np.float32)
    kernel[1, options](x, backend=backend)
    assert x.tolist() == [2, 3]
    with pytest.raises(pytl.ExecutionError, match="positive"):
        kernel[1, {**options, "checks": True}](np.array([1, -1], np.float32), backend=backend)


@NEEDS_SYCL
def test_what_functions_do_is_in_the_key_of_the_cache() -> None:
    text = """
func @k(%x: memref<f32x1>, %n: index) {{
  %a = pytl.call @value() -> (f32)
  store %a, %x[%n]
}}
func @value() -> (f32) {{
  %a = constant {} : f32
  yield (%a)
}}"""
    for number in (1.0, 2.0, 1.0):
        x = np.zeros(1, np.float32)
        pytl.compile(text.format(number))["k"][1](x, 0, backend="sycl")
        assert x == number


@NEEDS_SYCL
def test_kernels_that_are_built_ahead_of_time(tmp_path: Path) -> None:
    kernel = kernel_of(STORE)
    pytl.build({"k": kernel}, tmp_path / "built", devices=["cpu"])
    loaded = pytl.load(tmp_path / "built")["k"]
    x, y = np.zeros(4, np.float32), np.arange(4, dtype=np.float32)
    loaded[1](x, y, backend="sycl")
    np.testing.assert_array_equal(x, y)
    assert str(loaded) == str(kernel)


@NEEDS_SYCL
def test_bound_launches() -> None:
    x, y = np.zeros(4, np.float32), np.arange(4, dtype=np.float32)
    bound = kernel_of(STORE)[1].bind(x, y, backend="sycl")
    bound()
    np.testing.assert_array_equal(x, y)
    bound(y=x + y)
    np.testing.assert_array_equal(x, 2 * y)
