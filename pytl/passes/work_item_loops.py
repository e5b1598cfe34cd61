"""work-item-loops: a work-group as a single agent executes it, without work-items.

Afterwards each instruction is executed once, and SPMD regions are collective code. What work-items do by themselves is
a run, a `foreach` over the lanes of a sub-group between two places where they synchronise (`splitting`). What they do
together are loops over local memory, in which cooperative matrices lie whole (`local_matrices`). Sub-groups are the
iterations of a `for`, or of several where there are barriers between them (`between_barriers`). A region that does not
depend on work-items is inlined. What each work-item adds to memory atomically is added in a `foreach` over all of them.

The iterations of a foreach may be distributed over work-items in any way; here, a sub-group of one executes them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import inf

from ..ir.meanings import Meanings, no_meaning
from ..ir.operation import Operation
from ..ir.types import ScalarType, compute_type, i32, index
from ..ir.values import Function, Module, Region, Value
from ..ops import (
    Barrier,
    Builtin,
    Cast,
    Constant,
    CooperativeMatrixAtomicUpdate,
    CooperativeMatrixExtract,
    CooperativeMatrixInsert,
    For,
    Foreach,
    If,
    Parallel,
    Store,
    SubgroupBroadcast,
    SubgroupBuiltin,
    SubgroupOperation,
)
from ..ops.builder import Builder
from ..ops.constants import integer_bounds
from ..ops.coopmatrix import OfSubgroup, is_matrix
from ..ops.launch_defaults import subgroup_count, subgroup_size
from ..ops.memory import ACCUMULATING
from ..process.records import dataclass
from .analysis.uniformity import variation_among_items
from .between_barriers import BetweenBarriers
from .inline_calls import WithoutCalls
from .local_matrices import LocalMatrices, each_lane
from .lower_foreach_tile import LowerForeachTile
from .lower_tiles import LowerTiles
from .manager import register
from .splitting import Splitter, take_builtins
from .targets.strategies import STRATEGY
from .work_item_regions import WorkItemRegion


@register
@dataclass(frozen=True)
class WorkItemLoops(WithoutCalls):
    """Rewrites SPMD regions, sub-groups and cooperative matrices as what a single agent executes for a work-group.

    With `whole_matrices`, only where one work-item has cooperative matrices. With `may_overlap`, different parameters
    may have the same memory.
    """

    name = "work-item-loops"
    kept = ("sequential", "collective")
    whole_matrices: bool = False
    may_overlap: bool = False

    def run_module(self, module: Module) -> None:
        if not self.whole_matrices or any(map(_has_whole_matrices, module.functions)):
            super().run_module(module)

    def run(self, function: Function) -> None:
        if self.whole_matrices and not _has_whole_matrices(function):
            return
        LowerForeachTile().run(function)
        LowerTiles().run(function)
        lanes, subgroups = subgroup_size(function), subgroup_count(function)
        _propagate_sizes(function.body, {"subgroup_size": lanes, "num_subgroups": subgroups})
        if any(map(_is_for_many, function.walk())):
            agent = _Agent(Builder(function.location), lanes, subgroups, self.may_overlap)
            agent.matrices.learn(function.body)
            function.body.operations = agent.scope(agent.builder, lambda: agent.sequence(function.body.operations))


def _has_whole_matrices(function: Function) -> bool:
    """Whether one work-item executes a function, and has its cooperative matrices."""
    return function.attributes.get(STRATEGY) == "one-item" and any(isinstance(op, OfSubgroup) for op in function.walk())


def _propagate_sizes(region: Region, known: dict[str, int]) -> None:
    """Replace the queries of the work-group's sizes by constants."""
    for number, op in enumerate(region.operations):
        if isinstance(op, Builtin) and op.variant in known:
            answer = Constant(op.location, literal=known[op.variant], result_types=[i32])
            answer.results, op.result.owner = op.results, answer
            region.operations[number] = answer
        for inner in op.regions:
            _propagate_sizes(inner, known)


