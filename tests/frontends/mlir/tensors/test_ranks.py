"""Tensors and memrefs without a rank: they have the one that they are cast from, or, as arguments, to."""

from __future__ import annotations

import numpy as np
import pytest
from sampling import at_night

import pytl

TWICE = """func.func private @twice(%t: tensor<*xf32>) -> tensor<*xf32> {
  %r = tensor.cast %t : tensor<*xf32> to tensor<?x8xf32>
  %s = arith.addf %r, %r : tensor<?x8xf32>
  %u = tensor.cast %s : tensor<?x8xf32> to tensor<*xf32>
  return %u : tensor<*xf32>
}
"""
CAST = """  %u = tensor.cast %x : tensor<4x8xf32> to tensor<*xf32>
"""
X = np.arange(32, dtype=np.float32).reshape(4, 8)
PROGRAMS = {
    "a function that is called": f"""{TWICE}func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
{CAST}  %v = call @twice(%u) : (tensor<*xf32>) -> tensor<*xf32>
  %r = tensor.cast %v : tensor<*xf32> to tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}}""",
    "two calls, with other ranks": """func.func private @rank(%t: tensor<*xf32>) -> index {
  %r = tensor.rank %t : tensor<*xf32>
  return %r : index
}
func.func @f(%x: tensor<4x8xf32>) -> tensor<2xindex> {
  %y = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %u = tensor.cast %x : tensor<4x8xf32> to tensor<*xf32>
  %v = tensor.cast %y : tensor<32xf32> to tensor<*xf32>
  %a = call @rank(%u) : (tensor<*xf32>) -> index
  %b = call @rank(%v) : (tensor<*xf32>) -> index
  %r = tensor.from_elements %a, %b : tensor<2xindex>
  return %r : tensor<2xindex>
}""",
    "an argument and a result": TWICE.replace("private @twice", "@f"),
    "an argument that is a memref": """func.func @f(%x: memref<*xf32>, %y: memref<4x8xf32>) {
  %r = memref.cast %x : memref<*xf32> to memref<4x?xf32>
  linalg.add ins(%r, %r : memref<4x?xf32>, memref<4x?xf32>) outs(%y : memref<4x8xf32>)
  return
}""",
}


@pytest.mark.parametrize("backend", ["reference", *at_night(["sycl", "mlir"])])
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_has_the_rank_that_casts_say(name: str, backend: str) -> None:
    kernel, y = pytl.from_mlir(PROGRAMS[name])["f"], np.zeros_like(X)
    given = kernel[...](X, *([y] if "%y: memref" in PROGRAMS[name] else []), backend=backend)
    expected = np.array([2, 1]) if "tensor.rank" in PROGRAMS[name] else 2 * X
    np.testing.assert_array_equal(y if given is None else given, expected)


@pytest.mark.parametrize(
    "lines",
    [
        "%r = tensor.rank %t : tensor<*xf32>",
        """%r = scf.if %c -> tensor<4xf32> {
    %a = tensor.cast %t : tensor<*xf32> to tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %z = tensor.empty() : tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  }""",
        """%r = tensor.cast %t : tensor<*xf32> to tensor<4xf32>
  %s = tensor.cast %t : tensor<*xf32> to tensor<2x2xf32>""",
    ],
    ids=["asked for", "in a region", "of two ranks"],
)
def test_an_argument_of_any_rank_is_refused(lines: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(f"func.func @f(%t: tensor<*xf32>, %c: i1) {{\n  {lines}\n  return\n}}")
    assert {(each.code, "has no rank" in each.message) for each in caught.value.diagnostics} == {("PYTL-1304", True)}
