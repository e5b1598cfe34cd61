"""Types of the language as types of MLIR.

The language is column-major and MLIR row-major: a memref's modes are in reverse order, and the memory is the same. The
MLIR type of a memref follows from its type in the language only, with an unknown offset, so that views need no special
cases. A complex number is two numbers, and a memref of complex elements has a last mode of size two.
"""

from __future__ import annotations

from ...ir.types import BoolType, Extent, GroupType, MemrefType, ScalarType, Type, compute_type


def register(type_: Type) -> str:
    """The type of a scalar value: a number, or a part of a complex one, or a truth value.

    f16 and bf16 are f32 outside of memory: passing bf16 between functions needs routines of the compiler's runtime
    library that not every system has.
    """
    if isinstance(type_, BoolType):
        return "i1"
    assert isinstance(type_, ScalarType)
    return compute_type(type_.component).name


def element(type_: ScalarType) -> str:
    """The type of a number, or a part of a complex one, in memory."""
    return "i64" if type_.name == "index" else type_.component.name


def parts(type_: Type) -> list[str]:
    """The types of the parts of a number: one, or two where it is complex."""
    return [register(type_)] * (2 if isinstance(type_, ScalarType) and type_.is_complex else 1)


def sizes(type_: MemrefType) -> list[Extent]:
    """The sizes of a memref in MLIR's order."""
    return [*reversed(type_.shape), *([2] if type_.element.is_complex else [])]


def strides(type_: MemrefType) -> list[Extent]:
    """The strides of a memref in MLIR's order, in numbers."""
    if not type_.element.is_complex:
        return list(reversed(type_.strides))
    return [*(stride * 2 if isinstance(stride, int) else stride for stride in reversed(type_.strides)), 1]


def memref(type_: MemrefType, begins: bool = False) -> str:
    """The type of a memref; `begins` says that it begins where its memory does."""
    return strided(sizes(type_), strides(type_), element(type_.element), begins)


def strided(shape: list[Extent], steps: list[Extent], of: str, begins: bool = False) -> str:
    """A memref type of these sizes and strides, in MLIR's order."""
    offset = "" if begins else ", offset: ?"
    return f"memref<{'x'.join([*map(str, shape), of])}, strided<[{', '.join(map(str, steps))}]{offset}>>"


def group(type_: GroupType) -> str:
    """The type of a group: a memref of memrefs, with no gaps between them."""
    return f"memref<{type_.count}x{memref(type_.memref)}>"


def argument(type_: Type) -> str:
    """The type of an entry point's parameter: there, numbers are passed in memory."""
    if isinstance(type_, MemrefType):
        return memref(type_)
    if isinstance(type_, GroupType):
        return group(type_)
    if isinstance(type_, BoolType):
        return "memref<i1>"
    assert isinstance(type_, ScalarType)
    return f"memref<{'2x' if type_.is_complex else ''}{element(type_)}>"
