"""Pieces of HTML for notebooks. Every text is quoted, nothing is loaded from elsewhere, colours are the notebook's."""

from __future__ import annotations

from collections.abc import Sequence

from .quoting import visible


def text(words: object) -> str:
    """A text as HTML, with every special character quoted.

    >>> text("<b> & \\x1b")
    '&lt;b&gt; &amp; \\\\x1b'
    """
    import html  # not at `import pytl`

    return html.escape(visible(str(words), keep="\n\t"))


def preformatted(words: object) -> str:
    """A text of several lines in letters of one width."""
    return f'<pre style="{PLAIN}">{text(words)}</pre>'


def table(head: Sequence[object], rows: Sequence[Sequence[object]], marked: Sequence[int] = ()) -> str:
    """A table of texts; rows whose numbers are `marked` are bold."""
    first = "".join(f'<th style="text-align: left">{text(cell)}</th>' for cell in head)
    lines = [
        f"<tr{BOLD if number in marked else ''}>{''.join(f'{CELL}{text(cell)}</td>' for cell in row)}</tr>"
        for number, row in enumerate(rows)
    ]
    return f"<table><thead><tr>{first}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


PLAIN = "margin: 0; background: transparent; color: inherit; white-space: pre"
BOLD = ' style="font-weight: bold"'
CELL = '<td style="text-align: left">'
