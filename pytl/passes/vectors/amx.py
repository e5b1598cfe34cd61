"""Products on a processor's tile registers (AMX), which hold transposed matrices, as `targets/amx.py` describes.

Blocks of two by two tiles of the result stay in registers during the whole sum. The left factor is packed for tiles:
all of its rows that blocks share, if these are several blocks and it is short; else piece by piece in the loop over the
terms of the sum. The right factor and the result are accessed in memory; where they do not fill tiles, copies are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.types import MemrefType, ScalarType, VectorTileType, VectorType, bf16, i8, i16, i32
from ...ir.values import Value
from ...ops import Gemm
from ...ops.constants import is_constant
from ...process.records import dataclass
from ..targets.amx import ACCUMULATORS, DWORD, LEFT_TILES, RIGHT_TILES, TileShape, sizes_of
from .code import Code, Number

ALIGNMENT = 64
"""Bytes that copies are aligned to: the rows of a tile then lie in one cache line each."""
LANES = 16
"""Numbers that are copied at once."""
MAX_PACKED = 1 << 15
"""Bytes of the left factor that are packed at once, as the first-level cache holds them beside what is computed."""
_BITS = {bf16: i16, i8: i8}
"""The integers that have a number's bits."""


def write(code: Code, op: Gemm, shape: TileShape) -> None:
    """`C := A B + beta C`, for `beta` 0 or 1."""
    _Product(code, op, shape).write()


@dataclass(frozen=True)
class _Side:
    """The rows or the columns of a block of the result: the first one, how many there are, and in how many tiles."""

    first: Number
    size: int
    tiles: int


