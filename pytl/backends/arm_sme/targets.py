"""The update of targets with computed vectors: `target := alpha value + beta target`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import ScalarType
from ...mlir.text.builder import Value
from ...ops.constants import constant_of
from ..mlir.emit import Emitter
from .lines import Access, Lines, Stretch
from .vectors import Vector, Vectors


class Target:
    """The update of an instruction's target, computed in the type `wide`; alpha and beta are written at construction.

    A target is not read where beta is zero.
    """

    def __init__(self, emitter: Emitter, vectors: Vectors, op: Any, wide: ScalarType) -> None:
        self.to, self.vectors, self.wide = emitter.to, vectors, wide
        self.access = Access(vectors)
        numbers = emitter.numbers
        self.has_alpha = constant_of(op.alpha) != 1
        self.reads = op.reads_target
        self.is_sum = constant_of(op.beta) == 1
        if self.has_alpha:
            self._alpha = vectors.spread(numbers.cast(emitter.number(op.alpha), op.alpha.type, wide), wide)
        self._is_needed: Value | None = None
        if self.reads and not self.is_sum:
            factor = numbers.cast(emitter.number(op.beta), op.beta.type, wide)
            self._beta = vectors.spread(factor, wide)
            if constant_of(op.beta) is None:
                zero = numbers.constant(0 if wide.is_integer else 0j if wide.is_complex else 0.0, wide)
                (self._is_needed,) = numbers.compare("ne", factor, zero, wide)

    @property
    def is_plain(self) -> bool:
        """Whether the value is stored unchanged."""
        return not self.has_alpha and not self.reads

    def update(self, value: Vector, lines: Lines, line: Sequence[Value], stretch: Stretch) -> None:
        """Update a vector's worth of a line."""
        if self.has_alpha:
            value = self.vectors.multiply(value, self._alpha, self.wide)
        if self._is_needed is not None:
            value = self._where_needed(self._is_needed, value, lines, line, stretch)
        elif self.reads:
            value = self._with_target(value, lines, line, stretch)
        part = lines.element.component
        narrow = tuple(self.vectors.convert(v, self.wide.component, part) for v in value)
        self.access.store(narrow, lines, line, stretch)

    def _with_target(self, value: Vector, lines: Lines, line: Sequence[Value], stretch: Stretch) -> Vector:
        before = self.vectors.promote(self.access.load(lines, line, stretch), lines.element, self.wide)
        if not self.is_sum:
            before = self.vectors.multiply(before, self._beta, self.wide)
        return self.vectors.add(value, before, self.wide)

    def _where_needed(
        self, needed: Value, value: Vector, lines: Lines, line: Sequence[Value], stretch: Stretch
    ) -> Vector:
        with self.to.branch(needed, [part.type for part in value], "updated") as branch:
            branch.give(self._with_target(value, lines, line, stretch))
        with branch.otherwise():
            branch.give(value)
        return tuple(branch.results)
