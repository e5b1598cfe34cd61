"""axpby of a transposed matrix: square blocks are transposed in registers, from vectors of columns to those of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...ops import Axpby
from ..targets.cpu import Kernel
from ..targets.cpu_attributes import LANES, UNROLL_TILES, decided
from .access import Index, Lanes
from .code import Code, Number
from .rows import with_remainder
from .updates import ElementRange, Result


def write(code: Code, op: Axpby, kernel: Kernel) -> None:
    """`B := alpha Aᵀ + beta B`, by blocks that have as many rows and columns as a vector has lanes, or fewer."""
    count = decided(kernel, LANES)
    turning = _Transposition(code, op, decided(kernel, UNROLL_TILES))
    columns, rows = (code.size(op.A, mode) for mode in (0, 1))
    if isinstance(rows, int) and isinstance(columns, int):
        turning.of_known_size(rows, columns, count)
    else:
        turning.of_any_size(rows, columns, count)


class _Transposition:
    """Rows and columns are those of the result."""

    def __init__(self, code: Code, op: Axpby, max_unrolled: int) -> None:
        self.code = code
        self.source = op.A
        self.result = Result(code, op)
        self.max_unrolled = max_unrolled

    def of_known_size(self, rows: int, columns: int, count: int) -> None:
        """Blocks of whole vectors, and of shorter ones for the remainder."""
        self._pieces(
            rows,
            count,
            lambda i, *height: self._pieces(columns, count, lambda j, *width: self._cut(i, height, j, width)),
        )

    def _pieces(self, size: int, count: int, write: Callable[[Number, int, int], None]) -> None:
        """A size as multiples of powers of two, the largest first: the beginning, width and existing part of each.

        Only the last piece of a width may be incomplete.
        """
        begin, width = 0, count
        while begin < size:
            while width > size - begin and not width == size - begin + 1 > 2:
                width //= 2
            active = min(width, size - begin)
            end = begin + (size - begin) // active * active
            self.code.each(begin, end, active, _writer(write, width, active), self.max_unrolled)
            begin = end

    def _cut(self, i: Number, height: tuple[int, ...], j: Number, width: tuple[int, ...]) -> None:
        """A block of the result, as squares. `height` and `width` give its rows and columns, and which exist."""
        side = min(height[0], width[0])
        for di in range(0, height[1], side):
            for dj in range(0, width[1], side):
                rows, columns = min(height[1] - di, side), min(width[1] - dj, side)
                self._square(self.code.plus(i, di), self.code.plus(j, dj), side, rows, columns)

    def of_any_size(self, rows: Number, columns: Number, side: int) -> None:
        """Blocks of whole vectors, and masked blocks at the edges."""
        code = self.code
        last_row, last_column = (code.multiple_below(size, side) for size in (rows, columns))

        def of_rows(i: Number) -> None:
            code.each(0, last_column, side, lambda j: self._square(i, j, side, side, side))
            with_remainder(code, last_column, columns, lambda left: self._square(i, last_column, side, side, left))

        def last_rows(left: Number) -> None:
            code.each(0, columns, side, lambda j: self._square(last_row, j, side, left, code.minus(columns, j)))

        code.each(0, last_row, side, of_rows)
        with_remainder(code, last_row, rows, last_rows)

    def _square(self, i: Number, j: Number, side: int, rows: Number, columns: Number) -> None:
        """A square block, of whose rows and columns so many exist; a block of one element is a number."""
        code, step = self.code, int(side > 1)
        vectors = [
            self.result.load(self.source, (Index(j, step), Index(code.plus(i, k), 0)), lanes)
            for k, lanes in enumerate(self._lanes(rows, columns, side))
        ]
        if side > 1:
            vectors += [code.zeros(self.result.type, side) for _ in range(len(vectors), side)]
            vectors = code.transpose(vectors)
        ranges = [
            ElementRange((Index(i, step), Index(code.plus(j, k), 0)), lanes)
            for k, lanes in enumerate(self._lanes(columns, rows, side))
        ]
        self.result.update(ranges, vectors[: len(ranges)])

    def _lanes(self, vectors: Number, lanes: Number, side: int) -> Iterator[Lanes]:
        """The lanes of each vector of a block, given how many vectors and lanes exist."""
        if isinstance(vectors, int):
            yield from [self._active(lanes, side)] * vectors
            return
        for k in range(side):
            # no lane is active where the vector does not exist: the product is not positive
            room = self.code.times(self.code.minus(vectors, k), side)
            yield self._active(self.code.min(room, lanes), side)

    def _active(self, count: Number, side: int) -> Lanes:
        return Lanes(side, None if count == side else count).with_mask(self.code)


def _writer(write: Callable[[Number, int, int], None], width: int, active: int) -> Callable[[Number], None]:
    return lambda first: write(first, width, active)
