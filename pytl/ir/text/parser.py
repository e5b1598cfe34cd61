"""Text to IR. The parser reads on after an error, so that one run tells all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...diagnostics import Diagnostics, Label, LanguageError, Location, Source
from ..fields import RegionArgument
from ..operation import Operation, counted
from ..types import AddressSpace, ScalarType, Type, UnknownType
from ..values import Function, Module, Region, RegionKind, Value
from . import rules
from .attributes import read_dictionary, read_string
from .characters import report_foreign_characters
from .instructions import Literal, read_instruction
from .literals import checked_integer, read_integer, read_literal
from .reader import Reader, SyntaxProblem
from .recovery import skip_to_function, skip_to_instruction
from .scanner import GLOBAL_NAME, LOCAL_NAME
from .types import accept_times, read_scalar, read_size, read_type

_MAX_DEPTH = 100
_MAX_SEARCHES = 20  # for names like an undefined one: each looks at every name


@dataclass
class ParsedText:
    """What a text gave: a module of all functions that could be read, and what there is to say about it."""

    module: Module
    diagnostics: Diagnostics
    source: Source


def parse(text: str, name: str = "<text>") -> Module:
    """The module of a text; raises `pytl.LanguageError` with every syntax error found."""
    parsed = parse_text(text, name)
    if parsed.diagnostics.errors:
        raise LanguageError(parsed.diagnostics.in_order())
    return parsed.module


def parse_text(text: str, name: str = "<text>", strict: bool = False, internal: bool = False) -> ParsedText:
    """Read a text and return what could be read together with everything found, notes included.

    An `internal` text may have the instructions that passes write (`cpu.…`, `check.…`), which a user's text has not.
    """
    parser = Parser(Source(name, text), internal)
    module = parser.module()
    diagnostics = parser.diagnostics
    if strict:
        diagnostics.found = [d.with_severity("error") if d.severity == "note" else d for d in diagnostics.found]
    return ParsedText(module, diagnostics, parser.scanner.source)


def parse_type(text: str, name: str = "<type>") -> Type:
    """Read a single type, such as `memref<f32x16x8>`."""
    parser = Parser(Source(name, text))
    try:
        type_ = parser.type()
        if not parser.scanner.at_end:
            parser.fail(f"expected the end of the type, but found {parser.scanner.next_text()}")
    except SyntaxProblem:
        raise LanguageError(parser.diagnostics.found) from None
    return type_


class Parser(Reader):
    """Recursive descent over a scanner; the forms of instructions come from their declarations."""

    def __init__(self, source: Source, internal: bool = False) -> None:
        super().__init__(source)
        self.internal = internal
        self._scopes: list[dict[str, Value]] = []
        self._region = Region()
        self._unclosed_at = -1
        self._searches = 0
        report_foreign_characters(source, self.diagnostics)

    # What parts of instructions use.

    def type(self, default_space: AddressSpace = "global") -> Type:
        return read_type(self, default_space)

    def integer_type(self) -> ScalarType:
        start = self.scanner.skip_blanks()
        type_ = read_scalar(self)
        if not type_.is_integer:
            self.scanner.position = start
            self.fail(f"expected an integer type, but found {type_}")
        return type_

    def integer(self) -> int:
        return read_integer(self)

    def integer_before_times(self) -> int:
        """An integer that an `x` may be glued to, as the 2 of `2x8`."""
        return read_size(self)

    def accept_times(self) -> bool:
        """Read the `x` between two sizes if it is next."""
        return accept_times(self)

    def checked_integer(self, text: str) -> int:
        return checked_integer(self, text)

    def literal(self) -> bool | int | float | complex:
        """A boolean, integer, floating or complex constant."""
        return read_literal(self)

    def dictionary(self) -> dict[str, Any]:
        """A dictionary attribute."""
        return read_dictionary(self)

    def string(self) -> str:
        """A text between quotes."""
        if not self.at('"'):
            self.fail(f"expected a text between quotes, but found {self.scanner.next_text()}")
        return read_string(self)

    def operand(self) -> Any:
        """A used value, or a `Literal` in its place."""
        if self.at("%"):
            return self.value()
        start = self.scanner.skip_blanks()
        literal = start < len(self.scanner.text) and self.scanner.text[start] in "+-.[0123456789"
        if not (literal or self.at("true") or self.at("false")):
            self.fail(f"expected a value such as %x, but found {self.scanner.next_text()}")
        value = self.literal()
        return Literal(value, self.scanner.place(start))

    def value(self) -> Value:
        """A used value by its name."""
        name, place = self.local_name()
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        self.diagnostics.report(rules.UNDEFINED, f"%{name} is not defined here", place, self._similar_name(name))
        return Value(UnknownType(), name, place)

    def _similar_name(self, name: str) -> str | None:
        from difflib import get_close_matches

        if self._searches == _MAX_SEARCHES:
            return None
        self._searches += 1
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
        opening = self.scanner.place(start)
        outer, self._region = self._region, region
        while not self.accept("}"):
            if self.scanner.at_end or self.at("func"):
                self._report_unclosed(opening)
                region.is_complete = False
                break
            self._instruction()
        self._region = outer
        self._scopes.pop()
        region.location = self.scanner.place(start)
        return region

    def _report_unclosed(self, opening: Location) -> None:
        # The regions around this one end here, too; one brace is missing for all that is known.
        if self._unclosed_at != self.scanner.position:
            self._unclosed_at = self.scanner.position
            self.diagnostics.report(
                rules.SYNTAX,
                "the region is not closed",
                self.scanner.here(),
                "add the missing `}`",
                [Label(opening, "opened here")],
            )

    def insert(self, operation: Operation) -> None:
        """Put an instruction before the one that is being read."""
        self._region.operations.append(operation)

    # Functions and instructions.

    def module(self) -> Module:
        module = Module()
        seen: dict[str, Location] = {}
        while not self.scanner.at_end:
            try:
                if not self.at("func"):
                    self.fail(f"expected `func`, but found {self.scanner.next_text()}")
                function = self._function()
            except SyntaxProblem:
                skip_to_function(self.scanner)
                continue
            if function.name in seen:
                self.diagnostics.report(rules.SAME_FUNCTION, f"@{function.name} is defined twice", function.location)
            else:
                seen[function.name] = function.location  # type: ignore[assignment]
            module.functions.append(function)
        if not module.functions and not self.diagnostics.errors:
            self.diagnostics.report(rules.EMPTY_PROGRAM, "there is no function in the text", self.scanner.here())
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
        start = self.scanner.skip_blanks()
        try:
            if self.at("%"):
                names = [self.local_name()]
                while self.accept(","):
                    names.append(self.local_name())
                self.expect("=")
            operation = read_instruction(self)
        except SyntaxProblem:
            for name, place in names:
                self._scopes[-1].setdefault(name, Value(UnknownType(), _wish(name), place))
            self._region.is_complete = False
            skip_to_instruction(self.scanner, start)
            return
        self._assign(names, operation)
        self._region.operations.append(operation)

    def _assign(self, names: list[tuple[str, Location]], operation: Operation) -> None:
        optional = not operation.results or bool(operation.regions)
        if len(names) != len(operation.results) and (names or not optional):
            if names:
                values, given = counted(len(operation.results), "value"), counted(len(names), "name")
                message = f"{operation.word} gives {values}, but is assigned to {given}"
                self.diagnostics.report(rules.ASSIGNED, message, operation.location)
            else:
                self.diagnostics.report(
                    rules.ASSIGNED,
                    f"the value of {operation.word} is not assigned",
                    operation.location,
                    "write %name = in front of it",
                )
        for position, (name, place) in enumerate(names):
            if position < len(operation.results):
                value = operation.results[position]
                value.name, value.location = _wish(name), place
            else:
                value = Value(UnknownType(), _wish(name), place)
            self._bind(name, place, value)


def _wish(name: str) -> str | None:
    return None if name.isdigit() else name
