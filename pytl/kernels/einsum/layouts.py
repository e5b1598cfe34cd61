"""How the arrays of a contraction are in memory."""

from __future__ import annotations

import math

from ...ir.types import MemrefType, ScalarType
from ...process.records import dataclass


@dataclass(frozen=True)
class Layout:
    """An array in the order of memory: the type of its elements, its shape and its strides."""

    element: ScalarType
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @classmethod
    def packed(cls, element: ScalarType, shape: tuple[int, ...]) -> Layout:
        return cls(element, shape, tuple(math.prod(shape[:mode]) for mode in range(len(shape))))

    @property
    def type(self) -> MemrefType:
        return MemrefType(self.element, self.shape, self.strides)
