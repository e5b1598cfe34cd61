"""docs/coverage.md: the rows, and what the tests that ran have proved of each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from . import collective, control, mixed, spmd, views
from .rows import Row

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
COLUMNS = {
    "printed": "printed",
    "parsed": "parsed",
    "verified": "verified",
    "traced": "traced from Python",
    "reference": "executed by reference",
}
HEAD = """\
# Coverage of the language

Made by the tests of tests/forms that ran, with `pytest tests/forms --update-coverage`. A row is a form of an
instruction with a type, as the manual lists them. The columns say what was proved of it: the text is *parsed*; it is
*printed* as the very same text; it is *verified*; a Python kernel is *traced* to the same instruction, and computes
what NumPy computes; the text is *executed* by the reference backend, and does, too.
"""


def all_rows() -> list[Row]:
    """Every row, those of one form together."""
    rows = [*collective.rows(), *mixed.rows(), *control.rows(), *views.rows(), *spmd.rows()]
    forms: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        forms.setdefault((row.chapter, row.form), []).append(row)
    return [row for group in forms.values() for row in group]


def render(passed: Iterable[tuple[str, str, str]]) -> str:
    """The page, from the chapter, row and column of everything that passed."""
    done = set(passed)
    parts = [HEAD]
    chapter = None
    for row in all_rows():
        if row.chapter != chapter:
            chapter = row.chapter
            titles = list(COLUMNS.values())
            parts.append(f"\n## {chapter}\n\n| form | type | {' | '.join(titles)} |\n|---|---|{'---|' * len(titles)}\n")
        cells = " | ".join("✓" if (row.chapter, row.name, column) in done else "" for column in COLUMNS)
        parts.append(f"| `{row.form}` | {row.types} | {cells} |\n")
    return "".join(parts)
