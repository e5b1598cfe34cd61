"""sum and gemv: sums along rows add up vectors of rows; sums along columns reduce vectors of partial sums at the end.

Several independent sums are kept at the same time, so that additions do not wait for each other. Matrices are read in
the order of memory: many columns at the same time would be as many streams, which the processor's prefetcher loses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...ir.types import VectorType
from ...ir.values import Value
from ...ops import Gemm, Gemv, Sum
from ...ops.constants import is_constant, one_of
from ...ops.updates import TRANSPOSES
from ..targets.cpu import Kernel
from ..targets.cpu_attributes import (
    ACCUMULATORS,
    COLUMNS,
    IN_ORDER,
    LANES,
    SHORT_ROWS,
    SLICE,
    UNROLL_TILES,
    VECTORS,
    decided,
)
from ..targets.vector_forms import sums_rows
from .access import ONE, Index, Lanes
from .code import Code, Number
from .rows import RowTile, for_each_block, for_each_tile
from .updates import ElementRange, Result


def write(code: Code, op: Gemv | Sum, kernel: Kernel) -> None:
    """The instruction in vectors, or all of them where several multiply one matrix."""
    if sums_rows(op):
        _OfRows(code, op, kernel).write()
    else:
        _OfColumns(code, [inner for inner in kernel.body.operations if isinstance(inner, (Gemv, Sum))], kernel).write()


def write_product(code: Code, op: Gemm, kernel: Kernel) -> None:
    """A product by a matrix of few columns, whose left factor is read in the order of memory."""
    _OfRows(code, op, kernel).write()


class _Sums:
    def __init__(self, code: Code, op: Gemm | Gemv | Sum, kernel: Kernel) -> None:
        self.code = code
        self.op = op
        self.kernel = kernel
        self.count = decided(kernel, LANES)
        # a product has as many as its tile
        self.accumulators = 1 if isinstance(op, Gemm) else decided(kernel, ACCUMULATORS)
        """Vectors of partial sums that are kept at the same time."""
        self.result = Result(code, op)
        self.matrix = op.A

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
    """Sums of rows: vectors of rows are added over the columns, for one result, or for each column of a product's."""

    def __init__(self, code: Code, op: Gemm | Gemv | Sum, kernel: Kernel) -> None:
        super().__init__(code, op, kernel)
        self.places: list[tuple[Index, ...]] = [()]
        """The column of each result that is computed at the same time."""

    def write(self) -> None:
        if not isinstance(self.op, Gemm):
            self._all_rows()
            return
        count, most = int(self.op.C.type.shape[1]), decided(self.kernel, COLUMNS)
        for first in range(0, count, most):
            self.places = [(Index(n, 0),) for n in range(first, min(first + most, count))]
            self._all_rows()

    def _all_rows(self) -> None:
        rows, tiles = self.code.size(self.matrix, 0), self.kernel.attributes.get(SLICE)
        if tiles is None:
            self._each_tile(0, rows, self._tile)
        elif isinstance(rows, int):
            self._in_slices(rows, tiles)
        else:
            of_tile = self.code.number(self.vectors * self.count)
            are_many = self.code.compare("gt", rows, of_tile)
            self.code.either(
                are_many, lambda: self._in_slices(rows, tiles), lambda: self._each_tile(0, rows, self._tile)
            )

    @property
    def vectors(self) -> int:
        """The most vectors of a tile."""
        return int(decided(self.kernel, VECTORS))

    def _each_tile(self, first: Number, rows: Number, write: Callable[[RowTile], None]) -> None:
        """The tiles of so many rows, from the first on."""

        def tile_from(tile: RowTile) -> None:
            write(replace(tile, first=self.code.plus(first, tile.first)))

        for_each_tile(self.code, rows, self.count, self.vectors, tile_from, decided(self.kernel, UNROLL_TILES))

    # Sums in registers.

    def _tile(self, tile: RowTile) -> None:
        rows = self._rows(tile)
        count = len(rows) * len(self.places)
        columns = max(self.accumulators // count, 1)
        last = self.code.size(self.matrix, 1)
        if isinstance(last, int):
            columns = max(min(columns, last), 1)
        whole = self.code.multiple_below(last, columns)

        def step(k: Number, sums: list[Value]) -> list[Value]:
            return self._step(rows, k, sums)

        sums = self.code.loop(0, whole, columns, self.zeros(count * columns), step)
        sums = self.added_up(sums, count)
        if columns > 1:
            sums = self.code.loop(whole, last, 1, sums, step)
        self.result.update(self._ranges(rows), sums)

    def _step(self, rows: Sequence[ElementRange], k: Number, sums: list[Value]) -> list[Value]:
        """The sums, by column, result and vector of rows, plus the terms of as many columns as there are sums."""
        next_sums = list(sums)
        count = len(rows) * len(self.places)
        for column in range(len(sums) // count):
            at = Index(self.code.plus(k, column), 0)
            factors = [None if number is None else self.code.splat(number, self.count) for number in self._numbers(at)]
            for v, row in enumerate(rows):
                value = self.result.load(self.matrix, (*row.at, at), row.lanes)
                for n, factor in enumerate(factors):
                    place = column * count + n * len(rows) + v
                    next_sums[place] = self.with_term(sums[place], value, factor)
        return next_sums

    def _rows(self, tile: RowTile) -> list[ElementRange]:
        """The rows of each vector of a tile."""
        return [ElementRange((Index(tile.row(self.code, v), 1),), v.lanes.with_mask(self.code)) for v in tile.vectors]

    def _ranges(self, rows: Sequence[ElementRange]) -> list[ElementRange]:
        """The elements of the results, by result and vector of rows."""
        return [ElementRange((*row.at, *place), row.lanes) for place in self.places for row in rows]

    def _numbers(self, k: Index) -> list[Value | None]:
        """What a column is multiplied by for each result."""
        if isinstance(self.op, Sum):
            return [None]
        if isinstance(self.op, Gemv):
            return [self.result.load(self.op.b, (k,), ONE)]
        order = -1 if TRANSPOSES[self.op.transpose_b] else 1
        return [self.result.load(self.op.B, (k, *place)[::order], ONE) for place in self.places]

    # Sums in the result.

    def _in_slices(self, rows: Number, tiles: int) -> None:
        """Sums of so many tiles at a time, which stay in a cache."""
        code, of_slice = self.code, tiles * self.vectors * self.count
        if not isinstance(rows, int):
            code.each(0, rows, of_slice, lambda first: self._slice(first, code.min(of_slice, code.minus(rows, first))))
            return
        whole = rows // of_slice * of_slice
        code.each(0, whole, of_slice, lambda first: self._slice(first, of_slice))
        if whole < rows:
            self._slice(whole, rows - whole)

    def _slice(self, first: Number, rows: Number) -> None:
        """Add the columns to so many rows of the result, one after the other."""
        last = self.code.size(self.matrix, 1)
        has_column = isinstance(last, int) and last > 0

        def begin(tile: RowTile) -> None:
            of_tile = self._rows(tile)
            ranges = self._ranges(of_tile)
            if has_column:
                self.result.update(ranges, self._step(of_tile, 0, self.zeros(len(ranges))))
            else:
                one = self.code.constant(self.result.type, one_of(self.result.type))
                Result(self.code, self.op, alpha=one).update(ranges, self.zeros(len(ranges)))

        def add(k: Number) -> None:
            column = Index(k, 0)
            factors = [self._scaled(number) for number in self._numbers(column)]

            def add_to(tile: RowTile) -> None:
                of_tile, sums = self._rows(tile), []
                values = [self.result.load(self.matrix, (*row.at, column), row.lanes) for row in of_tile]
                ranges = self._ranges(of_tile)
                for place, range_ in enumerate(ranges):
                    before = self.result.load(self.result.tensor, range_.at, range_.lanes)
                    number, vector = divmod(place, len(values))
                    sums.append(self.with_term(before, values[vector], factors[number]))
                # the last vector may begin within the one before it, so that all are loaded before any is stored
                for range_, total in zip(ranges, sums):
                    self.result.store(range_, total)

            self._each_tile(first, rows, add_to)

        self._each_tile(first, rows, begin)
        self.code.each(int(has_column), last, 1, add)

    def _scaled(self, number: Value | None) -> Value | None:
        """A column's factor on the way to the result."""
        if number is not None:
            (number,) = self.result.scaled([number])
        elif is_constant(self.result.alpha, 1):
            return None
        else:
            number = self.result.number(self.code, self.result.alpha, self.result.type)
        return self.code.splat(number, self.count)


class _OfColumns(_Sums):
    """Sums of columns, or of a vector, along the first mode: of one result, or of several of the same matrix."""

    def __init__(self, code: Code, ops: Sequence[Gemv | Sum], kernel: Kernel) -> None:
        super().__init__(code, ops[0], kernel)
        self.results = [self.result, *(Result(code, op) for op in ops[1:])]
        self.vectors = [_vector_of(op) for op in ops]
        self.is_in_order = bool(kernel.attributes.get(IN_ORDER))

    def write(self) -> None:
        if self.matrix.type.order == 1:
            self._block((), 1)
            return
        several, short = decided(self.kernel, COLUMNS), self.kernel.attributes.get(SHORT_ROWS)
        rows = self.code.size(self.matrix, 0)
        if short is None or isinstance(rows, int):
            self._blocks(several)
            return
        is_long = self.code.compare("gt", rows, self.code.number(short))
        self.code.either(is_long, lambda: self._blocks(1), lambda: self._blocks(several))

    def _blocks(self, max_columns: int) -> None:
        """All columns, so many at the same time.

        In order, no compiler unrolls the loops: of straight code, LLVM loads a vector of each column in turn.
        """
        for_each_block(
            self.code,
            self.code.size(self.matrix, 1),
            max_columns,
            lambda j, count: self._block((j,), count),
            max_unrolled=decided(self.kernel, UNROLL_TILES),
            may_unroll=not self.is_in_order,
        )

    def _block(self, first: tuple[Number, ...], columns: int) -> None:
        """Some columns, from the first on; none for a vector."""
        column_indices = [tuple(Index(self.code.plus(j, c), 0) for j in first) for c in range(columns)]
        rows, count = self.code.size(self.matrix, 0), self.count
        sums_at_once = columns * len(self.results)
        if self.is_in_order and isinstance(rows, int) and rows <= self.accumulators * count:
            self._update(column_indices, self._of_short(column_indices, rows))
            return
        unrolled = max(self.accumulators // sums_at_once, 1)
        if isinstance(rows, int):
            unrolled = max(min(unrolled, rows // count), 1)
        sums = self.zeros(sums_at_once * unrolled)
        begin: Number = 0
        for vectors in dict.fromkeys((unrolled, 1)):
            remaining = self.code.minus(rows, begin)
            end = self.code.plus(begin, self.code.multiple_below(remaining, vectors * count))

            def body(i: Number, carried: list[Value], vectors: int = vectors) -> list[Value]:
                return self._step(column_indices, i, vectors, carried, Lanes(count))

            size = sums_at_once * vectors
            sums[:size] = self.code.loop(begin, end, vectors * count, sums[:size], body, not self.is_in_order)
            begin = end
        remaining = self.code.minus(rows, begin)
        if remaining != 0:
            # where no lane is active, or some are not, zeros are added
            active = Lanes(count, remaining).with_mask(self.code)
            sums[:sums_at_once] = self._step(column_indices, begin, 1, sums[:sums_at_once], active)
        self._update(column_indices, self.added_up(sums, sums_at_once))

    def _of_short(self, column_indices: Sequence[tuple[Index, ...]], rows: int) -> list[Value]:
        """The sums of columns of few vectors, each in one register: the processor begins the next ones meanwhile."""
        sums = self.zeros(len(column_indices) * len(self.results))
        for i in range(0, rows, self.count):
            left = rows - i
            sums = self._step(column_indices, i, 1, sums, Lanes(self.count, left if left < self.count else None))
        return sums

    def _factors(self, row: Index, active: Lanes) -> list[Value | None]:
        """What the elements of some rows are multiplied by, for each result."""
        return [None if vector is None else self.result.load(vector, (row,), active) for vector in self.vectors]

    def _step(
        self,
        column_indices: Sequence[tuple[Index, ...]],
        i: Number,
        vectors: int,
        sums: list[Value],
        active: Lanes,
    ) -> list[Value]:
        """The sums, by vector, column and result, plus the rows from i on."""
        next_sums: list[Value] = []
        for k in range(vectors):
            row = Index(self.code.plus(i, k * self.count), 1)
            factors = self._factors(row, active)
            for indices in column_indices:
                value = self.result.load(self.matrix, (row, *indices), active)
                for factor in factors:
                    next_sums.append(self.with_term(sums[len(next_sums)], value, factor))
        return next_sums

    def _update(self, column_indices: Sequence[tuple[Index, ...]], totals: Sequence[Value]) -> None:
        """Update the elements of all results by vectors of partial sums, by column and result: several at a time where
        they are contiguous.
        """
        count = len(self.results)
        elements = [(result, place) for result in range(count) for place in range(len(column_indices))]
        begin, width = 0, self.count
        while begin < len(elements):
            while width > len(elements) - begin:
                width //= 2
            chosen = elements[begin : begin + width]
            sums = [totals[place * count + result] for result, place in chosen]
            total = self._reduced(sums) if width > 1 else self.code.reduce("add", sums[0])
            for number in dict.fromkeys(result for result, _ in chosen):
                lanes = [lane for lane, (result, _) in enumerate(chosen) if result == number]
                self._update_one(
                    self.results[number], [column_indices[chosen[lane][1]] for lane in lanes], total, lanes
                )
            begin += width

    def _update_one(self, result: Result, at: Sequence[tuple[Index, ...]], totals: Value, lanes: Sequence[int]) -> None:
        """Update some consecutive elements of a result by lanes of a vector, or one by a number."""
        width = len(lanes)
        if not isinstance(totals.type, VectorType):
            result.update([ElementRange(at[0], ONE)], [totals])
        elif width > 1 and not width & (width - 1) and result.tensor.type.strides[0] == 1:
            value = self.code.shuffle(totals, totals, lanes)
            result.update([ElementRange((Index(at[0][0].first, 1),), Lanes(width))], [value])
        else:
            elements = [self.code.extract(totals, lane) for lane in lanes]
            result.update([ElementRange(indices, ONE) for indices in at], elements)

    def _reduced(self, totals: Sequence[Value]) -> Value:
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


def _vector_of(op: Gemv | Sum) -> Value | None:
    """What a matrix, or a vector, is multiplied by; None where it is only summed."""
    return op.b if isinstance(op, Gemv) else None
