"""Memory in the interpreter, and every access to its elements.

The state that accesses check over all lanes (whether memory is initialised and live, and who accessed an element)
belongs to the `Memory`, so that it holds for all views on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...diagnostics import Location
from ...ir.types import MemrefType, ScalarType
from ...ops.scalars import dtype_of
from .memory import MemrefView, filled
from .shadow import Shadow

Integers = int | np.ndarray
"""A uniform number, or one number per lane."""


class Memory:
    """A flat buffer. For local memory, `written` is which elements hold a value; None where all do."""

    __slots__ = ("bytes", "data", "location", "parts", "shadow", "stopped", "written")

    def __init__(self, data: np.ndarray, written: np.ndarray | None = None, location: Location | None = None) -> None:
        self.data = data
        # NumPy makes a view of any element type on plain bytes, but not on an array of bf16
        self.bytes = data.view(np.uint8)
        self.written = written
        self.location = location
        """Where local memory was allocated."""
        self.stopped: Location | None = None
        """The lifetime_stop that ended it."""
        self.shadow: Shadow | None = None
        """The accesses to its elements, where they are watched."""
        self.parts: Memory | None = None
        """The same memory as real numbers, where a view has it so."""

    @classmethod
    def local(cls, type_: MemrefType, location: Location | None) -> Memory:
        """New memory for an alloca, filled with conspicuous values in case it is read by mistake."""
        data = filled(type_.span, poison(type_.element), dtype_of(type_.element))
        return cls(data, np.zeros(type_.span, np.bool_), location)


def parts_of(memory: Memory) -> Memory:
    """Memory of complex elements as memory of their parts.

    Of local memory it is not known any more which elements were written: all of them count as written from now on.
    """
    if memory.parts is None:
        real = np.float32 if memory.data.dtype == np.complex64 else np.float64
        data = memory.data.view(real)
        written = None if memory.written is None else np.ones(data.size, np.bool_)
        memory.parts = Memory(data, written, memory.location)
        if memory.shadow is not None:
            memory.parts.shadow = memory.shadow.halved()
    if memory.written is not None:
        memory.written[...] = True
    memory.parts.stopped = memory.stopped
    return memory.parts


def poison(element: ScalarType) -> int | float:
    return -(2 ** (element.bits - 1)) if element.is_integer else float("nan")


class View:
    """The value of a memref. Where lanes refer to different memories, `choice` has the number of each lane's."""

    __slots__ = ("choice", "memories", "offset", "shape", "strides")

    def __init__(
        self,
        memories: tuple[Memory, ...],
        offset: Integers,
        shape: tuple[Integers, ...],
        strides: tuple[Integers, ...],
        choice: np.ndarray | None = None,
    ) -> None:
        self.memories = memories
        self.offset = offset
        self.shape = shape
        self.strides = strides
        self.choice = choice

    @classmethod
    def of(cls, memory: Memory, view: MemrefView) -> View:
        return cls((memory,), view.offset, tuple(view.shape), tuple(view.strides))

    @property
    def memory(self) -> Memory:
        """The memory of a uniform view."""
        return self.memories[0]

    @property
    def size(self) -> Integers:
        product: Integers = 1
        for extent in self.shape:
            product = product * extent
        return product

    def positions(self, indices: tuple[np.ndarray, ...]) -> np.ndarray:
        """The positions of the elements in the buffer."""
        position = self.offset
        for index, stride in zip(indices, self.strides, strict=True):
            position = position + (index if isinstance(stride, int) and stride == 1 else index * stride)
        return np.atleast_1d(position)

    def by_memory(self, lanes: np.ndarray) -> Iterator[tuple[Memory, np.ndarray]]:
        """Each memory with the lanes that refer to it."""
        if self.choice is None:
            yield self.memory, lanes
            return
        chosen = self.choice[lanes]
        for number in np.unique(chosen):
            yield self.memories[number], lanes[chosen == number]

    def array(self) -> np.ndarray:
        """The elements as an array that shares the memory; for a uniform view."""
        return self._laid_over(self.memory.bytes, self.memory.data.dtype)

    def written(self) -> np.ndarray | None:
        """Which of the elements hold a value, for a uniform view; None where all do."""
        written = self.memory.written
        return None if written is None else self._laid_over(written.view(np.uint8), written.dtype)

    def _laid_over(self, buffer: np.ndarray, dtype: np.dtype) -> np.ndarray:
        size = dtype.itemsize
        strides = tuple(stride * size for stride in self.strides)
        return np.ndarray(self.shape, dtype, buffer, self.offset * size, strides)


