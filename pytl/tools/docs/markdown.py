"""Pieces of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

GENERATED = "<!-- Made of the definitions in pytl/ by `python -m pytl.tools.docs`: change them there. -->"


def document(blocks: Iterable[str]) -> str:
    """Blocks separated by blank lines, after the remark that the page is generated."""
    return "\n\n".join([GENERATED, *(block for block in blocks if block)]) + "\n"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells are Markdown, in which a bar would end the cell."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def fence(text: str, language: str = "") -> str:
    """A text as it is."""
    return f"```{language}\n{text}\n```"


def code(text: str) -> str:
    """A text as code inside of a line; nothing for an empty one."""
    return f"`{text}`" if text else ""


def plain(text: str) -> str:
    """Text with Markdown's signs escaped; text in back quotes is code and stays."""
    pieces = text.split("`")
    for position in range(0, len(pieces), 2):
        for sign in "\\*_<>":
            pieces[position] = pieces[position].replace(sign, f"\\{sign}")
    return "`".join(pieces)


def anchor(heading: str) -> str:
    """The name that GitHub gives to a heading."""
    characters = "".join(sign for sign in heading.lower() if sign.isalnum() or sign in " -_")
    return characters.replace(" ", "-")
