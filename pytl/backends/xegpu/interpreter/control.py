"""The dialects scf, func and affine: what is executed how often, and by which work-items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from ....frontends.mlir.branches import BRANCHES
from ....mlir.affine import AffineMap, IntegerSet
from ....mlir.affine import evaluate as value_of
from ....mlir.text import Block, Operation
from . import rules, spelled
from .machine import SubGroup, Wait, WorkGroup, controls, run_alone
from .machine import executes as _of
from .memory import BITS
from .printing import EXTERNALS
from .values import MemrefValue, Value

_MAX_CALLS = 100


def _rest(self: SubGroup, op: Operation, carried: list[Value], count: int) -> None:
    if len(carried) != count:
        self.unknown(op, f"{op.name} carries {count} values, and {len(carried)} are given")


@controls("scf.for")
def _for(self: SubGroup, op: Operation) -> Iterator[Wait]:
    block = self.only_block(op)
    names = [name for name, _ in block.arguments]
    operands = self.operands(op)
    if len(operands) != len(names) + 2:
        self.unknown(op, f"{op.name} has {len(operands)} operands and {len(names)} arguments")
    if self.is_host and self.lanes == 1 and independent(self, op, block):
        _at_once(self, op, block, *(int(each[0]) for each in operands[:3]))
        return
    yield from _counted(self, op, block, operands[0], operands[1], operands[2], operands[3:])


def _counted(
    self: SubGroup, op: Operation, block: Block, first: Any, last: Any, step: Any, carried: list[Value]
) -> Iterator[Wait]:
    """A loop whose iterations are counted, with what it carries from one to the next."""
    names = [name for name, _ in block.arguments]
    before, at = self.mask, first
    if (step[before] <= 0).any():
        self.fail(op, rules.DEFINED, f"{op.name} has a step that is not positive")
    try:
        while (active := before & (at < last)).any():
            self.mask = active
            self.values.update(zip(names, (at, *carried)))
            yield from self.block(block)
            given = self.ended(block)
            _rest(self, op, given, len(carried))
            carried = self.merged(active, given, carried)
            at = at + step
    finally:
        self.mask = before
    self.values.update(zip(op.results, carried))


# Loops of the host whose iterations have nothing to do with each other are executed at once.

_AT_ONCE = 1 << 14
_PLAIN = ("arith", "math", "index")


def independent(self: SubGroup, op: Operation, block: Block) -> bool:
    """Whether iterations of a loop write elements of their own, which no other iteration reads.

    They do where the loop's variable is the same index of each access to what is written, and no two memrefs of the
    body are of one array.
    """
    known = self.execution.independent.get(id(op))
    if known is None:
        known = self.execution.independent[id(op)] = _accesses(block)
    if not known:
        return False
    arrays = [self.values.get(name) for name in known]
    if not all(isinstance(each, MemrefValue) for each in arrays):
        return False
    buffers = [int(each.address[0]) >> BITS for each in arrays if isinstance(each, MemrefValue)]
    return len(set(buffers)) == len(buffers)


def _accesses(block: Block) -> tuple[str, ...]:
    """The memrefs of a body whose iterations are independent of each other; none of another one."""
    if len(block.arguments) != 1:
        return ()
    variable = block.arguments[0][0]
    places: dict[str, set[int]] = {}
    written: set[str] = set()
    made: set[str] = set()
    for op in (inner for each in block.operations for inner in each.walk()):
        made.update(op.results)
        if op.name in ("memref.load", "memref.store"):
            at = 1 if op.name == "memref.store" else 0
            name = op.operands[at]
            here = {place for place, index in enumerate(op.operands[at + 1 :]) if index == variable}
            places[name] = places.get(name, here) & here
            written |= {name} if at else set()
        elif op.name not in ("scf.for", "scf.if", "scf.yield") and op.name.partition(".")[0] not in _PLAIN:
            return ()
    if not written or made & set(places) or any(not places[name] for name in written):
        return ()
    return tuple(places)


def _at_once(self: SubGroup, op: Operation, block: Block, first: int, last: int, step: int) -> None:
    if step <= 0:
        self.fail(op, rules.DEFINED, f"{op.name} has a step that is not positive")
    for begin in range(first, last, step * _AT_ONCE):
        numbers = np.arange(begin, min(last, begin + step * _AT_ONCE), step)
        lanes = len(numbers)
        group = WorkGroup((0, 0, 0), (1, 1, 1), (lanes, 1, 1), lanes)
        inner = SubGroup(self.execution, group, 0, lanes, self.module, is_host=True)
        inner.values = {name: spread(value, lanes) for name, value in self.values.items() if isinstance(name, str)}
        inner.values[block.arguments[0][0]] = numbers
        run_alone(inner.block(block), inner)


@controls("scf.if")
def _if(self: SubGroup, op: Operation) -> Iterator[Wait]:
    (condition,) = self.operands(op)
    yield from _by(self, op, (condition, ~condition))


def _by(self: SubGroup, op: Operation, conditions: Sequence[np.ndarray]) -> Iterator[Wait]:
    """The regions of an operation, each by the work-items that it is for."""
    before = self.mask
    results: list[Value] | None = None
    try:
        for number, condition in zip(range(len(op.regions)), conditions):
            active = before & condition
            if not op.regions[number].blocks or not active.any():
                continue
            self.mask, block = active, self.only_block(op, number)
            yield from self.block(block)
            new = self.ended(block)
            results = new if results is None else self.merged(active, new, results)
    finally:
        self.mask = before
    _rest(self, op, results or [], len(op.results))
    self.values.update(zip(op.results, results or ()))


@controls("scf.while")
def _while(self: SubGroup, op: Operation) -> Iterator[Wait]:
    head, body = (self.only_block(op, number) for number in range(2))
    carried = self.operands(op)
    # of blocks that branch, what the head computes is used behind the loop
    seen = [name for each in head.operations for name in each.results] if BRANCHES in op.attributes else []
    before = active = self.mask
    passed: list[Value] | None = None
    try:
        while True:
            self.mask = active
            old = {name: self.values[name] for name in seen if name in self.values}
            self.values.update(zip((name for name, _ in head.arguments), carried))
            yield from self.block(head)
            if passed is not None:
                for name, value in old.items():
                    (self.values[name],) = self.merged(active, [self.values[name]], [value])
            condition, *yielded = self.ended(head)
            passed = yielded if passed is None else self.merged(active, yielded, passed)
            active = active & condition
            if not active.any():
                break
            self.mask = active
            self.values.update(zip((name for name, _ in body.arguments), passed))
            yield from self.block(body)
            given = self.ended(body)
            _rest(self, op, given, len(carried))
            carried = self.merged(active, given, carried)
    finally:
        self.mask = before
    _rest(self, op, passed or [], len(op.results))
    self.values.update(zip(op.results, passed or ()))


def _points(self: SubGroup, op: Operation, firsts: Any, lasts: Any, steps: Any) -> Iterator[tuple[np.ndarray, ...]]:
    """The points of loops within each other, whose bounds are the same for all work-items."""
    bounds = [
        range(*(self.uniform(op, np.broadcast_to(each, self.lanes), "a bound") for each in bound))
        for bound in zip(firsts, lasts, steps)
    ]
    for point in product(*bounds):
        yield tuple(np.full(self.lanes, at) for at in point)


@controls("scf.parallel")
def _parallel(self: SubGroup, op: Operation) -> Iterator[Wait]:
    """Iterations in their order, and what `scf.reduce` makes of what they give."""
    block = self.only_block(op)
    firsts, lasts, steps, carried = spelled.segments(op, self.operands(op), 4)
    if any((step <= 0).any() for step in steps):
        self.fail(op, rules.DEFINED, f"{op.name} has a step that is not positive")
    names = [name for name, _ in block.arguments]
    for point in _points(self, op, firsts, lasts, steps):
        self.values.update(zip(names, point))
        yield from self.block(block)
        last = block.operations[-1] if block.operations else None
        if last is None or last.name != "scf.reduce":
            continue
        for number, value in enumerate(self.operands(last)):
            inner = self.only_block(last, number)
            self.values.update(zip((name for name, _ in inner.arguments), (carried[number], value)))
            yield from self.block(inner)
            (carried[number],) = self.ended(inner)
    _rest(self, op, carried, len(op.results))
    self.values.update(zip(op.results, carried))


@_of("scf.reduce")
def _reduce(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """Done by the loop that it ends."""


@controls("scf.forall")
def _forall(self: SubGroup, op: Operation) -> Iterator[Wait]:
    block = self.only_block(op)
    rest = self.operands(op)
    lists = []
    for name in ("LowerBound", "UpperBound", "Step"):
        numbers = op.attributes.get(f"static{name}", ())
        lists.append(numbers)
    counts = [sum(number == spelled.DYNAMIC for number in numbers) for numbers in lists]
    bounds = []
    for numbers, count in zip(lists, counts):
        bounds.append(spelled.mixed(numbers, rest[:count]))
        del rest[:count]
    if rest or op.results:
        self.unknown(op, f"{op.name} of tensors is not known here")
    for point in _points(self, op, *bounds):
        self.values.update(zip((name for name, _ in block.arguments), point))
        yield from self.block(block)


@controls("scf.index_switch")
def _switch(self: SubGroup, op: Operation) -> Iterator[Wait]:
    (chosen,) = self.operands(op)
    cases = list(op.attributes.get("cases", ()))
    holds = [chosen == case for case in cases]
    yield from _by(self, op, [~np.any(holds, 0) if holds else np.ones(self.lanes, np.bool_), *holds])


@controls("scf.execute_region")
def _region(self: SubGroup, op: Operation) -> Iterator[Wait]:
    yield from _in_place(self, op, 0)


@controls("memref.alloca_scope")
def _scope(self: SubGroup, op: Operation) -> Iterator[Wait]:
    yield from _in_place(self, op, 0)


def _in_place(self: SubGroup, op: Operation, number: int) -> Iterator[Wait]:
    """A region that is executed once, and what it gives."""
    block = self.only_block(op, number)
    yield from self.block(block)
    results = self.ended(block)
    _rest(self, op, results, len(op.results))
    self.values.update(zip(op.results, results))


# func.


@controls("func.call")
def _call(self: SubGroup, op: Operation) -> Iterator[Wait]:
    yield from _called(self, op, op.callee, self.operands(op))


@controls("func.call_indirect")
def _call_indirect(self: SubGroup, op: Operation) -> Iterator[Wait]:
    name, *operands = self.operands(op)
    if not isinstance(name, str):
        self.unknown(op)
    yield from _called(self, op, name, operands)


def _called(self: SubGroup, op: Operation, name: str, operands: list[Any]) -> Iterator[Wait]:
    functions = self.execution.functions
    function = functions.get(f"{self.module}::{name}") if self.module else None
    function = function or functions.get(name)
    if function is None or not function.regions or not function.regions[0].blocks:
        external = EXTERNALS.get(name)
        if external is None:
            known = ", ".join(sorted(EXTERNALS))
            help = f"those that are known here are {known}"
            self.fail(op, rules.KNOWN, f"@{name} is not defined in the text, and is no function that is known", help)
        results = external(self, op, operands)
    else:
        if self.depth >= _MAX_CALLS:
            self.fail(op, rules.KNOWN, f"calls are nested more than {_MAX_CALLS} deep")
        launched = self.execution.launched if self.is_host else None
        if launched is not None and launched(self, op, name, operands):
            results = []
        else:
            results = yield from self.called(op, function, operands)
    given = list(results or ())
    _rest(self, op, given, len(op.results))
    self.values.update(zip(op.results, given))


@_of("func.constant")
def _constant(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """A function as a value is its name."""
    return [str(op.attributes["value"]).removeprefix("@")]


# affine.


def _mapped(self: SubGroup, map_: Any, operands: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The values of a map's results."""
    if not isinstance(map_, (AffineMap, IntegerSet)):
        raise TypeError("an affine map is wanted")
    count = len(map_.dimensions)
    results = map_.results if isinstance(map_, AffineMap) else [each.expression for each in map_.constraints]
    columns = [np.broadcast_to(operand, self.lanes) for operand in operands]
    if len(columns) != count + len(map_.symbols):
        raise ValueError("a map has other operands than dimensions and symbols")
    rows = [
        [
            value_of(each, [int(c[lane]) for c in columns[:count]], [int(c[lane]) for c in columns[count:]])
            for each in results
        ]
        for lane in range(self.lanes)
    ]
    return [np.array(column, np.int64) for column in zip(*rows)] if results else []


