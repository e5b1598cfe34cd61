"""subgroup-blocks: products that many work-items execute, as blocks that sub-groups keep in registers.

The pass decides how large sub-groups, work-groups and blocks are, and writes the code of work-items; what emits it
decides nothing. Sizes of work-groups that a function names, or that its results may show, stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..diagnostics import PytlError
from ..ir.operation import Operation
from ..ir.values import Function, Region
from ..ops import Builtin, Parallel, Store
from ..ops.launch_defaults import NO_LOCK_STEP, has_open_size, subgroup_count, subgroup_size
from ..ops.memory import ACCUMULATING
from .manager import UNKNOWN_PASS, Pass, register
from .subgroup_shapes import (
    Product,
    Shape,
    choose_count,
    choose_grid,
    choose_shape,
    choose_size,
    extents_of,
)
from .targets.spmd import DEVICES, SpmdDevice
from .targets.strategies import STRATEGY
from .targets.vector_forms import has_subgroup_blocks
from .tiles import tile_of
from .vectors import subgroup_products
from .vectors.subgroup_products import Team


@register
@dataclass(frozen=True)
class SubgroupBlocks(Pass):
    """Makes a `parallel` with code of work-items of each product that many work-items execute.

    `tiles` names blocks for products, in order, as `2x8u4`: rows of a work-item, columns, unroll factor of the sum.
    Where it says `auto`, or names no more, the model of passes/subgroup_shapes.py chooses.
    """

    name = "subgroup-blocks"
    of_called = True
    device: SpmdDevice = DEVICES["gpu"]
    tiles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for word in self.tiles:
            if word != "auto" and tile_of(word) is None:
                raise PytlError.single(UNKNOWN_PASS, f"`{word}` is not a block", help="write 2x8u4, or auto")

    def run(self, function: Function) -> None:
        if function.attributes.get(STRATEGY) != "many-items":
            return
        products = list(_products(function.body))
        if not products:
            return
        device, extents = self.device, list(map(extents_of, products))
        if function.is_kernel and is_size_open(function):
            size = choose_size(device, extents)
            count = choose_count(device, size, extents)
            function.attributes.update(subgroup_size=size, work_group_size=[size * count, 1])
        if not device.is_processor:  # their work-items need not go in lock step
            function.attributes[NO_LOCK_STEP] = True
        size, count = subgroup_size(function), subgroup_count(function)
        requested = [tile_of(word) for word in self.tiles if function.is_kernel]
        made: dict[Operation, Operation] = {}
        for number, (op, each) in enumerate(zip(products, extents)):
            tile = requested[number] if number < len(requested) else None
            shape = choose_shape(device, size, each) if tile is None else Shape(*tile)
            team = Team(size, *choose_grid(size, count, each, shape), device.has_broadcasts)
            code = subgroup_products.written(op, shape, team)
            made[op] = Parallel(op.location, body=Region("spmd", operations=[code], location=op.location))
        _replace(function.body, made)


def is_size_open(function: Function) -> bool:
    """Whether a function's results are the same for all sizes of sub-groups and work-groups."""
    return has_open_size(function) and not any(map(_shows_size, function.walk()))


def _shows_size(op: Operation) -> bool:
    """Whether an instruction may have a result that depends on the number of work-items.

    All work-items execute an atomic addition outside of a `foreach`.
    """
    if isinstance(op, Builtin):
        return op.variant in ("num_subgroups", "subgroup_size")
    if isinstance(op, Store) and op.flag in ACCUMULATING:
        return True
    return isinstance(op, Parallel) or op.callee is not None or op.kind == "spmd"


def _products(region: Region) -> Iterator[Product]:
    for op in region.operations:
        if has_subgroup_blocks(op):
            yield op
        for inner in op.regions:
            yield from _products(inner)


def _replace(region: Region, made: dict[Operation, Operation]) -> None:
    region.operations = [made.get(op, op) for op in region.operations]
    for op in region.operations:
        if not isinstance(op, Parallel):
            for inner in op.regions:
                _replace(inner, made)
