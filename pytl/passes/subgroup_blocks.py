"""subgroup-blocks: products that many work-items execute, as blocks that sub-groups keep in registers.

The pass decides how large sub-groups, work-groups and blocks are, and writes the code of work-items; what emits it
decides nothing. Sizes of work-groups that a function names, or that its results may show, stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..diagnostics import PytlError
from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Alloca, Builtin, Gemm, Gemv, Parallel, Store
from ..ops.constants import is_constant
from ..ops.launch_defaults import NO_LOCK_STEP, has_open_size, subgroup_count, subgroup_size
from ..ops.memory import ACCUMULATING
from ..ops.updates import is_transposed
from ..ops.views import root_of
from .manager import UNKNOWN_PASS, Pass, register
from .subgroup_shapes import (
    Extents,
    Product,
    Shape,
    choose_count,
    choose_grid,
    choose_shape,
    choose_shape_of_chain,
    choose_size,
    extents_of,
)
from .targets.spmd import DEVICES, SpmdDevice
from .targets.strategies import STRATEGY
from .targets.vector_forms import has_subgroup_blocks
from .tiles import tile_of
from .unroll_and_jam import finds_operands
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
        following = list(_products(function.body))
        products = [op for op, _ in following]
        if not products:
            return
        device, extents = self.device, {op: extents_of(op) for op in products}
        if function.is_kernel and is_size_open(function):
            size = choose_size(device, list(extents.values()))
            count = choose_count(device, size, list(extents.values()))
            function.attributes.update(subgroup_size=size, work_group_size=[size * count, 1])
        if not device.is_processor:  # their work-items need not go in lock step
            function.attributes[NO_LOCK_STEP] = True
        size, count = subgroup_size(function), subgroup_count(function)
        requested = dict(zip(products, (tile_of(word) for word in self.tiles if function.is_kernel)))
        made: dict[Operation | None, list[Operation]] = {}
        for chain in self._chains(function, following, size):
            last, tile = chain[-1], requested.get(chain[-1])
            shape = Shape(*tile) if tile is not None else self._shape([extents[op] for op in chain], size)
            assert shape is not None
            grid = choose_grid(size, count, extents[last], shape) if len(chain) == 1 else (count, 1)
            code = subgroup_products.written(chain, shape, Team(size, *grid, device.has_broadcasts))
            for op in chain[:-1]:
                made[op] = made[op.updated.owner] = []
            made[last] = [Parallel(last.location, body=Region("spmd", operations=[code], location=last.location))]
        _replace(function.body, made)

    def _shape(self, chain: Sequence[Extents], size: int) -> Shape | None:
        if len(chain) == 1:
            return choose_shape(self.device, size, chain[0])
        return choose_shape_of_chain(self.device, size, chain)

    def _chains(
        self, function: Function, following: Sequence[tuple[Product, Product | None]], size: int
    ) -> list[list[Product]]:
        """The products, in order; together those whose left factors stay in registers."""
        uses = Counter(value for op in function.walk() for value in op.operands)
        chains: list[list[Product]] = []
        for op, before in following:
            if before is not None and before is chains[-1][-1] and _makes_left_factor(before, op, uses):
                joined = [*chains[-1], op]
                if self._shape(list(map(extents_of, joined)), size) is not None:
                    chains[-1] = joined
                    continue
            chains.append([op])
        return chains


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


def _products(region: Region) -> Iterator[tuple[Product, Product | None]]:
    """The products in a region, each with the one before it, if what is between them accesses no memory."""
    before: Product | None = None
    for op in region.operations:
        if has_subgroup_blocks(op):
            yield op, before
            before = op
        elif not (finds_operands(op) or isinstance(op, Alloca)):
            before = None
        for inner in op.regions:
            yield from _products(inner)


def _makes_left_factor(before: Product, op: Product, uses: Mapping[Value, int]) -> bool:
    """Whether a product computes the left factor of the next, and nothing else needs it.

    f16 and bf16 are rounded in memory, and not in registers. What the next one writes is nothing that both read.
    """
    if not (isinstance(before, Gemm) and isinstance(op, (Gemm, Gemv)) and op.A is before.C):
        return False
    element = op.updated.type.element
    is_local = isinstance(op.A.owner, Alloca) and uses[op.A] == 2
    is_same = op.A.type.element == element and element.size > 2
    read = {root_of(value) for value in (before.A, before.B, op.B if isinstance(op, Gemm) else op.b)}
    is_apart = root_of(op.updated) not in read and op.A not in read
    return is_local and is_same and is_apart and not is_transposed(op, "A") and is_constant(before.beta, 0)


def _replace(region: Region, made: Mapping[Operation | None, list[Operation]]) -> None:
    """Replace instructions by others."""
    region.operations = [new for op in region.operations for new in made.get(op, [op])]
    for op in region.operations:
        if not isinstance(op, Parallel):
            for inner in op.regions:
                _replace(inner, made)
