"""Executes a gpu.func: the work-items of a sub-group in lock step, sub-groups one after the other up to a barrier."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from ....diagnostics import ExecutionError, Rule, Source
from ....mlir.text import Block, Memref, Operation
from . import numbers, rules
from .memory import Memory, Unmapped
from .values import MemrefValue, NamedBarrier, Value, garbage

Wait = tuple[Operation, Callable[[], bool]]
"""What a sub-group waits at, and whether it may go on."""
Sizes = tuple[int, int, int]
"""Numbers in x, y and z."""
_GROUP = -1
"""The number of the barrier of `gpu.barrier`."""


@dataclass
class WorkGroup:
    """What the sub-groups of a work-group share; its place, of how many, and its work-items, in x, y and z."""

    position: Sizes
    grid: Sizes
    block: Sizes
    lanes: int
    barriers: dict[int, NamedBarrier] = field(default_factory=dict)
    allocated: int = 0

    @property
    def items(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def subgroups(self) -> int:
        return -(-self.items // self.lanes)


class SubGroup:
    """A sub-group while it executes. `mask` says which work-items do."""

    handlers: dict[str, Callable[[SubGroup, Operation, list[Any]], Any]] = {}
    """How each operation that is not about numbers alone is executed; the values of the results."""

    def __init__(self, source: Source, memory: Memory, group: WorkGroup, number: int, lanes: int) -> None:
        self.source = source
        self.memory = memory
        self.group = group
        self.number = number
        self.lanes = lanes
        self.values: dict[str, Value] = {}
        self.items = number * lanes + np.arange(lanes)
        self.everyone = self.items < group.items
        self.mask = self.everyone

    # Faults.

    def fail(self, op: Operation, rule: Rule, message: str, help: str | None = None) -> NoReturn:
        raise ExecutionError.single(rule, message, location_of(self.source, op), help)

    def unknown(self, op: Operation, what: str = "") -> NoReturn:
        self.fail(op, rules.KNOWN, what or f"{op.name} is no operation that the interpreter knows in this form")

    def together(self, op: Operation) -> None:
        """All work-items of the sub-group must be here."""
        if not np.array_equal(self.mask, self.everyone):
            missing = int((self.everyone & ~self.mask).sum())
            self.fail(op, rules.TOGETHER, f"{op.name} is executed without {missing} work-items of its sub-group")

    def uniform(self, op: Operation, value: np.ndarray, what: str) -> int:
        """The number that all work-items have."""
        active = value[self.mask]
        if (active != active[0]).any():
            self.fail(op, rules.TOGETHER, f"{op.name}: {what} differs between the work-items of a sub-group")
        return int(active[0])

    # Memory.

    def read(self, op: Operation, addresses: np.ndarray, dtype: np.dtype, mask: np.ndarray) -> np.ndarray:
        """Elements; where the mask is false, nothing is read."""
        values = garbage(addresses.shape, dtype)
        if mask.any():
            try:
                values[mask] = self.memory.read(addresses[mask], dtype)
            except Unmapped as error:
                self.fail(op, rules.MEMORY, f"{op.name}: {error}")
        return values

    def write(self, op: Operation, addresses: np.ndarray, values: np.ndarray, mask: np.ndarray) -> None:
        if mask.any():
            try:
                self.memory.write(addresses[mask], values[mask])
            except Unmapped as error:
                self.fail(op, rules.MEMORY, f"{op.name}: {error}")

    # Control.

    def block(self, block: Block) -> Iterator[Wait]:
        """Execute a block up to its end, where the results are in `values` under the last operation."""
        values = self.values
        for op in block.operations:
            kind = op.name
            if kind in _CONTROL:
                yield from _CONTROL[kind](self, op)
                continue
            if kind in _ENDS:
                return
            try:
                operands = [values[name] for name in op.operands]
            except KeyError as error:
                self.unknown(op, f"{kind} uses {error.args[0]}, which has no value here")
            handler = self.handlers.get(kind)
            result = handler(self, op, operands) if handler else self._numbers(op, operands)
            if len(op.results) == 1:
                values[op.results[0]] = result
            else:
                values.update(zip(op.results, result or ()))

    def _numbers(self, op: Operation, operands: list[Any]) -> Any:
        if op.name == "arith.constant":
            result = numbers.constant(op, self.lanes)
        elif op.name in numbers.DIVISIONS:
            if (operands[1][self.mask] == 0).any():
                self.fail(op, rules.DEFINED, f"{op.name} divides by zero")
            result = numbers.DIVISIONS[op.name](
                operands[0], np.where(operands[1] == 0, 1, operands[1]).astype(operands[1].dtype)
            )
        else:
            result = numbers.compute(op, operands)
        if result is None:
            self.unknown(op)
        return result

    def merged(self, mask: np.ndarray, new: list[Value], old: list[Value]) -> list[Value]:
        """New values of the work-items of a mask, old ones of the others."""
        if np.array_equal(mask, self.everyone):
            return new
        values = []
        for a, b in zip(new, old):
            if isinstance(a, np.ndarray):
                a = np.where(mask.reshape(-1, *(1,) * (a.ndim - 1)), a, b)
            values.append(a)
        return values

    def _yielded(self, block: Block) -> list[Value]:
        return [self.values[name] for name in block.operations[-1].operands]

    def _for(self, op: Operation) -> Iterator[Wait]:
        block = op.regions[0].blocks[0]
        names = [name for name, _ in block.arguments]
        first, last, step, *carried = (self.values[name] for name in op.operands)
        before, at = self.mask, first
        if (step[before] <= 0).any():
            self.fail(op, rules.DEFINED, "scf.for has a step that is not positive")
        try:
            while (active := before & (at < last)).any():
                self.mask = active
                self.values.update(zip(names, (at, *carried)))
                yield from self.block(block)
                carried = self.merged(active, self._yielded(block), carried)
                at = at + step
        finally:
            self.mask = before
        self.values.update(zip(op.results, carried))

    def _if(self, op: Operation) -> Iterator[Wait]:
        before, condition = self.mask, self.values[op.operands[0]]
        results: list[Value] | None = None
        try:
            for region, active in zip(op.regions, (before & condition, before & ~condition)):
                if not region.blocks or not active.any():
                    continue
                self.mask, block = active, region.blocks[0]
                yield from self.block(block)
                new = self._yielded(block)
                results = new if results is None else self.merged(active, new, results)
        finally:
            self.mask = before
        self.values.update(zip(op.results, results or ()))

    def _while(self, op: Operation) -> Iterator[Wait]:
        head, body = (region.blocks[0] for region in op.regions)
        carried: list[Value] = [self.values[name] for name in op.operands]
        before = active = self.mask
        passed: list[Value] | None = None
        try:
            while True:
                self.mask = active
                self.values.update(zip((name for name, _ in head.arguments), carried))
                yield from self.block(head)
                condition, *yielded = self._yielded(head)
                passed = yielded if passed is None else self.merged(active, yielded, passed)
                active = active & condition
                if not active.any():
                    break
                self.mask = active
                self.values.update(zip((name for name, _ in body.arguments), passed))
                yield from self.block(body)
                carried = self.merged(active, self._yielded(body), carried)
        finally:
            self.mask = before
        self.values.update(zip(op.results, passed or ()))

    # Barriers.

    def arrive(self, op: Operation, barrier: NamedBarrier) -> None:
        self.together(op)
        if self.number in barrier.arrived:
            self.fail(op, rules.BARRIERS, f"sub-group {self.number} arrives twice at a barrier before it waits")
        barrier.arrived.add(self.number)
        if len(barrier.arrived) == barrier.count:
            barrier.arrived.clear()
            barrier.phase += 1

    def _barrier(self, op: Operation) -> Iterator[Wait]:
        barrier = self.group.barriers.setdefault(_GROUP, NamedBarrier(self.group.subgroups, set()))
        phase = barrier.phase
        self.arrive(op, barrier)
        yield op, lambda: barrier.phase > phase

    def _wait(self, op: Operation) -> Iterator[Wait]:
        self.together(op)
        barrier: NamedBarrier = self.values[op.operands[0]]
        phase = self.values.pop(("arrived", id(barrier)), None)  # type: ignore[call-overload]
        if phase is None:
            self.fail(op, rules.BARRIERS, f"sub-group {self.number} waits at a barrier at which it did not arrive")
        yield op, lambda: barrier.phase > phase


Handler = Callable[[SubGroup, Operation, list[Any]], Any]


def executes(name: str) -> Callable[[Handler], Handler]:
    """Says how an operation is executed that is not about numbers alone."""

    def add(handler: Handler) -> Handler:
        SubGroup.handlers[name] = handler
        return handler

    return add


_CONTROL: dict[str, Callable[[SubGroup, Operation], Iterator[Wait]]] = {
    "scf.for": SubGroup._for,
    "scf.if": SubGroup._if,
    "scf.while": SubGroup._while,
    "gpu.barrier": SubGroup._barrier,
    "xegpu.nbarrier_wait": SubGroup._wait,
}
_ENDS = frozenset(("scf.yield", "scf.condition", "gpu.return"))


def location_of(source: Source, op: Operation) -> Any:
    """The place of an operation in the user's text."""
    if op.origin is None:
        return None
    line, column = op.origin
    at = sum(len(each) for each in source.text.splitlines(keepends=True)[: line - 1]) + column - 1
    end = source.text.find("\n", at)
    return source.location(at, max(end if end >= 0 else len(source.text), at + 1))


