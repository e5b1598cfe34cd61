"""What an operand may be, in the words of the manual's grammar."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from ..process.records import dataclass
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
    classes: tuple[type[Type], ...] = ()
    """The classes of the types that it admits, where it admits all types of these."""

    @classmethod
    def of(cls, name: str, *classes: type[Type]) -> Constraint:
        """All types of some classes."""
        return cls(name, lambda t: isinstance(t, classes), classes=classes)

    def __or__(self, other: Constraint) -> Constraint:
        name = f"{self.name} / {other.name}"
        if self.classes and other.classes:
            return Constraint.of(name, *self.classes, *other.classes)
        return Constraint(name, lambda t: self.admits(t) or other.admits(t))

    def __str__(self) -> str:
        return self.name

    @cached_property
    def admits_numbers(self) -> bool:
        """Whether it may be a number or a truth value, which a literal is."""
        return any(map(self.admits, (bool_, *SCALAR_TYPES.values())))


BOOL = Constraint.of("boolean-type", BoolType)
SCALAR = Constraint.of("scalar-type", ScalarType)
INTEGER = Constraint("integer-type", lambda t: isinstance(t, ScalarType) and t.is_integer)
FLOATING = Constraint("floating-type", lambda t: isinstance(t, ScalarType) and t.is_floating)
COMPLEX = Constraint("complex-type", lambda t: isinstance(t, ScalarType) and t.is_complex)
INDEX = Constraint("index", lambda t: t is index or t == index, index)
I32 = Constraint("i32", lambda t: t is i32 or t == i32, i32)
MEMREF = Constraint.of("memref-type", MemrefType)
GROUP = Constraint.of("group-type", GroupType)
TILE = Constraint.of("tile-type", TileType)
COOPMATRIX = Constraint.of("coopmatrix-type", CoopMatrixType)
VECTOR = Constraint.of("vector-type", VectorType)
VECTOR_TILE = Constraint.of("vector-tile-type", VectorTileType)
MASK = Constraint("vector-type of bool", lambda t: isinstance(t, VectorType) and isinstance(t.element, BoolType))
