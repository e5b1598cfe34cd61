"""Each rule of the document on MLIR: texts that break it, what is said, and where."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from random import Random

import pytest

import pytl
from pytl.diagnostics import Rule
from pytl.frontends.mlir2018 import rules
from pytl.frontends.mlir2018.frontend import read_checked
from pytl.frontends.mlir2018.printer import print_module
from pytl.frontends.mlir2018.today import print_today, to_operations
from pytl.mlir.affine import rules as affine_rules

TEXTS = (Path(__file__).parent / "rules.txt").read_text(encoding="utf-8").split("== ")[1:]
NOT_OF_TEXTS = {
    *(rules.SPELLING, rules.DEPTH),
    *(rules.NO_COUNTERPART, rules.UNREGISTERED, rules.SIZES_LOST, rules.NOT_EXECUTED),
}
"""Rules of texts as such, and of what is printed and executed, which are of test_mlir2018."""


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.partition("\n")[0])
def test_what_breaks_a_rule_is_told(text: str) -> None:
    title, *lines, expected = text.strip("\n").splitlines()
    _, diagnostics = read_checked("\n".join([*lines, ""]), "text")
    first, *more = diagnostics.in_order()
    assert first.location is not None
    place = f"{first.location.line}:{first.location.column}-{first.location.end_column}"
    assert f"{place} {first.message}" == expected
    assert {first.code, *(each.code for each in more)} == {title.partition(" ")[0]}
    assert all(each.message.split()[-3:] == first.message.split()[-3:] for each in more)  # of the other operand


def test_each_rule_has_a_text() -> None:
    of_affine = {rule.code for rule in vars(affine_rules).values() if isinstance(rule, Rule)}
    declared = {rule.code for rule in vars(rules).values() if isinstance(rule, Rule)}
    shown = {text.partition(" ")[0] for text in TEXTS}
    assert declared - {rule.code for rule in NOT_OF_TEXTS} == shown - of_affine


def test_broken_texts_are_told_without_a_crash() -> None:
    """Tokens of texts are left out, doubled and exchanged; what is still right is printed and converted."""
    rng = Random(7)
    for text in TEXTS:
        tokens = re.findall(r"\s+|[%#@^!]?\w+|.", "\n".join(text.strip().splitlines()[1:-1]))
        for _ in range(30):
            broken, place = list(tokens), rng.randrange(len(tokens))
            broken[place : place + rng.randrange(3)] = rng.choices(tokens, k=rng.randrange(3))
            with contextlib.suppress(pytl.PytlError):
                module, diagnostics = read_checked("".join(broken), "broken")
                if not diagnostics.errors:
                    assert read_checked(print_module(module), "printed")[0] == module
                    print_today(to_operations(module, diagnostics))
