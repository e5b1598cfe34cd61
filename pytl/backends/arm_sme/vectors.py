"""Vectors of scalable length: masks, conversions and arithmetic on the parts of numbers.

A vector has `lanes` numbers per 128 bits of the vector length, whatever that length is at run time. A vector value is a
tuple of values, as a scalar is: one, or the real and the imaginary parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from ...ir.types import ScalarType, f32, f64
from ...mlir.text.builder import Builder, Value
from ...mlir.text.tree import Raw
from ...mlir.text.types import I1, I64, ScalableVector, Scalar
from ..mlir import types
from ..mlir.numbers import Number, Numbers

Vector = tuple[Value, ...]
"""Vectors: one, or one of real and one of imaginary parts."""


@cache
def vector_type(element: Scalar, lanes: int) -> ScalableVector:
    """The type of a vector of so many numbers per 128 bits."""
    return ScalableVector((lanes,), (True,), element)


class Vectors:
    """Writes operations on vectors of `lanes` numbers."""

    def __init__(self, to: Builder, lanes: int) -> None:
        self.to = to
        self.lanes = lanes

    def type(self, element: ScalarType) -> ScalableVector:
        """The type of a vector of numbers in memory."""
        return self.of(types.element(element))

    def of(self, element: Scalar) -> ScalableVector:
        """The type of a vector."""
        return vector_type(element, self.lanes)

    # Lengths and masks.

    def length(self, factor: int = 1) -> Value:
        """How many numbers a vector of `factor` times the length holds."""
        scale = self.to.once("vector.vscale", hint="vscale")
        return self.to.op("arith.muli", scale, self.to.constant(self.lanes * factor), hint="length")

    def mask(self, count: Value) -> Value:
        """The mask of the first `count` lanes, or of all where a vector has fewer; a count is never negative."""
        # not vector.create_mask, whose comparisons become one instruction for few types only
        bounds = [self.to.op("arith.index_cast", n, type=I64, hint="bound") for n in (self.to.constant(0), count)]
        return self.to.op("llvm.intr.get.active.lane.mask", *bounds, type=self.of(I1), hint="mask")

    # Values.

    def zero(self, element: ScalarType) -> Value:
        return self.to.constant(0 if element.is_integer else 0.0, self.type(element), "zero")

    def zeros(self, element: ScalarType) -> Vector:
        """Zeros of a type that may be complex."""
        return (self.zero(element.component),) * (2 if element.is_complex else 1)

    def spread(self, number: Number, element: ScalarType) -> Vector:
        """A number of a type broadcast to every lane, as memory has it."""
        return self.broadcast([Numbers(self.to).to_store(part, element) for part in number])

    def broadcast(self, parts: Sequence[Value]) -> Vector:
        """Numbers broadcast to every lane."""
        return tuple(self.to.op("vector.broadcast", part, type=self.like(part), hint="all") for part in parts)

    def like(self, part: Value) -> ScalableVector:
        """The type of a vector of such numbers."""
        assert isinstance(part.type, Scalar)
        return self.of(part.type)

    def convert(self, value: Value, source: ScalarType, target: ScalarType) -> Value:
        """Real numbers in another type: any that represents them, or the one in which their sums are stored."""
        if source == target:
            return value
        if source.is_integer and target.is_integer:
            return self._cast("extsi" if source.size < target.size else "trunci", value, target)
        if source.is_integer:
            if target.size > 2:
                return self._cast("sitofp", value, target)
            return self.convert(self._cast("sitofp", value, f32), f32, target)
        if target == f64 and source.size == 2:
            return self.convert(self._cast("extf", value, f32), f32, target)
        return self._cast("extf" if source.size < target.size else "truncf", value, target)

    def promote(self, value: Vector, source: ScalarType, target: ScalarType) -> Vector:
        """Numbers converted to a type that represents them; real ones get no imaginary parts."""
        parts = tuple(self.convert(part, source.component, target.component) for part in value)
        if target.is_complex and not source.is_complex:
            return (*parts, self.zero(target.component))
        return parts

    def _cast(self, operation: str, value: Value, target: ScalarType) -> Value:
        return self.to.op(f"arith.{operation}", value, type=self.type(target), hint="cast")

    # Arithmetic; `element` is the type of both operands.

    def add(self, a: Vector, b: Vector, element: ScalarType) -> Vector:
        return tuple(self._binary("add", x, y, element.component) for x, y in zip(a, b))

    def multiply(self, a: Vector, b: Vector, element: ScalarType) -> Vector:
        part = element.component
        if not element.is_complex:
            return (self._binary("mul", a[0], b[0], part),)
        real = self._binary("sub", self._binary("mul", a[0], b[0], part), self._binary("mul", a[1], b[1], part), part)
        crossed = self._binary("mul", a[0], b[1], part), self._binary("mul", a[1], b[0], part)
        return (real, self._binary("add", crossed[0], crossed[1], part))

    def negate(self, value: Value) -> Value:
        return self.to.op("arith.negf", value, hint="negative")

    def total(self, value: Vector, element: ScalarType) -> Vector:
        """The sum of all lanes, broadcast to every lane."""
        # a streaming function has no instruction for an ordered sum of floating-point numbers
        order = {} if element.is_integer else {"fastmath": Raw("<reassoc>")}
        of = types.element(element)
        return self.broadcast(
            [self.to.op("vector.reduction", v, type=of, hint="total", kind="add", **order) for v in value]
        )

    def _binary(self, operation: str, a: Value, b: Value, part: ScalarType) -> Value:
        return self.to.op(f"arith.{operation}{'i' if part.is_integer else 'f'}", a, b, hint=operation)
