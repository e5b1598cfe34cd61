"""Texts of every language with a mistake: each is a module, or is answered with diagnostics at a place, at once."""

from __future__ import annotations

import re
import time
from random import Random

import pytest
from generator import SEEDS
from hypothesis import given, settings
from properties.corpus import texts_of
from properties.mutation import mutated

import pytl
from pytl.diagnostics import LanguageError
from pytl.frontends.registry import frontend_names

TEXTS = 28 if settings().max_examples < 1000 else 8
"""Of each example: 10,000 in CI, of all languages together, and more than a million a night."""
SECONDS = 3.0
"""What a text takes at the most, on a machine that does other work, too."""
NUMBER = re.compile(r"\b[0-9]+\b")
SIGIL = re.compile(r"[%@^#!$]")
BRACKET = re.compile(r"[][(){}<>]")
NUMBERS = ("", "-1", "-", "0", "00", "1e9", "0x", "0x1", "4%", "4x", "?", "9" * 19, "9" * 30, "9" * 5000, "1e999", "٣")
STRANGE = ("\0", "\x1b", "\t", "\x0b", "\r", "\u2028", "\u202e", "\ud800", "\ufeff", "é", "𝛼", "٣", '"', "\\", "→")


def changed(rng: Random, text: str, other: str) -> str:
    """The text with one to three mistakes: those of programs, or of numbers, sigils, brackets and characters."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        kind = rng.randrange(6)
        if kind < 2:
            text = mutated(rng, text, other)
            continue
        pattern, choices = (
            (NUMBER, NUMBERS),
            (SIGIL, ("", "%", "@", "#", "!", "^", "$")),
            (BRACKET, ("", *"()[]{}<>")),
            (re.compile(r"."), STRANGE),
        )[kind - 2]
        places = list(pattern.finditer(text))
        if places:
            place = rng.choice(places)
            text = text[: place.start()] + rng.choice(choices) + text[place.end() :]
    return text


def answer(language: str, text: str) -> None:
    """A module that is printed, or diagnostics of which each has a place in the text."""
    try:
        module = pytl.parse(text, language=language)
        pytl.verify(module)
        str(module)
    except LanguageError as error:
        assert error.diagnostics, text
        assert all(each.location is not None for each in error.diagnostics), (str(error), text)
        str(error)


@pytest.mark.at_most(5)
@pytest.mark.parametrize("language", frontend_names())
@given(SEEDS)
def test_each_text_is_read_or_its_mistakes_have_places(language: str, seed: int) -> None:
    rng, texts = Random(seed), texts_of(language)
    for _ in range(TEXTS):
        text = changed(rng, rng.choice(texts), rng.choice(texts))
        began = time.process_time()
        try:
            answer(language, text)
        except Exception as error:
            error.add_note(f"{language}: {text!r}") if hasattr(error, "add_note") else None
            raise
        assert time.process_time() - began < SECONDS, text
