"""New arrays of a device on memory that is kept for the next ones when the last array on it is gone.

The system gives new memory page by page, when it is first written, which takes as long as a small contraction. NumPy's
arrays have that from the C library, which keeps what was freed; those of a device come from a driver that does not.
"""

from __future__ import annotations

import math
from typing import Any

from ...process import forks

MAX_BYTES = 64 * 1024 * 1024
"""Bytes that are kept at most."""

Free = dict[Any, list[Any]]
_free: Free = {}
"""Memory that no array uses, by its bytes and its queue. Each change is a single operation, since an array may end
anywhere, in the middle of one of these functions too.
"""


class _Lease:
    """What an array's memory refers to, as long as an array uses it."""

    def __init__(self, memory: Any, key: tuple[int, Any], free: Free) -> None:
        self.__sycl_usm_array_interface__ = memory.__sycl_usm_array_interface__
        self._ended = memory, key, free, MAX_BYTES  # at the end of the process, there are no names of this module

    def __del__(self) -> None:
        memory, key, free, most = self._ended
        if sum(size * len(each) for (size, _), each in free.copy().items()) + key[0] > most:
            free.clear()
        free.setdefault(key, []).append(memory)


def new_array(library: Any, shape: tuple[int, ...], dtype: Any, order: str, queue: Any) -> Any:
    """A new array of a library of arrays, with the order of its modes, on the memory of a queue's device."""
    import dpctl.memory
    import numpy

    dtype = numpy.dtype(dtype)
    key = math.prod(shape) * dtype.itemsize, queue
    if not 0 < key[0] <= MAX_BYTES:
        return library.empty(shape, dtype=dtype, order=order, sycl_queue=queue)
    try:
        memory = _free[key].pop()
    except (KeyError, IndexError):
        memory = dpctl.memory.MemoryUSMDevice(key[0], queue=queue)
    leased = dpctl.memory.MemoryUSMDevice(_Lease(memory, key, _free))
    return library.usm_ndarray(shape, dtype=dtype, buffer=leased, order=order)


def _forget() -> None:
    """A child of a fork has no devices; what ends there is kept where nothing looks for it."""
    global _free
    _free = {}


forks.in_child(_forget)
