"""Which backends there are: pytl's own, and those of installed packages. None is imported before it is needed.

A package offers a backend by an entry point of the group `pytl.backends`, which names a subclass of
`pytl.backends.base.Backend`:

    [project.entry-points."pytl.backends"]
    toy = "toy_package.backend:ToyBackend"
"""

from __future__ import annotations

import importlib
from typing import Any

from ..diagnostics import PlatformError
from ..interrupts import uninterrupted
from .base import UNKNOWN_BACKEND, Backend

GROUP = "pytl.backends"
# name: module and class; emit targets are backends that may have a name of their own
_BACKENDS = {
    "sycl": ("numba_dpex.backend", "SyclBackend"),
    "reference": ("reference.backend", "ReferenceBackend"),
    "mlir": ("mlir.backend", "MlirBackend"),
    "arm_sme": ("arm_sme.backend", "ArmSmeBackend"),
}
_ALIASES = {"numba_dpex": "sycl"}
_instances: dict[str, Backend] = {}


def backend_names() -> list[str]:
    """The names of all backends, pytl's own first."""
    return [*_BACKENDS, *sorted(_offered().keys() - _BACKENDS.keys() - _ALIASES.keys())]


def import_backends() -> None:
    """Import every backend of pytl's, so that its rules are registered. What launches need is not imported."""
    for name in _BACKENDS:
        for module in find_backend(name).on_demand:
            importlib.import_module(f"{__package__}.{module}")


def find_backend(name: str) -> Backend:
    """The backend of this name; `numba_dpex` is the one that emits for `sycl`."""
    name = _ALIASES.get(name, name) if isinstance(name, str) else repr(name)
    if name not in _instances:
        with uninterrupted():
            made = _own(name) if name in _BACKENDS else _others(name)
        _instances.setdefault(name, made)  # another thread may have been first
    return _instances[name]


def _own(name: str) -> Backend:
    module, cls = _BACKENDS[name]
    made: Backend = getattr(importlib.import_module(f"{__package__}.{module}"), cls)()
    return made


def _others(name: str) -> Backend:
    """The backend of an installed package."""
    entry = _offered().get(name)
    if entry is None:
        known = ", ".join(backend_names())
        raise PlatformError.single(UNKNOWN_BACKEND, f"there is no backend `{name}`", help=f"the backends are {known}")
    try:
        cls = entry.load()
        if not (isinstance(cls, type) and issubclass(cls, Backend)):
            raise TypeError(f"{entry.value} is no subclass of pytl.backends.base.Backend")
        return cls()
    except Exception as error:  # whatever a package's code raises
        reason = f"{type(error).__name__}: {error}".partition("\n")[0]
        raise PlatformError.single(
            UNKNOWN_BACKEND,
            f"the backend `{name}` cannot be made: {reason}",
            help=f"it is {entry.value} of an installed package, by its entry point `{GROUP}`",
        ) from error


def _offered() -> dict[str, Any]:
    """The entry points of installed packages, by their names. Reading them takes tens of milliseconds."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in entry_points(group=GROUP)}