@dataclass(frozen=True)
class _Part:
    """A part of a matrix, from a row and a column on."""

    tensor: Any
    row: Number = 0
    column: Number = 0

    def at(self, code: Code, i: Number, j: Number) -> list[Number]:
        return [code.plus(self.row, i), code.plus(self.column, j)]


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
        deep, high = -(-self.k // self.inner), min(-(-self.m // self.rows), 2)
        is_short = high * self.rows * deep * self.dwords * DWORD <= MAX_PACKED
        self.pieces = deep if is_short and self.n > 2 * self.columns else 1
        """How many pieces of the sum are packed at once."""
        self._buffers: list[Value] = []
        self.packed = self._buffer(i32, self.rows, high * self.pieces * self.dwords)
        is_ragged = self.n % self.columns
        self.padded = self._buffer(self.bits, self.inner, 2 * self.columns, is_ragged or self.k % self.inner)
        self.sums = self._buffer(op.C.type.element, 2 * self.rows, 2 * self.columns, is_ragged or self.m % self.rows)

    def _buffer(self, element: ScalarType, rows: int, columns: int, is_needed: int = 1) -> Any:
        """Memory for a copy, where one is needed."""
        if not is_needed:
            return None
        self._buffers.append(self.code.buffer(MemrefType(element, (rows, columns), space="local"), [], ALIGNMENT))
        return self._buffers[-1]

    def write(self) -> None:
        self._sides(self.m, self.rows, self._rows)
        for buffer in self._buffers:
            self.code.release(buffer)

    def _sides(self, size: int, of_tile: int, write: Callable[[_Side], None]) -> None:
        """Write something for each pair of tiles, and for the rest, of which a tile may be filled in part only."""
        pair, tiles = 2 * of_tile, -(-size // of_tile)
        whole = size if size % pair == 0 else (tiles - 1) // 2 * pair
        self.code.each(0, whole, pair, lambda first: write(_Side(first, pair, 2)))
        if whole < size:
            write(_Side(whole, size - whole, -(-(size - whole) // of_tile)))

    def _rows(self, rows: _Side) -> None:
        if self.pieces > 1:
            self._pack(rows, 0, self.k)
        self._sides(self.n, self.columns, lambda columns: self._block(rows, columns))

    # Packing.

    def _pack(self, rows: _Side, first: Number, terms: int) -> None:
        """Pack so many terms of the sum, from the first one on, as whole pieces; what is missing is zero."""
        code, depth = self.code, self.pieces * self.dwords
        whole, rest = divmod(terms, self.group)

        def pack(line: Number, numbers: int) -> None:
            k = code.plus(first, code.times(line, self.group))
            for tile in range(rows.tiles):
                words = self._words(code.plus(rows.first, tile * self.rows), rows.size - tile * self.rows, k, numbers)
                code.store(words, self.packed, [0, code.plus(line, tile * depth)], 0, None)

        code.each(0, whole, 1, lambda line: pack(line, self.group))
        for line in range(whole, depth):
            pack(line, rest if line == whole else 0)

    def _words(self, row: Number, rows: int, k: Number, numbers: int) -> Value:
        """A row of a tile for Aᵀ: in each dword, a row's numbers of some columns of A."""
        code, size = self.code, 8 * self.element.size
        mask = None if rows >= self.rows else code.mask(rows, self.rows)
        words: Value | None = None
        for number in range(numbers):
            loaded = code.load(self.A, [row, code.plus(k, number)], VectorType(self.element, self.rows), 0, mask)
            signed = code.cast(code.bitcast(loaded, VectorType(self.bits, self.rows)), i32)
            word = code.arith("and", signed, code.literal(i32, (1 << size) - 1, self.rows))
            if words is not None:
                word = code.arith("or", words, code.arith("shl", word, code.literal(i32, size * number, self.rows)))
            words = word
        return code.zeros(i32, self.rows) if words is None else words

    def _copy(
        self, source: _Part, target: _Part, rows: int, columns: int, padded: tuple[int, int] | None = None
    ) -> None:
        """Copy so many rows and columns, with zeros behind them."""
        code, of, into = self.code, source.tensor.type.element, target.tensor.type.element
        height, width = padded or (rows, columns)

        def column(j: Number, rows: int) -> None:
            for begin in range(0, height, LANES):
                loaded, stored = min(rows - begin, LANES), min(height - begin, LANES)
                numbers = code.zeros(into, LANES)
                if loaded > 0:
                    mask = None if loaded == LANES else code.mask(loaded, LANES)
                    numbers = code.load(source.tensor, source.at(code, begin, j), VectorType(of, LANES), 0, mask)
                    numbers = code.bitcast(numbers, VectorType(into, LANES))
                mask = None if stored == LANES else code.mask(stored, LANES)
                code.store(numbers, target.tensor, target.at(code, begin, j), 0, mask)

        code.each(0, columns, 1, lambda j: column(j, rows))
        code.each(columns, width, 1, lambda j: column(j, 0))

    # Blocks of the result.

    def _block(self, rows: _Side, columns: _Side) -> None:
        code, result = self.code, _Part(self.C, rows.first, columns.first)
        target = result
        if rows.size % self.rows or columns.size % self.columns:
            target = _Part(self.sums)
            if self.is_added:
                padded = (rows.tiles * self.rows, columns.tiles * self.columns)
                self._copy(result, target, rows.size, columns.size, padded)
        places = [
            target.at(code, j * self.rows, i * self.columns) for i in range(columns.tiles) for j in range(rows.tiles)
        ]
        type_ = VectorTileType(self.C.type.element, self.columns, self.rows)
        if self.is_added:
            sums = [code.tile_load(target.tensor, at, type_, register) for register, at in zip(ACCUMULATORS, places)]
        else:
            sums = [code.tile_zero(type_, register) for register, _ in zip(ACCUMULATORS, places)]
        whole, rest = divmod(self.k, self.inner)
        sums = code.loop(0, whole, 1, sums, lambda k, sums: self._add(rows, columns, k, self.inner, sums))
        if rest:
            sums = self._add(rows, columns, whole, rest, sums)
        for tile, at in zip(sums, places):
            code.tile_store(tile, target.tensor, at)
        if target is not result:
            self._copy(target, result, rows.size, columns.size)

    def _add(self, rows: _Side, columns: _Side, piece: Number, terms: int, sums: list[Value]) -> list[Value]:
        """Add the products of a piece of the sum, which has so many terms."""
        code, results = self.code, list[Value]()
        first, packed = code.times(piece, self.inner), piece
        if self.pieces == 1:
            self._pack(rows, first, terms)
            packed = 0
        right = _Part(self.B, first, columns.first)
        if terms < self.inner or columns.size % self.columns:
            right, padded = _Part(self.padded), (self.inner, columns.tiles * self.columns)
            self._copy(_Part(self.B, first, columns.first), right, terms, columns.size, padded)
        of_right = VectorTileType(self.element, self.columns, self.inner)
        of_left = VectorTileType(self.element, self.dwords, self.group * self.rows)
        lefts: list[Value] = []
        for i in range(columns.tiles):
            b = code.tile_load(right.tensor, right.at(code, 0, i * self.columns), of_right, LEFT_TILES[i])
            for j in range(rows.tiles):
                if len(lefts) == j:
                    line = code.plus(j * self.pieces * self.dwords, code.times(packed, self.dwords))
                    lefts.append(code.tile_load(self.packed, [0, line], of_left, RIGHT_TILES[j]))
                results.append(code.tile_product(b, lefts[j], sums[len(results)]))
        return results
