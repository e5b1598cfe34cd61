"""Factors of a product packed in the order in which outer products read them.

A panel has a row per group of steps of the sum; the row holds, for each row or column of the result, the numbers of
that group. A factor that already has this layout in memory is its own panel. Others are packed: lines along the result
by interleaving as many of them as a group has steps; lines along the sum by transposing tiles, which are written by
rows and read by columns; any other layout element by element.

A complex product is a real one of twice as many steps: with C = A B,

    (re C | im C) = re B (re A | im A) + im B (-im A | re A)

where the columns of one panel come in two planes, those of re C and those of im C.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from ...ir.operation import Operation
from ...ir.types import DYNAMIC, MemrefType, ScalarType, VectorTileType, VectorType
from ...ir.values import Region, Value
from ...ops import Alloca, Builtin, Expand, Subview, Update
from ...ops.constants import zero_of
from ...ops.updates import is_transposed
from ...ops.views import Slice, size_of_view
from ...process.records import dataclass
from ..analysis.uses import operations_for
from ..targets.outer_products import (
    BLOCKED,
    HELD,
    IN_BLOCKS,
    ONCE,
    PIECES,
    SCALED,
    STACK_BYTES,
    TURNED,
    VARYING,
    OuterProducts,
    is_packed,
)
from ..targets.sme import MAX_SCALE, has_unit_stride
from ..targets.vector import Release
from .access import Index, Lanes, load, make_mask
from .code import Code, Number
from .scaling import Scaling

ALIGNMENT = 64
"""Bytes that panels are aligned to."""


@dataclass(frozen=True)
class Factor:
    """A factor, with its mode that is a mode of the result, and the mode of the sum, which a vector factor lacks."""

    tensor: Value
    free: int
    summed: int | None
    extents: tuple[Number, Number] | None = None
    """The sizes of both modes, of a part of a factor."""

    @classmethod
    def of(cls, op: Update, name: str, mode: int) -> Factor:
        """A factor, with the mode of the result that it has."""
        tensor = getattr(op, name)
        if tensor.type.order == 1:
            return cls(tensor, 0, None)
        free = 1 - mode if is_transposed(op, name) else mode
        return cls(tensor, free, 1 - free)

    def at(self, i: Number, step: Number) -> Sequence[Number]:
        """The indices of an element."""
        return [i] if self.summed is None else [i, step] if self.free == 0 else [step, i]

    def sizes(self, code: Code, is_in_front: bool = False) -> tuple[Number, Number]:
        """The size of the result's mode, and the number of steps of the sum: of the factor, or, in front of the code
        that takes the factor's view, as it will be taken.
        """
        if self.extents is not None:
            return self.extents
        free = self._size(code, self.free, is_in_front)
        return free, 1 if self.summed is None else self._size(code, self.summed, is_in_front)

    def _size(self, code: Code, mode: int, is_in_front: bool) -> Number:
        size = size_of_view(self.tensor, mode) if is_in_front else None
        return code.size(self.tensor, mode) if size is None else size


@dataclass(frozen=True)
class Panel:
    """A packed factor, for outer products."""

    tensor: Value
    rows: Number
    """The number of rows: iterations of the loop over the sum."""
    extent: Number
    """The size of the mode of the result; columns are planes of so many, times the numbers of a group."""
    width: int = 0
    """Where rows are divided into blocks, each of which has all its rows one behind the other: how long they are."""
    scaling: Scaling | None = None
    """What its vectors have to be multiplied by."""

    @property
    def row_length(self) -> object:
        """The distance of rows."""
        return self.width or self.tensor.type.shape[0]

    def at(self, code: Code, row: Number, column: Number) -> Sequence[Number]:
        if self.width:
            block, first = code.over(column, self.width), code.remainder(column, self.width)
            return [code.plus(code.times(row, self.width), first), block]
        return [column] if self.tensor.type.order == 1 else [column, row]


@dataclass(frozen=True)
class _Write:
    """The places of the parts of each element: planes of rows and of columns, and whether the part is negated there."""

    row: int
    column: int
    part: int
    is_negative: bool = False


_Tiles: TypeAlias = list[tuple[Number, Number]]
"""The first row or column of each of some tiles, and how many the tile has."""
_REAL = (_Write(0, 0, 0),)
_COLUMNS = (_Write(0, 0, 0), _Write(0, 1, 1), _Write(1, 0, 1, True), _Write(1, 1, 0))
_ROWS = (_Write(0, 0, 0), _Write(1, 0, 1))


class Panels:
    """The panels of one product."""

    def __init__(
        self,
        code: Code,
        op: OuterProducts,
        update: Update,
        known: dict[Any, Panel],
        packed_once: dict[Any, Value],
        of_groups: Region | None,
    ) -> None:
        self.code, self.product, self.decided, self.slices = code, op.product, op.attributes, op.slices
        self.allocas: list[Operation] = []
        """What is allocated in front of the code."""
        self.front: list[Operation] = []
        """What is done in front of the loop over work-groups."""
        self.end: list[Operation] = []
        """What is done behind it."""
        self._update = update
        self._known = known
        """Panels of products before this one, which have the same factor in the same place."""
        self._packed_once = packed_once
        self._of_groups = of_groups
        """What is executed for each work-group."""
        self._writes = (_COLUMNS, _ROWS) if update.updated.type.element.is_complex else (_REAL, _REAL)
        self.first_tile = 0
        """The first register of tiles that factors are turned in."""
        self._of_pieces: dict[int, Value] = {}
        """The memory of factors that are packed piecewise, by their positions."""

    def of(self) -> list[Panel]:
        """The panels of the vectors that go to the columns and to the rows of tiles."""
        return [self._panel(position) for position in range(2)]

    @property
    def extents(self) -> list[tuple[Number, Number]]:
        """The size of each factor's mode of the result, and of its mode of the sum in groups of steps."""
        ways, found = self.product.ways, []
        for position in range(2):
            extent, steps = self._factor(position).sizes(self.code)
            found.append((extent, self.code.over(self.code.plus(steps, ways - 1), ways)))
        return found

    def piece(self, position: int, at: tuple[Number, Number], sizes: tuple[Number, Number]) -> Panel:
        """The panel of a part of a factor: from a place of the result and a group of steps on, so many of both."""
        code, ways, factor = self.code, self.product.ways, self._factor(position)
        (first, group), (extent, groups) = at, sizes
        step = code.times(group, ways)
        steps = code.min(code.times(groups, ways), code.minus(factor.sizes(code)[1], step))
        slices = {factor.free: (first, extent), factor.summed: (step, steps)}
        parts = [Slice(*map(code.number, slices[mode])) for mode in range(factor.tensor.type.order)]
        view = code.add(Subview(code.location, tensor=factor.tensor, slices=parts)).result
        part = replace(factor, tensor=view, extents=(extent, steps))
        if not is_packed(self._update, self._update.factors[position], self.product):
            return Panel(view, groups, extent)
        rows = self._rows(code, position, (extent, steps))[1]
        panel = Panel(self._of_pieces[position], rows, extent)
        _Packing(self, code, part, self._writes[position], panel, None).write()
        return panel

    def allocate_pieces(self, counts: Sequence[int]) -> None:
        """Allocate memory for pieces of so many vectors along the result."""
        for position, (name, count) in enumerate(zip(self._update.factors, counts)):
            if not is_packed(self._update, name, self.product):
                continue
            extent = (self.code.scale or MAX_SCALE) * self.product.lanes * count
            steps = self.decided[PIECES] * self.product.ways
            known = [int(n) for n in self._rows(self.code, position, (extent, steps)) if isinstance(n, int)]
            type_ = MemrefType(self.product.factor, tuple(known), space="local")
            op = Alloca(self.code.location, [type_], ["panel"], attributes={"alignment": ALIGNMENT})
            self.allocas.append(op)
            self._of_pieces[position] = op.result

    def _factor(self, position: int) -> Factor:
        return Factor.of(self._update, self._update.factors[position], position)

    def _panel(self, position: int) -> Panel:
        key = position, getattr(self._update, self._update.factors[position]), self._scaling(position)
        if key not in self._known:
            self._known[key] = self._made(position)
        return self._known[key]

    def _made(self, position: int) -> Panel:
        name, writes, factor = self._update.factors[position], self._writes[position], self._factor(position)
        extent, steps = factor.sizes(self.code)
        if not is_packed(self._update, name, self.product):
            return Panel(factor.tensor, steps, extent, scaling=self._scaling(position))
        width = self._width(position)
        rows = self._rows(self.code, position, (extent, steps))[1]
        if position in self.decided.get(ONCE, ()):
            return Panel(self._made_once(position, factor), rows, extent, width)
        panel = Panel(self._allocated(position, factor), rows, extent, width)
        _Packing(self, self.code, factor, writes, panel, self._scaling(position)).write()
        return panel

    def _scaling(self, position: int) -> Scaling | None:
        """What a factor is multiplied by."""
        is_scaled = position in self.decided.get(SCALED, ())
        return Scaling(self._update.alpha, self.product.factor) if is_scaled else None  # type: ignore[attr-defined]

    def _width(self, position: int) -> int:
        """The length of a row of a panel in blocks; 0 of one that is not."""
        if position not in self.decided.get(BLOCKED, ()):
            return 0
        length = self.code.length(self.decided[IN_BLOCKS] * self.product.factor_lanes)
        assert isinstance(length, int)
        return length

    def _made_once(self, position: int, factor: Factor) -> Value:
        """The memory of a panel that is packed in front of the loop over work-groups."""
        width, scaling = self._width(position), self._scaling(position)
        key = factor, self.product.factor, self._writes[position], width, scaling
        if key not in self._packed_once:
            tensor, code = self._allocated(position, factor), self.code.another()
            sizes = factor.sizes(code)
            panel = Panel(tensor, self._rows(code, position, sizes)[1], sizes[0], width)
            _Packing(self, code, factor, self._writes[position], panel, scaling).write()
            self.front.append(code.finished())
            self._packed_once[key] = tensor
        return self._packed_once[key]

    def _shape(self, code: Code, position: int, sizes: tuple[Number, Number]) -> list[Number]:
        """The sizes of a panel's tensor."""
        length, rows = self._rows(code, position, sizes)
        width = self._width(position)
        return [code.times(rows, width), code.over(length, width)] if width else [length, rows]

    def _rows(self, code: Code, position: int, sizes: tuple[Number, Number]) -> list[Number]:
        """The length and the number of the rows of a panel for a factor of some sizes."""
        writes, ways = self._writes[position], self.product.ways
        planes = [1 + max(getattr(write, name) for write in writes) for name in ("row", "column")]
        extent, steps = sizes
        groups = code.over(code.plus(steps, ways - 1), ways)
        return [code.times(extent, planes[1] * ways), code.times(groups, planes[0])]

    def _allocated(self, position: int, factor: Factor) -> Value:
        """Memory for a panel."""
        is_held, is_packed_once = (position in self.decided.get(name, ()) for name in (HELD, ONCE))
        code = self.code.another() if is_held else self.code
        if position in self.decided.get(VARYING, ()):
            return self._of_largest(position, factor)
        shape = self._shape(code, position, factor.sizes(code, is_held))
        known = tuple(n for n in shape if isinstance(n, int))
        if len(known) == 2 and known[0] * known[1] * self.product.factor.size <= STACK_BYTES:
            type_ = MemrefType(self.product.factor, known, space="local")
            op = Alloca(self.code.location, [type_], ["panel"], attributes={"alignment": ALIGNMENT})
            (self.front if is_packed_once else self.allocas).append(op)
            return op.result
        assert is_held
        buffer = code.buffer(MemrefType(self.product.factor, (DYNAMIC, DYNAMIC), space="local"), shape, ALIGNMENT)
        self.front += code.written()
        self.end.append(Release(self.code.location, buffer=buffer))
        return buffer

    def _of_largest(self, position: int, factor: Factor) -> Value:
        """A part of memory that is large enough for the panels of all work-groups."""
        assert self._of_groups is not None
        code, (group, *_) = self.code.another(), self._of_groups.arguments
        needed = operations_for(factor.tensor, self._of_groups)
        groups = code.add(Builtin(code.location, variant="group_size")).result

        def largest(number: Number, before: list[Value]) -> list[Value]:
            values = {group: code.number(number)}
            for op in needed:
                code.copied(op, values)
            known = zip(factor.tensor.type.shape, range(factor.tensor.type.order))
            tensor = values[factor.tensor]
            sizes = [n if isinstance(n, int) else code.size_here(tensor, mode) for n, mode in known]
            steps = 1 if factor.summed is None else sizes[factor.summed]
            count = code.times(*self._shape(code, position, (sizes[factor.free], steps)))
            return [code.arith("max", before[0], code.number(count))]

        (most,) = code.loop(0, groups, 1, [code.number(0)], largest)
        buffer = code.buffer(MemrefType(self.product.factor, (DYNAMIC,), space="local"), [most], ALIGNMENT)
        self.front += code.written()
        self.end.append(Release(self.code.location, buffer=buffer))
        code = self.code.another()
        shape = [code.number(n) for n in self._shape(code, position, factor.sizes(code))]
        part = Slice(0, code.number(code.times(*shape)))
        own = code.add(Subview(code.location, tensor=buffer, slices=[part])).result
        view = code.add(Expand(code.location, tensor=own, mode=0, expand_shape=shape)).result
        self.allocas += code.written()
        return view


