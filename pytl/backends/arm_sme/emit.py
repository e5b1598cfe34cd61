"""A lowered function as an MLIR module for the Scalable Matrix Extension.

Where there are vectors or tiles, the function that executes work-groups is a streaming function, with a ZA state of its
own if there are tiles. Its caller is a normal function, because the function with the C interface may not be a
streaming one, nor may its caller be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ops import Axpby, Cumsum, Foreach, Gemm, Gemv, Ger, Hadamard, Sum, Update
from ...passes.targets.sme import is_elementwise
from ...passes.targets.vector import Code
from ..mlir.vectors import VectorEmitter
from .elementwise import elementwise
from .foreach import VectorBody, lanes_of
from .sums import sums
from .tiles import TILE_CODE


class ArmEmitter(VectorEmitter):
    """Writes one function with streaming vectors and tiles."""

    @property
    def groups_attributes(self) -> dict[str, Any]:
        return dict.fromkeys(self._modes(), True)

    def _modes(self) -> Sequence[str]:
        """The modes of the processor that the code needs."""
        operations = list(self.function.walk())
        updates = [op for op in operations if isinstance(op, (Update, Code))]
        if any(type(op) in TILE_CODE for op in operations):
            return "arm_streaming", "arm_new_za"
        has_vectors = updates or any(isinstance(op, Foreach) and lanes_of(op) for op in operations)
        return ["arm_streaming"] if has_vectors else []

    @property
    def called_attributes(self) -> dict[str, Any]:
        # numbers are the same in both modes, and tiles are left alone: nothing has to be saved around a call
        modes = {"arm_streaming": "arm_streaming_compatible", "arm_new_za": "arm_preserves_za"}
        return super().called_attributes | {modes[word]: True for word in self._modes()}

    def foreach(self, op: Foreach) -> None:
        if not lanes_of(op):
            super().foreach(op)
            return
        body = VectorBody(self, op)
        stop = self.as_index(op.stop[0])
        with self.points(op, body.vectors.length()) as point:
            for variable, at in zip(op.variables, point):
                self.bind_variable(variable, at)
            body.write(point[0], stop)

    def update(self, op: Any) -> None:
        if is_elementwise(op):
            elementwise(self, op)
        else:
            sums(self, op)


_UPDATES = (Axpby, Cumsum, Gemm, Gemv, Ger, Hadamard, Sum)

ArmEmitter.table = {
    **VectorEmitter.table,
    **TILE_CODE,
    Foreach: ArmEmitter.foreach,
    **dict.fromkeys(_UPDATES, ArmEmitter.update),
}
