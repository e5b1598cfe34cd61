"""What the document spells in another way than its own grammar."""

from __future__ import annotations

import re

from ...ir.text.reader import Reader
from . import rules

_TOKEN = re.compile(r"\w+|.", re.DOTALL)


def slip(reader: Reader, message: str, start: int) -> None:
    """Note what is read although it is spelled in another way; it begins at a place of the text."""
    found = _TOKEN.match(reader.scanner.text, start)
    reader.note(rules.SPELLING, message, reader.scanner.source.place(start, found.end() if found else start))
