"""gemm by register tiles: vectors of sums for some rows and columns of the result stay in registers.

A cpu.kernel may have several products: sums of products with one result, and products whose left factor is a register
tile that was computed before and never leaves the registers. In every instruction that a tile goes through, its rows
depend on the same rows of earlier instructions only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any

from llvmlite import ir

from ....ir.types import GroupType, ScalarType, compute_type
from ....ir.values import Value
from ....ops import Foreach, Gemm, Load
from ....ops.constants import constant_of, is_constant
from ....ops.updates import TRANSPOSES
from ....passes.targets.cpu import Kernel
from ....passes.targets.cpu_attributes import (
    ACCUMULATE,
    COLUMNS,
    COLUMNS_OUTER,
    LANES,
    MIN_LANES,
    OUTER,
    UNROLL,
    VECTORS,
    decided,
)
from ..device.elements import I64
from . import access, lanes, numbers, points
from .access import Index
from .arithmetic import Arithmetic, Sums
from .context import Context, Number, Tensor, plus
from .rows import RowTile, Vector, for_each_block, for_each_tile, row_of
from .scheduled_prefetch import ScheduledPrefetches, TilePrefetches

Column = list[ir.Value]
"""The vectors of one column of a tile."""


class Products:
    """The gemms of a cpu.kernel, each given once per interleaved work-group."""

    def __init__(
        self,
        context: Context,
        kernel: Kernel,
        products: Sequence[Sequence[Gemm]],
        epilogue: Sequence[Sequence[Foreach]],
    ) -> None:
        self.context = context
        self.kernel = kernel
        self.lanes, self.columns, self.unroll = (decided(kernel, name) for name in (LANES, COLUMNS, UNROLL))
        self.epilogue = epilogue
        """What is done to each element of the last result."""
        rest = iter(products)
        self.sums = [list(islice(rest, count)) for count in decided(kernel, ACCUMULATE)]
        """The products that are summed in the same registers."""
        self.prefetches = ScheduledPrefetches(context, kernel, products, self.lanes)
        self.registers: dict[Value, list[Column]] = {}
        """The values that stay in registers, as columns of the current tile."""

    def write(self) -> None:
        result = self.context.values[self.sums[-1][-1][0].C]
        if decided(self.kernel, OUTER) == COLUMNS_OUTER:
            for_each_block(self.context, result.shape[1], self.columns, partial(self._block, result.shape[0]))
        else:
            self._rows(result.shape[0], self._tile)

    def _rows(self, rows: Number, write: Callable[[RowTile], None]) -> None:
        vectors, min_lanes = (decided(self.kernel, name) for name in (VECTORS, MIN_LANES))
        for_each_tile(self.context, rows, self.lanes, vectors, write, min_lanes)

    def _block(self, rows: Number, first: Number, count: int) -> None:
        (products,) = self.sums
        self._rows(rows, lambda tile: _Step(self, tile, products).update(first, count))

    def _tile(self, tile: RowTile) -> None:
        self.registers = {}
        for products in self.sums:
            _Step(self, tile, products).write()


class _Step:
    """A sum of products for one tile."""

    def __init__(self, owner: Products, tile: RowTile, products: list[Sequence[Gemm]]) -> None:
        self.owner = owner
        self.context = owner.context
        self.tile = tile
        self.products = products
        self.ops = products[0]
        element: ScalarType = self.ops[0].C.type.element
        self.type = compute_type(element)
        self.arithmetic = Arithmetic(self.context.builder, self.type, owner.lanes)

    def write(self) -> None:
        results = [self.context.values.get(op.C) for op in self.ops]
        if results[0] is None:  # it stays in registers
            for op in self.ops:
                self.owner.registers[op.C] = []
            for_each_block(self.context, self.ops[0].C.type.shape[1], self.owner.columns, self._keep, True)
            return
        for_each_block(self.context, results[0].shape[1], self.owner.columns, self.update)

    def _keep(self, first: Number, count: int) -> None:
        for op, sums in zip(self.ops, self._sums(first, count, None)):
            columns = [[self._scaled(op, total) for total in map(self.arithmetic.total, column)] for column in sums]
            self.owner.registers[op.C] += columns

    def update(self, first: Number, count: int) -> None:
        """Compute the sums, and write the columns of the result."""
        builder = self.context.builder
        starts_with = is_constant(self.ops[0].alpha, 1) and is_constant(self.ops[0].beta, 1)
        before = [self._loaded(op.C, first, count) for op in self.ops] if starts_with else None
        for group, (op, sums) in enumerate(zip(self.ops, self._sums(first, count, before))):
            fresh = [[self._scaled(op, total) for total in self._totals(column)] for column in sums]
            if starts_with or is_constant(op.beta, 0):
                self._store(group, first, fresh)
            elif constant_of(op.beta) is not None:
                self._store(group, first, self._with_beta(op, fresh, first))
            else:
                with builder.if_else(self._is_zero(op.beta)) as (zero, other):
                    with zero:
                        self._store(group, first, fresh)
                    with other:
                        self._store(group, first, self._with_beta(op, fresh, first))

    def _totals(self, column: list[Sums]) -> Column:
        """A column of sums, with the number of lanes of its vectors in memory."""
        totals = map(self.arithmetic.total, column)
        return [self.arithmetic.narrowed(total, vector.lanes.count) for total, vector in zip(totals, self.tile.vectors)]

    # Sums.

    def _sums(self, first: Number, count: int, before: list[list[Column]] | None) -> list[list[list[Sums]]]:
        """The sums of all products, by work-group, column and vector."""
        if before is None:
            nothing = [self.arithmetic.nothing()] * len(self.tile.vectors)
            sums = [[nothing for _ in range(count)] for _ in self.ops]
        else:
            sums = [[[self._begun(vector) for vector in column] for column in columns] for columns in before]
        for ops in self.products:
            sums = self._add_products(ops, first, count, sums)
        return sums

    def _begun(self, vector: ir.Value) -> Sums:
        """A sum whose initial value is a vector of the result."""
        return self.arithmetic.starting_with(self.arithmetic.widened(vector))

    def _add_products(
        self, ops: Sequence[Gemm], first: Number, count: int, sums: list[list[list[Sums]]]
    ) -> list[list[list[Sums]]]:
        rights = [_operand(self.context, op.B, op.transpose_b) for op in ops]
        lefts = [_operand(self.context, op.A, op.transpose_a) for op in ops]

        def step(k: Number, sums: list[list[list[Sums]]]) -> list[list[list[Sums]]]:
            columns_of_a: dict[Any, Column] = {}
            for op, left in zip(ops, lefts):
                if (op.A, op.transpose_a) not in columns_of_a:
                    columns_of_a[op.A, op.transpose_a] = self._column_of(op, left, k)
            after: list[list[list[Sums]]] = [[] for _ in ops]
            # the last use of a factor is before the next one is loaded, so that its register is live for a short time
            for j in range(count):
                factors: dict[Any, Sums] = {}
                for group, (op, right) in enumerate(zip(ops, rights)):
                    if (op.B, op.transpose_b) not in factors:
                        column = plus(self.context.builder, first, j)
                        factors[op.B, op.transpose_b] = self._factor(right, k, column)
                    factor, column_of_a = factors[op.B, op.transpose_b], columns_of_a[op.A, op.transpose_a]
                    after[group].append(
                        [self.arithmetic.add_product(s, a, factor) for s, a in zip(sums[group][j], column_of_a)]
                    )
            return after

        depth = lefts[0].shape[1] if lefts[0] is not None else ops[0].A.type.shape[1]
        prefetches = self.owner.prefetches.of_tile(ops, self.tile, first, count)
        return self._over_k(depth, sums, step, prefetches, is_unrolled=lefts[0] is None)

    def _over_k(
        self,
        depth: Number,
        sums: Any,
        step: Callable[[Number, Any], Any],
        prefetches: TilePrefetches,
        is_unrolled: bool,
    ) -> Any:
        """All steps of the sum, in an unrolled loop, with software prefetch."""
        unroll = self.owner.unroll
        if isinstance(depth, int) and (is_unrolled or depth <= unroll):
            prefetch = prefetches.begin()

            def prefetching(k: Number, sums: Any) -> Any:
                prefetch(k)
                return step(k, sums)

            return round_accumulators(prefetching, 0, depth, sums)
        whole = self.context.multiple_below(depth, unroll)
        prefetch_in = prefetches.begin()

        def step_group(steps: int) -> Callable[[Number, list[ir.Value]], list[ir.Value]]:
            def write(k: Number, carried: list[ir.Value]) -> list[ir.Value]:
                prefetch_in(k // unroll if isinstance(k, int) else self.context.builder.udiv(k, I64(unroll)))
                inner = _shaped_like(sums, carried)
                for u in range(steps):
                    inner = step(plus(self.context.builder, k, u), inner)
                return _flat(inner)

            return write

        carried = self.context.loop(0, whole, unroll, _flat(sums), step_group(unroll))
        if isinstance(depth, int):
            return round_accumulators(step, whole, depth, _shaped_like(sums, carried))
        carried = self.context.loop(whole, depth, 1, carried, step_group(1))
        return _shaped_like(sums, carried)

    def _column_of(self, op: Gemm, left: Tensor | None, k: Number) -> Column:
        """The vectors of a column of the left factor."""
        if left is None:
            assert isinstance(k, int)
            return self.owner.registers[op.A][k]
        column = []
        for vector in self.tile.vectors:
            row = row_of(self.context, self.tile, vector)
            value = _rows(self.context, left, row, k, vector)
            column.append(self.arithmetic.widened(lanes.convert(self.context.builder, value, left.element, self.type)))
        return column

    def _factor(self, right: Tensor | None, k: Number, j: Number) -> Sums:
        assert right is not None  # only left factors stay in registers
        builder = self.context.builder
        parts = lanes.load_scalar(self.context, right, (k, j))
        component = right.element.component
        return self.arithmetic.factor([lanes.convert(builder, part, component, self.type.component) for part in parts])

    # Results.

    def _loaded(self, target: Value, first: Number, count: int) -> list[Column]:
        tensor = self.context.values[target]
        return [
            [
                lanes.load(
                    self.context,
                    tensor,
                    (row_of(self.context, self.tile, vector), plus(self.context.builder, first, j)),
                    vector.lanes,
                )
                for vector in self.tile.vectors
            ]
            for j in range(count)
        ]

    def _store(self, group: int, first: Number, columns: list[Column]) -> None:
        for j, column in enumerate(columns):
            column_index = plus(self.context.builder, first, j)
            self._write(group, self._finished(group, column, column_index), column_index)

    def _write(self, group: int, column: Column, j: Number) -> None:
        tensor = self.context.values[self.ops[group].C]
        for vector, value in zip(self.tile.vectors, column):
            lanes.store(self.context, value, tensor, (row_of(self.context, self.tile, vector), j), vector.lanes)

    def _finished(self, group: int, column: Column, j: Number) -> Column:
        """A column of a result after the kernel's epilogue."""
        target = self.ops[group].C
        epilogue = self.owner.epilogue if self.ops[0] is self.owner.sums[-1][0][0] else ()
        if epilogue:
            column = [lanes.as_stored(self.context.builder, target.type.element, value) for value in column]
        for step in epilogue:
            if _may_read(step[group], target):
                self._write(group, column, j)
            after = []
            for vector, value in zip(self.tile.vectors, column):
                row = row_of(self.context, self.tile, vector)
                held = points.apply(self.context, step[group], row, [j], vector.lanes, {target: value})
                after.append(held[target])
            column = after
        return column

    def _with_beta(self, op: Gemm, fresh: list[Column], first: Number) -> list[Column]:
        before = self._loaded(op.C, first, len(fresh))
        if is_constant(op.beta, 1):
            return [[self.arithmetic.add(a, b) for a, b in zip(*pair)] for pair in zip(fresh, before)]
        beta = self._scalar(op.beta)
        return [[self.arithmetic.scale_and_add(b, beta, a) for a, b in zip(*pair)] for pair in zip(fresh, before)]

    def _scaled(self, op: Gemm, value: ir.Value) -> ir.Value:
        return value if is_constant(op.alpha, 1) else self.arithmetic.scale(value, self._scalar(op.alpha))

    def _scalar(self, value: Value) -> Sums:
        """A number of the language as a factor in the type of the computation."""
        builder = self.context.builder
        parts = scalar_parts(self.context, value)
        type_ = value.type.component
        return self.arithmetic.factor([lanes.convert(builder, part, type_, self.type.component) for part in parts])

    def _is_zero(self, value: Value) -> ir.Value:
        builder = self.context.builder
        tests = []
        for part in scalar_parts(self.context, value):
            zero = lanes.constant(part.type, 0)
            is_integer = isinstance(part.type, ir.IntType)
            tests.append(
                builder.icmp_signed("==", part, zero) if is_integer else builder.fcmp_ordered("==", part, zero)
            )
        return tests[0] if len(tests) == 1 else builder.and_(*tests)


