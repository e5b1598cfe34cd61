"""What overflows in f16 is infinite in all that it is cast to afterwards (docs/notes/findings.md).

LLVM takes the casts of an integer to a half and on to a wider type for one, where few digits of the integer count.
"""

from __future__ import annotations

import numpy as np
import pytest
from differential.cases import NEEDS_OPENCL, NEEDS_SYCL, STRATEGIES

import pytl

pytestmark = pytest.mark.at_most(4)

TEXT = """func @f(%x: memref<i64x64>, %y: memref<{wide}x64>) {{
  %n = constant 64 : index
  %zero = constant 0 : index
  foreach (%i)=(%zero),(%n) {{
    %a = load %x[%i] : i64
    %b = cast %a : {integer}
    %s = constant {shift} : {integer}
    %c = arith.shl %b, %s : {integer}
    %d = cast %c : {between}
    %e = cast %d : f16
    %f = cast %e : {wide}
    store %f, %y[%i]
  }}
}}"""
WAYS = [
    *(pytest.param("sycl", {"strategy": way}, marks=NEEDS_SYCL, id=way) for way in STRATEGIES),
    pytest.param("opencl", {}, marks=NEEDS_OPENCL, id="opencl"),
    pytest.param("reference", {}, id="reference"),
    *(pytest.param(name, {}, marks=pytest.mark.tools_of(name), id=name) for name in ("mlir", "arm_sme")),
]
DTYPES = {"f32": "f4", "f64": "f8", "c64": "c16"}


def expected(shift: int, integer: str, between: str, wide: str, x: np.ndarray) -> np.ndarray:
    """By NumPy."""
    numbers = x.astype(np.int32 if integer == "i32" else np.int64)
    shifted = (numbers << shift).astype(DTYPES.get(between, numbers.dtype))
    with np.errstate(over="ignore"):
        return shifted.astype(np.float16).astype(DTYPES[wide])


@pytest.mark.at_most(1)
@pytest.mark.parametrize("wide", DTYPES)
@pytest.mark.parametrize("between", ["f32", "f64", "own"])
@pytest.mark.parametrize(("integer", "shift"), [("i32", 29), ("i32", 16), ("i64", 60), ("index", 15)])
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_overflow(backend: str, options: dict[str, str], integer: str, shift: int, between: str, wide: str) -> None:
    words = {"integer": integer, "shift": shift, "between": integer if between == "own" else between, "wide": wide}
    kernel = pytl.compile(TEXT.format(**words))["f"]
    x, y = np.arange(64) % 8 - 4, np.zeros(64, DTYPES[wide])
    kernel[1, options](x, y, backend=backend)
    assert np.array_equal(y, expected(shift, integer, between, wide, x))


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_overflow_in_matrices(backend: str, options: dict[str, str]) -> None:
    """Of cooperative matrices, whose components are cast as vectors."""
    kernel = pytl.compile("""func @f(%x: memref<i32x16x16>, %y: memref<f64x16x16>) {
      parallel {
        %zero = constant 0 : index
        %factor = constant 536870912 : i32
        %a = cooperative_matrix_load.n %x[%zero,%zero] : coopmatrix<i32x16x16,matrix_acc>
        %b = cooperative_matrix_scale %factor, %a : coopmatrix<i32x16x16,matrix_acc>
        %c = cast %b : coopmatrix<f32x16x16,matrix_acc>
        %d = cast %c : coopmatrix<f16x16x16,matrix_acc>
        %e = cast %d : coopmatrix<f64x16x16,matrix_acc>
        cooperative_matrix_store %e, %y[%zero,%zero]
      }
    }""")["f"]
    x = np.asfortranarray(np.arange(256, dtype=np.int32).reshape(16, 16) % 4 - 2)
    y = np.zeros((16, 16), order="F")
    kernel[1, options](x, y, backend=backend)
    assert np.array_equal(y, np.where(x == 0, 0, np.copysign(np.inf, x)))
