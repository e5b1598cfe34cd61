"""Cooperative matrices in local memory, with which one agent computes for the whole sub-group.

A matrix of X rows and Y columns is a `memref<T x X x Y>`; one whose components are all equal, such as a constant, is a
scalar. A product is a `gemm` into the memory of the sum. The result of a component-wise instruction takes the memory of
an operand that is dead afterwards, and so does the sum of a product.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, MemrefType, ScalarType, compute_type, i32, index, promote
from ..ir.values import Region, Value
from ..ops import (
    ArithBinary,
    ArithUnary,
    Barrier,
    Cast,
    Constant,
    CooperativeMatrixApply,
    CooperativeMatrixAtomicUpdate,
    CooperativeMatrixConstruct,
    CooperativeMatrixExtract,
    CooperativeMatrixInsert,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixReduce,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
    For,
    Gemm,
    If,
    LoadPadded,
    Size,
    Slice,
    Subview,
)
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..ops.coopmatrix import CHECKED_SIDES, is_matrix
from ..ops.matrix_components import place_of
from ..ops.matrix_functions import REDUCES_ROWS
from ..ops.updates import TRANSPOSES
from .matrix_atomics import load_component, store_component, update_component
from .matrix_functions import apply_to

Components = Callable[..., Value]


def each_lane(builder: Builder, count: int, body: Callable[[Builder, Value], None]) -> None:
    """Execute `body` for the first work-items of a sub-group."""
    if count == 1:
        body(builder, builder.zero(index))
    else:
        builder.foreach([builder.constant(index, count)], lambda on, points: body(on, points[0]))


class LocalMatrices:
    """The memory of a function's matrices, and instructions on them."""

    def __init__(self) -> None:
        self._held: dict[Value, Value] = {}
        """The memory of each matrix, or the scalar that all its components equal."""
        self._last: dict[Value, Operation] = {}
        """The last instruction that uses a matrix, or contains a use, in the region that defines the matrix."""
        self._factors: set[Value] = set()
        """What is loaded as a factor only, which products may read from the memory that it is loaded from."""
        self._transposed: set[Value] = set()
        """Factors of which `_held` has the transposed matrix."""
        self.foreach_builder: Builder | None = None
        """The builder around the foreach that is being written; a foreach can neither hold memory nor distribute
        work."""
        self.guard: Value | None = None
        """In that foreach, the condition under which a point computes with matrices."""

    def learn(self, region: Region) -> set[Value]:
        """Find the last uses of matrices in a region; returns all that are used in it."""
        own = set(region.arguments)
        uses: list[set[Value]] = []
        for op in region.operations:
            matrices = {value for value in op.operands if is_matrix(value)}
            for inner in op.regions:
                matrices |= self.learn(inner)
            self._last.update((value, op) for value in matrices if value in own)
            own.update(op.results)
            uses.append(matrices)
        for n, op in enumerate(region.operations):
            if type(op) is CooperativeMatrixLoad and not op.checked:
                after = [m for m in range(n + 1, len(uses)) if op.result in uses[m]]
                if after and _may_stay(op.result, region.operations[n + 1 : after[-1] + 1]):
                    self._factors.add(op.result)
        return set().union(*uses)

    # Control flow that carries matrices.

    def allocate_carried(self, op: For | If, position: int, builder: Builder) -> None:
        """Memory for what a loop carries, with the initial value, or for the result of a branch."""
        type_ = op.results[position].type
        if isinstance(op, For):
            init = op.inits[position]
            target = self._held[init]
            within = (value for each in op.body.walk() for value in each.operands)
            if not self._ends(init, op) or op.inits.count(init) > 1 or init in within:
                target = self._memory(builder, type_, op.results[position].name)
                self._copy(builder, self._held[init], target)
            self._held[op.carried[position]] = target
        else:
            target = self._memory(builder, type_, op.results[position].name)
        self._held[op.results[position]] = target

    def store_yielded(self, values: Sequence[Value], results: Sequence[Value], builder: Builder) -> None:
        """Copy what is yielded to the memory of the results, in parallel."""
        sources, targets = [self._held[value] for value in values], [self._held[value] for value in results]
        for n, (source, target) in enumerate(zip(sources, targets)):
            if source is not target and source in targets:
                sources[n] = self._memory(builder, values[n].type, values[n].name)
                self._copy(builder, source, sources[n])
        for source, target in zip(sources, targets):
            if source is not target:
                self._copy(builder, source, target)

    # Memory.

    def _memory(self, builder: Builder, type_: CoopMatrixType, name: str | None) -> Value:
        return (self.foreach_builder or builder).allocate(type_.component, type_.shape, name)

    def _ends(self, matrix: Value, op: Operation) -> bool:
        """Whether a matrix is in memory that an instruction may reuse, because it is the last to use it."""
        return isinstance(self._held[matrix].type, MemrefType) and self._last.get(matrix) is op

    def _target(self, op: Operation, matrices: Sequence[Value], builder: Builder) -> Value:
        """The memory for a result: that of an operand of its type that dies here, or new."""
        type_ = op.results[0].type
        for matrix in matrices:
            if matrix.type.component == type_.component and self._ends(matrix, op):
                return self._held[matrix]
        return self._memory(builder, type_, op.results[0].name)

    def _points(self, builder: Builder, sizes: Sequence[int], body: Callable[[Builder, list[Value]], None]) -> None:
        """Execute `body` for all indices below some sizes."""
        stops = [builder.constant(index, size) for size in sizes]
        if self.foreach_builder is None:
            builder.foreach(stops, body)
        elif self.guard is None:
            self._loops(builder, stops, body)
        else:
            builder.branch(self.guard, [], lambda inner: self._loops(inner, stops, body))

    def _loops(
        self, builder: Builder, stops: Sequence[Value], body: Callable[[Builder, list[Value]], None]
    ) -> list[Value]:
        def entry(on: Builder, i: Value, j: Value) -> list[Value]:
            body(on, [i, j])
            return []

        builder.loop(
            stops[1], [], lambda inner, j, _: inner.loop(stops[0], [], lambda on, i, _: entry(on, i, j), "i"), "j"
        )
        return []

    def _component(self, builder: Builder, held: Value, indices: Sequence[Value]) -> Value:
        return builder.load(held, indices) if isinstance(held.type, MemrefType) else held

    def _copy(self, builder: Builder, source: Value, target: Value) -> None:
        self._points(
            builder, target.type.shape, lambda on, points: on.store(self._component(on, source, points), target, points)
        )

    # Instructions.

    def lower(self, op: Operation, builder: Builder, scalar: Callable[[Value], Value]) -> None:
        """Write what an instruction on matrices does; `scalar` maps other operands to their replacements."""
        if isinstance(op, Constant):
            self._held[op.result] = builder.constant(op.result.type.component, op.literal)
        elif isinstance(op, ArithBinary):
            self._by_component(op, builder, [op.a, op.b], lambda on, a, b: on.arith(op.variant, a, b))
        elif isinstance(op, ArithUnary):
            self._by_component(op, builder, [op.a], lambda on, a: on.unary(op.variant, a))
        elif isinstance(op, Cast):
            self._by_component(op, builder, [op.operand], lambda on, a: on.cast(a, op.result.type.component))
        elif isinstance(op, CooperativeMatrixScale):
            factor = scalar(op.scalar)
            self._by_component(op, builder, [op.matrix], lambda on, a: on.arith("mul", factor, a))
        elif isinstance(op, CooperativeMatrixMulAdd):
            self._mul_add(op, builder)
        elif isinstance(op, CooperativeMatrixLoad):
            self._load(op, builder, scalar)
        elif isinstance(op, CooperativeMatrixApply):
            self._apply(op, builder, scalar)
        elif isinstance(op, CooperativeMatrixConstruct):
            self._held[op.result] = scalar(op.scalar)
        elif isinstance(op, CooperativeMatrixReduce):
            self._reduce(op, builder)
        elif isinstance(op, CooperativeMatrixAtomicUpdate):
            self._update(op, builder, scalar)
        else:
            assert isinstance(op, CooperativeMatrixStore), op.word
            self._store(op, builder, scalar)

    def _by_component(self, op: Operation, builder: Builder, matrices: Sequence[Value], compute: Components) -> None:
        held = [self._held[matrix] for matrix in matrices]
        if not any(isinstance(each.type, MemrefType) for each in held):
            self._held[op.results[0]] = compute(builder, *held)
            return
        target = self._target(op, matrices, builder)

        def write(on: Builder, points: list[Value]) -> None:
            on.store(compute(on, *(self._component(on, each, points) for each in held)), target, points)

        self._points(builder, target.type.shape, write)
        self._held[op.results[0]] = target

    def _apply(self, op: CooperativeMatrixApply, builder: Builder, scalar: Callable[[Value], Value]) -> None:
        outside = {value: scalar(value) for value in op.captured()}
        held = [self._held[matrix] for matrix in op.matrices]
        target = self._target(op, op.matrices, builder)

        def write(on: Builder, points: list[Value]) -> None:
            row_and_column = [on.cast(point, i32) for point in points]
            components = [self._component(on, each, points) for each in held]
            on.store(apply_to(on, op, row_and_column, components, outside), target, points)

        self._points(builder, target.type.shape, write)
        self._held[op.result] = target

    def _reduce(self, op: CooperativeMatrixReduce, builder: Builder) -> None:
        """A loop along each row or column; f16 and bf16 are computed in f32 and rounded at the end."""
        held, by_rows = self._held[op.a], REDUCES_ROWS[op.variant]
        target = self._memory(builder, op.result.type, op.result.name)
        component = op.a.type.component
        wide = compute_type(component)
        length = op.a.type.columns if by_rows else op.a.type.rows
        stop = builder.constant(index, length)

        def entry(on: Builder, points: list[Value]) -> None:
            def term(inner: Builder, number: Value) -> Value:
                indices = [points[0], number] if by_rows else [number, points[1]]
                return inner.cast(self._component(inner, held, indices), wide)

            def step(inner: Builder, number: Value, carried: list[Value]) -> list[Value]:
                return [inner.arith(op.combines, carried[0], term(inner, number))]

            total = term(on, on.zero(index))
            if length > 1:
                (total,) = on.loop(stop, [total], step, first=1)
            on.store(on.cast(total, component), target, points)

        self._points(builder, target.type.shape, entry)
        self._held[op.result] = target

    def extracted(self, op: CooperativeMatrixExtract, builder: Builder, lane: Value, lanes: int) -> Value:
        """The component of a work-item; 0 where the matrix has no such row."""
        type_, held = op.matrix.type, self._held[op.matrix]
        first, column, count = place_of(type_, op.index, lanes)

        def read(on: Builder) -> Value:
            return self._component(on, held, [self._row(on, lane, first), on.constant(index, column)])

        if count == lanes:
            return read(builder)
        condition = builder.compare("lt", lane, builder.constant(index, count))
        zero = builder.zero(type_.component)
        return builder.branch(condition, [type_.component], lambda on: [read(on)], lambda on: [zero])[0]

    def insert(
        self, op: CooperativeMatrixInsert, builder: Builder, numbers: Callable[[Builder, Value], Value], lanes: int
    ) -> None:
        """Replace a component of each work-item that has the row by its number, one of `numbers`."""
        target, held = self._target(op, [op.matrix], builder), self._held[op.matrix]
        if target is not held:
            self._copy(builder, held, target)
        first, column, count = place_of(op.matrix.type, op.index, lanes)

        def write(on: Builder, lane: Value) -> None:
            on.store(numbers(on, lane), target, [self._row(on, lane, first), on.constant(index, column)])

        each_lane(builder, count, write)
        self._held[op.result] = target

    def _row(self, builder: Builder, lane: Value, first: int) -> Value:
        return builder.arith("add", lane, builder.constant(index, first)) if first else lane

    def _mul_add(self, op: CooperativeMatrixMulAdd, builder: Builder) -> None:
        # The sum is computed in C's component type, or the type that C's is computed in, rounded to it, and cast to the
        # result's.
        component, result_component = op.C.type.component, op.result.type.component
        total = self._held[op.C]
        if not self._ends(op.C, op):
            total = self._memory(builder, op.C.type, op.result.name)
            self._copy(builder, self._held[op.C], total)
        a, b = self._in_memory(op.A, builder), self._in_memory(op.B, builder)
        turned_a, turned_b = ("t" if value in self._transposed else "n" for value in (op.A, op.B))
        product = promote(op.A.type.component, op.B.type.component)
        assert product is not None, "the verifier has checked it"
        if self.foreach_builder is None and not component.is_complex:
            alpha, beta = builder.one(product), builder.one(component)
            builder.add(
                Gemm(op.location, transpose_a=turned_a, transpose_b=turned_b, alpha=alpha, A=a, B=b, beta=beta, C=total)
            )
        else:
            # times one, infinities of complex numbers become nans
            self._sum_products(builder, a, b, total)
        self._held[op.result] = total
        if result_component != component:
            result = self._memory(builder, op.result.type, op.result.name)

            def write(on: Builder, points: list[Value]) -> None:
                on.store(on.cast(on.load(total, points), result_component), result, points)

            self._points(builder, result.type.shape, write)
            self._held[op.result] = result

    def _in_memory(self, matrix: Value, builder: Builder) -> Value:
        held = self._held[matrix]
        if isinstance(held.type, MemrefType):
            return held
        memory = self._memory(builder, matrix.type, matrix.name)
        self._copy(builder, held, memory)
        return memory

    def _sum_products(self, builder: Builder, a: Value, b: Value, total: Value) -> None:
        """Add a product to memory, component by component."""
        component: ScalarType = total.type.element
        wide = compute_type(component)
        zero, depth = builder.zero(wide), builder.constant(index, a.type.shape[1])

        def entry(on: Builder, points: list[Value]) -> None:
            i, j = points

            def step(inner: Builder, k: Value, carried: list[Value]) -> list[Value]:
                left, right = inner.cast(inner.load(a, [i, k]), wide), inner.cast(inner.load(b, [k, j]), wide)
                return [inner.arith("add", carried[0], inner.arith("mul", left, right))]

            (product,) = on.loop(depth, [zero], step)
            sum_ = on.arith("add", product, on.cast(on.load(total, points), wide))
            on.store(on.cast(sum_, component), total, points)

        self._points(builder, total.type.shape, entry)

    def _load(self, op: CooperativeMatrixLoad, builder: Builder, scalar: Callable[[Value], Value]) -> None:
        memref = scalar(op.M)
        if op.result in self._factors and self.foreach_builder is None:
            self._read_in_place(op, memref, [scalar(op.x), scalar(op.y)], builder)
            return
        outside = scalar(op.padding) if isinstance(op, LoadPadded) else None
        self._access_each(op, builder, scalar, outside, lambda on, _, element: load_component(on, op, memref, element))

    def _read_in_place(
        self, op: CooperativeMatrixLoad, memref: Value, first: Sequence[Value], builder: Builder
    ) -> None:
        """Hold a matrix in the memory that it is loaded from."""
        shape = op.result.type.shape
        if TRANSPOSES[op.transpose]:
            self._transposed.add(op.result)
            shape = shape[::-1]
        slices = [Slice(begin, size) for begin, size in zip(first, shape)]
        view = Subview(op.location, None, [op.result.name], tensor=memref, slices=slices)
        self._held[op.result] = builder.add(view).results[0]

    def _update(self, op: CooperativeMatrixAtomicUpdate, builder: Builder, scalar: Callable[[Value], Value]) -> None:
        memref, held = scalar(op.M), self._held[op.A]

        def update(on: Builder, points: Sequence[Value], element: Sequence[Value]) -> Value:
            return update_component(on, op, self._component(on, held, points), memref, element)

        self._access_each(op, builder, scalar, None, update)

    def _access_each(
        self,
        op: CooperativeMatrixLoad | CooperativeMatrixAtomicUpdate,
        builder: Builder,
        scalar: Callable[[Value], Value],
        outside: Value | None,
        access: Callable[[Builder, Sequence[Value], Sequence[Value]], Value],
    ) -> None:
        """What an access gives for each component, `access(builder, component, element)`; 0 or a number outside."""
        rectangle = _Place(op, builder, scalar, TRANSPOSES[op.transpose])
        target = self._memory(builder, op.result.type, op.result.name)
        component = op.result.type.component

        def read(on: Builder, points: list[Value]) -> None:
            element = rectangle.element(on, points)
            is_within = rectangle.is_within(on, element)
            if is_within is None:
                value = access(on, points, element)
            else:
                beyond = on.zero(component) if outside is None else outside
                (value,) = on.branch(
                    is_within, [component], lambda inner: [access(inner, points, element)], lambda inner: [beyond]
                )
            on.store(value, target, points)

        self._points(builder, target.type.shape, read)
        self._held[op.result] = target

    def _store(self, op: CooperativeMatrixStore, builder: Builder, scalar: Callable[[Value], Value]) -> None:
        rectangle = _Place(op, builder, scalar, TRANSPOSES[op.transpose])
        held = self._held[op.A]

        def write(on: Builder, points: list[Value]) -> None:
            element = rectangle.element(on, points)

            def store(inner: Builder) -> list[Value]:
                store_component(inner, op, self._component(inner, held, points), rectangle.memref, element)
                return []

            is_within = rectangle.is_within(on, element)
            if is_within is None:
                store(on)
            else:
                on.branch(is_within, [], store)

        self._points(builder, op.A.type.shape, write)


