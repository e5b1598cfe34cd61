"""How a work-group executes on the device: by one work-item, or by as many as the function's attributes say.

Everything that depends on the choice is here: the place of local memory, the distribution of the points of a range, and
barriers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from ....ops import Barrier
from ....ops.memory import DEFAULT_ALIGNMENT
from .writer import Known, Writer, known, product_of


class Strategy:
    """The interface of both strategies."""

    space: str
    """The device library's prefix for local memory of the work-group."""
    items: int
    """Work-items that are launched for each work-group."""
    is_scattered: bool = False

    def memory(self, size: int, alignment: int) -> str:
        """Memory of the work-group of so many bytes, that begins at a multiple of a number."""
        memory = f"{self.space}_memory({size})"
        return memory if alignment == DEFAULT_ALIGNMENT else f"first_aligned({memory}, {alignment})"

    def pointer(self, text: str) -> str:
        """The address space of memory, given that of the memref."""
        return text

    @contextmanager
    def entries(self, writer: Writer, shape: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Loops over all indices of a shape, whose body is written inside."""
        zeros = [Known(0)] * len(shape)
        with self.points(writer, [writer.names.fresh(name) for name in names], zeros, shape) as indices:
            yield indices

    @contextmanager
    def points(
        self, writer: Writer, names: Sequence[str], start: Sequence[str], stop: Sequence[str]
    ) -> Iterator[tuple[str, ...]]:
        """Loops over the points of a range, each executed once by the work-group."""
        raise NotImplementedError
        yield ()

    def barrier(self, writer: Writer, op: Barrier) -> None:
        raise NotImplementedError

    @contextmanager
    def subgroups(self, writer: Writer) -> Iterator[None]:
        """Around a region that each sub-group executes and that depends on the sub-group's number."""
        yield

    subgroup_id = "subgroup_id()"
    """The number of the sub-group that executes what is being written."""

    @contextmanager
    def replicated(self, writer: Writer) -> Iterator[None]:
        """Around atomic additions that each work-item of the language makes separately."""
        raise NotImplementedError
        yield


@dataclass
class OneItem(Strategy):
    """One work-item executes the whole work-group, and its sub-groups one after the other where they differ.

    It is right for kernels that do not distinguish the work-items of a sub-group: these compute the same, barriers have
    nothing to wait for, and local memory is private.
    """

    work_items: int
    """The number of work-items of the language, all of which add where an SPMD region adds atomically."""
    subgroup_count: int
    space = "private"
    items = 1

    @contextmanager
    def points(
        self, writer: Writer, names: Sequence[str], start: Sequence[str], stop: Sequence[str]
    ) -> Iterator[tuple[str, ...]]:
        with ExitStack() as loops:
            # the first mode is contiguous, so it is the innermost loop
            for name, first, last in reversed(list(zip(names, start, stop))):
                bounds = last if first == "0" else f"{first}, {last}"
                loops.enter_context(writer.block(f"for {name} in range({bounds}):"))
            yield tuple(names)

    def barrier(self, writer: Writer, op: Barrier) -> None:
        pass

    @contextmanager
    def subgroups(self, writer: Writer) -> Iterator[None]:
        whole = self.work_items
        self.work_items //= self.subgroup_count
        if self.subgroup_count == 1:
            self.subgroup_id = "int32(0)"
            yield
        else:
            number = writer.names.fresh("subgroup")
            self.subgroup_id = f"cast_i32({number})"
            with writer.block(f"for {number} in range({self.subgroup_count}):"):
                yield
        self.work_items = whole

    @contextmanager
    def replicated(self, writer: Writer) -> Iterator[None]:
        if self.work_items == 1:
            yield
            return
        with writer.block(f"for {writer.names.fresh('work_item')} in range({self.work_items}):"):
            yield


@dataclass
class ManyItems(Strategy):
    """Real work-items. The points of a range are distributed to them cyclically: neighbours to neighbours."""

    items: int
    is_scattered: bool = False
    """Whether the addresses of each work-item are made to look different to the device's compiler.

    Where work-items add different numbers at one address (even if only one of them does), Intel's OpenCL CPU driver
    does not vectorise them: it executes each work-item alone, with sub-groups of one. Addresses that look different
    avoid that; in return, the compiler no longer recognises contiguous ones.
    """
    space = "local"

    def pointer(self, text: str) -> str:
        return f"{text} + hidden_zero()" if self.is_scattered else text

    @contextmanager
    def points(
        self, writer: Writer, names: Sequence[str], start: Sequence[str], stop: Sequence[str]
    ) -> Iterator[tuple[str, ...]]:
        extents = []
        for first, last in zip(start, stop):
            if known(first) == 0 and known(last) is not None:
                extents.append(last)
                continue
            # two modes with negative extents must not give a positive product
            extents.append(writer.names.fresh("extent"))
            writer.line(f"{extents[-1]} = max({last if first == '0' else f'{last} - {first}'}, 0)")
        with self._distributed_loop(writer, names, start, extents):
            yield tuple(names)

    @contextmanager
    def entries(self, writer: Writer, shape: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
        if not shape:
            with writer.block("if local_id() == 0:"):
                yield ()
            return
        fresh = [writer.names.fresh(name) for name in names]
        with self._distributed_loop(writer, fresh, [Known(0)] * len(shape), shape):
            yield tuple(fresh)

    @contextmanager
    def _distributed_loop(
        self, writer: Writer, names: Sequence[str], start: Sequence[str], extents: Sequence[str]
    ) -> Iterator[None]:
        """A loop over the points of this work-item."""
        in_line = known(extents[0])
        if in_line is not None and 2 * in_line >= self.items:
            with self._lines(writer, names, start, extents, in_line):
                yield
            return
        count: str = Known(1)
        for extent in extents:
            count = product_of(count, extent)
        point = writer.names.fresh("point")
        with writer.block(f"for {point} in range(local_id(), {count}, local_count()):"):
            rest = point
            for name, first, extent in zip(names[:-1], start, extents):
                # not % and //, for which numba generates a test for zero that raises
                writer.line(f"{name} = int_rem({rest}, {extent})" + (f" + {first}" if first != "0" else ""))
                following = writer.names.fresh("rest")
                writer.line(f"{following} = int_div({rest}, {extent})")
                rest = following
            writer.line(f"{names[-1]} = {rest}" + (f" + {start[-1]}" if start[-1] != "0" else ""))
            yield

    @contextmanager
    def _lines(
        self, writer: Writer, names: Sequence[str], start: Sequence[str], extents: Sequence[str], in_line: int
    ) -> Iterator[None]:
        """Loops over lines of points, which are the same for all work-items: neighbours are contiguous to compilers.

        A line keeps at least half of the work-items busy.
        """
        with ExitStack() as loops:
            for name, first, extent in reversed(list(zip(names[1:], start[1:], extents[1:]))):
                bounds = extent if first == "0" else f"{first}, {first} + {extent}"
                loops.enter_context(writer.block(f"for {name} in range({bounds}):"))
            begin = writer.names.fresh("begin")
            loops.enter_context(writer.block(f"for {begin} in range(0, {in_line}, {self.items}):"))
            place = writer.names.fresh("place")
            writer.line(f"{place} = {begin} + local_id()")
            if in_line % self.items:
                loops.enter_context(writer.block(f"if {place} < {in_line}:"))
            writer.line(f"{names[0]} = {place}" + (f" + {start[0]}" if start[0] != "0" else ""))
            yield

    def barrier(self, writer: Writer, op: Barrier) -> None:
        writer.line(f"barrier({op.global_fence}, {op.local_fence})")

    @contextmanager
    def replicated(self, writer: Writer) -> Iterator[None]:
        yield
