"""Types of MLIR: scalars, complex numbers, vectors, tensors, memrefs, functions, and the text of all others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..affine import AffineMap

DYNAMIC = None
"""A size, a stride or an offset that is known at run time only, which MLIR writes as `?`."""


@dataclass(frozen=True)
class Scalar:
    """A number: `f32`, `i64`, `index`."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Complex:
    """A complex number of two floats or integers."""

    part: Scalar

    def __str__(self) -> str:
        return f"complex<{self.part}>"


@dataclass(frozen=True)
class Vector:
    """A vector of a fixed shape."""

    shape: tuple[int, ...]
    element: Scalar

    def __str__(self) -> str:
        return f"vector<{'x'.join(map(str, (*self.shape, self.element)))}>"


@dataclass(frozen=True)
class Tensor:
    """A tensor; `shape` is None where it has no rank, and `encoding` is the text of what stands behind the element."""

    shape: tuple[int | None, ...] | None
    element: Type
    encoding: str = ""

    def __str__(self) -> str:
        encoding = f", {self.encoding}" if self.encoding else ""
        return f"tensor<{'*x' if self.shape is None else _sizes(self.shape)}{self.element}{encoding}>"


@dataclass(frozen=True)
class Strided:
    """The layout of a memref by strides, in elements: `strided<[4, 1], offset: ?>`."""

    strides: tuple[int | None, ...]
    offset: int | None

    def __str__(self) -> str:
        offset = "" if self.offset == 0 else f", offset: {_size(self.offset)}"
        return f"strided<[{', '.join(map(_size, self.strides))}]{offset}>"


@dataclass(frozen=True)
class Memref:
    """A memref; `strides` and `offset` are in elements, and `space` is the text of its memory space.

    The strides of a memref whose `layout` is an affine map are not known here.
    """

    shape: tuple[int | None, ...]
    element: Type
    strides: tuple[int | None, ...]
    offset: int | None
    space: str
    layout: AffineMap | None = None

    def __str__(self) -> str:
        parts = [f"{_sizes(self.shape)}{self.element}"]
        if self.layout is not None:
            parts.append(self.layout.text("today"))
        elif self.offset != 0 or self.strides != contiguous(self.shape):
            parts.append(str(Strided(self.strides, self.offset)))
        return f"memref<{', '.join([*parts, self.space] if self.space else parts)}>"


@dataclass(frozen=True)
class Function:
    """The type of a function."""

    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def __str__(self) -> str:
        made = ", ".join(map(str, self.results))
        bare = len(self.results) == 1 and not isinstance(self.results[0], Function)
        return f"({', '.join(map(str, self.inputs))}) -> {made if bare else f'({made})'}"


@dataclass(frozen=True)
class Opaque:
    """Any other type, by its text.

    Of the descriptor of a block (`!xegpu.tensor_desc`) it has the sizes, the element and the attributes behind them.
    """

    text: str
    shape: tuple[int | None, ...] | None = field(default=None, compare=False)
    element: Type | None = field(default=None, compare=False)
    attributes: tuple[Any, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return self.text


Type = Scalar | Complex | Vector | Tensor | Memref | Function | Opaque


def contiguous(shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """The strides of rows that lie one behind the other."""
    found: list[int | None] = []
    step: int | None = 1
    for size in reversed(shape):
        found.append(step)
        step = None if step is None or size is None else step * size
    return tuple(reversed(found))


def _size(size: int | None) -> str:
    return "?" if size is None else str(size)


def _sizes(shape: tuple[int | None, ...]) -> str:
    return "".join(f"{_size(size)}x" for size in shape)
