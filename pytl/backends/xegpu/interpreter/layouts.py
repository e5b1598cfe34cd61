"""Layouts: which elements of a block the sub-groups of a work-group own, and the work-items of a sub-group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....mlir.text.tree import Raw
from ....process.records import dataclass

Shape = tuple[int, ...]


class Unfit(Exception):
    """A vector that is neither a work-item's part of a block, nor the block."""


@dataclass(frozen=True)
class Layout:
    """The parts of `#xegpu.layout`; what is not given is empty."""

    sg_layout: Shape = ()
    sg_data: Shape = ()
    inst_data: Shape = ()
    lane_layout: Shape = ()
    lane_data: Shape = ()
    order: Shape = ()
    """The dimensions from the one along which neighbours follow each other, as MLIR has it."""

    @property
    def slowest_first(self) -> Shape:
        rank = len(self.sg_layout or self.lane_layout)
        return self.order[::-1] or tuple(range(rank))

    def owned(self, shape: Shape, subgroup: int, subgroups: int) -> np.ndarray:
        """Which elements of a work-group's block a sub-group owns: blocks of sg_data, dealt out round-robin.

        Where there are fewer blocks than sub-groups in a dimension, sub-groups share them.
        """
        if not self.sg_layout:
            return np.ones(shape, np.bool_)
        if int(np.prod(self.sg_layout)) != subgroups:
            raise Unfit(f"the layout is of {list(self.sg_layout)} sub-groups, and a work-group has {subgroups}")
        data = self.sg_data or tuple(size // many for size, many in zip(shape, self.sg_layout))
        if len(self.sg_layout) != len(shape) or any(d < 1 or size % d for size, d in zip(shape, data)):
            raise Unfit(f"a block of {text(shape)} is not dealt out in blocks of {text(data)}")
        coordinates = [0] * len(shape)
        for mode in reversed(self.slowest_first):
            subgroup, coordinates[mode] = divmod(subgroup, self.sg_layout[mode])
        mask = np.ones(shape, np.bool_)
        for mode, (size, d, many) in enumerate(zip(shape, data, self.sg_layout)):
            turns = min(many, size // d)
            own = np.arange(size) // d % turns == coordinates[mode] % turns
            mask &= own.reshape([-1 if m == mode else 1 for m in range(len(shape))])
        return mask

    def owned_once(self, shape: Shape, subgroup: int, subgroups: int) -> np.ndarray:
        """The elements that no sub-group before owns: those that are shared are the first one's."""
        mask = self.owned(shape, subgroup, subgroups)
        for earlier in range(subgroup):
            mask &= ~self.owned(shape, earlier, subgroups)
        return mask


def layout_of(attributes: Sequence[Any]) -> Layout:
    """The layout among the attributes of a descriptor's type; one of nothing if there is none.

    Raises `Unfit` where a part of it is no list of numbers.
    """
    for each in attributes:
        if isinstance(each, Raw) and each.name == "#xegpu.layout":
            for name, sizes in each.entries.items():
                if not (isinstance(sizes, tuple) and all(type(size) is int and size >= 0 for size in sizes)):
                    raise Unfit(f"{name} of a layout is no list of sizes")
                if name not in Layout.__dataclass_fields__:
                    raise Unfit(f"a layout with {name} is not known")
            return Layout(**each.entries)
    return Layout()


def text(shape: Shape) -> str:
    """Sizes as MLIR writes them."""
    return "x".join(map(str, shape))
