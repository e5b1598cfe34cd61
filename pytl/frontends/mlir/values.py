"""What values of MLIR are while a function is read: numbers, vectors of numbers, views of memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from ...ir.types import Type, bool_
from ...ir.values import Value
from ...mlir.text import Memref, Scalar
from ...passes.analysis.linear import Linear
from ...process.records import dataclass
from ..composites import Composite

MAX_ELEMENTS = 4096
"""Of a vector, each of which is a value."""
Size = int | Value


@dataclass(frozen=True)
class Vec(Composite):
    """A vector: its shape, the type of its elements, and a value for each of them, in row-major order."""

    shape: tuple[int, ...]
    element: Type
    values: tuple[Value, ...]

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.values

    def with_parts(self, parts: Sequence[Value]) -> Vec:
        return replace(self, values=tuple(parts))

    def at(self, position: Sequence[int]) -> Value:
        return self.values[linear_position(self.shape, position)]


def linear_position(shape: Sequence[int], position: Sequence[int]) -> int:
    """The number of an element in row-major order."""
    number = 0
    for size, index in zip(shape, position):
        number = number * size + index
    return number


def positions(shape: Sequence[int]) -> list[tuple[int, ...]]:
    """All positions of a shape, in row-major order."""
    return list(product(*(range(size) for size in shape)))


IndexFunction = Callable[[Any, Sequence[Value]], list[Value]]
"""The indices of a view in another one, for its own; a context writes what computes them."""


@dataclass(frozen=True)
class View:
    """A memref: the language's memory, and where its elements are.

    The dimension d of a plain view is the mode `modes[d]` of `memory`. Another view has a function, which gives the
    indices of the plain view `of` for its own.
    """

    type: Memref
    memory: Value
    modes: tuple[int, ...]
    sizes: tuple[Size, ...]
    locate: IndexFunction | None = None
    base: View | None = None
    origin: Origin | Located | None = None

    @property
    def is_plain(self) -> bool:
        return self.locate is None

    @property
    def holds_truth(self) -> bool:
        """Whether elements are truth values, which are integers in memory."""
        return self.type.element == Scalar("i1")

    @property
    def element(self) -> Type:
        """The type of what is loaded and stored."""
        return bool_ if self.holds_truth else self.memory.type.element


@dataclass(frozen=True)
class Origin:
    """Of a plain view that is a part of another one: that one, and where in it each dimension begins.

    `dimensions` are those of the other one that are kept.
    """

    base: View
    offsets: tuple[Size, ...]
    dimensions: tuple[int, ...]


@dataclass(frozen=True)
class Located:
    """Where a view is in the plain one that an address in its memory is counted from."""

    root: View
    begin: tuple[Linear, ...]
    """The index in each dimension of the root."""
    steps: tuple[Step, ...]
    """The stride of each dimension of the view."""
    dimensions: tuple[int, ...] = ()
    """Of a plain view, which of the root's dimensions each of the view's is."""


@dataclass(frozen=True, eq=False)
class Bytes:
    """Memory that was allocated as bytes, whose parts become memory of their own where they are viewed."""

    type: Memref
    parts: dict[tuple[object, str], View]


@dataclass(frozen=True)
class Unknown:
    """What could not be read, of which nothing more is said."""


@dataclass(frozen=True)
class Stride:
    """The stride of a mode of memory, which a launch knows, and which is no number of a kernel."""

    memory: Value
    mode: int


@dataclass(frozen=True, eq=False)
class Address:
    """A number of elements: multiples of strides, and of 1 (None)."""

    terms: Mapping[Stride | None, Linear]


@dataclass(frozen=True)
class Base:
    """The memory of a view, without its layout."""

    view: View


@dataclass(frozen=True)
class Items:
    """A memref of memrefs, which is a group."""

    type: Memref
    group: Value
    count: Size


Step = int | Stride | Linear
Result = Value | Vec | View | Bytes | Stride | Address | Base | Items | Unknown
UNKNOWN = Unknown()


def count(shape: Sequence[int]) -> int:
    return prod(shape)
