"""Products of matrices, and of a column by a row, as outer products.

The target is computed in blocks of up to four tiles of ZA, two by two, so that each loaded vector serves two outer
products; the rows of a tile are lines of the target. The remainder at the edges is masked. Where half a block would be
empty, because the target is small or the vector length large, only the other half is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...ir.types import Extent
from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import ScalableVector
from ...ops import Ger
from ...ops.updates import is_transposed
from ...passes.targets.sme import Product
from ..mlir.emit import Emitter
from ..mlir.memory import Memref
from .lines import Access, Lines, Stretch, lines_of
from .panels import Factor, Panel, panels
from .products import add_product, tile_type
from .targets import Target
from .vectors import Vectors, vector_type


def gemm(emitter: Emitter, op: Any, product: Product) -> None:
    """`target := alpha op(A) op(B) + beta target` of a gemm or ger that is computed by outer products."""
    columns, rows = (_factor(op, name, emitter.memref(getattr(op, name)), mode) for mode, name in enumerate(op.factors))
    target = emitter.memref(op.updated)
    element = target.type.element
    with panels(emitter, product, element, rows, columns) as (row_panel, column_panel):
        vectors = Vectors(emitter.to, product.lanes)
        update = Target(emitter, vectors, op, element if element.is_complex else product.sum)
        lines = lines_of(emitter.to, target)
        keeps_signs = isinstance(op, Ger) and not element.is_integer
        work = _Product(emitter.to, product, vectors, row_panel, column_panel, update, lines, keeps_signs)
        work.write(target.type.shape)


def _factor(op: Any, name: str, memref: Memref, mode: int) -> Factor:
    """A factor, with its mode that is a mode of the target."""
    if memref.type.order == 1:
        return Factor(memref, 0, None)
    free = 1 - mode if is_transposed(op, name) else mode
    return Factor(memref, free, 1 - free)


@dataclass(frozen=True)
class _Side:
    """The rows or the columns of a block: one vector's worth of them or two."""

    at: list[Value]
    """The place of each vector in the target."""
    left: list[Value]
    """The number of remaining rows or columns from there on."""
    offset: Value
    """The place of the first vector in a row of the panel."""
    mask: Value
    """The mask of all numbers of a row of the panel."""
    masks: list[Value]
    """The mask of each vector's numbers."""