_COMBINES = Meanings("the pass work-item-loops", {"subgroup_add": "add", "subgroup_max": "max", "subgroup_min": "min"})
"""The arithmetic of an operation of sub-groups."""


def _is_for_many(op: Operation) -> bool:
    """Whether an instruction has a meaning, or exists, only because there are work-items."""
    return isinstance(op, (Parallel, Barrier)) or _adds(op) or _is_of_subgroup(op)


def _is_of_subgroup(op: Operation) -> bool:
    return op.kind == "spmd" or any(map(is_matrix, op.results))


def _adds(op: Operation) -> bool:
    return getattr(op, "flag", "") in ACCUMULATING


def _counts(op: Operation) -> bool:
    """Whether it matters how many work-items execute an instruction."""
    return _adds(op) or (bool(op.writes) and (op.differs or isinstance(op, CooperativeMatrixAtomicUpdate)))


class _Agent(Splitter):
    """The walk through a function. Work-items synchronise per sub-group; runs are loops over its lanes."""

    def __init__(self, builder: Builder, lanes: int, subgroups: int, may_overlap: bool) -> None:
        super().__init__(builder, (lanes,))
        self.lanes = lanes
        self.subgroups = subgroups
        self.copies = lanes * subgroups if lanes * subgroups > 1 else 0
        """How many work-items have to add what is added outside of runs; 0 where that does not matter."""
        self.matrices = LocalMatrices(may_overlap)
        self._subgroups: dict[Value, Value] = {}
        """The sub-groups' numbers as index values, by the values of type i32."""

    # Regions.

    def operation(self, op: Operation) -> None:
        if isinstance(op, Parallel):
            self._parallel(op)
        elif isinstance(op, Foreach) and any(map(_is_of_subgroup, op.body.walk())):
            self._foreach(op)
        else:
            super().operation(op)

    def _parallel(self, op: Parallel) -> None:
        if self.subgroups > 1 and any(isinstance(inner, Barrier) for inner in op.body.walk()):
            self.sequence(BetweenBarriers(op, (self.lanes, self.subgroups)).split())
            return
        outer = self.copies, self._properties
        self.copies, self._properties = self.lanes if self.copies else 0, {}
        self.matrices.learn(op.body)
        numbers: Meanings[str, list[SubgroupBuiltin]] = Meanings(
            "the pass work-item-loops, builtin", {"subgroup_id": [], "subgroup_local_id": []}
        )
        for each in take_builtins(op.body):
            numbers[each.variant].append(each)
        of_subgroup = [each.result for each in numbers["subgroup_id"]]
        self.varying = self._varying(op.body, numbers["subgroup_local_id"])
        # sub-groups that do not know their number all do the same, which has to be seen where it is counted only
        if self.subgroups > 1 and (of_subgroup or any(map(_counts, op.body.walk()))):
            number = Value(index, "subgroup", op.location)

            def write() -> None:
                if of_subgroup:
                    known = self.builder.cast(number, i32)
                    self._subgroups[known] = number
                    self._replaced.update((value, known) for value in of_subgroup)
                self.sequence(op.body.operations)

            body = Region("mixed", [number], self.scope(Builder(op.location, self.builder), write), op.location)
            stop = self.builder.constant(index, self.subgroups)
            self.builder.add(For(op.location, [], start=self.builder.zero(index), stop=stop, body=body))
        else:
            self._be_first(of_subgroup)
            self.sequence(op.body.operations)
            self.close()
        self.varying = set()
        self.copies, self._properties = outer

    def _varying(self, region: Region, lane_numbers: Sequence[SubgroupBuiltin]) -> set[Value]:
        """The values that differ among the work-items of a sub-group."""
        if self.lanes == 1:
            self._be_first([each.result for each in lane_numbers])
            # a run of one, for what such instructions give is no value of collective code
            return variation_among_items(region, set(), frozenset()).varying
        varying: set[Value] = set()
        known_uniform: set[Value] = set()
        for each in lane_numbers:
            self.repeat(each)
            varying.add(each.result)
        for op in region.walk():
            if isinstance(op, CooperativeMatrixExtract) or (
                isinstance(op, SubgroupOperation) and op.variant != "reduce"
            ):
                varying.add(op.result)
            elif op.kind == "spmd":
                known_uniform.update(op.results)
        differing = variation_among_items(region, varying, frozenset(known_uniform)).varying
        return {value for value in differing if not is_matrix(value)}

    def _be_first(self, numbers: Sequence[Value]) -> None:
        """Answer queries for a place where there is only one."""
        self._replaced.update((value, self.builder.constant(i32, 0)) for value in numbers)

    def _foreach(self, op: Foreach) -> None:
        self._be_first([each.result for each in take_builtins(op.body)])
        operations = op.body.operations
        with self._alone(None):
            op.body.operations = self.scope(Builder(op.location, self.builder), lambda: self.sequence(operations))
        self._replace(op, self.outside)
        self.builder.add(op)

    def inlined(self, op: Operation, run: WorkItemRegion) -> list[Operation]:
        # Of matrices there can be constants only, and what is computed from others. Where work-items diverge, they
        # compute the same matrices, so that the first one may do it.
        if not self.properties_of(op).has_whole:
            return [op]
        self.enclosing_run = run
        with self._alone(run.head.compare("eq", self.position_in_group(run)[0], self.builder.zero(index))):
            written = self.scope(Builder(op.location, self.builder), lambda: self.operation(op))
        self.enclosing_run = None
        return written

    @contextmanager
    def _alone(self, guard: Value | None) -> Iterator[None]:
        """Lower the body of a foreach: each point executes all of it by itself, on matrices under a condition."""
        outer = self.lanes, self.copies, self.varying, self._properties
        self.lanes, self.copies, self.varying, self._properties = 1, 0, set(), {}
        self.matrices.foreach_builder, self.matrices.guard = self.builder, guard
        yield
        self.matrices.foreach_builder = self.matrices.guard = None
        self.lanes, self.copies, self.varying, self._properties = outer

    def place(self, op: Operation) -> None:
        if isinstance(op, Store) and _adds(op) and self.copies:

            def add(on: Builder, _: list[Value]) -> None:
                on.add(op)

            self.builder.foreach([self.builder.constant(index, self.copies)], add)
        elif isinstance(op, Cast) and op.operand in self._subgroups:
            self.replace_result(op.result, self.builder.cast(self._subgroups[op.operand], op.result.type))
        elif not isinstance(op, Barrier):  # one agent has nobody to wait for
            self.builder.add(op)

    # Runs.

    def new_run(self) -> WorkItemRegion:
        location = self.builder.location
        return WorkItemRegion(
            Builder(location, self.builder), Builder(location, self.builder), Value(index, "lane", location)
        )

    def wrapped(self, run: WorkItemRegion) -> Operation:
        assert run.lane is not None
        start, stop = self.builder.zero(index), self.builder.constant(index, self.lanes)
        body = Region("spmd", [run.lane], location=run.head.location)
        return Foreach(run.head.location, start=[start], stop=[stop], body=body)

    def position_in_group(self, run: WorkItemRegion) -> list[Value]:
        assert run.lane is not None
        return [run.lane]

    def number(self, op: SubgroupBuiltin, type_: ScalarType, run: WorkItemRegion | None) -> Value:
        return self.builder.zero(type_) if run is None else run.head.cast(self.position_in_group(run)[0], type_)

    # Where the work-items of a sub-group synchronise.

    def is_convergent(self, op: Operation) -> bool:
        return isinstance(op, Barrier) or op.kind == "spmd"

    def is_joint(self, op: Operation) -> bool:
        return self.is_convergent(op) or (not op.regions and any(map(is_matrix, (*op.operands, *op.results))))

    def write_convergent(self, op: Operation) -> None:
        if isinstance(op, SubgroupBroadcast):
            lane = self.outside(op.local_id)
            self.replace_result(op.result, self._of_lane(op.a, self.builder.cast(lane, index)))
        elif isinstance(op, SubgroupOperation):
            self._combine(op)
        elif isinstance(op, CooperativeMatrixExtract):
            self._extract(op)
        elif isinstance(op, CooperativeMatrixInsert):
            self._insert(op)
        elif not isinstance(op, Barrier):
            self.matrices.lower(op, self.builder, self.outside)

    def _of_lane(self, value: Value, lane: Value) -> Value:
        """The value of a work-item."""
        if self.is_outside(value):
            return self.outside(value)
        return self.spread(value).load(self.builder, [lane])

    def _combine(self, op: SubgroupOperation) -> None:
        """The reduction or scan as a loop over the lanes; f16 and bf16 results are rounded at the end."""
        if op.variant not in ("reduce", "inclusive_scan", "exclusive_scan"):
            no_meaning("the pass work-item-loops", op.word)
        type_ = op.a.type
        wide = compute_type(type_)
        known = self.outside(op.a) if self.is_outside(op.a) else None
        source = None if known is not None else self.spread(op.a)

        def term(builder: Builder, lane: Value) -> Value:
            if source is not None:
                return builder.cast(source.load(builder, [lane]), wide)
            assert known is not None
            return builder.cast(known, wide)

        first, stop = self.builder.zero(index), self.builder.constant(index, self.lanes)
        target = None
        if op.variant != "reduce" and self.lanes > 1:
            target = self.new_slot(type_, op.result.name)
        before = self._identity(op) if op.variant == "exclusive_scan" else None
        start = term(self.builder, first)
        if target is not None:
            target.store(self.builder, self.builder.cast(start, type_) if before is None else before, [first])

        def step(builder: Builder, lane: Value, carried: list[Value]) -> list[Value]:
            total = builder.arith(_COMBINES[op.mnemonic], carried[0], term(builder, lane))
            if target is not None:
                target.store(builder, builder.cast(carried[0] if before is not None else total, type_), [lane])
            return [total]

        if self.lanes > 1:
            (start,) = self.builder.loop(stop, [start], step, "lane", first=1)
        if target is not None:
            self.replace_result(op.result, target)
        else:
            self.replace_result(op.result, self.builder.cast(start, type_) if before is None else before)

    def _extract(self, op: CooperativeMatrixExtract) -> None:
        if self.lanes == 1:
            self.replace_result(op.result, self.matrices.extracted(op, self.builder, self.builder.zero(index), 1))
            return
        target = self.new_slot(op.result.type, op.result.name)

        def write(on: Builder, lane: Value) -> None:
            target.store(on, self.matrices.extracted(op, on, lane, self.lanes), [lane])

        each_lane(self.builder, self.lanes, write)
        self.replace_result(op.result, target)

    def _insert(self, op: CooperativeMatrixInsert) -> None:
        known = self.outside(op.scalar) if self.is_outside(op.scalar) else None
        source = None if known is not None else self.spread(op.scalar)

        def number(on: Builder, lane: Value) -> Value:
            if source is not None:
                return source.load(on, [lane])
            assert known is not None
            return known

        self.matrices.insert(op, self.builder, number, self.lanes)

    def _identity(self, op: SubgroupOperation) -> Value:
        """The first work-item's result of an exclusive scan."""
        type_, builder = op.a.type, self.builder
        word = _COMBINES[op.mnemonic]
        if word == "add":
            return builder.zero(type_)
        is_max = word == "max"
        if type_.is_floating:
            return builder.constant(type_, -inf if is_max else inf)
        minimum, maximum = integer_bounds(type_)
        if not is_max:
            return builder.constant(type_, maximum)
        bound = builder.constant(type_, minimum)
        return bound if minimum < -maximum else builder.arith("sub", bound, builder.constant(type_, 1))

    # Cooperative matrices.

    def is_whole(self, value: Value) -> bool:
        return is_matrix(value)

    def allocate_carried(self, op: For | If, position: int) -> None:
        self.matrices.allocate_carried(op, position, self.builder)

    def store_yielded(self, values: Sequence[Value], results: Sequence[Value]) -> None:
        self.matrices.store_yielded(values, results, self.builder)
