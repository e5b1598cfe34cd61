"""Which kernels are made while something runs: an import of the command line's, for instance."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .kernel import Kernel

K = TypeVar("K", bound="Kernel")

_recorders: list[list[Kernel]] = []


@contextmanager
def recorded() -> Iterator[list[Kernel]]:
    """The kernels that are made of functions and of text inside of the block, in order."""
    made: list[Kernel] = []
    _recorders.append(made)
    try:
        yield made
    finally:
        _recorders.remove(made)


def note(kernel: K) -> K:
    """Add a kernel to all open recordings."""
    for made in _recorders:
        made.append(kernel)
    return kernel
