"""Backends through MLIR leave in memory what the reference backend does, for programs of the whole language."""

from __future__ import annotations

import itertools
import re
from contextlib import ExitStack
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from differential.cases import clone
from generator import ELEMENTS, INTEGERS, SEEDS, generate
from generator.bodies import bodies
from hypothesis import given, settings
from hypothesis import strategies as st
from properties.execution import GROUPS, data_for
from properties.test_backends import (
    LONG,
    SIZE,
    assert_has_the_same_bits,
    assert_leaves_the_same,
    unlike_the_reference,
)

import pytl
from pytl.backends.arm_sme.backend import VECTOR_LENGTHS
from pytl.backends.arm_sme.machine import emulates_sme2
from pytl.ir.values import Function, Module, Region
from pytl.kernels.kernel import Kernel

EXAMPLES = settings.default.max_examples // 10
"""A tenth of what other properties have: the tools take a quarter of a second for each."""
TOGETHER = 10
"""Programs that are compiled as one kernel for Arm: 50 in CI, and 2,000 at night."""
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
@given(SEEDS, st.integers(5, LONG), st.sampled_from(VECTOR_LENGTHS))
def test_long_bodies_have_the_same_bits_for_arm(seed: int, size: int, length: int) -> None:
    assert_has_the_same_bits(bodies(Random(seed), size), seed, {"vector_length": length}, "arm_sme")


def alike(rng: Random) -> list[Module]:
    """Programs that may share a kernel, since their work-groups are alike, each with names of its own."""
    items = rng.choice((None, None, 4, 8, 16, 32))
    found: dict[str, list[Module]] = {}
    while True:
        text = generate(rng, safe=True, size=rng.randrange(SIZE), subgroup_size=items)
        kind = " ".join(sorted(re.findall(r"\b(?:subgroup|work_group)_size=(?:\d+|\[.*?\])", text.partition("\n")[0])))
        same = found.setdefault(kind, [])
        same.append(pytl.parse(re.sub(r"%(\w+)", rf"%p{len(same)}_\1", text)))
        if len(same) == TOGETHER:
            return same


@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize("length", VECTOR_LENGTHS)
@settings(max_examples=max(EXAMPLES // TOGETHER // len(VECTOR_LENGTHS), 1))
@given(SEEDS)
def test_the_matrix_extension_computes_what_the_reference_does(length: int, seed: int) -> None:
    """Programs are compiled and executed together, for most of the time is that of starting the tools."""
    rng = Random(f"{seed} {length}")
    modules = alike(rng)
    functions = [module.functions[0] for module in modules]
    body = Region("collective", operations=[op for function in functions for op in function.body.operations])
    parameters = [parameter for function in functions for parameter in function.parameters]
    kernel = Kernel(module=Module([Function("together", parameters, body, functions[0].attributes)]))
    given = [data_for(function, rng.randrange(2**32)) for function in functions]
    actual = [[clone(argument) for argument in each] for each in given]
    options: dict[str, Any] = {"specialize": rng.choice(("never", "always")), "opt_level": rng.choice((0, 0, 0, 2))}
    if rng.random() < 0.3 and emulates_sme2():
        options["machine"] = "sme2"
    with ExitStack() as stack:
        if rng.random() < 0.5:
            options["vector_length"] = length
        else:  # code for all lengths
            stack.enter_context(patch("pytl.backends.arm_sme.backend.DEFAULT_LENGTH", length))
        kernel[GROUPS, options](*itertools.chain(*actual), backend="arm_sme")
    for module, before, after in zip(modules, given, actual, strict=True):
        found = unlike_the_reference(module, before, after)
        assert not found, f"{length} bits, {options}: {found}\n{module}"
