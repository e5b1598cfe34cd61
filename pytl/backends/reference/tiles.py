"""Execution of the instructions on tiles: a tile is a memref and a position, for each lane or for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ir.operation import Operation
from ...ir.values import Value
from ...ops import InitTile, LoadTile, PrefetchTile, StoreTile, TileMma, UpdateTileOffset, scalars
from ...ops.scalars import dtype_of
from . import rules
from .accesses import check_alive
from .collectives import promoted
from .machine import Machine, Results, executes
from .matrices import Tile, loaded, tile_of, watch_tile
from .subgroups import meet
from .views import scatter


@dataclass(frozen=True)
class Placed:
    """The value of a tile: its memref, and the first row and column in it."""

    tensor: Value
    x: np.ndarray
    y: np.ndarray


def merge_tiles(machine: Machine, op: Operation, mask: np.ndarray, a: Placed, b: Placed) -> Placed:
    """The first tile in the lanes of the mask, the second elsewhere; both are of the same memref."""
    if a is b:
        return a
    if a.tensor is not b.tensor:
        raise machine.error(op, rules.UNIFORM, "a tile is of one memref for some work-items, of another for others")
    return Placed(a.tensor, np.where(mask, a.x, b.x), np.where(mask, a.y, b.y))


@executes(InitTile)
def init_tile(machine: Machine, op: InitTile) -> tuple[Any, ...]:
    return (Placed(op.M, machine[op.x], machine[op.y]),)


@executes(UpdateTileOffset)
def update_tile_offset(machine: Machine, op: UpdateTileOffset) -> tuple[Any, ...]:
    tile: Placed = machine[op.tile]
    return (Placed(tile.tensor, tile.x + machine[op.dx], tile.y + machine[op.dy]),)


@executes(PrefetchTile)
def prefetch_tile(machine: Machine, op: PrefetchTile) -> Results:
    meet(machine, op)
    return ()


@executes(LoadTile)
def load_tile(machine: Machine, op: LoadTile) -> Results:
    meet(machine, op)
    placed: Placed = machine[op.tile]
    tile = _elements(machine, op, placed, op.result.type.shape, op.transpose)
    return (loaded(machine, op, placed.tensor, tile, op.padding),)


@executes(StoreTile)
def store_tile(machine: Machine, op: StoreTile) -> Results:
    meet(machine, op)
    placed: Placed = machine[op.tile]
    tile = _elements(machine, op, placed, op.A.type.shape, "n", machine[op.A])
    if tile.touched.size:
        check_alive(machine, op, placed.tensor, tile.view)
    watch_tile(machine, op, "write", placed.tensor, tile)
    values = np.broadcast_to(machine[op.A], tile.shape).reshape(-1)
    scatter(tile.view, tile.positions, values, tile.touched, tile.count)
    return ()


def _elements(
    machine: Machine,
    op: Operation,
    placed: Placed,
    shape: tuple[int, int],
    transpose: str,
    stored: np.ndarray | None = None,
) -> Tile:
    return tile_of(machine, op, placed.tensor, placed.x, placed.y, shape, transpose, "both_checked", stored)


@executes(TileMma)
def tile_mma(machine: Machine, op: TileMma) -> Results:
    meet(machine, op)
    component = op.result.type.component
    a = promoted(machine[op.A], op.A.type.component, component)
    b = promoted(machine[op.B], op.B.type.component, component)
    product = np.matmul(a, b)
    if op.C is not None:
        product = product + scalars.widened(machine[op.C], component)
    return (product.astype(dtype_of(component), copy=False),)
