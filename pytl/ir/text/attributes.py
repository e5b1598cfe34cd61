"""Reading attributes (manual: Attributes)."""

from __future__ import annotations

from typing import Any

from ..attributes import ATTRIBUTE_NAMES
from . import rules
from .literals import read_integer
from .reader import Reader

_MAX_DEPTH = 32


def read_dictionary(reader: Reader, depth: int = 0) -> dict[str, Any]:
    """A dictionary attribute, nested in `depth` others."""
    if reader.at_definition:
        return dict(reader.defined(dict))
    reader.expect("{")
    entries: dict[str, Any] = {}

    def entry() -> None:
        start = reader.scanner.skip_blanks()
        name = _name(reader)
        location = reader.scanner.location_from(start)
        reader.expect("=")
        value = read_attribute(reader, depth + 1)
        if name in entries:
            reader.diagnostics.report(rules.DUPLICATE_ATTRIBUTE, f"{name} is given twice", location)
        entries[name] = value

    reader.comma_separated(entry, closing="}")
    reader.expect("}")
    return entries


def _name(reader: Reader) -> str:
    if reader.at('"'):
        return read_string(reader)
    start = reader.scanner.skip_blanks()
    name = reader.scanner.word()
    if name is None:
        reader.fail(f"expected an attribute's name, but found {reader.scanner.next_text()}")
    if name not in ATTRIBUTE_NAMES:
        reader.diagnostics.report(
            rules.SYNTAX,
            f"`{name}` is not an attribute of the language",
            reader.scanner.location_from(start),
            f'an attribute of your own is a string: "{name}"',
        )
    return name


def read_attribute(reader: Reader, depth: int = 0) -> Any:
    """An attribute of any kind, nested in `depth` others."""
    if depth > _MAX_DEPTH:
        reader.fail(f"attributes are nested more than {_MAX_DEPTH} deep")
    if reader.at_definition:
        return reader.defined(bool, int, str, list, dict)
    if reader.at("{"):
        return read_dictionary(reader, depth)
    if reader.at('"'):
        return read_string(reader)
    if reader.accept("["):
        items = reader.comma_separated(lambda: read_attribute(reader, depth + 1), closing="]")
        reader.expect("]")
        return items
    if reader.accept("true"):
        return True
    if reader.accept("false"):
        return False
    return read_integer(reader)


def read_string(reader: Reader) -> str:
    """A text between quotes."""
    opening = reader.scanner.skip_blanks()
    end = reader.scanner.text.find('"', opening + 1)
    text = reader.scanner.text[opening + 1 : end]
    if end < 0 or not all(" " <= char <= "~" for char in text):
        reader.fail("a string ends on its line and has printable ASCII characters")
    reader.scanner.position = reader.scanner.last_end = end + 1
    return text
