"""Software prefetch of what later work-groups use: between kernels, and in the loops of a kernel with products.

The attributes of each `cpu.prefetch` say which lines each register tile prefetches, and in which iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.values import Value
from ...ops import For, Foreach, Gemm
from ...process.records import dataclass
from ..targets import cpu
from ..targets.cache_lines import Lines, contiguous, has_lines
from ..targets.cpu_attributes import LANES, LEVEL, LINE, ONWARDS, PER_ITERATION, PER_TILE, UNROLLED, decided, tiles_of
from ..targets.partition import RegisterTiles
from ..targets.turned_blocks import Blocks
from .code import Code, Number
from .rows import RowTile, number_of


def write(code: Code, op: cpu.Prefetch) -> None:
    """Prefetch all cache lines from the first element of a tensor of static shape and strides to its last one."""
    type_, level, line = op.tensor.type, decided(op, LEVEL), decided(op, LINE)
    distance = max(type_.strides[0] * type_.element.size, 1) if type_.order else line
    step = max(line // distance, 1)
    """Elements of the first mode, of which no cache line has more."""

    def prefetch(number: Number) -> None:
        at = [code.times(number, step), *[0] * (type_.order - 1)] if type_.order else []
        code.prefetch(op.tensor, at, level)

    lines = -(-type_.span * type_.element.size // (step * distance))
    code.each(0, lines, 1, prefetch, lines if decided(op, UNROLLED) else 0)


@dataclass(frozen=True)
class Matrix:
    """A matrix that a kernel prefetches, as pieces of cache lines in memory."""

    tensor: Value
    lines: Lines
    gap: int | None
    """The mode whose indices are a piece each; None where the matrix is contiguous and each line is a piece."""
    level: int
    per_tile: int
    per_iteration: Sequence[int]
    is_onwards: bool
    following: Value | None
    """What is prefetched behind its last rows."""

    @classmethod
    def of(cls, op: cpu.Prefetch) -> Matrix:
        type_ = op.tensor.type
        lines = Lines.of(type_.shape, type_.strides, type_.element.size, decided(op, LINE))
        _, gap = contiguous(type_.shape, type_.strides)
        level, per_tile, per_iteration = (decided(op, name) for name in (LEVEL, PER_TILE, PER_ITERATION))
        gap = None if lines.columns == 1 else gap
        return cls(op.tensor, lines, gap, level, per_tile, per_iteration, bool(op.attributes.get(ONWARDS)), op.next)

    def prefetch(self, code: Code, piece: Number) -> None:
        """Prefetch the lines of a piece."""
        type_ = self.tensor.type
        of_line = self.lines.line // type_.element.size
        for line in range(self.lines.of_piece):
            indices: list[Number] = [0] * type_.order
            if indices:  # a number is one line
                indices[0] = code.times(piece, of_line) if self.gap is None else line * of_line
            if self.gap is not None:
                indices[self.gap] = code.plus(indices[self.gap], piece)
            code.prefetch(self.tensor, indices, self.level)


def _matrices(kernel: cpu.Kernel) -> list[Matrix]:
    return [Matrix.of(op) for op in kernel.body.operations if isinstance(op, cpu.Prefetch)]


class PrefetchesInBlocks:
    """The matrices that a kernel of points prefetches, divided among the blocks of its loops."""

    def __init__(self, code: Code, kernel: cpu.Kernel, op: Foreach) -> None:
        self.code = code
        self.matrices = _matrices(kernel)
        self.blocks = Blocks.of(op, decided(kernel, LANES))
        self.vector: Number = 0
        """The number of the vector of points that is being written."""

    def begin(self, point: Sequence[Number]) -> None:
        """Begin the vector of points whose first one is so far behind the first of all."""
        code = self.code
        number: Number = 0
        for count, at in reversed([*zip(self.blocks.points[1:], point[1:])]):
            number = code.plus(code.times(number, count), at)
        self.vector = code.plus(code.times(number, self.blocks.of_line), code.over(point[0], self.blocks.lanes))

    def write(self, loop: For, first: Number, step: int) -> None:
        """Prefetch what one of the steps of a loop's block does, which begins with that iteration."""
        if loop not in self.blocks.of_loop:
            return
        place = [*self.blocks.of_loop].index(loop)
        steps = self.blocks.lanes
        block = self.code.plus(self.code.over(first, steps), sum([*self.blocks.of_loop.values()][:place]))
        for matrix in self.matrices:
            count = matrix.per_iteration[place]
            vector = self.code.plus(self.vector, int(matrix.is_onwards))
            begin = self.code.plus(self.code.times(vector, matrix.per_tile), self.code.times(block, count))
            for n in range(count * step // steps, count * (step + 1) // steps):
                matrix.prefetch(self.code, self.code.plus(begin, n))


class ScheduledPrefetches:
    """The matrices that a kernel prefetches; each is divided among all of the kernel's register tiles."""

    def __init__(self, code: Code, kernel: cpu.Kernel, products: Sequence[Sequence[Gemm]], lanes: int) -> None:
        """`products` has those of the kernel, each once per interleaved work-group."""
        self.code = code
        self.lanes = lanes
        self.products = products
        self.matrices = _matrices(kernel)
        self.tiles = (tiles_of(kernel) if self.matrices else None) or []

    def of_tile(self, ops: Sequence[Gemm], tile: RowTile, first: Number, count: int) -> TilePrefetches:
        """The prefetches of one register tile of a product: of some rows, and so many columns from the first on."""
        tiles_before = kinds_before = 0
        for product, tiles in zip(self.products, self.tiles):
            if product is ops:
                kind = kinds_before + tiles.kinds.index((len(tile.vectors), count))
                return TilePrefetches(self.code, self._shares(ops, tiles, tiles_before, tile, first, count), kind)
            tiles_before += tiles.count
            kinds_before += len(tiles.kinds)
        return TilePrefetches(self.code, [], 0)

    def _shares(
        self,
        ops: Sequence[Gemm],
        tiles: RegisterTiles,
        tiles_before: int,
        tile: RowTile,
        first: Number,
        count: int,
    ) -> list[Share]:
        """What a register tile prefetches of each matrix."""
        code, rows = self.code, len(tile.vectors) * self.lanes
        block = number_of(code, tiles.widths, first, count)
        of_rows = number_of(code, [size * self.lanes for size in tiles.heights], tile.first, rows)
        number = code.plus(code.plus(code.times(block, len(tiles.heights)), of_rows), tiles_before)
        shares = []
        for matrix in self.matrices:
            if not matrix.is_onwards:
                shares.append(Share(matrix, number, matrix, matrix.lines.pieces))
            elif any(op.A is matrix.tensor for op in ops):
                next_rows = NextRows(matrix, code.plus(tile.first, rows), rows, tiles.heights[0] * self.lanes)
                shares.append(Share(matrix, block, next_rows, int(matrix.tensor.type.shape[1])))
        return shares


@dataclass(frozen=True)
class NextRows:
    """The rows of a left factor that the next tile reads, whose pieces are columns."""

    matrix: Matrix
    first: Number
    count: int
    at_first: int
    """The rows of the first tile, which follows the last one."""

    def prefetch(self, code: Code, piece: Number) -> None:
        """Prefetch the lines of a column."""
        tensor, following = self.matrix.tensor, self.matrix.following
        rows = int(tensor.type.shape[0])

        def within() -> None:
            self._prefetch(code, tensor, self.first, self.count, piece)

        def behind() -> None:
            if following is not None:
                self._prefetch(code, following, 0, self.at_first, piece)

        if isinstance(self.first, int):
            (within if self.first < rows else behind)()
        else:
            code.either(code.compare("lt", self.first, code.number(rows)), within, behind)

    def _prefetch(self, code: Code, tensor: Value, first: Number, count: int, column: Number) -> None:
        line, size = self.matrix.lines.line, tensor.type.element.size
        begins = [at // size for at in range(0, count * size, line)]
        if not has_lines(tensor.type, line) or count * size % line:
            begins.append(count - 1)
        for at in begins:
            code.prefetch(tensor, [code.plus(first, at), column], self.matrix.level)


@dataclass(frozen=True)
class Share:
    """What one of the register tiles that share a matrix prefetches of it, given by the tile's number among them."""

    matrix: Matrix
    number: Number
    of: Matrix | NextRows
    pieces: int

    @property
    def is_empty(self) -> bool:
        """Whether there are fewer pieces than tiles."""
        return isinstance(self.number, int) and self.number * self.matrix.per_tile >= self.pieces

    def repeats(self, steps: int) -> int:
        """How many iterations, of so many terms, prefetch the same piece: a column that the next tile reads."""
        return max(self.pieces // steps // self.matrix.per_tile, 1) if isinstance(self.of, NextRows) else 1

    def prefetch(self, code: Code, first: Number, count: int) -> None:
        """Prefetch some pieces, from one of the share on."""
        begin = code.plus(code.times(self.number, self.matrix.per_tile), first)
        for k in range(count):
            self.of.prefetch(code, code.plus(begin, k))


@dataclass(frozen=True)
class TilePrefetches:
    """The prefetches of one register tile of some kind."""

    code: Code
    shares: Sequence[Share]
    kind: int

    def begin(self, steps: int) -> Callable[[Number], None]:
        """Prefetch before the tile's loop; returns what prefetches in an iteration, which has so many terms."""
        code, within = self.code, []
        for share in self.shares:
            in_loop = share.matrix.per_iteration[self.kind]
            if share.is_empty:
                continue
            if in_loop:
                within.append((share, share.repeats(steps), in_loop))
            else:
                share.prefetch(code, 0, share.matrix.per_tile)

        def prefetch(iteration: Number) -> None:
            for share, repeats, pieces in within:
                share.prefetch(code, code.times(code.over(iteration, repeats), pieces), pieces)

        return prefetch
