"""Attributes as both forms of a text have them: words by their names or numbers, lists under either name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....mlir.text import Operation
from ....mlir.text.tree import DYNAMIC, Raw

KINDS = (
    *("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu"),
    *("minimumf", "minnumf", "mins", "minu", "mulf", "muli", "ori", "xori"),
)
"""The kinds of atomic updates, in the order of arith's enumeration."""
OF_FLOATS = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
)
"""The comparisons of floats, by their numbers in the generic form."""


def word(op: Operation, name: str, words: Sequence[str] = ()) -> str:
    """A word: `slt`, `#gpu<dim x>` or `#vector.kind<add>`, or the number of one of `words`; "" where there is none."""
    value = op.attributes.get(name)
    if isinstance(value, Raw):
        return value.words[-1] if value.words else ""
    if isinstance(value, int) and not isinstance(value, bool):
        return words[value] if 0 <= value < len(words) else ""
    return value if isinstance(value, str) else ""


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
