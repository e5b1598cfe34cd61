"""Splits an SPMD region where its work-items synchronise.

The code between two convergent instructions, which work-items reach together, is a `WorkItemRegion`, a run for short:
each work-item executes it by itself. Values that are the same for all work-items are computed once, outside of runs. A
value that one run computes and another needs lies in local memory with an entry per work-item; views, and short
computations on the work-item's number, are repeated instead. An `if` or `for` that contains a convergent instruction is
uniform, as the manual demands: its condition or bounds are taken from the first work-item, and its body is split as
well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.types import MemrefType, ScalarType, Type, index
from ..ir.values import Region, Value
from ..ops import ArithBinary, ArithUnary, Cast, Compare, Constant, For, If, SubgroupBuiltin, Yield
from ..ops.builder import Builder
from ..ops.control import terminator
from ..ops.preconditions import Report
from .work_item_regions import Slot, WorkItemRegion

MAX_REPEATED = 3
"""The longest chain of instructions on a work-item's number that is repeated instead of stored."""
_REPEATED = (ArithBinary, ArithUnary, Cast, Compare)


@dataclass
class OperationProperties:
    """Properties of an instruction, or of one that it contains."""

    is_convergent: bool
    """Whether work-items synchronise there."""
    varies: bool
    reads: bool
    writes: bool
    reports: bool
    """Whether the launch may be told of it."""
    has_whole: bool