def run_group(
    kernel: Operation, source: Source, memory: Memory, group: WorkGroup, lanes: int, arguments: list[Value]
) -> None:
    """Execute a work-group, with fresh local memory."""
    block = kernel.regions[0].blocks[0]
    values = list(arguments)
    for _, type_ in block.arguments[len(arguments) :]:
        values.append(_local(memory, type_, lanes))
    waiting: list[tuple[SubGroup, Iterator[Wait], Wait | None]] = []
    for number in range(group.subgroups):
        subgroup = SubGroup(source, memory, group, number, lanes)
        subgroup.values.update(zip((name for name, _ in block.arguments), values))
        waiting.append((subgroup, subgroup.block(block), None))
    while waiting:
        rest: list[tuple[SubGroup, Iterator[Wait], Wait | None]] = []
        has_moved = False
        for subgroup, steps, wait in waiting:
            if wait is not None and not wait[1]():
                rest.append((subgroup, steps, wait))
                continue
            has_moved = True
            following = next(steps, None)
            if following is not None:
                rest.append((subgroup, steps, following))
        if not has_moved:
            subgroup, _, stuck = rest[0]
            assert stuck is not None
            subgroup.fail(
                stuck[0],
                rules.BARRIERS,
                f"sub-group {subgroup.number} waits for ever: {group.subgroups - len(rest)} of "
                f"{group.subgroups} sub-groups have ended, and the others wait too",
            )
        waiting = rest


def _local(memory: Memory, type_: Any, lanes: int) -> MemrefValue:
    assert isinstance(type_, Memref) and None not in type_.shape
    from .values import dtype_of

    dtype = dtype_of(type_.element)
    assert dtype is not None
    sizes = [size for size in type_.shape if size is not None]
    address = memory.add(garbage((int(np.prod(sizes)),), dtype))

    def each(number: int | None) -> np.ndarray:
        return np.full(lanes, number or 0)

    return MemrefValue(each(address), each(0), tuple(map(each, sizes)), tuple(map(each, type_.strides)), dtype)
