"""work-group-size: how many work-items a work-group has."""

from __future__ import annotations

from ..ir.values import Function
from ..ops.launch_defaults import subgroup_size, work_group_shape
from ..process.records import dataclass
from .manager import Pass, register


@register
@dataclass(frozen=True)
class WorkGroupSize(Pass):
    """Writes the sub-group and work-group size on functions that leave them to the compiler."""

    name = "work-group-size"

    def run(self, function: Function) -> None:
        size, shape = subgroup_size(function), work_group_shape(function)
        function.attributes.setdefault("subgroup_size", size)
        function.attributes.setdefault("work_group_size", list(shape))
