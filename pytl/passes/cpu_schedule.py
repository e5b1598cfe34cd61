"""cpu-schedule: the order of the loops of each kernel, which of them are unrolled, and when what is prefetched.

A core has about a dozen memory requests in flight, and stalls on the next one. So the cache lines of a matrix are
divided among the register tiles of a kernel, and the lines of a tile among the iterations of its loop, in the order of
memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..ir.types import Extent, i32
from ..ir.values import Function, Region
from ..ops import Gemm, Gemv, Sum
from ..ops.constants import is_constant
from ..ops.updates import TRANSPOSES
from ..process.records import dataclass
from .manager import Pass, register
from .matrix_sums import order_of_product, order_of_sums
from .targets import cpu
from .targets.cache_lines import Lines
from .targets.costs import PrefetchCosts
from .targets.cpu_attributes import (
    ACCUMULATE,
    ADDED_LAST,
    COLUMNS_OUTER,
    FROM_MEMORY,
    IN_ORDER,
    LANES,
    LEVEL,
    LINE,
    MIN_LANES,
    ONWARDS,
    OUTER,
    PER_ITERATION,
    PER_TILE,
    RELOADS,
    ROWS_OUTER,
    TERMS,
    UNROLL,
    UNROLL_TILES,
    UNROLLED,
    lies_in_local_memory,
    products_in,
    products_of_group,
    schedule_alone,
    tiles_of,
)
from .targets.machine import DEFAULT, Machine
from .targets.turned_blocks import Blocks


@register
@dataclass(frozen=True)
class CpuSchedule(Pass):
    """Chooses the order and the unrolling of the loops of every `cpu.kernel`, and the schedule of every `cpu.prefetch`.

    A prefetch is removed where it can't be scheduled: where the number of register tiles, or what it prefetches, is
    known at run time only.
    """

    name = "cpu-schedule"
    of_called = True
    machine: Machine = DEFAULT

    def run(self, function: Function) -> None:
        _schedule(function.body, self.machine)


def _schedule(region: Region, machine: Machine, exceeds_cache: bool | None = None) -> None:
    """Schedule the kernels and prefetches of a region, where it is known whether its data exceed a cache."""
    scheduled = []
    for op in region.operations:
        if isinstance(op, cpu.Kernel):
            _schedule_kernel(op, machine, exceeds_cache)
        elif isinstance(op, cpu.Prefetch):
            if not op.tensor.type.is_static:
                continue
            line = machine.caches.line
            lines = -(-op.tensor.type.span * op.tensor.type.element.size // line)
            level, is_unrolled = op.attributes.get(LEVEL, 1), lines <= machine.prefetches.max_unrolled_lines
            op.attributes = {LINE: line, LEVEL: level, UNROLLED: is_unrolled}
        else:
            prefetching = op.prefetching if isinstance(op, cpu.Items) else None
            for inner in op.regions:
                _schedule(inner, machine, exceeds_cache if prefetching is None else inner is prefetching)
        scheduled.append(op)
    region.operations = scheduled


def _schedule_kernel(op: cpu.Kernel, machine: Machine, exceeds_cache: bool | None) -> None:
    products, costs = products_in(op), machine.loops
    if not products:
        first = op.body.operations[0]
        for name in schedule_alone(first):
            op.attributes[name] = costs.max_unrolled_tiles if name == UNROLL_TILES else costs.sums
        if isinstance(first, (Gemv, Sum)) and first.A.type.order == 2:
            op.attributes.update(order_of_sums(op, machine, exceeds_cache))
        _schedule_in_blocks(op, machine)
        return
    if op.attributes.get(IN_ORDER):
        op.attributes.update(order_of_product(op, machine) or {})
    is_one_sum = len(op.attributes[ACCUMULATE]) == 1
    # blocks of columns are the outer loop, so that the result is written in the order of memory
    room = max(costs.left_in_cache, _room_for_copies(products, machine))
    outer = COLUMNS_OUTER if is_one_sum and _left_stays_in_cache(products, room) else ROWS_OUTER
    op.attributes.update({OUTER: outer, MIN_LANES: costs.min_lanes, UNROLL_TILES: costs.max_unrolled_tiles})
    if machine.has_broadcast_loads and any(lies_in_local_memory(product.B) for product in products):
        op.attributes[RELOADS] = True
    # two multiply-adds of half a register take a cycle on some machines: these leave no time for additions
    is_whole = machine.share_of(op.attributes[LANES] * products[0].C.type.element.size) == 1
    if machine.adds_from_memory and is_whole and any(is_constant(product.beta, 1) for product in products):
        op.attributes[ADDED_LAST] = True
    # a load into all lanes of a whole register takes as long as the instruction that it would be a part of
    if (
        TERMS in op.attributes
        and machine.has_broadcast_loads
        and machine.share_of(op.attributes[LANES] * i32.size) == 1
    ):
        op.attributes[FROM_MEMORY] = True
    prefetches = [inner for inner in op.body.operations if isinstance(inner, cpu.Prefetch)]
    if not prefetches:
        return
    if tiles_of(op) is None:
        op.body.operations = [inner for inner in op.body.operations if inner not in prefetches]
        return
    for inner in prefetches:
        if inner.attributes.get(ONWARDS):
            inner.attributes = _schedule_onwards(op, inner, machine)
    prefetches = [inner for inner in prefetches if not inner.attributes.get(ONWARDS)]
    matrices = _matrices(prefetches, machine)
    waits = not _left_stays_in_cache(products, costs.left_in_cache)
    for inner, attributes in zip(prefetches, _schedules(op, matrices, machine.prefetches, waits)):
        inner.attributes = {**attributes, LEVEL: max(attributes[LEVEL], inner.attributes.get(LEVEL, 1))}


def _schedule_onwards(op: cpu.Kernel, prefetch: cpu.Prefetch, machine: Machine) -> dict[str, Any]:
    """The attributes of a prefetch of the next tile's rows, whose columns the tiles beside each other share."""
    tiles, products = tiles_of(op), products_of_group(op)
    assert tiles is not None
    position = next(n for n, product in enumerate(products_in(op)) if product.A is prefetch.tensor) % len(products)
    share = -(-int(prefetch.tensor.type.shape[1]) // len(tiles[position].widths))
    in_loop = -(-share // _iterations(op, products[position]))
    in_loops = [in_loop] * sum(len(each.kinds) for each in tiles)
    return {**prefetch.attributes, LINE: machine.caches.line, LEVEL: 2, PER_TILE: share, PER_ITERATION: in_loops}


def _matrices(prefetches: Sequence[cpu.Prefetch], machine: Machine) -> list[Lines]:
    types = [op.tensor.type for op in prefetches]
    return [Lines.of(type_.shape, type_.strides, type_.element.size, machine.caches.line) for type_ in types]


def _schedule_in_blocks(op: cpu.Kernel, machine: Machine) -> None:
    """Divide what a kernel of points prefetches among the blocks of its loops."""
    first = op.body.operations[0]
    prefetches = [inner for inner in op.body.operations if isinstance(inner, cpu.Prefetch)]
    if not prefetches:
        return
    blocks, matrices = Blocks.of(first, op.attributes[LANES]), _matrices(prefetches, machine)
    shares = [-(-matrix.pieces // blocks.vectors) for matrix in matrices]
    amount = sum(share * matrix.of_piece * matrix.line for share, matrix in zip(shares, matrices))
    level = 1 if amount <= machine.prefetches.in_blocks else 2
    for inner, matrix, share in zip(prefetches, matrices, shares):
        in_block = -(-share // sum(blocks.of_loop.values()))
        schedule = {LINE: matrix.line, LEVEL: level, PER_TILE: share, PER_ITERATION: [in_block] * len(blocks.of_loop)}
        inner.attributes = {**inner.attributes, **schedule}


def _left_stays_in_cache(products: Sequence[Gemm], room: int) -> bool:
    """Whether the left factors fit into the first-level cache, because each block of columns reads them again."""
    types = [op.A.type for op in products]
    return sum(t.count * t.element.size if t.has_static_shape else room for t in types) <= room


def _room_for_copies(products: Sequence[Gemm], machine: Machine) -> int:
    """Bytes of left factors in local memory, as are the blocks of large ones: these are read in the order of memory,
    as fast from the second-level cache.
    """
    return machine.blocks.bytes if all(lies_in_local_memory(op.A) for op in products) else 0


def _schedules(
    op: cpu.Kernel, matrices: Sequence[Lines], costs: PrefetchCosts, waits: bool
) -> Iterator[dict[str, Any]]:
    """The attributes of the prefetches of some matrices in a kernel with products, whose loads of left factors may wait
    for the second-level cache.
    """
    beyond = costs.beyond if waits else 0
    tiles = tiles_of(op)
    assert tiles is not None
    count = sum(each.count for each in tiles)
    level = 1 if sum(matrix.bytes for matrix in matrices) <= costs.in_first_level else 2
    shares = [-(-matrix.pieces // count) for matrix in matrices]
    are_few = sum(share * matrix.of_piece for share, matrix in zip(shares, matrices)) <= costs.max_in_flight
    loops = [
        (_iterations(op, product), op.interleave * height * width * (2 if product.C.type.element.is_complex else 1))
        for product, each in zip(products_of_group(op), tiles)
        for height, width in each.kinds
    ]
    for share, matrix in zip(shares, matrices):
        in_loops = [
            0
            if are_few or sums > costs.max_sums or iterations * matrix.of_piece > costs.max_iterations * share
            else -(-(share + beyond) // iterations)
            for iterations, sums in loops
        ]
        yield {LINE: matrices[0].line, LEVEL: level, PER_TILE: share, PER_ITERATION: in_loops}


def _iterations(op: cpu.Kernel, product: Gemm) -> int:
    """The iterations of the loop over the terms of a product, each of which may prefetch; 1 where it isn't known."""
    depth = _depth(product)
    if not isinstance(depth, int):
        return 1
    return max(depth if _is_unrolled(op, product) else depth // op.attributes[UNROLL], 1)


def _depth(product: Gemm) -> Extent:
    return product.A.type.shape[0 if TRANSPOSES[product.transpose_a] else 1]


def _is_unrolled(op: cpu.Kernel, product: Gemm) -> bool:
    """Whether the terms of a product are no loop."""
    depth = _depth(product)
    is_short = isinstance(depth, int) and depth <= op.attributes[UNROLL]
    return is_short or isinstance(product.A.owner, cpu.Registers)
