"""Execution of the namespaces `cpu` and `check`: what passes make of a function is compared with what it was before.

Work-groups are executed one by one here, as everywhere in the language. Of those that go in step the first one does
the work of all, and the others do nothing; those that are left over do their own.
"""

from __future__ import annotations

from ...ir.values import Region
from ...ops import cpu, demands
from ...ops.scalars import scalar_argument
from .accesses import alloca
from .machine import Machine, Results, entries, entry, executes

# what nobody wrote yet is as undefined in registers as it is in memory
executes(cpu.Registers)(alloca)


@executes(cpu.Kernel)
def kernel(machine: Machine, op: cpu.Kernel) -> Results:
    machine.run(op.body)
    return ()


@executes(cpu.Prefetch)
def prefetch(machine: Machine, op: cpu.Prefetch) -> Results:
    return ()


@executes(cpu.Items)
def items(machine: Machine, op: cpu.Items) -> Results:
    body = op.ahead if op.far is not None and machine[op.far][0] else op.body
    together = len(body.arguments)
    first = machine.group // together * together
    if first + together > machine.groups:
        _run_for(machine, op.rest, machine.group)
    elif first == machine.group:
        _run_for(machine, body, first)
    return ()


@executes(demands.Report)
def report(machine: Machine, op: demands.Report) -> Results:
    lanes = machine.lanes.active
    data = machine[op.status].memory.data
    if lanes.size and not data[0]:
        place = (1, op.attributes[demands.OPERATION], op.attributes[demands.DEMAND], entry(machine[op.group], lanes[0]))
        numbers = entries(machine.all_of(op.numbers), int(lanes[0]))
        data[: len(place) + len(numbers)] = (*place, *numbers)
    return ()


def _run_for(machine: Machine, region: Region, first: int) -> None:
    """Execute a region for so many work-groups as it has arguments."""
    for number, argument in enumerate(region.arguments, first):
        machine.values[argument] = scalar_argument(number, argument.type)
    machine.run(region)
