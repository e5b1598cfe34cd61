"""item-lanes: several work-groups as the lanes of vectors, where one work-group alone has few vectors to fill.

A factorisation of a small matrix is a loop whose steps wait for each other, on fewer and fewer rows. As many matrices
as a vector has lanes are copied into local memory side by side, transposed in registers, and the kernel's text is
executed for all of them at once: each of its numbers becomes a vector, and each `foreach` a loop.

A work-group that computes single numbers has no vectors at all, and loops over elements that lie apart have none that
are fast. There, what a work-group accesses in memory is copied where it accesses most of its part of a tensor; else the
lanes load and store elements where they lie.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..ir.clone import clone_region
from ..ir.operation import Operation
from ..ir.types import DYNAMIC, MemrefType, ScalarType, index
from ..ir.values import Function, Region, Value
from ..ops import (
    Alloca,
    ArithBinary,
    Axpby,
    Builtin,
    Constant,
    Expand,
    For,
    Foreach,
    Fuse,
    GroupId,
    If,
    LifetimeStop,
    Load,
    NumGroups,
    Slice,
    Store,
    Subview,
    Yield,
)
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..ops.launch_defaults import IN_PARTS
from ..ops.memory import bytes_of
from ..ops.views import root_of
from ..process.records import dataclass
from .analysis.accesses import has_loop_with_stores
from .analysis.uniformity import variation_of
from .analysis.uses import replace_uses
from .cpu_items import loop_in_step, operations_of
from .diverging_loops import computes_enough, gain_as_lanes
from .item_numbers import Copies, worth_copying
from .manager import Pass, register
from .packs import MAX_LOCAL
from .preconditions import distributed_loop
from .repeated_loads import merge_repeated_loads
from .software_prefetch import bytes_exceed_cache
from .targets import cpu
from .targets.cpu_attributes import COMPONENTS, FASTMATH, LANES
from .targets.interleaved import have_components
from .targets.machine import DEFAULT, Machine
from .targets.strategies import STRATEGY
from .targets.vector_forms import has_vector_points
from .tiles import lanes_for, most_lanes

ROOM = MAX_LOCAL * 3 // 4
"""Bytes up to which vectors of two registers are taken, whose computations do not wait for each other."""


@register
@dataclass(frozen=True)
class ItemLanes(Pass):
    """Makes a `cpu.items` of a function whose work-groups are worth being lanes; `items` is as that of cpu-items."""

    name = "item-lanes"
    machine: Machine = DEFAULT
    items: int = -1
    interleave: int = -1
    """Work-groups that are interleaved as users say; lanes are none of these."""
    may_overlap: bool = False
    """Whether a launch has arrays of different parameters that overlap."""
    fastmath: bool = False
    """Whether sums may be rounded otherwise than the text says."""

    def run(self, function: Function) -> None:
        attributes = function.attributes
        if attributes.get(STRATEGY) != "one-item" or attributes.get(IN_PARTS) or self.may_overlap:
            return
        if self.interleave > 0 or self.items == 1:
            return
        whole = whole_lanes(function, self.machine)
        copies = self._copies(function, whole) if whole > 1 else None
        lanes = None if copies is None else _lanes(function, copies.tensors, whole)
        if copies is None or lanes is None:
            return
        of_one = clone_region(function.body, {})
        body = _Packed(function, copies.tensors, lanes).body()
        function.body.operations = of_one.operations
        (kernel,) = (op for op in body.operations if isinstance(op, cpu.Kernel))
        (points,) = kernel.body.operations
        assert isinstance(points, Foreach)
        variation = variation_of(points)
        costs = self.machine.items
        if not has_vector_points(points, variation) or not gain_as_lanes(points, variation, costs, lanes):
            return
        if not computes_enough(points.body, variation, costs.min_computed_by_lane, costs.unknown, lanes):
            return
        if have_components(points.body, variation, True):
            kernel.attributes[COMPONENTS] = True
        if self.fastmath:
            kernel.attributes[FASTMATH] = True
        each = max(operations_of(function.body, costs.unknown), 1)
        items = min(max(costs.operations_per_item // each, 1), costs.max_items) if self.items < 0 else self.items
        tests: list[Operation] = []
        is_alone = None
        if copies.from_caches_alone:
            size = sum(bytes_of(item_type(tensor.type)) for tensor in copies.tensors)
            tests, is_alone = bytes_exceed_cache(function.location, size, 0, None, costs.max_copied)
        loop_in_step(function, items, lanes, lambda of_one: body, tests, is_alone)

    def _copies(self, function: Function, lanes: int) -> Copies | None:
        """What is copied for so many lanes, or twice as many; None where these do not gain."""
        tensors = item_tensors(function) if is_worth_it(function, self.machine) else None
        if tensors:
            return Copies(tensors, False)
        has_number = any(isinstance(op, Builtin) for op in function.walk())
        tensors = item_tensors(function, of_all=True) if has_number and distributed_loop(function) is None else None
        if tensors is None:
            return None
        for region in (function.body, *(op.body for op in function.walk() if isinstance(op, Foreach))):
            merge_repeated_loads(region, True)
        return worth_copying(function, tensors, self.machine, lanes, self.fastmath)


def whole_lanes(function: Function, machine: Machine) -> int:
    """How many elements a vector has of each type that is accessed; 0 where one has no vectors."""
    accessed = {access.tensor.type.element for op in function.body.operations for access in _accesses(op)}
    if not accessed or not all(isinstance(element, ScalarType) for element in accessed):
        return 0
    return min(_most_lanes(function), *(lanes_for(machine, element, DYNAMIC) for element in accessed))


def _most_lanes(function: Function) -> int:
    """The longest vectors that a function's numbers have: half of them where complex numbers are more than loaded,
    stored, added and multiplied, by all lanes.
    """
    operations = list(function.walk())
    has_masks = any(isinstance(op, If) for op in operations)
    counting = [op for op in operations if has_masks or not _is_of_sums(op)]
    types = [value.type for op in counting for value in (*op.operands, *op.results)]
    return most_lanes(types)


def _is_of_sums(op: Operation) -> bool:
    if isinstance(op, ArithBinary):
        return op.variant in ("add", "sub", "mul")
    return isinstance(op, (Constant, For, Load, Store, Yield))


def _lanes(function: Function, tensors: Sequence[Value], whole: int) -> int | None:
    """How many work-groups there is local memory for: whole vectors, or two of them."""
    copied = {root_of(_accesses(op)[0].tensor) for op in copies_of(function, tensors)}
    types = [item_type(each.type) for each in tensors if each.type.order > 1 and each not in copied]
    types += [op.result.type for op in function.walk() if isinstance(op, Alloca)]
    if any(type_.element.is_complex for type_ in types):
        return None
    size = sum(map(bytes_of, types))
    fitting = [lanes for lanes in (whole, whole // 2) if lanes * size <= MAX_LOCAL and lanes > 1]
    return 2 * whole if 2 * whole <= _most_lanes(function) and 2 * whole * size <= ROOM else next(iter(fitting), None)


def is_worth_it(function: Function, machine: Machine) -> bool:
    """Whether steps wait for each other that have short vectors at most, or none."""
    if not has_loop_with_stores(function) or distributed_loop(function) is not None:
        return False
    return any(_is_short(op, [], machine) for op in function.body.operations)


def _is_short(op: Operation, around: list[For], machine: Machine) -> bool:
    """Whether an instruction, or one in it, is executed step by step with less than two vectors in each."""
    if isinstance(op, (Foreach, Store)) and around:
        return isinstance(op, Store) or not _has_vectors(op, machine)
    if isinstance(op, Foreach):
        loops = [inner for inner in op.body.walk() if isinstance(inner, For)]
        is_known = all(constant_of(each.start) is not None and constant_of(each.stop) is not None for each in loops)
        return not is_known and not _has_vectors(op, machine)
    inside = [*around, op] if isinstance(op, For) else around
    return any(_is_short(inner, inside, machine) for region in op.regions for inner in region.operations)


def _has_vectors(op: Foreach, machine: Machine) -> bool:
    """Whether a `foreach` has at least two vectors along its first variable, as far as is known."""
    first, last = constant_of(op.start[0]), constant_of(op.stop[0])
    elements = [each.tensor.type.element for each in _accesses(op)]
    if first is None or last is None or not all(isinstance(element, ScalarType) for element in elements):
        return False
    return last - first >= 2 * max((lanes_for(machine, element, DYNAMIC) for element in elements), default=1)


def item_type(type_: MemrefType) -> MemrefType:
    """The type of a work-group's part of a tensor, whose last mode counts work-groups."""
    return MemrefType(type_.element, type_.shape[:-1], type_.strides[:-1])


