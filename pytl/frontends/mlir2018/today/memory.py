"""Memory of the document in today's operations: layouts become strides where they can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....mlir.affine import AffineMap, Dimension, Expression
from ....mlir.affine.expressions import parts
from ....mlir.affine.simplify import linear
from ....mlir.text import types as today
from ....mlir.text.types import INDEX
from ..tree import Number, Operation, Use
from ..types import Memref
from .builder import Builder
from .layouts import Layout, layout_of
from .types import plain, strided, today_type


def _result(operation: Operation) -> list[str]:
    return [f"%{operation.result.name}"] if operation.result else []


def _memref(operation: Operation, position: int = 0) -> Memref:
    type_ = operation.operand_types[position]
    assert isinstance(type_, Memref)
    return type_


def _result_type(operation: Operation) -> Memref:
    type_ = operation.result_types[0]
    assert isinstance(type_, Memref)
    return type_


def _layout(type_: Memref, builder: Builder) -> Layout:
    layout = layout_of(type_)
    if layout is None:
        raise builder.refuse("the maps of the memref make too large a map")
    return layout


def sizes(type_: Memref, dynamic: Sequence[str]) -> list[int | str]:
    """The sizes of a memref, where those that are known at run time only are given."""
    rest = iter(dynamic)
    return [next(rest) if size is None else size for size in type_.shape]


def alloc(operation: Operation, builder: Builder) -> None:
    """Memory in row-major order; where the layout has strides, a part of memory that has no modes."""
    type_, dynamic, symbols = _result_type(operation), *map(builder.names_of, (operation.group(0), operation.group(1)))
    layout = _layout(type_, builder)
    if layout.kind == "strided":
        lists = _strided_lists(type_, layout, dynamic, symbols, builder)
        count = _extent(type_, lists, builder)
        flat = Memref((count if isinstance(count, int) else None,), type_.element, (), type_.space)
        operands = [] if isinstance(count, int) else [count]
        attributes = {"operandSegmentSizes": (len(operands), 0)}
        types = [INDEX] * len(operands)
        buffer = builder.value("memory", "memref.alloc", operands, types, today_type(flat), attributes)
        _reinterpreted(buffer, flat, type_, lists, operation, builder)
        return
    operands = [*dynamic, *(symbols if layout.kind == "mapped" else [])]
    attributes = {"operandSegmentSizes": (len(dynamic), len(operands) - len(dynamic))}
    types = [INDEX] * len(operands)
    builder.add("memref.alloc", operands, types, _result(operation), [today_type(type_)], attributes)


def _strided_lists(
    type_: Memref, layout: Layout, dynamic: Sequence[str], symbols: Sequence[str], builder: Builder
) -> dict[str, list[int | str]]:
    """Offset, sizes and strides, as numbers and values."""

    def value(expression: Expression) -> int | str:
        return builder.applied(expression, len(symbols), symbols)

    return {
        "offsets": [value(layout.offset)],
        "sizes": sizes(type_, dynamic),
        "strides": [value(each) for each in layout.strides],
    }


def _extent(type_: Memref, lists: Mapping[str, Sequence[int | str]], builder: Builder) -> int | str:
    """How many elements the memory has: up to the last one that an index leads to, which steps are not in front of."""
    if any(isinstance(each, int) and each < 0 for each in (*lists["strides"], *lists["offsets"])):
        raise builder.refuse(f"elements of {type_} lie in front of the first one")
    if 0 in lists["sizes"]:
        return 0
    last: int | str = builder.sum(lists["offsets"][0], 1)
    for size, stride in zip(lists["sizes"], lists["strides"]):
        last = builder.sum(last, builder.product([builder.sum(size, -1), stride]))
    return last


def _reinterpreted(
    buffer: str,
    of: Memref,
    type_: Memref,
    lists: Mapping[str, Sequence[int | str]],
    operation: Operation,
    builder: Builder,
) -> None:
    """The memory of a memref with offset, sizes and strides, as the result of an operation."""
    made = builder.value_with_lists("memref.reinterpret_cast", buffer, today_type(of), lists, today_type(type_), "view")
    _give_name(made, operation, builder)


def _give_name(made: str, operation: Operation, builder: Builder) -> None:
    """What was computed is the operation's result."""
    if operation.result:
        builder.results[id(operation.result)] = [made]


def alloc_static(operation: Operation, builder: Builder) -> None:
    """Memory at an address, which nothing of today's memref gives."""
    address = operation.attributes["base"]
    assert isinstance(address, Number)
    raise builder.refuse(
        f"there is no memref at the address {address.value:#x}", "allocate memory with alloc, or pass a memref"
    )


def load(operation: Operation, builder: Builder) -> None:
    """An element, by affine.load where the indices are those of affine constructs."""
    _access(operation, operation.operands[1:], "load", builder)


def store(operation: Operation, builder: Builder) -> None:
    """An element, by affine.store where the indices are those of affine constructs."""
    _access(operation, operation.operands[2:], "store", builder)


