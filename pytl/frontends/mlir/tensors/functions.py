"""Functions before they get memory: calls inlined, each value with a name of its own, and where it is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....diagnostics import Diagnostics
from ....mlir.text import Block, Function, Operation, Region, Tensor
from .. import rules
from ..branches import Unstructured, one_block
from ..context import Refused
from ..table import having
from ..types import is_unranked, ranked_by_casts

MAX_CALLS = 32
_ONCE = having("branch")
"""Operations whose regions are executed at most once."""


def has_tensors(op: Operation) -> bool:
    """Whether tensors are in an operation or its regions."""
    return any(
        isinstance(type_, Tensor)
        for inner in op.walk()
        for type_ in (*inner.operand_types, *inner.result_types, *_arguments(inner))
    )


def _arguments(op: Operation) -> list[object]:
    return [type_ for region in op.regions for block in region.blocks for _, type_ in block.arguments]


def with_ranks(function: Operation) -> Operation:
    """A function, in which no name is given twice, whose tensors have the ranks that they are cast from or to."""
    (block,), type_ = function.regions[0].blocks, function.attributes.get("function_type")
    if not isinstance(type_, Function) or not any(is_unranked(of) for op in function.walk() for of in _types(op)):
        return function
    known = {name: ranked_by_casts(block, name) or of for name, of in block.arguments}
    for op in function.walk():
        if op.name == "tensor.cast" and is_unranked(op.result_types[0]):
            op.result_types = [known.get(op.operands[0], op.operand_types[0])]
        known.update(zip(op.results, op.result_types))
    arguments = [(name, known[name] if is_unranked(of) else of) for name, of in block.arguments]
    given = [*(block.operations[-1].operands if block.operations else ()), *[""] * len(type_.results)]
    results = tuple(known.get(name, of) if is_unranked(of) else of for name, of in zip(given, type_.results))
    made = Function(tuple(of for _, of in arguments), results)
    body = replace(block, arguments=arguments)
    return replace(function, attributes={**function.attributes, "function_type": made}, regions=[Region([body])])


def _types(op: Operation) -> list[object]:
    return [*op.result_types, *_arguments(op)]


class Inliner:
    """Copies functions, with the calls in them, or those alone that have tensors."""

    def __init__(self, functions: Mapping[str, Operation], diagnostics: Diagnostics, of_tensors: bool = True) -> None:
        self.functions = functions
        self.of_tensors = of_tensors
        self.diagnostics = diagnostics
        self._taken: dict[str, int] = {}
        """How many other names were made of each name."""
        self._calls: list[str] = []

    def copied(self, function: Operation) -> Operation:
        """The function as one operation, in which no name is given twice."""
        return self._operation(function, {})

    def name(self, wish: str) -> str:
        """A name that nothing has yet."""
        name = wish
        while name in self._taken:
            self._taken[wish] += 1
            name = f"{wish.replace('#', '_')}_{self._taken[wish]}"
        self._taken[name] = 0
        return name

    def _operation(self, op: Operation, names: dict[str, str]) -> Operation:
        operands = [names.get(each, each) for each in op.operands]
        regions = [self._region(op, region, dict(names)) for region in op.regions]
        results = []
        for each in op.results:
            names[each] = self.name(each)
            results.append(names[each])
        spans = {names.get(each, each): span for each, span in (op.operand_spans or {}).items()}
        return replace(op, operands=operands, results=results, regions=regions, operand_spans=spans)

    def _region(self, op: Operation, region: Region, names: dict[str, str]) -> Region:
        return Region([self._block(block, names) for block in self._structured(op, region)])

    def _structured(self, op: Operation, region: Region) -> list[Block]:
        """The blocks of a region: one, or none."""
        if len(region.blocks) < 2:
            return region.blocks
        try:
            return [one_block(region.blocks)]
        except Unstructured as problem:
            where = (problem.op or op).location or op.location
            self.diagnostics.report(rules.STRUCTURE, str(problem), where, problem.help)
            raise Refused from None

    def _block(self, block: Block, names: dict[str, str]) -> Block:
        arguments = []
        for name, type_ in block.arguments:
            names[name] = self.name(name)
            arguments.append((names[name], type_))
        return replace(block, arguments=arguments, operations=self._operations(block.operations, names))

    def _operations(self, operations: Sequence[Operation], names: dict[str, str]) -> list[Operation]:
        copies: list[Operation] = []
        for op in operations:
            callee = self.functions.get(op.callee) if op.name == "func.call" else None
            is_inlined = callee is not None and callee.regions and callee.regions[0].blocks
            if callee is not None and is_inlined and (has_tensors(op) or not self.of_tensors):
                copies += self._call(op, callee, names)
            else:
                copies.append(self._operation(op, names))
        return copies

    def _call(self, op: Operation, callee: Operation, names: dict[str, str]) -> list[Operation]:
        if op.callee in self._calls or len(self._calls) >= MAX_CALLS:
            self.diagnostics.report(rules.CALL, f"func.call: @{op.callee} is called within itself", op.location)
            raise Refused
        (block,) = self._structured(callee, callee.regions[0])
        if len(block.arguments) != len(op.operands):
            self.diagnostics.report(rules.CALL, f"func.call: @{op.callee} has other arguments", op.location)
            raise Refused
        inner = {name: names.get(each, each) for (name, _), each in zip(block.arguments, op.operands)}
        self._calls.append(op.callee)
        copies = self._operations(block.operations, inner)
        self._calls.pop()
        if copies and copies[-1].name in ("func.return", "gpu.return"):
            names.update(zip(op.results, copies.pop().operands))
        return copies


@dataclass
class Uses:
    """Where the values of a function are used: operations have numbers in the order of the text."""

    numbers: dict[int, int] = field(default_factory=dict)
    """The number of each operation, by its identity."""
    ends: dict[int, int] = field(default_factory=dict)
    """The number of the last operation in it."""
    defined_in: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """The loops around each definition."""
    used_in: dict[str, list[tuple[Operation, tuple[int, ...]]]] = field(default_factory=dict)
    """The uses of each value, with the loops around them."""
    definitions: dict[str, Operation] = field(default_factory=dict)
    _last: dict[str, int] = field(default_factory=dict)

    @staticmethod
    def of(function: Operation) -> Uses:
        uses = Uses()
        uses._visit(function, ())
        return uses

    def _visit(self, op: Operation, loops: tuple[int, ...]) -> None:
        self.numbers[id(op)] = len(self.numbers)
        for name in op.operands:
            self.used_in.setdefault(name, []).append((op, loops))
        inner = loops if op.name in _ONCE else (*loops, id(op))
        for region in op.regions:
            for block in region.blocks:
                for name, _ in block.arguments:
                    self.defined_in[name] = inner
                for each in block.operations:
                    self._visit(each, inner)
        for name in op.results:
            self.defined_in[name] = loops
            self.definitions[name] = op
        self.ends[id(op)] = len(self.numbers)

    def number(self, op: Operation) -> int:
        return self.numbers[id(op)]

    def last(self, name: str, ignored: Sequence[Operation] = ()) -> int:
        """The number of the last use; a use in a loop is one at its end, for what is defined outside of it."""
        if not ignored and name in self._last:
            return self._last[name]
        around = self.defined_in.get(name, ())
        last = -1
        for op, loops in self.used_in.get(name, ()):
            if any(op is each for each in ignored):
                continue
            outside = [loop for loop in loops if loop not in around]
            last = max(last, self.ends[outside[0]] if outside else self.numbers[id(op)])
        if not ignored:
            self._last[name] = last
        return last

    def count(self, name: str) -> int:
        return len(self.used_in.get(name, ()))
