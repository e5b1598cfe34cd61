"""The way of a launch, from a call to a backend: one module per step.

What a kernel needs of it is imported at its first use: `launch.grids`, for one.
"""

from ..process.on_demand import TYPE_CHECKING, on_demand

if TYPE_CHECKING:
    from . import (
        aliasing,
        bounds,
        call_shape,
        dpex,
        grids,
        launch,
        optional,
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
    "plans",
    "specialization",
    "symbols",
    "tuned",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(__name__)
