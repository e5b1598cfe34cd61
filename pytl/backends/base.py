"""The interface between the run time and the backends, and the registry that backends are reached through.

A launch is: the run time checks the user's arguments and describes them in the neutral terms below; the backend
executes the function with them. Nothing here imports a backend before it is asked for.
"""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ..diagnostics import PlatformError, Rule
from ..ir.values import Function

UNKNOWN_BACKEND = Rule("PYTL-3011", "a backend is one that pytl has", "Backends")
UNKNOWN_OPTION = Rule("PYTL-3012", "an option of a launch is one that the backend has", "Backends")
UNAVAILABLE = Rule("PYTL-3013", "what a backend needs is installed", "Backends")


@dataclass(frozen=True)
class ArrayView:
    """Memory that an argument refers to: the first element's address, and shape and strides in elements.

    `array` is the user's own array (NumPy's or dpctl's) and keeps the memory alive; `queue` is its SYCL queue, None
    for memory of the host.
    """

    array: Any
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    item_size: int
    queue: Any = None

    @property
    def span(self) -> int:
        """Elements from the first to the last, 0 where the view is empty."""
        if 0 in self.shape:
            return 0
        return 1 + sum((n - 1) * s for n, s in zip(self.shape, self.strides))


@dataclass(frozen=True)
class MemrefArgument:
    """What a memref parameter is bound to. Shape and strides are those of the kernel's view."""

    view: ArrayView
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    written: bool


@dataclass(frozen=True)
class GroupArgument:
    """What a group parameter is bound to: the memory of its items and the place of each.

    Item `i` begins `starts[i]` bytes behind the first element of `views[i]`, or of `views[0]` where all items lie in
    one array (`strided`). `shapes` and `strides` have a row an item, or a single row where all are equal.
    """

    views: Sequence[ArrayView]
    strided: bool
    count: int
    step: int
    """Bytes between items of a strided group."""
    offset: int
    """In elements, added to each pointer."""
    shapes: Sequence[tuple[int, ...]]
    strides: Sequence[tuple[int, ...]]
    written: bool

    def shape_of(self, item: int) -> tuple[int, ...]:
        return self.shapes[item if len(self.shapes) > 1 else 0]

    def strides_of(self, item: int) -> tuple[int, ...]:
        return self.strides[item if len(self.strides) > 1 else 0]


Argument = bool | int | float | complex | MemrefArgument | GroupArgument


class Backend(ABC):
    """Executes functions. One instance serves all launches."""

    name: ClassVar[str]
    options: ClassVar[Mapping[str, str]] = {}
    """The options that a launch may give, with their meaning."""
    asynchronous: ClassVar[bool] = False
    """Whether `submit` may return before the kernel has ended."""

    @abstractmethod
    def launch(
        self,
        function: Function,
        arguments: Sequence[Argument],
        groups: int,
        options: Mapping[str, Any],
        queue: Any = None,
        depends: Sequence[Any] = (),
    ) -> Any:
        """Execute the function's work-groups; returns an event, or None when they have ended."""

    def emit(self, function: Function, options: Mapping[str, Any]) -> str:
        """The source that the backend generates."""
        raise PlatformError.single(UNKNOWN_BACKEND, f"the backend {self.name} generates no source")

    def stages(self, options: Mapping[str, Any]) -> Sequence[Any]:
        """The passes that the backend runs on a function, for `Kernel.ir(stage=…)`."""
        return ()

    def available(self) -> tuple[str, str] | None:
        """None where the backend can launch; else what is missing, and the command that installs it."""
        return None

    def check_options(self, options: Mapping[str, Any]) -> None:
        for name in options:
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise PlatformError.single(
                    UNKNOWN_OPTION, f"the backend {self.name} has no option `{name}`", help=f"its options are: {known}"
                )


# name: module and class; emit targets are backends that may have a name of their own
_BACKENDS = {
    "sycl": ("numba_dpex.backend", "SyclBackend"),
    "reference": ("reference.backend", "ReferenceBackend"),
}
_ALIASES = {"numba_dpex": "sycl"}
_instances: dict[str, Backend] = {}


def backend_names() -> list[str]:
    return list(_BACKENDS)


def find_backend(name: str) -> Backend:
    """The backend of this name; `numba_dpex` is what emits for `sycl`."""
    name = _ALIASES.get(name, name)
    if name not in _BACKENDS:
        known = ", ".join(_BACKENDS)
        raise PlatformError.single(UNKNOWN_BACKEND, f"there is no backend `{name}`", help=f"the backends are {known}")
    if name not in _instances:
        module, cls = _BACKENDS[name]
        _instances[name] = getattr(importlib.import_module(f"{__package__}.{module}"), cls)()
    return _instances[name]
