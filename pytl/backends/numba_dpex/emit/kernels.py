"""The instructions of the namespace `cpu`: calls of vector code, and loops over the work-groups of a work-item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ....ir.types import BoolType, MemrefType, ScalarType
from ....ir.values import Region, Value
from ....ops import Constant
from ....passes.targets import cpu, vector
from ....process.records import dataclass
from .writer import Writer, known

if TYPE_CHECKING:
    from ..vector import VectorKernel

Layout = tuple[tuple[int | None, ...], tuple[int | None, ...]]


def kernel(writer: Writer, op: vector.Code | vector.WorkItems, name: str, subgroup_size: int) -> VectorKernel:
    """A call of the vector code for a kernel; returns the description of that code."""
    from ..vector import KernelArgument, VectorKernel

    arguments: list[KernelArgument] = []
    passed: list[str] = []
    layouts: dict[Value, Layout] = {}

    def add(expression: str, value: Value, kind: Any, mode: int = 0) -> None:
        arguments.append(KernelArgument(value, kind, mode))
        passed.append(expression)

    for value in _used(op):
        if isinstance(value.type, MemrefType):
            tensor = writer.memref(value)
            add(tensor.pointer, value, "pointer")
            layouts[value] = (tuple(map(known, tensor.shape)), tuple(map(known, tensor.strides)))
            for kind, numbers in (("size", tensor.shape), ("stride", tensor.strides)):
                for mode, number in enumerate(numbers):
                    if known(number) is None:
                        add(number, value, kind, mode)
        elif isinstance(value.type, (ScalarType, BoolType)):
            add(writer.scalar(value), value, "number")
    writer.line(f"{name}({', '.join(passed)})")
    return VectorKernel(op, tuple(arguments), layouts, subgroup_size)


def _used(op: vector.Code | vector.WorkItems) -> list[Value]:
    """The values that a kernel uses and does not define itself, constants left out."""
    operations = list(op.body.walk())
    inside = set(chain.from_iterable(map(attrgetter("results"), operations)))
    inside.update(v for i in operations if i.region_parts for region in i.regions for v in region.arguments)
    used = dict.fromkeys(chain.from_iterable(map(attrgetter("operands"), operations)))
    return [v for v in used if v not in inside and not isinstance(v.owner, Constant)]


@dataclass(frozen=True)
class ItemLoop:
    """The names in generated source of what a work-item executes of a `cpu.items`, and in which order."""

    first: str
    """The number of its first work-group, in each round of a loop that work-groups deal out."""
    last: str
    """The number behind that of its last one."""
    own: str | None
    """How many work-groups it has, where these deal out a loop."""
    groups: str
    """How many work-groups the launch has."""


@contextmanager
def item_loop(writer: Writer, op: cpu.Items, share: str, groups: str) -> Iterator[ItemLoop]:
    """Around what a work-item executes of a `cpu.items`: the names, and a loop where there are several rounds."""
    first, last = writer.names.fresh("first"), writer.names.fresh("last")
    writer.line(f"{first} = group_id() * {share}")
    if op.stop is None:
        writer.line(f"{last} = min({first} + {share}, {groups})")
        yield ItemLoop(first, last, None, groups)
        return
    own, start, stop = writer.names.fresh("own"), writer.names.fresh("start"), writer.scalar(op.stop)
    writer.line(f"{own} = min({share}, {groups} - {first})")
    with writer.block(f"for {start} in range({first}, {stop}, max({groups}, 1)):"):
        writer.line(f"{last} = {start} + min({own}, {stop} - {start})")
        yield ItemLoop(start, last, own, groups)


def items(writer: Writer, op: cpu.Items, loop: ItemLoop, region: Callable[[Region], None]) -> None:
    """Loops over the work-groups that a work-item executes: interleaved ones, then the remainder."""
    first, last = loop.first, loop.last
    whole = last
    if op.remainder is not None:
        whole = writer.names.fresh("whole")
    if op.prefetching is None:
        _loop(writer, op.body, first, last, whole, region)
    else:
        with writer.block(f"if {writer.scalar(op.exceeds_cache)}:"):
            _loop(writer, op.prefetching, first, last, whole, region)
        with writer.block("else:"):
            _loop(writer, op.body, first, last, whole, region)
    if op.remainder is not None:
        _loop(writer, op.remainder, whole, last, last, region)


def _loop(writer: Writer, body: Region, first: str, last: str, whole: str, region: Callable[[Region], None]) -> None:
    """A loop over work-groups up to `whole`, the end of the last full set of interleaved work-groups."""
    names = [writer.names.of(value, "group") for value in body.arguments]
    together = len(names)
    if whole != last:
        rounds = f"int_div({last} - {first}, {together}) * {together}" if together > 1 else f"({last} - {first})"
        writer.line(f"{whole} = {first} + {rounds}")
    step = f", {together}" if together > 1 else ""
    with writer.block(f"for {names[0]} in range({first}, {whole}{step}):"):
        for number, (value, name) in enumerate(zip(body.arguments, names)):
            if number:
                writer.line(f"{name} = {names[0]} + {number}")
            writer.bind(value, name)
        region(body)


def later(writer: Writer, op: cpu.Later, loop: ItemLoop) -> None:
    """The number of what the work-item executes later. From the last one of a round on, it goes on in the next.

    Where there is no next round, that is what the next work-item begins with.
    """
    now, last, distance = writer.scalar(op.group), writer.scalar(op.last), op.attributes[cpu.DISTANCE]
    if loop.own is None:
        writer.assign(op.result, f"min({now} + {distance}, {last})")
        return
    there = writer.names.fresh("there")
    writer.line(f"{there} = {now} + int_rem({distance}, {loop.own})")
    rounds = f"int_div({distance}, {loop.own}) * {loop.groups}"
    next_round = f"select({there} < {loop.last}, 0, {loop.groups} - {loop.own})"
    writer.line(f"{there} = {there} + {rounds} + {next_round}")
    writer.assign(op.result, f"min(select({there} > {last}, {now} + {distance}, {there}), {last})")
