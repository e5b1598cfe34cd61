"""independent-loops: loops whose iterations touch nothing that another one writes, as a `foreach`.

    for j in range(m):
        for i in range(n):
            Y[i, j] = 2.0 * X[i, j] + 1.0

Neighbouring iterations of a `foreach` are the lanes of vectors, and several variables are one where columns follow each
other without a gap. Short loops stay, for work-groups may be the lanes. Loops that carry numbers, or read what another
iteration writes, keep their order. The points of a `foreach` have none: its first variable becomes the one that indexes
contiguous memory, where that is another one. The memory of different parameters is taken for apart: a launch with
arrays that overlap has the loops as they are written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..ir.operation import Operation
from ..ir.types import MemrefType
from ..ir.values import Function, Region, Value
from ..ops import Alloca, ArithBinary, ArithUnary, Cast, Constant, For, Foreach, If, Size
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..process.records import dataclass
from .loop_nests import (
    Access,
    Loop,
    NotLegal,
    accesses,
    as_points,
    defined_in,
    is_parallel,
    is_plain,
    loop_of,
    nested,
    put_in_order,
)
from .manager import Pass, register
from .preconditions import distributed_loop
from .targets.machine import DEFAULT, Machine
from .targets.strategies import STRATEGY


@register
@dataclass(frozen=True)
class IndependentLoops(Pass):
    """Makes a `foreach` of loops that may be executed in any order, for one work-item."""

    name = "independent-loops"
    machine: Machine = DEFAULT
    may_overlap: bool = False
    """Whether a launch has arrays of different parameters that overlap."""

    def run(self, function: Function) -> None:
        is_of_one = function.attributes.get(STRATEGY) == "one-item"
        for op in function.walk() if is_of_one else ():
            if isinstance(op, Foreach):
                put_in_order(op, self.machine.register_bytes // 4)
        if is_of_one and not self.may_overlap and distributed_loop(function) is None:
            _make(function.body, 2 * self.machine.register_bytes)


def _make(region: Region, least: int) -> None:
    """Make a `foreach` of loops over so many bytes at least of what they store."""
    operations: list[Operation] = []
    for op in region.operations:
        points = _points_of(op, least) if isinstance(op, For) and is_plain(op) else None
        if points is not None:
            operations += points
            continue
        operations.append(op)
        if isinstance(op, (For, If)):
            for inner in op.regions:
                _make(inner, least)
    region.operations = operations


def _points_of(op: For, least: int) -> list[Operation] | None:
    """A loop, with those that are alone in it, as a `foreach`; None where it stays."""
    loops, operations = [loop_of(op)], list(op.body.operations)
    while (inner := _only_loop(operations)) is not None:
        loops.append(loop_of(inner))
        operations = [*(other for other in operations if other is not inner), *inner.body.operations]
    inside = {loop.variable for loop in loops} | set(defined_in(operations))
    try:
        found = accesses(operations)
        if not any(access.writes for access in found) or not _are_known(found):
            return None
        count = 0
        for loop in loops:
            if {loop.start, loop.stop} & inside or not is_parallel(loop.variable, found, inside):
                break
            count += 1
        if count == 0 or _bytes_of(loops[:count], found) < least:
            return None
        at = Builder(op.location)
        as_points(at, loops[:count], nested(loops[count:], operations))
    except NotLegal:
        return None
    return at.operations


def _bytes_of(loops: Sequence[Loop], found: Sequence[Access]) -> float:
    """How many bytes loops store, an element in each iteration; no bound where they end somewhere at run time."""
    bounds = [(constant_of(loop.start), constant_of(loop.stop)) for loop in loops]
    trips = [math.inf if None in (first, last) else max(last - first, 0) for first, last in bounds]
    return math.prod(trips) * min(access.op.tensor.type.element.size for access in found if access.writes)


def _only_loop(operations: Sequence[Operation]) -> For | None:
    """The loop that is alone among operations, but for what computes indices."""
    loops = [op for op in operations if isinstance(op, For) and is_plain(op)]
    others = [op for op in operations if op not in loops]
    return loops[0] if len(loops) == 1 and all(map(_is_index, others)) else None


def _is_index(op: Operation) -> bool:
    is_cheap = isinstance(op, (ArithBinary, ArithUnary, Cast, Constant, Size))
    return is_cheap and not any(_is_float(value) for value in (*op.operands, *op.results))


def _is_float(value: Value) -> bool:
    return not isinstance(value.type, MemrefType) and not getattr(value.type, "is_integer", False)


def _are_known(found: Sequence[Access]) -> bool:
    """Whether all memory is that of parameters, which the launch compares, and local memory; items of groups may be
    the same array.
    """
    roots = [access.root for access in found]
    return all(isinstance(root.owner, Alloca) or _is_parameter(root) for root in roots)


def _is_parameter(root: Value) -> bool:
    return root.owner is None and isinstance(root.type, MemrefType)
