"""vectorize: the instructions of each `cpu.kernel` as vector code.

What the passes before it have decided (register tiles, loop order, unrolling, software prefetch) is written into the
IR here, as loops and instructions on vectors. What emits code for a machine decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..diagnostics.location import Location
from ..ir.meanings import Meanings, no_meaning
from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Axpby, Cumsum, Foreach, Gemm, Gemv, Sum, Update
from ..process.records import dataclass
from .analysis.known import Known
from .manager import Pass, register
from .targets import cpu, vector
from .targets.cpu_attributes import IN_ORDER, OUTLINED
from .targets.group_lanes import InLanes
from .targets.machine import DEFAULT, Machine
from .targets.outer_products import OuterProducts
from .targets.sme import is_elementwise, is_vector_sum, lanes_of_points
from .targets.strategies import STRATEGY
from .targets.vector_forms import multiply_one_matrix
from .vectors import (
    cumsums,
    group_lanes,
    lines,
    outer_products,
    points,
    prefetches,
    products,
    roots,
    sums,
    transposition,
)
from .vectors.code import Code
from .vectors.past_caches import store_past_caches

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
    """Makes a `vector.code` of every `cpu.kernel`, and of every `cpu.prefetch` between kernels, for a machine.

    With `streaming`, of every `cpu.outer_products` and of what else has code for Arm's matrix extension, with scalable
    vectors and tiles. `bits` is the vectors' length where it is known; otherwise the code is right for all lengths.
    With `rows`, there are SME2's instructions that add to several vectors of ZA. With `calls_for_casts`, what compiles
    the code calls functions for casts between integers of 64 bits and floats, so that formulas stand in their place.
    """

    name = "vectorize"
    of_called = True
    machine: Machine = DEFAULT
    streaming: bool = False
    bits: int = 0
    rows: bool = False
    calls_for_casts: bool = False

    def run(self, function: Function) -> None:
        scale = self.bits // vector.SEGMENT or None
        work = _Vectorizing(function, self.machine, self.streaming, scale, self.rows, self.calls_for_casts)
        function.body.operations = work.vectorized(function.body)


class _Vectorizing:
    """Makes vector code of the instructions of a function."""

    def __init__(
        self,
        function: Function,
        machine: Machine,
        is_streaming: bool,
        scale: int | None,
        has_rows: bool,
        calls_for_casts: bool,
    ) -> None:
        self.function, self.machine, self.calls_for_casts = function, machine, calls_for_casts
        self.known = Known(function)
        self.is_streaming, self.scale, self.has_rows = is_streaming, scale, has_rows
        self.front: list[Operation] = []
        """What has to be done in front of the loop over work-groups."""
        self.packed_once: dict[Any, Value] = {}
        """Panels that are packed there."""
        self.of_groups: Region | None = None
        """What is executed for each work-group, where that is a loop."""
        self.end: list[Operation] = []
        """What has to be done behind it."""

    def vectorized(self, region: Region) -> list[Operation]:
        if not self.is_streaming and self.function.attributes.get(STRATEGY) == "one-item":
            roots.write_instruction(region)
        operations: list[Operation] = []
        for op in region.operations:
            if isinstance(op, cpu.Items):
                self.of_groups = op.body
            made = self._streaming(op) if self.is_streaming else self._for_processors(op)
            if not made:
                for inner in op.regions:
                    inner.operations = self.vectorized(inner)
            made = made or [op]
            if isinstance(op, cpu.Items):
                made = [*self.front, *made, *self.end]
                if op.attributes.get(cpu.PAST_CACHES):
                    made += store_past_caches(self.function, op, self.machine.caches.line)
            operations += made
        return operations

    def _streaming(self, op: Operation) -> list[Operation]:
        """An instruction as vector code for Arm's matrix extension, with what is in front of it; or nothing."""
        code = Code(op.location, True, self.scale, self.has_rows, self.machine)
        lanes = lanes_of_points(op) if isinstance(op, Foreach) else 0
        allocas: list[Operation] = []
        if isinstance(op, OuterProducts):
            for panels in outer_products.write(code, op, self.packed_once, self.of_groups):
                allocas += panels.allocas
                self.front += panels.front
                self.end += panels.end
        elif isinstance(op, Update) and (is_vector_sum(op) or is_elementwise(op)):
            lines.write(code, op)
        elif lanes:
            points.in_lines(code, op, lanes)  # type: ignore[arg-type]
        else:
            return []
        return [*allocas, code.finished()]

    def _for_processors(self, op: Operation) -> list[Operation]:
        """What the passes before this one have decided on as vector code; or nothing."""
        if isinstance(op, cpu.Kernel):
            return [_vectorized(op, self._code(_first(op).location))]
        if isinstance(op, (cpu.Prefetch, InLanes)):
            code = self._code(op.location)
            (group_lanes if isinstance(op, InLanes) else prefetches).write(code, op)
            return [code.finished()]
        return []

    def _code(self, location: Location | None) -> Code:
        """Code for processors, without what makes vectors of any length."""
        return Code(location, machine=self.machine, known=self.known, calls_for_casts=self.calls_for_casts)


def _first(op: cpu.Kernel) -> Operation:
    return next(inner for inner in op.body.operations if not isinstance(inner, cpu.Registers))


def _vectorized(op: cpu.Kernel, code: Code) -> vector.Code:
    first, *others = (inner for inner in op.body.operations if not isinstance(inner, cpu.Registers))
    admitted = (Gemm, Foreach, cpu.Prefetch) if isinstance(first, Gemm) else (cpu.Prefetch,)
    for inner in others if not multiply_one_matrix([first, *others]) else ():
        if not isinstance(inner, admitted):
            no_meaning(f"vectorize, a kernel that begins with {first.word}", inner.word)
    is_in_order = isinstance(first, Gemm) and op.attributes.get(IN_ORDER)
    (sums.write_product if is_in_order else _LOWERINGS[type(first)])(code, first, op)
    return code.finished(bool(op.attributes.get(OUTLINED)))
