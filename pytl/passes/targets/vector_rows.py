"""Vector code on several vectors of Arm's ZA, which one instruction of SME2 moves, or adds to.

They are a tile of a fixed number of rows. A vector that has all rows of it has them one behind the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ...ir.constraints import INDEX, MEMREF, VECTOR, VECTOR_TILE
from ...ir.fields import Attributes, IntegerConstant, Operand, OperandList, Result, ResultList, Variant
from ...ir.operation import Check, Problem, check
from ...ir.registry import instruction
from ...ir.types import Type, VectorType
from ...ops.memory import index_problems
from .vector import MODE, SEGMENT, VectorInstruction
from .vector_tiles import SLICES

LINE = 4
"""The tiles of a line that an instruction moves."""
LOADED = 4
"""The vectors of a line of memory that an instruction loads."""
ZA_ROWS = 4
"""The vectors of ZA that an instruction moves, or adds to."""


@check(
    "PYTL-3121", "the vectors of a tile of a fixed number of rows have its elements and the lanes of its rows", "Passes"
)
def has_rows(op: Any) -> Iterator[Problem]:
    tile = op.tile.type
    if not tile.has_fixed_rows:
        yield Problem(f"{tile} has a number of rows that depends on the machine", part="tile")
    expected = {"vector": [tile.all_rows], "a": [tile.all_rows], "b": [tile.all_rows, tile.row], "segment": [tile.row]}
    for value in (*op.operands, *op.results):
        admitted = next((types for name, types in expected.items() if value is getattr(op, name, None)), [tile])
        if value.type not in admitted:
            yield Problem(f"{value.type} is no {' or '.join(map(str, admitted))}", part="tile")
    lanes = 8 * tile.columns * tile.element.size
    if hasattr(op, "lane") and not (lanes == SEGMENT and 0 <= op.lane < tile.columns):
        yield Problem(f"there is no lane {op.lane} in a segment of {tile.row}", part="tile")


@check("PYTL-3122", "a segment of 128 bits has elements of a tensor's contiguous mode", "Passes")
def is_segment(op: LoadSegment) -> Iterator[Problem]:
    tensor, type_ = op.tensor.type, op.result.type
    is_whole = type_.is_scalable and 8 * type_.lanes * tensor.element.size == SEGMENT
    if not is_whole or tensor.strides[0] != 1 or type_.element != tensor.element:
        yield Problem(f"the tensor is {tensor}, and the vector {type_}", part="tensor")
    yield from index_problems(op)


class _Rows(VectorInstruction):
    """An instruction on all rows of a tile."""

    rules: ClassVar[tuple[Check, ...]] = (has_rows,)


@instruction
class FromRows(_Rows):
    """A tile of vectors, one behind the other."""

    mnemonic = "vector.tile_from_rows"
    vector: Any = Operand(VECTOR, "all rows")
    result: Any = Result(VECTOR_TILE)

    @property
    def tile(self) -> Any:
        return self.result


@instruction
class Rows(_Rows):
    """All rows of a tile, one behind the other."""

    mnemonic = "vector.tile_rows"
    tile: Any = Operand(VECTOR_TILE, "the tile")
    result: Any = Result(VECTOR)

    @property
    def vector(self) -> Any:
        return self.result

    def infer_result_types(self) -> list[Type]:
        return [self.tile.type.all_rows]


class _IntoRows(_Rows):
    """An instruction that adds to all rows of a tile."""

    a: Any = Operand(VECTOR, "what is added, or multiplied and added, to all rows")
    tile: Any = Operand(VECTOR_TILE, "the tile")
    result: Any = Result(VECTOR_TILE, like="tile")


@instruction
class AddRows(_IntoRows):
    """A tile plus vectors."""

    mnemonic = "vector.tile_add"


@instruction
class FmaRows(_IntoRows):
    """A tile plus vectors that are multiplied by others, or all by the same one."""

    mnemonic = "vector.tile_fma"
    b: Any = Operand(VECTOR, "for all rows, or one for each")
    assembly = "` ` $a `, ` $b `, ` $tile ` : ` $result"


@instruction
class FmaRowsLane(_IntoRows):
    """A tile plus vectors, whose lanes of 128 bits are multiplied by one lane of the same 128 bits of another."""

    mnemonic = "vector.tile_fma_lane"
    segment: Any = Operand(VECTOR, "the other vector")
    lane: Any = IntegerConstant("the number of the lane in each of its segments")
    assembly = "` ` $a `, ` $segment `[` $lane `]` `, ` $tile ` : ` $result"


@instruction
class LoadSegment(VectorInstruction):
    """Loads 128 bits, which all segments of a vector have."""

    mnemonic = "vector.load_segment"
    tensor: Any = Operand(MEMREF, "the tensor")
    indices: Any = OperandList(INDEX, "the first element, which others follow along the first mode")
    result: Any = Result(VECTOR)
    assembly = "` ` $tensor `[` $indices `]` ` : ` $result"
    reads = ("tensor",)
    rules: ClassVar[tuple[Check, ...]] = (is_segment,)


# Slices of tiles that are contiguous in memory.


@check(
    "PYTL-3123", "slices of a tile that are contiguous in memory are two or four, of the tensor's elements", "Passes"
)
def are_contiguous(op: _Slices) -> Iterator[Problem]:
    tile, tensor = op.tile.type, op.tensor.type
    is_whole = tile.element == tensor.element or (
        tensor.element.is_integer == tile.element.is_integer and tile.element.size % tensor.element.size == 0
    )
    if op.count not in (2, 4) or not tile.is_scalable or tensor.strides[0] != 1 or tensor.element.is_complex:
        yield Problem(f"{op.count} slices of {tile} are moved, and the tensor is {tensor}", part="tile")
    elif op.mode not in range(tensor.order)[:2]:
        yield Problem(f"{MODE} is {op.mode}, and the tensor is {tensor}", part="tensor")
    elif not is_whole:
        yield Problem(f"the tensor is {tensor}, and the tile {tile}", part="tensor")
    yield from index_problems(op)


@check("PYTL-3125", "vectors that are joined are two or four of one type, and the result has their lanes", "Passes")
def are_joined(op: Join) -> Iterator[Problem]:
    found, type_ = [value.type for value in op.vectors], op.result.type
    if len(found) not in (2, LINE) or len(set(found)) > 1 or not found[0].is_scalable:
        yield Problem(f"{', '.join(map(str, found)) or 'nothing'} would be {type_}", part="vectors")
    elif type_ != VectorType(found[0].element, len(found) * found[0].lanes, True):
        yield Problem(f"{len(found)} of {found[0]} are no {type_}", part="vectors")


@instruction
class Join(VectorInstruction):
    """Vectors of registers, one behind the other."""

    mnemonic = "vector.join"
    vectors: Any = OperandList(VECTOR, "the vectors")
    result: Any = Result(VECTOR)
    rules: ClassVar[tuple[Check, ...]] = (are_joined,)

    def infer_result_types(self) -> list[Type]:
        first = self.vectors[0].type
        return [VectorType(first.element, len(self.vectors) * first.lanes, first.is_scalable)]


@check("PYTL-3124", "a line of tiles is a row of four tiles of one type, in registers that follow each other", "Passes")
def is_line(op: ExtractLine | InsertLine) -> Iterator[Problem]:
    tiles, type_ = [tile.type for tile in op.tiles], op.vector.type
    if isinstance(op, InsertLine):
        tiles += [tile.type for tile in op.after]
    tile: Any = tiles[0] if tiles else None
    if len(op.tiles) != LINE or len(set(tiles)) > 1 or not tile.is_scalable or tile.has_fixed_rows:
        yield Problem(f"it has {', '.join(map(str, tiles)) or 'none'}", part="tiles")
    elif type_ != VectorType(tile.element, LINE * tile.columns, True):
        yield Problem(f"a line of {tile} is no {type_}", part="tiles")


@instruction
class ExtractLine(VectorInstruction):
    """A row of each of four tiles, one behind the other."""

    mnemonic = "vector.extract_line"
    tiles: Any = OperandList(VECTOR_TILE, "the tiles")
    number: Any = Operand(INDEX, "the row's number")
    result: Any = Result(VECTOR)
    assembly = "`(` $tiles `)[` $number `]` ` : ` $result"
    rules: ClassVar[tuple[Check, ...]] = (is_line,)

    @property
    def vector(self) -> Any:
        return self.result


@instruction
class InsertLine(VectorInstruction):
    """Four tiles with a vector as one row of all, of which each has a part."""

    mnemonic = "vector.insert_line"
    vector: Any = Operand(VECTOR, "the rows, one behind the other")
    tiles: Any = OperandList(VECTOR_TILE, "the tiles")
    number: Any = Operand(INDEX, "the row's number")
    after: Any = ResultList(VECTOR_TILE, like="tiles")
    assembly = "` ` $vector `, (` $tiles `)[` $number `]` ` : (` $after `)`"
    rules: ClassVar[tuple[Check, ...]] = (is_line,)


class _Slices(VectorInstruction):
    """A load or store of rows or columns of a tile, from a multiple of their number on, which lie one behind the other.

    They follow each other along the first mode, or are as long as that and have one index of the second mode each. A
    number of the tile may have the bits of several elements.
    """

    variant: Any = Variant(SLICES)
    tensor: Any = Operand(MEMREF, "the tensor")
    indices: Any = OperandList(INDEX, "the first element")
    tile: Any = Operand(VECTOR_TILE, "the tile")
    number: Any = Operand(INDEX, "the first row's or column's number")
    count: Any = IntegerConstant("how many there are")
    attributes: Any = Attributes({MODE: "integer"})
    rules: ClassVar[tuple[Check, ...]] = (are_contiguous,)

    @property
    def mode(self) -> int:
        """The mode along which they follow each other."""
        mode: int = self.attributes.get(MODE, 0)
        return mode


@instruction
class SlicesLoad(_Slices):
    """Loads rows or columns of a tile."""

    mnemonic = "vector.slices_load"
    result: Any = Result(VECTOR_TILE, like="tile")
    assembly = "` ` $tensor `[` $indices `]` (` ` $attributes)? `, ` $tile `[` $number ` + ` $count `]` ` : ` $result"
    reads = ("tensor",)


@instruction
class SlicesStore(_Slices):
    """Stores rows or columns of a tile."""

    mnemonic = "vector.slices_store"
    assembly = "` ` $tile `[` $number ` + ` $count `]` `, ` $tensor `[` $indices `]` (` ` $attributes)?"
    writes = ("tensor",)
