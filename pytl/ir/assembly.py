"""The textual form of instructions: what its template consists of, and what reads and prints the parts in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, NoReturn, Protocol, TypeVar

from ..diagnostics import Diagnostics, Location, Rule
from ..process.records import dataclass
from .types import AddressSpace, Kind, ScalarType, Type

T = TypeVar("T")
RegionArgument = tuple[str, Location, Type]


@dataclass(frozen=True)
class Token:
    """A literal text of a textual form. The first spelling is printed, all are read."""

    spellings: tuple[str, ...]

    @cached_property
    def readings(self) -> tuple[tuple[str, ...], ...]:
        """Each spelling as the words and signs that are read one by one, with any blanks in between."""
        return tuple(tuple(re.findall(r"\w+|->|[^\s\w]", spelling)) for spelling in self.spellings)


@dataclass(frozen=True)
class Part:
    """A place of a textual form where a part of the instruction stands."""

    name: str


@dataclass(frozen=True)
class Optional_:
    """A piece of a textual form that may be absent."""

    items: tuple[Item, ...]

    @property
    def part(self) -> str:
        return next(item.name for item in self.items if isinstance(item, Part))


Item = Token | Part | Optional_


def parts_of(items: Iterable[Item]) -> list[str]:
    """The names of the parts of a textual form, in order."""
    names: list[str] = []
    for item in items:
        names += [item.name] if isinstance(item, Part) else parts_of(item.items) if isinstance(item, Optional_) else []
    return names


def read_template(template: str) -> tuple[Item, ...]:
    """The items of a textual form."""
    stack: list[list[Item]] = [[]]
    for word in re.findall(r"`[^`]+`|\$\w+|\(|\)\?", template):
        if word == "(":
            stack.append([])
        elif word == ")?":
            group = Optional_(tuple(stack.pop()))
            stack[-1].append(group)
        elif word.startswith("$"):
            stack[-1].append(Part(word[1:]))
        else:
            stack[-1].append(Token(tuple(word[1:-1].split("|"))))
    return tuple(stack[0])


class PartsReader(Protocol):
    """What parts of instructions are read with; `ir/text/parser.py` has it. Values and regions are those of the IR."""

    dialect: Any
    attributes: dict[str, Any]
    """Those of the function."""
    internal: bool
    """Whether the text may have the instructions that passes write."""
    diagnostics: Diagnostics
    scanner: Any

    @property
    def at_definition(self) -> bool: ...
    def at(self, token: str) -> bool: ...
    def accept(self, token: str) -> bool: ...
    def expect(self, token: str) -> None: ...
    def comma_separated(self, read: Callable[[], T], closing: str) -> list[T]: ...
    def fail(self, message: str, rule: Rule = ..., help: str | None = None) -> NoReturn: ...
    def note(self, rule: Rule, message: str, location: Location, help: str | None = None) -> None: ...
    def type(self, default_space: AddressSpace = "global") -> Type: ...
    def integer_type(self) -> ScalarType: ...
    def integer(self) -> int: ...
    def integer_before_times(self) -> int: ...
    def accept_times(self) -> bool: ...
    def literal(self) -> bool | int | float | complex: ...
    def dictionary(self) -> dict[str, Any]: ...
    def string(self) -> str: ...
    def operand(self) -> Any: ...
    def value(self) -> Any: ...
    def local_name(self) -> tuple[str, Location]: ...
    def callee(self) -> Any: ...
    def region(self, kind: Kind, arguments: Sequence[RegionArgument] = ()) -> Any: ...
    def insert(self, operation: Any) -> None: ...


class PartsPrinter(Protocol):
    """What parts of instructions are printed with; `ir/printer.py` has it."""

    def write(self, text: str) -> None: ...
    def type(self, type_: Any) -> None: ...
    def value(self, value: Any) -> None: ...
    def separated(self, items: Iterable[Any], write: Callable[[Any], None]) -> None: ...
    def attributes(self, entries: dict[str, Any]) -> None: ...
    def region(self, region: Any) -> None: ...
