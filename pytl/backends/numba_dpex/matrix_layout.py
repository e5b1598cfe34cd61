"""The layout of whole matrices in private memory, and its vectors: one for generated source and device library.

Columns follow each other, each padded to a power of two of elements or a multiple of 16, so that vectors of 2, 4, 8 or
16, the only ones that SPIR-V has, fill them. f16 and bf16 are held as f32, as in registers. Element types are given by
their names.
"""

from __future__ import annotations

from ...ir.types import ScalarType

LANES = 16
"""Lanes of the widest vectors of SPIR-V."""
WIDEST = 64
"""Bytes of the widest vectors of a processor."""

HALVES = ("f16", "bf16")
FLOATING, INTEGER, COMPLEX = (*HALVES, "f32", "f64"), ("i8", "i16", "i32", "i64"), ("c32", "c64")
OPERATIONS = {
    **dict.fromkeys(FLOATING, ("add", "sub", "mul", "div", "min", "max", "scale")),
    **dict.fromkeys(INTEGER, ("add", "sub", "mul", "min", "max", "scale")),
    **dict.fromkeys(COMPLEX, ("add", "sub")),
}
"""The component-wise operations that are vectorised; integer divisions may trap."""
FUNCTIONS = ("exp", "native_exp")
"""The mathematical functions that are vectorised, of floats."""


def device_name(type_: ScalarType) -> str:
    """The element type's name in the device library; `index` is a 64-bit integer there."""
    return "i64" if type_.name == "index" else type_.name


def padded_rows(rows: int) -> int:
    """The stride of columns in private memory."""
    return -(-rows // LANES) * LANES if rows >= LANES else max(1 << (rows - 1).bit_length(), 2)


def lanes_of_column(size: int, numbers: int) -> int:
    """Lanes of a column's vectors, given its numbers (padding included) and the bytes of each."""
    return min(LANES, WIDEST // size, numbers)


def held_as(element: str) -> str:
    """The type that private memory holds an element type in."""
    return "f32" if element in HALVES else element


def has_vector_cast(source: str, target: str) -> bool:
    """Whether vectors are cast between two types: casts that round once, and whose result is always defined."""
    if source in COMPLEX or target in COMPLEX:
        return False
    if target in INTEGER:
        return source in INTEGER
    return target not in HALVES or source in ("f32", *HALVES, "i8", "i16")  # from what f32 represents
