"""Execution of vector code on tile registers: a tile is an array of its rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.types import VectorTileType
from ...ops.scalars import dtype_of
from ...passes.targets import vector_tiles as tiles
from . import rules
from .machine import Machine, Results, executes, uniform
from .memory import filled
from .vectors import elements, lanes_of, loaded, reached_lanes
from .views import poison, scatter


def _shape(machine: Machine, type_: VectorTileType) -> tuple[int, int]:
    return lanes_of(machine, type_.column), lanes_of(machine, type_.row)


@executes(tiles.TileZero)
def zero(machine: Machine, op: tiles.TileZero) -> Results:
    return (np.zeros(_shape(machine, op.result.type), dtype_of(op.result.type.element)),)


@executes(tiles.TileUndefined)
def undefined(machine: Machine, op: tiles.TileUndefined) -> Results:
    """Conspicuous values, in case they are used by mistake."""
    rows, columns = _shape(machine, op.result.type)
    element = op.result.type.element
    return (filled(rows * columns, poison(element), dtype_of(element)).reshape(rows, columns),)


# Slices.


def _slice(machine: Machine, op: Any) -> Any:
    """What selects the row or the column that an instruction names, which has to be one of the tile's."""
    is_row = op.variant == "row"
    count, number = _shape(machine, op.tile.type)[0 if is_row else 1], machine[op.number]
    machine.forbid(
        (number < 0) | (number >= count),
        op,
        rules.OUT_OF_BOUNDS,
        lambda lane: f"{op.variant} {uniform(number)} of a tile of {count}",
    )
    at = uniform(number)
    return (at, slice(None)) if is_row else (slice(None), at)


@executes(tiles.TileExtract)
def extract(machine: Machine, op: tiles.TileExtract) -> Results:
    return (machine[op.tile][_slice(machine, op)],)


@executes(tiles.TileInsert)
def insert(machine: Machine, op: tiles.TileInsert) -> Results:
    tile = machine[op.tile].copy()
    tile[_slice(machine, op)] = machine[op.vector]
    return (tile,)


@executes(tiles.SliceLoad)
def slice_load(machine: Machine, op: tiles.SliceLoad) -> Results:
    _, mask, indices = elements(machine, op)
    view, positions = reached_lanes(machine, op, mask, indices, "read")
    tile = machine[op.tile].copy()
    tile[_slice(machine, op)] = loaded(view, positions, mask).view(tile.dtype)
    return (tile,)


@executes(tiles.SliceStore)
def slice_store(machine: Machine, op: tiles.SliceStore) -> Results:
    values = machine[op.tile][_slice(machine, op)]
    count, mask, indices = elements(machine, op)
    view, positions = reached_lanes(machine, op, mask, indices, "write")
    values = np.ascontiguousarray(values).view(view.memory.data.dtype)
    scatter(view, positions, values, np.flatnonzero(mask), count)
    return ()


# Products.


def _wide(values: np.ndarray, type_: VectorTileType) -> np.ndarray:
    """Factors in a type in which their products are exact, or wrap around as sums do."""
    return values.astype(np.int64 if type_.element.is_integer else np.float64)


def _added(tile: np.ndarray, products: np.ndarray, is_active: Any, type_: VectorTileType) -> Results:
    """A tile plus products, where these are active."""
    total = (_wide(tile, type_) + products).astype(dtype_of(type_.element))
    return (np.where(is_active, total, tile),)


@executes(tiles.Outer)
def outer(machine: Machine, op: tiles.Outer) -> Results:
    tile, type_ = machine[op.tile], op.tile.type
    groups, active = [], []
    for value, mask in ((op.a, op.row_mask), (op.b, op.column_mask)):
        count = lanes_of(machine, value.type)
        lanes = np.ones(count, np.bool_) if mask is None else np.broadcast_to(machine[mask], (count,))
        numbers = np.where(lanes, _wide(np.broadcast_to(machine[value], (count,)), type_), 0)
        groups.append(numbers.reshape(-1, op.ways))
        active.append(lanes.reshape(-1, op.ways))
    is_active = (active[0][:, None, :] & active[1][None, :, :]).any(axis=2)
    return _added(tile, groups[0] @ groups[1].T, is_active, type_)


@executes(tiles.Product)
def product(machine: Machine, op: tiles.Product) -> Results:
    type_, ways = op.tile.type, op.ways
    a, b = (_wide(value, type_) for value in machine.all_of((op.a, op.b)))
    depth = b.shape[0]
    by_step = b.reshape(depth, type_.columns, ways).swapaxes(1, 2).reshape(depth * ways, type_.columns)
    return _added(machine[op.tile], a @ by_step, True, type_)


# Memory.


def _places(machine: Machine, op: Any) -> tuple[np.ndarray, tuple[Any, ...]]:
    """A mask of all elements of a tile, and their indices, row by row."""
    rows, columns = np.indices(_in_memory(machine, op)).reshape(2, -1)
    indices = list(machine.all_of(op.indices))
    indices[0] = indices[0] + columns
    indices[op.rows] = indices[op.rows] + rows
    return np.ones(rows.size, np.bool_), tuple(indices)


def _in_memory(machine: Machine, op: Any) -> tuple[int, int]:
    """The rows of a tile, and the elements that each has in memory."""
    rows, columns = _shape(machine, op.tile.type)
    return rows, columns * op.tile.type.element.size // op.tensor.type.element.size


@executes(tiles.TileLoad)
def load(machine: Machine, op: tiles.TileLoad) -> Results:
    mask, indices = _places(machine, op)
    view, positions = reached_lanes(machine, op, mask, indices, "read")
    found = loaded(view, positions, mask).reshape(_in_memory(machine, op))
    return (found.view(dtype_of(op.tile.type.element)),)


@executes(tiles.TileStore)
def store(machine: Machine, op: tiles.TileStore) -> Results:
    mask, indices = _places(machine, op)
    view, positions = reached_lanes(machine, op, mask, indices, "write")
    values = np.ascontiguousarray(machine[op.tile]).view(view.memory.data.dtype).reshape(-1)
    scatter(view, positions, values, np.flatnonzero(mask), mask.size)
    return ()
