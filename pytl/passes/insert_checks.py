"""insert-checks: tests in the kernel for every index and size that is not proven to be right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, MemrefType, Type, i32, i64, index
from ..ir.values import Function, Region, Value
from ..ops import (
    ArithBinary,
    Builtin,
    Constant,
    CooperativeMatrixLoad,
    CooperativeMatrixStore,
    Expand,
    Expandc2r,
    For,
    Foreach,
    Fuse,
    Load,
    Parallel,
    Slice,
    Store,
    SubgroupBuiltin,
    Subview,
    Update,
)
from ..ops import Size as SizeOperation
from ..ops.builder import Builder
from ..ops.constants import constant_of, zero_of
from ..ops.debug import Assert, Require
from ..ops.launch_defaults import subgroup_size
from ..ops.preconditions import (
    DEMAND,
    OPERATION,
    STATUS_WORDS,
    Loop,
    Number,
    Precondition,
    Report,
    loops_around,
    preconditions_of,
)
from ..process.records import dataclass
from .analysis.known import Known
from .analysis.uses import replace_uses
from .inline_calls import WithoutCalls
from .manager import register


@register
@dataclass(frozen=True)
class InsertChecks(WithoutCalls):
    """Tests the indices and sizes that an instruction depends on, in front of each one that accesses memory.

    The function then has one more parameter, through which `check.report` tells the launch which test failed first. An
    access that would be out of bounds is skipped and gives zero; a view that would be is used by no instruction. So
    every barrier is still reached by all work-items.
    """

    name = "insert-checks"
    kept = ()

    def run(self, function: Function) -> None:
        if CHECKED in function.attributes:
            return
        function.attributes[CHECKED] = True
        type_ = MemrefType(i64, (STATUS_WORDS,), space="global")
        status = Value(type_, "status", function.location)
        checks = _Checks(function, status)
        checks.region(function.body, {})
        function.parameters.append(status)
        replace_uses(function.body, checks.replaced)
        if checks.group is not None:
            function.body.operations.insert(0, checks.group)


CHECKED = "check.status"
"""The attribute of a function whose last parameter receives the reports."""

Passed = dict[tuple[Any, ...], Value]
"""Tests that were made at the place where an instruction is executed, with their results."""


class _Checks:
    """The pass on one function."""

    def __init__(self, function: Function, status: Value) -> None:
        self.status = status
        self.numbers = {op: number for number, op in enumerate(function.walk())}
        self.used = {value for op in function.walk() for value in op.operands}
        self.enclosing = loops_around(function)
        self.subgroup_size = subgroup_size(function)
        self.variants_of = {op: self.position_variants(op) for op in function.walk() if isinstance(op, Parallel)}
        """For each `parallel`, what tells its work-items apart."""
        self.known = Known(function)
        self.validity: dict[Value, Value] = {}
        """For views that may be out of bounds: the condition that they are not."""
        self.replaced: dict[Value, Value] = {}
        self.group: Builtin | None = None
        self.hoisted: set[tuple[Operation, int]] = set()
        """Demands that are tested in front of the `foreach` that contains their instruction."""

    def region(self, region: Region, passed: Passed) -> None:
        written: list[Operation] = []
        for op in region.operations:
            writer = Builder(op.location)
            hoisted = self.hoist_tests(writer, op) if isinstance(op, Foreach) else []
            for inner in op.regions:
                self.region(inner, dict(passed))
            if hoisted:
                writer.branch(_all_of(writer, hoisted), [], _only(op))
                written += writer.operations
            else:
                written += self.checked(op, passed)
        region.operations = written

    def hoist_tests(self, writer: Builder, op: Foreach) -> list[Value]:
        """Hoist the tests of a `foreach` that can be made before it, for all points at once.

        These are tests of accesses that each point makes, with an index that is invariant or a variable plus a
        constant. Returns the condition for the `foreach` to be executed at all; its body needs no such tests then.
        """
        inside = {value for each in op.body.walk() for value in each.results} | set(op.body.arguments)
        hoistable = [
            (access, number, precondition, split)
            for access in op.body.operations
            if isinstance(access, (Load, Store))
            for number, precondition in enumerate(preconditions_of(access))
            if precondition.test == "index" and access.tensor not in inside and not self.known.holds(precondition)
            if (split := _along(precondition.numbers[0], op, inside)) is not None
        ]
        runs = [
            writer.compare("lt", start, stop)
            for start, stop in zip(op.start, op.stop)
            if hoistable and self.known.bounds(start)[1] >= self.known.bounds(stop)[0]
        ]
        conditions: dict[tuple[Any, ...], Value] = {}
        for access, number, precondition, (variable, distance) in hoistable:
            assert isinstance(precondition.numbers[0], (int, Value))
            key = (variable, distance, self.known.canonical(precondition.numbers[1]))
            self.hoisted.add((access, number))
            if key not in conditions:
                extent = self.number(writer, precondition.numbers[1])
                bounds = [(v, op.start[k], op.stop[k]) for k, v in enumerate(op.variables) if v is variable]
                first, last = (bounds[0][1], bounds[0][2]) if bounds else (variable, None)
                bad, index_of = _range_test(writer, first, last, distance, extent)
                for condition in runs:
                    bad = writer.arith("and", bad, condition)
                conditions[key] = self.reported(
                    writer,
                    bad,
                    access,
                    number,
                    _reported_numbers(index_of, extent),
                    _first_point(op, variable, distance),
                )
        for value in dict.fromkeys(access.tensor for access, *_ in hoistable if access.tensor in self.validity):
            conditions[(value,)] = self.validity[value]
        return list(conditions.values())

    def checked(self, op: Operation, passed: Passed) -> list[Operation]:
        """An instruction with the tests that it needs."""
        writer = Builder(op.location)
        if isinstance(op, (Assert, Require)):
            self.reported(writer, writer.unary("not", op.holds), op, 0, lambda inner: ())
            return writer.operations
        before = [self.validity[value] for value in dict.fromkeys(op.operands) if value in self.validity]
        tests = [
            self.test(writer, op, number, precondition, passed)
            for number, precondition in enumerate(preconditions_of(op))
            if not self.known.holds(precondition) and (op, number) not in self.hoisted
        ]
        conditions = list(dict.fromkeys([*before, *tests]))
        if not conditions:
            return [op]
        if isinstance(op, (Load, Store, CooperativeMatrixLoad, CooperativeMatrixStore, Update)) and not (
            isinstance(op, Load) and op.is_item
        ):
            self.guard(writer, op, _all_of(writer, conditions))
        elif isinstance(op, (Load, Subview, Expand, Expandc2r, Fuse)):
            self.view(writer, op, conditions, len(tests) > 0)
        else:
            writer.add(op)
        return writer.operations

    def test(self, writer: Builder, op: Operation, number: int, precondition: Precondition, passed: Passed) -> Value:
        """Test a demand; gives whether it is met."""
        numbers = [self.number(writer, each) for each in precondition.numbers]
        key = (precondition.test, *(self.known.canonical(each) for each in precondition.numbers))
        if key in passed:
            return passed[key]
        # what follows from the number alone is not tested
        bad = _TESTS[precondition.test](writer, numbers, self.known.bounds(precondition.numbers[0])[0] >= 0)
        passed[key] = self.reported(writer, bad, op, number, lambda inner: numbers)
        return passed[key]

    def reported(
        self,
        writer: Builder,
        bad: Value,
        op: Operation,
        precondition: int,
        numbers: Callable[[Builder], Sequence[Value]],
        first_point: FirstPoint | None = None,
    ) -> Value:
        """Report numbers of a demand where a condition holds; gives whether it does not.

        In front of the innermost loop, `first_point` says of the numbers which iteration of it is told.
        """

        def report(inner: Builder) -> Sequence[Value]:
            reported_numbers = list(numbers(inner))
            enclosing = self.enclosing[op] if first_point is None else self.enclosing[op][:-1]
            trips = [trip for loop in enclosing for trip in self.trips(inner, loop)]
            trips += [] if first_point is None else first_point(inner, reported_numbers[0])
            parts: dict[str, Any] = {
                "attributes": {OPERATION: self.numbers[op], DEMAND: precondition},
                "status": self.status,
                "group": self.group_id(),
                "numbers": reported_numbers,
                "trips": [inner.cast(trip, index) for trip in trips],
            }
            inner.add(Report(writer.location, **parts))
            return ()

        writer.branch(bad, [], report)
        return writer.unary("not", bad)

    def position_variants(self, op: Parallel) -> list[str]:
        """The variants of `builtin` that say which work-item of a `parallel` fails, as far as these may differ in it.

        Others would make work-items of what one agent could execute for all of them.
        """
        inside = list(op.body.walk())
        finds = any(each.differs and each.writes and not self.used.isdisjoint(each.results) for each in inside)
        depends_on_lane = finds or any(each.depends_on_lane for each in inside)
        has_subgroups = depends_on_lane or any(each.kind == "spmd" for each in inside)
        return ["subgroup_id"] * has_subgroups + ["subgroup_local_id"] * depends_on_lane

    def trips(self, builder: Builder, loop: Loop) -> list[Value]:
        """The numbers that tell an iteration of a loop, in its region."""
        if isinstance(loop, For):
            return [loop.variable]
        if not isinstance(loop, Parallel):
            return list(loop.variables)
        number = builder.zero(index)
        for variant in self.variants_of[loop]:
            builtin = SubgroupBuiltin(builder.location, [i32], variant=variant)
            place = builder.cast(builder.add(builtin).results[0], index)
            scaled = (
                builder.arith("mul", place, builder.constant(index, self.subgroup_size))
                if variant == "subgroup_id"
                else place
            )
            number = builder.arith("add", number, scaled)
        return [number]

    def group_id(self) -> Value:
        if self.group is None:
            self.group = Builtin(None, [index], variant="group_id")
        return self.group.results[0]

    def number(self, writer: Builder, number: Number) -> Value:
        if isinstance(number, int):
            return writer.constant(index, number)
        if isinstance(number, Value):
            return number
        if isinstance(number.extent, int):
            return writer.constant(index, number.extent)
        tensor, mode = number.tensor, number.mode
        return writer.once(
            ("size", tensor, mode), lambda: SizeOperation(writer.location, [index], tensor=tensor, mode=mode)
        )

    def guard(self, writer: Builder, op: Operation, condition: Value) -> None:
        """Execute an instruction only if a condition holds; a result is zero elsewhere."""
        # what differs among work-items is no value of collective code, where nobody uses it
        needed_results = [value for value in op.results if not op.differs or value in self.used]
        types = [value.type for value in needed_results]
        copy = clone_operation(op, {})

        def then(inner: Builder) -> Sequence[Value]:
            return inner.add(copy).results[: len(needed_results)]

        def otherwise(inner: Builder) -> Sequence[Value]:
            return [_zero(inner, type_) for type_ in types]

        results = writer.branch(condition, types, then, otherwise if types else None)
        for old, new in zip(needed_results, results):
            new.name = old.name
            self.replaced[old] = new

    def view(self, writer: Builder, op: Operation, conditions: list[Value], is_tested: bool) -> None:
        """A view that may be out of bounds: if it is, nothing uses it and its sizes are zero."""
        is_valid = _all_of(writer, conditions)
        if is_tested:

            def kept_inside(bound: Any) -> Any:
                return self.or_zero(writer, is_valid, bound) if isinstance(bound, Value) else bound

            if isinstance(op, Load):
                op.indices = [kept_inside(op.indices[0])]
            elif isinstance(op, Subview):
                op.slices = [Slice(kept_inside(piece.offset), kept_inside(piece.size)) for piece in op.slices]
            elif isinstance(op, Expand):
                op.expand_shape = [kept_inside(bound) for bound in op.expand_shape]
        writer.add(op)
        self.validity[op.results[0]] = is_valid

    def or_zero(self, writer: Builder, condition: Value, number: Value) -> Value:
        """The number if the condition holds, else 0."""
        return writer.branch(condition, [index], lambda inner: [number], lambda inner: [_zero(inner, index)])[0]


def _only(op: Operation) -> Callable[[Builder], Sequence[Value]]:
    """Write an instruction without results."""
    return lambda writer: writer.add(op).results


def _reported_numbers(index_of: Callable[[Builder], Value], extent: Value) -> Callable[[Builder], Sequence[Value]]:
    return lambda inner: [index_of(inner), extent]


FirstPoint = Callable[[Builder, Value], Sequence[Value]]
"""Of the index that is told, the point of a `foreach` that is."""


def _first_point(op: Foreach, variable: Value, distance: int) -> FirstPoint:
    """The first point whose index fails, which is a variable plus a distance, or the same for all points."""

    def point(inner: Builder, at: Value) -> list[Value]:
        if variable not in op.variables:
            return list(op.start)
        place = inner.arith("sub", at, inner.constant(index, distance))
        return [place if each is variable else start for each, start in zip(op.variables, op.start)]

    return point


MAX_DISTANCE = 2**40
"""The largest constant that is added to a variable with bounds tested before a loop: no sum wraps around."""


def _along(number: Number, op: Foreach, inside: set[Value]) -> tuple[Value, int] | None:
    """A number of a body as a value from outside, or as a variable plus a constant."""
    if not isinstance(number, Value):
        return None
    if number not in inside or number in op.variables:
        return number, 0
    arith = number.owner
    if isinstance(arith, ArithBinary) and arith.variant in ("add", "sub") and number.type == index:
        for value, other in ((arith.a, arith.b), (arith.b, arith.a)):
            distance = constant_of(other)
            if value in op.variables and distance is not None and abs(distance) <= MAX_DISTANCE:
                if arith.variant == "add":
                    return value, int(distance)
                return (value, -int(distance)) if value is arith.a else None
    return None


def _range_test(
    writer: Builder, first: Value, stop: Value | None, distance: int, extent: Value
) -> tuple[Value, Callable[[Builder], Value]]:
    """Whether a number from `first` to below `stop`, or `first` alone, leaves a mode when a distance is added.

    The second result is the first index out of bounds.
    """
    limit = writer.constant(index, -distance)
    is_below = writer.compare("lt", first, limit)
    if stop is None:
        bad = writer.arith("or", is_below, writer.compare("ge", first, extent))
        return bad, lambda inner: first
    beyond = writer.arith("sub", extent, writer.constant(index, distance))
    bad = writer.arith("or", is_below, writer.compare("gt", stop, beyond))

    def index_of(inner: Builder) -> Value:
        at = inner.arith("add", first, inner.constant(index, distance))
        return inner.branch(is_below, [index], lambda _: [at], lambda other: [other.arith("max", at, extent)])[0]

    return bad, index_of


def _zero(writer: Builder, type_: Type) -> Value:
    if isinstance(type_, CoopMatrixType):
        literal = zero_of(type_.component)
        return writer.add(Constant(writer.location, [type_], literal=literal)).results[0]
    return writer.zero(type_)


def _all_of(writer: Builder, conditions: Sequence[Value]) -> Value:
    result = conditions[0]
    for condition in conditions[1:]:
        result = writer.arith("and", result, condition)
    return result


# Each returns the condition that its demand is violated.


def _any_of(writer: Builder, conditions: Sequence[Value]) -> Value:
    result = conditions[0]
    for condition in conditions[1:]:
        result = writer.arith("or", result, condition)
    return result


def _index(writer: Builder, numbers: Sequence[Value], is_positive: bool) -> Value:
    at, extent = numbers
    return _any_of(writer, [*_negative(writer, at, is_positive), writer.compare("ge", at, extent)])


def _block(writer: Builder, numbers: Sequence[Value], is_positive: bool) -> Value:
    at, count, extent = numbers
    # no sum, because a sum may wrap around
    room = writer.arith("sub", extent, at)
    return _any_of(writer, [*_negative(writer, at, is_positive), writer.compare("lt", room, count)])


def _negative(writer: Builder, at: Value, is_positive: bool) -> list[Value]:
    return [] if is_positive else [writer.compare("lt", at, writer.zero(index))]


def _slice(writer: Builder, numbers: Sequence[Value], is_positive: bool) -> Value:
    return writer.arith("or", _block(writer, numbers, is_positive), _positive(writer, numbers[1:2]))


def _positive(writer: Builder, numbers: Sequence[Value], is_positive: bool = False) -> Value:
    return writer.compare("le", numbers[0], writer.zero(index))


def _equal(writer: Builder, numbers: Sequence[Value], is_positive: bool) -> Value:
    return writer.compare("ne", *numbers)


def _product(writer: Builder, numbers: Sequence[Value], is_positive: bool) -> Value:
    # by division, since a product may wrap around to the right number
    rest, *sizes = numbers
    one, zero = writer.constant(index, 1), writer.zero(index)
    wrong = []
    for size in sizes:
        divisor = writer.arith("max", size, one)
        wrong.append(writer.compare("ne", writer.arith("rem", rest, divisor), zero))
        rest = writer.arith("div", rest, divisor)
    return _any_of(writer, [*wrong, writer.compare("ne", rest, one)])


_TESTS: dict[str, Callable[[Builder, Sequence[Value], bool], Value]] = {
    "index": _index,
    "slice": _slice,
    "block": _block,
    "positive": _positive,
    "equal": _equal,
    "product": _product,
}
