"""Who uses a value, and what memory a memref value refers to."""

from __future__ import annotations

from collections.abc import Callable

from ..ir.operation import Operation
from ..ir.types import GroupType, MemrefType
from ..ir.values import Function, Region, Value
from ..ops import Load


def count_uses(function: Function) -> dict[Value, int]:
    """How often each value is used in the function."""
    counts: dict[Value, int] = {}
    for op in function.walk():
        for value in op.operands:
            counts[value] = counts.get(value, 0) + 1
    return counts


def replace_uses(region: Region, replacements: dict[Value, Value]) -> None:
    """Use the replacement of each value everywhere in the region; replacements may be replaced themselves."""
    if not replacements:
        return
    change = _final(replacements)
    for op in region.walk():
        op.replace_operands(change)


def _final(replacements: dict[Value, Value]) -> Callable[[Value], Value]:
    def change(value: Value) -> Value:
        while value in replacements:
            value = replacements[value]
        return value

    return change


def root_of(value: Value) -> Value:
    """The alloca, parameter or group that a memref value is a view on."""
    while value.owner is not None:
        if value.owner.view_of is not None:
            value = getattr(value.owner, value.owner.view_of)
        elif isinstance(value.owner, Load) and isinstance(value.owner.tensor.type, GroupType):
            return value.owner.tensor
        else:
            break
    return value


def memrefs_used(op: Operation) -> list[Value]:
    """The memref values that an instruction, or what it contains, uses."""
    inner = [used for region in op.regions for inside in region.walk() for used in inside.operands]
    return [value for value in (*op.operands, *inner) if isinstance(value.type, MemrefType)]
