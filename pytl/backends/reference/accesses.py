"""Execution of the instructions that allocate, view, read and write memory element by element."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...diagnostics import ExecutionError
from ...ir.meanings import Meanings
from ...ir.operation import Operation, defined_at
from ...ir.types import GroupType
from ...ir.values import Value
from ...ops import (
    Alloca,
    Associated,
    AtomicAdd,
    AtomicLoad,
    AtomicMax,
    AtomicMin,
    AtomicScaleAdd,
    AtomicStore,
    AtomicUpdate,
    LifetimeStop,
    Load,
    Size,
    Store,
    Subview,
    scalars,
)
from ...ops.atomics import IS_WIDE
from ...ops.preconditions import group_message, index_message, named, offset_message, slice_message
from . import rules
from .machine import Machine, Results, element_name, entries, entry, executes, remark, uniform
from .memory import GroupView
from .races import make_shadow, synchronise, watch
from .shadow import Access
from .view_bounds import check_view_bounds
from .views import Integers, Memory, View, add, gather, scatter, unwritten, update


@executes(Alloca)
def alloca(machine: Machine, op: Alloca) -> Results:
    type_ = op.result.type
    memory = Memory.local(type_, op.result.location)
    if machine.history is not None:
        memory.shadow = make_shadow(machine.history, type_)
    return (View((memory,), 0, type_.shape, type_.strides),)


@executes(LifetimeStop)
def lifetime_stop(machine: Machine, op: LifetimeStop) -> Results:
    memory = machine[op.tensor].memory
    # the memory of a parameter does not end with the kernel, even if a lifetime_stop names it
    if memory.written is not None:
        memory.stopped = op.location
        if memory.parts is not None:
            memory.parts.stopped = op.location
    return ()


UPDATES: Meanings[str, tuple[Access, bool]] = Meanings(
    "the reference backend, stores", {"": ("write", False), "atomic": ("atomic", False), "atomic_add": ("atomic", True)}
)
"""By what a store is watched for races, and whether it adds."""


def reached(
    machine: Machine, op: Any, access: Access, reads: bool, indices: tuple[np.ndarray, ...] | None = None
) -> tuple[View, np.ndarray]:
    """The view that an access names, and the places of its elements, after all that is checked of it.

    `access` is what it is watched for races as; what it reads must hold values. The `indices` of each lane's element
    are those that the instruction names, unless it names only the first lane's.
    """
    view: View = machine[op.tensor]
    indices = machine.all_of(op.indices) if indices is None else indices
    check_bounds(machine, op, op.tensor, view, op.indices, indices)
    positions = view.positions(indices)
    if reads:
        check_readable(machine, op, op.tensor, view, positions, indices)
    else:
        check_alive(machine, op, op.tensor, view)
    watch(machine, op, access, op.tensor, view, positions, partial(entries, indices))
    return view, positions


@executes(Load)
def load(machine: Machine, op: Load) -> Results:
    if isinstance(op.tensor.type, GroupType):
        return (load_memref(machine, op),)
    view, positions = reached(machine, op, "read", True)
    return (gather(view, positions, machine.lanes.active, machine.lanes.count),)


@executes(Store)
def store(machine: Machine, op: Store) -> Results:
    access, adds = UPDATES[op.flag]
    view, positions = reached(machine, op, access, adds)
    lanes = machine.lanes
    if adds:
        add(view, positions, machine[op.data], lanes.active, lanes.count, lanes.copies)
    else:
        # in a collective region every work-item stores, but all store the same
        scatter(view, positions, machine[op.data], lanes.active, lanes.count)
    return ()


@executes(AtomicLoad)
def atomic_load(machine: Machine, op: AtomicLoad) -> Results:
    view, positions = reached(machine, op, LOADED[IS_WIDE[op.scope]], True)
    synchronise(machine, op, view, positions)
    return (gather(view, positions, machine.lanes.active, machine.lanes.count),)


@executes(AtomicStore)
def atomic_store(machine: Machine, op: AtomicStore) -> Results:
    view, positions = reached(machine, op, UPDATED[IS_WIDE[op.scope]], False)
    synchronise(machine, op, view, positions)
    scatter(view, positions, machine[op.data], machine.lanes.active, machine.lanes.count)
    return ()


@executes(AtomicMax)
@executes(AtomicMin)
@executes(AtomicAdd)
def atomic_update(machine: Machine, op: AtomicUpdate) -> Results:
    view, positions = reached(machine, op, UPDATED[IS_WIDE[op.scope]], True)
    synchronise(machine, op, view, positions)
    lanes, type_ = machine.lanes, op.tensor.type.element

    def combine(before: np.ndarray, operand: np.ndarray) -> np.ndarray:
        return scalars.binary(op.combines, before, operand, type_)

    # in a collective region every work-item does it, and what they find is not used
    for _ in range(lanes.copies):
        before = update(view, positions, machine[op.data], lanes.active, lanes.count, combine)
    return (before,)


@executes(AtomicScaleAdd)
def atomic_scale_add(machine: Machine, op: AtomicScaleAdd) -> Results:
    view, positions = reached(machine, op, UPDATED[IS_WIDE[op.scope]], True)
    synchronise(machine, op, view, positions)
    lanes, element = machine.lanes, op.tensor.type.element
    wide = op.data.type
    number, factor = (np.broadcast_to(machine[value], (lanes.count,)) for value in (op.data, op.factor))

    def combine(before: np.ndarray, lane_numbers: np.ndarray) -> np.ndarray:
        scaled = scalars.binary("mul", factor[lane_numbers], scalars.cast(before, element, wide), wide)
        return scalars.cast(scalars.binary("add", number[lane_numbers], scaled, wide), wide, element)

    # in a collective region every work-item does it, and what they find is not used
    for _ in range(lanes.copies):
        before = update(view, positions, np.arange(lanes.count), lanes.active, lanes.count, combine)
    return (before,)


LOADED: Meanings[bool, Access] = Meanings("atomic loads", {True: "atomic read", False: "group atomic read"})
UPDATED: Meanings[bool, Access] = Meanings("atomic updates", {True: "atomic", False: "group atomic"})
"""By whether the scope has more than one work-group, what an access is watched for."""


@executes(Size)
def size(machine: Machine, op: Size) -> Results:
    tensor = machine[op.tensor]
    extent = len(tensor.items) if isinstance(tensor, BoundGroup) else tensor.shape[op.mode]
    return (np.atleast_1d(np.asarray(extent, np.int64)),)


@executes(Associated)
def associated(machine: Machine, op: Associated) -> Results:
    return (np.array([machine[op.tensor] is not None]),)


@executes(Subview)
def subview(machine: Machine, op: Subview) -> Results:
    view: View = machine[op.tensor]

    def bound(part: Any) -> Integers:
        return uniform(machine[part]) if isinstance(part, Value) else part

    offset, shape, strides = view.offset, [], []
    machine.outside.discard(op)
    for mode, (piece, extent, stride) in enumerate(zip(op.slices, view.shape, view.strides, strict=True)):
        begin = bound(piece.offset)
        length = bound(piece.size) if piece.keeps_mode else None
        _check_slice(machine, op, mode, begin, length, extent)
        offset = _wrapped(offset + begin * stride)
        if length is not None:
            shape.append(length)
            strides.append(stride)
    return (View(view.memories, offset, tuple(shape), tuple(strides), view.choice),)


def _wrapped(offset: Integers) -> Integers:
    """An offset in 64 bits: where it needs more, what is out of bounds is not accessed."""
    return (offset + 2**63) % 2**64 - 2**63 if isinstance(offset, int) else offset


def _check_slice(
    machine: Machine, op: Subview, mode: int, begin: Integers, length: Integers | None, extent: Integers
) -> None:
    """Report a size that is not positive; note a slice that is out of bounds, or report it where views are strict."""
    if not machine.checks:
        return
    # not `begin + length > extent`, for a sum of 64 bits may wrap
    is_outside = np.atleast_1d((begin < 0) | (begin > extent - (1 if length is None else length)))
    empty = np.atleast_1d(False if length is None else length <= 0)
    if machine.lanes.spread(is_outside).any():
        machine.outside.add(op)

    def message(lane: int) -> str:
        at, of = entry(begin, lane), entry(extent, lane)
        return offset_message(mode, at, of) if length is None else slice_message(mode, at, entry(length, lane), of)

    violations = empty | is_outside if machine.program.strict_views else empty
    machine.forbid(violations, op, rules.SUBVIEW_BOUNDS, message, rules.SUBVIEW_HELP, defined_at(op.tensor))


# Groups.


class BoundGroup:
    """The value of a group: the caller's argument, with the memories of its items."""

    __slots__ = ("items", "memories", "offset")

    def __init__(self, group: GroupView, offset: int, memories: dict[int, Memory]) -> None:
        # computed once: memories are found by the identity of the items' buffers
        self.items = tuple(group.items)
        self.offset = offset
        self.memories = memories
        """By the identity of the item's buffer."""

    def view(self, number: int) -> View:
        item = self.items[number]
        memory = self.memories[id(item.buffer)]
        return View((memory,), item.offset + self.offset, tuple(item.shape), tuple(item.strides))


