"""Who uses a value, and what memrefs an instruction touches."""

from __future__ import annotations

from collections.abc import Callable

from ..ir.operation import Operation
from ..ir.types import MemrefType
from ..ir.values import Function, Region, Value


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


def memrefs_used(op: Operation) -> list[Value]:
    """The memref values that an instruction, or what it contains, uses."""
    inner = [used for region in op.regions for inside in region.walk() for used in inside.operands]
    return [value for value in (*op.operands, *inner) if isinstance(value.type, MemrefType)]
