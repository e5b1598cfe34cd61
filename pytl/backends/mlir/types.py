"""Types of the language as types of MLIR.

The language is column-major and MLIR row-major, so that a memref's modes stand in reverse order; the memory is the
same. Every memref has the type that follows from its type in the language alone, its offset unknown, and so views need
no cases. Complex numbers are two numbers, and a memref of them has a last mode of two.
"""

from __future__ import annotations

from ...ir.types import BoolType, Extent, GroupType, MemrefType, ScalarType, Type


def scalar(type_: Type) -> str:
    """The type of a number that is no complex one, or of a truth value."""
    if isinstance(type_, BoolType):
        return "i1"
    assert isinstance(type_, ScalarType) and not type_.is_complex, type_
    return type_.name


def parts(type_: Type) -> list[str]:
    """The types of the values that a number is: one, or two where it is complex."""
    if isinstance(type_, ScalarType) and type_.is_complex:
        return [type_.component.name] * 2
    return [scalar(type_)]


def sizes(type_: MemrefType) -> list[Extent]:
    """The sizes of a memref in MLIR's order."""
    return [*reversed(type_.shape), *([2] if type_.element.is_complex else [])]


def strides(type_: MemrefType) -> list[Extent]:
    """The strides of a memref in MLIR's order, in numbers."""
    if not type_.element.is_complex:
        return list(reversed(type_.strides))
    return [*(stride * 2 if isinstance(stride, int) else stride for stride in reversed(type_.strides)), 1]


def memref(type_: MemrefType) -> str:
    """The type of a memref."""
    return strided(sizes(type_), strides(type_), type_.element.component.name)


def strided(shape: list[Extent], steps: list[Extent], element: str) -> str:
    """A memref type of these sizes and strides, in MLIR's order."""
    return f"memref<{'x'.join([*map(str, shape), element])}, strided<[{', '.join(map(str, steps))}], offset: ?>>"


def group(type_: GroupType) -> str:
    """The type of a group: a memref of memrefs, with no gaps between them."""
    return f"memref<{type_.count}x{memref(type_.memref)}>"


def of(type_: Type) -> str:
    """The type of a memref, a group, a truth value, or of a number that is no complex one."""
    if isinstance(type_, MemrefType):
        return memref(type_)
    return group(type_) if isinstance(type_, GroupType) else scalar(type_)
