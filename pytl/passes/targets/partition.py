"""How rows and columns are divided into tiles: in one place, for the cost model, the code and its software prefetch."""

from __future__ import annotations

from ...process.records import dataclass


def parts(total: int, maximum: int) -> list[tuple[int, int]]:
    """A number as a sum of the fewest terms up to `maximum`, about equal, larger ones first: terms and their counts.

    >>> parts(11, 4)
    [(4, 2), (3, 1)]
    """
    count = -(-total // maximum)
    smaller, larger = divmod(total, count)
    return [(term, times) for term, times in ((smaller + 1, larger), (smaller, count - larger)) if times]


def partition(total: int, maximum: int) -> list[int]:
    """The same sum, term by term.

    >>> partition(11, 4)
    [4, 4, 3]
    """
    return [term for term, times in parts(total, maximum) for _ in range(times)]


def even_part(whole: int, max_size: int, unit: int) -> int:
    """The size of about equal parts of at most a size, a multiple of a unit.

    >>> even_part(100, 40, 8)
    40
    """
    each = -(-whole // -(-whole // max_size))
    return min(-(-each // unit) * unit, whole)


@dataclass(frozen=True)
class RegisterTiles:
    """The register tiles of a result of static shape: the vectors of each tile of rows, the columns of each block."""

    heights: list[int]
    widths: list[int]

    @classmethod
    def of(cls, rows: int, columns: int, lanes: int, vectors: int, block: int) -> RegisterTiles:
        """The tiles of so many rows and columns, with at most `vectors` vectors and `block` columns each.

        >>> tiles = RegisterTiles.of(40, 9, lanes=16, vectors=2, block=4)
        >>> tiles.heights, tiles.widths
        ([2, 1], [3, 3, 3])
        """
        return cls(partition(-(-rows // lanes), vectors), partition(columns, block))

    @property
    def count(self) -> int:
        """How many tiles there are."""
        return len(self.heights) * len(self.widths)

    @property
    def kinds(self) -> list[tuple[int, int]]:
        """The different tiles, by their vectors and columns."""
        return [(height, width) for height in dict.fromkeys(self.heights) for width in dict.fromkeys(self.widths)]
