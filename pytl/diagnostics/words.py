"""Numbers of things, and lists of them, in sentences."""

from __future__ import annotations

from collections.abc import Sequence


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """A number of things, as `1 value` and `2 values`."""
    return f"{count} {noun if count == 1 else plural or noun + 's'}"


def listed(items: Sequence[object], before_last: str = " and ") -> str:
    """Things in a row, as `a, b and c`."""
    *others, last = map(str, items)
    return f"{', '.join(others)}{before_last}{last}" if others else last
