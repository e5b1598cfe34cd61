"""Products of a loop over work-groups, with as many work-groups as a vector has lanes in step, and what they cost."""

from __future__ import annotations

import math
from itertools import product

from ..ir.operation import Operation
from ..ir.values import Region, Value
from ..ops import Alloca, Gemm
from ..process.records import dataclass
from .analysis.terms import Terms
from .analysis.uses import memrefs_used
from .packs import local_bytes
from .targets import cpu
from .targets.cpu_attributes import COLUMNS, LANES, UNROLL
from .targets.group_lanes import IN_PLACE, ROWS, SIDE, InLanes, Plan, Summed
from .targets.machine import Machine
from .tiles import FUSED
from .unroll_and_jam import finds_operands, unroll_and_jam

ROOM = 64 << 10
"""Bytes of local memory, which is private memory of a processor, that the work-groups in step may have together: the
volume term of order 6 takes 40 kB, some of it in the second-level cache."""
FEW_REGISTERS = 4
"""Registers beside a tile's sums and the numbers of a right factor: with fewer, the compiler spills sums."""


@dataclass(frozen=True)
class GroupLanes:
    """A body for as many work-groups as a vector has lanes."""

    lanes: int
    body: Region
    cycles: float
    """What the model expects of a work-group."""


def in_lanes(body: Region, varying: set[Value], machine: Machine, taken: int) -> GroupLanes | None:
    """The body of a loop over work-groups for many of them in step; None where there is no such code.

    `varying` are the values that differ among work-groups, and `taken` the bytes of local memory that are not free.
    """
    if not _may_be(body, varying):
        return None
    element = next(op for op in body.walk() if isinstance(op, Gemm)).C.type.element
    lanes = machine.register_bytes // element.size
    share = 1.0
    if machine.execution.half < 1 and lanes > SIDE:  # more of what is read and written are whole segments
        lanes, share = lanes // 2, machine.execution.half
    if lanes < 2:
        return None
    together = unroll_and_jam(body, lanes)
    held: dict[Value, Value] = {}
    inner: list[list[Operation]] = [[] for _ in range(lanes)]
    operations: list[Operation] = []
    copies = [op for op in together.operations if isinstance(op, Alloca)]
    for position, alloca in enumerate(copies):
        registers = cpu.Registers(alloca.location, [alloca.result.type], [alloca.result.name])
        held[alloca.result] = registers.result
        inner[position % lanes].append(registers)
    for op in together.operations:
        if isinstance(op, cpu.Kernel):
            count = len(op.body.operations) // lanes
            for group, of_group in enumerate(inner):
                of_group += op.body.operations[group * count : (group + 1) * count]
        elif not isinstance(op, Alloca):
            operations.append(op)
    flat = [op for of_group in inner for op in of_group]
    for op in flat:
        op.replace_operands(lambda value: held.get(value, value))
    plan = Plan.of(flat, lanes, in_place=machine.registers > 16)
    tile, cycles = min(
        ((tile, share * _cycles(plan, machine, tile, lanes)) for tile in _tiles(machine)),
        key=lambda pair: pair[1],
    )
    memory = [Alloca(flat[0].location, [type_], attributes={}) for type_ in plan.memory]
    for alloca in memory:
        alloca.attributes["alignment"] = machine.caches.line
    if local_bytes(memory, machine.caches.line) > ROOM - taken or _code_of(plan, tile) > machine.tiles.most_in_lanes:
        return None
    attributes = {LANES: lanes, ROWS: tile[0], COLUMNS: tile[1], UNROLL: machine.tiles.most_terms_in_lanes}
    if plan.in_place:
        attributes[IN_PLACE] = True
    op = InLanes(
        flat[0].location,
        attributes=attributes,
        memory=[alloca.result for alloca in memory],
        body=Region("collective", [], flat),
    )
    region = Region("collective", together.arguments, [*operations, *memory, op], body.location)
    return GroupLanes(lanes, region, cycles / lanes)


