"""Functions, regions, instructions and names: what texts of this form have in common, whatever their instructions are.

A text is a list of functions. A function has parameters and a region, which is a list of instructions in braces; an
instruction may be assigned to names, and may have regions. The immediate language of YATeTo has this form, too.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...diagnostics import Diagnostics, Label, Location, Source
from ...diagnostics.words import counted
from ..assembly import RegionArgument
from ..operation import Operation
from ..types import Kind, UnknownType
from ..values import Function, Module, Region, Value
from . import rules
from .characters import report_foreign_characters
from .literals import read_integer
from .reader import Reader, SyntaxProblem
from .recovery import skip_to_function, skip_to_instruction
from .scanner import GLOBAL_NAME, LOCAL_NAME
from .scopes import Scopes

_MAX_DEPTH = 100


@dataclass
class ParsedText:
    """What a text gave: a module of all functions that could be read, and what there is to say about it."""

    module: Module
    diagnostics: Diagnostics
    source: Source


class StructureReader(Reader):
    """Reads functions and regions, and knows which value each name stands for. A subclass reads the instructions."""

    keyword: ClassVar[str] = "func"
    """The word that begins a function."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.names = Scopes[Value](self.diagnostics, rules.UNDEFINED, rules.REDEFINED)
        self._region = Region()
        self._unclosed_at = -1
        self.attributes: dict[str, Any] = {}
        """Those of the function that is read."""
        self._calls: list[Operation] = []
        report_foreign_characters(source, self.diagnostics)

    # What a subclass says.

    @abstractmethod
    def type(self) -> Any:
        """The type of a parameter."""

    @abstractmethod
    def read_instruction(self) -> tuple[str, Operation]:
        """An instruction with its word; instructions that it needs in front of it are inserted."""

    def parameter_attributes(self, value: Value) -> None:
        """Read the attributes of a parameter."""

    def function_attributes(self) -> dict[str, Any]:
        """Read the attributes of a function."""
        return {}

    def function_results(self) -> tuple[Any, ...] | None:
        """Read the types of what a function gives; None where the text has none, as of a kernel."""
        return None

    def definition(self) -> bool:
        """Read what may stand between instructions and between functions, and is neither; whether it was there."""
        return False

    def open_scope(self) -> None:
        """A region begins."""

    def close_scope(self) -> None:
        """A region ends."""

    # Values and names.

    def integer(self) -> int:
        return read_integer(self)

    def value(self) -> Value:
        """A used value by its name."""
        name, location = self.local_name()
        found = self.names.find(name)
        if found is None:
            self.names.report_undefined(name, location)
            return Value(UnknownType(), name, location)
        return found

    def local_name(self) -> tuple[str, Location]:
        start = self.scanner.skip_blanks()
        match = self.scanner.match(LOCAL_NAME)
        if not match:
            self.fail(
                f"expected a name such as %x, but found {self.scanner.next_text()}",
                help="a name is a number, or a letter followed by letters, digits and underscores",
            )
        name = match.group(1)
        # %01 and %1 are one name, for numbers are no more than places in an order
        return (name.lstrip("0") or "0") if name.isdigit() else name, self.scanner.location_from(start)

    def region(self, kind: Kind, arguments: Sequence[RegionArgument] = ()) -> Region:
        """A region in braces, whose arguments are visible in it."""
        if self.names.depth > _MAX_DEPTH:
            self.fail(f"regions are nested more than {_MAX_DEPTH} deep")
        start = self.scanner.skip_blanks()
        self.expect("{")
        with self.names.inner():
            region = Region(kind, [self.define(*argument) for argument in arguments])
            opening = self.scanner.location_from(start)
            outer, self._region = self._region, region
            self.open_scope()
            while not self.accept("}"):
                if self.scanner.at_end or self.at(self.keyword):
                    self._report_unclosed(opening)
                    region.is_complete = False
                    break
                if not self.definition():
                    self._instruction()
            self.close_scope()
            self._region = outer
        region.location = self.scanner.location_from(start)
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

    def results_of(self, operation: Operation) -> list[Value]:
        """What the names in front of an instruction stand for."""
        return operation.results

    def insert(self, operation: Operation) -> None:
        """Put an instruction before the one that is being read."""
        self._region.operations.append(operation)

    def append(self, operation: Operation) -> None:
        """Put the instruction that was read at the end of the region."""
        self._region.operations.append(operation)
        if operation.callee is not None:
            self._calls.append(operation)

    # Functions and instructions.

    def read(self, strict: bool = False) -> ParsedText:
        """The whole text. With `strict`, notes are errors."""
        module = self.module()
        diagnostics = self.diagnostics
        if strict:
            diagnostics.make_errors()
        return ParsedText(module, diagnostics, self.scanner.source)

    def module(self) -> Module:
        module = Module()
        seen: dict[str, Location] = {}
        while not self.scanner.at_end:
            try:
                if self.definition():
                    continue
                if not self.at(self.keyword):
                    self.fail(f"expected `{self.keyword}`, but found {self.scanner.next_text()}")
                function = self.function()
            except SyntaxProblem:
                skip_to_function(self.scanner, self.keyword)
                continue
            if function.name in seen:
                self.diagnostics.report(rules.SAME_FUNCTION, f"@{function.name} is defined twice", function.location)
            else:
                seen[function.name] = function.location  # type: ignore[assignment]
            module.functions.append(function)
        named = {function.name: function for function in reversed(module.functions)}
        for call in self._calls:  # functions may stand behind what calls them
            call.callee = named.get(call.callee.name, call.callee)
        if not module.functions and not self.diagnostics.errors:
            self.diagnostics.report(rules.EMPTY_PROGRAM, "there is no function in the text", self.scanner.here())
        return module

    def function(self) -> Function:
        """A function, with the word that begins it."""
        self.expect(self.keyword)
        name, location = self.global_name()
        self.expect("(")
        with self.names.isolated():
            parameters = self.comma_separated(self._parameter, closing=")")
            self.expect(")")
            results = self.function_results()
            attributes = self.attributes = self.function_attributes()
            body = self.region("collective" if results is None else "mixed")
        return Function(name, parameters, body, attributes, location, results)

    def global_name(self) -> tuple[str, Location]:
        start = self.scanner.skip_blanks()
        match = self.scanner.match(GLOBAL_NAME)
        if not match:
            self.fail(f"expected the function's name, as @kernel, but found {self.scanner.next_text()}")
        return match.group(1), self.scanner.location_from(start)

    def callee(self) -> Function:
        """The function that a call names. Until the whole text has been read, one without a body stands for it."""
        name, location = self.global_name()
        return Function(name, [], Region("mixed"), location=location, results=())

    def _parameter(self) -> Value:
        name, location = self.local_name()
        self.expect(":")
        type_ = self.type()
        value = self.define(name, location, type_)
        self.parameter_attributes(value)
        return value

    def define(self, name: str, location: Location, type_: Any) -> Value:
        """A parameter of a function or an argument of a region."""
        value = Value(type_, _name_hint(name), location)
        self.names.define(name, value, location)
        return value

    def _instruction(self) -> None:
        names: list[tuple[str, Location]] = []
        start = self.scanner.skip_blanks()
        try:
            if self.at("%"):
                names = [self.local_name()]
                while self.accept(","):
                    names.append(self.local_name())
                self.expect("=")
            word, operation = self.read_instruction()
        except SyntaxProblem:
            for name, location in names:
                self.names.assume(name, Value(UnknownType(), _name_hint(name), location), location)
            self._region.is_complete = False
            skip_to_instruction(self.scanner, start)
            return
        self._assign(names, word, operation)
        self.append(operation)

    def _assign(self, names: list[tuple[str, Location]], word: str, operation: Operation) -> None:
        results = self.results_of(operation)
        optional = not results or bool(operation.regions)
        if len(names) != len(results) and (names or not optional):
            if names:
                result_count, name_count = counted(len(results), "value"), counted(len(names), "name")
                message = f"{word} gives {result_count}, but is assigned to {name_count}"
                self.diagnostics.report(rules.ASSIGNED, message, operation.location)
            else:
                self.diagnostics.report(
                    rules.ASSIGNED,
                    f"the value of {word} is not assigned",
                    operation.location,
                    "write %name = in front of it",
                )
        for position, (name, location) in enumerate(names):
            if position < len(results):
                value = results[position]
                value.name, value.location = _name_hint(name), location
            else:
                value = Value(UnknownType(), _name_hint(name), location)
            self.names.define(name, value, location)


def _name_hint(name: str) -> str | None:
    return None if name.isdigit() else name
