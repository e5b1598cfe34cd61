"""The canonical text of functions and modules.

Named values keep their names where these are free; unnamed ones are numbered from 0 in the order of the text. A
name is free if no value that is visible at its definition has it, so reading the text gives the same names again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Protocol

from .assembly import Item, Optional_, Part, Token
from .attributes import print_attribute
from .operation import Operation, Region, Value
from .spelling import MANUAL, Dialect, Spelling
from .types import ScalarType, Type


class Printable(Protocol):
    """What is printed of a function."""

    name: str
    parameters: list[Value]
    body: Region
    attributes: dict[str, Any]
    results: tuple[Type, ...] | None


def print_function(
    function: Printable, dialect: Dialect = MANUAL, remarks: Mapping[Operation, str] | None = None
) -> str:
    """The function's text; remarks are comments in the lines before instructions."""
    printer = Printer(function, dialect, remarks or {})
    printer.function(function)
    return printer.text()


def names_of(function: Printable) -> dict[Value, str]:
    """The names that all values of a function have in its text."""
    return Printer(function).names


def print_constant(value: bool | complex, type_: Type) -> str:
    """A constant as text; floating constants are hexadecimal, so that no digit is lost."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(type_, ScalarType) and type_.is_complex:
        parts = complex(value)
        return f"[{_hexfloat(parts.real)},{_hexfloat(parts.imag)}]"
    if isinstance(value, float):
        return _hexfloat(value)
    if isinstance(value, complex):
        return f"[{_hexfloat(value.real)},{_hexfloat(value.imag)}]"
    return str(value)


def _hexfloat(value: float) -> str:
    if not isfinite(value):
        return "nan" if value != value else str(value)
    mantissa, _, exponent = value.hex().partition("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}"


_NO_REMARKS: Mapping[Operation, str] = {}


class Printer:
    """Collects the text of one function; parts of instructions write themselves through it."""

    def __init__(
        self, function: Printable, dialect: Dialect = MANUAL, remarks: Mapping[Operation, str] = _NO_REMARKS
    ) -> None:
        self.dialect = dialect
        self._remarks = remarks
        self._pieces: list[str] = []
        self._indent = 0
        self._separator = ", "
        self._shown_results: dict[Operation, Value] = {}
        self.names = _Names(self.results, dialect.numbers_arguments_first).assign(function)

    def text(self) -> str:
        return "".join(self._pieces)

    def write(self, text: str) -> None:
        self._pieces.append(text)

    def type(self, type_: Type) -> None:
        self.write(self.dialect.text_of(type_))

    def value(self, value: Value) -> None:
        in_place = self.dialect.in_place(value.owner)
        if in_place is not None:
            self.write(in_place)
            return
        # an undefined value is a bug of a pass; the text shows it instead of failing, so that the bug can be found
        self.write(f"%{self.names.get(value, '<undefined>')}")

    def separated(self, items: Iterable[Any], write: Callable[[Any], None]) -> None:
        for position, item in enumerate(items):
            if position:
                self.write(self._separator)
            write(item)

    def attributes(self, entries: dict[str, Any]) -> None:
        self.write(print_attribute(entries, self.dialect.sorts_attributes))

    def function(self, function: Printable) -> None:
        head = f"func @{function.name}("
        self.write(head)
        for position, parameter in enumerate(function.parameters):
            if position:
                self.write(",\n" + " " * len(head))
            self.value(parameter)
            self.write(": ")
            self.type(parameter.type)
            if parameter.attributes:
                self.write(self.dialect.before_attributes)
                self.attributes(parameter.attributes)
        self.write(")")
        if function.results is not None:
            self.write(" -> (")
            self.separated(function.results, self.type)
            self.write(")")
        if function.attributes:
            self.write(" ")
            self.write(self.dialect.function_attributes(function.attributes))
        self.write(" ")
        self.region(function.body)

    def region(self, region: Region) -> None:
        self.write("{\n")
        self._indent += self.dialect.indent
        for operation in region.operations:
            if self.dialect.in_place(operation) is not None:
                continue
            if operation in self._remarks:
                self.write(f"{' ' * self._indent}; {self._remarks[operation]}\n")
            self.write(" " * self._indent)
            self.operation(operation)
            self.write("\n")
        self._indent -= self.dialect.indent
        self.write(" " * self._indent + "}")

    def results(self, operation: Operation) -> list[Value]:
        """What an instruction gives; where the dialect names a result that the instruction lacks, that too."""
        if self.dialect.in_place(operation) is not None:
            return []
        spelling = self.dialect.spelling_of(operation)
        if spelling is None or spelling.gives is None:
            return operation.results
        return [self._shown_results.setdefault(operation, Value(getattr(operation, spelling.gives).type))]

    def operation(self, operation: Operation) -> None:
        spelling = self.dialect.spelling_of(operation)
        assert spelling is not None, "what has no form has been found before"
        outside, self._separator = self._separator, spelling.separator
        results = self.results(operation)
        if results:
            self.separated(results, self.value)
            self.write(" = ")
        self.write(spelling.word)
        self.write(spelling.modifiers_of(operation))
        self._items(operation, spelling, spelling.template)
        self._separator = outside

    def _items(self, operation: Operation, spelling: Spelling, items: Sequence[Item]) -> None:
        for item in items:
            if isinstance(item, Token):
                self.write(item.spellings[0])
            elif isinstance(item, Part):
                spelling.part(item.name).print(self, operation)
            elif isinstance(item, Optional_) and spelling.part(item.part).present(operation):
                self._items(operation, spelling, item.items)


class _Names:
    """Gives every value a name that is free where it is visible."""

    def __init__(self, results: Callable[[Operation], list[Value]], arguments_first: bool) -> None:
        self._results = results
        self._arguments_first = arguments_first
        self.names: dict[Value, str] = {}
        self._counter = 0
        self._visible: set[str] = set()
        self._tried: dict[str, int] = {}
        """The last suffix of a wish that was given: those before it are taken, too."""
        self._added: list[tuple[str, str, int]] = []
        """What to take back at the end of a region: name, wish, and the wish's suffix before."""

    def assign(self, function: Printable) -> dict[Value, str]:
        """The names of all values of a function."""
        self.define(function.parameters)
        self.visit(function.body)
        return self.names

    def visit(self, region: Region) -> None:
        outside = len(self._added)
        self.define(v for v in region.arguments if v not in self.names)
        for operation in region.operations:
            # Numbers are unique in the function and given in reading order; names are free again once the regions
            # that used them have ended, so a loop may give its results the names of its body.
            if self._arguments_first:
                self.define(v for inner in operation.regions for v in inner.arguments if v.name is None)
            results = self._results(operation)
            self.define(v for v in results if v.name is None)
            for inner in operation.regions:
                self.visit(inner)
            self.define(v for v in results if v.name is not None)
        while len(self._added) > outside:
            name, hint, before = self._added.pop()
            self._visible.remove(name)
            self._tried[hint] = before

    def define(self, values: Iterable[Value]) -> None:
        for value in values:
            if value.name is None:
                self.names[value] = str(self._counter)
                self._counter += 1
            else:
                self.names[value] = self._free(value.name)

    def _free(self, hint: str) -> str:
        before = suffix = self._tried.get(hint, 0)
        name = f"{hint}_{suffix}" if suffix else hint
        while name in self._visible:
            suffix += 1
            name = f"{hint}_{suffix}"
        self._visible.add(name)
        self._tried[hint] = suffix
        self._added.append((name, hint, before))
        return name
