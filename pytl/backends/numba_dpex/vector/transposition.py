"""Transposition of square blocks in registers: vectors of columns become vectors of rows by shuffles."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from ....ops import Axpby
from ....passes.targets.cpu import Kernel
from ....passes.targets.cpu_attributes import LANES, decided
from . import access, numbers
from .access import Index
from .context import Context, Number, Tensor, minus, number, plus
from .lanes import Lanes
from .updates import ElementRange, Result

Columns = Sequence[tuple[ir.Value, Number, Number, Lanes]]
"""Pieces of columns of a transposed matrix: the vector, its row and column, and its mask."""


def axpby(context: Context, op: Axpby, kernel: Kernel) -> None:
    """`B := alpha Aᵀ + beta B`."""
    result = Result(context, op)

    def update(columns: Columns) -> None:
        ranges = [
            ElementRange((Index(i, 1 if active_lanes.count > 1 else 0), Index(j, 0)), active_lanes)
            for _, i, j, active_lanes in columns
        ]
        result.update(ranges, [vector for vector, *_ in columns])

    turn(context, context.values[op.A], result.convert, decided(kernel, LANES), update)


def turn(
    context: Context,
    source: Tensor,
    convert: Callable[[ir.Value, Tensor], ir.Value],
    count: int,
    write: Callable[[Columns], None],
) -> None:
    """Transpose a matrix of contiguous columns, by blocks of at most `count` rows and columns.

    `convert(vector, source)` converts what was read to what is written, and `write` gets columns of the result.
    """
    turning = _Transposition(context, source, convert, write)
    columns, rows = source.shape
    if isinstance(rows, int) and isinstance(columns, int):
        turning.known(rows, columns, count)
    else:
        turning.unknown(rows, columns, count)


def transposed(builder: ir.IRBuilder, vectors: Sequence[ir.Value]) -> list[ir.Value]:
    """Vectors transposed as a square matrix: as many vectors as each has lanes."""
    result, width = list(vectors), len(vectors)
    step = width // 2
    while step:
        # exchanges off-diagonal blocks, of half the size in each step
        low = [k if not k & step else width + k - step for k in range(width)]
        high = [k + step if not k & step else width + k for k in range(width)]
        for k in (k for k in range(width) if not k & step):
            a, b = result[k], result[k + step]
            result[k] = numbers.shuffled(builder, a, b, low)
            result[k + step] = numbers.shuffled(builder, a, b, high)
        step //= 2
    return result


class _Transposition:
    def __init__(
        self,
        context: Context,
        source: Tensor,
        convert: Callable[[ir.Value, Tensor], ir.Value],
        write: Callable[[Columns], None],
    ) -> None:
        self.context = context
        self.builder = context.builder
        self.source = source
        self.convert = convert
        self.write = write

    def known(self, rows: int, columns: int, count: int) -> None:
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
            if (end - begin) // active > self.context.unroll_tiles:

                def body(i: Number, _: object, width: int = width) -> tuple[()]:
                    write(i, width, width)
                    return ()

                self.context.loop(begin, end, width, [], body)
            else:
                for first in range(begin, end, active):
                    write(first, width, active)
            begin = end

    def _cut(self, i: Number, height: tuple[int, ...], j: Number, width: tuple[int, ...]) -> None:
        """A block of the result, as squares. `height` and `width` give its rows and columns, and which exist."""
        side = min(height[0], width[0])
        for di in range(0, height[1], side):
            for dj in range(0, width[1], side):
                rows, columns = min(height[1] - di, side), min(width[1] - dj, side)
                self._square(plus(self.builder, i, di), plus(self.builder, j, dj), side, rows, columns)

    def _square(self, i: Number, j: Number, side: int, rows: int, columns: int) -> None:
        down, across = (Lanes(side, None if active == side else active) for active in (rows, columns))
        read = [self._read(j, plus(self.builder, i, k), across) for k in range(rows)]
        read += [numbers.nothing_like(read[0])] * (side - rows)
        turned = transposed(self.builder, read)[:columns]
        self.write([(vector, i, plus(self.builder, j, k), down) for k, vector in enumerate(turned)])

    def _read(self, j: Number, i: Number, read_lanes: Lanes) -> ir.Value:
        at = (Index(j, 1 if read_lanes.count > 1 else 0), Index(i, 0))
        return self.convert(access.load(self.context, self.source, at, read_lanes), self.source)

    def unknown(self, rows: Number, columns: Number, side: int) -> None:
        """Blocks of whole vectors, and masked blocks at the edges."""
        context, builder = self.context, self.builder
        whole = [context.multiple_below(size, side) for size in (rows, columns)]

        def across(i: Number, _: object) -> tuple[()]:
            def block(j: Number, _: object) -> tuple[()]:
                self._square(i, j, side, side, side)
                return ()

            context.loop(0, whole[1], side, [], block)
            with context.predicated(builder.icmp_signed("<", number(whole[1]), number(columns))):
                self._masked(i, rows, whole[1], columns, side)
            return ()

        def below(j: Number, _: object) -> tuple[()]:
            self._masked(whole[0], rows, j, columns, side)
            return ()

        context.loop(0, whole[0], side, [], across)
        with context.predicated(builder.icmp_signed("<", number(whole[0]), number(rows))):
            context.loop(0, columns, side, [], below)

    def _masked(self, i: Number, rows: Number, j: Number, columns: Number, side: int) -> None:
        """A block of which some rows and columns may not exist."""
        builder = self.builder
        rows_left, columns_left = (number(minus(builder, *pair)) for pair in ((rows, i), (columns, j)))

        def active_lanes(k: int, vectors: ir.Value, active: ir.Value) -> Lanes:
            """The mask of vector number k, given the number of existing vectors and lanes."""
            is_active = builder.icmp_signed("<", active.type(k), vectors)
            return Lanes(side, builder.select(is_active, active, active.type(0)))

        read = [self._read(j, plus(builder, i, k), active_lanes(k, rows_left, columns_left)) for k in range(side)]
        turned = transposed(builder, read)
        self.write(
            [
                (vector, i, plus(builder, j, k), active_lanes(k, columns_left, rows_left))
                for k, vector in enumerate(turned)
            ]
        )
