"""Lanes of vectors in MLIR: taken out, put together, and moved.

A vector value is a tuple of vectors, as a number is a tuple of numbers: one, or the real and the imaginary parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import I32, ScalableVector, Scalar, Vector
from ...passes.targets.vector import SEGMENT
from . import types

Parts = tuple[Value, ...]


def vector_of(value: Value) -> Vector | ScalableVector:
    """The type of a vector."""
    assert isinstance(value.type, (Vector, ScalableVector))
    return value.type


def count_of(value: Value) -> int:
    """How many lanes a vector has."""
    return vector_of(value).shape[0]


def resized(value: Value, count: int) -> Vector | ScalableVector:
    """The type of a vector with the same elements, and so many lanes."""
    type_ = vector_of(value)
    return types.lanes(count, type_.element, isinstance(type_, ScalableVector))


def spread(to: Builder, parts: Parts, count: int, hint: str = "v", is_scalable: bool = False) -> Parts:
    """A number in all lanes."""
    return tuple(
        to.op("vector.broadcast", part, type=types.lanes(count, _scalar(part), is_scalable), hint=hint)
        for part in parts
    )


def lane(to: Builder, parts: Parts, number: int, hint: str = "lane") -> Parts:
    """The number in a lane."""
    return tuple(
        to.op("vector.extract", part, type=vector_of(part).element, hint=hint, position=[number]) for part in parts
    )


def of_lanes(to: Builder, numbers: Sequence[Parts], hint: str = "v") -> Parts:
    """The vector of some numbers."""
    return tuple(
        to.op("vector.from_elements", list(part), type=types.lanes(len(part), _scalar(part[0])), hint=hint)
        for part in zip(*numbers)
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
    return to.op("vector.interleave", a, b, type=resized(a, 2 * count_of(a)), hint=hint)


def deinterleaved(to: Builder, value: Value, hints: Sequence[str] = ("re", "im")) -> Parts:
    """The even and the odd lanes of a vector."""
    half = resized(value, count_of(value) // 2)
    return tuple(to.each("vector.deinterleave", value, results=[(to.fresh(hint), half) for hint in hints]))


def lane_product(to: Builder, a: Value, b: Value, number: int, c: Value, hint: str = "v") -> Value:
    """`a b + c` by SVE's instruction that takes a lane of each segment of b; it is on vectors of scalable length."""
    fixed, element = vector_of(c), vector_of(c).element
    assert isinstance(element, Scalar)
    count = SEGMENT // int(element.name.lstrip("f"))
    scalable = types.lanes(count, element, True)
    none = to.once("llvm.mlir.poison", type=scalable, hint="none")
    c, a, b = (to.op("vector.scalable.insert", each, none, type=scalable, hint=hint, pos=0) for each in (c, a, b))
    intrinsic = f"llvm.aarch64.sve.fmla.lane.nxv{count}{element.name}"
    lane_number = to.constant(number, I32)
    value = to.op("llvm.call_intrinsic", [c, a, b, lane_number], type=scalable, hint=hint, intrin=intrinsic)
    return to.op("vector.scalable.extract", value, type=fixed, hint=hint, pos=0)


def part_of(to: Builder, value: Value, first: int, count: int, hint: str = "part") -> Value:
    """Some lanes of a vector, from the first on."""
    if isinstance(value.type, ScalableVector):
        return to.op("vector.scalable.extract", value, type=resized(value, count), hint=hint, pos=first)
    return shuffled(to, (value,), (value,), range(first, first + count), hint)[0]


def _scalar(part: Value) -> Scalar:
    assert isinstance(part.type, Scalar)
    return part.type
