"""Vector code on tiles in MLIR's dialect arm_sme: one function for each instruction, which decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ir.meanings import no_meaning
from ...mlir.text.builder import Value
from ...mlir.text.types import Opaque
from ...passes.targets import vector_tiles as tiles
from . import types, vector_rows
from .emit import Emitter, hint_of
from .vector_memory import line
from .vectors import bind_loaded, in_memory

_PRODUCTS = {
    (False, 1): "outerproduct",
    (False, 2): "fmopa_2way",
    (True, 2): "smopa_2way",
    (True, 4): "smopa_4way",
}
"""The outer product of integers or floats, by how many products are added up."""
_DESCRIPTOR = Opaque("!llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>")
"""What a memref of one mode is for LLVM."""
_LAYOUTS: Mapping[str, dict[str, Any]] = {"row": {}, "column": {"layout": "vertical"}}


def zero(emitter: Emitter, op: tiles.TileZero) -> None:
    if op.result.type.has_fixed_rows:
        vector_rows.zero(emitter, op)
        return
    emitter.bind(op.result, (emitter.to.op("arm_sme.zero", type=types.tile(op.result.type), hint="tile"),))


def undefined(emitter: Emitter, op: tiles.TileUndefined) -> None:
    emitter.bind(op.result, (emitter.to.op("arm_sme.get_tile", type=types.tile(op.result.type), hint="tile"),))


def extract(emitter: Emitter, op: tiles.TileExtract) -> None:
    tile, number = emitter.single(op.tile), emitter.single(op.number)
    type_ = op.result.type
    of = types.lanes(type_.lanes, types.element(type_.element), type_.is_scalable)
    slice_ = emitter.to.op(
        "arm_sme.extract_tile_slice", tile, number, type=of, hint=hint_of(op.result), **_LAYOUTS[op.variant]
    )
    bind_loaded(emitter, op.result, (slice_,))


def insert(emitter: Emitter, op: tiles.TileInsert) -> None:
    operands = *in_memory(emitter, op.vector), emitter.single(op.tile), emitter.single(op.number)
    tile = emitter.to.op("arm_sme.insert_tile_slice", *operands, hint="tile", **_LAYOUTS[op.variant])
    emitter.bind(op.result, (tile,))


def outer(emitter: Emitter, op: tiles.Outer) -> None:
    name = _PRODUCTS[op.a.type.element.is_integer, op.ways]
    masks = [[] if mask is None else [emitter.single(mask)] for mask in (op.row_mask, op.column_mask)]
    factors = *in_memory(emitter, op.a), *in_memory(emitter, op.b)
    tile = emitter.single(op.tile)
    emitter.bind(op.result, (emitter.to.op(f"arm_sme.{name}", *factors, *masks, tile, type=tile.type, hint="tile"),))


def load(emitter: Emitter, op: tiles.TileLoad) -> None:
    tile = emitter.to.op("arm_sme.tile_load", *_place(emitter, op), type=types.tile(op.result.type), hint="tile")
    emitter.bind(op.result, (tile,))


def store(emitter: Emitter, op: tiles.TileStore) -> None:
    emitter.to.do("arm_sme.tile_store", emitter.single(op.tile), *_place(emitter, op))


def _place(emitter: Emitter, op: tiles.TileLoad | tiles.TileStore) -> tuple[Value, list[Value]]:
    """The memory of a tile, and the place where it begins."""
    if op.rows != 1:
        no_meaning("the MLIR backends, the mode of a tile's rows", str(op.rows))
    return emitter.memref(op.tensor).value, [emitter.single(value) for value in reversed(op.indices)]


def slice_load(emitter: Emitter, op: tiles.SliceLoad) -> None:
    tile, number = emitter.single(op.tile), emitter.single(op.number)
    base, indices = _slice_place(emitter, op)
    operands = base, _mask(emitter, op), tile, indices, number
    layout = _LAYOUTS[op.variant]
    tile = emitter.to.op("arm_sme.load_tile_slice", *operands, type=tile.type, hint="tile", **layout)
    emitter.bind(op.result, (tile,))


def slice_store(emitter: Emitter, op: tiles.SliceStore) -> None:
    tile, number = emitter.single(op.tile), emitter.single(op.number)
    emitter.to.do(
        "arm_sme.store_tile_slice", tile, number, _mask(emitter, op), *_slice_place(emitter, op), **_LAYOUTS[op.variant]
    )


def _slice_place(emitter: Emitter, op: tiles.SliceLoad | tiles.SliceStore) -> tuple[Value, list[Value]]:
    """A memref of a tile's numbers, and the place of the first of a slice.

    Where these are the bits of several elements, the memref is one of a place, whose descriptor is made here.
    """
    if op.per_lane == 1:
        return line(emitter, op)
    to, tensor = emitter.to, emitter.memref(op.tensor)
    pointer = emitter.memory.pointer(tensor, [emitter.single(value) for value in op.indices])
    descriptor = to.once("llvm.mlir.poison", type=_DESCRIPTOR, hint="descriptor")
    for member in range(2):
        descriptor = to.op("llvm.insertvalue", descriptor, pointer, hint="descriptor", position=(member,))
    type_ = types.dense([1], types.element(op.tile.type.element))
    memref = to.op("builtin.unrealized_conversion_cast", descriptor, type=type_, hint="numbers")
    return memref, [to.constant(0)]


def _mask(emitter: Emitter, op: tiles.SliceLoad | tiles.SliceStore) -> Value:
    """The mask of a slice's lanes."""
    if op.mask is not None:
        return emitter.single(op.mask)
    type_ = op.in_register
    return emitter.to.constant(True, types.lanes(type_.lanes, types.I1, type_.is_scalable))


TILE_CODE: Mapping[type[Any], Any] = {
    tiles.Outer: outer,
    tiles.SliceLoad: slice_load,
    tiles.SliceStore: slice_store,
    tiles.TileExtract: extract,
    tiles.TileInsert: insert,
    tiles.TileLoad: load,
    tiles.TileStore: store,
    tiles.TileUndefined: undefined,
    tiles.TileZero: zero,
}
