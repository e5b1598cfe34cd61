"""Passes: the manager, and one module per pass. Importing this package registers all of them."""

from .barrier import InsertBarrier
from .canonicalize import Canonicalize
from .checks import InsertChecks
from .collectives import LowerCollectives
from .coopmatrix import LowerCoopmatrix
from .cut import CpuTiles
from .items import CpuItems
from .kernels import CpuKernels
from .lifetime import InsertLifetimeStop
from .manager import Pass, Pipeline, find_pass, pass_names
from .specialize import Specialize
from .stack import StackLayout
from .work_items import WorkItemLoops
from .workgroup import ExecutionStrategy, LaunchInParts, WorkGroupSize

# The layout comes before the barriers: allocas that share memory depend on each other.
LOWERING: tuple[Pass, ...] = (
    Canonicalize(),
    InsertLifetimeStop(),
    StackLayout(),
    InsertBarrier(),
    WorkGroupSize(),
)
"""What every compiling backend starts with."""

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
