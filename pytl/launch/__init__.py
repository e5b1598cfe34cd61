"""The way of a launch, from a call to a backend: one module per step, composed in `pipeline.py`.

What a kernel needs of it is imported at its first use: `launch.configuration`, for one.
"""

from ..process.on_demand import TYPE_CHECKING, on_demand

if TYPE_CHECKING:
    from . import configuration, dpex

__all__ = ["configuration", "dpex"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = on_demand(__name__)
