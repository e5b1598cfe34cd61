"""Texts of dialects, templates among them, with a mistake: each is answered with diagnostics, or comes back."""

from __future__ import annotations

import re
from random import Random

import pytest
from dialects_kit import restricted_to
from generator import SEEDS, generate
from hypothesis import given
from hypothesis import strategies as st
from properties.mutation import mutated

import pytl
from pytl.diagnostics import LanguageError, render_all
from pytl.frontends.registry import find_frontend
from pytl.ir.verifier import find_problems

NUMBERS = ("i8", "i16", "i32", "i64", "index", "f32", "f64")


def as_template(rng: Random, text: str) -> str:
    """With variables in the place of some numbers and types."""
    lines = ["$n = 4", "$m = !calc($n 2 * 1 -)", "$ty = f32", '$d = {unroll=2, "mine"=[$n]}']

    def replaced(found: re.Match[str]) -> str:
        return rng.choice(("$n", "$m", "$ty", "$d", found[0], found[0]))

    return "\n".join([*lines, re.sub(r"(?<![\w%@.$\"])(?:[0-9]+|f32)(?![\w.\"])", replaced, text)])


def mutated_text(dialect: str, seed: int, size: int) -> str:
    rng, frontend = Random(seed), find_frontend(dialect, "")

    def made(size: int) -> str:
        elements = {"elements": NUMBERS} if dialect == "0.3" else {}
        module = pytl.parse(generate(rng, bool(seed % 2), size, **elements))
        text = frontend.write(restricted_to(module, frontend.table()))
        return as_template(rng, text) if dialect == "0.4" and rng.random() < 0.5 else text

    return mutated(rng, made(size), made(size))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("dialect", ["0.3", "0.4"])
@given(SEEDS, st.integers(0, 10))
def test_a_mistake_is_told_with_its_place(dialect: str, seed: int, size: int) -> None:
    text, frontend = mutated_text(dialect, seed, size), find_frontend(dialect, "")
    parsed = frontend.read(text, "<text>")
    found = [*parsed.diagnostics.items, *find_problems(parsed.module).items]
    assert render_all(found).count("= rule:") == len(found)
    assert all(diagnostic.location is not None for diagnostic in found)
    if any(diagnostic.severity == "error" for diagnostic in found):
        return
    try:
        shown = frontend.write(parsed.module)
    except LanguageError as error:
        assert {diagnostic.code for diagnostic in error.diagnostics} == {"PYTL-1260"}
        return
    assert frontend.write(pytl.parse(shown, language=dialect)) == shown
