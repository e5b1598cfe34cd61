"""Loads and stores of vectors in MLIR: contiguous numbers at once, all others lane by lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.types import MemrefType, VectorType
from ...ir.values import Value as IrValue
from ...mlir.text.builder import Value
from ...mlir.text.types import I64, INDEX, ScalableVector, Vector
from ...ops import Fuse
from ...ops.constants import constant_of
from ...passes.targets import cpu, vector
from ...passes.targets.cpu_attributes import LINE
from . import amx, lanes, types
from .emit import Emitter, hint_of
from .lanes import Parts
from .memory import Index, Memref, numbers_of
from .numbers import Numbers

Access = vector.Load | vector.Store
Active = bool | Value
"""Whether a lane is active, where that is known."""


def load(emitter: Emitter, op: vector.Load) -> None:
    if _is_contiguous(op):
        found = _load_line(emitter, op)
    else:
        found = _load_lanes(emitter, op.tensor, _along(emitter, op), _active(emitter, op), hint_of(op.result))
        if op.has_parts:
            found = (lanes.interleaved(emitter.to, found),)
    emitter.bind(op.result, found)


def store(emitter: Emitter, op: vector.Store) -> None:
    value = emitter.number(op.vector)
    if _is_contiguous(op):
        _store_line(emitter, op, value)
    else:
        if op.has_parts:
            value = lanes.deinterleaved(emitter.to, value[0])
        _store_lanes(emitter, value, op.tensor, _along(emitter, op), _active(emitter, op))


def gather(emitter: Emitter, op: vector.Gather) -> None:
    places = _by_lane(emitter, op.indices, op.result.type.lanes)
    emitter.bind(op.result, _load_lanes(emitter, op.tensor, places, _active(emitter, op), hint_of(op.result)))


def scatter(emitter: Emitter, op: vector.Scatter) -> None:
    places = _by_lane(emitter, op.indices, op.vector.type.lanes)
    _store_lanes(emitter, emitter.number(op.vector), op.tensor, places, _active(emitter, op))


def prefetch(emitter: Emitter, op: vector.Prefetch) -> None:
    memref = emitter.memref(op.tensor)
    place = [emitter.single(value) for value in reversed(op.indices)]
    if memref.type.element.is_complex:
        place.append(emitter.to.constant(0))
    how = {"isWrite": False, "isDataCache": True, "localityHint": op.locality}
    emitter.to.do("memref.prefetch", memref.value, place, **how)


# Stores past the caches.


def _address(emitter: Emitter, tensor: IrValue, place: Sequence[Value], hint: str) -> Value:
    """The address of an element as a number; of a complex one, that of its first part."""
    first, *_ = emitter.memory.addresses(emitter.memref(tensor), place)
    return emitter.to.op("llvm.ptrtoint", first, type=I64, hint=hint)


def begins_at_line(emitter: Emitter, op: cpu.BeginsAtLine) -> None:
    """Whether the memory of a tensor begins at a cache line."""
    to, hint = emitter.to, hint_of(op.result)
    address = _address(emitter, op.tensor, [to.constant(0)] * op.tensor.type.order, "begin")
    over = to.op("arith.remui", address, to.constant(op.attributes[LINE], I64), hint="over")
    emitter.bind(op.result, (to.op("arith.cmpi", over, to.constant(0, I64), predicate="eq", hint=hint),))


def to_line(emitter: Emitter, op: vector.ToLine) -> None:
    """The elements up to the next cache line: what the address lacks of a multiple of a line."""
    to, line, size = emitter.to, op.attributes[LINE], op.tensor.type.element.size
    address = _address(emitter, op.tensor, [emitter.single(value) for value in op.indices], "address")
    lacks = to.op("arith.subi", to.constant(0, I64), address, hint="lacks")
    of_line = to.op("arith.andi", lacks, to.constant(line - 1, I64), hint="lacks")
    elements = to.op("arith.divui", of_line, to.constant(size, I64), hint="to_line")
    emitter.bind(op.result, (to.op("arith.index_cast", elements, type=INDEX, hint=hint_of(op.result)),))


def fence(emitter: Emitter, op: vector.Fence) -> None:
    """Only x86 has such stores."""
    amx.instruction(emitter.to, "sse.sfence")


# Memory of the heap.


def buffer(emitter: Emitter, op: vector.Buffer) -> None:
    type_ = op.result.type
    sizes = [emitter.single(size) for size in reversed(op.sizes)]
    dense = types.dense([n if isinstance(n, int) else None for n in types.sizes(type_)], types.element(type_.element))
    made = emitter.to.op("memref.alloc", sizes, type=dense, hint="buffer", alignment=op.attributes["alignment"])
    value = emitter.to.op("memref.cast", made, type=types.memref(type_), hint=hint_of(op.result))
    emitter.bind(op.result, Memref(value, type_))


def release(emitter: Emitter, op: vector.Release) -> None:
    emitter.to.do("memref.dealloc", emitter.memref(op.buffer).value)


# Views.


def fuse(emitter: Emitter, op: Fuse) -> None:
    """Modes as one, by the memref's types where these say that the modes are contiguous."""
    memref = emitter.memref(op.tensor)
    is_known = _is_known_contiguous(op, memref.type)
    emitter.bind(op.result, _collapsed(emitter, op, memref) if is_known else emitter.memory.fuse(op, memref))


