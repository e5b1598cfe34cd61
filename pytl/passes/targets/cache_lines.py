"""A matrix as cache lines, which software prefetch divides among the register tiles of a kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import MemrefType
from ...process.records import dataclass

PIECE = 16
"""Bytes of what x86 stores past the caches piece by piece, where a vector does not begin at a line."""


@dataclass(frozen=True)
class Lines:
    """A matrix as columns of cache lines: a single column where the matrix is contiguous."""

    per_column: int
    columns: int
    line: int
    """Bytes of a cache line."""

    @classmethod
    def of(cls, shape: Sequence[int], strides: Sequence[Any], size: int, line: int) -> Lines:
        """The lines of elements of `size` bytes, with strides in elements.

        >>> Lines.of((16, 4), (1, 16), 4, 64), Lines.of((16, 4), (1, 20), 4, 64)
        (Lines(per_column=4, columns=1, line=64), Lines(per_column=1, columns=4, line=64))
        """
        length, gap = contiguous(shape, strides)
        return cls(-(-length * size // line), 1 if gap is None else shape[gap], line)

    @property
    def bytes(self) -> int:
        return self.per_column * self.columns * self.line

    @property
    def pieces(self) -> int:
        """The pieces that are divided among register tiles: lines, or whole columns."""
        return self.per_column if self.columns == 1 else self.columns

    @property
    def of_piece(self) -> int:
        """The lines per piece."""
        return 1 if self.columns == 1 else self.per_column


def has_lines(type_: MemrefType, line: int) -> bool:
    """Whether each column begins at a cache line, if the first one does; or each second one, where two fill a line.

    >>> from pytl.ir.types import f32
    >>> [has_lines(MemrefType(f32, (rows, 4, 9)), 64) for rows in (16, 8, 12)]
    [True, True, False]
    """
    first, *others = type_.strides or (0,)
    steps = [stride * type_.element.size if isinstance(stride, int) else 1 for stride in others]
    are_halves = steps[:1] == [line // 2]
    return first == 1 and all(step % line == 0 for step in steps[are_halves:])


def fills_lines(type_: MemrefType, size: int, line: int) -> bool:
    """Whether so many bytes of a column are whole cache lines, or half a line of which the next column is the rest."""
    is_half = 2 * size == line and len(type_.strides) > 1 and type_.strides[1] == size // type_.element.size
    return size % line == 0 or is_half


def contiguous(shape: Sequence[int], strides: Sequence[Any]) -> tuple[int, int | None]:
    """The number of contiguous elements from the first on, and the first mode that leaves a gap, if there is one.

    A stride that is not known is anything but an integer.

    >>> contiguous((8, 4, 3), (1, 8, 40)), contiguous((8, 4), (1, 8)), contiguous((8, 4), (1, "?"))
    ((32, 2), (32, None), (8, 1))
    """
    length = 1
    for mode, (extent, stride) in enumerate(zip(shape, strides)):
        if not isinstance(stride, int) or stride != length:
            return length, mode
        length *= extent
    return length, None
