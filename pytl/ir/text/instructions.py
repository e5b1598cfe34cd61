"""Reading instructions by the textual forms that their classes declare."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from ...diagnostics import Location
from ...process.records import dataclass
from .. import registry
from ..assembly import Item, Optional_, Part, PartsReader, Token
from ..fields import Flag, Modifier, Operand, Result, Variant
from ..operation import OPERAND_TYPE, Operation
from ..spelling import Spelling
from ..types import BoolType, ScalarType, Type, UnknownType
from . import rules
from .reader import SyntaxProblem

TYPES = "types of literals"
"""Among what was read of an instruction: the types that the text lists for operands, by their names."""


@dataclass(frozen=True)
class Literal:
    """A literal that stands where the grammar wants a value."""

    value: Any
    location: Location


def read_instruction(parser: PartsReader) -> tuple[Operation, Spelling | None]:
    """An instruction, and the line of the dialect's table that it was read by."""
    start = parser.scanner.skip_blanks()
    word = parser.scanner.word()
    if word is None:
        parser.fail(f"expected an instruction, but found {parser.scanner.next_text()}")
    word_location = parser.scanner.location_from(start)
    replaced = parser.dialect.replaced(word)
    if replaced is not None:
        return replaced(parser, word_location), None
    match = parser.dialect.find(word)
    if match is None or (registry.is_of_backend(match.spelling.cls) and not parser.internal):
        if (later := registry.find(f"v04.{word}")) is not None:
            message = f"`{word}` is an instruction of the dialect 0.4"
            help = f'read the text with language="0.4", or write {later[1]}'
            parser.diagnostics.report(rules.OF_DIALECT, message, word_location, help)
            raise SyntaxProblem
        help = parser.dialect.help_for_word(word)
        parser.diagnostics.report(rules.UNKNOWN_INSTRUCTION, f"there is no instruction `{word}`", word_location, help)
        raise SyntaxProblem
    spelling, cls = match.spelling, match.spelling.cls
    if match.canonical is not None:
        parser.note(rules.ALIAS, f"`{word}` is read as {match.canonical}", word_location)
    parts: dict[str, Any] = dict(spelling.fixed)
    spans: dict[str, Location] = {}
    _modifiers(parser, spelling, match.rest, parts, word_location)
    _items(parser, spelling, spelling.template, parts, spans)
    location = parser.scanner.location_from(start)
    if not spelling.infers and any(isinstance(part, Result) for part in cls.parts.values()):
        parts.setdefault("result_types", [])
    others = (other for other in match.others if _admits(other.cls, parts) and _suits(other, parts))
    cls = next((other.cls for other in others), cls)
    _refuse_literals(parser, cls, spelling.word, parts)
    if not spelling.infers:
        cls.complete(parser, parts, location)
    _materialise(parser, cls, spelling.word, parts)
    result_types = parts.get("result_types")
    if spelling.infers and not _admits(cls, parts):
        result_types = [UnknownType()]
        _report_operands(parser, spelling, parts, location)
    stored = {name: value for name, value in parts.items() if name in cls.parts and cls.parts[name].is_stored}
    operation = cls(location, result_types, spans=spans, **stored)
    if spelling.word != cls.mnemonic:
        operation.read_as = spelling.word
    return operation, spelling


def _report_operands(parser: PartsReader, spelling: Spelling, parts: dict[str, Any], location: Location) -> None:
    """Report operands from which no type of a result follows."""
    for name, part in spelling.cls.parts.items():
        if not isinstance(part, Operand):
            continue
        for value in part.values(parts.get(name)):
            if not (isinstance(value.type, UnknownType) or part.constraint.admits(value.type)):
                message = f"{spelling.word}: {name} is {value.type}, but must be {part.constraint}"
                parser.diagnostics.report(OPERAND_TYPE, message, location)


def _admits(cls: type[Operation], parts: dict[str, Any]) -> bool:
    """Whether an instruction has the variant that was read, and takes the operands."""
    for name, part in cls.parts.items():
        content = parts.get(name)
        if isinstance(part, Variant) and content not in part.words:
            return False
        if isinstance(part, Operand) and not all(_admits_value(part, operand) for operand in part.values(content)):
            return False
    return cls.is_legal(parts)


def _suits(spelling: Spelling, parts: dict[str, Any]) -> bool:
    """Whether the dialect writes an instruction with these parts so."""
    return spelling.is_legal is None or spelling.is_legal(SimpleNamespace(**parts))


def _admits_value(part: Operand, value: Any) -> bool:
    """Whether a part takes a value, or a literal that stands in the place of one."""
    admits = part.constraint.admits_numbers if isinstance(value, Literal) else part.constraint.admits(value.type)
    return bool(admits)


def _grammar_of(spelling: Spelling, name: str) -> str:
    """How a modifier may be written, in brackets where it may be left out."""
    grammar = spelling.cls.parts[name].grammar
    return grammar if spelling.default_of(name) is None else f"[{grammar.strip('()[]')}]"


