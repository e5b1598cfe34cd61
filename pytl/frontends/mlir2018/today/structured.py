"""Blocks that branch as conditions within each other: for functions whose branches form no loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....analysis.dominators import dominators
from ....mlirtext import Block as TodayBlock
from ....mlirtext import Operation as TodayOperation
from ....mlirtext import Region
from ....mlirtext.types import Scalar
from ..names import successors_of
from ..tree import Block, Function, Instruction, Operation, Successor
from .builder import Builder, NoCounterpart
from .types import today_type

_MOST_BLOCKS = 256
"""The most blocks that are written: one that several others go to may stand in several conditions."""


def structured(
    function: Function, convert: Callable[[Sequence[Instruction]], list[TodayOperation]], builder: Builder
) -> list[TodayOperation]:
    """The body of a function as one block; `convert` gives what instructions become.

    What two branches go to in the end follows the condition, whose results are the block's arguments. Branches that
    form a loop are refused: the language has no loop whose end is found on the way.
    """
    return _Structured(function, convert, builder).body()


class _Structured:
    """Writes the blocks of one function."""

    def __init__(
        self, function: Function, convert: Callable[[Sequence[Instruction]], list[TodayOperation]], builder: Builder
    ) -> None:
        self.function, self.convert, self.builder = function, convert, builder
        self.blocks = function.blocks or []
        self.places = {block.label: number for number, block in enumerate(self.blocks)}
        self.following = successors_of(self.blocks)
        self.written = 0
        self.exit = len(self.blocks)
        self.joins = self._joins()

    def body(self) -> list[TodayOperation]:
        builder = self.builder
        outer, builder.into = builder.into, []
        try:
            names = self._from(0, self.exit)
            builder.add("func.return", names, list(map(today_type, self.function.results)))
        except NoCounterpart:
            builder.add("func.return")
        found, builder.into = builder.into, outer
        return found

    def _joins(self) -> list[int | None]:
        """For each block the nearest one that all ways from it lead to; the function's end counts as one."""
        backward: list[list[int]] = [[] for _ in range(self.exit + 1)]
        for number, following in enumerate(self.following):
            for each in following or [self.exit]:
                backward[self.exit - each].append(self.exit - number)
        return [None if each is None else self.exit - each for each in reversed(dominators(backward))]

    def _has_loop(self) -> bool:
        seen: dict[int, bool] = {}  # whether what follows a block is still looked at
        stack = [(0, iter(self.following[0]))]
        seen[0] = True
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                seen[node] = False
                stack.pop()
            elif following not in seen:
                seen[following] = True
                stack.append((following, iter(self.following[following])))
            elif seen[following]:
                return True
        return False

    def _from(self, number: int, end: int) -> list[str]:
        """Write a block and what follows it up to a block; returns what that one is passed."""
        if number == 0 and self._has_loop():
            raise self.builder.refuse("the blocks branch in a loop", "write the loop as for")
        while True:
            block = self.blocks[number]
            self.written += 1
            if self.written > _MOST_BLOCKS:
                raise self.builder.refuse(f"the blocks become more than {_MOST_BLOCKS} when they are conditions")
            self.builder.into += self.convert(block.instructions[:-1])
            last = block.instructions[-1]
            assert isinstance(last, Operation)
            if last.name == "...":
                self.convert([last])  # which reports that it has no counterpart
                raise NoCounterpart
            self.builder.place = last.location
            if last.name == "return":
                return self.builder.all_used(last.operands)
            if last.name == "br":
                passed, target = self._passed(last.successors[0])
            else:
                passed, target = self._condition(block, last)
            if target == end:
                return passed
            self._bind(target, passed)
            number = target

    def _passed(self, successor: Successor) -> tuple[list[str], int]:
        return self.builder.all_used(successor.uses), self.places[successor.label]

    def _bind(self, number: int, passed: Sequence[str]) -> None:
        for argument, name in zip(self.blocks[number].arguments, passed):
            self.builder.results[id(argument)] = [name]

    def _condition(self, block: Block, last: Operation) -> tuple[list[str], int]:
        """A condition of two branches, up to the block where they meet; its results, and that block."""
        builder = self.builder
        meeting = self.joins[self.places[block.label]]
        assert meeting is not None
        if meeting == self.exit:
            types = list(map(today_type, self.function.results))
        else:
            types = [today_type(each.types[0]) for each in self.blocks[meeting].arguments]
        condition = builder.all_used(last.operands)
        place = last.location
        regions = []
        for successor in last.successors:
            outer, builder.into = builder.into, []
            passed, target = self._passed(successor)
            if target != meeting:
                self._bind(target, passed)
                passed = self._from(target, meeting)
            builder.place = place
            builder.add("scf.yield", passed, types)
            regions.append(Region([TodayBlock("", [], builder.into)]))
            builder.into = outer
        results = [builder.fresh("joined") for _ in types]
        builder.add("scf.if", condition, [Scalar("i1")], results, types, {}, regions)
        return results, meeting
