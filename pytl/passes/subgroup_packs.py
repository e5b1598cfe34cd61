"""Small work-groups of the language that share a sub-group of a GPU: which, how many, and their code.

A function is packed where an instruction leaves at least half of a sub-group's work-items idle, and where the model
counts fewer cycles for a work-group. Each work-group then has so many work-items as that instruction needs, and they
execute all others, too. Local memory has a place for each of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ..ir.operation import Operation
from ..ir.types import MemrefType, compute_type, index
from ..ir.values import Function, Region, Value
from ..ops import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Builtin,
    Cast,
    Compare,
    Cumsum,
    Expand,
    For,
    Foreach,
    Fuse,
    Gemm,
    Gemv,
    Ger,
    Load,
    Parallel,
    Size,
    Store,
    Subview,
    Sum,
)
from ..ops.constants import constant_of
from ..ops.memory import bytes_of
from ..ops.views import Slice
from ..process.records import dataclass
from .analysis.uniformity import variation_of
from .subgroup_shapes import (
    SUMS_AT_ONCE,
    Product,
    choose_shape_of_pack,
    cost_of,
    extents_of,
    has_matrices,
    typical,
)
from .targets import vector
from .targets.cpu import ITEMS
from .targets.spmd import SpmdDevice
from .targets.subgroup_forms import has_sums_along, points_at_once
from .targets.vector_forms import has_subgroup_blocks, has_subgroup_sums, has_vector_points, summed_mode
from .unroll_and_jam import finds_operands
from .vectors import subgroup_points, subgroup_products, subgroup_sums
from .vectors.packs import Pack
from .vectors.subgroup_products import Team

Work = Gemm | Gemv | Ger | Sum | Cumsum | Foreach
Chains = Callable[[int], list[list[Product]]]
"""The products that are chains in registers, for a size of sub-groups."""
_VIEWS = (Subview, Expand, Fuse, Size, ArithBinary, ArithUnary, Cast, Compare)


@dataclass(frozen=True)
class Parts:
    """A function whose work-groups can be packed."""

    group: Value
    """The number of the work-group."""
    locals: list[Alloca]
    views: list[Operation]
    """What depends on the number of the work-group, or on its local memory, in order."""
    others: list[Operation]
    """What is the same for all work-groups."""
    work: list[Work]

    @property
    def varying(self) -> set[Value]:
        """What differs among work-groups."""
        found = {value for op in (*self.locals, *self.views) for value in op.results}
        return {self.group, *found}


def parts_of(function: Function) -> Parts | None:
    """The parts of a function; None where some instruction has no code for work-groups that are packed."""
    numbers = [op for op in function.walk() if isinstance(op, Builtin) and op.variant == "group_id"]
    if len(numbers) != 1 or numbers[0] not in function.body.operations:
        return None
    parts = Parts(numbers[0].result, [], [], [], [])
    varying = {parts.group}
    for op in function.body.operations:
        if op is numbers[0]:
            continue
        if isinstance(op, Alloca):
            if not op.result.type.is_static:
                return None
            parts.locals.append(op)
            varying.add(op.result)
        elif has_subgroup_blocks(op) or has_subgroup_sums(op):
            tensors = [value for value in op.operands if isinstance(value.type, MemrefType)]
            if varying.intersection([op.alpha, op.beta]) or any(map(_has_open_shape, tensors)):
                return None
            parts.work.append(op)
        elif isinstance(op, Foreach):
            if not _has_code(op, varying):
                return None
            parts.work.append(op)
        elif not finds_operands(op):
            return None
        elif not varying.intersection(op.operands):
            parts.others.append(op)
        elif isinstance(op, _VIEWS) and not any(_has_open_shape(value) for value in op.results):
            parts.views.append(op)
            varying.update(op.results)
        else:
            return None
    return parts


def _has_open_shape(value: Value) -> bool:
    return isinstance(value.type, MemrefType) and not value.type.has_static_shape


def _has_code(op: Foreach, varying: set[Value]) -> bool:
    bounds = [*op.start, *op.stop]
    is_known = constant_of(op.start[0]) is not None and constant_of(op.stop[0]) is not None
    if not is_known or varying.intersection(bounds) or has_sums_along(op):
        return False
    return has_vector_points(op, variation_of(op))


@dataclass(frozen=True)
class Packing:
    """So many work-groups in a sub-group of a size, each of which has as many work-items; and cycles for each."""

    size: int
    width: int
    cost: float

    @property
    def items(self) -> int:
        return self.size // self.width


def choose(device: SpmdDevice, sizes: Sequence[int], parts: Parts, chains: Chains) -> Packing | None:
    """The cheapest way to pack work-groups; None where one by itself takes less time, or keeps sub-groups busy."""
    found = [
        Packing(size, width, _cycles(device, size, width, parts, chains(size)))
        for size in sizes
        for width in _widths(size, parts)
        if _bytes(parts, size, width) <= device.local_bytes
    ]
    packing = min(found, key=lambda each: each.cost, default=None)
    alone = min(_cycles_alone(device, size, parts) for size in sizes)
    return packing if packing is not None and packing.cost < alone else None


def _widths(size: int, parts: Parts) -> Iterator[int]:
    """How many work-items a work-group may have: as many as the instructions need that leave half of them idle."""
    idle = [needed for needed in map(_needed, parts.work) if 0 < 2 * needed <= size]
    if not idle:
        return
    most = max(idle)
    power = 1 << (most - 1).bit_length()
    has_sums = any(has_subgroup_sums(op) for op in parts.work)
    yield from sorted({power} if has_sums else {most, power})


def _needed(op: Work) -> int:
    """How many work-items an instruction keeps busy."""
    if has_subgroup_sums(op):
        return typical(op.A.type.shape[summed_mode(op)])
    if isinstance(op, Foreach):
        return math.prod(_extents_of_points(op))
    assert isinstance(op, (Gemm, Gemv, Ger))
    return extents_of(op).known()[0]


def _extents_of_points(op: Foreach) -> list[int]:
    return [_extent(start, stop) for start, stop in zip(op.start, op.stop)]


def _extent(start: Value, stop: Value) -> int:
    first, last = constant_of(start), constant_of(stop)
    return typical(None) if first is None or last is None else max(int(last) - int(first), 0)


# What the model counts.


def _cycles_alone(device: SpmdDevice, size: int, parts: Parts) -> float:
    products = [op for op in parts.work if has_subgroup_blocks(op) and not has_subgroup_sums(op)]
    others = [op for op in parts.work if op not in products]
    total = sum(cost_of(device, size, extents_of(op)) for op in products)
    return total + sum(_cycles_of(device, size, size, op) for op in others)


def _cycles(device: SpmdDevice, size: int, width: int, parts: Parts, chains: Sequence[Sequence[Product]]) -> float:
    """Cycles of a sub-group for each of the work-groups that it executes."""
    total, varying = 0.0, parts.varying
    for chain in chains:
        is_shared = _is_shared(device, chain, varying)
        shape, cycles = choose_shape_of_pack(device, size, width, list(map(extents_of, chain)), is_shared)
        if shape is None:
            return float("inf")
        total += cycles
    products = [op for chain in chains for op in chain]
    others = [op for op in parts.work if op not in products]
    return total + sum(_cycles_of(device, size, width, op) for op in others) / (size // width)


def _cycles_of(device: SpmdDevice, size: int, width: int, op: Work) -> float:
    """Cycles of a sub-group for an instruction that is no product, by so many of its work-items."""
    costs = device.costs
    if isinstance(op, Foreach):
        extents = _extents_of_points(op)
        covered, together = subgroup_points.covered_by(width, [0] * len(extents), extents)
        rounds = 1
        for mode, extent in enumerate(extents[len(covered) :]):
            rounds *= -(-extent // together) if mode == 0 else extent
        return costs.block + rounds * _cycles_of_region(device, size, op.body)
    assert isinstance(op, (Gemv, Sum, Cumsum))
    extents = list(map(typical, op.A.type.shape))
    depth = extents.pop(summed_mode(op))
    sums = math.prod(extents)
    registers = _registers(device, size, op.updated)
    return costs.block + sums * registers * (-(-depth // width) * costs.load + costs.multiply_add)


def _cycles_of_region(device: SpmdDevice, size: int, region: Region) -> float:
    total = 0.0
    for op in region.operations:
        if isinstance(op, (Load, Store)):
            total += device.costs.load * _registers(device, size, op.tensor)
        elif isinstance(op, For):
            total += _extent(op.start, op.stop) * _cycles_of_region(device, size, op.body)
        else:
            total += device.costs.multiply_add + sum(_cycles_of_region(device, size, each) for each in op.regions)
    return total


def _registers(device: SpmdDevice, size: int, tensor: Value) -> int:
    return -(-size * compute_type(tensor.type.element).size // device.register_bytes)


def _is_shared(device: SpmdDevice, chain: Sequence[Product], varying: set[Value]) -> bool:
    """Whether a device broadcasts the right factors: all work-groups have the same."""
    return device.has_broadcasts and all(_right_factor_of(op) not in varying for op in chain)


def _right_factor_of(op: Product) -> Value:
    """The factor whose numbers are the same for all rows."""
    factor: Value = op.B if isinstance(op, Gemm) else op.b
    return factor


# The code.


def pack(
    function: Function, device: SpmdDevice, parts: Parts, packing: Packing, chains: Sequence[Sequence[Product]]
) -> None:
    """Replace what a function does by the code of work-groups that share a sub-group."""
    size, width, items = packing.size, packing.width, packing.items
    numbers = [Value(index, name, function.location) for name in ("first", "count")]
    slot = Value(index, "slot", function.location)
    memory = {op: _places(op, size, width) for op in parts.locals}
    own = [(op.result, _own_part(memory[op], slot)) for op in parts.locals]
    spread = Pack(items, width, numbers, parts.group, slot, own, parts.views)
    by_last = {chain[-1]: chain for chain in chains}
    in_chains = {op for chain in chains for op in chain}
    codes: list[vector.WorkItems] = []
    for op in parts.work:
        if op in by_last:
            chain = by_last[op]
            is_shared = _is_shared(device, chain, parts.varying)
            extents = list(map(extents_of, chain))
            shape, _ = choose_shape_of_pack(device, size, width, extents, is_shared)
            assert shape is not None
            by_unit = is_shared and len(chain) == 1 and has_matrices(device, size, extents[-1])
            team = Team(width, 1, 1, is_shared, size, by_unit)
            codes.append(subgroup_products.written(chain, shape, team, spread))
        elif isinstance(op, Foreach):
            codes.append(subgroup_points.in_lines(op, width, 1, points_at_once(op), True, spread))
        elif op not in in_chains:
            assert has_subgroup_sums(op)
            codes.append(subgroup_sums.written(op, width, 1, SUMS_AT_ONCE, spread))
    used = {value for code in codes for op in code.body.walk() for value in op.operands}
    allocas = [each for each in memory.values() if each.result in used]
    body = Region("collective", numbers, [_parallel(code) for code in codes], function.location)
    together = vector.SideBySide(function.location, attributes={ITEMS: items}, body=body)
    function.body.operations = [*allocas, *parts.others, together]
    function.attributes.update(subgroup_size=size, work_group_size=[size, 1])


def _distance(type_: MemrefType, size: int, width: int) -> int:
    """How far the places of neighbours are apart: what their work-items access then is in different banks."""
    return type_.span + (width - type_.span) % size


def _bytes(parts: Parts, size: int, width: int) -> int:
    return sum(bytes_of(_places(op, size, width).result.type) for op in parts.locals)


def _places(op: Alloca, size: int, width: int) -> Alloca:
    """Local memory for as many work-groups as are packed."""
    type_: MemrefType = op.result.type
    shape, strides = (*type_.shape, size // width), (*type_.strides, _distance(type_, size, width))
    return Alloca(op.location, [MemrefType(type_.element, shape, strides, type_.space)])


def _own_part(memory: Alloca, slot: Value) -> Subview:
    """A work-group's own part of local memory."""
    type_: MemrefType = memory.result.type
    kept = replace(type_, shape=type_.shape[:-1], strides=type_.strides[:-1])
    slices = [*(Slice(0, extent) for extent in kept.shape if isinstance(extent, int)), Slice(slot)]
    return Subview(memory.location, [kept], tensor=memory.result, slices=slices)


def _parallel(code: vector.WorkItems) -> Parallel:
    return Parallel(code.location, body=Region("spmd", operations=[code], location=code.location))
