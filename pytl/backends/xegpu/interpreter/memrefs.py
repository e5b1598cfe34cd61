"""The dialect memref: elements, views, and memory that is taken and given back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Dimension
from ....mlir.text import Memref, Operation
from ....mlir.text.names import KINDS
from ....mlir.text.tree import Dense
from . import numbers, rules, spelled
from .machine import SubGroup
from .machine import executes as _of
from .memory import Unmapped
from .values import Group, MemrefValue, dtype_of, garbage

Array = np.ndarray


def _extents(memref: MemrefValue) -> list[Array]:
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
    mode = self.uniform(op, operands[1], "the dimension")
    if not 0 <= mode < len(operands[0].sizes):
        self.fail(op, rules.DEFINED, f"memref.dim: there is no dimension {mode}")
    return operands[0].sizes[mode]


@_of("memref.rank")
def _rank(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return np.full(self.lanes, len(operands[0].sizes))


def _same(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return operands if len(op.results) > 1 else operands[0] if op.results else None


for _name in ("memref.memory_space_cast", "memref.assume_alignment", "memref.distinct_objects"):
    _of(_name)(_same)


@_of("memref.cast")
def _cast(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """The same memref, whose sizes are those that the type says."""
    memref, type_ = operands[0], op.result_types[0]
    if isinstance(type_, Memref) and isinstance(memref, MemrefValue):
        if len(type_.shape) != len(memref.sizes):
            self.fail(op, rules.DEFINED, f"memref.cast: {len(memref.sizes)} dimensions are cast to {len(type_.shape)}")
        for said, size in zip(type_.shape, memref.sizes):
            if said is not None and (size[self.mask] != said).any():
                self.fail(op, rules.DEFINED, f"memref.cast: a size is {int(size[self.mask][0])}, and not {said}")
    return memref


@_of("memref.view")
def _view(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    type_, (memref, shift, *sizes) = op.result_types[0], operands
    dtype = dtype_of(type_.element) if isinstance(type_, Memref) else None
    if dtype is None or not isinstance(type_, Memref):
        self.unknown(op)
    return _rows(
        self, memref.begin + shift, [_full(self, n) if n is not None else sizes.pop(0) for n in type_.shape], dtype
    )


def _full(self: SubGroup, number: int) -> Array:
    return np.full(self.lanes, number)


def _rows(self: SubGroup, address: Array, sizes: Sequence[Array], dtype: np.dtype) -> MemrefValue:
    """A memref whose rows lie one behind the other."""
    strides: list[Array] = []
    step = np.ones(self.lanes, np.int64)
    for size in reversed(sizes):
        strides.insert(0, step)
        step = step * size
    return MemrefValue(address, np.zeros(self.lanes, np.int64), tuple(sizes), tuple(strides), dtype)


def _numbers(self: SubGroup, op: Operation, name: str, operands: list[Any]) -> list[Array]:
    mixed = spelled.mixed(spelled.sizes(op, name), operands)
    return [np.broadcast_to(np.asarray(each, np.int64), (self.lanes,)) for each in mixed]


@_of("memref.subview")
def _subview(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *rest = operands
    offsets, sizes, strides = (_numbers(self, op, name, rest) for name in ("offsets", "sizes", "strides"))
    if not len(offsets) == len(sizes) == len(strides) == len(memref.sizes):
        self.unknown(op)
    offset = memref.offset
    for at, stride in zip(offsets, memref.strides):
        offset = offset + at * stride
    for at, size, step, whole in zip(offsets, sizes, strides, memref.sizes):
        last = at + (size - 1) * step
        beyond = self.mask & (size > 0) & ((at < 0) | (at >= whole) | (last < 0) | (last >= whole))
        if beyond.any():
            n = int(np.argmax(beyond))
            message = f"memref.subview: {int(size[n])} elements from {int(at[n])} on are not within {int(whole[n])}"
            self.fail(op, rules.MEMORY, message)
    steps = [step * stride for step, stride in zip(strides, memref.strides)]
    kept = list(range(len(sizes)))
    type_ = op.result_types[0]
    if isinstance(type_, Memref) and len(type_.shape) < len(sizes):
        kept = _kept(type_, spelled.sizes(op, "sizes"))
    return MemrefValue(
        memref.address, offset, tuple(sizes[mode] for mode in kept), tuple(steps[mode] for mode in kept), memref.element
    )


def _kept(type_: Memref, sizes: Sequence[int]) -> list[int]:
    """The dimensions of a view that its type has: those of one element may be left out."""
    kept: list[int] = []
    spare = len(sizes) - len(type_.shape)
    for mode, size in enumerate(sizes):
        wanted = type_.shape[len(kept)] if len(kept) < len(type_.shape) else 0
        needed = len(sizes) - mode <= len(type_.shape) - len(kept)
        if size == 1 and spare and (wanted != 1 or not needed):
            spare -= 1
        else:
            kept.append(mode)
    if len(kept) != len(type_.shape):
        raise ValueError("the type has other dimensions than the view")
    return kept


@_of("memref.reinterpret_cast")
def _reinterpret(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *rest = operands
    (offset,), sizes, strides = (_numbers(self, op, name, rest) for name in ("offsets", "sizes", "strides"))
    return MemrefValue(memref.address, offset, tuple(sizes), tuple(strides), memref.element)


@_of("memref.collapse_shape")
def _collapse(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref = operands[0]
    sizes, strides = [], []
    for group in op.attributes["reassociation"]:
        total = np.ones(self.lanes, np.int64)
        step = np.ones(self.lanes, np.int64)
        for mode in reversed(group):
            # a dimension of one element has no stride of its own
            step = np.where(total == 1, memref.strides[mode], step)
            total = total * memref.sizes[mode]
        sizes.append(total)
        strides.append(step)
    return replace(memref, sizes=tuple(sizes), strides=tuple(strides))


@_of("memref.expand_shape")
def _expand(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *rest = operands
    type_ = op.result_types[0]
    assert isinstance(type_, Memref)
    if "static_output_shape" in op.attributes or "output_shape" in op.attributes:
        every = _numbers(self, op, "output_shape", rest)
    else:
        every = [_full(self, size or 1) for size in type_.shape]
    strides: list[Array] = [np.ones(self.lanes, np.int64)] * len(every)
    for group, stride, whole in zip(op.attributes["reassociation"], memref.strides, memref.sizes):
        step = stride
        for mode in reversed(group):
            strides[mode] = step
            step = step * every[mode]
        if (np.prod([every[mode] for mode in group], 0) != whole)[self.mask].any():
            self.fail(op, rules.DEFINED, "memref.expand_shape: the sizes are not those of the memref")
    return replace(memref, sizes=tuple(every), strides=tuple(strides))


@_of("memref.transpose")
def _transpose(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, map_ = operands[0], op.attributes["permutation"]
    assert isinstance(map_, AffineMap)
    order = [each.position for each in map_.results if isinstance(each, Dimension)]
    return replace(
        memref,
        sizes=tuple(memref.sizes[mode] for mode in order),
        strides=tuple(memref.strides[mode] for mode in order),
    )


@_of("memref.reshape")
def _reshape(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, shape = operands
    count = self.uniform(op, shape.sizes[0], "a size")
    addresses = [shape.element_addresses([_full(self, mode)]) for mode in range(count)]
    sizes = [self.read(op, each, shape.element, self.mask).astype(np.int64) for each in addresses]
    return _rows(self, memref.begin, sizes, memref.element)


# Elements.


def element_addresses(
    self: SubGroup,
    op: Operation,
    memref: Any,
    indices: Sequence[Array],
    mask: Array | None = None,
    last_is_free: bool = False,
) -> Array:
    """Addresses of elements of a memref, in which the indices have to be where the mask is true."""
    if not isinstance(memref, MemrefValue) or len(indices) != len(memref.sizes):
        self.unknown(op)
    mask = self.mask if mask is None else mask
    deep = indices[0].ndim - 1 if indices else 0
    total = memref.offset.reshape(-1, *(1,) * deep)
    for number, (index, size, stride) in enumerate(zip(indices, memref.sizes, memref.strides)):
        size, stride = (each.reshape(-1, *(1,) * deep) for each in (size, stride))
        beyond = mask & ((index < 0) | (index >= size))
        if beyond.any() and not (last_is_free and number == len(indices) - 1):
            at = np.unravel_index(int(np.argmax(beyond)), beyond.shape)
            index, size = np.broadcast_arrays(index, size)
            message = f"{op.name}: the index {int(index[at])} is not within a size of {int(size[at])}"
            self.fail(op, rules.MEMORY, message)
        total = total + index * stride
    return np.asarray(memref.address.reshape(-1, *(1,) * deep) + total * memref.element.itemsize)


@_of("memref.load")
def _load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    memref, *indices = operands
    if isinstance(memref, Group):
        count, index = len(memref.items.address), indices[0]
        if ((index < 0) | (index >= count))[self.mask].any():
            self.fail(op, rules.MEMORY, f"an item beyond the {count} of a group is loaded")
        return memref.take(np.clip(index, 0, count - 1))
    return self.read(op, element_addresses(self, op, memref, indices), memref.element, self.mask)


@_of("memref.store")
def _store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value, memref, *indices = operands
    self.write(op, element_addresses(self, op, memref, indices), value, self.mask)


@_of("memref.atomic_rmw")
def _atomic(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value, memref, *indices = operands
    return updated(self, op, element_addresses(self, op, memref, indices), value, self.mask)


_OF_KINDS = {"maxs": "maxsi", "maxu": "maxui", "mins": "minsi", "minu": "minui"}


def updated(self: SubGroup, op: Operation, addresses: Array, values: Array, mask: Array) -> Array:
    """Update elements one after the other; the values before."""
    kind = op.word_of("kind", KINDS)
    combine: Callable[[Array, Array], Array] | None = None
    if kind != "assign":
        combine = numbers.BINARY.get(f"arith.{_OF_KINDS.get(kind, kind)}")
        if combine is None:
            self.unknown(op, f"{op.name}: the update {kind!r} is not known")
    before = garbage(values.shape, values.dtype)
    for position in zip(*np.nonzero(mask)):
        at, true = addresses[position].reshape(1), np.ones(1, np.bool_)
        old = self.read(op, at, values.dtype, true)
        new = values[position].reshape(1)
        self.write(op, at, new if combine is None else combine(old, new), true)
        before[position] = old[0]
    return before


# Memory that is taken and given back.


def _allocate(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return self.local(op, "", op.result_types[0], operands)


for _name in ("memref.alloc", "memref.alloca"):
    _of(_name)(_allocate)


@_of("memref.dealloc")
def _deallocate(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    if self.is_host:
        give_back(self, op, operands[0])


def give_back(self: SubGroup, op: Operation, memref: MemrefValue) -> None:
    if not self.memory.remove(int(memref.address[0])):
        self.fail(op, rules.MEMORY, f"{op.name}: there is no memory that begins here")


def as_array(self: SubGroup, op: Operation, memref: Any) -> Array:
    """The elements of a memref that all work-items have."""
    if not isinstance(memref, MemrefValue):
        self.unknown(op)
    sizes = [self.uniform(op, size, "a size") for size in memref.sizes]
    strides = [self.uniform(op, stride, "a stride") for stride in memref.strides]
    if any(size < 0 for size in sizes) or any(stride < 0 for stride in strides):
        self.fail(op, rules.DEFINED, f"{op.name}: a memref has negative sizes or strides")
    try:
        return self.memory.array(self.uniform(op, memref.begin, "an address"), sizes, strides, memref.element)
    except Unmapped as error:
        self.fail(op, rules.MEMORY, f"{op.name}: {error}")


@_of("memref.prefetch")
@_of("affine.prefetch")
def _prefetch(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """A hint that changes nothing that is computed."""


@_of("memref.copy")
def _copy(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """The elements of one memref in another one, of each work-item where these differ."""
    everyone, begins = self.mask, np.stack([each.begin for each in operands])[:, self.mask]
    chosen = np.flatnonzero(everyone)
    try:
        for lane in chosen[:1] if (begins == begins[:, :1]).all() else chosen:
            self.mask = np.arange(self.lanes) == lane
            _copied(self, op, operands)
    finally:
        self.mask = everyone


def _copied(self: SubGroup, op: Operation, operands: list[Any]) -> None:
    source, target = (as_array(self, op, each) for each in operands)
    if source.shape != target.shape or source.dtype != target.dtype:
        self.fail(op, rules.DEFINED, f"memref.copy: {source.shape} of {source.dtype} to {target.shape}")
    target[...] = source.copy()


@_of("memref.get_global")
def _global(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """Memory of the module, which is made when it is first used."""
    name = str(op.attributes["name"]).removeprefix("@")
    execution = self.execution
    constant = execution.constants.get(f"{self.module}::{name}") or execution.constants.get(name)
    if constant is None:
        self.fail(op, rules.KNOWN, f"there is no memref.global @{name}")
    type_ = constant.attributes["type"]
    dtype = dtype_of(type_.element) if isinstance(type_, Memref) else None
    if dtype is None or None in type_.shape:
        self.unknown(op, f"@{name} is {type_}, which is not known here")
    key = f"{id(constant)}"
    if key not in execution.kept:
        array = garbage(type_.shape, dtype)
        value = constant.attributes.get("initial_value")
        if isinstance(value, Dense):
            array[...] = numbers.literal(value.values, dtype)
        each = np.zeros(1, np.int64)
        execution.kept[key] = MemrefValue(
            each + self.memory.add_for_good(array),
            each,
            tuple(each + size for size in array.shape),
            tuple(each + stride // dtype.itemsize for stride in array.strides),
            dtype,
        )
    return execution.kept[key].each(lambda numbers_: np.broadcast_to(numbers_, (self.lanes,)))
