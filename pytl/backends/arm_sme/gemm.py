"""Products of matrices, and of a column by a row, as outer products.

The target is computed in blocks of up to four tiles of ZA, two by two, so that each vector that is loaded serves two
outer products; the rows of a tile are lines of the target. What is left over at the edges is masked, and where half a
block would be empty, because the target is small or the vector length large, only the other half is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...ir.types import Extent
from ...ops.streaming import Product, product_of
from ...ops.updates import transpose_of
from ..mlir.builder import Builder
from ..mlir.emit import Emitter
from ..mlir.memory import Memref
from .lines import Access, Lines, Stretch, lines_of
from .panels import Factor, Panel, panels
from .products import add_product, tile_type
from .targets import Target
from .vectors import Vectors, vector_type


def gemm(emitter: Emitter, op: Any) -> None:
    """`target := alpha op(A) op(B) + beta target` of a gemm or ger with `product_of(op)`."""
    product = product_of(op)
    assert product is not None
    columns, rows = (_factor(op, name, emitter.memref(getattr(op, name)), mode) for mode, name in enumerate(op.factors))
    target = emitter.memref(op.updated)
    element = target.type.element
    with panels(emitter, product, element, rows, columns) as (row_panel, column_panel):
        vectors = Vectors(emitter.to, product.lanes)
        update = Target(emitter, vectors, op, element if element.is_complex else product.sum)
        lines = lines_of(emitter.to, target)
        _Product(emitter.to, product, vectors, row_panel, column_panel, update, lines).write(target.type.shape)


def _factor(op: Any, name: str, memref: Memref, mode: int) -> Factor:
    """A factor that has a mode of the target."""
    if memref.type.order == 1:
        return Factor(memref, 0, None)
    free = mode if transpose_of(op, name) == "n" else 1 - mode
    return Factor(memref, free, 1 - free)


@dataclass(frozen=True)
class _Edge:
    """A vector's worth of the rows or columns of a block."""

    at: str
    """The first row or column of the target."""
    left: str
    """How many there are from there on."""
    offset: str
    """Where they begin in a row of the panel."""
    count: str
    """How many numbers there are from there on."""
    mask: str
    """Of the numbers of one vector."""


