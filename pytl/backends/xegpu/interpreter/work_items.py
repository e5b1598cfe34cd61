"""The dialect gpu: which work-item of a launch this is, and what those of a sub-group give each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ....mlir.text import Operation
from .machine import SubGroup
from .machine import executes as _of
from .values import garbage


def _number(name: str, value: Callable[[SubGroup], Any]) -> None:
    """An operation that gives a number of the launch."""

    @_of(name)
    def handler(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
        return np.broadcast_to(np.asarray(value(self), np.int64), (self.lanes,))


def _in_each_dimension(name: str, values: Callable[[SubGroup], Sequence[Any]]) -> None:
    """An operation that gives one of the numbers in x, y and z."""

    @_of(name)
    def handler(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
        words: tuple[str, ...] = getattr(op.attributes.get("dimension"), "words", ())
        if len(words) != 2 or words[1] not in ("x", "y", "z"):
            self.unknown(op)
        return np.broadcast_to(np.asarray(values(self)["xyz".index(words[1])], np.int64), (self.lanes,))


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
_number("gpu.lane_id", lambda self: np.arange(self.lanes))
_number("gpu.subgroup_id", lambda self: self.number)
_number("gpu.subgroup_size", lambda self: self.lanes)
_number("gpu.num_subgroups", lambda self: self.group.subgroups)


@_of("gpu.shuffle")
def _shuffle(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    self.together(op)
    value, distance, width = operands
    if self.uniform(op, width, "the width") != self.lanes:
        self.unknown(op, f"gpu.shuffle is of {int(width[0])} work-items, and a sub-group has {self.lanes}")
    own, mode = np.arange(self.lanes), " ".join(op.attributes["mode"].words)
    sources = {"idx": distance, "xor": own ^ distance, "up": own - distance, "down": own + distance}
    source = next(lane for name, lane in sources.items() if mode.endswith(name))
    valid = (source >= 0) & (source < self.lanes)
    valid &= self.everyone[np.where(valid, source, 0)]
    result = garbage(value.shape, value.dtype)
    result[valid] = value[source[valid]]
    return result, valid
