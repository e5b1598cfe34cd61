"""Each rule of the document on XeTile and XeGPU: a text that breaks it, and what is said."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path
from random import Random

import pytest

import pytl
from pytl.frontends.xetile import rules

TEXTS = (Path(__file__).parent / "rules.txt").read_text(encoding="utf-8").split("== ")[1:]
HEAD = """#sg_map = xegpu.sg_map<{wi_layout = [1, 16], wi_data = [1, 1]}>
#two = xegpu.sg_map<{wi_layout = [2, 8], wi_data = [1, 1]}>
#chunk = xegpu.sg_map<{wi_layout = [1, 16], wi_data = [8, 1]}>
#wg_map = xetile.wg_map<sg_layout = [2, 1], sg_data = [16, 16]>
func.func @f(%A: memref<64x64xbf16>, %F: memref<64x64xf32>, %P: i64, %i: index) {
"""


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text.partition("\n")[0])
def test_what_breaks_a_rule_is_told(text: str) -> None:
    title, *lines, message = text.strip().splitlines()
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.compile(HEAD + "\n".join(lines) + "\nreturn\n}", language="xetile")
    errors = [told for told in caught.value.diagnostics if told.severity == "error"]
    assert [told.code for told in errors] == [title.partition(" ")[0]]
    assert errors[0].message == message
    assert errors[0].location is not None and errors[0].location.line == HEAD.count("\n") + len(lines)


def test_each_rule_has_a_text() -> None:
    """But those of texts as such, which are of test_xetile."""
    declared = {rule.code for rule in vars(rules).values() if hasattr(rule, "code")}
    shown = {text.partition(" ")[0] for text in TEXTS}
    elsewhere = {"PYTL-1230", "PYTL-1231", "PYTL-1232", "PYTL-1234", "PYTL-1235", "PYTL-1254"}
    assert declared - elsewhere <= shown


def test_a_work_group_has_whole_sub_groups() -> None:
    text = "func.func @f() attributes {known_block_size = array<i32: 24, 1, 1>} {\nreturn\n}"
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.compile(text, language="xetile")
    assert [(told.code, told.message) for told in caught.value.diagnostics] == [
        ("PYTL-1254", "a work-group has 24 work-items")
    ]


def test_a_word_like_the_keyword_is_told() -> None:
    """The dot of `func.func` is a dot; a text that had another letter there was read for ever."""
    with pytest.raises(pytl.LanguageError, match=r"expected `func\.func`"):
        pytl.parse("%x func%func @f() {\nreturn\n}", language="xetile")


def test_broken_texts_are_told_without_a_crash() -> None:
    """Tokens of texts are left out, doubled and exchanged."""
    rng = Random(3)
    for text in TEXTS:
        _, *lines, _ = text.strip().splitlines()
        tokens = re.findall(r"\s+|[%#@]?\w+|.", HEAD + "\n".join(lines) + "\nreturn\n}")
        for _ in range(6):
            broken, place = list(tokens), rng.randrange(len(tokens))
            broken[place : place + rng.randrange(2)] = rng.choices(tokens, k=rng.randrange(2))
            with contextlib.suppress(pytl.PytlError):
                pytl.compile("".join(broken), language="xetile")
