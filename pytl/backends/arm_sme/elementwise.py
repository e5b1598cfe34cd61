"""Element-wise instructions, and cumsum, as vectors along the lines of their target: axpby, hadamard and cumsum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from ...ir.types import ScalarType, compute_type
from ...mlir.text.builder import Value
from ...ops import Cumsum, Hadamard
from ..mlir.emit import Emitter
from .lines import line_at, lines_of
from .targets import Target
from .vectors import Vectors


def elementwise(emitter: Emitter, op: Any) -> None:
    """`target := alpha f(factors) + beta target` of an instruction with code."""
    work = _Elementwise(emitter, op)
    if isinstance(op, Cumsum):
        work.cumsum(op.mode)
    else:
        work.each(isinstance(op, Hadamard))


def lanes_of_type(wide: ScalarType) -> int:
    """How many numbers, or parts of numbers, 128 bits hold."""
    return 16 // wide.component.size


class _Elementwise:
    def __init__(self, emitter: Emitter, op: Any) -> None:
        self.to = to = emitter.to
        target = emitter.memref(op.updated)
        self.wide = compute_type(target.type.element)
        self.vectors = Vectors(to, lanes_of_type(self.wide))
        self.update = Target(emitter, self.vectors, op, self.wide)
        self.lines = [lines_of(to, emitter.memref(getattr(op, name))) for name in (*op.factors, op.target)]
        self.has_pairs = any(lines.element.is_complex for lines in self.lines)
        self.sizes = [emitter.memory.size(target, mode) for mode in range(target.type.order)]

    def each(self, is_product: bool) -> None:
        access = self.update.access
        with self._lines(range(1, len(self.sizes))) as outer, access.stretches(self.sizes[0], self.has_pairs) as at:
            line = line_at(outer)
            *factors, target = self.lines
            values = [self.vectors.promote(access.load(x, line, at), x.element, self.wide) for x in factors]
            value = self.vectors.multiply(values[0], values[1], self.wide) if is_product else values[0]
            self.update.update(value, target, line, at)

    def cumsum(self, mode: int) -> None:
        """Sums that are carried along a mode, for vectors of lines at once."""
        to, access = self.to, self.update.access
        others = [other for other in range(1, len(self.sizes)) if other != mode]
        with self._lines(others) as outer, access.stretches(self.sizes[0], self.has_pairs) as at:
            zeros = self.vectors.zeros(self.wide)
            with to.carrying(to.constant(0), self.sizes[mode], to.constant(1), zeros, "k") as sums:
                indices = [*outer[: mode - 1], sums.variable, *outer[mode - 1 :]]
                line = line_at(indices)
                source, target = self.lines
                term = self.vectors.promote(access.load(source, line, at), source.element, self.wide)
                total = self.vectors.add(tuple(sums.values), term, self.wide)
                self.update.update(total, target, line, at)
                sums.give(total)

    @contextmanager
    def _lines(self, modes: Sequence[int]) -> Iterator[list[Value]]:
        """Loops over some modes; gives their indices."""
        zero, one = self.to.constant(0), self.to.constant(1)
        with ExitStack() as loops:
            turned = [
                loops.enter_context(self.to.loop(zero, self.sizes[mode], one, "line")) for mode in reversed(modes)
            ]
            yield turned[::-1]
