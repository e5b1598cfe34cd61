"""What a text of MLIR consists of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .types import Type


@dataclass
class Block:
    """A block: names and types of its arguments, and operations."""

    label: str
    arguments: list[tuple[str, Type]] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)


@dataclass
class Region:
    """The blocks of a region."""

    blocks: list[Block] = field(default_factory=list)


@dataclass
class Operation:
    """An operation. Properties and attributes are in one table, by name.

    An attribute is a number, a truth value, a text, a tuple of attributes, a dictionary, a
    `pytl.mlirtext.reader.Dense`, or `Raw`, the text of what belongs to a dialect; True stands for an attribute without
    a value.
    """

    name: str
    operands: list[str]
    results: list[str]
    operand_types: list[Type]
    result_types: list[Type]
    attributes: dict[str, Any]
    regions: list[Region]
    successors: list[str]
    location: tuple[int, int] | None = None
    """Line and column: by its `loc`, which leads into the text from which MLIR made this one, or in this text."""

    def walk(self) -> Iterator[Operation]:
        """This operation, and those in its regions."""
        yield self
        for region in self.regions:
            for block in region.blocks:
                for operation in block.operations:
                    yield from operation.walk()
