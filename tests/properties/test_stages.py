"""What the SYCL backend makes of a function for processors computes the same after each pass."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from generator import SEEDS, generate
from generator.products import products
from hypothesis import given, settings
from hypothesis import strategies as st
from passes_kit import CPU_OPTIONS, assert_stages_agree, cache_of
from properties.execution import data_for, execute, rounding_errors

import pytl

GROUPS = 5
"""As many as are interleaved, and one that is left over."""
EXAMPLES = settings.default.max_examples // 20
"""Fewer than other properties have, for each is executed after every pass."""
MARGIN = 8
"""How often the rounding errors of one order of operations another order may make."""


def check(text: str, seed: int, options: dict[str, Any], cache_size: int) -> None:
    module = pytl.parse(text)
    data = data_for(module.functions[0], seed, GROUPS)

    @cache
    def margins() -> list[float]:
        errors = rounding_errors(text, data, execute(module, data, GROUPS), GROUPS)
        return [MARGIN * error for error in errors]

    with cache_of(cache_size):
        assert_stages_agree(text, options, data, GROUPS, margins)


OPTIONS = st.sampled_from(CPU_OPTIONS)
CACHES = st.sampled_from((0, 10**9))


@pytest.mark.at_night
@settings(max_examples=EXAMPLES)
@given(SEEDS, st.integers(0, 14), OPTIONS, CACHES)
def test_programs_of_the_whole_language(seed: int, size: int, options: dict[str, Any], cache_size: int) -> None:
    check(generate(Random(seed), safe=True, size=size), seed, options, cache_size)


@pytest.mark.at_night
@settings(max_examples=2 * EXAMPLES)
@given(SEEDS, OPTIONS, CACHES)
def test_products(seed: int, options: dict[str, Any], cache_size: int) -> None:
    check(products(Random(seed)), seed, options, cache_size)
