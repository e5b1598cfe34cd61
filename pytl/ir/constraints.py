"""What an operand may be, in the words of the manual's grammar."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from .types import (
    SCALAR_TYPES,
    BoolType,
    CoopMatrixType,
    GroupType,
    MemrefType,
    ScalarType,
    TileType,
    Type,
    VectorTileType,
    VectorType,
    bool_,
    i32,
    index,
)


@dataclass(frozen=True)
class Constraint:
    """A named set of types; `a | b` is their union."""

    name: str
    admits: Callable[[Type], bool]
    only: Type | None = None
    """The type of numbers that it admits, where that is a single one."""

    def __or__(self, other: Constraint) -> Constraint:
        return Constraint(f"{self.name} / {other.name}", lambda t: self.admits(t) or other.admits(t))

    def __str__(self) -> str:
        return self.name

    @cached_property
    def admits_numbers(self) -> bool:
        """Whether it may be a number or a truth value, which a literal is."""
        return any(map(self.admits, (bool_, *SCALAR_TYPES.values())))


BOOL = Constraint("boolean-type", lambda t: isinstance(t, BoolType))
SCALAR = Constraint("scalar-type", lambda t: isinstance(t, ScalarType))
INTEGER = Constraint("integer-type", lambda t: isinstance(t, ScalarType) and t.is_integer)
FLOATING = Constraint("floating-type", lambda t: isinstance(t, ScalarType) and t.is_floating)
COMPLEX = Constraint("complex-type", lambda t: isinstance(t, ScalarType) and t.is_complex)
INDEX = Constraint("index", lambda t: t is index or t == index, index)
I32 = Constraint("i32", lambda t: t is i32 or t == i32, i32)
MEMREF = Constraint("memref-type", lambda t: isinstance(t, MemrefType))
GROUP = Constraint("group-type", lambda t: isinstance(t, GroupType))
TILE = Constraint("tile-type", lambda t: isinstance(t, TileType))
COOPMATRIX = Constraint("coopmatrix-type", lambda t: isinstance(t, CoopMatrixType))
VECTOR = Constraint("vector-type", lambda t: isinstance(t, VectorType))
VECTOR_TILE = Constraint("vector-tile-type", lambda t: isinstance(t, VectorTileType))
MASK = Constraint("vector-type of bool", lambda t: isinstance(t, VectorType) and isinstance(t.element, BoolType))