def _rows(context: Context, left: Tensor, row: Number, k: Number, vector: Vector) -> ir.Value:
    """Some rows of a column, which need not be contiguous."""
    if left.strides[0] == 1 and isinstance(left.strides[0], int):
        return lanes.load(context, left, (row, k), vector.lanes)
    rows = access.load(context, left, (Index(row, 1), Index(k, 0)), vector.lanes)
    if not left.element.is_complex:
        return rows
    return lanes.interleave(context.builder, *numbers.parts_of(context.builder, rows))


def _may_read(op: Foreach, target: Value) -> bool:
    """Whether a `foreach` may read the result as another array: the same one may be passed for two parameters.

    It may read the element of its own point only; to read that of another point would be a race.
    """
    others = [i.tensor.type for i in op.body.walk() if isinstance(i, Load) and i.tensor is not target]
    spaces = [type_.memref.space if isinstance(type_, GroupType) else type_.space for type_ in others]
    return target.type.space == "global" and "global" in spaces


def scalar_parts(context: Context, value: Value) -> tuple[ir.Value, ...]:
    """The parts of a number, in register form."""
    known = constant_of(value)
    if known is not None:
        type_ = lanes.component_of(compute_type(value.type))
        parts = (known.real, known.imag) if value.type.is_complex else (known,)
        return tuple(lanes.constant(type_, part) for part in parts)
    register = context.values[value]
    if value.type.is_complex:
        return (context.builder.extract_value(register, 0), context.builder.extract_value(register, 1))
    return (register,)


def round_accumulators(step: Callable[[Number, Any], Any], first: int, last: int, sums: Any) -> Any:
    for k in range(first, last):
        sums = step(k, sums)
    return sums


def _operand(context: Context, value: Value, transpose: str) -> Tensor | None:
    tensor = context.values.get(value)
    if tensor is None:
        return None
    return tensor.transposed() if TRANSPOSES[transpose] else tensor


def _flat(nested: Any) -> list[ir.Value]:
    """The vectors of nested lists and tuples, in order."""
    if isinstance(nested, (list, tuple)):
        return [value for inner in nested for value in _flat(inner)]
    return [nested]


def _shaped_like(nested: Any, flat: Sequence[ir.Value]) -> Any:
    """Other vectors, nested like the structure that `_flat` made flat."""
    rest = iter(flat)

    def fill(model: Any) -> Any:
        if isinstance(model, (list, tuple)):
            return type(model)(fill(inner) for inner in model)
        return next(rest)

    return fill(nested)
