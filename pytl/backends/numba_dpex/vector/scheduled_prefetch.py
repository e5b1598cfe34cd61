"""Software prefetch of what later work-groups use, in the loops of a kernel with products.

The attributes of each `cpu.prefetch` say which lines each register tile prefetches, and in which iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import ir

from ....ops import Gemm
from ....passes.targets import cpu
from ....passes.targets.cache_lines import LINE, Lines, contiguous
from ....passes.targets.cpu_attributes import LEVEL, PER_ITERATION, PER_TILE, decided, tiles_of
from ....passes.targets.partition import RegisterTiles
from ..device.elements import I64
from .context import Context, Number, Tensor, number, plus, times
from .prefetch import prefetch_line
from .rows import RowTile, number_of


@dataclass(frozen=True)
class Matrix:
    """A matrix that a kernel prefetches, as cache lines in memory."""

    begin: ir.Value
    lines: Lines
    stride: Number
    """Bytes from one column to the next."""
    level: int
    per_tile: int
    per_iteration: Sequence[int]

    @classmethod
    def of(cls, context: Context, op: cpu.Prefetch) -> Matrix:
        tensor: Tensor = context.values[op.tensor]
        size = tensor.element.size
        shape = [extent for extent in tensor.shape if isinstance(extent, int)]
        assert len(shape) == len(tensor.shape)
        _, gap = contiguous(shape, tensor.strides)
        pointer = tensor.pointer
        begin = context.builder.bitcast(pointer, ir.IntType(8).as_pointer(pointer.type.addrspace))
        stride = times(context.builder, 0 if gap is None else tensor.strides[gap], size)
        lines = Lines.of(shape, tensor.strides, size)
        return cls(begin, lines, stride, *(decided(op, name) for name in (LEVEL, PER_TILE, PER_ITERATION)))

    @property
    def distance(self) -> Number:
        """Bytes from one piece to the next."""
        return LINE if self.lines.columns == 1 else self.stride


class ScheduledPrefetches:
    """The matrices that a kernel prefetches; each is divided among all of the kernel's register tiles."""

    def __init__(self, context: Context, kernel: cpu.Kernel, products: Sequence[Sequence[Gemm]], lanes: int) -> None:
        """`products` has those of the kernel, each once per interleaved work-group."""
        self.context = context
        self.lanes = lanes
        self.products = products
        prefetches = [op for op in kernel.body.operations if isinstance(op, cpu.Prefetch)]
        self.matrices = [Matrix.of(context, op) for op in prefetches]
        self.tiles = (tiles_of(kernel) if prefetches else None) or []

    def of_tile(self, ops: Sequence[Gemm], tile: RowTile, first: Number, count: int) -> TilePrefetches:
        """The prefetches of one register tile of a product: of some rows, and so many columns from the first on."""
        tiles_before = kinds_before = 0
        for product, tiles in zip(self.products, self.tiles):
            if product is ops:
                number_ = plus(self.context.builder, self._number(tiles, tile, first, count), tiles_before)
                return TilePrefetches(self, number_, kinds_before + tiles.kinds.index((len(tile.vectors), count)))
            tiles_before += tiles.count
            kinds_before += len(tiles.kinds)
        return TilePrefetches(self, 0, 0)

    def _number(self, tiles: RegisterTiles, tile: RowTile, first: Number, count: int) -> Number:
        """The number of a register tile of a product."""
        builder, lanes = self.context.builder, self.lanes
        block = number_of(builder, tiles.widths, first, count)
        of_rows = number_of(builder, [size * lanes for size in tiles.heights], tile.first, len(tile.vectors) * lanes)
        return plus(builder, times(builder, block, len(tiles.heights)), of_rows)


@dataclass(frozen=True)
class TilePrefetches:
    """The prefetches of one register tile, given by its number and kind."""

    owner: ScheduledPrefetches
    number: Number
    kind: int

    def begin(self) -> Callable[[Number], None]:
        """Emit the prefetches before the tile's loop; returns what emits those of an iteration."""
        builder = self.owner.context.builder
        within = []
        for matrix in self.owner.matrices:
            count = matrix.per_tile
            if isinstance(self.number, int) and self.number * count >= matrix.lines.pieces:
                continue  # there are fewer pieces than tiles
            first = times(builder, times(builder, self.number, count), matrix.distance)
            begin = builder.gep(matrix.begin, [number(first)])
            in_loop = matrix.per_iteration[self.kind]
            if in_loop:
                within.append((matrix, begin, in_loop))
            else:
                self._prefetch(matrix, begin, 0, count)

        def prefetch(iteration: Number) -> None:
            for matrix, begin, pieces in within:
                self._prefetch(matrix, begin, times(builder, iteration, pieces), pieces)

        return prefetch

    def _prefetch(self, matrix: Matrix, begin: ir.Value, first: Number, pieces: int) -> None:
        builder = self.owner.context.builder
        for k in range(pieces):
            distance = times(builder, plus(builder, first, k), matrix.distance)
            piece = builder.gep(begin, [number(distance)])
            for line in range(matrix.lines.of_piece):
                prefetch_line(builder, builder.gep(piece, [I64(line * LINE)]), matrix.level)
