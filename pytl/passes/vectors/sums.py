"""sum and gemv: sums along rows add up vectors of rows; sums along columns reduce vectors of partial sums at the end.

Several independent sums are kept at the same time, so that additions do not wait for each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.values import Value
from ...ops import Gemv, Sum
from ..targets.cpu import Kernel
from ..targets.cpu_attributes import ACCUMULATORS, COLUMNS, LANES, UNROLL_TILES, VECTORS, decided
from ..targets.vector_forms import sums_rows
from .access import ONE, Index, Lanes
from .code import Code, Number
from .rows import RowTile, for_each_block, for_each_tile
from .updates import ElementRange, Result


def write(code: Code, op: Gemv | Sum, kernel: Kernel) -> None:
    """The instruction in vectors."""
    (_OfRows if sums_rows(op) else _OfColumns)(code, op, kernel).write()


class _Sums:
    def __init__(self, code: Code, op: Gemv | Sum, kernel: Kernel) -> None:
        self.code = code
        self.kernel = kernel
        self.count = decided(kernel, LANES)
        self.accumulators = decided(kernel, ACCUMULATORS)
        """Vectors of partial sums that are kept at the same time."""
        self.result = Result(code, op)
        self.matrix = op.A
        self.vector: Value | None = op.b if isinstance(op, Gemv) else None

    def zeros(self, count: int) -> list[Value]:
        """So many vectors of sums without a term."""
        return [self.code.zeros(self.result.type, self.count)] * count

    def with_term(self, total: Value, value: Value, factor: Value | None) -> Value:
        return self.code.arith("add", total, value) if factor is None else self.code.fma(value, factor, total)

    def added_up(self, sums: Sequence[Value], count: int) -> list[Value]:
        """The first `count` sums, with the others added to them in turn."""
        total = list(sums[:count])
        for k in range(count, len(sums), count):
            total = [self.code.arith("add", a, b) for a, b in zip(total, sums[k:])]
        return total


class _OfRows(_Sums):
    """Sums of rows: vectors of rows are added over the columns."""

    def write(self) -> None:
        vectors, max_unrolled = (decided(self.kernel, name) for name in (VECTORS, UNROLL_TILES))
        for_each_tile(self.code, self.code.size(self.matrix, 0), self.count, vectors, self._tile, max_unrolled)

    def _tile(self, tile: RowTile) -> None:
        ranges = [ElementRange((Index(tile.row(self.code, v), 1),), v.lanes.with_mask(self.code)) for v in tile.vectors]
        columns = max(self.accumulators // len(ranges), 1)
        last = self.code.size(self.matrix, 1)
        if isinstance(last, int):
            columns = max(min(columns, last), 1)
        whole = self.code.multiple_below(last, columns)

        def step(k: Number, sums: list[Value]) -> list[Value]:
            return self._step(ranges, k, sums)

        sums = self.code.loop(0, whole, columns, self.zeros(len(ranges) * columns), step)
        sums = self.added_up(sums, len(ranges))
        if columns > 1:
            sums = self.code.loop(whole, last, 1, sums, step)
        self.result.update(ranges, sums)

    def _step(self, ranges: Sequence[ElementRange], k: Number, sums: list[Value]) -> list[Value]:
        """The sums plus the terms of as many columns as there are sums."""
        next_sums: list[Value] = []
        for column in range(len(sums) // len(ranges)):
            column_index = Index(self.code.plus(k, column), 0)
            factor = None
            if self.vector is not None:
                factor = self.code.splat(self.result.load(self.vector, (column_index,), ONE), self.count)
            for range_, total in zip(ranges, sums[column * len(ranges) :]):
                value = self.result.load(self.matrix, (*range_.at, column_index), range_.lanes)
                next_sums.append(self.with_term(total, value, factor))
        return next_sums


class _OfColumns(_Sums):
    """Sums of columns, or of a vector, along the first mode."""

    def write(self) -> None:
        if self.matrix.type.order == 1:
            self._block((), 1)
            return
        max_columns, max_unrolled = (decided(self.kernel, name) for name in (COLUMNS, UNROLL_TILES))
        columns = self.code.size(self.matrix, 1)
        for_each_block(self.code, columns, max_columns, lambda j, count: self._block((j,), count), max_unrolled)

    def _block(self, first: tuple[Number, ...], columns: int) -> None:
        """Some columns, from the first on; none for a vector."""
        column_indices = [tuple(Index(self.code.plus(j, c), 0) for j in first) for c in range(columns)]
        rows, count = self.code.size(self.matrix, 0), self.count
        unrolled = max(self.accumulators // columns, 1)
        if isinstance(rows, int):
            unrolled = max(min(unrolled, rows // count), 1)
        sums = self.zeros(columns * unrolled)
        begin: Number = 0
        for vectors in dict.fromkeys((unrolled, 1)):
            remaining = self.code.minus(rows, begin)
            end = self.code.plus(begin, self.code.multiple_below(remaining, vectors * count))

            def body(i: Number, carried: list[Value], vectors: int = vectors) -> list[Value]:
                return self._step(column_indices, i, vectors, carried, Lanes(count))

            size = columns * vectors
            sums[:size] = self.code.loop(begin, end, vectors * count, sums[:size], body)
            begin = end
        remaining = self.code.minus(rows, begin)
        if remaining != 0:
            # where no lane is active, or some are not, zeros are added
            active = Lanes(count, remaining).with_mask(self.code)
            sums[:columns] = self._step(column_indices, begin, 1, sums[:columns], active)
        self._update(column_indices, self.added_up(sums, columns))

    def _update(self, column_indices: Sequence[tuple[Index, ...]], totals: list[Value]) -> None:
        """Update elements by vectors of partial sums: several at a time where they are contiguous."""
        is_row = self.result.tensor.type.strides[:1] == (1,)
        begin, width = 0, self.count
        while begin < len(totals):
            while width > len(totals) - begin:
                width //= 2
            chosen = column_indices[begin : begin + width]
            if width == 1:
                self.result.update([ElementRange(chosen[0], ONE)], [self.code.reduce("add", totals[begin])])
            elif is_row:
                value = self._reduced(totals[begin : begin + width])
                self.result.update([ElementRange((Index(chosen[0][0].first, 1),), Lanes(width))], [value])
            else:
                value = self._reduced(totals[begin : begin + width])
                elements = [self.code.extract(value, k) for k in range(width)]
                self.result.update([ElementRange(indices, ONE) for indices in chosen], elements)
            begin += width

    def _step(
        self,
        column_indices: Sequence[tuple[Index, ...]],
        i: Number,
        vectors: int,
        sums: list[Value],
        active: Lanes,
    ) -> list[Value]:
        """The sums, by vector and column, plus the rows from i on."""
        next_sums = []
        for k in range(vectors):
            row = Index(self.code.plus(i, k * self.count), 1)
            factor = None if self.vector is None else self.result.load(self.vector, (row,), active)
            for c, indices in enumerate(column_indices):
                value = self.result.load(self.matrix, (row, *indices), active)
                next_sums.append(self.with_term(sums[k * len(column_indices) + c], value, factor))
        return next_sums

    def _reduced(self, totals: list[Value]) -> Value:
        """The sum over the lanes of each of some vectors, side by side in one vector."""
        groups, size = 1, self.count  # the lanes of a sum are a group
        while size > 1:
            pairs = list(zip(totals[::2], totals[1::2])) or [(totals[0], totals[0])]
            groups *= 2 if len(totals) > 1 else 1
            low = [group * size + k for group in range(groups) for k in range(size // 2)]
            size //= 2
            totals = [self._folded(a, b, low, size) for a, b in pairs]
        return totals[0]

    def _folded(self, a: Value, b: Value, low: list[int], size: int) -> Value:
        """Some lanes of two vectors, each plus the lane that is `size` lanes further on."""
        high = [lane + size for lane in low]
        return self.code.arith("add", *(self.code.shuffle(a, b, lanes) for lanes in (low, high)))
