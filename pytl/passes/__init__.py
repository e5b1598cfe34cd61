"""Passes: the manager, and one module per pass, which is imported at the first use of the pass.

A process that finds its kernels in the cache runs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .manager import MODULES, Pass, Pipeline, find_pass, pass_names

if TYPE_CHECKING:
    from .barrier import InsertBarrier
    from .canonicalize import Canonicalize
    from .checks import InsertChecks
    from .collectives import LowerCollectives
    from .coopmatrix import LowerCoopmatrix
    from .cut import CpuTiles
    from .items import CpuItems
    from .kernels import CpuKernels
    from .lifetime import InsertLifetimeStop
    from .specialize import Specialize
    from .stack import StackLayout
    from .work_items import WorkItemLoops
    from .workgroup import ExecutionStrategy, LaunchInParts, WorkGroupSize

    LOWERING: tuple[Pass, ...]


def __getattr__(name: str) -> Any:
    if name == "LOWERING":
        return _lowering()
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{MODULES[name]}", __name__), name)


def _lowering() -> tuple[Pass, ...]:
    """What every compiling backend starts with."""
    from .barrier import InsertBarrier
    from .canonicalize import Canonicalize
    from .lifetime import InsertLifetimeStop
    from .stack import StackLayout
    from .workgroup import WorkGroupSize

    # The layout comes before the barriers: allocas that share memory depend on each other.
    return (Canonicalize(), InsertLifetimeStop(), StackLayout(), InsertBarrier(), WorkGroupSize())


__all__ = [
    "LOWERING",
    "Canonicalize",
    "CpuItems",
    "CpuKernels",
    "CpuTiles",
    "ExecutionStrategy",
    "InsertBarrier",
    "InsertChecks",
    "InsertLifetimeStop",
    "LaunchInParts",
    "LowerCollectives",
    "LowerCoopmatrix",
    "Pass",
    "Pipeline",
    "Specialize",
    "StackLayout",
    "WorkGroupSize",
    "WorkItemLoops",
    "find_pass",
    "pass_names",
]
