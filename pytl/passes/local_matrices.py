"""Cooperative matrices in local memory, with which one agent computes for the whole sub-group.

A matrix of X rows and Y columns is a `memref<T x X x Y>`; one whose components are all equal, such as a constant, is a
scalar. A product is a `gemm` into the memory of the sum. The result of a component-wise instruction takes the memory of
an operand that is dead afterwards, and so does the sum of a product.

Where nothing is written until the last use, a matrix is read in place, from the memory that it is loaded from; and what
a component-wise instruction gives to another one alone is computed there, component by component.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, MemrefType, ScalarType, compute_type, i32, index, promote
from ..ir.values import Region, Value
from ..ops import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Axpby,
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
    CooperativeMatrixStoreTransposed,
    For,
    Gemm,
    If,
    LoadPadded,
    Size,
    Slice,
    Subview,
)
from ..ops.builder import Builder
from ..ops.constants import are_same, constant_of
from ..ops.coopmatrix import CHECKED_SIDES, is_matrix
from ..ops.matrix_components import place_of
from ..ops.matrix_functions import REDUCES_ROWS
from ..ops.updates import TRANSPOSES
from ..ops.views import root_of
from ..process.records import dataclass
from .matrix_atomics import load_component, store_component, update_component
from .matrix_functions import Compute, apply_to, by_component

_COMPONENT_WISE = (ArithBinary, ArithUnary, Cast, CooperativeMatrixApply, CooperativeMatrixScale)
_BY_COMPONENT = (*_COMPONENT_WISE, CooperativeMatrixReduce, CooperativeMatrixStore)
"""The instructions that may compute the components of their operands, each once."""


def each_lane(builder: Builder, count: int, body: Callable[[Builder, Value], None]) -> None:
    """Execute `body` for the first work-items of a sub-group."""
    if count == 1:
        body(builder, builder.zero(index))
    else:
        builder.foreach([builder.constant(index, count)], lambda on, points: body(on, points[0]))


class LocalMatrices:
    """The memory of a function's matrices, and instructions on them.

    With `may_overlap`, the memory of different parameters may be the same.
    """

    def __init__(self, may_overlap: bool = False) -> None:
        self.may_overlap = may_overlap
        self._held: dict[Value, Value] = {}
        """The memory of each matrix, or the scalar that all its components equal."""
        self._computed: dict[Value, Compute] = {}
        """What computes a component of each other matrix, where it is used."""
        self._places: dict[Value, list[_InPlace]] = {}
        """The memory of the program that a matrix is read from whenever its components are."""
        self._last: dict[Value, Operation] = {}
        """The last instruction that uses a matrix, or contains a use, in the region that defines the matrix."""
        self._staying: set[Value] = set()
        """What is loaded and may be read from the memory that it is loaded from."""
        self._deferred: set[Value] = set()
        """What the only instruction that uses it may compute."""
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
        operations = region.operations
        for op in operations:
            matrices = {value for value in op.operands if is_matrix(value)}
            for inner in op.regions:
                matrices |= self.learn(inner)
            self._last.update((value, op) for value in matrices if value in own)
            own.update(op.results)
            uses.append(matrices)
        computed = list(range(len(operations)))
        """Where each instruction is computed."""
        for n, op in reversed(list(enumerate(operations))):
            users = [m for m in range(n + 1, len(uses)) if any(result in uses[m] for result in op.results)]
            if not users or any(map(_disturbs, operations[n + 1 : users[-1]])):
                continue
            last = operations[users[-1]]
            if type(op) is CooperativeMatrixLoad and not op.checked:
                if _may_stay(op, [operations[m] for m in users]):
                    self._staying.add(op.result)
            elif isinstance(op, _COMPONENT_WISE) and isinstance(last, _BY_COMPONENT) and not _is_atomic(last):
                if len(users) > 1 or last.operands.count(op.results[0]) > 1:
                    continue
                self._deferred.add(op.results[0])
                computed[n] = computed[users[-1]]
                for value in uses[n] & own:  # the memory of what it reads is kept until then
                    if operations.index(self._last[value]) < computed[n]:
                        self._last[value] = operations[computed[n]]
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
        is_own = matrix not in self._computed and matrix not in self._places
        return is_own and _is_memory(self._held[matrix]) and self._last.get(matrix) is op

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
        if self.foreach_builder is None and sizes[0] == 1:  # lanes are the values of the first variable
            row = builder.zero(index)
            builder.foreach(stops[1:], lambda on, points: body(on, [row, *points]))
        elif self.foreach_builder is None:
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

    def _source(self, matrix: Value) -> Value | Compute:
        """Where components of a matrix come from."""
        return self._computed[matrix] if matrix in self._computed else self._held[matrix]

    def _component(self, builder: Builder, held: Value | Compute, indices: Sequence[Value]) -> Value:
        if isinstance(held, Value):
            return builder.load(held, indices) if _is_memory(held) else held
        return held(builder, indices)

    def _copy(self, builder: Builder, source: Value | Compute, target: Value) -> None:
        self._points(
            builder, target.type.shape, lambda on, points: on.store(self._component(on, source, points), target, points)
        )

    # Instructions.

    def lower(self, op: Operation, builder: Builder, scalar: Callable[[Value], Value]) -> None:
        """Write what an instruction on matrices does; `scalar` maps other operands to their replacements."""
        found = by_component(op, scalar)
        if found is not None:
            self._by_component(op, builder, *found)
        elif isinstance(op, Constant):
            self._held[op.result] = builder.constant(op.result.type.component, op.literal)
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

    def _by_component(self, op: Operation, builder: Builder, matrices: Sequence[Value], compute: Compute) -> None:
        held = [self._source(matrix) for matrix in matrices]
        if all(isinstance(each, Value) and not _is_memory(each) for each in held):
            self._held[op.results[0]] = compute(builder, *held)
        else:
            self._give(
                op, matrices, builder, lambda on, at: compute(on, *(self._component(on, each, at) for each in held))
            )

    def _give(self, op: Operation, matrices: Sequence[Value], builder: Builder, component: Compute) -> None:
        """Let `component(builder, indices)` be the components of a result: in memory, or where they are used."""
        result = op.results[0]
        if result in self._deferred and self.foreach_builder is None:
            self._computed[result] = component
            self._places[result] = [place for matrix in matrices for place in self._places.get(matrix, ())]
            return
        target = self._target(op, matrices, builder)
        self._points(builder, target.type.shape, lambda on, at: on.store(component(on, at), target, at))
        self._held[result] = target

    def _apply(self, op: CooperativeMatrixApply, builder: Builder, scalar: Callable[[Value], Value]) -> None:
        outside = {value: scalar(value) for value in op.captured()}
        held = [self._source(matrix) for matrix in op.matrices]

        def component(on: Builder, points: Sequence[Value]) -> Value:
            row_and_column = [on.cast(point, i32) for point in points]
            components = [self._component(on, each, points) for each in held]
            return apply_to(on, op, row_and_column, components, outside)

        self._give(op, op.matrices, builder, component)

    def _reduce(self, op: CooperativeMatrixReduce, builder: Builder) -> None:
        """A loop along each row or column; f16 and bf16 are computed in f32 and rounded at the end."""
        held, by_rows = self._source(op.a), REDUCES_ROWS[op.variant]
        target = self._memory(builder, op.result.type, op.result.name)
        component = op.a.type.component
        turned: Value | None = None
        if not (by_rows or self.foreach_builder):  # so that columns are the lanes of vectors
            turned = builder.allocate(component, op.a.type.shape[::-1], op.a.name)
            self._turn(builder, self._in_memory(op.a, builder), turned)
        wide = compute_type(component)
        length = op.a.type.columns if by_rows else op.a.type.rows
        stop = builder.constant(index, length)

        def entry(on: Builder, points: list[Value]) -> None:
            def term(inner: Builder, number: Value) -> Value:
                if turned is not None:
                    return inner.cast(inner.load(turned, [points[1], number]), wide)
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
        if self.foreach_builder is None:
            alpha, beta = builder.one(product), builder.one(component)
            builder.add(
                Gemm(op.location, transpose_a=turned_a, transpose_b=turned_b, alpha=alpha, A=a, B=b, beta=beta, C=total)
            )
        else:
            self._sum_products(builder, a, b, total)
        self._held[op.result] = total
        if result_component != component:
            result = self._memory(builder, op.result.type, op.result.name)

            def write(on: Builder, points: list[Value]) -> None:
                on.store(on.cast(on.load(total, points), result_component), result, points)

            self._points(builder, result.type.shape, write)
            self._held[op.result] = result

    def _in_memory(self, matrix: Value, builder: Builder) -> Value:
        source = self._source(matrix)
        if isinstance(source, Value) and _is_memory(source):
            return source
        memory = self._memory(builder, matrix.type, matrix.name)
        self._copy(builder, source, memory)
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
        if type(op) is CooperativeMatrixLoad and not op.checked and self.foreach_builder is None:
            is_transposed = TRANSPOSES[op.transpose]
            if op.result in self._staying:
                self._places[op.result] = [_InPlace(memref, scalar(op.x), scalar(op.y), op.result.type.shape)]
                self._held[op.result] = self._view(op, op.result, builder, scalar)
                if is_transposed:
                    self._transposed.add(op.result)
                return
            if is_transposed:
                self._held[op.result] = target = self._memory(builder, op.result.type, op.result.name)
                self._turn(builder, self._view(op, op.result, builder, scalar), target)
                return
        outside = scalar(op.padding) if isinstance(op, LoadPadded) else None
        self._access_each(op, builder, scalar, outside, lambda on, _, element: load_component(on, op, memref, element))

    def _view(
        self,
        op: CooperativeMatrixLoad | CooperativeMatrixStore,
        matrix: Value,
        builder: Builder,
        scalar: Callable[[Value], Value],
    ) -> Value:
        """The memory of the program that a matrix is loaded from or stored to."""
        shape = matrix.type.shape[::-1] if TRANSPOSES[op.transpose] else matrix.type.shape
        slices = [Slice(scalar(begin), size) for begin, size in zip((op.x, op.y), shape)]
        return builder.add(Subview(op.location, None, [matrix.name], tensor=scalar(op.M), slices=slices)).results[0]

    def _turn(self, builder: Builder, source: Value, target: Value) -> None:
        """Copy a matrix, transposed."""
        element = source.type.element
        one, zero = builder.one(element), builder.zero(element)
        builder.add(Axpby(builder.location, transpose="t", alpha=one, A=source, beta=zero, B=target))

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
        source, is_turned = self._source(op.A), op.A in self._transposed
        if any(self._may_be_written(place, op, rectangle.memref, scalar) for place in self._places.get(op.A, ())):
            copy = self._memory(builder, op.A.type, op.A.name)
            if is_turned:
                self._turn(builder, self._held[op.A], copy)
            else:
                self._copy(builder, source, copy)
            source, is_turned = copy, False
        is_plain = not (op.checked or op.flag or self.foreach_builder)
        turns = is_turned or (is_plain and type(op) is CooperativeMatrixStoreTransposed)
        if turns and isinstance(source, Value) and _is_memory(source):
            self._turn(builder, source, self._view(op, op.A, builder, scalar))
            return

        def write(on: Builder, points: list[Value]) -> None:
            element = rectangle.element(on, points)

            def store(inner: Builder) -> list[Value]:
                store_component(inner, op, self._component(inner, source, points), rectangle.memref, element)
                return []

            is_within = rectangle.is_within(on, element)
            if is_within is None:
                store(on)
            else:
                on.branch(is_within, [], store)

        self._points(builder, op.A.type.shape, write)

    def _may_be_written(
        self, place: _InPlace, op: CooperativeMatrixStore, memref: Value, scalar: Callable[[Value], Value]
    ) -> bool:
        """Whether a store may write what is still to be read: not where it writes each component where it is read."""
        is_there = memref is place.memref and place.shape == op.A.type.shape and not TRANSPOSES[op.transpose]
        if is_there and are_same(place.x, scalar(op.x)) and are_same(place.y, scalar(op.y)):
            return False
        roots = root_of(memref), root_of(place.memref)
        is_local = any(isinstance(root.owner, Alloca) for root in roots)
        return roots[0] is roots[1] or (self.may_overlap and not is_local)


@dataclass(frozen=True)
class _InPlace:
    """Where a matrix lies that is read in place."""

    memref: Value
    x: Value
    y: Value
    shape: tuple[int, int]


def _is_memory(held: Value) -> bool:
    return isinstance(held.type, MemrefType)


def _disturbs(op: Operation) -> bool:
    """Whether an instruction may write memory, or let others do so, that is read before and behind it."""
    has_regions = bool(op.regions) and not isinstance(op, CooperativeMatrixApply)
    return bool(op.writes) or has_regions or op.callee is not None or isinstance(op, Barrier)


def _is_atomic(op: Operation) -> bool:
    """Whether a store accesses memory that others access meanwhile."""
    plain = (CooperativeMatrixStore, CooperativeMatrixStoreTransposed)
    return isinstance(op, CooperativeMatrixStore) and (type(op) not in plain or bool(op.flag))


def _may_stay(op: CooperativeMatrixLoad, users: Sequence[Operation]) -> bool:
    """Whether the instructions that use a matrix may read it from the memory that it is loaded from.

    Only products, and a store alone, read a transposed matrix.
    """
    if TRANSPOSES[op.transpose]:
        if type(users[0]) is CooperativeMatrixStore and len(users) == 1:
            return not (users[0].checked or users[0].flag)
        return all(isinstance(user, CooperativeMatrixMulAdd) and op.result is not user.C for user in users)
    return all(isinstance(user, (*_BY_COMPONENT, CooperativeMatrixMulAdd)) and not _is_atomic(user) for user in users)


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
