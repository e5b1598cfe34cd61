"""The text of attributes (manual: Attributes)."""

from __future__ import annotations

from typing import Any

ATTRIBUTE_NAMES = ("alignment", "shape_gcd", "stride_gcd", "subgroup_size", "unroll", "work_group_size")


def print_attribute(value: Any, sort: bool = False) -> str:
    """An attribute's value: boolean, integer, string, array or dictionary, whose entries may be sorted by name."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        items = sorted(value.items()) if sort else value.items()
        entries = (f"{_attribute_name(key)}={print_attribute(entry, sort)}" for key, entry in items)
        return "{" + ", ".join(entries) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(print_attribute(entry, sort) for entry in value) + "]"
    return str(value)


def _attribute_name(name: str) -> str:
    return name if name in ATTRIBUTE_NAMES else f'"{name}"'
