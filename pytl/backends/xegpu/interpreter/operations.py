"""The dialects memref and xegpu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....mlir.text import Memref, Opaque, Operation, Vector
from ....mlir.text.tree import Raw
from . import blocks, numbers, rules
from .layouts import Layout, Unfit, layout_of
from .machine import SubGroup
from .machine import executes as _of
from .values import (
    DYNAMIC,
    BlockDescriptor,
    Group,
    MemrefValue,
    NamedBarrier,
    ScatteredDescriptor,
    dtype_of,
    garbage,
)

_KINDS = (
    *("addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxsi", "maxui"),
    *("minimumf", "minnumf", "minsi", "minui", "mulf", "muli", "ori", "xori"),
)
"""The kinds of atomic updates, in the order of arith's enumeration."""


# memref.


def _extents(memref: MemrefValue) -> list[np.ndarray]:
    return [*memref.sizes, *memref.strides]


@_of("memref.extract_aligned_pointer_as_index")
def _pointer(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return operands[0].address


@_of("memref.extract_strided_metadata")
def _metadata(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref: MemrefValue = operands[0]
    base = replace(memref, offset=np.zeros(self.lanes, np.int64), sizes=(), strides=())
    return [base, memref.offset, *_extents(memref)]


@_of("memref.dim")
def _dim(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    if isinstance(operands[0], Group):
        return np.full(self.lanes, len(operands[0].items.address))
    return operands[0].sizes[self.uniform(op, operands[1], "the dimension")]


@_of("memref.cast")
def _memref_cast(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return operands[0]


@_of("memref.view")
def _view(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    type_, (memref, shift, *sizes) = op.result_types[0], operands
    dtype = dtype_of(type_.element) if isinstance(type_, Memref) else None
    if dtype is None or not isinstance(type_, Memref):
        self.unknown(op)
    every = [np.full(self.lanes, size) if size is not None else sizes.pop(0) for size in type_.shape]
    strides: list[np.ndarray] = []
    step = np.ones(self.lanes, np.int64)
    for size in reversed(every):
        strides.insert(0, step)
        step = step * size
    address = memref.address + memref.offset * memref.element.itemsize + shift
    return MemrefValue(address, np.zeros(self.lanes, np.int64), tuple(every), tuple(strides), dtype)


def _element(self: SubGroup, op: Operation, memref: Any, indices: list[np.ndarray]) -> np.ndarray:
    """Addresses of elements of a memref, in which the indices have to be."""
    if not isinstance(memref, MemrefValue):
        self.unknown(op)
    for index, size in zip(indices, memref.sizes):
        beyond = self.mask & ((index < 0) | (index >= size))
        if beyond.any():
            at = int(np.argmax(beyond))
            message = f"{op.name}: the index {int(index[at])} is not within a size of {int(size[at])}"
            self.fail(op, rules.MEMORY, message)
    return memref.element_addresses(indices)


@_of("memref.load")
def _memref_load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices = operands
    if isinstance(memref, Group):
        count, index = len(memref.items.address), indices[0]
        if ((index < 0) | (index >= count))[self.mask].any():
            self.fail(op, rules.MEMORY, f"an item beyond the {count} of a group is loaded")
        return memref.take(np.clip(index, 0, count - 1))
    return self.read(op, _element(self, op, memref, indices), memref.element, self.mask)


@_of("memref.store")
def _memref_store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value, memref, *indices = operands
    self.write(op, _element(self, op, memref, indices), value, self.mask)


@_of("memref.atomic_rmw")
def _memref_atomic(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value, memref, *indices = operands
    return _update(self, op, _element(self, op, memref, indices), value, self.mask)


def _update(self: SubGroup, op: Operation, addresses: np.ndarray, values: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Update elements one after the other; the values before."""
    kind = _KINDS[op.attributes["kind"]]
    before = garbage(values.shape, values.dtype)
    for position in zip(*np.nonzero(mask)):
        at, true = addresses[position].reshape(1), np.ones(1, np.bool_)
        old = self.read(op, at, values.dtype, true)
        new = values[position].reshape(1)
        self.write(op, at, new if kind == "assign" else numbers.BINARY[f"arith.{kind}"](old, new), true)
        before[position] = old[0]
    return before


# xegpu: descriptors.


def _described(
    self: SubGroup, op: Operation, type_: Any, kind: str
) -> tuple[tuple[int, ...], np.dtype, Layout, Mapping[str, Any]]:
    """Shape, element and layout of a descriptor's type, and the entries of its attribute of a kind."""
    assert isinstance(type_, Opaque) and type_.element is not None and type_.shape is not None
    dtype = dtype_of(type_.element)
    if dtype is None or None in type_.shape:
        self.unknown(op, f"{type_.text} has elements that the interpreter does not know")
    entries: dict[str, Any] = {}
    for each in type_.attributes:
        if isinstance(each, Raw) and each.name == kind:
            entries.update(each.entries)
    try:
        layout = layout_of(type_.attributes)
    except Unfit as error:
        self.unknown(op, f"{error}")
    return tuple(size for size in type_.shape if size is not None), dtype, layout, entries


def _mixed(self: SubGroup, op: Operation, constants: Any, rest: list[np.ndarray], what: str) -> tuple[int, ...]:
    """Numbers that are constants or operands; the same for all work-items."""
    if constants is None:
        constants = [DYNAMIC] * len(rest)
    return tuple(self.uniform(op, rest.pop(0), what) if each == DYNAMIC else int(each) for each in constants)


@_of("xegpu.create_nd_tdesc")
def _create(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    block, dtype, layout, entries = _described(self, op, op.result_types[0], "#xegpu.block_tdesc_attr")
    counts = op.attributes["operandSegmentSizes"]
    source, rest = operands[0], operands[1:]
    cuts = [rest[: counts[1]], rest[counts[1] :][: counts[2]], rest[counts[1] + counts[2] :]]
    names = ("offsets", "shape", "strides")
    offsets, shape, strides = (
        _mixed(self, op, op.attributes.get(f"const_{name}"), cut, f"one of the {name}")
        for name, cut in zip(names, cuts)
    )
    if isinstance(source, MemrefValue):
        base = source.address + source.offset * source.element.itemsize
        shape = shape or tuple(self.uniform(op, size, "a size") for size in source.sizes)
        strides = strides or tuple(self.uniform(op, stride, "a stride") for stride in source.strides)
    elif isinstance(source, np.ndarray):
        base = source
    else:
        self.unknown(op)
    if len(strides) < len(block):
        strides = strides or (1,) * len(block)
    address = self.uniform(op, base, "the base address")
    is_checked = entries.get("boundary_check") is not False
    if is_checked and not shape:
        self.unknown(op, "a descriptor of an address that is checked at its bounds has a shape")
    offsets = offsets or (0,) * len(strides)
    many = int(entries.get("array_length", 1))
    return BlockDescriptor(address, shape or None, strides, offsets, block, dtype, is_checked, layout, many)


@_of("xegpu.update_nd_offset")
def _move(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    desc: BlockDescriptor = operands[0]
    by = _mixed(self, op, op.attributes.get("const_offsets"), operands[1:], "an offset")
    if len(by) != len(desc.offsets):
        self.unknown(op, f"{len(by)} offsets are given, and the descriptor has {len(desc.offsets)}")
    return replace(desc, offsets=tuple(a + b for a, b in zip(desc.offsets, by)))


def _block_addresses(
    self: SubGroup, op: Operation, desc: BlockDescriptor, rest: list[np.ndarray], turn: int = 0
) -> tuple[np.ndarray, ...]:
    """Addresses of the elements of a block, and which of them are within the bounds; `turn` blocks to the right."""
    at = desc.offsets
    if op.attributes.get("const_offsets") is not None or rest:
        offsets = _mixed(self, op, op.attributes.get("const_offsets"), rest, "an offset")
        if len(offsets) != len(at):
            self.unknown(op, f"{len(offsets)} offsets are given, and the descriptor has {len(at)}")
        at = tuple(a + b for a, b in zip(at, offsets))
    at = (*at[:-1], at[-1] + turn * desc.block[-1])
    block = (1,) * (len(at) - len(desc.block)) + desc.block
    total, inside = np.zeros(block, np.int64), np.ones(block, np.bool_)
    for mode, (first, size, stride) in enumerate(zip(at, block, desc.strides)):
        along = (first + np.arange(size)).reshape([-1 if m == mode else 1 for m in range(len(block))])
        total = total + along * stride
        if desc.is_checked and desc.shape is not None:
            inside = inside & (along >= 0) & (along < desc.shape[mode])
    return (desc.address + total * desc.element.itemsize).reshape(desc.block), inside.reshape(desc.block)


@_of("xegpu.load_nd")
def _load_nd(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    desc, type_ = operands[0], op.result_types[0]
    vector = type_.shape if isinstance(type_, Vector) else ()
    try:
        if desc.count == 1:
            return _one_block(self, op, desc, operands[1:], vector, 0)
        # a vector of several blocks has them after each other
        is_whole = len(vector) > len(desc.block)
        if vector[0] % desc.count:
            raise Unfit(f"{desc.count} blocks are loaded into {vector[0]} parts")
        each = vector[1:] if is_whole else (vector[0] // desc.count, *vector[1:])
        loaded = [_one_block(self, op, desc, list(operands[1:]), each, turn) for turn in range(desc.count)]
        return np.stack(loaded, 1) if is_whole else np.concatenate(loaded, 1)
    except Unfit as error:
        self.fail(op, rules.FRAGMENT, f"{op.name}: {error}")


def _one_block(
    self: SubGroup, op: Operation, desc: BlockDescriptor, rest: list[Any], vector: tuple[int, ...], turn: int
) -> np.ndarray:
    """The vectors of the work-items, of a block; of a work-group's the sub-group's own, and the rest is garbage."""
    addresses, inside = _block_addresses(self, op, desc, rest, turn)
    block = np.zeros(desc.block, desc.element)
    block[inside] = self.read(op, addresses, desc.element, inside)[inside]
    if desc.layout.sg_layout:
        if vector != desc.block or "transpose" in op.attributes or "packed" in op.attributes:
            self.unknown(op, "a block of a work-group is loaded as a whole, as it is")
        owned = desc.layout.owned(desc.block, self.number, self.group.subgroups)
        block = np.where(owned, block, garbage(desc.block, desc.element))
    if "transpose" in op.attributes:
        block = np.ascontiguousarray(block.transpose(op.attributes["transpose"]))
    if "packed" in op.attributes:
        whole = blocks.packed(block)
        if len(vector) == 3:
            block = whole
    return blocks.dealt(block, vector, self.lanes, desc.layout)


@_of("xegpu.store_nd")
def _store_nd(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    value, desc = operands[:2]
    addresses, inside = _block_addresses(self, op, desc, operands[2:])
    try:
        block = blocks.gathered(value, desc.block, desc.layout)
        if desc.layout.sg_layout:
            inside = inside & desc.layout.owned(desc.block, self.number, self.group.subgroups)
    except Unfit as error:
        self.fail(op, rules.FRAGMENT, f"{op.name}: {error}")
    self.write(op, addresses, block, inside)


@_of("xegpu.prefetch_nd")
def _prefetch_nd(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    _block_addresses(self, op, operands[0], operands[1:])


@_of("xegpu.dpas")
def _dpas(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    type_ = op.result_types[0]
    dtype = dtype_of(type_)
    if dtype is None or not isinstance(type_, Vector):
        self.unknown(op)
    try:
        return blocks.product(operands, type_.shape, dtype)
    except Unfit as error:
        self.fail(op, rules.FRAGMENT, f"{op.name}: {error}")


# xegpu: scattered accesses.


@_of("xegpu.create_tdesc")
def _create_scattered(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    source, offsets = operands
    _, dtype, layout, entries = _described(self, op, op.result_types[0], "#xegpu.scatter_tdesc_attr")
    if layout.sg_layout:
        self.unknown(op, "scattered accesses of a work-group, dealt out over its sub-groups, are not known")
    return ScatteredDescriptor(_base(source), offsets, int(entries.get("chunk_size", 1)), dtype)


@_of("xegpu.update_offset")
def _move_scattered(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return replace(operands[0], offsets=operands[0].offsets + operands[1])


def _base(source: Any) -> np.ndarray:
    if isinstance(source, MemrefValue):
        return source.address + source.offset * source.element.itemsize
    return np.asarray(source)


def _scattered(
    self: SubGroup, op: Operation, operands: Sequence[Any], shape: tuple[int, ...], dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    """Addresses and masks for a value of this shape, of a descriptor or of a base and offsets."""
    source, *rest = operands
    if isinstance(source, ScatteredDescriptor):
        base, offsets, chunk = source.address, source.offsets, source.chunk
    else:
        base, offsets = _base(source), rest.pop(0)
        chunk = int(op.attributes.get("chunk_size", 1))
    mask = rest[0]
    deep = offsets.ndim - 1
    addresses = base.reshape(-1, *(1,) * deep) + offsets * dtype.itemsize
    inside = mask & self.mask.reshape(-1, *(1,) * deep)
    if chunk > 1:
        addresses = addresses[..., None] + np.arange(chunk) * dtype.itemsize
        inside = np.broadcast_to(inside[..., None], addresses.shape)
    if int(np.prod(addresses.shape[1:])) != int(np.prod(shape)):
        message = f"{op.name}: {int(np.prod(addresses.shape[1:]))} elements are addressed, and the value has "
        self.fail(op, rules.FRAGMENT, f"{message}{int(np.prod(shape))}")
    return addresses.reshape(self.lanes, *shape), inside.reshape(self.lanes, *shape)


def _is_whole(shape: tuple[int, ...]) -> bool:
    """Whether a value is that of a sub-group, which each work-item then has."""
    return bool(shape) and shape[0] > 1


@_of("xegpu.load")
def _load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    type_ = op.result_types[0]
    dtype, shape = dtype_of(type_), type_.shape if isinstance(type_, Vector) else ()
    if dtype is None:
        self.unknown(op)
    addresses, inside = _scattered(self, op, operands, shape, dtype)
    return self.read(op, addresses, dtype, inside)


@_of("xegpu.store")
def _store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value = operands[0]
    addresses, inside = _scattered(self, op, operands[1:], value.shape[1:], value.dtype)
    self.write(op, addresses, value, inside)


@_of("xegpu.atomic_rmw")
def _atomic(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    desc, mask, value = operands
    addresses, inside = _scattered(self, op, [desc, mask], value.shape[1:], value.dtype)
    if not _is_whole(value.shape[1:]):
        return _update(self, op, addresses, value, inside)
    self.together(op)  # what the work-items all have is added once
    before = _update(self, op, addresses[:1], value[:1], inside[:1])
    return np.broadcast_to(before, value.shape)


@_of("xegpu.prefetch")
def _prefetch(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return None


# xegpu: barriers.


@_of("xegpu.fence")
def _fence(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return None


@_of("xegpu.alloc_nbarrier")
def _alloc(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.group.allocated = int(op.attributes["nbarrier_num"])


@_of("xegpu.init_nbarrier")
def _init(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    number, count = (self.uniform(op, value, "its number") for value in operands)
    if not 0 <= number < self.group.allocated:
        self.fail(op, rules.BARRIERS, f"barrier {number} is none of the {self.group.allocated} that are allocated")
    barrier = self.group.barriers.setdefault(number, NamedBarrier(count, set()))
    if barrier.count != count or not 0 < count <= self.group.subgroups:
        message = f"barrier {number} counts {count} sub-groups here, {barrier.count} before, of {self.group.subgroups}"
        self.fail(op, rules.BARRIERS, message)
    return barrier


@_of("xegpu.nbarrier_arrive")
def _arrive(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    barrier: NamedBarrier = operands[0]
    phase = barrier.phase
    self.arrive(op, barrier)
    self.values["arrived", id(barrier)] = phase  # type: ignore[index]
