"""Backends through MLIR leave in memory what the reference backend does, for programs of the whole language."""

from __future__ import annotations

from random import Random

import pytest
from generator import ELEMENTS, INTEGERS, SEEDS, generate
from hypothesis import given, settings
from hypothesis import strategies as st
from properties.test_backends import SIZE, assert_leaves_the_same

import pytl

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


@pytest.mark.tools_of("arm_sme")
@settings(max_examples=EXAMPLES // 2)
@given(*PROGRAMS, st.sampled_from((128, 256, 512, 1024, 2048)))
def test_the_matrix_extension_computes_what_the_reference_does(
    seed: int, size: int, elements: tuple[str, ...], length: int
) -> None:
    compare("arm_sme", seed, size, elements, vector_length=length)
