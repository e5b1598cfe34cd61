"""Blocks that branch (cf), as conditions and loops within each other: one block of scf.if and scf.while.

What two branches lead to in the end stands behind the condition, which gives that block's arguments. A loop is entered
at one block, goes back to it from one, and is left from one of these two. What the condition's part of a loop computes
keeps its name in the loop's body and behind the loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from ...mlir.text import Block, Operation, Region, Scalar, Type
from ...mlir.text.names import PREDICATES
from ...mlir.text.tree import Dense
from ...mlir.text.types import INDEX
from ...passes.analysis.dominators import dominators
from ...process.records import dataclass

BRANCHES = "of_branches"
"""An attribute of loops that are made of branches."""
BRANCH, CONDITION, SWITCH = "cf.br", "cf.cond_br", "cf.switch"
_MAX_WRITTEN = 4
"""A block that several others go to may stand in several conditions: all blocks so many times, or 64 more."""
_MAX_DEPTH = 100
_OPPOSITE = ("ne", "eq", "sge", "sgt", "sle", "slt", "uge", "ugt", "ule", "ult")
_TRUTH = Scalar("i1")


class Unstructured(Exception):
    """That blocks are no conditions and loops; at an operation, if it is one's, with advice."""

    def __init__(self, op: Operation | None, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.op = op
        self.help = help


@dataclass(frozen=True)
class _Edge:
    """Where a branch leads, and what the block there is passed."""

    target: int
    passed: list[str]


def one_block(blocks: Sequence[Block]) -> Block:
    """The block that does what several blocks of a region do. Raises `Unstructured`."""
    return _Blocks(blocks).written()


class _Blocks:
    """The blocks of a region, which are written one after the other."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        if not all(block.operations for block in blocks):
            raise Unstructured(None, "a block is empty")
        self.blocks = blocks = [each for block in blocks for each in _without_switch(block)]
        self.exit = len(blocks)
        self.positions = {block.label: number for number, block in enumerate(blocks)}
        self.edges = [list(self._edges(block)) for block in blocks]
        self.types: dict[str, Type] = {}
        for block in blocks:
            self.types |= dict(block.arguments)
            for op in block.operations:
                self.types |= dict(zip(op.results, op.result_types))
        self.used = [
            {name for op in block.operations for inner in op.walk() for name in inner.operands} for block in blocks
        ]
        self.names: dict[str, str] = {}
        """What stands in the place of an argument of a block."""
        self.into: list[Operation] = []
        self.count = self.depth = 0
        forward = [[edge.target for edge in edges] or [self.exit] for edges in self.edges]
        self.joins = _joins(forward)
        self.loops = self._loops(forward)
        self.opened: set[int] = set()

    def written(self) -> Block:
        first = self.blocks[0]
        passed = self._from(_Edge(0, [name for name, _ in first.arguments]), self.exit)
        last = self._last()
        self.into.append(replace(last, operands=passed))
        return Block(first.label, first.arguments, self.into, first.locations)

    # Reading.

    def _edges(self, block: Block) -> Iterator[_Edge]:
        last = block.operations[-1]
        if not last.successors:
            return
        for label in last.successors:
            if label not in self.positions:
                self._fail(last, f"there is no block {label}")
        counts = [len(last.operands)]
        if last.name == CONDITION:
            sizes = last.attributes.get("operandSegmentSizes", (1, 0, 0))
            counts = list(sizes[1:]) if isinstance(sizes, tuple) else []
        elif last.name != BRANCH:
            self._fail(last, "it has no meaning here", "branches are cf.br, cf.cond_br and cf.switch")
        at = len(last.operands) - sum(counts)
        if len(counts) != len(last.successors) or at != (last.name == CONDITION):
            self._fail(last, "it passes other numbers of values than it has operands")
        for label, count in zip(last.successors, counts):
            target = self.positions[label]
            if len(self.blocks[target].arguments) != count:
                self._fail(last, f"{label} has {len(self.blocks[target].arguments)} arguments, but is passed {count}")
            yield _Edge(target, last.operands[at : at + count])
            at += count

    def _last(self) -> Operation:
        """What ends the region."""
        for block, edges in zip(self.blocks, self.edges):
            if not edges:
                return block.operations[-1]
        self._fail(self.blocks[0].operations[-1], "no block ends the function", "write a block with func.return")

    def _loops(self, forward: Sequence[Sequence[int]]) -> dict[int, set[int]]:
        """The blocks of each loop, by the one at which it is entered."""
        above = dominators([*forward, []])
        back: dict[int, list[int]] = {}
        for number, targets in enumerate(forward):
            if above[number] is None:
                continue
            for target in targets:
                if _is_above(above, target, number):
                    back.setdefault(target, []).append(number)
        self._check_ways_in(forward, above, back)
        before: list[list[int]] = [[] for _ in range(self.exit + 1)]
        for number, targets in enumerate(forward):
            for target in targets if above[number] is not None else ():
                before[target].append(number)
        loops: dict[int, set[int]] = {}
        for head, latches in back.items():
            if len(latches) > 1:
                self._fail(self._end(latches[1]), "a loop goes back to its begin from two blocks", "join them in one")
            nodes, pending = {head}, list(latches)
            while pending:
                node = pending.pop()
                if node not in nodes:
                    nodes.add(node)
                    pending += before[node]
            loops[head] = nodes
        return loops

    def _check_ways_in(
        self, forward: Sequence[Sequence[int]], above: Sequence[int | None], back: dict[int, list[int]]
    ) -> None:
        """That branches form no other loops than those, which are entered at one block."""
        following = [
            [target for target in targets if target < self.exit and number not in back.get(target, ())]
            for number, targets in enumerate(forward)
        ]
        reached = {number for number in range(self.exit) if above[number] is not None}
        ways_in = dict.fromkeys(reached, 0)
        for number in reached:
            for target in following[number]:
                ways_in[target] += 1
        pending = [0]
        while pending:
            number = pending.pop()
            reached.discard(number)
            for target in following[number]:
                ways_in[target] -= 1
                if not ways_in[target]:
                    pending.append(target)
        if reached:
            self._fail(self._end(min(reached)), "a loop is entered at two blocks", "enter it at one")

    def _end(self, number: int) -> Operation:
        return self.blocks[number].operations[-1]

    def _fail(self, op: Operation, message: str, help: str | None = None) -> NoReturn:
        raise Unstructured(op, message, help)

    # Writing.

    def _from(self, edge: _Edge, end: int) -> list[str]:
        """Write the block that an edge leads to and what follows up to a block; returns what that one is passed."""
        self.depth += 1
        while edge.target != end:
            number, block = edge.target, self.blocks[edge.target]
            if self.depth > _MAX_DEPTH:
                self._fail(self._end(number), f"branches are nested more than {_MAX_DEPTH} deep")
            if number in self.loops and number not in self.opened:
                edge = self._loop(number, edge.passed)
                continue
            self.count += 1
            if self.count > _MAX_WRITTEN * self.exit + 64:
                help = "let branches meet again"
                self._fail(self._end(number), "the branches become too many conditions within each other", help)
            self.names |= {name: passed for (name, _), passed in zip(block.arguments, edge.passed) if name != passed}
            edge = self._behind(number)
        self.depth -= 1
        return edge.passed

    def _behind(self, number: int) -> _Edge:
        """Write the operations of a block; returns where it leads."""
        operations, edges = self.blocks[number].operations, self.edges[number]
        self.into += map(self._renamed, operations[:-1])
        last = operations[-1]
        if not edges:
            return _Edge(self.exit, self._all_renamed(last.operands))
        edges = [_Edge(edge.target, self._all_renamed(edge.passed)) for edge in edges]
        return edges[0] if len(edges) == 1 else self._condition(number, last, edges)

    def _condition(self, number: int, last: Operation, edges: Sequence[_Edge]) -> _Edge:
        """A condition of two branches, up to the block where they meet."""
        meeting = self.joins[number]
        if meeting is None:
            self._fail(last, "it leads to no end")
        if meeting == self.exit:
            types = self._last().operand_types
        else:
            types = [type_ for _, type_ in self.blocks[meeting].arguments]
        regions = [
            Region([Block("", [], self._captured(lambda edge=edge: self._from(edge, meeting), last, types))])
            for edge in edges
        ]
        results = [self._new_name(type_) for type_ in types]
        self._add(last, "scf.if", self._all_renamed(last.operands[:1]), [_TRUTH], results, types, regions=regions)
        return _Edge(meeting, results)

    def _add(
        self,
        at: Operation,
        name: str,
        operands: Sequence[str],
        types: Sequence[Type],
        results: Sequence[str] = (),
        result_types: Sequence[Type] = (),
        attributes: dict[str, Any] | None = None,
        regions: Sequence[Region] = (),
    ) -> None:
        """Write an operation in the place of another one."""
        made = Operation(
            name, list(operands), list(results), list(types), list(result_types), attributes or {}, regions
        )
        self.into.append(replace(made, location=at.location))

    def _captured(self, write: Any, last: Operation, types: Sequence[Type]) -> list[Operation]:
        """What a function writes, with the values that it gives yielded behind."""
        outer, self.into = self.into, []
        names = dict(self.names)
        self._add(last, "scf.yield", write(), types)
        operations, self.into, self.names = self.into, outer, names
        return operations

    def _loop(self, head: int, inits: list[str]) -> _Edge:
        """A loop as scf.while; returns where it leads in the end."""
        nodes = self.loops[head]
        left = [
            (n, edge) for n in nodes for edge in self.edges[n] or [_Edge(self.exit, [])] if edge.target not in nodes
        ]
        if not left:
            self._fail(self._end(head), "nothing ends the loop")
        ((number, _), *others) = left
        back = next(n for n in nodes if any(edge.target == head for edge in self.edges[n]))
        if others or number not in (head, back) or self._end(number).name != CONDITION:
            where = self._end(others[0][0] if others else number)
            help = "leave it where it begins, or where it goes back"
            self._fail(where, "the loop is left from its middle, or twice", help)
        last = self._end(number)
        outer, self.into = self.into, []
        names = dict(self.names)
        self.opened.add(head)
        arguments = self.blocks[head].arguments
        for name, _ in arguments:
            self.names.pop(name, None)
        if number != head:
            passed = self._from(_Edge(head, [name for name, _ in arguments]), number)
            self.names |= {n: p for (n, _), p in zip(self.blocks[number].arguments, passed) if n != p}
        self.into += map(self._renamed, self.blocks[number].operations[:-1])
        continue_condition, ends = (_Edge(edge.target, self._all_renamed(edge.passed)) for edge in self.edges[number])
        condition = self._all_renamed(last.operands[:1])[0]
        if continue_condition.target not in nodes:
            continue_condition, ends = ends, continue_condition
            condition = self._negated(condition, last)
        defined = [name for name, _ in arguments] + [name for op in self.into for name in op.results]
        used = {*continue_condition.passed, *ends.passed}
        written = nodes if number == back else {head}
        used.update(*(names for each, names in enumerate(self.used) if each not in written))
        used |= {self.names.get(name, name) for name in used}
        # of what could not be read no type is known
        kept = [name for name in dict.fromkeys(defined) if name in used and name in self.types]
        types = [self.types[name] for name in kept]
        self._add(last, "scf.condition", [condition, *kept], [_TRUTH, *types])
        before = Block("", list(arguments), self.into)
        argument_types = [type_ for _, type_ in arguments]
        body = self._captured(lambda: self._from(continue_condition, head), last, argument_types)
        regions = [Region([before]), Region([Block("", list(zip(kept, types)), body)])]
        self.opened.discard(head)
        behind = {n: p for n, p in self.names.items() if p in kept}
        self.into, self.names = outer, names | behind
        self._add(last, "scf.while", inits, argument_types, kept, types, {BRANCHES: True}, regions)
        return ends

    def _negated(self, condition: str, last: Operation) -> str:
        """The name of the opposite of a condition; that of a comparison is a comparison."""
        made = next((op for op in self.into if condition in op.results), None)
        result = self._new_name(_TRUTH)
        predicate = None if made is None or made.name != "arith.cmpi" else made.attributes.get("predicate")
        if isinstance(predicate, int) and 0 <= predicate < len(PREDICATES):
            predicate = PREDICATES[predicate]
        if made is not None and predicate in PREDICATES:
            opposite = _OPPOSITE[PREDICATES.index(predicate)]
            self.into.append(replace(made, results=[result], attributes={**made.attributes, "predicate": opposite}))
            return result
        one = self._new_name(_TRUTH)
        self._add(last, "arith.constant", [], [], [one], [_TRUTH], {"value": True})
        self._add(last, "arith.xori", [condition, one], [_TRUTH, _TRUTH], [result], [_TRUTH])
        return result

    # Names.

    def _new_name(self, type_: Type) -> str:
        """A name that no text has."""
        name = f"%joined {len(self.types)}"
        self.types[name] = type_
        return name

    def _all_renamed(self, names: Sequence[str]) -> list[str]:
        return [self.names.get(name, name) for name in names]

    def _renamed(self, op: Operation) -> Operation:
        """An operation with what stands in the place of arguments."""
        if not self.names:
            return op
        regions = [
            Region([replace(block, operations=list(map(self._renamed, block.operations))) for block in region.blocks])
            for region in op.regions
        ]
        return replace(op, operands=self._all_renamed(op.operands), regions=regions)


_Target = tuple[str, list[str], list[Type]]
"""A block's label, and what it is passed, with its types."""


def _cases(op: Operation) -> tuple[_Target, list[tuple[int, _Target]]]:
    """Where cf.switch leads of no case, and of each. Raises `Unstructured`."""
    type_ = op.operand_types[0] if op.operand_types else None
    if not isinstance(type_, Scalar) or type_.name[:1] != "i" or type_ == INDEX:
        raise Unstructured(op, f"its number is an integer, not {type_}")
    given = op.attributes.get("case_values", Dense((), type_))
    values = given.values if isinstance(given, Dense) else None
    values = values if isinstance(values, tuple) else (values,) * (len(op.successors) - 1)
    counts, sizes = op.attributes.get("case_operand_segments", ()), op.attributes.get("operandSegmentSizes")
    fits = isinstance(counts, tuple) and isinstance(sizes, tuple) and len(sizes) == 3 and all(map(_is_count, counts))
    if not fits or len(op.successors) != 1 + len(values) or not len(values) == len(counts):
        raise Unstructured(op, "it has a block, and values to pass, for each of its cases and of none")
    if sizes != (1, len(op.operands) - 1 - sum(counts), sum(counts)) or not all(map(_is_count, sizes)):
        raise Unstructured(op, "it passes other numbers of values than it has operands")
    targets, at = list[_Target](), 1
    for label, size in zip(op.successors, (sizes[1], *counts)):
        targets.append((label, list(op.operands[at : at + size]), list(op.operand_types[at : at + size])))
        at += size
    half, seen = 1 << type_.bits - 1, dict[int, _Target]()
    for value, target in zip(values, targets[1:]):
        if not isinstance(value, int) or not -half <= value < 2 * half:
            raise Unstructured(op, f"{value} is no number of the type {type_}")
        if (signed := (value + half) % (2 * half) - half) in seen:
            raise Unstructured(op, f"there are two cases {value}")
        seen[signed] = target
    return targets[0], list(seen.items())


def _is_count(size: Any) -> bool:
    return isinstance(size, int) and size >= 0


def _without_switch(block: Block) -> Iterator[Block]:
    """A block; one that ends with cf.switch as a block for each case, which compares, the first one behind the rest."""
    *operations, last = block.operations
    if last.name != SWITCH:
        yield block
        return
    (default, passed, of), cases = _cases(last)
    flag, type_ = last.operands[0], last.operand_types[0]

    def made(name: str, operands: Any, types: Any, results: Any = (), given: Any = (), **more: Any) -> None:
        attributes = more.pop("attributes", {})
        each = Operation(name, operands, results, types, given, attributes, location=last.location, **more)
        operations.append(replace(each, made_of=last.made_of or last.name))

    begin = block
    for number, (value, (case, case_passed, case_of)) in enumerate(cases):
        constant, condition = (f"%{word} {block.label} {number}" for word in ("case", "is"))
        if type_ == _TRUTH and value:
            condition = flag
        else:
            made("arith.constant", [], [], [constant], [type_], attributes={"value": value})
            made("arith.cmpi", [flag, constant], [type_] * 2, [condition], [_TRUTH], attributes={"predicate": "eq"})
        is_last, following = number == len(cases) - 1, f"{block.label} {number + 1}"
        rest, rest_of = (passed, of) if is_last else ([], [])
        attributes = {"operandSegmentSizes": (1, len(case_passed), len(rest))}
        labels = [case, default if is_last else following]
        types = [_TRUTH, *case_of, *rest_of]
        made(CONDITION, [condition, *case_passed, *rest], types, attributes=attributes, successors=labels)
        yield replace(begin, operations=operations)
        begin, operations = Block(following), []
    if not cases:
        made(BRANCH, passed, of, successors=[default])
        yield replace(block, operations=operations)


def _joins(forward: Sequence[Sequence[int]]) -> list[int | None]:
    """For each block the nearest one that all ways from it lead to; the end counts as one."""
    end = len(forward)
    backward: list[list[int]] = [[] for _ in range(end + 1)]
    for number, targets in enumerate(forward):
        for target in targets:
            backward[end - target].append(end - number)
    return [None if each is None else end - each for each in reversed(dominators(backward))]


def _is_above(above: Sequence[int | None], one: int, other: int) -> bool:
    """Whether a block dominates another one."""
    while other != one:
        following = above[other]
        if following is None or following == other:
            return False
        other = following
    return True
