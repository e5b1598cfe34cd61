"""Overlapping arrays that are copied: where a backend copies memory, writes to one copy do not appear in the other."""

from __future__ import annotations

from collections.abc import Sequence

from ..diagnostics import LaunchError
from . import rules
from .base import Argument, ArrayView, GroupArgument, MemrefArgument

Key = tuple[int, tuple[int, ...], tuple[int, ...], int]


def key_of(view: ArrayView) -> Key:
    """A key that is equal for two views of the same elements in the same order."""
    return (view.address, view.shape, view.strides, view.item_size)


def views_of(arguments: Sequence[Argument]) -> list[tuple[ArrayView, bool]]:
    """The memory of all arguments, and whether the kernel may write each."""
    found: list[tuple[ArrayView, bool]] = []
    for argument in arguments:
        if isinstance(argument, MemrefArgument):
            found.append((argument.view, argument.written))
        elif isinstance(argument, GroupArgument):
            found += [(view, argument.written) for view in argument.views]
    return found


def refuse_overlaps(views: Sequence[tuple[ArrayView, bool]]) -> None:
    """Raise a LaunchError where two of these are partly the same memory and one of them is written.

    The very same view passed twice is fine: it has one copy.
    """
    known = {key_of(view): view for view, _ in views if view.span}
    written = {key_of(view) for view, is_written in views if is_written}
    reaching: list[tuple[int, Key]] = []
    for key, view in sorted(known.items()):
        reaching = [(end, other) for end, other in reaching if end > view.address]
        for _, other in reaching:
            if (key in written or other in written) and share(known[other], view):
                raise LaunchError.single(
                    rules.OVERLAP,
                    f"arrays of the shapes {known[other].shape} and {view.shape} share memory",
                    help="pass arrays that do not overlap, or copies",
                )
        reaching.append((view.address + view.span * view.item_size, key))


def share(a: ArrayView, b: ArrayView) -> bool:
    """Whether two views have an element in common. Only addresses count, so it works for device memory, too."""
    import numpy as np  # not before a launch

    base = min(a.address, b.address)
    room = np.lib.stride_tricks.as_strided(np.empty(1, np.uint8), (1 << 62,), (1,))  # addresses, never read

    def elements(view: ArrayView) -> np.ndarray:
        strides = tuple(stride * view.item_size for stride in view.strides)
        start = room[view.address - base :]
        return np.lib.stride_tricks.as_strided(start, (*view.shape, view.item_size), (*strides, 1))

    try:
        return np.shares_memory(elements(a), elements(b), max_work=100_000)
    except np.exceptions.TooHardError:
        return True  # not known to be disjoint
