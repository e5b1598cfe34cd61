"""The blocks that the loops of a `foreach` turn in registers (`turned_loops.py`), among which prefetches are divided.

A block asks for lines of as many rows as a vector has points, which no hardware prefetcher follows; and what it
computes waits for them, so that the processor comes to the lines of later blocks too late. A loop that goes along rows
(`row_loops.py`) loads lines in the order of memory. Where that is a maximum of long rows, it computes little, and later
loops wait for nothing: these prefetch for it. A loop without results goes along rows as well, by as many vectors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...ir.values import Value
from ...ops.constants import constant_of
from ...ops.control import For
from ...ops.memory import Load, Store
from ...ops.regions import Foreach
from ...ops.views import root_of
from ...process.records import dataclass
from ..analysis.uniformity import Variation, variation_of
from .row_loops import is_along_rows
from .turned_loops import turned

LONG_MAXIMUM = 8
"""Vectors of a row from which on loops behind its maximum prefetch what that loads."""


@dataclass(frozen=True)
class Blocks:
    """The blocks among which prefetches are divided, where their number is known."""

    points: Sequence[int]
    """How many points each variable has; none where that is not known."""
    lanes: int
    of_loop: dict[For, int]
    """Blocks of each loop, for each vector of points."""
    loads: list[Load]
    """What is prefetched: what loops load that no loop before them has stored, or loaded along rows."""

    @classmethod
    def of(cls, op: Foreach, lanes: int) -> Blocks:
        bounds = [(constant_of(start), constant_of(stop)) for start, stop in zip(op.start, op.stop)]
        is_known = all(None not in pair for pair in bounds)
        found = cls([max(stop - start, 0) for start, stop in bounds] if is_known else [], lanes, {}, [])
        if is_known:
            found._add([loop for loop in op.body.operations if isinstance(loop, For)], variation_of(op))
        return found

    def _add(self, loops: Sequence[For], variation: Variation) -> None:
        near, along_rows, summing, others = set[Value](), list[Load](), list[For](), list[For]()
        for loop in loops:
            along, vectors = is_along_rows(loop, variation), (loop.trips or 0) // self.lanes
            accesses = turned(loop, variation, self.lanes, True) if vectors else ()
            loads = [op for op in accesses if isinstance(op, Load) and root_of(op.tensor) not in near]
            if along:
                along_rows += loads if vectors >= LONG_MAXIMUM else []
            elif accesses:
                (summing if loop.results else others).append(loop)
                self.loads.extend(loads if loop.results else [])
            kinds = (Load, Store) if along else (Store,)
            near.update(root_of(op.tensor) for op in loop.body.walk() if isinstance(op, kinds))
        if not self.loads:
            self.loads.extend(along_rows)
            summing += others
        self.of_loop.update({loop: (loop.trips or 0) // self.lanes for loop in loops if loop in summing})

    @property
    def of_line(self) -> int:
        """Vectors of points that differ in the first variable alone."""
        return -(-self.points[0] // self.lanes)

    @property
    def vectors(self) -> int:
        """Vectors of points."""
        return self.of_line * math.prod(self.points[1:])

    @property
    def loaded(self) -> list[Value]:
        """The tensors that are prefetched."""
        return [*dict.fromkeys(op.tensor for op in self.loads)] if self.of_loop else []
