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
    explanation="It unrolls everything but long sums, so that large matrices become more than a compiler bears.",
)


def multiply_adds(op: CooperativeMatrixMulAdd, steps: int, lanes: int) -> int:
    """How many multiply-adds of real numbers a work-item does for some steps of a product's sum."""
    type_ = op.result.type
    return steps * type_.columns * rows_of(type_, lanes) * (4 if type_.component.is_complex else 1)


def check_size(op: Operation, lanes: int, unrolled: int, steps_at_once: int = 0) -> None:
    """Refuse an instruction that would become too many instructions.

    Of a product's sum, a matrix unit does so many steps at once; more multiply-adds than `unrolled` are loops.
    """
    count = 0
    for value in (*op.operands, *op.results):
        if isinstance(value.type, CoopMatrixType):
            count = max(count, components_of(value.type, lanes))
    if isinstance(op, CooperativeMatrixMulAdd):
        inner, columns = op.B.type.shape
        whole = inner // steps_at_once if steps_at_once else 0
        left = inner - whole * steps_at_once
        if multiply_adds(op, left, lanes) > unrolled:
            left = -(-left // lanes)
            count = left * lanes * rows_of(op.A.type, lanes)  # numbers that take turns
        count += (whole + left) * columns * (1 + 2 * rows_of(op.A.type, lanes))
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
