"""Which terms of a product's sums may be other than zero, by the patterns of its factors."""

from __future__ import annotations

from functools import reduce
from operator import or_

from ...ops import Gemm, Gemv
from ...ops.patterns import entries_of
from ...ops.updates import TRANSPOSES
from ...process.records import dataclass


@dataclass(frozen=True)
class Terms:
    """The terms of the sums of a product with known sizes, as bits: term k is bit k of a number."""

    depth: int
    rows: tuple[int, ...]
    """For each row of the left factor those by which it may be other than zero."""
    columns: tuple[int, ...]
    """The same for each column of the right factor."""

    @classmethod
    def of(cls, op: Gemm | Gemv) -> Terms | None:
        """The terms of a product; None where no pattern says that some are zero. A vector has one column."""
        if isinstance(op, Gemm):
            turned, other, other_turned, target = op.transpose_a, op.B, op.transpose_b, op.C
        else:
            turned, other, other_turned, target = op.transpose, op.b, "n", op.c
        depth, extents = op.A.type.shape[0 if TRANSPOSES[turned] else 1], (*target.type.shape, 1)[:2]
        if not all(isinstance(extent, int) for extent in (*extents, depth)):
            return None
        left, right = entries_of(op.A), entries_of(other)
        if left is None and right is None:
            return None
        if left is not None and TRANSPOSES[turned]:
            left = left.transposed
        if right is not None and not TRANSPOSES[other_turned]:
            right = right.transposed
        every = (1 << depth) - 1
        rows, columns = (
            (every,) * extent if entries is None else tuple(map(_bits, entries.rows))
            for entries, extent in zip((left, right), extents)
        )
        return None if {*rows, *columns} == {every} else cls(depth, rows, columns)

    def of_rows(self, first: int, count: int) -> int:
        """The terms by which any of some rows may be other than zero; beyond the last row there are none."""
        return reduce(or_, self.rows[max(first, 0) : first + count], 0)

    @property
    def used(self) -> int:
        """The terms by which some row and some column may be other than zero."""
        return reduce(or_, self.rows, 0) & reduce(or_, self.columns, 0)

    @property
    def depend_on_rows(self) -> bool:
        """Whether different rows have different terms."""
        return len({*self.rows}) > 1

    @property
    def depend_on_columns(self) -> bool:
        """Whether different columns have different terms."""
        return len({*self.columns}) > 1


def _bits(entries: tuple[bool, ...]) -> int:
    return sum(1 << k for k, may_be_nonzero in enumerate(entries) if may_be_nonzero)
