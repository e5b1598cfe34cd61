"""Executes a gpu.func: the work-items of a sub-group in lock step, sub-groups one after the other up to a barrier."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, NoReturn

import numpy as np

from ....diagnostics import ExecutionError, Rule, Source
from ....frontends.mlir.branches import Unstructured, one_block
from ....frontends.mlir.hosts import is_workgroup_space
from ....mlir.text import Block, Memref, Operation, Vector
from ....mlir.text.tree import MALFORMED
from ....mlir.text.types import contiguous
from . import numbers, rules
from .layouts import Unfit
from .memory import Memory, Unmapped
from .values import MemrefValue, NamedBarrier, Value, dtype_of, garbage

Wait = tuple[Operation, Callable[[], bool]]
"""What a sub-group waits at, and whether it may go on."""
Sizes = tuple[int, int, int]
"""Numbers in x, y and z."""
_MAX_ELEMENTS = 1 << 22
_MAX_BYTES = 1 << 31
_GROUP = -1
"""The number of the barrier of `gpu.barrier`."""


@dataclass
class WorkGroup:
    """What the sub-groups of a work-group share; its place, of how many, and its work-items, in x, y and z."""

    position: tuple[Any, Any, Any]
    """Numbers; or where work-items of several work-groups are executed at once, those of each."""
    grid: Sizes
    block: Sizes
    lanes: int
    barriers: dict[int, NamedBarrier] = field(default_factory=dict)
    allocated: int = 0
    local: dict[tuple[int, str], int] = field(default_factory=dict)
    """Addresses of memory of the work-group, by the operation and the name that it is of."""
    dynamic: int = 0
    """The bytes of memory of the work-group whose size the launch says."""
    exchanged: dict[tuple[int, int], dict[int, Any]] = field(default_factory=dict)
    """What sub-groups give each other at an operation, by how often each has been there."""

    @property
    def items(self) -> int:
        return self.block[0] * self.block[1] * self.block[2]

    @property
    def subgroups(self) -> int:
        return -(-self.items // self.lanes)


@dataclass
class Execution:
    """What all that executes a text shares: the text, memory, and the functions that it has."""

    source: Source
    memory: Memory
    functions: dict[str, Operation] = field(default_factory=dict)
    """By the names of their symbols: `f`, or `kernels::f` in a module of its own."""
    constants: dict[str, Operation] = field(default_factory=dict)
    """Each `memref.global`."""
    kept: dict[str, MemrefValue] = field(default_factory=dict)
    """The memory of constants that were used."""
    write: Callable[[str], Any] = field(default_factory=lambda: sys.stdout.write)
    """Where printed text goes."""
    launched: Callable[..., bool] | None = None
    """Launches a kernel elsewhere, if it does."""
    unknown: Callable[..., Any] | None = None
    """Executes an operation of the host that no handler is for."""
    independent: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Of loops of the host the memrefs of their bodies, where their iterations are independent of each other."""
    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    """What programs fill memory with at random."""