def _modifiers(parser: PartsReader, spelling: Spelling, text: str, parts: dict[str, Any], location: Location) -> None:
    declared = spelling.cls.parts
    known = spelling.form or "".join(_grammar_of(spelling, name) for name in spelling.modifiers)
    form = f"the form is {spelling.word}{known}" if known else f"{spelling.word} takes no modifiers"
    words = text.split(".")[1:]
    for name in spelling.modifiers:
        part = declared[name]
        if isinstance(part, Modifier):
            if words and words[0] in part.words:
                parts[name] = words.pop(0)
            elif spelling.default_of(name) is None:
                actual = f"`.{words[0]}`" if words else "nothing"
                expected = " or ".join(f".{word}" for word in part.words)
                message = f"{spelling.word} expects {expected} here, but {actual} is there"
                parser.diagnostics.report(rules.MODIFIERS, message, location, form)
                raise SyntaxProblem
            else:
                parts[name] = spelling.default_of(name)
        elif isinstance(part, Flag) and words and words[0] == part.word:
            words.pop(0)
            parts[name] = True
    if words:
        later = f"v04.{spelling.word}.{words[0]}"
        of_dialect = registry.find(later)
        if of_dialect is not None and of_dialect[0].mnemonic == later:
            form = f'read the text with language="0.4", or write {later}'
        form = parser.dialect.help_for_modifiers(f"{spelling.word}{text}") or form
        message = f"`.{words[0]}` is not a modifier of {spelling.word} at this place"
        parser.diagnostics.report(rules.MODIFIERS, message, location, form)
        raise SyntaxProblem


def _items(
    parser: PartsReader, spelling: Spelling, items: Sequence[Item], parts: dict[str, Any], spans: dict[str, Location]
) -> None:
    for item in items:
        if isinstance(item, Token):
            _token(parser, item)
        elif isinstance(item, Part):
            start = parser.scanner.skip_blanks()
            parts[item.name] = spelling.part(item.name).parse(parser, parts)
            spans[item.name] = parser.scanner.location_from(start)
        elif isinstance(item, Optional_) and _begins(parser, spelling, item):
            _items(parser, spelling, item.items, parts, spans)


def _token(parser: PartsReader, item: Token) -> None:
    reading = next((r for r in item.readings if r and parser.at(r[0])), item.readings[0])
    start = parser.scanner.skip_blanks()
    for word in reading:
        parser.expect(word)
    if reading != item.readings[0]:
        canonical = item.spellings[0].strip()
        parser.note(
            rules.SPELLING, f"`{''.join(reading)}` is read as `{canonical}`", parser.scanner.location_from(start)
        )


def _begins(parser: PartsReader, spelling: Spelling, group: Optional_) -> bool:
    for item in group.items:
        if isinstance(item, Part):
            return spelling.part(item.name).begins(parser)
        if isinstance(item, Token) and item.readings[0]:
            return parser.at(item.readings[0][0])
    return False


def _refuse_literals(parser: PartsReader, cls: type[Operation], word: str, parts: dict[str, Any]) -> None:
    """Report each literal in the place of a tensor or a matrix, whose type what follows looks at."""
    refused = False
    for name, part in cls.parts.items():
        if isinstance(part, Operand) and not part.constraint.admits_numbers:
            stored = parts.get(name)
            for entry in stored if isinstance(stored, list) else [stored]:
                if isinstance(entry, Literal):
                    _report_literal(parser, word, name, entry, "write the name of a value of that type, such as %A")
                    refused = True
    if refused:
        raise SyntaxProblem


def _report_literal(parser: PartsReader, word: str, name: str, entry: Literal, help: str) -> None:
    message = f"{name} of {word} must be a value, not a literal"
    parser.diagnostics.report(rules.LITERAL_REFUSED, message, entry.location, help)


def _materialise(parser: PartsReader, cls: type[Operation], word: str, parts: dict[str, Any]) -> None:
    """Put a constant instruction in the place of each literal operand."""
    for name, part in cls.parts.items():
        if not isinstance(part, Operand) or name not in parts:
            continue
        stored = parts[name]
        types = parts.get(TYPES, {}).get(name)
        if isinstance(stored, list) and isinstance(types, list):
            each = [{**parts, TYPES: {name: type_}} for type_ in types]
            parts[name] = [_constant(parser, cls, word, name, *pair) for pair in zip(each, stored)]
        elif isinstance(stored, list):
            parts[name] = [_constant(parser, cls, word, name, parts, entry) for entry in stored]
        else:
            parts[name] = _constant(parser, cls, word, name, parts, stored)


def _of_type(value: Any, type_: Type) -> Any:
    """A number or truth value as one of the type that the text lists; any other literal is refused as what it is."""
    if isinstance(type_, BoolType):
        return bool(value) if type(value) is int else value
    if not isinstance(type_, ScalarType) or type(value) not in (bool, int):
        return value
    return float(value) if type_.is_floating else int(value)


def _constant(
    parser: PartsReader, cls: type[Operation], word: str, name: str, parts: dict[str, Any], entry: Any
) -> Any:
    if not isinstance(entry, Literal):
        return entry
    type_ = parts.get(TYPES, {}).get(name) or cls.literal_type(name, parts)
    if type_ is None:
        _report_literal(parser, word, name, entry, "assign a constant instruction to a name and use the name")
        raise SyntaxProblem
    if not parser.dialect.writes_constants_in_place:
        parser.note(rules.LITERAL_OPERAND, f"a literal is read as constant … : {type_}", entry.location)
    constant, _, _ = registry.find("constant") or (None, "", False)
    assert constant is not None
    value = entry.value
    if parser.dialect.literals_take_types:
        value = _of_type(value, type_)
    operation = constant(entry.location, [type_], literal=value)
    parser.insert(operation)
    return operation.results[0]
