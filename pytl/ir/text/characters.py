"""Characters that no text has, wherever they stand: in comments, too."""

from __future__ import annotations

import unicodedata

from ...diagnostics import Diagnostics, Source
from . import rules
from .scanner import FOREIGN

_MOST = 3
"""The most characters that are reported: a binary file may have all of them."""
_NAMES = {
    "\0": "NUL",
    "\b": "a backspace",
    "\v": "a vertical tab",
    "\f": "a form feed",
    "\r": "a carriage return without a line feed",
    "\x1b": "an escape character",
    "\x7f": "a delete character",
    "\x85": "a next line character",
}


def report_foreign_characters(source: Source, diagnostics: Diagnostics) -> None:
    """Report each character that a text may not have, at its first place."""
    first: dict[str, int] = {}
    count: dict[str, int] = {}
    for match in FOREIGN.finditer(source.text):
        char = match.group()
        first.setdefault(char, match.start())
        count[char] = count.get(char, 0) + 1
    for char, start in list(first.items())[:_MOST]:
        times = f", {count[char]} times" if count[char] > 1 else ""
        help = "write line feeds in their place" if char in "\r\u2028\u2029\x85" else "remove it"
        location = source.location(start, start + 1)
        diagnostics.report(rules.CHARACTERS, f"the text has {_name(char)} (U+{ord(char):04X}){times}", location, help)


def _name(char: str) -> str:
    if char in _NAMES:
        return _NAMES[char]
    name = unicodedata.name(char, "")
    return f"a {name.lower()}" if name else "a control character"