def _is_known_contiguous(op: Fuse, type_: MemrefType) -> bool:
    known = (*type_.strides[op.first : op.last + 1], *type_.shape[op.first : op.last])
    strides = (*type_.strides[: op.first + 1], *type_.strides[op.last + 1 :])
    return bool(op.result.type.strides == strides and all(isinstance(n, int) for n in known))


def _collapsed(emitter: Emitter, op: Fuse, memref: Memref) -> Memref:
    order = memref.type.order
    first, last = order - 1 - op.last, order - 1 - op.first
    alone = [(mode,) for mode in range(len(types.sizes(memref.type)))]
    groups = (*alone[:first], tuple(range(first, last + 1)), *alone[last + 1 :])
    type_, hint = types.memref(op.result.type), op.result.name or f"{memref.name}_view"
    value = emitter.to.op("memref.collapse_shape", memref.value, type=type_, hint=hint, reassociation=groups)
    return Memref(value, op.result.type)


# Contiguous numbers.


def _is_contiguous(op: Access) -> bool:
    # MLIR loads vectors along the first mode alone; along others, the stride is 1 only where those before have size 1
    return bool(op.mode == 0 and op.tensor.type.strides[0] == 1)


def _stored(op: Access) -> Vector | ScalableVector:
    """The type of a vector in memory."""
    type_ = op.in_register
    count = type_.lanes * (2 if op.has_complex_lanes else 1)
    return types.lanes(count, types.element(op.tensor.type.element), type_.is_scalable)


def _numbers(emitter: Emitter, type_: Vector | ScalableVector) -> Numbers:
    """The arithmetic of vectors of a type."""
    return emitter.numbers.of_vectors(type_.shape[0], isinstance(type_, ScalableVector))


def line(emitter: Emitter, op: vector.OnMemory | vector.DotLoaded) -> tuple[Value, list[Value]]:
    """A memref whose last mode has the numbers, and the place of the first."""
    memref, (first, *others) = emitter.memref(op.tensor), op.indices
    at = emitter.bound(first)
    if memref.type.element.is_complex:
        at = 2 * at if isinstance(at, int) else emitter.to.op("arith.addi", at, at, hint="at")
    place = [*(emitter.single(each) for each in reversed(others)), _value(emitter, at)]
    return numbers_of(emitter.to, memref), place


def _mask(emitter: Emitter, op: Access) -> list[Value]:
    """The mask of numbers; nothing where all are active."""
    if op.mask is None:
        return []
    (mask,) = emitter.number(op.mask)
    return [lanes.interleaved(emitter.to, (mask, mask), "mask") if op.has_complex_lanes else mask]


def _load_line(emitter: Emitter, op: vector.Load) -> Parts:
    to, stored, hint = emitter.to, _stored(op), hint_of(op.result)
    place, mask = line(emitter, op), _mask(emitter, op)
    if mask:
        zeros = to.constant(0, stored)
        value = to.op("vector.maskedload", *place, *mask, zeros, type=stored, hint=hint)
    else:
        value = to.op("vector.load", *place, type=stored, hint=hint)
    if op.has_complex_lanes:
        return lanes.deinterleaved(to, value, (f"{hint}_re", f"{hint}_im"))
    return (_numbers(emitter, stored).loaded(value, op.tensor.type.element, hint),)


