"""Detection of data races: unordered accesses of two agents to one element, one of which writes, not both atomic.

Every access to memory is reported to `watch` (one element per lane, or for other agents) or `watch_tensor` (the
work-group accesses a tensor as a whole) before it is made. Within a work-group, accesses are ordered by the beginning
and end of an SPMD region, and by a barrier with the right fence; in a collective region they are always ordered,
because the implementation puts barriers there. Accesses of different work-groups are not ordered.

Memory that the function never writes is not watched, nor is memory that cannot be shared by the rules of the language.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ...diagnostics import ExecutionError
from ...diagnostics.words import listed
from ...ir.operation import Operation
from ...ir.types import MemrefType
from ...ir.values import Value
from ...ops import AtomicLoad, AtomicStore, AtomicUpdate
from ...ops.atomics import ACQUIRES, IS_WIDE, RELEASES
from . import rules
from .machine import Machine, element_name, entries, entry, remark
from .shadow import Access, Area, Clock, History, Race, Shadow
from .views import Memory, View

_DONE: dict[Access, str] = {
    "read": "read",
    "write": "written",
    "atomic": "updated atomically",
    "group atomic": "updated atomically for its work-group",
    "atomic read": "read atomically",
    "group atomic read": "read atomically for its work-group",
}


def watch(
    machine: Machine,
    op: Operation,
    access: Access,
    tensor: Value,
    view: View,
    positions: np.ndarray,
    element: Callable[[int], tuple[int, ...]],
) -> None:
    """Each active lane accesses one element of a memref, all of them at once.

    Parameters: `positions`, as `View.positions` gives them; `element(lane)`, the indices of a lane's element.

    Raises an ExecutionError at the first lane whose access races with another one.
    """
    lanes = machine.lanes
    if machine.history is None or (view.choice is None and view.memory.shadow is None):
        return
    if lanes.role == "work-group" and not machine.history.shared:
        return
    active = lanes.active
    if positions.size == 1:
        # two agents per element suffice to find a race
        active = active[:2] if view.choice is None else active
        positions = positions.repeat(lanes.count)
    agents = active + lanes.first
    watch_agents(machine, op, access, tensor, view, positions, active, agents, element, lambda lane: lane)


def watch_agents(
    machine: Machine,
    op: Operation,
    access: Access,
    tensor: Value,
    view: View,
    positions: np.ndarray,
    numbers: np.ndarray,
    agents: np.ndarray,
    element: Callable[[int], tuple[int, ...]],
    lane_of: Callable[[int], int],
) -> None:
    """Agents access elements of a memref, all of them at once, each any number of them.

    Parameters: `positions`, of elements that `view.choice`, if it is there, has as many entries as; `numbers`, which
    of them are accessed, and `agents`, by whom: work-items and iterations are their own numbers, sub-groups what
    `subgroup_agents` gives; `element(number)`, the indices of one of the elements; `lane_of(number)`, the lane that a
    message names for it.
    """
    history = machine.history
    if history is None:
        return
    for memory, selected in view.by_memory(numbers):
        shadow = memory.shadow
        if shadow is None:
            continue
        clock = shadow.area.clock
        stamps: int | np.ndarray
        if machine.lanes.role == "work-group":
            if not clock.shared:
                continue
            stamps = latest_stamp = history.stamp_of_all(clock, op)
        else:
            accessing_agents = agents if selected is numbers else agents[np.isin(numbers, selected)]
            stamps, latest_stamp = (
                history.stamps(clock, accessing_agents, op),
                clock.epoch + history.agents * history.unit,
            )
            if shadow.factor > 1:
                stamps = stamps[:, None]
        race = shadow.area.access(access, shadow.at(positions[selected]), stamps, latest_stamp)
        if race is not None:
            number = int(selected[race.at // shadow.factor])
            raise _error(machine, op, access, element_name(tensor, element(number)), race, clock, lane_of(number))


def synchronise(
    machine: Machine, op: AtomicLoad | AtomicStore | AtomicUpdate, view: View, positions: np.ndarray
) -> None:
    """Record what an atomic access releases, and order what follows after what was released to it.

    All of the work-group is ordered, and after everything that was done before: an order that is not there may be
    assumed, so that not every race is found, but no access is reported that the program orders.
    """
    lanes = machine.lanes
    positions = np.broadcast_to(positions, (lanes.count,))
    synchronise_agents(machine, op, view, positions, lanes.active, lanes.active + lanes.first)


def synchronise_agents(
    machine: Machine, op: Any, view: View, positions: np.ndarray, numbers: np.ndarray, agents: np.ndarray
) -> None:
    """The same of agents that access elements, as `watch_agents` is told them."""
    history = machine.history
    acquires, releases = ACQUIRES[op.order], RELEASES[op.order]
    if history is None or not (acquires or releases):
        return
    accessed: list[tuple[Shadow, np.ndarray, np.ndarray]] = []
    for memory, selected in view.by_memory(numbers):
        if memory.shadow is not None:
            accessing_agents = agents if selected is numbers else agents[np.isin(numbers, selected)]
            accessed.append((memory.shadow, positions[selected], accessing_agents))
    if acquires:
        is_acquired = is_acquired_widely = False
        for shadow, positions_there, agents in accessed:
            elements, stamps = shadow.at(positions_there), _stamps_of(history, shadow, agents, op)
            is_acquired |= shadow.area.acquires(elements, stamps)
            is_acquired_widely |= IS_WIDE[op.scope] and shadow.area.acquires_widely(elements)
        if is_acquired or (_races_with_itself(accessed) and releases):
            history.fence("global")
            history.fence("local")
        if is_acquired_widely:
            history.order_groups()
    if releases:
        for shadow, positions_there, agents in accessed:
            shadow.area.release(shadow.at(positions_there), _stamps_of(history, shadow, agents, op), IS_WIDE[op.scope])


def _stamps_of(history: History, shadow: Shadow, agents: np.ndarray, op: Operation) -> np.ndarray:
    stamps = history.stamps(shadow.area.clock, agents, op)
    return stamps[:, None] if shadow.factor > 1 else stamps


def _races_with_itself(accessed: list[tuple[Shadow, np.ndarray, np.ndarray]]) -> bool:
    """Whether two of the agents that execute an instruction at the same time access one element."""
    return any(np.unique(positions).size < positions.size for _, positions, _ in accessed)


def watch_tensor(machine: Machine, op: Operation, access: Access, tensor: Value) -> None:
    """The work-group as a whole accesses all elements of a memref, as a collective instruction does.

    It counts as one access: the distribution and order of the elements is up to the implementation.
    """
    history = machine.history
    view: View = machine[tensor]
    shadow = view.memory.shadow
    if history is None or shadow is None or not shadow.area.clock.shared or view.size == 0:
        return
    shape, strides = entries(view.shape, 0), entries(view.strides, 0)
    clock = shadow.area.clock
    stamp = history.stamp_of_all(clock, op)
    race = shadow.area.access(access, shadow.over(shape, entry(view.offset, 0), strides), stamp, stamp)
    if race is not None:
        element = map(int, np.unravel_index(race.at // shadow.factor, shape))
        raise _error(machine, op, access, element_name(tensor, element), race, clock, 0)


def subgroup_agents(machine: Machine, subgroups: np.ndarray) -> np.ndarray:
    """The numbers of sub-groups as agents, by the sub-groups' own numbers.

    A sub-group is a different agent than each of its work-items: the implementation chooses which of them accesses an
    element, so that only synchronisation orders the two. A sub-group of one work-item is that work-item.
    """
    # in later rounds of a foreach_tile, sub-groups have other tiles, and are other agents
    subgroups = subgroups + machine.lanes.first // machine.program.subgroup_size
    if machine.history is None or machine.program.subgroup_size == 1:
        return subgroups
    return machine.history.items + subgroups


def _error(
    machine: Machine, op: Operation, access: Access, element: str, race: Race, clock: Clock, lane: int
) -> ExecutionError:
    """The error that an access races with another one."""
    history, role = machine.history, machine.lanes.role
    assert history is not None
    other_operation = history.operation_of(race.stamp)
    remedies: list[str] = []
    if race.stamp < clock.group:
        rule = rules.RACE_OF_GROUPS
        by = machine.grid.name(history.group_of(race.stamp))
        remedies.append("let each work-group have elements of its own, by its group id")
    else:
        rule = rules.RACE
        by = history.agent(clock, race.stamp)
        if role in ("iteration", "tile") and other_operation is not op:
            remedies.append(f"end the {'foreach' if role == 'iteration' else 'foreach_tile'} between the two accesses")
        elif role == "work-item" and not race.is_simultaneous:
            space = "global" if clock is history.clocks["global"] else "local"
            remedies.append(f"put barrier.{space} between the two accesses (without .{space} it does not order them)")
        remedies.append(f"let each {role} have elements of its own")
        if role == "work-item" and access == "write":
            remedies.append("store what they share from one alone (if its sub-group id and local id are 0)")
    if "group atomic" in access or "group atomic" in race.other:
        remedies.append("make them atomic for all work-groups: .device")
    elif "read" not in (access, race.other):
        remedies.append("make both accesses atomic (store.atomic, store.atomic_add, .atomic)")
    elif race.stamp < clock.group:
        remedies.append("read in another launch")
    help = listed(remedies, ", or ")
    message = f"{element} is {_DONE[access]} here and {_DONE[race.other]} by {by}, in no order"
    return machine.error(op, rule, message, help, remark(other_operation.location, "the other access is here"), lane)


# Where memory is watched.


def make_shadow(history: History, type_: MemrefType) -> Shadow:
    """The shadow of local memory, fresh as the memory itself."""
    factor = 2 if history.has_parts and type_.element.is_complex else 1
    return Shadow(Area(factor * type_.span, history.clocks["local"]), factor)


def make_shadows(history: History, memories: Iterable[Memory], written: set[Memory]) -> None:
    """Attach shadows to the memories of the arguments, a common one where buffers overlap.

    A race may be between views of different types on the same bytes, so the units of such a shadow have the greatest
    common size of the elements.
    """
    clock = history.clocks["global"]
    for overlapping in _overlapping(memories):
        if not any(memory in written for memory in overlapping):
            continue
        begin = min(map(_address, overlapping))
        end = max(_address(memory) + memory.data.nbytes for memory in overlapping)
        sizes = [m.data.itemsize // (2 if history.has_parts and m.data.dtype.kind == "c" else 1) for m in overlapping]
        steps = (number for m, size in zip(overlapping, sizes) for number in (size, _address(m) - begin))
        unit = math.gcd(*steps)
        area = Area((end - begin) // unit, clock)
        for memory in overlapping:
            memory.shadow = Shadow(area, memory.data.itemsize // unit, (_address(memory) - begin) // unit)


def _address(memory: Memory) -> int:
    return int(memory.data.__array_interface__["data"][0])


def _overlapping(memories: Iterable[Memory]) -> list[list[Memory]]:
    """The memories in disjoint sets, none of which shares a byte with another."""
    parts: list[list[Memory]] = []
    end = 0
    for memory in sorted((memory for memory in memories if memory.data.size), key=_address):
        if not parts or _address(memory) >= end:
            parts.append([])
        parts[-1].append(memory)
        end = max(end, _address(memory) + memory.data.nbytes)
    return parts