def item_tensors(function: Function, of_all: bool = False) -> list[Value] | None:
    """The parameters of which a work-group accesses its own part alone, which its number names as the last index.

    None where a work-group does what has no lanes; unless parameters `of_all` work-groups are admitted, also where its
    number is used for something else.
    """
    numbers = {op.result for op in function.walk() if isinstance(op, Builtin)}
    found: dict[Value, None] = {}
    for op in function.walk():
        if isinstance(op, (Builtin, LifetimeStop)):
            if isinstance(op, Builtin) and op.variant != "group_id":
                return None
            continue
        is_admitted = isinstance(op, (Alloca, For, Foreach, If, Load, Store, Subview, Fuse, Expand, Yield))
        if not is_admitted and (not op.pure or op.regions or isinstance(op, (GroupId, NumGroups))):
            return None
        if (isinstance(op, Load) and op.is_item) or (isinstance(op, Store) and op.flag):
            return None
        if numbers.isdisjoint(op.operands):
            continue
        if isinstance(op, (Load, Store, Subview)) and op.tensor in function.parameters and _is_item(op, numbers):
            found[op.tensor] = None
        elif not of_all:
            return None
    written = {root_of(value) for op in function.walk() for value in op.written_memory()}
    allocas = {op.result for op in function.walk() if isinstance(op, Alloca)}
    own = [each for each in found if is_own_part(function, each, numbers)]
    return own if of_all or (written <= {*found, *allocas} and own == [*found]) else None


