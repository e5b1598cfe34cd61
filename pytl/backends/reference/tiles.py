"""Execution of the instructions on tiles: a tile is a memref and a position, for each lane or for all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...ir.operation import Operation
from ...ir.types import TileType
from ...ir.values import Value
from ...ops import InitTile, LoadTile, PrefetchTile, StoreTile, TileMma, UpdateTileOffset, scalars
from ...ops.scalars import dtype_of
from ...ops.updates import TRANSPOSES
from ...process.records import dataclass
from . import rules
from .accesses import check_alive
from .collectives import promoted
from .machine import Machine, Results, executes
from .matrices import Tile, loaded, tile_of, watch_tile
from .subgroups import check_convergence, present
from .views import scatter


@dataclass(frozen=True)
class TilePosition:
    """The value of a tile: its memref, and the first row and column in it."""

    tensor: Value
    x: np.ndarray
    y: np.ndarray


def merge_tiles(machine: Machine, op: Operation, mask: np.ndarray, a: TilePosition, b: TilePosition) -> TilePosition:
    """The first tile in the lanes of the mask, the second elsewhere; both are of the same memref."""
    if a is b:
        return a
    if a.tensor is not b.tensor:
        raise machine.error(op, rules.UNIFORM, "a tile is of one memref for some work-items, of another for others")
    return TilePosition(a.tensor, np.where(mask, a.x, b.x), np.where(mask, a.y, b.y))


@executes(InitTile)
def init_tile(machine: Machine, op: InitTile) -> tuple[Any, ...]:
    return (TilePosition(op.M, machine[op.x], machine[op.y]),)


@executes(UpdateTileOffset)
def update_tile_offset(machine: Machine, op: UpdateTileOffset) -> tuple[Any, ...]:
    tile: TilePosition = machine[op.tile]
    return (TilePosition(tile.tensor, tile.x + machine[op.dx], tile.y + machine[op.dy]),)


@executes(PrefetchTile)
def prefetch_tile(machine: Machine, op: PrefetchTile) -> Results:
    check_convergence(machine, op)
    return ()


@executes(LoadTile)
def load_tile(machine: Machine, op: LoadTile) -> Results:
    check_convergence(machine, op)
    position: TilePosition = machine[op.tile]
    tile = _elements(machine, op, position, op.result.type.shape, op.transpose)
    watched = (
        tile if op.result in machine.program.factors else _own(machine, op.tile.type, tile, TRANSPOSES[op.transpose])
    )
    return (loaded(machine, op, position.tensor, tile, op.padding, watched),)


@executes(StoreTile)
def store_tile(machine: Machine, op: StoreTile) -> Results:
    check_convergence(machine, op)
    position: TilePosition = machine[op.tile]
    tile = _own(machine, op.tile.type, _elements(machine, op, position, op.A.type.shape, "n", machine[op.A]))
    if tile.accessed.size:
        check_alive(machine, op, position.tensor, tile.view)
    watch_tile(machine, op, "write", position.tensor, tile)
    values = np.broadcast_to(machine[op.A], tile.shape).reshape(-1)
    scatter(tile.view, tile.positions, values, tile.accessed, tile.count)
    return ()


def _own(machine: Machine, type_: TileType, tile: Tile, is_transposed: bool = False) -> Tile:
    """Of the elements of a tile, those of each sub-group that its layout gives to it: the first of several has them."""
    layout, shape = type_.layout, type_.shape
    is_present = present(machine).any(axis=1)
    if layout.sg_layout is None or layout.sg_data is None or not layout.is_for(is_present.size):
        return tile
    is_own = np.zeros((is_present.size, *shape), np.bool_)
    is_taken = np.zeros(shape, np.bool_)
    rows, columns = layout.sg_data
    for number in range(is_present.size):
        for row, column in layout.subgroup_blocks(shape, divmod(number, layout.sg_layout[1])):
            block = (slice(row, row + rows), slice(column, column + columns))
            is_own[(number, *block)] = ~is_taken[block]
            is_taken[block] = True
    if is_transposed:
        is_own = is_own.transpose(0, 2, 1)
    accessed = np.zeros(tile.count, np.bool_)
    accessed[tile.accessed] = True
    each = np.broadcast_to(accessed.reshape(tile.shape), is_own.shape) & is_own & is_present[:, None, None]
    positions = np.broadcast_to(tile.positions.reshape(tile.shape), is_own.shape).reshape(-1)
    return replace(
        tile, shape=(is_present.size, *is_own.shape[1:]), positions=positions, accessed=np.flatnonzero(each), copies=1
    )


def _elements(
    machine: Machine,
    op: Operation,
    position: TilePosition,
    shape: tuple[int, int],
    transpose: str,
    stored: np.ndarray | None = None,
) -> Tile:
    return tile_of(machine, op, position.tensor, position.x, position.y, shape, transpose, "both_checked", stored)


@executes(TileMma)
def tile_mma(machine: Machine, op: TileMma) -> Results:
    check_convergence(machine, op)
    component = op.result.type.component
    a = promoted(machine[op.A], op.A.type.component, component)
    b = promoted(machine[op.B], op.B.type.component, component)
    product = np.matmul(a, b)
    if op.C is not None:
        product = product + scalars.widened(machine[op.C], component)
    return (product.astype(dtype_of(component), copy=False),)
