"""Execution of vector code on several vectors of ZA: an array of them, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.scalars import dtype_of
from ...passes.targets import vector_rows as rows
from .machine import Machine, Results, executes, uniform
from .vectors import fused, lanes_of, loaded, reached_lanes
from .views import scatter


def _by_row(machine: Machine, op: Any, values: np.ndarray) -> np.ndarray:
    """Lanes of all rows, or of one for each, by row."""
    return np.broadcast_to(values, (lanes_of(machine, op.tile.type.all_rows),)).reshape(op.tile.type.rows, -1)


@executes(rows.FromRows)
def from_rows(machine: Machine, op: rows.FromRows) -> Results:
    return (_by_row(machine, op, machine[op.vector]).copy(),)


@executes(rows.Rows)
def all_rows(machine: Machine, op: rows.Rows) -> Results:
    return (machine[op.tile].reshape(-1),)


@executes(rows.AddRows)
def add(machine: Machine, op: rows.AddRows) -> Results:
    return (machine[op.tile] + _by_row(machine, op, machine[op.a]),)


@executes(rows.FmaRows)
def fma(machine: Machine, op: rows.FmaRows) -> Results:
    factor = np.broadcast_to(machine[op.b], (lanes_of(machine, op.b.type),))
    factors = _by_row(machine, op, factor) if op.b.type == op.tile.type.all_rows else factor
    return (fused(_by_row(machine, op, machine[op.a]), factors, machine[op.tile]),)


@executes(rows.FmaRowsLane)
def fma_lane(machine: Machine, op: rows.FmaRowsLane) -> Results:
    lanes = op.segment.type.lanes
    count = lanes_of(machine, op.segment.type)
    chosen = machine[op.segment][np.arange(count) // lanes * lanes + op.lane]
    return (fused(_by_row(machine, op, machine[op.a]), chosen, machine[op.tile]),)


@executes(rows.LoadSegment)
def load_segment(machine: Machine, op: rows.LoadSegment) -> Results:
    type_ = op.result.type
    first, *others = machine.all_of(op.indices)
    count = lanes_of(machine, type_)
    mask = np.ones(count, np.bool_)
    indices = first + np.arange(count) % type_.lanes, *others
    view, positions = reached_lanes(machine, op, mask, indices, "read")
    return (loaded(view, positions, mask).view(dtype_of(type_.element)),)


# Slices of tiles.


def _slices(machine: Machine, op: Any) -> tuple[Any, np.ndarray, tuple[Any, ...]]:
    """What selects the slices, a mask of their elements, and the indices of these."""
    first, tile = int(uniform(machine[op.number])), machine[op.tile]
    is_row = op.variant == "row"
    chosen = slice(first, first + op.count)
    at = (chosen, slice(None)) if is_row else (slice(None), chosen)
    count = tile[at].size * op.tile.type.element.size // op.tensor.type.element.size
    place, length = np.arange(count), count // op.count
    indices = list(machine.all_of(op.indices))
    indices[0] = indices[0] + (place % length if op.mode else place)
    if op.mode:
        indices[1] = indices[1] + place // length
    return at, np.ones(count, np.bool_), tuple(indices)


@executes(rows.SlicesLoad)
def slices_load(machine: Machine, op: rows.SlicesLoad) -> Results:
    at, mask, indices = _slices(machine, op)
    view, positions = reached_lanes(machine, op, mask, indices, "read")
    tile = machine[op.tile].copy()
    found = loaded(view, positions, mask).view(tile.dtype).reshape(op.count, -1)
    tile[at] = found if op.variant == "row" else found.T
    return (tile,)


@executes(rows.SlicesStore)
def slices_store(machine: Machine, op: rows.SlicesStore) -> Results:
    at, mask, indices = _slices(machine, op)
    view, positions = reached_lanes(machine, op, mask, indices, "write")
    values = machine[op.tile][at] if op.variant == "row" else machine[op.tile][at].T
    values = np.ascontiguousarray(values).reshape(-1).view(view.memory.data.dtype)
    scatter(view, positions, values, np.flatnonzero(mask), mask.size)
    return ()


@executes(rows.ExtractLine)
def extract_line(machine: Machine, op: rows.ExtractLine) -> Results:
    number = int(uniform(machine[op.number]))
    return (np.concatenate([tile[number] for tile in machine.all_of(op.tiles)]),)


@executes(rows.InsertLine)
def insert_line(machine: Machine, op: rows.InsertLine) -> Results:
    number = int(uniform(machine[op.number]))
    tiles = [tile.copy() for tile in machine.all_of(op.tiles)]
    for tile, row in zip(tiles, np.split(machine[op.vector], len(tiles)), strict=True):
        tile[number] = row
    return tuple(tiles)


@executes(rows.Join)
def join(machine: Machine, op: rows.Join) -> Results:
    parts = [np.broadcast_to(machine[value], (lanes_of(machine, value.type),)) for value in op.vectors]
    return (np.concatenate(parts),)