@dataclass(frozen=True)
class _Product:
    to: Builder
    product: Product
    vectors: Vectors
    rows: Panel
    columns: Panel
    update: Target
    lines: Lines
    keeps_signs: bool
    """Whether a product of -0 has to stay -0; a sum begins with zero."""

    @property
    def is_complex(self) -> bool:
        return self.lines.element.is_complex

    def write(self, shape: Sequence[Extent]) -> None:
        to = self.to
        zero, length = to.constant(0), self.vectors.length()
        most = (2, 1 if self.is_complex else 2)
        # a mode that fits into one vector of the shortest length never needs two vectors
        counts = [n if not isinstance(e, int) or e > self.product.lanes else 1 for n, e in zip(most, reversed(shape))]
        steps = [self.vectors.length(count) if count > 1 else length for count in counts]
        with to.loop(zero, self.rows.extent, steps[0], "j") as j:
            left_j = self._index("subi", self.rows.extent, j)
            with to.loop(zero, self.columns.extent, steps[1], "i") as i:
                left_i = self._index("subi", self.columns.extent, i)
                self._choose((j, i), (left_j, left_i), counts, length)

    def _choose(
        self, at: tuple[Value, Value], left: tuple[Value, Value], counts: list[int], length: Value, axis: int = 0
    ) -> None:
        """A block of as many tiles as have elements."""
        if axis == 2:
            rows = self._side(at[0], left[0], counts[0], length)
            columns = self._side(at[1], left[1], counts[1], length)
            self._block(rows, columns, length)
            return
        if counts[axis] == 1:
            self._choose(at, left, counts, length, axis + 1)
            return
        is_wide = self.to.op("arith.cmpi", left[axis], length, hint="is_wide", predicate="sgt")
        with self.to.branch(is_wide) as branch:
            self._choose(at, left, counts, length, axis + 1)
        with branch.otherwise():
            self._choose(at, left, [1 if n == axis else count for n, count in enumerate(counts)], length, axis + 1)

    def _side(self, at: Value, left: Value, count: int, length: Value) -> _Side:
        starts, lefts = [at], [left]
        if count == 2:
            starts.append(self._index("addi", at, length))
            lefts.append(self._index("subi", left, length))
        mask = self._panel_vectors(count).mask(self._grouped(left))
        return _Side(starts, lefts, self._grouped(at), mask, self._parts(mask, count))

    def _block(self, rows: _Side, columns: _Side, length: Value) -> None:
        """Sum up the products of a block, and update the target with them."""
        to = self.to
        across = len(columns.at) * (2 if self.is_complex else 1)
        zero, one = to.constant(0), to.constant(1)
        empty = self._empty(len(rows.at) * across, length)
        imaginary = self._index("addi", columns.at[0], self.columns.extent) if self.is_complex else None
        with to.carrying(zero, self.rows.rows, one, empty, "k") as sums:
            k = sums.variable
            down, right = self._load(self.rows, k, rows), self._load(self.columns, k, columns)
            if imaginary is not None:
                right += self._load(self.columns, k, replace(columns, offset=imaginary))
            pairs = [(row, column) for row in down for column in right]
            sums.give([add_product(to, self.product, *pair, before) for pair, before in zip(pairs, sums.values)])
        stretches = [self.update.access.stretch(*extent, self.is_complex) for extent in zip(columns.at, columns.left)]
        for number, (at, left) in enumerate(zip(rows.at, rows.left)):
            tiles = sums.results[number * across : (number + 1) * across]
            with to.loop(zero, self._index("minsi", left, length), one, "row") as row:
                self._update(tiles, row, self._index("addi", at, row), stretches)

    def _empty(self, count: int, length: Value) -> list[Value]:
        """Tiles of zeros."""
        to, tile = self.to, tile_type(self.product)
        zeros = [to.op("arm_sme.zero", type=tile, hint="tile") for _ in range(count)]
        if not self.keeps_signs:
            return zeros
        zero = to.constant(-0.0, self.vectors.type(self.product.sum), "zero")
        with to.carrying(to.constant(0), length, to.constant(1), zeros, "row") as rows:
            at = rows.variable
            rows.give([to.op("arm_sme.insert_tile_slice", zero, each, at, hint="tile") for each in rows.values])
        return rows.results

    def _load(self, panel: Panel, k: Value, side: _Side) -> list[tuple[Value, Value]]:
        """The vectors of a side, with their masks. Two vectors are halves of one, so that they share an address."""
        count = len(side.at)
        indices = panel.lines.indices([k], side.offset)
        whole = Access.load_masked(self._panel_vectors(count), panel.lines, indices, side.mask)
        return list(zip(self._parts(whole, count), side.masks))

    def _panel_vectors(self, count: int) -> Vectors:
        return Vectors(self.to, self.product.factor_lanes * count)

    def _parts(self, whole: Value, count: int) -> list[Value]:
        """A vector split into so many parts."""
        if count == 1:
            return [whole]
        assert isinstance(whole.type, ScalableVector)
        lanes = self.product.factor_lanes
        part = vector_type(whole.type.element, lanes)
        return [
            self.to.op("vector.scalable.extract", whole, type=part, hint="part", pos=n * lanes) for n in range(count)
        ]

    def _update(self, tiles: list[Value], row: Value, line: Value, stretches: list[Stretch]) -> None:
        """Update a line of the target with a row of the tiles."""
        sum_, lines = self.product.sum, self.lines
        if self.update.is_plain and lines.element == sum_:
            for tile, stretch in zip(tiles, stretches):
                indices = lines.indices([line], stretch.at)
                self.to.do("arm_sme.store_tile_slice", tile, row, stretch.mask, lines.memref, indices)
            return
        of = self.vectors.type(sum_)
        values = [self.to.op("arm_sme.extract_tile_slice", tile, row, type=of, hint="slice") for tile in tiles]
        if self.is_complex:
            self.update.update((values[0], values[1]), lines, [line], stretches[0])
            return
        for value, stretch in zip(values, stretches):
            self.update.update((value,), lines, [line], stretch)

    def _grouped(self, count: Value) -> Value:
        return self._index("muli", count, self.to.constant(self.product.ways)) if self.product.ways > 1 else count

    def _index(self, operation: str, a: Value, b: Value) -> Value:
        return self.to.op(f"arith.{operation}", a, b)
