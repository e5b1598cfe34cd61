"""Tile registers in memory, for processors that have none: kernels for AMX are executed with these in their place.

What is emitted for the processor stays as it is, but for the nine instructions: their LLVM is written here after
Intel's manual. What a processor refuses (shapes that do not fit, registers that are not configured) leaves sums that no
test takes for right.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils

I8, I16, I32, I64, F32 = ir.IntType(8), ir.IntType(16), ir.IntType(32), ir.IntType(64), ir.FloatType()
ROW, TILE = 64, 1024
STATE = "emulated_tiles"


def instruction(builder: ir.IRBuilder, name: str, *arguments: ir.Value) -> None:
    """In the place of `device.tiles.instruction`: a function for each instruction, called with the registers."""
    state = getattr(builder.function, STATE, None)
    if state is None:
        with builder.goto_entry_block():
            memory = builder.alloca(ir.ArrayType(I8, 64 + 8 * TILE))
            state = builder.gep(memory, [I32(0), I32(0)])
        setattr(builder.function, STATE, state)
    passed = [builder.zext(a, I64) if a.type == I8 else a for a in arguments]
    signature = ir.FunctionType(ir.VoidType(), [argument.type for argument in (state, *passed)])
    function = cgutils.get_or_insert_function(builder.module, signature, f"emulated_{name}")
    if not function.blocks:
        function.linkage = "internal"
        function.attributes.add("noinline")
        inner = ir.IRBuilder(function.append_basic_block("entry"))
        getattr(_Processor(inner, function.args[0]), name)(*function.args[1:])
        inner.ret_void()
    builder.call(function, [state, *passed])


class _Processor:
    """What the instructions do; the registers follow their configuration in memory."""

    def __init__(self, builder: ir.IRBuilder, state: ir.Value) -> None:
        self.b, self.configuration = builder, state
        self.registers = builder.gep(state, [I64(64)])

    def at(self, memory: ir.Value, *terms: Any, ty: ir.Type = I8) -> ir.Value:
        index = I64(0)
        for term in terms:
            index = self.b.add(index, I64(term) if isinstance(term, int) else term)
        return self.b.bitcast(self.b.gep(memory, [index]), ty.as_pointer())

    def rows(self, tile: ir.Value) -> ir.Value:
        return self.b.zext(self.b.load(self.at(self.configuration, 48, tile)), I64)

    def row_bytes(self, tile: ir.Value) -> ir.Value:
        return self.b.zext(self.b.load(self.at(self.configuration, 16, tile, tile, ty=I16), align=1), I64)

    def begin(self, tile: ir.Value) -> ir.Value:
        return self.b.mul(tile, I64(TILE))

    def tilezero(self, tile: ir.Value) -> None:
        with cgutils.for_range(self.b, I64(TILE), intp=I64) as loop:
            self.b.store(I8(0), self.at(self.registers, self.begin(tile), loop.index))

    def clear(self, memory: ir.Value, size: int) -> None:
        with cgutils.for_range(self.b, I64(size), intp=I64) as loop:
            self.b.store(I8(0), self.at(memory, loop.index))

    def ldtilecfg(self, address: ir.Value) -> None:
        with cgutils.for_range(self.b, I64(64), intp=I64) as loop:
            self.b.store(self.b.load(self.b.gep(address, [loop.index])), self.at(self.configuration, loop.index))
        self.clear(self.registers, 8 * TILE)

    def tilerelease(self) -> None:
        self.clear(self.configuration, 64)

    def tileloadd64(self, tile: ir.Value, address: ir.Value, stride: ir.Value) -> None:
        self._each(tile, address, stride, lambda there, here: self.b.store(self.b.load(there), here))

    def tilestored64(self, tile: ir.Value, address: ir.Value, stride: ir.Value) -> None:
        self._each(tile, address, stride, lambda there, here: self.b.store(self.b.load(here), there))

    def _each(self, tile: ir.Value, address: ir.Value, stride: ir.Value, move: Any) -> None:
        with cgutils.for_range(self.b, self.rows(tile), intp=I64) as row:
            with cgutils.for_range(self.b, self.row_bytes(tile), intp=I64) as byte:
                there = self.b.gep(address, [self.b.add(self.b.mul(row.index, stride), byte.index)])
                here = self.at(self.registers, self.begin(tile), self.b.mul(row.index, I64(ROW)), byte.index)
                move(there, here)

    def tdpbf16ps(self, *tiles: ir.Value) -> None:
        def number(address: ir.Value) -> ir.Value:
            bits = self.b.zext(self.b.load(self.b.bitcast(address, I16.as_pointer()), align=1), I32)
            return self.b.bitcast(self.b.shl(bits, I32(16)), F32)

        self._dot(tiles, 2, F32, number, self.b.fadd, self.b.fmul)

    def tdpfp16ps(self, *tiles: ir.Value) -> None:
        def number(address: ir.Value) -> ir.Value:
            half = self.b.load(self.b.bitcast(address, ir.HalfType().as_pointer()), align=1)
            return self.b.fpext(half, F32)

        self._dot(tiles, 2, F32, number, self.b.fadd, self.b.fmul)

    def tdpbssd(self, *tiles: ir.Value) -> None:
        self._dot(tiles, 4, I32, lambda address: self.b.sext(self.b.load(address), I32), self.b.add, self.b.mul)

    def _dot(self, tiles: Any, group: int, ty: ir.Type, number: Any, add: Any, times: Any) -> None:
        sums, left, right = tiles
        rows, columns, depth = self.rows(sums), self.row_bytes(sums), self.rows(right)
        pairs = (
            (rows, self.rows(left)),
            (columns, self.row_bytes(right)),
            (self.row_bytes(left), self.b.mul(depth, I64(4))),
        )
        fits = self.b.icmp_signed(">", rows, I64(0))
        for one, other in pairs:
            fits = self.b.and_(fits, self.b.icmp_signed("==", one, other))
        four = self.b.udiv(columns, I64(4))
        with cgutils.for_range(self.b, rows, intp=I64) as m, cgutils.for_range(self.b, four, intp=I64) as n:
            row, column = self.b.mul(m.index, I64(ROW)), self.b.mul(n.index, I64(4))
            place = self.at(self.registers, self.begin(sums), row, column, ty=ty)
            with cgutils.for_range(self.b, depth, intp=I64) as k:
                dword, below = self.b.mul(k.index, I64(4)), self.b.mul(k.index, I64(ROW))
                for part in range(group):
                    byte = part * 4 // group
                    a = number(self.at(self.registers, self.begin(left), row, dword, byte))
                    b = number(self.at(self.registers, self.begin(right), below, column, byte))
                    self.b.store(add(self.b.load(place), times(a, b)), place)
            wrong = ty(-77)
            self.b.store(self.b.select(fits, self.b.load(place), wrong), place)
