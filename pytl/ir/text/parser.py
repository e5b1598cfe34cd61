"""Text to IR. The parser reads on after an error, so that one run tells all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...diagnostics import LanguageError, Source
from ..operation import Operation
from ..spelling import MANUAL, Dialect
from ..types import AddressSpace, ScalarType, Type
from ..values import Function, Module, Value
from .attributes import read_attribute, read_dictionary, read_string
from .definitions import Definitions, definition_values
from .instructions import Literal, read_instruction
from .literals import read_literal
from .reader import SyntaxProblem
from .recovery import skip_to_instruction
from .structure import ParsedText, StructureReader
from .types import accept_times, read_scalar, read_size, read_type

_LITERALS = ("true", "false", "inf", "nan")
"""Constants that are words."""


def parse(text: str, name: str = "<text>") -> Module:
    """The module of a text; raises `pytl.LanguageError` with every syntax error found."""
    parsed = parse_text(text, name)
    if parsed.diagnostics.errors:
        raise LanguageError(parsed.diagnostics.in_order())
    return parsed.module


def parse_text(
    text: str,
    name: str = "<text>",
    strict: bool = False,
    internal: bool = False,
    dialect: Dialect = MANUAL,
    definitions: Mapping[str, Any] | None = None,
) -> ParsedText:
    """Read a text and return what could be read together with everything found, notes included.

    An `internal` text may have the instructions that passes write (`cpu.…`, `check.…`), which a user's text has not.
    `definitions` are the values of compile-time variables, in a dialect that has them.
    """
    return Parser(Source(name, text), internal, dialect, definitions).read(strict)


def parse_type(text: str) -> Type:
    """Read a single type, such as `memref<f32x16x8>`."""
    parser = Parser(Source("<type>", text))
    try:
        type_ = parser.type()
        if not parser.scanner.at_end:
            parser.fail(f"expected the end of the type, but found {parser.scanner.next_text()}")
    except SyntaxProblem:
        raise LanguageError(parser.diagnostics.items) from None
    return type_


class Parser(StructureReader):
    """Recursive descent over a scanner; the forms of instructions come from their declarations."""

    def __init__(
        self,
        source: Source,
        internal: bool = False,
        dialect: Dialect = MANUAL,
        definitions: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(source)
        self.internal = internal
        self.dialect = dialect
        self._definitions: Definitions | None = None
        if dialect.has_definitions:
            values = definition_values(definitions or {}, lambda source: Parser(source, False, dialect))
            self._definitions = Definitions(self, values)

    # Compile-time variables.

    @property
    def at_definition(self) -> bool:
        return self._definitions is not None and self.at("$")

    def defined(self, *kinds: type) -> Any:
        assert self._definitions is not None, "the dialect has no definitions"
        return self._definitions.use(*kinds)

    def defined_value(self) -> Any:
        """What a compile-time variable is defined as: a constant, an attribute or a type."""
        if self.at("{") or self.at("[") or self.at('"'):
            return read_attribute(self)
        start = self.scanner.skip_blanks()
        if self.scanner.text[start : start + 1] in "+-.0123456789" or any(map(self.at, _LITERALS)):
            return self.literal()
        return self.type()

    def definition(self) -> bool:
        if not self.at_definition or self._definitions is None:
            return False
        start = self.scanner.skip_blanks()
        try:
            self._definitions.define()
        except SyntaxProblem:
            skip_to_instruction(self.scanner, start)
        return True

    def open_scope(self) -> None:
        if self._definitions is not None:
            self._definitions.open_scope()

    def close_scope(self) -> None:
        if self._definitions is not None:
            self._definitions.close_scope()

    # What parts of instructions use.

    def type(self, default_space: AddressSpace = "global") -> Type:
        return self.dialect.read_type(self, default_space) or read_type(self, default_space)

    def integer_type(self) -> ScalarType:
        start = self.scanner.skip_blanks()
        type_ = read_scalar(self)
        if not type_.is_integer:
            self.scanner.position = start
            self.fail(f"expected an integer type, but found {type_}")
        return type_

    def integer_before_times(self) -> int:
        """An integer that an `x` may be glued to, as the 2 of `2x8`."""
        return read_size(self)

    def accept_times(self) -> bool:
        """Read the `x` between two sizes if it is next."""
        return accept_times(self)

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
        if not (literal or any(map(self.at, _LITERALS))):
            self.fail(f"expected a value such as %x, but found {self.scanner.next_text()}")
        value = self.literal()
        return Literal(value, self.scanner.location_from(start))

    def parameter_attributes(self, value: Value) -> None:
        if self.at("{") or self.at_definition:
            value.attributes = self.dictionary()

    def function(self) -> Function:
        function = super().function()
        self.dialect.resolve(function)
        return function

    def function_attributes(self) -> dict[str, Any]:
        return self.dialect.read_function_attributes(self)

    def function_results(self) -> tuple[Type, ...] | None:
        if not (self.dialect.has_calls and self.accept("->")):
            return None
        self.expect("(")
        results = tuple(self.comma_separated(self.type, closing=")"))
        self.expect(")")
        return results

    def read_instruction(self) -> tuple[str, Operation]:
        operation, _ = read_instruction(self)
        return operation.display_name, operation
