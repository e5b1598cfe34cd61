"""What the work-items of a sub-group do together (manual: Builtin (SPMD), Subgroup broadcast to operation)."""

from __future__ import annotations

from typing import Any

from ..ir.constraints import I32, INTEGER, SCALAR
from ..ir.fields import Operand, Result, Variant
from ..ir.meanings import Meanings
from ..ir.operation import Operation
from ..ir.registry import instruction
from ..ir.types import Type, i32
from .result_types import builtin_type_check, order_of_numbers_check, result_type_check

SUBGROUP_BUILTINS = {
    "subgroup_id": "the number of the work-item's sub-group, from 0 to num_subgroups - 1",
    "subgroup_local_id": "the number of the work-item in its sub-group, from 0 to subgroup_size - 1",
}
_TELLS_APART: Meanings[str, bool] = Meanings("builtin", {"subgroup_id": False, "subgroup_local_id": True})
OPERATIONS = {
    "exclusive_scan": "what the work-items before this one give together; the identity for the first",
    "inclusive_scan": "what this work-item and those before it give together",
    "reduce": "what all work-items of the sub-group give together",
}


@instruction
class SubgroupBuiltin(Operation):
    """What a work-item knows of its place in the work-group."""

    mnemonic = "builtin"
    aliases = tuple(SUBGROUP_BUILTINS)
    kind = "spmd"
    section = "Builtin (SPMD)"
    variant: Any = Variant(SUBGROUP_BUILTINS)
    result: Any = Result(INTEGER)
    assembly = "` : ` $result"
    rules = (builtin_type_check("PYTL-0500", section),)
    pure = True

    @property
    def depends_on_lane(self) -> bool:
        return _TELLS_APART[self.variant]

    def infer_result_types(self) -> list[Type]:
        return [i32]


@instruction
class SubgroupBroadcast(Operation):
    """Gives every work-item of the sub-group the value of one of them.

    All work-items name the same one: `local_id` is dynamically uniform.
    """

    mnemonic = "subgroup_broadcast"
    kind = "spmd"
    section = "Subgroup broadcast"
    a: Any = Operand(SCALAR, "the value that is given to all")
    local_id: Any = Operand(I32, "the work-item whose value it is, by its number in the sub-group")
    result: Any = Result(SCALAR, like="a")
    assembly = "` ` $a `, ` $local_id ` : ` $result"
    rules = (result_type_check("PYTL-0550", section, "the result has the type of the value"),)
    pure = True


class SubgroupOperation(Operation):
    """An operation over the values of a sub-group, `reduce` or as a scan in the order of the local ids."""

    kind = "spmd"
    variant: Any = Variant(OPERATIONS)
    a: Any = Operand(SCALAR, "what the work-item contributes")
    result: Any = Result(SCALAR, like="a")
    assembly = "` ` $a ` : ` $result"
    pure = True


@instruction
class SubgroupAdd(SubgroupOperation):
    """The sum over the work-items of a sub-group; its identity is 0."""

    mnemonic = "subgroup_add"
    section = "Subgroup add"
    rules = (result_type_check("PYTL-0560", section),)


@instruction
class SubgroupMax(SubgroupOperation):
    """The maximum over the work-items of a sub-group; its identity is the least integer, or -∞."""

    mnemonic = "subgroup_max"
    section = "Subgroup max"
    rules = (result_type_check("PYTL-0561", section), order_of_numbers_check("PYTL-0562", section))


@instruction
class SubgroupMin(SubgroupOperation):
    """The minimum over the work-items of a sub-group; its identity is the largest integer, or +∞."""

    mnemonic = "subgroup_min"
    section = "Subgroup min"
    rules = (result_type_check("PYTL-0563", section), order_of_numbers_check("PYTL-0564", section))
