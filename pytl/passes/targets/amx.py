"""Which products a processor's tile registers compute, and in which pieces (AMX).

There are eight tile registers, of 16 rows of 64 bytes. A product of tiles adds, for row i of one tile and dword j of
the other's rows, the sum over k of dword k of row i times dword j of row k, where a dword is two bf16 or f16, or four
i8, which are multiplied one by one and summed. Memory is column-major, so tiles hold transposed matrices:
Cᵀ := Bᵀ Aᵀ + Cᵀ, a row of a tile being a piece of a column. The columns of B are rows of Bᵀ as they are; rows for Aᵀ
have to be made, with the numbers of two or four columns of A side by side in each dword.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from typing import Any

from ...ir.types import MemrefType, ScalarType, bf16, f16, f32, i8, i16, i32
from ...ir.values import Function
from ...ops.blas import Gemm
from ...ops.coopmatrix import CooperativeMatrixMulAdd
from ...ops.updates import TRANSPOSES
from ...ops.xetile import TileMma
from ...process.records import dataclass
from .machine import Machine

MATRIX_UNIT = "cpu.matrix"
"""The attribute of a function, executed by one work-item, that says what computes products: "vectors" or "amx"."""
TILE_SHAPE = "cpu.tiles"
"""The attribute of a function of which tile registers compute products: rows and columns of C, bytes along the sum."""
TILE_ROWS, TILE_BYTES, TILES = 16, 64, 8
DWORD = 4
_MOST = (TILE_ROWS, TILE_ROWS, TILE_BYTES // DWORD)
"""The largest tiles, by the fields of a `TileShape`."""
ACCUMULATORS, LEFT_TILES, RIGHT_TILES = (0, 1, 2, 3), (4, 5), (6, 7)
"""The registers for Cᵀ, Bᵀ and Aᵀ: two by two blocks of C need the fewest loads of the other two."""
PALETTE = 1
CONFIGURATION = 64
"""Bytes of the configuration: the palette; from 16 on the bytes per row of each register; from 48 on its rows."""
SUMS: dict[ScalarType, ScalarType] = {bf16: f32, f16: f32, i8: i32}
"""The types of factors, and those of their sums."""
PRODUCTS = {bf16: "tdpbf16ps", f16: "tdpfp16ps", i8: "tdpbssd"}
"""The processor's products of tiles, by the type of the factors."""
FP16 = "amx-fp16"
"""The feature of machines whose tile registers multiply f16."""
MIN_ROWS, MIN_DWORDS = 8, 4
"""For smaller products, vectors take less time than loading the tiles."""


@dataclass(frozen=True)
class TileShape:
    """The pieces that products are divided into: rows and columns of C, and dwords of a column of B."""

    rows: int
    columns: int
    dwords: int


def tile_factors(machine: Machine) -> tuple[str, ...]:
    """The names of the types of factors that a machine's tile registers multiply, if it has any."""
    return tuple(element.name for element in SUMS if element != f16 or FP16 in machine.features)


def has_tile_products(function: Function, factors: Collection[str]) -> bool:
    """Whether tile registers compute a product of a function's matrices, and faster than vectors.

    Products of tiles of memory count before `lower-tiles` has made matrices of them, for a launch asks before it
    lowers.
    """
    return any(_is_for_tiles(op, factors) for op in function.walk())


def _is_for_tiles(op: Any, factors: Collection[str]) -> bool:
    if isinstance(op, Gemm):
        return is_legal_for_tiles(op, factors)
    if not isinstance(op, (CooperativeMatrixMulAdd, TileMma)):
        return False
    a, b, c = (value.type for value in (op.A, op.B, op.result))
    return _suits_tiles((a.component, b.component, c.component), (a.rows, b.columns, b.rows), factors)


def _suits_tiles(elements: Sequence[Any], sizes: Sequence[Any], factors: Collection[str]) -> bool:
    a, b, c = elements
    if a != b or a.name not in factors or not all(isinstance(size, int) for size in sizes):
        return False
    if c != SUMS[a] and (c != a or a == i8):
        return False
    rows, columns, inner = sizes
    return bool(min(rows, columns) >= MIN_ROWS and inner * a.size >= MIN_DWORDS * DWORD)


def sizes_of(op: Gemm) -> tuple[Any, ...]:
    """The rows and columns of a product, and the terms of its sums."""
    return (*op.C.type.shape, op.A.type.shape[0 if TRANSPOSES[op.transpose_a] else 1])


