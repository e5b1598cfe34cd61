"""The page that follows a product from Python to three machines is what the compiler gives now."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytl.tools.docs.walk import NEEDED, walk_page

PAGE = Path(__file__).resolve().parents[2] / "docs/walk.md"


@pytest.mark.tools_of(NEEDED[1])
@pytest.mark.tools_of(NEEDED[0])
def test_the_page_is_what_the_compiler_gives() -> None:
    assert PAGE.read_text(encoding="utf-8") == walk_page(), "python -m pytl.tools.docs docs writes it"


def test_the_text_says_what_the_loops_have() -> None:
    """The numbers in the page's sentences are those of its loops."""
    sections = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"), re.M | re.S))
    host = sections["The host: MLIR's vector dialect"]
    multiply_adds, loads, broadcasts = map(int, re.findall(r"(\d+) (?:multiply-adds|loads|broadcasts)", host))
    loop = host.partition("```")[2]
    assert loop.count("vfmadd") == multiply_adds == 32
    assert loop.count("vbroadcastss") == broadcasts
    assert len(re.findall(r"vmovups\s+-?\d*\(", loop)) == loads
    vector = sections["Vector code"]
    assert vector.count("vector.fma") == multiply_adds and vector.count("vector.splat") == broadcasts
    assert "fmopa" in sections["Arm's matrix extension: outer products"]
    assert "limited by" in sections["What a machine makes of it"]
