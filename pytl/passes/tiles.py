"""How large the tiles are that a product is computed by: a model of what they cost.

A tile of v vectors and c columns keeps v c vectors of sums in registers, loads v vectors of the left factor and c numbers
of the right one for each step of the sum, and does v c multiply-adds. A processor does two of those in a cycle, and about
as many loads. All tiles of a product together, each with a few cycles to begin and to end, are what a choice costs, and
the cheapest one is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.types import Extent, ScalarType, f32
from ..ops import cpu

LOAD = 0.6
"""Cycles that a load takes: a little more than half, for they aren't spread evenly."""
SPLIT_LOAD = 1.9
"""How much longer a vector's load takes where columns don't begin at multiples of a cache line."""
BEGIN_AND_END = 8.0
"""Cycles that a tile takes before its first and after its last multiply-add."""
MOST_VECTORS, MOST_COLUMNS = 4, 16
TYPICAL = 48
"""What is taken for a size that is known at run time only."""
LONGEST_UNROLLED = 400
"""Multiply-adds of a whole product up to which its sums have no loop."""


@dataclass(frozen=True)
class Machine:
    """The vector registers of a processor."""

    register_bytes: int
    registers: int

    @classmethod
    def of(cls, register_bytes: int) -> Machine:
        """AVX-512 has twice as many registers as what came before it."""
        return cls(register_bytes, 32 if register_bytes == 64 else 16)


@dataclass(frozen=True)
class Tile:
    """How a product is cut, see `cpu.kernel`."""

    lanes: int
    vectors: int
    columns: int
    unroll: int

    def attributes(self) -> dict[str, int]:
        return {cpu.LANES: self.lanes, cpu.VECTORS: self.vectors, cpu.COLUMNS: self.columns, cpu.UNROLL: self.unroll}


def _parts(total: int, most: int) -> list[int]:
    count = -(-total // most)
    return [total // count + (k < total % count) for k in range(count)]


def lanes_for(machine: Machine, element: ScalarType, rows: Extent) -> int:
    """Elements of a vector: as many as a register holds, or half as often as that still covers all rows."""
    wide = f32 if element.is_floating and element.size == 2 else element
    lanes = min(machine.register_bytes // wide.component.size, 16) // (2 if wide.is_complex else 1)
    least = max(16 // wide.size, 1)
    while isinstance(rows, int) and rows <= lanes // 2 and lanes > least:
        lanes //= 2
    return lanes


def choose_tile(
    machine: Machine,
    element: ScalarType,
    rows: Extent,
    columns: Extent,
    depth: Extent,
    column_stride: Extent,
    copies: int = 1,
) -> Tile:
    """The tile that costs least for `rows` × `columns` sums of `depth` products."""
    lanes = lanes_for(machine, element, rows)
    m, n, k = (size if isinstance(size, int) else TYPICAL for size in (rows, columns, depth))
    each = 2 if element.is_complex else 1  # vectors that a sum takes
    is_aligned = isinstance(column_stride, int) and column_stride * element.size % 64 == 0
    penalty = 1.0 if is_aligned else SPLIT_LOAD
    best: tuple[float, int, int] | None = None
    vectors_of_rows = -(-m // lanes)
    for vectors in range(1, min(vectors_of_rows, MOST_VECTORS) + 1):
        for block in range(1, min(n, MOST_COLUMNS) + 1):
            used = copies * (vectors * block * each + vectors) + 1
            if used > machine.registers - 1 and (vectors, block) != (1, 1):
                continue
            cost = 0.0
            for v in _parts(vectors_of_rows, vectors):
                for c in _parts(n, block):
                    sums = copies * v * c * each
                    loads = copies * v * penalty + c * each
                    cost += k * max(sums / 2, LOAD * loads) + BEGIN_AND_END
            if best is None or cost < best[0] - 1e-9:
                best = (cost, vectors, block)
    assert best is not None
    _, vectors, block = best
    sums = vectors * block * each * copies
    if isinstance(depth, int) and sums <= 20 and vectors_of_rows * n * depth * each <= LONGEST_UNROLLED:
        unroll = depth
    else:
        unroll = min(max((machine.registers - 1 - sums) // (vectors * copies), 1), 4)
    return Tile(lanes, vectors, block, unroll)
