"""insert-lifetime-stop: ends the lifetime of each alloca after its last use."""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Alloca, LifetimeStop, Yield
from ..process.records import dataclass
from .analysis.uses import Roots, memrefs_used
from .manager import Pass, register


@register
@dataclass(frozen=True)
class InsertLifetimeStop(Pass):
    """Puts a lifetime_stop after the last use of every alloca that has none in its own region."""

    name = "insert-lifetime-stop"
    of_called = True

    def run(self, function: Function) -> None:
        _insert(function.body, Roots())


def _insert(region: Region, roots: Roots) -> None:
    if not any(isinstance(op, Alloca) for op in region.operations):
        for op in region.operations:
            for inner in op.regions:
                _insert(inner, roots)
        return
    last_use: dict[Value, int] = {}
    stopped: set[Value] = set()
    for position, op in enumerate(region.operations):
        if isinstance(op, Alloca):
            last_use[op.results[0]] = position
        elif isinstance(op, LifetimeStop):
            stopped.add(roots.of(op.tensor))
        for value in memrefs_used(op):
            root = roots.of(value)
            if root in last_use:
                last_use[root] = position
        for inner in op.regions:
            _insert(inner, roots)
    ends: dict[int, list[Value]] = {}
    for value, position in last_use.items():
        if value not in stopped:
            ends.setdefault(position, []).append(value)
    operations: list[Operation] = []
    for position, op in enumerate(region.operations):
        operations.append(op)
        assert not (isinstance(op, Yield) and position in ends), "a memref is never yielded"
        operations += [LifetimeStop(op.location, tensor=value) for value in ends.get(position, ())]
    region.operations = operations
