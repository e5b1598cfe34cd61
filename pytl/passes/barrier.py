"""insert-barrier: barriers between collective instructions that one work-group's work-items must not overtake.

Walks each collective region with the accesses since the last barrier, per address space, and puts a barrier with the
fences that are needed right before the first instruction that conflicts. That is the latest place, so the fewest
barriers serve. Two accesses conflict when one writes and they may touch the same memory: allocas are apart from each
other unless the stack layout overlaps them; global memrefs may all be the same buffer, unless they are views on one
tensor that a static slice keeps apart. SPMD regions get no barriers (the manual leaves them to the user); they count as
one access to all that they touch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..ir.operation import Operation
from ..ir.types import AddressSpace, MemrefType
from ..ir.values import Function, Region, Value
from ..ops import Alloca, Barrier, Foreach, Parallel, Subview, Update
from ..ops.memory import STACK_OFFSET
from ..ops.views import known_bound, root_of
from .manager import Pass, register
from .stack import extent_of


@dataclass(frozen=True)
class Access:
    """That an instruction reads or writes the memory of a memref value."""

    tensor: Value
    writes: bool

    @property
    def space(self) -> AddressSpace:
        type_ = self.tensor.type
        assert isinstance(type_, MemrefType)
        return type_.space


Pending = set[Access]


@register
@dataclass(frozen=True)
class InsertBarrier(Pass):
    """Puts barriers where collective instructions depend on each other through memory."""

    name = "insert-barrier"

    def run(self, function: Function) -> None:
        _insert(function.body, set(), change=True)


def accesses_of(op: Operation) -> list[Access]:
    """What an instruction reads and writes itself, without the regions it contains."""
    unread = op.target if isinstance(op, Update) and not op.reads_target else None
    found = [Access(getattr(op, name), False) for name in op.reads if name != unread]
    found += [Access(getattr(op, name), True) for name in op.writes]
    return [access for access in found if isinstance(access.tensor.type, MemrefType)]


def _all_accesses(op: Operation) -> list[Access]:
    return accesses_of(op) + [a for region in op.regions for inner in region.walk() for a in accesses_of(inner)]


def _insert(region: Region, pending: Pending, change: bool) -> Pending:
    """Go through a collective region; returns the accesses that no barrier has ended."""
    operations: list[Operation] = []
    for op in region.operations:
        if isinstance(op, Barrier):
            pending = _without(pending, _fences(op))
        elif op.regions and not isinstance(op, (Foreach, Parallel)):
            pending = _nested(op, pending, change)
        else:
            accesses = _all_accesses(op)
            spaces = _conflicts(pending, accesses)
            if spaces:
                operations.append(Barrier(op.location, global_fence="global" in spaces, local_fence="local" in spaces))
                pending = _without(pending, spaces)
            pending = pending | set(accesses)
        operations.append(op)
    if change:
        region.operations = operations
    return pending


def _nested(op: Operation, pending: Pending, change: bool) -> Pending:
    # A loop's body follows itself: what its end leaves pending meets its beginning in the next iteration.
    is_loop = len(op.regions) == 1 and op.mnemonic == "for"
    after: Pending = set(pending)
    for region in op.regions:
        before = pending | _insert(region, set(), change=False) if is_loop else pending
        after |= _insert(region, set(before), change)
    return after


def _fences(barrier: Barrier) -> set[AddressSpace]:
    fences: set[AddressSpace] = set()
    if barrier.global_fence:
        fences.add("global")
    if barrier.local_fence:
        fences.add("local")
    return fences


def _without(pending: Pending, spaces: set[AddressSpace]) -> Pending:
    return {access for access in pending if access.space not in spaces}


def _conflicts(pending: Pending, accesses: Iterable[Access]) -> set[AddressSpace]:
    return {
        new.space
        for new in accesses
        for old in pending
        if new.space == old.space and (new.writes or old.writes) and may_overlap(new.tensor, old.tensor)
    }


def may_overlap(a: Value, b: Value) -> bool:
    """Whether two memrefs of one address space may share an element."""
    root_a, root_b = root_of(a), root_of(b)
    alloca_a, alloca_b = root_a.owner, root_b.owner
    if root_a is not root_b:
        if isinstance(alloca_a, Alloca) and isinstance(alloca_b, Alloca):
            return _share_stack(alloca_a, alloca_b)
        return True
    return not _kept_apart(a, b)


def _share_stack(a: Alloca, b: Alloca) -> bool:
    if STACK_OFFSET not in a.attributes or STACK_OFFSET not in b.attributes:
        return False  # no layout yet: every alloca has memory of its own
    (begin_a, end_a), (begin_b, end_b) = extent_of(a), extent_of(b)
    return begin_a < end_b and begin_b < end_a


def _kept_apart(a: Value, b: Value) -> bool:
    """Whether both are subviews of the same tensor that some mode's static slices keep apart."""
    view_a, view_b = a.owner, b.owner
    if not (isinstance(view_a, Subview) and isinstance(view_b, Subview) and view_a.tensor is view_b.tensor):
        return False
    for slice_a, slice_b in zip(view_a.slices, view_b.slices):
        begin_a, begin_b = known_bound(slice_a.offset), known_bound(slice_b.offset)
        size_a = known_bound(slice_a.size) if slice_a.keeps_mode else 1
        size_b = known_bound(slice_b.size) if slice_b.keeps_mode else 1
        if None in (begin_a, begin_b, size_a, size_b):
            continue
        if begin_a + size_a <= begin_b or begin_b + size_b <= begin_a:  # type: ignore[operator]
            return True
    return False
