"""gemm by register tiles: vectors of sums for some rows and columns of the result stay in registers.

A kernel may have several products: sums of products with one result, and products whose left factor is a register tile
that was computed before and never leaves the registers. In every instruction that a tile goes through, its rows depend
on the same rows of earlier instructions only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import islice, takewhile
from typing import Any, TypeVar

from ...ir.operation import Operation
from ...ir.types import GroupType, VectorType, bf16, compute_type, i16, i32
from ...ir.values import Value
from ...ops import Foreach, Gemm, Load, Store
from ...ops.constants import is_constant
from ...ops.updates import TRANSPOSES
from ..analysis.terms import Terms
from ..targets import cpu
from ..targets.cpu_attributes import (
    ACCUMULATE,
    ADDED_LAST,
    APART,
    BY_VECTORS,
    COLUMNS,
    COLUMNS_OUTER,
    FACTOR_LANES,
    FROM_MEMORY,
    LANES,
    MIN_LANES,
    OUTER,
    PATTERNS,
    RELOADS,
    TERMS,
    UNROLL,
    UNROLL_TILES,
    VECTORS,
    decided,
    lies_in_local_memory,
    products_in,
)
from ..targets.vector_forms import written_by
from .access import Index, load, store_along
from .arithmetic import Arithmetic, Factor, Sums
from .code import Code, Number
from .points import apply
from .prefetches import ScheduledPrefetches, TilePrefetches
from .rows import RowTile, Vector, for_each_block, for_each_tile
from .updates import Result

Column = list[Value]
"""The vectors of one column of a tile."""
OldColumn = list[Value | None]
"""Those of a column of the result before it is computed; none where it stays as it is."""
TileSums = list[list[list[Sums]]]
"""The sums of a tile, by work-group, column and vector."""
AnyOperation = TypeVar("AnyOperation", bound=Operation)


def write(code: Code, _: Gemm, kernel: cpu.Kernel) -> None:
    """A kernel with products."""
    _Products(code, kernel).write()


def _by_work_group(kernel: cpu.Kernel, inner: Sequence[AnyOperation]) -> list[Sequence[AnyOperation]]:
    """Instructions of a kernel, each once per interleaved work-group; those of a work-group follow each other."""
    of_a_group = len(inner) // kernel.interleave
    return [inner[k::of_a_group] for k in range(of_a_group)]


class _Sum:
    """Products that are summed in the same registers, each once per interleaved work-group."""

    def __init__(self, products: list[Sequence[Gemm]], points: list[Sequence[Foreach]], is_held: bool) -> None:
        self.products = products
        self.points = points
        """What is done to each element of the result then."""
        self.is_held = is_held
        """Whether the result stays in registers."""

    @property
    def target(self) -> Value:
        """The result, of the first work-group."""
        return self.products[-1][0].C


class _Products:
    """The products of a kernel, each given once per interleaved work-group."""

    def __init__(self, code: Code, kernel: cpu.Kernel) -> None:
        self.code = code
        self.kernel = kernel
        self.lanes, self.columns, self.unroll, self.unroll_tiles = (
            decided(kernel, name) for name in (LANES, COLUMNS, UNROLL, UNROLL_TILES)
        )
        self.factor_lanes = kernel.attributes.get(FACTOR_LANES, 1)
        self.terms_at_once = kernel.attributes.get(TERMS, 1)
        self.by_pattern = bool(kernel.attributes.get(PATTERNS))
        self.by_vectors = bool(kernel.attributes.get(BY_VECTORS))
        self.is_apart = bool(kernel.attributes.get(APART))
        self.adds_last = bool(kernel.attributes.get(ADDED_LAST))
        self.loads_pairs = bool(kernel.attributes.get(FROM_MEMORY))
        stages: list[Sequence[Any]] = _by_work_group(
            kernel, [op for op in kernel.body.operations if isinstance(op, (Gemm, Foreach))]
        )
        products: list[Sequence[Gemm]] = [ops for ops in stages if isinstance(ops[0], Gemm)]
        self.terms = {ops[0]: Terms.of(ops[0]) for ops in products if self.by_pattern}
        """Which terms of products may be other than zero; those of interleaved work-groups are the same."""
        held = {op.result for op in kernel.body.operations if isinstance(op, cpu.Registers)}
        self.sums: list[_Sum] = []
        """The products that are summed in the same registers, with what follows them."""
        rest = iter(stages)
        for count in decided(kernel, ACCUMULATE):
            summed = list(islice(rest, count))
            points = list(takewhile(lambda ops: isinstance(ops[0], Foreach), stages[stages.index(summed[-1]) + 1 :]))
            self.sums.append(_Sum(summed, list(islice(rest, len(points))), summed[0][0].C in held))
        self.prefetches = ScheduledPrefetches(code, kernel, products, self.lanes)
        self.held: dict[Value, list[Column]] = {}
        """The values that stay in registers, as columns of the current tile."""
        self.reloaded: dict[Value, Value] = {}
        """Right factors as numbers are loaded from them, where these stay in memory."""

    def write(self) -> None:
        if self.kernel.attributes.get(RELOADS):
            factors = dict.fromkeys(op.B for op in products_in(self.kernel))
            self.reloaded = {value: self.code.reloaded(value) for value in factors if lies_in_local_memory(value)}
        rows, columns = (self.code.size(self.sums[-1].target, mode) for mode in (0, 1))
        if decided(self.kernel, OUTER) == COLUMNS_OUTER:
            for_each_block(self.code, columns, self.columns, partial(self._block, rows), self.most_blocks)
        else:
            self._rows(rows, self._tile)

    @property
    def most_blocks(self) -> int | None:
        """Blocks of columns up to which their code is unrolled; None where each has terms of its own."""
        return None if any(terms and terms.depend_on_columns for terms in self.terms.values()) else self.unroll_tiles

    def _rows(self, rows: Number, write: Callable[[RowTile], None]) -> None:
        vectors, min_lanes = (decided(self.kernel, name) for name in (VECTORS, MIN_LANES))
        differ = any(terms and terms.depend_on_rows for terms in self.terms.values())
        most = int(rows) if differ and isinstance(rows, int) else self.unroll_tiles
        for_each_tile(self.code, rows, self.lanes, vectors, write, most, min_lanes)

    def _block(self, rows: Number, first: Number, count: int) -> None:
        (only,) = self.sums
        self._rows(rows, lambda tile: _Step(self, tile, only).update(first, count))

    def _tile(self, tile: RowTile) -> None:
        self.held = {}
        for each in self.sums:
            _Step(self, tile, each).write()


class _Step:
    """A sum of products for one tile."""

    def __init__(self, owner: _Products, tile: RowTile, sums: _Sum) -> None:
        self.owner = owner
        self.code = owner.code
        self.tile = tile
        self.sum = sums
        self.ops = sums.products[0]
        self.element = self.ops[0].C.type.element
        self.type = compute_type(self.element)
        self.component = self.type.component
        self.parts = 2 if self.type.is_complex else 1
        """Lanes of an element: a complex number's parts are a lane each."""
        self.arithmetic = Arithmetic(self.code, self.type, owner.lanes)
        self.is_added_to = is_constant(self.ops[0].alpha, 1) and is_constant(self.ops[0].beta, 1)

    def write(self) -> None:
        columns = self.code.size(self.sum.target, 1)
        if self.sum.is_held:
            for op in self.ops:
                self.owner.held[op.C] = []
            for_each_block(self.code, columns, self.owner.columns, self._keep, None)
            for number, op in enumerate(self.ops):
                self._apply_to_held(number, self.owner.held[op.C])
        else:
            for_each_block(self.code, columns, self.owner.columns, self.update, self.owner.most_blocks)

    def _keep(self, first: Number, count: int) -> None:
        for op, sums in zip(self.ops, self._sums(first, count, None)):
            columns = [[self._scaled(op, total) for total in map(self.arithmetic.total, column)] for column in sums]
            self.owner.held[op.C] += columns

    def update(self, first: Number, count: int) -> None:
        """Compute the sums, and write the columns of the result."""
        self.code.location = self.ops[0].location
        starts_with = self.is_added_to and not self.owner.adds_last
        before = [self._loaded(op.C, first, count) for op in self.ops] if starts_with else None
        for group, (op, sums) in enumerate(zip(self.ops, self._sums(first, count, before))):
            fresh = [[self._scaled(op, total) for total in self._totals(column)] for column in sums]
            if starts_with:
                self._store(group, first, fresh)
            else:
                with_beta = partial(self._store_with_beta, group, op, first, fresh)
                Result(self.code, op).by_beta(partial(self._store, group, first, fresh), with_beta)

    def _stays(self, number: int, j: Number) -> bool:
        """Whether a vector of a column of the result stays as it is, as no product has a term there."""
        if not self.is_added_to or self.sum.points:
            return False
        of_products = (self.owner.terms.get(ops[0]) for ops in self.sum.products)
        return not any(_Uses(terms, self.tile, j, 1).has(number, 0) for terms in of_products)

    def _store_with_beta(self, group: int, op: Gemm, first: Number, fresh: list[Column]) -> None:
        self._store(group, first, self._with_beta(op, fresh, first))

    def _totals(self, column: list[Sums]) -> Column:
        """A column of sums, with the number of lanes of its vectors in memory."""
        return self._narrowed([*map(self.arithmetic.total, column)])

    def _narrowed(self, column: Column) -> Column:
        return [self.arithmetic.narrowed(value, vector.lanes.count) for value, vector in zip(column, self.tile.vectors)]

    # Sums.

    def _sums(self, first: Number, count: int, before: list[list[OldColumn]] | None) -> TileSums:
        """The sums of all products, by work-group, column and vector."""
        if before is None:
            nothing = [self.arithmetic.nothing()] * len(self.tile.vectors)
            sums: TileSums = [[nothing for _ in range(count)] for _ in self.ops]
        else:
            sums = [[[*map(self._begun, column)] for column in columns] for columns in before]
        for ops in self.sum.products:
            self.code.location = ops[0].location
            sums = self._add_products(ops, first, count, sums)
        return sums

    def _begun(self, vector: Value | None) -> Sums:
        """A sum whose initial value is a vector of the result."""
        if vector is None:
            return self.arithmetic.nothing()
        return self.arithmetic.starting_with(self.arithmetic.widened(vector))

    def _add_products(self, ops: Sequence[Gemm], first: Number, count: int, sums: TileSums) -> TileSums:
        def add(terms: Sequence[int], factors: _Factors, sums: TileSums) -> TileSums:
            columns_of_a: dict[Any, dict[int, Value]] = {}
            uses = {u: used.at(self.code.plus(factors.first, u)) for u in terms}
            for u in terms:
                for op in ops:
                    if uses[u] and (op.A, op.transpose_a, u) not in columns_of_a:
                        columns_of_a[op.A, op.transpose_a, u] = self._column_of(
                            op, self.code.plus(factors.first, u), {vector for vector, _ in uses[u]}
                        )
            after = [list(columns) for columns in sums]
            # the last use of a factor is before the next one is loaded, so that its register is live for a short time
            for j in range(count):
                for u in terms:
                    if all(column != j for _, column in uses[u]):
                        continue
                    of_groups: dict[Any, Factor] = {}
                    for op, columns in zip(ops, after):
                        if (op.B, op.transpose_b) not in of_groups:
                            of_groups[op.B, op.transpose_b] = factors.at(op, u, j)
                        factor, column_of_a = of_groups[op.B, op.transpose_b], columns_of_a[op.A, op.transpose_a, u]
                        columns[j] = [
                            self.arithmetic.add_product(s, column_of_a[v], factor) if (v, j) in uses[u] else s
                            for v, s in enumerate(columns[j])
                        ]
            return after

        def add_by_vectors(terms: Sequence[int], factors: _Factors, sums: TileSums) -> TileSums:
            """The same where numbers stay in registers, and each vector is loaded behind the last use of another."""
            after = [[list(column) for column in columns] for columns in sums]
            for u in terms:
                k = self.code.plus(factors.first, u)
                uses = used.at(k)
                for op, columns in zip(ops, after):
                    numbers = {j: factors.at(op, u, j) for j in sorted({column for _, column in uses})}
                    for v in sorted({vector for vector, _ in uses}):
                        vector = self._column_of(op, k, {v})[v]
                        for j, number in numbers.items():
                            if (v, j) in uses:
                                columns[j][v] = self.arithmetic.add_product(columns[j][v], vector, number)
            return after

        def add_pairs(terms: Sequence[int], factors: _Factors, sums: TileSums) -> TileSums:
            """The same where two terms, or the last one alone, are added at once."""
            pairs_of_a: dict[Any, list[Value]] = {}
            after = [list(columns) for columns in sums]
            for op in ops:
                if op.A not in pairs_of_a:
                    pairs_of_a[op.A] = self._pairs_of(op, [self.code.plus(factors.first, u) for u in terms])
            for j in range(count):
                of_groups: dict[Value, Callable[[Value, Value], Value]] = {}
                for op, columns in zip(ops, after):
                    if op.B not in of_groups:
                        of_groups[op.B] = factors.by_pair(op, terms, j)
                    columns[j] = [
                        (of_groups[op.B](pair, total),) for pair, (total,) in zip(pairs_of_a[op.A], columns[j])
                    ]
            return after

        used = _Uses(self.owner.terms.get(ops[0]), self.tile, first, count)
        depth = self.code.size(ops[0].A, 0 if TRANSPOSES[ops[0].transpose_a] else 1)
        prefetches = self.owner.prefetches.of_tile(ops, self.tile, first, count)
        factors = partial(_Factors, self.code, self.arithmetic, self.owner, ops, (first, count))
        is_unrolled = ops[0].A in self.owner.held or self.owner.by_pattern
        add_terms = add_pairs if self.owner.terms_at_once > 1 else add_by_vectors if self.owner.by_vectors else add
        return self._over_k(depth, sums, add_terms, factors, prefetches, is_unrolled)

    def _over_k(
        self,
        depth: Number,
        sums: TileSums,
        add: Callable[[Sequence[int], _Factors, TileSums], TileSums],
        factors: Callable[[Number, int], _Factors],
        prefetches: TilePrefetches,
        is_unrolled: bool,
    ) -> TileSums:
        """All steps of the sum, in an unrolled loop, with software prefetch."""
        unroll, code = self.owner.unroll, self.code
        if isinstance(depth, int) and (is_unrolled or depth <= unroll):
            prefetch = prefetches.begin(1)
            of_all = factors(0, depth)
            for terms in of_all.groups:
                for k in terms:
                    prefetch(k)
                sums = add(terms, of_all, sums)
            return sums
        whole = code.multiple_below(depth, unroll)
        prefetch = prefetches.begin(unroll)

        def write(steps: int, k: Number, carried: list[Value]) -> list[Value]:
            prefetch(code.over(k, unroll))
            inner = _shaped_like(sums, carried)
            of_iteration = factors(k, steps)
            for terms in of_iteration.groups:
                inner = add(terms, of_iteration, inner)
            return _flat(inner)

        carried = code.loop(0, whole, unroll, _flat(sums), partial(write, unroll))
        if isinstance(depth, int):
            sums = _shaped_like(sums, carried)
            of_rest = factors(whole, depth - int(whole))  # type: ignore[arg-type]
            for terms in of_rest.groups:
                sums = add(terms, of_rest, sums)
            return sums
        return _shaped_like(sums, code.loop(whole, depth, 1, carried, partial(write, 1)))

    def _pairs_of(self, op: Gemm, places: Sequence[Number]) -> list[Value]:
        """Of each vector of the left factor, the numbers of two columns side by side; of one column, with zeros."""
        code, lanes = self.code, self.owner.lanes
        every = frozenset(range(len(self.tile.vectors)))
        low, *high = [
            self._words_of(op, k) if op.A.type.element == bf16 else self._column_of(op, k, every) for k in places
        ]
        pairs = []
        for number in every:
            pair = code.arith("and", low[number], code.literal(i32, 0xFFFF, lanes))
            for column in high:
                shifted = code.arith("shl", column[number], code.literal(i32, 16, lanes))
                pair = code.arith("or", pair, shifted)
            pairs.append(pair)
        return pairs

    def _words_of(self, op: Gemm, k: Number) -> list[Value]:
        """The vectors of a column of a left factor, with the bits of each number in a word."""
        code, words = self.code, list[Value]()
        for vector in self.tile.vectors:
            lanes = vector.lanes
            type_ = code.vector(op.A.type.element, lanes.count)
            loaded = code.load(op.A, (self.tile.row(code, vector), k), type_, 0, lanes.mask(code))
            words.append(self.arithmetic.widened(code.cast(code.bitcast(loaded, type_.of(i16)), i32)))
        return words

    def _column_of(self, op: Gemm, k: Number, used: Collection[int]) -> dict[int, Value]:
        """The vectors of a column of the left factor that are used, by their numbers."""
        if op.A in self.owner.held:
            assert isinstance(k, int)
            return dict(enumerate(self.owner.held[op.A][k]))
        mode = 1 if TRANSPOSES[op.transpose_a] else 0
        column = {}
        for number, vector in enumerate(self.tile.vectors):
            if number not in used:
                continue
            row = self.tile.row(self.code, vector)
            rows = self._vector(op.A, (row, k) if mode == 0 else (k, row), mode, vector)
            column[number] = self.arithmetic.widened(rows)
        return column

    def _vector(self, tensor: Value, indices: Sequence[Number], mode: int, vector: Vector) -> Value:
        """Rows of a matrix in the type of the computation."""
        element, lanes = tensor.type.element, vector.lanes
        if element.is_complex:
            type_, mask = self.code.vector(element.component, 2 * lanes.count), lanes.doubled(self.code).mask(self.code)
        else:
            type_, mask = self.code.vector(element, lanes.count), lanes.mask(self.code)
        rows = self.code.cast(self.code.load(tensor, indices, type_, mode, mask), self.component)
        return self.arithmetic.with_imaginary(rows) if self.type.is_complex and not element.is_complex else rows

    # Results.

    def _loaded(self, target: Value, first: Number, count: int) -> list[OldColumn]:
        return [self._loaded_column(target, self.code.plus(first, j)) for j in range(count)]

    def _loaded_column(self, target: Value, j: Number) -> OldColumn:
        return [
            None if self._stays(number, j) else self._vector(target, (self.tile.row(self.code, vector), j), 0, vector)
            for number, vector in enumerate(self.tile.vectors)
        ]

    def _store(self, group: int, first: Number, columns: list[Column]) -> None:
        for j, column in enumerate(columns):
            self._store_column(group, column, self.code.plus(first, j))

    def _store_column(self, group: int, column: Column, j: Number) -> None:
        """Store a column of a result, after the kernel's epilogue."""
        target = self.ops[group].C
        column = [self.code.cast(value, self.element.component) for value in column]
        for step in self.sum.points:
            op = step[group]
            if not self.owner.is_apart and _may_read(op, target):
                self._write(target, column, j)
            column = self._applied(op, target, j, column)
        self.code.location = self.ops[group].location
        self._write(target, column, j)

    def _apply_to_held(self, group: int, columns: list[Column]) -> None:
        """Apply what follows a product to its result, which stays in registers."""
        for step in self.sum.points:
            for j, column in enumerate(columns):
                after = self._applied(step[group], self.ops[group].C, j, self._narrowed(column))
                columns[j] = [*map(self.arithmetic.widened, after)]

    def _applied(self, op: Foreach, target: Value, j: Number, column: Column) -> Column:
        """A column of a result, after a step of the epilogue. Vectors overlap, so that each of what else it writes is
        loaded before any is stored.
        """
        others = [value for value in written_by(op) if value is not target]
        read = {value for value in others if _needs_elements(op, value)}
        columns = [
            [self._elements(value, j, vector) if value in read else None for vector in self.tile.vectors]
            for value in others
        ]
        changed = []
        for number, (vector, value) in enumerate(zip(self.tile.vectors, column)):
            row, is_complex = self.tile.row(self.code, vector), self.element.is_complex
            held = {other: elements[number] for other, elements in zip(others, columns)}
            held[target] = self.code.complex(value, self.element) if is_complex else value
            changed.append(apply(self.code, op, row, [j], vector.lanes, held))  # type: ignore[arg-type]
        for other in others:
            self._write(other, [self._parts_of(after[other]) for after in changed], j)
        return [self._parts_of(after[target]) for after in changed]

    def _elements(self, tensor: Value, j: Number, vector: Vector) -> Value:
        """Rows of a column of another result, as elements."""
        return load(self.code, tensor, [Index(self.tile.row(self.code, vector), 1), Index(j, 0)], vector.lanes)

    def _parts_of(self, value: Value) -> Value:
        return self.code.parts(value) if value.type.element.is_complex else value

    def _write(self, target: Value, column: Column, j: Number) -> None:
        for number, (vector, value) in enumerate(zip(self.tile.vectors, column)):
            if self._stays(number, j):
                continue
            indices = (self.tile.row(self.code, vector), j)
            store_along(self.code, value, target, indices, 0, vector.lanes, 2 if target.type.element.is_complex else 1)

    def _with_beta(self, op: Gemm, fresh: list[Column], first: Number) -> list[Column]:
        before = self._loaded(op.C, first, len(fresh))
        beta = None if is_constant(op.beta, 1) else self.arithmetic.factor(op.beta)

        def with_old(value: Value, old: Value | None) -> Value:
            if old is None:
                return value
            return (
                self.code.arith("add", value, old) if beta is None else self.arithmetic.scale_and_add(old, beta, value)
            )

        return [[*map(with_old, *pair)] for pair in zip(fresh, before)]

    def _scaled(self, op: Gemm, value: Value) -> Value:
        return value if is_constant(op.alpha, 1) else self.arithmetic.scale(value, self.arithmetic.factor(op.alpha))


