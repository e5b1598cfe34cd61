"""atomic-updates: what the points of a `foreach` update atomically, where one work-item executes a work-group.

Local memory, and the part of a tensor that the work-group's number names, are accessed by that work-item alone. Its
updates are loads and stores, and its points the iterations of a loop: as lanes they would update one element at once.

    foreach (%i) = (%0), (%n) {                   for %i = %0, %n {
      %b = load %X[%i, %g]                          %b = load %X[%i, %g]
      store.atomic_add %1, %bins[%b]        →       %x = load %bins[%b]
    }                                               %y = arith.add %x, %1
                                                    store %y, %bins[%b]
                                                  }

What points add to elements that other work-groups add to as well is summed first, in any order: in local memory if
they are elements of a small tensor, and in registers if it is one element.

    foreach (%i) = (%0), (%n) {                   %s = for %i = %0, %n init(%t = %zero) {
      %x = load %X[%i, %g]                          %x = load %X[%i, %g]
      store.atomic_add %x, %E[%0]           →       %u = arith.add %t, %x
    }                                               yield (%u)
                                                  }
                                                  foreach (%j) = (%0), (%1) { store.atomic_add %s, %E[%0] }

An element to which points add under conditions alone is accessed only if its sum is not 0: it may not be there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial, reduce
from typing import Any

from ..ir.operation import Operation
from ..ir.types import MemrefType, index
from ..ir.values import Function, Region, Value
from ..ops import Alloca, ArithBinary, Builtin, Cast, Constant, For, Foreach, If, Load, Size, Store, Yield
from ..ops.atomics import (
    DEFAULT_ORDER,
    DEFAULT_SCOPE,
    AtomicAdd,
    AtomicLoad,
    AtomicMax,
    AtomicMin,
    AtomicStore,
    AtomicUpdate,
)
from ..ops.builder import Builder
from ..ops.constants import constant_of, zero_of
from ..ops.control import ANY_ORDER, terminator
from ..ops.launch_defaults import IN_PARTS
from ..ops.memory import bytes_of
from ..ops.views import root_of
from ..process.records import dataclass
from .analysis.overlap import may_share
from .analysis.uses import replace_uses
from .flat_groups import uses_grid
from .item_lanes import is_own_part
from .manager import Pass, register
from .packs import LocalMemoryBudget
from .targets.machine import DEFAULT, Machine
from .targets.strategies import STRATEGY

FEWEST_FOR_EACH = 2
"""How many points there are at least for each element of a tensor that is summed in local memory."""
_PLAIN = (Load, Store, AtomicLoad, AtomicStore, AtomicAdd, AtomicMin, AtomicMax)
"""The accesses that may become loads and stores."""


@register
@dataclass(frozen=True)
class AtomicUpdates(Pass):
    """Makes loops with loads and stores, or with sums, of each `foreach` whose atomic updates allow it."""

    name = "atomic-updates"
    machine: Machine = DEFAULT
    may_overlap: bool = False
    """Whether a launch has arrays of different parameters that overlap."""

    def run(self, function: Function) -> None:
        if function.attributes.get(STRATEGY) != "one-item" or function.attributes.get(IN_PARTS):
            return
        if any(map(_is_atomic, function.walk())):
            own = {op.result for op in function.walk() if isinstance(op, Alloca)}
            updated = {root_of(op.tensor) for op in function.walk() if _is_atomic(op)}  # type: ignore[attr-defined]
            has_items = not updated <= {*own, *function.parameters}  # of groups, which launches do not compare
            if not (self.may_overlap or has_items or uses_grid(function)):
                numbers = {op.result for op in function.walk() if isinstance(op, Builtin) and op.variant == "group_id"}
                own |= {each for each in function.parameters if is_own_part(function, each, numbers)}
            own |= self._sum_first(function)
            self._replace(function.body, own)

    def _sum_first(self, function: Function) -> set[Value]:
        """Sum what points add to one element, or to few, which then is in local memory. Returns that memory."""
        operations, own = list[Operation](), set[Value]()
        budget = LocalMemoryBudget(function, self.machine.caches.line)
        for op in function.body.operations:
            if not isinstance(op, Foreach) or not any(map(_is_atomic, op.body.walk())):
                operations.append(op)
                continue
            sums = _as_sums(op, not self.may_overlap)
            added = None if sums else _small_tensor(op, budget, not self.may_overlap)
            if added in function.parameters:
                to = Builder(op.location)
                own.add(_with_local_memory(to, op, added))
                operations += to.operations
            else:
                operations += sums or [op]
        function.body.operations = operations
        return own

    def _replace(self, region: Region, own: set[Value]) -> None:
        """Replace each `foreach` in a region whose updates are to memory of its `own`, or sums."""
        operations: list[Operation] = []
        for op in region.operations:
            if isinstance(op, Foreach) and any(map(_is_atomic, op.body.walk())):
                operations += _as_loop(op, own) or _as_sums(op, not self.may_overlap) or [op]
            else:
                operations.append(op)
                if isinstance(op, (For, If)):
                    for inner in op.regions:
                        self._replace(inner, own)
        region.operations = operations


def _is_atomic(op: Operation) -> bool:
    return isinstance(op, AtomicLoad) or (isinstance(op, Store) and op.flag != "")


def _is_relaxed(op: Load | Store) -> bool:
    return getattr(op, "order", DEFAULT_ORDER) == DEFAULT_ORDER


def _is_of_launch(op: Load | Store) -> bool:
    """Whether an access is atomic for work-groups of the launch alone, and not for other devices and the host."""
    return getattr(op, "scope", DEFAULT_SCOPE) != "cross_device"


def _small_tensor(op: Foreach, budget: LocalMemoryBudget, are_apart: bool) -> Value | None:
    """The tensor to whose elements the points of a `foreach` add, if it has fewer than these, and they do nothing else
    with it; local memory is taken for it.

    `are_apart` says that different parameters share no memory.
    """
    inside = list(op.body.walk())
    adds = [each for each in inside if isinstance(each, Store)]
    used = {value for each in inside for value in each.operands}
    if len({(each.tensor, *_kind(each)) for each in adds}) != 1 or not all(_adds_exactly(each, used) for each in adds):
        return None
    tensor = adds[0].tensor
    type_ = tensor.type
    if not isinstance(type_, MemrefType) or not type_.has_static_shape or type_.order == 0 or type_.element.is_complex:
        return None
    if any(isinstance(each, Load) and may_share(each.tensor, tensor, are_apart) for each in inside):
        return None
    if any(not isinstance(each, Store) and tensor in each.operands for each in inside):
        return None
    bounds = [(constant_of(start), constant_of(stop)) for start, stop in zip(op.start, op.stop)]
    points = math.prod(0 if None in (a, b) else max(b - a, 0) for a, b in bounds)
    if points < FEWEST_FOR_EACH * type_.count or not budget.reserve(bytes_of(type_)):
        return None
    return tensor


def _with_local_memory(to: Builder, op: Foreach, tensor: Value) -> Value:
    """Write a `foreach` with local memory in a tensor's place. What is not zero there is added to the tensor then."""
    type_ = tensor.type
    update = next(each for each in op.body.walk() if isinstance(each, Store))
    memory = to.allocate(type_.element, type_.shape, tensor.name)
    stops = [to.constant(index, extent) for extent in type_.shape]
    zero = to.constant(type_.element, zero_of(type_.element))
    to.foreach(stops, lambda inner, at: inner.store(zero, memory, at))
    for each in op.body.walk():
        each.replace_operands(lambda value: memory if value is tensor else value)
    to.add(op)

    def add(inner: Builder, at: list[Value]) -> None:
        _add_nonzero(inner, update, inner.load(memory, at), tensor, at)

    to.foreach(stops, add)
    return memory


