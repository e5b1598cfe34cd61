"""Builds operations of today's MLIR at one place of a function after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ....diagnostics import Diagnostics, Location, Rule
from ....mlir.affine import AffineMap, Constant, Expression, Symbol
from ....mlir.text import Operation, Region
from ....mlir.text.tree import DYNAMIC
from ....mlir.text.types import INDEX, Type
from .. import rules
from ..tree import Use


class NoCounterpart(Exception):
    """An instruction that has none; it has been reported."""


class Builder:
    """Appends operations to a list, with names that nothing else has."""

    def __init__(self, names: set[str], diagnostics: Diagnostics, is_executed: bool = False) -> None:
        self.names = names
        self.diagnostics = diagnostics
        self.is_executed = is_executed
        """Whether pytl executes what is built: then it has what a kernel can do, and no more."""
        self.into: list[Operation] = []
        self.results: dict[int, list[str]] = {}
        """By the identity of a value, what its results are called where each has a name of its own."""
        self.location: Location | None = None
        """Where the instruction stands that is converted."""

    def refuse(self, message: str, help: str | None = None) -> NoCounterpart:
        """Report what has no counterpart; the caller raises what is returned."""
        self.diagnostics.report(rules.NO_COUNTERPART, message, self.location, help)
        return NoCounterpart()

    def note(self, rule: Rule, message: str) -> None:
        self.diagnostics.report(rule, message, self.location)

    def fresh(self, hint: str) -> str:
        """A name that no value has, with its sign; a number is one name with nothing behind it."""
        hint = f"v{hint}" if hint[0].isdigit() else hint
        name, number = hint, 0
        while name in self.names:
            name, number = f"{hint}_{number}", number + 1
        self.names.add(name)
        return f"%{name}"

    def name_of(self, use: Use) -> str:
        """What a used value is called."""
        number = use.number or 0
        if use.value is not None and id(use.value) in self.results:
            return self.results[id(use.value)][number]
        if use.value is not None and len(use.value.types) > 1:
            return f"%{use.name}#{number}"
        return f"%{use.name}"

    def names_of(self, uses: Sequence[Use]) -> list[str]:
        return list(map(self.name_of, uses))

    def add(
        self,
        name: str,
        operands: Sequence[str] = (),
        operand_types: Sequence[Type] = (),
        results: Sequence[str] = (),
        result_types: Sequence[Type] = (),
        attributes: dict[str, Any] | None = None,
        regions: Sequence[Region] = (),
        successors: Sequence[str] = (),
    ) -> Operation:
        """Append an operation."""
        made = Operation(
            *(name, list(operands), list(results), list(operand_types), list(result_types)),
            *(attributes or {}, list(regions), list(successors)),
        )
        made.location = self.location
        made.origin = (self.location.line, self.location.column) if self.location else None
        self.into.append(made)
        return made

    def value(
        self,
        hint: str,
        name: str,
        operands: Sequence[str],
        operand_types: Sequence[Type],
        type_: Type,
        attributes: dict[str, Any] | None = None,
    ) -> str:
        """Append an operation with one result, and return the result's name."""
        result = self.fresh(hint)
        self.add(name, operands, operand_types, [result], [type_], attributes)
        return result

    def constant(self, value: int) -> str:
        """An index; raises `NoCounterpart` for one of more than 64 bits."""
        if not -(1 << 63) <= value < 1 << 63:
            raise self.refuse("a size, stride or offset has more than 64 bits")
        return self.value(f"c{value}".replace("-", "m"), "arith.constant", (), (), INDEX, {"value": value})

    def number(self, size: int | str) -> str:
        """A size as a value."""
        return self.constant(size) if isinstance(size, int) else size

    def applied(self, expression: Expression, symbols: int, operands: Sequence[str]) -> int | str:
        """The value of an expression in symbols: a number, or the name of what is computed."""
        if isinstance(expression, Constant):
            return expression.value
        if isinstance(expression, Symbol):
            return operands[expression.position]
        map_ = AffineMap((), tuple(f"s{n}" for n in range(symbols)), (expression,))
        return self.value(
            "a", "affine.apply", operands, [INDEX] * len(operands), INDEX, {"map": replace(map_, sizes=None)}
        )

    def product(self, sizes: Sequence[int | str]) -> int | str:
        """The product of numbers and values."""
        known = 1
        names: list[str] = []
        for each in sizes:
            if isinstance(each, int):
                known *= each
            else:
                names.append(each)
        if not names:
            return known
        total = names[0]
        for other in [*names[1:], *([self.constant(known)] if known != 1 else [])]:
            total = self.value("p", "arith.muli", (total, other), (INDEX, INDEX), INDEX)
        return total

    def sum(self, left: int | str, right: int | str) -> int | str:
        """The sum of two numbers or values."""
        if isinstance(left, int) and isinstance(right, int):
            return left + right
        if 0 in (left, right):
            return right if left == 0 else left
        return self.value("t", "arith.addi", (self.number(left), self.number(right)), (INDEX, INDEX), INDEX)

    def value_with_lists(
        self, name: str, source: str, type_: Type, lists: Mapping[str, Sequence[int | str]], made: Type, hint: str
    ) -> str:
        """An operation on a memref with lists of numbers and values, such as memref.subview."""
        operands, counts, attributes = [source], [1], {}
        for key, entries in lists.items():
            dynamic = [each for each in entries if isinstance(each, str)]
            attributes[f"static_{key}"] = tuple(each if isinstance(each, int) else DYNAMIC for each in entries)
            operands += dynamic
            counts.append(len(dynamic))
        types = [type_, *[INDEX] * (len(operands) - 1)]
        return self.value(hint, name, operands, types, made, {"operandSegmentSizes": tuple(counts), **attributes})
