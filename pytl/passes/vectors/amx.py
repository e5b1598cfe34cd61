"""Products on a processor's tile registers (AMX), which hold transposed matrices, as `targets/amx.py` describes.

Blocks of two by two tiles of the result stay in registers during the whole sum. The left factor is packed for them: if
there is one block only, piece by piece in the loop over the terms of the sum, so that it stays in the cache, else in
front. The right factor and the result are accessed in memory where they are divided into whole tiles, and padded copies
of them otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...ir.types import MemrefType, ScalarType, VectorTileType, VectorType, bf16, i8, i16, i32
from ...ir.values import Value
from ...ops import Gemm
from ...ops.constants import is_constant
from ..targets.amx import ACCUMULATORS, DWORD, LEFT_TILES, RIGHT_TILES, TileShape, sizes_of
from .code import Code, Number

ALIGNMENT = 64
"""Bytes that copies are aligned to: the rows of a tile then lie in one cache line each."""
LANES = 16
"""Numbers that are copied at once."""
_BITS = {bf16: i16, i8: i8}
"""The integers that have a number's bits."""


def write(code: Code, op: Gemm, shape: TileShape) -> None:
    """`C := A B + beta C`, for `beta` 0 or 1."""
    _Product(code, op, shape).write()


@dataclass(frozen=True)
class _Block:
    """Tiles of the result: the first one of its rows and columns, and how many there are."""

    row: Number
    column: Number
    high: int
    wide: int