def _tiles(machine: Machine) -> list[tuple[int, int]]:
    """Rows and columns whose sums leave registers for factors.

    Where there are many registers, half of them are for what a column of the right factor has: with several columns,
    the compiler keeps what it has loaded for later rows, and spills it.
    """
    return [(4, 3), (8, 1)] if machine.registers <= 16 else [(machine.registers // 2, 1)]


def _may_be(body: Region, varying: set[Value]) -> bool:
    """Whether a work-group consists of products of one type, some of them of a known pattern, and finding operands."""
    allocas = {op.result for op in body.operations if isinstance(op, Alloca)}
    products: list[Gemm] = []
    for op in body.operations:
        if isinstance(op, cpu.Kernel):
            if not all(isinstance(inner, (Gemm, cpu.Registers)) for inner in op.body.operations):
                return False
            products += [inner for inner in op.body.operations if isinstance(inner, Gemm)]
            allocas |= {inner.result for inner in op.body.operations if isinstance(inner, cpu.Registers)}
        elif not isinstance(op, Alloca) and (not finds_operands(op) or allocas.intersection(memrefs_used(op))):
            return False
    if not products:
        return False
    types = [value.type for op in products for value in (op.A, op.B, op.C)]
    if {type_.element for type_ in types} != {types[0].element} or types[0].element not in FUSED:
        return False
    own = [value for op in products for value in (op.A, op.B, op.C) if value in varying and value not in allocas]
    return (
        all(type_.has_static_shape for type_ in types)
        and all(value.type.strides[0] == 1 for value in own)
        and not any(varying.intersection((op.alpha, op.beta)) for op in products)
        and all(op.C in varying or op.C in allocas for op in products)
        and not any(op.atomic for op in products)
        and any(Terms.of(op) for op in products)
    )


def _code_of(plan: Plan, tile: tuple[int, int]) -> int:
    """Multiply-adds that are written out."""
    total = 0
    for summed in plan.sums:
        rows, columns = summed.target[0].type.shape
        some_rows = rows if summed.differs_by_row else min(rows, 2 * tile[0])
        some_columns = columns if summed.differs_by_column else min(columns, tile[1])
        for terms in summed.terms:
            total += sum(
                sum(bits >> k & 1 for bits in terms.rows[:some_rows])
                * sum(bits >> k & 1 for bits in terms.columns[:some_columns])
                for k in range(terms.depth)
            )
    return total


def _cycles(plan: Plan, machine: Machine, tile: tuple[int, int], lanes: int) -> float:
    """Cycles of all work-groups together."""
    costs = machine.tiles

    def turned(rows: int, segment: int) -> float:
        """Cycles for so many rows, of which a segment of a vector has some: each vector is loaded and joined, or cut
        and stored, by its segments, and takes part in a shuffle for each doubling of these."""
        segments = lanes // segment
        return costs.turned * -(-rows // segment) * segment * (2 * segments - 1 + (segment - 1).bit_length())

    side = min(SIDE, lanes)
    left = machine.registers - tile[0] * tile[1] - tile[1]
    slower = costs.sums_in_lanes if left < FEW_REGISTERS else 1.0
    total = costs.begin_in_lanes * lanes
    for step in plan.steps:
        if not isinstance(step, Summed):
            shape = step.tensors[0].type.shape
            total += math.prod(shape[1:]) * turned(shape[0], side)
            continue
        columns, is_held = step.target[0].type.shape[1], step.target in plan.held
        rows = step.rows(is_held, min(tile[0], lanes))
        if not is_held:
            pieces = [piece for _, count in _places(rows, tile[0]) for _, piece in _places(range(count), lanes)]
            written = [(piece, max(1 << (piece - 1).bit_length(), side)) for piece in pieces]
            total += 2 * columns * sum(turned(piece, segment) for piece, segment in written)
        rights = [(tuple(op.B for op in ops), terms.depth) for ops, terms in zip(step.products, step.terms)]
        depth = sum(depth for tensors, depth in rights if tensors in plan.in_place)
        total += columns * sum(turned(depth, side) for tensors, depth in rights if tensors in plan.in_place)
        reloaded = max(depth - left, 0) / depth if depth else 1.0  # the part of a column that no registers are left for
        for terms, (first, count), (begin, width) in product(
            step.terms, _places(rows, tile[0]), _places(range(columns), tile[1])
        ):
            for k in range(terms.depth):
                some = sum(bits >> k & 1 for bits in terms.rows[first : first + count])
                wide = sum(bits >> k & 1 for bits in terms.columns[begin : begin + width])
                if some and wide:
                    loads = some + reloaded * wide
                    sums = max(some * wide / machine.execution.fmas, costs.load * loads)
                    total += slower * (sums + costs.each_load * loads)
    return total


def _places(whole: range, most: int) -> list[tuple[int, int]]:
    """The first of each part of some numbers, and how many it has."""
    return [(first, min(most, whole.stop - first)) for first in range(whole.start, whole.stop, most)]
