"""The generated source while it is written: lines, indentation, the name of each value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite

from ....diagnostics import Location
from ....diagnostics.quoting import python_comment
from ....ir.meanings import Meanings
from ....ir.types import BoolType, CoopMatrixType, ScalarType, Type
from ....ir.values import Value
from ....ops import Constant
from ....process.records import dataclass
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
    """A group in generated source: its addresses, and for each dynamic extent an array with an entry per item."""

    addresses: str
    element: ScalarType
    count: str
    offset: str
    shape: tuple[str, ...]
    strides: tuple[str, ...]
    """Expressions with `{}` in place of the item's number."""


@dataclass(frozen=True)
class MatrixCode:
    """A cooperative matrix in generated source: a pointer to those of its rows that a work-item holds."""

    pointer: str
    component: ScalarType
    blocks: int
    """The number of these rows."""
    columns: int
    strides: tuple[int, int]
    """The strides of rows and columns."""
    entries: int
    """The number of entries in memory, padding included."""

    def offset(self, block: str, column: str) -> str:
        """The offset of an entry of a row."""
        return sum_of([product_of(index, stride) for index, stride in zip((block, column), self.strides)])

    def entry(self, block: str, column: str) -> str:
        """An entry of a row, as an expression that can be read and assigned."""
        return f"{self.pointer}[{self.offset(block, column)}]"


Code = str | MemrefCode | GroupCode | MatrixCode


class Known(str):
    """An expression that is a number known when the source is written; `Known(4)` is the text `4`."""

    __slots__ = ()


Expression = str
"""Generated source of a number; a `Known` where the number is known."""


def known(expression: Expression) -> int | None:
    """The number of an expression, where it is known when the source is written."""
    return int(expression) if isinstance(expression, Known) else None


def product_of(a: Expression | int, b: Expression | int) -> Expression:
    """`a * b`, simplified where one is 0 or 1, and computed where both are known.

    >>> product_of("n", 1), product_of("n + 1", "m"), product_of(Known(3), 4), product_of("3", 4)
    ('n', '(n + 1) * m', '12', '(3) * 4')
    """
    a, b = _expression(a), _expression(b)
    of_a, of_b = known(a), known(b)
    if of_a == 0 or of_b == 0:
        return Known(0)
    if of_a == 1:
        return b
    if of_b == 1:
        return a
    if of_a is not None and of_b is not None:
        return Known(of_a * of_b)
    return f"{_factor(a)} * {_factor(b)}"


def sum_of(terms: Sequence[Expression | int]) -> Expression:
    """The sum of expressions without the zeros among them, computed where all are known.

    >>> sum_of(["p", 0, "n"]), known(sum_of([Known(3), 4])), known(sum_of(["p", 4]))
    ('p + n', 7, None)
    """
    kept = [term for term in map(_expression, terms) if known(term) != 0]
    numbers = [known(term) for term in kept]
    if None not in numbers:
        return Known(sum(number for number in numbers if number is not None))
    return " + ".join(kept)


def _expression(extent: Expression | int) -> Expression:
    return Known(extent) if isinstance(extent, int) else extent


_PARENTHESIS = re.compile(r"[()]")


def _unwrapped(text: str) -> str:
    """An expression without the parentheses around all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for parenthesis in _PARENTHESIS.finditer(text):
        depth += 1 if parenthesis[0] == "(" else -1
        if depth == 0 and parenthesis.end() < len(text):
            return text  # the first parenthesis closes before the end
    return text[1:-1]


def _factor(text: str) -> str:
    is_call = text.endswith(")") and " " not in text
    return text if text.isidentifier() or isinstance(text, Known) or is_call else f"({text})"


_STORES = Meanings(
    "generated source, stores",
    {"": "{2} = {3}", "atomic": "atomic_store({0}, {1}, {3})", "atomic_add": "atomic_add({0}, {1}, {3})"},
)


class Writer:
    """Collects lines, and the expression of every value."""

    def __init__(self, used_names: Iterable[str] = ()) -> None:
        self.names = Names(used_names)
        self._lines: list[str] = []
        self._indent = 1
        self._code: dict[Value, Code] = {}
        self._shown: tuple[str, int] | None = None

    @property
    def text(self) -> str:
        return "\n".join(self._lines)

    def end_body(self, begin: int = 0) -> None:
        """Put a `pass` where nothing but comments was written since line number `begin`."""
        if all(line.lstrip().startswith("#") for line in self._lines[begin:]):
            self.line("pass")

    def line(self, text: str) -> None:
        self._lines.append("    " * self._indent + text)

    def mark(self) -> int:
        """The place of the next line."""
        return len(self._lines)

    def line_at(self, position: int, text: str) -> None:
        """Insert a line at the function's own level, before what was written at a mark."""
        self._lines.insert(position, "    " + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented block; one that stays empty gets a `pass`."""
        self.line(head)
        self._indent += 1
        count = len(self._lines)
        yield
        self.end_body(count)
        self._indent -= 1

    def origin(self, location: Location | None) -> None:
        """Write the user's line as a comment above the code that it becomes."""
        while location is not None and location.caller is not None:
            location = location.caller
        if location is not None and (location.source.name, location.line) != self._shown:
            self._shown = (location.source.name, location.line)
            self.line(python_comment(f"{location.line}: {location.source.line(location.line).strip()}"))

    def bind(self, value: Value, code: Code) -> None:
        """Set the expression of a value in the source."""
        self._code[value] = code

    def assign(self, value: Value, expression: str) -> None:
        """Give a value a name and assign it."""
        name = self.names.of(value)
        self.line(f"{name} = {_unwrapped(expression)}")
        self.bind(value, name)

    def store(self, flag: str, target: MemrefCode, indices: Sequence[str], data: str) -> None:
        """Write a store of data into an element."""
        place = (target.pointer, target.offset(indices), target.at(*indices))
        self.line(_STORES[flag].format(*place, data))

    def scalar(self, value: Value) -> str:
        """The expression of a number or truth value: its name, or its literal if it is a constant."""
        if isinstance(value.owner, Constant):
            return literal(value.owner.literal, value.type)
        code = self._code[value]
        assert isinstance(code, str)
        return code

    def code(self, value: Value) -> Code:
        """Whatever stands for a value."""
        return self._code[value]

    def memref(self, value: Value) -> MemrefCode:
        code = self._code[value]
        assert isinstance(code, MemrefCode)
        return code

    def group(self, value: Value) -> GroupCode:
        code = self._code[value]
        assert isinstance(code, GroupCode)
        return code

    def matrix(self, value: Value) -> MatrixCode:
        code = self._code[value]
        assert isinstance(code, MatrixCode)
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
            return Known(number) if number >= 0 else f"({number})"
        return f"int{type_.bits}({number})"
    if type_.is_complex:
        parts = complex(number)
        part = type_.component
        return f"make_complex({literal(parts.real, part)}, {literal(parts.imag, part)})"
    assert not isinstance(number, complex)
    return f"{'float64' if type_.name == 'f64' else 'float32'}({_real(float(number))})"


def _real(number: float) -> str:
    """A number as Python's source has it; those that have no literal as what gives them."""
    if number != number:
        return "1e999 - 1e999"
    return repr(number) if isfinite(number) else "1e999" if number > 0 else "-1e999"
