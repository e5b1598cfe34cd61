"""Types of the document in today's spelling."""

from __future__ import annotations

from ....mlir.text import Type as TodayType
from ....mlir.text import read_type
from ..types import Dialect, Float, Function, Index, Integer, Memref, Size, Tensor, Type, Unknown, Vector
from .layouts import as_size, layout_of


def type_text(type_: Type) -> str:
    """The type as MLIR of today writes it."""
    if isinstance(type_, (Index, Integer, Float)):
        return type_.text()
    if isinstance(type_, Vector):
        return f"vector<{sizes_text(type_.shape)}{type_text(type_.element)}>"
    if isinstance(type_, Tensor):
        shape = "*x" if type_.shape is None else sizes_text(type_.shape)
        return f"tensor<{shape}{type_text(type_.element)}>"
    if isinstance(type_, Memref):
        return _memref_text(type_)
    if isinstance(type_, Function):
        return function_text(type_.inputs, type_.results)
    if isinstance(type_, Dialect):
        return "!llvm.ptr" if type_.namespace == "llvm" and type_.data.endswith("*") else type_.text()
    assert isinstance(type_, Unknown)
    return "none"


def function_text(inputs: tuple[Type, ...] | list[Type], results: tuple[Type, ...] | list[Type]) -> str:
    """A function's type; a function that is the only result stands in parentheses."""
    given = ", ".join(map(type_text, inputs))
    made = ", ".join(map(type_text, results))
    bare = len(results) == 1 and not isinstance(results[0], Function)
    return f"({given}) -> {made if bare else f'({made})'}"


def _memref_text(type_: Memref) -> str:
    layout = layout_of(type_)
    inside = [f"{sizes_text(type_.shape)}{type_text(type_.element)}"]
    if layout is not None and layout.kind == "strided":
        inside.append(strided_text([as_size(each) for each in layout.strides], as_size(layout.offset)))
    elif layout is not None and layout.kind == "mapped":
        inside.append(layout.map.text("today"))
    if type_.space != 0:
        inside.append(str(type_.space) if isinstance(type_.space, int) else f'"{type_.space}"')
    return f"memref<{', '.join(inside)}>"


def strided_text(strides: list[Size], offset: Size) -> str:
    """A strided layout. One that differs from row-major order in nothing but what is unknown has an unknown offset."""
    if None in strides and all(each is None for each in strides[:-1]) and strides[-1] in (1, None):
        offset = None
    behind = "" if offset == 0 else f", offset: {_shown(offset)}"
    return f"strided<[{', '.join(map(_shown, strides))}]{behind}>"


def plain_text(type_: Memref, layout: str = "") -> str:
    """A memref of the same sizes, elements and memory with another layout, plain if it is empty."""
    space = "" if type_.space == 0 else str(type_.space) if isinstance(type_.space, int) else f'"{type_.space}"'
    inside = [f"{sizes_text(type_.shape)}{type_text(type_.element)}", layout, space]
    return f"memref<{', '.join(each for each in inside if each)}>"


def _shown(size: Size) -> str:
    return "?" if size is None else str(size)


def sizes_text(shape: tuple[Size, ...]) -> str:
    return "".join(f"{_shown(size)}x" for size in shape)


def today_type(type_: Type) -> TodayType:
    """The type as one of `pytl.mlir.text`."""
    return read_type(type_text(type_))
