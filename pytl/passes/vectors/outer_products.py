"""Products of matrices, and of a column by a row, as outer products into tiles.

The target is computed in blocks of tiles, so that each loaded vector serves several outer products; the rows of a tile
are lines of the target. The remainder at the edges is masked. Where the length of vectors or the sizes are not known
and half a block would be empty, because the target is small or the vectors are long, only the other half is computed.
`cpu.outer_products` says what blocks there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...ir.types import VectorTileType
from ...ir.values import Value
from ...ops import Ger
from ..targets.outer_products import BLOCK, STEPS, OuterProducts
from .access import Index, Lanes, make_mask
from .code import Code, Number
from .panels import Panel, Panels
from .updates import ElementRange, Result


def write(code: Code, op: OuterProducts) -> Panels:
    """`target := alpha op(A) op(B) + beta target` of a gemm or ger; returns what is to be done elsewhere."""
    panels = Panels(code, op)
    columns, rows = panels.of()
    _Product(code, op, rows, columns).write()
    panels.release()
    return panels


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


class _Product:
    def __init__(self, code: Code, kernel: OuterProducts, rows: Panel, columns: Panel) -> None:
        op, product = kernel.update, kernel.product
        self.code, self.product, self.rows, self.columns = code, product, rows, columns
        self.decided = kernel.attributes
        self.slices = kernel.slices
        self.target = op.updated
        element = self.target.type.element
        self.is_complex = element.is_complex
        self.result = Result(code, op, element if self.is_complex else product.sum)
        self.keeps_signs = isinstance(op, Ger) and not element.is_integer
        """Whether a product of -0 has to stay -0; a sum begins with zero."""
        self.adds = not self.is_complex and self.result.is_sum and element == product.sum
        """Whether the sums begin with the target's elements."""
        self.length = code.length(product.lanes)
        self.tile = VectorTileType(product.sum, product.lanes, product.lanes, True)

    def write(self) -> None:
        down, right = self.decided[BLOCK]
        self._along(
            self.rows.extent,
            down,
            lambda rows: self._along(self.columns.extent, right, lambda columns: self._block(rows, columns)),
        )

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
            return _Side(starts, lefts, code.times(at, ways), None, masks)
        mask = code.mask(code.times(left, ways), lanes * count)
        masks = [code.part(mask, n * lanes, lanes) for n in range(count)]
        return _Side(starts, lefts, code.times(at, ways), mask, masks)

    def _block(self, rows: _Side, columns: _Side) -> None:
        """Sum up the products of a block, and update the target with them."""
        code = self.code
        across = len(columns.at) * (2 if self.is_complex else 1)
        ranges = [Lanes(self.product.lanes, left) for left in columns.left]
        for lanes in ranges:
            make_mask(code, self.target, lanes)
        if self.adds:
            tiles = [tile for pair in zip(rows.at, rows.left) for tile in self._loaded(*pair, columns.at, ranges)]
        else:
            tiles = self._empty(len(rows.at) * across)

        def step(k: Number, tiles: list[Value]) -> list[Value]:
            down, right = self._load(self.rows, k, rows), self._load(self.columns, k, columns)
            if self.is_complex:
                imaginary = replace(columns, offset=code.plus(columns.at[0], self.columns.extent))
                right += self._load(self.columns, k, imaginary)
            pairs = [(row, column) for row in down for column in right]
            return [code.tile_outer(*pair, tile) for pair, tile in zip(pairs, tiles)]

        sums = code.unrolled(self.rows.rows, self.decided[STEPS], tiles, step)
        for number, (at, left) in enumerate(zip(rows.at, rows.left)):
            tiles = sums[number * across : (number + 1) * across]
            stop = code.within(left, self.product.lanes)

            def update(row: Number, tiles: list[Value] = tiles, at: Number = at) -> None:
                self._update(tiles, row, code.plus(at, row), list(zip(columns.at, ranges)))

            def row(number: Number, _: list[Value], update: Callable[[Number], None] = update) -> tuple[()]:
                update(number)
                return ()

            code.slices(stop, *self.slices, [], row)

    def _empty(self, count: int) -> list[Value]:
        """Tiles of zeros."""
        code = self.code
        zeros = [code.tile_zero(self.tile) for _ in range(count)]
        if not self.keeps_signs:
            return zeros
        zero = code.literal(self.product.sum, -0.0, self.product.lanes)
        return code.loop(
            0, self.length, 1, zeros, lambda row, tiles: [code.tile_insert("row", zero, tile, row) for tile in tiles]
        )

    def _loaded(self, at: Number, left: Number, columns: Sequence[Number], ranges: Sequence[Lanes]) -> list[Value]:
        """Tiles beside each other, with the target's elements."""
        code = self.code

        def row(number: Number, tiles: list[Value]) -> list[Value]:
            line = code.plus(at, number)
            return [
                code.slice_load("row", tile, number, self.target, [column, line], lanes.mask(code))
                for tile, column, lanes in zip(tiles, columns, ranges)
            ]

        empty = [code.tile_undefined(self.tile) for _ in columns]
        return code.slices(code.within(left, self.product.lanes), *self.slices, empty, row)

    def _load(self, panel: Panel, k: Number, side: _Side) -> list[tuple[Value, Value]]:
        """The vectors of a side, with their masks. Two vectors are halves of one, so that they share an address."""
        code, lanes, count = self.code, self.product.factor_lanes, len(side.at)
        if side.mask is None:
            type_ = code.vector(self.product.factor, lanes)
            places = [code.plus(side.offset, code.times(code.length(lanes), n)) for n in range(count)]
            return [
                (code.load(panel.tensor, panel.at(k, place), type_, 0, mask), mask)
                for place, mask in zip(places, side.masks)
            ]
        type_ = code.vector(self.product.factor, lanes * count)
        whole = code.load(panel.tensor, panel.at(k, side.offset), type_, 0, side.mask)
        return [(code.part(whole, n * lanes, lanes), mask) for n, mask in enumerate(side.masks)]

    def _update(self, tiles: list[Value], row: Number, line: Number, places: list[tuple[Number, Lanes]]) -> None:
        """Update a line of the target with a row of the tiles."""
        code, result = self.code, self.result
        if self.adds or (result.is_plain and self.target.type.element == self.product.sum):
            for tile, (at, lanes) in zip(tiles, places):
                code.slice_store("row", tile, row, self.target, [at, line], lanes.mask(code))
            return
        values = [code.tile_extract("row", tile, row) for tile in tiles]
        if self.is_complex:
            count = len(places)
            values = [code.joined(*parts, self.target.type.element) for parts in zip(values[:count], values[count:])]
        ranges = [ElementRange((Index(at, 1), Index(line, 0)), lanes) for at, lanes in places]
        result.update(ranges, values)
