"""Reading attributes (manual: Attributes)."""

from __future__ import annotations

from typing import Any

from . import rules
from .literals import read_integer
from .reader import Reader


def read_dictionary(reader: Reader) -> dict[str, Any]:
    """A dictionary attribute."""
    reader.expect("{")
    entries: dict[str, Any] = {}

    def entry() -> None:
        start = reader.scanner.skip_blanks()
        name = _string(reader) if reader.at('"') else reader.scanner.word()
        if not name:
            reader.fail(f"expected an attribute's name, but found {reader.scanner.next_text()}")
        place = reader.scanner.place(start)
        reader.expect("=")
        value = _attribute(reader)
        if name in entries:
            reader.diagnostics.report(rules.DUPLICATE_ATTRIBUTE, f"{name} is given twice", place)
        entries[name] = value

    reader.comma_separated(entry, closing="}")
    reader.expect("}")
    return entries


def _attribute(reader: Reader) -> Any:
    if reader.at("{"):
        return read_dictionary(reader)
    if reader.at('"'):
        return _string(reader)
    if reader.accept("["):
        items = reader.comma_separated(lambda: _attribute(reader), closing="]")
        reader.expect("]")
        return items
    if reader.accept("true"):
        return True
    if reader.accept("false"):
        return False
    return read_integer(reader)


def _string(reader: Reader) -> str:
    reader.expect('"')
    start = reader.scanner.position
    end = reader.scanner.text.find('"', start)
    text = reader.scanner.text[start:end]
    if end < 0 or not all(" " <= char <= "~" for char in text):
        reader.fail("a string ends on its line and has printable ASCII characters")
    reader.scanner.position = reader.scanner.last_end = end + 1
    return text
