"""Software prefetch for later work-groups, distributed line by line over the loops of a kernel.

A core has about a dozen memory requests in flight, and stalls on the next one. So the cache lines of a matrix are
divided among the sums of a kernel, and the lines of a sum among the iterations of its loop, in the order of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import ir

from ....ops import Gemm
from ....targets.partition import partition
from ..device.elements import I64
from .context import Context, Number, Tensor, number, plus, times
from .prefetch import FIRST_LEVEL, LINE, SECOND_LEVEL, ask_for
from .rows import RowTile, Shape, number_of

NEAR = 16 * 1024
"""Bytes that are prefetched into the first-level cache beside the data in use; more go into the second-level cache."""

AT_ONCE = 12
"""Requests that a core can have in flight: up to so many lines are prefetched before a loop, not in its iterations."""
MOST_BESIDE = 24
"""The most vectors of sums of a loop that contains prefetches: with more, the compiler would spill."""
MOST_AGAIN = 4
"""The most iterations per cache line; each of them prefetches, so a line is prefetched as often."""


@dataclass(frozen=True)
class Columns:
    """A matrix as columns of cache lines: a single column where the matrix is contiguous."""

    begin: ir.Value
    lines: int
    """Lines per column."""
    count: int
    stride: Number
    """Bytes from one column to the next."""

    @classmethod
    def of(cls, context: Context, tensor: Tensor) -> Columns:
        builder, size = context.builder, tensor.element.size
        modes = list(zip(tensor.shape, tensor.strides))
        length: Number = 1
        while modes and modes[0][1] == length:
            length = times(builder, length, modes.pop(0)[0])
        count, stride = modes[0] if modes else (1, 0)
        assert isinstance(length, int) and isinstance(count, int)
        pointer = tensor.pointer
        begin = builder.bitcast(pointer, ir.IntType(8).as_pointer(pointer.type.addrspace))
        return cls(begin, -(-length * size // LINE), count, times(builder, stride, size))

    @property
    def bytes(self) -> int:
        return self.lines * self.count * LINE

    @property
    def pieces(self) -> int:
        """The pieces that are divided among sums: lines, or whole columns."""
        return self.lines if self.count == 1 else self.count

    @property
    def of_piece(self) -> int:
        """The lines per piece."""
        return 1 if self.count == 1 else self.lines

    @property
    def distance(self) -> Number:
        """Bytes from one piece to the next."""
        return LINE if self.count == 1 else self.stride


class Ahead:
    """The matrices that a kernel prefetches; each is divided among all of the kernel's sums."""

    def __init__(self, context: Context, shape: Shape, matrices: Sequence[Columns], loops: Sequence[_Loops]) -> None:
        self.context = context
        self.lanes = shape.lanes
        self.matrices = matrices
        self.loops = loops
        self.sums = sum(loop.sums for loop in loops)
        is_near = sum(matrix.bytes for matrix in matrices) <= NEAR
        self.level = FIRST_LEVEL if is_near else SECOND_LEVEL

    @classmethod
    def of(
        cls, context: Context, shape: Shape, steps: Sequence[Sequence[Sequence[Gemm]]], later: Sequence[Tensor]
    ) -> Ahead:
        """Prefetching some matrices in a kernel's products; none where the number of sums is unknown."""
        sizes = [products[0][0].C.type.shape for products in steps]
        if not later or not all(isinstance(size, int) for rows_and_columns in sizes for size in rows_and_columns):
            return cls(context, shape, [], [])
        loops = []
        for products, (rows, columns) in zip(steps, sizes):
            tiles, blocks = partition(-(-rows // shape.lanes), shape.vectors), partition(columns, shape.columns)
            loops += [_Loops(ops, tiles, blocks) for ops in products]
        return cls(context, shape, [Columns.of(context, tensor) for tensor in later], loops)

    def share(self, ops: Sequence[Gemm], tile: RowTile, first: Number, count: int) -> Share:
        """The prefetches of one sum of a product: for a tile, and so many columns from the first on."""
        before = 0
        for loop in self.loops:
            if loop.ops is ops:
                return Share(self, plus(self.context.builder, loop.number(self, tile, first, count), before))
            before += loop.sums
        return Share(self, 0)


@dataclass(frozen=True)
class _Loops:
    """The sums of a product, for all tiles and all columns."""

    ops: Sequence[Gemm]
    tiles: list[int]
    blocks: list[int]

    @property
    def sums(self) -> int:
        return len(self.tiles) * len(self.blocks)

    def number(self, ahead: Ahead, tile: RowTile, first: Number, count: int) -> Number:
        """The number of a sum."""
        builder, lanes = ahead.context.builder, ahead.lanes
        block = number_of(builder, self.blocks, first, count)
        of_tile = number_of(builder, [size * lanes for size in self.tiles], tile.first, len(tile.vectors) * lanes)
        return plus(builder, times(builder, block, len(self.tiles)), of_tile)


@dataclass(frozen=True)
class Share:
    """The prefetches of one sum, given by its number."""

    ahead: Ahead
    sum: Number

    def begin(self, rounds: int, sums: int) -> Callable[[Number], None]:
        """Emit the prefetches before a loop of so many iterations and sums; returns those of an iteration."""
        counts = [(matrix, -(-matrix.pieces // self.ahead.sums)) for matrix in self.ahead.matrices]
        is_little = sum(count * matrix.of_piece for matrix, count in counts) <= AT_ONCE
        within = []
        for matrix, count in counts:
            if isinstance(self.sum, int) and self.sum * count >= matrix.pieces:
                continue  # there are fewer pieces than sums
            builder = self.ahead.context.builder
            first = times(builder, times(builder, self.sum, count), matrix.distance)
            begin = builder.gep(matrix.begin, [number(first)])
            if is_little or sums > MOST_BESIDE or rounds > MOST_AGAIN * count:
                self._ask(matrix, begin, 0, count)
            else:
                within.append((matrix, begin, -(-count // rounds)))

        def ask(round_: Number) -> None:
            for matrix, begin, pieces in within:
                self._ask(matrix, begin, times(self.ahead.context.builder, round_, pieces), pieces)

        return ask

    def _ask(self, matrix: Columns, begin: ir.Value, first: Number, pieces: int) -> None:
        builder = self.ahead.context.builder
        for k in range(pieces):
            distance = times(builder, plus(builder, first, k), matrix.distance)
            piece = builder.gep(begin, [number(distance)])
            for line in range(matrix.of_piece):
                ask_for(builder, builder.gep(piece, [I64(line * LINE)]), self.ahead.level)
