"""vectorize: the instructions of each `cpu.kernel` as vector code.

What the passes before it have decided (register tiles, loop order, unrolling, software prefetch) is written into the
IR here, as loops and instructions on vectors. What emits code for a machine decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..ir.meanings import Meanings, no_meaning
from ..ir.operation import Operation
from ..ir.values import Function, Region
from ..ops import Axpby, Cumsum, Foreach, Gemm, Gemv, Sum
from .manager import Pass, register
from .targets import cpu, vector
from .targets.cpu_attributes import OUTLINED
from .vectors import cumsums, points, prefetches, products, sums, transposition
from .vectors.code import Code

_LOWERINGS: Meanings[type[Operation], Callable[[Code, Any, cpu.Kernel], None]] = Meanings(
    "vectorize",
    {
        Axpby: transposition.write,
        Cumsum: cumsums.write,
        Foreach: points.foreach,
        Gemm: products.write,
        Gemv: sums.write,
        Sum: sums.write,
    },
)
"""The lowering of a kernel, by its first instruction that is not registers."""


@register
@dataclass(frozen=True)
class Vectorize(Pass):
    """Makes a `vector.code` of every `cpu.kernel`, and of every `cpu.prefetch` between kernels."""

    name = "vectorize"
    of_called = True

    def run(self, function: Function) -> None:
        _vectorize(function.body)


def _vectorize(region: Region) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        if isinstance(op, cpu.Kernel):
            op = _vectorized(op)
        elif isinstance(op, cpu.Prefetch):
            op = _prefetching(op)
        else:
            for inner in op.regions:
                _vectorize(inner)
        operations.append(op)
    region.operations = operations


def _prefetching(op: cpu.Prefetch) -> vector.Code:
    """Software prefetch between kernels."""
    code = Code(op.location)
    prefetches.write(code, op)
    return code.finished()


def _vectorized(op: cpu.Kernel) -> vector.Code:
    first, *others = (inner for inner in op.body.operations if not isinstance(inner, cpu.Registers))
    admitted = (Gemm, Foreach, cpu.Prefetch) if isinstance(first, Gemm) else ()
    for inner in others:
        if not isinstance(inner, admitted):
            no_meaning(f"vectorize, a kernel that begins with {first.word}", inner.word)
    code = Code(first.location)
    _LOWERINGS[type(first)](code, first, op)
    return code.finished(bool(op.attributes.get(OUTLINED)))
