"""Kernels whose work-items have nothing to do with each other: a parallel loop over those of a work-group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....mlir.text import Block, Operation, Region
from ....mlir.text.types import INDEX
from ..tree_writer import Extent
from .flattening import Flattening

OF_ITEMS = ("gpu.thread_id", "gpu.global_id", "gpu.block_dim")
"""What differs between the work-items of a work-group, or depends on how many there are."""


def items(self: Flattening, operations: Sequence[Operation], sizes: tuple[int, ...]) -> None:
    """Write the body of a kernel as that of a loop."""
    sizes = (*sizes, 1, 1)[:3]
    self.parallel(sizes[::-1], lambda at: _body(self, operations, dict(zip("zyx", at)), dict(zip("xyz", sizes))))


def _body(self: Flattening, operations: Sequence[Operation], at: dict[str, str], sizes: dict[str, int]) -> None:
    """Operations of a work-item, whose number is that of the loop."""
    for op in operations:
        self.op = op
        if op.name == "gpu.return":
            continue
        if op.name not in OF_ITEMS:
            regions = [Region([_block(self, each, at, sizes) for each in region.blocks]) for region in op.regions]
            self.out.append(replace(op, regions=regions) if regions else op)
            continue
        axis = op.word_of("dimension")
        if axis not in sizes:
            self.fail(op, f"{axis} is no dimension of a work-group")
        value: Extent = sizes[axis] if op.name == "gpu.block_dim" else at[axis]
        if op.name == "gpu.global_id":
            group = self.emit("gpu.block_id", [], [], [INDEX], {"dimension": axis})
            value = self.arith("addi", self.arith("muli", group, sizes[axis]), value)
        self.same("arith.addi", [self.index(value), self.index(0)], INDEX)
        self.named(op)


def _block(self: Flattening, block: Block, at: dict[str, str], sizes: dict[str, int]) -> Block:
    with self.inner() as out:
        _body(self, block.operations, at, sizes)
    return replace(block, operations=out)