def _store_line(emitter: Emitter, op: vector.Store, value: Parts) -> None:
    to, stored = emitter.to, _stored(op)
    whole = lanes.interleaved(to, value) if op.has_complex_lanes else value[0]
    number = _numbers(emitter, stored).to_store(whole, op.tensor.type.element)
    place, mask = line(emitter, op), _mask(emitter, op)
    if mask:
        to.do("vector.maskedstore", *place, *mask, number)
    elif vector.NON_TEMPORAL in op.attributes:
        to.do("vector.store", number, *place, nontemporal=True, alignment=op.attributes[vector.NON_TEMPORAL])
    else:
        to.do("vector.store", number, *place)


# Lane by lane.


def _along(emitter: Emitter, op: Access) -> list[list[Value]]:
    """The indices of each element."""
    count = op.vector.type.lanes // (2 if op.has_parts else 1)
    first = [emitter.bound(value) for value in op.indices]
    return [
        [_value(emitter, _plus(emitter, at, lane if mode == op.mode else 0)) for mode, at in enumerate(first)]
        for lane in range(count)
    ]


def _by_lane(emitter: Emitter, indices: Sequence[IrValue], count: int) -> list[list[Value]]:
    """The indices of each lane's element."""

    def index_of(value: IrValue, lane: int) -> Value:
        if isinstance(value.type, VectorType):
            return lanes.lane(emitter.to, emitter.number(value), lane, "at")[0]
        return emitter.single(value)

    return [[index_of(value, lane) for value in indices] for lane in range(count)]


def _active(emitter: Emitter, op: Access | vector.Gather | vector.Scatter) -> Callable[[int], Active]:
    """Whether an element is active, as a function of its number."""
    mask = op.mask
    if mask is None:
        return lambda number: True
    step = 2 if isinstance(op, (vector.Load, vector.Store)) and op.has_parts else 1
    known = constant_of(mask.owner.count) if isinstance(mask.owner, vector.Mask) else None
    if known is not None:
        return lambda number: number * step < known
    bits = emitter.number(mask)
    return lambda number: lanes.lane(emitter.to, bits, number * step, "active")[0]


def _load_lanes(
    emitter: Emitter, tensor: IrValue, places: Sequence[Sequence[Value]], active: Callable[[int], Active], hint: str
) -> Parts:
    """The elements at some places; where they are not active, 0."""
    memref = emitter.memref(tensor)
    return lanes.of_lanes(
        emitter.to, [_load_element(emitter, memref, place, active(lane)) for lane, place in enumerate(places)], hint
    )


def _load_element(emitter: Emitter, memref: Memref, place: Sequence[Value], active: Active) -> Parts:
    if active is True:
        return emitter.memory.load(memref, place)
    zero = emitter.numbers.constant(0, memref.type.element)
    if active is False:
        return zero
    with emitter.to.branch(active, [part.type for part in zero]) as branch:
        branch.give(emitter.memory.load(memref, place))
    with branch.otherwise():
        branch.give(zero)
    return tuple(branch.results)


def _store_lanes(
    emitter: Emitter,
    value: Parts,
    tensor: IrValue,
    places: Sequence[Sequence[Value]],
    active: Callable[[int], Active],
) -> None:
    """Store the active lanes, in order."""
    memref = emitter.memref(tensor)
    for lane, place in enumerate(places):
        is_active = active(lane)
        if is_active is False:
            continue
        number = lanes.lane(emitter.to, value, lane)
        if is_active is True:
            emitter.memory.store(number, memref, place)
        else:
            with emitter.to.branch(is_active):
                emitter.memory.store(number, memref, place)


def _plus(emitter: Emitter, at: Index, distance: int) -> Index:
    if isinstance(at, int):
        return at + distance
    return emitter.to.op("arith.addi", at, emitter.to.constant(distance), hint="at") if distance else at


def _value(emitter: Emitter, at: Index) -> Value:
    return emitter.to.constant(at) if isinstance(at, int) else at
