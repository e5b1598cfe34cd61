"""Who touched each element of memory last: the state that data races are found with.

An *agent* is whoever an access is made by: a work-item, an iteration of a foreach, a sub-group, or the work-group as a
whole. Between two synchronisations, in an *epoch*, each agent has a *stamp*: a number larger than all of the epochs
before. So epochs end without anything being cleared, and one comparison tells an access of the present epoch from
those that are ordered before it. The stamps of a work-group follow those of the work-group before, so that one
comparison tells other work-groups, too. The low bits of a stamp are the instruction that made the access.

Of the agents that read an element, or update it atomically, two different ones of the epoch are remembered, and one of
an earlier work-group: whoever comes next differs from one of the two, so nothing more is needed to find every race.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from ...ir.operation import Operation
from ...ir.types import AddressSpace
from ...ir.values import Function

Access = Literal["read", "write", "atomic"]

CONFLICTING: dict[Access, tuple[Access, ...]] = {
    "read": ("write", "atomic"),
    "write": ("write", "atomic", "read"),
    "atomic": ("write", "read"),
}
"""What an access may not meet unordered: one of the two writes, and not both are atomic."""

Found = tuple[int, int]
"""Which of the elements a conflict was found at, and the stamp of the other access."""


class Race(NamedTuple):
    """Two accesses to one element that nothing orders."""

    at: int
    """Which of the accessed units of the area it is."""
    other: Access
    """What the other one does."""
    stamp: int
    """That of the other one."""
    at_once: bool
    """Whether one instruction does both at the same time."""


class Clock:
    """The stamps of one address space. A shared one orders memory that all work-groups see."""

    __slots__ = ("agents", "epoch", "group", "shared", "unit")

    def __init__(self, unit: int, shared: bool) -> None:
        self.unit = unit
        """The distance between the stamps of two agents, a power of two."""
        self.shared = shared
        # an element that nobody touched has the stamp 0
        self.epoch = unit
        """The least stamp of the present epoch."""
        self.group = unit
        """The least stamp of the present work-group."""
        self.agents = 1

    def advance(self, agents: int) -> None:
        """Begin an epoch: what was done before is ordered before what follows."""
        self.epoch += self.agents * self.unit
        self.agents = agents

    def begin_group(self) -> None:
        """Begin a work-group, whose accesses are ordered before and after those of no other."""
        self.advance(1)
        self.group = self.epoch

    def differs(self, seen: np.ndarray, stamps: Any) -> np.ndarray:
        """Which stamps are of another agent of the present epoch."""
        return (seen >= self.epoch) & ((seen ^ stamps) >= self.unit)

    def foreign(self, seen: np.ndarray) -> np.ndarray:
        """Which stamps are of another work-group."""
        # that is 0 < seen < group: the stamp of nobody becomes the largest number
        return (seen - 1).view(np.uint64) < np.uint64(self.group - 1)


class Scattered:
    """The elements at some positions, which need not differ."""

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


Place = Scattered | Strided


class Trace:
    """Who accessed each element in one way."""

    __slots__ = ("clock", "earlier", "latest", "newest", "rival", "size")

    def __init__(self, size: int, clock: Clock) -> None:
        self.size = size
        self.clock = clock
        self.latest = self._nobody()
        """The latest to do so."""
        self.rival: np.ndarray | None = None
        """Another one of the same epoch as the latest."""
        self.earlier: np.ndarray | None = None
        """One of a work-group before that of the latest."""
        self.newest = 0
        """A stamp that none is larger than."""

    def _nobody(self) -> np.ndarray:
        return np.zeros(self.size, np.int64)

    def find(self, place: Place, stamps: Any) -> Found | None:
        """An access of someone else that is not ordered before this one, which conflicts with it."""
        clock = self.clock
        is_over = self.newest < clock.epoch
        if is_over and not clock.shared:
            return None
        for kept in (self.latest, self.rival, self.earlier):
            if kept is not None:
                seen = place.take(kept)
                if not is_over and (found := _first(clock.differs(seen, stamps), seen)):
                    return found
                if clock.shared and (found := _first(clock.foreign(seen), seen)):
                    return found
        return None

    def record(self, place: Place, stamps: Any, newest: int, is_alone: bool) -> Found | None:
        """Remember an access. Returns where two agents do it to one element at once.

        `is_alone` is whether all accesses of this trace until now are known to be ordered before.
        """
        if not is_alone:
            self._keep(place, place.take(self.latest), stamps)
        place.put(self.latest, stamps)
        self.newest = max(self.newest, newest)
        if not isinstance(stamps, np.ndarray):
            return None
        # where several agents put their stamp on one element, one remains
        remained = place.take(self.latest)
        lost = remained != stamps
        found = _first(lost, remained)
        if found is None:
            return None
        if self.rival is None:
            self.rival = self._nobody()
        place.put_where(lost, self.rival, np.broadcast_to(stamps, lost.shape))
        return found

    def _keep(self, place: Place, before: np.ndarray, stamps: Any) -> None:
        """Keep of those who will not be the latest any more what is still needed."""
        if self.newest >= self.clock.epoch:
            differs = self.clock.differs(before, stamps)
            if np.count_nonzero(differs):
                if self.rival is None:
                    self.rival = self._nobody()
                place.put_where(differs, self.rival, before)
        if self.clock.shared:
            foreign = self.clock.foreign(before)
            if np.count_nonzero(foreign):
                if self.earlier is None:
                    self.earlier = self._nobody()
                place.put_where(foreign, self.earlier, before)


def _first(mask: np.ndarray, stamps: np.ndarray) -> Found | None:
    """The first element in the mask, with its stamp."""
    # counting is several times faster than any() on the few lanes that most accesses have
    if not np.count_nonzero(mask):
        return None
    first = int(mask.argmax())
    return first, int(stamps.flat[first])


class Area:
    """A stretch of memory, and who accessed it. Nothing is allocated before the first access."""

    __slots__ = ("clock", "size", "traces")

    def __init__(self, size: int, clock: Clock) -> None:
        self.size = size
        self.clock = clock
        self.traces: dict[Access, Trace] = {}

    def access(self, access: Access, place: Place, stamps: Any, newest: int) -> Race | None:
        """Check and remember an access, whose stamps are at most `newest`. Returns what it races with."""
        for other in CONFLICTING[access]:
            trace = self.traces.get(other)
            if trace is not None and (found := trace.find(place, stamps)) is not None:
                return Race(found[0], other, found[1], at_once=False)
        if access not in self.traces:
            self.traces[access] = Trace(self.size, self.clock)
        # that no other one conflicts with a write was just found
        lost = self.traces[access].record(place, stamps, newest, is_alone=access == "write")
        return Race(lost[0], access, lost[1], at_once=True) if lost is not None and access == "write" else None


class Shadow:
    """Where a buffer's elements lie in an area: each is `factor` units of it, the first begins at `shift`."""

    __slots__ = ("area", "factor", "shift")

    def __init__(self, area: Area, factor: int = 1, shift: int = 0) -> None:
        self.area = area
        self.factor = factor
        self.shift = shift

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
        self.sites = [op for op in function.walk() if op.reads or op.writes]
        self._numbers = {op: number for number, op in enumerate(self.sites)}
        self.unit = 1 << len(self.sites).bit_length()
        self.shared = groups > 1
        """Whether any memory is seen by several work-groups."""
        self.clocks: dict[AddressSpace, Clock] = {
            "global": Clock(self.unit, shared=self.shared),
            "local": Clock(self.unit, shared=False),
        }
        self.agents = 1
        self.items = 1
        self.name: Callable[[int], str] = str
        """How a message calls an agent of the present SPMD region."""
        self._groups: list[int] = []

    def begin_group(self) -> None:
        for clock in self.clocks.values():
            clock.begin_group()
        self._groups.append(self.clocks["global"].group)

    def begin_region(self, items: int, subgroups: int, name: Callable[[int], str]) -> None:
        """Begin an SPMD region, after all that went before. Its agents are its work-items or iterations, and behind
        these the sub-groups, for what they do as a whole.
        """
        self.items, self.agents, self.name = items, items + subgroups, name
        for clock in self.clocks.values():
            clock.advance(self.agents)

    def fence(self, space: AddressSpace) -> None:
        """Order what follows after all that went before, within an SPMD region."""
        self.clocks[space].advance(self.agents)

    def stamps(self, clock: Clock, agents: np.ndarray, op: Operation) -> np.ndarray:
        return agents * self.unit + (clock.epoch + self._numbers[op])

    def stamp_of_all(self, clock: Clock, op: Operation) -> int:
        """The stamp of the work-group as a whole, whose accesses are ordered after all of its accesses before."""
        clock.advance(1)
        return clock.epoch + self._numbers[op]

    def site(self, stamp: int) -> Operation:
        """The instruction of an access."""
        return self.sites[stamp % self.unit]

    def group_of(self, stamp: int) -> int:
        """The work-group of an access to global memory."""
        return bisect_right(self._groups, stamp) - 1

    def agent(self, clock: Clock, stamp: int) -> str:
        """How a message calls who made an access of the present epoch."""
        number = (stamp - clock.epoch) // self.unit
        return self.name(number) if number < self.items else f"sub-group {number - self.items}"
