"""vectorize: the instructions of each `cpu.kernel` as vector code.

What the passes before it have decided (register tiles, loop order, unrolling, software prefetch) is written into the
IR here, as loops and instructions on vectors. What emits code for a machine decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..ir.meanings import no_meaning
from ..ir.operation import Operation
from ..ir.values import Function, Region
from ..ops import Axpby, Cumsum, Gemm, Gemv, Sum
from .manager import Pass, register
from .targets import cpu
from .targets.cpu_attributes import OUTLINED
from .vectors import cumsums, sums, transposition
from .vectors.code import Code

_LOWERINGS: dict[type[Operation], Callable[[Code, Any, cpu.Kernel], None]] = {
    Axpby: transposition.write,
    Cumsum: cumsums.write,
    Gemv: sums.write,
    Sum: sums.write,
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
    first, *others = (inner for inner in op.body.operations if not isinstance(inner, cpu.Registers))
    lowering = _LOWERINGS.get(type(first))
    if lowering is None:
        return op
    if others and not isinstance(first, Gemm):
        no_meaning("vector code, a kernel without products", others[0].word)
    code = Code(first.location)
    lowering(code, first, op)
    return code.finished(bool(op.attributes.get(OUTLINED)))
