"""Vector code on tile registers, which Arm's matrix extension has in ZA, and Intel's AMX: the tiles' instructions.

A tile is a value, like a vector, and `for` and `if` carry it. Its rows are contiguous in memory. Where factors are
narrower than sums, as many adjacent numbers as fit into a sum are a *group*, whose products are added up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ...diagnostics.words import counted
from ...ir.constraints import INDEX, MASK, MEMREF, VECTOR, VECTOR_TILE
from ...ir.fields import Attributes, Operand, OperandList, Result, Variant
from ...ir.operation import Check, Problem, check
from ...ir.registry import instruction
from ...ir.types import Type, VectorTileType, VectorType, bool_, compute_type
from ...ops.memory import index_problems
from .vector import OnMemory, VectorInstruction, fits_tensor

ROWS = "rows"
"""Of a load or store: the mode of the tensor along which rows of a tile follow each other, where that is not the
second."""
REGISTER = "register"
"""Of a tile that begins with zeros or is loaded: the number of its register, where the machine's are not allocated. A
product, and what a loop carries, stay in the register of the tile that they begin with."""
SLICES = {"row": "a row, which is a horizontal slice", "column": "a column, which is a vertical slice"}


def _ways(factor: Any, sum_: Any) -> int:
    """How many products of two numbers are added to a sum at once; 0 where there is no such product."""
    if factor.is_complex or sum_.is_complex or factor.is_integer != sum_.is_integer:
        return 0
    if factor.is_integer:
        return int(sum_.size // factor.size)
    return int(sum_.size // factor.size) if sum_ == compute_type(factor) else 0


@check("PYTL-3110", "the vectors of an outer product are groups for the rows and for the columns of its tile", "Passes")
def fills_tile(op: Outer) -> Iterator[Problem]:
    tile, a, b = op.tile.type, op.a.type, op.b.type
    ways = _ways(a.element, tile.element)
    expected = [VectorType(a.element, ways * count, tile.is_scalable) for count in (tile.rows, tile.columns)]
    if not ways or [a, b] != expected or op.result.type != tile:
        yield Problem(f"{a} and {b} are added to {tile}, and the result is {op.result.type}", part="tile")
    for mask, vector in ((op.row_mask, a), (op.column_mask, b)):
        if mask is not None and (mask.type.lanes, mask.type.is_scalable) != (vector.lanes, vector.is_scalable):
            yield Problem(f"a mask of {vector} is {mask.type}", part="tile")


@check("PYTL-3111", "the rows and columns of tiles agree, as those of matrices whose rows have groups", "Passes")
def tiles_agree(op: Product) -> Iterator[Problem]:
    a, b, tile = op.a.type, op.b.type, op.tile.type
    ways = _ways(a.element, tile.element)
    agrees = (
        ways
        and a == VectorTileType(a.element, tile.rows, ways * b.rows)
        and b == VectorTileType(a.element, b.rows, ways * tile.columns)
        and tile == op.result.type == VectorTileType(tile.element, tile.rows, tile.columns)
    )
    if not agrees:
        yield Problem(f"the product of {a} and {b} is added to {tile}, and the result is {op.result.type}", part="tile")


@check(
    "PYTL-3112",
    "a tile in memory has the tensor's elements, or integers their bits, and rows along another mode than its columns",
    "Passes",
)
def tile_fits_tensor(op: _TileOnMemory) -> Iterator[Problem]:
    tensor, tile = op.tensor.type, op.tile.type
    if tile.element != tensor.element and not _has_bits(tile, tensor.element):
        yield Problem(f"the tensor is {tensor}, and the tile {tile}", part="tensor")
    yield from index_problems(op)
    if not (isinstance(op.rows, int) and 1 <= op.rows < tensor.order):
        yield Problem(f"{ROWS} is {op.rows}, and the tensor has {counted(tensor.order, 'mode')}", part="tensor")


def _has_bits(tile: VectorTileType, element: Any) -> bool:
    """Whether a row of a tile may lie in memory as integers that each have the bits of one or more of its numbers."""
    bytes_ = tile.columns * tile.element.size
    return bool(element.is_integer and element.size >= tile.element.size and bytes_ % element.size == 0)


@check("PYTL-3113", "a slice has the type of the tile's rows or columns, and its mask as many lanes", "Passes")
def is_slice(op: Any) -> Iterator[Problem]:
    tile = op.tile.type
    slice_ = slice_of(op)
    for value in (*op.operands, *op.results):
        type_ = value.type
        if isinstance(type_, VectorTileType) and type_ != tile:
            yield Problem(f"the tile is {tile}, and the result {type_}", part="tile")
        expected = slice_.of(bool_) if value is getattr(op, "mask", None) else slice_
        if isinstance(type_, VectorType) and type_ != expected:
            yield Problem(f"a {op.variant} of {tile} is {slice_}, and not {type_}", part="tile")


def slice_of(op: Any) -> VectorType:
    """The type of the slice that an instruction moves."""
    tile: VectorTileType = op.tile.type
    return tile.row if op.variant == "row" else tile.column


# Values.


@instruction
class TileZero(VectorInstruction):
    """A tile of zeros."""

    mnemonic = "vector.tile_zero"
    attributes: Any = Attributes({REGISTER: "integer"})
    result: Any = Result(VECTOR_TILE)
    assembly = "(` ` $attributes)? ` : ` $result"


@instruction
class TileUndefined(VectorInstruction):
    """A tile of any numbers, whose slices are set before they are used."""

    mnemonic = "vector.tile_undefined"
    attributes: Any = Attributes({REGISTER: "integer"})
    result: Any = Result(VECTOR_TILE)
    assembly = "(` ` $attributes)? ` : ` $result"


class _Slice(VectorInstruction):
    """An instruction on a row or a column of a tile, by its number."""

    variant: Any = Variant(SLICES)
    rules: ClassVar[tuple[Check, ...]] = (is_slice,)


@instruction
class TileExtract(_Slice):
    """A row or a column of a tile as a vector."""

    mnemonic = "vector.tile_extract"
    tile: Any = Operand(VECTOR_TILE, "the tile")
    number: Any = Operand(INDEX, "the row's or column's number")
    result: Any = Result(VECTOR)
    assembly = "` ` $tile `[` $number `]` ` : ` $result"

    def infer_result_types(self) -> list[Type]:
        return [slice_of(self)]


@instruction
class TileInsert(_Slice):
    """A tile with a vector as one of its rows or columns."""

    mnemonic = "vector.tile_insert"
    vector: Any = Operand(VECTOR, "the row or column")
    tile: Any = Operand(VECTOR_TILE, "the tile")
    number: Any = Operand(INDEX, "the row's or column's number")
    result: Any = Result(VECTOR_TILE, like="tile")
    assembly = "` ` $vector `, ` $tile `[` $number `]` ` : ` $result"


# Products.


@instruction
class Outer(VectorInstruction):
    """A tile plus the outer product of two vectors, of the lanes that are active in both.

    Sums of floats have the type that products are computed in, and those of integers any type that is as wide or wider.
    """

    mnemonic = "vector.tile_outer"
    a: Any = Operand(VECTOR, "a group for each row")
    b: Any = Operand(VECTOR, "a group for each column")
    tile: Any = Operand(VECTOR_TILE, "the tile")
    row_mask: Any = Operand(MASK, "the active lanes of the first vector; all, if there is none", optional=True)
    column_mask: Any = Operand(MASK, "the active lanes of the second one", optional=True)
    result: Any = Result(VECTOR_TILE, like="tile")
    assembly = "` ` $a `, ` $b `, ` $tile (` mask ` $row_mask `, ` $column_mask)? ` : ` $result"
    rules = (fills_tile,)

    @property
    def ways(self) -> int:
        """How many lanes are a group."""
        return _ways(self.a.type.element, self.tile.type.element)


@instruction
class Product(VectorInstruction):
    """A tile plus the product of two others, as matrices.

    A row of the first factor has a group for each row of the second one, whose rows have a group for each column.
    """

    mnemonic = "vector.tile_product"
    a: Any = Operand(VECTOR_TILE, "the left factor")
    b: Any = Operand(VECTOR_TILE, "the right factor")
    tile: Any = Operand(VECTOR_TILE, "the tile")
    result: Any = Result(VECTOR_TILE, like="tile")
    rules = (tiles_agree,)

    @property
    def ways(self) -> int:
        """How many numbers are a group."""
        return _ways(self.a.type.element, self.tile.type.element)


# Memory.


class _TileOnMemory(VectorInstruction):
    """A load or store of a tile, whose rows lie along the first mode of a tensor."""

    tile: Any
    tensor: Any = Operand(MEMREF, "the tensor")
    indices: Any = OperandList(INDEX, "the element of the first row and column")
    attributes: Any = Attributes({ROWS: "integer", REGISTER: "integer"})
    rules: ClassVar[tuple[Check, ...]] = (tile_fits_tensor,)

    @property
    def rows(self) -> int:
        """The mode along which rows follow each other."""
        return self.attributes.get(ROWS, 1)


@instruction
class TileLoad(_TileOnMemory):
    """Loads a tile."""

    mnemonic = "vector.tile_load"
    result: Any = Result(VECTOR_TILE)
    assembly = "` ` $tensor `[` $indices `]` (` ` $attributes)? ` : ` $result"
    reads = ("tensor",)

    @property
    def tile(self) -> Any:
        return self.result


@instruction
class TileStore(_TileOnMemory):
    """Stores a tile."""

    mnemonic = "vector.tile_store"
    tile: Any = Operand(VECTOR_TILE, "what is stored")
    assembly = "` ` $tile `, ` $tensor `[` $indices `]` (` ` $attributes)?"
    writes = ("tensor",)


class _SliceOnMemory(OnMemory):
    """A load or store of a row or a column of a tile, in the active lanes.

    A number of the tile may have the bits of several elements, which follow each other.
    """

    variant: Any = Variant(SLICES)
    may_have_parts = False
    rules: ClassVar[tuple[Check, ...]] = (is_slice, fits_tensor)

    @property
    def in_register(self) -> VectorType:
        type_ = slice_of(self)
        if self.per_lane == 1:
            return type_
        return VectorType(self.tensor.type.element, type_.lanes * self.per_lane, type_.is_scalable)

    @property
    def per_lane(self) -> int:
        element, tile = self.tensor.type.element, self.tile.type.element  # type: ignore[attr-defined]
        return 1 if element.is_complex else max(tile.size // element.size, 1)


@instruction
class SliceLoad(_SliceOnMemory):
    """Loads a row or a column of a tile. Inactive lanes are 0, and their memory is not read."""

    mnemonic = "vector.slice_load"
    tile: Any = Operand(VECTOR_TILE, "the tile")
    number: Any = Operand(INDEX, "the row's or column's number")
    result: Any = Result(VECTOR_TILE, like="tile")
    assembly = (
        "` ` $tensor `[` $indices `]` (` ` $attributes)? (` mask ` $mask)? `, ` $tile `[` $number `]` ` : ` $result"
    )
    reads = ("tensor",)


@instruction
class SliceStore(_SliceOnMemory):
    """Stores a row or a column of a tile. The memory of inactive lanes keeps its value."""

    mnemonic = "vector.slice_store"
    tile: Any = Operand(VECTOR_TILE, "the tile")
    number: Any = Operand(INDEX, "the row's or column's number")
    assembly = "` ` $tile `[` $number `], ` $tensor `[` $indices `]` (` ` $attributes)? (` mask ` $mask)?"
    writes = ("tensor",)
