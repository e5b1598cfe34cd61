"""The manual's chain of two products for Arm's matrix extension, at every vector length."""

from __future__ import annotations

import numpy as np
import pytest
from differential.cases import BOUNDS, DTYPES, EXACT, compare, spans, strided

import pytl
from pytl.backends.arm_sme.backend import VECTOR_LENGTHS

pytestmark = pytest.mark.tools_of("arm_sme")

GROUPS = 3
CHAIN = """func @chain(%alpha: {0}, %A: group<memref<{0}x16x8>x?>, %B: memref<{0}x8x8>, %C: memref<{0}x8x16>,
                       %D: memref<{0}x16x16x?,strided<1,19,320>>) {{
    %g = builtin.group_id : index
    %one = constant {1} : {0}
    %zero = constant {2} : {0}
    %a = load %A[%g] : memref<{0}x16x8>
    %t = alloca : memref<{0}x16x8,local>
    gemm.n.t %one, %a, %B, %zero, %t
    %d = subview %D[0:16, 0:16, %g] : memref<{0}x16x16,strided<1,19>>
    gemm.n.n %alpha, %t, %C, %one, %d
}}"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize("length", VECTOR_LENGTHS)
@pytest.mark.parametrize("element", ["f32", "f64", "bf16", "i16", "i32", "i64"])
def test_the_chain(element: str, length: int) -> None:
    """What lies between the columns of D stays as it is, and so does what lies around all arrays."""
    one, zero = ("1", "0") if element.startswith("i") else ("1.0", "0.0")
    kernel = pytl.compile(CHAIN.format(element, one, zero))["chain"]
    rng = np.random.default_rng(length)

    def numbers(*shape: int) -> np.ndarray:
        digits = rng.integers(-8, 9, shape) if element.startswith("i") else rng.random(shape) - 0.5
        return np.asfortranarray(digits.astype(DTYPES[element]))

    items = [numbers(16, 8) for _ in range(GROUPS)]
    b, c = numbers(8, 8), numbers(8, 16)
    before = numbers(16, 16, GROUPS)
    expected, actual = (strided(before, (1, 19, 320)) for _ in range(2))
    alpha = 3 if element.startswith("i") else 1.5
    kernel[GROUPS](alpha, items, b, c, expected, backend="reference")
    kernel[GROUPS, {"vector_length": length}](alpha, items, b, c, actual, backend="arm_sme")
    bound = EXACT if element.startswith("i") else BOUNDS["sums"]
    for found, wanted in zip(spans(actual), spans(expected), strict=True):
        assert compare(found, wanted, element, bound) == []
