"""What concerns the work-group as a whole (manual: Barrier, Builtin (mixed))."""

from __future__ import annotations

from typing import Any

from ..ir.constraints import INTEGER
from ..ir.fields import Flag, Result, Variant
from ..ir.operation import Operation
from ..ir.registry import instruction
from ..ir.types import Type, i32, index
from .result_types import builtin_type_check

BUILTINS: dict[str, tuple[Type, str]] = {
    "group_id": (index, "the group id, from 0 to the group size - 1"),
    "group_size": (index, "the number of work-groups"),
    "num_subgroups": (i32, "the number of sub-groups of a work-group"),
    "subgroup_size": (i32, "the number of work-items of a sub-group"),
}


@instruction
class Barrier(Operation):
    """No work-item of the work-group continues until all of them have reached it. The flags add memory fences."""

    mnemonic = "barrier"
    section = "Barrier"
    global_fence: Any = Flag("global memory accesses become visible to the work-group", word="global")
    local_fence: Any = Flag("local memory accesses become visible to the work-group", word="local")


@instruction
class Builtin(Operation):
    """What a work-group knows of its launch."""

    mnemonic = "builtin"
    aliases = tuple(BUILTINS)
    section = "Builtin (mixed)"
    variant: Any = Variant({name: meaning for name, (_, meaning) in BUILTINS.items()})
    result: Any = Result(INTEGER)
    assembly = "` : ` $result"
    rules = (builtin_type_check("PYTL-0460", section),)
    pure = True

    def infer_result_types(self) -> list[Type]:
        return [BUILTINS[self.variant][0]]


ALONG = {"y": "along y", "z": "along z"}
"""The dimensions of work-groups that the manual has not; those along x are `builtin.group_id` and `group_size`."""


PLACE_TYPE = "places and numbers of work-groups are index"


@instruction
class GroupId(Operation):
    """The place of the work-group along y or z, from 0 on. `builtin.group_id` is that along x."""

    mnemonic = "v04.group_id"
    section = "Group id"
    variant: Any = Variant(ALONG)
    result: Any = Result(INTEGER)
    assembly = "` : ` $result"
    rules = (builtin_type_check("PYTL-0685", section, PLACE_TYPE),)
    pure = True

    def infer_result_types(self) -> list[Type]:
        return [index]


@instruction
class NumGroups(Operation):
    """The number of work-groups along y or z. `builtin.group_size` is that along x."""

    mnemonic = "v04.num_groups"
    section = "Number of groups"
    variant: Any = Variant(ALONG)
    result: Any = Result(INTEGER)
    assembly = "` : ` $result"
    rules = (builtin_type_check("PYTL-0686", section, PLACE_TYPE),)
    pure = True

    def infer_result_types(self) -> list[Type]:
        return [index]
