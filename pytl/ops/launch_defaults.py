"""The shape of a work-group where the function's attributes leave it open (manual: Functions, Attributes).

Every backend asks here, so that what depends on the number of work-items is the same on all of them.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

DEFAULT_SUBGROUP_SIZE = 16

REASON = "strategy.reason"
"""The attribute that says why a function has its strategy."""
NO_LOCK_STEP = "subgroup.no_lock_step"
"""The attribute of a function for devices where the work-items of a sub-group need not go in lock step."""
NO_BLOCKS = "subgroup.no_blocks"
"""The option of code for devices whose drivers make no sub-groups of a function's work-items."""
IN_PARTS = "launch.in_parts"
"""The attribute of a function that is launched in parts, each of which is told where it begins."""
GRID = "launch.grid"
"""The attribute of a function whose last two parameters are the numbers of work-groups along x and y."""
RAISE_LOOPS = "raise_loops"
"""The attribute of a function whose loops over elements may become products and sums of tensors."""
OVERLAPPING = "launch.overlapping"
"""The option of a launch whose arrays overlap, where matrices of one are factors and sums are stored to another."""

APART = "launch.apart"
"""The option of a launch whose arrays share no memory, where products of matrices may be executed in another order."""
PAST_CACHES = "launch.past_caches"
"""The option of a launch whose arrays exceed twice the last cache, which is the bytes of that cache: what is written
only is stored past the caches where the work-groups use more."""
BEGINS_AT = "launch.begins_at"
"""The option of such a launch that what it writes begins at multiples of so many bytes, where that is no cache line."""


class HasAttributes(Protocol):
    """A function, or what reads one and knows its attributes before its body."""

    attributes: dict[str, Any]


def subgroup_size(function: HasAttributes) -> int:
    """The sub-group size: the attribute's, or what divides the first mode of the work-group size."""
    size = function.attributes.get("subgroup_size")
    if size is not None:
        return int(size)
    shape = function.attributes.get("work_group_size")
    return math.gcd(DEFAULT_SUBGROUP_SIZE, int(shape[0])) if shape else DEFAULT_SUBGROUP_SIZE


def has_open_size(function: HasAttributes) -> bool:
    """Whether a function leaves the sizes of sub-groups and work-groups to the compiler."""
    return not {"subgroup_size", "work_group_size"} & set(function.attributes)


def known_subgroup_size(function: HasAttributes) -> int | None:
    """The same of a function whose attributes may be wrong; None where they are."""
    try:
        size = subgroup_size(function)
    except (TypeError, ValueError, LookupError):
        return None
    return size if size > 0 else None


def work_group_shape(function: HasAttributes) -> tuple[int, int]:
    """Rows and columns of the work-group in work-items: the attribute's, or a single sub-group."""
    shape = function.attributes.get("work_group_size")
    return (int(shape[0]), int(shape[1])) if shape else (subgroup_size(function), 1)


def subgroup_grid(function: HasAttributes) -> tuple[int, int]:
    """The numbers of sub-groups of a work-group along its rows and columns."""
    rows, columns = work_group_shape(function)
    return rows // subgroup_size(function), columns


def known_subgroup_grid(function: HasAttributes) -> tuple[int, int] | None:
    """The same of a function whose attributes may be wrong; None where they are."""
    try:
        along_x, along_y = subgroup_grid(function)
    except (TypeError, ValueError, LookupError, ZeroDivisionError):
        return None
    return (along_x, along_y) if along_x > 0 and along_y > 0 else None


def subgroup_count(function: HasAttributes) -> int:
    """The number of sub-groups of a work-group."""
    along_x, along_y = subgroup_grid(function)
    return along_x * along_y
