"""Loops along rows that store elements and sum them up, as two: one that stores, and one that sums what was stored.

    for %i = 0, 64 init(%t = %0) {                for %i = 0, 64 {
      %e = math.exp …                               %e = math.exp …
      store %e, %Y[%i, %t]               →          store %e, %Y[%i, %t]
      %s = arith.add %t, %e                       }
      yield (%s)                                  for %i = 0, 64 init(%t = %0) {
    }                                               %e = load %Y[%i, %t]
                                                    %s = arith.add %t, %e
                                                    yield (%s)
                                                  }

The sums keep their order, for which points are the lanes of vectors, and blocks are turned in registers. The first loop
has no such order: its vectors go along the rows, and are loaded and stored as they are. So fewer blocks are turned.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.values import Region, Value
from ..ops import For, Foreach, Load, Store
from ..ops.builder import Builder
from ..ops.control import terminator
from ..ops.views import root_of
from .analysis.uniformity import Variation, variation_of
from .invariants import is_costly, needed_for
from .targets.machine import Machine
from .targets.turned_loops import turned


def stores_first(op: Foreach, lanes: int, machine: Machine, are_apart: bool) -> None:
    """Divide such loops of a `foreach`, where so many points are the lanes of a vector.

    `are_apart` says that different parameters share no memory.
    """
    variation = variation_of(op)
    op.body.operations = [
        part
        for each in op.body.operations
        for part in (_divided(each, variation, lanes, machine, are_apart) if isinstance(each, For) else [each])
    ]


def _divided(loop: For, variation: Variation, lanes: int, machine: Machine, are_apart: bool) -> list[Operation]:
    """A loop as two, or as it is where that turns no fewer blocks, or computes much twice."""
    accesses = turned(loop, variation, lanes, are_apart) if loop.results else ()
    stores = [op for op in accesses if isinstance(op, Store)]
    *operations, last = loop.body.operations
    if not stores or any(op.regions for op in operations) or not _are_near(loop, accesses, lanes, machine):
        return [loop]
    of_stores = [*needed_for((value for op in stores for value in op.operands), operations), *stores]
    stored = {op.data: op for op in stores if op.data.type == op.tensor.type.element}
    of_sums = needed_for(loop.yielded, [op for op in operations if stored.keys().isdisjoint(op.results)])
    read = {value: stored[value] for op in (*of_sums, last) for value in op.operands if value in stored}
    written = {root_of(op.tensor) for op in stores}
    both = set(of_stores).intersection(of_sums)
    if (
        any(value in loop.carried for op in of_stores for value in op.operands)
        or any(isinstance(op, Load) and root_of(op.tensor) in written for op in of_sums)
        or any(map(is_costly, both))
        or len(read) + sum(op in accesses for op in of_sums) >= len(accesses)
    ):
        return [loop]
    return [_storing(loop, [op for op in operations if op in of_stores]), _summing(loop, of_sums, read)]


def _are_near(loop: For, accesses: Sequence[Load | Store], lanes: int, machine: Machine) -> bool:
    """Whether what the first loop has stored is in the second-level cache yet, as far as is known."""
    of_iteration = sum(tensor.type.element.size for tensor in {op.tensor for op in accesses})
    return bool((loop.trips or 0) * lanes * of_iteration <= machine.caches.second_level)


def _storing(loop: For, operations: list[Operation]) -> For:
    """The loop that stores."""
    variable = Value(loop.variable.type, loop.variable.name, loop.variable.location)
    mapping = {loop.variable: variable}
    body = Region("mixed", [variable], [clone_operation(op, mapping) for op in operations], loop.body.location)
    return For(loop.location, [], start=loop.start, stop=loop.stop, step=loop.step, body=body)


def _summing(loop: For, operations: list[Operation], read: dict[Value, Store]) -> For:
    """The loop that sums what was stored."""
    to = Builder(loop.location)
    known = {value: to.load(op.tensor, op.indices) for value, op in read.items()}
    end = terminator(loop.body)
    assert end is not None
    for op in (*operations, end):
        op.replace_operands(lambda value: known.get(value, value))
    loop.body.operations = [*to.operations, *operations, end]
    return loop
