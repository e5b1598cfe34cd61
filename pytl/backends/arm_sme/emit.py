"""A lowered function as an MLIR module for the Scalable Matrix Extension.

The function that executes work-groups is a streaming one with a state of ZA that is its own; what calls it is plain.
"""

from __future__ import annotations

from typing import Any

from ...ops import Gemm, Ger, Update
from ..mlir.emit import Emitter
from .gemm import gemm, product_of


def has_code(op: Update) -> bool:
    """Whether there is vector or matrix code for an instruction; all others are to be lowered to scalars before."""
    if isinstance(op, (Gemm, Ger)):
        return product_of(op) is not None
    return False


class ArmEmitter(Emitter):
    """Writes one function with streaming vectors and tiles."""

    groups_attributes = "arm_streaming, arm_new_za"

    def product(self, op: Any) -> None:
        left, right = (self.memref(getattr(op, name)) for name in op.factors)
        gemm(self.to, op, self.number(op.alpha), left, right, self.number(op.beta), self.memref(op.updated))


ArmEmitter.table = {
    **Emitter.table,
    Gemm: ArmEmitter.product,
    Ger: ArmEmitter.product,
}
