"""Convolutions as products: for each element of the window, one of a part of the input and a part of the kernel."""

from __future__ import annotations

from collections.abc import Sequence

from ...mlir.affine.expressions import Dimension
from ...process.records import dataclass
from .structured import Structured, factors_of
from .values import View


@dataclass(frozen=True)
class Windows:
    """An operation whose input is indexed by sums, as `x + k`: a product of plain indices for each value of the `k`."""

    moving: tuple[int, ...]
    """The iterations over the window, and what else is summed up beside one iteration."""
    kept: tuple[tuple[int | None, ...], ...]
    """Of each index of each operand, the iteration that stays, if one does."""


def windows_of(linalg_op: Structured) -> Windows | None:
    """The windows of a product of two inputs; None where the first one has none, or they do not move by one element."""
    moving: list[int] = []
    for result in linalg_op.maps[0].results:
        if isinstance(result, Dimension):
            continue
        factors = factors_of(result)
        if factors is None or min(factors.values(), default=0) < 1:
            return None
        parallel = [d for d in factors if linalg_op.iterators[d] == "parallel"]
        if len(parallel) > 1 or any(factors[d] != 1 for d in parallel):
            return None
        moving += [d for d in factors if d not in parallel]
    others = [d for d, kind in enumerate(linalg_op.iterators) if kind != "parallel" and d not in moving]
    if not moving or not others:
        return None
    # one sum is that of the products: the longest
    largest = max(others, key=lambda d: (size if isinstance(size := linalg_op.sizes[d], int) else 0, d))
    moving += [d for d in others if d != largest]
    kept = [_kept(linalg_op, number, moving) for number in range(len(linalg_op.operands))]
    found = [each for each in kept if each is not None]
    return Windows(tuple(dict.fromkeys(moving)), tuple(found)) if len(found) == len(kept) else None


def _kept(linalg_op: Structured, number: int, moving: Sequence[int]) -> tuple[int | None, ...] | None:
    view = linalg_op.operands[number]
    if not isinstance(view, View) or not view.is_plain:
        return None
    rest = [[d for d in factors_of(result) or () if d not in moving] for result in linalg_op.maps[number].results]
    return None if any(len(each) > 1 for each in rest) else tuple(each[0] if each else None for each in rest)
