"""Software prefetch of what later work-groups use, spread line by line over the loops of a kernel.

A core has about a dozen requests to memory under way at a time, and waits with the next one. So the sums of a kernel
share the lines of a matrix, and the iterations of a sum's loop share the lines of the sum, in the order of memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import ir

from ....ops import Gemm
from ..device.elements import I64
from .context import Context, Number, Tensor, number, plus, times
from .prefetch import FIRST_LEVEL, LINE, SECOND_LEVEL, ask_for
from .rows import RowTile, Shape, number_of, split

NEAR = 16 * 1024
"""Bytes that may be brought into the first-level cache beside what is used now; more go into the second-level one."""

AT_ONCE = 12
"""Requests that a core can have under way: so many lines are prefetched before a loop, and not in its iterations."""
MOST_BESIDE = 24
"""Sums of a loop that may contain prefetches: with more, the compiler would spill."""
MOST_AGAIN = 4
"""How often a line may be prefetched, because there are more iterations than lines."""


@dataclass(frozen=True)
class Columns:
    """A matrix as columns of lines: a single one where all of it is one piece of memory."""

    begin: ir.Value
    lines: int
    """Of a column."""
    count: int
    stride: Number
    """Bytes from one to the next."""

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
        """What sums may share: lines, or whole columns."""
        return self.lines if self.count == 1 else self.count

    @property
    def of_piece(self) -> int:
        """The lines of a piece."""
        return 1 if self.count == 1 else self.lines

    @property
    def distance(self) -> Number:
        """Bytes from a piece to the next."""
        return LINE if self.count == 1 else self.stride


class Ahead:
    """The matrices that a kernel prefetches; all of its sums share each of them."""

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
        """Prefetching some matrices in a kernel's products; none where it isn't known how many sums there are."""
        sizes = [products[0][0].C.type.shape for products in steps]
        if not later or not all(isinstance(size, int) for rows_and_columns in sizes for size in rows_and_columns):
            return cls(context, shape, [], [])
        loops = []
        for products, (rows, columns) in zip(steps, sizes):
            tiles, blocks = split(-(-rows // shape.lanes), shape.vectors), split(columns, shape.columns)
            loops += [_Loops(ops, tiles, blocks) for ops in products]
        return cls(context, shape, [Columns.of(context, tensor) for tensor in later], loops)

    def share(self, ops: Sequence[Gemm], tile: RowTile, first: Number, count: int) -> Share:
        """What is prefetched while a product is summed, for a tile and so many columns from the first on."""
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
        """Which one it is."""
        builder, lanes = ahead.context.builder, ahead.lanes
        block = number_of(builder, self.blocks, first, count)
        of_tile = number_of(builder, [size * lanes for size in self.tiles], tile.first, len(tile.vectors) * lanes)
        return plus(builder, times(builder, block, len(self.tiles)), of_tile)


@dataclass(frozen=True)
class Share:
    """What one of the sums asks for, by its number."""

    ahead: Ahead
    sum: Number

    def begin(self, rounds: int, sums: int) -> Callable[[Number], None]:
        """Ask for what does not come in the rounds of a loop with so many vectors of sums; what asks in a round."""
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