class _Packing:
    """Packs one panel."""

    def __init__(
        self,
        panels: Panels,
        code: Code,
        factor: Factor,
        writes: tuple[_Write, ...],
        panel: Panel,
        scaling: Scaling | None,
    ) -> None:
        self.code, self.product, self.decided, self.slices = code, panels.product, panels.decided, panels.slices
        self.first_tile = panels.first_tile
        self.factor, self.writes, self.panel = factor, writes, panel
        self.element: ScalarType = factor.tensor.type.element
        self.ways = self.product.ways
        self.extent, self.steps = factor.sizes(code)
        self.groups = code.over(code.plus(self.steps, self.ways - 1), self.ways)
        self.length = code.length(self.product.lanes)
        self.multiplier = None if scaling is None else scaling.number(code)

    def write(self) -> None:
        if not has_unit_stride(self.factor.tensor.type):
            self._copy()
        elif self.factor.free == 0:
            self._interleave()
        else:
            self._turn()

    # The three ways.

    def _interleave(self) -> None:
        """From lines along the result's mode."""
        code, lanes = self.code, self.product.factor_lanes
        whole = code.over(self.steps, self.ways)
        count = self.slices[0] if isinstance(whole, int) else 1

        def vectors(i: Number, left: Number, group: Number, _: list[Value]) -> tuple[()]:
            lines = [self._line(code.plus(code.times(group, self.ways), way), i, left) for way in range(self.ways)]
            for write in self.writes:
                self._write_all(write, self._zipped([parts[write.part] for parts in lines]), group, i, left)
            return ()

        def last(group: Number, i: Number, left: Number) -> None:
            steps = [code.plus(code.times(group, self.ways), way) for way in range(self.ways)]
            lines = [self._line_or_zeros(step, i, left) for step in steps]
            self._write_all(_REAL[0], self._zipped(lines), group, i, left)

        code.vectors(self.extent, lanes, lambda i, left: code.unrolled(whole, count, [], partial(vectors, i, left)))
        code.each(whole, self.groups, 1, lambda group: code.vectors(self.extent, lanes, partial(last, group)))

    def _line(self, step: Number, i: Number, left: Number) -> list[Value]:
        """The parts of a vector of a step."""
        return self._loaded(self.factor.at(i, step), Lanes(self.product.factor_lanes, left))

    def _line_or_zeros(self, step: Number, i: Number, left: Number) -> Value:
        """A vector of a real factor's step, or zeros beyond the last one."""
        if not (isinstance(step, int) and isinstance(self.steps, int)):
            return self._line(step, i, self._active(step, left))[0]
        if step < self.steps:
            return self._line(step, i, left)[0]
        return self.code.zeros(self.product.factor, self.product.factor_lanes)

    def _turn(self) -> None:
        """From lines along the sum: into rows of tiles, and out of them by columns."""
        code, lanes = self.code, self.product.lanes
        is_copy = self.writes is _REAL and self.element == self.product.factor
        """Whether a tile has the factor's elements, so that rows are loaded and columns stored without a vector."""
        whole = self.groups if not is_copy or self.ways == 1 else code.over(self.steps, self.ways)
        """How many groups have no zeros."""
        count = self.decided[TURNED] if is_copy else 1
        turn = self._turn_slices if is_copy else self._turn_vectors

        def last(i: Number, left: Number) -> None:
            below = self._tiles(i, left)
            code.each(whole, self.groups, 1, lambda group: self._turn_vectors(below, [(group, 1)]))

        self._in_tiles(self.extent, count, lambda below: self._in_tiles(whole, count, lambda right: turn(below, right)))
        if whole is not self.groups:
            code.vectors(self.extent, lanes, last)

    def _in_tiles(self, extent: Number, count: int, write: Callable[[_Tiles], None]) -> None:
        """Rows or columns in blocks of so many tiles; where their number is not known, of two, and of the last one."""
        code, lanes, length = self.code, self.product.lanes, self.length
        if count == 1 or (isinstance(extent, int) and (extent <= lanes or isinstance(length, int))):
            code.vectors(extent, lanes * count, lambda first, left: write(self._tiles(first, left)))
            return

        def block(first: Number) -> None:
            left = code.minus(extent, first)
            beyond = code.minus(left, length)
            code.either(
                code.compare("gt", code.number(left), code.number(length)),
                lambda: write([(first, length), (code.plus(first, length), code.min(beyond, length))]),
                lambda: write([(first, left)]),
            )

        code.each(0, extent, code.length(2 * lanes), block)

    def _tiles(self, first: Number, left: Number) -> _Tiles:
        """The first row or column of each tile of a block, and how many the tile has."""
        if not (isinstance(left, int) and isinstance(self.length, int)):
            return [(first, self.code.within(left, self.product.lanes))]
        return [(self.code.plus(first, n), min(left - n, self.length)) for n in range(0, left, self.length)]

    def _turn_slices(self, below: _Tiles, beside: _Tiles) -> None:
        """A block of tiles, whose rows are loaded from memory and whose columns are stored."""
        code, tensor, product = self.code, self.factor.tensor, self.product
        type_ = VectorTileType(product.sum, product.lanes, product.lanes, True)
        loaded = [code.mask(count, product.lanes) for _, count in beside]
        ranges = [Lanes(product.lanes, count) for _, count in beside]

        def rows(first: Number, count: Number, register: int) -> list[Value]:
            def several(number: Number, tiles: list[Value]) -> list[Value]:
                at = self.factor.at(code.plus(first, number), code.times(beside[0][0], self.ways))
                return [code.slices_load("row", tiles[0], number, tensor, at, 1)]

            def row(number: Number, tiles: list[Value]) -> list[Value]:
                line = code.plus(first, number)
                if self.multiplier is not None:
                    return [
                        code.tile_insert("row", self._loaded(self.factor.at(line, group), lanes)[0], tile, number)
                        for tile, (group, _), lanes in zip(tiles, beside, ranges)
                    ]
                return [
                    code.slice_load(
                        "row", tensor, self.factor.at(line, code.times(group, self.ways)), mask, tile, number
                    )
                    for tile, (group, _), mask in zip(tiles, beside, loaded)
                ]

            empty = [code.tile_undefined(type_, n) for n in code.registers(len(beside), register)]
            is_line = len(beside) == 1 and beside[0][1] == self.length and self.multiplier is None
            is_line = is_line and code.are_together(count, self.length, tensor.type.strides[1], self.ways)
            return code.slices(count, *self.slices, empty, row, several if is_line else None)

        tiles = [rows(*each, self.first_tile + n * len(beside)) for n, each in enumerate(below)]
        stored = [code.mask(count, product.lanes) for _, count in below]
        are_whole = all(count == self.length for _, count in below)
        for m, (group, groups) in enumerate(beside):

            def columns(number: Number, _: list[Value], m: int = m, group: Number = group) -> tuple[()]:
                for (first, _count), beside_it in zip(below, tiles):
                    place = self.panel.at(code, code.plus(group, number), code.times(first, self.ways))
                    code.slices_store(
                        "column", beside_it[m], number, self.panel.tensor, place, 0 if self.panel.width else 1
                    )
                return ()

            def column(number: Number, _: list[Value], m: int = m, group: Number = group) -> tuple[()]:
                for (first, _count), beside_it, mask in zip(below, tiles, stored):
                    place = self.panel.at(code, code.plus(group, number), code.times(first, self.ways))
                    code.slice_store("column", beside_it[m], number, self.panel.tensor, place, mask)
                return ()

            are_together = are_whole and code.are_together(groups, self.length, self.panel.row_length, self.ways)
            code.slices(groups, *self.slices, [], column, columns if are_together else None)

    def _turn_vectors(self, below: _Tiles, beside: _Tiles) -> None:
        """A tile of each part, through vectors."""
        code, product = self.code, self.product
        ((i, count),), ((group, groups),) = below, beside
        parts_count = 1 + max(write.part for write in self.writes)
        type_ = VectorTileType(product.sum, product.lanes, product.lanes, True)
        at = code.times(group, self.ways)
        # the last group is filled up with zeros
        lanes = Lanes(product.factor_lanes, code.min(code.times(groups, self.ways), code.minus(self.steps, at)))
        make_mask(code, self.factor.tensor, lanes)

        def row(number: Number, tiles: list[Value]) -> list[Value]:
            parts = self._loaded(self.factor.at(code.plus(i, number), at), lanes)
            rows = [code.bitcast(part, type_.row) for part in parts[:parts_count]]
            return [code.tile_insert("row", each, tile, number) for each, tile in zip(rows, tiles)]

        empty = [code.tile_undefined(type_, n) for n in code.registers(parts_count, self.first_tile)]
        tiles = code.slices(count, *self.slices, empty, row)
        grouped = code.mask(code.times(count, self.ways), product.factor_lanes)

        def column(number: Number, _: list[Value]) -> tuple[()]:
            group_type = code.vector(product.factor, product.factor_lanes)
            parts = [code.bitcast(code.tile_extract("column", tile, number), group_type) for tile in tiles]
            for write in self.writes:
                self._write(write, parts[write.part], code.plus(group, number), i, grouped)
            return ()

        code.slices(groups, *self.slices, [], column)

    def _copy(self) -> None:
        """Element by element."""
        code, ways = self.code, self.ways

        def element(group: Number, way: int, i: Number) -> None:
            step = code.plus(code.times(group, ways), way)
            value = self._or_zero(step, i) if way else code.load_number(self.factor.tensor, self.factor.at(i, step))
            parts = self._parts(value)
            for write in self.writes:
                part = code.unary("neg", parts[write.part]) if write.is_negative else parts[write.part]
                row, column = self._place(write, group, i)
                place = self.panel.at(code, row, code.plus(column, way))
                code.store_number(part, self.panel.tensor, place)

        def row(group: Number) -> None:
            for way in range(ways):
                code.each(0, self.extent, 1, partial(element, group, way))

        code.each(0, self.groups, 1, row)

    def _or_zero(self, step: Number, i: Number) -> Value:
        """An element of a real factor, or zero beyond the last step."""
        code = self.code
        (value,) = code.branch(
            code.compare("lt", code.number(step), code.number(self.steps)),
            lambda: [code.load_number(self.factor.tensor, self.factor.at(i, step))],
            lambda: [code.constant(self.element, zero_of(self.element))],
        )
        return value

    # What they share.

    def _active(self, step: Number, left: Number) -> Number:
        """How many elements of a step there are: none beyond the last one."""
        code = self.code
        is_step = code.compare("lt", code.number(step), code.number(self.steps))
        (count,) = code.branch(is_step, lambda: [code.number(left)], lambda: [code.number(0)])
        return count

    def _loaded(self, at: Sequence[Number], lanes: Lanes) -> list[Value]:
        """Elements of the factor as parts, in the type of factors."""
        line = [Index(i, 0 if mode else 1) for mode, i in enumerate(at)]
        return self._parts(load(self.code, self.factor.tensor, line, lanes))

    def _parts(self, value: Value) -> list[Value]:
        """A number, or a vector, as parts in the type of factors; a real one has no imaginary part."""
        code, type_ = self.code, self.product.factor
        if self.element.is_complex:
            return [code.cast(code.unary(part, value), type_) for part in ("re", "im")]
        real = code.cast(value, type_)
        if self.multiplier is not None:
            by = self.multiplier
            by = code.splat(by, real.type.lanes) if isinstance(real.type, VectorType) else by
            real = code.arith("mul", by, real)
        return [real, code.zeros_like(real)] if self.writes is not _REAL else [real]

    def _zipped(self, lines: Sequence[Value]) -> list[Value]:
        """Vectors interleaved element by element: as many as there were."""
        if len(lines) == 1:
            return list(lines)
        code, lanes = self.code, self.product.factor_lanes
        pairs = zip(self._zipped(lines[0::2]), self._zipped(lines[1::2]))
        both = [code.interleave(*pair) for pair in pairs]
        return [code.part(each, first, lanes) for each in both for first in (0, lanes)]

    def _write_all(self, write: _Write, vectors: Sequence[Value], row: Number, i: Number, left: Number) -> None:
        """Write vectors one behind the other, with the numbers of the elements that are left."""
        code, lanes = self.code, self.product.factor_lanes
        count, length = code.times(left, self.ways), code.length(lanes)
        for n, vector in enumerate(vectors):
            behind = code.times(length, n)
            if isinstance(count, int) and isinstance(behind, int) and isinstance(length, int):
                active: Number = min(count - behind, length)
                if count <= behind:
                    return
            else:
                active = code.minus(code.arith("max", code.number(count), code.number(behind)), behind) if n else count
            self._write(write, vector, row, i, code.mask(active, lanes), behind)

    def _write(self, write: _Write, vector: Value, row: Number, i: Number, mask: Value, behind: Number = 0) -> None:
        if write.is_negative:
            vector = self.code.unary("neg", vector)
        row, column = self._place(write, row, i)
        at = self.panel.at(self.code, row, self.code.plus(column, behind))
        self.code.store(vector, self.panel.tensor, at, 0, mask)

    def _place(self, write: _Write, group: Number, i: Number) -> tuple[Number, Number]:
        code = self.code
        row = code.plus(group, self.groups) if write.row else group
        column = code.plus(i, self.extent) if write.column else i
        return row, code.times(column, self.ways)
