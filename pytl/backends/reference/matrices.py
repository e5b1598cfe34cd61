"""Execution of the instructions that load, store, multiply and scale cooperative matrices.

A cooperative matrix belongs to a sub-group: its value is an array (sub-groups, rows, columns), with a single
entry where all sub-groups have the same matrix. A sub-group reads or writes each element once, whatever the number
of its work-items.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.operation import Operation, defined_at
from ...ir.values import Value
from ...ops import (
    CooperativeMatrixAtomicAdd,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixAtomicMax,
    CooperativeMatrixAtomicMin,
    CooperativeMatrixAtomicStore,
    CooperativeMatrixAtomicUpdate,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
    CooperativeMatrixStoreTransposed,
    LoadPadded,
    scalars,
)
from ...ops.atomics import IS_WIDE
from ...ops.coopmatrix import CHECKED_SIDES
from ...ops.preconditions import help_for_side
from ...ops.scalars import dtype_of
from ...ops.updates import TRANSPOSES
from ...process.records import dataclass
from . import rules
from .accesses import LOADED, UPDATED, UPDATES, check_alive, uninitialised
from .arithmetic import checked_cast
from .collectives import promoted
from .machine import Machine, Results, executes, named
from .races import subgroup_agents, synchronise_agents, watch_agents
from .shadow import Access
from .subgroups import check_convergence, check_uniform, first_lane, present
from .view_bounds import bounds_error, outside
from .views import Integers, View, add, gather, scatter, unwritten, update


@executes(CooperativeMatrixAtomicLoad)
@executes(CooperativeMatrixLoad)
@executes(LoadPadded)
def load(machine: Machine, op: CooperativeMatrixLoad) -> Results:
    check_convergence(machine, op)
    tile = tile_of(machine, op, op.M, machine[op.x], machine[op.y], op.result.type.shape, op.transpose, op.checked)
    result = loaded(machine, op, op.M, tile, op.padding if isinstance(op, LoadPadded) else None)
    if isinstance(op, CooperativeMatrixAtomicLoad):
        synchronise_tile(machine, op, tile)
    return (result,)


def loaded(
    machine: Machine, op: Operation, tensor: Value, tile: Tile, padding: Value | None, watched: Tile | None = None
) -> np.ndarray:
    """What lies in the memref of a tile, and the padding elsewhere, 0 where there is none.

    Of elements that are read for other sub-groups alone, as `watched` leaves them out, no race is reported.
    """
    check_readable(machine, op, tensor, tile)
    result = np.zeros(tile.shape, dtype_of(tensor.type.element))
    if padding is not None:
        result[...] = check_uniform(machine, op, "the padding", machine[padding])[:, None, None]
    if tile.accessed.size:
        access = LOADED[IS_WIDE[op.scope]] if isinstance(op, CooperativeMatrixAtomicLoad) else "read"
        watch_tile(machine, op, access, tensor, tile if watched is None else watched)
        elements = gather(tile.view, tile.positions, tile.accessed, tile.count)
        result.reshape(-1)[tile.accessed] = elements[tile.accessed]
    return result


@executes(CooperativeMatrixAtomicStore)
@executes(CooperativeMatrixStore)
@executes(CooperativeMatrixStoreTransposed)
def store(machine: Machine, op: CooperativeMatrixStore) -> Results:
    check_convergence(machine, op)
    matrix = machine[op.A]
    tile = tile_of(machine, op, op.M, machine[op.x], machine[op.y], op.A.type.shape, op.transpose, op.checked, matrix)
    values = np.broadcast_to(matrix, tile.shape).reshape(-1)
    access, adds = UPDATES[op.flag]
    if isinstance(op, CooperativeMatrixAtomicStore):
        access = UPDATED[IS_WIDE[op.scope]]
    if adds:
        check_readable(machine, op, op.M, tile)
    elif tile.accessed.size:
        check_alive(machine, op, op.M, tile.view)
    watch_tile(machine, op, access, op.M, tile)
    if isinstance(op, CooperativeMatrixAtomicStore):
        synchronise_tile(machine, op, tile)
    if adds:
        add(tile.view, tile.positions, values, tile.accessed, tile.count, tile.copies)
    else:
        # sub-groups that all have the same matrix and position store the same
        scatter(tile.view, tile.positions, values, tile.accessed, tile.count)
    return ()


@executes(CooperativeMatrixAtomicAdd)
@executes(CooperativeMatrixAtomicMin)
@executes(CooperativeMatrixAtomicMax)
def atomic_update(machine: Machine, op: CooperativeMatrixAtomicUpdate) -> Results:
    """Sub-groups that have the same matrix and position find different elements all the same."""
    check_convergence(machine, op)
    type_ = op.A.type
    matrix = np.broadcast_to(machine[op.A], (len(present(machine)), *type_.shape))
    tile = tile_of(machine, op, op.M, machine[op.x], machine[op.y], type_.shape, op.transpose, op.checked, matrix)
    check_readable(machine, op, op.M, tile)
    watch_tile(machine, op, UPDATED[IS_WIDE[op.scope]], op.M, tile)
    synchronise_tile(machine, op, tile)

    def combine(before: np.ndarray, operand: np.ndarray) -> np.ndarray:
        return scalars.binary(op.combines, before, operand, type_.component)

    before = update(tile.view, tile.positions, matrix.reshape(-1), tile.accessed, tile.count, combine)
    return (before.reshape(tile.shape),)


@executes(CooperativeMatrixMulAdd)
def mul_add(machine: Machine, op: CooperativeMatrixMulAdd) -> Results:
    check_convergence(machine, op)
    component = op.C.type.component
    a = promoted(machine[op.A], op.A.type.component, component)
    b = promoted(machine[op.B], op.B.type.component, component)
    c = scalars.widened(machine[op.C], component)
    result = (np.matmul(a, b) + c).astype(dtype_of(component), copy=False)
    return (checked_cast(machine, op, result, component, op.result.type.component),)


@executes(CooperativeMatrixScale)
def scale(machine: Machine, op: CooperativeMatrixScale) -> Results:
    check_convergence(machine, op)
    factor = check_uniform(machine, op, "the scalar", machine[op.scalar])
    return (scalars.binary("mul", factor[:, None, None], machine[op.matrix], op.matrix.type.component),)


@dataclass(frozen=True)
class Tile:
    """The elements of memory for the components of matrices, one after the other."""

    view: View
    """Their positions in the buffer; for each component where memories differ."""
    shape: tuple[int, int, int]
    """The shape of the matrices: (sub-groups, rows, columns)."""
    modes: tuple[np.ndarray, np.ndarray]
    """The index of each component in the two modes of the memref, broadcastable to `shape`."""
    positions: np.ndarray
    accessed: np.ndarray
    """The numbers of the components that are read or written."""
    copies: int
    """How many sub-groups each matrix stands for."""

    @property
    def count(self) -> int:
        return self.positions.size

    def position(self, number: int) -> tuple[int, int, int]:
        """Sub-group, row and column of a component."""
        subgroup, row, column = np.unravel_index(number, self.shape)
        return int(subgroup), int(row), int(column)

    def element(self, number: int) -> tuple[int, int]:
        """The index of a component in the memref."""
        position = self.position(number)
        first, second = (int(np.broadcast_to(mode, self.shape)[position]) for mode in self.modes)
        return first, second


def tile_of(
    machine: Machine,
    op: Any,
    tensor: Value,
    x: np.ndarray,
    y: np.ndarray,
    size: tuple[int, int],
    transpose: str,
    checked: str,
    stored: np.ndarray | None = None,
) -> Tile:
    """The elements from position x, y on. `stored` are the matrices, where they may differ by sub-group."""
    view = _view_of_subgroups(machine, op, tensor)
    first = check_uniform(machine, op, "x", x)[:, None, None]
    second = check_uniform(machine, op, "y", y)[:, None, None]
    row, column = np.arange(size[0])[:, None], np.arange(size[1])
    modes = (first + column, second + row) if TRANSPOSES[transpose] else (first + row, second + column)
    offset, *layout = (_by_matrix(part) for part in (view.offset, *view.shape, *view.strides))
    positions = np.asarray(offset + modes[0] * layout[2] + modes[1] * layout[3])

    taking_part = present(machine).any(axis=1)
    subgroups = max(
        len(positions), 1 if stored is None else len(stored), 1 if view.choice is None else taking_part.size
    )
    shape = (subgroups, *size)
    inside = [(mode >= 0) & (mode < extent) for mode, extent in zip(modes, layout[:2], strict=True)]
    by_row, by_column = inside[::-1] if TRANSPOSES[transpose] else inside
    allowed = np.ones(shape, np.bool_)
    if subgroups > 1:
        allowed &= taking_part[:, None, None]
    if "rows" in CHECKED_SIDES[checked]:
        allowed &= by_row
    if "cols" in CHECKED_SIDES[checked]:
        allowed &= by_column
    beyond = allowed & ~(by_row & by_column)
    choice = None if view.choice is None else np.repeat(view.choice, size[0] * size[1])
    tile = Tile(
        View(view.memories, view.offset, view.shape, view.strides, choice),
        shape,
        modes,
        np.broadcast_to(positions, shape).reshape(-1),
        # without checks, elements outside of the memref are not accessed
        np.flatnonzero(allowed & ~beyond),
        int(taking_part.sum()) if subgroups == 1 else 1,
    )
    if machine.checks and beyond.any():
        raise _out_of_bounds(machine, op, tensor, view, tile, int(beyond.reshape(-1).argmax()), transpose)
    _check_tile_bounds(machine, op, tensor, tile, allowed)
    return tile


def _check_tile_bounds(machine: Machine, op: Any, tensor: Value, tile: Tile, allowed: np.ndarray) -> None:
    """Check the elements of a tile in a view that may be out of bounds."""

    def by_subgroup(numbers: Integers) -> Integers:
        if isinstance(numbers, np.ndarray):
            return _by_matrix(check_uniform(machine, op, named(tensor), numbers, shown=False))
        return numbers

    def shape(view: View) -> tuple[Integers, ...]:
        return tuple(map(by_subgroup, view.shape))

    violation = outside(machine, tensor, tile.modes, lambda value: by_subgroup(machine[value]), shape, allowed)
    if violation is not None:
        number, message, form = violation
        raise bounds_error(machine, op, message, form, lane_of(machine, tile, tile.position(number)[0]))


def _by_matrix(numbers: Integers) -> Integers:
    return numbers[:, None, None] if isinstance(numbers, np.ndarray) else numbers


def _view_of_subgroups(machine: Machine, op: Any, tensor: Value) -> View:
    """The memref of each sub-group, which must be uniform in the sub-group."""

    def taken(numbers: Any) -> Any:
        if not isinstance(numbers, np.ndarray):
            return numbers
        return check_uniform(machine, op, named(tensor), numbers, shown=False)

    view: View = machine[tensor]
    choice, offset = taken(view.choice), taken(view.offset)
    return View(view.memories, offset, tuple(map(taken, view.shape)), tuple(map(taken, view.strides)), choice)


def _out_of_bounds(
    machine: Machine, op: Any, tensor: Value, view: View, tile: Tile, number: int, transpose: str
) -> Exception:
    subgroup, row, column = tile.position(number)
    element = tile.element(number)
    extents = [int(np.broadcast_to(extent, tile.shape[0])[subgroup]) for extent in view.shape]
    mode = 0 if not 0 <= element[0] < extents[0] else 1
    # the rows of a transposed matrix are the columns of the memref
    side = ("rows", "cols")[1 - mode if TRANSPOSES[transpose] else mode]
    message = (
        f"component ({row}, {column}) is element ({element[0]}, {element[1]}) of {named(tensor)},"
        f" which is out of bounds in mode {mode}, whose size is {extents[mode]}"
    )
    lane = lane_of(machine, tile, subgroup)
    return machine.error(op, rules.OUT_OF_BOUNDS, message, help_for_side(side), defined_at(tensor), lane)


def lane_of(machine: Machine, tile: Tile, subgroup: int) -> int:
    """The work-item that a message names for a matrix of the tile."""
    if tile.shape[0] == 1:
        return int(machine.lanes.mask.argmax())
    return first_lane(machine, subgroup)


def check_readable(machine: Machine, op: Any, tensor: Value, tile: Tile) -> None:
    """Check that the memory is live, and that the elements that are read hold values."""
    if not machine.checks or not tile.accessed.size:
        return
    check_alive(machine, op, tensor, tile.view)
    violations = unwritten(tile.view, tile.positions, tile.accessed, tile.count)
    if violations.any():
        number = int(violations.argmax())
        lane = lane_of(machine, tile, tile.position(number)[0])
        raise uninitialised(machine, op, tensor, tile.view, tile.element(number), lane)


def watch_tile(machine: Machine, op: Any, access: Access, tensor: Value, tile: Tile) -> None:
    """Record that sub-groups access the elements of a tile, each as a unit."""
    if machine.history is None or not tile.accessed.size:
        return
    numbers, agents = _accesses_of(machine, tile)
    watch_agents(
        machine,
        op,
        access,
        tensor,
        tile.view,
        tile.positions,
        numbers,
        agents,
        tile.element,
        lambda number: lane_of(machine, tile, tile.position(number)[0]),
    )


def synchronise_tile(machine: Machine, op: Any, tile: Tile) -> None:
    """Record what sub-groups release or acquire with the elements of a tile."""
    if machine.history is not None and tile.accessed.size:
        synchronise_agents(machine, op, tile.view, tile.positions, *_accesses_of(machine, tile))


def _accesses_of(machine: Machine, tile: Tile) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the components that are accessed, and the agents that do it."""
    numbers = tile.accessed
    if tile.shape[0] == 1:
        # two sub-groups that do the same tell as much as all of them
        subgroups = np.flatnonzero(present(machine).any(axis=1))[:2]
        numbers, by = np.tile(numbers, subgroups.size), subgroups.repeat(numbers.size)
    else:
        by = numbers // (tile.shape[1] * tile.shape[2])
    return numbers, subgroup_agents(machine, by)
