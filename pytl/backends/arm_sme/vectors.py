"""Vectors of scalable length: masks, conversions and arithmetic on the parts of numbers.

A vector has `lanes` numbers per 128 bits of the vector length, whatever that length is at run time. A vector value is a
tuple of names, as a scalar is: one name, or those of the real and imaginary parts.
"""

from __future__ import annotations

from ...ir.types import ScalarType, f32, f64
from ..mlir import types
from ..mlir.builder import Builder
from ..mlir.numbers import Number, Numbers

Vector = tuple[str, ...]
"""The names of vectors: one, or one of real and one of imaginary parts."""


def vector_type(element: ScalarType | str, lanes: int) -> str:
    """The type of a vector of numbers in memory."""
    return f"vector<[{lanes}]x{element if isinstance(element, str) else types.element(element)}>"


class Vectors:
    """Writes operations on vectors of `lanes` numbers."""

    def __init__(self, to: Builder, lanes: int) -> None:
        self.to = to
        self.lanes = lanes

    def type(self, element: ScalarType | str) -> str:
        return vector_type(element, self.lanes)

    # Lengths and masks.

    def length(self, factor: int = 1) -> str:
        """How many numbers a vector of `factor` times the length holds."""
        scale = self.to.once("vector.vscale", "vscale")
        return self.to.op(f"arith.muli {scale}, {self.to.constant(self.lanes * factor)} : index", "length")

    def mask(self, count: str) -> str:
        """The mask of the first `count` lanes, or of all where a vector has fewer; a count is never negative."""
        # not vector.create_mask, whose comparisons become one instruction for few types only
        bounds = [self.to.op(f"arith.index_cast {n} : index to i64", "bound") for n in (self.to.constant(0), count)]
        return self.to.op(f"llvm.intr.get.active.lane.mask {', '.join(bounds)} : i64, i64 to {self.type('i1')}", "mask")

    # Values.

    def zero(self, element: ScalarType) -> str:
        literal = "0" if element.is_integer else "0.0"
        return self.to.once(f"arith.constant dense<{literal}> : {self.type(element)}", "zero")

    def spread(self, number: Number, element: ScalarType) -> Vector:
        """A number broadcast to every lane."""
        parts = [Numbers(self.to).to_store(part, element) for part in number]
        of = types.element(element)
        return tuple(self.to.op(f"vector.broadcast {part} : {of} to {self.type(of)}", "all") for part in parts)

    def convert(self, value: str, source: ScalarType, target: ScalarType) -> str:
        """Real numbers in another type: any that represents them, or the one in which their sums are stored."""
        if source == target:
            return value
        if source.is_integer and target.is_integer:
            return self._cast("extsi" if source.size < target.size else "trunci", value, source, target)
        if source.is_integer:
            if target.size > 2:
                return self._cast("sitofp", value, source, target)
            return self.convert(self._cast("sitofp", value, source, f32), f32, target)
        if target == f64 and source.size == 2:
            return self.convert(self._cast("extf", value, source, f32), f32, target)
        return self._cast("extf" if source.size < target.size else "truncf", value, source, target)

    def promote(self, value: Vector, source: ScalarType, target: ScalarType) -> Vector:
        """Numbers converted to a type that represents them; real ones get no imaginary parts."""
        parts = tuple(self.convert(part, source.component, target.component) for part in value)
        if target.is_complex and not source.is_complex:
            return (*parts, self.zero(target.component))
        return parts

    def _cast(self, operation: str, value: str, source: ScalarType, target: ScalarType) -> str:
        return self.to.op(f"arith.{operation} {value} : {self.type(source)} to {self.type(target)}", "cast")

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

    def negate(self, value: str, element: ScalarType) -> str:
        return self.to.op(f"arith.negf {value} : {self.type(element)}", "negative")

    def total(self, value: Vector, element: ScalarType) -> Vector:
        """The sum of all lanes, broadcast to every lane."""
        part = types.element(element)
        # a streaming function has no instruction for an ordered sum of floating-point numbers
        fast = "" if element.is_integer else " fastmath<reassoc>"
        sums = [
            self.to.op(f"vector.reduction <add>, {v}{fast} : {self.type(part)} into {part}", "total") for v in value
        ]
        return tuple(self.to.op(f"vector.broadcast {total} : {part} to {self.type(part)}", "all") for total in sums)

    def _binary(self, operation: str, a: str, b: str, part: ScalarType) -> str:
        return self.to.op(f"arith.{operation}{'i' if part.is_integer else 'f'} {a}, {b} : {self.type(part)}", operation)
