"""Lanes of vectors in MLIR: taken out, put together, and moved.

A vector value is a tuple of vectors, as a number is a tuple of numbers: one, or the real and the imaginary parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import Scalar, Vector

Parts = tuple[Value, ...]


def vector_of(value: Value) -> Vector:
    """The type of a vector."""
    assert isinstance(value.type, Vector)
    return value.type


def count_of(value: Value) -> int:
    """How many lanes a vector has."""
    return vector_of(value).shape[0]


def spread(to: Builder, parts: Parts, count: int, hint: str = "v") -> Parts:
    """A number in all lanes."""
    return tuple(to.op("vector.broadcast", part, type=_of(part, count), hint=hint) for part in parts)


def lane(to: Builder, parts: Parts, number: int, hint: str = "lane") -> Parts:
    """The number in a lane."""
    return tuple(
        to.op("vector.extract", part, type=vector_of(part).element, hint=hint, position=[number]) for part in parts
    )


def of_lanes(to: Builder, numbers: Sequence[Parts], hint: str = "v") -> Parts:
    """The vector of some numbers."""
    return tuple(
        to.op("vector.from_elements", list(part), type=_of(part[0], len(part)), hint=hint) for part in zip(*numbers)
    )


def shuffled(to: Builder, a: Parts, b: Parts, lanes: Sequence[int], hint: str = "v") -> Parts:
    """Lanes of two vectors, counted through both."""
    return tuple(
        to.op("vector.shuffle", x, y, type=Vector((len(lanes),), vector_of(x).element), hint=hint, mask=tuple(lanes))
        for x, y in zip(a, b)
    )


def interleaved(to: Builder, parts: Parts, hint: str = "pairs") -> Value:
    """The lanes of two vectors in turn."""
    a, b = parts
    return to.op("vector.interleave", a, b, type=Vector((2 * count_of(a),), vector_of(a).element), hint=hint)


def deinterleaved(to: Builder, value: Value, hints: Sequence[str] = ("re", "im")) -> Parts:
    """The even and the odd lanes of a vector."""
    half = Vector((count_of(value) // 2,), vector_of(value).element)
    return tuple(to.each("vector.deinterleave", value, results=[(to.fresh(hint), half) for hint in hints]))


def _of(part: Value, count: int) -> Vector:
    assert isinstance(part.type, Scalar)
    return Vector((count,), part.type)
