"""The machine that executes a function: lanes, values, and the table of what each instruction does.

An instruction's execution is one function, registered for its class with `@executes`. It takes the machine
and the instruction and returns the values of the results. The modules of this package register theirs by
subject.

A scalar value is an array with one entry per lane, or with a single entry where it is uniform; a cooperative matrix is
an array (sub-groups, rows, columns), or with a single sub-group likewise. The lanes are the work-items in a `parallel`,
the iterations in a `foreach`; a collective region has a single lane. All active lanes (those in `mask`) execute an
instruction before the next begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, TypeVar

import numpy as np

from ...diagnostics import Diagnostic, ExecutionError, Label, Location, Rule
from ...ir.operation import Operation
from ...ir.values import Function, Region, Value
from ...ops import For, TileMma
from ...ops.launch_defaults import subgroup_size, work_group_shape
from ...ops.preconditions import iteration_message, loops_around, named
from ...process.records import dataclass
from ..base import grid_of
from . import rules
from .shadow import History
from .views import Integers

Results = tuple[Any, ...]
Execution = Callable[["Machine", Any], Results]
AnyExecution = TypeVar("AnyExecution", bound=Execution)
Role = Literal["work-group", "work-item", "iteration", "tile", "component"]

_executions: dict[type[Operation], Execution] = {}


def executes(cls: type[Operation]) -> Callable[[AnyExecution], AnyExecution]:
    """Make a function the execution of an instruction."""

    def register(execution: AnyExecution) -> AnyExecution:
        if cls in _executions:
            raise ValueError(f"the execution of {cls.__name__} is defined twice")
        _executions[cls] = execution
        return execution

    return register


def execution_of(op: Operation) -> Execution:
    """The execution of an instruction; an instruction without one is an omission in pytl."""
    execution = _executions.get(type(op))
    if execution is None:
        raise NotImplementedError(
            f"internal error: the reference backend does not execute {op.word} ({type(op).__name__})"
        )
    return execution


@dataclass(frozen=True, eq=False)
class Lanes:
    """The lanes, of which those in `mask` are active. Each stands for `copies` work-items that do the same."""

    role: Role
    mask: np.ndarray
    copies: int = 1
    trips: tuple[np.ndarray, ...] = ()
    """The trip counts of a foreach, by variable; of components of matrices, their rows and columns."""
    first: int = 0
    """The number of the first lane among all work-items or iterations."""

    @property
    def count(self) -> int:
        return self.mask.size

    @property
    def active(self) -> np.ndarray:
        """The numbers of the active lanes."""
        # Not a cached_property, whose lock a fork would leave taken; before Python 3.12 it has one for all objects.
        if "_active" not in self.__dict__:
            self.__dict__["_active"] = np.flatnonzero(self.mask)
        return self.__dict__["_active"]

    def only(self, mask: np.ndarray) -> Lanes:
        """The same lanes with another mask."""
        return Lanes(self.role, mask, self.copies, self.trips, self.first)

    def spread(self, condition: np.ndarray) -> np.ndarray:
        """The active lanes for which a condition holds, which may be the same for all."""
        return self.mask & condition

    def name(self, lane: int) -> str | None:
        """A lane's name in messages; None for the only one of a collective region."""
        if self.role == "work-group":
            return None
        if self.role == "work-item":
            return f"work-item {lane}"
        return f"{self.role} ({', '.join(str(trip[lane]) for trip in self.trips)})"


class Program:
    """A function prepared for execution: what does not depend on the work-group is computed once."""

    def __init__(self, function: Function, strict_views: bool = False, vector_scale: int = 2) -> None:
        self.function = function
        self.vector_scale = vector_scale
        """How many times the lanes of their types scalable vectors have."""
        self.strict_views = strict_views
        """Whether a view that is formed out of bounds is an error, accessed or not."""
        self.steps: dict[Region, list[tuple[Operation, Execution]]] = {}
        for each in (function, *function.callees()):
            self._prepare(each.body)
        self.subgroup_size = subgroup_size(function)
        self.work_group_shape = work_group_shape(function)
        products = [op for op in function.walk_through_calls() if isinstance(op, TileMma)]
        self.factors = {value for op in products for value in (op.A, op.B)}
        """Matrices that are factors of `xetile.tile_mma`."""
        self.constants: dict[Value, np.ndarray] = {}
        """Values of constants, computed at their first use."""

    def _prepare(self, region: Region) -> None:
        self.steps[region] = [(op, execution_of(op)) for op in region.operations]
        for op in region.operations:
            for inner in op.regions:
                self._prepare(inner)

    @property
    def work_items(self) -> int:
        rows, columns = self.work_group_shape
        return rows * columns