def _access(operation: Operation, indices: Sequence[Use], word: str, builder: Builder) -> None:
    is_affine = all(use.value is not None and use.value.is_dimension for use in indices)
    names = tuple(f"d{n}" for n in range(len(indices)))
    identity = AffineMap(names, (), tuple(map(Dimension, range(len(indices)))))
    builder.add(
        f"affine.{word}" if is_affine else f"memref.{word}",
        builder.names_of(operation.operands),
        list(map(today_type, operation.operand_types)),
        _result(operation),
        list(map(today_type, operation.result_types)),
        {"map": identity} if is_affine else {},
    )


def tensor_load(operation: Operation, builder: Builder) -> None:
    """A tensor of a copy: what is stored into the memref later does not change it."""
    type_, source = _memref(operation), builder.name_of(operation.operands[0])
    own = plain(Memref(type_.shape, type_.element))
    dynamic = [
        builder.value("size", "memref.dim", [source, builder.constant(mode)], [today_type(type_), INDEX], INDEX)
        for mode, size in enumerate(type_.shape)
        if size is None
    ]
    counts = {"operandSegmentSizes": (len(dynamic), 0)}
    copied = builder.value("copied", "memref.alloc", dynamic, [INDEX] * len(dynamic), own, counts)
    builder.add("memref.copy", [source, copied], [today_type(type_), own])
    made = list(map(today_type, operation.result_types))
    builder.add("bufferization.to_tensor", [copied], [own], _result(operation), made, {"restrict": True})


def tensor_store(operation: Operation, builder: Builder) -> None:
    builder.add(
        "bufferization.materialize_in_destination",
        builder.names_of(operation.operands),
        list(map(today_type, operation.operand_types)),
        attributes={"writable": True},
    )


def _base(operation: Operation, builder: Builder) -> tuple[str, Memref]:
    """The memref that reshape and view are of, whose elements lie in row-major order."""
    type_ = _memref(operation)
    if _layout(type_, builder).kind != "plain":
        raise builder.refuse(f"{operation.name} of a memref whose elements are not in row-major order")
    return builder.name_of(operation.operands[0]), type_


def reshape(operation: Operation, builder: Builder) -> None:
    source, of = _base(operation, builder)
    type_ = _result_type(operation)
    layout = _layout(type_, builder)
    dynamic, symbols = builder.names_of(operation.group(1)), builder.names_of(operation.group(2))
    if layout.kind == "plain":
        result_sizes = sizes(type_, dynamic)
        strides = [builder.product(result_sizes[mode + 1 :]) for mode in range(len(result_sizes))]
        lists: dict[str, list[int | str]] = {"offsets": [0], "sizes": result_sizes, "strides": strides}
    elif layout.kind == "strided":
        lists = _strided_lists(type_, layout, dynamic, symbols, builder)
    else:
        raise builder.refuse(f"the map of {type_} has no strides")
    _reinterpreted(source, of, type_, lists, operation, builder)


def view(operation: Operation, builder: Builder) -> None:
    source, of = _base(operation, builder)
    type_ = _result_type(operation)
    layout = _layout(type_, builder)
    dynamic, symbols = builder.names_of(operation.group(1)), builder.names_of(operation.group(2))
    offsets = _offsets(layout.map)
    if offsets is not None and len(type_.maps) < 2:
        ones: list[int | str] = [1] * len(offsets)
        starts = [builder.applied(each, len(symbols), symbols) for each in offsets]
        parts = {"offsets": starts, "sizes": sizes(type_, dynamic), "strides": ones}
        if None in of.shape and starts and not any(starts):
            starts[0] = builder.constant(0)  # which makes a layout of it that is told from row-major order
        made = _subview_type(of, type_, starts)
        result = builder.value_with_lists("memref.subview", source, today_type(of), parts, made, "view")
        if made != today_type(type_):
            result = builder.value("cast", "memref.cast", [result], [made], today_type(type_))
        _give_name(result, operation, builder)
    elif layout.kind == "strided" and layout.map.sizes is not None:
        lists = _strided_lists(type_, layout, dynamic, symbols, builder)
        _reinterpreted(source, of, type_, lists, operation, builder)
    else:
        raise builder.refuse(f"the index map of {type_} has no strides in the base", "give the map its sizes")


def _offsets(map_: AffineMap) -> list[Expression] | None:
    """What is added to each index, where that is all that a map does; else None."""
    if len(map_.results) != len(map_.dimensions):
        return None
    offsets = []
    for number, result in enumerate(map_.results):
        rest = linear(result).plus(linear(Dimension(number)), -1).expression()
        if any(isinstance(part, Dimension) for part in parts(rest)):
            return None
        offsets.append(rest)
    return offsets


def _subview_type(of: Memref, type_: Memref, offsets: Sequence[int | str]) -> today.Memref:
    """The type that memref.subview gives."""
    strides = today.contiguous(of.shape)
    total: int | None = 0
    for offset, stride in zip(offsets, strides):
        known = isinstance(offset, int) and stride is not None and total is not None
        total = total + offset * stride if known else 0 if offset == 0 and total == 0 else None  # type: ignore[operator]
    if total == 0 and None not in strides and strides == today.contiguous(type_.shape):
        return plain(type_)
    return strided(type_, strides, total)
