"""Loops over the work-groups that a thread executes, where a pass has made a `cpu.items` of them.

A thread executes a range of work-groups, however many a `cpu.items` names: interleaved ones (unroll-and-jam), then
those that are left over, with software prefetch where all work-groups use more than a cache holds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...ir.values import Region
from ...mlir.text.builder import Value
from ...ops import Constant, For
from ...passes.targets import cpu
from ...process.records import dataclass
from .emit import hint_of


@dataclass(frozen=True)
class Range:
    """The work-groups of a thread, or the numbers that these deal out in one round."""

    first: Value
    last: Value
    """The number behind the last one."""
    groups: Value
    """How many work-groups the launch has."""
    own: Value | None = None
    """How many work-groups the thread has, where work-groups deal out the numbers of a loop."""


def items(emitter: Any, op: cpu.Items) -> None:
    """Loops over all that the thread executes."""
    to, given = emitter.to, emitter.work_group_range
    if op.stop is None:
        _one_round(emitter, op)
        return
    own, stop = to.op("arith.subi", given.last, given.first, hint="own"), emitter.single(op.stop)
    step = to.op("arith.maxsi", given.groups, to.constant(1))
    with to.loop(given.first, stop, step, "start") as start:
        left = to.op("arith.subi", stop, start, hint="left")
        last = to.op("arith.addi", start, to.op("arith.minsi", own, left), hint="last")
        emitter.work_group_range = replace(given, first=start, last=last, own=own)
        _one_round(emitter, op)


def _one_round(emitter: Any, op: cpu.Items) -> None:
    if op.exceeds_cache is None:
        _interleaved(emitter, op.body, op.remainder)
        return
    with emitter.to.branch(emitter.single(op.exceeds_cache)) as branch:
        _interleaved(emitter, op.prefetching, op.remainder)
    with branch.otherwise():
        _interleaved(emitter, op.body, op.remainder)


def _interleaved(emitter: Any, body: Region, remainder: Region | None) -> None:
    """A loop over sets of interleaved work-groups, and one over those that are left over."""
    to, interleaved, range_ = emitter.to, len(body.arguments), emitter.work_group_range
    if interleaved == 1:
        _loop(emitter, body, range_.first, range_.last)
        return
    assert remainder is not None
    count = to.op("arith.subi", range_.last, range_.first, hint="count")
    left = to.op("arith.remui", count, to.constant(interleaved), hint="left")
    whole = to.op("arith.subi", range_.last, left, hint="whole")
    _loop(emitter, body, range_.first, whole)
    _loop(emitter, remainder, whole, range_.last)


def _loop(emitter: Any, body: Region, first: Value, last: Value) -> None:
    to, arguments = emitter.to, body.arguments
    hint = arguments[0].name or "group"
    with to.loop(first, last, to.constant(len(arguments)), hint, not _carries_the_same(body)) as group:
        emitter.bind(arguments[0], (group,))
        for distance, argument in enumerate(arguments[1:], 1):
            emitter.bind(argument, (to.op("arith.addi", group, to.constant(distance), hint=hint),))
        emitter.region(body)


def _carries_the_same(body: Region) -> bool:
    """Whether a loop in the body carries numbers that are the same for all work-groups.

    LLVM's vectorizer asks of such a number whether it is the same, anew for each use of it and of what it is computed
    from. For a maximum of 24 elements that are compared and chosen, this does not end.
    """
    differing = set(body.arguments)
    for op in body.walk():
        used = {*op.operands, *(value for region in op.regions for inner in region.walk() for value in inner.operands)}
        if used & differing or not (used or isinstance(op, Constant)):
            differing.update(op.results)
            if op.results or differing.intersection(op.operands):
                differing.update(argument for region in op.regions for argument in region.arguments)
        elif isinstance(op, For) and op.results:
            return True
    return False


def later(emitter: Any, op: cpu.Later) -> None:
    """The number of what the thread executes later. From the last one of a round on, it goes on in the next.

    Where there is no next round, that is what another thread begins with.
    """
    to, range_ = emitter.to, emitter.work_group_range
    now, last, distance = emitter.single(op.group), emitter.single(op.last), to.constant(op.attributes[cpu.DISTANCE])
    there = to.op("arith.addi", now, distance, hint="there")
    if range_.own is not None:
        ahead = to.op("arith.addi", now, to.op("arith.remui", distance, range_.own), hint="ahead")
        rounds = to.op("arith.muli", to.op("arith.divui", distance, range_.own), range_.groups, hint="rounds")
        is_in_round = to.op("arith.cmpi", ahead, range_.last, predicate="slt")
        skipped = to.op("arith.select", is_in_round, to.constant(0), to.op("arith.subi", range_.groups, range_.own))
        ahead = to.op("arith.addi", to.op("arith.addi", ahead, rounds), skipped, hint="ahead")
        is_beyond = to.op("arith.cmpi", ahead, last, predicate="sgt")
        there = to.op("arith.select", is_beyond, there, ahead, hint="there")
    emitter.bind(op.result, (to.op("arith.minsi", there, last, hint=hint_of(op.result)),))
