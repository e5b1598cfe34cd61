"""The memory of a launch on the host: addresses that the host reads and writes, and copying back.

NumPy arrays are used in place. So are device arrays that the host can access: shared and host USM, and all memory of
processors. Others are copied, and copied back where the kernel writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import Argument, ArrayView, GroupArgument, ItemViews
from ..host_copies import copy_of, elements
from ..overlap import Key, key_of, refuse_overlaps, views_of


class HostMemory:
    """The addresses of the views of one launch; holds copies until the launch has ended."""

    def __init__(self, arguments: Sequence[Argument]) -> None:
        # a group of many arrays of the host needs no look at each
        views = views_of([a for a in arguments if not (isinstance(a, GroupArgument) and set(a.queues) == {None})])
        self._copies: dict[Key, np.ndarray] = {}
        self._written: dict[Key, ArrayView] = {}
        far = [entry for entry in views if entry[0].queue is not None]
        if far:
            self._begin(far)

    def _begin(self, far: Sequence[tuple[ArrayView, bool]]) -> None:
        for queue in dict.fromkeys(view.queue for view, _ in far):
            queue.wait()  # a call begins after all that was submitted before
        beyond = [(view, written) for view, written in far if view.span and not _is_reached(view.array)]
        refuse_overlaps(beyond)
        for view, written in beyond:
            key = key_of(view)
            if key not in self._copies:
                self._copies[key] = copy_of(view)
            if written:
                self._written[key] = view

    def addresses(self, views: Sequence[ArrayView]) -> np.ndarray:
        """The address of the first element of each view."""
        if isinstance(views, ItemViews) and not self._copies:
            return views.addresses
        if not self._copies:
            return np.fromiter((view.address for view in views), np.int64, len(views))
        return np.fromiter((self._address(view) for view in views), np.int64, len(views))

    def _address(self, view: ArrayView) -> int:
        copy = self._copies.get(key_of(view)) if view.queue is not None else None
        return view.address if copy is None else copy.ctypes.data

    def copy_back(self) -> None:
        """Copy what the kernel wrote back to the devices."""
        for key, view in self._written.items():
            view.array[...] = elements(self._copies[key], view)


def _is_reached(array: Any) -> bool:
    """Whether the host can access an array by its address."""
    return array.usm_type in ("shared", "host") or array.sycl_device.is_cpu
