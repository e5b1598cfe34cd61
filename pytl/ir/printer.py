"""The canonical text of functions and modules.

Named values keep their names where these are free; unnamed ones are numbered from 0 in the order of the text. A
name is free if no value that is visible at its definition has it, so reading the text gives the same names again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from .assembly import Item, Optional_, Part, Token
from .operation import Operation, Region, Value
from .types import ScalarType, Type

ATTRIBUTE_NAMES = ("alignment", "shape_gcd", "stride_gcd", "subgroup_size", "unroll", "work_group_size")


class Printable(Protocol):
    """What is printed of a function."""

    name: str
    parameters: list[Value]
    body: Region
    attributes: dict[str, Any]


def print_function(function: Printable) -> str:
    """The function's text."""
    printer = Printer(function)
    printer.function(function)
    return printer.text()


def print_attribute(value: Any) -> str:
    """An attribute's value: boolean, integer, string, array or dictionary."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        entries = (f"{_attribute_name(key)}={print_attribute(entry)}" for key, entry in value.items())
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(print_attribute(entry) for entry in value) + "]"
    return str(value)


def _attribute_name(name: str) -> str:
    return name if name in ATTRIBUTE_NAMES else f'"{name}"'


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
    mantissa, _, exponent = value.hex().partition("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{exponent}"


class Printer:
    """Collects the text of one function; parts of instructions write themselves through it."""

    def __init__(self, function: Printable) -> None:
        self._pieces: list[str] = []
        self._indent = 0
        self._names = _assign_names(function)

    def text(self) -> str:
        return "".join(self._pieces)

    def write(self, text: str) -> None:
        self._pieces.append(text)

    def value(self, value: Value) -> None:
        # an undefined value is a bug of a pass; the text shows it instead of failing, so that the bug can be found
        self.write(f"%{self._names.get(value, '<undefined>')}")

    def separated(self, items: Iterable[Any], write: Callable[[Any], None], separator: str = ", ") -> None:
        for position, item in enumerate(items):
            if position:
                self.write(separator)
            write(item)

    def attributes(self, entries: dict[str, Any]) -> None:
        self.write(print_attribute(entries))

    def function(self, function: Printable) -> None:
        head = f"func @{function.name}("
        self.write(head)
        for position, parameter in enumerate(function.parameters):
            if position:
                self.write(",\n" + " " * len(head))
            self.value(parameter)
            self.write(f": {parameter.type}")
            if parameter.attributes:
                self.attributes(parameter.attributes)
        self.write(")")
        if function.attributes:
            self.write(" attributes")
            self.attributes(function.attributes)
        self.write(" ")
        self.region(function.body)

    def region(self, region: Region) -> None:
        self.write("{\n")
        self._indent += 1
        for operation in region.operations:
            self.write("  " * self._indent)
            self.operation(operation)
            self.write("\n")
        self._indent -= 1
        self.write("  " * self._indent + "}")

    def operation(self, operation: Operation) -> None:
        if operation.results:
            self.separated(operation.results, self.value)
            self.write(" = ")
        self.write(operation.mnemonic)
        for part in operation.parts.values():
            if part.is_modifier:
                part.print(self, operation)
        self._items(operation, operation.template)

    def _items(self, operation: Operation, items: Sequence[Item]) -> None:
        for item in items:
            if isinstance(item, Token):
                self.write(item.spellings[0])
            elif isinstance(item, Part):
                operation.parts[item.name].print(self, operation)
            elif isinstance(item, Optional_) and operation.parts[item.part].present(operation):
                self._items(operation, item.items)


def _assign_names(function: Printable) -> dict[Value, str]:
    names = _Names()
    names.define(function.parameters)
    names.visit(function.body)
    return names.given


class _Names:
    """Gives every value a name that is free where it is visible."""

    def __init__(self) -> None:
        self.given: dict[Value, str] = {}
        self._counter = 0
        self._visible: set[str] = set()
        self._tried: dict[str, int] = {}
        """The last suffix of a wish that was given: those before it are taken, too."""
        self._added: list[tuple[str, str, int]] = []
        """What to take back at the end of a region: name, wish, and the wish's suffix before."""

    def visit(self, region: Region) -> None:
        outside = len(self._added)
        self.define(region.arguments)
        for operation in region.operations:
            # Numbers are unique in the function and given in reading order; names are free again once the regions
            # that used them have ended, so a loop may give its results the names of its body.
            self.define(v for v in operation.results if v.name is None)
            for inner in operation.regions:
                self.visit(inner)
            self.define(v for v in operation.results if v.name is not None)
        while len(self._added) > outside:
            name, wish, before = self._added.pop()
            self._visible.remove(name)
            self._tried[wish] = before

    def define(self, values: Iterable[Value]) -> None:
        for value in values:
            if value.name is None:
                self.given[value] = str(self._counter)
                self._counter += 1
            else:
                self.given[value] = self._free(value.name)

    def _free(self, wish: str) -> str:
        before = suffix = self._tried.get(wish, 0)
        name = f"{wish}_{suffix}" if suffix else wish
        while name in self._visible:
            suffix += 1
            name = f"{wish}_{suffix}"
        self._visible.add(name)
        self._tried[wish] = suffix
        self._added.append((name, wish, before))
        return name
