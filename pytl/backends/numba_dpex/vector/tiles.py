"""Vector code on a processor's tile registers (AMX): one function for each instruction, which decides nothing.

What stands for a tile is the number of its register.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from ....ir.meanings import no_meaning
from ....ir.types import VectorTileType
from ....ir.values import Value
from ....ops import For
from ....passes.targets import vector_tiles
from ....passes.targets.amx import PRODUCTS
from ..device import tiles
from ..device.elements import I64
from .context import Context, Number, number, times

I8 = ir.IntType(8)


def is_tile(value: Value) -> bool:
    return isinstance(value.type, VectorTileType)


def carry(context: Context, targets: Sequence[Value], sources: Sequence[Value]) -> None:
    """Let tiles stay in their registers."""
    context.values.update((to, context.values[of]) for to, of in zip(targets, sources) if is_tile(of))


def check_carried(context: Context, op: For) -> None:
    """Refuse a loop that would have to move tiles between registers."""
    pairs = [(context.values[a], context.values[b]) for a, b in zip(op.carried, op.yielded) if is_tile(a)]
    if any(a != b for a, b in pairs):
        no_meaning("vector code, tiles carried between registers", str(pairs))


def zero(context: Context, op: vector_tiles.TileZero) -> None:
    register = context.values[op.result] = op.attributes[vector_tiles.REGISTER]
    tiles.instruction(context.builder, "tilezero", I8(register))


def load(context: Context, op: vector_tiles.TileLoad, indices: Sequence[Number]) -> None:
    register = context.values[op.result] = op.attributes[vector_tiles.REGISTER]
    tiles.instruction(context.builder, "tileloadd64", I8(register), *_rows(context, op, indices))


def store(context: Context, op: vector_tiles.TileStore, indices: Sequence[Number]) -> None:
    register = I8(context.values[op.tile])
    tiles.instruction(context.builder, "tilestored64", register, *_rows(context, op, indices))


def _rows(context: Context, op: Any, indices: Sequence[Number]) -> tuple[ir.Value, ...]:
    """The address of the first row, and the bytes from row to row."""
    builder, tensor = context.builder, context.values[op.tensor]
    # the intrinsics know only the generic address space, as the processor does
    address = builder.inttoptr(builder.ptrtoint(context.address(tensor, indices), I64), I8.as_pointer())
    return address, number(times(builder, tensor.strides[op.rows], tensor.element.size))


def product(context: Context, op: vector_tiles.Product) -> None:
    registers = [context.values[value] for value in (op.tile, op.a, op.b)]
    tiles.instruction(context.builder, PRODUCTS[op.a.type.element], *map(I8, registers))
    context.values[op.result] = registers[0]
