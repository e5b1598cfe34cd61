"""The caller's memory: views on flat NumPy buffers, without a copy.

The buffer of a view is one-dimensional and contiguous, and holds the element's storage type. An array with
strides becomes the flat buffer of its span:

    span = 1 + sum((n - 1) * s for n, s in zip(shape, element_strides))
    buffer = np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,))
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ...ir.types import AddressSpace
from ...process.records import dataclass


@dataclass(frozen=True)
class MemrefView:
    """A tensor in memory: element (i, j, …) is `buffer[offset + i * strides[0] + j * strides[1] + …]`."""

    buffer: np.ndarray
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    space: AddressSpace = "global"
    label: str = ""

    def __post_init__(self) -> None:
        if self.buffer.ndim != 1 or not self.buffer.flags.c_contiguous:
            raise ValueError("the buffer of a view is one-dimensional and contiguous")
        if len(self.shape) != len(self.strides):
            raise ValueError(f"{len(self.shape)} modes have {len(self.strides)} strides")


@dataclass(frozen=True)
class GroupView:
    """Memrefs that a kernel loads by index. `offset` is the value of the type's `offset: ?`."""

    items: Sequence[MemrefView]
    offset: int = 0
    label: str = ""

    @classmethod
    def alike(
        cls,
        pointers: Iterable[tuple[np.ndarray, int]],
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int = 0,
        label: str = "",
    ) -> GroupView:
        """A group whose memrefs all have the same layout, each given by a buffer and an offset in it.

        Pass one buffer object for all that lie in the same array: work-items with different indices are then
        served in one step.
        """
        items = [MemrefView(buffer, base, shape, strides, label=label) for buffer, base in pointers]
        return cls(items, offset, label)


@cache
def _host_bytes() -> float:
    """The host's memory; without a bound where the system doesn't tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return math.inf


def require(size: int) -> None:
    """Raises MemoryError for more bytes than the host has: systems promise them, and end the process that uses them."""
    if size > _host_bytes():
        raise MemoryError


def filled(shape: int | Sequence[int], value: Any, dtype: np.dtype | type) -> np.ndarray:
    """A new array filled with one value. Raises MemoryError for every size that is too large."""
    require(math.prod([shape] if isinstance(shape, int) else shape) * np.dtype(dtype).itemsize)
    try:
        return np.full(shape, value, dtype)
    except (ValueError, OverflowError):  # NumPy's errors for sizes beyond the address space
        raise MemoryError from None
