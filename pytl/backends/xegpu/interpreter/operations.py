"""The dialect xegpu: blocks of memory, products, scattered elements, barriers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....mlir.text import Opaque, Operation, Vector
from ....mlir.text.tree import Raw
from . import blocks, rules
from .layouts import Layout, Unfit, layout_of
from .machine import SubGroup, once
from .machine import executes as _of
from .memrefs import updated
from .values import DYNAMIC, BlockDescriptor, MemrefValue, NamedBarrier, ScatteredDescriptor, dtype_of, garbage

# Descriptors.


def _described(
    self: SubGroup, op: Operation, type_: Any, kind: str
) -> tuple[tuple[int, ...], np.dtype, Layout, Mapping[str, Any]]:
    """Shape, element and layout of a descriptor's type, and the entries of its attribute of a kind."""
    if not isinstance(type_, Opaque) or type_.element is None or type_.shape is None:
        self.unknown(op, f"{op.name} gives {type_}, which is no descriptor")
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
    if not constants:
        constants = [DYNAMIC] * len(rest)
    return tuple(self.uniform(op, rest.pop(0), what) if each == DYNAMIC else int(each) for each in constants)


@_of("xegpu.create_nd_tdesc")
def _create(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    block, dtype, layout, entries = _described(self, op, op.result_types[0], "#xegpu.block_tdesc_attr")
    counts = op.attributes.get("operandSegmentSizes", (1, 0, 0, 0))
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
    if not 1 <= many <= 64:
        self.unknown(op, f"a descriptor is of {many} blocks side by side")
    if len(offsets) != len(strides) or len(strides) < len(block) or (shape and len(shape) != len(strides)):
        message = f"a descriptor has {len(offsets)} offsets, {len(shape)} sizes and {len(strides)} strides"
        self.unknown(op, f"{message} for a block of {len(block)} dimensions")
    return BlockDescriptor(address, shape or None, strides, offsets, block, dtype, is_checked, layout, many)


@_of("xegpu.update_nd_offset")
def _move(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    desc = _block(self, op, operands[0])
    by = _mixed(self, op, op.attributes.get("const_offsets"), operands[1:], "an offset")
    if len(by) != len(desc.offsets):
        self.unknown(op, f"{len(by)} offsets are given, and the descriptor has {len(desc.offsets)}")
    return replace(desc, offsets=tuple(a + b for a, b in zip(desc.offsets, by)))


def _block(self: SubGroup, op: Operation, desc: Any) -> BlockDescriptor:
    if not isinstance(desc, BlockDescriptor):
        self.unknown(op, f"{op.name} is of the descriptor of a block")
    return desc


def _block_addresses(
    self: SubGroup, op: Operation, desc: BlockDescriptor, rest: list[np.ndarray], turn: int = 0
) -> tuple[np.ndarray, ...]:
    """Addresses of the elements of a block, and which of them are within the bounds; `turn` blocks to the right."""
    at = desc.offsets
    if op.attributes.get("const_offsets") or rest:
        offsets = _mixed(self, op, op.attributes.get("const_offsets"), rest, "an offset")
        if len(offsets) == len(desc.block):
            # those of the block alone, of memory that has more dimensions
            offsets = (0,) * (len(at) - len(offsets)) + offsets
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
    desc, type_ = _block(self, op, operands[0]), op.result_types[0]
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
    """The vectors of the work-items, of a block; of a work-group's, which part the sub-group owns is kept."""
    addresses, inside = _block_addresses(self, op, desc, rest, turn)
    block = np.zeros(desc.block, desc.element)
    block[inside] = self.read(op, addresses, desc.element, inside)[inside]
    if desc.layout.sg_layout:
        owned = desc.layout.owned(desc.block, self.number, self.group.subgroups)
        if vector == desc.block and "transpose" not in op.attributes and op.results:
            self.owned[op.results[0]] = owned
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
    value, desc = operands[0], _block(self, op, operands[1])
    addresses, inside = _block_addresses(self, op, desc, operands[2:])
    try:
        block = blocks.gathered(value, desc.block, desc.layout)
        if desc.layout.sg_layout:
            inside = inside & desc.layout.owned(desc.block, self.number, self.group.subgroups)
            if op.operands[0] in self.owned:
                block = np.where(self.owned[op.operands[0]], block, garbage(block.shape, block.dtype))
    except Unfit as error:
        self.fail(op, rules.FRAGMENT, f"{op.name}: {error}")
    self.write(op, addresses, block, inside)


@_of("xegpu.prefetch_nd")
def _prefetch_nd(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    _block_addresses(self, op, _block(self, op, operands[0]), operands[1:])


@_of("xegpu.dpas")
def _dpas(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    type_ = op.result_types[0]
    dtype = dtype_of(type_)
    if dtype is None or not isinstance(type_, Vector):
        self.unknown(op)
    try:
        factors = [_rounded(op, number, value) for number, value in enumerate(operands)]
        self.own_product(op)
        return blocks.product(factors, type_.shape, dtype)
    except Unfit as error:
        self.fail(op, rules.FRAGMENT, f"{op.name}: {error}")


def _rounded(op: Operation, number: int, value: np.ndarray) -> np.ndarray:
    """A factor of tf32 with the ten bits behind the point that it has; true with a sign is -1."""
    type_ = op.operand_types[number]
    if isinstance(type_, Vector) and type_.element.name == "si1":
        return -value.astype(np.int8)
    if number > 1 or not isinstance(type_, Vector) or type_.element.name != "tf32":
        return value
    bits = value.view(np.uint32)
    return ((bits + 0xFFF + ((bits >> 13) & 1)) & np.uint32(0xFFFFE000)).view(np.float32)


@_of("xegpu.convert_layout")
def _convert(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """The same value: each sub-group has what it may be given of others."""
    target = layout_of([op.attributes.get("target_layout")])
    if target.lane_layout and operands[0].strides[0] != 0 and operands[0].ndim > 1:
        # vectors of work-items, which each have a part of a block
        source = layout_of([op.attributes.get("input_layout")])
        if source != target:
            self.unknown(op, "the layout of a work-item's vector is converted, and the block is not known")
    return operands[0]


# Scattered accesses.


@_of("xegpu.create_tdesc")
def _create_scattered(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    source, offsets = operands
    _, dtype, layout, entries = _described(self, op, op.result_types[0], "#xegpu.scatter_tdesc_attr")
    chunk = int(entries.get("chunk_size", 1))
    if not 1 <= chunk <= 64:
        self.unknown(op, f"a chunk has {chunk} elements")
    return ScatteredDescriptor(_base(source), offsets, chunk, dtype, layout)


@_of("xegpu.update_offset")
def _move_scattered(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    desc = operands[0]
    if not isinstance(desc, ScatteredDescriptor):
        self.unknown(op, f"{op.name} is of a descriptor of scattered elements")
    return replace(desc, offsets=desc.offsets + operands[1])


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
        if not 1 <= chunk <= 64:
            self.unknown(op, f"a chunk has {chunk} elements")
    mask = rest[0]
    deep = offsets.ndim - 1
    alike = all(each.strides[0] == 0 for each in (offsets, mask) if each.ndim > 1) and deep > 0
    if alike and (base == base[:1]).all() and np.array_equal(self.mask, self.everyone):
        # all work-items have the whole: it is addressed once
        return once(_addressed(self, op, base[:1], offsets[:1], mask[:1], chunk, shape, dtype), self.lanes)
    own = mask & self.mask.reshape(-1, *(1,) * deep)
    return _addressed(self, op, base, offsets, own, chunk, shape, dtype)


def _addressed(
    self: SubGroup,
    op: Operation,
    base: np.ndarray,
    offsets: np.ndarray,
    mask: np.ndarray,
    chunk: int,
    shape: tuple[int, ...],
    dtype: np.dtype,
) -> tuple[np.ndarray, np.ndarray]:
    deep = offsets.ndim - 1
    addresses = base.reshape(-1, *(1,) * deep) + offsets * dtype.itemsize
    inside = np.broadcast_to(mask, addresses.shape)
    if chunk > 1:
        addresses = addresses[..., None] + np.arange(chunk) * dtype.itemsize
        inside = np.broadcast_to(inside[..., None], addresses.shape)
    if int(np.prod(addresses.shape[1:])) != int(np.prod(shape)):
        message = f"{op.name}: {int(np.prod(addresses.shape[1:]))} elements are addressed, and the value has "
        self.fail(op, rules.FRAGMENT, f"{message}{int(np.prod(shape))}")
    return addresses.reshape(-1, *shape), inside.reshape(-1, *shape)


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
    if addresses.strides[0] == 0 and shape:
        return once(self.read(op, addresses[:1], dtype, inside[:1]), self.lanes)
    return self.read(op, addresses, dtype, inside)


@_of("xegpu.store")
def _store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value = operands[0]
    addresses, inside = _scattered(self, op, operands[1:], value.shape[1:], value.dtype)
    if addresses.strides[0] == 0 == value.strides[0] and value.ndim > 1:
        addresses, inside, value = addresses[:1], inside[:1], value[:1]
    self.write(op, addresses, value, inside)


@_of("xegpu.atomic_rmw")
def _atomic(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    desc, mask, value = operands
    addresses, inside = _scattered(self, op, [desc, mask], value.shape[1:], value.dtype)
    if not _is_whole(value.shape[1:]):
        return updated(self, op, addresses, value, inside)
    self.together(op)  # what the work-items all have is added once
    chosen = inside[:1]
    layout = desc.layout if isinstance(desc, ScatteredDescriptor) else Layout()
    layout = layout if layout.sg_layout else layout_of([op.attributes.get("layout")])
    if layout.sg_layout:
        chosen = chosen & layout.owned_once(value.shape[1:], self.number, self.group.subgroups)
    before = updated(self, op, addresses[:1], value[:1], chosen)
    return np.broadcast_to(before, value.shape)


@_of("xegpu.prefetch")
def _prefetch(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return None


# Barriers.


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
    (barrier,) = operands
    if not isinstance(barrier, NamedBarrier):
        self.unknown(op)
    phase = barrier.phase
    self.arrive(op, barrier)
    self.values["arrived", id(barrier)] = phase  # type: ignore[index]
