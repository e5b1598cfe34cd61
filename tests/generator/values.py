"""What a program under construction knows of its values."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

UNIFORM, SUBGROUP, VARYING = range(3)
"""Who holds the same value of a number: the work-group, each sub-group, each work-item."""


@dataclass(frozen=True)
class Dynamic:
    """A size that is known at run time; two sizes with one key are equal. `value`, if the generator knows it."""

    key: str
    value: int | None = None

    def __str__(self) -> str:
        return "?"


GROUPS = Dynamic("groups")
Extent = int | Dynamic


def known_size(extent: Extent) -> int | None:
    """A size as a number, where the generator knows it."""
    return extent.value if isinstance(extent, Dynamic) else extent


@dataclass(frozen=True)
class Number:
    """A value of bool or scalar type; for an integer, the range `[low, high]` it lies in, or what it is less than.

    A stable number is the same whatever order sums are taken in, so that it may be compared and become an integer.
    """

    name: str
    type: str
    bound: float = math.inf
    low: int | None = None
    high: int | None = None
    below: Dynamic | None = None
    spread: int = UNIFORM
    stable: bool = False

    def fits(self, extent: Extent) -> bool:
        """Whether it is an index in bounds of a mode of this size."""
        if self.low is None or self.low < 0:
            return False
        size = known_size(extent)
        return (size is not None and self.high is not None and self.high < size) or (
            isinstance(extent, Dynamic) and self.below == extent
        )


@dataclass(frozen=True)
class Matrix:
    """A cooperative matrix."""

    name: str
    component: str
    rows: int
    columns: int
    use: str
    bound: float = math.inf

    @property
    def type(self) -> str:
        return f"coopmatrix<{self.component}x{self.rows}x{self.columns},{self.use}>"


@dataclass(eq=False)
class Root:
    """The memory that tensors are views on."""

    writable: bool
    bound: float
    initialised: bool
    loops: int
    """How many loops it was allocated in: a value may grow once an iteration of these."""
    shared: bool = False
    """Whether all work-groups write it, which they may do by adding integers atomically only."""


@dataclass(frozen=True)
class Tensor:
    name: str
    element: str
    shape: tuple[Extent, ...]
    strides: tuple[int | str, ...]
    space: str
    root: Root
    whole: bool = True
    dense: tuple[bool, ...] = ()
    """For each mode but the last, whether the next one is known to begin where it ends."""
    spread: int = UNIFORM
    """Who has the same part of memory."""

    @property
    def type(self) -> str:
        from .language import memref

        return memref(self.element, self.shape, self.strides, self.space)

    @property
    def is_static(self) -> bool:
        return all(isinstance(extent, int) for extent in self.shape)


@dataclass
class Spmd:
    """A region that work-items execute, up to the next barrier: what they write, and the place that is their own."""

    kind: str
    loops: int
    tensor: Tensor | None = None
    own: str | None = None
    """The indices of the place in `tensor` that belongs to a work-item alone."""
    guard: Number | None = None
    """Says whether a work-item has such a place."""
    added: Tensor | None = None
    written: set[Root] = field(default_factory=set)
    read: set[Root] = field(default_factory=set)
    divergence: int = UNIFORM
    """Who goes one way through the branches and loops around."""
    depth: int = 0


@dataclass
class Scope:
    numbers: list[Number] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    matrices: list[Matrix] = field(default_factory=list)
    allocas: list[Tensor] = field(default_factory=list)
    """Those of this very region, which may end in it."""
