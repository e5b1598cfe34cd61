"""Texts that were damaged at random: they are read, or refused with places in them; nothing else is raised."""

from __future__ import annotations

from random import Random

import pytest
from sampling import at_night
from yateto_kit import CANONICAL, MENDED

import pytl
from pytl.frontends.registry import find_frontend
from pytl.ir.verifier import find_problems

YATETO = find_frontend("yateto", "")
PIECES = [
    *"{}[]()<>,:;%@=_?-+.x0 \n\x00é",
    *("define", "log", "axpby", "for", "to", "i32", "u8", "memref<f32x4>", "group<", "distance<0>", "pointers"),
    *("strided<1>", "9223372036854775807", "99999999999999999999", "1e999", "0x1p9999", "-1", "%0", "%a", "alloca :"),
]  # fmt: skip


def damaged(random: Random) -> str:
    text = random.choice([MENDED, CANONICAL])
    for _ in range(random.randint(1, 4)):
        begin = random.randrange(len(text))
        end = begin + random.choice([0, 1, 1, 3, random.randint(0, 60)])
        piece = random.choice(["", random.choice(PIECES), text[random.randrange(len(text)) :][: random.randint(1, 40)]])
        text = text[:begin] + piece + text[end:]
    return text


@pytest.mark.at_most(4)
@pytest.mark.parametrize("seed", [*range(12), *at_night(range(12, 400))])
def test_a_damaged_text(seed: int) -> None:
    random = Random(seed)
    for _ in range(25):
        text = damaged(random)
        parsed = YATETO.read(text, "text")
        problems = [*parsed.diagnostics.items, *find_problems(parsed.module).items]
        assert all(each.location is not None for each in problems), text
        if any(each.severity == "error" for each in problems):
            continue
        try:
            written = YATETO.write(parsed.module)
        except pytl.LanguageError:
            assert any(each.severity == "warning" for each in problems), text
            continue
        assert str(pytl.parse(written, language="yateto")) == str(parsed.module), text
