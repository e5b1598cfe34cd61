"""Backends through MLIR leave in memory what the reference backend does, for programs of the whole language."""

from __future__ import annotations

from random import Random

import pytest
from generator import ELEMENTS, INTEGERS, SEEDS, generate
from generator.bodies import bodies
from hypothesis import given, settings
from hypothesis import strategies as st
from properties.test_backends import LONG, SIZE, assert_has_the_same_bits, assert_leaves_the_same

import pytl
from pytl.backends.arm_sme.backend import VECTOR_LENGTHS

EXAMPLES = settings.default.max_examples // 10
"""A tenth of what other properties have: the tools take a quarter of a second for each."""
PROGRAMS = (SEEDS, st.integers(0, SIZE), st.sampled_from((ELEMENTS, ELEMENTS, INTEGERS)))


def compare(backend: str, seed: int, size: int, elements: tuple[str, ...], **options: int) -> None:
    text = generate(Random(seed), safe=True, size=size, elements=elements)
    (kernel,) = pytl.compile(text).values()
    sizes = ("never", "always")[seed % 2]  # code for all sizes, and for those of the data
    assert_leaves_the_same(kernel, seed, {"specialize": sizes, **options}, backend)


@pytest.mark.tools_of("mlir")
@settings(max_examples=EXAMPLES)
@given(*PROGRAMS)
def test_the_host_computes_what_the_reference_does(seed: int, size: int, elements: tuple[str, ...]) -> None:
    compare("mlir", seed, size, elements)


@pytest.mark.tools_of("mlir")
@settings(max_examples=EXAMPLES // 5)
@given(SEEDS, st.integers(5, LONG))
def test_long_bodies_have_the_same_bits_on_the_host(seed: int, size: int) -> None:
    assert_has_the_same_bits(bodies(Random(seed), size), seed, {}, "mlir")


@pytest.mark.at_night
@pytest.mark.tools_of("arm_sme")
@settings(max_examples=max(EXAMPLES // 10, 1))
@given(SEEDS, st.integers(5, LONG))
def test_long_bodies_have_the_same_bits_for_arm(seed: int, size: int) -> None:
    assert_has_the_same_bits(bodies(Random(seed), size), seed, {}, "arm_sme")


@pytest.mark.at_night
@pytest.mark.tools_of("arm_sme")
@settings(max_examples=EXAMPLES)
@given(*PROGRAMS, st.sampled_from(VECTOR_LENGTHS))
def test_the_matrix_extension_computes_what_the_reference_does(
    seed: int, size: int, elements: tuple[str, ...], length: int
) -> None:
    compare("arm_sme", seed, size, elements, vector_length=length)
