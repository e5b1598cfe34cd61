"""Functions on tensors as several kernels that are launched one behind the other.

Work-groups do not wait for each other, so one kernel is dealt out to them only if each can execute all operations for
its own tile. Where this is not so, as of a reduction to a number whose value others need, operations are taken
together as long as they are dealt out, or are too short for it. What lies between two kernels is in memory that a
launch passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ....mlir.text import Block, Function, Memref, Operation, Region
from ....mlir.text import Type as MlirType
from ....process.records import dataclass
from ..structured import Structured
from ..table import having
from .bufferization import Bufferized, Made, Step
from .partial import by_partial_results

MAX_OPERATIONS = 32
"""Of a function that is divided, since each of its prefixes is tried."""
_PLAIN = ("arith.", "index.", "affine.apply", "affine.min", "affine.max", "complex.", "math.")
_VIEWS = having("view") | {"memref.dim", "memref.get_global"}
_SHORT = frozenset(("memref.load", "memref.store"))


@dataclass(frozen=True)
class Found:
    """What is known of operations that were written as a kernel."""

    function: object
    grid: str
    is_dealt_out: bool
    is_short: bool
    """Whether they are too short to be dealt out."""
    structured: Sequence[Structured]


Write = Callable[[Operation, bool], Found]
"""Writes operations as a kernel; or finds what is known of them alone, without what work-groups execute."""


class _Division:
    """Divides the operations of one function."""

    def __init__(self, bufferized: Bufferized, write: Write) -> None:
        self.function = bufferized.function
        self.write = write
        block = self.function.regions[0].blocks[0]
        self.parameters: dict[str, MlirType] = dict(block.arguments)
        *self.operations, self.last = block.operations
        self.made: list[Made] = []
        self.plain: dict[str, Operation] = {}
        self.allocations: dict[str, Operation] = {}
        """What gives a number or a part of memory, and may be repeated."""
        self.effects: list[Operation] = []
        self.places: dict[int, int] = {}
        for number, op in enumerate(self.operations):
            self.places[id(op)] = 8 * number
            if op.name == "memref.alloca":
                self.allocations[op.results[0]] = op
            elif self._may_be_repeated(op, self.operations[number:]):
                self.plain.update((name, op) for name in op.results)
            else:
                self.effects.append(op)
        self._found: dict[tuple[int, ...], Found] = {}
        self._kept: list[Operation] = []

    def steps(self) -> tuple[Step, ...]:
        """The kernels; none where nothing of it is dealt out."""
        loaded = {name for op in self.effects for name in op.results}
        is_apart = not any(name in loaded for op in self.plain.values() for name in op.operands)
        if not 1 <= len(self.effects) <= MAX_OPERATIONS or not is_apart:
            return ()
        effects: list[Operation] = []
        for op in self.effects:
            *first, last = self._with_partial_results(op)
            # what the result begins with is written behind the partial results, by who joins them
            fill = effects[-1:] if effects and effects[-1].name == "linalg.fill" else []
            if fill and fill[0].operands[-1:] == op.operands[-1:]:
                effects[-1:] = [*first, *fill, last]
            else:
                effects += [*first, last]
        groups = self._groups(effects)
        if not any(self._of(group).is_dealt_out for group in groups):
            return ()
        # local memory that several kernels use is passed
        for name, op in self.allocations.items():
            if sum(name in self._needed(group) for group in groups) > 1:
                self._pass(name, op.result_types[0])
        steps = []
        for group in groups:
            found, operations = self.write(self._kernel(group), True), self._needed(group)
            names = tuple(name for name in self.parameters if name in operations)
            steps.append(Step(found.function, names, found.grid))
        return tuple(steps)

    def _may_be_repeated(self, op: Operation, behind: Sequence[Operation]) -> bool:
        """Whether an operation gives the same wherever it stands behind its place."""
        if op.name == "memref.load":
            root = self._root(op.operands[0])
            return not any(root in map(self._root, _written(each)) for each in behind)
        return not op.regions and (op.name in _VIEWS or op.name.startswith(_PLAIN))

    def _root(self, name: str) -> str:
        """What was passed or allocated."""
        while (op := self.plain.get(name)) is not None and op.name in _VIEWS and op.operands:
            name = op.operands[0]
        return name

    # Groups.

    def _groups(self, effects: Sequence[Operation]) -> list[list[Operation]]:
        groups: list[list[Operation]] = []
        for op in effects:
            if groups and self._fits(groups[-1], op):
                groups[-1].append(op)
            else:
                groups.append([op])
        return groups

    def _fits(self, group: list[Operation], op: Operation) -> bool:
        if any(name in each.results for each in group for name in _used(op)):
            return True  # a number that was loaded
        both, alone = self._of([*group, op]), self._of(group)
        if both.is_dealt_out or both.is_short:
            return True
        return not alone.is_dealt_out and not self._of([op]).is_dealt_out

    def _of(self, group: Sequence[Operation]) -> Found:
        key = tuple(id(op) for op in group)
        if key not in self._found:
            self._found[key] = self.write(self._kernel(group), False)
            rest = [op for op in group if op.name not in _SHORT]
            if len(rest) < len(group) and (not rest or self._of(rest).is_short):
                self._found[key] = replace(self._found[key], is_short=True)
        return self._found[key]

    def _needed(self, group: Sequence[Operation]) -> dict[str, Operation | None]:
        """The names that operations use from outside, with what gives them; parameters have nothing."""
        own = {name for op in group for name in op.results}
        needed: dict[str, Operation | None] = {}
        todo = [name for op in group for name in _used(op)]
        while todo:
            name = todo.pop()
            if name in needed or name in own:
                continue
            giver = None if name in self.parameters else self.plain.get(name, self.allocations.get(name))
            if giver is None and name not in self.parameters:
                continue
            needed[name] = giver
            todo += giver.operands if giver is not None else ()
        return needed

    def _kernel(self, group: Sequence[Operation]) -> Operation:
        """A function of some operations, and of what they need."""
        needed = self._needed(group)
        givers = {id(op) for op in needed.values() if op is not None}
        before = [op for op in self.operations if id(op) in givers]
        operations = sorted([*before, *group], key=lambda op: self.places[id(op)])
        arguments = [(name, type_) for name, type_ in self.parameters.items() if name in needed]
        location = self.function.location
        body = Block("", arguments, [*operations, self.last], [location] * len(arguments) if location else [])
        type_ = Function(tuple(type_ for _, type_ in arguments), ())
        attributes = {**self.function.attributes, "function_type": type_}
        return replace(self.function, attributes=attributes, regions=[Region([body])])

    def _pass(self, name: str, type_: MlirType) -> None:
        """Let a launch pass memory."""
        assert isinstance(type_, Memref)
        sizes = tuple(size for size in type_.shape if size is not None)
        self.made.append(Made(name, type_, sizes))
        self.parameters[name] = type_

    # Reductions.

    def _with_partial_results(self, op: Operation) -> list[Operation]:
        """A reduction to few numbers as one to partial results, and one of these."""
        if not op.name.startswith("linalg."):
            return [op]
        found = self._of([op])
        if found.is_dealt_out or found.is_short or len(found.structured) != 1:
            return [op]
        (whole,), output = found.structured, op.operands[-1]
        made = by_partial_results(op, whole, f"{output}_partial_{len(self.made)}")
        if made is None:
            return [op]
        self._pass(made[-1].operands[0], made[-1].operand_types[0])
        self.places.update((id(each), self.places[id(op)] + n - 1) for n, each in enumerate(made))
        self._kept += made
        return list(made)


def _written(op: Operation) -> list[str]:
    """The memory that an operation may write, by its names."""
    if op.name == "memref.store":
        return [op.operands[1]]
    if op.name == "memref.load" or op.name in _VIEWS:
        return []
    inner = list(op.walk())
    if op.name.startswith("linalg.") and not any(each.name == "memref.store" for each in inner):
        segments = op.attributes.get("operandSegmentSizes")
        return op.operands[segments[0] :] if isinstance(segments, tuple) else op.operands[-1:]
    return [name for each in inner for name in each.operands]


def _used(op: Operation) -> list[str]:
    own = {name for inner in op.walk() for name in inner.results}
    own |= {name for inner in op.walk() for r in inner.regions for b in r.blocks for name, _ in b.arguments}
    return [name for inner in op.walk() for name in inner.operands if name not in own]


def divided(bufferized: Bufferized, write: Write) -> Bufferized:
    """The same with the kernels that a launch executes one behind the other, where this deals out more of it."""
    division = _Division(bufferized, write)
    steps = division.steps()
    if not steps:
        return bufferized
    grid = ", then ".join(each.grid for each in steps)
    return replace(bufferized, steps=steps, between=tuple(division.made), grid=grid)
