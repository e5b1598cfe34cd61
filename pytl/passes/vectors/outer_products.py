"""Products of matrices, and of a column by a row, as outer products into tiles.

The target is computed in blocks of tiles, so that each loaded vector serves several outer products; the rows of a tile
are lines of the target. The remainder at the edges is masked. Where the length of vectors or the sizes are not known
and half a block would be empty, because the target is small or the vectors are long, only the other half is computed.
`cpu.outer_products` says what blocks there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any, TypeAlias

from ...ir.types import VectorTileType
from ...ir.values import Region, Value
from ...ops import Ger, Update
from ...process.records import dataclass
from ..targets.outer_products import APART, BLOCK, GROUPED, IN_BLOCKS, PIECES, SCALED, STEPS, OuterProducts, tiles_of
from ..targets.vector_rows import LINE, LOADED
from .access import Index, Lanes, make_mask
from .code import Code, Number
from .panels import Panel, Panels
from .scaling import Scaling, only_if
from .updates import ElementRange, Result


def write(
    code: Code, op: OuterProducts, packed_once: dict[Any, Value], of_groups: Region | None = None
) -> list[Panels]:
    """`target := alpha op(A) op(B) + beta target` of gemms or gers; returns what is to be done elsewhere.

    `packed_once` are the panels that are packed once for all work-groups, in this code or before. `of_groups` is what
    each work-group executes, where that is a loop.
    """
    known: dict[Any, Panel] = {}
    panels = [Panels(code, op, update, known, packed_once, of_groups) for update in op.updates]
    if PIECES in op.attributes:
        (of_one,) = panels
        of_one.allocate_pieces(op.attributes[BLOCK][::-1])
        of_one.first_tile = prod(op.attributes[BLOCK]) * (2 if op.update.updated.type.element.is_complex else 1)
        extents = [Panel(op.update.updated, groups, extent) for extent, groups in of_one.extents]
        _Product(code, op, op.update, extents).write(of_one)
        return panels
    count = tiles_of(op.update, op.product) // len(panels) * (2 if op.update.updated.type.element.is_complex else 1)
    products = [
        _Product(code, op, update, each.of(), first_tile=n * count)
        for n, (update, each) in enumerate(zip(op.updates, panels))
    ]
    if len(products) == 1:
        products[0].write()
    else:
        _write_in_step(code, products, op.attributes[STEPS])
    return panels


def _write_in_step(code: Code, products: Sequence[_Product], steps: int) -> None:
    """Products with as many steps, each of one block of tiles."""
    blocks = [product.block() for product in products]
    count = len(blocks[0].tiles)

    def step(k: Number, tiles: list[Value]) -> list[Value]:
        loaded: _Loaded = {}
        after: list[Value] = []
        for number, (product, block) in enumerate(zip(products, blocks)):
            after += product.step(block, k, tiles[number * count : (number + 1) * count], loaded)
        return after

    sums = code.unrolled(products[0].rows.rows, steps, [tile for block in blocks for tile in block.tiles], step)
    for number, (product, block) in enumerate(zip(products, blocks)):
        product.finish(block, sums[number * count : (number + 1) * count])


@dataclass(frozen=True)
class _Side:
    """The rows or the columns of a block: one vector's worth of them or two."""

    at: list[Number]
    """The place of each vector in the target."""
    left: list[Number]
    """The number of remaining rows or columns from there on."""
    offset: Number
    """The place of the first vector in a row of the panel."""
    mask: Value | None
    """The mask of all numbers of a row of the panel, which are loaded at once; None where each vector is loaded."""
    masks: list[Value]
    """The mask of each vector's numbers."""


_Update: TypeAlias = Callable[[list[Value], Number, Number, list[tuple[Number, Lanes]]], None]
"""Updates a line of the target with a row of tiles beside each other: tiles, row, line, places of the tiles."""
_Loaded: TypeAlias = dict[Any, list[tuple[Value, Value]]]
"""The vectors of a step that are loaded, by where they lie."""


@dataclass(frozen=True)
class _Block:
    """A block of tiles, with what it begins with."""

    rows: _Side
    columns: _Side
    ranges: list[Lanes]
    """The active lanes of each column of tiles."""
    tiles: list[Value]


