"""gemm, gemv and ger by the work-items of sub-groups: blocks of rows and columns whose sums stay in registers.

Neighbouring work-items have neighbouring rows, so that loads and stores of columns are coalesced. The numbers of the
right factor are the same for all work-items: each is loaded by all of them, or by one that broadcasts it, or that hands
it to the sub-group's matrix unit. Where rows are left over, work-items compute rows that others have, too, and only
store is conditional; so no loop diverges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ...ir.clone import clone_operation
from ...ir.types import ScalarType, compute_type
from ...ir.values import Value
from ...ops import Gemm, Gemv, Ger
from ...ops.constants import zero_of
from ...ops.updates import is_transposed
from ...process.records import dataclass
from ..subgroup_shapes import Product, Shape
from ..targets import vector
from ..targets.matrix_units import MATRIX_ITEMS, matrix_blocks, matrix_share, matrix_steps, matrix_sums
from .access import ONE, Index
from .code import Code, Number
from .packs import Pack, Place, place_of
from .updates import ElementRange, Result


@dataclass(frozen=True)
class Team:
    """The sub-groups that share a product: their size, and how many divide the rows and the columns."""

    size: int
    """How many work-items of a sub-group share rows."""
    along_rows: int
    along_columns: int
    has_broadcasts: bool
    width: int
    """How many work-items a sub-group has."""
    has_matrices: bool = False
    """Whether the matrix unit multiplies, where there are as many steps of the sum as it does at once."""


@dataclass(frozen=True)
class _Row:
    """A work-item's row in a block, and what holds where it is the one that stores it."""

    number: Value
    conditions: Sequence[Value]


def written(chain: Sequence[Product], shape: Shape, team: Team, pack: Pack | None = None) -> vector.WorkItems:
    """A product as code of work-items, or several, each of which computes the left factor of the next alone.

    These stay in registers: a work-item needs the rows that it has computed.
    """
    code = Code(chain[-1].location)
    places = [place_of(code, op, pack) for op in chain]
    if pack is not None:
        chain = [_clone(op, place.values) for op, place in zip(chain, places)]
    *before, last = (_Product(code, op, shape, team, place) for op, place in zip(chain, places))
    last.write(before)
    return code.of_work_items(rows=shape.rows, columns=shape.columns, unroll=shape.unroll)


def _clone(op: Product, values: dict[Value, Value]) -> Product:
    cloned = clone_operation(op, values)
    assert isinstance(cloned, (Gemm, Gemv, Ger))
    return cloned


