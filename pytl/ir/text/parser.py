"""Text to IR. The parser reads on after an error, so that one run tells all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from ...diagnostics import Diagnostics, LanguageError, Location, Rule, Source
from .. import registry
from ..fields import Flag, Modifier, Operand, RegionArgument, Result
from ..operation import Item, Operation, Optional_, Part, Token
from ..types import AddressSpace, ScalarType, Type, UnknownType
from ..values import Function, Module, Region, RegionKind, Value
from . import rules
from .scanner import GLOBAL_NAME, INTEGER, LOCAL_NAME, NUMBER, Scanner
from .types import read_scalar, read_type

T = TypeVar("T")
_MAX_INTEGER = 2**63 - 1
_MAX_DEPTH = 100


@dataclass(frozen=True)
class Literal:
    """A literal that stands where the grammar wants a value."""

    value: Any
    location: Location


@dataclass
class ParsedText:
    """What a text gave: a module of all functions that could be read, and what there is to say about it."""

    module: Module
    diagnostics: Diagnostics
    source: Source


class _SyntaxProblem(Exception):
    """Unwinds to the place where reading can go on; the diagnostic has been reported already."""


def parse(text: str, name: str = "<text>", strict: bool = False) -> Module:
    """Read a text of the language.

    Parameters: `text`, one or more functions; `name`, how diagnostics call the text, usually its file; `strict`
    makes errors of the accepted spellings that are not canonical (a literal as an operand, a bare `:`, …).

    Returns the module. Raises `pytl.LanguageError` with every syntax error found; types and rules are checked by
    `pytl.verify`. Manual: Core rules to Instructions.

    >>> import pytl
    >>> print(pytl.parse("func @f(%a: memref<f32x4>) { lifetime_stop %a }"))
    func @f(%a: memref<f32x4>) {
      lifetime_stop %a
    }
    """
    parsed = parse_text(text, name, strict)
    if parsed.diagnostics.errors:
        raise LanguageError(parsed.diagnostics.in_order())
    return parsed.module


def parse_text(text: str, name: str = "<text>", strict: bool = False) -> ParsedText:
    """Read a text and return what could be read together with everything found, notes included."""
    parser = Parser(Source(name, text))
    module = parser.module()
    diagnostics = parser.diagnostics
    if strict:
        diagnostics.found = [
            d.with_severity("error") if d.severity == "note" else d for d in diagnostics.found
        ]
    return ParsedText(module, diagnostics, parser.scanner.source)


def parse_type(text: str, name: str = "<type>") -> Type:
    """Read a single type, such as `memref<f32x16x8>`."""
    parser = Parser(Source(name, text))
    try:
        type_ = parser.type()
        if not parser.scanner.at_end:
            parser.fail(f"nothing may stand behind the type, but found {parser.scanner.next_text()}")
    except _SyntaxProblem:
        raise LanguageError(parser.diagnostics.found) from None
    return type_


class Parser:
    """Recursive descent over a scanner; the forms of instructions come from their declarations."""

    def __init__(self, source: Source) -> None:
        self.scanner = Scanner(source)
        self.diagnostics = Diagnostics()
        self._scopes: list[dict[str, Value]] = []
        self._region: list[Operation] = []

    # What parts of instructions use.

    def fail(self, message: str, rule: Rule = rules.SYNTAX, help: str | None = None) -> NoReturn:
        """Report a problem at the next token and leave the instruction."""
        self.diagnostics.report(rule, message, self.scanner.here(), help)
        raise _SyntaxProblem

    def note(self, rule: Rule, message: str, location: Location, help: str | None = None) -> None:
        self.diagnostics.report(rule, message, location, help)

    def at(self, token: str) -> bool:
        return self.scanner.at(token)

    def accept(self, token: str) -> bool:
        return self.scanner.accept(token)

    def expect(self, token: str) -> None:
        if not self.scanner.accept(token):
            self.fail(f"expected `{token}`, but found {self.scanner.next_text()}")

    def type(self, default_space: AddressSpace = "global") -> Type:
        return read_type(self, default_space)

    def integer_type(self) -> ScalarType:
        start = self.scanner.skip_blanks()
        type_ = read_scalar(self)
        if not type_.is_integer:
            self.scanner.position = start
            self.fail(f"expected an integer type, but found {type_}")
        return type_

    def comma_separated(self, read: Callable[[], T], closing: str) -> list[T]:
        """Items up to one of the closing characters, which is left to be read; there may be none."""
        items: list[T] = []
        if any(self.at(token) for token in closing):
            return items
        items.append(read())
        while self.accept(","):
            items.append(read())
        return items

    def integer(self) -> int:
        found = self.scanner.match(INTEGER)
        if not found:
            self.fail(f"expected an integer constant, but found {self.scanner.next_text()}")
        return self.checked_integer(int(found.group()))

    def checked_integer(self, value: int) -> int:
        if abs(value) > _MAX_INTEGER:
            self.scanner.position = self.scanner.last_end
            self.diagnostics.report(
                rules.LITERAL,
                f"{value} does not fit into 64 bits",
                self.scanner.place(self.scanner.last_end - 1),
            )
            return 0
        return value

    def literal(self) -> bool | int | float | complex:
        """A boolean, integer, floating or complex constant."""
        if self.accept("true"):
            return True
        if self.accept("false"):
            return False
        if self.accept("["):
            real = self._number(floating=True)
            self.expect(",")
            imaginary = self._number(floating=True)
            self.expect("]")
            return complex(real, imaginary)
        return self._number()

    def _number(self, floating: bool = False) -> int | float:
        start = self.scanner.skip_blanks()
        found = self.scanner.match(NUMBER)
        if not found:
            self.fail(
                f"expected a constant, but found {self.scanner.next_text()}",
                help="a floating constant has a point or an exponent; there are no literals for inf and nan",
            )
        text = found.group().lower()
        if "x" in text:
            if "." not in text and "p" not in text:
                self.scanner.position = start
                self.fail("a hexadecimal constant is a floating constant: it has a point or an exponent p")
            value = _hexadecimal(text)
        elif "." in text or "e" in text:
            value = float(text)
        elif floating:
            self.scanner.position = start
            self.fail(
                "a complex constant has two floating constants",
                help=f"write [{text}.0, …] with a point in both",
            )
        else:
            return self.checked_integer(int(text))
        if value in (float("inf"), float("-inf")):
            self.diagnostics.report(
                rules.LITERAL, f"{text} is beyond double precision", self.scanner.place(start)
            )
            return 0.0
        return value

    def dictionary(self) -> dict[str, Any]:
        """A dictionary attribute."""
        self.expect("{")
        entries: dict[str, Any] = {}

        def entry() -> None:
            start = self.scanner.skip_blanks()
            name = self._string() if self.at('"') else self.scanner.word()
            if not name:
                self.fail(f"expected an attribute's name, but found {self.scanner.next_text()}")
            place = self.scanner.place(start)
            self.expect("=")
            value = self._attribute()
            if name in entries:
                self.diagnostics.report(rules.DUPLICATE_ATTRIBUTE, f"{name} is given twice", place)
            entries[name] = value

        self.comma_separated(entry, closing="}")
        self.expect("}")
        return entries

    def _attribute(self) -> Any:
        if self.at("{"):
            return self.dictionary()
        if self.at('"'):
            return self._string()
        if self.accept("["):
            items = self.comma_separated(self._attribute, closing="]")
            self.expect("]")
            return items
        if self.accept("true"):
            return True
        if self.accept("false"):
            return False
        return self.integer()

    def _string(self) -> str:
        self.expect('"')
        start = self.scanner.position
        end = self.scanner.text.find('"', start)
        text = self.scanner.text[start:end]
        if end < 0 or not all(" " <= char <= "~" for char in text):
            self.fail("a string ends on its line and has printable ASCII characters")
        self.scanner.position = self.scanner.last_end = end + 1
        return text

    def operand(self) -> Any:
        """A used value, or a `Literal` in its place."""
        if self.at("%"):
            return self.value()
        start = self.scanner.skip_blanks()
        if not (
            self.scanner.text[start : start + 1] in "+-.[" or self.scanner.text[start : start + 1].isdigit()
        ):
            if not (self.at("true") or self.at("false")):
                self.fail(f"expected a value such as %x, but found {self.scanner.next_text()}")
        value = self.literal()
        return Literal(value, self.scanner.place(start))

    def value(self) -> Value:
        """A used value by its name."""
        name, place = self.local_name()
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        self.diagnostics.report(
            rules.UNDEFINED, f"%{name} is not defined here", place, self._similar_name(name)
        )
        return Value(UnknownType(), name, place)

    def _similar_name(self, name: str) -> str | None:
        from difflib import get_close_matches

        found = get_close_matches(name, [known for scope in self._scopes for known in scope], n=1)
        return f"did you mean %{found[0]}?" if found else None

    def local_name(self) -> tuple[str, Location]:
        start = self.scanner.skip_blanks()
        found = self.scanner.match(LOCAL_NAME)
        if not found:
            self.fail(
                f"expected a name such as %x, but found {self.scanner.next_text()}",
                help="a name is a number, or a letter followed by letters, digits and underscores",
            )
        return found.group(1), self.scanner.place(start)

    def region(self, kind: RegionKind, arguments: Sequence[RegionArgument] = ()) -> Region:
        """A region in braces, whose arguments are visible in it."""
        if len(self._scopes) > _MAX_DEPTH:
            self.fail(f"regions are nested more than {_MAX_DEPTH} deep")
        start = self.scanner.skip_blanks()
        self.expect("{")
        self._scopes.append({})
        region = Region(kind, [self._define(*argument) for argument in arguments])
        outer, self._region = self._region, region.operations
        try:
            while not self.accept("}"):
                if self.scanner.at_end:
                    self.fail("the region is not closed", help="add the missing `}`")
                self._instruction()
        finally:
            self._region = outer
            self._scopes.pop()
        region.location = self.scanner.place(start)
        return region

    def insert(self, operation: Operation) -> None:
        """Put an instruction before the one that is being read."""
        self._region.append(operation)

    # Functions and instructions.

    def module(self) -> Module:
        module = Module()
        seen: dict[str, Location] = {}
        while not self.scanner.at_end:
            try:
                if not self.at("func"):
                    self.fail(f"expected `func`, but found {self.scanner.next_text()}")
                function = self._function()
            except _SyntaxProblem:
                self._skip_to_function()
                continue
            if function.name in seen:
                self.diagnostics.report(
                    rules.SAME_FUNCTION, f"@{function.name} is defined twice", function.location
                )
            else:
                seen[function.name] = function.location  # type: ignore[assignment]
            module.functions.append(function)
        if not module.functions and not self.diagnostics.errors:
            self.diagnostics.report(
                rules.EMPTY_PROGRAM, "there is no function in the text", self.scanner.here()
            )
        return module

    def _function(self) -> Function:
        self.expect("func")
        start = self.scanner.skip_blanks()
        found = self.scanner.match(GLOBAL_NAME)
        if not found:
            self.fail(f"expected the function's name, as @kernel, but found {self.scanner.next_text()}")
        place = self.scanner.place(start)
        self.expect("(")
        self._scopes = [{}]
        parameters = self.comma_separated(self._parameter, closing=")")
        self.expect(")")
        attributes = self.dictionary() if self.accept("attributes") else {}
        body = self.region("collective")
        return Function(found.group(1), parameters, body, attributes, place)

    def _parameter(self) -> Value:
        name, place = self.local_name()
        self.expect(":")
        type_ = self.type()
        value = self._define(name, place, type_)
        if self.at("{"):
            value.attributes = self.dictionary()
        return value

    def _define(self, name: str, place: Location, type_: Type) -> Value:
        value = Value(type_, _wish(name), place)
        self._bind(name, place, value)
        return value

    def _bind(self, name: str, place: Location, value: Value) -> None:
        for scope in self._scopes:
            if name in scope:
                before = scope[name].location
                where = f" in line {before.line}" if before else ""
                self.diagnostics.report(
                    rules.REDEFINED, f"%{name} is already defined{where}", place, "choose another name"
                )
                break
        self._scopes[-1][name] = value

    def _instruction(self) -> None:
        names: list[tuple[str, Location]] = []
        depth, start = len(self._scopes), self.scanner.skip_blanks()
        try:
            if self.at("%"):
                names = [self.local_name()]
                while self.accept(","):
                    names.append(self.local_name())
                self.expect("=")
            operation = self._right_hand_side()
        except _SyntaxProblem:
            del self._scopes[depth:]
            for name, place in names:
                self._scopes[-1].setdefault(name, Value(UnknownType(), _wish(name), place))
            self._skip_to_instruction(start)
            return
        self._assign(names, operation)
        self._region.append(operation)

    def _assign(self, names: list[tuple[str, Location]], operation: Operation) -> None:
        optional = not operation.results or bool(operation.regions)
        if len(names) != len(operation.results) and (names or not optional):
            count = len(operation.results)
            self.diagnostics.report(
                rules.ASSIGNED,
                f"{operation.word} gives {count} value{'s' * (count != 1)}, but {len(names)} are named"
                if names
                else f"the value of {operation.word} is not assigned",
                operation.location,
                "write %name = in front of it" if not names else None,
            )
        for position, (name, place) in enumerate(names):
            if position < len(operation.results):
                value = operation.results[position]
                value.name, value.location = _wish(name), place
            else:
                value = Value(UnknownType(), _wish(name), place)
            self._bind(name, place, value)

    def _right_hand_side(self) -> Operation:
        start = self.scanner.skip_blanks()
        word = self.scanner.word()
        if word is None:
            self.fail(f"expected an instruction, but found {self.scanner.next_text()}")
        place = self.scanner.place(start)
        found = registry.find(word)
        if found is None or found[0].mnemonic.startswith("cpu."):
            similar = registry.close_words(word)
            self.diagnostics.report(
                rules.UNKNOWN_INSTRUCTION,
                f"there is no instruction `{word}`",
                place,
                f"did you mean {similar[0]}?" if similar else None,
            )
            raise _SyntaxProblem
        cls, canonical, is_alias = found
        if is_alias:
            self.note(rules.ALIAS, f"`{word}` is read as {canonical}", place)
        parts: dict[str, Any] = {}
        spans: dict[str, Location] = {}
        self._modifiers(cls, canonical.removeprefix(cls.mnemonic), parts, place)
        self._items(cls, cls.template, parts, spans)
        location = self.scanner.place(start)
        if any(isinstance(part, Result) for part in cls.parts.values()):
            parts.setdefault("result_types", [])
        cls.complete(self, parts, location)
        self._materialise(cls, parts)
        result_types = parts.get("result_types")
        stored = {
            name: value for name, value in parts.items() if name in cls.parts and cls.parts[name].is_stored
        }
        return cls(location, result_types, spans=spans, **stored)

    def _modifiers(self, cls: type[Operation], text: str, parts: dict[str, Any], place: Location) -> None:
        words = text.split(".")[1:]
        for name, part in cls.parts.items():
            if isinstance(part, Modifier):
                if words and words[0] in part.words:
                    parts[name] = words.pop(0)
                elif part.default is None:
                    found = f"`.{words[0]}`" if words else "nothing"
                    wanted = " or ".join(f".{word}" for word in part.words)
                    self.diagnostics.report(
                        rules.MODIFIERS,
                        f"{cls.mnemonic} wants {wanted} here, but {found} stands there",
                        place,
                    )
                    raise _SyntaxProblem
            elif isinstance(part, Flag) and words and words[0] == part.word:
                words.pop(0)
                parts[name] = True
        if words:
            known = "".join(part.grammar for part in cls.parts.values() if part.is_modifier)
            self.diagnostics.report(
                rules.MODIFIERS,
                f"`.{words[0]}` is no modifier of {cls.mnemonic} at this place",
                place,
                f"the form is {cls.mnemonic}{known}" if known else f"{cls.mnemonic} takes no modifiers",
            )
            raise _SyntaxProblem

    def _items(
        self, cls: type[Operation], items: Sequence[Item], parts: dict[str, Any], spans: dict[str, Location]
    ) -> None:
        for item in items:
            if isinstance(item, Token):
                reading = next((r for r in item.readings if r and self.at(r[0])), item.readings[0])
                for word in reading:
                    self.expect(word)
            elif isinstance(item, Part):
                start = self.scanner.skip_blanks()
                parts[item.name] = cls.parts[item.name].parse(self, parts)
                spans[item.name] = self.scanner.place(start)
            elif isinstance(item, Optional_) and self._begins(cls, item):
                self._items(cls, item.items, parts, spans)

    def _begins(self, cls: type[Operation], group: Optional_) -> bool:
        for item in group.items:
            if isinstance(item, Part):
                return cls.parts[item.name].begins(self)
            if isinstance(item, Token) and item.readings[0]:
                return self.at(item.readings[0][0])
        return False

    def _materialise(self, cls: type[Operation], parts: dict[str, Any]) -> None:
        """Put a constant instruction in the place of each literal operand."""
        for name, part in cls.parts.items():
            if not isinstance(part, Operand) or name not in parts:
                continue
            stored = parts[name]
            if isinstance(stored, list):
                parts[name] = [self._constant(cls, name, parts, entry) for entry in stored]
            else:
                parts[name] = self._constant(cls, name, parts, stored)

    def _constant(self, cls: type[Operation], name: str, parts: dict[str, Any], entry: Any) -> Any:
        if not isinstance(entry, Literal):
            return entry
        type_ = cls.literal_type(name, parts)
        if type_ is None:
            self.diagnostics.report(
                rules.SYNTAX,
                f"{name} of {cls.mnemonic} must be a value, not a literal",
                entry.location,
                "assign a constant instruction to a name and use the name",
            )
            raise _SyntaxProblem
        self.note(rules.LITERAL_OPERAND, f"a literal is read as constant … : {type_}", entry.location)
        constant, _, _ = registry.find("constant") or (None, "", False)
        assert constant is not None
        operation = constant(entry.location, [type_], literal=entry.value)
        self.insert(operation)
        return operation.results[0]

    # Where to read on after an error.

    def _skip_to_function(self) -> None:
        while not self.scanner.at_end:
            word = self.scanner.word()
            if word == "func" and self.scanner.source.place(self.scanner.position, 0).column == 5:
                self.scanner.position -= len("func")
                return
            if word is None:
                self.scanner.position += 1

    def _skip_to_instruction(self, start: int) -> None:
        """Skip the rest of the broken instruction with its regions.

        The next instruction begins on a line of its own, at the depth of braces the broken one began at.
        """
        scanner = self.scanner
        text = scanner.text
        depth = 0
        broken_at = max(scanner.skip_blanks(), start)
        # a region that was opened before the error is still to be closed
        depth = text.count("{", start, broken_at) - text.count("}", start, broken_at)
        fresh_line = broken_at > start and "\n" in text[max(start, scanner.last_end) : broken_at]
        while not scanner.at_end:
            position = scanner.position
            char = text[position]
            if depth <= 0 and (char == "}" or (fresh_line and (char == "%" or char.isalpha()))):
                return
            if char in "{}":
                depth += 1 if char == "{" else -1
            scanner.position = position + 1
            if char.isalnum() or char in "%@_":
                while scanner.position < len(text) and (
                    text[scanner.position].isalnum() or text[scanner.position] in "_."
                ):
                    scanner.position += 1
            scanner.last_end = scanner.position
            fresh_line = "\n" in text[scanner.position : scanner.skip_blanks()]


def _wish(name: str) -> str | None:
    return None if name.isdigit() else name


def _hexadecimal(text: str) -> float:
    mantissa, _, exponent = text.partition("p")
    try:
        return float.fromhex(f"{mantissa}p{exponent or 0}")
    except OverflowError:
        return float("inf")
