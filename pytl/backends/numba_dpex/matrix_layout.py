"""How private memory holds whole matrices, and what vectors do with them: generated source and device library agree.

Columns lie one after the other, each padded to a power of two of elements or a multiple of 16, so that vectors of 2,
4, 8 or 16, which are all that SPIR-V has, fill them. Halves are held as registers have them, as f32. Element types go
by name.
"""

from __future__ import annotations

LANES = 16
"""Of the widest vectors of SPIR-V."""
WIDEST = 64
"""Bytes of the widest vectors of a processor."""

HALVES = ("f16", "bf16")
FLOATING, INTEGER, COMPLEX = (*HALVES, "f32", "f64"), ("i8", "i16", "i32", "i64"), ("c32", "c64")
OPERATIONS = {
    **dict.fromkeys(FLOATING, ("add", "sub", "mul", "div", "scale")),
    **dict.fromkeys(INTEGER, ("add", "sub", "mul", "scale")),
    **dict.fromkeys(COMPLEX, ("add", "sub")),
}
"""What vectors do entry by entry; divisions of integers may trap."""


def padded_rows(rows: int) -> int:
    """The distance of columns in private memory."""
    return -(-rows // LANES) * LANES if rows >= LANES else max(1 << (rows - 1).bit_length(), 2)


def lanes_of(size: int, numbers: int) -> int:
    """Of the vectors that cut a column of so many numbers, padding included, of so many bytes each."""
    return min(LANES, WIDEST // size, numbers)


def held_as(element: str) -> str:
    """The type that private memory holds an element type in."""
    return "f32" if element in HALVES else element


def has_vector_cast(source: str, target: str) -> bool:
    """Whether vectors are cast between two types: what is rounded once, and always has a value."""
    if source in COMPLEX or target in COMPLEX:
        return False
    if target in INTEGER:
        return source in INTEGER
    return target not in HALVES or source in ("f32", *HALVES, "i8", "i16")  # to a half from what f32 holds
