"""Code for many work-items computes what its program does, with sub-groups of 8, 16 and 32 of them.

The oracle executes what the passes write for a processor and for each preset of a GPU, with its checks and its race
detector, for which barriers alone order accesses; the driver for processors executes kernels through SYCL and OpenCL.
"""

from __future__ import annotations

import pytest
from differential.cases import NEEDS_OPENCL, NEEDS_SYCL
from generator import SEEDS
from hypothesis import given, settings
from properties.barriers import barriers_alone_order
from properties.execution import assert_same_meaning
from properties.test_backends import EXAMPLES, SIZE, assert_leaves_the_same
from properties.work_items import assert_work_items_agree, passes_of, program
from sampling import at_night

import pytl
from pytl.passes import InsertBarrier

TOGETHER = 5
"""Programs of a test."""


@pytest.mark.parametrize("first", [0, *at_night(range(TOGETHER, 20_000, TOGETHER))])
def test_the_oracle_agrees_behind_the_passes(first: int) -> None:
    made = [assert_work_items_agree(seed, seed % (SIZE + 1)) for seed in range(first, first + TOGETHER)]
    assert any("vector.work_items" in text for text in made), "there are blocks to execute"


THROUGH_LOCAL_MEMORY = """func @f(%a: memref<f32x20x9>, %b: memref<f32x9x7>, %c: memref<f32x20x7x?>)
    attributes{subgroup_size=16, work_group_size=[16,2]} {
  %g = builtin.group_id : index
  %d = subview %c[0:20, 0:7, %g] : memref<f32x20x7>
  %t = alloca : memref<f32x20x9,local>
  %m = constant 20 : index
  %n = constant 9 : index
  %0 = constant 0 : index
  foreach (%i, %j) = (%0, %0), (%m, %n) {
    %x = load %a[%i, %j] : f32
    %y = arith.mul %x, %x : f32
    store %y, %t[%i, %j]
  }
  gemm.n.n 1.0, %t, %b, 0.0, %d
}"""


def test_a_barrier_that_is_missing_is_a_race() -> None:
    name, passes = passes_of(0)
    assert_same_meaning(THROUGH_LOCAL_MEMORY, 0, {name: (passes, True)})
    without = [each for each in passes if not isinstance(each, InsertBarrier)]
    with barriers_alone_order():
        assert_same_meaning(THROUGH_LOCAL_MEMORY, 0, {name: (passes, True)})
        with pytest.raises(pytl.ExecutionError, match="PYTL-4030"):
            assert_same_meaning(THROUGH_LOCAL_MEMORY, 0, {name: (without, True)})


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "backend", [pytest.param("sycl", marks=NEEDS_SYCL), pytest.param("opencl", marks=NEEDS_OPENCL)]
)
@settings(max_examples=max(EXAMPLES // 2, 1))
@given(SEEDS)
def test_the_driver_agrees(backend: str, seed: int) -> None:
    (kernel,) = pytl.compile(program(seed, seed % (SIZE + 1))).values()
    options = {"strategy": "many-items", "specialize": ("never", "always")[seed // 2 % 2]}
    assert_leaves_the_same(kernel, seed, options, backend)
