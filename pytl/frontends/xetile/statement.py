"""An operation of the document's dialects with the values of its operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from ...diagnostics import Location, Rule
from ...diagnostics.words import counted
from ...ir.text.rules import SYNTAX
from ...ir.types import UnknownType, index
from ...ir.values import Value
from ...mlir.text import Operation
from ...ops import Constant
from . import rules
from .statement_reader import Item, Written
from .types import shown
from .values import Lowered
from .writer import Handler, Writer

_MAX_ORDERED = 4
"""Of values, whose types are looked for in another order."""


@dataclass
class Statement:
    """An operation with the values of its operands."""

    writer: Writer
    location: Location
    word: str | None
    operands: list[Value]
    attributes: dict[str, Any]
    attribute_locations: dict[str, Location]
    types: list[Any]
    type_locations: list[Location]
    type_texts: list[str]
    result: Any
    result_location: Location | None

    # Reporting.

    def report(self, rule: Rule, message: str, location: Location | None = None, help: str | None = None) -> None:
        self.writer.diagnostics.report(rule, message, location or self.location, help)

    # Asking.

    def operand(self, number: int, kind: Any, what: str) -> Value:
        """An operand, which is of a kind of types; of an unknown type where it is missing or wrong."""
        if number >= len(self.operands):
            self.report(rules.ANNOTATED, f"the {what} is missing")
            return Value(UnknownType())
        value = self.operands[number]
        if not isinstance(value.type, (kind, UnknownType)):
            name = f"%{value.name}" if value.name else "the operand"
            self.report(rules.ANNOTATED, f"{name} is {shown(value.type)}, but must be a {what}")
            return Value(UnknownType())
        return value

    def counted(self, least: int, most: int | None = None) -> bool:
        """Whether there are as many operands; it is reported where not."""
        most = least if most is None else most
        if least <= len(self.operands) <= most:
            return True
        expected = str(least) if least == most else f"{least} to {most}"
        self.report(rules.ANNOTATED, f"{counted(len(self.operands), 'value')} given, and {expected} wanted")
        return False

    def allowed(self, *names: str) -> None:
        """Report attributes that the operation has not."""
        for name in self.attributes:
            if name not in names:
                known = f"it has {', '.join(names)}" if names else "it has none"
                self.report(
                    rules.ATTRIBUTE, f"there is no attribute {name} here", self.attribute_locations[name], known
                )

    def is_known(self) -> bool:
        """Whether the types of all operands are."""
        return not any(isinstance(value.type, UnknownType) for value in self.operands)

    # Types.

    def check_types(self, values: Sequence[Value]) -> None:
        """The types that are written are those of the values, in their order, or in another with a note."""
        types = [value.type for value in values]
        if not self.types or any(isinstance(type_, UnknownType) for type_ in types):
            return
        if len(types) != len(self.types):
            message = f"{counted(len(types), 'value')} given, and {counted(len(self.types), 'type')}"
            self.report(rules.ANNOTATED, message, self.type_locations[0])
            return
        if all(map(self.writer.fits, values, self.types)):
            return
        for order in permutations(values) if len(values) <= _MAX_ORDERED else ():
            if all(map(self.writer.fits, order, self.types)):
                self.report(rules.SPELLING, "the types stand in another order than the values", self.type_locations[0])
                return
        for value, type_, location in zip(values, self.types, self.type_locations):
            self.writer.check_written(value, type_, location)


def of_statements(writers: dict[str, Callable[[Statement], Lowered]]) -> dict[str, Handler]:
    """What writes operations that are statements."""

    def handler(write: Callable[[Statement], Lowered]) -> Handler:
        return lambda writer, op: write(_statement(writer, op))

    return {name: handler(write) for name, write in writers.items()}


def _statement(writer: Writer, op: Operation) -> Statement:
    assert isinstance(op, Written) and op.location is not None
    operands = [value for item in op.items for value in _values(writer, item)]
    types, locations, texts = list(op.operand_types), list(op.type_locations), list(op.type_texts)
    result = op.result_types[0] if op.result_types else None
    return Statement(
        *(writer, op.location, op.word, operands, dict(op.attributes), op.attribute_locations),
        *(types, locations, texts, result, op.result_location),
    )


def _values(writer: Writer, item: Item) -> list[Value]:
    """The values of an operand."""
    if item.number is not None:
        constant = Constant(item.location, [index], literal=item.number)
        writer.insert(constant)
        return [constant.results[0]]
    if item.is_bare:
        word = item.name[1:]
        bare = writer.names.find(item.name)
        if bare is None:
            writer.fail(SYNTAX, f"expected a name such as %x, but found `{word}`", item.location)
        writer.diagnostics.report(rules.SPELLING, f"`%` is missing in front of {word}", item.location)
        return [bare]
    if item.count is None:
        return [writer.value(item.name, item.location)]
    results = [writer.names.find(f"{item.name}#{number}") for number in range(item.count)]
    known = [value for value in results if value is not None]
    if not results or len(known) < len(results):
        writer.fail(rules.ANNOTATED, f"{item.name} was not assigned {item.count} results", item.location)
    return known
