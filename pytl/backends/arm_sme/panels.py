"""Packs factors of a product in the order in which outer products read them.

A panel has a row per group of steps of the sum; the row holds, for each row or column of the result, the numbers of
that group. A factor that already has this layout in memory is its own panel. Others are packed: lines along the result
by interleaving as many of them as a group has steps; lines along the sum by transposing tiles of ZA, which are written
by rows and read by columns; any other layout element by element.

A complex product is a real one of twice as many steps: with C = A B,

    (re C | im C) = re B (re A | im A) + im B (-im A | re A)

where the columns of one panel come in two planes, those of re C and those of im C.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...ir.types import Extent, ScalarType, c32, c64
from ...mlir.text.builder import Value
from ...mlir.text.types import ScalableVector
from ...passes.targets.sme import Product, has_unit_stride
from ..mlir import types
from ..mlir.emit import Emitter
from ..mlir.memory import Memref
from ..mlir.numbers import Number
from .lines import Access, Lines, lines_of
from .products import tile_type
from .vectors import Vector, Vectors, vector_type

ALIGNMENT = 64
"""Bytes that panels are aligned to."""
STACK_BYTES = 1 << 16
"""Larger panels, and those of a size that is known at run time only, are allocated by malloc."""


@dataclass(frozen=True)
class Factor:
    """A factor, with its mode that is a mode of the result, and the mode of the sum, which a vector factor lacks."""

    memref: Memref
    free: int
    summed: int | None

    @property
    def steps(self) -> Extent:
        return 1 if self.summed is None else self.memref.type.shape[self.summed]


@dataclass(frozen=True)
class Panel:
    """A packed factor, for outer products."""

    lines: Lines
    rows: Value
    """The number of rows: iterations of the loop over the sum."""
    extent: Value
    """The size of the mode of the result; columns are planes of so many, times the numbers of a group."""


@dataclass(frozen=True)
class _Write:
    """The places of the parts of each element: planes of rows and of columns, and whether the part is negated there."""

    row: int
    column: int
    part: int
    is_negative: bool = False


_REAL = (_Write(0, 0, 0),)
_COLUMNS = (_Write(0, 0, 0), _Write(0, 1, 1), _Write(1, 0, 1, True), _Write(1, 1, 0))
_ROWS = (_Write(0, 0, 0), _Write(1, 0, 1))


@contextmanager
def panels(
    emitter: Emitter, product: Product, target: ScalarType, rows: Factor, columns: Factor
) -> Iterator[list[Panel]]:
    """The panels of the vectors that go to the rows and to the columns of tiles, for a target of some element type."""
    writes = (_ROWS, _COLUMNS) if target.is_complex else (_REAL, _REAL)
    packings = [
        _Packing(emitter, product, factor, how, side)
        for factor, how, side in zip((rows, columns), writes, ("rows", "columns"))
    ]
    yield [packing.panel() for packing in packings]
    for packing in packings:
        packing.release()


class _Packing:
    """Packs one panel."""

    def __init__(
        self, emitter: Emitter, product: Product, factor: Factor, writes: tuple[_Write, ...], side: str
    ) -> None:
        self.to, self.memory, self.numbers = emitter.to, emitter.memory, emitter.numbers
        self.product, self.factor, self.writes, self.side = product, factor, writes, side
        self.vectors = Vectors(self.to, product.lanes)
        self.grouped = Vectors(self.to, product.factor_lanes)
        self.buffer: Value | None = None
        """What is allocated, and to be released."""

    def release(self) -> None:
        if self.buffer is not None:
            self.to.do("memref.dealloc", self.buffer)

    def panel(self) -> Panel:
        type_ = self.factor.memref.type
        extent = self.memory.size(self.factor.memref, self.factor.free)
        ways, is_along = self.product.ways, self.factor.free == 0
        if (
            self.writes is _REAL
            and ways == 1
            and has_unit_stride(type_)
            and is_along
            and type_.element == self.product.factor
        ):
            return Panel(lines_of(self.to, self.factor.memref), self._steps(), extent)
        self.extent, self.steps = extent, self._steps()
        self.groups = self._index("ceildivsi", self.steps, self.to.constant(ways)) if ways > 1 else self.steps
        planes = 1 + max(write.row for write in self.writes)
        rows = self._index("muli", self.groups, self.to.constant(planes)) if planes > 1 else self.groups
        self.lines = self._allocate(rows)
        if has_unit_stride(type_):
            (self._interleave if is_along else self._turn)(lines_of(self.to, self.factor.memref))
        else:
            self._copy()
        return Panel(self.lines, rows, extent)

    def _steps(self) -> Value:
        summed = self.factor.summed
        return self.to.constant(1) if summed is None else self.memory.size(self.factor.memref, summed)

    def _allocate(self, rows: Value) -> Lines:
        part, ways = self.product.factor, self.product.ways
        of = types.element(part)
        planes = [1 + max(write.row for write in self.writes), 1 + max(write.column for write in self.writes)]
        steps, extent = self.factor.steps, self.factor.memref.type.shape[self.factor.free]
        if isinstance(steps, int) and isinstance(extent, int):
            sizes = [-(-steps // ways) * planes[0], extent * planes[1] * ways]
            type_ = types.dense(sizes, of)
            size = sizes[0] * sizes[1] * part.size
            if size <= STACK_BYTES:
                # a static buffer of one of a few sizes, which all products of the function share
                buffer = types.dense([1 << max(size - 1, 255).bit_length()], types.I8)
                base = self.to.once("memref.alloca", type=buffer, hint=self.side, alignment=ALIGNMENT)
                begin = self.to.constant(0)
                return Lines(self.to.op("memref.view", base, begin, type=type_, hint="panel"), part, 2)
            known: list[Value] = []
        else:
            type_ = types.dense([None, None], of)
            known = [rows, self._index("muli", self.extent, self.to.constant(planes[1] * ways))]
        self.buffer = self.to.op("memref.alloc", known, type=type_, hint="panel", alignment=ALIGNMENT)
        return Lines(self.buffer, part, 2)

    # The three ways.

    def _interleave(self, lines: Lines) -> None:
        """From lines along the result's mode."""
        to, ways = self.to, self.product.ways
        access = Access(self.vectors)
        zero, one = to.constant(0), to.constant(1)
        with to.loop(zero, self.groups, one, "group") as group:
            first = self._index("muli", group, to.constant(ways)) if ways > 1 else group
            with to.loop(zero, self.extent, self.vectors.length(), "i") as i:
                left = self._index("subi", self.extent, i)
                loaded: list[Vector] = []
                for way in range(ways):
                    step = self._index("addi", first, to.constant(way)) if way else first
                    there = left
                    if way:  # the last group may have fewer steps
                        is_step = to.op("arith.cmpi", step, self.steps, hint="is_step", predicate="slt")
                        there = to.op("arith.select", is_step, left, zero, hint="there")
                    stretch = access.stretch(i, there, lines.element.is_complex)
                    loaded.append(self._parts(self.vectors, access.load(lines, [step], stretch), lines.element))
                mask = self.grouped.mask(self._grouped(left))
                for write in self.writes:
                    parts = [vector[write.part] for vector in loaded]
                    self._write(write, self._zip(parts, self.product.lanes), group, i, mask)

    def _zip(self, parts: list[Value], lanes: int) -> Value:
        """Vectors interleaved element by element."""
        if len(parts) == 1:
            return parts[0]
        halves = [self._zip(parts[0::2], lanes), self._zip(parts[1::2], lanes)]
        lanes *= len(parts) // 2
        whole = vector_type(types.element(self.product.factor), lanes * 2)
        return self.to.op("vector.interleave", *halves, type=whole, hint="group")

    def _turn(self, lines: Lines) -> None:
        """From lines along the sum: into rows of a tile, and out of it by columns."""
        to, product = self.to, self.product
        access = Access(self.grouped)
        zero, one, length = to.constant(0), to.constant(1), self.vectors.length()
        tiles = 1 + max(write.part for write in self.writes)
        with (
            to.loop(zero, self.extent, length, "i") as i,
            to.loop(zero, self.groups, length, "group") as group,
        ):
            lines_left, groups_left = self._index("subi", self.extent, i), self._index("subi", self.groups, group)
            at = self._grouped(group)
            stretch = access.stretch(at, self._index("subi", self.steps, at), lines.element.is_complex)
            count = self._index("minsi", lines_left, length)
            empty = [to.op("arm_sme.get_tile", type=tile_type(product), hint="tile") for _ in range(tiles)]
            with to.carrying(zero, count, one, empty, "row") as rows:
                line = self._index("addi", i, rows.variable)
                loaded = self._parts(self.grouped, access.load(lines, [line], stretch), lines.element)
                rows.give([self._into(part, tile, rows.variable) for part, tile in zip(loaded, rows.values)])
            mask = self.grouped.mask(self._grouped(lines_left))
            with to.loop(zero, self._index("minsi", groups_left, length), one, "column") as column:
                parts = [self._out(tile, column) for tile in rows.results]
                row = self._index("addi", group, column)
                for write in self.writes:
                    self._write(write, parts[write.part], row, i, mask)

    def _into(self, vector: Value, tile: Value, row: Value) -> Value:
        if self.product.ways > 1:
            vector = self.to.op("vector.bitcast", vector, type=self._row, hint="whole")
        return self.to.op("arm_sme.insert_tile_slice", vector, tile, row, hint="tile")

    def _out(self, tile: Value, column: Value) -> Value:
        vector = self.to.op("arm_sme.extract_tile_slice", tile, column, type=self._row, hint="whole", layout="vertical")
        if self.product.ways == 1:
            return vector
        return self.to.op("vector.bitcast", vector, type=self.grouped.type(self.product.factor), hint="group")

    @property
    def _row(self) -> ScalableVector:
        """The type of a row or column of a tile."""
        return vector_type(types.element(self.product.sum), self.product.lanes)

    def _copy(self) -> None:
        """Element by element."""
        to, ways, factor = self.to, self.product.ways, self.factor
        zero, one = to.constant(0), to.constant(1)
        numbers, element, part = self.numbers, factor.memref.type.element, self.product.factor
        wide = _like(self.writes, element, self.product.factor)
        padded = self._index("muli", self.groups, to.constant(ways)) if ways > 1 else self.groups
        with to.loop(zero, padded, one, "step") as step, to.loop(zero, self.extent, one, "i") as i:
            indices = [i] if factor.summed is None else [i, step] if factor.free == 0 else [step, i]
            if ways > 1:
                loaded = self._or_zero(step, indices)
            else:
                loaded = self.memory.load(factor.memref, indices)
            value = numbers.cast(loaded, element, wide)
            if len(value) == 1 and max(write.part for write in self.writes):
                value = (value[0], to.constant(0.0, types.element(part)))
            group = self._index("divui", step, to.constant(ways)) if ways > 1 else step
            way = self._index("remui", step, to.constant(ways)) if ways > 1 else zero
            for write in self.writes:
                stored = numbers.to_store(value[write.part], part)
                if write.is_negative:
                    stored = to.op("arith.negf", stored, hint="negative")
                row, column = self._place(write, group, i)
                column = self._index("addi", column, way)
                to.do("memref.store", stored, self.lines.memref, self.lines.indices([row], column))

    def _or_zero(self, step: Value, indices: list[Value]) -> Number:
        """An element of a real factor, or zero beyond the last step."""
        to, element = self.to, self.factor.memref.type.element
        is_step = to.op("arith.cmpi", step, self.steps, hint="is_step", predicate="slt")
        nothing = self.numbers.constant(0 if element.is_integer else 0.0, element)
        with to.branch(is_step, [types.register(element)], "element") as branch:
            branch.give(self.memory.load(self.factor.memref, indices))
        with branch.otherwise():
            branch.give(nothing)
        return tuple(branch.results)

    # What they share.

    def _parts(self, vectors: Vectors, loaded: Vector, element: ScalarType) -> Vector:
        """Loaded elements as parts, in the type of factors."""
        return vectors.promote(loaded, element, _like(self.writes, element, self.product.factor))

    def _write(self, write: _Write, vector: Value, row: Value, i: Value, mask: Value) -> None:
        if write.is_negative:
            vector = self.grouped.negate(vector)
        row, column = self._place(write, row, i)
        Access.store_masked(self.grouped, vector, self.lines, self.lines.indices([row], column), mask)

    def _place(self, write: _Write, group: Value, i: Value) -> tuple[Value, Value]:
        row = self._index("addi", group, self.groups) if write.row else group
        column = self._index("addi", i, self.extent) if write.column else i
        return row, self._grouped(column)

    def _grouped(self, count: Value) -> Value:
        """How many numbers a number of groups has."""
        return self._index("muli", count, self.to.constant(self.product.ways)) if self.product.ways > 1 else count

    def _index(self, operation: str, a: Value, b: Value) -> Value:
        return self.to.op(f"arith.{operation}", a, b)


def _like(writes: tuple[_Write, ...], element: ScalarType, factor: ScalarType) -> ScalarType:
    """The type of elements in a panel: complex for complex products."""
    if writes is _REAL:
        return factor
    return next(t for t in (c32, c64) if t.component == factor)
