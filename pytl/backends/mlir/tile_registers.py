"""Vector code on tiles whose registers are known, by LLVM's intrinsics: one function for each instruction.

MLIR's dialect allocates registers of ZA by itself, and has no operation on several slices. For SME2 it is left out: no
value stands for a tile, whose instructions are in the order of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ir.meanings import no_meaning
from ...ir.types import VectorTileType
from ...ir.values import Value as IrValue
from ...mlir.text.builder import Value
from ...mlir.text.types import I32, ScalableVector
from ...ops import For
from ...passes.targets import vector
from ...passes.targets import vector_rows as rows
from ...passes.targets import vector_tiles as tiles
from . import types, vector_rows
from .emit import Emitter, hint_of
from .lanes import part_of
from .vector_groups import counter, joined, name_of, vectors_of
from .vectors import bind_loaded, in_memory

_SLICES = {"row": ("horiz", "hor"), "column": ("vert", "ver")}
"""How names of intrinsics call slices: of one, and of several."""
_LETTERS = {4: "w", 8: "d"}
"""What stands in them for the numbers of a tile, by their bytes."""
_PRODUCTS = {
    ("f32", "f32"): "mopa",
    ("f64", "f64"): "mopa",
    ("f16", "f32"): "mopa.wide",
    ("bf16", "f32"): "mopa.wide",
    ("i8", "i32"): "smopa.wide",
    ("i16", "i64"): "smopa.wide",
    ("i16", "i32"): "smopa.za32",
}
"""The outer product of a type of factors and of sums."""


class Registers:
    """The registers of tiles."""

    def __init__(self) -> None:
        self._of: dict[IrValue, int] = {}

    def __getitem__(self, tile: IrValue) -> int:
        return self._of[tile]

    def set(self, tile: IrValue, register: int) -> None:
        self._of[tile] = register

    def carry(self, to: Any, of: Any) -> None:
        """Let tiles stay in their registers."""
        for target, source in zip(to, of):
            if isinstance(source.type, VectorTileType) and source in self._of:
                self._of[target] = self._of[source]


def zero(emitter: Any, op: tiles.TileZero) -> None:
    type_ = op.result.type
    if type_.has_fixed_rows:
        vector_rows.zero(emitter, op)
        return
    register = op.attributes[tiles.REGISTER]
    mask = sum(1 << n for n in range(register, 8, type_.element.size))  # of tiles of 64 bits
    _do(emitter, "zero", [_i32(emitter, mask)])
    _bind(emitter, op.result, register)


def undefined(emitter: Any, op: tiles.TileUndefined) -> None:
    _bind(emitter, op.result, op.attributes[tiles.REGISTER])


def extract(emitter: Any, op: tiles.TileExtract) -> None:
    one = _slice_type(op)
    none = emitter.to.once("llvm.mlir.poison", type=one, hint="none")
    operands = [none, _all(emitter, one), *_place_in_za(emitter, op)]
    name = f"llvm.aarch64.sme.read.{_SLICES[op.variant][0]}.{name_of(one)}"
    found = emitter.to.op("llvm.call_intrinsic", operands, type=one, hint=hint_of(op.result), intrin=name)
    bind_loaded(emitter, op.result, (found,))


def insert(emitter: Any, op: tiles.TileInsert) -> None:
    one = _slice_type(op)
    operands = [*_place_in_za(emitter, op), _all(emitter, one), *in_memory(emitter, op.vector)]
    _do(emitter, f"write.{_SLICES[op.variant][0]}.{name_of(one)}", operands)
    _bind(emitter, op.result, emitter.registers[op.tile])


def outer(emitter: Any, op: tiles.Outer) -> None:
    factors = [*in_memory(emitter, op.a), *in_memory(emitter, op.b)]
    one, register = factors[0].type, emitter.registers[op.tile]
    assert isinstance(one, ScalableVector)
    masks = [_all(emitter, one) if mask is None else emitter.single(mask) for mask in (op.row_mask, op.column_mask)]
    name = _PRODUCTS[op.a.type.element.name, op.tile.type.element.name]
    _do(emitter, f"{name}.{name_of(one)}", [_i32(emitter, register), *masks, *factors])
    _bind(emitter, op.result, register)


def slice_load(emitter: Any, op: tiles.SliceLoad) -> None:
    _move_slice(emitter, op, "ld1")
    _bind(emitter, op.result, emitter.registers[op.tile])


def slice_store(emitter: Any, op: tiles.SliceStore) -> None:
    _move_slice(emitter, op, "st1")


def _move_slice(emitter: Any, op: Any, word: str) -> None:
    """A load or a store of a slice."""
    one = _slice_type(op)
    mask = _all(emitter, one) if op.mask is None else emitter.single(op.mask)
    letter = _LETTERS[op.tile.type.element.size]
    operands = [mask, _place_in_memory(emitter, op), *_place_in_za(emitter, op)]
    _do(emitter, f"{word}{letter}.{_SLICES[op.variant][0]}", operands)


def slices_load(emitter: Any, op: rows.SlicesLoad) -> None:
    """Several slices through registers, which an instruction loads, and another one moves."""
    to, one, count = emitter.to, _slice_type(op), op.count
    operands = [counter(emitter, None, op.tile.type.element.size, count), _place_in_memory(emitter, op)]
    name = f"llvm.aarch64.sve.ld1.pn.x{count}.{name_of(one)}"
    vectors = vectors_of(to, name, operands, one, count)
    _do(emitter, f"write.{_SLICES[op.variant][1]}.vg{count}.{name_of(one)}", [*_place_in_za(emitter, op), *vectors])
    _bind(emitter, op.result, emitter.registers[op.tile])


def slices_store(emitter: Any, op: rows.SlicesStore) -> None:
    to, one, count = emitter.to, _slice_type(op), op.count
    name = f"llvm.aarch64.sme.read.{_SLICES[op.variant][1]}.vg{count}.{name_of(one)}"
    vectors = vectors_of(to, name, _place_in_za(emitter, op), one, count)
    operands = [*vectors, counter(emitter, None, op.tile.type.element.size, count), _place_in_memory(emitter, op)]
    to.do("llvm.call_intrinsic", operands, intrin=f"llvm.aarch64.sve.st1.pn.x{count}.{name_of(one)}")


def extract_line(emitter: Any, op: rows.ExtractLine) -> None:
    to, (place, one, of_bytes), count = emitter.to, _line(emitter, op), len(op.tiles)
    name = f"llvm.aarch64.sme.read.hor.vg{count}.{name_of(of_bytes)}"
    parts = vectors_of(to, name, place, of_bytes, count)
    vectors = [to.op("vector.bitcast", part, type=one) for part in parts]
    bind_loaded(emitter, op.result, (joined(emitter, vectors, op.result),))


def insert_line(emitter: Any, op: rows.InsertLine) -> None:
    to, (place, one, of_bytes), (whole,) = emitter.to, _line(emitter, op), in_memory(emitter, op.vector)
    lanes = one.shape[0]
    vectors = [part_of(to, whole, n * lanes, lanes) for n in range(len(op.tiles))]
    parts = [to.op("vector.bitcast", each, type=of_bytes) for each in vectors]
    _do(emitter, f"write.hor.vg{len(op.tiles)}.{name_of(of_bytes)}", [*place, *parts])
    for tile, after in zip(op.tiles, op.after):
        _bind(emitter, after, emitter.registers[tile])


def _line(emitter: Any, op: Any) -> tuple[list[Value], ScalableVector, ScalableVector]:
    """A row of several tiles: vectors of ZA that follow each other, which are rows of its only tile of bytes.

    Gives that tile and the row, and the types of a tile's row and of one of bytes.
    """
    to, (first, *others) = emitter.to, [emitter.registers[tile] for tile in op.tiles]
    count, tile = len(op.tiles), op.tiles[0].type
    if first % count or others != list(range(first + 1, first + count)):
        no_meaning("the MLIR backends, a line of tiles in the registers", str([first, *others]))
    number = to.op("arith.index_cast", emitter.single(op.number), type=I32, hint="slice")
    place = to.op("arith.muli", number, _i32(emitter, tile.element.size), hint="place")
    if first:
        place = to.op("arith.addi", place, _i32(emitter, first), hint="place")
    one = types.lanes(tile.columns, types.element(tile.element), True)
    of_bytes = types.lanes(vector.SEGMENT // 8, types.I8, True)
    assert isinstance(one, ScalableVector) and isinstance(of_bytes, ScalableVector)
    return [_i32(emitter, 0), place], one, of_bytes


def for_(emitter: Any, op: For) -> None:
    """A loop, in which tiles stay in their registers."""
    registers = emitter.registers
    registers.carry(op.carried, op.inits)
    Emitter.for_(emitter, op)
    moved = [(a, b) for a, b in zip(op.carried, op.yielded) if isinstance(a.type, VectorTileType)]
    if any(not a.type.has_fixed_rows and registers[a] != registers[b] for a, b in moved):
        no_meaning("the MLIR backends, tiles carried between registers", str(op))
    registers.carry(op.results, op.inits)


def _bind(emitter: Any, tile: IrValue, register: int) -> None:
    emitter.bind(tile, ())
    emitter.registers.set(tile, register)


def _do(emitter: Emitter, name: str, operands: list[Value]) -> None:
    emitter.to.do("llvm.call_intrinsic", operands, intrin=f"llvm.aarch64.sme.{name}")


def _i32(emitter: Emitter, number: int) -> Value:
    return emitter.to.constant(number, I32)


def _slice_type(op: Any) -> ScalableVector:
    """The type of a slice, as it is in memory."""
    found = types.lanes(tiles.slice_of(op).lanes, types.element(op.tile.type.element), True)
    assert isinstance(found, ScalableVector)
    return found


def _all(emitter: Emitter, one: ScalableVector) -> Value:
    """The mask of all lanes."""
    return emitter.to.constant(True, types.lanes(one.shape[0], types.I1, True))


def _place_in_za(emitter: Any, op: Any) -> list[Value]:
    """The tile, and the number of the slice."""
    number = emitter.to.op("arith.index_cast", emitter.single(op.number), type=I32, hint="slice")
    return [_i32(emitter, emitter.registers[op.tile]), number]


def _place_in_memory(emitter: Any, op: Any) -> Value:
    pointer: Value = emitter.memory.pointer(emitter.memref(op.tensor), [emitter.single(each) for each in op.indices])
    return pointer


REGISTER_CODE: Mapping[type[Any], Any] = {
    For: for_,
    rows.ExtractLine: extract_line,
    rows.InsertLine: insert_line,
    rows.SlicesLoad: slices_load,
    rows.SlicesStore: slices_store,
    tiles.Outer: outer,
    tiles.SliceLoad: slice_load,
    tiles.SliceStore: slice_store,
    tiles.TileExtract: extract,
    tiles.TileInsert: insert,
    tiles.TileUndefined: undefined,
    tiles.TileZero: zero,
}
