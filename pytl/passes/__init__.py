"""Passes: the manager, and one module per pass, which is imported at the first use of the pass.

A process that finds its kernels in the cache runs none of them.
"""

from typing import TYPE_CHECKING, Any

from .manager import NAMES, Pass, Pipeline, class_name, find_pass, import_passes, module_of, pass_names

if TYPE_CHECKING:
    from .canonicalize import Canonicalize
    from .cpu_items import CpuItems
    from .cpu_kernels import CpuKernels
    from .cpu_schedule import CpuSchedule
    from .cpu_tiles import CpuTiles
    from .execution_strategy import ExecutionStrategy
    from .inline_calls import InlineCalls
    from .insert_barrier import InsertBarrier
    from .insert_checks import InsertChecks
    from .insert_lifetime_stop import InsertLifetimeStop
    from .launch_in_parts import LaunchInParts
    from .loop_over_gemm import LoopOverGemm
    from .lower_collectives import LowerCollectives
    from .lower_coopmatrix import LowerCoopmatrix
    from .lower_foreach_tile import LowerForeachTile
    from .lower_tiles import LowerTiles
    from .raise_loops import RaiseLoops
    from .raise_products import RaiseProducts
    from .specialize import Specialize
    from .stack_layout import StackLayout
    from .work_group_size import WorkGroupSize
    from .work_item_loops import WorkItemLoops

_CLASSES = {class_name(name): name for name in NAMES}


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(module_of(_CLASSES[name]), name)


__all__ = [
    "Canonicalize",
    "CpuItems",
    "CpuKernels",
    "CpuSchedule",
    "CpuTiles",
    "ExecutionStrategy",
    "InlineCalls",
    "InsertBarrier",
    "InsertChecks",
    "InsertLifetimeStop",
    "LaunchInParts",
    "LoopOverGemm",
    "LowerCollectives",
    "LowerCoopmatrix",
    "LowerForeachTile",
    "LowerTiles",
    "Pass",
    "Pipeline",
    "RaiseLoops",
    "RaiseProducts",
    "Specialize",
    "StackLayout",
    "WorkGroupSize",
    "WorkItemLoops",
    "find_pass",
    "import_passes",
    "pass_names",
]
