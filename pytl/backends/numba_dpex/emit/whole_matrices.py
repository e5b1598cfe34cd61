"""Cooperative matrices where one work-item executes a sub-group: whole matrices in private memory, and vector code.

The columns of a matrix lie one after the other, as in `device/matrices.py`; f16 and bf16 are float32 there. Vector code
is a call for a whole matrix, a column, or a register tile of a product; everything else is a loop over entries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from ....ir.operation import Operation
from ....ir.types import CoopMatrixType, ScalarType, component_type, compute_type, f32
from ....ir.values import Function, Region, Value
from ....ops import (
    ArithBinary,
    ArithUnary,
    Barrier,
    Cast,
    Constant,
    CooperativeMatrixApply,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixReduce,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
    For,
    LoadPadded,
    Math,
    Yield,
)
from ....ops.coopmatrix import CHECKED_SIDES
from ....ops.matrix_functions import REDUCES_ROWS
from ....ops.updates import TRANSPOSES
from ....passes.targets import vector
from ..matrix_layout import (
    FUNCTIONS,
    LANES,
    OPERATIONS,
    device_name,
    has_vector_cast,
    held_as,
    lanes_of_column,
    padded_rows,
)
from . import scalars
from .matrices import Matrices
from .writer import Known, MatrixCode, MemrefCode, Writer, literal, product_of, sum_of

REGISTERS = 30
"""Vector registers that a tile of a product may take, of the processor's 32."""
MAX_HIGH, MAX_WIDE = 2, 8
"""Vectors and columns of a register tile that has several of both."""
MAX_VECTORS = 4
"""Instructions of a function of components of which each is executed for all components before the next."""


class Uses:
    """Where the values of a function are defined, and what uses them."""

    def __init__(self, function: Function) -> None:
        self.defining_region: dict[Value, Region] = {}
        self.region: dict[Operation, Region] = {}
        self.users: dict[Value, list[Operation]] = {}
        self._enter(function.body)

    def _enter(self, region: Region) -> None:
        self.defining_region.update(dict.fromkeys(region.arguments, region))
        for op in region.operations:
            self.region[op] = region
            self.defining_region.update(dict.fromkeys(op.results, region))
            for value in op.operands:
                self.users.setdefault(value, []).append(op)
            if not isinstance(op, vector.Code):  # which has no matrices
                for inner in op.regions:
                    self._enter(inner)

    def ends_in(self, value: Value, op: Operation) -> bool:
        """Whether an instruction is the last to use a value, and is executed as often as its definition."""
        return self.users[value] == [op] and self.defining_region[value] is self.region[op]

    def unchanged(self, op: Operation) -> bool:
        """Whether no memory is written between an instruction and the last use of its result."""
        users = self.users.get(op.results[0], [])
        region = self.region[op].operations
        if not users or any(self.region[user] is not self.region[op] for user in users):
            return False
        begin, end = region.index(op), max(region.index(user) for user in users)
        return not any(
            between.writes or between.regions or isinstance(between, Barrier) for between in region[begin:end]
        )


@dataclass(frozen=True)
class Factor:
    """A factor of a product by vectors: a pointer, and the strides of rows and columns."""

    pointer: str
    rows: str
    columns: str


def held(component: ScalarType) -> ScalarType:
    """The type that private memory holds components in."""
    return component if held_as(device_name(component)) == device_name(component) else f32


