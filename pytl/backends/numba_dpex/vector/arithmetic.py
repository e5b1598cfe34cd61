"""Products and sums of vectors, for every type that sums are kept in.

A *factor* is one number that multiplies whole vectors: its parts, each broadcast to all lanes. Sums of complex products
are kept separately for the real and the imaginary part of the factor, because multiplying by a real number needs no
shuffle; the two are combined at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ....ir.types import ScalarType
from ..device.elements import I32
from ..device.signatures import call
from . import lanes
from .lanes import constant, indices, splat, vector_type

Sums = tuple[ir.Value, ...]
"""A vector of sums; for complex numbers one of products by real parts, and one of products by imaginary parts."""


class Arithmetic:
    """The arithmetic of vectors of at most `count` numbers of a type, in the type of registers."""

    def __init__(self, builder: ir.IRBuilder, type_: ScalarType, count: int) -> None:
        self.builder = builder
        self.type = type_
        self.count = count
        self.lanes = count * lanes.parts_of(type_)

    # Sums of products.

    def nothing(self) -> Sums:
        """Vectors of zero sums."""
        return (constant(vector_type(self.type, self.count), 0),) * lanes.parts_of(self.type)

    def starting_with(self, value: ir.Value) -> Sums:
        """A sum whose initial value is a vector."""
        return (value, *[constant(value.type, 0)] * (lanes.parts_of(self.type) - 1))

    def factor(self, parts: Sequence[ir.Value]) -> Sums:
        """The parts of a number, broadcast to all lanes; for a real number in a complex product, one part suffices."""
        return tuple(splat(self.builder, part, self.lanes) for part in parts)

    def add_product(self, sums: Sums, a: ir.Value, factor: Sums) -> Sums:
        """The sums with `a` times a factor added."""
        products = tuple(self._fma(a, self._first(part, a), total) for part, total in zip(factor, sums))
        return (*products, *sums[len(products) :])

    def widened(self, value: ir.Value) -> ir.Value:
        """A shorter vector, padded with zeros to as many lanes as factors have."""
        if not isinstance(value.type, ir.VectorType) or value.type.count == self.lanes:
            return value
        count = value.type.count
        behind = indices([min(k, count) for k in range(self.lanes)])
        return self.builder.shuffle_vector(value, constant(value.type, 0), behind)

    def narrowed(self, value: ir.Value, count: int) -> ir.Value:
        """The first elements of a vector."""
        return value if count == self.count else self._first_lanes(value, count * lanes.parts_of(self.type))

    def total(self, sums: Sums) -> ir.Value:
        """The sum of all products as one vector."""
        if len(sums) == 1:
            return sums[0]
        by_real, by_imaginary = sums
        return self.builder.fadd(by_real, self._times_i(by_imaginary))

    # Vectors.

    def add(self, a: ir.Value, b: ir.Value) -> ir.Value:
        return self.builder.add(a, b) if self.type.is_integer else self.builder.fadd(a, b)

    def scale(self, a: ir.Value, factor: Sums) -> ir.Value:
        """`a` times a factor."""
        real, *imaginary = (self._first(part, a) for part in factor)
        if not imaginary:
            return self._mul(a, real)
        return self._fma(a, real, self._mul(self._times_i(a), imaginary[0]))

    def scale_and_add(self, a: ir.Value, factor: Sums, c: ir.Value) -> ir.Value:
        """`a` times a factor, plus `c`."""
        return self.total(self.add_product(self.starting_with(c), a, factor))

    def _mul(self, a: ir.Value, b: ir.Value) -> ir.Value:
        return self.builder.mul(a, b) if self.type.is_integer else self.builder.fmul(a, b)

    def _fma(self, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
        if self.type.is_integer:
            return self.builder.add(self.builder.mul(a, b), c)
        bits = self.type.component.size * 8
        name = f"llvm.fma.v{a.type.count}f{bits}" if isinstance(a.type, ir.VectorType) else f"llvm.fma.f{bits}"
        return call(self.builder, name, a, b, c)

    def _first(self, part: ir.Value, like: ir.Value) -> ir.Value:
        """A factor's part with as many lanes as another vector has."""
        if part.type == like.type:
            return part
        if not isinstance(like.type, ir.VectorType):
            return self.builder.extract_element(part, I32(0))
        return self._first_lanes(part, like.type.count)

    def _first_lanes(self, value: ir.Value, count: int) -> ir.Value:
        """The first lanes of a vector."""
        return self.builder.shuffle_vector(value, ir.Constant(value.type, ir.Undefined), indices(list(range(count))))

    def _times_i(self, a: ir.Value) -> ir.Value:
        """A vector of complex numbers times the imaginary unit: parts exchanged, the new real parts negated."""
        builder, count = self.builder, a.type.count
        swapped = builder.shuffle_vector(a, ir.Constant(a.type, ir.Undefined), indices([k ^ 1 for k in range(count)]))
        negated = builder.fneg(swapped)
        return builder.shuffle_vector(swapped, negated, indices([k if k % 2 else count + k for k in range(count)]))
