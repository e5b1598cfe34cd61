"""Whether kernels pay for Arm's streaming mode, by the model."""

from __future__ import annotations

import pytest

import pytl
from pytl.passes.streaming import pays_for_streaming
from pytl.passes.targets.machine import MACHINES


def pays(body: str, size: int, other: str = "neon") -> bool:
    types = ", ".join(f"%{name}: memref<f32x{size}x{size}>" for name in "abc")
    function = pytl.compile(f"func @f({types}, %s: f32, %n: index) {{ {body} }}")["f"].function
    return pays_for_streaming(function, MACHINES["sme"], MACHINES[other])


PRODUCT = "gemm.n.n 1.0, %a, %b, 1.0, %c"
POINTS = """%0 = constant 0 : index  %8 = constant 8 : index
foreach (%i, %j) = (%0, %0), (%8, %8) {
  %v = load %c[%i, %j] : f32
  %w = math.WORD %v : f32
  store %w, %c[%i, %j]
}"""


@pytest.mark.parametrize("other", ["neon", "sve256", "sve512"])
def test_large_products_pay_and_small_ones_do_not(other: str) -> None:
    found = [pays(PRODUCT, size, other) for size in (1, 2, 3, 5, 8, 16, 32, 64, 100)]
    assert found == sorted(found)  # from some size on
    assert not found[3]  # a product of 5×5 matrices
    assert found[6]


def test_what_has_no_product_does_not_pay() -> None:
    assert not pays("axpby.n 1.0, %a, 1.0, %c", 64)
    assert not pays("for %i = %n, %n { axpby.n 1.0, %a, 1.0, %c }", 64)


def test_calls_of_the_c_library_leave_streaming_mode() -> None:
    assert pays(PRODUCT, 16)
    cosines = POINTS.replace("math.WORD", "v04.math.cos")
    assert not pays(f"{PRODUCT} {cosines}", 16)
    assert pays(f"{PRODUCT} {cosines}", 100)


def test_an_exponential_function_is_vector_code() -> None:
    assert pays(f"{PRODUCT} {POINTS.replace('WORD', 'exp')}", 16)


def test_products_in_loops_count_for_each_iteration() -> None:
    small = "gemm.n.t 1.0, %a, %b, 1.0, %c"
    loop = "%x = constant 0 : index %y = constant 40 : index for %i = %x, %y { P }"
    assert not pays(small, 5)
    assert pays(loop.replace("P", small), 5)
