"""Attributes as both forms of a text have them: lists under either name, groups of operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....mlir.text import Operation
from ....mlir.text.tree import DYNAMIC


def sizes(op: Operation, name: str) -> tuple[int, ...]:
    """A list of numbers: `static_offsets` of the generic form, which others call `offsets`, maybe."""
    value = op.attributes.get(f"static_{name}", op.attributes.get(name, ()))
    if not isinstance(value, tuple) or not all(type(each) is int for each in value):
        raise ValueError(f"{name} is no list of numbers")
    return value


def mixed(numbers: Sequence[int], operands: list[Any]) -> list[Any]:
    """Numbers, with operands in the place of those that are not known, which are taken away."""
    return [operands.pop(0) if number == DYNAMIC else number for number in numbers]


def segments(op: Operation, operands: list[Any], count: int) -> list[list[Any]]:
    """The groups of operands, of which the first are one each where the operation does not say."""
    counts = op.attributes.get("operandSegmentSizes")
    if counts is None:
        return [[each] for each in operands[: count - 1]] + [operands[count - 1 :]]
    if len(counts) != count or sum(counts) != len(operands):
        raise ValueError("operandSegmentSizes does not fit the operands")
    groups, at = [], 0
    for size in counts:
        groups.append(operands[at : at + size])
        at += size
    return groups
