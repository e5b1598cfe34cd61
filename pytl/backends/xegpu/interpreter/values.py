"""Values of a sub-group: arrays whose first dimension are the work-items, memrefs, and descriptors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np

from ....frontends.mlir.types import SMALL, dtype_name
from ....mlir.text import Complex, Scalar, Type, Vector
from ....process.records import dataclass
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
    "tf32": np.dtype(np.float32),
    **{f"si{bits}": np.dtype(f"i{bits // 8}") for bits in (8, 16, 32, 64)},
    **{f"ui{bits}": np.dtype(f"u{bits // 8}") for bits in (8, 16, 32, 64)},
    "si1": np.dtype(np.bool_),
    "ui1": np.dtype(np.bool_),
    **{name: np.dtype(getattr(ml_dtypes, dtype_name(Scalar(name)))) for name in SMALL},
}
_COMPLEX: dict[str, np.dtype] = {"f32": np.dtype(np.complex64), "f64": np.dtype(np.complex128)}
DYNAMIC = -(1 << 63)
"""What stands for an operand in a list of constants."""


def dtype_of(type_: Type) -> np.dtype | None:
    """The type of a scalar's or a vector's elements; None where it is unknown."""
    element = type_.element if isinstance(type_, Vector) else type_
    if isinstance(element, Complex):
        return _COMPLEX.get(element.part.name)
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

    @property
    def begin(self) -> np.ndarray:
        """The address of the first element."""
        return self.address + self.offset * self.element.itemsize

    def each(self, function: Callable[..., np.ndarray], *others: MemrefValue) -> MemrefValue:
        """The memref whose numbers a function makes of this one's, and of those of others."""

        def made(*numbers: np.ndarray) -> np.ndarray:
            return function(*numbers)

        return MemrefValue(
            made(self.address, *(o.address for o in others)),
            made(self.offset, *(o.offset for o in others)),
            tuple(made(*sizes) for sizes in zip(self.sizes, *(o.sizes for o in others))),
            tuple(made(*strides) for strides in zip(self.strides, *(o.strides for o in others))),
            self.element,
        )

    def chosen(self, mask: np.ndarray, other: MemrefValue) -> MemrefValue:
        """This memref for the work-items of a mask, and another one for the others."""
        return self.each(lambda a, b: np.where(mask, a, b), other)


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
    layout: Layout


@dataclass(frozen=True)
class MatrixDescriptor:
    """A descriptor of a matrix in memory of a work-group; of blocks, `inner` is their shape with their strides."""

    address: np.ndarray
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: np.dtype
    block: tuple[int, ...] = ()
    inner: tuple[int, ...] = ()

    def linear(self, indices: list[np.ndarray]) -> np.ndarray:
        """Which element of the memory an element of the matrix is."""
        total = np.zeros((), np.int64)
        for mode, index in enumerate(indices):
            if self.block:
                outer, within = np.divmod(index, self.block[mode])
                total = total + outer * self.strides[mode] + within * self.inner[mode]
            else:
                total = total + index * self.strides[mode]
        return total


@dataclass
class NamedBarrier:
    """A named barrier of a work-group: who has arrived, and how often all have."""

    count: int
    arrived: set[int]
    phase: int = 0


Value = Any
