"""Types of the language as types of MLIR.

The language is column-major and MLIR row-major: a memref's modes are in reverse order, and the memory is the same. The
MLIR type of a memref follows from its type in the language only, with an unknown offset, so that views need no special
cases. A complex number is two numbers, and a memref of complex elements has a last mode of size two.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ...ir.types import (
    SCALAR_TYPES,
    BoolType,
    Extent,
    GroupType,
    MemrefType,
    ScalarType,
    Type,
    VectorTileType,
    VectorType,
    compute_type,
)
from ...mlir.text import types as mlir
from ...mlir.text.types import I1, I64, INDEX, Scalar, contiguous

_SCALARS = {name: Scalar(name) for name in SCALAR_TYPES} | {"index": INDEX, "i1": I1, "i64": I64}
I8 = _SCALARS["i8"]


def register(type_: Type) -> Scalar:
    """The type of a scalar value: a number, or a part of a complex one, or a truth value.

    f16 and bf16 are f32 outside of memory: passing bf16 between functions needs routines of the compiler's runtime
    library that not every system has.
    """
    if isinstance(type_, BoolType):
        return I1
    assert isinstance(type_, ScalarType)
    return _SCALARS[compute_type(type_.component).name]


def scalar(type_: ScalarType) -> Scalar:
    """The type of the same name."""
    return _SCALARS[type_.name]


def element(type_: ScalarType) -> Scalar:
    """The type of a number, or a part of a complex one, in memory."""
    return I64 if type_.name == "index" else _SCALARS[type_.component.name]


def parts(type_: Type) -> list[Scalar]:
    """The types of the parts of a number: one, or two where it is complex."""
    return [register(type_)] * (2 if isinstance(type_, ScalarType) and type_.is_complex else 1)


def lanes(count: int, of: Scalar, is_scalable: bool = False) -> mlir.Vector | mlir.ScalableVector:
    """The type of a vector of numbers."""
    return mlir.ScalableVector((count,), (True,), of) if is_scalable else mlir.Vector((count,), of)


def tile(type_: VectorTileType) -> mlir.Vector | mlir.ScalableVector:
    """The type of a tile."""
    shape, of = (type_.rows, type_.columns), element(type_.element)
    return mlir.ScalableVector(shape, (True, True), of) if type_.is_scalable else mlir.Vector(shape, of)


def vector(type_: VectorType) -> list[mlir.Vector | mlir.ScalableVector]:
    """The types of the parts of a vector."""
    return [lanes(type_.lanes, part, type_.is_scalable) for part in parts(type_.element)]


def sizes(type_: MemrefType) -> list[Extent]:
    """The sizes of a memref in MLIR's order."""
    return [*reversed(type_.shape), *([2] if type_.element.is_complex else [])]


def strides(type_: MemrefType) -> list[Extent]:
    """The strides of a memref in MLIR's order, in numbers."""
    if not type_.element.is_complex:
        return list(reversed(type_.strides))
    return [*(stride * 2 if isinstance(stride, int) else stride for stride in reversed(type_.strides)), 1]


@lru_cache(maxsize=1024)
def memref(type_: MemrefType, begins: bool = False) -> mlir.Memref:
    """The type of a memref; `begins` says that it begins where its memory does."""
    return strided(sizes(type_), strides(type_), element(type_.element), begins)


def strided(shape: Sequence[Extent], steps: Sequence[Extent], of: Scalar, begins: bool = False) -> mlir.Memref:
    """A memref type of these sizes and strides, in MLIR's order."""
    known = [tuple(n if isinstance(n, int) else None for n in each) for each in (shape, steps)]
    return mlir.Memref(known[0], of, known[1], 0 if begins else None, "", has_explicit_strides=True)


def dense(shape: Sequence[int | None], of: mlir.Type, space: str = "") -> mlir.Memref:
    """A memref type without gaps, in MLIR's order."""
    return mlir.Memref(tuple(shape), of, contiguous(tuple(shape)), 0, space)


def group(type_: GroupType) -> mlir.Memref:
    """The type of a group: a memref of addresses, or of memrefs where each has sizes or strides of its own."""
    item = I64 if type_.memref.is_static else memref(type_.memref)
    return dense([type_.count if isinstance(type_.count, int) else None], item)


def argument(type_: Type) -> mlir.Memref:
    """The type of an entry point's parameter: there, numbers are passed in memory."""
    if isinstance(type_, MemrefType):
        return memref(type_)
    if isinstance(type_, GroupType):
        return group(type_)
    if isinstance(type_, BoolType):
        return dense([], I1)
    assert isinstance(type_, ScalarType)
    return dense([2] if type_.is_complex else [], element(type_))
