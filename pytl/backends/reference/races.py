"""Data races are found: two agents access an element, one writes it, not both atomically, and nothing orders them.

Every access to memory is told to `watch` (one element for each lane, or for other agents) or `watch_tensor` (the
work-group accesses a tensor as a whole) before it is made. Within a work-group the beginning and the end of an SPMD
region and a barrier with the right fence give an order; in a collective region there always is one, since the
implementation puts barriers there. Between work-groups there is none.

Memory that the function never writes is not watched, nor is memory that the language keeps from being shared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from ...ir.operation import Operation
from ...ir.types import MemrefType
from ...ir.values import Value
from . import rules
from .machine import Machine, entry, named, remark
from .shadow import Access, Area, History, Shadow
from .views import Memory, View

_DONE = {"read": "read", "write": "written", "atomic": "updated atomically"}


def watch(
    machine: Machine,
    op: Operation,
    access: Access,
    view: View,
    positions: np.ndarray,
    element: Callable[[int], str],
    lanes: np.ndarray | None = None,
    agents: np.ndarray | None = None,
) -> None:
    """Each lane accesses the element at its position, all of them at once.

    Parameters: `positions`, as `View.positions` gives them; `element(lane)`, how a message calls a lane's element.
    Where others than the active lanes access memory, or each accesses several elements: `lanes`, for each access the
    number of a lane that stands for who makes it; `agents`, who that is, such as `subgroup_agents` gives; positions
    then has an entry an access, and `element` takes the number of the access.

    Raises an ExecutionError at the first access that races with another one.
    """
    history = machine.history
    if history is None:
        return
    whole_group = machine.lanes.role == "work-group"
    if lanes is None:
        lanes = machine.lanes.active
        if positions.size == 1 and view.choice is None:
            # two agents at one element tell as much as all of them
            lanes = lanes[:2]
        numbers = lanes
    else:
        numbers = np.arange(len(lanes))
    for memory, chosen in view.by_memory(lanes):
        shadow = memory.shadow
        if shadow is None or (whole_group and not shadow.area.clock.shared):
            continue
        # which of the accesses are to this memory
        those = numbers if chosen is lanes else _where(view, lanes, numbers, memory)
        clock = shadow.area.clock
        stamps: int | np.ndarray
        if whole_group:
            stamps = newest = history.stamp_of_all(clock, op)
        else:
            who = agents[those] if agents is not None else those + machine.lanes.first
            stamps = history.stamps(clock, who, op)
            newest = clock.epoch + history.agents * history.unit
            if shadow.factor > 1:
                stamps = stamps[:, None]
        place = shadow.at(positions[those] if positions.size > 1 else positions.repeat(those.size))
        found = shadow.area.access(access, place, stamps, newest)
        if found is not None:
            other, (first, stamp), at_once = found
            number = int(those[first // shadow.factor])
            lane = number if numbers is lanes else int(lanes[number])
            _report(machine, history, op, access, element(number), other, stamp, shadow, lane, at_once)


def _where(view: View, lanes: np.ndarray, numbers: np.ndarray, memory: Memory) -> np.ndarray:
    assert view.choice is not None
    return numbers[view.choice[lanes] == view.memories.index(memory)]


def watch_tensor(machine: Machine, op: Operation, access: Access, tensor: Value) -> None:
    """The work-group as a whole accesses all elements of a memref, as a collective instruction does.

    It counts as one access: who serves which element, and in what order, is the implementation's.
    """
    history = machine.history
    view: View = machine[tensor]
    shadow = view.memory.shadow
    if history is None or shadow is None or not shadow.area.clock.shared or view.size == 0:
        return
    shape = tuple(entry(extent, 0) for extent in view.shape)
    strides = tuple(entry(stride, 0) for stride in view.strides)
    place = shadow.over(shape, entry(view.offset, 0), strides)
    stamp = history.stamp_of_all(shadow.area.clock, op)
    found = shadow.area.access(access, place, stamp, stamp)
    if found is not None:
        other, (first, stamp), at_once = found
        element = element_name(tensor, np.unravel_index(first // shadow.factor, shape))
        _report(machine, history, op, access, element, other, stamp, shadow, 0, at_once)


def subgroup_agents(machine: Machine, subgroups: np.ndarray) -> np.ndarray:
    """The agents that sub-groups are in a `parallel`, by their numbers."""
    assert machine.history is not None
    return machine.history.items + subgroups


def element_name(tensor: Value, indices: Iterable[np.ndarray | np.intp], lane: int = 0) -> str:
    """How a message calls an element: that of a lane, where the indices differ between lanes."""
    return f"element ({', '.join(str(entry(np.atleast_1d(i), lane)) for i in indices)}) of {named(tensor)}"


def _report(
    machine: Machine,
    history: History,
    op: Operation,
    access: Access,
    element: str,
    other: Access,
    stamp: int,
    shadow: Shadow,
    lane: int,
    at_once: bool,
) -> None:
    """Raise the error that an access races with another one."""
    clock, site = shadow.area.clock, history.site(stamp)
    own_element = f"let each {machine.lanes.role} have elements of its own"
    atomic = "" if "read" in (access, other) else ", or make both accesses atomic (.atomic, store.atomic_add)"
    if stamp < clock.group:
        rule = rules.RACE_OF_GROUPS
        by = f"work-group {history.group_of(stamp)}"
        help = "let each work-group have elements of its own, found by the group id"
        help += atomic or ", or read in another launch"
    else:
        rule = rules.RACE
        by = history.agent(clock, stamp)
        if at_once or (machine.lanes.role == "iteration" and site is op):
            help = own_element + atomic
        elif machine.lanes.role == "iteration":
            help = f"end the foreach between the two accesses, or {own_element}{atomic}"
        else:
            space = "global" if clock is history.clocks["global"] else "local"
            help = (
                f"put barrier.{space} between the two accesses (a barrier without .{space} does not order"
                f" {space} memory), or {own_element}{atomic}"
            )
        if machine.lanes.role == "work-item" and access == "write":
            help += "; what all work-items share is stored by one alone, behind an if on its sub-group id and local id"
    message = f"{element} is {_DONE[access]} here and {_DONE[other]} by {by}, in no order"
    raise machine.error(op, rule, message, help, remark(site.location, "the other access is here"), lane)


# Where memory is watched.


def lay_shadow(history: History, type_: MemrefType) -> Shadow:
    """The shadow of local memory, fresh as the memory itself."""
    return Shadow(Area(type_.span, history.clocks["local"]))


def lay_shadows(history: History, memories: Iterable[Memory], written: set[Memory]) -> None:
    """Lay shadows under the memories of the arguments, one and the same where buffers overlap.

    A race may be between views of different types on the same bytes, so the units of such a shadow are as large as
    all elements have in common.
    """
    clock = history.clocks["global"]
    for overlapping in _overlapping(memories):
        if not any(memory in written for memory in overlapping):
            continue
        begin = min(map(_address, overlapping))
        end = max(_address(memory) + memory.data.nbytes for memory in overlapping)
        steps = (number for m in overlapping for number in (m.data.itemsize, _address(m) - begin))
        unit = math.gcd(*steps)
        area = Area((end - begin) // unit, clock)
        for memory in overlapping:
            memory.shadow = Shadow(area, memory.data.itemsize // unit, (_address(memory) - begin) // unit)


def _address(memory: Memory) -> int:
    return int(memory.data.__array_interface__["data"][0])


def _overlapping(memories: Iterable[Memory]) -> list[list[Memory]]:
    """The memories in parts, none of which shares a byte with another."""
    parts: list[list[Memory]] = []
    end = 0
    for memory in sorted((memory for memory in memories if memory.data.size), key=_address):
        if not parts or _address(memory) >= end:
            parts.append([])
        parts[-1].append(memory)
        end = max(end, _address(memory) + memory.data.nbytes)
    return parts