def _kind(op: Store) -> tuple[object, ...]:
    """What kind of atomic addition a store is."""
    return type(op), getattr(op, "scope", DEFAULT_SCOPE)


def _add(to: Builder, update: Store, data: Value, tensor: Value, indices: Sequence[Value]) -> None:
    """Write an atomic addition of the kind of another one."""
    if isinstance(update, AtomicAdd):
        to.add(AtomicAdd(to.location, scope=update.scope, data=data, tensor=tensor, indices=list(indices)))
    else:
        to.store(data, tensor, indices, update.flag)


def _add_nonzero(to: Builder, update: Store, data: Value, tensor: Value, indices: Sequence[Value]) -> None:
    """Write an atomic addition to an element that is there only if something was added."""

    def nonzero(then: Builder) -> Sequence[Value]:
        _add(then, update, data, tensor, indices)
        return ()

    to.branch(to.compare("ne", data, to.constant(data.type, zero_of(data.type))), [], nonzero)


def _adds_exactly(op: Store, used: set[Value]) -> bool:
    """Whether a store adds to an element that is as exact as sums of what is added, in any order, and gives nothing
    that is used.
    """
    if op.flag != "atomic_add" or not _is_relaxed(op):
        return False
    element = op.tensor.type.element
    is_exact = element.is_integer or element.component.size > 2
    return is_exact and used.isdisjoint(op.results)