class SubGroup:
    """A sub-group while it executes. `mask` says which work-items do. The host is one of a single work-item."""

    handlers: dict[str, Callable[[SubGroup, Operation, list[Any]], Any]] = {}
    """How each operation that is not about numbers alone is executed; the values of the results."""
    controls: dict[str, Callable[[SubGroup, Operation], Iterator[Wait]]] = {}
    """How each operation with regions, and each that waits for others, is executed."""

    def __init__(
        self, execution: Execution, group: WorkGroup, number: int, lanes: int, module: str = "", is_host: bool = False
    ) -> None:
        self.execution = execution
        self.source = execution.source
        self.memory = execution.memory
        self.group = group
        self.number = number
        self.lanes = lanes
        self.module = module
        """The name of the module whose functions are called."""
        self.is_host = is_host
        self.depth = 0
        self.owned: dict[str, np.ndarray] = {}
        """Of blocks of a work-group which elements the sub-group has without being given them, by the value's name."""
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
        active = np.asarray(value)[self.mask]
        if (active != active[0]).any():
            self.fail(op, rules.TOGETHER, f"{op.name}: {what} differs between the work-items of a sub-group")
        return int(active[0])

    # Memory.

    def local(self, op: Operation, name: str, type_: Any, sizes: Sequence[Any] = ()) -> MemrefValue:
        """Memory of the work-group, or of each work-item: of an operation of a kernel, once for a name."""
        dtype = dtype_of(type_.element) if isinstance(type_, Memref) else None
        if dtype is None or type_.layout is not None:
            self.unknown(op, f"{op.name} makes memory of {type_}, and its elements or layout are not known here")
        rest = list(sizes)
        shape = [self.uniform(op, rest.pop(0), "a size") if size is None else size for size in type_.shape]
        strides = list(contiguous(tuple(shape)))
        if type_.has_explicit_strides and None not in type_.strides:
            strides = list(type_.strides)
        if any(size < 0 for size in shape):
            self.fail(op, rules.DEFINED, f"{op.name} has a negative size")
        span = 0 if 0 in shape else 1 + sum((n - 1) * (s or 0) for n, s in zip(shape, strides))
        is_shared = self.is_host or is_workgroup_space(type_.space)
        if span * dtype.itemsize * (1 if is_shared else self.lanes) > _MAX_BYTES:
            self.fail(op, rules.MEMORY, f"{op.name} makes {span} elements, which is more than the interpreter has")
        each = np.full(self.lanes, 0)
        if self.is_host:
            # programs count on the zeros of memory that nobody had before
            address = each + self.memory.add(np.zeros(span, dtype))
        elif is_shared:
            key = (id(op), name)
            if key not in self.group.local:
                self.group.local[key] = self.memory.add(garbage((span,), dtype))
            address = each + self.group.local[key]
        else:
            begin = self.memory.add(garbage((span * self.lanes,), dtype))
            address = begin + np.arange(self.lanes) * span * dtype.itemsize
        return MemrefValue(
            address, each, tuple(each + size for size in shape), tuple(each + (s or 0) for s in strides), dtype
        )

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

    def own_product(self, op: Operation) -> None:
        """Note which elements of a product of a work-group the sub-group can compute of what it owns."""
        known = [self.owned.get(name) for name in op.operands]
        if len(known) < 2 or known[0] is None or known[1] is None or known[0].ndim != 2 or known[1].ndim != 2:
            return
        owned = known[0].all(1)[:, None] & known[1].all(0)[None, :]
        if len(known) > 2 and known[2] is not None:
            owned = owned & known[2]
        for name in op.results:
            self.owned[name] = owned

    # Control.

    def block(self, block: Block) -> Iterator[Wait]:
        """Execute a block up to its end, where the results are in `values` under the last operation."""
        values = self.values
        for op in block.operations:
            control = self.controls.get(op.name)
            if control is not None:
                try:
                    yield from control(self, op)
                except MALFORMED as error:
                    self._malformed(op, error)
                continue
            if op.name in _ENDS:
                return
            result = self.execute(op, self.operands(op))
            if len(op.results) == 1:
                values[op.results[0]] = result[0] if isinstance(result, list) else result
            elif op.results:
                given = list(result) if isinstance(result, (list, tuple)) else []
                if len(given) != len(op.results):
                    self.unknown(op, f"{op.name} gives {len(given)} values, and {len(op.results)} are named")
                values.update(zip(op.results, given))

    def operands(self, op: Operation) -> list[Any]:
        """The values of the operands."""
        try:
            return [self.values[name] for name in op.operands]
        except KeyError as error:
            self.unknown(op, f"{op.name} uses {error.args[0]}, which has no value here")

    def execute(self, op: Operation, operands: list[Any]) -> Any:
        """What an operation gives. One that is not of the form of its dialect is told, as no tool has verified it."""
        if op.is_broken:
            self.unknown(op, "an operation is executed that could not be read")
        for type_ in op.result_types:
            if isinstance(type_, Vector) and prod(type_.shape) > _MAX_ELEMENTS:
                self.unknown(op, f"{op.name} gives {type_}, and a vector has at most {_MAX_ELEMENTS} elements here")
        handler = self.handlers.get(op.name)
        try:
            return handler(self, op, operands) if handler else self._numbers(op, operands)
        except Unfit as error:
            self.fail(op, rules.FRAGMENT, f"{op.name}: {error}")
        except MALFORMED as error:
            self._malformed(op, error)

    def _malformed(self, op: Operation, error: BaseException) -> NoReturn:
        why = f": {error}" if isinstance(error, ValueError) else ""
        self.unknown(op, f"{op.name} has operands, types or attributes that do not fit each other{why}")

    def _numbers(self, op: Operation, operands: list[Any]) -> Any:
        name = numbers.in_arith(op.name)
        if name in ("arith.constant", "complex.constant"):
            result = numbers.constant(op, self.lanes)
        elif name in numbers.DIVISIONS:
            if (operands[1][self.mask] == 0).any():
                self.fail(op, rules.DEFINED, f"{op.name} divides by zero")
            result = numbers.DIVISIONS[name](
                operands[0], np.where(operands[1] == 0, 1, operands[1]).astype(operands[1].dtype)
            )
        elif operands and all(isinstance(each, np.ndarray) and each.strides[0] == 0 for each in operands):
            # what all work-items have is computed once
            result = once(numbers.compute(op, [each[:1] for each in operands]), self.lanes)
        else:
            result = numbers.compute(op, operands)
        if result is None and self.is_host and self.execution.unknown is not None:
            result = self.execution.unknown(self, op, operands)
        elif result is None:
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
            elif isinstance(a, MemrefValue) and isinstance(b, MemrefValue):
                a = a.chosen(mask, b)
            values.append(a)
        return values

    def ended(self, block: Block) -> list[Value]:
        """What the end of a block gives."""
        last = block.operations[-1] if block.operations else None
        return self.operands(last) if last is not None and last.name in _ENDS else []

    def only_block(self, op: Operation, number: int = 0) -> Block:
        """The one block of a region; blocks that branch become conditions and loops first."""
        region = op.regions[number]
        if len(region.blocks) > 1:
            try:
                region.blocks = [one_block(region.blocks)]
            except Unstructured as problem:
                self.unknown(problem.op or op, f"{(problem.op or op).name}: {problem}")
        return region.blocks[0]

    def called(self, op: Operation, function: Operation, operands: list[Value]) -> Generator[Wait, None, list[Value]]:
        """Execute a function on values; what it gives."""
        block = self.only_block(function)
        if len(block.arguments) != len(operands):
            self.unknown(op, f"a function of {len(block.arguments)} arguments is passed {len(operands)} values")
        values, self.values = self.values, dict(zip((name for name, _ in block.arguments), operands))
        self.depth += 1
        try:
            yield from self.block(block)
            return self.ended(block)
        finally:
            self.values = values
            self.depth -= 1

    # Barriers.

    def arrive(self, op: Operation, barrier: NamedBarrier) -> None:
        self.together(op)
        if self.number in barrier.arrived:
            self.fail(op, rules.BARRIERS, f"sub-group {self.number} arrives twice at a barrier before it waits")
        barrier.arrived.add(self.number)
        if len(barrier.arrived) == barrier.count:
            barrier.arrived.clear()
            barrier.phase += 1

    def barrier(self, op: Operation) -> Iterator[Wait]:
        barrier = self.group.barriers.setdefault(_GROUP, NamedBarrier(self.group.subgroups, set()))
        phase = barrier.phase
        self.arrive(op, barrier)
        yield op, lambda: barrier.phase > phase

    def wait(self, op: Operation) -> Iterator[Wait]:
        self.together(op)
        (barrier,) = self.operands(op)
        if not isinstance(barrier, NamedBarrier):
            self.unknown(op)
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