class WholeMatrices(Matrices):
    """Writes instructions on matrices, each of which a single work-item holds as a whole."""

    def __init__(self, writer: Writer, function: Function) -> None:
        super().__init__(writer, lanes=1, order="")
        self._function = function
        self._stays: dict[Value, Factor] = {}
        """Factors that products read directly from the memory they are loaded from."""

    @cached_property
    def uses(self) -> Uses:
        """Who uses the function's values; most functions have no matrices, and nobody asks."""
        return Uses(self._function)

    def _array(self, name: str, type_: CoopMatrixType, component: ScalarType) -> MatrixCode:
        return self._columns_of(name, type_, component, type_.columns)

    def _columns_of(self, name: str, type_: CoopMatrixType, component: ScalarType, columns: int) -> MatrixCode:
        """Private memory for a matrix with so many columns; it may not need all of them."""
        column_stride = padded_rows(type_.rows)
        code = MatrixCode(name, component, type_.rows, type_.columns, (1, column_stride), column_stride * columns)
        return self._allocate(code, held(component))

    def _row(self, block: str) -> str:
        return block

    def carry(self, op: For, initial: Value, carried: Value) -> None:
        if self.uses.ends_in(initial, op):
            self.writer.bind(carried, self.writer.matrix(initial))
        else:
            super().carry(op, initial, carried)

    # Component-wise instructions.

    def copy(self, source: MatrixCode, target: MatrixCode) -> None:
        if source != target:
            element = device_name(held(source.component))
            self.writer.line(f"matrix_copy_{element}({target.pointer}, {source.pointer}, {source.entries})")

    def constant(self, op: Constant) -> None:
        self._fill_with(self.new(op.result), literal(op.literal, component_type(op.result.type)))

    def _fill_with(self, target: MatrixCode, number: str) -> None:
        element = device_name(target.component)
        self.writer.line(f"matrix_fill_{element}({target.pointer}, {number}, {target.entries})")

    def binary(self, op: ArithBinary) -> None:
        a, b = self.writer.matrix(op.a), self.writer.matrix(op.b)
        if op.variant in OPERATIONS[device_name(a.component)]:
            self._call(op.variant, self.new(op.result), a.pointer, b.pointer)
        else:
            super().binary(op)

    def unary(self, op: ArithUnary) -> None:
        a = self.writer.matrix(op.a)
        if op.variant == "neg" and "scale" in OPERATIONS[device_name(a.component)]:
            minus_one = literal(-1 if a.component.is_integer else -1.0, a.component)
            self._call("scale", self.new(op.result), a.pointer, minus_one)
        else:
            super().unary(op)

    def _scale(self, op: CooperativeMatrixScale) -> None:
        a, factor = self.writer.matrix(op.matrix), self.writer.scalar(op.scalar)
        if "scale" in OPERATIONS[device_name(a.component)]:
            self._call("scale", self.new(op.result), a.pointer, factor)
        else:
            super()._scale(op)

    def _call(self, operation: str, target: MatrixCode, *operands: str) -> None:
        """Vector code that computes all entries of a matrix."""
        function = f"matrix_{operation}_{device_name(target.component)}"
        self.writer.line(f"{function}({', '.join((target.pointer, *operands))}, {target.entries})")

    def cast(self, op: Cast) -> None:
        self._cast(self.writer.matrix(op.operand), self.new(op.result))

    def _cast(self, a: MatrixCode, target: MatrixCode) -> None:
        source_name, target_name = device_name(a.component), device_name(target.component)
        if target_name in (source_name, held_as(source_name)):
            self.copy(a, target)
        elif has_vector_cast(source_name, target_name):
            function = f"matrix_cast_{source_name}_{target_name}"
            self.writer.line(f"{function}({target.pointer}, {a.pointer}, {target.entries})")
        else:
            self._fill(target, lambda e: scalars.cast(f"{a.pointer}[{e}]", a.component, target.component))

    # Functions of components, and of rows and columns.

    def _apply(self, op: CooperativeMatrixApply, region: Callable[[Region], None]) -> None:
        """As vectors, instruction by instruction, where all are few and vectorised; else component by component."""
        computed = [inner for inner in op.body.operations if not isinstance(inner, (Constant, Yield))]
        if (
            op.yielded not in op.body.arguments
            and len(computed) <= MAX_VECTORS
            and all(map(self._has_vectors, computed))
        ):
            held = {value: self.writer.matrix(matrix) for value, matrix in zip(op.components, op.matrices)}
            for inner in computed:
                self._vectors(inner, op, held)
            if op.yielded in held:
                self.writer.bind(op.result, held[op.yielded])
                return
        super()._apply(op, region)

    def _has_vectors(self, op: Operation) -> bool:
        types = {value.type for value in (*op.operands, *op.results)}
        if len(types) != 1 or not isinstance(type_ := types.pop(), ScalarType):
            return False
        if isinstance(op, Math):
            return type_.is_floating and op.variant in FUNCTIONS
        return isinstance(op, ArithBinary) and op.variant in OPERATIONS[device_name(type_)]

    def _vectors(self, op: Operation, around: CooperativeMatrixApply, held: dict[Value, MatrixCode]) -> None:
        """An instruction of a region for all components; `held` has the matrices of the values so far."""
        type_ = replace(around.result.type, component=op.results[0].type)
        for value in op.operands:
            if value not in held:  # the same for all components
                held[value] = self._array(self.writer.names.fresh("same"), type_, value.type)
                self._fill_with(held[value], self.writer.scalar(value))
        target = self._array(self.writer.names.fresh("matrix"), type_, type_.component)
        assert isinstance(op, (ArithBinary, Math))
        self._call(op.variant, target, *(held[value].pointer for value in op.operands))
        held[op.results[0]] = target

    def _reduce(self, op: CooperativeMatrixReduce) -> None:
        """Rows are added, or compared, as columns, each a vector."""
        a, component = self.writer.matrix(op.a), op.a.type.component
        wide = compute_type(component)
        if not REDUCES_ROWS[op.variant] or op.combines not in OPERATIONS[device_name(wide)]:
            super()._reduce(op)
            return
        total = self._array(self.writer.names.fresh("total"), op.result.type, wide)
        element, column_stride = device_name(wide), a.strides[1]
        self.writer.line(f"matrix_copy_{element}({total.pointer}, {a.pointer}, {column_stride})")
        if a.columns > 1:
            number = self.writer.names.fresh("k")
            with self.writer.block(f"for {number} in range(1, {a.columns}):"):
                column = sum_of([a.pointer, product_of(number, column_stride)])
                name = f"matrix_{op.combines}_{element}"
                self.writer.line(f"{name}({total.pointer}, {total.pointer}, {column}, {column_stride})")
        if wide == component:
            self.writer.bind(op.result, total)
        else:
            self._cast(total, self.new(op.result))

    def _of_row(self, a: MatrixCode, row: str, column: str) -> str:
        return a.entry(row, column)

    # Products.

    def _mul_add(self, op: CooperativeMatrixMulAdd) -> None:
        C = self.writer.matrix(op.C)
        total = compute_type(C.component)
        result = op.result.type
        if self.adds_in_place(op):
            sums = C
        else:
            sums = self._array(self.writer.names.fresh("sums"), result, total)
            self._cast(C, sums)
        self._add_product(sums, op)
        for component in (C.component, result.component):
            if component != sums.component:
                rounded = self._array(self.writer.names.fresh("rounded"), result, component)
                self._cast(sums, rounded)
                sums = rounded
        self.writer.bind(op.result, sums)

    def adds_in_place(self, op: CooperativeMatrixMulAdd) -> bool:
        """Whether a product overwrites the matrix that it is added to, because nothing else needs that matrix."""
        component = op.C.type.component
        is_same = compute_type(component) == component == op.result.type.component
        return is_same and self.uses.ends_in(op.C, op)

    def _add_product(self, sums: MatrixCode, op: CooperativeMatrixMulAdd) -> None:
        A, B = (self._factor(value, sums.component) for value in (op.A, op.B))
        assert isinstance(op.B.type, CoopMatrixType)
        self._add_blocks(sums, A, B, op.B.type.rows)

    def _factor(self, value: Value, component: ScalarType) -> Factor:
        """A factor in the type of the sum."""
        if value in self._stays:
            return self._stays[value]
        code = self.writer.matrix(value)
        if held(code.component) != component:
            assert isinstance(value.type, CoopMatrixType)
            cast = self._array(self.writer.names.fresh("factor"), value.type, component)
            self._cast(code, cast)
            code = cast
        return Factor(code.pointer, *map(Known, code.strides))

    def _add_blocks(self, C: MatrixCode, A: Factor, B: Factor, inner: int) -> None:
        """Register tiles of C: each stays in registers during the whole sum."""
        column_stride, parts = C.strides[1], 2 if C.component.is_complex else 1
        lanes = lanes_of_column(C.component.component.size, column_stride * parts)
        vectors = -(-C.blocks * parts // lanes)
        most_high = vectors if vectors <= 3 else MAX_HIGH
        most_wide = min((REGISTERS - most_high) // (most_high * parts), LANES if vectors == 1 else MAX_WIDE)
        wide = -(-C.columns // -(-C.columns // most_wide))
        whole = C.columns // wide * wide

        def block(j: str, columns: int) -> None:
            for first in range(0, vectors, most_high):
                high = min(most_high, vectors - first)
                row = Known(first * lanes // parts)
                c = sum_of([C.pointer, product_of(j, column_stride), row])
                a = sum_of([A.pointer, row])
                b = sum_of([B.pointer, product_of(j, B.columns)])
                sizes = f"{A.columns}, {B.rows}, {B.columns}, {lanes}, {high}, {columns}, {inner}, {column_stride}"
                self.writer.line(f"add_product_{device_name(C.component)}({c}, {a}, {b}, {sizes})")

        with self._loop("j", whole // wide) as number:
            block(product_of(number, wide), wide)
        if whole < C.columns:
            block(Known(whole), C.columns - whole)

    # Memory, column by column where columns are contiguous.

    def _load(self, op: CooperativeMatrixLoad) -> None:
        if isinstance(op, CooperativeMatrixAtomicLoad):
            super()._load(op)
            return
        M = self.writer.memref(op.M)
        stays = self._factor_in_memory(op, M)
        if stays is not None:
            self._stays[op.result] = stays
        elif TRANSPOSES[op.transpose] and self._has_blocks(op, M):
            self._load_blocks(op, M)
        elif TRANSPOSES[op.transpose] or M.strides[0] != "1" or isinstance(op, LoadPadded):
            super()._load(op)
        else:
            self._columns("load", op, M, self.new(op.result))

    def _has_blocks(self, op: CooperativeMatrixLoad, M: MemrefCode) -> bool:
        """Whether a matrix is divided into square blocks that vectors transpose."""
        type_ = op.result.type
        assert isinstance(type_, CoopMatrixType)
        lanes = lanes_of_column(held(type_.component).size, LANES)
        whole = type_.rows % lanes == 0 and type_.columns % lanes == 0
        return whole and not op.checked and not type_.component.is_complex and M.strides[0] == "1"

    def _load_blocks(self, op: CooperativeMatrixLoad, M: MemrefCode) -> None:
        matrix, lanes = self.new(op.result), lanes_of_column(held(op.result.type.component).size, LANES)
        x, y, column_stride = self.writer.scalar(op.x), self.writer.scalar(op.y), matrix.strides[1]
        with self._loop("i", matrix.blocks // lanes) as i, self._loop("j", matrix.columns // lanes) as j:
            row, column = product_of(i, lanes), product_of(j, lanes)
            address = sum_of([matrix.pointer, row, product_of(column, column_stride)])
            there = sum_of([M.pointer, M.offset((sum_of([x, column]), sum_of([y, row])))])
            name = f"load_transposed_{device_name(matrix.component)}"
            self.writer.line(f"{name}({address}, {there}, {M.strides[1]}, {lanes}, {column_stride})")

    def _factor_in_memory(self, op: CooperativeMatrixLoad, M: MemrefCode) -> Factor | None:
        """What is loaded as a factor that products may read directly from memory; None where they may not."""
        type_ = op.result.type
        assert isinstance(type_, CoopMatrixType)
        component, parts = type_.component, 2 if type_.component.is_complex else 1
        if op.checked or held(component) != component or not self.uses.unchanged(op):
            return None
        strides = M.strides[::-1] if TRANSPOSES[op.transpose] else M.strides
        lanes = lanes_of_column(component.component.size, padded_rows(type_.rows) * parts)
        is_left = self._is_only(op.result, "A") and strides[0] == "1" and type_.rows * parts % lanes == 0
        if not is_left and not self._is_only(op.result, "B"):
            return None
        return Factor(sum_of([M.pointer, M.offset((self.writer.scalar(op.x), self.writer.scalar(op.y)))]), *strides)

    def _is_only(self, value: Value, part: str) -> bool:
        """Whether the only use of a matrix is as that factor of products by vectors, which read it as it is."""
        assert isinstance(value.type, CoopMatrixType)
        return all(
            isinstance(user, CooperativeMatrixMulAdd)
            and getattr(user, part) is value
            and user.C.type.component == value.type.component
            for user in self.uses.users.get(value, [])
        )

    def _store(self, op: CooperativeMatrixStore) -> None:
        M = self.writer.memref(op.M)
        if op.flag or TRANSPOSES[op.transpose] or M.strides[0] != "1":
            super()._store(op)
        else:
            self._columns("store", op, M, self.writer.matrix(op.A))

    def _columns(
        self, kind: str, op: CooperativeMatrixLoad | CooperativeMatrixStore, M: MemrefCode, matrix: MatrixCode
    ) -> None:
        writer, element = self.writer, device_name(matrix.component)
        x, y = writer.scalar(op.x), writer.scalar(op.y)
        checked = CHECKED_SIDES[op.checked]
        with self._loop("j", matrix.columns) as j:
            conditions: list[str] = []
            column = self._index("column", y, j, M.shape[1] if "cols" in checked else None, conditions)
            address = sum_of([matrix.pointer, product_of(j, matrix.strides[1])])
            there = sum_of([M.pointer, M.offset((x, column))])
            first, extent = (x, M.shape[0]) if "rows" in checked else (Known(0), str(matrix.blocks))
            if conditions:
                extent = f"select({conditions[0]}, {extent}, 0)"
            if conditions or "rows" in checked:
                writer.line(f"{kind}_column_within_{element}({address}, {there}, {matrix.blocks}, {first}, {extent})")
            else:
                writer.line(f"{kind}_column_{element}({address}, {there}, {matrix.blocks})")
