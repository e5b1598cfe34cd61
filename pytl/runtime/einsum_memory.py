"""Memory for what lies between the launches of `pytl.einsum`; some of it is kept for the next call.

New memory costs more than a small contraction: the system gives it page by page, and each page is filled with zeros.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .. import forks
from ..ir.types import ScalarType
from .einsum_arrays import new_in_order

MOST_BYTES = 64 * 1024 * 1024
"""Bytes that are kept at most."""

_lock = forks.lock()
_kept: OrderedDict[int, tuple[Any, Any]] = OrderedDict()
"""Arrays that no call uses, with what they are for, by their numbers; the oldest comes first."""
_number = 0


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
        number = next((number for number, (own, _) in _kept.items() if own == key), None)
        if number is not None:
            return _kept.pop(number)[1]
    return new_in_order(like, shape, element)


def _keep(key: Any, array: Any) -> None:
    global _number
    if array.nbytes > MOST_BYTES:
        return
    with _lock:
        _number += 1
        _kept[_number] = key, array
        while sum(array.nbytes for _, array in _kept.values()) > MOST_BYTES:
            _kept.popitem(last=False)


def _forget() -> None:
    """A child of a fork has no devices whose memory it could use."""
    _kept.clear()


forks.in_child(_forget)