def _is_item(op: Load | Store | Subview, numbers: set[Value]) -> bool:
    """Whether the last index of an access or a view is the work-group's number, and no other is."""
    if isinstance(op, Subview):
        *others, last = op.slices
        return last.offset in numbers and not last.keeps_mode and all(numbers.isdisjoint(s.bounds) for s in others)
    return op.indices[-1] in numbers and numbers.isdisjoint(op.indices[:-1])


def is_own_part(function: Function, tensor: Value, numbers: set[Value]) -> bool:
    """Whether all uses of a parameter are of the work-group's own part, whose elements lie side by side."""
    if not isinstance(tensor.type, MemrefType) or tensor.type.order == 0:
        return False
    uses = [op for op in function.walk() if tensor in op.operands]
    if not all(isinstance(op, (Load, Store, Subview)) and _is_item(op, numbers) for op in uses):
        return False
    shape: Sequence[Any] = tensor.type.shape[:-1]
    if not all(isinstance(extent, int) for extent in shape):
        return False
    return list(tensor.type.strides[:-1]) == [math.prod(shape[:mode]) for mode in range(len(shape))]


class _Packed:
    """What a number of work-groups do as lanes. The function's own instructions become that."""

    def __init__(self, function: Function, tensors: Sequence[Value], lanes: int) -> None:
        self.function = function
        self.lanes = lanes
        self.groups = [Value(index, "group", function.location) for _ in range(lanes)]
        self.lane = Value(index, "lane", function.location)
        self.builder = Builder(function.location)
        self.tensors = tensors
        self.own: dict[Value, Value] = {}
        """Local memory for the parts of parameters."""
        self.copies = copies_of(function, tensors)
        """What copies a work-group's part of a tensor that nothing else uses, as the first access to another one."""
        self.copied = {root_of(_accesses(op)[0].tensor): root_of(_accesses(op)[1].tensor) for op in self.copies}
        self.views: dict[Value, Value] = {}
        """The memory and the views of all lanes, whose first mode they are, for those of a work-group."""

    def body(self) -> Region:
        to, location = self.builder, self.function.location
        written = {root_of(value) for op in self.function.walk() for value in op.written_memory()}
        for tensor in self.tensors:
            if tensor.type.order > 1 and tensor not in self.copied:
                self.own[tensor] = to.allocate(tensor.type.element, (self.lanes, *tensor.type.shape[:-1]), tensor.name)
                source = next((a for a, b in self.copied.items() if b is tensor), tensor)
                if source is not tensor or not self._is_written_first(tensor):
                    self._copy(self._side_by_side(source), self._by_item(self.own[tensor]))
        for op in self.function.walk():
            if isinstance(op, Alloca):
                type_ = op.result.type
                self.views[op.result] = to.allocate(type_.element, (self.lanes, *type_.shape), op.result.name)
        inner = Builder(location, to)
        own_number = inner.arith("add", self.groups[0], self.lane)
        numbers = {op.result: own_number for op in self.function.walk() if isinstance(op, Builtin)}
        operations = [*inner.operations, *self._region(self.function.body.operations)]
        points = Region("spmd", [self.lane], operations, location)
        replace_uses(points, numbers)
        start, stop = to.zero(index), to.constant(index, self.lanes)
        foreach = Foreach(location, start=[start], stop=[stop], body=points)
        to.add(cpu.Kernel(location, attributes={LANES: self.lanes}, body=Region("collective", operations=[foreach])))
        for tensor, memory in self.own.items():
            if tensor in written:
                self._copy(self._by_item(memory), self._side_by_side(tensor))
        return Region("collective", self.groups, to.operations, self.function.location)

    def _is_written_first(self, tensor: Value) -> bool:
        """Whether a work-group stores all elements of its part before it loads one."""
        op = _first_access(self.function, tensor)
        own = [each for each in _accesses(op) if root_of(each.tensor) is tensor]
        return isinstance(op, Foreach) and len(own) == 1 and isinstance(own[0], Store) and _fills(op, own[0])

    # Memory.

    def _side_by_side(self, tensor: Value) -> Value:
        """The parts of all lanes as a matrix, a column each."""
        modes = [Slice(0, extent) for extent in tensor.type.shape[:-1]]
        slices = [*modes, Slice(self.groups[0], self.lanes)]
        return self._fused(self.builder.add(Subview(tensor.location, tensor=tensor, slices=slices)).results[0], 0)

    def _by_item(self, memory: Value) -> Value:
        """Local memory as a matrix, a row for each lane."""
        return self._fused(memory, 1)

    def _fused(self, tensor: Value, first: int) -> Value:
        last = first + tensor.type.order - 2
        if first == last:
            return tensor
        return self.builder.add(Fuse(tensor.location, tensor=tensor, first=first, last=last)).results[0]

    def _copy(self, source: Value, target: Value) -> None:
        element = source.type.element
        one, zero = self.builder.one(element), self.builder.zero(element)
        self.builder.add(Axpby(self.function.location, transpose="t", alpha=one, A=source, beta=zero, B=target))

    # The text, for all lanes.

    def _region(self, operations: Sequence[Operation]) -> list[Operation]:
        return [made for op in operations for made in self._operation(op)]

    def _operation(self, op: Operation) -> Iterator[Operation]:
        if isinstance(op, (Alloca, Builtin, LifetimeStop)) or op in self.copies:
            return
        if isinstance(op, Foreach):
            yield from self._loops(op)
        elif isinstance(op, (Subview, Fuse, Expand)) and root_of(op.tensor) in self.copied:
            return
        elif isinstance(op, (Subview, Fuse, Expand)) and self._has_lanes(op.tensor):
            yield self._of_all_lanes(op)
        else:
            if isinstance(op, (Load, Store)) and op.tensor in self.views:
                op.tensor, op.indices = self.views[op.tensor], [self.lane, *op.indices]
            elif isinstance(op, (Load, Store)) and op.tensor in self.own:
                op.tensor, op.indices = self.own[op.tensor], [self.lane, *op.indices[:-1]]
            for region in op.regions:
                region.operations = self._region(region.operations)
            yield op

    def _has_lanes(self, tensor: Value) -> bool:
        return tensor in self.own or tensor in self.views

    def _of_all_lanes(self, op: Subview | Fuse | Expand) -> Operation:
        """A view of the parts of all lanes, whose first mode they are."""
        tensor = self.own[op.tensor] if op.tensor in self.own else self.views[op.tensor]
        made: Operation
        if isinstance(op, Subview):
            slices = [Slice(0, self.lanes), *(op.slices[:-1] if op.tensor in self.own else op.slices)]
            made = Subview(op.location, tensor=tensor, slices=slices)
        elif isinstance(op, Fuse):
            made = Fuse(op.location, tensor=tensor, first=op.first + 1, last=op.last + 1)
        else:
            made = Expand(op.location, tensor=tensor, mode=op.mode + 1, expand_shape=op.expand_shape)
        made.results[0].name = op.result.name
        self.views[op.result] = made.results[0]
        return made

    def _loops(self, op: Foreach) -> Iterator[Operation]:
        """A `foreach` as loops, the first variable innermost, with what does not depend on it around its loop."""
        invariant = _invariant(op)
        around = self._region(invariant)
        operations = self._region([each for each in op.body.operations if each not in invariant])
        for mode, variable in enumerate(op.variables):
            region = Region("mixed", [variable], operations, op.location)
            operations = [For(op.location, [], start=op.start[mode], stop=op.stop[mode], inits=[], body=region)]
            operations[:0] = around if mode == 0 else []
        yield from operations


