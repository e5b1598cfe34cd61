"""The dialect gpu: which work-item of a launch this is, and what those of a sub-group give each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ....mlir.text import Memref, Operation, Vector
from . import rules
from .machine import SubGroup, Wait, controls
from .machine import executes as _of
from .printing import formatted
from .values import MemrefValue, dtype_of, garbage
from .vectors import reduced


def _number(name: str, value: Callable[[SubGroup], Any]) -> None:
    """An operation that gives a number of the launch."""

    @_of(name)
    def handler(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
        return np.broadcast_to(np.asarray(value(self), np.int64), (self.lanes,))


def _in_each_dimension(name: str, values: Callable[[SubGroup], Sequence[Any]]) -> None:
    """An operation that gives one of the numbers in x, y and z."""

    @_of(name)
    def handler(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
        axis = op.word_of("dimension")
        if axis not in ("x", "y", "z"):
            self.unknown(op)
        return np.broadcast_to(np.asarray(values(self)["xyz".index(axis)], np.int64), (self.lanes,))


def _thread(self: SubGroup) -> list[np.ndarray]:
    """Where the work-items are in their work-group, x first."""
    wide, high, _ = self.group.block
    return [self.items % wide, self.items // wide % high, self.items // (wide * high)]


def _global(self: SubGroup) -> list[np.ndarray]:
    return [at * size + own for at, size, own in zip(self.group.position, self.group.block, _thread(self))]


_in_each_dimension("gpu.block_id", lambda self: self.group.position)
_in_each_dimension("gpu.grid_dim", lambda self: self.group.grid)
_in_each_dimension("gpu.thread_id", _thread)
_in_each_dimension("gpu.block_dim", lambda self: self.group.block)
_in_each_dimension("gpu.global_id", _global)
# a cluster has one work-group
_in_each_dimension("gpu.cluster_id", lambda self: self.group.position)
_in_each_dimension("gpu.cluster_dim", lambda self: self.group.grid)
_in_each_dimension("gpu.cluster_block_id", lambda self: (0, 0, 0))
_in_each_dimension("gpu.cluster_dim_blocks", lambda self: (1, 1, 1))
_number("gpu.lane_id", lambda self: np.arange(self.lanes))
_number("gpu.subgroup_id", lambda self: self.number)
_number("gpu.subgroup_size", lambda self: self.lanes)
_number("gpu.num_subgroups", lambda self: self.group.subgroups)


@_of("gpu.shuffle")
def _shuffle(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    value, distance, width = operands
    count = self.uniform(op, width, "the width")
    if not 0 < count <= self.lanes:
        self.unknown(op, f"gpu.shuffle is of {count} work-items, and a sub-group has {self.lanes}")
    own, mode = np.arange(self.lanes), op.word_of("mode")
    sources = {"idx": distance, "xor": own ^ distance, "up": own - distance, "down": own + distance}
    source = np.asarray(sources[mode])
    return _from_lanes(self, value, source, count)


def _from_lanes(self: SubGroup, value: np.ndarray, source: np.ndarray, count: int) -> Any:
    """What others of the first so many work-items have, and whether there are such."""
    valid = (source >= 0) & (source < count)
    valid &= self.everyone[np.where(valid, source, 0)]
    result = garbage(value.shape, value.dtype)
    result[valid] = value[source[valid]]
    return result, valid


@_of("gpu.rotate")
def _rotate(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """What the work-item so many further has, in turn within parts of a width."""
    self.together(op)
    offset, width = int(op.attributes["offset"]), int(op.attributes["width"])
    if width < 1 or self.lanes % width:
        self.unknown(op, f"gpu.rotate is of {width} work-items, and a sub-group has {self.lanes}")
    own = np.arange(self.lanes)
    return _from_lanes(self, operands[0], own // width * width + (own + offset) % width, self.lanes)


@_of("gpu.subgroup_broadcast")
def _subgroup_broadcast(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    kind = op.word_of("broadcast_type")
    value, *lane = operands
    first = int(np.argmax(self.mask))
    if kind == "specific_lane":
        first = self.uniform(op, lane[0], "the work-item")
        if not 0 <= first < self.lanes or not self.everyone[first]:
            self.fail(op, rules.DEFINED, f"gpu.subgroup_broadcast: there is no work-item {first}")
    elif kind not in ("first_active_lane", "any_lane"):
        self.unknown(op)
    return np.broadcast_to(value[first : first + 1], value.shape)


@_of("gpu.subgroup_reduce")
def _subgroup_reduce(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """The values of a cluster's work-items combined, for each of them."""
    self.together(op)
    value, kind = operands[0], op.word_of("op")
    size = int(op.attributes.get("cluster_size") or self.lanes)
    stride = int(op.attributes.get("cluster_stride", 1))
    if size < 1 or stride < 1 or self.lanes % (size * stride):
        self.unknown(op, f"clusters of {size} work-items do not make up a sub-group of {self.lanes}")
    chosen = np.arange(self.lanes).reshape(-1, size, stride).transpose(0, 2, 1).reshape(-1, size)
    result = garbage(value.shape, value.dtype)
    for lanes in chosen:
        there = lanes[self.everyone[lanes]]
        if len(there):
            result[lanes] = _combined(kind, value[there])
    return result


