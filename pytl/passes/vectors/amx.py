"""Products on a processor's tile registers (AMX), which hold transposed matrices, as `targets/amx.py` describes.

Up to four tiles of the result, two by two where there are as many, stay in registers during the whole sum. The left
factor is packed for tiles, in front of the product or, where there is no memory for that, piece by piece. The right
factor and the result are accessed in memory, but for terms of the sum that fill no piece, and for results that are not
what the tiles hold. Where tiles do not divide a mode, the last one overlaps the one before, in the same block.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...ir.types import MemrefType, VectorTileType, VectorType, bf16, f16, i8, i16, i32
from ...ir.values import Value
from ...ops import Gemm
from ...ops.constants import is_constant
from ...ops.memory import bytes_of
from ...ops.updates import TRANSPOSES
from ...process.records import dataclass
from ..targets.amx import ACCUMULATORS, LEFT_TILES, RIGHT_TILES, SUMS, TileShape, pieces, sizes_of, words_of
from .access import Index, Lanes
from .code import Code, Number
from .updates import ElementRange, Result

ALIGNMENT = 64
"""Bytes that copies are aligned to: the rows of a tile then lie in one cache line each."""
LANES = 16
"""Numbers that are moved at once: SPIR-V has no longer vectors."""
MAX_PACKED = 1 << 15
"""Bytes of the left factor that are packed at once, as the first-level cache holds them beside what is computed."""
_BITS = {bf16: i16, f16: i16, i8: i8}
"""The integers that have a number's bits."""


def packed_type(op: Gemm, shape: TileShape, tiles: int, depth: int) -> MemrefType:
    """The type of a packed left factor, of so many tiles of rows and pieces of the sum: a column is a row of a tile."""
    width = LANES if shape.rows > LANES // 2 else LANES // 2
    return MemrefType(i32, (width, tiles * depth * shape.dwords), space="local")


def padded_type(op: Gemm, shape: TileShape) -> MemrefType | None:
    """The type of a copy of a right factor's last terms, which fill no piece; None where they do."""
    _, columns, inner = sizes_of(op)
    terms = shape.dwords * words_of(op.A.type)
    return MemrefType(op.B.type.element, (terms, columns), space="local") if inner % terms else None


def sums_type(op: Gemm, shape: TileShape) -> MemrefType | None:
    """The type of memory for a block of sums; None where tiles are loaded from the result and stored to it."""
    if _is_direct(op):
        return None
    rows, columns = _block(op, shape)
    return MemrefType(SUMS[op.A.type.element], (rows * shape.rows, columns * shape.columns), space="local")


def _is_added(op: Gemm) -> bool:
    """Whether sums begin with what the result holds."""
    return bool(op.C.type.element == SUMS[op.A.type.element] and is_constant(op.alpha, 1) and is_constant(op.beta, 1))


def _is_direct(op: Gemm) -> bool:
    """Whether the sums, or these added to it, are the result."""
    is_sum = op.C.type.element == SUMS[op.A.type.element]
    return _is_added(op) or bool(is_sum and is_constant(op.alpha, 1) and is_constant(op.beta, 0))


def _block(op: Gemm, shape: TileShape) -> tuple[int, int]:
    """How many rows and columns of tiles a block of the result has at most."""
    rows, columns, _ = sizes_of(op)
    high, wide = pieces(rows, shape.rows), pieces(columns, shape.columns)
    most = len(ACCUMULATORS)
    return (min(high, most), 1) if wide == 1 else (1, min(wide, most)) if high == 1 else (2, 2)


def pack(code: Code, op: Gemm, shape: TileShape, packed: Value) -> None:
    """Pack a left factor as a whole."""
    rows, _, inner = sizes_of(op)
    _Left(code, op, shape, packed, pieces(inner, shape.dwords * words_of(op.A.type))).pack(0, rows)


