"""Memory as lines of contiguous numbers, which vectors are loaded from and stored to.

MLIR takes the numbers of a vector to be contiguous whatever the last stride of a memref's type is. So only what this
module has checked may be loaded or stored as a vector.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ...ir.types import ScalarType
from ...mlir.text.builder import Builder, Value
from ...passes.targets.sme import has_unit_stride
from ..mlir import types
from ..mlir.memory import Memref, numbers_of
from .vectors import Vector, Vectors


@dataclass(frozen=True)
class Lines:
    """A tensor as lines along its first mode. Complex numbers are pairs of numbers in a line."""

    memref: Value
    element: ScalarType
    order: int

    def indices(self, line: Sequence[Value], at: Value) -> list[Value]:
        """The indices of a place in memory; a tensor of one mode has one line."""
        return [at] if self.order == 1 else [*line, at]


def line_at(indices: Sequence[Value]) -> list[Value]:
    """The line with these indices of the modes after the first, in the language's order."""
    return list(reversed(indices))


def lines_of(to: Builder, memref: Memref) -> Lines:
    """A tensor that has lines."""
    type_ = memref.type
    assert has_unit_stride(type_), type_
    value, part = memref.value, types.element(type_.element)
    if type_.order == 0 and not type_.element.is_complex:
        one = types.strided([1], [1], part)
        value = to.op("memref.expand_shape", value, type=one, hint="line", reassociation=(), output_shape=[1])
    elif type_.order > 0 and type_.element.is_complex:
        value = numbers_of(to, memref)
    return Lines(value, type_.element, max(type_.order, 1))


@dataclass(frozen=True)
class Stretch:
    """A vector's worth of a line: from the element `at` on, as many as `count` and the vector length allow."""

    at: Value
    mask: Value
    wide_mask: Value | None
    """The mask of the numbers that complex elements consist of."""


class Access:
    """Loads and stores vectors of a line."""

    def __init__(self, vectors: Vectors) -> None:
        self.vectors, self.to = vectors, vectors.to
        self.pairs = Vectors(self.to, vectors.lanes * 2)

    @contextmanager
    def stretches(self, extent: Value, has_pairs: bool) -> Iterator[Stretch]:
        """A loop over a line of some length, vector by vector."""
        zero = self.to.constant(0)
        with self.to.loop(zero, extent, self.vectors.length()) as i:
            left = self.to.op("arith.subi", extent, i, hint="left")
            yield self.stretch(i, left, has_pairs)

    def stretch(self, at: Value, count: Value, has_pairs: bool) -> Stretch:
        """`count` is how many elements there are from `at` on; `has_pairs`, whether any of them are complex."""
        mask = self.vectors.mask(count)
        if not has_pairs:
            return Stretch(at, mask, None)
        return Stretch(at, mask, self.pairs.mask(self.to.op("arith.addi", count, count, hint="numbers")))

    def load(self, lines: Lines, line: Sequence[Value], stretch: Stretch) -> Vector:
        """A vector of elements; 0 where there are none."""
        element = lines.element
        if not element.is_complex:
            return (self.load_masked(self.vectors, lines, lines.indices(line, stretch.at), stretch.mask),)
        assert stretch.wide_mask is not None
        numbers = self.load_masked(self.pairs, lines, self._pair(lines, line, stretch), stretch.wide_mask)
        part = self.vectors.type(element.component)
        results = [(self.to.fresh(name), part) for name in ("re", "im")]
        return tuple(self.to.each("vector.deinterleave", numbers, results=results))

    def store(self, value: Vector, lines: Lines, line: Sequence[Value], stretch: Stretch) -> None:
        part = lines.element.component
        if not lines.element.is_complex:
            self.store_masked(self.vectors, value[0], lines, lines.indices(line, stretch.at), stretch.mask)
            return
        assert stretch.wide_mask is not None
        numbers = self.to.op("vector.interleave", *value, type=self.pairs.type(part), hint="pairs")
        self.store_masked(self.pairs, numbers, lines, self._pair(lines, line, stretch), stretch.wide_mask)

    def _pair(self, lines: Lines, line: Sequence[Value], stretch: Stretch) -> list[Value]:
        return lines.indices(line, self.to.op("arith.addi", stretch.at, stretch.at, hint="at"))

    @staticmethod
    def load_masked(vectors: Vectors, lines: Lines, indices: Sequence[Value], mask: Value) -> Value:
        zero = vectors.zero(lines.element.component)
        operands = lines.memref, indices, mask, zero
        return vectors.to.op("vector.maskedload", *operands, type=zero.type, hint="loaded")

    @staticmethod
    def store_masked(vectors: Vectors, value: Value, lines: Lines, indices: Sequence[Value], mask: Value) -> None:
        vectors.to.do("vector.maskedstore", lines.memref, indices, mask, value)