def by_lane(values: np.ndarray, count: int) -> np.ndarray:
    """A value for each of `count` lanes; what all share is not copied."""
    return values if values.size == count else np.broadcast_to(values, (count,))


def gather(view: View, positions: np.ndarray, lanes: np.ndarray, count: int) -> np.ndarray:
    """The elements at the positions, for these lanes out of `count`; the other lanes get zero."""
    if positions.size == 1 and view.choice is None:
        return view.memory.data[positions]
    positions = by_lane(positions, count)
    result = np.zeros(count, view.memory.data.dtype)
    for memory, selected in view.by_memory(lanes):
        result[selected] = memory.data[positions[selected]]
    return result


def scatter(view: View, positions: np.ndarray, values: np.ndarray, lanes: np.ndarray, count: int) -> None:
    """Store a value for each of these lanes; where several store to one place, one of the values remains."""
    positions, values = by_lane(positions, count), by_lane(values, count)
    for memory, selected in view.by_memory(lanes):
        memory.data[positions[selected]] = values[selected]
        mark_written(memory, positions[selected])


def add(view: View, positions: np.ndarray, values: np.ndarray, lanes: np.ndarray, count: int, times: int) -> None:
    """Add a value for each of these lanes, `times` times, one after the other."""
    positions, values = by_lane(positions, count), by_lane(values, count)
    for memory, selected in view.by_memory(lanes):
        repeated = np.repeat(selected, times)
        np.add.at(memory.data, positions[repeated], values[repeated])
        mark_written(memory, positions[selected])


def update(
    view: View,
    positions: np.ndarray,
    values: np.ndarray,
    lanes: np.ndarray,
    count: int,
    combine: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> np.ndarray:
    """Combine elements with a value for each of these lanes, one after the other; returns what each lane found."""
    positions, values = by_lane(positions, count), by_lane(values, count)
    before = np.zeros(count, view.memory.data.dtype)
    for memory, selected in view.by_memory(lanes):
        for distinct in _apart(positions[selected]):
            lane_numbers = selected[distinct]
            before[lane_numbers] = memory.data[positions[lane_numbers]]
            memory.data[positions[lane_numbers]] = combine(before[lane_numbers], values[lane_numbers])
        mark_written(memory, positions[selected])
    return before


def _apart(positions: np.ndarray) -> Iterator[np.ndarray]:
    """The numbers of positions, in parts of different ones; equal ones are in the order that they are in."""
    order = np.argsort(positions, kind="stable")
    ordered = positions[order]
    run_starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    repetition = np.arange(ordered.size) - np.repeat(run_starts, np.diff(np.r_[run_starts, ordered.size]))
    for number in range(int(repetition.max()) + 1 if repetition.size else 0):
        yield order[repetition == number]


def mark_written(memory: Memory, positions: np.ndarray) -> None:
    if memory.written is not None:
        memory.written[positions] = True


def unwritten(view: View, positions: np.ndarray, lanes: np.ndarray, count: int) -> np.ndarray:
    """For each of `count` lanes whether it is one of these lanes and its element was never written."""
    is_unwritten = np.zeros(count, np.bool_)
    for memory, selected in view.by_memory(lanes):
        if memory.written is not None:
            is_unwritten[selected] = ~memory.written[np.broadcast_to(positions, (count,))[selected]]
    return is_unwritten
