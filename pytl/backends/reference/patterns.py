"""Whether arguments are zero outside of the patterns of their parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...diagnostics import LaunchError, call_site
from ...ir.patterns import PATTERN, outside
from ...ir.types import GroupType
from ...ir.values import Value
from .. import rules
from .memory import GroupView, MemrefView


def check_patterns(parameters: Sequence[Value], arguments: Sequence[Any]) -> None:
    """Refuse what is not zero where a pattern says so."""
    for parameter, argument in zip(parameters, arguments):
        lines = parameter.attributes.get(PATTERN)
        if lines is not None:
            for position, view in enumerate(_memrefs(parameter, argument)):
                name = f"{parameter.name}[{position}]" if isinstance(argument, GroupView) else str(parameter.name)
                _check(parameter, lines, view, name)


def _memrefs(parameter: Value, argument: Any) -> list[MemrefView]:
    if not isinstance(argument, GroupView):
        return [argument]
    type_: GroupType = parameter.type
    offset = type_.offset if isinstance(type_.offset, int) else argument.offset
    return [
        MemrefView(item.buffer, item.offset + offset, item.shape, item.strides, label=item.label)
        for item in argument.items
    ]


def _check(parameter: Value, lines: Sequence[str], view: MemrefView, name: str) -> None:
    size = view.buffer.itemsize
    start = view.buffer[view.offset :]
    entries = np.lib.stride_tricks.as_strided(start, view.shape, [stride * size for stride in view.strides])
    found = np.argwhere((entries != 0) & outside(lines, view.shape))
    if found.size:
        place = ", ".join(map(str, found[0]))
        message = f"{name}[{place}] is {entries[tuple(found[0])]}, but it is outside of the pattern"
        help = "pass an array that is zero there, or add the entry to the pattern"
        raise LaunchError.single(rules.PATTERN, message, call_site(), help)
