"""Products and sums of vectors, for every type that sums are kept in.

A vector of complex numbers has their parts side by side, in lanes of their own. A *factor* is one number that
multiplies whole vectors: its parts, each in all lanes. Sums of complex products are kept separately for the real and
the imaginary part of the factor, because multiplying by a real number needs no shuffle; both are combined at the end.
"""

from __future__ import annotations

from ...ir.types import ScalarType
from ...ir.values import Value
from ...ops.constants import constant_of
from ...process.records import dataclass
from .code import Code

Sums = tuple[Value, ...]
"""A vector of sums; for complex numbers one of products by real parts, and one of products by imaginary parts."""


@dataclass(frozen=True)
class Lane:
    """A number that multiplies vectors: a lane of each segment of a vector."""

    vector: Value
    number: int


Factor = tuple[Value | Lane, ...]
"""The parts of a number that multiplies vectors: each in all lanes of a vector, or a lane of its segments."""


class Arithmetic:
    """The arithmetic of vectors of at most `count` numbers of a type that sums are kept in."""

    def __init__(self, code: Code, type_: ScalarType, count: int) -> None:
        self.code = code
        self.component = type_.component
        self.parts = 2 if type_.is_complex else 1
        self.count = count
        self.lanes = count * self.parts

    # Sums of products.

    def nothing(self) -> Sums:
        """Vectors of zero sums."""
        return (self.code.zeros(self.component, self.lanes),) * self.parts

    def starting_with(self, value: Value) -> Sums:
        """A sum whose initial value is a vector."""
        return (value, *[self.code.zeros(self.component, value.type.lanes)] * (self.parts - 1))

    def factor(self, number: Value) -> Sums:
        """The parts of a number in all lanes; for a real number in a complex product, one part suffices."""
        code, type_ = self.code, number.type
        known = constant_of(number)
        if known is not None:
            literals = (known.real, known.imag) if type_.is_complex else (known,)
            as_literal = int if self.component.is_integer else float
            return tuple(code.literal(self.component, as_literal(part), self.lanes) for part in literals)
        parts = [code.unary("re", number), code.unary("im", number)] if type_.is_complex else [number]
        return tuple(code.splat(code.cast(part, self.component), self.lanes) for part in parts)

    def repeated(self, segment: Value) -> Value:
        """A vector of 128 bits as each segment of a vector."""
        count = segment.type.lanes
        return self.code.shuffle(segment, segment, [k % count for k in range(self.lanes)])

    def lanes_of(self, segments: Value, number: int, is_complex: bool) -> Factor:
        """The parts of a number of such segments, which have the parts of complex numbers side by side."""
        if is_complex:
            return (Lane(segments, 2 * number), Lane(segments, 2 * number + 1))
        return (Lane(segments, number),)

    def add_product(self, sums: Sums, a: Value, factor: Factor) -> Sums:
        """The sums with `a` times a factor added."""
        if len(sums) == 1:  # as of real numbers
            return (self._add(a, factor[0], sums[0]),)
        products = tuple(self._add(a, part, total) for part, total in zip(factor, sums))
        return (*products, *sums[len(products) :])

    def _add(self, a: Value, part: Value | Lane, total: Value) -> Value:
        if isinstance(part, Lane):
            return self.code.fma_lane(a, part.vector, part.number, total)
        return self.code.fma(a, self._first(part, a), total)

    def widened(self, value: Value) -> Value:
        """A shorter vector, padded with zeros to as many lanes as factors have."""
        count = value.type.lanes
        if count == self.lanes:
            return value
        return self.code.shuffle(value, self.code.zeros_like(value), [min(k, count) for k in range(self.lanes)])

    def narrowed(self, value: Value, count: int) -> Value:
        """The first elements of a vector."""
        return self._first_lanes(value, count * self.parts)

    def total(self, sums: Sums) -> Value:
        """The sum of all products as one vector."""
        if len(sums) == 1:
            return sums[0]
        by_real, by_imaginary = sums
        return self.code.arith("add", by_real, self._times_i(by_imaginary))

    # Vectors.

    def with_imaginary(self, value: Value) -> Value:
        """Real numbers as complex ones."""
        count = value.type.lanes
        lanes = [lane for k in range(count) for lane in (k, count)]
        return self.code.shuffle(value, self.code.zeros(self.component, count), lanes)

    def scale(self, a: Value, factor: Sums) -> Value:
        """`a` times a factor."""
        real, *imaginary = (self._first(part, a) for part in factor)
        scaled = self.code.arith("mul", self._times_i(a), imaginary[0]) if imaginary else None
        return self.code.arith("mul", a, real) if scaled is None else self.code.fma(a, real, scaled)

    def scale_and_add(self, a: Value, factor: Sums, c: Value) -> Value:
        """`a` times a factor, plus `c`."""
        return self.total(self.add_product(self.starting_with(c), a, factor))

    def _first(self, part: Value, like: Value) -> Value:
        """A factor's part with as many lanes as another vector has."""
        return self._first_lanes(part, like.type.lanes)

    def _first_lanes(self, value: Value, count: int) -> Value:
        return value if count == value.type.lanes else self.code.shuffle(value, value, range(count))

    def _times_i(self, a: Value) -> Value:
        """A vector of complex numbers times the imaginary unit: parts exchanged, the new real parts negated."""
        code, count = self.code, a.type.lanes
        swapped = code.shuffle(a, a, [k ^ 1 for k in range(count)])
        negated = code.unary("neg", swapped)
        return code.shuffle(swapped, negated, [k if k % 2 else count + k for k in range(count)])