class _Uses:
    """The multiply-adds of a tile and a block of columns for each term of a sum: which may add other than zeros."""

    def __init__(self, terms: Terms | None, tile: RowTile, first: Number, count: int) -> None:
        self._all = frozenset((vector, j) for vector in range(len(tile.vectors)) for j in range(count))
        self._terms = terms
        self._tile = tile
        self._first = first

    def at(self, k: Number) -> frozenset[tuple[int, int]]:
        """Vectors and columns, by their numbers in the tile and the block."""
        if self._terms is None or not isinstance(k, int):
            return self._all
        return frozenset((v, j) for v, j in self._all if self._of_vector(v) & self._of_column(j) & 1 << k)

    def has(self, vector: int, column: int) -> bool:
        """Whether any term may add other than zeros there."""
        return self._terms is None or bool(self._of_vector(vector) & self._of_column(column))

    def _of_vector(self, number: int) -> int:
        terms, vector = self._terms, self._tile.vectors[number]
        assert terms is not None
        if not terms.depend_on_rows:
            return terms.rows[0]
        first = self._tile.first
        assert isinstance(first, int), "tiles are unrolled"
        return terms.of_rows(first + vector.offset, vector.lanes.count)

    def _of_column(self, number: int) -> int:
        terms, first = self._terms, self._first
        assert terms is not None
        if not terms.depend_on_columns:
            return terms.columns[0]
        assert isinstance(first, int), "blocks are unrolled"
        return terms.columns[first + number]