def load_memref(machine: Machine, op: Load) -> View:
    """A memref out of a group."""
    group: BoundGroup = machine[op.tensor]
    index = machine[op.indices[0]]
    count = len(group.items)
    machine.forbid(
        (index < 0) | (index >= count),
        op,
        rules.GROUP_INDEX,
        lambda lane: group_message(entry(index, lane), count),
        labels=defined_at(op.tensor),
    )
    if index.size == 1:
        view = group.view(int(index[0]))
        _check_memory(machine, op, group, view, int(index[0]), 0)
        return view
    lanes = machine.lanes
    numbers = np.where(lanes.mask, index, index[lanes.active[0]])
    numbers_used, position = np.unique(numbers, return_inverse=True)
    views = [group.view(int(number)) for number in numbers_used]
    for number_index, (number, view) in enumerate(zip(numbers_used, views, strict=True)):
        _check_memory(machine, op, group, view, int(number), int((position == number_index).argmax()))
    return _one_a_lane(views, position)


def _one_a_lane(views: list[View], position: np.ndarray) -> View:
    """The view that is `views[position[lane]]` in each lane."""

    def by_lane(numbers: list[Integers]) -> Integers:
        same = all(number == numbers[0] for number in numbers)
        return numbers[0] if same else np.array(numbers, np.int64)[position]

    memories = list(dict.fromkeys(view.memory for view in views))
    memory_indices = np.array([memories.index(view.memory) for view in views])
    return View(
        tuple(memories),
        by_lane([view.offset for view in views]),
        tuple(by_lane(list(extents)) for extents in zip(*(view.shape for view in views), strict=True)),
        tuple(by_lane(list(strides)) for strides in zip(*(view.strides for view in views), strict=True)),
        None if len(memories) == 1 else memory_indices[position],
    )


