"""Values of the document's texts that the language has several values for, or in another form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.operation import Operation
from ...ir.types import Type
from ...ir.values import Value
from .types import BarrierType, FragmentType, LineType, ScatteredType, SpreadType


class Compound(Value):
    """A value that values of the language stand for."""

    __slots__ = ("base", "parts")

    def __init__(self, type_: Type, parts: Sequence[Value], base: Value | None = None) -> None:
        super().__init__(type_)
        self.parts = list(parts)
        self.base = base
        """The memory of a descriptor."""

    def with_parts(self, parts: Sequence[Value]) -> Compound:
        """The same kind of value, of other parts."""
        return type(self)(self.type, parts, self.base)


class Spread(Compound):
    """A vector whose elements lie in the work-items: each part is an element of each of 16."""

    type: SpreadType


class Fragment(Compound):
    """A matrix that is written as a work-item's part, or for VNNI; its part is the matrix."""

    type: FragmentType


class Line(Compound):
    """A descriptor of neighbours; its part is the first one's index."""

    type: LineType


class Scattered(Compound):
    """A descriptor of elements; its parts are indices."""

    type: ScatteredType


class NamedBarrier(Compound):
    """A named barrier; its role."""

    __slots__ = ("role",)

    def __init__(self, role: int) -> None:
        super().__init__(BarrierType(), [])
        self.role = role

    def with_parts(self, parts: Sequence[Value]) -> Compound:
        return self


class Given:
    """What stands for an operation where several instructions were written, or none: its results."""

    regions = ()

    def __init__(self, location: Any, results: Sequence[Value], may_be_unnamed: bool = False) -> None:
        self.location = location
        self.may_be_unnamed = may_be_unnamed
        self.results = list(results)


Read = Operation | Given


def flattened(values: Sequence[Value]) -> list[Value]:
    """The values of the language."""
    return [part for value in values for part in (value.parts if isinstance(value, Compound) else [value])]


def rebuilt(like: Sequence[Value], parts: Sequence[Value]) -> list[Value]:
    """Values as these are, of other values of the language."""
    rest = list(parts)
    found: list[Value] = []
    for value in like:
        if isinstance(value, Compound):
            found.append(value.with_parts([rest.pop(0) for _ in value.parts]))
        else:
            found.append(rest.pop(0))
    return found


def mapped(change: Callable[..., Value], type_: Type | None, *values: Value) -> Value:
    """A value of each part, where there are several; of this type, or that of the first."""
    first = next((value for value in values if isinstance(value, Compound)), None)
    if first is None:
        return change(*values)
    columns = [value.parts if isinstance(value, Compound) else [value] * len(first.parts) for value in values]
    found = type(first)(type_ or first.type, [change(*row) for row in zip(*columns)], first.base)
    return found