class _Factors:
    """The numbers of right factors for some columns and for consecutive terms of a sum.

    Those of `groups` are added together: a segment of numbers of a column is used up before the next one is loaded, for
    an instruction that multiplies by a lane takes only a few of the registers for it.
    """

    def __init__(
        self,
        code: Code,
        arithmetic: Arithmetic,
        owner: _Products,
        ops: Sequence[Gemm],
        columns: tuple[Number, int],
        first: Number,
        terms: int,
    ) -> None:
        self.code = code
        self.arithmetic = arithmetic
        self.lanes = owner.factor_lanes
        self.reloaded = owner.reloaded
        self.first_column, self.columns = columns
        self.first = first
        self.terms = terms
        self.all_lanes = owner.lanes
        self.loads_pairs = owner.loads_pairs
        together = 1 if TRANSPOSES[ops[0].transpose_b] else max(self._numbers(ops[0].B), owner.terms_at_once)
        self.groups = [range(u, min(u + together, terms)) for u in range(0, terms, together)]
        self._segments: dict[Any, Value] = {}
        """Vectors of numbers, by factor and place."""

    def at(self, op: Gemm, u: int, j: int) -> Factor:
        """The number of a term and a column: a lane of a vector where that many numbers follow each other."""
        is_transposed, type_ = TRANSPOSES[op.transpose_b], op.B.type
        along, count = (j, self.columns) if is_transposed else (u, self.terms)
        each = self._numbers(op.B)
        begin = along // each * each
        if self.lanes == 1 or begin + each > count or type_.strides[0] != 1:
            tensor = self.reloaded.get(op.B, op.B)
            return self.arithmetic.factor(self.code.load_number(tensor, self._place(is_transposed, u, j)))
        place = (u, begin) if is_transposed else (begin, j)
        key = op.B, is_transposed, *place
        if key not in self._segments:
            self._segments[key] = self._load(op.B, self._place(is_transposed, *place))
        return self.arithmetic.lanes_of(self._segments[key], along - begin, type_.element.is_complex)

    def by_pair(self, op: Gemm, terms: Sequence[int], j: int) -> Callable[[Value, Value], Value]:
        """What adds to sums the products of pairs by the numbers of two terms, or by that of one, and zero."""
        code, tensor = self.code, self.reloaded.get(op.B, op.B)
        if len(terms) > 1 and self.loads_pairs:
            place = self._place(False, terms[0], j)
            return lambda pairs, sums: code.dot_loaded(pairs, tensor, place, sums)
        spread = self._pair_at(tensor, terms, j)
        return lambda pairs, sums: code.dot(pairs, spread, sums)

    def _pair_at(self, tensor: Value, terms: Sequence[int], j: int) -> Value:
        """The numbers of two terms side by side, in all lanes; of one term, with zeros."""
        code = self.code
        numbers = code.load(
            tensor, self._place(False, terms[0], j), VectorType(tensor.type.element, len(terms)), 0, None
        )
        if len(terms) > 1:
            word = code.extract(code.bitcast(numbers, VectorType(i32, 1)), 0)
        else:
            number = code.extract(code.bitcast(numbers, VectorType(i16, 1)), 0)
            word = code.arith("and", code.cast(number, i32), code.constant(i32, 0xFFFF))
        return code.splat(word, self.all_lanes)

    def _place(self, is_transposed: bool, u: int, j: int) -> tuple[Number, Number]:
        """The indices of the number of a term and a column."""
        k, column = self.code.plus(self.first, u), self.code.plus(self.first_column, j)
        return (column, k) if is_transposed else (k, column)

    def _numbers(self, tensor: Value) -> int:
        """The numbers of a tensor that a segment has."""
        return max(self.lanes // (2 if tensor.type.element.is_complex else 1), 1)

    def _load(self, tensor: Value, indices: Sequence[Number]) -> Value:
        """A segment of numbers, in every segment of a vector."""
        code, element = self.code, tensor.type.element
        segment = code.load(tensor, indices, code.vector(element.component, self.lanes), 0, None)
        return self.arithmetic.repeated(code.cast(segment, self.arithmetic.component))


def _needs_elements(op: Foreach, tensor: Value) -> bool:
    """Whether a `foreach` reads a tensor that it writes, or does not write each element."""
    is_read = any(isinstance(inner, Load) and inner.tensor is tensor for inner in op.body.walk())
    return is_read or not any(isinstance(inner, Store) and inner.tensor is tensor for inner in op.body.operations)


def _may_read(op: Foreach, target: Value) -> bool:
    """Whether a `foreach` may read the result as another array: the same one may be passed for two parameters.

    It may read the element of its own point only; to read that of another point would be a race.
    """
    others = [i.tensor.type for i in op.body.walk() if isinstance(i, Load) and i.tensor is not target]
    spaces = [type_.memref.space if isinstance(type_, GroupType) else type_.space for type_ in others]
    return target.type.space == "global" and "global" in spaces


def _flat(sums: TileSums) -> list[Value]:
    """The vectors of nested lists and tuples, in order."""
    return [value for columns in sums for column in columns for parts in column for value in parts]


def _shaped_like(sums: TileSums, flat: Sequence[Value]) -> TileSums:
    """Other vectors, nested like sums that `_flat` made flat."""
    rest = iter(flat)
    return [[[tuple(next(rest) for _ in parts) for parts in column] for column in columns] for columns in sums]
