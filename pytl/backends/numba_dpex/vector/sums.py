"""sum and gemv: sums along rows add up vectors of rows; sums along columns reduce vectors of partial sums at the end.

Several independent sums are kept at the same time, so that additions do not wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from ....ops import Gemv, Sum
from ....passes.targets.cpu import Kernel
from ....passes.targets.cpu_attributes import ACCUMULATORS, COLUMNS, LANES, VECTORS, decided
from ....passes.targets.vector_forms import sums_rows
from . import access, numbers
from .access import Index
from .context import Context, Number, Tensor, minus, plus
from .lanes import Lanes
from .rows import RowTile, for_each_block, for_each_tile, row_of
from .updates import ElementRange, Result

ONE = Lanes(1)


def write(context: Context, op: Gemv | Sum, kernel: Kernel) -> None:
    """The instruction in vectors."""
    (_OfRows if sums_rows(op) else _OfColumns)(context, op, kernel).write()


class _Sums:
    def __init__(self, context: Context, op: Gemv | Sum, kernel: Kernel) -> None:
        self.context = context
        self.builder = context.builder
        self.kernel = kernel
        self.count = decided(kernel, LANES)
        self.accumulators = decided(kernel, ACCUMULATORS)
        """Vectors of partial sums that are kept at the same time."""
        self.result = Result(context, op)
        self.type = self.result.type
        self.matrix: Tensor = context.values[op.A]
        self.vector: Tensor | None = context.values[op.b] if isinstance(op, Gemv) else None

    def read(self, tensor: Tensor, at: tuple[Index, ...], active_lanes: Lanes) -> ir.Value:
        return self.result.convert(access.load(self.context, tensor, at, active_lanes), tensor)

    def nothing(self) -> ir.Value:
        return numbers.spread(self.builder, numbers.literal(0, self.type), self.count)

    def with_term(self, total: ir.Value, value: ir.Value, factor: ir.Value | None) -> ir.Value:
        if factor is None:
            return numbers.binary(self.builder, "add", total, value, self.type)
        return numbers.multiply_add(self.builder, value, factor, total, self.type)

    def loop(
        self,
        start: Number,
        stop: Number,
        step: int,
        sums: list[ir.Value],
        body: Callable[[Number, list[ir.Value]], list[ir.Value]],
    ) -> list[ir.Value]:
        """A loop that carries sums."""
        size = len(numbers.parts_of(self.builder, sums[0]))

        def joined(flat: Sequence[ir.Value]) -> list[ir.Value]:
            pieces = (tuple(flat[k : k + size]) for k in range(0, len(flat), size))
            return [numbers.of_parts(self.builder, piece) for piece in pieces]

        def flat(values: Sequence[ir.Value]) -> list[ir.Value]:
            return [part for value in values for part in numbers.parts_of(self.builder, value)]

        return joined(
            self.context.loop(start, stop, step, flat(sums), lambda i, carried: flat(body(i, joined(carried))))
        )


class _OfRows(_Sums):
    """Sums of rows: vectors of rows are added over the columns."""

    def write(self) -> None:
        for_each_tile(self.context, self.matrix.shape[0], self.count, decided(self.kernel, VECTORS), self._tile)

    def _tile(self, tile: RowTile) -> None:
        vectors = len(tile.vectors)
        columns = max(self.accumulators // vectors, 1)
        last = self.matrix.shape[1]
        if isinstance(last, int):
            columns = max(min(columns, last), 1)
        sums = [self.nothing()] * (vectors * columns)
        whole = self.context.multiple_below(last, columns)
        sums = self.loop(0, whole, columns, sums, lambda k, s: self._step(tile, k, s))
        first = self._joined(sums, vectors)
        if columns > 1:
            first = self.loop(whole, last, 1, first, lambda k, s: self._step(tile, k, s))
        ranges = [ElementRange((Index(row_of(self.context, tile, v), 1),), v.lanes) for v in tile.vectors]
        self.result.update(ranges, first)

    def _step(self, tile: RowTile, k: Number, sums: list[ir.Value]) -> list[ir.Value]:
        """The sums plus the terms of as many columns as there are sums."""
        next_sums: list[ir.Value] = []
        vectors = len(tile.vectors)
        for column in range(len(sums) // vectors):
            column_index = Index(plus(self.builder, k, column), 0)
            factor = None
            if self.vector is not None:
                number = self.read(self.vector, (column_index,), ONE)
                factor = numbers.spread(self.builder, number, self.count)
            for v, total in zip(tile.vectors, sums[column * vectors :]):
                row = Index(row_of(self.context, tile, v), 1)
                next_sums.append(self.with_term(total, self.read(self.matrix, (row, column_index), v.lanes), factor))
        return next_sums

    def _joined(self, sums: list[ir.Value], count: int) -> list[ir.Value]:
        """The first `count` sums, with the others added to them in turn."""
        total = sums[:count]
        for k in range(count, len(sums), count):
            total = [self.with_term(a, b, None) for a, b in zip(total, sums[k:])]
        return total


class _OfColumns(_Sums):
    """Sums of columns, or of a vector, along the first mode."""

    def write(self) -> None:
        if len(self.matrix.shape) == 1:
            self._block((), 1)
            return
        max_columns = decided(self.kernel, COLUMNS)
        for_each_block(self.context, self.matrix.shape[1], max_columns, lambda j, count: self._block((j,), count))

    def _block(self, first: tuple[Number, ...], columns: int) -> None:
        """Some columns, from the first on; None for a vector."""
        column_indices = [tuple(Index(plus(self.builder, j, c), 0) for j in first) for c in range(columns)]
        rows, count = self.matrix.shape[0], self.count
        unrolled = max(self.accumulators // columns, 1)
        if isinstance(rows, int):
            unrolled = max(min(unrolled, rows // count), 1)
        sums = [self.nothing()] * (columns * unrolled)
        begin: Number = 0
        for vectors in dict.fromkeys((unrolled, 1)):
            remaining = minus(self.builder, rows, begin)
            end = plus(self.builder, begin, self.context.multiple_below(remaining, vectors * count))
            size = columns * vectors

            def body(i: Number, carried: list[ir.Value], vectors: int = vectors) -> list[ir.Value]:
                return self._step(column_indices, i, vectors, carried, Lanes(count))

            sums[:size] = self.loop(begin, end, vectors * count, sums[:size], body)
            begin = end
        remaining = minus(self.builder, rows, begin)
        if not isinstance(remaining, int) or remaining:
            # inactive lanes are zero
            sums[:columns] = self._step(column_indices, begin, 1, sums[:columns], Lanes(count, remaining))
        totals = sums[:columns]
        for k in range(columns, len(sums), columns):
            totals = [self.with_term(a, b, None) for a, b in zip(totals, sums[k:])]
        self._update(column_indices, totals)

    def _update(self, column_indices: Sequence[tuple[Index, ...]], totals: list[ir.Value]) -> None:
        """Write sums, each given by a vector of partial sums: several at a time where they are contiguous."""
        is_row = self.result.tensor.strides[:1] == (1,)
        begin, width = 0, self.count
        while begin < len(totals):
            while width > len(totals) - begin:
                width //= 2
            value = self._joined(totals[begin : begin + width])
            if width == 1:
                self.result.update([ElementRange(column_indices[begin], ONE)], [value])
            elif is_row:
                self.result.update([ElementRange((Index(column_indices[begin][0].first, 1),), Lanes(width))], [value])
            else:
                elements = [numbers.lane_of(self.builder, value, k) for k in range(width)]
                ranges = [ElementRange(indices, ONE) for indices in column_indices[begin : begin + width]]
                self.result.update(ranges, elements)
            begin += width

    def _step(
        self,
        column_indices: Sequence[tuple[Index, ...]],
        i: Number,
        vectors: int,
        sums: list[ir.Value],
        active_lanes: Lanes,
    ) -> list[ir.Value]:
        """The sums, by vector and column, plus the rows from i on."""
        next_sums = []
        for k in range(vectors):
            row = Index(plus(self.builder, i, k * self.count), 1)
            factor = None if self.vector is None else self.read(self.vector, (row,), active_lanes)
            for c, indices in enumerate(column_indices):
                value = self.read(self.matrix, (row, *indices), active_lanes)
                next_sums.append(self.with_term(sums[k * len(column_indices) + c], value, factor))
        return next_sums

    def _joined(self, totals: list[ir.Value]) -> ir.Value:
        """The sum over the lanes of each of some vectors, side by side in one vector."""
        groups, size = 1, self.count  # the lanes of a sum are a group
        while size > 1:
            pairs = list(zip(totals[::2], totals[1::2])) or [(totals[0], totals[0])]
            groups *= 2 if len(totals) > 1 else 1
            low = [group * size + k for group in range(groups) for k in range(size // 2)]
            size //= 2
            totals = [self._folded(a, b, low, size) for a, b in pairs]
        return totals[0]

    def _folded(self, a: ir.Value, b: ir.Value, low: list[int], size: int) -> ir.Value:
        """Some lanes of two vectors, each plus the lane that is `size` lanes further on."""
        high = [lane + size for lane in low]
        if len(low) == 1:
            x, y = (numbers.lane_of(self.builder, a, lane) for lane in (*low, *high))
        else:
            x, y = (numbers.shuffled(self.builder, a, b, active_lanes) for active_lanes in (low, high))
        return numbers.binary(self.builder, "add", x, y, self.type)
