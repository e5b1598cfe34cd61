"""Which value each use of a name is: scopes, dominance, and what dimensions and symbols may be bound to."""

from __future__ import annotations

from collections.abc import Sequence

from ...diagnostics import Diagnostics
from ...ir.text.scopes import Scopes
from ...passes.analysis.dominators import dominators
from . import rules
from .tree import Block, For, Function, Instruction, Operation, Use, Value, bodies, uses_of
from .types import Unknown


def resolve(function: Function, diagnostics: Diagnostics) -> None:
    """Give each use its value, and report names that stand for none or several."""
    if function.blocks:
        _Resolver(function, function.blocks, diagnostics).run()


def successors_of(blocks: Sequence[Block]) -> list[list[int]]:
    """The blocks that each block goes to, by their places."""
    numbers = {block.label: n for n, block in reversed(list(enumerate(blocks))) if block.label is not None}
    return [
        sorted(
            {
                numbers[successor.label]
                for each in block.instructions
                if isinstance(each, Operation)
                for successor in each.successors
                if successor.label in numbers
            }
        )
        for block in blocks
    ]


class _Resolver:
    """Walks over one function."""

    def __init__(self, function: Function, blocks: list[Block], diagnostics: Diagnostics) -> None:
        self.function, self.blocks, self.diagnostics = function, blocks, diagnostics
        self.names = Scopes[Value](diagnostics, rules.UNDEFINED, rules.REDEFINED)
        """Values of the function's blocks, and of the loops and conditions around what is looked at."""
        self.positions: dict[int, tuple[int, int]] = {}
        """Block and place of the values of blocks, by their identity; arguments are in front of all places."""
        self.dominators = dominators(successors_of(blocks))

    def run(self) -> None:
        for argument in self.function.arguments:
            self._define_top(argument, 0, -1)
        for number, block in enumerate(self.blocks):
            for argument in block.arguments:
                self._define_top(argument, number, -1)
            for position, each in enumerate(block.instructions):
                if isinstance(each, Operation) and each.result:
                    self._define_top(each.result, number, position)
        for number, block in enumerate(self.blocks):
            for position, each in enumerate(block.instructions):
                self._instruction(each, number, position)

    def _define_top(self, value: Value, block: int, position: int) -> None:
        value.is_symbol = value.is_dimension = True
        before = self.names.find(value.name)
        if before is not None:
            self.names.report_twice(value.name, value.location, before.location)
        else:
            self.names.bind(value.name, value, value.location)
            self.positions[id(value)] = block, position

    def _instruction(self, instruction: Instruction, block: int, position: int) -> None:
        for use in uses_of(instruction):
            self._use(use, block, position)
        if isinstance(instruction, Operation):
            self._mark(instruction)
        for body in bodies(instruction):
            with self.names.inner():
                if isinstance(instruction, For):
                    instruction.variable.is_dimension = True
                    self._define(instruction.variable, block, position)
                for each in body:
                    self._instruction(each, block, position)
                    if isinstance(each, Operation) and each.result:
                        self._define(each.result, block, position)

    def _mark(self, operation: Operation) -> None:
        """What the result of an operation in a loop or condition may be bound to."""
        if not operation.result or self.names.depth == 1:
            return
        if operation.name == "constant":
            operation.result.is_symbol = operation.result.is_dimension = True
        elif operation.name == "affine_apply":
            operation.result.is_dimension = True
            operation.result.is_symbol = all(use.value is None or use.value.is_symbol for use in operation.operands)

    def _define(self, value: Value, block: int, position: int) -> None:
        known = self.names.find(value.name)
        if known is not None and self._dominates(known, block, position):
            self.names.report_twice(value.name, value.location, known.location)
        self.names.bind(value.name, value, value.location)

    def _dominates(self, value: Value, block: int, position: int) -> bool:
        """Whether the definition of a value that has been found dominates a place of a block."""
        of, at = self.positions.get(id(value), (block, -1))  # one within a loop or condition is visible in it alone
        if of == block:
            return at < position
        node = self.dominators[block]
        if node is None:
            return True  # nothing leads there, and all dominates it
        while node != of and node != 0:
            node = self.dominators[node] or 0
        return node == of

    def _use(self, use: Use, block: int, position: int) -> None:
        use.value = self.names.find(use.name)
        if use.value is None:
            self.names.report_undefined(use.name, use.location)
            return
        if not self._dominates(use.value, block, position):
            message = f"%{use.name} is used where its definition does not dominate"
            self.diagnostics.report(rules.DOMINANCE, message, use.location)
        self._check_number(use, use.value)

    def _check_number(self, use: Use, value: Value) -> None:
        count = len(value.types)
        if isinstance(value.types[0] if value.types else None, Unknown):
            return
        if use.number is None and count > 1:
            message = f"%{use.name} stands for {count} results"
            self.diagnostics.report(rules.RESULT, message, use.location, f"write %{use.name}#0 for the first one")
        elif use.number is not None and use.number >= count:
            message = f"%{use.name} has {count} results, and no result {use.number}"
            self.diagnostics.report(rules.RESULT, message, use.location)
