"""Square roots, which the library writes out, as an instruction on vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from passes_kit import of_elements, sycl_passes
from properties.execution import execute

import pytl
from pytl import Memref, acos, asin, bf16, f16, f32, f64, foreach, group_id, rsqrt, sqrt
from pytl.ops.control import If
from pytl.passes import Pipeline
from pytl.passes.targets import cpu, vector
from pytl.passes.vectors import roots

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1.0, 2.0, 4.0]


@pytest.mark.at_most(2)
@pytest.mark.parametrize("type_", [f64, f32, f16, bf16], ids=lambda each: each.__name__)
@pytest.mark.parametrize("function", [sqrt, rsqrt], ids=lambda each: each.name)
def test_what_the_library_writes_out_is_found(function: Any, type_: Any) -> None:
    module = Pipeline(sycl_passes()).run(of_elements(function, type_).module)
    found = [op for op in module.functions[0].walk() if isinstance(op, vector.VectorMath)]
    assert [op.variant for op in found] == ["sqrt"], "the library's root has another digest, which roots.py has to know"
    # the scaling of the argument is gone with its branches
    assert sum(isinstance(op, If) for op in module.functions[0].walk()) <= 2


def arguments(dtype: Any, seed: int) -> np.ndarray:
    """Special ones, and numbers from all of a type from zero on."""
    limits = np.finfo(dtype)
    chosen = [*SPECIAL, limits.max, limits.tiny, limits.smallest_subnormal]
    bits = np.random.default_rng(seed).integers(0, np.iinfo(f"u{limits.bits // 8}").max, 64, f"u{limits.bits // 8}")
    x = np.abs(bits.view(dtype))
    x[: len(chosen)] = chosen
    return x


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("type_", "dtype"), [(f64, np.float64), (f32, np.float32)])
@pytest.mark.parametrize("backend", ["oracle", "sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_roots_are_rounded_correctly(type_: Any, dtype: Any, backend: str) -> None:
    kernel = of_elements(sqrt, type_)
    x = arguments(dtype, 1)
    y = np.zeros_like(x)
    with np.errstate(all="ignore"):
        if backend == "oracle":
            (_, y) = execute(Pipeline(sycl_passes()).run(kernel.module), [x, y], 1)
        else:
            kernel[1](x, y, backend=backend)
        expected = np.sqrt(x)
    assert np.array_equal(y, expected, equal_nan=True)
    assert np.array_equal(np.signbit(y[:2]), [False, True])


@pytest.mark.parametrize("function", [sqrt, rsqrt], ids=lambda each: each.name)
def test_with_fastmath_a_root_of_f32_is_computed_in_f32(function: Any) -> None:
    module = Pipeline(sycl_passes(fastmath=True)).run(of_elements(function, f32).module)
    (root,) = (op for op in module.functions[0].walk() if isinstance(op, vector.VectorMath))
    assert root.a.type.element == pytl.ir.types.f32
    x = np.array([*SPECIAL, *np.linspace(1e-38, 1e38, 55)], np.float32)
    with np.errstate(all="ignore"):
        _, y = execute(module, [x, np.zeros_like(x)], 1)
        expected = np.sqrt(x) if function is sqrt else 1 / np.sqrt(x.astype(np.float64))
    np.testing.assert_allclose(y, expected, rtol=3e-7)


def test_another_function_of_one_number_is_no_root() -> None:
    @pytl.kernel
    def almost(X: Memref[f64, 64], Y: Memref[f64, 64]):
        for i in foreach(64):
            Y[i] = pytl.log(X[i])

    module = Pipeline(sycl_passes()).run(almost.module)
    assert not any(isinstance(op, vector.VectorMath) for op in module.functions[0].walk())
    branches = [op for op in almost.module.functions[0].walk() if isinstance(op, If)]
    assert all(roots.square_root(branch.then_body) is None for branch in branches)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("type_", [f64, f32], ids=lambda each: each.__name__)
@pytest.mark.parametrize("function", [asin, acos], ids=lambda each: each.name)
def test_roots_of_what_a_function_computes_are_found(function: Any, type_: Any) -> None:
    module = Pipeline(sycl_passes()).run(of_elements(function, type_).module)
    found = [op for op in module.functions[0].walk() if isinstance(op, vector.VectorMath)]
    assert [op.variant for op in found] == ["sqrt"]


def of_number(function: Any, type_: Any) -> pytl.Kernel:
    @pytl.kernel
    def number(X: Memref[type_, 64], Y: Memref[type_, 64]):
        g = group_id()
        Y[g] = function(X[g])

    return number


@pytest.mark.at_most(2)
@pytest.mark.parametrize("type_", [f64, f32], ids=lambda each: each.__name__)
@pytest.mark.parametrize("function", [sqrt, rsqrt], ids=lambda each: each.name)
def test_roots_of_numbers_are_an_instruction_too(function: Any, type_: Any) -> None:
    module = Pipeline(sycl_passes()).run(of_number(function, type_).module)
    assert sum(isinstance(op, cpu.Sqrt) for op in module.functions[0].walk()) == 1
    assert sum(isinstance(op, If) for op in module.functions[0].walk()) <= 3


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("type_", "dtype"), [(f64, np.float64), (f32, np.float32)])
@pytest.mark.parametrize("backend", ["oracle", "sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_roots_of_numbers_are_rounded_correctly(type_: Any, dtype: Any, backend: str) -> None:
    x = arguments(dtype, 2)
    y = np.zeros_like(x)
    kernel = of_number(sqrt, type_)
    if backend == "oracle":
        _, y = execute(Pipeline(sycl_passes()).run(kernel.module), [x, y], 64)
    else:
        kernel[64](x, y, backend=backend)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(y, np.sqrt(x))


@pytl.function
def root_of(a: f64) -> f64:
    return sqrt(a)


@pytl.kernel
def of_numbers(X: Memref[f64, 8]):
    for i in foreach(8):
        X[i] = sqrt(X[i])
    X[0] += root_of(X[7])


@pytest.mark.at_most(1)
@pytest.mark.parametrize("strategy", ["one-item", "many-items"])
@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
def test_roots_of_work_items_and_of_called_functions(backend: str, strategy: str) -> None:
    x = np.arange(1.0, 9.0)
    expected = np.sqrt(x)
    expected[0] += np.sqrt(expected[7])
    of_numbers[1, {} if backend == "mlir" else {"strategy": strategy}](x, backend=backend)
    assert np.array_equal(x, expected)


def test_processors_have_the_instruction_and_work_items_have_not() -> None:
    for strategy, count in (("one-item", 1), ("many-items", 0)):
        found = Pipeline(sycl_passes(strategy=strategy)).run(of_numbers.module)
        operations = [op for function in found.functions for op in function.walk()]
        assert sum(isinstance(op, cpu.Sqrt) for op in operations) == count


def test_llvm_has_no_root_of_a_number_that_svml_has_functions_for() -> None:
    text = of_numbers.emit("numba_dpex", stage="llvm")
    assert "@llvm.sqrt.v2f64" in text and "@llvm.sqrt.f64" not in text
