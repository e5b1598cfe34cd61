"""Products of as many work-groups as a vector has lanes: each number of a vector is another work-group's.

A segment of a vector has some consecutive rows of a work-group's matrix in memory. As many vectors of such segments,
one for each work-group, are turned at once, by shuffles that stay in segments. What is read has four rows in a segment:
a load puts them into their place. What is written has as many as the tile has, so that stores are few.

A column of a right factor that is turned in place is a value for each of its rows: the compiler has as many of them in
registers as there are, and a number of a shared left factor is an operand of its multiply-add.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from ...ir.values import Value
from ...ops import Gemm
from ...ops.constants import is_constant
from ...ops.updates import TRANSPOSES
from ..analysis.terms import Terms
from ..targets.cpu_attributes import COLUMNS, LANES, UNROLL
from ..targets.group_lanes import ROWS, SIDE, InLanes, Summed, Tensors, Turned, is_shared
from ..targets.vector import SEGMENT
from .access import Index, Lanes
from .code import Code, Number
from .rows import for_each_block
from .updates import ElementRange, Result

Sums = list[list[Value]]
"""The sums of a tile, by row and column."""


def write(code: Code, op: InLanes) -> None:
    """The vector code of products in lanes."""
    _InLanes(code, op).write()


class _InLanes:
    def __init__(self, code: Code, op: InLanes) -> None:
        self.code = code
        self.plan = op.plan
        self.element = self.plan.element
        self.lanes, self.rows, self.columns, self.unroll = (
            op.attributes[name] for name in (LANES, ROWS, COLUMNS, UNROLL)
        )
        self.segment = min(SIDE, self.lanes)
        self.near = min(SEGMENT // (8 * self.element.size), self.lanes)
        """Numbers of a segment that shuffles interleave at once."""
        memory = iter(op.memory)
        self.turned = {step: next(memory) for step in self.plan.steps if isinstance(step, Turned)}
        self.held = dict(zip(self.plan.held, memory))
        self.known: dict[Tensors, tuple[Value, dict[tuple[int, int], int] | None]] = {
            tensors: (memory, None) for tensors, memory in self.held.items()
        }
        """The memory of what is in lanes already, and the numbers of its elements where it has only some."""
        self.in_place: dict[tuple[Tensors, int, int], Value] = {}
        """What is in registers of the columns that are being summed: by factor, row, and column among these."""

    def write(self) -> None:
        for step in self.plan.steps:
            if isinstance(step, Turned):
                self._turn(step)
            else:
                self._sum(step)

    # What each work-group has in its own memory.

    def _turn(self, step: Turned) -> None:
        """Copy a factor to lanes."""
        memory, numbers = self.turned[step], None
        rows, columns = (*step.tensors[0].type.shape, 1)[:2]
        if step.entries is None:
            self.code.each(0, columns, 1, partial(self._turn_column, step.tensors, memory, rows), 1)
        else:
            numbers = {entry: number for number, entry in enumerate(step.entries)}
            for j in range(columns):
                self._turn_entries(step.tensors, memory, numbers, rows, j)
        self.known[step.tensors] = (memory, numbers)

    def _turn_column(self, tensors: Tensors, memory: Value, rows: int, j: Number) -> None:
        def piece(count: int, first: Number) -> None:
            for k, vector in enumerate(self._loaded(tensors, rows, first, j, count)):
                self._store_vector(vector, memory, (self.code.plus(first, k), j))

        self._pieces(range(rows), self.segment, piece, 1 << 10)

    def _turn_entries(
        self, tensors: Tensors, memory: Value, numbers: dict[tuple[int, int], int], rows: int, j: int
    ) -> None:
        for first in range(0, rows, self.segment):
            wanted = [i for i in range(first, min(first + self.segment, rows)) if (i, j) in numbers]
            if wanted:
                vectors = self._loaded(tensors, rows, first, j, min(self.segment, rows - first))
                for i in wanted:
                    self._store_vector(vectors[i - first], memory, (numbers[i, j],))

    def _turn_in_place(self, step: Summed, j: Number, width: int) -> None:
        """Turn some columns of right factors, of which no other step needs them."""
        self.in_place = {}
        for ops, terms in zip(step.products, step.terms):
            tensors = tuple(op.B for op in ops)
            if tensors not in self.plan.in_place:
                continue
            for n, first in product(range(width), range(0, terms.depth, self.segment)):
                count = min(self.segment, terms.depth - first)
                column = self._loaded(tensors, terms.depth, first, self.code.plus(j, n), count)
                self.in_place |= {(tensors, first + k, n): vector for k, vector in enumerate(column)}

    def _pieces(self, rows: range, most: int, write: Callable[[int, Number], None], max_unrolled: int) -> None:
        """Rows by pieces, the last of which may be shorter."""
        end = rows.start + len(rows) // most * most
        if end < rows.stop:
            write(rows.stop - end, end)
        self.code.each(rows.start, end, most, partial(write, most), max_unrolled)

    def _loaded(self, tensors: Tensors, rows: int, first: Number, j: Number, count: int) -> list[Value]:
        """Some rows of a column, at most a segment of them, as vectors of the work-groups' numbers."""
        code, lanes = self.code, Lanes(self.segment)
        begin = first
        if count < self.segment and rows >= self.segment:  # it begins in the segment before it
            begin = code.minus(first, self.segment - count)
        elif count < self.segment:
            lanes = Lanes(self.segment, count)
        type_ = code.vector(self.element, self.segment)
        parts = [code.load(tensor, (begin, j)[: tensor.type.order], type_, 0, lanes.mask(code)) for tensor in tensors]
        vectors = self._turned_segments([self._joined(parts[i :: self.segment]) for i in range(self.segment)])
        return vectors[-count:] if begin is not first else vectors[:count]

    def _update(self, results: Sequence[Result], at: tuple[Number, Number], columns: Sums, adds: bool) -> None:
        """The other way: some rows, at most `lanes`, by column; beta times the target is added where it `adds`."""
        code, count = self.code, len(columns[0])
        size = max(1 << (count - 1).bit_length(), self.segment)
        lanes = Lanes(size, None if count == size else count)
        turned = [self._turned_segments([*column, *[column[-1]] * (size - count)]) for column in columns]
        for group, result in enumerate(results):
            begin = group // size * size
            for n, vectors in enumerate(turned):
                part = code.shuffle(vectors[group % size], vectors[group % size], range(begin, begin + size))
                range_ = ElementRange((Index(at[0], 1), Index(code.plus(at[1], n), 0)), lanes)
                if adds:
                    (part,) = result.with_target([part], [result.load(result.tensor, range_.at, lanes)])
                result.store(range_, part)

    def _joined(self, parts: Sequence[Value]) -> Value:
        """Segments, one behind the other, as one vector."""
        while len(parts) > 1:
            count = 2 * parts[0].type.lanes
            parts = [self.code.shuffle(a, b, range(count)) for a, b in zip(parts[::2], parts[1::2])]
        return parts[0]

    def _turned_segments(self, vectors: Sequence[Value]) -> list[Value]:
        """Vectors whose segments are the rows of square matrices, as those of their columns."""
        rows, width = list(vectors), len(vectors)
        while width > self.near:  # exchanges blocks
            width //= 2
            blocks = [rows[first : first + 2 * width] for first in range(0, len(rows), 2 * width)]
            rows = [value for block in blocks for value in self._exchanged(block, width)]
        for _ in range(width.bit_length() - 1):
            rows = [
                value
                for first in range(0, len(rows), width)
                for value in self._interleaved(rows[first : first + width], width)
            ]
        return rows

    def _interleaved(self, rows: Sequence[Value], width: int) -> list[Value]:
        pairs = zip(rows[: width // 2], rows[width // 2 :])
        return [self._halves(*pair, width, half, 1) for pair in pairs for half in (0, width // 2)]

    def _exchanged(self, rows: Sequence[Value], width: int) -> list[Value]:
        pairs = list(zip(rows[:width], rows[width:]))
        return [self._halves(*pair, 2 * width, half, width) for half in (0, width) for pair in pairs]

    def _halves(self, a: Value, b: Value, width: int, first: int, together: int) -> Value:
        """A half of each `width` numbers of two vectors, so many of each vector together, in turns."""
        lanes = [
            vector + begin + first + k + n
            for begin in range(0, self.lanes, width)
            for k in range(0, width // 2, together)
            for vector in (0, self.lanes)
            for n in range(together)
        ]
        return self.code.shuffle(a, b, lanes)

    # Sums.

    def _sum(self, step: Summed) -> None:
        code = self.code
        columns = step.target[0].type.shape[1]
        rows = step.rows(step.target in self.held, min(self.rows, self.lanes))
        blocks = None if step.differs_by_column else 1
        if step.differs_by_column and not step.differs_by_row:

            def of_rows(count: int, i: Number) -> None:
                for_each_block(
                    code, columns, self.columns, lambda j, width: self._tile(step, (i, j), (count, width)), None
                )

            self._pieces(rows, self.rows, of_rows, 1)
        else:

            def of_columns(j: Number, width: int) -> None:
                self._turn_in_place(step, j, width)
                most = len(rows) if step.differs_by_row else 1
                self._pieces(rows, self.rows, lambda count, i: self._tile(step, (i, j), (count, width)), most)

            for_each_block(code, columns, self.columns, of_columns, blocks)

    def _tile(self, step: Summed, at: tuple[Number, Number], size: tuple[int, int]) -> None:
        """Compute some rows and columns of a result."""
        code, op = self.code, step.products[0][0]
        self.code.location = op.location
        result = Result(code, op)
        is_begun = result.is_sum and step.target in self.held
        zero = code.zeros(self.element, self.lanes)
        sums = self._held(step.target, at, size) if is_begun else [[zero] * size[1] for _ in range(size[0])]
        for ops, terms in zip(step.products, step.terms):
            sums = self._add_product(ops, terms, at, size, sums)
        if is_begun:
            self._hold(step.target, at, sums)
            return
        scaled = [result.scaled(row) for row in sums]
        if step.target in self.held:

            def with_target() -> None:
                before = self._held(step.target, at, size)
                self._hold(step.target, at, [result.with_target(*pair) for pair in zip(scaled, before)])

            result.by_beta(lambda: self._hold(step.target, at, scaled), with_target)
        else:
            of_groups = [Result(code, each) for each in step.products[0]]
            write = partial(self._write, of_groups, at, [list(column) for column in zip(*scaled)], zero)
            result.by_beta(partial(write, False), partial(write, True))

    def _add_product(
        self, ops: Sequence[Gemm], terms: Terms, at: tuple[Number, Number], size: tuple[int, int], sums: Sums
    ) -> Sums:
        lefts, rights = tuple(op.A for op in ops), tuple(op.B for op in ops)
        turned_a, turned_b = TRANSPOSES[ops[0].transpose_a], TRANSPOSES[ops[0].transpose_b]
        rows, columns = (
            [lines[first + n] if isinstance(first, int) else lines[0] for n in range(count)]
            for lines, first, count in zip((terms.rows, terms.columns), at, size)
        )

        def add(k: Number, bit: int, sums: Sums) -> Sums:
            used = [j for j, bits in enumerate(columns) if bits & bit]
            if not used or not any(bits & bit for bits in rows):
                return sums
            if rights in self.plan.in_place and isinstance(k, int):
                right = {j: self.in_place[rights, k, j] for j in used}
            else:
                right = {j: self._factor(rights, k, self.code.plus(at[1], j), turned_b) for j in used}
            after = [list(row) for row in sums]
            for i, bits in enumerate(rows):
                if bits & bit:
                    left = self._factor(lefts, self.code.plus(at[0], i), k, turned_a)
                    for j in used:
                        after[i][j] = self._added(left, right[j], after[i][j])
            return after

        if terms.depth <= self.unroll or terms.depend_on_rows or terms.depend_on_columns:
            for k in range(terms.depth):
                sums = add(k, 1 << k, sums)
            return sums

        def step(k: Number, carried: list[Value]) -> list[Value]:
            inner = [carried[n : n + size[1]] for n in range(0, len(carried), size[1])]
            return [value for row in add(k, 1, inner) for value in row]

        flat = self.code.loop(0, terms.depth, 1, [value for row in sums for value in row], step)
        return [list(flat[n : n + size[1]]) for n in range(0, len(flat), size[1])]

    def _added(self, left: Value, right: Value, total: Value) -> Value:
        is_first = total is self.code.zeros(self.element, self.lanes)
        return self.code.arith("mul", left, right) if is_first else self.code.fma(left, right, total)

    def _factor(self, tensors: Tensors, i: Number, j: Number, turned: bool) -> Value:
        """A number of each work-group's factor."""
        at = (j, i) if turned else (i, j)
        if is_shared(tensors) and tensors not in self.held:
            return self.code.splat(self.code.load_number(tensors[0], at), self.lanes)
        memory, numbers = self.known[tensors]
        return self._vector_of(memory, at if numbers is None else (numbers[at],))  # type: ignore[index]

    def _held(self, target: Tensors, at: tuple[Number, Number], size: tuple[int, int]) -> Sums:
        """Some of what is handed on."""
        memory, (i, j) = self.held[target], at
        places = [[(self.code.plus(i, m), self.code.plus(j, n)) for n in range(size[1])] for m in range(size[0])]
        return [[self._vector_of(memory, place) for place in row] for row in places]

    def _hold(self, target: Tensors, at: tuple[Number, Number], sums: Sums) -> None:
        memory, (i, j) = self.held[target], at
        for m, row in enumerate(sums):
            for n, value in enumerate(row):
                self._store_vector(value, memory, (self.code.plus(i, m), self.code.plus(j, n)))

    def _write(
        self, results: Sequence[Result], at: tuple[Number, Number], columns: Sums, zero: Value, adds: bool
    ) -> None:
        """Write a tile to the memory of the work-groups, but for what adds nothing."""
        adds_plainly = adds and is_constant(results[0].beta, 1)
        total, first = len(columns[0]), 0
        while first < total:
            last = first  # of as many segments as a vector has, the last one behind which there is something to write
            for begin in range(first, min(first + self.lanes, total), self.segment):
                end = min(begin + self.segment, total)
                if adds_plainly and all(value is zero for column in columns for value in column[begin:end]):
                    break
                last = end
            if last > first:
                part = [column[first:last] for column in columns]
                self._update(results, (self.code.plus(at[0], first), at[1]), part, adds)
            first = max(last, first + self.segment)

    def _vector_of(self, memory: Value, at: Sequence[Number]) -> Value:
        return self.code.load(memory, (0, *at), self.code.vector(self.element, self.lanes), 0, None)

    def _store_vector(self, value: Value, memory: Value, at: Sequence[Number]) -> None:
        self.code.store(value, memory, (0, *at), 0, None)
