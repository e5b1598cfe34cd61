"""The shadow of memory: who accessed each element last, for the detection of data races.

An *agent* makes an access: a work-item, an iteration of a foreach, a sub-group, or the work-group as a whole. An
*epoch* lies between two synchronisations. In an epoch each agent has a *stamp*, a number larger than all stamps of
earlier epochs. So no memory is cleared at the end of an epoch, and one comparison distinguishes an access of the
current epoch from earlier ones, which are ordered before it. The stamps of a work-group follow those of the work-group
before, so that one comparison recognises other work-groups, too. The low bits of a stamp are the instruction that made
the access.

For the agents that read an element, or update it atomically, the shadow keeps two different ones of the current epoch,
and one of an earlier work-group: the next agent differs from at least one of the two, which suffices to find every
race.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from ...ir.operation import Operation
from ...ir.types import AddressSpace
from ...ir.values import Function
from ...ops import Expandc2r

Access = Literal["read", "write", "atomic", "group atomic", "atomic read", "group atomic read"]
"""The kinds of access; an atomic one updates, or only reads, and is atomic for all or for one work-group."""

CONFLICTING: dict[Access, tuple[Access, ...]] = {
    "read": ("write", "atomic", "group atomic"),
    "write": ("write", "atomic", "group atomic", "read", "atomic read", "group atomic read"),
    "atomic": ("write", "read"),
    "group atomic": ("write", "read"),
    "atomic read": ("write",),
    "group atomic read": ("write",),
}
"""The kinds of access that conflict: one of the two writes, and not both are atomic."""
OF_GROUPS: dict[Access, tuple[Access, ...]] = {
    "atomic": ("group atomic", "group atomic read"),
    "group atomic": ("atomic", "group atomic", "atomic read", "group atomic read"),
    "atomic read": ("group atomic",),
    "group atomic read": ("atomic", "group atomic"),
}
"""The atomic accesses that conflict where two work-groups make them: one of the two is atomic for its own only."""

Conflict = tuple[int, int]
"""The element of a conflict, by its number among those accessed, and the stamp of the other access."""


class Race(NamedTuple):
    """Two unordered accesses to one element."""

    at: int
    """The number of the unit among those accessed."""
    other: Access
    """The kind of the other access."""
    stamp: int
    """The stamp of the other access."""
    is_simultaneous: bool
    """Whether one instruction makes both accesses at the same time."""


class Clock:
    """The stamps of one address space. A shared one orders memory that all work-groups see."""

    __slots__ = ("agents", "epoch", "group", "ordered", "shared", "unit")

    def __init__(self, unit: int, shared: bool) -> None:
        self.unit = unit
        """The distance between the stamps of two agents, a power of two."""
        self.shared = shared
        # an element without accesses has the stamp 0
        self.epoch = unit
        """The least stamp of the present epoch."""
        self.group = unit
        """The least stamp of the present work-group."""
        self.ordered = 1
        """Accesses with smaller stamps are ordered before all that follows in the present work-group."""
        self.agents = 1

    def advance(self, agents: int) -> None:
        """Begin an epoch: earlier accesses are ordered before later ones."""
        self.epoch += self.agents * self.unit
        self.agents = agents

    def begin_group(self) -> None:
        """Begin a work-group, whose accesses are not ordered with those of any other."""
        self.advance(1)
        self.group = self.epoch
        self.ordered = 1

    def order_groups(self) -> None:
        """Order the accesses of all earlier work-groups before what follows in this one."""
        self.ordered = self.group

    def differs(self, recorded: np.ndarray, stamps: Any) -> np.ndarray:
        """The mask of the stamps of other agents in the current epoch."""
        return (recorded >= self.epoch) & ((recorded ^ stamps) >= self.unit)

    def other_groups(self, recorded: np.ndarray) -> np.ndarray:
        """The mask of the stamps of other work-groups."""
        # that is ordered ≤ recorded < group: smaller stamps become the largest numbers
        return (recorded - self.ordered).view(np.uint64) < np.uint64(self.group - self.ordered)


class Scattered:
    """The elements at some positions, which may repeat."""

    def __init__(self, positions: np.ndarray) -> None:
        self.positions = positions

    def take(self, stamps: np.ndarray) -> np.ndarray:
        return stamps[self.positions]

    def put(self, stamps: np.ndarray, values: Any) -> None:
        stamps[self.positions] = values

    def put_where(self, mask: np.ndarray, stamps: np.ndarray, values: np.ndarray) -> None:
        stamps[self.positions[mask]] = values[mask]


class Strided:
    """The elements of a tensor, without an array of their positions."""

    def __init__(self, shape: tuple[int, ...], offset: int, strides: tuple[int, ...]) -> None:
        self.shape = shape
        self.offset = offset
        self.strides = strides

    def take(self, stamps: np.ndarray) -> np.ndarray:
        size = stamps.itemsize
        strides = tuple(stride * size for stride in self.strides)
        return np.ndarray(self.shape, stamps.dtype, stamps, self.offset * size, strides)

    def put(self, stamps: np.ndarray, values: Any) -> None:
        self.take(stamps)[...] = values

    def put_where(self, mask: np.ndarray, stamps: np.ndarray, values: np.ndarray) -> None:
        self.take(stamps)[mask] = values[mask]


Elements = Scattered | Strided


class Trace:
    """The last accesses of one kind to each element."""

    __slots__ = ("clock", "earlier_group", "latest", "latest_stamp", "other_agent", "size")

    def __init__(self, size: int, clock: Clock) -> None:
        self.size = size
        self.clock = clock
        self.latest = self._no_accesses()
        """The latest access."""
        self.other_agent: np.ndarray | None = None
        """An access of another agent in the same epoch as the latest."""
        self.earlier_group: np.ndarray | None = None
        """An access of a work-group before that of the latest."""
        self.latest_stamp = 0
        """An upper bound of the stamps."""

    def _no_accesses(self) -> np.ndarray:
        return np.zeros(self.size, np.int64)

    def find(self, elements: Elements, stamps: Any, of_groups: bool = False) -> Conflict | None:
        """An access of another agent, or only of another work-group, that is not ordered before this one."""
        clock = self.clock
        is_over = of_groups or self.latest_stamp < clock.epoch
        if is_over and not clock.shared:
            return None
        for stamps_kept in (self.latest, self.other_agent, self.earlier_group):
            if stamps_kept is not None:
                recorded = elements.take(stamps_kept)
                if not is_over and (conflict := _first(clock.differs(recorded, stamps), recorded)):
                    return conflict
                if clock.shared and (conflict := _first(clock.other_groups(recorded), recorded)):
                    return conflict
        return None

    def record(self, elements: Elements, stamps: Any, latest_stamp: int, is_alone: bool) -> Conflict | None:
        """Record an access. Returns where two agents access one element at the same time.

        `is_alone` is whether all earlier accesses of this trace are known to be ordered before.
        """
        if not is_alone:
            self._keep(elements, elements.take(self.latest), stamps)
        elements.put(self.latest, stamps)
        self.latest_stamp = max(self.latest_stamp, latest_stamp)
        if not isinstance(stamps, np.ndarray):
            return None
        # where several agents stamp one element, one stamp remains
        recorded = elements.take(self.latest)
        is_overwritten = recorded != stamps
        conflict = _first(is_overwritten, recorded)
        if conflict is None:
            return None
        if self.other_agent is None:
            self.other_agent = self._no_accesses()
        elements.put_where(is_overwritten, self.other_agent, np.broadcast_to(stamps, is_overwritten.shape))
        return conflict

    def _keep(self, elements: Elements, before: np.ndarray, stamps: Any) -> None:
        """Keep what is still needed of the accesses that will no longer be the latest."""
        if self.latest_stamp >= self.clock.epoch:
            differs = self.clock.differs(before, stamps)
            if np.count_nonzero(differs):
                if self.other_agent is None:
                    self.other_agent = self._no_accesses()
                elements.put_where(differs, self.other_agent, before)
        if self.clock.shared:
            of_others = self.clock.other_groups(before)
            if np.count_nonzero(of_others):
                if self.earlier_group is None:
                    self.earlier_group = self._no_accesses()
                elements.put_where(of_others, self.earlier_group, before)


def _first(mask: np.ndarray, stamps: np.ndarray) -> Conflict | None:
    """The first element in the mask, with its stamp."""
    # counting is several times faster than any() on the few lanes that most accesses have
    if not np.count_nonzero(mask):
        return None
    first = int(mask.argmax())
    return first, int(stamps.flat[first])


class Area:
    """An area of memory, and its accesses. Nothing is allocated before the first access."""

    __slots__ = ("clock", "released", "released_widely", "size", "traces")

    def __init__(self, size: int, clock: Clock) -> None:
        self.size = size
        self.clock = clock
        self.traces: dict[Access, Trace] = {}
        self.released: np.ndarray | None = None
        """By element, the stamp of its latest release."""
        self.released_widely: np.ndarray | None = None
        """The same of releases that other work-groups see."""

    def access(self, access: Access, elements: Elements, stamps: Any, latest_stamp: int) -> Race | None:
        """Check and record an access, whose stamps are at most `latest_stamp`. Returns the one that it races with."""
        for other in CONFLICTING[access]:
            trace = self.traces.get(other)
            if trace is not None and (conflict := trace.find(elements, stamps)) is not None:
                return Race(conflict[0], other, conflict[1], is_simultaneous=False)
        for other in OF_GROUPS.get(access, ()) if self.clock.shared else ():
            trace = self.traces.get(other)
            if trace is not None and (conflict := trace.find(elements, stamps, of_groups=True)) is not None:
                return Race(conflict[0], other, conflict[1], is_simultaneous=False)
        if access not in self.traces:
            self.traces[access] = Trace(self.size, self.clock)
        # the check found no other access that conflicts with the write
        overwritten = self.traces[access].record(elements, stamps, latest_stamp, is_alone=access == "write")
        if overwritten is None or access != "write":
            return None
        return Race(overwritten[0], access, overwritten[1], is_simultaneous=True)

    def release(self, elements: Elements, stamps: Any, is_wide: bool) -> None:
        """Record that elements are released, for all work-groups or for one."""
        if self.released is None:
            self.released = np.zeros(self.size, np.int64)
        elements.put(self.released, stamps)
        if is_wide and self.clock.shared:
            if self.released_widely is None:
                self.released_widely = np.zeros(self.size, np.int64)
            elements.put(self.released_widely, stamps)

    def acquires(self, elements: Elements, stamps: Any) -> bool:
        """Whether an acquired element was released by another agent since the latest synchronisation."""
        return self.released is not None and bool(self.clock.differs(elements.take(self.released), stamps).any())

    def acquires_widely(self, elements: Elements) -> bool:
        """Whether an acquired element was released by another work-group."""
        widely = self.released_widely
        return widely is not None and bool(self.clock.other_groups(elements.take(widely)).any())


class Shadow:
    """The place of a buffer's elements in an area: each is `factor` units, the first begins at `shift`."""

    __slots__ = ("area", "factor", "shift")

    def __init__(self, area: Area, factor: int = 1, shift: int = 0) -> None:
        self.area = area
        self.factor = factor
        self.shift = shift

    def halved(self) -> Shadow:
        """The shadow of the same memory in elements of half the size."""
        assert self.factor % 2 == 0, "see History.has_parts"
        return Shadow(self.area, self.factor // 2, self.shift)

    def at(self, positions: np.ndarray) -> Scattered:
        if self.factor == 1:
            return Scattered(positions + self.shift if self.shift else positions)
        return Scattered(positions[..., None] * self.factor + (self.shift + np.arange(self.factor)))

    def over(self, shape: tuple[int, ...], offset: int, strides: tuple[int, ...]) -> Strided:
        begin, inner = offset * self.factor + self.shift, tuple(stride * self.factor for stride in strides)
        if self.factor == 1:
            return Strided(shape, begin, inner)
        return Strided((*shape, self.factor), begin, (*inner, 1))


class History:
    """The accesses of a launch: its clocks, its work-groups, and the instructions that access memory."""

    def __init__(self, function: Function, groups: int) -> None:
        def accesses(op: Operation) -> bool:
            return bool(op.reads or op.writes or op.reads_through_value or op.writes_through_value)

        self.access_operations = list(filter(accesses, function.walk_through_calls()))
        self._numbers = {op: number for number, op in enumerate(self.access_operations)}
        self.unit = 1 << len(self.access_operations).bit_length()
        self.shared = groups > 1
        """Whether several work-groups see any of the memory."""
        self.clocks: dict[AddressSpace, Clock] = {
            "global": Clock(self.unit, shared=self.shared),
            "local": Clock(self.unit, shared=False),
        }
        self.has_parts = any(isinstance(op, Expandc2r) for op in function.walk_through_calls())
        """Whether complex memory is seen as its parts, so that these are watched."""
        self.agents = 1
        self.items = 1
        self.name: Callable[[int], str] = str
        """The name of an agent of the current SPMD region, for messages."""
        self._groups: list[int] = []

    def begin_group(self) -> None:
        for clock in self.clocks.values():
            clock.begin_group()
        self._groups.append(self.clocks["global"].group)

    def begin_region(self, items: int, subgroups: int, name: Callable[[int], str]) -> None:
        """Begin an SPMD region, after everything before it.

        Its agents are its work-items or iterations; their numbers are followed by those of its sub-groups as units.
        """
        self.items, self.agents, self.name = items, items + subgroups, name
        for clock in self.clocks.values():
            clock.advance(self.agents)

    def fence(self, space: AddressSpace) -> None:
        """Order what follows after everything before it, within an SPMD region."""
        self.clocks[space].advance(self.agents)

    def order_groups(self) -> None:
        """Order what follows in this work-group after everything that earlier ones did."""
        self.clocks["global"].order_groups()

    def stamps(self, clock: Clock, agents: np.ndarray, op: Operation) -> np.ndarray:
        return agents * self.unit + (clock.epoch + self._numbers[op])

    def stamp_of_all(self, clock: Clock, op: Operation) -> int:
        """The stamp of the work-group as a whole, whose accesses are ordered after all of its earlier accesses."""
        clock.advance(1)
        return clock.epoch + self._numbers[op]

    def operation_of(self, stamp: int) -> Operation:
        """The instruction of an access."""
        return self.access_operations[stamp % self.unit]

    def group_of(self, stamp: int) -> int:
        """The work-group of an access to global memory."""
        return bisect_right(self._groups, stamp) - 1

    def agent(self, clock: Clock, stamp: int) -> str:
        """The name of the agent of an access in the current epoch, for messages."""
        number = (stamp - clock.epoch) // self.unit
        return self.name(number) if number < self.items else f"sub-group {number - self.items}"