def is_legal_for_tiles(op: Gemm, factors: Collection[str]) -> bool:
    """Whether tile registers compute a product, and faster than vectors."""
    elements = [value.type.element for value in (op.A, op.B, op.C)]
    return not op.atomic and op.C.type.strides[0] == 1 and _suits_tiles(elements, sizes_of(op), factors)


def tile_shape_of(products: Sequence[Gemm], machine: Machine) -> TileShape | None:
    """The tiles for all products of a function, which are configured once: those of the least cost.

    A tile is as high, as wide and as deep as it can be such that the tiles of one of the products are of equal size.
    Products with fewer rows or columns are left to vectors, as others are that take less time there. None where all
    are.
    """
    candidates = [[_equal(size, most) for size, most in zip(_in_dwords(op), _MOST)] for op in products]
    shapes = [TileShape(*sizes) for sizes in product(*map(dict.fromkeys, zip(*candidates)))]
    if not shapes:
        return None

    def total(shape: TileShape) -> float:
        return sum(min(_cost(shape, op, machine), _by_vectors(op, machine)) for op in products)

    best = min(shapes, key=total)
    return best if any(uses_tiles(op, best, machine) for op in products) else None


def uses_tiles(op: Gemm, shape: TileShape, machine: Machine) -> bool:
    """Whether tiles of a shape compute a product, which they can, in less time than vectors."""
    return _cost(shape, op, machine) <= _by_vectors(op, machine)


def pieces(size: int, of_tile: int) -> int:
    """How many tiles have a size together; the last one may overlap the one before, or be filled in part."""
    return -(-size // of_tile)


def _equal(size: int, most: int) -> int:
    return pieces(size, pieces(size, most))


def _in_dwords(op: Gemm) -> tuple[int, int, int]:
    rows, columns, inner = sizes_of(op)
    return rows, columns, pieces(inner, words_of(op.A.type))


def _cost(shape: TileShape, op: Gemm, machine: Machine) -> float:
    """About how many cycles a product takes on tiles, of which all but those along the sum have to be filled."""
    costs, (rows, columns, dwords) = machine.tile_products, _in_dwords(op)
    if rows < shape.rows or columns < shape.columns:
        return float("inf")
    high, wide, deep = map(pieces, (rows, columns, dwords), (shape.rows, shape.columns, shape.dwords))
    steps = high * wide * deep
    lines = high * deep * shape.dwords
    copied = columns * pieces(shape.dwords, TILE_ROWS) if dwords % shape.dwords else 0
    moved = high * wide * shape.columns
    return steps * shape.columns * costs.row + (lines + copied) * costs.line + moved * costs.moved_row


def _by_vectors(op: Gemm, machine: Machine) -> float:
    rows, columns, inner = sizes_of(op)
    lanes = machine.register_bytes // SUMS[op.A.type.element].size
    terms = 2 if op.A.type.element == i8 and machine.multiplies_pairs(i16) else 1
    return float(pieces(rows, lanes) * columns * inner / terms / machine.execution.fmas)


def words_of(factor: MemrefType) -> int:
    """How many numbers of a factor a dword has."""
    return DWORD // int(factor.element.size)


def configuration(rows: int, columns: int, inner: int) -> bytes:
    """The configuration of the registers: `rows` and `columns` of a block of C, and the bytes of its sum over k."""
    shapes = {
        **dict.fromkeys(ACCUMULATORS, (columns, rows * DWORD)),
        **dict.fromkeys(LEFT_TILES, (columns, inner)),
        **dict.fromkeys(RIGHT_TILES, (inner // DWORD, rows * DWORD)),
    }
    data = bytearray(CONFIGURATION)
    data[0] = PALETTE
    for number in range(TILES):
        data[48 + number], row = shapes[number]
        data[16 + 2 * number : 18 + 2 * number] = row.to_bytes(2, "little")
    return bytes(data)


def configuration_dwords(shape: Sequence[int]) -> list[int]:
    """The configuration for a shape as signed numbers of 32 bits, which code stores one after the other."""
    data = configuration(*shape)
    pieces_of_data = (data[first : first + DWORD] for first in range(0, CONFIGURATION, DWORD))
    return [int.from_bytes(piece, "little", signed=True) for piece in pieces_of_data]