def _may_stay(factor: Value, until_last_use: Sequence[Operation]) -> bool:
    """Whether the memory that a matrix is loaded from is as good as the matrix: products read it, nothing writes it.

    The instructions are those behind the load, up to the last that uses the matrix.
    """
    for op in until_last_use:
        if op.writes or op.regions or op.callee is not None or isinstance(op, Barrier):
            return False
        is_product = isinstance(op, CooperativeMatrixMulAdd) and factor is not op.C
        if factor in op.operands and (not is_product or op.results[0].type.component.is_complex):
            return False
    return True


class _Place:
    """Where the components of a matrix lie in a memref, and which of them have bounds checks."""

    def __init__(self, op: Operation, builder: Builder, scalar: Callable[[Value], Value], is_transposed: bool) -> None:
        assert isinstance(op, (CooperativeMatrixLoad, CooperativeMatrixStore))
        self.memref = scalar(op.M)
        self._first = [scalar(op.x), scalar(op.y)]
        self._is_transposed = is_transposed
        modes = [{"rows": 0, "cols": 1}[side] for side in CHECKED_SIDES[op.checked]]
        # the rows of a transposed matrix are the columns of the memref
        self._ends = {
            mode: self._extent(builder, mode) for mode in sorted(1 - mode if is_transposed else mode for mode in modes)
        }

    def _extent(self, builder: Builder, mode: int) -> Value:
        extent = self.memref.type.shape[mode]
        if isinstance(extent, int):
            return builder.constant(index, extent)
        # not at the function's beginning: the memref may be defined later
        return builder.add(Size(builder.location, [index], tensor=self.memref, mode=mode)).results[0]

    def element(self, builder: Builder, points: Sequence[Value]) -> list[Value]:
        """The indices of a component in the memref."""
        own = points[::-1] if self._is_transposed else points
        pairs = zip(self._first, own)
        return [point if constant_of(first) == 0 else builder.arith("add", first, point) for first, point in pairs]

    def is_within(self, builder: Builder, element: Sequence[Value]) -> Value | None:
        """The condition that an element lies in the memref, where that is checked."""
        condition: Value | None = None
        for mode, end in self._ends.items():
            for fits in (
                builder.compare("ge", element[mode], builder.zero(index)),
                builder.compare("lt", element[mode], end),
            ):
                condition = fits if condition is None else builder.arith("and", condition, fits)
        return condition
