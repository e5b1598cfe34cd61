"""The table of mutants fits the sources, the tests, and the page; `python tests/mutants.py` tries the mutants out."""

from __future__ import annotations

from collections import Counter

import pytest
from mutants import LEFT_OUT, MUTANTS, PAGE, PARTS, ROOT, Mutant, place_of, table


def test_each_part_has_mutants() -> None:
    assert Counter(mutant.part for mutant in MUTANTS) == dict.fromkeys(PARTS, 10)
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
def test_a_mutant_is_another_text_in_one_place(mutant: Mutant) -> None:
    file, text = place_of(mutant)
    changed = text.replace(mutant.old, mutant.new)
    assert changed != text
    compile(changed, str(file), "exec")
    assert mutant.seen_by and not {f"tests/{name}" for name in mutant.seen_by} & {*LEFT_OUT}
    assert [name for name in mutant.seen_by if not (ROOT / "tests" / name).is_file()] == []


def test_the_page_has_the_table() -> None:
    assert table() in PAGE.read_text(encoding="utf-8"), "python tests/mutants.py --page writes it"