def pad(code: Code, op: Gemm, shape: TileShape, padded: Value) -> None:
    """Copy a right factor's last terms, with zeros behind them."""
    _, columns, inner = sizes_of(op)
    (height, _), element = padded.type.shape, op.B.type.element
    first = inner // height * height

    def column(j: Number) -> None:
        for begin in range(0, height, LANES):
            loaded, stored = min(inner - first - begin, LANES), min(height - begin, LANES)
            numbers = code.zeros(element, LANES)
            if loaded > 0:
                mask = None if loaded == LANES else code.mask(loaded, LANES)
                numbers = code.load(op.B, [first + begin, j], VectorType(element, LANES), 0, mask)
            mask = None if stored == LANES else code.mask(stored, LANES)
            code.store(numbers, padded, [begin, j], 0, mask)

    code.each(0, columns, 1, column)


def write(
    code: Code, op: Gemm, shape: TileShape, packed: Value | None, padded: Value | None, sums: Value | None
) -> None:
    """`C := alpha A B + beta C`, with copies of the factors that were made before, and memory for sums.

    What is not given is made here, where it is needed.
    """
    _Product(code, op, shape, packed, padded, sums).write()


@dataclass(frozen=True)
class _Side:
    """The rows or the columns of a block: the number of their first tile, the first row, and where tiles begin."""

    tile: Number
    first: Number
    offsets: tuple[int, ...]
    of_tile: int

    @property
    def size(self) -> int:
        return self.offsets[-1] + self.of_tile


def _each_side(code: Code, size: int, of_tile: int, most: int, write: Callable[[_Side], None]) -> None:
    """Write something for each block of so many tiles; fewer come first, so that tiles that overlap are in one."""
    offsets = tuple(min(begin, size - of_tile) for begin in range(0, size, of_tile))
    count = len(offsets)
    rest = count % most
    last = count - most if size % of_tile and count > rest else count

    def block(tile: int, tiles: int) -> _Side:
        chosen = offsets[tile : tile + tiles]
        return _Side(tile, chosen[0], tuple(begin - chosen[0] for begin in chosen), of_tile)

    if rest:
        write(block(0, rest))
    equal = tuple(range(0, most * of_tile, of_tile))
    code.each(rest, last, most, lambda tile: write(_Side(tile, code.times(tile, of_tile), equal, of_tile)))
    if last < count:
        write(block(last, most))


