"""Products of cooperative matrices on a processor's tile registers (AMX), for one work-item that executes a sub-group.

A factor that nothing else uses is packed for tiles when it is loaded, others at each product. Sums that a loop carries
stay in registers during the loop, where four registers hold them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ....ir.operation import Operation
from ....ir.types import CoopMatrixType, MemrefType, ScalarType, Type, i32
from ....ir.values import Function, Value
from ....ops import (
    Constant,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixStore,
    For,
    LoadPadded,
)
from ....ops.constants import is_constant
from ....ops.control import terminator
from ....ops.updates import TRANSPOSES
from ....passes.targets.amx import (
    ACCUMULATORS,
    DWORD,
    LEFT_TILES,
    RIGHT_TILES,
    is_legal_for_tiles,
    tile_shape,
    tile_shape_of,
)
from ..matrix_layout import device_name
from .whole_matrices import WholeMatrices
from .writer import Known, MatrixCode, Writer, product_of, sum_of

Packed = tuple[str, str]
"""A factor packed for tile registers: a pointer, and the stride of the tiles' rows."""
Cell = tuple[int, int, int]
"""A tile of a block: its column, its row, and the register of its sums."""


class TileMatrices(WholeMatrices):
    """Writes products on tile registers where these suit them, and everything else with vectors."""

    def __init__(self, writer: Writer, function: Function) -> None:
        super().__init__(writer, function)
        shape = tile_shape(function)
        assert shape is not None, "the pass that chose tiles has looked"
        self.shape = shape
        self._packed: dict[Value, Packed] = {}
        """Where factors are packed that were loaded for products on tiles only."""
        self._resident: dict[Value, int] = {}
        """Sums of the loops that are being written: the first register of each."""
        self._loaded_from: dict[Value, Packed] = {}
        """Where the initial sums lie that registers load later."""
        self._in_registers: dict[Value, list[Cell]] = {}
        """Sums of finished loops that registers still hold."""

    def begin(self) -> None:
        columns, inner, rows = self.shape.columns, self.shape.inner, self.shape.rows
        self.writer.line(f"configure_tiles({columns}, {inner}, {rows})")

    def end(self) -> None:
        self.writer.line("release_tiles()")

    def _on_tiles(self, op: Operation) -> bool:
        return isinstance(op, CooperativeMatrixMulAdd) and is_legal_for_tiles(op) and tile_shape_of(op) == self.shape

    def _array(self, name: str, type_: CoopMatrixType, component: ScalarType) -> MatrixCode:
        # tiles of sums are whole
        columns = -(-type_.columns // self.shape.columns) * self.shape.columns
        return self._columns_of(name, type_, component, columns)

    # Factors.

    def _load(self, op: CooperativeMatrixLoad) -> None:
        if isinstance(op, CooperativeMatrixAtomicLoad):
            super()._load(op)
            return
        M = self.writer.memref(op.M)
        if self._begins_sums(op.result) and not isinstance(op, LoadPadded):
            self._loaded_from[op.result] = self._place_in_memory(op)
            return
        if not TRANSPOSES[op.transpose] and not op.checked and M.strides[0] == "1":
            source, column_stride = self._place_in_memory(op)
            if self._is_only_on_tiles(op.result, "A"):
                self._packed[op.result] = self._pack_right(op.result, source, column_stride)
                return
            if self._is_only_on_tiles(op.result, "B"):
                stays = self._fills_tiles(op.result) and self.uses.unchanged(op)
                self._packed[op.result] = (
                    (source, column_stride) if stays else self._pack_left(op.result, source, column_stride)
                )
                return
        super()._load(op)

    def _is_only_on_tiles(self, value: Value, part: str) -> bool:
        """Whether the only use of a matrix is as that factor of products on tiles."""
        users = self.uses.users.get(value, [])
        return bool(users) and all(self._on_tiles(user) and getattr(user, part) is value for user in users)

    def _fills_tiles(self, value: Value) -> bool:
        """Whether a right factor is divided into whole tiles."""
        type_ = value.type
        assert isinstance(type_, CoopMatrixType)
        return self._padded(type_.rows, type_) == type_.rows and type_.columns % self.shape.columns == 0

    def _pack_right(self, value: Value, source: str, column_stride: str) -> Packed:
        """Aᵀ: rows of dwords, with two or four columns side by side."""
        type_ = value.type
        assert isinstance(type_, CoopMatrixType)
        rows, element = self.shape.rows, device_name(type_.component)
        group = DWORD // type_.component.size
        blocks, depth = -(-type_.rows // rows), self._padded(type_.columns, type_) // group
        name = self._new_memory(value, "right", i32, blocks * depth * rows)

        def pack(k: str, columns: int) -> None:
            target = sum_of([name, product_of(k, rows)])
            there = sum_of([source, product_of(product_of(k, group), column_stride)])
            sizes = f"{column_stride}, {columns}, {type_.rows}, {rows}, {depth}"
            self.writer.line(f"pack_rows_{element}({target}, {there}, {sizes})")

        whole, rest = divmod(type_.columns, group)
        with self._loop("k", whole) as k:
            pack(k, group)
        for number in range(whole, depth):
            pack(Known(number), rest if number == whole else 0)
        return name, Known(rows)

    def _pack_left(self, value: Value, source: str, column_stride: str) -> Packed:
        """Bᵀ: the columns of B unchanged, padded."""
        type_ = value.type
        assert isinstance(type_, CoopMatrixType)
        element, padded = device_name(type_.component), self._padded(type_.rows, type_)
        columns = -(-type_.columns // self.shape.columns) * self.shape.columns
        name = self._new_memory(value, "left", type_.component, padded * columns)
        with self._loop("j", type_.columns) as j:
            target = sum_of([name, product_of(j, padded)])
            there = sum_of([source, product_of(j, column_stride)])
            self.writer.line(f"pack_column_{element}({target}, {there}, {type_.rows}, {padded})")
        return name, Known(padded)

    def _new_memory(self, value: Value, hint: str, element: ScalarType, entries: int) -> str:
        name = self.writer.names.fresh(f"{value.name or 'factor'}_{hint}")
        self._allocate(MatrixCode(name, element, entries, 1, (1, entries), entries), element)
        return name

    def _padded(self, terms: int, type_: CoopMatrixType) -> int:
        """Terms of the sums of a product, padded with zeros to whole tiles."""
        inner = self.shape.inner // type_.component.size
        return -(-terms // inner) * inner

    # Products.

    def _add_product(self, sums: MatrixCode, op: CooperativeMatrixMulAdd) -> None:
        if not self._on_tiles(op):
            super()._add_product(sums, op)
            return
        left, right = self._factor_of(op.B, self._pack_left), self._factor_of(op.A, self._pack_right)
        high, wide, deep = self.shape.blocks(op)
        resident = self._resident.get(op.C)
        for n, columns in self._pairs("n", wide):
            for m, rows in self._pairs("m", high):
                first = ACCUMULATORS[0] if resident is None else resident
                cells = [(i, j, first + i * rows + j) for i in range(columns) for j in range(rows)]
                packed = (sums.pointer, Known(sums.strides[1]))
                if resident is None:
                    self._move("load", packed, cells, n, m)
                self._sum(op, cells, (n, left), (m, right), deep)
                if resident is None:
                    self._move("store", packed, cells, n, m)

    def _factor_of(self, value: Value, pack: Callable[[Value, str, str], Packed]) -> Packed:
        if value in self._packed:
            return self._packed[value]
        return pack(value, *self._held_at(value))

    def _pairs(self, hint: str, count: int) -> Iterator[tuple[str, int]]:
        """The first piece of each pair, in a loop whose body is written inside, and then the remaining piece."""
        if count > 1:
            with self._loop(hint, count // 2) as number:
                yield product_of(number, 2), 2
        if count % 2:
            yield Known(count - 1), 1

    def _move(self, kind: str, packed: Packed, cells: Sequence[Cell], n: str = Known(0), m: str = Known(0)) -> None:
        """Load sums into registers, or store them; `n`, `m` is the first tile of the block."""
        pointer, column_stride = packed
        for i, j, tile in cells:
            column = product_of(product_of(sum_of([n, i]), self.shape.columns), column_stride)
            row = product_of(sum_of([m, j]), self.shape.rows)
            stride = product_of(column_stride, DWORD)
            self.writer.line(f"tile_{kind}({tile}, {sum_of([pointer, column, row])}, {stride})")

    def _sum(
        self,
        op: CooperativeMatrixMulAdd,
        cells: Sequence[Cell],
        left: tuple[str, Packed],
        right: tuple[str, Packed],
        deep: int,
    ) -> None:
        """`sums += left right` for a block of two by two tiles at most, and all pieces of the terms."""
        assert isinstance(op.B.type, CoopMatrixType)
        component = op.B.type.component
        inner, dwords = self.shape.inner // component.size, self.shape.inner // DWORD
        (n, (b, column_stride)), (m, (a, row)) = left, right
        depth = self._padded(op.B.type.rows, op.B.type) * component.size // DWORD
        loaded: set[int] = set()
        with self._loop("k", deep) as k:
            for i, j, tile in cells:
                of_b, of_a = LEFT_TILES[i], RIGHT_TILES[j]
                if of_b not in loaded:
                    column = product_of(product_of(sum_of([n, i]), self.shape.columns), column_stride)
                    address = sum_of([b, column, product_of(k, inner)])
                    self.writer.line(f"tile_load({of_b}, {address}, {product_of(column_stride, component.size)})")
                if of_a not in loaded:
                    begin = product_of(sum_of([m, j]), depth * self.shape.rows)
                    address = sum_of([a, begin, product_of(k, dwords * self.shape.rows)])
                    self.writer.line(f"tile_load({of_a}, {address}, {product_of(row, DWORD)})")
                loaded |= {of_b, of_a}
                self.writer.line(f"tile_dot_{device_name(component)}({tile}, {of_b}, {of_a})")

    # Sums that stay in registers.

    # They are loaded or begin with zero, and are stored, if nothing else uses them.

    def constant(self, op: Constant) -> None:
        if not is_constant(op.result, 0) or not self._begins_sums(op.result):
            super().constant(op)

    def carry(self, op: For, initial: Value, carried: Value) -> None:
        if self._begins_sums(initial):
            self.new(carried)
        else:
            super().carry(op, initial, carried)

    def enter(self, op: For) -> None:
        for carried, cells in self._carried_sums(op):
            self._resident[carried] = cells[0][2]
            initial = op.inits[op.carried.index(carried)]
            if not self._begins_sums(initial):
                self._move("load", self._held_at(carried), cells)
            elif initial in self._loaded_from:
                self._move("load", self._loaded_from[initial], cells)
            else:
                for *_, tile in cells:
                    self.writer.line(f"tile_zero({tile})")

    def leave(self, op: For) -> None:
        for carried, cells in self._carried_sums(op):
            del self._resident[carried]
            result = op.results[op.carried.index(carried)]
            if self._is_stored_next(op, result):
                self._in_registers[result] = cells
            else:
                self._move("store", self._held_at(carried), cells)

    def _held_at(self, value: Value) -> Packed:
        code = self.writer.matrix(value)
        return code.pointer, Known(code.strides[1])

    def _store(self, op: CooperativeMatrixStore) -> None:
        cells = self._in_registers.get(op.A)
        if cells is None:
            super()._store(op)
        else:
            self._move("store", self._place_in_memory(op), cells)

    def _place_in_memory(self, op: CooperativeMatrixLoad | CooperativeMatrixStore) -> Packed:
        M = self.writer.memref(op.M)
        return sum_of([M.pointer, M.offset((self.writer.scalar(op.x), self.writer.scalar(op.y)))]), M.strides[1]

    def _begins_sums(self, initial: Value) -> bool:
        """Whether registers can hold an initial sum of a loop without other use: a zero, or a loaded matrix."""
        users = self.uses.users.get(initial, [])
        if len(users) != 1 or not isinstance(users[0], For):
            return False
        begins = users[0].carried[users[0].inits.index(initial)]
        if not any(carried is begins for carried, _ in self._carried_sums(users[0])):
            return False
        if isinstance(initial.owner, CooperativeMatrixAtomicLoad):
            return False
        if isinstance(initial.owner, CooperativeMatrixLoad):
            is_plain = not TRANSPOSES[initial.owner.transpose] and self._is_whole(initial.owner, initial.type)
            return is_plain and self.uses.unchanged(initial.owner)
        return is_constant(initial, 0)

    def _is_stored_next(self, op: For, result: Value) -> bool:
        """Whether a loop's sums are stored to memory, and not used otherwise, before the registers are needed again."""
        users = self.uses.users.get(result, [])
        if len(users) != 1 or not isinstance(users[0], CooperativeMatrixStore) or users[0].flag:
            return False
        if TRANSPOSES[users[0].transpose]:
            return False
        region = self.uses.region[op]
        if self.uses.region[users[0]] is not region or not self._is_whole(users[0], result.type):
            return False
        between = region.operations[region.operations.index(op) + 1 : region.operations.index(users[0])]
        return not any(other.regions or self._on_tiles(other) for other in between)

    def _is_whole(self, op: CooperativeMatrixLoad | CooperativeMatrixStore, type_: Type) -> bool:
        """Whether all of a matrix lies in memory as whole tiles."""
        assert isinstance(type_, CoopMatrixType) and isinstance(op.M.type, MemrefType)
        whole = type_.rows % self.shape.rows == 0 and type_.columns % self.shape.columns == 0
        return whole and not op.checked and op.M.type.strides[0] == 1

    def _carried_sums(self, op: For) -> list[tuple[Value, list[Cell]]]:
        """The carried values that stay in registers: if registers hold all, and there are no other products."""
        last = terminator(op.body)
        if last is None:  # nothing is carried
            return []
        sums: list[tuple[Value, list[Cell]]] = []
        taken = 0
        for product in filter(self._on_tiles, op.body.walk()):
            assert isinstance(product, CooperativeMatrixMulAdd)
            high, wide, _ = self.shape.blocks(product)
            if product.C not in op.carried or not self.adds_in_place(product) or max(high, wide) > 2:
                return []
            if self.uses.users.get(product.result) != [last]:
                return []
            if last.yielded[op.carried.index(product.C)] is not product.result:
                return []
            sums.append((product.C, [(i, j, taken + i * high + j) for i in range(wide) for j in range(high)]))
            taken += high * wide
        return sums if taken <= len(ACCUMULATORS) else []