class Machine:
    """The execution of one work-group."""

    def __init__(
        self,
        program: Program,
        arguments: dict[Value, Any],
        group: int,
        groups: int,
        checks: bool,
        history: History | None = None,
    ) -> None:
        self.program = program
        self.values: dict[Value, Any] = dict(arguments)
        self.group = group
        self.grid = grid_of(groups)
        self.checks = checks
        self.history = history
        """The accesses of the launch, where data races are detected."""
        self.outside: set[Operation] = set()
        """The subviews that were formed out of bounds."""
        self.calls: list[Operation] = []
        """The calls whose functions are executed, the innermost last."""
        self.lanes = Lanes("work-group", np.ones(1, np.bool_), copies=program.work_items)

    def run(self, region: Region) -> Results:
        """Execute a region with the current lanes; returns the values that it yields, if it ends with a yield."""
        results: Results = ()
        try:
            for op, execution in self.program.steps[region]:
                results = execution(self, op)
                for value, result in zip(op.results, results):
                    self.values[value] = result
        except MemoryError:
            raise self.error(op, rules.MEMORY, "there is not so much memory") from None
        return results

    def run_by(self, lanes: Lanes, region: Region) -> Results:
        """Execute a region with other lanes."""
        outer, self.lanes = self.lanes, lanes
        try:
            return self.run(region)
        finally:
            self.lanes = outer

    def begin_region(self, count: int, name: Callable[[int], str], subgroups: int | None = None) -> None:
        """Record that an SPMD region of some agents begins; `name(number)` is an agent's name in messages.

        So many sub-groups are agents, too; as many as the work-group has where no number is given.
        """
        if self.history is not None:
            own = self.program.work_items // self.program.subgroup_size
            self.history.begin_region(count, own if subgroups is None else subgroups, name)

    def __getitem__(self, value: Value) -> Any:
        return self.values[value]

    def all_of(self, values: Iterable[Value]) -> tuple[Any, ...]:
        return tuple(self.values[value] for value in values)

    def forbid(
        self,
        violations: np.ndarray,
        op: Operation,
        rule: Rule,
        message: Callable[[int], str],
        help: str | None = None,
        labels: Iterable[Label] = (),
    ) -> None:
        """Raise if a condition holds in an active lane; `message(lane)` describes it for the first such lane."""
        if self.checks and violations.any():
            by_lane = self.lanes.spread(self.by_lane(violations))
            if by_lane.any():
                lane = int(by_lane.argmax())
                raise self.error(op, rule, message(lane), help, labels, lane)

    def by_lane(self, violations: np.ndarray) -> np.ndarray:
        """The lanes in which a condition holds; for a matrix, in any component of the sub-group's matrix."""
        if violations.ndim == 1:
            return violations
        rows = violations.any(axis=(1, 2))
        return rows if rows.size == 1 else np.repeat(rows, self.program.subgroup_size)[: self.lanes.count]

    def error(
        self,
        op: Operation,
        rule: Rule,
        message: str,
        help: str | None = None,
        labels: Iterable[Label] = (),
        lane: int = 0,
    ) -> ExecutionError:
        """The error that an instruction broke a rule, to be raised."""
        text = f"{op.display_name}: {message} ({', '.join(self._where(op, lane))})"
        return ExecutionError([Diagnostic(rule, text, self.location_of(op), help, tuple(labels))])

    def location_of(self, op: Operation) -> Location | None:
        """Where an instruction stands, with the calls that led there."""
        location: Location | None = None
        name = ""
        for step in (*self.calls, op):
            step_location = step.location
            if step_location is not None and location is not None:
                step_location = step_location.called_at(name, location)
            location = step_location
            name = step.callee.name if step.callee is not None else ""
        return location

    def _where(self, op: Operation, lane: int) -> Iterator[str]:
        """The work-group, and the iterations of the loops around an instruction, of which one is the lane's."""
        yield self.grid.name(self.group)
        own = self.lanes.name(lane)
        functions = (self.program.function, *(each.callee for each in self.calls))
        steps = zip(functions, (*self.calls, op))
        for loop in (loop for function, step in steps for loop in loops_around(function).get(step, ())):
            if isinstance(loop, For):
                yield iteration_message(loop, [entry(self[loop.variable], lane)])
            elif own is not None:
                yield own
                own = None
        if own is not None:
            yield own


def uniform(values: np.ndarray) -> Integers:
    """A uniform number as a plain integer; values that differ among lanes unchanged."""
    return int(values[0]) if values.size == 1 else values


def entry(values: Integers, lane: int) -> int:
    """The number of one lane."""
    if isinstance(values, np.ndarray):
        return int(values[lane if len(values) > 1 else 0].flat[0])
    return int(values)


def entries(values: Iterable[Integers], lane: int) -> tuple[int, ...]:
    """The numbers of one lane."""
    return tuple(entry(numbers, lane) for numbers in values)


def element_name(tensor: Value, element: Iterable[int]) -> str:
    """An element's name in messages."""
    return f"element ({', '.join(map(str, element))}) of {named(tensor)}"


def remark(location: Location | None, text: str) -> tuple[Label, ...]:
    """A label, where the source location is known."""
    return () if location is None else (Label(location, text),)