def _as_loop(op: Foreach, own: set[Value]) -> list[Operation] | None:
    """A `foreach` as a loop with loads and stores; None where other work-items may access what it updates."""
    inside = list(op.body.walk())
    updates = [each for each in inside if _is_atomic(each)]
    if not all(_is_plain(each, own) for each in updates) or any(
        each.differs and each not in updates for each in inside
    ):
        return None
    _make_plain(op.body)
    return [_loops(op, op.body.operations)]


def _is_plain(op: Operation, own: set[Value]) -> bool:
    if not isinstance(op, _PLAIN) or not _is_relaxed(op) or root_of(op.tensor) not in own:
        return False
    return isinstance(root_of(op.tensor).owner, Alloca) or _is_of_launch(op)


def _make_plain(region: Region) -> None:
    """Make loads and stores of what updates elements atomically."""
    operations: list[Operation] = []
    for op in region.operations:
        for inner in op.regions:
            _make_plain(inner)
        operations += _plain(op, region) if _is_atomic(op) else [op]
    region.operations = operations


def _plain(op: Operation, region: Region) -> list[Operation]:
    assert isinstance(op, _PLAIN)
    to = Builder(op.location)
    if isinstance(op, AtomicLoad):
        replace_uses(region, {op.result: to.load(op.tensor, op.indices)})
        return to.operations
    assert isinstance(op, Store)
    value = op.data
    if op.flag != "atomic":
        before = to.load(op.tensor, op.indices)
        value = to.arith(op.combines if isinstance(op, AtomicUpdate) else "add", before, op.data)
        if isinstance(op, AtomicUpdate):
            replace_uses(region, {op.result: before})
    to.store(value, op.tensor, op.indices)
    return to.operations


def _loops(
    op: Foreach,
    operations: Sequence[Operation],
    begin: Sequence[Value] = (),
    end: Sequence[Value] = (),
    inits: Sequence[Value] = (),
) -> For:
    """Loops over the points of a `foreach`, the first variable innermost.

    They carry numbers from `inits` on, with which the operations begin, and what these are at their end.
    """
    inner, first, last = list(operations), list(begin), list(end)
    types = [each.type for each in begin]
    attributes = {ANY_ORDER: True} if begin else {}
    modes = list(zip(op.variables, op.start, op.stop))
    for number, (variable, start, stop) in enumerate(modes):
        if begin:
            inner.append(Yield(op.location, yielded=last))
        outer = list(inits) if number == len(modes) - 1 else [Value(type_, None, op.location) for type_ in types]
        body = Region("mixed", [variable, *first], inner, op.location)
        loop = For(op.location, types, start=start, stop=stop, inits=outer, body=body, attributes=dict(attributes))
        inner, first, last = [loop], outer, list(loop.results)
    return loop


def _as_sums(op: Foreach, are_apart: bool) -> list[Operation] | None:
    """A `foreach` as a loop that sums up what its points add; None where they do anything else."""
    known = [(constant_of(start), constant_of(stop)) for start, stop in zip(op.start, op.stop)]
    is_known = not any(None in pair for pair in known)
    if is_known and math.prod(max(stop - start, 0) for start, stop in known) < 2:
        return None
    invariant = _invariant(op)
    outside = set(invariant)
    inside = [each for each in op.body.walk() if each not in outside]
    made = {value for each in inside for value in each.results}
    made |= {value for region in (op.body, *(r for each in inside for r in each.regions)) for value in region.arguments}
    used = {value for each in inside for value in each.operands}
    adds = [each for each in inside if isinstance(each, Store)]
    if not all(_adds_exactly(each, used) and made.isdisjoint(_place(each)) for each in adds):
        return None
    loaded, added = ({each.tensor for each in inside if isinstance(each, kind)} for kind in (Load, Store))
    if any(may_share(one, other, are_apart) for one in loaded for other in added):
        return None
    if any(each.differs and not isinstance(each, Store) for each in inside):
        return None
    to = Builder(op.location)
    updates = {_place(each): each for each in adds}
    always = {_place(each) for each in op.body.operations if isinstance(each, Store)}
    places = list(updates)
    if len({(*_place(each), *_kind(each)) for each in adds}) > len(places):
        return None
    sums = _Sums(places)
    begin = sums.new(op)
    own = [each for each in op.body.operations if each not in outside]
    operations, after = sums.written(own, begin)
    inits = [to.constant(each.type, zero_of(each.type)) for each in begin]
    loop = _loops(op, operations, begin, after, inits)
    replace_uses(Region("mixed", operations=[loop]), sums.replaced)
    for each in (*invariant, loop):
        to.add(each)

    def add(at: Builder) -> Sequence[Value]:
        def all_sums(inner: Builder, _: Sequence[Value]) -> None:
            for place, total in zip(places, loop.results):
                tensor, *indices = place
                at = [to.constant(index, each) if isinstance(each, int) else each for each in indices]
                write = _add if place in always else _add_nonzero
                write(inner, updates[place], total, tensor, at)

        at.foreach([], all_sums)
        return ()

    if is_known:
        add(to)
    else:  # without points, the element may not be there
        there = [to.compare("lt", start, stop) for start, stop in zip(op.start, op.stop)]
        to.branch(reduce(partial(to.arith, "and"), there), [], add)
    return to.operations


