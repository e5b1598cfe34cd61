"""How rows are divided into tiles of vectors, and columns into blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.values import Value
from ...process.records import dataclass
from ..targets.partition import partition
from .access import Lanes
from .code import Code, Number


@dataclass(frozen=True)
class Vector:
    """Rows of a tile that make one vector: the first one's place in the tile, and the lanes."""

    offset: int
    lanes: Lanes


@dataclass(frozen=True)
class RowTile:
    """Some vectors of consecutive rows, from row number `first` on."""

    first: Number
    vectors: tuple[Vector, ...]

    def row(self, code: Code, vector: Vector) -> Number:
        """The number of a vector's first row."""
        return code.plus(self.first, vector.offset)


def number_of(code: Code, sizes: list[int], first: Number, size: int) -> Number:
    """The index of the part that `partition` made which begins at `first` and has that size."""
    before = sizes.index(size)
    return code.plus(code.over(code.minus(first, sum(sizes[:before])), size), before)


def for_each_tile(
    code: Code,
    rows: Number,
    lanes: int,
    vectors: int,
    write: Callable[[RowTile], None],
    max_unrolled: int,
    min_lanes: int | None = None,
) -> None:
    """Divide rows into tiles of at most some vectors, and write the code of each.

    More than `max_unrolled` equal ones are a loop. The last vector of a tile may have fewer lanes, `min_lanes` or
    more; without `min_lanes`, it has as many as the others.
    """
    min_lanes = lanes if min_lanes is None else min_lanes
    if not isinstance(rows, int):
        _for_each_of_any(code, rows, lanes, vectors, write)
        return
    begin = 0
    sizes = partition(-(-rows // lanes), vectors)
    while sizes:
        size = sizes[0]
        count = sum(1 for other in sizes if other == size)
        whole = count if begin + count * size * lanes <= rows else count - 1
        end = begin + whole * size * lanes
        tile = tuple(Vector(k * lanes, Lanes(lanes)) for k in range(size))
        code.each(begin, end, size * lanes, _writer(write, tile), max_unrolled)
        begin = end
        if whole < count:
            write(RowTile(begin, (*tile[:-1], _last_vector(begin, (size - 1) * lanes, rows, lanes, min_lanes))))
        sizes = sizes[count:]


def _writer(write: Callable[[RowTile], None], tile: tuple[Vector, ...]) -> Callable[[Number], None]:
    return lambda first: write(RowTile(first, tile))


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


def _for_each_of_any(code: Code, rows: Value, lanes: int, vectors: int, write: Callable[[RowTile], None]) -> None:
    """Tiles of rows whose number is known at run time only: whole tiles, whole vectors, and the remainder."""
    begin: Number = 0
    for size in dict.fromkeys((vectors, 1)):
        step = size * lanes
        end = code.multiple_below(rows, step)
        code.each(begin, end, step, _writer(write, tuple(Vector(k * lanes, Lanes(lanes)) for k in range(size))))
        begin = end
    with_remainder(code, begin, rows, lambda remaining: write(RowTile(begin, (Vector(0, Lanes(lanes, remaining)),))))


def with_remainder(code: Code, begin: Number, end: Number, write: Callable[[Number], None]) -> None:
    """Write the code of what is left over from `begin` on, for how much that is; it is executed if there is some."""
    remaining = code.minus(end, begin)
    if isinstance(remaining, int):
        if remaining:
            write(remaining)
        return
    with code.predicated(code.compare("gt", remaining, code.number(0))):
        write(remaining)


def for_each_carrying(
    code: Code,
    rows: Number,
    lanes: int,
    carried: Sequence[Value],
    write: Callable[[Number, Lanes, list[Value]], Sequence[Value]],
) -> None:
    """Divide rows into vectors, one after the other; each passes values on to the next."""
    whole = code.multiple_below(rows, lanes)
    last = code.loop(0, whole, lanes, carried, lambda first, values: write(first, Lanes(lanes), values))

    def remainder(remaining: Number) -> None:
        write(whole, Lanes(lanes, remaining), last)

    with_remainder(code, whole, rows, remainder)


def for_each_block(
    code: Code,
    columns: Number,
    max_columns: int,
    write: Callable[[Number, int], None],
    max_unrolled: int | None,
    may_unroll: bool = True,
) -> None:
    """Divide columns into blocks of at most `max_columns`, and write the code of each for its first column and width.

    More than `max_unrolled` equal ones are a loop, which a compiler `may_unroll`; where that is None, all are unrolled.
    """
    if not isinstance(columns, int):
        whole = code.multiple_below(columns, max_columns)
        code.each(0, whole, max_columns, lambda first: write(first, max_columns), may_unroll=may_unroll)
        if max_columns > 1:
            code.each(whole, columns, 1, lambda first: write(first, 1), may_unroll=may_unroll)
        return
    begin = 0
    sizes = partition(columns, max_columns)
    for size in dict.fromkeys(sizes):
        end = begin + sizes.count(size) * size
        limit = columns if max_unrolled is None else max_unrolled
        code.each(begin, end, size, _block_writer(write, size), limit, may_unroll)
        begin = end


def _block_writer(write: Callable[[Number, int], None], size: int) -> Callable[[Number], None]:
    return lambda first: write(first, size)
