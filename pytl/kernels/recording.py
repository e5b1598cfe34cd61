"""Which kernels are made while something runs: an import of the command line's, for instance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Kernel = TypeVar("Kernel")

_recorders: list[list[Any]] = []


@contextmanager
def recorded() -> Iterator[list[Any]]:
    """The kernels that are made of functions and of text inside of the block, in order."""
    made: list[Any] = []
    _recorders.append(made)
    try:
        yield made
    finally:
        _recorders.remove(made)


def note(kernel: Kernel) -> Kernel:
    """Add a kernel to all open recordings."""
    for made in _recorders:
        made.append(kernel)
    return kernel