Control = Callable[[SubGroup, Operation], Iterator[Wait]]


def controls(name: str) -> Callable[[Control], Control]:
    """Says how an operation with regions is executed, or one that waits for others."""

    def add(control: Control) -> Control:
        SubGroup.controls[name] = control
        return control

    return add


SubGroup.controls |= {"gpu.barrier": SubGroup.barrier, "xegpu.nbarrier_wait": SubGroup.wait}
_ENDS = frozenset(
    (
        *("scf.yield", "scf.condition", "scf.reduce.return", "scf.forall.in_parallel", "affine.yield"),
        *("gpu.return", "gpu.terminator", "gpu.yield", "func.return", "vector.yield", "memref.alloca_scope.return"),
        *("memref.atomic_yield",),
    )
)


def location_of(source: Source, op: Operation) -> Any:
    """The place of an operation in the user's text."""
    if op.origin is None:
        return None
    line, column = op.origin
    at = sum(len(each) for each in source.text.splitlines(keepends=True)[: line - 1]) + column - 1
    end = source.text.find("\n", at)
    return source.location(at, max(end if end >= 0 else len(source.text), at + 1))


def once(result: Any, lanes: int) -> Any:
    """A value that is the same for all work-items."""
    if isinstance(result, (list, tuple)):
        return type(result)(once(each, lanes) for each in result)
    return np.broadcast_to(result, (lanes, *result.shape[1:])) if isinstance(result, np.ndarray) else result


def run_group(kernel: Operation, execution: Execution, group: WorkGroup, values: dict[str, Value], module: str) -> None:
    """Execute a work-group, with fresh local memory, on the values that are known where its kernel begins."""
    lanes = group.lanes
    waiting: list[tuple[SubGroup, Iterator[Wait], Wait | None]] = []
    for number in range(group.subgroups):
        subgroup = SubGroup(execution, group, number, lanes, module)
        subgroup.values.update(values)
        block = subgroup.only_block(kernel)
        for name, type_ in block.arguments:
            if name not in values:
                subgroup.values[name] = subgroup.local(kernel, name, type_)
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


def run_alone(steps: Iterator[Wait], of: SubGroup) -> None:
    """Execute what nobody else executes at the same time."""
    for op, may_go_on in steps:
        if not may_go_on():
            of.fail(op, rules.BARRIERS, f"{op.name} waits for others, and there are none")
