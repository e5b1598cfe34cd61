"""Launches: arguments, caches, devices and the SYCL run time.

What a kernel needs of it is imported at its first use: `runtime.launch`, for one.
"""

from ..on_demand import TYPE_CHECKING, on_demand

if TYPE_CHECKING:
    from . import (
        aliasing,
        bounds,
        call_shape,
        dpex,
        grids,
        launch,
        optional,
        parameters,
        plans,
        specialization,
        symbols,
        tuned,
    )

__all__ = [
    "aliasing",
    "bounds",
    "call_shape",
    "dpex",
    "grids",
    "launch",
    "optional",
    "parameters",
    "plans",
    "specialization",
    "symbols",
    "tuned",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(__name__)
