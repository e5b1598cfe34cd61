"""Sums of products by vectors: gemv and sum, and gemm and ger of types without an outer product.

Where the elements of the first factor are contiguous along the target, a vector holds the sums of several elements of
the target. Where they are contiguous along the sum, a vector holds partial sums of one element, which are reduced at
the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.types import compute_type
from ...ops import Ger, Sum
from ...ops.updates import is_transposed
from ...passes.targets.sme import is_along_sum
from ..mlir.emit import Emitter
from .elementwise import lanes_of_type
from .lines import Lines, Stretch, lines_of
from .targets import Target
from .vectors import Vector, Vectors


def sums(emitter: Emitter, op: Any) -> None:
    """`target := alpha sum + beta target` of an instruction with code."""
    work = _Sums(emitter, op)
    (work.along_sum if is_along_sum(op, op.factors[0]) else work.along_target)()


class _Sums:
    def __init__(self, emitter: Emitter, op: Any) -> None:
        self.to, self.op, self.numbers, self.memory = emitter.to, op, emitter.numbers, emitter.memory
        to, target = self.to, emitter.memref(op.updated)
        self.factors = [emitter.memref(getattr(op, name)) for name in op.factors]
        self.wide = compute_type(target.type.element)
        self.vectors = Vectors(to, lanes_of_type(self.wide))
        self.update = Target(emitter, self.vectors, op, self.wide)
        self.access = self.update.access
        self.lines = lines_of(to, target)
        self.first = lines_of(to, self.factors[0])
        self.has_pairs = any(memref.type.element.is_complex for memref in (*self.factors, target))
        order = target.type.order
        self.rows = self.memory.size(target, 0) if order else to.constant(1)
        self.columns = self.memory.size(target, 1) if order == 2 else to.constant(1)

    @property
    def steps(self) -> str:
        """How many terms a sum has."""
        if isinstance(self.op, Ger):
            return self.to.constant(1)
        factor = self.factors[0]
        mode = 0 if factor.type.order == 1 or is_transposed(self.op, self.op.factors[0]) else 1
        return self.memory.size(factor, mode)

    def along_target(self) -> None:
        zero, one = self.to.constant(0), self.to.constant(1)
        steps = self.steps
        with (
            self.to.loop(zero, self.columns, one, "j") as j,
            self.access.stretches(self.rows, self.has_pairs) as at,
        ):

            def term(k: str) -> Vector:
                loaded = self._load(self.first, k, at)
                if isinstance(self.op, Sum):
                    return loaded
                return self.vectors.multiply(loaded, self._spread(k, j), self.wide)

            self.update.update(self._total(zero, steps, one, term), self.lines, j, at)

    def along_sum(self) -> None:
        """Sums along lines; the lanes of a vector are reduced after the loop."""
        to = self.to
        zero, one = to.constant(0), to.constant(1)
        steps = self.steps
        others = [lines_of(to, factor) for factor in self.factors[1:]]
        with to.loop(zero, self.columns, one, "j") as j, to.loop(zero, self.rows, one, "i") as i:

            def term(k: str) -> Vector:
                at = self.access.stretch(k, to.op(f"arith.subi {steps}, {k} : index", "left"), self.has_pairs)
                loaded = self._load(self.first, i, at)
                for lines in others:
                    loaded = self.vectors.multiply(loaded, self._load(lines, j, at), self.wide)
                return loaded

            parts = self._total(zero, steps, self.vectors.length(), term)
            total = self.vectors.total(parts, self.wide)
            self.update.update(total, self.lines, j, self.access.stretch(i, one, self.has_pairs))

    def _total(self, start: str, stop: str, step: str, term: Callable[[str], Vector]) -> Vector:
        """The sum of the vectors `term(k)`."""
        part = self.wide.component
        count = 2 if self.wide.is_complex else 1
        zero, types = [self.vectors.zero(part)] * count, [self.vectors.type(part)] * count
        with self.to.carrying(start, stop, step, zero, types, "k") as sums:
            sums.give(self.vectors.add(tuple(sums.values), term(sums.variable), self.wide))
        return tuple(sums.results)

    def _load(self, lines: Lines, line: str, at: Stretch) -> Vector:
        return self.vectors.promote(self.access.load(lines, line, at), lines.element, self.wide)

    def _spread(self, k: str, j: str) -> Vector:
        """An element of the second factor, broadcast to all lanes."""
        factor, name = self.factors[1], self.op.factors[1]
        if factor.type.order == 1:
            indices = [j if isinstance(self.op, Ger) else k]
        else:
            indices = [j, k] if is_transposed(self.op, name) else [k, j]
        element = self.memory.load(factor, indices)
        return self.vectors.spread(self.numbers.cast(element, factor.type.element, self.wide), self.wide)
