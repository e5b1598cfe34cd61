"""Types of the document as today's."""

from __future__ import annotations

from collections.abc import Sequence

from ....mlir.text import types as today
from ..types import Dialect, Float, Function, Index, Integer, Memref, Size, Tensor, Type, Vector
from .layouts import as_size, layout_of


def today_type(type_: Type) -> today.Type:
    """The type as MLIR of today has it."""
    if isinstance(type_, (Index, Integer, Float)):
        return today.Scalar(type_.text())
    if isinstance(type_, Vector):
        element = today_type(type_.element)
        # the element of a vector may be one that the text leaves out
        whole = today.Vector(type_.shape, element)  # type: ignore[arg-type]
        return whole if isinstance(element, today.Scalar) else today.Opaque(str(whole))
    if isinstance(type_, Tensor):
        return today.Tensor(type_.shape, today_type(type_.element))
    if isinstance(type_, Memref):
        return _memref(type_)
    if isinstance(type_, Function):
        return function_type(type_.inputs, type_.results)
    if isinstance(type_, Dialect):
        is_pointer = type_.namespace == "llvm" and type_.data.endswith("*")
        return today.Opaque("!llvm.ptr" if is_pointer else type_.text())
    return today.Opaque("none")  # it is unknown


def function_type(inputs: Sequence[Type], results: Sequence[Type]) -> today.Function:
    return today.Function(tuple(map(today_type, inputs)), tuple(map(today_type, results)))


def _memref(type_: Memref) -> today.Memref:
    layout = layout_of(type_)
    if layout is not None and layout.kind == "strided":
        return strided(type_, [as_size(each) for each in layout.strides], as_size(layout.offset))
    return plain(type_, layout.map if layout is not None and layout.kind == "mapped" else None)


def plain(type_: Memref, layout: today.AffineMap | None = None) -> today.Memref:
    """A memref of the same sizes, elements and memory in row-major order, or with an affine map as its layout."""
    strides = today.contiguous(type_.shape)
    return today.Memref(type_.shape, today_type(type_.element), strides, 0, _space(type_), layout)


def strided(type_: Memref, strides: Sequence[Size], offset: Size) -> today.Memref:
    """A memref with a strided layout.

    One that differs from row-major order in nothing but what is unknown has an unknown offset.
    """
    if None in strides and all(each is None for each in strides[:-1]) and strides[-1] in (1, None):
        offset = None
    return today.Memref(type_.shape, today_type(type_.element), tuple(strides), offset, _space(type_))


def _space(type_: Memref) -> str:
    if type_.space == 0:
        return ""
    return str(type_.space) if isinstance(type_.space, int) else f'"{type_.space}"'
