"""Transfers as what they do, where a function is executed: elements are copied at once, and nothing is waited for."""

from __future__ import annotations

from collections.abc import Sequence

from ....mlir.text import Block, Region
from ....mlir.text.types import INDEX
from ..tree import Operation
from ..types import Memref
from .builder import Builder
from .types import today_type


def start(operation: Operation, builder: Builder) -> None:
    """A loop over the elements, which follow each other in the order of the indices, the last one fastest."""
    source, from_, target, to, count, _, _ = (builder.names_of(operation.group(number)) for number in range(7))
    types = [type_ for type_ in operation.operand_types if isinstance(type_, Memref)]
    sizes = [_sizes(name, type_, builder) for name, type_ in zip((source[0], target[0]), types)]
    begins = [_position(indices, each, builder) for indices, each in zip((from_, to), sizes)]
    bounds = [builder.constant(0), count[0], builder.constant(1)]
    outer, builder.into = builder.into, []
    position = builder.fresh("moved")
    element_indices = [_indices(builder.sum(begin, position), each, builder) for begin, each in zip(begins, sizes)]
    memrefs = list(map(today_type, types))
    element = today_type(types[0].element)
    operands = [source[0], *element_indices[0]]
    value = builder.value("element", "memref.load", operands, [memrefs[0], *[INDEX] * len(element_indices[0])], element)
    operands = [value, target[0], *element_indices[1]]
    builder.add("memref.store", operands, [element, memrefs[1], *[INDEX] * len(element_indices[1])])
    builder.add("scf.yield")
    body = Region([Block("", [(position, INDEX)], builder.into)])
    builder.into = outer
    builder.add("scf.for", bounds, [INDEX] * 3, regions=[body])


def wait(operation: Operation, builder: Builder) -> None:
    """What was begun has been done."""


def _sizes(name: str, type_: Memref, builder: Builder) -> list[int | str]:
    """The sizes of the modes; that of the first one does not count for positions."""
    sizes: list[int | str] = []
    for mode, size in enumerate(type_.shape):
        if size is None and mode:
            operands = [name, builder.constant(mode)]
            sizes.append(builder.value("size", "memref.dim", operands, [today_type(type_), INDEX], INDEX))
        else:
            sizes.append(size or 0)
    return sizes


def _position(indices: Sequence[str], sizes: Sequence[int | str], builder: Builder) -> int | str:
    total: int | str = 0
    for mode, each in enumerate(indices):
        total = builder.sum(total, builder.product([each, *sizes[mode + 1 :]]))
    return total


def _indices(position: int | str, sizes: Sequence[int | str], builder: Builder) -> list[str]:
    """The indices of a position."""
    indices = []
    for mode, size in enumerate(sizes):
        step = builder.product(sizes[mode + 1 :])
        index = builder.number(position)
        if step != 1:
            index = builder.value("q", "arith.divui", [index, builder.number(step)], [INDEX] * 2, INDEX)
        if mode:
            index = builder.value("r", "arith.remui", [index, builder.number(size)], [INDEX] * 2, INDEX)
        indices.append(index)
    return indices