@_of("affine.apply")
def _apply(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return _mapped(self, op.attributes["map"], operands)[0]


@_of("affine.min")
def _min(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return np.min(_mapped(self, op.attributes["map"], operands), 0)


@_of("affine.max")
def _max(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return np.max(_mapped(self, op.attributes["map"], operands), 0)


@_of("affine.delinearize_index")
def _delinearized(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    """An index as one in each dimension of a shape, the last one counted first."""
    number, *rest = operands
    basis, found = spelled.mixed(spelled.sizes(op, "basis"), rest), list[Any]()
    for size in reversed(basis[len(basis) + 1 - len(op.results) :]):
        found.insert(0, number % size)
        number = number // size
    return [number, *found]


@_of("affine.linearize_index")
def _linearized(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    indices, rest = spelled.segments(op, operands, 2)
    basis = spelled.mixed(spelled.sizes(op, "basis"), rest)
    number = indices[0] if indices else np.zeros(self.lanes, np.int64)
    for index, size in zip(indices[1:], basis[len(basis) + 1 - len(indices) :]):
        number = number * size + index
    return number


@controls("affine.for")
def _affine_for(self: SubGroup, op: Operation) -> Iterator[Wait]:
    lower, upper, carried = spelled.segments(op, self.operands(op), 3)
    first = np.max(_mapped(self, op.attributes["lowerBoundMap"], lower), 0)
    last = np.min(_mapped(self, op.attributes["upperBoundMap"], upper), 0)
    step = np.full(self.lanes, int(op.attributes.get("step", 1)))
    yield from _counted(self, op, self.only_block(op), first, last, step, carried)


@controls("affine.if")
def _affine_if(self: SubGroup, op: Operation) -> Iterator[Wait]:
    set_ = op.attributes["condition"]
    holds = np.ones(self.lanes, np.bool_)
    for constraint, value in zip(set_.constraints, _mapped(self, set_, self.operands(op))):
        holds &= (value == 0) if constraint.is_equality else (value >= 0)
    yield from _by(self, op, (holds, ~holds))


def _affine_indices(self: SubGroup, op: Operation, operands: list[Any], position: int) -> list[np.ndarray]:
    map_ = op.attributes.get("map")
    return _mapped(self, map_, operands[position:]) if map_ is not None else operands[position:]


@_of("affine.load")
def _affine_load(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    return SubGroup.handlers["memref.load"](self, op, [operands[0], *_affine_indices(self, op, operands, 1)])


@_of("affine.store")
def _affine_store(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    indices = _affine_indices(self, op, operands, 2)
    return SubGroup.handlers["memref.store"](self, op, [*operands[:2], *indices])


@_of("cf.assert")
def _assert(self: SubGroup, op: Operation, operands: list[Any]) -> Any:
    if not operands[0][self.mask].all():
        self.fail(op, rules.DEFINED, f"cf.assert: {op.attributes.get('msg', 'it does not hold')}")


def spread(value: Value, lanes: int) -> Value:
    """A value of the host as all work-items of a sub-group have it."""
    if isinstance(value, np.ndarray):
        return np.broadcast_to(value[:1], (lanes, *value.shape[1:]))
    if isinstance(value, MemrefValue):
        return value.each(lambda numbers: np.broadcast_to(numbers[:1], (lanes,)))
    return value
