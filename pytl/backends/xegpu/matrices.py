"""Cooperative matrices: blocks of memory, products of pieces, and arithmetic on the numbers that each lane has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...ir.meanings import no_meaning
from ...ir.types import CoopMatrixType, ScalarType
from ...ir.values import Value
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
from ...passes.targets.xe import Chip
from ..mlir import types
from ..mlir.emit import Emitter
from ..mlir.numbers import Number, Numbers
from . import blocks
from .forms import Form, Piece, form_of, stacked
from .memory import GpuMemory, Place
from .options import Options
from .updates import Updates
from .work_items import WorkItem


class Matrices:
    """Writes instructions on matrices; a matrix is the names of its pieces, each a vector of what a lane has."""

    def __init__(
        self, emitter: Emitter, memory: GpuMemory, updates: Updates, here: WorkItem, chip: Chip,
        options: Options,
    ) -> None:  # fmt: skip
        self._emitter = emitter
        self._required = options.blocks == "required"
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

    def texts(self, type_: CoopMatrixType) -> list[str]:
        """The types of the pieces."""
        form, element = self.form(type_), types.element(type_.component)
        return [f"vector<{form.numbers(piece)}x{element}>" for piece in form.pieces]

    # Values.

    def constant(self, literal: Any, type_: CoopMatrixType) -> Number:
        """A matrix of equal components."""
        form = self.form(type_)
        found = []
        for piece in form.pieces:
            numbers = Numbers(self._to, form.numbers(piece))
            found.append(numbers.to_store(numbers.constant(literal, type_.component)[0], type_.component))
        return tuple(found)

    def write(self, op: CooperativeMatrixLoad | CooperativeMatrixMulAdd | CooperativeMatrixScale) -> Number:
        if isinstance(op, CooperativeMatrixLoad):
            return self._load(op)
        if isinstance(op, CooperativeMatrixMulAdd):
            product = self.product(op.A, op.B, op.C)
            return self._cast(product, op.C.type, op.result.type)
        scalar = self._emitter.single(op.scalar)
        type_: CoopMatrixType = op.matrix.type
        found = []
        for name, count in self._counted(op.matrix):
            numbers = Numbers(self._to, count)
            kind = types.register(type_.component)
            spread = self._to.op(f"vector.broadcast {scalar} : {kind} to {numbers.text(kind)}")
            given = numbers.loaded(name, type_.component)
            (product_,) = numbers.binary("mul", (spread,), (given,), type_.component)
            found.append(numbers.to_store(product_, type_.component))
        return tuple(found)

    def elementwise(self, op: ArithBinary | ArithUnary | Cast) -> Number:
        if isinstance(op, Cast):
            return self._cast(self._emitter.number(op.operand), op.operand.type, op.result.type)
        component: ScalarType = op.a.type.component
        result_type: ScalarType = op.result.type.component
        found = []
        operands = [op.a, op.b] if isinstance(op, ArithBinary) else [op.a]
        for given in zip(*map(self._counted, operands)):
            numbers = Numbers(self._to, given[0][1])
            values = [(numbers.loaded(name, component),) for name, _ in given]
            if isinstance(op, ArithBinary):
                (result,) = numbers.binary(op.variant, values[0], values[1], component)
            elif isinstance(op, ArithUnary):
                (result,) = numbers.unary(op.variant, values[0], component)
            else:
                no_meaning("the xegpu backend, matrices", op.word)
            found.append(numbers.to_store(result, result_type))
        return tuple(found)

    def _counted(self, matrix: Value) -> list[tuple[str, int]]:
        """The pieces of a matrix with the numbers that a lane has of each."""
        form = self.form(matrix.type)
        return [(name, form.numbers(piece)) for name, piece in zip(self._emitter.number(matrix), form.pieces)]

    def _cast(self, given: Number, source: CoopMatrixType, target: CoopMatrixType) -> Number:
        if source == target:
            return given
        form, found = self.form(source), []
        for name, piece in zip(given, form.pieces):
            numbers = Numbers(self._to, form.numbers(piece))
            value = (numbers.loaded(name, source.component),)
            (cast,) = numbers.cast(value, source.component, target.component)
            found.append(numbers.to_store(cast, target.component))
        return tuple(self._recut(found, form, self.form(target), types.element(target.component)))

    def _recut(self, names: Sequence[str], before: Form, after: Form, element: str) -> list[str]:
        """The pieces of a second factor in other heights, where types of other sizes are multiplied."""
        if [piece.height for piece in before.pieces] == [piece.height for piece in after.pieces]:
            return list(names)
        found = []
        for piece in after.pieces:
            rows: list[str] = []
            for name, other in zip(names, before.pieces):
                if other.column != piece.column:
                    continue
                for row in range(max(piece.row, other.row), min(piece.row + piece.height, other.row + other.height)):
                    text = f"vector<{before.numbers(other)}x{element}>"
                    rows.append(self._to.op(f"vector.extract {name}[{row - other.row}] : {element} from {text}"))
            listed, count = ", ".join(rows), len(rows)
            found.append(self._to.op(f"vector.from_elements {listed} : vector<{count}x{element}>"))
        return found

    # Products.

    def product(self, a: Value, b: Value, c: Value | None) -> Number:
        """The sums of products, in the form of C."""
        assert c is not None
        firsts, seconds, sums = (self._emitter.number(value) for value in (b, a, c))
        forms = [self.form(value.type) for value in (b, a, c)]
        texts = [self.texts(value.type) for value in (b, a, c)]
        found = []
        for number, total in enumerate(sums):
            row, column = piece_place(forms[2], number)
            for step in range(forms[1].heights):
                first, second = forms[0].at(row, step), forms[1].at(step, column)
                total = self._to.op(
                    f"xegpu.dpas {firsts[first]}, {seconds[second]}, {total} : "
                    f"{texts[0][first]}, {texts[1][second]}, {texts[2][number]} -> {texts[2][number]}",
                    "sum",
                )
            found.append(total)
        return tuple(found)

    # Memory.

    def _load(self, op: CooperativeMatrixLoad) -> Number:
        place, is_transposed = self.place(op.M), TRANSPOSES[op.transpose]
        type_: CoopMatrixType = op.result.type
        form, hint = self.form(type_), op.result.name or "matrix"
        column, row = (self._emitter.single(value) for value in (op.x, op.y))
        padding = None
        if isinstance(op, LoadPadded):
            given = self._emitter.number(op.padding)[0]
            padding = self._emitter.numbers.to_store(given, type_.component)
        is_atomic = isinstance(op, CooperativeMatrixAtomicLoad)
        if not is_atomic and padding is None and self._has_blocks(op.M, op.x, type_, is_transposed):
            return self._load_blocks(place, type_, row, column, is_transposed, hint)
        limits = self._limits(place, op.checked, is_transposed)
        text = types.element(type_.component)
        found = []
        for piece in form.pieces:
            numbers = []
            for at, mask in self._elements(place, form, piece, row, column, is_transposed, limits):
                if is_atomic:
                    numbers.append(self._updates.read(place, at, mask))
                else:
                    numbers.append(self._memory.read(place, at, mask, padding=padding))
            found.append(self._gathered(numbers, text, hint))
        return tuple(found)

    def _gathered(self, numbers: Sequence[str], text: str, hint: str) -> str:
        return self._to.op(f"vector.from_elements {', '.join(numbers)} : vector<{len(numbers)}x{text}>", hint)

    def _load_blocks(
        self, place: Place, type_: CoopMatrixType, row: str, column: str, is_transposed: bool, hint: str
    ) -> Number:
        """Load the largest blocks that there are, and take the pieces out of them."""
        form = self.form(type_)
        if is_transposed:
            return tuple(self._blocks.load(place, type_, piece, row, column, True, hint) for piece in form.pieces)
        found: dict[Piece, str] = {}
        for together in stacked(form, self._chip.load_heights):
            first = together[0]
            block = Piece(first.row, first.column, sum(piece.height for piece in together), first.width)
            loaded = self._blocks.load(place, type_, block, row, column, False, hint)
            if len(together) == 1:
                found[first] = loaded
                continue
            element, whole = types.element(type_.component), form.numbers(block)
            for piece in together:
                begin, count = (piece.row - first.row) * form.columns_a_lane, form.numbers(piece)
                part = f"{{offsets = [{begin}], sizes = [{count}], strides = [1]}}"
                found[piece] = self._to.op(
                    f"vector.extract_strided_slice {loaded} {part} : vector<{whole}x{element}> to "
                    f"vector<{count}x{element}>",
                    hint,
                )
        return tuple(found[piece] for piece in form.pieces)

    def store(self, op: CooperativeMatrixStore) -> None:
        place, type_ = self.place(op.M), op.A.type
        is_transposed = TRANSPOSES[op.transpose]
        if not op.flag and self._has_blocks(op.M, op.x, type_, is_transposed, stores=True):
            column, row = (self._emitter.single(value) for value in (op.x, op.y))
            for name, piece in zip(self._emitter.number(op.A), self.form(type_).pieces):
                self._blocks.store(name, place, type_, piece, row, column)
            return
        for components in self._components(op, place):
            for value, at, mask in components:
                if op.flag == "atomic_add":
                    self._updates.add(value, place, at, mask)
                else:
                    self._memory.write(value, place, at, mask)

    def update(self, op: CooperativeMatrixAtomicUpdate) -> Number:
        """Combine elements with the components of a matrix; the matrix of the elements before."""
        place, text, hint = self.place(op.M), types.element(op.A.type.component), op.result.name or "before"
        found = []
        for components in self._components(op, place):
            before = [self._updates.update(op.combines, value, place, at, mask) for value, at, mask in components]
            found.append(self._gathered(before, text, hint))
        return tuple(found)

    def _components(self, op: CooperativeMatrixStore, place: Place) -> Iterator[list[tuple[str, str, str | None]]]:
        """The numbers that a lane has of each piece, where they go, and what tells whether that is in the memref."""
        type_: CoopMatrixType = op.A.type
        form, is_transposed, text = self.form(type_), TRANSPOSES[op.transpose], types.element(type_.component)
        column, row = (self._emitter.single(value) for value in (op.x, op.y))
        limits = self._limits(place, op.checked, is_transposed)
        for name, piece in zip(self._emitter.number(op.A), form.pieces):
            vector, found = f"vector<{form.numbers(piece)}x{text}>", []
            for number, (at, mask) in enumerate(self._elements(place, form, piece, row, column, is_transposed, limits)):
                found.append((self._to.op(f"vector.extract {name}[{number}] : {text} from {vector}"), at, mask))
            yield found

    def prefetch(self, op: PrefetchTile) -> None:
        """Prefetch a tile, where blocks take its memref."""
        tile = op.tile.owner
        assert isinstance(tile, InitTile), "lower-tiles has left it in front"
        columns, rows = op.tile.type.shape
        type_ = CoopMatrixType(tile.M.type.element, columns, rows, "matrix_acc")
        if self._has_blocks(tile.M, tile.x, type_, False, prefetches=True):
            column, row = (self._emitter.single(value) for value in (tile.x, tile.y))
            self._blocks.prefetch(self.place(tile.M), rows, columns, row, column)

    def _has_blocks(
        self, memref: Value, first: Value, type_: CoopMatrixType, is_transposed: bool, **ways: bool
    ) -> bool:
        """Whether there are blocks for an access; where blocks are required, what is open is taken to be right."""
        if blocks.problems(self._chip, memref, first, type_, is_transposed, **ways):
            return False
        return self._required or blocks.is_known(self._chip, memref, first, self._divisors)

    def place(self, value: Value) -> Place:
        place = self._emitter.memref(value)
        assert isinstance(place, Place)
        return place

    def _limits(self, place: Place, checked: str, is_transposed: bool) -> tuple[str | None, str | None]:
        """The sizes that rows and columns of memory are checked against, where they are."""
        sides = CHECKED_SIDES[checked]
        columns, rows = "rows" in sides, "cols" in sides
        if is_transposed:
            columns, rows = rows, columns
        sizes = [self._memory.size(place, mode) if asked else None for mode, asked in ((1, rows), (0, columns))]
        return sizes[0], sizes[1]

    def _elements(
        self,
        place: Place,
        form: Form,
        piece: Piece,
        row: str,
        column: str,
        is_transposed: bool,
        limits: tuple[str | None, str | None],
    ) -> list[tuple[str, str | None]]:
        """Where the numbers of this lane lie in memory, and what tells whether they do."""
        to, per = self._to, form.columns_a_lane
        first = self._here.lane()
        if per > 1:
            first = to.op(f"arith.muli {first}, {to.constant(per)} : index")
        found = []
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
                    fits = to.op(f"arith.cmpi ult, {at}, {limit} : index")
                    mask = fits if mask is None else to.op(f"arith.andi {mask}, {fits} : i1")
            found.append((self._memory.position(place, [at_column, at_row]), mask))
        return found

    def _sum(self, name: str, number: int) -> str:
        return name if not number else self._added(name, self._to.constant(number))

    def _added(self, a: str, b: str) -> str:
        return self._to.op(f"arith.addi {a}, {b} : index")


def piece_place(form: Form, number: int) -> tuple[int, int]:
    """The row and the column of a piece among the pieces."""
    return divmod(number, len(form.pieces) // form.heights)
