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
    kernels: list[Any] = []
    _recorders.append(kernels)
    try:
        yield kernels
    finally:
        _recorders.remove(kernels)


def note(kernel: Kernel) -> Kernel:
    """Add a kernel to all open recordings."""
    for kernels in _recorders:
        kernels.append(kernel)
    return kernel
