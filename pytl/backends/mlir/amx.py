"""Vector code on x86's tile registers (AMX) in MLIR: one function for each instruction, which decides nothing.

They are calls of LLVM's intrinsics, which name registers by their numbers. No value of MLIR stands for a tile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ir.types import MemrefType, VectorTileType, i32
from ...ir.values import Function, Value
from ...mlir.text import builder as mlir
from ...mlir.text.types import I32, I64
from ...ops import For
from ...passes.targets import vector_tiles as tiles
from ...passes.targets.amx import CONFIGURATION, PRODUCTS, configuration_dwords
from . import types
from .emit import Emitter
from .memory import Memref


def instruction(to: mlir.Builder, name: str, *operands: mlir.Value) -> None:
    """A processor instruction, by the name of its LLVM intrinsic."""
    to.do("llvm.call_intrinsic", list(operands), intrin=f"llvm.x86.{name}")


def registers_of(function: Function) -> Mapping[Value, int]:
    """The number of each tile's register: loops leave tiles where they were."""
    registers: dict[Value, int] = {}
    for op in function.walk():
        if isinstance(op, (tiles.TileZero, tiles.TileLoad)):
            registers[op.result] = op.attributes[tiles.REGISTER]
        elif isinstance(op, tiles.Product):
            registers[op.result] = registers[op.tile]
        elif isinstance(op, For):
            for init, carried, result in zip(op.inits, op.carried, op.results):
                if isinstance(init.type, VectorTileType):
                    registers[carried] = registers[result] = registers[init]
    return registers


def configure(emitter: Emitter, shape: Sequence[int]) -> None:
    """Configure the registers, which must be done before any is used."""
    to, words = emitter.to, configuration_dwords(shape)
    memory = to.op("memref.alloca", type=types.dense([len(words)], I32), hint="tiles", alignment=CONFIGURATION)
    for place, number in enumerate(words):
        to.do("memref.store", to.constant(number, I32), memory, [to.constant(place)])
    whole = Memref(memory, MemrefType(i32, (len(words),)))
    instruction(to, "ldtilecfg", emitter.memory.pointer(whole, [to.constant(0)]))


def release(to: mlir.Builder) -> None:
    """Release the registers, as they were before."""
    instruction(to, "tilerelease")


def zero(emitter: Any, op: tiles.TileZero) -> None:
    instruction(emitter.to, "tilezero", _register(emitter, op.result))
    emitter.bind(op.result, ())


def load(emitter: Any, op: tiles.TileLoad) -> None:
    instruction(emitter.to, "tileloadd64", _register(emitter, op.result), *_rows(emitter, op))
    emitter.bind(op.result, ())


def store(emitter: Any, op: tiles.TileStore) -> None:
    instruction(emitter.to, "tilestored64", _register(emitter, op.tile), *_rows(emitter, op))


def product(emitter: Any, op: tiles.Product) -> None:
    registers = [_register(emitter, value) for value in (op.tile, op.a, op.b)]
    instruction(emitter.to, PRODUCTS[op.a.type.element], *registers)
    emitter.bind(op.result, ())


def _register(emitter: Any, tile: Value) -> mlir.Value:
    number: mlir.Value = emitter.to.constant(emitter.tile_registers[tile], types.I8)
    return number


def _rows(emitter: Emitter, op: tiles.TileLoad | tiles.TileStore) -> tuple[mlir.Value, mlir.Value]:
    """The address of the first row, and the bytes from row to row."""
    tensor, to = emitter.memref(op.tensor), emitter.to
    first = emitter.memory.pointer(tensor, [emitter.single(value) for value in op.indices])
    steps = [to.constant(int(mode == op.rows)) for mode in range(tensor.type.order)]
    return first, to.op("arith.index_cast", emitter.memory.distance(tensor, steps), type=I64, hint="bytes")


AMX_CODE: Mapping[type[Any], Any] = {
    tiles.Product: product,
    tiles.TileLoad: load,
    tiles.TileStore: store,
    tiles.TileZero: zero,
}
