"""What the work-items of a sub-group do together, by shuffles of their registers."""

from __future__ import annotations

from ...ir.meanings import Meanings
from ...ir.types import ScalarType, compute_type, index
from ...mlir.text.builder import Value
from ...mlir.text.types import I1, I32, I64
from ...ops import SubgroupBroadcast, SubgroupOperation
from ...ops.constants import integer_bounds
from ...passes.targets.vector import Exchange
from ..mlir import types
from ..mlir.emit import Emitter
from ..mlir.numbers import Number
from .work_items import WorkItem

_COMBINES = Meanings("the xegpu backend", {"subgroup_add": "add", "subgroup_max": "max", "subgroup_min": "min"})
"""The arithmetic of an operation of sub-groups."""


def broadcast(emitter: Emitter, here: WorkItem, op: SubgroupBroadcast) -> Number:
    """The value of one work-item."""
    return _shuffled(emitter, here, "idx", emitter.number(op.a), op.a.type, emitter.single(op.local_id))


def exchange(emitter: Emitter, here: WorkItem, op: Exchange) -> Number:
    """The value of the work-item whose number differs in some bits."""
    return _shuffled(emitter, here, "xor", emitter.number(op.a), op.a.type, emitter.to.constant(op.bits, I32))


def combine(emitter: Emitter, here: WorkItem, op: SubgroupOperation) -> Number:
    """A reduction or a scan in steps of doubled distance; f16 and bf16 are computed in f32 and rounded once."""
    type_: ScalarType = op.a.type
    wide = compute_type(type_)
    value = emitter.numbers.cast(emitter.number(op.a), type_, wide)
    variant = _COMBINES[op.mnemonic]
    distances = [1 << step for step in range(here.lanes.bit_length() - 1)]
    if op.variant == "reduce":
        for distance in distances:
            other = _shuffled(emitter, here, "xor", value, wide, emitter.to.constant(distance, I32))
            value = emitter.numbers.binary(variant, value, other, wide)
        return emitter.numbers.cast(value, wide, type_)
    for distance in distances:
        other = _shuffled(emitter, here, "up", value, wide, emitter.to.constant(distance, I32))
        value = _where_from(emitter, here, distance, emitter.numbers.binary(variant, other, value, wide), value)
    if op.variant == "exclusive_scan":
        before = _shuffled(emitter, here, "up", value, wide, emitter.to.constant(1, I32))
        value = _where_from(emitter, here, 1, before, emitter.numbers.constant(_identity(variant, wide), wide))
    return emitter.numbers.cast(value, wide, type_)


def _identity(variant: str, type_: ScalarType) -> int | float:
    if variant == "add":
        return 0 if type_.is_integer else 0.0
    if type_.is_integer:
        _, most = integer_bounds(type_)
        return -most - 1 if variant == "max" else most
    return float("-inf") if variant == "max" else float("inf")


def _where_from(emitter: Emitter, here: WorkItem, first: int, value: Number, other: Number) -> Number:
    """The first value in work-items from a number on, the other in those before."""
    to = emitter.to
    is_later = to.op("arith.cmpi", here.lane(), to.constant(first), predicate="uge")
    return tuple(to.op("arith.select", is_later, a, b) for a, b in zip(value, other))


def _shuffled(emitter: Emitter, here: WorkItem, mode: str, value: Number, type_: ScalarType, lane: Value) -> Number:
    """The value of another work-item: of a number, or at a distance."""
    to, own = emitter.to, types.register(type_)
    # shuffles are of 32 and 64 bits
    carrier = I64 if type_ == index else I32 if own.name in ("i8", "i16") else own
    widen, narrow = ("index_cast", "index_cast") if type_ == index else ("extsi", "trunci")
    width, shuffled = to.constant(here.lanes, I32), []
    for part in value:
        carried = part if carrier == own else to.op(f"arith.{widen}", part, type=carrier)
        results = [(to.fresh("other"), carrier), (to.fresh("valid"), I1)]
        other, _ = to.each("gpu.shuffle", carried, lane, width, results=results, mode=mode)
        shuffled.append(other if carrier == own else to.op(f"arith.{narrow}", other, type=own))
    return tuple(shuffled)
