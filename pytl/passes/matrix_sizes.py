"""How many instructions `lower-coopmatrix` may make of one."""

from __future__ import annotations

from ..diagnostics import PytlError, Rule
from ..ir.operation import Operation
from ..ir.types import CoopMatrixType
from ..ops import CooperativeMatrixApply, CooperativeMatrixMulAdd, CooperativeMatrixReduce
from ..ops.matrix_components import components_of, rows_of

LARGEST = 100_000
"""The largest number of instructions that one instruction on matrices may become."""
TOO_LARGE = Rule(
    "PYTL-3003",
    f"lower-coopmatrix makes at most {LARGEST:,} instructions of one",
    "Passes",
    explanation="It unrolls everything, so that large matrices become more than a compiler bears.",
)


def check_size(op: Operation, lanes: int, steps_at_once: int = 0) -> None:
    """Refuse an instruction that would become too many instructions.

    Of a product's sum, a matrix unit does so many steps at once.
    """
    count = 0
    for value in (*op.operands, *op.results):
        if isinstance(value.type, CoopMatrixType):
            count = max(count, components_of(value.type, lanes))
    if isinstance(op, CooperativeMatrixMulAdd):
        inner, columns = op.B.type.shape
        if steps_at_once:
            inner = inner // steps_at_once + inner % steps_at_once
        count = inner * columns * (1 + 2 * rows_of(op.A.type, lanes))
    if isinstance(op, CooperativeMatrixApply):
        count *= sum(1 for _ in op.body.walk())
    if isinstance(op, CooperativeMatrixReduce):
        count = op.a.type.rows * op.a.type.columns * 2
    if count > LARGEST:
        raise PytlError.single(
            TOO_LARGE,
            f"{op.display_name} would become {count:,} instructions",
            op.location,
            "use smaller matrices, and loops over them",
        )
