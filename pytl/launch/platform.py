"""Which backend launches where a launch names none."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from ..backends.base import Backend
from ..backends.registry import find_backend
from ..devices.compilers import can_launch, installed_compiler, required_compiler
from ..diagnostics.errors import is_on_the_way
from ..process.settings import BACKEND


@contextmanager
def use(backend: str) -> Iterator[None]:
    """Launch on this backend inside the block where none is named: `with pytl.use("reference"):`."""
    find_backend(backend)
    with BACKEND.scope(backend):
        yield


def default_backend() -> str:
    """The backend of launches that name none."""
    return BACKEND.get() or _platform_backend()


def backend_of(name: str | None, preferred: str | None = None) -> Backend:
    """The backend of a launch: the one that it names, that of the settings, the kernel's, or the platform's."""
    return find_backend(name or BACKEND.get() or preferred or _platform_backend())


@cache
def _platform_backend() -> str:
    """SYCL where it is installed, else MLIR's tools, else the reference backend, with a warning."""
    if can_launch():
        return "sycl"
    if find_backend("mlir").unavailable() is None:
        return "mlir"
    first, *_ = [*(installed_compiler() or required_compiler()).missing(), "dpctl"]
    warnings.warn(
        f"{first} is not installed here, nor are MLIR's tools, so kernels run on the reference backend, which is slow; "
        "`pytl devices` says what would install it",
        stacklevel=_frames_of_pytl(),
    )
    return "reference"


def _frames_of_pytl() -> int:
    """The `stacklevel` at which a warning of this module is about the user's line."""
    frame, level = sys._getframe(1), 1
    while frame is not None and is_on_the_way(frame.f_code.co_filename):
        frame, level = frame.f_back, level + 1  # type: ignore[assignment]
    return level
