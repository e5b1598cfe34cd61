"""Programs with a mistake: each is answered with diagnostics or is valid, at once; never with another exception."""

from __future__ import annotations

import re
import time
from random import Random

import pytest
from calls_kit import outlined
from generator import SEEDS, generate
from hypothesis import assume, given
from hypothesis import strategies as st
from passes_kit import LOWERING, way_to
from properties.execution import TooMuch, bounded, data_for, execute, is_small
from properties.mutation import mutated, mutated_within_rules

import pytl
from pytl.diagnostics import ExecutionError, LanguageError, LaunchError, PytlError, render_all
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems
from pytl.passes import Pipeline, pass_names

SECONDS_PER_BYTE = 1e-4
"""The promise on how long reading and checking take."""


def program(rng: Random, safe: bool, size: int) -> str:
    """A program, of which a third has calls."""
    text = generate(rng, safe, size)
    return str(outlined(pytl.parse(text).functions[0], rng)) if rng.randrange(3) == 0 else text


def mutated_text(seed: int, safe: bool, size: int) -> str:
    rng = Random(seed)
    return mutated(rng, program(rng, safe, size), generate(rng, size=size, name="other"))


def texts(max_size: int = 10) -> st.SearchStrategy[str]:
    return st.builds(mutated_text, SEEDS, st.booleans(), st.integers(0, max_size))


def is_valid(text: str) -> bool:
    try:
        pytl.verify(pytl.parse(text))
    except LanguageError:
        return False
    return True


def valid_text(seed: int, safe: bool, size: int) -> str:
    rng = Random(seed)
    return mutated_within_rules(rng, program(rng, safe, size), is_valid)


def valid_texts(max_size: int = 10) -> st.SearchStrategy[str]:
    return st.builds(valid_text, SEEDS, st.booleans(), st.integers(0, max_size))


@pytest.mark.at_night
@given(texts())
def test_a_mistake_is_told_with_its_place(text: str) -> None:
    parsed = parse_text(text)
    found = [*parsed.diagnostics.items, *find_problems(parsed.module).items]
    assert render_all(found).count("= rule:") == len(found)
    for diagnostic in found:
        place = diagnostic.location
        assert place is not None
        assert 1 <= place.line <= place.end_line <= len(re.split("\r\n|\r|\n", text))
    if not any(diagnostic.severity == "error" for diagnostic in found):
        printed = str(parsed.module)
        assert str(pytl.parse(printed)) == printed


@pytest.mark.at_night
@given(texts(max_size=30))
def test_reading_and_checking_take_a_time_that_the_length_bounds(text: str) -> None:
    # of several measurements the least one, since other work on the machine only adds
    allowed = max(0.5, len(text.encode(errors="surrogatepass")) * SECONDS_PER_BYTE)
    for attempt in range(3):
        started = time.process_time()
        find_problems(parse_text(text).module)
        taken = time.process_time() - started
        if taken <= allowed:
            return
    raise AssertionError(f"{taken:.2f} s for {len(text)} characters")


@pytest.mark.at_night
@given(valid_texts(), SEEDS)
def test_what_is_valid_is_executed_or_told_to_be_undefined(text: str, seed: int) -> None:
    module = pytl.parse(text)
    function = module.functions[0]
    assume(is_small(function))
    try:
        data = data_for(function, seed)
    except PytlError:
        assume(False)  # `pytl run` makes no data for groups of dynamic memrefs behind an offset
    try:
        with bounded():
            execute(module, data)
    except (ExecutionError, LaunchError, TooMuch):
        pass


@pytest.mark.at_night
@given(valid_texts())
def test_passes_take_what_is_valid(text: str) -> None:
    module = pytl.parse(text)
    # lower-coopmatrix writes an instruction for each entry of a matrix
    assume(all(is_small(function) for function in module.functions))
    for name in pass_names():
        Pipeline(way_to(name)).run(module)
    Pipeline(LOWERING).run(module)
