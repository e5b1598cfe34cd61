"""lower-coopmatrix: cooperative matrices as scalars of the work-items of a sub-group.

Row i of a matrix of X rows and Y columns lives in work-item i mod S of the sub-group, S being the sub-group size:
each work-item holds ceil(X / S) blocks of Y scalars, row l + r S in block r of work-item l. Where X is no multiple
of S the last block has padding in some work-items. The padding takes part in the computation, but is neither loaded nor
stored; an operation that is undefined for some numbers is not executed on it.

A matrix whose components are all equal, such as a constant, is a single scalar. Collective regions, where there are no
sub-groups, have only such matrices: a matrix begins there as a constant, and arithmetic, casts, loops and branches on
such matrices give such matrices again.

A sub-group reads and writes matrices as a unit: it has loaded everything before it stores anything. Here its work-items
do so independently, each its rows in program order. The result is the same where a tile is stored as it was loaded, or
stored to other memory. A tile that is loaded transposed and stored in place, for example, needs a target on which the
work-items of a sub-group run in lock step, or a barrier in between.

Everything else is unrolled. A load or store becomes ceil(X / S) Y instructions and as many guards, arithmetic as many;
a product of M×K and K×N becomes K N broadcasts and 2 ceil(M / S) K N multiplications and additions. Where the sub-group
has a matrix unit, 16 steps of the sum are an instruction for each 8 columns of a block. Products of more multiply-adds
than `unrolled` are loops over the work-items that have rows of the right factor. A work-item's numbers of the left
factor have no index in registers: they take turns to be the first one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, ScalarType, compute_type, i32, index
from ..ir.values import Function, Region, Value
from ..ops import (
    ArithBinary,
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
    CooperativeMatrixStore,
    For,
    Foreach,
    If,
    LoadPadded,
    Parallel,
    SubgroupBroadcast,
    SubgroupBuiltin,
    Yield,
)
from ..ops.builder import Builder
from ..ops.coopmatrix import is_matrix
from ..ops.launch_defaults import subgroup_size
from ..ops.matrix_components import rows_of
from ..ops.matrix_functions import REDUCES_ROWS
from ..process.records import dataclass
from .inline_calls import WithoutCalls
from .lower_foreach_tile import LowerForeachTile
from .lower_tiles import LowerTiles
from .manager import register
from .matrix_atomics import load_component, store_component, update_component
from .matrix_functions import Compute, apply_to, by_component
from .matrix_places import Place
from .matrix_sizes import check_size, multiply_adds
from .targets import vector
from .targets.matrix_units import matrix_blocks, matrix_share, matrix_sums, steps_at_once
from .targets.spmd import DEVICES, UNKNOWN

Scalars = Value | list[Value]
"""What a work-item holds of a matrix: block by block the scalars of its row, or one scalar for equal components."""


@register
@dataclass(frozen=True)
class LowerCoopmatrix(WithoutCalls):
    """Distributes the rows of cooperative matrices over the work-items, so that no value of coopmatrix type is left."""

    name = "lower-coopmatrix"
    matrix_types: tuple[str, ...] = ()
    """Element types of which sub-groups multiply whole matrices."""
    unrolled: int = DEVICES[UNKNOWN].unrolled
    """Up to so many multiply-adds of a work-item, a product has no loop."""

    def run(self, function: Function) -> None:
        LowerForeachTile().run(function)
        LowerTiles().run(function)
        if any(is_matrix(value) for op in function.walk() for value in (*op.operands, *op.results)):
            size = subgroup_size(function)
            # what is written depends on it
            function.attributes.setdefault("subgroup_size", size)
            for op in function.walk():
                check_size(op, size, self.unrolled, steps_at_once(op, size, self.matrix_types))
            _Lowering(size, self.matrix_types, self.unrolled).region(function.body, Builder(function.location), False)


class _Lowering:
    """The walk through a function, with the scalars of its matrices."""

    def __init__(self, lanes: int, matrix_types: Sequence[str], unrolled: int) -> None:
        self.lanes = lanes
        self.matrix_types = matrix_types
        self.unrolled = unrolled
        self._scalars: dict[Value, Scalars] = {}
        self._extracted: dict[Value, Value] = {}
        """The scalars in the places of components that were extracted."""

    # Regions and what carries values through them.

    def region(self, region: Region, builder: Builder, is_spmd: bool) -> None:
        """Rewrite a region in place."""
        for op in region.operations:
            builder.location = op.location
            for each in (op, *op.body.walk()) if isinstance(op, CooperativeMatrixApply) else (op,):
                each.replace_operands(lambda value: self._extracted.get(value, value))
            if isinstance(op, (For, If)):
                self._carry(op, builder, is_spmd)
            elif isinstance(op, (Foreach, Parallel)):
                self.region(op.body, Builder(op.location), True)
                builder.add(op)
            elif isinstance(op, Yield):
                op.yielded = self._flat(op.yielded, is_spmd)
                builder.add(op)
            elif not any(map(is_matrix, (*op.operands, *op.results))):
                builder.add(op)
            elif isinstance(op, CooperativeMatrixExtract):
                self._extracted[op.result] = self._extract(op, builder)
            else:
                result = self._lowered(op, builder)
                if result is not None:
                    self._scalars[op.results[0]] = result
        region.operations = builder.operations

    def _carry(self, op: For | If, builder: Builder, is_spmd: bool) -> None:
        """A loop or branch that carries the scalars in place of the matrices."""
        if isinstance(op, For):
            op.inits = self._flat(op.inits, is_spmd)
            op.body.arguments = [op.variable, *self._declared(op.carried, is_spmd)]
        for region in op.regions:
            self.region(region, Builder(op.location, builder), is_spmd)
        op.results = self._declared(op.results, is_spmd)
        for value in op.results:
            value.owner = op
        builder.add(op)

    def _flat(self, values: Sequence[Value], is_spmd: bool) -> list[Value]:
        """Values with their scalars in place of matrices."""
        flat: list[Value] = []
        for value in values:
            if not is_matrix(value):
                flat.append(value)
            elif is_spmd:
                flat += self._all(value)
            else:
                flat.append(self._same(value))
        return flat

    def _declared(self, values: Sequence[Value], is_spmd: bool) -> list[Value]:
        """New scalars for the given matrices, which they stand for from now on."""
        flat: list[Value] = []
        for value in values:
            if not is_matrix(value):
                flat.append(value)
                continue
            count = self._blocks(value.type) * value.type.columns if is_spmd else 1
            new = [Value(value.type.component, None, value.location) for _ in range(count)]
            self._scalars[value] = new if is_spmd else new[0]
            flat += new
        return flat

    # What a work-item holds.

    def _blocks(self, type_: CoopMatrixType) -> int:
        return rows_of(type_, self.lanes)

    def _all(self, matrix: Value) -> list[Value]:
        """The scalars of a matrix, also where they are all the same."""
        scalars = self._scalars[matrix]
        if isinstance(scalars, list):
            return scalars
        return [scalars] * (self._blocks(matrix.type) * matrix.type.columns)

    def _same(self, matrix: Value) -> Value:
        scalars = self._scalars[matrix]
        assert isinstance(scalars, Value), "a matrix of a collective region has equal components"
        return scalars

    def _row(self, builder: Builder, block: int) -> Value:
        """The row that the work-item has in a block."""
        lane = builder.once(
            "lane", lambda: SubgroupBuiltin(builder.location, [i32], ["lane"], variant="subgroup_local_id")
        )
        row = builder.once("row 0", lambda: Cast(builder.location, [index], ["row"], operand=lane))
        if block == 0:
            return row
        below = builder.constant(index, block * self.lanes)
        return builder.once(
            f"row {block}", lambda: ArithBinary(builder.location, [index], ["row"], variant="add", a=row, b=below)
        )

    def _is_row(self, builder: Builder, block: int, type_: CoopMatrixType) -> Value | None:
        """Whether the work-item has a row in a block, where not all have."""
        if (block + 1) * self.lanes <= type_.rows:
            return None
        return builder.compare("lt", self._row(builder, block), builder.constant(index, type_.rows))

    # Instructions.

    def _lowered(self, op: Any, builder: Builder) -> Scalars | None:
        if isinstance(op, Constant):
            return builder.constant(op.result.type.component, op.literal)
        found = by_component(op, lambda value: value)
        if found is not None:
            return self._by_component(builder, op.result.type, *found, _may_trap(op))
        if isinstance(op, CooperativeMatrixMulAdd):
            return self._mul_add(op, builder)
        if isinstance(op, CooperativeMatrixLoad):
            return self._load(op, builder)
        if isinstance(op, CooperativeMatrixApply):
            return self._apply(op, builder)
        if isinstance(op, CooperativeMatrixConstruct):
            return [op.scalar] * (self._blocks(op.result.type) * op.result.type.columns)
        if isinstance(op, CooperativeMatrixReduce):
            return self._reduce(op, builder)
        if isinstance(op, CooperativeMatrixInsert):
            scalars = self._all(op.matrix)
            return [*scalars[: op.index], op.scalar, *scalars[op.index + 1 :]]
        if isinstance(op, CooperativeMatrixAtomicUpdate):
            return self._update(op, builder)
        assert isinstance(op, CooperativeMatrixStore), op.word
        self._store(op, builder)
        return None

    def _by_component(
        self, builder: Builder, type_: CoopMatrixType, matrices: Sequence[Value], compute: Compute, traps: bool
    ) -> Scalars:
        """Compute component by component; where an operation may trap, the padding is left out."""
        held = [self._scalars[matrix] for matrix in matrices]
        if all(isinstance(scalars, Value) for scalars in held):
            return compute(builder, *held)
        components = list(zip(*(self._all(matrix) for matrix in matrices)))
        return self._by_block(builder, type_, lambda on, cell: compute(on, *components[cell]), traps)

    def _by_block(self, builder: Builder, type_: CoopMatrixType, compute: Compute, guarded: bool) -> list[Value]:
        """`compute(builder, cell)` for all scalars that the work-item holds; if guarded, not for padding."""
        result: list[Value] = []
        for block in range(self._blocks(type_)):
            cells = range(block * type_.columns, (block + 1) * type_.columns)
            condition = self._is_row(builder, block, type_) if guarded else None
            if condition is None:
                result += [compute(builder, cell) for cell in cells]
            else:
                result += self._or_zeros(
                    builder, condition, type_, lambda on, cells=cells: [compute(on, cell) for cell in cells]
                )
        return result

    def _or_zeros(self, builder: Builder, condition: Value, type_: CoopMatrixType, compute: Any) -> list[Value]:
        """The scalars of a row where a condition holds, zeros elsewhere."""
        return self._or_else(builder, condition, type_, compute, builder.zero(type_.component))

    def _or_else(
        self, builder: Builder, condition: Value, type_: CoopMatrixType, compute: Any, outside: Value
    ) -> list[Value]:
        """The scalars of a row where a condition holds, all the same elsewhere."""
        types = [type_.component] * type_.columns
        return builder.branch(condition, types, compute, lambda inner: [outside] * type_.columns)

    def _apply(self, op: CooperativeMatrixApply, builder: Builder) -> list[Value]:
        type_ = op.result.type
        held = [self._all(matrix) for matrix in op.matrices]

        def component(on: Builder, cell: int) -> Value:
            block, column = divmod(cell, type_.columns)
            row = on.cast(self._row(builder, block), i32)
            row_and_column = [row, on.constant(i32, column)]
            return apply_to(on, op, row_and_column, [scalars[cell] for scalars in held], {})

        # the padding has no place in the matrix, and what the region computes of it might trap
        return self._by_block(builder, type_, component, True)

    def _reduce(self, op: CooperativeMatrixReduce, builder: Builder) -> list[Value]:
        """A chain along each row; of the columns, every row is broadcast to all work-items, of which one keeps it."""
        type_, component = op.a.type, op.a.type.component
        wide = compute_type(component)

        def chain(terms: Sequence[Value]) -> Value:
            total = terms[0]
            for term in terms[1:]:
                total = builder.arith(op.combines, total, term)
            return builder.cast(total, component)

        if REDUCES_ROWS[op.variant]:
            scalars, columns = self._cast_all(builder, op.a, wide), type_.columns
            return [chain(scalars[n * columns : (n + 1) * columns]) for n in range(self._blocks(type_))]
        rows = self._rows_for_all(op.a, builder, wide)
        return [chain([row[column] for row in rows]) for column in range(type_.columns)]

    def _extract(self, op: CooperativeMatrixExtract, builder: Builder) -> Value:
        """The scalar itself, which is not the padding's."""
        type_, scalar = op.matrix.type, self._all(op.matrix)[op.index]
        condition = self._is_row(builder, op.index // type_.columns, type_)
        if condition is None:
            return scalar
        zero = builder.zero(type_.component)
        return builder.branch(condition, [type_.component], lambda inner: [scalar], lambda inner: [zero])[0]

    def _mul_add(self, op: CooperativeMatrixMulAdd, builder: Builder) -> Scalars:
        # The sum is taken in C's component type, for f16 and bf16 in f32, and rounded to it once.
        component, target = op.C.type.component, op.result.type
        inner = op.A.type.columns
        at_once = steps_at_once(op, self.lanes, self.matrix_types)
        wide = (at_once and matrix_sums(op.A.type.component)) or compute_type(component)
        a, c = self._cast_all(builder, op.A, wide), self._cast_all(builder, op.C, wide)
        whole = inner - inner % at_once if at_once else 0
        for first in range(0, whole, at_once or 1):
            c = self._by_unit(op, first, c, builder)
        sums = c
        if whole < inner:
            is_long = multiply_adds(op, inner - whole, self.lanes) > self.unrolled
            rows = [a[begin : begin + inner] for begin in range(0, len(a), inner)]
            totals = (self._in_loops if is_long else self._in_line)(op.B, rows, whole, builder)
            sums = [builder.arith("add", total, before) for total, before in zip(totals, c)]
        rounded = [builder.cast(total, component) for total in sums]
        traps = component.is_floating and target.component.is_integer
        return self._by_block(builder, target, lambda on, cell: on.cast(rounded[cell], target.component), traps)

    def _in_line(self, matrix: Value, left: Sequence[list[Value]], first: int, builder: Builder) -> list[Value]:
        """Sums of products of a work-item's rows with a right factor, of the steps from one on."""
        right, sums = self._rows_for_all(matrix, builder, left[0][0].type, first), []
        for row in left:
            for column in zip(*right):
                terms = [builder.arith("mul", a, b) for a, b in zip(row[first:], column)]
                sums.append(functools.reduce(lambda total, term: builder.arith("add", total, term), terms))
        return sums

    def _in_loops(self, matrix: Value, left: Sequence[list[Value]], first: int, builder: Builder) -> list[Value]:
        """The same by loops over the work-items that have rows of the right factor."""
        type_, columns = left[0][0].type, matrix.type.columns
        held, size = self._cast_all(builder, matrix, type_), len(left) * columns
        sums = [builder.zero(type_)] * size
        for begin in range(first, matrix.type.rows, self.lanes):
            own = held[begin // self.lanes * columns :][:columns]
            turns = [row[begin : begin + self.lanes] for row in left]
            count = len(turns[0])

            def body(
                on: Builder, lane: Value, carried: Sequence[Value], own: list[Value] = own, count: int = count
            ) -> list[Value]:
                local_id = on.cast(lane, i32)
                right = [
                    on.add(SubgroupBroadcast(on.location, [type_], a=each, local_id=local_id)).results[0]
                    for each in own
                ]
                totals, rest = carried[:size], carried[size:]
                rows = [rest[place : place + count] for place in range(0, len(rest), count)]
                terms = [on.arith("mul", row[0], b) for row in rows for b in right]
                added = [on.arith("add", total, term) for total, term in zip(totals, terms)]
                return [*added, *(number for row in rows for number in (*row[1:], row[0]))]

            inits = [*sums, *(number for row in turns for number in row)]
            sums = builder.loop(builder.constant(index, count), inits, body, "lane")[:size]
        return sums

    def _by_unit(self, op: CooperativeMatrixMulAdd, first: int, sums: Sequence[Value], builder: Builder) -> list[Value]:
        """Sums, and the products of as many steps as the matrix unit does at once, from one on.

        Where it has several steps of a work-item, these are of rows that are as far apart as there are work-items.
        """
        a, b, inner, columns = self._all(op.A), self._all(op.B), op.A.type.columns, op.result.type.columns
        factors = op.B.type.component
        share = matrix_share(factors)
        right = [b[(first // self.lanes + n) * columns :] for n in range(share)]
        steps = [first + lane + n * self.lanes for lane in range(self.lanes) for n in range(share)]
        zeros = builder.zero(factors), builder.zero(sums[0].type)
        totals: list[Value] = []
        for number, begin in enumerate(range(0, len(sums), columns)):
            left = [a[number * inner + step] for step in steps]
            for block, beside in matrix_blocks(columns):
                own = [held[column] for column in block for held in right]
                before = sums[begin + block.start : begin + block.stop]
                together = vector.MatrixFma(
                    builder.location,
                    left=left,
                    right=[*own, *[zeros[0]] * (beside * share)],
                    sums=[*before, *[zeros[1]] * beside],
                )
                totals += builder.add(together).results[: len(block)]
        return totals

    def _cast_all(self, builder: Builder, matrix: Value, type_: ScalarType) -> list[Value]:
        """All scalars of a matrix, cast to a type that its component type is promotable to."""
        cast: dict[Value, Value] = {}
        for scalar in self._all(matrix):
            if scalar not in cast:
                cast[scalar] = builder.cast(scalar, type_)
        return [cast[scalar] for scalar in self._all(matrix)]

    def _rows_for_all(self, matrix: Value, builder: Builder, type_: ScalarType, first: int = 0) -> list[list[Value]]:
        """The rows of a matrix from one on, broadcast to all work-items by the one that holds it."""
        columns = matrix.type.columns
        held = self._cast_all(builder, matrix, type_)
        if isinstance(self._scalars[matrix], Value):
            return [held[:columns]] * (matrix.type.rows - first)
        rows = []
        for row in range(first, matrix.type.rows):
            block, lane = divmod(row, self.lanes)
            local_id = builder.constant(i32, lane)
            mine = held[block * columns : (block + 1) * columns]
            rows.append(
                [
                    builder.add(SubgroupBroadcast(builder.location, [type_], a=scalar, local_id=local_id)).results[0]
                    for scalar in mine
                ]
            )
        return rows

    # Memory.

    def _load(self, op: CooperativeMatrixLoad, builder: Builder) -> list[Value]:
        padding = op.padding if isinstance(op, LoadPadded) else None
        return self._access_each(op, builder, padding, lambda on, _, indices: load_component(on, op, op.M, indices))

    def _update(self, op: CooperativeMatrixAtomicUpdate, builder: Builder) -> list[Value]:
        scalars = self._all(op.A)
        return self._access_each(
            op, builder, None, lambda on, cell, indices: update_component(on, op, scalars[cell], op.M, indices)
        )

    def _access_each(
        self,
        op: CooperativeMatrixLoad | CooperativeMatrixAtomicUpdate,
        builder: Builder,
        padding: Value | None,
        access: Callable[[Builder, int, list[Value]], Value],
    ) -> list[Value]:
        """What an access gives for each scalar, `access(builder, cell, indices)`; 0 or the padding outside."""
        type_ = op.result.type
        rectangle = Place(op, builder, type_, op.transpose)
        outside = builder.zero(type_.component) if padding is None else padding
        result: list[Value] = []
        for block in range(self._blocks(type_)):
            row, condition = rectangle.row(self._row(builder, block), self._is_row(builder, block, type_))

            def accessed(inner: Builder, row: Value = row, first: int = block * type_.columns) -> list[Value]:
                values = [outside] * type_.columns
                for number, column, is_column in rectangle.columns:
                    indices, cell = rectangle.indices(row, column), first + number
                    if is_column is None:
                        values[number] = access(inner, cell, indices)
                    else:
                        (values[number],) = inner.branch(
                            is_column,
                            [type_.component],
                            lambda on, cell=cell, indices=indices: [access(on, cell, indices)],  # type: ignore[misc]
                            lambda on: [outside],
                        )
                return values

            result += (
                accessed(builder) if condition is None else self._or_else(builder, condition, type_, accessed, outside)
            )
        return result

    def _store(self, op: CooperativeMatrixStore, builder: Builder) -> None:
        type_ = op.A.type
        rectangle = Place(op, builder, type_, op.transpose)
        scalars = self._all(op.A)
        for block in range(self._blocks(type_)):
            row, condition = rectangle.row(self._row(builder, block), self._is_row(builder, block, type_))
            cells = scalars[block * type_.columns : (block + 1) * type_.columns]

            def stored(inner: Builder, row: Value = row, cells: list[Value] = cells) -> list[Value]:
                for number, column, is_column in rectangle.columns:

                    def store(on: Builder, number: int = number, column: Value = column) -> list[Value]:
                        store_component(on, op, cells[number], op.M, rectangle.indices(row, column))
                        return []

                    if is_column is None:
                        store(inner)
                    else:
                        inner.branch(is_column, [], store)
                return []

            if condition is None:
                stored(builder)
            else:
                builder.branch(condition, [], stored)


def _may_trap(op: Operation) -> bool:
    """Whether an instruction is undefined for some components, so that it is not executed on padding."""
    component = op.results[0].type.component
    if isinstance(op, Cast):
        return bool(op.operand.type.component.is_floating and component.is_integer)
    return isinstance(op, ArithBinary) and op.variant in ("div", "rem") and bool(component.is_integer)
