"""Passes keep what a program computes: executed before and after, it leaves the same in memory."""

from __future__ import annotations

from random import Random

import pytest
from generator import SEEDS, generate
from generator.bodies import bodies
from hypothesis import given, settings
from hypothesis import strategies as st
from passes_kit import LOWERING, way_to
from properties.execution import assert_same_meaning, edges_for, execute, unlike

import pytl
from pytl.passes import Pipeline, find_pass, pass_names

_EXAMPLES = settings.default.max_examples if settings.default.max_examples > 1000 else 15
REORDERED = ("lower-collectives", "lower-coopmatrix", "work-item-loops")
"""Passes that may take sums in another order than the reference backend, and round in between."""


def check(seed: int, size: int, pipelines: dict[str, tuple[list[str], bool]]) -> None:
    """Execute a program as it is and after each of the named pipelines; a pipeline may change roundings, or not."""
    text = generate(Random(seed), safe=True, size=size)
    named = {name: ([find_pass(step) for step in steps], rounds) for name, (steps, rounds) in pipelines.items()}
    assert_same_meaning(text, seed, named)


EACH = {
    name: ([str(step) for step in way_to(name)], name in REORDERED or name.startswith("cpu-"))
    for name in pass_names()
    if name not in ("insert-checks", "cpu-kernels", "cpu-items")
}
"""All but the pass that adds a parameter, which `test_checks.py` is about, and what precedes cpu-tiles."""
STEPS = [str(step) for step in LOWERING]
PIPELINES = {
    "the lowering": (STEPS, False),
    "all lowered": (["canonicalize", *REORDERED, *STEPS], True),
    "lowered last": ([*STEPS, *REORDERED], True),
}


@settings(max_examples=_EXAMPLES)
@given(SEEDS, st.integers(0, 14))
def test_each_pass_keeps_the_meaning(seed: int, size: int) -> None:
    check(seed, size, EACH)


def test_programs_become_vector_code() -> None:
    # else what is asserted of the passes of processors would be asserted of functions that they leave alone
    made = [
        str(Pipeline(way_to("cpu-schedule")).run(pytl.parse(generate(Random(seed), safe=True, size=10))))
        for seed in range(60)
    ]
    assert sum("cpu.kernel" in text for text in made) > 10
    assert sum("cpu.items" in text for text in made) > 10


@pytest.mark.at_night
@given(SEEDS, st.integers(0, 14))
def test_pipelines_keep_the_meaning(seed: int, size: int) -> None:
    check(seed, size, PIPELINES)


@settings(max_examples=settings.default.max_examples // 20)
@given(SEEDS, st.integers(5, 60))
def test_passes_keep_all_bits_of_long_bodies(seed: int, size: int) -> None:
    module = pytl.parse(bodies(Random(seed), size))
    data = edges_for(module.functions[0], seed)
    expected = execute(module, data)
    for passes in (["canonicalize"], ["work-item-loops", "canonicalize"], STEPS):
        changed = Pipeline([find_pass(step) for step in passes]).run(module)
        assert not unlike(execute(changed, data), expected), f"{passes}\n{module}\n{changed}"


@pytest.mark.at_night
@given(SEEDS, st.integers(0, 14))
def test_unsafe_floating_point_changes_roundings_only(seed: int, size: int) -> None:
    unsafe = "canonicalize{unsafe-fp-math=true}"
    check(seed, size, {"alone": ([unsafe], True), "and the lowering": ([unsafe, *STEPS], True)})