@dataclass(frozen=True)
class _Product:
    to: Builder
    product: Product
    vectors: Vectors
    rows: Panel
    columns: Panel
    update: Target
    lines: Lines

    @property
    def is_complex(self) -> bool:
        return self.lines.element.is_complex

    def write(self, shape: Sequence[Extent]) -> None:
        to = self.to
        zero, length = to.constant(0), self.vectors.length()
        most = (2, 1 if self.is_complex else 2)
        # a mode that fits one vector of the shortest length never needs two
        counts = [n if not isinstance(e, int) or e > self.product.lanes else 1 for n, e in zip(most, reversed(shape))]
        steps = [self.vectors.length(count) if count > 1 else length for count in counts]
        with to.loop(zero, self.rows.extent, steps[0], "j") as j:
            left_j = self._index("subi", self.rows.extent, j)
            with to.loop(zero, self.columns.extent, steps[1], "i") as i:
                left_i = self._index("subi", self.columns.extent, i)
                self._choose((j, i), (left_j, left_i), counts, length)

    def _choose(
        self, at: tuple[str, str], left: tuple[str, str], counts: list[int], length: str, axis: int = 0
    ) -> None:
        """A block of as many tiles as have any elements."""
        if axis == 2:
            rows = self._edges(at[0], left[0], counts[0], length)
            columns = self._edges(at[1], left[1], counts[1], length)
            self._block(rows, columns, length)
            return
        if counts[axis] == 1:
            self._choose(at, left, counts, length, axis + 1)
            return
        is_wide = self.to.op(f"arith.cmpi sgt, {left[axis]}, {length} : index", "is_wide")
        with self.to.block(f"scf.if {is_wide}"):
            self._choose(at, left, counts, length, axis + 1)
            self.to.otherwise()
            self._choose(at, left, [1 if n == axis else count for n, count in enumerate(counts)], length, axis + 1)

    def _edges(self, at: str, left: str, count: int, length: str) -> list[_Edge]:
        edges = []
        grouped = Vectors(self.to, self.product.factor_lanes)
        for number in range(count):
            if number:
                at, left = self._index("addi", at, length), self._index("subi", left, length)
            numbers = self._grouped(left)
            edges.append(_Edge(at, left, self._grouped(at), numbers, grouped.mask(numbers)))
        return edges

    def _block(self, rows: list[_Edge], columns: list[_Edge], length: str) -> None:
        """Sum up the products of a block, and update the target with them."""
        to, tile = self.to, tile_type(self.product)
        across = len(columns) * (2 if self.is_complex else 1)
        empty = [to.op(f"arm_sme.zero : {tile}", "tile") for _ in range(len(rows) * across)]
        zero, one = to.constant(0), to.constant(1)
        imaginary = self._index("addi", columns[0].at, self.columns.extent) if self.is_complex else ""
        loads = [self._load_pair if len(edges) == 2 else self._load for edges in (rows, columns)]
        with to.carrying(zero, self.rows.rows, one, empty, [tile] * len(empty), "k") as sums:
            k = sums.variable
            down, right = loads[0](self.rows, k, rows), loads[1](self.columns, k, columns)
            if self.is_complex:
                right += self._load(self.columns, k, [replace(columns[0], offset=imaginary)])
            pairs = [(row, column) for row in down for column in right]
            sums.give([add_product(to, self.product, *pair, before) for pair, before in zip(pairs, sums.values)])
        stretches = [self.update.access.stretch(edge.at, edge.left, self.is_complex) for edge in columns]
        for number, edge in enumerate(rows):
            tiles = sums.results[number * across : (number + 1) * across]
            with to.loop(zero, self._index("minsi", edge.left, length), one, "row") as row:
                self._update(tiles, row, self._index("addi", edge.at, row), stretches)

    def _load(self, panel: Panel, k: str, edges: list[_Edge]) -> list[tuple[str, str]]:
        """The vector at an edge, with its mask."""
        (edge,) = edges
        vectors = Vectors(self.to, self.product.factor_lanes)
        return [(Access.load_masked(vectors, panel.lines, panel.lines.place(k, edge.offset), edge.mask), edge.mask)]

    def _load_pair(self, panel: Panel, k: str, edges: list[_Edge]) -> list[tuple[str, str]]:
        """Two vectors in a row, as halves of one, so that they have one address."""
        both = Vectors(self.to, self.product.factor_lanes * 2)
        place, mask = panel.lines.place(k, edges[0].offset), both.mask(edges[0].count)
        whole, lanes = Access.load_masked(both, panel.lines, place, mask), self.product.factor_lanes
        types = f"{vector_type(self.product.factor, lanes)} from {both.type(self.product.factor)}"
        halves = [self.to.op(f"vector.scalable.extract {whole}[{n * lanes}] : {types}", "half") for n in range(2)]
        return [(half, edge.mask) for half, edge in zip(halves, edges)]

    def _update(self, tiles: list[str], row: str, line: str, stretches: list[Stretch]) -> None:
        """Update a line of the target with a row of the tiles."""
        sum_, lines = self.product.sum, self.lines
        if self.update.is_plain and lines.element == sum_:
            for tile, stretch in zip(tiles, stretches):
                types = f"{lines.text}, {self.vectors.type('i1')}, {tile_type(self.product)}"
                place = lines.place(line, stretch.at)
                self.to.line(f"arm_sme.store_tile_slice {tile}, {row}, {stretch.mask}, {place} : {types}")
            return
        of = f"{self.vectors.type(sum_)} from {tile_type(self.product)}"
        values = [self.to.op(f"arm_sme.extract_tile_slice {tile}[{row}] : {of}", "slice") for tile in tiles]
        if self.is_complex:
            self.update.update((values[0], values[1]), lines, line, stretches[0])
            return
        for value, stretch in zip(values, stretches):
            self.update.update((value,), lines, line, stretch)

    def _grouped(self, count: str) -> str:
        return self._index("muli", count, self.to.constant(self.product.ways)) if self.product.ways > 1 else count

    def _index(self, operation: str, a: str, b: str) -> str:
        return self.to.op(f"arith.{operation} {a}, {b} : index")
