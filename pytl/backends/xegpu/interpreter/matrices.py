"""Matrices in memory of a work-group: descriptors of xegpu, and those of gpu's matrix operations."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....mlir.text import Opaque, Operation, Vector
from ....mlir.text.tree import Raw
from . import rules, spelled
from .layouts import Layout, layout_of
from .machine import SubGroup
from .machine import executes as _of
from .values import MatrixDescriptor, MemrefValue, dtype_of


@_of("xegpu.create_mem_desc")
def _create(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    type_, (source,) = op.result_types[0], operands
    dtype = dtype_of(type_.element) if isinstance(type_, Opaque) and type_.element is not None else None
    if dtype is None or not isinstance(type_, Opaque) or not type_.shape or not isinstance(source, MemrefValue):
        self.unknown(op, f"{op.name} gives {type_}, which is not known here")
    shape = tuple(size or 0 for size in type_.shape)
    layout: dict[str, Any] = {}
    for each in type_.attributes:
        if isinstance(each, Raw) and each.name == "#xegpu.mem_layout":
            layout.update(each.entries)
    strides = tuple(layout.get("stride") or _row_major(shape))
    block = tuple(layout.get("block", ()))
    if len(strides) != len(shape) or (block and len(block) != len(shape)) or min((*strides, *block), default=1) < 1:
        self.unknown(op, f"the layout of {type_} is of other dimensions")
    if not block:
        return MatrixDescriptor(source.begin, shape, strides, dtype)
    outer, inner = _blocked(strides, block)
    return MatrixDescriptor(source.begin, shape, outer, dtype, block, inner)


def _row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(np.prod(shape[mode + 1 :])) for mode in range(len(shape)))


def _blocked(strides: tuple[int, ...], block: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The strides of blocks, and those of elements in one; both follow the order that the matrix's strides have."""
    order = sorted(range(len(strides)), key=lambda mode: strides[mode])
    inner, outer = [0] * len(strides), [0] * len(strides)
    step, jump = 1, int(np.prod(block))
    for position, mode in enumerate(order):
        inner[mode], outer[mode] = step, jump
        step *= block[mode]
        if position + 1 < len(order):
            jump *= strides[order[position + 1]] // strides[mode] // block[mode]
    return tuple(outer), tuple(inner)


def _matrix(self: SubGroup, op: Operation, desc: Any) -> MatrixDescriptor:
    if not isinstance(desc, MatrixDescriptor):
        self.unknown(op, f"{op.name} is of a descriptor of a matrix")
    return desc


def _places(
    self: SubGroup, op: Operation, desc: MatrixDescriptor, rest: list[Any], shape: tuple[int, ...]
) -> np.ndarray:
    """The addresses of what each work-item has of a matrix.

    A vector of the matrix's dimensions is a block of it; any other vector is contiguous memory. `subgroup_block_io`
    deals contiguous memory out to the work-items of a sub-group, one element after the other.
    """
    numbers = spelled.mixed(op.attributes.get("const_offsets") or (spelled.DYNAMIC,) * len(rest), list(rest))
    if len(numbers) != len(desc.shape):
        self.unknown(op, f"{len(numbers)} offsets are given, and the matrix has {len(desc.shape)} dimensions")
    first = [np.broadcast_to(np.asarray(number, np.int64), (self.lanes,)) for number in numbers]
    if len(shape) == len(desc.shape) > 1 or (len(shape) == 1 == len(desc.shape)):
        indices = []
        for mode, (at, size) in enumerate(zip(first, shape)):
            along = np.arange(size).reshape([-1 if m == mode else 1 for m in range(len(shape))])
            index = at.reshape(-1, *(1,) * len(shape)) + along
            _check(self, op, index, desc.shape[mode])
            indices.append(index)
        linear = desc.linear(indices)
    else:
        for index, size in zip(first, desc.shape):
            _check(self, op, index, size)
        count = int(np.prod(shape))
        steps = np.arange(count)
        if "subgroup_block_io" in op.attributes:
            linear = desc.linear([np.full(1, self.uniform(op, each, "an offset")) for each in first])[:, None]
            linear = linear + steps * self.lanes + np.arange(self.lanes)[:, None]
        else:
            linear = desc.linear(first).reshape(-1, 1) + steps
        linear = linear.reshape(self.lanes, *shape)
    linear = np.broadcast_to(linear, (self.lanes, *shape))
    return desc.address.reshape(-1, *(1,) * len(shape)) + linear * desc.element.itemsize


def _check(self: SubGroup, op: Operation, index: np.ndarray, size: int) -> None:
    chosen = np.broadcast_to(index, (self.lanes, *index.shape[1:]))[self.mask]
    if ((chosen < 0) | (chosen >= size)).any():
        wrong = int(chosen[(chosen < 0) | (chosen >= size)].flat[0])
        self.fail(op, rules.MEMORY, f"{op.name}: the index {wrong} is not within a size of {size}")


def _layout(op: Operation) -> Layout:
    return layout_of([op.attributes.get("layout")])


@_of("xegpu.load_matrix")
def _load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    desc, type_ = _matrix(self, op, operands[0]), op.result_types[0]
    shape = type_.shape if isinstance(type_, Vector) else ()
    addresses = _places(self, op, desc, operands[1:], shape)
    mask = np.broadcast_to(self.mask.reshape(-1, *(1,) * len(shape)), addresses.shape)
    if (addresses == addresses[:1]).all() and self.mask.all():
        return np.broadcast_to(self.read(op, addresses[:1], desc.element, mask[:1]), addresses.shape)
    return self.read(op, addresses, desc.element, mask)