def _accesses(op: Operation) -> list[Load | Store]:
    """Accesses of elements."""
    inside = [op, *(inner for region in op.regions for inner in region.walk())]
    return [each for each in inside if isinstance(each, Store) or (isinstance(each, Load) and not each.is_item)]


def _first_access(function: Function, tensor: Value) -> Operation:
    operations = function.body.operations
    return next(op for op in operations if any(root_of(each.tensor) is tensor for each in _accesses(op)))


def copies_of(function: Function, tensors: Sequence[Value]) -> list[Operation]:
    """What copies all of a work-group's part of a tensor to that of another one, which it is the first to access.

    Nothing else accesses the tensor that is copied.
    """
    found: list[Operation] = []
    for op in function.body.operations:
        accesses = _accesses(op)
        if not isinstance(op, Foreach) or len(accesses) != 2:
            continue
        load, store = accesses
        if not isinstance(load, Load) or not isinstance(store, Store):
            continue
        source, target = root_of(load.tensor), root_of(store.tensor)
        uses = [each for each in function.walk() if isinstance(each, (Load, Store)) and root_of(each.tensor) is source]
        is_copy = all(root in tensors for root in (source, target)) and store.data is load.result and uses == [load]
        is_whole = source.type.shape[:-1] == target.type.shape[:-1] and _fills(op, load) and _fills(op, store)
        if is_copy and is_whole and source is not target and _first_access(function, target) is op:
            found.append(op)
    return found


def _fills(op: Foreach, access: Load | Store) -> bool:
    """Whether an access is to all elements of a work-group's part of a tensor, each point one."""
    if access not in op.body.operations:
        return False
    view, indices = access.tensor, list(access.indices)
    shape = view.type.shape
    if view.owner is None:
        shape, indices = shape[:-1], indices[:-1]
    bounds = [(constant_of(a), constant_of(b)) for a, b in zip(op.start, op.stop)]
    part = root_of(view).type.shape[:-1]
    return bounds == [(0, n) for n in shape] and indices == op.variables and math.prod(shape) == math.prod(part)


def _invariant(op: Foreach) -> list[Operation]:
    """What is the same along the first variable of a `foreach`, which has a point there wherever it is executed.

    No other point stores what a point loads, so that it may be loaded before them.
    """
    first, *others = zip(op.start, op.stop)
    known = [constant_of(bound) for bound in first]
    if first not in others and (None in known or known[0] >= known[1]):
        return []
    varying = {op.variables[0]}
    found: list[Operation] = []
    for inner in op.body.operations:
        if inner.regions or not (inner.pure or isinstance(inner, Load)):
            break
        if varying.isdisjoint(inner.operands):
            found.append(inner)
        else:
            varying.update(inner.results)
    return found
