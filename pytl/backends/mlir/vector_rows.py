"""Vector code on several vectors of ZA, by instructions of SME2: one function for each, which decides nothing.

MLIR's dialect has no operation for them, so these are calls of LLVM's intrinsics. The vectors are those of one group,
whose first is number 0 of ZA: what adds to it is in the order of the text. No value stands for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...ir.types import VectorType
from ...ir.values import Value as IrValue
from ...mlir.text.builder import Value
from ...mlir.text.types import I32, ScalableVector
from ...passes.targets import vector_rows as rows
from . import types
from .emit import Emitter
from .lanes import part_of
from .vector_groups import joined, name_of, place_of, vectors_of
from .vectors import bind_loaded, in_memory

ALL_OF_ZA = 0xFF
"""The mask of all its tiles."""
_BYTES = {4: 32, 8: 64}
"""The number in the names of additions, by the bytes of an element."""


def zero(emitter: Emitter, op: Any) -> None:
    emitter.to.do("llvm.call_intrinsic", [emitter.to.constant(ALL_OF_ZA, I32)], intrin="llvm.aarch64.sme.zero")
    emitter.bind(op.result, ())


def from_rows(emitter: Emitter, op: rows.FromRows) -> None:
    _do(emitter, op, f"write.vg1x{op.tile.type.rows}", _rows_of(emitter, op, op.vector))


def all_rows(emitter: Emitter, op: rows.Rows) -> None:
    type_ = _register(op.tile.type.row)
    count = op.tile.type.rows
    name = f"llvm.aarch64.sme.read.vg1x{count}.{name_of(type_)}"
    vectors = vectors_of(emitter.to, name, [_first(emitter)], type_, count)
    bind_loaded(emitter, op.result, (joined(emitter, vectors, op.result),))


def add(emitter: Emitter, op: rows.AddRows) -> None:
    bits = _BYTES[op.tile.type.element.size]
    _do(emitter, op, f"add.za{bits}.vg1x{op.tile.type.rows}", _rows_of(emitter, op, op.a))


def fma(emitter: Emitter, op: rows.FmaRows) -> None:
    is_same = op.b.type == op.tile.type.row
    factors = list(in_memory(emitter, op.b)) if is_same else _rows_of(emitter, op, op.b)
    name = f"fmla.{'single.' if is_same else ''}vg1x{op.tile.type.rows}"
    _do(emitter, op, name, [*_rows_of(emitter, op, op.a), *factors])


def fma_lane(emitter: Emitter, op: rows.FmaRowsLane) -> None:
    lane = emitter.to.constant(op.lane, I32)
    operands = [*_rows_of(emitter, op, op.a), *in_memory(emitter, op.segment), lane]
    _do(emitter, op, f"fmla.lane.vg1x{op.tile.type.rows}", operands)


def load_segment(emitter: Emitter, op: rows.LoadSegment) -> None:
    type_ = _register(op.result.type)
    mask = emitter.to.constant(True, types.lanes(op.result.type.lanes, types.I1, True))
    name = f"llvm.aarch64.sve.ld1rq.{name_of(type_)}"
    loaded = emitter.to.op("llvm.call_intrinsic", [mask, place_of(emitter, op)], type=type_, intrin=name)
    bind_loaded(emitter, op.result, (loaded,))


def join(emitter: Emitter, op: rows.Join) -> None:
    vectors = [in_memory(emitter, value)[0] for value in op.vectors]
    bind_loaded(emitter, op.result, (joined(emitter, vectors, op.result),))


def _register(type_: VectorType) -> ScalableVector:
    """The type of a vector of one register."""
    (found,) = types.vector(type_)
    assert isinstance(found, ScalableVector)
    return found


def _first(emitter: Emitter) -> Value:
    """The number of the first vector."""
    return emitter.to.constant(0, I32)


def _rows_of(emitter: Emitter, op: Any, value: IrValue) -> list[Value]:
    """The vectors of all rows."""
    (whole,), lanes = in_memory(emitter, value), op.tile.type.columns
    return [part_of(emitter.to, whole, n * lanes, lanes) for n in range(op.tile.type.rows)]


def _do(emitter: Emitter, op: Any, name: str, operands: list[Value]) -> None:
    """An instruction that changes the vectors."""
    type_ = _register(op.tile.type.row)
    intrinsic = f"llvm.aarch64.sme.{name}.{name_of(type_)}"
    emitter.to.do("llvm.call_intrinsic", [_first(emitter), *operands], intrin=intrinsic)
    emitter.bind(op.result, ())


ROW_CODE: Mapping[type[Any], Any] = {
    rows.AddRows: add,
    rows.FmaRows: fma,
    rows.FmaRowsLane: fma_lane,
    rows.FromRows: from_rows,
    rows.Join: join,
    rows.LoadSegment: load_segment,
    rows.Rows: all_rows,
}
