"""An operation of the document's dialects: operands, attributes and types, with the slips that its samples have.

name operand, … {attribute = value, …} : type, … into type
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Any

from ...diagnostics import Location, Rule
from ...ir.operation import counted
from ...ir.text.literals import read_literal
from ...ir.types import UnknownType, index
from ...ir.values import Value
from ...ops import Constant
from . import rules
from .types import shown

if TYPE_CHECKING:
    from .reader import XeTileReader

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?=\s*[:,])")
_CLOSING = re.compile(r"\}(?=\s*:)")
_SHAPED_NEXT = re.compile(r"(?=(?:vector|tile|tensor_desc|memref)\s*<)", re.IGNORECASE)
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*=")
_QUOTED = re.compile(r"[“\"]([a-z]+)[”\"]")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\"[a-z0-9]*\"")


_MAX_ORDERED = 4
"""Of values, whose types are looked for in another order."""


@dataclass
class Statement:
    """What is written behind the name of an operation."""

    reader: XeTileReader
    place: Location
    start: int
    word: str | None = None
    """What stands in quotation marks in front of the operands."""
    operands: list[Value] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    attribute_places: dict[str, Location] = field(default_factory=dict)
    types: list[Any] = field(default_factory=list)
    type_places: list[Location] = field(default_factory=list)
    type_texts: list[str] = field(default_factory=list)
    result: Any = None
    result_place: Location | None = None

    # Reporting.

    def report(self, rule: Rule, message: str, place: Location | None = None, help: str | None = None) -> None:
        self.reader.diagnostics.report(rule, message, place or self.place, help)

    # Asking.

    def operand(self, number: int, kind: Any, what: str) -> Value:
        """An operand, which is of a kind of types; of an unknown type where it is missing or wrong."""
        if number >= len(self.operands):
            self.report(rules.ANNOTATED, f"the {what} is missing")
            return Value(UnknownType())
        value = self.operands[number]
        if not isinstance(value.type, (kind, UnknownType)):
            name = f"%{value.name}" if value.name else "the operand"
            self.report(rules.ANNOTATED, f"{name} is {shown(value.type)}, but must be a {what}")
            return Value(UnknownType())
        return value

    def counted(self, least: int, most: int | None = None) -> bool:
        """Whether there are as many operands; it is reported where not."""
        most = least if most is None else most
        if least <= len(self.operands) <= most:
            return True
        wanted = str(least) if least == most else f"{least} to {most}"
        self.report(rules.ANNOTATED, f"{counted(len(self.operands), 'value')} given, and {wanted} wanted")
        return False

    def allowed(self, *names: str) -> None:
        """Report attributes that the operation has not."""
        for name in self.attributes:
            if name not in names:
                known = f"it has {', '.join(names)}" if names else "it has none"
                self.report(rules.ATTRIBUTE, f"there is no attribute {name} here", self.attribute_places[name], known)

    def is_known(self) -> bool:
        """Whether the types of all operands are."""
        return not any(isinstance(value.type, UnknownType) for value in self.operands)

    # Types.

    def check_types(self, values: Sequence[Value]) -> None:
        """The types that are written are those of the values, in their order, or in another with a note."""
        types = [value.type for value in values]
        if not self.types or any(isinstance(type_, UnknownType) for type_ in types):
            return
        if len(types) != len(self.types):
            message = f"{counted(len(types), 'value')} given, and {counted(len(self.types), 'type')}"
            self.report(rules.ANNOTATED, message, self.type_places[0])
            return
        if all(map(self.reader.fits, values, self.types)):
            return
        for order in permutations(values) if len(values) <= _MAX_ORDERED else ():
            if all(map(self.reader.fits, order, self.types)):
                self.reader.note(
                    rules.SPELLING, "the types stand in another order than the values", self.type_places[0]
                )
                return
        for value, type_, place in zip(values, self.types, self.type_places):
            if not self.reader.fits(value, type_):
                name = f"%{value.name}" if value.name else "the operand"
                message = f"{name} is {shown(value.type)}, but {shown(type_)} is written here"
                self.report(rules.ANNOTATED, message, place, f"write {shown(value.type)}")


def read_statement(reader: XeTileReader, start: int) -> Statement:
    """What stands behind an operation's name, which began at a place of the text."""
    found = Statement(reader, reader.scanner.place(start), start)
    _operands(reader, found)
    _attributes(reader, found)
    found.place = reader.scanner.place(start)
    if reader.accept(":"):
        _types(reader, found)
    elif reader.scanner.match(_SHAPED_NEXT):
        if reader.scanner.text[found_end(reader) - 1] != ",":
            reader.slip("`:` is missing in front of the types", reader.scanner.position)
        _types(reader, found)
    return found


