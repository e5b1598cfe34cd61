"""subgroup-points: points of a `foreach` that many work-items execute, as code of the work-items of sub-groups.

What is emitted for a `foreach` finds a work-item's points one by one. Here they are written line by line, several for a
work-item in an iteration, and loops along contiguous numbers are shared by the work-items of a sub-group.
"""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.values import Function, Region
from ..ops import Foreach, Parallel
from ..ops.launch_defaults import NO_LOCK_STEP, subgroup_count, subgroup_size
from ..process.records import dataclass
from .manager import Pass, register
from .targets import vector
from .targets.spmd import DEVICES, SpmdDevice
from .targets.strategies import STRATEGY
from .targets.subgroup_forms import has_lines, has_sums_along, points_at_once
from .vectors import subgroup_points


@register
@dataclass(frozen=True)
class SubgroupPoints(Pass):
    """Makes a `parallel` with code of work-items of each `foreach` whose work-items load contiguous numbers so."""

    name = "subgroup-points"
    of_called = True
    device: SpmdDevice = DEVICES["gpu"]

    def run(self, function: Function) -> None:
        if function.attributes.get(STRATEGY) != "many-items":
            return
        size, count = subgroup_size(function), subgroup_count(function)
        if self._replace(function.body, size, count) and not self.device.is_processor:
            function.attributes[NO_LOCK_STEP] = True  # their work-items need not go in lock step

    def _replace(self, region: Region, size: int, count: int) -> bool:
        """Replace what has such code; whether there was any."""
        has_any = False
        operations: list[Operation] = []
        for op in region.operations:
            code = self._written(op, size, count) if isinstance(op, Foreach) else None
            if code is not None:
                has_any = True
                operations.append(Parallel(op.location, body=Region("spmd", operations=[code], location=op.location)))
                continue
            if not isinstance(op, (Foreach, Parallel)):
                for inner in op.regions:
                    has_any = self._replace(inner, size, count) or has_any
            operations.append(op)
        region.operations = operations
        return has_any

    def _written(self, op: Foreach, size: int, count: int) -> vector.WorkItems | None:
        if has_sums_along(op):
            return subgroup_points.one_at_a_time(op, size, count)
        several = not self.device.is_processor
        if has_lines(op, size, several):
            return subgroup_points.in_lines(op, size, count, points_at_once(op), several)
        return None