class _Product:
    def __init__(self, code: Code, op: Gemm, shape: TileShape) -> None:
        self.code, self.A, self.B, self.C = code, op.A, op.B, op.C
        self.is_added = is_constant(op.beta, 1)
        self.element: ScalarType = op.A.type.element
        self.bits = _BITS[self.element]
        self.group = DWORD // self.element.size
        self.rows, self.columns, self.inner = shape.rows, shape.columns, shape.inner // self.element.size
        self.dwords = shape.inner // DWORD
        self.m, self.n, self.k = sizes_of(op)
        self.high, self.wide, self.deep = -(-self.m // self.rows), -(-self.n // self.columns), -(-self.k // self.inner)
        self.is_one_block = max(self.high, self.wide) <= 2
        self.pieces = 1 if self.is_one_block else self.deep
        """How many pieces of the sum are packed at once."""
        self._buffers: list[Value] = []
        self.packed_a = self._buffer(i32, self.rows, self.high * self.pieces * self.dwords)
        self.packed_b: Value | None = None
        if self.n % self.columns or self.k % self.inner:
            self.packed_b = self._buffer(self.bits, self.pieces * self.inner, self.wide * self.columns)
        self.target = self.C
        if self.m % self.rows or self.n % self.columns:
            self.target = self._buffer(self.C.type.element, self.high * self.rows, self.wide * self.columns)

    def _buffer(self, element: ScalarType, rows: int, columns: int) -> Value:
        self._buffers.append(self.code.buffer(MemrefType(element, (rows, columns), space="local"), [], ALIGNMENT))
        return self._buffers[-1]

    def write(self) -> None:
        if self.target is not self.C and self.is_added:
            self._copy_columns(self.C, 0, self.target, self.m, self.m)
        if self.is_one_block:
            self._compute(_Block(0, 0, self.high, self.wide))
        else:
            self._pack(0, self.k)
            self._pairs(
                self.wide,
                lambda j, wide: self._pairs(self.high, lambda i, high: self._compute(_Block(i, j, high, wide))),
            )
        if self.target is not self.C:
            self._copy_columns(self.target, 0, self.C, self.m, self.m)
        for buffer in self._buffers:
            self.code.release(buffer)

    def _pairs(self, count: int, write: Callable[[Number, int], None]) -> None:
        """Write something for each pair of tiles, by the first one, and for the remaining tile."""
        self.code.each(0, count // 2 * 2, 2, lambda first: write(first, 2))
        if count % 2:
            write(count - 1, 1)

    # Packing.

    def _pack(self, first: Number, terms: int) -> None:
        """Pack so many terms of the sum, from the first one on, as whole pieces; what is missing is zero."""
        code, depth = self.code, self.pieces * self.dwords
        whole, rest = divmod(terms, self.group)

        def pack(row: Number, numbers: int) -> None:
            k = code.plus(first, code.times(row, self.group))
            for tile in range(self.high):
                code.store(self._words(tile, k, numbers), self.packed_a, [0, code.plus(row, tile * depth)], 0, None)

        code.each(0, whole, 1, lambda row: pack(row, self.group))
        for row in range(whole, depth):
            pack(row, rest if row == whole else 0)
        if self.packed_b is not None:
            self._copy_columns(self.B, first, self.packed_b, terms, self.pieces * self.inner)

    def _words(self, tile: int, k: Number, numbers: int) -> Value:
        """A row of a tile for Aᵀ: in each dword, a row's numbers of some columns of A."""
        code, size = self.code, 8 * self.element.size
        left = self.m - tile * self.rows
        mask = None if left >= self.rows else code.mask(left, self.rows)
        words: Value | None = None
        for number in range(numbers):
            at = [tile * self.rows, code.plus(k, number)]
            loaded = code.load(self.A, at, VectorType(self.element, self.rows), 0, mask)
            signed = code.cast(code.bitcast(loaded, VectorType(self.bits, self.rows)), i32)
            word = code.arith("and", signed, code.literal(i32, (1 << size) - 1, self.rows))
            if words is not None:
                word = code.arith("or", words, code.arith("shl", word, code.literal(i32, size * number, self.rows)))
            words = word
        return code.zeros(i32, self.rows) if words is None else words

    def _copy_columns(self, source: Value, first: Number, target: Value, rows: int, padded: int) -> None:
        """Copy so many rows, from the first one on, of as many columns as the result has; pad them with zeros."""
        code, of, into = self.code, source.type.element, target.type.element

        def column(j: Number) -> None:
            for begin in range(0, padded, LANES):
                loaded, stored = min(rows - begin, LANES), min(padded - begin, LANES)
                numbers = code.zeros(into, LANES)
                if loaded > 0:
                    mask = None if loaded == LANES else code.mask(loaded, LANES)
                    numbers = code.load(source, [code.plus(first, begin), j], VectorType(of, LANES), 0, mask)
                    numbers = code.bitcast(numbers, VectorType(into, LANES))
                code.store(numbers, target, [begin, j], 0, None if stored == LANES else code.mask(stored, LANES))

        code.each(0, self.n, 1, column)

    # Blocks of the result.

    def _compute(self, block: _Block) -> None:
        code = self.code
        places = [
            [code.times(code.plus(block.row, j), self.rows), code.times(code.plus(block.column, i), self.columns)]
            for i in range(block.wide)
            for j in range(block.high)
        ]
        type_ = VectorTileType(self.C.type.element, self.columns, self.rows)
        cells = list(zip(ACCUMULATORS, places))
        if self.is_added:
            sums = [code.tile_load(self.target, at, type_, register) for register, at in cells]
        else:
            sums = [code.tile_zero(type_, register) for register, _ in cells]
        if self.is_one_block:

            def piece(k: Number, sums: list[Value]) -> list[Value]:
                self._pack(code.times(k, self.inner), self.inner)
                return self._add(block, k, 0, sums)

            whole, rest = divmod(self.k, self.inner)
            sums = code.loop(0, whole, 1, sums, piece)
            if rest:
                self._pack(whole * self.inner, rest)
                sums = self._add(block, whole, 0, sums)
        else:
            sums = code.loop(0, self.deep, 1, sums, lambda k, sums: self._add(block, k, k, sums))
        for tile, at in zip(sums, places):
            code.tile_store(tile, self.target, at)

    def _add(self, block: _Block, k: Number, packed: Number, sums: list[Value]) -> list[Value]:
        """Add the products of a piece of the sum, which has this place among those that are packed."""
        code, results = self.code, list[Value]()
        right: list[Value] = []
        for i in range(block.wide):
            column = code.times(code.plus(block.column, i), self.columns)
            b, term = (self.B, k) if self.packed_b is None else (self.packed_b, packed)
            at = [code.times(term, self.inner), column]
            left = code.tile_load(b, at, VectorTileType(self.element, self.columns, self.inner), LEFT_TILES[i])
            for j in range(block.high):
                if len(right) == j:
                    row = code.times(code.plus(block.row, j), self.pieces * self.dwords)
                    at = [0, code.plus(row, code.times(packed, self.dwords))]
                    type_ = VectorTileType(self.element, self.dwords, self.group * self.rows)
                    right.append(code.tile_load(self.packed_a, at, type_, RIGHT_TILES[j]))
                results.append(code.tile_product(left, right[j], sums[len(results)]))
        return results
