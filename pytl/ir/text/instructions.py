"""Reading instructions by the textual forms that their classes declare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...diagnostics import Location
from .. import registry
from ..assembly import Item, Optional_, Part, PartsReader, Token
from ..fields import Flag, Modifier, Operand, Result
from ..operation import Operation
from . import rules
from .reader import SyntaxProblem


@dataclass(frozen=True)
class Literal:
    """A literal that stands where the grammar wants a value."""

    value: Any
    location: Location


def read_instruction(parser: PartsReader) -> Operation:
    start = parser.scanner.skip_blanks()
    word = parser.scanner.word()
    if word is None:
        parser.fail(f"expected an instruction, but found {parser.scanner.next_text()}")
    place = parser.scanner.place(start)
    found = registry.find(word)
    if found is None or (registry.is_of_backend(found[0]) and not parser.internal):
        similar = registry.close_words(word)
        parser.diagnostics.report(
            rules.UNKNOWN_INSTRUCTION,
            f"there is no instruction `{word}`",
            place,
            f"did you mean {similar[0]}?" if similar else None,
        )
        raise SyntaxProblem
    cls, canonical, is_alias = found
    if is_alias:
        parser.note(rules.ALIAS, f"`{word}` is read as {canonical}", place)
    parts: dict[str, Any] = {}
    spans: dict[str, Location] = {}
    _modifiers(parser, cls, canonical.removeprefix(cls.mnemonic), parts, place)
    _items(parser, cls, cls.template, parts, spans)
    location = parser.scanner.place(start)
    if any(isinstance(part, Result) for part in cls.parts.values()):
        parts.setdefault("result_types", [])
    _refuse_literals(parser, cls, parts)
    cls.complete(parser, parts, location)
    _materialise(parser, cls, parts)
    result_types = parts.get("result_types")
    stored = {name: value for name, value in parts.items() if name in cls.parts and cls.parts[name].is_stored}
    return cls(location, result_types, spans=spans, **stored)


def _modifiers(parser: PartsReader, cls: type[Operation], text: str, parts: dict[str, Any], place: Location) -> None:
    known = "".join(part.grammar for part in cls.parts.values() if part.is_modifier)
    form = f"the form is {cls.mnemonic}{known}" if known else f"{cls.mnemonic} takes no modifiers"
    words = text.split(".")[1:]
    for name, part in cls.parts.items():
        if isinstance(part, Modifier):
            if words and words[0] in part.words:
                parts[name] = words.pop(0)
            elif part.default is None:
                found = f"`.{words[0]}`" if words else "nothing"
                wanted = " or ".join(f".{word}" for word in part.words)
                message = f"{cls.mnemonic} expects {wanted} here, but {found} is there"
                parser.diagnostics.report(rules.MODIFIERS, message, place, form)
                raise SyntaxProblem
        elif isinstance(part, Flag) and words and words[0] == part.word:
            words.pop(0)
            parts[name] = True
    if words:
        message = f"`.{words[0]}` is not a modifier of {cls.mnemonic} at this place"
        parser.diagnostics.report(rules.MODIFIERS, message, place, form)
        raise SyntaxProblem


def _items(
    parser: PartsReader, cls: type[Operation], items: Sequence[Item], parts: dict[str, Any], spans: dict[str, Location]
) -> None:
    for item in items:
        if isinstance(item, Token):
            _token(parser, item)
        elif isinstance(item, Part):
            start = parser.scanner.skip_blanks()
            parts[item.name] = cls.parts[item.name].parse(parser, parts)
            spans[item.name] = parser.scanner.place(start)
        elif isinstance(item, Optional_) and _begins(parser, cls, item):
            _items(parser, cls, item.items, parts, spans)


def _token(parser: PartsReader, item: Token) -> None:
    reading = next((r for r in item.readings if r and parser.at(r[0])), item.readings[0])
    start = parser.scanner.skip_blanks()
    for word in reading:
        parser.expect(word)
    if reading != item.readings[0]:
        wanted = item.spellings[0].strip()
        parser.note(rules.SPELLING, f"`{''.join(reading)}` is read as `{wanted}`", parser.scanner.place(start))


def _begins(parser: PartsReader, cls: type[Operation], group: Optional_) -> bool:
    for item in group.items:
        if isinstance(item, Part):
            return cls.parts[item.name].begins(parser)
        if isinstance(item, Token) and item.readings[0]:
            return parser.at(item.readings[0][0])
    return False


def _refuse_literals(parser: PartsReader, cls: type[Operation], parts: dict[str, Any]) -> None:
    """Report each literal in the place of a tensor or a matrix, whose type what follows looks at."""
    refused = False
    for name, part in cls.parts.items():
        if isinstance(part, Operand) and not part.constraint.admits_numbers:
            stored = parts.get(name)
            for entry in stored if isinstance(stored, list) else [stored]:
                if isinstance(entry, Literal):
                    _report_literal(parser, cls, name, entry, "write the name of a value of that type, such as %A")
                    refused = True
    if refused:
        raise SyntaxProblem


def _report_literal(parser: PartsReader, cls: type[Operation], name: str, entry: Literal, help: str) -> None:
    message = f"{name} of {cls.mnemonic} must be a value, not a literal"
    parser.diagnostics.report(rules.LITERAL_REFUSED, message, entry.location, help)


def _materialise(parser: PartsReader, cls: type[Operation], parts: dict[str, Any]) -> None:
    """Put a constant instruction in the place of each literal operand."""
    for name, part in cls.parts.items():
        if not isinstance(part, Operand) or name not in parts:
            continue
        stored = parts[name]
        if isinstance(stored, list):
            parts[name] = [_constant(parser, cls, name, parts, entry) for entry in stored]
        else:
            parts[name] = _constant(parser, cls, name, parts, stored)


def _constant(parser: PartsReader, cls: type[Operation], name: str, parts: dict[str, Any], entry: Any) -> Any:
    if not isinstance(entry, Literal):
        return entry
    type_ = cls.literal_type(name, parts)
    if type_ is None:
        _report_literal(parser, cls, name, entry, "assign a constant instruction to a name and use the name")
        raise SyntaxProblem
    parser.note(rules.LITERAL_OPERAND, f"a literal is read as constant … : {type_}", entry.location)
    constant, _, _ = registry.find("constant") or (None, "", False)
    assert constant is not None
    operation = constant(entry.location, [type_], literal=entry.value)
    parser.insert(operation)
    return operation.results[0]