class _Left:
    """A left factor for tiles: for each tile of rows, the rows of the pieces of the sum one behind the other."""

    def __init__(self, code: Code, op: Gemm, shape: TileShape, packed: Value, depth: int) -> None:
        self.code, self.factor, self.packed = code, op.A, packed
        self.is_turned = TRANSPOSES[op.transpose_a]
        self.element = op.A.type.element
        self.bits, self.words = _BITS[self.element], words_of(op.A.type)
        self.rows, self.lines = shape.rows, depth * shape.dwords
        self.width = packed.type.shape[0]
        self.inner = sizes_of(op)[2]

    def place(self, tile: Number, line: Number) -> list[Number]:
        """Where a line of a tile is."""
        return [0, self.code.plus(self.code.times(tile, self.lines), line)]

    def pack(self, row: Number, rows: int, first: Number = 0, terms: int | None = None) -> None:
        """Pack so many terms of the sum, from the first one on, for tiles of some rows; what is missing is zero."""
        code, given = self.code, self.inner if terms is None else terms

        def pack(tile: Number, begin: Number) -> None:
            (self._turned if self.is_turned else self._lines)(tile, code.plus(row, begin), first, given)
            for line in range(pieces(given, self.words), self.lines):
                code.store(code.zeros(i32, self.width), self.packed, self.place(tile, line), 0, None)

        whole = rows // self.rows
        code.each(0, whole, 1, lambda tile: pack(tile, code.times(tile, self.rows)))
        if rows % self.rows:
            pack(whole, rows - self.rows)

    def _lines(self, tile: Number, row: Number, first: Number, terms: int) -> None:
        code = self.code
        whole, rest = divmod(terms, self.words)

        def line(number: Number, numbers: int) -> None:
            words = self._words(row, code.plus(first, code.times(number, self.words)), numbers)
            code.store(words, self.packed, self.place(tile, number), 0, None)

        code.each(0, whole, 1, lambda number: line(number, self.words))
        if rest:
            line(whole, rest)

    def _words(self, row: Number, k: Number, numbers: int) -> Value:
        """A row of a tile for Aᵀ: in each dword, a row's numbers of some columns of A."""
        code, size = self.code, 8 * self.element.size
        mask = None if self.rows == self.width else code.mask(self.rows, self.width)
        words: Value | None = None
        for number in range(numbers):
            loaded = code.load(self.factor, [row, code.plus(k, number)], VectorType(self.element, self.width), 0, mask)
            word = code.cast(code.bitcast(loaded, VectorType(self.bits, self.width)), i32)
            if number < self.words - 1:  # the shift takes the sign of the last
                word = code.arith("and", word, code.literal(i32, (1 << size) - 1, self.width))
            if words is not None:
                word = code.arith("or", words, code.arith("shl", word, code.literal(i32, size * number, self.width)))
            words = word
        assert words is not None
        return words

    def _turned(self, tile: Number, row: Number, first: Number, terms: int) -> None:
        """The same of a factor whose columns lie along the sum: blocks of dwords are transposed."""
        code, side = self.code, LANES // self.words
        type_ = VectorType(self.element, LANES)

        def block(line: Number, left: int) -> None:
            k = code.plus(first, code.times(line, self.words))
            mask = None if left >= LANES else code.mask(left, LANES)
            for begin in range(0, self.rows, side):
                count = min(side, self.rows - begin)
                loaded = [code.load(self.factor, [k, code.plus(row, begin + i)], type_, 0, mask) for i in range(count)]
                vectors = [code.bitcast(numbers, VectorType(i32, side)) for numbers in loaded]
                vectors += [code.zeros(i32, side)] * (side - count)
                for number, vector in enumerate(code.transpose(vectors)[: pieces(left, self.words)]):
                    at = self.place(tile, code.plus(line, number))
                    code.store(vector, self.packed, [begin, at[1]], 0, None)

        whole = terms // LANES * side
        code.each(0, whole, side, lambda line: block(line, LANES))
        if terms % LANES:
            block(whole, terms % LANES)


