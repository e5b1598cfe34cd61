"""vectorize: the instructions of each `cpu.kernel` as vector code.

What the passes before it have decided (register tiles, loop order, unrolling, software prefetch) is written into the
IR here, as loops and instructions on vectors. What emits code for a machine decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..ir.operation import Operation
from ..ir.values import Function, Region
from ..ops import Foreach
from .manager import Pass, register
from .targets import cpu
from .targets.cpu_attributes import OUTLINED
from .vectors import points
from .vectors.code import Code

_LOWERINGS: dict[type[Operation], Callable[[Code, Any, cpu.Kernel], None]] = {
    Foreach: points.foreach,
}
"""The lowering of a kernel, by the first instruction that is not registers."""


@register
@dataclass(frozen=True)
class Vectorize(Pass):
    """Makes a `vector.code` of every `cpu.kernel`."""

    name = "vectorize"
    of_called = True

    def run(self, function: Function) -> None:
        _vectorize(function.body)


def _vectorize(region: Region) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        if isinstance(op, cpu.Kernel):
            op = _vectorized(op)
        else:
            for inner in op.regions:
                _vectorize(inner)
        operations.append(op)
    region.operations = operations


def _vectorized(op: cpu.Kernel) -> Operation:
    first = next(inner for inner in op.body.operations if not isinstance(inner, cpu.Registers))
    lowering = _LOWERINGS.get(type(first))
    if lowering is None:
        return op
    code = Code(first.location)
    lowering(code, first, op)
    return code.finished(bool(op.attributes.get(OUTLINED)))
