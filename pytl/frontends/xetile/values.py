"""Values of the document's texts that the language has several values for, or in another form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...ir.operation import Operation
from ...ir.types import Type
from ...ir.values import Value
from ..composites import Composite
from .types import BarrierType, FragmentType, LineType, ScatteredType, SpreadType


class Compound(Composite, Value):
    """A value that values of the language stand for."""

    __slots__ = ("_parts", "base")

    def __init__(self, type_: Type, parts: Sequence[Value], base: Value | None = None) -> None:
        super().__init__(type_)
        self._parts = list(parts)
        self.base = base
        """The memory of a descriptor."""

    @property
    def parts(self) -> list[Value]:
        return self._parts

    def with_parts(self, parts: Sequence[Value]) -> Compound:
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


class Results:
    """What stands for an operation where several instructions were written, or none: its results."""

    regions = ()

    def __init__(self, location: Any, results: Sequence[Value], may_be_unnamed: bool = False) -> None:
        self.location = location
        self.may_be_unnamed = may_be_unnamed
        self.results = list(results)


Lowered = Operation | Results


def mapped(change: Callable[..., Value], type_: Type | None, *values: Value) -> Value:
    """A value of each part, where there are several; of this type, or that of the first."""
    first = next((value for value in values if isinstance(value, Compound)), None)
    if first is None:
        return change(*values)
    columns = [value.parts if isinstance(value, Compound) else [value] * len(first.parts) for value in values]
    result = type(first)(type_ or first.type, [change(*row) for row in zip(*columns)], first.base)
    return result
