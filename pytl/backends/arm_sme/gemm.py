"""Products of matrices, and of a column by a row, as outer products.

The target is computed in blocks of up to four tiles of ZA, two by two, so that each vector that is loaded serves two
outer products; the rows of a tile are lines of the target. What is left over at the edges is masked, and where half a
block would be empty, because the target is small or the vector length large, only the other half is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...ir.types import Extent
from ...ops.updates import transpose_of
from ..mlir.builder import Builder
from ..mlir.memory import Memory, Memref
from ..mlir.numbers import Number
from .lines import Access, Lines, Stretch, adjacent_mode, lines_of
from .panels import Factor, Panel, panels
from .products import Product, product_for
from .targets import Target
from .vectors import Vectors


def product_of(op: Any) -> Product | None:
    """The outer product that a gemm or a ger is made of; None if there is no code for it."""
    left, right = (getattr(op, name).type.element for name in op.factors)
    target = op.updated.type
    return None if adjacent_mode(target) is None or op.atomic else product_for(left, right, target.element)


def gemm(to: Builder, op: Any, alpha: Number, left: Memref, right: Memref, beta: Number, target: Memref) -> None:
    """`target := alpha op(left) op(right) + beta target` of a gemm or ger with `product_of(op)`."""
    product = product_of(op)
    mode = adjacent_mode(target.type)
    assert product is not None
    assert mode is not None
    factors = []
    for memref, name, free in ((left, op.factors[0], 0), (right, op.factors[1], 1)):
        if memref.type.order == 1:
            factors.append(Factor(memref, 0, None))
        else:
            turned = free if transpose_of(op, name) == "n" else 1 - free
            factors.append(Factor(memref, turned, 1 - turned))
    columns, rows = factors[mode], factors[1 - mode]
    vectors = Vectors(to, product.lanes)
    element = target.type.element
    wide = element if element.is_complex else product.sum
    with panels(to, product, element, rows, columns) as (row_panel, column_panel):
        update = Target(to, vectors, op, alpha, beta, wide)
        extents = target.type.shape[1 - mode], target.type.shape[mode]
        lines = lines_of(to, target, mode)
        sizes = [Memory(to).size(target, 1 - mode), Memory(to).size(target, mode)]
        _Product(to, product, vectors, row_panel, column_panel, update, lines, sizes).write(extents)


@dataclass(frozen=True)
class _Edge:
    """A vector's worth of the rows or columns of a block."""

    at: str
    """The first row or column of the target."""
    left: str
    """How many there are from there on."""
    offset: str
    """Where they begin in a row of the panel."""
    mask: str
    """Of their numbers in the panel."""


@dataclass(frozen=True)
class _Product:
    to: Builder
    product: Product
    vectors: Vectors
    rows: Panel
    columns: Panel
    update: Target
    lines: Lines
    sizes: Sequence[str]

    @property
    def is_complex(self) -> bool:
        return self.lines.element.is_complex

    def write(self, extents: tuple[Extent, Extent]) -> None:
        to = self.to
        zero, length = to.constant(0), self.vectors.length()
        most = (2, 1 if self.is_complex else 2)
        # a mode that fits one vector of the shortest length never needs two
        counts = [n if not isinstance(e, int) or e > self.product.lanes else 1 for n, e in zip(most, extents)]
        steps = [self.vectors.length(count) if count > 1 else length for count in counts]
        with to.loop(zero, self.sizes[0], steps[0], "j") as j:
            left_j = self._index("subi", self.sizes[0], j)
            with to.loop(zero, self.sizes[1], steps[1], "i") as i:
                left_i = self._index("subi", self.sizes[1], i)
                self._choose((j, i), (left_j, left_i), counts, length)

    def _choose(self, at: tuple[str, str], left: tuple[str, str], counts: list[int], length: str, axis: int = 0) -> None:
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
            edges.append(_Edge(at, left, self._grouped(at), grouped.mask(self._grouped(left))))
        return edges

    def _block(self, rows: list[_Edge], columns: list[_Edge], length: str) -> None:
        """Sum up the products of a block, and update the target with them."""
        to, tile = self.to, self.product.tile
        vectors = [(self.rows, edge.offset, edge.mask) for edge in rows]
        vectors += [(self.columns, edge.offset, edge.mask) for edge in columns]
        if self.is_complex:  # the plane of imaginary parts
            (edge,) = columns
            vectors.append((self.columns, self._index("addi", edge.at, self.columns.extent), edge.mask))
        across = len(vectors) - len(rows)
        empty = [to.op(f"arm_sme.zero : {tile}", "tile") for _ in range(len(rows) * across)]
        zero, one = to.constant(0), to.constant(1)
        grouped = Vectors(to, self.product.factor_lanes)
        with to.carrying(zero, self.rows.rows, one, empty, [tile] * len(empty), "k") as sums:
            loaded = [
                (Access.load_masked(grouped, panel.lines, panel.lines.place(sums.variable, at), mask), mask)
                for panel, at, mask in vectors
            ]
            sums.give(
                [
                    self.product.write(to, loaded[n // across], loaded[len(rows) + n % across], before)
                    for n, before in enumerate(sums.values)
                ]
            )
        stretches = [self.update.access.stretch(edge.at, edge.left, self.is_complex) for edge in columns]
        for number, edge in enumerate(rows):
            tiles = sums.results[number * across : (number + 1) * across]
            with to.loop(zero, self._index("minsi", edge.left, length), one, "row") as row:
                self._update(tiles, row, self._index("addi", edge.at, row), stretches)

    def _update(self, tiles: list[str], row: str, line: str, stretches: list[Stretch]) -> None:
        """Update a line of the target with a row of the tiles."""
        sum_, lines = self.product.sum, self.lines
        if self.update.is_plain and lines.element == sum_:
            for tile, stretch in zip(tiles, stretches):
                types = f"{lines.text}, {self.vectors.type('i1')}, {self.product.tile}"
                place = lines.place(line, stretch.at)
                self.to.line(f"arm_sme.store_tile_slice {tile}, {row}, {stretch.mask}, {place} : {types}")
            return
        of = f"{self.vectors.type(sum_)} from {self.product.tile}"
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
