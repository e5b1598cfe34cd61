"""Which products of cooperative matrices a processor's tile registers compute, and in which pieces (AMX).

There are eight tile registers, of 16 rows of 64 bytes. A product of tiles adds, for row i of one tile and dword j of
the other's rows, the sum over k of dword k of row i times dword j of row k, where a dword is two bf16 or four i8, which
are multiplied one by one and summed. Memory is column-major, so tiles hold transposed matrices: Cᵀ := Bᵀ Aᵀ + Cᵀ, a row
of a tile being a piece of a column. The columns of B are rows of Bᵀ as they are; rows for Aᵀ have to be made, with the
numbers of two or four columns of A side by side in each dword.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.types import bf16, f32, i8, i32
from ...ir.values import Function
from ...ops.coopmatrix import CooperativeMatrixMulAdd
from ...ops.xetile import TileMma

MATRIX_UNIT = "cpu.matrix"
"""The attribute of a function, executed by one work-item, that says what computes products: "vectors" or "amx"."""
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

    def blocks(self, op: CooperativeMatrixMulAdd | TileMma) -> tuple[int, int, int]:
        """How many pieces a product has in rows, columns, and terms of its sums; the last ones are padded."""
        inner, columns = op.B.type.shape
        size = op.B.type.component.size
        return -(-op.A.type.rows // self.rows), -(-columns // self.columns), -(-inner * size // self.inner)


def is_legal_for_tiles(op: CooperativeMatrixMulAdd | TileMma) -> bool:
    """Whether tile registers compute such products, and faster than vectors."""
    a, b, c = (value.type.component for value in (op.A, op.B, op.result))
    if a != b or _SUMS.get(a) != c:
        return False
    inner, columns = op.B.type.shape
    return min(op.A.type.rows, columns) >= MIN_ROWS and inner * a.size >= MIN_DWORDS * DWORD


def tile_shape_of(op: CooperativeMatrixMulAdd | TileMma) -> TileShape:
    """The largest tiles that a product fills."""
    inner, columns = op.B.type.shape
    dwords = -(-inner * op.A.type.component.size // DWORD)
    rows = TILE_ROWS if op.A.type.rows > TILE_ROWS // 2 else TILE_ROWS // 2
    return TileShape(rows, min(columns, TILE_ROWS), min(dwords * DWORD, TILE_BYTES))


def tile_shape(function: Function) -> TileShape | None:
    """The tiles of a function, that of its largest product that is_legal them; None where none does.

    Registers are configured once, so that products with other tiles are left to vectors. Products of tiles of memory
    count before `lower-tiles` has made matrices of them, for a launch asks whether there are any before it lowers.
    """
    products = (CooperativeMatrixMulAdd, TileMma)
    candidates = [op for op in function.walk() if isinstance(op, products) and is_legal_for_tiles(op)]
    largest = max(candidates, key=lambda op: op.A.type.rows * op.B.type.rows * op.B.type.columns, default=None)
    return None if largest is None else tile_shape_of(largest)
