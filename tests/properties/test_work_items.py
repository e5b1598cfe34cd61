"""Code for many work-items computes what its program does, with sub-groups of 8, 16 and 32 of them.

The oracle executes what the passes write for a processor and for each preset of a GPU, with its checks and its race
detector; the driver for processors executes kernels through SYCL and OpenCL.
"""

from __future__ import annotations

import pytest
from differential.cases import NEEDS_OPENCL, NEEDS_SYCL
from generator import SEEDS
from hypothesis import given, settings
from properties.test_backends import EXAMPLES, SIZE, assert_leaves_the_same
from properties.work_items import assert_work_items_agree, program
from sampling import at_night

import pytl

TOGETHER = 5
"""Programs of a test."""


@pytest.mark.parametrize("first", [0, *at_night(range(TOGETHER, 20_000, TOGETHER))])
def test_the_oracle_agrees_behind_the_passes(first: int) -> None:
    made = [assert_work_items_agree(seed, seed % (SIZE + 1)) for seed in range(first, first + TOGETHER)]
    assert any("vector.work_items" in text for text in made), "there are blocks to execute"


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
