"""A lowered function as an MLIR module for the Scalable Matrix Extension.

The function that executes work-groups is a streaming one with a state of ZA that is its own; what calls it is plain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops import Axpby, Cumsum, Gemm, Gemv, Ger, Hadamard, Sum, Update
from ..mlir.emit import Emitter
from .elementwise import elementwise, is_elementwise
from .gemm import gemm, product_of
from .sums import is_sum, sums


def has_code(op: Update) -> bool:
    """Whether there is vector or matrix code for an instruction; all others are to be lowered to scalars before."""
    return _code_of(op) is not None


def _code_of(op: Update) -> Callable[..., None] | None:
    if isinstance(op, (Gemm, Ger)) and product_of(op) is not None:
        return gemm
    if isinstance(op, (Gemm, Gemv, Ger, Sum)):
        return sums if is_sum(op) else None
    return elementwise if is_elementwise(op) else None


class ArmEmitter(Emitter):
    """Writes one function with streaming vectors and tiles."""

    groups_attributes = "arm_streaming, arm_new_za"

    def update(self, op: Any) -> None:
        write = _code_of(op)
        assert write is not None, op
        write(self, op)


_UPDATES = (Axpby, Cumsum, Gemm, Gemv, Ger, Hadamard, Sum)

ArmEmitter.table = {**Emitter.table, **dict.fromkeys(_UPDATES, ArmEmitter.update)}
