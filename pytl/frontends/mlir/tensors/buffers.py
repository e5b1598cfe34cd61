"""Memory of tensors: which memref a tensor is, and whether it may be written in place."""

from __future__ import annotations

from dataclasses import field

from ....mlir.text import Memref, Tensor
from ....mlir.text import Type as MlirType
from ....mlir.text.types import contiguous
from ....process.records import dataclass
from ..tree_writer import Extent as Extent

FLOATS = ("f16", "bf16", "f32", "f64")
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "index": 8}


@dataclass(eq=False)
class Root:
    """Memory that was allocated, or passed, and the tensors that are in it and are used further on."""

    is_writable: bool
    tensors: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Slice:
    """A part of a buffer: where it begins, its sizes and steps, as the text has them."""

    buffer: str
    place: tuple[object, ...]


@dataclass(frozen=True)
class Buffer:
    """The memref of a tensor, or of a part of one."""

    name: str
    type: Memref
    sizes: tuple[Extent, ...]
    root: Root
    part: Slice | None = None


@dataclass(frozen=True)
class Splat:
    """A constant tensor with one number in all places, which has no memory before it needs some."""

    number: str
    sizes: tuple[Extent, ...]


def memref_of(type_: Tensor, strides: tuple[int | None, ...] | None = None, offset: int | None = 0) -> Memref:
    """The memref of a tensor, row-major unless it has strides."""
    shape = type_.shape or ()
    return Memref(shape, type_.element, contiguous(shape) if strides is None else strides, offset, "")


def part_of(type_: Memref, shape: tuple[int | None, ...], kept: list[int], steps: list[int | None]) -> Memref:
    """The type of a part of memory, of which some dimensions are kept."""
    strides = tuple(
        None if (stride := type_.strides[d]) is None or (step := steps[d]) is None else stride * step for d in kept
    )
    return Memref(shape, type_.element, strides, None, type_.space)


def bytes_of(element: MlirType, sizes: tuple[Extent, ...]) -> int | None:
    """How much memory so many elements take; None where that is not known."""
    total = SIZES.get(str(element), 16)
    for size in sizes:
        if not isinstance(size, int):
            return None
        total *= size
    return total
