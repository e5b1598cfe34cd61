"""insert-barrier: barriers between collective instructions whose accesses conflict.

The pass walks each collective region with the accesses since the last barrier, per address space. It puts a barrier
with the fences that are needed right before the first instruction that conflicts: the latest place, so that the fewest
barriers suffice. Two accesses conflict when one writes and they may touch the same memory, as
`passes/analysis/accesses.py` says. SPMD regions get no barriers (the manual leaves them to the user); they count as one
access to all that they touch.
"""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.types import AddressSpace
from ..ir.values import Function, Region, kind_of
from ..ops import Barrier, For, Foreach, ForeachTile, Parallel
from ..ops.launch_defaults import NO_LOCK_STEP, subgroup_count
from ..process.records import dataclass
from .analysis.accesses import Memories, Pending, all_accesses
from .manager import Pass, register
from .targets import cpu, vector
from .targets.strategies import STRATEGY


@register
@dataclass(frozen=True)
class InsertBarrier(Pass):
    """Puts barriers where collective instructions depend on each other through memory.

    A function that one work-item executes gets none: it has nobody to wait for. Where a sub-group executes a work-group
    by itself, and does not go in lock step, its work-items wait for each other alone.
    """

    name = "insert-barrier"
    of_called = True

    def run(self, function: Function) -> None:
        is_met = function.is_kernel or kind_of(function, {}) == "collective"
        if is_met and function.attributes.get(STRATEGY) != "one-item":
            # processors have one kind of barriers, and their fences of a sub-group take longer
            is_order = is_alone(function) and bool(function.attributes.get(NO_LOCK_STEP))
            _Walk(is_order).region(function.body, Pending(Memories(function)), change=True)


def is_alone(function: Function) -> bool:
    """Whether one sub-group, whose size code of work-items depends on, executes a work-group of a kernel by itself."""
    depends = any(isinstance(op, vector.WorkItems) for op in function.walk())
    return depends and function.is_kernel and subgroup_count(function) == 1


class _Walk:
    """The walk through collective regions with `pending`. Without `change` it only computes what is left pending."""

    def __init__(self, is_alone: bool) -> None:
        self._is_alone = is_alone
        self._left: dict[tuple[Region, object], Pending] = {}
        """What regions leave pending, by what is pending at their beginning."""

    def region(self, region: Region, pending: Pending, change: bool) -> Pending:
        """Go through a region; returns the accesses that no barrier has ended."""
        operations: list[Operation] = []
        for op in region.operations:
            if isinstance(op, (Barrier, vector.SubgroupBarrier)):
                pending.end(_fences(op))
            elif isinstance(op, (For, cpu.Items)):
                pending = self._loop(op, pending, change)
            elif op.regions and not isinstance(op, (Foreach, ForeachTile, Parallel)):
                pending = self._branch(op, pending, change)
            else:
                spaces = self._pass_by(op, pending)
                if spaces:
                    operations.append(self._barrier(op, spaces))
            operations.append(op)
        if change:
            region.operations = operations
        return pending

    def _barrier(self, op: Operation, spaces: set[AddressSpace]) -> Operation:
        """What orders accesses to some address spaces in front of an instruction."""
        if self._is_alone:
            return vector.SubgroupBarrier(op.location)
        return Barrier(op.location, global_fence="global" in spaces, local_fence="local" in spaces)

    def _pass_by(self, op: Operation, pending: Pending) -> set[AddressSpace]:
        """The fences that are needed in front of an instruction; `pending` is updated to the state after it."""
        needed: set[AddressSpace] = set()
        own = Pending(pending.memories)
        # after a barrier that the user wrote in a parallel region nothing has to wait again
        for step in op.body.operations if isinstance(op, Parallel) else [op]:
            if isinstance(step, Barrier):
                pending.end(_fences(step))
                own.end(_fences(step))
            else:
                accesses = all_accesses(step)
                spaces = pending.conflicts(accesses)
                pending.end(spaces)
                needed |= spaces
                own.add(accesses)
        pending.join(own)
        return needed

    def _left_by(self, region: Region, before: Pending) -> Pending:
        """What a region would leave pending. Results are memoised, or nested loops would take exponential time."""
        key = (region, before.state())
        if key not in self._left:
            self._left[key] = self.region(region, before.copy(), change=False)
        return self._left[key]

    def _branch(self, op: Operation, pending: Pending, change: bool) -> Pending:
        regions = op.regions
        after = pending.copy() if len(regions) == 1 else None
        for region in regions:
            left = self.region(region, pending.copy(), change) if change else self._left_by(region, pending)
            if after is None:
                after = left.copy()
            else:
                after.join(left)
        assert after is not None, "a branch has regions"
        return after

    def _loop(self, op: For | cpu.Items, pending: Pending, change: bool) -> Pending:
        # A loop body follows itself: its end state flows back to its beginning. More pending at the beginning may move
        # a barrier and so change the end state, hence the iteration to a fixed point, which only ever adds.
        before = pending.copy()
        while True:
            left = self._left_by(op.body, before).copy()
            if isinstance(op, cpu.Items):
                left.end(("global",))  # work-groups that are executed one after the other need no order
            joined = before.copy()
            joined.join(left)
            if joined.state() == before.state():
                break
            before = joined
        if change:
            self.region(op.body, before.copy(), change=True)
        # the loop may not run at all
        after = pending.copy()
        after.join(left)
        return after


def _fences(barrier: Barrier | vector.SubgroupBarrier) -> set[AddressSpace]:
    if isinstance(barrier, vector.SubgroupBarrier):
        return {"global", "local"}
    fences: set[AddressSpace] = set()
    if barrier.global_fence:
        fences.add("global")
    if barrier.local_fence:
        fences.add("local")
    return fences
