"""The generated source while it is written: lines, indentation, what each value is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ....diagnostics import Location
from ....ir.types import BoolType, CoopMatrixType, ScalarType, Type
from ....ir.values import Value
from ....ops import Constant
from .names import Names


@dataclass(frozen=True)
class MemrefCode:
    """A memref in generated source: a typed pointer, and the expressions of its shape and strides."""

    pointer: str
    element: ScalarType
    shape: tuple[str, ...]
    strides: tuple[str, ...]

    def at(self, *indices: str) -> str:
        """The element at an index, as an expression that can be read and assigned."""
        return f"{self.pointer}[{self.offset(indices)}]"

    def offset(self, indices: Sequence[str]) -> str:
        """The distance of an element from the first, in elements."""
        return sum_of([product_of(i, s) for i, s in zip(indices, self.strides)])


@dataclass(frozen=True)
class GroupCode:
    """A group in generated source: its addresses, and for each dynamic mode and stride an array with an entry an item."""

    addresses: str
    element: ScalarType
    count: str
    offset: str
    shape: tuple[str, ...]
    strides: tuple[str, ...]
    """Expressions with `{}` where the item's number stands."""


def product_of(a: str, b: str) -> str:
    """`a * b`, simplified where one is a literal 0 or 1."""
    if "0" in (a, b):
        return "0"
    if a == "1":
        return b
    if b == "1":
        return a
    if a.isdigit() and b.isdigit():
        return str(int(a) * int(b))
    return f"{_factor(a)} * {_factor(b)}"


def sum_of(terms: Sequence[str]) -> str:
    """The sum of expressions without the zeros among them."""
    kept = [term for term in terms if term != "0"]
    if kept and all(term.isdigit() for term in kept):
        return str(sum(map(int, kept)))
    return " + ".join(kept) or "0"


def _factor(text: str) -> str:
    return (
        text
        if text.isidentifier() or text.isdigit() or text.endswith(")") and " " not in text
        else f"({text})"
    )


class Writer:
    """Collects lines; knows the code of every value."""

    def __init__(self) -> None:
        self.names = Names()
        self._lines: list[str] = []
        self._indent = 1
        self._code: dict[Value, str | MemrefCode | GroupCode] = {}
        self._shown: tuple[str, int] | None = None

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def line(self, text: str) -> None:
        self._lines.append("    " * self._indent + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented block; one that stays empty gets a `pass`."""
        self.line(head)
        self._indent += 1
        count = len(self._lines)
        yield
        if all(line.lstrip().startswith("#") for line in self._lines[count:]):
            self.line("pass")
        self._indent -= 1

    def origin(self, location: Location | None) -> None:
        """Show the user's own line above what was made of it."""
        while location is not None and location.caller is not None:
            location = location.caller
        if location is not None and (location.source.name, location.line) != self._shown:
            self._shown = (location.source.name, location.line)
            self.line(f"# {location.line}: {location.source.line(location.line).strip()}")

    def bind(self, value: Value, code: str | MemrefCode | GroupCode) -> None:
        """Say what a value is in the source."""
        self._code[value] = code

    def assign(self, value: Value, expression: str) -> None:
        """Give a value a name and assign it."""
        name = self.names.of(value)
        self.line(f"{name} = {expression}")
        self.bind(value, name)

    def scalar(self, value: Value) -> str:
        """The expression of a number or truth value: its name, or its literal if it is a constant."""
        if isinstance(value.owner, Constant):
            return literal(value.owner.literal, value.type)
        code = self._code[value]
        assert isinstance(code, str)
        return code

    def memref(self, value: Value) -> MemrefCode:
        code = self._code[value]
        assert isinstance(code, MemrefCode)
        return code

    def group(self, value: Value) -> GroupCode:
        code = self._code[value]
        assert isinstance(code, GroupCode)
        return code


def literal(number: bool | int | float | complex, type_: Type) -> str:
    """A literal with the register type of `type_`; a plain integer is one of 64 bits."""
    assert not isinstance(type_, CoopMatrixType)
    if isinstance(type_, BoolType):
        return str(bool(number))
    assert isinstance(type_, ScalarType)
    if type_.is_integer:
        assert isinstance(number, int)
        if type_.size == 8:
            return str(number) if number >= 0 else f"({number})"
        return f"int{type_.bits}({number})"
    if type_.is_complex:
        parts = complex(number)
        part = type_.component
        return f"make_complex({literal(parts.real, part)}, {literal(parts.imag, part)})"
    assert not isinstance(number, complex)
    return f"{'float64' if type_.name == 'f64' else 'float32'}({float(number)!r})"


def device_name(type_: ScalarType) -> str:
    """The element type's name in the device library; `index` is a 64-bit integer there."""
    return "i64" if type_.name == "index" else type_.name
