"""Which products a processor's tile registers compute, and in which pieces (AMX).

There are eight tile registers, of 16 rows of 64 bytes. A product of tiles adds, for row i of one tile and dword j of
the other's rows, the sum over k of dword k of row i times dword j of row k, where a dword is two bf16 or four i8, which
are multiplied one by one and summed. Memory is column-major, so tiles hold transposed matrices: Cᵀ := Bᵀ Aᵀ + Cᵀ, a row
of a tile being a piece of a column. The columns of B are rows of Bᵀ as they are; rows for Aᵀ have to be made, with the
numbers of two or four columns of A side by side in each dword.
"""

from __future__ import annotations

from typing import Any

from ...ir.types import bf16, f32, i8, i32
from ...ir.values import Function
from ...ops.blas import Gemm
from ...ops.constants import is_constant
from ...ops.coopmatrix import CooperativeMatrixMulAdd
from ...ops.updates import TRANSPOSES
from ...ops.xetile import TileMma
from ...process.records import dataclass

MATRIX_UNIT = "cpu.matrix"
"""The attribute of a function, executed by one work-item, that says what computes products: "vectors" or "amx"."""
TILE_SHAPE = "cpu.tiles"
"""The attribute of a function of which tile registers compute products: the numbers of a `TileShape`."""
TILE_ROWS, TILE_BYTES, TILES = 16, 64, 8
DWORD = 4
ACCUMULATORS, LEFT_TILES, RIGHT_TILES = (0, 1, 2, 3), (4, 5), (6, 7)
"""The registers for Cᵀ, Bᵀ and Aᵀ: two by two blocks of C need the fewest loads of the other two."""
_SUMS = {bf16: f32, i8: i32}
MIN_ROWS, MIN_DWORDS = 8, 4
"""For smaller products, vectors take less time than loading the tiles."""


@dataclass(frozen=True)
class TileShape:
    """The pieces that a product is divided into: rows and columns of C, and bytes of a column of B."""

    rows: int
    columns: int
    inner: int


def has_tile_products(function: Function) -> bool:
    """Whether tile registers compute a product of a function's matrices, and faster than vectors.

    Products of tiles of memory count before `lower-tiles` has made matrices of them, for a launch asks before it
    lowers.
    """
    products = (CooperativeMatrixMulAdd, TileMma)
    return any(_suits_tiles(*_sizes_of(op)) for op in function.walk() if isinstance(op, products))


def _sizes_of(op: CooperativeMatrixMulAdd | TileMma) -> tuple[Any, ...]:
    a, b, c = (value.type for value in (op.A, op.B, op.result))
    return (a.component, b.component, c.component), (a.rows, b.columns, b.rows)


def _suits_tiles(elements: tuple[Any, ...], sizes: tuple[Any, ...]) -> bool:
    a, b, c = elements
    if a != b or _SUMS.get(a) != c or not all(isinstance(size, int) for size in sizes):
        return False
    rows, columns, inner = sizes
    return min(rows, columns) >= MIN_ROWS and inner * a.size >= MIN_DWORDS * DWORD


def sizes_of(op: Gemm) -> tuple[Any, ...]:
    """The rows and columns of a product, and the terms of its sums."""
    return (*op.C.type.shape, op.A.type.shape[0 if TRANSPOSES[op.transpose_a] else 1])


def is_legal_for_tiles(op: Gemm) -> bool:
    """Whether tile registers compute a product, and faster than vectors."""
    elements = tuple(value.type.element for value in (op.A, op.B, op.C))
    is_plain = is_constant(op.alpha, 1) and (is_constant(op.beta, 0) or is_constant(op.beta, 1)) and not op.atomic
    return is_plain and op.C.type.strides[0] == 1 and _suits_tiles(elements, sizes_of(op))


def tile_shape_of(op: Gemm) -> TileShape:
    """The largest tiles that a product fills."""
    rows, columns, inner = sizes_of(op)
    dwords = -(-inner * op.A.type.element.size // DWORD)
    tile_rows = TILE_ROWS if rows > TILE_ROWS // 2 else TILE_ROWS // 2
    return TileShape(tile_rows, min(columns, TILE_ROWS), min(dwords * DWORD, TILE_BYTES))
