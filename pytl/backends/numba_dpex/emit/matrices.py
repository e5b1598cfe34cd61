"""Cooperative matrices as private arrays of generated source.

Row i of a matrix lives in work-item i mod S of its sub-group, S being the sub-group size: a work-item holds ceil(rows /
S) rows one after the other in an array. The padding beyond the last row takes part in the computation, which never
traps, but is neither loaded nor stored. In collective regions, where there are no sub-groups, all components are equal,
and so are all entries.

Instructions are loops over arrays, because numba's compile time grows with the square of the source: for a product of
32×16 and 16×32 whose entries are scalars, unrolled, it is a minute.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ....ir.types import CoopMatrixType, ScalarType, component_type, compute_type
from ....ir.values import Region, Value
from ....ops import (
    ArithBinary,
    ArithUnary,
    Cast,
    Constant,
    CooperativeMatrixApply,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixAtomicStore,
    CooperativeMatrixAtomicUpdate,
    CooperativeMatrixConstruct,
    CooperativeMatrixExtract,
    CooperativeMatrixInsert,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixReduce,
    CooperativeMatrixReduceAdd,
    CooperativeMatrixReduceMax,
    CooperativeMatrixReduceMin,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
    CooperativeMatrixStoreTransposed,
    LoadPadded,
)
from ....ops.constants import zero_of
from ....ops.coopmatrix import CHECKED_SIDES
from ....ops.matrix_components import rows_of
from ....ops.matrix_functions import REDUCES_ROWS
from ....ops.matrix_memory import MATRIX_ACCESSES
from ....ops.memory import DEFAULT_ALIGNMENT
from ....ops.updates import TRANSPOSES
from ....passes.targets.matrix_units import matrix_blocks, matrix_sums, steps_at_once
from ..element_names import device_name
from . import atomics, scalars
from .writer import Known, MatrixCode, MemrefCode, Writer, literal, product_of, sum_of

MatrixInstruction = (
    CooperativeMatrixApply
    | CooperativeMatrixConstruct
    | CooperativeMatrixExtract
    | CooperativeMatrixInsert
    | CooperativeMatrixLoad
    | CooperativeMatrixMulAdd
    | CooperativeMatrixReduce
    | CooperativeMatrixScale
    | CooperativeMatrixStore
)

MATRIX_INSTRUCTIONS = (
    CooperativeMatrixApply,
    CooperativeMatrixConstruct,
    CooperativeMatrixExtract,
    CooperativeMatrixInsert,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixReduceAdd,
    CooperativeMatrixReduceMax,
    CooperativeMatrixReduceMin,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
    CooperativeMatrixStoreTransposed,
    LoadPadded,
    *MATRIX_ACCESSES,
)
"""The classes of these instructions."""


class Matrices:
    """Writes the instructions on matrices, and counts the private memory that they take."""

    def __init__(self, writer: Writer, lanes: int, order: str, types: Sequence[str]) -> None:
        self.writer = writer
        self.order = order
        """The call that orders accesses to memory."""
        self.lanes = lanes
        """The rows of a matrix are distributed over so many work-items."""
        self.types = types
        """The types that the device's matrix unit multiplies."""
        self.bytes = 0

    def write(self, op: MatrixInstruction, region: Callable[[Region], None]) -> None:
        """Instructions that exist for matrices only; `region` writes the instructions of a region."""
        if isinstance(op, CooperativeMatrixLoad):
            self._load(op)
        elif isinstance(op, CooperativeMatrixMulAdd):
            self._mul_add(op)
        elif isinstance(op, CooperativeMatrixScale):
            self._scale(op)
        elif isinstance(op, CooperativeMatrixApply):
            self._apply(op, region)
        elif isinstance(op, CooperativeMatrixConstruct):
            number = self.writer.scalar(op.scalar)
            self._fill(self.new(op.result), lambda e: number)
        elif isinstance(op, CooperativeMatrixReduce):
            self._reduce(op)
        elif isinstance(op, CooperativeMatrixExtract):
            self._extract(op)
        elif isinstance(op, CooperativeMatrixInsert):
            self._insert(op)
        elif isinstance(op, CooperativeMatrixAtomicUpdate):
            self._update(op)
        else:
            self._store(op)

    # Arrays.

    def new(self, value: Value) -> MatrixCode:
        """Memory for a value."""
        type_ = value.type
        assert isinstance(type_, CoopMatrixType)
        code = self._array(self.writer.names.of(value, "matrix"), type_, type_.component)
        self.writer.bind(value, code)
        return code

    def _array(self, name: str, type_: CoopMatrixType, component: ScalarType) -> MatrixCode:
        """Private memory for a matrix."""
        blocks = self._blocks(type_)
        code = MatrixCode(name, component, blocks, type_.columns, (type_.columns, 1), blocks * type_.columns)
        self.writer.line(f"{code.pointer} = private_{device_name(component)}(matrices, {self.bytes})")
        size = code.entries * component.size
        self.bytes += -(-size // DEFAULT_ALIGNMENT) * DEFAULT_ALIGNMENT
        return code

    def _blocks(self, type_: CoopMatrixType) -> int:
        """How many rows a work-item holds."""
        return rows_of(type_, self.lanes)

    def copy(self, source: MatrixCode, target: MatrixCode) -> None:
        if source != target:
            self._fill(target, lambda e: f"{source.pointer}[{e}]")

    def assign_all(self, targets: Sequence[Value], sources: Sequence[Value]) -> None:
        """Assign several matrices in parallel: a later value may be what an earlier target was."""
        codes = [(self.writer.matrix(source), self.writer.matrix(target)) for source, target in zip(sources, targets)]
        moved = [(*pair, source) for pair, source in zip(codes, sources) if pair[0] != pair[1]]
        if len(moved) > 1:
            held = [self.new(Value(source.type, "held")) for *_, source in moved]
            for (code, *_), holder in zip(moved, held):
                self.copy(code, holder)
        else:
            held = [code for code, *_ in moved]
        for holder, (_, target, _) in zip(held, moved):
            self.copy(holder, target)

    def _fill(self, target: MatrixCode, entry: Callable[[str], str]) -> None:
        with self._loop("e", target.entries) as e:
            self.writer.line(f"{target.pointer}[{e}] = {entry(e)}")

    @contextmanager
    def _loop(self, hint: str, count: int) -> Iterator[str]:
        """A loop whose body is written inside; a single iteration is the body alone."""
        if count == 1:
            yield Known(0)
            return
        name = self.writer.names.fresh(hint)
        with self.writer.block(f"for {name} in range({count}):"):
            yield name

    # Component-wise instructions.

    def constant(self, op: Constant) -> None:
        entry = literal(op.literal, component_type(op.result.type))
        self._fill(self.new(op.result), lambda e: entry)

    def binary(self, op: ArithBinary) -> None:
        a, b = self.writer.matrix(op.a), self.writer.matrix(op.b)

        def entry(e: str) -> str:
            return scalars.binary(op.variant, f"{a.pointer}[{e}]", f"{b.pointer}[{e}]", a.component)

        self._fill(self.new(op.result), entry)

    def unary(self, op: ArithUnary) -> None:
        a = self.writer.matrix(op.a)
        self._fill(self.new(op.result), lambda e: scalars.unary(op.variant, f"{a.pointer}[{e}]", a.component))

    def cast(self, op: Cast) -> None:
        a = self.writer.matrix(op.operand)
        target = component_type(op.result.type)
        assert isinstance(target, ScalarType)
        self._fill(self.new(op.result), lambda e: scalars.cast(f"{a.pointer}[{e}]", a.component, target))

    def _scale(self, op: CooperativeMatrixScale) -> None:
        a, factor = self.writer.matrix(op.matrix), self.writer.scalar(op.scalar)
        self._fill(self.new(op.result), lambda e: scalars.binary("mul", factor, f"{a.pointer}[{e}]", a.component))

    # Functions of components, and of rows and columns.

    def _apply(self, op: CooperativeMatrixApply, region: Callable[[Region], None]) -> None:
        writer, type_ = self.writer, op.result.type
        matrices = [writer.matrix(matrix) for matrix in op.matrices]
        target = self.new(op.result)
        uses_row = any(op.row in inner.operands for inner in op.body.walk())
        with self._loop("r", target.blocks) as r, self._loop("j", type_.columns) as j:
            if uses_row:
                writer.assign(op.row, f"cast_i32({self._row(r)})")
            writer.assign(op.column, f"cast_i32({j})")
            for value, matrix in zip(op.components, matrices):
                writer.assign(value, matrix.entry(r, j))
            region(op.body)
            writer.line(f"{target.entry(r, j)} = {writer.scalar(op.yielded)}")

    def _extract(self, op: CooperativeMatrixExtract) -> None:
        writer, a = self.writer, self.writer.matrix(op.matrix)
        block, column = map(Known, divmod(op.index, a.columns))
        writer.assign(op.result, a.entry(block, column))
        if op.matrix.type.rows % self.lanes:
            with writer.block(f"if {self._row(block)} >= {op.matrix.type.rows}:"):
                writer.line(f"{writer.scalar(op.result)} = {literal(zero_of(a.component), a.component)}")

    def _insert(self, op: CooperativeMatrixInsert) -> None:
        number, target = self.writer.scalar(op.scalar), self.new(op.result)
        self.copy(self.writer.matrix(op.matrix), target)
        block, column = map(Known, divmod(op.index, target.columns))
        self.writer.line(f"{target.entry(block, column)} = {number}")

    def _reduce(self, op: CooperativeMatrixReduce) -> None:
        """A loop along each row or column; f16 and bf16 are computed in f32 and rounded at the end."""
        a, target = self.writer.matrix(op.a), self.new(op.result)
        if REDUCES_ROWS[op.variant]:
            with self._loop("r", a.blocks) as r:
                self._combine(op, a.columns, target.entry(r, Known(0)), lambda k: a.entry(r, k))
        else:
            with self._loop("j", a.columns) as j:
                self._combine(op, op.a.type.rows, target.entry(Known(0), j), lambda k: self._of_row(a, k, j))

    def _combine(self, op: CooperativeMatrixReduce, length: int, target: str, term: Callable[[str], str]) -> None:
        writer, component = self.writer, op.a.type.component
        wide = compute_type(component)
        total, number = writer.names.fresh("total"), writer.names.fresh("k")
        writer.line(f"{total} = {scalars.cast(term(Known(0)), component, wide)}")
        if length > 1:
            with writer.block(f"for {number} in range(1, {length}):"):
                combined = scalars.binary(op.combines, total, scalars.cast(term(number), component, wide), wide)
                writer.line(f"{total} = {combined}")
        writer.line(f"{target} = {scalars.cast(scalars.rounded(total, component), wide, component)}")

    def _of_row(self, a: MatrixCode, row: str, column: str) -> str:
        """An entry that the work-item of a row has, for all work-items."""
        block, lane = (
            (Known(0), row) if a.blocks == 1 else (f"int_div({row}, {self.lanes})", f"int_rem({row}, {self.lanes})")
        )
        return f"subgroup_broadcast({a.entry(block, column)}, cast_i32({lane}))"

    # Products.

    def _mul_add(self, op: CooperativeMatrixMulAdd) -> None:
        """Steps of the sum are the matrix unit's, if it takes them. Of others, every entry of B is broadcast to all
        work-items, which add its contribution to their rows.
        """
        writer = self.writer
        A, B, C = (writer.matrix(value) for value in (op.A, op.B, op.C))
        at_once = steps_at_once(op, self.lanes, self.types)
        total = (at_once and matrix_sums(A.component)) or compute_type(C.component)
        sums = self._array(writer.names.fresh("sums"), op.result.type, total)
        zero = literal(zero_of(total), total)
        self._fill(sums, lambda e: zero)
        whole = op.B.type.rows // at_once * at_once if at_once else 0
        if whole:
            self._by_unit(A, B, sums, whole // at_once, at_once)
        if whole < op.B.type.rows:
            self._by_broadcasts(A, B, sums, whole, op.B.type.rows)
        result = self.new(op.result)

        def entry_of(e: str) -> str:
            c = scalars.cast(f"{C.pointer}[{e}]", C.component, total)
            together = scalars.binary("add", f"{sums.pointer}[{e}]", c, total)
            if total.is_integer:
                together = scalars.cast(together, total, C.component)
            return scalars.cast(scalars.rounded(together, C.component), C.component, result.component)

        self._fill(result, entry_of)

    def _by_unit(self, A: MatrixCode, B: MatrixCode, sums: MatrixCode, count: int, steps: int) -> None:
        """Add the products of so many times the steps that the matrix unit does at once."""
        pieces = list(matrix_blocks(B.columns))
        widths = Counter(len(columns) for columns, _ in pieces)
        with self._loop("k", count) as k, self._loop("r", sums.blocks) as r:
            first = 0
            for width, parts in widths.items():
                with self._loop("j", parts) as part:
                    j = sum_of([product_of(part, width), Known(first)])
                    left = A.offset(r, product_of(k, steps))
                    right = B.offset(product_of(k, steps // self.lanes), j)
                    own = [f"{code.pointer} + {at}" for code, at in ((A, left), (B, right), (sums, sums.offset(r, j)))]
                    self.writer.line(f"matrix_multiply_add_{width}({own[0]}, {own[1]}, {B.columns}, {own[2]})")
                first += width * parts

    def _by_broadcasts(self, A: MatrixCode, B: MatrixCode, sums: MatrixCode, first: int, stop: int) -> None:
        """Add the products of steps from the first on."""
        writer, total = self.writer, sums.component
        b = writer.names.fresh("b")
        with self._loop("k", stop - first) as step, self._loop("j", B.columns) as j:
            k = sum_of([step, Known(first)])
            block, lane = (
                (Known(0), k) if B.blocks == 1 else (f"int_div({k}, {self.lanes})", f"int_rem({k}, {self.lanes})")
            )
            entry = f"subgroup_broadcast({B.entry(block, j)}, cast_i32({lane}))"
            writer.line(f"{b} = {scalars.cast(entry, B.component, total)}")
            with self._loop("r", sums.blocks) as r:
                a = scalars.cast(A.entry(r, k), A.component, total)
                sum_entry = sums.entry(r, j)
                writer.line(f"{sum_entry} = {scalars.multiply_add(a, b, sum_entry, total)}")

    # Memory. A sub-group reads and writes matrices as a unit: each of these instructions waits for those before it.

    def _load(self, op: CooperativeMatrixLoad) -> None:
        M = self.writer.memref(op.M)
        component = op.result.type.component
        outside = literal(zero_of(component), component)
        if isinstance(op, LoadPadded):
            outside = self.writer.scalar(op.padding)
        is_atomic = isinstance(op, CooperativeMatrixAtomicLoad)
        self._define_by_access(
            op, M, outside, lambda r, j, indices: atomics.access(op, M, indices) if is_atomic else M.at(*indices)
        )

    def _update(self, op: CooperativeMatrixAtomicUpdate) -> None:
        M, source = self.writer.memref(op.M), self.writer.matrix(op.A)
        zero = literal(zero_of(source.component), source.component)
        self._define_by_access(op, M, zero, lambda r, j, indices: atomics.access(op, M, indices, source.entry(r, j)))

    def _define_by_access(
        self,
        op: CooperativeMatrixLoad | CooperativeMatrixAtomicUpdate,
        M: MemrefCode,
        outside: str,
        access: Callable[[str, str, tuple[str, ...]], str],
    ) -> None:
        """What an access gives for each entry, `access(block, column, indices)`; another number outside."""
        target = self.new(op.result)
        with self._components(op, op.result.type, M, TRANSPOSES[op.transpose]) as (r, j, indices, condition):
            entry = target.entry(r, j)
            if not condition:
                self.writer.line(f"{entry} = {access(r, j, indices)}")
                return
            with self.writer.block(f"if {condition}:"):
                self.writer.line(f"{entry} = {access(r, j, indices)}")
            with self.writer.block("else:"):
                self.writer.line(f"{entry} = {outside}")

    def _store(self, op: CooperativeMatrixStore) -> None:
        M, source = self.writer.memref(op.M), self.writer.matrix(op.A)

        def store(r: str, j: str, indices: tuple[str, ...]) -> None:
            if isinstance(op, CooperativeMatrixAtomicStore):
                self.writer.line(atomics.access(op, M, indices, source.entry(r, j)))
            else:
                self.writer.store(op.flag, M, indices, source.entry(r, j))

        with self._components(op, op.A.type, M, TRANSPOSES[op.transpose]) as (r, j, indices, condition):
            if not condition:
                store(r, j, indices)
                return
            with self.writer.block(f"if {condition}:"):
                store(r, j, indices)

    @contextmanager
    def _components(
        self, op: CooperativeMatrixLoad | CooperativeMatrixStore, type_: CoopMatrixType, M: MemrefCode, transposed: bool
    ) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
        """Loops over a work-item's entries; gives block, column, and the indices in the memref with their condition.

        The condition is empty where no check is needed.
        """
        writer = self.writer
        x, y = writer.scalar(op.x), writer.scalar(op.y)
        first_row, first_column = (y, x) if transposed else (x, y)
        rows, columns = M.shape[::-1] if transposed else M.shape
        writer.line(self.order)
        checked = CHECKED_SIDES[op.checked]
        with self._loop("r", self._blocks(type_)) as r:
            conditions = []
            number = self._row(r)
            if type_.rows % self.lanes:
                conditions.append(f"{number} < {type_.rows}")
            row = self._index("row", first_row, number, rows if "rows" in checked else None, conditions)
            with self._loop("j", type_.columns) as j:
                column = self._index("column", first_column, j, columns if "cols" in checked else None, conditions)
                yield r, j, (column, row) if transposed else (row, column), " and ".join(conditions)

    def _row(self, block: str) -> str:
        """The number of the row that a work-item has in a block."""
        number = self.writer.names.fresh("number")
        self.writer.line(f"{number} = {sum_of(['cast_i64(subgroup_local_id())', product_of(block, self.lanes)])}")
        return number

    def _index(self, hint: str, first: str, number: str, extent: str | None, conditions: list[str]) -> str:
        """The index of a row or column; a check against an extent is added to the condition."""
        if extent is None:
            return sum_of([first, number])
        index = self.writer.names.fresh(hint)
        # a checked position may have any value, and its sum with a number wraps
        self.writer.line(f"{index} = int_add({first}, {number})")
        conditions.append(f"0 <= {index} < {extent}")
        return index
