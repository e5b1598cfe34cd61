"""Programs of the whole language with calls: backends leave in memory what the reference backend does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from calls_kit import outlined
from differential.cases import NEEDS_SYCL
from generator import ELEMENTS, INTEGERS, SEEDS, generate
from generator.bodies import bodies
from generator.products import products
from hypothesis import given, settings
from hypothesis import strategies as st
from properties.execution import data_for, differences, execute
from properties.test_backends import LONG, SIZE, assert_has_the_same_bits, assert_leaves_the_same, ways_of
from properties.test_stages import CACHES, OPTIONS, check

import pytl
from pytl.ir.values import Module
from pytl.passes import InlineCalls, Pipeline

EXAMPLES = max(settings.default.max_examples // 25, 1)
PROGRAMS = (SEEDS, st.integers(4, SIZE), st.sampled_from((ELEMENTS, INTEGERS)))


def program(seed: int, size: int, elements: tuple[str, ...]) -> Module:
    (function,) = pytl.parse(generate(Random(seed), safe=True, size=size, elements=elements)).functions
    return outlined(function, Random(seed))


@pytest.mark.at_night
@given(*PROGRAMS)
def test_the_reference_computes_what_it_does_without_calls(seed: int, size: int, elements: tuple[str, ...]) -> None:
    module = program(seed, size, elements)
    (kernel,) = module.kernels
    given = data_for(kernel, seed)
    whole = pytl.compile(module)[kernel.name].launches.signature.whole
    assert not differences(execute(module, given), execute(Module([whole]), given), None)


@pytest.mark.at_night
@NEEDS_SYCL
@settings(max_examples=EXAMPLES)
@given(*PROGRAMS)
def test_sycl(seed: int, size: int, elements: tuple[str, ...]) -> None:
    (kernel,) = pytl.compile(program(seed, size, elements)).values()
    for way in ways_of(kernel.launches.signature.whole):
        options = {"strategy": way, "specialize": ("never", "always")[seed % 2]}
        assert_leaves_the_same(kernel, seed, options, "sycl")


@pytest.mark.at_night
@pytest.mark.parametrize("backend", [pytest.param(b, marks=pytest.mark.tools_of(b)) for b in ("mlir", "arm_sme")])
@settings(max_examples=EXAMPLES)
@given(*PROGRAMS)
def test_through_mlir(backend: str, seed: int, size: int, elements: tuple[str, ...]) -> None:
    (kernel,) = pytl.compile(program(seed, size, elements)).values()
    assert_leaves_the_same(kernel, seed, {"specialize": ("never", "always")[seed % 2]}, backend)


@pytest.mark.at_night
@settings(max_examples=max(EXAMPLES, 3))
@given(*PROGRAMS, OPTIONS, CACHES)
def test_each_pass_for_processors(
    seed: int, size: int, elements: tuple[str, ...], options: dict[str, Any], cache_size: int
) -> None:
    """The reference backend executes what each pass leaves, with its calls."""
    kept = Pipeline([InlineCalls(("sequential", "collective"))]).run(program(seed, size, elements))
    check(str(kept), seed, options, cache_size)


@pytest.mark.at_night
@settings(max_examples=max(EXAMPLES, 3))
@given(SEEDS, OPTIONS, CACHES)
def test_each_pass_on_products(seed: int, options: dict[str, Any], cache_size: int) -> None:
    (function,) = pytl.parse(products(Random(seed))).functions
    kept = Pipeline([InlineCalls(("sequential", "collective"))]).run(outlined(function, Random(seed), longest=4))
    check(str(kept), seed, options, cache_size)


WAYS = [
    *(pytest.param("sycl", {"strategy": way}, marks=NEEDS_SYCL, id=way) for way in ("one-item", "many-items")),
    *(pytest.param(name, {}, marks=pytest.mark.tools_of(name), id=name) for name in ("mlir", "arm_sme")),
]


@pytest.mark.at_night
@pytest.mark.parametrize(("backend", "options"), WAYS)
@settings(max_examples=EXAMPLES)
@given(SEEDS, st.integers(5, LONG))
def test_long_bodies_have_the_same_bits(backend: str, options: dict[str, str], seed: int, size: int) -> None:
    (function,) = pytl.parse(bodies(Random(seed), size)).functions
    assert_has_the_same_bits(str(outlined(function, Random(seed), 6)), seed, options, backend)
