"""What instructions read and write, and which of these accesses are still pending: no barrier has ended them yet.

Allocas are disjoint unless the stack layout overlaps them. Global memrefs may alias: a launch refuses overlapping
arguments only where they are copied to or from a device, and even there the same array may be passed twice. Items of a
group that are loaded with different indices may alias, too. Views on one tensor are disjoint where static slices
separate them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from itertools import islice

from ...ir.operation import Operation
from ...ir.types import AddressSpace, MemrefType, i8, item_type
from ...ir.values import NOALIAS, Function, Region, Value
from ...ops import Alloca, Builtin, For, Foreach, Load, Store, Subview, Update
from ...ops.constants import constant_bound
from ...ops.memory import STACK_OFFSET, STACK_SIZE, extent_of
from ...ops.views import root_of, views_behind
from ...process.records import dataclass
from .uses import Roots

MAX_VIEWS = 256
"""How many accesses through different views on one tensor are tracked; more are merged into one access to all of it."""

_MAX_SLICES = 8
"""How many subviews of subviews are followed to tell whether two views are disjoint."""


@dataclass(frozen=True)
class Access:
    """That an instruction reads or writes the memory of a memref value, or of a group's items."""

    tensor: Value
    writes: bool

    @property
    def space(self) -> AddressSpace:
        type_ = item_type(self.tensor.type)
        assert isinstance(type_, MemrefType)
        return type_.space


FRAMES = Value(MemrefType(i8, (1,), space="local"), "frames")
"""The local memory of functions that are called, once the stack layout has given it a place: calls share it."""


def accesses_of(op: Operation) -> list[Access]:
    """What an instruction reads and writes itself, without the regions it contains."""
    inner = [Access(FRAMES, True)] if op.callee is not None and op.callee.attributes.get(STACK_SIZE) else []
    unread = op.target if isinstance(op, Update) and not op.reads_target else None
    reads = [Access(value, False) for value in op.read_memory(besides=unread)]
    return [*reads, *(Access(value, True) for value in op.written_memory()), *inner]


def all_accesses(op: Operation) -> list[Access]:
    """What an instruction and the regions it contains read and write, each reported once."""
    inner = (access for region in op.regions for inside in region.walk() for access in accesses_of(inside))
    return list(dict.fromkeys((*accesses_of(op), *inner)))


def only_written(function: Function) -> list[Value]:
    """The parameters whose elements are written, and never read under their names."""
    accesses = {access for op in function.walk() for access in accesses_of(op)}
    read, written = ({root_of(access.tensor) for access in accesses if access.writes == w} for w in (False, True))
    are_memrefs = [each for each in function.parameters if isinstance(each.type, MemrefType)]
    return [each for each in are_memrefs if each in written and each not in read]


def _have_disjoint_slices(a: Value, b: Value) -> bool:
    """Whether two views are separated by static slices of some mode of the tensor that both are views on.

    Only static slices count: `overlap` compares views of one instruction, but between two barriers all work-items
    execute, and a computed offset may differ from work-item to work-item.
    """
    if a is b:
        return False
    ways = {view.tensor: view for view in _subviews(a)}
    return any(view.tensor in ways and _slices_apart(view, ways[view.tensor]) for view in _subviews(b))


def _subviews(value: Value) -> Iterable[Subview]:
    return (view for view in islice(views_behind(value), _MAX_SLICES) if isinstance(view, Subview))


def _slices_apart(a: Subview, b: Subview) -> bool:
    for slice_a, slice_b in zip(a.slices, b.slices):
        begin_a, begin_b = constant_bound(slice_a.offset), constant_bound(slice_b.offset)
        size_a = constant_bound(slice_a.size) if slice_a.keeps_mode else 1
        size_b = constant_bound(slice_b.size) if slice_b.keeps_mode else 1
        if begin_a is None or begin_b is None or size_a is None or size_b is None:
            continue
        if begin_a + size_a <= begin_b or begin_b + size_b <= begin_a:
            return True
    return False


def has_loop_with_stores(function: Function) -> bool:
    """Whether elements are stored in a loop, where passes may move accesses past each other."""
    loops = (op for op in function.walk() if isinstance(op, For))
    return any(isinstance(inner, Store) for loop in loops for inner in loop.body.walk())


def stores_between_accesses(function: Function) -> bool:
    """Whether a point, or a work-group, stores an element of one tensor before it accesses one of another tensor.

    Memory that a function allocates is apart from all other memory.
    """
    operations = list(function.walk())
    has_number = any(isinstance(op, Builtin) for op in operations)
    are_lanes = has_number and not any(isinstance(op, Update) for op in operations)
    return _stores_between(function.body, set(), are_lanes)


