"""Types of MLIR: scalars, complex numbers, vectors, tensors, memrefs, functions, and the text of all others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any

from ...process.records import dataclass
from ..affine import AffineMap

DYNAMIC = None
"""A size, a stride or an offset that is known at run time only, which MLIR writes as `?`."""


@dataclass(frozen=True)
class Scalar:
    """A number: `f32`, `i64`, `index`."""

    name: str

    @property
    def is_float(self) -> bool:
        return "f" in self.name

    @property
    def bits(self) -> int:
        """How many bits it has; as many as an address, if it is an index."""
        digits = re.search(r"\d+", self.name)
        return int(digits[0]) if digits else 64

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
class ScalableVector:
    """A vector of which the processor multiplies the sizes that are `scalable`: `vector<[4]xf32>`."""

    shape: tuple[int, ...]
    scalable: tuple[bool, ...]
    element: Scalar

    def __str__(self) -> str:
        sizes = (f"[{size}]" if scales else f"{size}" for size, scales in zip(self.shape, self.scalable))
        return f"vector<{'x'.join([*sizes, str(self.element)])}>"


@dataclass(frozen=True)
class Tensor:
    """A tensor; `shape` is None where it has no rank, and `encoding` is the text of what stands behind the element."""

    shape: tuple[int | None, ...] | None
    element: Type
    encoding: str = ""

    def __str__(self) -> str:
        encoding = f", {self.encoding}" if self.encoding else ""
        return f"tensor<{'*x' if self.shape is None else sizes_text(self.shape)}{self.element}{encoding}>"


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
    has_explicit_strides: bool = field(default=False, compare=False)
    """Whether it has `strided<…>` even where the strides look like those of rows that lie one behind the other: what
    `?` stands for there may be another number."""

    @cached_property
    def tail(self) -> str:
        """What stands behind the element: the layout and the memory space."""
        parts = []
        if self.layout is not None:
            parts.append(self.layout.text("today"))
        elif self.has_explicit_strides or self.offset != 0 or self.strides != contiguous(self.shape):
            parts.append(str(Strided(self.strides, self.offset)))
        return "".join(f", {part}" for part in ([*parts, self.space] if self.space else parts))

    @cached_property
    def _text(self) -> str:
        return f"memref<{sizes_text(self.shape)}{self.element}{self.tail}>"

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True)
class Function:
    """The type of a function."""

    inputs: tuple[Type, ...]
    results: tuple[Type, ...]

    def __str__(self) -> str:
        return self.text(str)

    def text(self, of: Callable[[Any], str]) -> str:
        """The text, of which a function gives that of each type."""
        made = ", ".join([of(each) for each in self.results])
        bare = len(self.results) == 1 and not isinstance(self.results[0], Function)
        return f"({', '.join([of(each) for each in self.inputs])}) -> {made if bare else f'({made})'}"


@dataclass(frozen=True)
class Opaque:
    """Any other type, by its text.

    Of a descriptor (`!xegpu.tensor_desc`, `!xegpu.mem_desc`) it has the sizes, the element and the attributes behind
    them, of a structure (`!llvm.struct`) the types of the members, and of an array in one its size and element.
    """

    text: str
    shape: tuple[int | None, ...] | None = field(default=None, compare=False)
    element: Type | None = field(default=None, compare=False)
    attributes: tuple[Any, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return self.text


Type = Scalar | Complex | Vector | ScalableVector | Tensor | Memref | Function | Opaque


def contiguous(shape: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """The strides of rows that lie one behind the other."""
    strides: list[int | None] = []
    step: int | None = 1
    for size in reversed(shape):
        strides.append(step)
        step = None if step is None or size is None else step * size
    return tuple(reversed(strides))


def _size(size: int | None) -> str:
    return "?" if size is None else str(size)


def sizes_text(shape: tuple[int | None, ...]) -> str:
    """The sizes in front of an element: `4x?x`."""
    return "".join(f"{_size(size)}x" for size in shape)


INDEX, I1, I32, I64 = map(Scalar, ("index", "i1", "i32", "i64"))
