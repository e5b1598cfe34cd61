"""Execution of control flow, SPMD regions, and the instructions about the launch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ir.meanings import Meanings
from ...ir.types import CoopMatrixType, TileType
from ...ir.values import Value
from ...ops import Barrier, Builtin, Call, For, Foreach, ForeachTile, GroupId, If, NumGroups, Parallel, Yield
from ...ops.scalars import dtype_of
from ...passes.analysis.early_end import continue_condition
from . import rules
from .machine import Lanes, Machine, Results, entry, executes
from .memory import filled, require
from .subgroups import merge_matrices
from .tiles import merge_tiles

FOREACH_BLOCK = 4096
"""Iterations of a foreach that are executed at once; the limit bounds the memory of their values."""


@executes(Yield)
def yield_(machine: Machine, op: Yield) -> Results:
    return machine.all_of(op.yielded)


@executes(If)
def if_(machine: Machine, op: If) -> Results:
    condition = machine[op.condition]
    then_lanes, else_lanes = machine.lanes.spread(condition), machine.lanes.spread(~condition)
    results: Results | None = None
    if then_lanes.any():
        results = machine.run_by(machine.lanes.only(then_lanes), op.then_body)
    if else_lanes.any() and op.else_body is not None:
        others = machine.run_by(machine.lanes.only(else_lanes), op.else_body)
        results = merge(machine, op, then_lanes, results, others) if results is not None and op.results else others
    return results if op.results and results is not None else ()


def merge(machine: Machine, op: If | For, mask: np.ndarray, chosen: Results, others: Results) -> Results:
    """The chosen values in the lanes of the mask, the others elsewhere."""

    def merged(value: Value, a: Any, b: Any) -> Any:
        if isinstance(value.type, CoopMatrixType):
            return merge_matrices(machine, op, mask, value, a, b)
        if isinstance(value.type, TileType):
            return merge_tiles(machine, op, mask, a, b)
        return a if a is b else np.where(mask, a, b)

    return tuple(merged(value, a, b) for value, a, b in zip(op.results, chosen, others, strict=True))


@executes(For)
def for_(machine: Machine, op: For) -> Results:
    type_ = op.variable.type
    start, stop = (value.astype(np.int64) for value in machine.all_of((op.start, op.stop)))
    step = np.ones(1, np.int64) if op.step is None else machine[op.step].astype(np.int64)
    stuck = machine.lanes.spread(step <= 0)
    if stuck.any():
        # even without the checks: the loop would not end
        lane = int(stuck.argmax())
        message = f"the step is {entry(step, lane)}"
        raise machine.error(op, rules.LOOP_STEP, message, "count upwards", lane=lane)

    if not op.body.operations:
        return ()  # however many times that is
    carried = machine.all_of(op.inits)
    trip, is_in_range = start, start < stop
    flag = continue_condition(op)
    number = None if flag is None else op.carried.index(flag)
    running = machine.lanes.spread(is_in_range)
    while running.any():
        machine.values[op.variable] = trip.astype(dtype_of(type_))
        machine.values.update(zip(op.carried, carried, strict=True))
        yielded = machine.run_by(machine.lanes.only(running), op.body)
        if op.carried:
            everyone = np.array_equal(running, machine.lanes.mask)
            carried = yielded if everyone else merge(machine, op, running, yielded, carried)
        # the trip count never passes the end, so that it cannot wrap; what is left may need an unsigned type
        is_in_range = is_in_range & ((stop - trip).view(np.uint64) > step.view(np.uint64))
        trip = np.where(is_in_range, trip + step, trip)
        running = running & is_in_range
        if number is not None:
            running = running & carried[number]
    return carried


@executes(Foreach)
def foreach(machine: Machine, op: Foreach) -> Results:
    if not op.body.operations:
        return ()
    first = [int(machine[value][0]) for value in op.start]
    lengths = [max(0, int(machine[value][0]) - begin) for value, begin in zip(op.stop, first, strict=True)]
    total = math.prod(lengths)

    def name(number: int) -> str:
        return f"iteration ({', '.join(str(int(i[0])) for i in _trips(first, lengths, range(number, number + 1)))})"

    machine.begin_region(total, name)
    for begin in range(0, total, FOREACH_BLOCK):
        points = range(begin, min(begin + FOREACH_BLOCK, total))
        pairs = zip(_trips(first, lengths, points), op.variables, strict=True)
        trips = tuple(trip.astype(dtype_of(variable.type)) for trip, variable in pairs)
        machine.values.update(zip(op.variables, trips, strict=True))
        machine.run_by(Lanes("iteration", np.ones(len(points), np.bool_), trips=trips, first=begin), op.body)
    return ()


def _trips(first: list[int], lengths: list[int], points: range) -> list[np.ndarray]:
    """The trip counts of some points of a foreach, by variable; the first one counts fastest.

    NumPy's unravel_index refuses ranges of more points than it can count, which a foreach may have.
    """
    rest = np.arange(points.start, points.stop)
    trips = []
    for start, length in zip(first, lengths, strict=True):
        length = min(length, np.iinfo(np.int64).max)
        trips.append(start + rest % length)
        rest = rest // length
    return trips


@executes(ForeachTile)
def foreach_tile(machine: Machine, op: ForeachTile) -> Results:
    """Each sub-group takes tile after tile, in the order of their numbers, all of them at once."""
    first = [int(machine[value][0]) for value in op.start]
    lengths = [max(0, int(machine[value][0]) - begin) for value, begin in zip(op.stop, first, strict=True)]
    counts = [-(-length // size) for length, size in zip(lengths, op.tile_shape, strict=True)]
    total, lanes, work_items = math.prod(counts), machine.program.subgroup_size, machine.program.work_items
    if not op.body.operations or not total:
        return ()

    def tiles(numbers: range) -> list[np.ndarray]:
        positions = _trips([0] * len(counts), counts, numbers)
        return [begin + number * size for begin, number, size in zip(first, positions, op.tile_shape, strict=True)]

    def name(number: int) -> str:
        tile = number // lanes
        origins = ", ".join(str(int(origin[0])) for origin in tiles(range(tile, tile + 1)))
        return f"work-item {number % lanes} of tile ({origins})"

    machine.begin_region(total * lanes, name, total)
    for begin in range(0, total, work_items // lanes):
        numbers = range(begin, begin + work_items // lanes)
        # tiles that are none stand for those that some sub-groups have not
        origins = [origin.repeat(lanes) for origin in tiles(numbers)]
        ends = [begin + length for begin, length in zip(first, lengths, strict=True)]
        sizes = [np.minimum(end - origin, size) for end, origin, size in zip(ends, origins, op.tile_shape, strict=True)]
        trips = [
            values.astype(dtype_of(argument.type))
            for values, argument in zip((*origins, *sizes), op.body.arguments, strict=True)
        ]
        machine.values.update(zip(op.body.arguments, trips, strict=True))
        mask = np.arange(work_items) < (total - begin) * lanes
        machine.run_by(Lanes("tile", mask, trips=tuple(origins), first=begin * lanes), op.body)
    return ()


@executes(Call)
def call(machine: Machine, op: Call) -> Results:
    machine.values.update(zip(op.callee.parameters, machine.all_of(op.arguments), strict=True))
    machine.calls.append(op)
    results = machine.run(op.callee.body)
    machine.calls.pop()
    return results if op.results else ()


@executes(Parallel)
def parallel(machine: Machine, op: Parallel) -> Results:
    count = machine.program.work_items
    # a number of 8 bytes, or less, for each value of each work-item
    require(count * 8 * sum(len(inner.results) for inner in op.body.walk()))
    lanes = Lanes("work-item", filled(count, True, np.bool_))
    machine.begin_region(lanes.count, lambda number: f"work-item {number}")
    machine.run_by(lanes, op.body)
    return ()


@executes(Barrier)
def barrier(machine: Machine, op: Barrier) -> Results:
    # All lanes run in lock step and are here already; every earlier access has taken effect.
    if machine.lanes.role == "iteration" and machine.checks:
        raise machine.error(
            op,
            rules.BARRIER,
            "the iterations of a foreach are spread over the work-items in any way, so some may have none",
            "end the foreach in front of the barrier, or use parallel",
        )
    absent = ~machine.lanes.mask
    if machine.checks and absent.any():
        present_count, first = int(machine.lanes.mask.sum()), int(absent.argmax())
        raise machine.error(
            op,
            rules.BARRIER,
            f"{present_count} of {machine.lanes.count} work-items come here; the first that does not is {first}",
            "move the barrier out of the if or for that work-items go through differently",
            lane=int(machine.lanes.mask.argmax()),
        )
    if machine.history is not None:
        if op.global_fence:
            machine.history.fence("global")
        if op.local_fence:
            machine.history.fence("local")
    return ()


_ALONG = Meanings("the reference backend, dimensions of work-groups", {"y": 1, "z": 2})


@executes(GroupId)
def group_id(machine: Machine, op: GroupId) -> Results:
    return (np.array([machine.grid.position(machine.group)[_ALONG[op.variant]]], dtype_of(op.result.type)),)


@executes(NumGroups)
def num_groups(machine: Machine, op: NumGroups) -> Results:
    return (np.array([machine.grid.shape[_ALONG[op.variant]]], dtype_of(op.result.type)),)


@executes(Builtin)
def builtin(machine: Machine, op: Builtin) -> Results:
    program = machine.program
    known = Meanings(
        "the reference backend, builtin",
        {
            "group_id": machine.grid.position(machine.group)[0],
            "group_size": machine.grid.shape[0],
            "num_subgroups": program.work_items // program.subgroup_size,
            "subgroup_size": program.subgroup_size,
        },
    )
    return (np.array([known[op.variant]], dtype_of(op.result.type)),)
