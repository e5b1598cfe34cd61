"""Whole numbers below others, which the library writes out, as an instruction on vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from launch_kit import needs_sycl
from passes_kit import of_elements, sycl_passes
from properties.execution import execute

import pytl
from pytl import bf16, ceil, f16, f32, f64, floor
from pytl.passes import Pipeline
from pytl.passes.targets import vector

SPECIAL = [0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 1.0, 0.5, -0.5, 2.5, -2.5, 0.1, -0.1, 8388607.5, -8388607.5]


def found(kernel: pytl.Kernel, processor: str) -> list[str]:
    module = Pipeline(sycl_passes(processor=processor)).run(kernel.module)
    return [op.variant for op in module.functions[0].walk() if isinstance(op, vector.VectorMath)]


@pytest.mark.at_most(2)
@pytest.mark.parametrize("type_", [f64, f32, f16, bf16], ids=lambda each: each.__name__)
@pytest.mark.parametrize("function", [floor, ceil], ids=lambda each: each.name)
def test_what_the_library_writes_out_is_found(function: Any, type_: Any) -> None:
    told = "the library's floor has another digest, which rounding.py has to know"
    assert found(of_elements(function, type_), "avx2") == ["floor"], told
    assert found(of_elements(function, type_), "sse") == []  # which calls the C library for each lane


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("type_", "dtype"), [(f64, np.float64), (f32, np.float32)])
@pytest.mark.parametrize(("function", "expected"), [(floor, np.floor), (ceil, np.ceil)], ids=["floor", "ceil"])
@pytest.mark.parametrize(
    "backend",
    ["oracle", pytest.param("sycl", marks=needs_sycl), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))],
)
def test_the_bits_are_numpys(type_: Any, dtype: Any, function: Any, expected: Any, backend: str) -> None:
    limits = np.finfo(dtype)
    chosen = [*SPECIAL, limits.max, -limits.max, limits.tiny, -limits.smallest_subnormal]
    bits = np.random.default_rng(1).integers(0, np.iinfo(f"u{limits.bits // 8}").max, 64, f"u{limits.bits // 8}")
    x = bits.view(dtype).copy()
    x[: len(chosen)] = chosen
    x[32:] = np.random.default_rng(2).uniform(-9, 9, 32)
    y = np.zeros_like(x)
    kernel = of_elements(function, type_)
    if backend == "oracle":
        _, y = execute(Pipeline(sycl_passes(processor="avx2")).run(kernel.module), [x, y], 1)
    else:
        kernel[1](x, y, backend=backend)
    wanted = expected(x)
    np.testing.assert_array_equal(y, wanted)
    np.testing.assert_array_equal(np.signbit(y[~np.isnan(y)]), np.signbit(wanted[~np.isnan(y)]))