class _Product:
    def __init__(
        self, code: Code, kernel: OuterProducts, op: Update, sides: Sequence[Panel], first_tile: int = 0
    ) -> None:
        product = kernel.product
        self.code, self.product, (self.columns, self.rows) = code, product, sides
        self.decided = kernel.attributes
        self.slices = kernel.slices
        self.target = op.updated
        element = self.target.type.element
        self.is_complex = element.is_complex
        type_ = element if self.is_complex else product.sum
        self.of_sums = Result(code, op, type_)
        """The update where sums are multiplied by alpha."""
        is_scaled = bool(kernel.attributes.get(SCALED))
        self.result = Result(code, op, type_, code.constant(product.sum, 1.0)) if is_scaled else self.of_sums
        self.is_scaled = Scaling(op.alpha, product.factor).condition(code) if is_scaled else None  # type: ignore[attr-defined]
        """Whether a factor is multiplied by alpha; None where that is known."""
        self.multipliers = self._multipliers()
        self.keeps_signs = isinstance(op, Ger) and not element.is_integer
        """Whether a product of -0 has to stay -0; a sum begins with zero."""
        self.adds = not self.is_complex and self.result.is_sum and element == product.sum
        """Whether the sums begin with the target's elements."""
        self.length = code.length(product.lanes)
        self.tile = VectorTileType(product.sum, product.lanes, product.lanes, True)
        self.first_tile = first_tile
        """The first register of its tiles."""

    def write(self, pieces: Panels | None = None) -> None:
        """Compute the product; with `pieces`, of panels that have these."""
        down, right = self.decided[BLOCK]
        block = self._block if pieces is None else partial(self._block_of_pieces, pieces)
        self._along(
            self.rows.extent,
            down,
            lambda rows: self._along(self.columns.extent, right, lambda columns: block(rows, columns)),
        )

    def _multipliers(self) -> dict[Scaling, Value]:
        """What vectors of factors that are not packed are multiplied by, in all lanes."""
        found = {}
        for scaling in (panel.scaling for panel in (self.columns, self.rows) if panel.scaling is not None):
            number = scaling.number(self.code)
            if number is not None:
                found[scaling] = self.code.splat(number, self.product.factor_lanes)
        return found

    def _along(self, extent: Number, count: int, write: Callable[[_Side], None]) -> None:
        """Rows or columns in blocks of so many tiles, and of fewer where no more have elements."""
        code, step = self.code, self.code.length(self.product.lanes * count)
        if isinstance(extent, int) and isinstance(step, int):
            whole = extent // step * step
            code.each(0, whole, step, lambda at: write(self._side(at, step, count)))
            if whole < extent:
                needed = -(-(extent - whole) // (step // count))
                write(self._side(whole, extent - whole, needed))
            return

        if isinstance(extent, int) and extent <= self.product.lanes:
            if extent > 0:
                write(self._side(0, extent, 1))
            return

        def block(at: Number) -> None:
            left = code.minus(extent, at)
            if count == 1:
                write(self._side(at, left, 1))
                return
            code.either(
                code.compare("gt", code.number(left), code.number(self.length)),
                lambda: write(self._side(at, left, count)),
                lambda: write(self._side(at, left, 1)),
            )

        code.each(0, extent, step, block)

    def _side(self, at: Number, left: Number, count: int) -> _Side:
        code, ways, lanes = self.code, self.product.ways, self.product.factor_lanes
        starts = [code.plus(at, code.times(self.length, n)) for n in range(count)]
        lefts = [code.minus(left, code.times(self.length, n)) for n in range(count)]
        if isinstance(self.length, int):
            lefts = [code.min(each, self.length) for each in lefts]
            masks = [code.mask(code.times(each, ways), lanes) for each in lefts]
            is_grouped = count in (2, 4) and count <= self.decided.get(GROUPED, 1)
            mask = code.mask(code.times(left, ways), lanes * count) if is_grouped else None
            return _Side(starts, lefts, code.times(at, ways), mask, masks)
        mask = code.mask(code.times(left, ways), lanes * count)
        masks = [code.part(mask, n * lanes, lanes) for n in range(count)]
        return _Side(starts, lefts, code.times(at, ways), mask, masks)

    def block(self) -> _Block:
        """The only block."""
        sides = zip((self.rows.extent, self.columns.extent), self.decided[BLOCK])
        return self._begun(*(self._side(0, extent, count) for extent, count in sides))

    def _block(self, rows: _Side, columns: _Side) -> None:
        """Sum up the products of a block, and update the target with them."""
        block = self._begun(rows, columns)
        code, count, steps = self.code, self.rows.rows, self.decided[STEPS]
        if self.rows.width or self.columns.width:
            at_once = LOADED // self.decided[IN_BLOCKS]
            count, steps = code.over(count, at_once), max(steps // at_once, 1)
            sums = code.unrolled(count, steps, block.tiles, partial(self._steps, block, at_once))
        else:
            sums = code.unrolled(count, steps, block.tiles, lambda k, tiles: self.step(block, k, tiles, loaded={}))
        self.finish(block, sums)

    def _block_of_pieces(self, pieces: Panels, rows: _Side, columns: _Side) -> None:
        """The same, where factors are packed for the block, so many steps of the sum at a time."""
        block, code, count = self._begun(rows, columns), self.code, self.decided[PIECES]
        sides = columns, rows
        places = [side.at[0] for side in sides]
        lefts = [code.minus(of.extent, at) for of, at in zip((self.columns, self.rows), places)]
        extents = [code.min(left, code.times(self.length, len(side.at))) for left, side in zip(lefts, sides)]
        moved = [replace(side, at=[code.minus(at, side.at[0]) for at in side.at], offset=0) for side in sides]
        inside = replace(block, columns=moved[0], rows=moved[1])

        def piece(first: Number, tiles: list[Value]) -> list[Value]:
            groups = code.min(count, code.minus(self.rows.rows, first))
            of_both = zip(places, extents)
            panels = [pieces.piece(n, (at, first), (extent, groups)) for n, (at, extent) in enumerate(of_both)]
            part = copy(self)
            part.columns, part.rows = panels
            steps = self.decided[STEPS]
            return code.unrolled(part.rows.rows, steps, tiles, lambda k, each: part.step(inside, k, each, loaded={}))

        self.finish(block, code.loop(0, self.rows.rows, count, block.tiles, piece))

    def _steps(self, block: _Block, at_once: int, number: Number, tiles: list[Value]) -> list[Value]:
        """Tiles with the products of several steps, whose vectors are loaded at once where they lie so."""
        code, lanes = self.code, self.product.factor_lanes
        first = code.times(number, at_once)
        of_steps: list[_Loaded] = [{} for _ in range(at_once)]
        for panel, side in ((self.rows, block.rows), (self.columns, block.columns)):
            if not panel.width:
                continue
            type_, in_block = code.vector(self.product.factor, LOADED * lanes), LOADED // at_once
            vectors: list[list[Value]] = [[] for _ in range(at_once)]
            for n in range(0, len(side.at), in_block):
                place = code.plus(side.offset, code.times(code.length(lanes), n))
                whole = code.load(panel.tensor, panel.at(code, first, place), type_, 0, None)
                found = [code.part(whole, each * lanes, lanes) for each in range(LOADED)]
                for step, of_step in enumerate(vectors):
                    of_step += found[step * in_block : (step + 1) * in_block]
            for loaded, of_step in zip(of_steps, vectors):
                loaded[self._key(panel, side)] = list(zip(of_step, side.masks))
        for n, loaded in enumerate(of_steps):
            tiles = self.step(block, code.plus(first, n), tiles, loaded)
        return tiles

    def _begun(self, rows: _Side, columns: _Side) -> _Block:
        """A block with what its sums begin with."""
        ranges = [only_if(self.code, self.is_scaled, lanes) for lanes in self._ranges(columns)]
        for lanes in ranges:
            make_mask(self.code, self.target, lanes)
        if self.adds and self._go_by_lines(rows, columns):
            tiles = self._loaded_lines(rows, columns)
        elif self.adds:
            tiles = []
            for at, left in zip(rows.at, rows.left):
                tiles += self._loaded(at, left, columns, ranges, self.first_tile + len(tiles))
        else:
            tiles = self._empty(len(rows.at) * len(columns.at) * (2 if self.is_complex else 1))
        return _Block(rows, columns, ranges, tiles)

    def _ranges(self, columns: _Side) -> list[Lanes]:
        return [Lanes(self.product.lanes, left) for left in columns.left]

    def step(self, block: _Block, k: Number, tiles: list[Value], loaded: _Loaded) -> list[Value]:
        """Tiles with the products of a step, whose vectors are loaded where they are not yet."""
        code = self.code
        down, right = self._load(self.rows, k, block.rows, loaded), self._load(self.columns, k, block.columns, loaded)
        if self.is_complex:
            imaginary = replace(block.columns, offset=code.plus(block.columns.at[0], self.columns.extent))
            right = right + self._load(self.columns, k, imaginary, loaded)
        pairs = [(row, column) for row in down for column in right]
        return [
            code.tile_outer(a, b, tile, row_mask, column_mask)
            for ((a, row_mask), (b, column_mask)), tile in zip(pairs, tiles)
        ]

    def finish(self, block: _Block, sums: list[Value]) -> None:
        """Update the target with the sums."""
        update: _Update = self._update
        self._each_line(block, sums, block.ranges, update, self.result.has_choice)
        if self.is_scaled is not None:
            update = partial(self._update_by_vectors, self.of_sums)
            with self.code.predicated(self.code.unary("not", self.is_scaled)):
                self._each_line(block, sums, self._ranges(block.columns), update, has_branch=True)

    def _each_line(
        self, block: _Block, sums: list[Value], ranges: list[Lanes], update: _Update, has_branch: bool
    ) -> None:
        """Update all lines of the target. `has_branch` says whether that is in a branch, or has some."""
        code, rows, columns = self.code, block.rows, block.columns
        across = len(sums) // len(rows.at)
        if not has_branch and self._is_stored and self._go_by_lines(rows, columns):
            self._store_lines(block, sums, across)
            return
        for number, (at, left) in enumerate(zip(rows.at, rows.left)):
            tiles = sums[number * across : (number + 1) * across]
            stop = code.within(left, self.product.lanes)

            def row(number: Number, _: list[Value], tiles: list[Value] = tiles, at: Number = at) -> tuple[()]:
                update(tiles, number, code.plus(at, number), list(zip(columns.at, ranges)))
                return ()

            def several(number: Number, _: list[Value], tiles: list[Value] = tiles, at: Number = at) -> tuple[()]:
                code.slices_store("row", tiles[0], number, self.target, [columns.at[0], code.plus(at, number)], 1)
                return ()

            if has_branch and isinstance(stop, int):
                # LLVM takes the number of a slice that is known for 0 + number, and has no zero in blocks of a branch
                code.loop(0, stop, 1, [], row)
            else:
                are_together = self._is_stored and not has_branch and self._are_together(columns, stop)
                code.slices(stop, *self.slices, [], row, several if are_together else None)

    def _go_by_lines(self, rows: _Side, columns: _Side) -> bool:
        """Whether rows of four tiles that follow each other are whole parts of lines, which an instruction moves."""
        are_whole = all(left == self.length for left in (*rows.left, *columns.left)) and isinstance(self.length, int)
        across, count = len(columns.at), len(rows.at) * len(columns.at)
        is_line = across in (2, LINE) and count % LINE == 0 and self.first_tile % LINE == 0
        return self.code.has_rows and are_whole and is_line and self.is_scaled is None and not self.is_complex

    def _loaded_lines(self, rows: _Side, columns: _Side) -> list[Value]:
        """Tiles with the target's elements, rows of four at a time."""
        code, across, lanes = self.code, len(columns.at), self.product.lanes
        empty = [code.tile_undefined(self.tile, n) for n in code.registers(len(rows.at) * across, self.first_tile)]
        type_, tiles = code.vector(self.target.type.element, across * lanes), list[Value]()
        for first in range(0, len(empty), LINE):
            places = rows.at[first // across : (first + LINE) // across]

            def row(number: Number, before: list[Value], at: Any = places) -> list[Value]:
                lines = [[columns.at[0], code.plus(place, number)] for place in at]
                parts = [code.load(self.target, line, type_, 0, None) for line in lines]
                return code.insert_line(code.join(parts), before, number)

            tiles += code.slices(self.length, *self.slices, empty[first : first + LINE], row)
        return tiles

    def _store_lines(self, block: _Block, sums: list[Value], across: int) -> None:
        """Store the sums, rows of four tiles at a time."""
        code, columns, lanes = self.code, block.columns, self.product.lanes
        for first in range(0, len(sums), LINE):
            tiles = sums[first : first + LINE]
            places = block.rows.at[first // across : (first + LINE) // across]

            def row(number: Number, _: list[Value], tiles: list[Value] = tiles, at: Any = places) -> tuple[()]:
                value = code.extract_line(tiles, number)
                for n, place in enumerate(at):
                    part = code.part(value, n * across * lanes, across * lanes)
                    code.store(part, self.target, [columns.at[0], code.plus(place, number)], 0, None)
                return ()

            code.slices(self.length, *self.slices, [], row)

    def _empty(self, count: int) -> list[Value]:
        """Tiles of zeros."""
        code = self.code
        zeros = [code.tile_zero(self.tile, n) for n in code.registers(count, self.first_tile)]
        if not self.keeps_signs:
            return zeros
        zero = code.literal(self.product.sum, -0.0, self.product.lanes)
        return code.loop(
            0, self.length, 1, zeros, lambda row, tiles: [code.tile_insert("row", zero, tile, row) for tile in tiles]
        )

    def _loaded(self, at: Number, left: Number, columns: _Side, ranges: Sequence[Lanes], register: int) -> list[Value]:
        """Tiles beside each other, with the target's elements; in registers from one on."""
        code, stop = self.code, self.code.within(left, self.product.lanes)

        def several(number: Number, tiles: list[Value]) -> list[Value]:
            place = [columns.at[0], code.plus(at, number)]
            return [code.slices_load("row", tiles[0], number, self.target, place, 1)]

        def row(number: Number, tiles: list[Value]) -> list[Value]:
            line = code.plus(at, number)
            return [
                code.slice_load("row", self.target, [column, line], lanes.mask(code), tile, number)
                for tile, column, lanes in zip(tiles, columns.at, ranges)
            ]

        empty = [code.tile_undefined(self.tile, n) for n in code.registers(len(columns.at), register)]
        return code.slices(stop, *self.slices, empty, row, several if self._are_together(columns, stop) else None)

    def _are_together(self, columns: _Side, lines: Number) -> bool:
        """Whether lines of the target, as many as a row of tiles has, lie one behind the other without a gap."""
        is_whole = len(columns.at) == 1 and columns.left[0] == self.length and self.is_scaled is None
        return is_whole and self.code.are_together(lines, self.length, self.target.type.strides[1])

    def _load(self, panel: Panel, k: Number, side: _Side, loaded: _Loaded) -> list[tuple[Value, Value]]:
        """The vectors of a side, with their masks."""
        key = self._key(panel, side)
        if key not in loaded:
            loaded[key] = self._made(panel, k, side)
        return loaded[key]

    def _key(self, panel: Panel, side: _Side) -> Any:
        return panel.tensor, panel.scaling, side.offset, *side.masks

    def _made(self, panel: Panel, k: Number, side: _Side) -> list[tuple[Value, Value]]:
        """The vectors of a side, multiplied by what they have to be."""
        loaded = self._vectors(panel, k, side)
        by = None if panel.scaling is None else self.multipliers.get(panel.scaling)
        return loaded if by is None else [(self.code.arith("mul", by, each), mask) for each, mask in loaded]

    def _vectors(self, panel: Panel, k: Number, side: _Side) -> list[tuple[Value, Value]]:
        """Loads of the vectors of a side. Two vectors are halves of one, so that they share an address."""
        code, lanes, count = self.code, self.product.factor_lanes, len(side.at)
        if side.mask is None:
            type_ = code.vector(self.product.factor, lanes)
            places = [code.plus(side.offset, code.times(code.length(lanes), n)) for n in range(count)]
            return [
                (code.load(panel.tensor, panel.at(code, k, place), type_, 0, mask), mask)
                for place, mask in zip(places, side.masks)
            ]
        type_ = code.vector(self.product.factor, lanes * count)
        is_apart = self.decided.get(APART, False)
        whole = code.load(panel.tensor, panel.at(code, k, side.offset), type_, 0, side.mask, is_apart)
        return [(code.part(whole, n * lanes, lanes), mask) for n, mask in enumerate(side.masks)]

    @property
    def _is_stored(self) -> bool:
        """Whether rows of tiles become lines of the target as they are."""
        return self.adds or (self.result.is_plain and self.target.type.element == self.product.sum)

    def _update(self, tiles: list[Value], row: Number, line: Number, places: list[tuple[Number, Lanes]]) -> None:
        """Update a line of the target with a row of the tiles."""
        if not self._is_stored:
            self._update_by_vectors(self.result, tiles, row, line, places)
            return
        for tile, (at, lanes) in zip(tiles, places):
            self.code.slice_store("row", tile, row, self.target, [at, line], lanes.mask(self.code))

    def _update_by_vectors(
        self, result: Result, tiles: list[Value], row: Number, line: Number, places: list[tuple[Number, Lanes]]
    ) -> None:
        """Update a line of the target with a row of the tiles, taken out of these."""
        code = self.code
        values = [code.tile_extract("row", tile, row) for tile in tiles]
        if self.is_complex:
            count = len(places)
            values = [code.joined(*parts, self.target.type.element) for parts in zip(values[:count], values[count:])]
        ranges = [ElementRange((Index(at, 1), Index(line, 0)), lanes) for at, lanes in places]
        result.update(ranges, values)
