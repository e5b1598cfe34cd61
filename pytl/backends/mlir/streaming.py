"""A lowered function as an MLIR module for the Scalable Matrix Extension.

Where there is vector code, the function that executes work-groups is a streaming function, with a ZA state of its own
if there are tiles. Its caller is a normal function, because the function with the C interface may not be a streaming
one, nor may its caller be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import Type, VectorTileType
from ...ir.values import Function
from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import I64
from ...mlir.text.types import Type as MlirType
from ...ops import For
from ...ops.constants import constant_of
from ...passes.targets import vector, vector_rows, vector_tiles
from .streaming_views import VIEW_CODE
from .tile_registers import REGISTER_CODE, Registers
from .tiles import TILE_CODE
from .vector_groups import WITH_GROUPS, WITHOUT_GROUPS
from .vector_rows import ROW_CODE
from .vectors import VectorEmitter


class StreamingEmitter(VectorEmitter):
    """Writes one function with streaming vectors and tiles.

    Where the length of vectors is left to the run time, `of_length` may be the same function for one length. It is
    called where vectors have that.
    """

    def __init__(
        self, function: Function, of_length: Function | None = None, to: Builder | None = None, suffix: str = ""
    ) -> None:
        super().__init__(function, to=to, suffix=suffix)
        self.of_length: StreamingEmitter | None = None
        if of_length is not None:
            bits = vector.SEGMENT * (scale_of(of_length) or 1)
            self.of_length = type(self)(of_length, None, self.to, f"_{bits}")

    def write_called(self) -> None:
        super().write_called()
        if self.of_length is not None:
            self.of_length.write_groups()
            self.of_length.write_called()
            self.numbers.called.update(self.of_length.numbers.called)

    def call_groups(self, passed: Sequence[Value]) -> None:
        if self.of_length is None:
            super().call_groups(passed)
            return
        # what this is called from is in no streaming mode, in which vectors have their lengths
        doubles = self.to.op("llvm.call_intrinsic", type=I64, hint="doubles", intrin="llvm.aarch64.sme.cntsd")
        expected = self.to.constant(2 * (scale_of(self.of_length.function) or 0), I64)
        with self.to.branch(self.to.op("arith.cmpi", doubles, expected, predicate="eq")) as branch:
            self.of_length.call_groups(passed)
        with branch.otherwise():
            super().call_groups(passed)

    @property
    def groups_attributes(self) -> dict[str, Any]:
        return {**dict.fromkeys(self._modes(), True), **self._length()}

    def _length(self) -> dict[str, Any]:
        """The length of vectors, where the code is for one: LLVM has the least and the largest in one number."""
        scale = scale_of(self.function)
        return {} if scale is None else {"passthrough": (("vscale_range", str(scale << 32 | scale)),)}

    def _modes(self) -> Sequence[str]:
        """The modes of the processor that the code needs."""
        operations = list(self.function.walk())
        if any(type(op) in _ON_ZA for op in operations):
            return "arm_streaming", "arm_new_za"
        return ["arm_streaming"] if any(isinstance(op, vector.Code) for op in operations) else []

    @property
    def called_attributes(self) -> dict[str, Any]:
        # numbers are the same in both modes, and tiles are left alone: nothing has to be saved around a call
        modes = {"arm_streaming": "arm_streaming_compatible", "arm_new_za": "arm_preserves_za"}
        inherited = super().called_attributes
        flags = (*inherited["passthrough"], *self._length().get("passthrough", ()))
        return {**inherited, **{modes[word]: True for word in self._modes()}, "passthrough": flags}


def scale_of(function: Function) -> int | None:
    """How many segments of 128 bits vectors have, where a function is for one length."""
    codes = [op for op in function.walk_through_calls() if isinstance(op, vector.Code)]
    return next((op.attributes[vector.SCALE] for op in codes if vector.SCALE in op.attributes), None)


def has_known_masks(function: Function) -> bool:
    """Whether a function has outer products, and it is known for each of these how much of its tile it fills."""
    products = [op for op in function.walk_through_calls() if isinstance(op, vector_tiles.Outer)]
    masks = [mask for op in products for mask in (op.row_mask, op.column_mask) if mask is not None]
    return bool(products) and all(constant_of(getattr(mask.owner, "count", mask)) is not None for mask in masks)


class GroupEmitter(StreamingEmitter):
    """Writes one function with SME2's instructions on several vectors, too, and with tiles in known registers."""

    def __init__(
        self, function: Function, of_length: Function | None = None, to: Builder | None = None, suffix: str = ""
    ) -> None:
        super().__init__(function, of_length, to, suffix)
        self.registers = Registers()

    def parts(self, type_: Type) -> Sequence[MlirType]:
        return [] if isinstance(type_, VectorTileType) else super().parts(type_)


_ON_ZA = {*TILE_CODE, *ROW_CODE, *REGISTER_CODE} - {For, vector_rows.Join, vector_rows.LoadSegment}
"""The instructions that need ZA."""
StreamingEmitter.table = {**VectorEmitter.table, **TILE_CODE, **VIEW_CODE, **WITHOUT_GROUPS}
GroupEmitter.table = {**StreamingEmitter.table, **WITH_GROUPS, **ROW_CODE, **REGISTER_CODE}
