"""Execution of vector code on several vectors of ZA: an array of them, row by row."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops.scalars import dtype_of
from ...passes.targets import vector_rows as rows
from .machine import Machine, Results, executes
from .vectors import fused, lanes_of, loaded, reached_lanes


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