def _invariant(op: Foreach) -> list[Operation]:
    """Sums and products that are the same for all points, as of indices."""
    varying, found = set(op.body.arguments), list[Operation]()
    for each in op.body.operations:
        is_cheap = isinstance(each, (Cast, Constant, Size))
        is_cheap |= isinstance(each, ArithBinary) and each.variant in ("add", "sub", "mul")
        if is_cheap and varying.isdisjoint(each.operands):
            found.append(each)
        else:
            varying.update(each.results)
    return found


_Place = tuple[Any, ...]
"""A tensor, and the indices of an element, which are numbers where they are known."""


def _place(op: Store) -> _Place:
    known = map(constant_of, op.indices)
    return op.tensor, *(value if number is None else number for value, number in zip(op.indices, known))


class _Sums:
    """Operations that carry sums in the place of stores that add."""

    def __init__(self, places: Sequence[_Place]) -> None:
        self.places = {place: number for number, place in enumerate(places)}
        self.replaced: dict[Value, Value] = {}
        """The results of branches and loops that now carry sums, too."""

    def new(self, op: Operation) -> list[Value]:
        return [Value(place[0].type.element, None, op.location) for place in self.places]

    def written(self, operations: Sequence[Operation], begin: Sequence[Value]) -> tuple[list[Operation], list[Value]]:
        """The operations without those stores, and what the sums are behind them that begin with some values."""
        sums, found = list(begin), list[Operation]()
        for op in operations:
            if isinstance(op, Store):
                number = self.places[_place(op)]
                to = Builder(op.location)
                sums[number] = to.arith("add", sums[number], op.data)
                found += to.operations
            elif isinstance(op, (For, If)) and any(
                isinstance(inner, Store) for each in op.regions for inner in each.walk()
            ):
                made = self._branch(op, sums) if isinstance(op, If) else self._loop(op, sums)
                own = len(op.results)
                self.replaced.update(zip(op.results, made.results))
                sums = list(made.results[own:])
                found.append(made)
            else:
                found.append(op)
        return found, sums

    def _branch(self, op: If, sums: Sequence[Value]) -> If:
        parts = [self._region(part or Region("mixed"), [], sums, op) for part in (op.then_body, op.else_body)]
        results = [*op.results, *sums]
        types, names = [each.type for each in results], [each.name for each in op.results] + [None] * len(sums)
        return If(op.location, types, names, condition=op.condition, then_body=parts[0], else_body=parts[1])

    def _loop(self, op: For, sums: Sequence[Value]) -> For:
        inner = self.new(op)
        body = self._region(op.body, [*op.body.arguments, *inner], inner, op)
        results = [*op.results, *sums]
        types, names = [each.type for each in results], [each.name for each in op.results] + [None] * len(sums)
        bounds = {"start": op.start, "stop": op.stop, "step": op.step}
        attributes = {**op.attributes, **({} if op.results else {ANY_ORDER: True})}
        return For(op.location, types, names, **bounds, inits=[*op.inits, *sums], body=body, attributes=attributes)

    def _region(self, region: Region, arguments: list[Value], sums: Sequence[Value], op: Operation) -> Region:
        last = terminator(region)
        operations = [each for each in region.operations if each is not last]
        written, after = self.written(operations, sums)
        end = Yield(op.location, yielded=[*(last.yielded if last else ()), *after])
        return Region("mixed", arguments, [*written, end], region.location)
