"""Execution of the namespaces `cpu` and `check`, so that a function after the passes is compared with the original.

Work-groups are executed one by one here, as everywhere in the language. The first one of several interleaved
work-groups executes the code of all of them, and the others do nothing; those of the remainder execute their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...ir.values import Region, Value
from ...ops import preconditions
from ...ops.scalars import scalar_argument, widened
from ...passes.targets import cpu, vector
from ...passes.targets.group_lanes import InLanes
from ...passes.targets.outer_products import OuterProducts
from .accesses import alloca
from .machine import Machine, Results, entries, entry, executes
from .subgroups import check_convergence, grouped, ungrouped

# registers that were never written are as undefined as such memory
executes(cpu.Registers)(alloca)


@executes(vector.WorkItems)
@executes(OuterProducts)
@executes(InLanes)
@executes(cpu.Kernel)
def kernel(machine: Machine, op: cpu.Kernel | vector.WorkItems | OuterProducts | InLanes) -> Results:
    machine.run(op.body)
    return ()


@executes(vector.Code)
def code(machine: Machine, op: vector.Code) -> Results:
    program = machine.program
    before = program.vector_scale
    program.vector_scale = op.attributes.get(vector.SCALE, before)
    machine.run(op.body)
    program.vector_scale = before
    return ()


@executes(vector.SubgroupBarrier)
def subgroup_barrier(machine: Machine, op: vector.SubgroupBarrier) -> Results:
    if machine.history is not None:
        machine.history.fence("global")
        machine.history.fence("local")
    return ()


@executes(vector.Fence)
def fence(machine: Machine, op: vector.Fence) -> Results:
    return ()


@executes(cpu.BeginsAtLine)
def begins_at_line(machine: Machine, op: cpu.BeginsAtLine) -> Results:
    return (np.ones(1, bool),)  # the memory here has no caches


@executes(vector.ToLine)
def to_line(machine: Machine, op: vector.ToLine) -> Results:
    # any number below those of a line: code that goes by it is seen to be right
    return (np.full(1, op.attributes[vector.LINE] // op.tensor.type.element.size // 4, np.int64),)


@executes(vector.Exchange)
def exchange(machine: Machine, op: vector.Exchange) -> Results:
    check_convergence(machine, op)
    values = machine[op.a]
    if values.size == 1:
        return (values,)
    others = np.arange(machine.program.subgroup_size) ^ op.bits
    return (ungrouped(machine, grouped(machine, values)[:, others]),)


@executes(vector.MatrixFma)
def matrix_fma(machine: Machine, op: vector.MatrixFma) -> Results:
    check_convergence(machine, op)

    def of_lanes(values: Sequence[Value]) -> np.ndarray:
        """Values by sub-groups, work-items, and their place among the values."""
        lanes = (np.broadcast_to(widened(machine[value], value.type), machine.lanes.count) for value in values)
        return np.stack([grouped(machine, each) for each in lanes], axis=-1)

    sums = of_lanes(op.sums)
    groups, items, columns = sums.shape
    # by sub-groups, work-items, columns, and the steps that a work-item has of a column
    right = of_lanes(op.right).reshape(groups, items, columns, -1).swapaxes(-1, -2).reshape(groups, -1, columns)
    totals = sums + of_lanes(op.left).astype(sums.dtype) @ right.astype(sums.dtype)
    return tuple(ungrouped(machine, np.ascontiguousarray(each)) for each in np.moveaxis(totals, -1, 0))


@executes(vector.Prefetch)
@executes(cpu.Prefetch)
def prefetch(machine: Machine, op: cpu.Prefetch | vector.Prefetch) -> Results:
    return ()


@executes(cpu.Items)
def items(machine: Machine, op: cpu.Items) -> Results:
    body = op.prefetching if op.exceeds_cache is not None and machine[op.exceeds_cache][0] else op.body
    interleaved = len(body.arguments)
    first = machine.group // interleaved * interleaved
    stop = machine.grid if op.stop is None else int(machine[op.stop][0])
    for start in range(0, stop, machine.grid):
        groups = min(machine.grid, stop - start)
        if groups <= machine.group:
            break
        if first + interleaved > groups:
            _run_for(machine, op.remainder, start + machine.group)
        elif first == machine.group:
            _run_for(machine, body, start + first)
    return ()


@executes(vector.SideBySide)
def side_by_side(machine: Machine, op: vector.SideBySide) -> Results:
    if machine.group % op.items == 0:  # else an earlier work-group has executed its code, too
        for argument, number in zip(op.body.arguments, (machine.group, machine.grid)):
            machine.values[argument] = scalar_argument(number, argument.type)
        machine.run(op.body)
    return ()


@executes(cpu.Later)
def later(machine: Machine, op: cpu.Later) -> Results:
    return (np.minimum(machine[op.group] + op.attributes[cpu.DISTANCE], machine[op.last]),)


@executes(preconditions.Report)
def report(machine: Machine, op: preconditions.Report) -> Results:
    lanes = machine.lanes.active
    data = machine[op.status].memory.data
    if lanes.size and not data[0]:
        header = (
            1,
            op.attributes[preconditions.OPERATION],
            op.attributes[preconditions.DEMAND],
            entry(machine[op.group], lanes[0]),
        )
        numbers = entries(machine.all_of(op.numbers), int(lanes[0]))
        data[: len(header) + len(numbers)] = (*header, *numbers)
    return ()


def _run_for(machine: Machine, region: Region, first: int) -> None:
    """Execute a region for so many work-groups as it has arguments."""
    for number, argument in enumerate(region.arguments, first):
        machine.values[argument] = scalar_argument(number, argument.type)
    machine.run(region)
