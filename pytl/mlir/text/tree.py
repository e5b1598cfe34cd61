"""What a text of MLIR consists of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from ...diagnostics import Location
from ...process.records import dataclass
from .types import Type

DYNAMIC = -(1 << 63)
"""What stands in a list of numbers for a number that is an operand."""

PARENT = "parent"
"""The entry of an attribute in front of those that have names."""


@dataclass(frozen=True)
class Raw:
    """An attribute of a dialect, by its text.

    `#vector.kind<add>` has the name `#vector.kind` and the words `("add",)`; `#xegpu.layout<order = [1, 0]>` has
    entries.
    """

    text: str
    name: str = field(default="", compare=False)
    words: tuple[str, ...] = field(default=(), compare=False)
    entries: Mapping[str, Any] = field(default_factory=dict, compare=False)


def of_dialect(name: str, *words: str) -> Raw:
    """An attribute of a dialect.

    >>> of_dialect("vector.kind", "add").text
    '#vector.kind<add>'
    """
    return Raw(f"#{name}<{' '.join(words)}>", f"#{name}", words)


MALFORMED = (
    *(ArithmeticError, AssertionError, AttributeError, IndexError, KeyError, MemoryError, TypeError, ValueError),
)
"""What Python raises in a handler where an operation is not as its dialect defines it."""


@dataclass(frozen=True)
class Broken:
    """An attribute that could not be read, which has been reported."""


def has_broken(attribute: Any) -> bool:
    """Whether an attribute, or one that it is made of, could not be read."""
    if isinstance(attribute, Mapping):
        attribute = tuple(attribute.values())
    return isinstance(attribute, Broken) or (isinstance(attribute, (tuple, list)) and any(map(has_broken, attribute)))


@dataclass(frozen=True)
class Dense:
    """The elements of `dense<…>`: one for all, or nested tuples."""

    values: Any
    type: Type


@dataclass
class Block:
    """A block: names and types of its arguments, and operations."""

    label: str
    arguments: list[tuple[str, Type]] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    locations: list[Location] = field(default_factory=list)
    """Where its arguments stand, where that is known."""
    comments: Sequence[str] = field(default=(), compare=False)
    """Lines that are written at its end."""


@dataclass
class Region:
    """The blocks of a region."""

    blocks: list[Block] = field(default_factory=list)


@dataclass(slots=True)
class Operation:
    """An operation. Properties and attributes are in one table, by name, whichever form the text has.

    An attribute is a number, a truth value, a text, a tuple of attributes, a dictionary, a `Dense`, a type, an affine
    map or an integer set of `pytl.mlir.affine`, a `Strided` layout, or `Raw`, the text of what belongs to a dialect;
    True stands for an attribute without a value.
    """

    name: str
    operands: list[str]
    results: Sequence[str]
    operand_types: list[Type]
    result_types: list[Type]
    attributes: dict[str, Any]
    regions: Sequence[Region] = ()
    successors: Sequence[str] = ()
    origin: tuple[int, int] | None = None
    """Line and column: by its `loc`, which leads into the text from which MLIR made this one, or in this text."""
    location: Location | None = None
    """Where it stands in this text."""
    operand_spans: dict[str, tuple[int, int]] | None = field(default=None, compare=False, repr=False)
    """Where each operand first stands, as far as that is known: begin and end in the text."""
    is_broken: bool = False
    """Whether it could not be read, which has been reported: nothing but its results' names is known."""
    comments: Sequence[str] = field(default=(), compare=False)
    """Lines that are written above it, of the user's text as a rule."""
    made_of: str = field(default="", compare=False)
    """The name of the operation in the user's text, where this one stands for a part of it."""

    @property
    def callee(self) -> str:
        """The function that a `func.call` names; "" for any other operation."""
        return str(self.attributes.get("callee", "")).removeprefix("@") if self.name == "func.call" else ""

    def word_of(self, name: str, words: Sequence[str] = ()) -> str:
        """The word of an attribute: `slt`, `#gpu<dim x>` or `#vector.kind<add>`, or the number of one of `words`; ""
        where there is none."""
        value = self.attributes.get(name)
        if isinstance(value, Raw):
            return value.words[-1] if value.words else ""
        if isinstance(value, int) and not isinstance(value, bool):
            return words[value] if 0 <= value < len(words) else ""
        return value if isinstance(value, str) else ""

    def location_of(self, operand: str) -> Location | None:
        """Where an operand stands; the place of the operation where that is not known."""
        if self.location is None or self.operand_spans is None or operand not in self.operand_spans:
            return self.location
        return self.location.source.location(*self.operand_spans[operand])

    def walk(self) -> Iterator[Operation]:
        """This operation, and those in its regions."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for operation in block.operations:
                    yield from operation.walk()
