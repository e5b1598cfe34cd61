"""Which value each use of a name is: scopes, dominance, and what dimensions and symbols may be bound to."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from ...diagnostics import Diagnostics
from ...passes.analysis.dominators import dominators
from . import rules
from .tree import Block, For, Function, Instruction, Operation, Use, Value, bodies, uses_of
from .types import Unknown

_MAX_SEARCHES = 20  # for names like an undefined one: each looks at every name


def resolve(function: Function, diagnostics: Diagnostics) -> None:
    """Give each use its value, and report names that stand for none or several."""
    if function.blocks:
        _Resolver(function, function.blocks, diagnostics).run()


def successors_of(blocks: Sequence[Block]) -> list[list[int]]:
    """The blocks that each block goes to, by their places."""
    places = {block.label: n for n, block in reversed(list(enumerate(blocks))) if block.label is not None}
    return [
        sorted(
            {
                places[successor.label]
                for each in block.instructions
                if isinstance(each, Operation)
                for successor in each.successors
                if successor.label in places
            }
        )
        for block in blocks
    ]


class _Resolver:
    """Walks over one function."""

    def __init__(self, function: Function, blocks: list[Block], diagnostics: Diagnostics) -> None:
        self.function, self.blocks, self.diagnostics = function, blocks, diagnostics
        self.top: dict[str, tuple[Value, int, int]] = {}
        """Values of the function's blocks, with block and place; arguments are in front of all places."""
        self.scopes: list[dict[str, Value]] = []
        self.dominators = dominators(successors_of(blocks))
        self.searches = 0

    def run(self) -> None:
        for argument in self.function.arguments:
            self._define_top(argument, 0, -1)
        for number, block in enumerate(self.blocks):
            for argument in block.arguments:
                self._define_top(argument, number, -1)
            for place, each in enumerate(block.instructions):
                if isinstance(each, Operation) and each.result:
                    self._define_top(each.result, number, place)
        for number, block in enumerate(self.blocks):
            for place, each in enumerate(block.instructions):
                self._instruction(each, number, place)

    def _define_top(self, value: Value, block: int, place: int) -> None:
        value.is_symbol = value.is_dimension = True
        if value.name in self.top:
            self._report_twice(value, self.top[value.name][0])
        else:
            self.top[value.name] = value, block, place

    def _report_twice(self, value: Value, before: Value) -> None:
        where = f" in line {before.location.line}" if before.location else ""
        message = f"%{value.name} is already defined{where}"
        self.diagnostics.report(rules.REDEFINED, message, value.location, "choose another name")

    def _instruction(self, given: Instruction, block: int, place: int) -> None:
        for use in uses_of(given):
            self._use(use, block, place)
        if isinstance(given, Operation):
            self._mark(given)
        for body in bodies(given):
            self.scopes.append({})
            if isinstance(given, For):
                given.variable.is_dimension = True
                self._define(given.variable, block, place)
            for each in body:
                self._instruction(each, block, place)
                if isinstance(each, Operation) and each.result:
                    self._define(each.result, block, place)
            self.scopes.pop()

    def _mark(self, given: Operation) -> None:
        """What the result of an operation in a loop or condition may be bound to."""
        if not given.result or not self.scopes:
            return
        if given.name == "constant":
            given.result.is_symbol = given.result.is_dimension = True
        elif given.name == "affine_apply":
            given.result.is_dimension = True
            given.result.is_symbol = all(use.value is None or use.value.is_symbol for use in given.operands)

    def _define(self, value: Value, block: int, place: int) -> None:
        known = next((scope[value.name] for scope in self.scopes if value.name in scope), None)
        if known is None and value.name in self.top and self._is_visible(value.name, block, place):
            known = self.top[value.name][0]
        if known is not None:
            self._report_twice(value, known)
        self.scopes[-1][value.name] = value

    def _is_visible(self, name: str, block: int, place: int) -> bool:
        _, of, at = self.top[name]
        if of == block:
            return at < place
        node = self.dominators[block]
        if node is None:
            return True  # nothing leads there, and all dominates it
        while node != of and node != 0:
            node = self.dominators[node] or 0
        return node == of

    def _use(self, use: Use, block: int, place: int) -> None:
        for scope in reversed(self.scopes):
            if use.name in scope:
                use.value = scope[use.name]
                break
        else:
            if use.name not in self.top:
                message = f"%{use.name} is not defined here"
                self.diagnostics.report(rules.UNDEFINED, message, use.location, self._similar(use.name))
                return
            use.value = self.top[use.name][0]
            if not self._is_visible(use.name, block, place):
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

    def _similar(self, name: str) -> str | None:
        if self.searches == _MAX_SEARCHES:
            return None
        self.searches += 1
        found = get_close_matches(name, [*self.top, *(each for scope in self.scopes for each in scope)], n=1)
        return f"did you mean %{found[0]}?" if found else None