def _combined(kind: str, values: np.ndarray) -> np.ndarray:
    """Values of work-items, the first dimension, combined."""
    return reduced(kind, np.ascontiguousarray(np.moveaxis(values, 0, -1)), [values.ndim - 1])


@controls("gpu.all_reduce")
def _all_reduce(self: SubGroup, op: Operation) -> Iterator[Wait]:
    """The values of all work-items of a work-group combined: by a word, or by a region of two arguments."""
    self.together(op)
    (value,) = self.operands(op)
    turn = self.values.get(("turn", id(op)), 0)  # type: ignore[call-overload]
    self.values["turn", id(op)] = turn + 1  # type: ignore[index]
    given = self.group.exchanged.setdefault((id(op), turn), {})
    given[self.number] = value[self.everyone]
    yield op, lambda: len(given) == self.group.subgroups
    values = np.concatenate([given[number] for number in sorted(given)])
    kind = op.word_of("op")
    if kind:
        total = _combined(kind, values)
    else:
        block = self.only_block(op)
        total = values[0]
        for other in values[1:]:
            pair = (np.broadcast_to(each, (self.lanes, *np.shape(each))) for each in (total, other))
            self.values.update(zip((name for name, _ in block.arguments), pair))
            yield from self.block(block)
            total = self.ended(block)[0][0]
    self.values[op.results[0]] = np.broadcast_to(total, (self.lanes, *np.shape(total)))


@_of("gpu.dynamic_shared_memory")
def _dynamic(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    type_ = op.result_types[0]
    if not isinstance(type_, Memref) or dtype_of(type_.element) != np.int8:
        self.unknown(op)
    # one memory for all operations of the work-group
    key = (0, "dynamic")
    if key not in self.group.local:
        self.group.local[key] = self.memory.add(garbage((self.group.dynamic,), np.dtype(np.int8)))
    each = np.full(self.lanes, 0)
    sizes = (each + self.group.dynamic,)
    return MemrefValue(each + self.group.local[key], each, sizes, (each + 1,), np.dtype(np.int8))


@_of("gpu.printf")
def _printf(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """Printed by each work-item that is here, one after the other."""
    text = str(op.attributes["format"])
    for lane in np.nonzero(self.mask)[0]:
        self.execution.write(formatted(text, [each[lane] for each in operands]))


@controls("gpu.warp_execute_on_lane_0")
def _on_lane_0(self: SubGroup, op: Operation) -> Iterator[Wait]:
    """What the first work-item executes with the vectors of all, which are one behind the other there."""
    self.together(op)
    _, *given = self.operands(op)
    block = self.only_block(op)
    if int(op.attributes["warp_size"]) != self.lanes or len(block.arguments) != len(given):
        self.unknown(op, f"gpu.warp_execute_on_lane_0 is of {op.attributes['warp_size']} work-items")
    for (name, type_), value in zip(block.arguments, given):
        self.values[name] = np.broadcast_to(_joined(value, type_), (self.lanes, *_shape(type_)))
    before = self.mask
    self.mask = np.arange(self.lanes) == 0
    try:
        yield from self.block(block)
        results = self.ended(block)
    finally:
        self.mask = before
    for name, type_, value in zip(op.results, op.result_types, results):
        self.values[name] = _parted(value[0], _shape(type_), self.lanes)


def _shape(type_: Any) -> tuple[int, ...]:
    return type_.shape if isinstance(type_, Vector) else ()


def _split_mode(whole: tuple[int, ...], own: tuple[int, ...]) -> int | None:
    """The dimension of a vector of which each work-item has a part."""
    return next((mode for mode, (a, b) in enumerate(zip(whole, own)) if a != b), None)


def _joined(value: np.ndarray, type_: Any) -> np.ndarray:
    mode = _split_mode(_shape(type_), value.shape[1:])
    return value[0] if mode is None else np.concatenate(list(value), axis=mode)


def _parted(whole: np.ndarray, own: tuple[int, ...], lanes: int) -> np.ndarray:
    mode = _split_mode(np.shape(whole), own)
    if mode is None:
        return np.broadcast_to(whole, (lanes, *own))
    return np.stack(np.split(whole, lanes, axis=mode))
