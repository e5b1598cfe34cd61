"""Which entries of a parameter's memory may be other than zero: the attribute `"pattern"`.

It has a text for each line along the first mode, in the order of memory, with `x` for an entry that may be other than
zero and `.` for one that is zero. As many leading modes as have these lines are the modes of the pattern. For all
indices of the modes behind them, it is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .types import Extent, MemrefType

PATTERN = "pattern"
"""The name of the attribute. A parameter that has it is not written."""
VALUES = "values"
"""The name of the attribute of a parameter whose array is part of the function: a text of numbers for each line along
the first mode, in the order of memory. Launches pass this array, and callers do not. The parameter is not written."""
NONZERO, ZERO = "x", "."


def modes_of_pattern(lines: Any, shape: Sequence[Extent]) -> int | None:
    """How many leading modes of a shape a pattern is of; None where it is no pattern of such a tensor."""
    if not isinstance(lines, (list, tuple)) or not all(isinstance(line, str) for line in lines) or not shape:
        return None
    if any(len(line) != shape[0] or set(line) - {NONZERO, ZERO} for line in lines):
        return None
    count, modes = 1, 1
    while count < len(lines) and modes < len(shape):
        extent = shape[modes]
        if not isinstance(extent, int):
            return None
        count, modes = count * extent, modes + 1
    return modes if count == len(lines) else None


def outside(lines: Sequence[str], shape: Sequence[int]) -> Any:
    """Which entries of an array of a shape are outside of a pattern; modes behind those of the pattern have size 1."""
    import numpy as np  # not before there are arrays

    modes = modes_of_pattern(lines, shape)
    assert modes is not None, "the verifier has checked it"
    entries = np.array([[each == ZERO for each in line] for line in lines])
    return entries.T.reshape(*shape[:modes], *[1] * (len(shape) - modes), order="F")


def lines_of(array: Any) -> list[str]:
    """The attribute `"values"` of an array of real numbers."""
    is_float = array.dtype.kind not in "iu"
    lines = array.reshape(array.shape[0], -1, order="F").T.tolist()
    return [" ".join(float(each).hex() if is_float else str(each) for each in line) for line in lines]


def pattern_of(array: Any) -> list[str]:
    """Which entries of an array are not zero."""
    lines = (array != 0).reshape(array.shape[0], -1, order="F").T.tolist()
    return ["".join(NONZERO if each else ZERO for each in line) for line in lines]


def numbers_of(lines: Any, type_: MemrefType) -> list[list[float | int]] | None:
    """The numbers of the attribute, line by line; None where they are not those of such a tensor."""
    if modes_of_pattern([ZERO * len(line.split()) for line in lines or () if isinstance(line, str)], type_.shape) != (
        type_.order
    ):
        return None
    read = int if type_.element.is_integer else float.fromhex
    try:
        return [[read(number) for number in line.split()] for line in lines]
    except (ValueError, OverflowError):
        return None