def _stores_between(region: Region, stored: set[Value], are_lanes: bool) -> bool:
    """The same of a region, before which elements of these tensors were stored.

    Points of one `foreach` are moved past those of another one only where work-groups may be lanes.
    """
    for op in region.operations:
        if isinstance(op, (Load, Store)):
            root = root_of(op.tensor)
            if isinstance(root.owner, Alloca):
                continue
            if stored - {root}:
                return True
            if isinstance(op, Store):
                stored.add(root)
        inside = set() if isinstance(op, Foreach) and not are_lanes else stored
        if any(_stores_between(part, inside, are_lanes) for part in op.regions):
            return True
    return False


def noalias_parameters(function: Function) -> list[Value]:
    """The parameters of memref type of which the function says that they share memory with no other one."""
    everything = function.attributes.get(NOALIAS) is True
    memrefs = [p for p in function.parameters if isinstance(p.type, MemrefType)]
    return [p for p in memrefs if everything or p.attributes.get(NOALIAS) is True]


@dataclass
class _AccessSummary:
    """The accesses to one alloca, parameter or group: view by view, or merged into one once there are many."""

    views: dict[Value, bool] = field(default_factory=dict)
    """The views, and whether each was written."""
    written: bool = False
    is_summed: bool = False

    def add(self, access: Access) -> None:
        self.written |= access.writes
        if not self.is_summed:
            self.views[access.tensor] = self.views.get(access.tensor, False) or access.writes
            if len(self.views) > MAX_VIEWS:
                self.is_summed, self.views = True, {}

    def conflicts(self, access: Access) -> bool:
        if not (access.writes or self.written):
            return False
        if self.is_summed:
            return True
        return any(
            (access.writes or written) and not _have_disjoint_slices(access.tensor, view)
            for view, written in self.views.items()
        )

    def copy(self) -> _AccessSummary:
        return _AccessSummary(dict(self.views), self.written, self.is_summed)

    def join(self, other: _AccessSummary) -> None:
        self.is_summed |= other.is_summed
        self.written |= other.written
        for view, written in other.views.items():
            self.add(Access(view, written))
        if self.is_summed:
            self.views = {}

    def state(self) -> object:
        return (self.is_summed, self.written, frozenset(self.views.items()))


class Memories:
    """What holds for a whole function: the root of each view, and which allocas share local memory."""

    def __init__(self, function: Function) -> None:
        self.roots = Roots()
        self.noalias = {*noalias_parameters(function), FRAMES}
        """What shares memory with nothing else: the parameters that a function says it of, and memory of calls."""
        self.neighbours: dict[Value, list[Value]] = {}
        """The allocas that overlap an alloca in the stack layout."""
        placed = [op for op in function.walk() if isinstance(op, Alloca) and STACK_OFFSET in op.attributes]
        reaching: list[Alloca] = []
        for op in sorted(placed, key=extent_of):
            reaching = [other for other in reaching if extent_of(other)[1] > extent_of(op)[0]]
            for other in reaching:
                self.neighbours.setdefault(op.result, []).append(other.result)
                self.neighbours.setdefault(other.result, []).append(op.result)
            reaching.append(op)


class Pending:
    """The accesses that no barrier has ended."""

    def __init__(self, memories: Memories) -> None:
        self.memories = memories
        self._accessed: dict[AddressSpace, dict[Value, _AccessSummary]] = {"global": {}, "local": {}}

    def add(self, accesses: Iterable[Access]) -> None:
        for access in accesses:
            root = self.memories.roots.of(access.tensor)
            self._accessed[access.space].setdefault(root, _AccessSummary()).add(access)

    def end(self, spaces: Iterable[AddressSpace]) -> None:
        """What a barrier with fences of these address spaces does."""
        for space in spaces:
            self._accessed[space] = {}

    def conflicts(self, accesses: Iterable[Access]) -> set[AddressSpace]:
        """The address spaces in which one of these accesses has to wait for a pending one."""
        spaces: set[AddressSpace] = set()
        for access in accesses:
            if access.space not in spaces and self._conflicts(access):
                spaces.add(access.space)
        return spaces

    def _conflicts(self, access: Access) -> bool:
        root = self.memories.roots.of(access.tensor)
        accessed = self._accessed[access.space]
        own = accessed.get(root)
        if own is not None and own.conflicts(access):
            return True
        others = self.memories.neighbours.get(root, ()) if isinstance(root.owner, Alloca) else accessed
        noalias = self.memories.noalias
        return any(
            access.writes or accessed[other].written
            for other in others
            if other is not root and other in accessed and not (root in noalias or other in noalias)
        )

    def copy(self) -> Pending:
        copied = Pending(self.memories)
        copied.join(self)
        return copied

    def join(self, other: Pending) -> None:
        """Merge in what another path to this place left pending."""
        for space, all_accessed in other._accessed.items():
            mine = self._accessed[space]
            for root, accessed in all_accessed.items():
                if root in mine:
                    mine[root].join(accessed)
                else:
                    mine[root] = accessed.copy()

    def state(self) -> object:
        """A key that is equal for equal sets of pending accesses."""
        return frozenset(
            (space, root, accessed.state())
            for space, all_accessed in self._accessed.items()
            for root, accessed in all_accessed.items()
        )