class _Product:
    def __init__(self, code: Code, op: Product, shape: Shape, team: Team, place: Place) -> None:
        self.code = code
        self.op = op
        self.shape = shape
        self.team = team
        self.result = Result(code, op)
        self.factors = self._factors()
        """The type of both factors that the matrix unit multiplies; None where it does nothing."""
        self.type = compute_type(op.updated.type.element)
        """That of the sums."""
        if self.factors is not None:
            self.type = matrix_sums(self.factors) or self.type
        target = op.updated
        self.rows = code.size(target, 0)
        self.columns = code.size(target, 1) if target.type.order == 2 else 1
        self.depth: Number = 1
        if not isinstance(op, Ger):
            self.depth = code.size(op.A, 0 if is_transposed(op, "A") else 1)
        self.held: list[list[Value]] | None = None
        """The numbers of the left factor that are in registers, by columns, and for each by rows of the work-item."""
        self.place = place
        """The work-item's, among those that share the rows."""
        self.row_team, self.column_team = self._places()

    def _factors(self) -> ScalarType | None:
        element = self.op.B.type.element if isinstance(self.op, Gemm) and self.team.has_matrices else None
        return element if isinstance(element, ScalarType) else None

    def _places(self) -> tuple[Number, Number]:
        """The number of the sub-group among those that divide the rows, and among those that divide the columns."""
        team, code = self.team, self.code
        if team.along_rows * team.along_columns == 1:
            return 0, 0
        number = code.place_once("subgroup_id")
        if team.along_rows == 1:
            return 0, number
        if team.along_columns == 1:
            return number, 0
        return code.remainder(number, team.along_rows), code.over(number, team.along_rows)

    # Blocks.

    def write(self, before: Sequence[_Product]) -> None:
        """The code of a product, and of those before it, whose results stay in registers."""
        step = self.team.size * self.shape.rows
        self._divided(self.rows, step, self.row_team, self.team.along_rows, partial(self._row_block, before))

    def _divided(
        self, extent: Number, step: int, place: Number, count: int, write: Callable[[Number, Number], None]
    ) -> None:
        """Whole parts of a size, and what is left, each by one of so many sub-groups: `write(first, how many)`."""
        code = self.code
        if not isinstance(extent, int):
            first, stride = code.times(place, step), step * count
            code.each(first, extent, stride, lambda first: write(first, code.minus(extent, first)))
            return
        parts, left = divmod(extent, step)
        code.each(code.times(place, step), parts * step, step * count, lambda first: write(first, step))
        if left and isinstance(place, int):
            write(parts * step, left)
        elif left:
            with code.predicated(code.compare("eq", code.number(place), code.number(parts % count))):
                write(parts * step, left)

    def _row_block(self, before: Sequence[_Product], first: Number, count: Number) -> None:
        rows = self._rows(first, count)
        for product, following in zip(before, [*before[1:], self]):
            following.held = product.in_registers(rows)
        self._divided(
            self.columns,
            self.shape.columns,
            self.column_team,
            self.team.along_columns,
            partial(self._block, rows),
        )

    def _rows(self, first: Number, count: Number) -> list[_Row]:
        """The rows of a work-item in a block that begins at a row and has so many, if not more than a whole block."""
        code, size = self.code, self.team.size
        known = count if isinstance(count, int) else None
        rows: list[_Row] = []
        for start in range(0, size * self.shape.rows if known is None else known, size):
            begin = code.plus(first, start)
            if known is not None and start + size <= known:
                rows.append(_Row(code.number(code.plus(begin, self.place.lane)), self.place.conditions))
            elif isinstance(self.rows, int) and self.rows >= size:
                # the last rows that there are, some of which are other work-items'
                row = code.number(code.plus(self.rows - size, self.place.lane))
                rows.append(_Row(row, (*self.place.conditions, code.compare("ge", row, code.number(begin)))))
            else:
                row = code.number(code.plus(begin, self.place.lane))
                clamped = code.number(code.min(row, code.minus(self.rows, 1)))
                is_there = code.compare("lt", row, code.number(self.rows))
                rows.append(_Row(clamped, (*self.place.conditions, is_there)))
        return rows

    def _block(self, rows: Sequence[_Row], first: Number, count: Number) -> None:
        code = self.code
        if isinstance(count, int):
            columns: list[Number] = [code.plus(first, n) for n in range(min(count, self.shape.columns))]
        else:  # columns beyond the last one are computed again as the last, and not stored
            last = code.minus(self.columns, 1)
            columns = [code.min(code.plus(first, n), last) for n in range(self.shape.columns)]
        sums = [code.cast(each, self.result.type) for each in self._sums(rows, columns)]
        for number, row in enumerate(rows):
            own = sums[number :: len(rows)]
            with code.predicated_by(row.conditions):
                self._update(row, columns, own, first, count)

    def _update(
        self, row: _Row, columns: Sequence[Number], sums: Sequence[Value], first: Number, count: Number
    ) -> None:
        """Update a work-item's row of a block."""
        is_matrix = self.op.updated.type.order == 2
        places = [(row.number, column) if is_matrix else (row.number,) for column in columns]
        ranges = [ElementRange(tuple(Index(each, 0) for each in place), ONE) for place in places]
        if isinstance(count, int):
            self.result.update(ranges, sums)
            return
        for number, (range_, value) in enumerate(zip(ranges, sums)):
            with self.code.predicated(self.code.compare("gt", self.code.number(count), self.code.number(number))):
                self.result.update([range_], [value])

    def in_registers(self, rows: Sequence[_Row]) -> list[list[Value]]:
        """All columns of the product's rows of a work-item."""
        assert isinstance(self.columns, int)
        sums = self.result.scaled(self._sums(rows, range(self.columns)))
        return [sums[begin : begin + len(rows)] for begin in range(0, len(sums), len(rows))]

    # Sums, ordered by columns, and for each column by rows.

    def _sums(self, rows: Sequence[_Row], columns: Sequence[Number]) -> list[Value]:
        code, op = self.code, self.op
        if isinstance(op, Ger):
            left = self._left(rows, 0)
            return [code.arith("mul", a, b) for b in [self._right(0, column) for column in columns] for a in left]
        zero = code.constant(self.type, zero_of(self.type))
        sums = [zero] * (len(rows) * len(columns))
        # what is in registers has no index at run time
        unroll = self.shape.unroll if self.held is None else len(self.held)
        if not self.team.has_broadcasts:
            return code.unrolled(self.depth, unroll, sums, partial(self._step, rows, columns))
        if isinstance(op, Gemm) and is_transposed(op, "B") and self.factors is None:
            return code.unrolled(self.depth, unroll, sums, partial(self._step_of_line, rows, columns))
        return self._in_chunks(rows, columns, sums)

    def _step(self, rows: Sequence[_Row], columns: Sequence[Number], k: Number, sums: list[Value]) -> list[Value]:
        """A step of the sum whose right numbers are loaded by all work-items."""
        return self._added(rows, k, [self._right(k, column) for column in columns], sums)

    def _step_of_line(
        self, rows: Sequence[_Row], columns: Sequence[Number], k: Number, sums: list[Value]
    ) -> list[Value]:
        """A step of the sum whose right numbers lie side by side: each work-item loads one, and broadcasts it."""
        code, size = self.code, self.team.width
        work_item = code.place_once("subgroup_local_id")
        right: list[Value] = []
        for begin in range(0, len(columns), size):
            among = columns[begin : begin + size]
            own = code.min(code.plus(among[0], work_item), among[-1])
            loaded = self._right(k, own)
            right += [code.broadcast(loaded, lane) for lane in range(len(among))]
        return self._added(rows, k, right, sums)

    def _in_chunks(self, rows: Sequence[_Row], columns: Sequence[Number], sums: list[Value]) -> list[Value]:
        """Sums whose right numbers lie along the sum: each work-item loads those of one step, and broadcasts them."""
        code, size = self.code, self.team.width
        work_item = code.place_once("subgroup_local_id")

        def chunk(first: Number, count: int, sums: list[Value]) -> list[Value]:
            own = code.plus(first, work_item)
            if count < size:
                own = code.min(own, code.plus(first, count - 1))
            loaded = [self._right(own, column) for column in columns]
            for lane in range(count):
                sums = self._added(rows, code.plus(first, lane), [code.broadcast(each, lane) for each in loaded], sums)
            return sums

        if self.held is not None:
            for first in range(0, len(self.held), size):
                sums = chunk(first, min(size, len(self.held) - first), sums)
            return sums
        step = size if self.factors is None else matrix_steps(self.factors)
        whole = code.multiple_below(self.depth, step)
        if self.factors is None:
            sums = code.loop(0, whole, step, sums, lambda first, carried: chunk(first, step, carried))
        else:
            sums = code.loop(0, whole, step, sums, partial(self._by_matrices, self.factors, rows, columns))
        if not isinstance(self.depth, int):
            return code.loop(whole, self.depth, 1, sums, partial(self._step, rows, columns))
        assert isinstance(whole, int)
        for first in range(whole, self.depth, size):
            sums = chunk(first, min(size, self.depth - first), sums)
        return sums

    def _by_matrices(
        self,
        factors: ScalarType,
        rows: Sequence[_Row],
        columns: Sequence[Number],
        first: Number,
        sums: Sequence[Value],
    ) -> list[Value]:
        """Sums, and the products of as many steps as the matrix unit does at once; of an odd column beside zeros.

        A work-item has steps that are apart, so that neighbours load neighbouring numbers: any order of a sum is right.
        """
        code, count, share = self.code, len(rows), matrix_share(factors)
        own_step = code.plus(first, code.place_once("subgroup_local_id"))
        of_item = [code.plus(own_step, n * MATRIX_ITEMS) for n in range(share)]
        right = [[self._right(step, column, factors) for step in of_item] for column in columns]
        steps = [lane + n * MATRIX_ITEMS for lane in range(MATRIX_ITEMS) for n in range(share)]
        by_step = [self._left(rows, code.plus(first, n), factors) for n in steps]
        result, zero = list(sums), code.constant(self.type, zero_of(self.type))
        for row, left in enumerate(zip(*by_step)):
            for block, beside in matrix_blocks(len(columns)):
                places = [count * column + row for column in block]
                own = [number for column in block for number in right[column]]
                own += [code.constant(factors, zero_of(factors))] * (beside * share)
                before = [*(sums[place] for place in places), *[zero] * beside]
                for place, total in zip(places, code.matrix_fma(left, own, before)):
                    result[place] = total
        return result

    def _added(self, rows: Sequence[_Row], k: Number, right: Sequence[Value], sums: Sequence[Value]) -> list[Value]:
        products = [(a, b) for left in [self._left(rows, k)] for b in right for a in left]
        return [self.code.fma(a, b, total) for (a, b), total in zip(products, sums)]

    # Numbers of the factors, in the type of the computation, or another.

    def _left(self, rows: Sequence[_Row], k: Number, type_: ScalarType | None = None) -> list[Value]:
        op = self.op
        if self.held is not None:
            assert isinstance(k, int)
            return self.held[k]
        if isinstance(op, Ger):
            return [self._number(op.a, (row.number,)) for row in rows]
        is_line = is_transposed(op, "A")
        return [self._number(op.A, (k, row.number) if is_line else (row.number, k), type_) for row in rows]

    def _right(self, k: Number, column: Number, type_: ScalarType | None = None) -> Value:
        op = self.op
        if isinstance(op, Ger):
            return self._number(op.b, (column,))
        if isinstance(op, Gemv):
            return self._number(op.b, (k,))
        return self._number(op.B, (column, k) if is_transposed(op, "B") else (k, column), type_)

    def _number(self, tensor: Value, at: Sequence[Number], type_: ScalarType | None = None) -> Value:
        return self.code.cast(self.code.load_number(tensor, at), type_ or self.type)
