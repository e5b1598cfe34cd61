"""Kernels printed as linalg on tensors: mlir-opt accepts them, and they are read back as the same."""

from __future__ import annotations

import subprocess
from typing import Any

import numpy as np
import pytest

import pytl
from pytl.frontends.mlir.linalg_text import linalg_text

KERNELS = {
    "gemm": "func @f(%a: memref<f32x4x8>, %b: memref<f32x8x5>, %c: memref<f32x4x5>, %s: f32) {\n"
    "  %z = constant 0.0 : f32\n  gemm.n.n %s, %a, %b, %z, %c\n}",
    "gemm, turned": "func @f(%a: memref<f64x8x4>, %b: memref<f64x5x8>, %c: memref<f64x4x5>, %s: f64) {\n"
    "  %o = constant 1.0 : f64\n  gemm.t.t %o, %a, %b, %s, %c\n}",
    "gemm of integers": "func @f(%a: memref<i32x4x8>, %b: memref<i32x8x5>, %c: memref<i32x4x5>) {\n"
    "  %o = constant 1 : i32\n  gemm.n.n %o, %a, %b, %o, %c\n}",
    "gemm of complex numbers": "func @f(%a: memref<c32x4x8>, %b: memref<c32x8x5>, %c: memref<c32x4x5>) {\n"
    "  %o = constant [1.0, 2.0] : c32\n  gemm.n.n %o, %a, %b, %o, %c\n}",
    "gemv": "func @f(%a: memref<f32x4x8>, %b: memref<f32x8>, %c: memref<f32x4>, %s: f32) {\n  gemv.n %s, %a, %b, %s, %c\n}",
    "ger": "func @f(%a: memref<f32x4>, %b: memref<f32x5>, %c: memref<f32x4x5>, %s: f32) {\n  ger %s, %a, %b, %s, %c\n}",
    "axpby of a target with itself": "func @f(%out: memref<f32x4x4>, %s: f32) {\n  axpby.t %s, %out, %s, %out\n}",
    "hadamard": "func @f(%a: memref<f32x4>, %b: memref<f32x4>, %c: memref<f32x4>, %s: f32) {\n"
    "  hadamard %s, %a, %b, %s, %c\n}",
    "sum": "func @f(%a: memref<f32x4x5>, %b: memref<f32x4>, %s: f32) {\n  sum.n %s, %a, %s, %b\n}",
    "two products with local memory": "func @f(%a: memref<f32x4x8>, %b: memref<f32x8x5>, %c: memref<f32x4x5>) {\n"
    "  %o = constant 1.0 : f32\n  %z = constant 0.0 : f32\n  %t = alloca : memref<f32x4x5,local>\n"
    "  gemm.n.n %o, %a, %b, %z, %t\n  axpby.n %o, %t, %o, %c\n}",
    "index notation": "func @f(%a: memref<f32x3x4x5>, %b: memref<f32x5x4>, %c: memref<f32x3>) {\n"
    "  %o = constant 1.0 : f32\n  yateto.log {ijk, kj to i}, %o, %a, %b, %o, %c\n}",
}
BATCH = """func @f(%a: group<memref<f32x4x8>x?>, %b: memref<f32x8x5>, %c: memref<f32x4x5x?>) {
  %o = constant 1.0 : f32
  %z = constant 0.0 : f32
  %g = builtin.group_id : index
  %x = load %a[%g] : memref<f32x4x8>
  %y = subview %c[0:4, 0:5, %g] : memref<f32x4x5>
  %t = alloca : memref<f32x4x5,local>
  gemm.n.n %o, %x, %b, %z, %t
  axpby.n %o, %t, %o, %y
}"""
REFUSED = {
    "loops": "func @f(%a: memref<f32x4>) {\n  %0 = constant 0 : index\n  %1 = constant 4 : index\n"
    "  foreach (%i) = (%0), (%1) {\n    %x = load %a[%i] : f32\n    store %x, %a[%i]\n  }\n}",
    "a part": "func @f(%a: memref<f32x4x4>, %b: memref<f32x2x4>, %s: f32) {\n"
    "  %x = subview %a[0:2, 0:4] : memref<f32x2x4,strided<1,4>>\n  axpby.n %s, %x, %s, %b\n}",
    "memory that all work-groups write": BATCH.replace("%y\n}", "%d\n}").replace(
        "%c: memref<f32x4x5x?>", "%c: memref<f32x4x5x?>, %d: memref<f32x4x5>"
    ),
}


def _arguments(kernel: pytl.Kernel) -> list[Any]:
    rng = np.random.default_rng(4)
    found: list[Any] = []
    for each in kernel.function.parameters:
        shape = getattr(each.type, "shape", None)
        name = str(each.type.element if shape is not None else each.type)
        dtype = {"f32": "f4", "f64": "f8", "i32": "i4", "c32": "c8"}[name]
        values = rng.integers(-4, 5, shape or ()).astype(dtype)
        found.append(np.asfortranarray(values) if shape is not None else values.item())
    return found


@pytest.mark.parametrize("text", KERNELS.values(), ids=KERNELS)
def test_it_is_read_back_as_the_same(text: str) -> None:
    kernel = pytl.compile(text)["f"]
    arguments = _arguments(kernel)
    given = [each.T.copy() if isinstance(each, np.ndarray) else each for each in arguments]
    kernel[1](*arguments, backend="reference")
    found = pytl.from_mlir(linalg_text(kernel.module))["f"](*given, backend="reference")
    target = [each for each in arguments if isinstance(each, np.ndarray)][-1]
    np.testing.assert_allclose(found, target.T, rtol=1e-5)


def test_a_batch_has_one_more_dimension() -> None:
    kernel = pytl.compile(BATCH)["f"]
    rng = np.random.default_rng(5)
    a, b, c = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in ((3, 8, 4), (5, 8), (3, 5, 4)))
    expected = c + b @ a
    found = pytl.from_mlir(linalg_text(kernel.module))["f"](a, b, c, backend="reference")
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.tools_of("mlir")
def test_mlir_accepts_it() -> None:
    texts = [linalg_text(pytl.compile(text)["f"].module) for text in (*KERNELS.values(), BATCH)]
    done = subprocess.run(
        ["mlir-opt-22", "--split-input-file"], input="// -----\n".join(texts), text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_what_is_no_linalg_is_refused(text: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        linalg_text(pytl.compile(text)["f"].module)
    assert caught.value.code == "PYTL-3034"
    assert "is no linalg on tensors" in str(caught.value)
