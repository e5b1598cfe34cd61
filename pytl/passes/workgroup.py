"""work-group-size and execution-strategy: how many work-items a work-group has, and how many execute it."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.values import Function
from ..ops.launch_defaults import STRATEGY, subgroup_size, work_group_shape
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


@register
@dataclass(frozen=True)
class ExecutionStrategy(Pass):
    """Chooses between one work-item for a whole work-group and as many as the work-group has.

    On a processor one work-item with vector code is faster and needs no barriers; it is right as long as no
    instruction looks at sub-groups, which SPMD instructions do. A function that has one of these is executed by many
    work-items, whatever the option and the function say; others keep the strategy that they name.
    """

    name = "execution-strategy"
    many_items: bool = False

    def run(self, function: Function) -> None:
        if any(op.kind == "spmd" for op in function.walk()):
            function.attributes[STRATEGY] = "many-items"
        else:
            function.attributes.setdefault(STRATEGY, "many-items" if self.many_items else "one-item")
