"""Memory for what lies between the launches of `pytl.einsum`; some of it is kept for the next call.

New memory costs more than a small contraction: the system gives it page by page, and each page is filled with zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...ir.types import ScalarType
from ...launch.arrays.arrays import dtype_names
from ...process import forks
from .arrays import new_array

MAX_BYTES = 64 * 1024 * 1024
"""Bytes that are kept at most."""

_lock = forks.lock()
_free_arrays: list[tuple[Any, Any]] = []
"""Arrays that no call uses, behind what they are for; the oldest comes first."""


@contextmanager
def arrays_between(like: Any, shapes: Sequence[tuple[int, ...]], element: ScalarType) -> Iterator[list[Any]]:
    """Arrays where another one is, each with modes from the innermost on; what is in them does not matter."""
    queue = getattr(like, "sycl_queue", None)
    keys = [(element, shape, queue) for shape in shapes]
    arrays = [_taken(key, like) for key in keys]
    yield arrays
    for key, array in zip(keys, arrays):  # not behind an error: a kernel may still be running
        _keep(key, array)


def _taken(key: Any, like: Any) -> Any:
    element, shape, _ = key
    with _lock:
        position = next((position for position, (own, _) in enumerate(_free_arrays) if own == key), None)
        if position is not None:
            return _free_arrays.pop(position)[1]
    return new_array(like, shape, dtype_names(element)[0], "F")


def _keep(key: Any, array: Any) -> None:
    if array.nbytes > MAX_BYTES:
        return
    with _lock:
        _free_arrays.append((key, array))
        while sum(array.nbytes for _, array in _free_arrays) > MAX_BYTES:
            _free_arrays.pop(0)


def _forget() -> None:
    """A child of a fork has no devices whose memory it could use."""
    _free_arrays.clear()


forks.in_child(_forget)