def found_end(reader: XeTileReader) -> int:
    """Where the last character before the next token ends."""
    return len(reader.scanner.text[: reader.scanner.skip_blanks()].rstrip())


def _operands(reader: XeTileReader, found: Statement) -> None:
    quoted = reader.scanner.match(_QUOTED)
    if quoted:
        found.word = quoted.group(1)
        reader.accept(",")
    elif reader.at(","):
        reader.slip("there is a comma behind the operation's name", reader.scanner.position)
        reader.accept(",")
    while True:
        at = reader.scanner.skip_blanks()
        letter = reader.scanner.text[at : at + 1]
        if letter == "[":
            reader.accept("[")
            found.operands += indices(reader)
            reader.expect("]")
        elif letter == "%":
            found.operands += reader.one_or_more()
        elif bare := _BARE.match(reader.scanner.text, at):
            if not reader.is_defined(bare.group()):
                reader.local_name()  # which says what is expected
            reader.slip(f"`%` is missing in front of {bare.group()}", at)
            reader.scanner.match(_BARE)
            found.operands.append(reader.lookup(bare.group()))
        elif letter.isdigit() or letter == "-":
            found.operands += indices(reader, one=True)
        else:
            return
        if not reader.accept(",") and reader.at("%"):
            reader.slip("there is no comma between the operands", reader.scanner.position)


def indices(reader: XeTileReader, one: bool = False) -> list[Value]:
    """Values, or constants in their places."""
    found: list[Value] = []
    while True:
        at = reader.scanner.skip_blanks()
        if reader.scanner.text[at : at + 1] in "-0123456789":
            number = reader.integer()
            constant = Constant(reader.scanner.place(at), [index], literal=number)
            reader.insert(constant)
            found.append(constant.results[0])
        else:
            found += reader.one_or_more()
        if one or not reader.accept(","):
            return found


def _attributes(reader: XeTileReader, found: Statement) -> None:
    """`{name = value, …}`; the document leaves out braces and commas here and there, or has one too many."""
    start = reader.scanner.skip_blanks()
    is_open = reader.accept("{")
    if is_open and reader.accept("{"):
        reader.slip("there is one `{` too many", start)
    while True:
        at = reader.scanner.skip_blanks()
        key = reader.scanner.match(_KEY)
        flag = reader.scanner.match(_WORD) if is_open and not key else None
        if key is None and flag is None:
            break
        name = key.group(1) if key else flag.group() if flag else ""
        found.attributes[name] = _value(reader) if key else True
        found.attribute_places[name] = reader.scanner.place(at)
        if not reader.accept(",") and is_open and not reader.at("}"):
            reader.slip("there is no comma between the attributes", reader.scanner.position)
    if is_open:
        reader.expect("}")
        return
    if found.attributes:
        reader.slip("attributes stand in braces", start)
    stray = reader.scanner.skip_blanks()
    if reader.scanner.match(_CLOSING) and not found.attributes:
        reader.slip("there is a `}` that closes nothing", stray)


def _value(reader: XeTileReader) -> Any:
    if reader.accept("["):
        numbers = reader.comma_separated(reader.integer, closing="]")
        reader.expect("]")
        return numbers
    word = reader.scanner.match(_WORD)
    if word:
        text = word.group().strip('"')
        return {"true": True, "false": False}.get(text, text)
    return read_literal(reader)


def _types(reader: XeTileReader, found: Statement) -> None:
    while True:
        at = reader.scanner.skip_blanks()
        if reader.at("into"):
            reader.slip("there is a comma in front of `into`", at)
            break
        found.types.append(reader.type())
        found.type_places.append(reader.scanner.place(at))
        found.type_texts.append(reader.scanner.text[at : reader.scanner.last_end])
        if not reader.accept(","):
            break
    if reader.accept("->") or reader.accept("into") or reader.accept("to"):
        at = reader.scanner.skip_blanks()
        found.result = reader.type()
        found.result_place = reader.scanner.place(at)
