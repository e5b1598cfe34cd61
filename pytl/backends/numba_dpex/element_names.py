"""The names of element types in generated source and in the device library."""

from __future__ import annotations

from ...ir.types import ScalarType


def device_name(type_: ScalarType) -> str:
    """The element type's name in the device library; `index` is a 64-bit integer there."""
    return "i64" if type_.name == "index" else type_.name
