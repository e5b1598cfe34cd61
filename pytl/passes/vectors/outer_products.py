"""Products of matrices, and of a column by a row, as outer products into tiles.

The target is computed in blocks of up to four tiles, two by two, so that each loaded vector serves two outer products;
the rows of a tile are lines of the target. The remainder at the edges is masked. Where half a block would be empty,
because the target is small or the vectors are long, only the other half is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...ir.types import VectorTileType
from ...ir.values import Value
from ...ops import Alloca, Ger, Update
from ..targets.sme import Product
from .access import Index, Lanes, make_mask
from .code import Code, Number
from .panels import Factor, Panel, Panels
from .updates import ElementRange, Result


def write(code: Code, op: Update, product: Product) -> list[Alloca]:
    """`target := alpha op(A) op(B) + beta target` of a gemm or ger; returns what is allocated in front of the code."""
    element = op.updated.type.element
    panels = Panels(code, product, element)
    columns, rows = (Factor.of(op, name, mode) for mode, name in enumerate(op.factors))
    work = _Product(code, op, product, *panels.of(rows, columns))
    work.write()
    panels.release()
    return panels.allocas


@dataclass(frozen=True)
class _Side:
    """The rows or the columns of a block: one vector's worth of them or two."""

    at: list[Number]
    """The place of each vector in the target."""
    left: list[Number]
    """The number of remaining rows or columns from there on."""
    offset: Number
    """The place of the first vector in a row of the panel."""
    mask: Value
    """The mask of all numbers of a row of the panel."""
    masks: list[Value]
    """The mask of each vector's numbers."""


class _Product:
    def __init__(self, code: Code, op: Update, product: Product, rows: Panel, columns: Panel) -> None:
        self.code, self.product, self.rows, self.columns = code, product, rows, columns
        self.target = op.updated
        element = self.target.type.element
        self.is_complex = element.is_complex
        self.result = Result(code, op, element if self.is_complex else product.sum)
        self.keeps_signs = isinstance(op, Ger) and not element.is_integer
        """Whether a product of -0 has to stay -0; a sum begins with zero."""
        self.length = code.length(product.lanes)
        self.tile = VectorTileType(product.sum, product.lanes, product.lanes, True)

    def write(self) -> None:
        code, lanes = self.code, self.product.lanes
        most = (2, 1 if self.is_complex else 2)
        # a mode that fits into one vector of the shortest length never needs two vectors
        extents = self.rows.extent, self.columns.extent
        counts = [n if not isinstance(e, int) or e > lanes else 1 for n, e in zip(most, extents)]
        steps = [code.length(lanes * count) for count in counts]

        def block(j: Number, i: Number) -> None:
            left = code.minus(self.rows.extent, j), code.minus(self.columns.extent, i)
            self._choose((j, i), left, counts)

        code.each(0, extents[0], steps[0], lambda j: code.each(0, extents[1], steps[1], lambda i: block(j, i)))

    def _choose(self, at: Sequence[Number], left: Sequence[Number], counts: list[int], axis: int = 0) -> None:
        """A block of as many tiles as have elements."""
        if axis == 2:
            self._block(*(self._side(*each) for each in zip(at, left, counts)))
        elif counts[axis] == 1:
            self._choose(at, left, counts, axis + 1)
        else:
            narrow = [1 if n == axis else count for n, count in enumerate(counts)]
            self.code.either(
                self.code.compare("gt", self.code.number(left[axis]), self.code.number(self.length)),
                lambda: self._choose(at, left, counts, axis + 1),
                lambda: self._choose(at, left, narrow, axis + 1),
            )

    def _side(self, at: Number, left: Number, count: int) -> _Side:
        code, ways, lanes = self.code, self.product.ways, self.product.factor_lanes
        starts, lefts = [at], [left]
        if count == 2:
            starts.append(code.plus(at, self.length))
            lefts.append(code.minus(left, self.length))
        mask = code.mask(code.times(left, ways), lanes * count)
        masks = [code.part(mask, n * lanes, lanes) for n in range(count)]
        return _Side(starts, lefts, code.times(at, ways), mask, masks)

    def _block(self, rows: _Side, columns: _Side) -> None:
        """Sum up the products of a block, and update the target with them."""
        code = self.code
        across = len(columns.at) * (2 if self.is_complex else 1)

        def step(k: Number, tiles: list[Value]) -> list[Value]:
            down, right = self._load(self.rows, k, rows), self._load(self.columns, k, columns)
            if self.is_complex:
                imaginary = replace(columns, offset=code.plus(columns.at[0], self.columns.extent))
                right += self._load(self.columns, k, imaginary)
            pairs = [(row, column) for row in down for column in right]
            return [code.tile_outer(*pair, tile) for pair, tile in zip(pairs, tiles)]

        sums = code.loop(0, self.rows.rows, 1, self._empty(len(rows.at) * across), step)
        ranges = [Lanes(self.product.lanes, left) for left in columns.left]
        for lanes in ranges:
            make_mask(code, self.target, lanes)
        for number, (at, left) in enumerate(zip(rows.at, rows.left)):
            tiles = sums[number * across : (number + 1) * across]
            stop = code.min(left, self.length)

            def update(row: Number, tiles: list[Value] = tiles, at: Number = at) -> None:
                self._update(tiles, row, code.plus(at, row), list(zip(columns.at, ranges)))

            code.each(0, stop, 1, update)

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

    def _load(self, panel: Panel, k: Number, side: _Side) -> list[tuple[Value, Value]]:
        """The vectors of a side, with their masks. Two vectors are halves of one, so that they share an address."""
        code, lanes, count = self.code, self.product.factor_lanes, len(side.at)
        type_ = code.vector(self.product.factor, lanes * count)
        whole = code.load(panel.tensor, panel.at(k, side.offset), type_, 0, side.mask)
        return [(code.part(whole, n * lanes, lanes), mask) for n, mask in enumerate(side.masks)]

    def _update(self, tiles: list[Value], row: Number, line: Number, places: list[tuple[Number, Lanes]]) -> None:
        """Update a line of the target with a row of the tiles."""
        code, result = self.code, self.result
        if result.is_plain and self.target.type.element == self.product.sum:
            for tile, (at, lanes) in zip(tiles, places):
                code.slice_store("row", tile, row, self.target, [at, line], lanes.mask(code))
            return
        values = [code.tile_extract("row", tile, row) for tile in tiles]
        if self.is_complex:
            values = [code.joined(values[0], values[1], self.target.type.element)]
        ranges = [ElementRange((Index(at, 1), Index(line, 0)), lanes) for at, lanes in places]
        result.update(ranges, values)
