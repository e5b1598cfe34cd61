"""What matrices of a sub-group hold: rectangles of memrefs, and sums of products of such rectangles.

A `for` that carries a sum is a sum over its steps, and a matrix that is loaded in one step for the next is where it was
loaded from.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, MemrefType, index
from ..ir.values import Region, Value
from ..ops import (
    Alloca,
    Cast,
    Constant,
    Convert,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixLoad,
    CooperativeMatrixMulAdd,
    CooperativeMatrixStore,
    For,
    LoadPadded,
    Parallel,
    SubgroupBuiltin,
    Subview,
    Yield,
)
from ..ops.constants import is_constant
from ..ops.coopmatrix import CHECKED_SIDES
from ..ops.updates import TRANSPOSES
from ..ops.views import root_of
from ..process.records import dataclass
from .analysis.linear import Linear, linear_of
from .tile_terms import Loop, Product, Rectangle, Steps, Term, Terms, appended, longer_term, symbols, wider


class NotLegal(Exception):
    """A region is not raised: it does more than to load, multiply and store, or is not known well enough."""


@dataclass(frozen=True)
class Loaded:
    """A matrix that was loaded, how many stores came before it, and in which loop."""

    rectangle: Rectangle
    stores: int
    nest: For | None


@dataclass(frozen=True)
class Sum:
    """A matrix to which products are added; `init` is what it was, None for zero, or what a loop carries."""

    init: Loaded | Value | None
    terms: Terms = ()


@dataclass
class Nest:
    """A `for` around products."""

    steps: Steps
    items: list[Item]


Item = Operation | Product | Nest


class Recognizer:
    """What a parallel region does, as products on memory."""

    def __init__(self, op: Parallel, subgroups: int) -> None:
        self.body = op.body
        self._subgroups = subgroups
        variable = Value(index, "subgroup", op.location)
        self._each = For(op.location, [], body=Region("mixed", [variable], location=op.location))
        """The loop over the sub-groups, each of which executes the region."""
        inner = list(op.body.walk())
        self._inside = {value for each in inner for value in each.results}
        """Values that the collective code does not have: what matrices and loops that carry values give."""
        self._inside.update(value for each in inner for region in each.regions for value in region.arguments)
        self._linear: dict[Value, Linear] = {}
        self._matrices: dict[Value, Loaded | Sum] = {}
        self._stored: list[Rectangle] = []
        self._nest: For | None = None
        self._steps_of_sums: set[Value] = set()
        """The variables of loops that become parts of sums."""
        if not _is_apart(inner) or not any(isinstance(each, CooperativeMatrixMulAdd) for each in inner):
            raise NotLegal

    def items(self) -> list[Item]:
        if self._subgroups == 1:
            return self._region(self.body.operations, True)
        # the sub-groups that do not know their number all do the same, which only one may add
        is_known = any(_is_number(op) for op in self.body.walk())
        self._nest = self._each if is_known else None
        items = self._region(self.body.operations, True)
        if not is_known:
            if any(isinstance(item, Nest) or (isinstance(item, Product) and not item.is_sum_new) for item in items):
                raise NotLegal
            return items
        return [Nest(Steps(self._each, Linear(), Linear(self._subgroups), 1, self._subgroups), items)]

    def _linear_of(self, value: Value) -> Linear:
        form = linear_of(value, self._linear)
        if any(each in self._inside for each, _ in form.terms):
            raise NotLegal
        return form

    # Regions.

    def _region(self, operations: Sequence[Operation], is_kept: bool) -> list[Item]:
        """The items of a region; of one that becomes part of a sum, what is the same in each step."""
        items: list[Item] = []
        for op in operations:
            if isinstance(op, For):
                carries = any(isinstance(value.type, CoopMatrixType) for value in op.results)
                if carries or not is_kept:
                    items += self._sum(op)
                else:
                    items += self._loop(op)
            elif isinstance(op, CooperativeMatrixStore):
                items.append(self._store(op))
            elif self._matrix(op):
                pass
            elif _is_number(op):
                if not is_kept:
                    raise NotLegal
                number = Cast(op.location, [op.results[0].type], operand=self._each.variable)
                number.results = op.results
                items.append(number)
                self._inside.difference_update(op.results)
            elif op.kind == "spmd" or op.regions or not (op.pure or isinstance(op, Yield)):
                raise NotLegal
            elif op.pure and not (self._inside | self._steps_of_sums).intersection(op.operands):
                items.append(op)
                self._inside.difference_update(op.results)
        return items

    def _loop(self, op: For) -> list[Item]:
        """A `for` around products, or the one product that it makes."""
        steps = self._steps(op)
        self._carried(steps)
        self._inside.discard(op.variable)
        outer, self._nest = self._nest, op
        items = self._region(op.body.operations, True)
        self._nest = outer
        products = [item for item in items if isinstance(item, (Product, Nest))]
        if not products or steps.trips == 0:
            return []
        if len(products) == 1 and isinstance(products[0], Product) and steps.trips is not None:
            whole = wider(products[0], steps)
            same, differing = _invariant([item for item in items if isinstance(item, Operation)], op.variable)
            if whole is not None and not differing.intersection(symbols(whole)):
                return [*same, whole]
        return [Nest(steps, items)]

    def _steps(self, op: For) -> Steps:
        step = Linear(1) if op.step is None else linear_of(op.step, self._linear)
        if op.variable.type != index or not step.is_constant or step.constant < 1:
            raise NotLegal
        first, stop = self._linear_of(op.start), self._linear_of(op.stop)
        length = stop.plus(first, -1)
        trips = max(-(-length.constant // step.constant), 0) if length.is_constant else None
        return Steps(op, first, stop, step.constant, trips)

    def _carried(self, steps: Steps) -> None:
        """The linear forms of the indices that a loop carries, each of which grows by a constant."""
        op = steps.op
        for value, init, following, result in zip(op.carried, op.inits, op.yielded, op.results):
            if isinstance(value.type, CoopMatrixType):
                continue
            grows = linear_of(following, self._linear).plus(Linear.of(value), -1)
            if value.type != index or not grows.is_constant or grows.constant % steps.step:
                raise NotLegal
            begin = linear_of(init, self._linear)
            done = Linear.of(op.variable).plus(steps.first, -1)
            self._linear[value] = begin.plus(done, grows.constant // steps.step)
            if steps.trips is not None:
                self._linear[result] = begin.plus(Linear(grows.constant * steps.trips))

    # Matrices.

    def _matrix(self, op: Operation) -> bool:
        if isinstance(op, LoadPadded):
            raise NotLegal
        if isinstance(op, CooperativeMatrixAtomicLoad):
            raise NotLegal
        if isinstance(op, CooperativeMatrixLoad):
            rectangle = self._rectangle(op, op.result.type, op.transpose)
            self._matrices[op.result] = Loaded(rectangle, len(self._stored), self._nest)
        elif isinstance(op, Constant) and isinstance(op.result.type, CoopMatrixType):
            if is_constant(op.result, 0):
                self._matrices[op.result] = Sum(None)
        elif isinstance(op, Convert):
            self._matrices[op.result] = self._known(op.operand)
        elif isinstance(op, CooperativeMatrixMulAdd):
            a, b, c = (self._known(value) for value in (op.A, op.B, op.C))
            if not (isinstance(a, Loaded) and isinstance(b, Loaded)) or op.C.type != op.result.type:
                raise NotLegal
            total = _sum_of(c)
            terms = appended(total.terms, Term(a.rectangle, b.rectangle), op.C.type.component)
            self._matrices[op.result] = replace(total, terms=terms)
        else:
            return False
        return True

    def _known(self, value: Value) -> Loaded | Sum:
        if value not in self._matrices:
            raise NotLegal
        return self._matrices[value]

    def _rectangle(self, op: Any, type_: CoopMatrixType, transpose: str) -> Rectangle:
        if op.M in self._inside:
            raise NotLegal
        sides = CHECKED_SIDES[op.checked]
        shape, checked = type_.shape, ("rows" in sides, "cols" in sides)
        if TRANSPOSES[transpose]:
            shape, checked = shape[::-1], checked[::-1]
        row, column = self._linear_of(op.x), self._linear_of(op.y)
        return Rectangle(op.M, self._view(op.M), row, column, shape, "t" if TRANSPOSES[transpose] else "n", checked)

    def _view(self, memref: Value) -> Hashable:
        """A key that is equal for equal views."""
        owner = memref.owner
        if not isinstance(owner, Subview):
            return memref
        slices = [
            tuple(linear_of(b, self._linear) if isinstance(b, Value) else Linear(b) for b in piece.bounds)
            for piece in owner.slices
        ]
        return (self._view(owner.tensor), *slices)

    def _store(self, op: CooperativeMatrixStore) -> Product:
        total, target = self._known(op.A), self._rectangle(op, op.A.type, op.transpose)
        if not isinstance(total, Sum) or not total.terms or op.flag or op.A.type.component.is_complex:
            raise NotLegal  # times one, infinities of complex numbers become nans
        if target.M.type.strides[0] != 1:
            raise NotLegal
        if isinstance(total.init, Loaded):
            since = self._stored[total.init.stores :]
            is_written = any(_may_meet(each, target) for each in since)
            if is_written or total.init.nest is not self._nest or not total.init.rectangle.is_same(target):
                raise NotLegal
        elif total.init is not None:
            raise NotLegal
        self._stored.append(target)
        return Product(target, total.init is None, total.terms, op.location)

    # Loops that carry sums.

    def _sum(self, op: For) -> list[Item]:
        steps = self._steps(op)
        self._steps_of_sums.add(op.variable)
        self._carried(steps)
        self._inside.discard(op.variable)
        carried = list(zip(op.carried, op.inits, op.yielded, op.results))
        matrices = [each for each in carried if isinstance(each[0].type, CoopMatrixType)]
        loaded_ahead = [each for each in matrices if _is_loaded_ahead(each[2], op)]
        self._loaded_ahead(loaded_ahead, steps)
        sums = [each for each in matrices if each not in loaded_ahead]
        for value, *_ in sums:
            self._matrices[value] = Sum(value)
        same = self._region(op.body.operations, False)
        if not all(isinstance(item, Operation) for item in same):
            raise NotLegal
        for value, init, following, result in sums:
            total, before = self._known(following), _sum_of(self._known(init))
            if not isinstance(total, Sum) or total.init is not value:
                raise NotLegal
            element = value.type.component
            terms = appended(before.terms, longer_term(Loop(steps, total.terms), element), element)
            self._matrices[result] = replace(before, terms=terms)
        return same

    def _loaded_ahead(self, matrices: Sequence[tuple[Value, Value, Value, Value]], steps: Steps) -> None:
        """Matrices that each step loads for the next one: each is where the step before loaded from."""
        waiting = list(matrices)
        while waiting:
            each = next(each for each in waiting if each[2] in self._matrices or _is_load(each[2]))
            value, init, following, result = each
            waiting.remove(each)
            if following not in self._matrices:
                assert following.owner is not None
                self._matrix(following.owner)
            begin, loaded = self._known(init), self._known(following)
            if not (isinstance(begin, Loaded) and isinstance(loaded, Loaded)):
                raise NotLegal
            rectangle = loaded.rectangle.at(steps.variable, steps.before)
            if not rectangle.at(steps.variable, steps.first).is_same(begin.rectangle):
                raise NotLegal
            checked = (
                begin.rectangle.checked[0] or rectangle.checked[0],
                begin.rectangle.checked[1] or rectangle.checked[1],
            )
            self._matrices[value] = replace(loaded, rectangle=replace(rectangle, checked=checked))
            if steps.trips:
                self._matrices[result] = replace(loaded, rectangle=loaded.rectangle.at(steps.variable, steps.last))


def _is_number(op: Operation) -> bool:
    """Whether an instruction gives the number of the sub-group."""
    return isinstance(op, SubgroupBuiltin) and op.variant == "subgroup_id"


def _invariant(operations: Sequence[Operation], variable: Value) -> tuple[list[Operation], set[Value]]:
    """The instructions that do not depend on a variable, and the results of those that do."""
    differing = {variable}
    for op in operations:
        if differing.intersection(op.operands):
            differing.update(op.results)
    return [op for op in operations if not differing.intersection(op.results)], differing


def _sum_of(matrix: Loaded | Sum) -> Sum:
    return Sum(matrix) if isinstance(matrix, Loaded) else matrix


def _is_loaded_ahead(value: Value, op: For) -> bool:
    """Whether a loop yields a matrix that it loads, or that it has loaded in a step before."""
    seen: set[Value] = set()
    while value in op.carried and value not in seen:
        seen.add(value)
        value = op.yielded[op.carried.index(value)]
    return _is_load(value)


def _is_load(value: Value) -> bool:
    return isinstance(value.owner, CooperativeMatrixLoad)


def _may_meet(a: Rectangle, b: Rectangle) -> bool:
    return root_of(a.M) is root_of(b.M) and not (a.view == b.view and a.is_apart(b))


def _is_apart(operations: Sequence[Operation]) -> bool:
    """Whether factors are in other memory than sums, each a parameter's or an alloca."""
    sums: set[Value] = set()
    others: set[Value] = set()
    for op in operations:
        own = [op.C] if isinstance(op, CooperativeMatrixMulAdd) else op.inits if isinstance(op, For) else []
        sums.update(own)
        others.update(value for value in op.operands if not any(value is each for each in own))
    stored = {root_of(op.M) for op in operations if isinstance(op, CooperativeMatrixStore)}
    loads = [op for op in operations if isinstance(op, CooperativeMatrixLoad)]
    loaded = {root_of(op.M) for op in loads if op.result in others or op.result not in sums}
    roots = {*stored, *(root_of(op.M) for op in loads)}
    return not loaded & stored and all(root.owner is None or isinstance(root.owner, Alloca) for root in roots) and all(
        isinstance(root.type, MemrefType) for root in roots
    )  # fmt: skip
