"""A lowered function as an MLIR module for the Scalable Matrix Extension.

Where there is vector code, the function that executes work-groups is a streaming function, with a ZA state of its own
if there are tiles. Its caller is a normal function, because the function with the C interface may not be a streaming
one, nor may its caller be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...passes.targets.vector import SCALE, Code
from .streaming_views import VIEW_CODE
from .tiles import TILE_CODE
from .vector_groups import WITH_GROUPS, WITHOUT_GROUPS
from .vector_rows import ROW_CODE
from .vectors import VectorEmitter


class StreamingEmitter(VectorEmitter):
    """Writes one function with streaming vectors and tiles."""

    @property
    def groups_attributes(self) -> dict[str, Any]:
        return {**dict.fromkeys(self._modes(), True), **self._length()}

    def _length(self) -> dict[str, Any]:
        """The length of vectors, where the code is for one: LLVM has the least and the largest in one number."""
        codes = [op for op in self.function.walk_through_calls() if isinstance(op, Code)]
        scale = next((op.attributes[SCALE] for op in codes if SCALE in op.attributes), None)
        return {} if scale is None else {"passthrough": (("vscale_range", str(scale << 32 | scale)),)}

    def _modes(self) -> Sequence[str]:
        """The modes of the processor that the code needs."""
        operations = list(self.function.walk())
        if any(type(op) in TILE_CODE or type(op) in ROW_CODE for op in operations):
            return "arm_streaming", "arm_new_za"
        return ["arm_streaming"] if any(isinstance(op, Code) for op in operations) else []

    @property
    def called_attributes(self) -> dict[str, Any]:
        # numbers are the same in both modes, and tiles are left alone: nothing has to be saved around a call
        modes = {"arm_streaming": "arm_streaming_compatible", "arm_new_za": "arm_preserves_za"}
        inherited = super().called_attributes
        flags = (*inherited["passthrough"], *self._length().get("passthrough", ()))
        return {**inherited, **{modes[word]: True for word in self._modes()}, "passthrough": flags}


class GroupEmitter(StreamingEmitter):
    """Writes one function with SME2's instructions on several vectors, too."""


StreamingEmitter.table = {**VectorEmitter.table, **TILE_CODE, **VIEW_CODE, **WITHOUT_GROUPS}
GroupEmitter.table = {**StreamingEmitter.table, **WITH_GROUPS, **ROW_CODE}