class _Product:
    def __init__(
        self,
        code: Code,
        op: Gemm,
        shape: TileShape,
        packed: Value | None,
        padded: Value | None,
        sums: Value | None,
    ) -> None:
        self.code, self.B, self.C, self.shape = code, op.B, op.C, shape
        self.sum, self.element = SUMS[op.A.type.element], op.A.type.element
        self.rows, self.columns, self.dwords = shape.rows, shape.columns, shape.dwords
        self.words = words_of(op.A.type)
        self.terms = self.dwords * self.words
        self.m, self.n, self.k = sizes_of(op)
        self.block, self.is_added = _block(op, shape), _is_added(op)
        self.result = Result(code, op, self.sum)
        self._buffers: list[Value] = []
        self.is_packed = packed is not None
        self.is_packed_by_rows = False
        """Whether all terms of a block's rows are packed before its first column, and not piece by piece."""
        if packed is None:
            deep, wide = pieces(self.k, self.terms), pieces(self.n, self.columns)
            of_block = packed_type(op, shape, self.block[0], deep)
            self.is_packed_by_rows = bytes_of(of_block) <= MAX_PACKED and wide > self.block[1]
            deep = deep if self.is_packed_by_rows else 1
            self.left = _Left(code, op, shape, self._buffer(packed_type(op, shape, self.block[0], deep)), deep)
        else:
            self.left = _Left(code, op, shape, packed, pieces(self.k, self.terms))
        type_ = padded_type(op, shape)
        if padded is None and type_ is not None:
            padded = self._buffer(type_)
            pad(code, op, shape, padded)
        self.padded = padded
        type_ = sums_type(op, shape)
        self.sums = self._buffer(type_) if sums is None and type_ is not None else sums

    def _buffer(self, type_: MemrefType) -> Value:
        self._buffers.append(self.code.buffer(type_, [], ALIGNMENT))
        return self._buffers[-1]

    def write(self) -> None:
        _each_side(self.code, self.m, self.rows, self.block[0], self._rows)
        for buffer in self._buffers:
            self.code.release(buffer)

    def _rows(self, rows: _Side) -> None:
        if self.is_packed_by_rows:
            self.left.pack(rows.first, rows.size)
        _each_side(self.code, self.n, self.columns, self.block[1], partial(self._block, rows))

    # Blocks of the result.

    def _block(self, rows: _Side, columns: _Side) -> None:
        code = self.code
        places = [(j, i) for i in columns.offsets for j in rows.offsets]
        target, first = (self.C, (rows.first, columns.first)) if self.sums is None else (self.sums, (0, 0))
        at = [[code.plus(first[0], j), code.plus(first[1], i)] for j, i in places]
        type_ = VectorTileType(self.sum, self.columns, self.rows)
        if self.is_added:
            sums = [code.tile_load(target, place, type_, register) for register, place in zip(ACCUMULATORS, at)]
        else:
            sums = [code.tile_zero(type_, register) for register, _ in zip(ACCUMULATORS, at)]
        whole, rest = divmod(self.k, self.terms)
        sums = code.loop(0, whole, 1, sums, lambda piece, sums: self._add(rows, columns, piece, self.terms, sums))
        if rest:
            sums = self._add(rows, columns, whole, rest, sums)
        for tile, place in zip(sums, at):
            code.tile_store(tile, target, place)
        if self.sums is not None:
            code.each(0, columns.size, 1, partial(self._update, rows, columns))

    def _update(self, rows: _Side, columns: _Side, j: Number) -> None:
        """Update a column of a block of the result by the sums."""
        ranges, values = list[ElementRange](), list[Value]()
        for begin in range(0, rows.size, LANES):
            lanes = Lanes(LANES, None if rows.size - begin >= LANES else rows.size - begin)
            i = Index(self.code.plus(rows.first, begin), 1)
            ranges.append(ElementRange((i, Index(self.code.plus(columns.first, j), 0)), lanes))
            mask = lanes.mask(self.code)
            values.append(self.code.load(self.sums, [begin, j], VectorType(self.sum, LANES), 0, mask))  # type: ignore[arg-type]
        self.result.update(ranges, values)

    def _add(self, rows: _Side, columns: _Side, piece: Number, terms: int, sums: list[Value]) -> list[Value]:
        """Add the products of a piece of the sum, which has so many terms."""
        code, results = self.code, list[Value]()
        first, packed = code.times(piece, self.terms), piece
        if not (self.is_packed or self.is_packed_by_rows):
            self.left.pack(rows.first, rows.size, first, terms)
            packed = 0
        right, k = (self.B, first) if terms == self.terms else (self.padded, 0)
        of_right = VectorTileType(self.element, self.columns, self.terms)
        of_left = VectorTileType(self.element, self.dwords, self.words * self.rows)
        lefts: list[Value] = []
        for i, begin in enumerate(columns.offsets):
            b = code.tile_load(right, [k, code.plus(columns.first, begin)], of_right, LEFT_TILES[i % 2])  # type: ignore[arg-type]
            for j in range(len(rows.offsets)):
                if len(lefts) == j:
                    tile = code.plus(rows.tile, j) if self.is_packed else j
                    at = self.left.place(tile, code.times(packed, self.dwords))
                    lefts.append(code.tile_load(self.left.packed, at, of_left, RIGHT_TILES[j % 2]))
                results.append(code.tile_product(b, lefts[j], sums[len(results)]))
        return results
