"""Cooperative matrices: blocks of memory, products of pieces, and arithmetic on the numbers that each lane has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...ir.meanings import no_meaning
from ...ir.types import CoopMatrixType, ScalarType
from ...ir.values import Value
from ...mlir.text import builder as mlir
from ...mlir.text.custom import element_of
from ...mlir.text.types import Scalar, Vector
from ...ops import (
    ArithBinary,
    ArithUnary,
    Cast,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixAtomicUpdate,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixScale,
    CooperativeMatrixStore,
    InitTile,
    LoadPadded,
    PrefetchTile,
)
from ...ops.coopmatrix import CHECKED_SIDES
from ...ops.updates import TRANSPOSES
from ...passes.analysis.divisors import Divisors
from ...passes.targets.vector import MatrixFma
from ...passes.targets.xe import Chip
from ..mlir import types
from ..mlir.emit import Emitter
from ..mlir.numbers import Number, Numbers
from . import blocks
from .forms import Form, Piece, form_of, stacked
from .memory import GpuMemory, GpuMemref
from .options import Options
from .updates import Updates
from .work_items import WorkItem


class Matrices:
    """Writes instructions on matrices; a matrix is its pieces, each a vector of what a lane has."""

    def __init__(
        self, emitter: Emitter, memory: GpuMemory, updates: Updates, here: WorkItem, chip: Chip,
        options: Options,
    ) -> None:  # fmt: skip
        self._emitter = emitter
        self._known_only = options.blocks == "preferred"
        self._divisors = Divisors(emitter.function)
        self._to = emitter.to
        self._memory = memory
        self._updates = updates
        self._here = here
        self._chip = chip
        self._blocks = blocks.Blocks(emitter.to, memory, chip, options.moves)

    # Types.

    def form(self, type_: CoopMatrixType) -> Form:
        return form_of(type_, self._chip)

    def parts(self, type_: CoopMatrixType) -> list[Vector]:
        """The types of the pieces."""
        form, element = self.form(type_), types.element(type_.component)
        return [Vector((form.numbers(piece),), element) for piece in form.pieces]

    def _numbers(self, count: int) -> Numbers:
        """Arithmetic on vectors of so many numbers."""
        return Numbers(self._to, lambda type_: Vector((count,), type_))

    # Values.

    def constant(self, literal: Any, type_: CoopMatrixType) -> Number:
        """A matrix of equal components."""
        form = self.form(type_)
        parts = []
        for piece in form.pieces:
            numbers = self._numbers(form.numbers(piece))
            parts.append(numbers.to_store(numbers.constant(literal, type_.component)[0], type_.component))
        return tuple(parts)

    def write(self, op: CooperativeMatrixLoad | CooperativeMatrixMulAdd | CooperativeMatrixScale) -> Number:
        if isinstance(op, CooperativeMatrixLoad):
            return self._load(op)
        if isinstance(op, CooperativeMatrixMulAdd):
            product = self.product(op.A, op.B, op.C)
            return self._cast(product, op.C.type, op.result.type)
        scalar = self._emitter.single(op.scalar)
        type_: CoopMatrixType = op.matrix.type
        parts = []
        for name, count in self._counted(op.matrix):
            numbers = self._numbers(count)
            spread = self._to.op("vector.broadcast", scalar, type=Vector((count,), types.register(type_.component)))
            register = numbers.loaded(name, type_.component)
            (product_,) = numbers.binary("mul", (spread,), (register,), type_.component)
            parts.append(numbers.to_store(product_, type_.component))
        return tuple(parts)

    def elementwise(self, op: ArithBinary | ArithUnary | Cast) -> Number:
        if isinstance(op, Cast):
            return self._cast(self._emitter.number(op.operand), op.operand.type, op.result.type)
        component: ScalarType = op.a.type.component
        result_type: ScalarType = op.result.type.component
        parts = []
        operands = [op.a, op.b] if isinstance(op, ArithBinary) else [op.a]
        for columns in zip(*map(self._counted, operands)):
            numbers = self._numbers(columns[0][1])
            values = [(numbers.loaded(name, component),) for name, _ in columns]
            if isinstance(op, ArithBinary):
                (result,) = numbers.binary(op.variant, values[0], values[1], component)
            elif isinstance(op, ArithUnary):
                (result,) = numbers.unary(op.variant, values[0], component)
            else:
                no_meaning("the xegpu backend, matrices", op.word)
            parts.append(numbers.to_store(result, result_type))
        return tuple(parts)

    def _counted(self, matrix: Value) -> list[tuple[mlir.Value, int]]:
        """The pieces of a matrix with the numbers that a lane has of each."""
        form = self.form(matrix.type)
        return [(name, form.numbers(piece)) for name, piece in zip(self._emitter.number(matrix), form.pieces)]

    def _cast(self, parts: Number, source: CoopMatrixType, target: CoopMatrixType) -> Number:
        if source == target:
            return parts
        form, cast_parts = self.form(source), []
        for name, piece in zip(parts, form.pieces):
            numbers = self._numbers(form.numbers(piece))
            value = (numbers.loaded(name, source.component),)
            (cast,) = numbers.cast(value, source.component, target.component)
            cast_parts.append(numbers.to_store(cast, target.component))
        return tuple(self._recut(cast_parts, form, self.form(target)))

    def _recut(self, parts: Sequence[mlir.Value], before: Form, after: Form) -> list[mlir.Value]:
        """The pieces of a second factor in other heights, where types of other sizes are multiplied."""
        if [piece.height for piece in before.pieces] == [piece.height for piece in after.pieces]:
            return list(parts)
        recut = []
        for piece in after.pieces:
            rows: list[mlir.Value] = []
            for vector, other in zip(parts, before.pieces):
                if other.column != piece.column:
                    continue
                begin, end = max(piece.row, other.row), min(piece.row + piece.height, other.row + other.height)
                rows += [self._extracted(vector, row - other.row) for row in range(begin, end)]
            recut.append(self._gathered(rows))
        return recut

    def _extracted(self, vector: mlir.Value, position: int) -> mlir.Value:
        return self._to.op("vector.extract", vector, type=element_of(vector.type), position=[position])

    def _gathered(self, numbers: Sequence[mlir.Value], hint: str = "v") -> mlir.Value:
        type_ = numbers[0].type
        assert isinstance(type_, Scalar)
        return self._to.op("vector.from_elements", numbers, type=Vector((len(numbers),), type_), hint=hint)

    # Products.

    def product(self, a: Value, b: Value, c: Value | None) -> Number:
        """The sums of products, in the form of C."""
        assert c is not None
        firsts, seconds, sums = (self._emitter.number(value) for value in (b, a, c))
        forms = [self.form(value.type) for value in (b, a, c)]
        totals = []
        for number, total in enumerate(sums):
            row, column = piece_position(forms[2], number)
            for step in range(forms[1].heights):
                first, second = forms[0].at(row, step), forms[1].at(step, column)
                total = self._to.op("xegpu.dpas", firsts[first], seconds[second], total, hint="sum")
            totals.append(total)
        return tuple(totals)

    def add_product(self, op: MatrixFma) -> None:
        """The sums of a work-item's row and what the sub-group's matrices add to them."""
        emitter, element = self._emitter, op.left[0].type
        factors = ([self._stored(value, element) for value in values] for values in (op.right, op.left))
        first, second = (self._gathered(numbers, "factor") for numbers in factors)
        sums = self._gathered([emitter.single(value) for value in op.sums], "sums")
        totals = self._to.op("xegpu.dpas", first, second, sums, hint="sums")
        for place, total in enumerate(op.totals):
            emitter.bind(total, (self._extracted(totals, place),))

    def _stored(self, value: Value, element: ScalarType) -> mlir.Value:
        """A number in the form of memory."""
        return self._emitter.numbers.to_store(self._emitter.single(value), element)

    # Memory.

    def _load(self, op: CooperativeMatrixLoad) -> Number:
        memref, is_transposed = self.memref(op.M), TRANSPOSES[op.transpose]
        type_: CoopMatrixType = op.result.type
        form, hint = self.form(type_), op.result.name or "matrix"
        column, row = (self._emitter.single(value) for value in (op.x, op.y))
        padding = None
        if isinstance(op, LoadPadded):
            scalar = self._emitter.number(op.padding)[0]
            padding = self._emitter.numbers.to_store(scalar, type_.component)
        is_atomic = isinstance(op, CooperativeMatrixAtomicLoad)
        if not is_atomic and padding is None and self._has_blocks(op.M, op.x, type_, is_transposed):
            return self._load_blocks(memref, type_, row, column, is_transposed, hint)
        limits = self._limits(memref, op.checked, is_transposed)
        parts = []
        for piece in form.pieces:
            numbers = []
            for at, mask in self._elements(memref, form, piece, row, column, is_transposed, limits):
                if is_atomic:
                    numbers.append(self._updates.read(memref, at, mask))
                else:
                    numbers.append(self._memory.read(memref, at, mask, padding=padding))
            parts.append(self._gathered(numbers, hint))
        return tuple(parts)

    def _load_blocks(
        self,
        memref: GpuMemref,
        type_: CoopMatrixType,
        row: mlir.Value,
        column: mlir.Value,
        is_transposed: bool,
        hint: str,
    ) -> Number:
        """Load the largest blocks that there are, and take the pieces out of them."""
        form = self.form(type_)
        if is_transposed:
            return tuple(self._blocks.load(memref, type_, piece, row, column, True, hint) for piece in form.pieces)
        by_piece: dict[Piece, mlir.Value] = {}
        for together in stacked(form, self._chip.load_heights):
            first = together[0]
            block = Piece(first.row, first.column, sum(piece.height for piece in together), first.width)
            loaded = self._blocks.load(memref, type_, block, row, column, False, hint)
            if len(together) == 1:
                by_piece[first] = loaded
                continue
            for piece in together:
                begin = (piece.row - first.row) * form.columns_a_lane
                by_piece[piece] = self._blocks.slice(loaded, begin, form.numbers(piece), hint)
        return tuple(by_piece[piece] for piece in form.pieces)

    def store(self, op: CooperativeMatrixStore) -> None:
        memref, type_ = self.memref(op.M), op.A.type
        is_transposed = TRANSPOSES[op.transpose]
        if not op.flag and self._has_blocks(op.M, op.x, type_, is_transposed, stores=True):
            column, row = (self._emitter.single(value) for value in (op.x, op.y))
            for name, piece in zip(self._emitter.number(op.A), self.form(type_).pieces):
                self._blocks.store(name, memref, type_, piece, row, column)
            return
        for components in self._components(op, memref):
            for value, at, mask in components:
                if op.flag == "atomic_add":
                    self._updates.add(value, memref, at, mask)
                else:
                    self._memory.write(value, memref, at, mask)

    def update(self, op: CooperativeMatrixAtomicUpdate) -> Number:
        """Combine elements with the components of a matrix; the matrix of the elements before."""
        memref, hint = self.memref(op.M), op.result.name or "before"
        parts = []
        for components in self._components(op, memref):
            before = [self._updates.update(op.combines, value, memref, at, mask) for value, at, mask in components]
            parts.append(self._gathered(before, hint))
        return tuple(parts)

    def _components(
        self, op: CooperativeMatrixStore, memref: GpuMemref
    ) -> Iterator[list[tuple[mlir.Value, mlir.Value, mlir.Value | None]]]:
        """The numbers that a lane has of each piece, where they go, and what tells whether that is in the memref."""
        type_: CoopMatrixType = op.A.type
        form, is_transposed = self.form(type_), TRANSPOSES[op.transpose]
        column, row = (self._emitter.single(value) for value in (op.x, op.y))
        limits = self._limits(memref, op.checked, is_transposed)
        for name, piece in zip(self._emitter.number(op.A), form.pieces):
            components = []
            for number, (at, mask) in enumerate(
                self._elements(memref, form, piece, row, column, is_transposed, limits)
            ):
                components.append((self._extracted(name, number), at, mask))
            yield components

    def prefetch(self, op: PrefetchTile) -> None:
        """Prefetch a tile, where blocks take its memref."""
        tile = op.tile.owner
        assert isinstance(tile, InitTile), "lower-tiles has left it in front"
        columns, rows = op.tile.type.shape
        type_ = CoopMatrixType(tile.M.type.element, columns, rows, "matrix_acc")
        if self._has_blocks(tile.M, tile.x, type_, False, prefetches=True):
            column, row = (self._emitter.single(value) for value in (tile.x, tile.y))
            self._blocks.prefetch(self.memref(tile.M), rows, columns, row, column)

    def _has_blocks(
        self, memref: Value, first: Value, type_: CoopMatrixType, is_transposed: bool, **ways: bool
    ) -> bool:
        """Whether there are blocks for an access; unless they must be known, what is open is taken to be right."""
        if blocks.problems(self._chip, memref, first, type_, is_transposed, **ways):
            return False
        return not self._known_only or blocks.is_known(self._chip, memref, first, self._divisors)

    def memref(self, value: Value) -> GpuMemref:
        memref = self._emitter.memref(value)
        assert isinstance(memref, GpuMemref)
        return memref

    def _limits(
        self, memref: GpuMemref, checked: str, is_transposed: bool
    ) -> tuple[mlir.Value | None, mlir.Value | None]:
        """The sizes that rows and columns of memory are checked against, where they are."""
        sides = CHECKED_SIDES[checked]
        columns, rows = "rows" in sides, "cols" in sides
        if is_transposed:
            columns, rows = rows, columns
        sizes = [self._memory.size(memref, mode) if asked else None for mode, asked in ((1, rows), (0, columns))]
        return sizes[0], sizes[1]

    def _elements(
        self,
        memref: GpuMemref,
        form: Form,
        piece: Piece,
        row: mlir.Value,
        column: mlir.Value,
        is_transposed: bool,
        limits: tuple[mlir.Value | None, mlir.Value | None],
    ) -> list[tuple[mlir.Value, mlir.Value | None]]:
        """Where the numbers of this lane lie in memory, and what tells whether they do."""
        to, per = self._to, form.columns_a_lane
        first = self._here.lane()
        if per > 1:
            first = to.op("arith.muli", first, to.constant(per))
        elements = []
        for number in range(form.numbers(piece)):
            down, right = divmod(number, per)
            own_row = to.constant(piece.row + down)
            own_column = self._sum(first, piece.column + right)
            if is_transposed:
                own_row, own_column = own_column, own_row
            at_row, at_column = self._added(row, own_row), self._added(column, own_column)
            mask = None
            for at, limit in ((at_row, limits[0]), (at_column, limits[1])):
                if limit is not None:
                    # a negative index is a large one without sign
                    fits = to.op("arith.cmpi", at, limit, predicate="ult")
                    mask = fits if mask is None else to.op("arith.andi", mask, fits)
            elements.append((self._memory.position(memref, [at_column, at_row]), mask))
        return elements

    def _sum(self, begin: mlir.Value, number: int) -> mlir.Value:
        return begin if not number else self._added(begin, self._to.constant(number))

    def _added(self, a: mlir.Value, b: mlir.Value) -> mlir.Value:
        return self._to.op("arith.addi", a, b)


def piece_position(form: Form, number: int) -> tuple[int, int]:
    """The row and the column of a piece among the pieces."""
    return divmod(number, len(form.pieces) // form.heights)
