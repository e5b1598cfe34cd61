"""Which backends there are: pytl's own, and those of installed packages. None is imported before it is needed.

A package offers a backend by an entry point of the group `pytl.backends`, which names a subclass of
`pytl.backends.base.Backend`:

    [project.entry-points."pytl.backends"]
    toy = "toy_package.backend:ToyBackend"
"""

from __future__ import annotations

import importlib

from ..process.extensions import Registry
from .base import UNKNOWN_BACKEND, Backend

_REGISTRY: Registry[Backend] = Registry(
    "backend",
    Backend,  # type: ignore[type-abstract]
    "pytl.backends",
    {
        "sycl": "pytl.backends.numba_dpex.backend:SyclBackend",
        "reference": "pytl.backends.reference.backend:ReferenceBackend",
        "mlir": "pytl.backends.mlir.backend:MlirBackend",
        "arm_sme": "pytl.backends.arm_sme.backend:ArmSmeBackend",
        "opencl": "pytl.backends.opencl.backend:OpenClBackend",
        "xegpu": "pytl.backends.xegpu.backend:XeGpuBackend",
    },
    UNKNOWN_BACKEND,
)
# emit targets are backends that may have a name of their own
_ALIASES = {"numba_dpex": "sycl"}


def backend_names() -> list[str]:
    """The names of all backends, pytl's own first."""
    return [name for name in _REGISTRY.names() if name not in _ALIASES]


def import_backends() -> None:
    """Import every backend of pytl's, so that its rules are registered. What launches need is not imported."""
    for name in _REGISTRY.own:
        for module in find_backend(name).on_demand:
            importlib.import_module(f"{__package__}.{module}")


def find_backend(name: str) -> Backend:
    """The backend of this name; `numba_dpex` is the one that emits for `sycl`."""
    return _REGISTRY.find(_ALIASES.get(name, name) if isinstance(name, str) else repr(name))