def _check_memory(machine: Machine, op: Load, group: BoundGroup, view: View, number: int, lane: int) -> None:
    if not machine.checks or view.size == 0:
        return
    last = view.offset + sum((n - 1) * s for n, s in zip(view.shape, view.strides, strict=True))
    size = view.memory.data.size
    if view.offset < 0 or last >= size:
        message = (
            f"memref {number} moved by offset {group.offset} spans elements {view.offset} to {last},"
            f" but its memory has {size}"
        )
        raise machine.error(op, rules.GROUP_MEMORY, message, "pass longer arrays", defined_at(op.tensor), lane)


# Checks that accesses have in common.


def check_bounds(
    machine: Machine,
    op: Operation,
    tensor: Value,
    view: View,
    operands: list[Value],
    indices: tuple[np.ndarray, ...],
) -> None:
    """Check that every index lies in its mode."""
    if not machine.checks:
        return
    for mode, (index, extent) in enumerate(zip(indices, view.shape, strict=True)):
        _check_index(machine, op, tensor, mode, operands[mode], index, extent)
    check_view_bounds(machine, op, tensor, indices)


def _check_index(
    machine: Machine,
    op: Operation,
    tensor: Value,
    mode: int,
    operand: Value,
    index: np.ndarray,
    extent: Integers,
) -> None:
    def message(lane: int) -> str:
        return index_message(tensor, operand, mode, entry(index, lane), entry(extent, lane))

    violations = (index < 0) | (index >= extent)
    if violations.any():  # nearly never: what a message shows is made only here
        machine.forbid(violations, op, rules.OUT_OF_BOUNDS, message, labels=defined_at(tensor))


def check_alive(machine: Machine, op: Operation, tensor: Value, view: View) -> None:
    """Check that the memory's lifetime has not ended."""
    memory = view.memory
    if machine.checks and memory.stopped is not None:
        raise machine.error(
            op,
            rules.LIFETIME,
            f"the memory of {named(tensor)} is used after its lifetime_stop",
            "move the lifetime_stop after the last use",
            remark(memory.stopped, "its lifetime ends here"),
        )


def check_readable(
    machine: Machine,
    op: Operation,
    tensor: Value,
    view: View,
    positions: np.ndarray,
    indices: tuple[np.ndarray, ...],
) -> None:
    """Check that the memory is live, and that the elements that are read hold values."""
    if not machine.checks or (view.choice is None and view.memory.written is None):
        return
    check_alive(machine, op, tensor, view)
    lanes = machine.lanes
    violations = unwritten(view, positions, lanes.active, lanes.count)
    if violations.any():
        lane = int(violations.argmax())
        raise uninitialised(machine, op, tensor, view, entries(indices, lane), lane)


def uninitialised(
    machine: Machine, op: Operation, tensor: Value, view: View, element: tuple[int, ...], lane: int = 0
) -> ExecutionError:
    """The error that an element of local memory is read before it is written."""
    message = f"{element_name(tensor, element)} is read, but was never written"
    labels = remark(view.memory.location, "allocated here")
    return machine.error(op, rules.UNINITIALISED, message, labels=labels, lane=lane)