class Splitter:
    """The walk through a region. Subclasses say where work-items synchronise, and how runs are executed."""

    def __init__(self, builder: Builder, shape: Sequence[int]) -> None:
        self.builder = builder
        """Where the instructions outside of runs are written."""
        self.shape = shape
        """The shape of a slot: its number of entries."""
        self.varying: set[Value] = set()
        """What may differ among work-items."""
        self.run: WorkItemRegion | None = None
        self.enclosing_run: WorkItemRegion | None = None
        """The run that is being written, if one is open."""
        self._closed: dict[Operation, WorkItemRegion] = {}
        self._properties: dict[Operation, OperationProperties] = {}
        self._replaced: dict[Value, Value] = {}
        self._runs: dict[Value, WorkItemRegion] = {}
        """The run that computes each value."""
        self._slots: dict[Value, Slot] = {}
        self._repeated: dict[Value, int] = {}
        """What is repeated wherever it is needed, with the length of the chain of instructions that ends in it."""

    # What a subclass defines.

    def is_convergent(self, op: Operation) -> bool:
        """Whether work-items synchronise at an instruction."""
        raise NotImplementedError

    def is_joint(self, op: Operation) -> bool:
        """Whether `write_convergent` writes an instruction, as it does each at which work-items synchronise."""
        return self.is_convergent(op)

    def write_convergent(self, op: Operation) -> None:
        """Write an instruction that work-items execute as one; no run is open."""
        raise NotImplementedError

    def new_run(self) -> WorkItemRegion:
        raise NotImplementedError

    def wrapped(self, run: WorkItemRegion) -> Operation:
        """The instruction by which all work-items execute a run; its body is filled later."""
        raise NotImplementedError

    def position_in_group(self, run: WorkItemRegion) -> list[Value]:
        """The index of a run's work-item in slots."""
        raise NotImplementedError

    def number(self, op: SubgroupBuiltin, type_: ScalarType, run: WorkItemRegion | None) -> Value:
        """An instruction's answer about the work-item of a run, or about the first one outside of runs, in a type."""
        raise NotImplementedError

    def place(self, op: Operation) -> None:
        """Write a uniform instruction; its operands are their values outside of runs."""
        self.builder.add(op)

    def is_whole(self, value: Value) -> bool:
        """Whether a value belongs to all work-items together: `store_yielded` and `allocate_carried` are for these."""
        return False

    def allocate_carried(self, op: For | If, position: int) -> None:
        """Allocate memory for such a result, with its initial value in a loop."""
        raise NotImplementedError

    def store_yielded(self, values: Sequence[Value], results: Sequence[Value]) -> None:
        """Store yielded values in the memory of such results."""
        raise NotImplementedError

    def inlined(self, op: Operation, run: WorkItemRegion) -> list[Operation]:
        """What a run executes for an instruction."""
        return [op]

    # Values.

    def outside(self, value: Value) -> Value:
        """A value outside of runs: that of the first work-item."""
        if self.run is not None and self._runs.get(value) is self.run:
            self.close()
        return self._value_in(value, None)

    def inside(self, value: Value) -> Value:
        """A value in the open run."""
        return self._value_in(value, self.open())

    def is_outside(self, value: Value) -> bool:
        """Whether a value is available outside of runs, the same for all work-items."""
        value = self._replaced.get(value, value)
        return value not in self._repeated and value not in self._slots and value not in self._runs

    def _value_in(self, value: Value, run: WorkItemRegion | None) -> Value:
        value = self._replaced.get(value, value)
        if self.is_outside(value) or (value in self._runs and self._runs[value] is (run or self.enclosing_run)):
            return value
        if run is not None and value in run.known:
            return run.known[value]
        builder = self.builder if run is None else run.head
        if value not in self._repeated:
            result = self.slot(value).load(builder, self.first if run is None else self.position_in_group(run))
        elif (number := _number_of(value)) is not None:
            result = self.number(number, value.type, run)
        else:
            assert value.owner is not None, "only results are repeated"
            mapping = {operand: self._either(operand, run) for operand in value.owner.operands}
            result = builder.add(clone_operation(value.owner, mapping)).result
        if run is not None:
            run.known[value] = result
        return result

    def _either(self, value: Value, run: WorkItemRegion | None) -> Value:
        return self.outside(value) if run is None else self._value_in(value, run)

    def slot(self, value: Value) -> Slot:
        """The memory of a value that a run computes."""
        if value not in self._slots:
            run = self._runs[value]
            before = Builder(run.head.location)
            slot = Slot.allocated(before, value.type, self.shape, value.name)
            run.allocas += before.operations
            slot.store(run.tail, value, self.position_in_group(run))
            self._slots[value] = slot
        return self._slots[value]

    def repeat(self, op: Operation) -> None:
        """Repeat an instruction wherever its result is needed."""
        self._repeated[op.result] = 0

    def spread(self, value: Value) -> Slot:
        """Memory with the value of each work-item; it closes the open run."""
        if value in self._repeated:
            slot = self.new_slot(value.type, value.name)
            slot.store(self.open().tail, self.inside(value), self.position_in_group(self.open()))
        else:
            slot = self.slot(value)
        self.close()
        return slot

    def new_slot(self, type_: Type, name: str | None) -> Slot:
        return Slot.allocated(self.builder, type_, self.shape, name)

    def replace_result(self, value: Value, other: Value | Slot) -> None:
        """Replace a result by another value outside of runs, or by what lies in memory."""
        if isinstance(other, Slot):
            self._slots[value] = other
        else:
            self._replaced[value] = other

    @property
    def first(self) -> list[Value]:
        """The indices of the first work-item."""
        return [self.builder.zero(index) for _ in self.shape]

    # Runs.

    def open(self) -> WorkItemRegion:
        if self.run is None:
            self.run = self.new_run()
        return self.run

    def close(self) -> None:
        """Close the open run, if there is one."""
        if self.run is not None:
            run, self.run = self.run, None
            self._closed[self.builder.add(self.wrapped(run))] = run

    def scope(self, builder: Builder, write: Callable[[], None]) -> list[Operation]:
        """The instructions that `write` writes outside of runs, and the runs among them."""
        outer = self.builder, self.run, self._closed
        self.builder, self.run, self._closed = builder, None, {}
        write()
        self.close()
        written: list[Operation] = []
        for op in builder.operations:
            run = self._closed.get(op)
            if run is None:
                written.append(op)
            elif run.has_effect:
                op.regions[0].operations = run.body
                written += [*run.allocas, op]
        self.builder, self.run, self._closed = outer
        return written

    # Instructions.

    def sequence(self, operations: Sequence[Operation]) -> None:
        for op in operations:
            self.operation(op)

    def operation(self, op: Operation) -> None:
        self.builder.location = op.location
        properties = self.properties_of(op)
        is_busy = self.run is not None and self._goes_with(self.run, op, properties)
        if isinstance(op, (For, If)) and (properties.is_convergent or not (properties.varies or is_busy)):
            self._control(op)
        elif self.is_joint(op):
            self.close()
            self.write_convergent(op)
        elif properties.varies or is_busy:
            self._join(op, properties)
        else:
            self._replace(op, self.outside)
            self.place(op)

    def _goes_with(self, run: WorkItemRegion, op: Operation, properties: OperationProperties) -> bool:
        """Whether a uniform instruction is nevertheless put into the open run."""
        if properties.writes or (properties.reads and run.writes):
            return True
        used = [*op.operands, *(value for region in op.regions for each in region.walk() for value in each.operands)]
        return any(self._runs.get(value) is run for value in used)

    def properties_of(self, op: Operation) -> OperationProperties:
        """The properties of an instruction; each is computed once."""
        if op not in self._properties:
            arguments = [value for region in op.regions for value in region.arguments]
            properties = OperationProperties(
                self.is_convergent(op),
                not self.varying.isdisjoint((*op.operands, *op.results, *arguments)),
                bool(op.read_memory()) and not getattr(op, "is_item", False),
                bool(op.written_memory()),
                isinstance(op, Report),
                any(map(self.is_whole, (*op.operands, *op.results))),
            )
            for inner in (self.properties_of(each) for region in op.regions for each in region.operations):
                properties.is_convergent |= inner.is_convergent
                properties.varies |= inner.varies
                properties.reads |= inner.reads
                properties.writes |= inner.writes
                properties.reports |= inner.reports
                properties.has_whole |= inner.has_whole
            self._properties[op] = properties
        return self._properties[op]

    def _join(self, op: Operation, properties: OperationProperties) -> None:
        """Put an instruction into the open run, or defer it to where its result is needed."""
        if (op.pure and not op.regions) or getattr(op, "is_item", False):
            depth = self._depth(op)
            if depth is not None:
                self._repeated[op.result] = depth
                return
            if isinstance(op.result.type, MemrefType):
                # no memory can hold it, so other runs repeat it
                mapping = {operand: self.inside(operand) for operand in op.operands}
                copy = clone_operation(op, mapping)
                run = self.open()
                run.operations.append(copy)
                run.known[op.result] = copy.result
                self._repeated[op.result] = 0
                return
        self._replace(op, self.inside)
        run = self.open()
        run.operations += self.inlined(op, run)
        run.writes |= properties.writes or properties.has_whole
        run.reports |= properties.reports
        self._runs.update((value, run) for value in op.results)

    def _depth(self, op: Operation) -> int | None:
        """The length of the chain of instructions that ends in a result; None where it is not to be repeated."""
        if not all(value in self._repeated or self.is_outside(value) for value in op.operands):
            return None
        if isinstance(op.result.type, MemrefType) or isinstance(op, Constant):
            return 0
        if not isinstance(op, _REPEATED):
            return None
        depth = 1 + max(self._repeated.get(value, 0) for value in op.operands)
        return depth if depth <= MAX_REPEATED else None

    def _replace(self, op: Operation, change: Callable[[Value], Value]) -> None:
        op.replace_operands(change)
        for region in op.regions:
            for inner in region.walk():
                inner.replace_operands(change)

    # Control flow in which work-items synchronise, or which is uniform.

    def _control(self, op: For | If) -> None:
        outside = [n for n, value in enumerate(op.results) if value not in self.varying and not self.is_whole(value)]
        whole = [n for n, value in enumerate(op.results) if self.is_whole(value)]
        differing = [n for n, value in enumerate(op.results) if n not in outside and n not in whole]
        inits: list[Value] = []
        if isinstance(op, For):
            op.start, op.stop = self.outside(op.start), self.outside(op.stop)
            op.step = None if op.step is None else self.outside(op.step)
            inits = [self.outside(op.inits[n]) for n in outside]
        else:
            op.condition = self.outside(op.condition)
        slots = {n: self.new_slot(op.results[n].type, op.results[n].name) for n in differing}
        if isinstance(op, For):
            self._store_carried([(op.inits[n], slots[n]) for n in differing])
        self.close()
        for n in whole:
            self.allocate_carried(op, n)
        results = list(op.results)
        for n in differing:
            self.replace_result(results[n], slots[n])
            if isinstance(op, For):
                self.replace_result(op.carried[n], slots[n])
        if isinstance(op, For):
            op.inits = inits
            op.body.arguments = [op.variable, *(op.carried[n] for n in outside)]
        for region in op.regions:
            write = partial(self._body, region, results, outside, whole, slots)
            region.operations = self.scope(Builder(op.location, self.builder), write)
        op.results = [results[n] for n in outside]
        if isinstance(op, If) and op.else_body is not None and not op.else_body.operations:
            op.else_body = None
        self.builder.add(op)

    def _body(
        self, region: Region, results: list[Value], outside: list[int], whole: list[int], slots: dict[int, Slot]
    ) -> None:
        """The instructions of a region, and the values that it yields."""
        last = terminator(region)
        self.sequence(region.operations if last is None else region.operations[:-1])
        if last is None:
            return
        self.builder.location = last.location
        yielded = [self.outside(last.yielded[n]) for n in outside]
        self._store_carried([(last.yielded[n], slot) for n, slot in slots.items()])
        self.close()
        if whole:
            self.store_yielded([last.yielded[n] for n in whole], [results[n] for n in whole])
        if outside:
            self.builder.add(Yield(last.location, yielded=yielded))

    def _store_carried(self, pairs: Sequence[tuple[Value, Slot]]) -> None:
        """Store values in the open run; all of them are read before any is written."""
        moved = [(value, slot) for value, slot in pairs if self._slots.get(value) is not slot]
        read = [(self.inside(value), slot) for value, slot in moved]
        for value, slot in read:
            slot.store(self.open().tail, value, self.position_in_group(self.open()))


def _number_of(value: Value) -> SubgroupBuiltin | None:
    """The instruction that gave a value, through casts, where that is a query of the work-item's place."""
    op = value.owner.operand.owner if isinstance(value.owner, Cast) else value.owner
    return op if isinstance(op, SubgroupBuiltin) else None


def take_builtins(region: Region) -> list[SubgroupBuiltin]:
    """Remove the queries of a work-item's place from a region that a single work-item executes."""
    taken: list[SubgroupBuiltin] = []
    remaining: list[Operation] = []
    for op in region.operations:
        if isinstance(op, SubgroupBuiltin):
            taken.append(op)
        else:
            remaining.append(op)
            for inner in op.regions:
                taken += take_builtins(inner)
    region.operations = remaining
    return taken
