"""How many work-items a work-group has, how many execute it, and whether all are launched at once."""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.values import Function
from ..ir.verifier import STRATEGY, what_looks_at_subgroups
from ..ops.launch_defaults import IN_PARTS, NO_LOCK_STEP, REASON, subgroup_size, work_group_shape
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
    """Chooses between one work-item for a whole work-group and as many as the work-group has, and says why.

    On a processor one work-item with vector code is faster and needs no barriers; it is right as long as no
    instruction looks at sub-groups, which SPMD instructions do. A function that has one of these is executed by many
    work-items; others by what they name in the attribute "strategy", or else by what the option says. Where the
    work-items of a sub-group need not go in `lock_step`, as they do on processors, it is told so.
    """

    name = "execution-strategy"
    many_items: bool = False
    lock_step: bool = True

    def run(self, function: Function) -> None:
        attributes = function.attributes
        if REASON in attributes:  # chosen before
            return
        looks = what_looks_at_subgroups(function)
        if looks is not None:
            attributes[STRATEGY], attributes[REASON] = "many-items", f"{looks} looks at sub-groups"
            if not self.lock_step:
                attributes[NO_LOCK_STEP] = True
        elif STRATEGY in attributes:
            attributes[REASON] = "the function names it"
        else:
            attributes[STRATEGY] = "many-items" if self.many_items else "one-item"
            attributes[REASON] = "the launch or its device asks for it"


@register
@dataclass(frozen=True)
class LaunchInParts(Pass):
    """Marks a function for launches of more work-groups than a device takes at once.

    It is launched several times then, and told each time with which work-group it begins, and how many there are.
    """

    name = "launch-in-parts"

    def run(self, function: Function) -> None:
        function.attributes[IN_PARTS] = True
