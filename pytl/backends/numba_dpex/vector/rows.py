"""How rows are divided into tiles of vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from ....passes.targets.partition import partition
from ..device.elements import I64
from .context import Context, Number, minus, plus
from .lanes import Lanes


@dataclass(frozen=True)
class Vector:
    """Rows of a tile that make one vector: the first one's place in the tile, and the mask of the lanes."""

    offset: int
    lanes: Lanes


@dataclass(frozen=True)
class RowTile:
    """Some vectors of consecutive rows, from row number `first` on."""

    first: Number
    vectors: tuple[Vector, ...]


def number_of(builder: ir.IRBuilder, sizes: list[int], first: Number, size: int) -> Number:
    """The index of the part that `partition` made which begins at `first` and has that size."""
    before = sizes.index(size)
    begun = minus(builder, first, sum(sizes[:before]))
    return plus(builder, begun // size if isinstance(begun, int) else builder.udiv(begun, I64(size)), before)


def for_each_tile(
    context: Context,
    rows: Number,
    lanes: int,
    vectors: int,
    write: Callable[[RowTile], None],
    min_lanes: int | None = None,
) -> None:
    """Divide rows into tiles of at most some vectors, and write the code of each, in a loop where many are equal.

    The last vector of a tile may have fewer lanes, `least` or more; without `least`, it has as many as the others.
    """
    min_lanes = lanes if min_lanes is None else min_lanes
    if not isinstance(rows, int):
        _for_each_of_any(context, rows, lanes, vectors, write)
        return
    begin = 0
    sizes = partition(-(-rows // lanes), vectors)
    while sizes:
        size = sizes[0]
        count = sum(1 for other in sizes if other == size)
        whole = count if begin + count * size * lanes <= rows else count - 1
        tile = tuple(Vector(k * lanes, Lanes(lanes)) for k in range(size))

        def write_whole(first: Number, _: object, tile: tuple[Vector, ...] = tile) -> tuple[()]:
            write(RowTile(first, tile))
            return ()

        end = begin + whole * size * lanes
        if whole > context.unroll_tiles:
            context.loop(begin, end, size * lanes, [], write_whole)
        else:
            for first in range(begin, end, size * lanes):
                write_whole(first, ())
        begin = end
        if whole < count:
            write(RowTile(begin, (*tile[:-1], _last_vector(begin, (size - 1) * lanes, rows, lanes, min_lanes))))
        sizes = sizes[count:]


def _last_vector(first: int, offset: int, rows: int, lanes: int, min_lanes: int) -> Vector:
    """The vector of the remaining rows, from `first + offset` on.

    If the tile has another vector before it, this one may overlap that vector: whole vectors cost less than masked
    ones. Short vectors seldom cross a cache line.
    """
    remaining = rows - first - offset
    if not offset:
        return Vector(offset, Lanes(lanes, remaining))
    enough = min(max(1 << (remaining - 1).bit_length(), min_lanes), lanes)
    return Vector(offset - (enough - remaining), Lanes(enough))


def _for_each_of_any(
    context: Context, rows: Number, lanes: int, vectors: int, write: Callable[[RowTile], None]
) -> None:
    """Tiles of rows whose number is known at run time only: whole tiles, whole vectors, and the remainder."""
    begin: Number = 0
    for size in dict.fromkeys((vectors, 1)):
        step = size * lanes
        tile = tuple(Vector(k * lanes, Lanes(lanes)) for k in range(size))
        end = context.multiple_below(rows, step)

        def write_whole(first: Number, _: object, tile: tuple[Vector, ...] = tile) -> tuple[()]:
            write(RowTile(first, tile))
            return ()

        context.loop(begin, end, step, [], write_whole)
        begin = end
    remaining = minus(context.builder, rows, begin)
    if isinstance(remaining, int):
        return
    with context.predicated(context.builder.icmp_signed(">", remaining, remaining.type(0))):
        write(RowTile(begin, (Vector(0, Lanes(lanes, remaining)),)))


def for_each_block(
    context: Context, columns: Number, max_columns: int, write: Callable[[Number, int], None], is_unrolled: bool = False
) -> None:
    """Divide columns into blocks of at most `most`, and write the code of each for its first column and its width."""
    if not isinstance(columns, int):
        whole = context.multiple_below(columns, max_columns)

        def write_block(first: Number, _: object, size: int = max_columns) -> tuple[()]:
            write(first, size)
            return ()

        context.loop(0, whole, max_columns, [], write_block)
        if max_columns > 1:
            context.loop(whole, columns, 1, [], lambda first, _: write_block(first, _, 1))
        return
    begin = 0
    sizes = partition(columns, max_columns)
    for size in dict.fromkeys(sizes):
        count = sizes.count(size)
        end = begin + count * size

        def write_one(first: Number, _: object, size: int = size) -> tuple[()]:
            write(first, size)
            return ()

        if count > context.unroll_tiles and not is_unrolled:
            context.loop(begin, end, size, [], write_one)
        else:
            for first in range(begin, end, size):
                write_one(first, ())
        begin = end


def row_of(context: Context, tile: RowTile, vector: Vector) -> Number:
    """The number of a vector's first row."""
    return plus(context.builder, tile.first, vector.offset)
