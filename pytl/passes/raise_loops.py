"""raise-loops: loops over elements that are products, sums or copies of tensors, as the instructions for them.

Front ends of languages without such instructions leave loops with loads and stores. A nest of them that sums up
products of elements is a gemm, gemv, ger or product in index notation; one that sums up elements is a sum; one that
adds or copies them is an axpby. Loops whose iterations are found to touch nothing that another iteration writes become
a `foreach`. What is neither stays as it is.

The order of sums changes as in every gemm. Sums in f16 and bf16, which a gemm rounds once and a loop in each step, stay
loops. The memory of different parameters is taken for apart, as by each of these instructions: functions stay
`as_written` where a launch has arrays that overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ir.operation import Operation
from ..ir.types import index
from ..ir.values import Function, Region, Value
from ..ops import For, Foreach, If, Load, Store
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..ops.launch_defaults import RAISE_LOOPS
from ..process.records import dataclass
from .element_sums import Statement, recognized
from .loop_nests import (
    Loop,
    NotLegal,
    accesses,
    as_points,
    copied,
    defined_in,
    is_parallel,
    is_plain,
    loop_of,
    needed,
    nested,
)
from .manager import Pass, register


@register
@dataclass(frozen=True)
class RaiseLoops(Pass):
    """Makes tensor instructions of loops over elements, in functions that allow it."""

    name = "raise-loops"
    as_written: bool = False

    def run(self, function: Function) -> None:
        if self.as_written or function.attributes.get(RAISE_LOOPS) is not True:
            return
        _raise(function.body)
        for op in function.walk():
            for value in op.results:
                value.owner = op


def _raise(region: Region) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        raised = _of_foreach(op) if isinstance(op, Foreach) else None
        if raised is not None:
            operations += raised
            continue
        operations.append(op)
        if isinstance(op, (For, If)):
            for inner in op.regions:
                _raise(inner)
    region.operations = operations


def _of_foreach(op: Foreach) -> list[Operation] | None:
    """The instructions for a `foreach`, None where it stays."""
    if any(variable.type != index for variable in op.variables):
        return None
    bounds = list(zip(op.variables, op.start, op.stop))
    loops = [Loop(v, start, stop, True) for v, start, stop in reversed(bounds) if not _is_one(start, stop)]
    single = [variable for variable, *rest in bounds if _is_one(*rest)]
    at = Builder(op.location)
    try:
        if any(variable in inner.operands for inner in op.body.walk() for variable in single):
            return None
        raised = _Nest(loops, op.body.operations).raised(at) if loops else _alone(at, op.body.operations)
    except NotLegal:
        return None
    return at.operations if raised else None


def _is_one(start: Value, stop: Value) -> bool:
    return constant_of(start) == 0 and constant_of(stop) == 1


def _alone(builder: Builder, operations: Sequence[Operation]) -> bool:
    """What one work-item executes: its loops may be raised, and the rest is executed by one as before."""
    raised = False
    rest: list[Operation] = []

    def flush() -> None:
        if any(isinstance(op, (Store, For, If)) for op in rest):
            builder.foreach([builder.constant(index, 1)], lambda inner, _: _added(inner, rest))
        else:
            for op in rest:
                builder.add(op)
        rest.clear()

    for op in operations:
        if isinstance(op, For) and not op.results:
            part = Builder(op.location, builder)
            if _of_loop(part, op):
                flush()
                for each in part.operations:
                    builder.add(each)
                raised = True
                continue
        if op.results and any(value in other.operands for value in op.results for other in _following(op, operations)):
            # a value that is used further on is for all work-items
            flush()
            builder.add(op)
            continue
        rest.append(op)
    flush()
    return raised


def _added(builder: Builder, operations: Sequence[Operation]) -> None:
    for op in operations:
        builder.add(op)


def _following(op: Operation, operations: Sequence[Operation]) -> list[Operation]:
    at = operations.index(op)
    following: list[Operation] = []
    for other in operations[at + 1 :]:
        following.append(other)
        for region in other.regions:
            following += region.walk()
    return following


def _of_loop(builder: Builder, op: For) -> bool:
    """Write a loop as instructions, or as a loop around some; whether it is."""
    try:
        if is_plain(op) and _Nest([loop_of(op)], op.body.operations).raised(builder):
            return True
    except NotLegal:
        pass
    inner = Builder(op.location, builder)
    if not _alone(inner, op.body.operations):
        return False
    body = Region("mixed", op.body.arguments, inner.operations, op.body.location)
    builder.add(For(op.location, [], start=op.start, stop=op.stop, step=op.step, body=body))
    return True


class _Nest:
    """Loops, the outermost first, and what the innermost one executes."""

    def __init__(self, loops: Sequence[Loop], operations: Sequence[Operation]) -> None:
        self.loops = list(loops)
        self.operations = list(operations)
        self._merge()

    def _merge(self) -> None:
        """Take loops that are alone in the innermost one to the nest."""
        while True:
            effects = self._effects()
            if len(effects) != 1 or not is_plain(effects[0]):
                return
            loop = effects[0]
            assert isinstance(loop, For)
            others = [op for op in self.operations if op is not loop]
            written = {access.root for access in accesses([loop]) if access.writes}
            if any(isinstance(op, Load) and op.tensor in written for op in others) or any(op.regions for op in others):
                return
            self.loops.append(loop_of(loop))
            self.operations = [*others, *loop.body.operations]

    def _effects(self) -> list[Operation]:
        """What writes memory. A loop or branch with results that does, too, is not looked into."""
        effects: list[Operation] = []
        for op in self.operations:
            if isinstance(op, Store) or (isinstance(op, (For, If)) and not op.results):
                effects.append(op)
            elif any(isinstance(inner, Store) for region in op.regions for inner in region.walk()):
                raise NotLegal
        return effects

    def raised(self, builder: Builder) -> bool:
        """Write the nest as instructions; whether that is better than what it was."""
        effects = self._effects()
        if {self.loops[0].start, self.loops[0].stop} & self.inside:
            raise NotLegal
        all_accesses = accesses(self.operations)
        if len(effects) == 1:
            if isinstance(effects[0], Store):
                statement = recognized(self.loops, self.operations, effects[0], self.inside)
                if statement is not None:
                    statement.write(builder)
                    return True
            return self._by_points(builder)
        proved = [loop.is_parallel or is_parallel(loop.variable, all_accesses, self.inside) for loop in self.loops]
        if not effects or not all(proved) or any({loop.start, loop.stop} & self.inside for loop in self.loops):
            return self._by_points(builder)
        return self._by_statements(builder, effects)

    @property
    def inside(self) -> set[Value]:
        """The values that are defined in the loops."""
        return {loop.variable for loop in self.loops} | set(defined_in(self.operations))

    def _by_statements(self, builder: Builder, effects: Sequence[Operation]) -> bool:
        """Each statement in loops of its own, which is the same where all loops are parallel."""
        self._check_order(effects)
        parts: list[tuple[_Nest, Statement | None]] = []
        for effect in effects:
            loops, operations = copied(self.loops, needed(effect, self.operations))
            nest = _Nest([replace(loop, is_parallel=True) for loop in loops], operations)
            (last,) = nest._effects()
            is_store = isinstance(last, Store)
            parts.append((nest, recognized(nest.loops, nest.operations, last, nest.inside) if is_store else None))  # type: ignore[arg-type]
        if all(statement is None for _, statement in parts):
            return self._by_points(builder)
        zeros: Statement | None = None
        for (nest, statement), (_, follows) in zip(parts, [*parts[1:], (None, None)]):
            if statement is None:
                if not nest._by_points(builder):
                    as_points(builder, *nest.split())
            elif follows is not None and follows.starts_from(statement):
                zeros = follows
            else:
                (statement.anew() if statement is zeros else statement).write(builder)
        return True

    def split(self) -> tuple[list[Loop], list[Operation]]:
        """The loops that are parallel, in front of the first that is not, and what they execute."""
        count = next((n for n, loop in enumerate(self.loops) if not loop.is_parallel), len(self.loops))
        return self.loops[:count], nested(self.loops[count:], self.operations)

    def _check_order(self, effects: Sequence[Operation]) -> None:
        """A value that is loaded before a statement writes that memory is not loaded behind it instead."""
        order = {id(op): position for position, op in enumerate(self.operations)}
        for number, effect in enumerate(effects):
            written = {access.root for access in accesses([effect]) if access.writes}
            for later in effects[number + 1 :]:
                for op in needed(later, self.operations)[:-1]:
                    if order[id(op)] < order[id(effect)] and any(each.root in written for each in accesses([op])):
                        raise NotLegal

    def _by_points(self, builder: Builder) -> bool:
        """The parallel loops as a `foreach`; loops around them that are not stay."""
        all_accesses = accesses(self.operations)
        proved = [loop.is_parallel or is_parallel(loop.variable, all_accesses, self.inside) for loop in self.loops]
        if all(loop.is_parallel for loop, is_so in zip(self.loops, proved) if is_so):
            return False
        if not proved[0]:
            return self._within_first(builder)
        count = next((n for n, is_so in enumerate(proved) if not is_so), len(proved))
        variables: set[Value] = set()
        for number, loop in enumerate(self.loops[:count]):
            if {loop.start, loop.stop} & self.inside:
                count = number
                break
            variables.add(loop.variable)
        if count == 0 or all(loop.is_parallel for loop in self.loops[:count]):
            return False
        as_points(builder, self.loops[:count], nested(self.loops[count:], self.operations))
        return True

    def _within_first(self, builder: Builder) -> bool:
        loop, *rest = self.loops
        if not rest:
            return False
        inner = Builder(builder.location, builder)
        try:
            if not _Nest(rest, self.operations).raised(inner):
                return False
        except NotLegal:
            return False
        body = Region("mixed", [loop.variable], inner.operations, builder.location)
        builder.add(For(builder.location, [], start=loop.start, stop=loop.stop, step=None, body=body))
        return True