@_of("xegpu.store_matrix")
def _store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value, desc = operands[0], _matrix(self, op, operands[1])
    shape = value.shape[1:]
    addresses = _places(self, op, desc, operands[2:], shape)
    mask = np.broadcast_to(self.mask.reshape(-1, *(1,) * len(shape)), addresses.shape)
    layout = _layout(op)
    if layout.sg_layout:
        mask = mask & layout.owned(shape, self.number, self.group.subgroups)
    self.write(op, addresses, value.astype(desc.element), mask)


# gpu: matrices of a sub-group.


def _turned(op: Operation) -> bool:
    return "transpose" in op.attributes


def _elements(self: SubGroup, op: Operation, memref: Any, indices: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    """The addresses of a matrix that begins at an element, whose rows have a distance of their own."""
    if not isinstance(memref, MemrefValue) or len(indices) != len(memref.sizes):
        self.unknown(op)
    begin = memref.element_addresses(indices)
    at = self.uniform(op, begin, "the place of a matrix")
    rows, columns = np.arange(shape[0])[:, None], np.arange(shape[1])[None, :]
    lead = int(op.attributes["leadDimension"])
    linear = columns * lead + rows if _turned(op) else rows * lead + columns
    return at + linear * memref.element.itemsize


def _shape_of(self: SubGroup, op: Operation, type_: Any) -> tuple[tuple[int, ...], np.dtype]:
    if not isinstance(type_, Opaque) or type_.element is None or type_.shape is None or len(type_.shape) != 2:
        self.unknown(op, f"{type_} is no matrix that is known here")
    dtype = dtype_of(type_.element)
    if dtype is None:
        self.unknown(op)
    return tuple(size or 0 for size in type_.shape), dtype


@_of("gpu.subgroup_mma_load_matrix")
def _mma_load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    shape, dtype = _shape_of(self, op, op.result_types[0])
    addresses = _elements(self, op, operands[0], operands[1:], shape)
    whole = self.read(op, addresses, dtype, np.ones(shape, np.bool_))
    return np.broadcast_to(whole, (self.lanes, *shape))


@_of("gpu.subgroup_mma_store_matrix")
def _mma_store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    value, memref, *indices = operands
    addresses = _elements(self, op, memref, indices, value.shape[1:])
    self.write(op, addresses, np.ascontiguousarray(value[0]), np.ones(addresses.shape, np.bool_))


@_of("gpu.subgroup_mma_constant_matrix")
def _mma_constant(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    shape, dtype = _shape_of(self, op, op.result_types[0])
    number = operands[0].astype(dtype).reshape(-1, 1, 1)
    return np.broadcast_to(number[:1], (self.lanes, *shape))


@_of("gpu.subgroup_mma_compute")
def _mma_compute(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    a, b, c = (each[0] for each in operands)
    a = a.T if "a_transpose" in op.attributes else a
    b = b.T if "b_transpose" in op.attributes else b
    wide = np.int64 if c.dtype.kind in "iu" else np.float64 if c.dtype.itemsize == 8 else np.float32
    total = (a.astype(wide) @ b.astype(wide) + c.astype(wide)).astype(c.dtype)
    return np.broadcast_to(total, (self.lanes, *total.shape))


_ELEMENTWISE = {
    **{name: f"arith.{name}" for name in ("addf", "mulf", "subf", "divf", "addi", "muli", "subi")},
    "maxf": "arith.maximumf",
    "minf": "arith.minimumf",
    "divs": "arith.divsi",
    "divu": "arith.divui",
    "negatef": "arith.negf",
    "extf": "arith.extf",
}
"""What is done with the elements of matrices, in arith."""


@_of("gpu.subgroup_mma_elementwise")
def _mma_elementwise(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    name = _ELEMENTWISE.get(op.word_of("opType"))
    if name is None:
        self.unknown(op)
    _, dtype = _shape_of(self, op, op.result_types[0])
    if name == "arith.extf":
        return operands[0].astype(dtype)
    inner = Operation(name, [], op.results, [], op.result_types, {}, origin=op.origin, location=op.location)
    return self.execute(inner, operands)


@_of("gpu.subgroup_mma_extract_thread_local")
def _mma_extract(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    matrix, *indices = operands
    own = _fragments(self, op, matrix)
    return own[np.arange(self.lanes), _own_index(self, op, indices, own)]


@_of("gpu.subgroup_mma_insert_thread_local")
def _mma_insert(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    value, matrix, *indices = operands
    own = _fragments(self, op, matrix).copy()
    own[np.arange(self.lanes), _own_index(self, op, indices, own)] = value
    whole = own.T.reshape(matrix.shape[1:])
    return np.broadcast_to(whole, matrix.shape)


def _fragments(self: SubGroup, op: Operation, matrix: np.ndarray) -> np.ndarray:
    """The elements of each work-item: which ones is left open by the dialect; here they are dealt out in turn."""
    self.together(op)
    flat = matrix[0].reshape(-1)
    if flat.size % self.lanes:
        self.unknown(op, f"a matrix of {flat.size} elements is not dealt out to {self.lanes} work-items")
    return flat.reshape(-1, self.lanes).T


def _own_index(self: SubGroup, op: Operation, indices: list[Any], own: np.ndarray) -> np.ndarray:
    index = np.asarray(indices[-1])
    if ((index < 0) | (index >= own.shape[1])).any():
        self.fail(op, rules.MEMORY, f"{op.name}: a work-item has {own.shape[1]} elements of the matrix")
    return index
