"""The memory of a launch in a file that a guest maps: all arrays, each between guard zones, then descriptors.

Arrays that overlap lie in one region, so that they overlap in the guest, too. A region has the same offset modulo
ALIGNED bytes as the host's memory, which keeps alignments. The user's memory is not changed before `copy_back`.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ir.values import Function, Value
from ..base import Argument, ArrayView
from ..host_copies import elements
from ..mlir.artefacts import no_temporary
from ..mlir.descriptors import Table
from ..mlir.host_memory import HostMemory
from ..overlap import key_of, views_of

GUARD = 256
"""Bytes between arrays that no kernel writes: the longest vector."""
ALIGNED = 256
_PATTERN = 0xA5
_HEADER_WORDS = 7
_DONE = 6


class Image:
    """The file of one launch."""

    def __init__(
        self,
        parameters: Sequence[Value],
        function: Function,
        arguments: Sequence[Argument],
        memory: HostMemory,
        groups: int,
    ) -> None:
        self._views = [(view, written) for view, written in views_of(arguments) if view.span]
        views = [view for view, _ in self._views]
        self._hosts = memory.addresses(views)
        sizes = np.fromiter((view.span * view.item_size for view in views), np.int64, len(views))
        self._starts, self._ends = _regions(self._hosts, self._hosts + sizes)
        self._memory = memory
        lead = self._starts % ALIGNED
        room = _rounded(GUARD + lead + (self._ends - self._starts))
        before = np.concatenate([np.zeros(1, np.int64), np.cumsum(room)])
        self._offsets = ALIGNED + GUARD + lead + before[:-1]
        self._table_begin = int(ALIGNED + before[-1] + GUARD)  # so the last array has a guard zone, too
        table = Table(parameters, arguments, self._addresses)
        relocations = np.concatenate([table.own, table.foreign]) + self._table_begin // 8
        size = self._table_begin + (len(table.words) + len(relocations)) * 8
        self.file = os.memfd_create("pytl")
        try:
            os.ftruncate(self.file, size)
            self._bytes = np.frombuffer(mmap.mmap(self.file, size), np.uint8)
        except OSError as error:
            self.close()
            raise no_temporary(error, function) from None
        self._fill(table, relocations, groups)

    def close(self) -> None:
        os.close(self.file)

    def _addresses(self, views: Sequence[ArrayView]) -> np.ndarray:
        """The places of views in the file; an empty view has any place."""
        hosts = self._memory.addresses(views)
        if not len(self._starts):
            return np.zeros(len(views), np.int64)
        region = np.clip(np.searchsorted(self._starts, hosts, "right") - 1, 0, None)
        offsets = self._offsets[region] + hosts - self._starts[region]
        full = np.fromiter((view.span > 0 for view in views), bool, len(views))
        return np.where(full, offsets, 0)

    def _fill(self, table: Table, relocations: np.ndarray, groups: int) -> None:
        words, first = self._bytes.view(np.int64), self._table_begin // 8
        listed = first + len(table.words)
        table.moved_to(self._table_begin)
        words[:_HEADER_WORDS] = [0, groups, groups, first * 8, listed * 8, len(relocations), 0]
        words[first:listed] = table.words
        words[listed:] = relocations
        for zone in self._guards():
            zone[:] = _PATTERN
        address = self._bytes.ctypes.data
        for offset, start, end in zip(self._offsets.tolist(), self._starts.tolist(), self._ends.tolist()):
            ctypes.memmove(address + offset, start, end - start)

    def _guards(self) -> list[np.ndarray]:
        """The guard zones around the arrays."""
        begins = [ALIGNED, *(self._offsets + (self._ends - self._starts)).tolist()]
        return [self._bytes[a:b] for a, b in zip(begins, [*self._offsets.tolist(), self._table_begin])]

    @property
    def is_done(self) -> bool:
        return bool(self._bytes.view(np.int64)[_DONE])

    @property
    def is_damaged(self) -> bool:
        """Whether the kernel wrote outside of the arrays."""
        return any((zone != _PATTERN).any() for zone in self._guards())

    def copy_back(self) -> None:
        """Copy the elements that the kernel may have written to the arrays; gaps between elements are not touched."""
        known = {key_of(view): (view, host) for (view, written), host in zip(self._views, self._hosts) if written}
        offsets = self._addresses([view for view, _ in known.values()]).tolist()
        for (view, host), offset in zip(known.values(), offsets):
            size = view.span * view.item_size
            raw = np.dtype((np.void, view.item_size))
            target = np.ctypeslib.as_array((ctypes.c_uint8 * size).from_address(int(host))).view(raw)
            elements(target, view)[...] = elements(self._bytes[offset : offset + size].view(raw), view)


def _regions(starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The union of intervals, as disjoint intervals in order."""
    if not len(starts):
        return starts, ends
    order = np.argsort(starts, kind="stable")
    starts, reached = starts[order], np.maximum.accumulate(ends[order])
    first = np.concatenate([[True], starts[1:] >= reached[:-1]])
    last = np.concatenate([first[1:], [True]])
    return starts[first], reached[last]


def _rounded(size: Any) -> Any:
    return -(-size // ALIGNED) * ALIGNED
