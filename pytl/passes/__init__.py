"""Passes: the manager, and one module per pass, which is imported at the first use of the pass.

A process that finds its kernels in the cache runs none of them.
"""

from typing import TYPE_CHECKING, Any

from .manager import NAMES, Pass, Pipeline, class_name, find_pass, import_passes, module_of, pass_names

if TYPE_CHECKING:  # one line per pass of NAMES, for type checkers
    from .amx_products import AmxProducts as AmxProducts
    from .atomic_updates import AtomicUpdates as AtomicUpdates
    from .canonicalize import Canonicalize as Canonicalize
    from .cpu_items import CpuItems as CpuItems
    from .cpu_kernels import CpuKernels as CpuKernels
    from .cpu_schedule import CpuSchedule as CpuSchedule
    from .cpu_tiles import CpuTiles as CpuTiles
    from .dense_blocks import DenseBlocks as DenseBlocks
    from .divide_rows import DivideRows as DivideRows
    from .execution_strategy import ExecutionStrategy as ExecutionStrategy
    from .fuse_rows import FuseRows as FuseRows
    from .independent_loops import IndependentLoops as IndependentLoops
    from .inline_calls import InlineCalls as InlineCalls
    from .insert_barrier import InsertBarrier as InsertBarrier
    from .insert_checks import InsertChecks as InsertChecks
    from .insert_lifetime_stop import InsertLifetimeStop as InsertLifetimeStop
    from .interior_points import InteriorPoints as InteriorPoints
    from .item_lanes import ItemLanes as ItemLanes
    from .launch_in_parts import LaunchInParts as LaunchInParts
    from .longer_products import LongerProducts as LongerProducts
    from .loop_over_gemm import LoopOverGemm as LoopOverGemm
    from .lower_collectives import LowerCollectives as LowerCollectives
    from .lower_coopmatrix import LowerCoopmatrix as LowerCoopmatrix
    from .lower_foreach_tile import LowerForeachTile as LowerForeachTile
    from .lower_tiles import LowerTiles as LowerTiles
    from .raise_loops import RaiseLoops as RaiseLoops
    from .raise_products import RaiseProducts as RaiseProducts
    from .sme_products import SmeProducts as SmeProducts
    from .specialize import Specialize as Specialize
    from .stack_layout import StackLayout as StackLayout
    from .subgroup_blocks import SubgroupBlocks as SubgroupBlocks
    from .subgroup_points import SubgroupPoints as SubgroupPoints
    from .vectorize import Vectorize as Vectorize
    from .work_group_size import WorkGroupSize as WorkGroupSize
    from .work_item_loops import WorkItemLoops as WorkItemLoops

_CLASSES = {class_name(name): name for name in NAMES}


def __getattr__(name: str) -> Any:
    if name not in _CLASSES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(module_of(_CLASSES[name]), name)


__all__ = [*_CLASSES, "Pass", "Pipeline", "find_pass", "import_passes", "pass_names"]
