"""Values of a sub-group: arrays whose first dimension are the work-items, memrefs, and descriptors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import ml_dtypes
import numpy as np

from ....mlir.text import Scalar, Type, Vector
from .layouts import Layout

DTYPES: dict[str, np.dtype] = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "index": np.dtype(np.int64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}
DYNAMIC = -(1 << 63)
"""What stands for an operand in a list of constants."""


def dtype_of(type_: Type) -> np.dtype | None:
    """The type of a scalar's or a vector's elements; None where it is unknown."""
    element = type_.element if isinstance(type_, Vector) else type_
    return DTYPES.get(element.name) if isinstance(element, Scalar) else None


def garbage(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """What nothing was written to: all bits are one, which is nan in floats."""
    if dtype == np.bool_:
        return np.ones(shape, dtype)
    return np.full((*shape, dtype.itemsize), 0xFF, np.uint8).view(dtype)[..., 0]


@dataclass(frozen=True)
class MemrefValue:
    """A memref of each work-item: addresses in bytes, offsets, sizes and strides in elements."""

    address: np.ndarray
    offset: np.ndarray
    sizes: tuple[np.ndarray, ...]
    strides: tuple[np.ndarray, ...]
    element: np.dtype

    def element_addresses(self, indices: list[np.ndarray]) -> np.ndarray:
        total = self.offset
        for index, stride in zip(indices, self.strides):
            total = total + index * stride
        return self.address + total * self.element.itemsize


@dataclass(frozen=True)
class Group:
    """A memref of memrefs: a row of each column for an item."""

    items: MemrefValue

    def take(self, index: np.ndarray) -> MemrefValue:
        rows = self.items
        return replace(
            rows,
            address=rows.address[index],
            offset=rows.offset[index],
            sizes=tuple(size[index] for size in rows.sizes),
            strides=tuple(stride[index] for stride in rows.strides),
        )


@dataclass(frozen=True)
class BlockDescriptor:
    """A descriptor of blocks of a matrix; it is the same for all work-items of a sub-group."""

    address: int
    shape: tuple[int, ...] | None
    strides: tuple[int, ...]
    offsets: tuple[int, ...]
    block: tuple[int, ...]
    element: np.dtype
    is_checked: bool
    layout: Layout
    count: int = 1
    """`array_length`: how many blocks side by side one load gives."""


@dataclass(frozen=True)
class ScatteredDescriptor:
    """Offsets in elements, of each work-item."""

    address: np.ndarray
    offsets: np.ndarray
    chunk: int
    element: np.dtype


@dataclass
class NamedBarrier:
    """A named barrier of a work-group: who has arrived, and how often all have."""

    count: int
    arrived: set[int]
    phase: int = 0


Value = Any
