"""What a text of the document consists of: definitions, functions, blocks, instructions, uses of values.

Trees are equal where their texts say the same: places, names of aliases and the form that an operation is written in
don't count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import Any

from ...diagnostics import Location
from ...mlir.affine import AffineMap, IntegerSet
from ...process.records import dataclass
from .types import MapUse, SetUse, Type


@dataclass
class Value:
    """A definition: an argument, or the results that an instruction gives under one name."""

    name: str
    types: list[Type]
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)
    is_symbol: bool = field(default=False, compare=False, repr=False, kw_only=True)
    """Whether a symbol may be bound to it, as far as its definition tells."""
    is_dimension: bool = field(default=False, compare=False, repr=False, kw_only=True)
    """Whether a dimension may be bound to it."""


@dataclass
class Use:
    """A use of a value: `%x`, or `%x#1` for one of several results."""

    name: str
    number: int | None = None
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)
    value: Value | None = field(default=None, compare=False, repr=False, kw_only=True)
    """What it stands for, once names are resolved."""

    def __str__(self) -> str:
        return f"%{self.name}" if self.number is None else f"%{self.name}#{self.number}"

    @property
    def type(self) -> Type | None:
        """The type of the value; None where that is not known."""
        number = self.number or 0
        return self.value.types[number] if self.value and number < len(self.value.types) else None


@dataclass(frozen=True)
class Number:
    """A number as an attribute; the type is None where none is written."""

    value: int | float
    type: Type | None = None


@dataclass(frozen=True)
class FunctionName:
    """A function as an attribute."""

    name: str
    type: Type | None = None


Attribute = bool | str | Number | FunctionName | MapUse | Type | tuple[Any, ...]
"""The value of an attribute; a tuple has attributes."""


@dataclass
class Successor:
    """A block that a terminator goes to, and what it passes."""

    label: str
    uses: list[Use] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass
class Operation:
    """An operation. `groups` says how many operands stand in each of the lists of the custom form."""

    name: str
    operands: list[Use] = field(default_factory=list)
    operand_types: list[Type] = field(default_factory=list)
    result: Value | None = None
    result_types: list[Type] = field(default_factory=list)
    attributes: dict[str, Attribute] = field(default_factory=dict)
    successors: list[Successor] = field(default_factory=list)
    groups: tuple[int, ...] = ()
    is_generic: bool = field(default=False, compare=False)
    """Whether it is written in the generic form, with its name in quotes."""
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)

    def group(self, number: int) -> list[Use]:
        """The operands of one list."""
        start = sum(self.groups[:number])
        return self.operands[start : start + self.groups[number]]


@dataclass
class Bound:
    """A bound of a loop: the results of a map, of which the greatest or least counts."""

    map: MapUse
    dimensions: list[Use] = field(default_factory=list)
    symbols: list[Use] = field(default_factory=list)
    has_word: bool = False
    """Whether `max` or `min` is written in front."""
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass
class For:
    """A loop over a half-open range."""

    variable: Value
    lower: Bound
    upper: Bound
    step: int
    body: list[Instruction]
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass
class Condition:
    """An integer set and what it is applied to."""

    set: SetUse
    dimensions: list[Use]
    symbols: list[Use]
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass
class If:
    """Conditions, each with what is done where it is the first one that holds, and what is done else."""

    clauses: list[tuple[Condition, list[Instruction]]]
    otherwise: list[Instruction] | None = None
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)


Instruction = Operation | For | If


@dataclass
class Block:
    """A block; the first one of a function may be without a label."""

    label: str | None
    arguments: list[Value]
    instructions: list[Instruction]
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass
class Function:
    """A function; without blocks it is defined elsewhere."""

    name: str
    inputs: list[Type]
    results: list[Type]
    arguments: list[Value]
    """Those with names in the signature: all, or none."""
    attributes: dict[str, Attribute]
    blocks: list[Block] | None
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)
    end: Location | None = field(default=None, compare=False, repr=False, kw_only=True)
    """The closing brace."""
    is_closed: bool = field(default=True, compare=False, repr=False, kw_only=True)
    """Whether the braces of its body are."""

    @property
    def entry_arguments(self) -> list[Value]:
        """The arguments by which the body knows the inputs."""
        if self.arguments or not self.blocks:
            return self.arguments
        return self.blocks[0].arguments


@dataclass
class Definition:
    """A name for a map, a set (`#name`) or a type (`!name`)."""

    name: str
    value: AffineMap | IntegerSet | Type
    location: Location | None = field(default=None, compare=False, repr=False, kw_only=True)


@dataclass
class Module:
    """A text."""

    definitions: list[Definition] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)


def bodies(instruction: Instruction) -> list[list[Instruction]]:
    """The lists of instructions within an instruction."""
    if isinstance(instruction, For):
        return [instruction.body]
    if isinstance(instruction, If):
        nested = [body for _, body in instruction.clauses]
        return nested if instruction.otherwise is None else [*nested, instruction.otherwise]
    return []


def uses_of(instruction: Instruction) -> list[Use]:
    """The values that an instruction uses, those within it apart."""
    if isinstance(instruction, For):
        return [use for each in (instruction.lower, instruction.upper) for use in (*each.dimensions, *each.symbols)]
    if isinstance(instruction, If):
        return [use for each, _ in instruction.clauses for use in (*each.dimensions, *each.symbols)]
    return [*instruction.operands, *(use for each in instruction.successors for use in each.uses)]


def walk(instructions: Sequence[Instruction]) -> Iterator[Instruction]:
    """The instructions, and those within them."""
    for each in instructions:
        yield each
        for body in bodies(each):
            yield from walk(body)
