"""Loads and stores of two or four vectors that lie side by side: by one instruction of SME2, or each by its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ir.types import VectorType
from ...ir.values import Value as IrValue
from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import I32, I64, Opaque, ScalableVector
from ...ops.constants import constant_of
from ...passes.targets import vector
from . import types, vector_memory
from .emit import Emitter, hint_of
from .lanes import part_of
from .memory import POINTER
from .streaming_views import opaque
from .vectors import bind_loaded, in_memory

_COUNTER = Opaque('!llvm.target<"aarch64.svcount">')
"""A mask of several vectors, which has the number of active lanes."""
_GROUPS = (2, 4)


def load(emitter: Emitter, op: vector.Load) -> None:
    """A load for machines without SME2."""
    count = _count(op)
    if not (count and op.attributes.get(vector.APART)) or op.mask is None:
        vector_memory.load(emitter, op)
        return
    one, (mask,) = _one(op, count), emitter.number(op.mask)
    lanes = one.shape[0]
    masks = [part_of(emitter.to, mask, n * lanes, lanes, "mask") for n in range(count)]
    _bind(emitter, op, [_load_at(emitter, op, n * lanes, each, one) for n, each in enumerate(masks)])


def _load_at(emitter: Emitter, op: vector.Load, lane: int, mask: Value, one: ScalableVector) -> Value:
    """A vector of a load, which begins with a lane.

    LLVM is kept from seeing how the addresses of lines differ while it chooses those of a loop. As it takes registers
    for dearer than additions, it would add to the address of each line in each iteration.
    """
    to, (first, *others) = emitter.to, [emitter.single(value) for value in op.indices]
    memref, zero = emitter.memref(op.tensor), to.constant(0)
    if lane:
        length = to.op("arith.muli", to.once("vector.vscale", hint="vscale"), to.constant(lane))
        first = to.op("arith.addi", first, length, hint="at")
    (column,) = emitter.memory.addresses(memref, [first, *(zero for _ in others)])
    column = to.op("llvm.ptrtoint", opaque(emitter, column), type=I64)
    line = to.op("arith.index_cast", emitter.memory.distance(memref, [zero, *others]), type=I64)
    place = to.op("llvm.inttoptr", to.op("arith.addi", column, line), type=POINTER, hint="place")
    intrinsic = f"llvm.aarch64.sve.ld1.{name_of(one)}"
    return to.op("llvm.call_intrinsic", [mask, opaque(emitter, place)], type=one, intrin=intrinsic)


def load_group(emitter: Emitter, op: vector.Load) -> None:
    """A load for machines with SME2."""
    to, count = emitter.to, _count(op)
    if not count or not (op.mask is None or isinstance(op.mask.owner, vector.Mask)):
        vector_memory.load(emitter, op)
        return
    one = _one(op, count)
    operands = counter(emitter, op.mask, op.tensor.type.element.size, count), place_of(emitter, op)
    name = f"llvm.aarch64.sve.ld1.pn.x{count}.{name_of(one)}"
    _bind(emitter, op, vectors_of(to, name, operands, one, count, "vectors"))


def store_group(emitter: Emitter, op: vector.Store) -> None:
    """A store for machines with SME2."""
    count = _count(op)
    if not count or not (op.mask is None or isinstance(op.mask.owner, vector.Mask)):
        vector_memory.store(emitter, op)
        return
    (value,), one = in_memory(emitter, op.vector), _one(op, count)
    vectors = [part_of(emitter.to, value, n * one.shape[0], one.shape[0]) for n in range(count)]
    operands = *vectors, counter(emitter, op.mask, op.tensor.type.element.size, count), place_of(emitter, op)
    emitter.to.do("llvm.call_intrinsic", operands, intrin=f"llvm.aarch64.sve.st1.pn.x{count}.{name_of(one)}")


def _count(op: vector.Load | vector.Store) -> int:
    """How many vectors are moved; 0 where there is no instruction for so many, or for what is between them."""
    type_, tensor = _moved(op), op.tensor.type
    count = 8 * tensor.element.size * type_.lanes // vector.SEGMENT
    # of complex numbers, a register may have parts or numbers: they are moved one by one
    is_line = op.mode == 0 and tensor.strides[0] == 1 and not tensor.element.is_complex
    return count if type_.is_scalable and is_line and count in _GROUPS else 0


def _moved(op: vector.Load | vector.Store) -> VectorType:
    """The type of what is moved."""
    type_ = op.result.type if isinstance(op, vector.Load) else op.vector.type
    assert isinstance(type_, VectorType)
    return type_


def _one(op: vector.Load | vector.Store, count: int) -> ScalableVector:
    """The type of each vector."""
    type_ = types.lanes(_moved(op).lanes // count, types.element(op.tensor.type.element), True)
    assert isinstance(type_, ScalableVector)
    return type_


def name_of(type_: ScalableVector) -> str:
    """A type as a part of an intrinsic's name."""
    return f"nxv{type_.shape[0]}{type_.element}"


def vectors_of(
    to: Builder, name: str, operands: Sequence[Value], one: ScalableVector, count: int, hint: str = "v"
) -> list[Value]:
    """So many vectors of a type, which an intrinsic gives together."""
    together = Opaque(f"!llvm.struct<({', '.join([str(one)] * count)})>", attributes=(one,) * count)
    found = to.op("llvm.call_intrinsic", operands, type=together, hint=hint, intrin=name)
    return [to.op("llvm.extractvalue", found, type=one, position=(n,)) for n in range(count)]


def place_of(emitter: Emitter, op: Any) -> Value:
    """The address of the first lane."""
    return emitter.memory.addresses(emitter.memref(op.tensor), [emitter.single(value) for value in op.indices])[0]


def _bind(emitter: Emitter, op: vector.Load, vectors: list[Value]) -> None:
    """Set the result of a load, which is all vectors together."""
    bind_loaded(emitter, op.result, (joined(emitter, vectors, op.result),))


def joined(emitter: Emitter, vectors: Sequence[Value], result: IrValue) -> Value:
    """Vectors one behind the other, with all lanes of a result."""
    one, lanes = vectors[0].type, result.type.lanes
    assert isinstance(one, ScalableVector)
    type_ = types.lanes(lanes, one.element, True)
    whole = emitter.to.once("llvm.mlir.poison", type=type_, hint="none")
    for n, each in enumerate(vectors):
        first = n * lanes // len(vectors)
        whole = emitter.to.op("vector.scalable.insert", each, whole, type=type_, hint=hint_of(result), pos=first)
    return whole


def counter(emitter: Emitter, mask: IrValue | None, size: int, count: int) -> Value:
    """The mask of a load or a store of so many vectors, whose elements have so many bytes."""
    to, suffix = emitter.to, f"c{8 * size}"
    if mask is None:
        return to.once("llvm.call_intrinsic", type=_COUNTER, hint="all", intrin=f"llvm.aarch64.sve.ptrue.{suffix}")
    lanes = mask.owner
    assert isinstance(lanes, vector.Mask)
    known = constant_of(lanes.count)
    if known is None:
        end = to.op("arith.index_cast", emitter.single(lanes.count), type=I64)
    else:
        end = to.constant(known, I64)
    operands, name = [to.constant(0, I64), end, to.constant(count, I32)], f"llvm.aarch64.sve.whilelt.{suffix}"
    return to.op("llvm.call_intrinsic", operands, type=_COUNTER, hint="counted", intrin=name)


WITHOUT_GROUPS: Mapping[type[Any], Any] = {vector.Load: load}
WITH_GROUPS: Mapping[type[Any], Any] = {vector.Load: load_group, vector.Store: store_group}
