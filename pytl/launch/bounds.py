"""Checks that a launch stays in the memory of its arguments, as far as that is known when they are bound.

`passes/demands.py` finds what a kernel demands of indices and sizes in what every work-group executes; here that is
looked at with the arguments of a launch and its number of work-groups. What cannot be computed is not refused.

A demand on what varies in loops is looked at in iterations at the loops' ends, where affine indices are largest and
smallest. These are executed, so that nothing is refused that is right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from ..backends import rules
from ..backends.base import Argument, GroupArgument, MemrefArgument
from ..diagnostics import Diagnostics, Label, LaunchError, Location, Rule
from ..diagnostics.words import counted
from ..ir.values import Function
from ..passes.flat_groups import takes_grid
from ..passes.precondition_terms import GROUP_ID, Expr, Loop, Precondition, Within
from ..passes.preconditions import distributed_iterations_of, preconditions_of

MAX_CHECKED_GROUPS = 1 << 22
"""Work-groups that are checked one by one, where an index is not an affine expression of the work-group's number."""
MAX_LOOPED_GROUPS = 1 << 16
"""Work-groups that are looked at, the first and the last ones, where the index varies in loops, too."""
_SAFE = 1 << 31
"""Numbers below this in magnitude do not overflow 64 bits when two of them are multiplied."""


class Bounds:
    """The demands of one kernel."""

    def __init__(self, function: Function, is_checked: bool = False) -> None:
        """With `is_checked`, the execution looks at each access itself: what varies in loops, and views that are
        accessed in branches alone, are left to it."""
        self.name = function.name
        preconditions = preconditions_of(function)
        self._preconditions = {
            precondition: location
            for precondition, location in preconditions.items()
            if _is_checked_at_launch(precondition, is_checked)
        }
        self._reporting = list(preconditions)
        """Those that may tell the number of work-groups."""
        self._iterations = distributed_iterations_of(function)
        self._is_in_grid = takes_grid(function)
        varies = {precondition: any(e.varies for e in _all_of(precondition)) for precondition in self._preconditions}
        self._varying = [precondition for precondition, whether in varies.items() if whether]
        read = {part for precondition in self._varying for part in _numbers_of(precondition)}
        self.numbers = tuple(sorted(read))
        """The places of the numbers among the arguments on which `hold_for` depends, beside the layouts."""
        self.is_limit = any(
            e.depends_on_group
            for precondition in self._preconditions
            for e in (*precondition.expressions, *(bound for loop in precondition.loops for bound in loop.bounds))
        )
        """Whether more work-groups than were checked may reach further."""

    @property
    def is_by_value(self) -> bool:
        """Whether launches with equal layouts have to be checked each time, since the demands depend on numbers."""
        return bool(self._varying) or (self._iterations is not None and self._iterations.varies)

    def check(self, arguments: Sequence[Argument], groups: int, locate: Callable[[], Location | None]) -> None:
        """Raise a LaunchError for all accesses out of bounds and all sizes that do not fit."""
        problems = Diagnostics()
        reported = set()
        launch_values = _LaunchValues(arguments, groups)
        for precondition, location in self._preconditions.items():
            group = launch_values.first_violation(precondition)
            if group is None:
                continue
            what = (
                (precondition.tensor, precondition.mode)
                if isinstance(precondition, Within)
                else (precondition.names, location)
            )
            if what not in reported:
                reported.add(what)
                rule, message, help = self._violation_message(precondition, launch_values, group)
                labels = [Label(location, "the instruction")] if location is not None else []
                problems.report(rule, message, locate(), help, labels)
        if problems.items:
            raise LaunchError(problems.items)

    def hold_for(self, arguments: Sequence[Argument], groups: int) -> bool:
        """Whether the demands that depend on numbers hold; the rest was checked for an earlier launch."""
        launch_values = _LaunchValues(arguments, groups)
        return all(launch_values.first_violation(precondition) is None for precondition in self._varying)

    def groups_for(self, arguments: Sequence[Argument], locate: Callable[[], Location | None]) -> int:
        """The number of work-groups from the arguments: the iterations that they divide among them, the items of a
        group, or the size of a mode that they index."""
        launch_values = _LaunchValues(arguments, 2)
        rounds = launch_values.rounds(self._iterations)
        if rounds is not None:
            return rounds
        counts: dict[int, Within] = {}
        for precondition in self._reporting:
            count = launch_values.items_of(precondition)
            if count is not None:
                counts.setdefault(count, precondition)  # type: ignore[arg-type]
        if len(counts) == 1:
            return next(iter(counts))
        if counts:
            parts = [f"{_what(precondition)} needs {count}" for count, precondition in counts.items()]
            message = f"the arguments do not agree on the number of work-groups: {', '.join(parts)}"
            help = f"write {self.name}[n](…) with the number, or pass arguments of one length"
        else:
            near = [d for d in self._reporting if isinstance(d, Within) and d.index.depends_on_group]
            message = f"the number of work-groups of {self.name} is unknown: "
            message += "no argument is indexed by group_id() in what every work-group executes"
            if near:
                message = f"the number of work-groups of {self.name} is unknown: {_what(near[0])} is indexed by an "
                message += "expression of group_id() that does not say where the last one ends"
            help = f"write {self.name}[n](…) with the number of work-groups"
        raise LaunchError.single(rules.INFERRED, message, locate(), help)

    def _violation_message(
        self, precondition: Precondition, launch_values: _LaunchValues, group: int
    ) -> tuple[Rule, str, str]:
        if not isinstance(precondition, Within):
            left, right = launch_values.value(precondition.left, group), launch_values.value(precondition.right, group)
            message = (
                f"{precondition.instruction}: {precondition.names[0]} is {left}, but {precondition.names[1]} is {right}"
            )
            return rules.SIZES, message + _of_group(precondition, group, launch_values), "pass arrays whose sizes agree"
        first, width, extent = (launch_values.value(e, group) for e in precondition.expressions)
        taken = f"takes {'item' if precondition.mode is None else 'index'} {first}"
        if width > 1:
            taken = f"takes the elements {first} to {first + width - 1}"
        if precondition.mode is None:
            has = f"{precondition.tensor} has {counted(extent, 'item')}"
        else:
            has = f"mode {precondition.mode} of {precondition.tensor} has size {extent}"
        if precondition.loops:
            taken += f" in {'an iteration' if any(e.in_loop for e in precondition.expressions) else 'a loop'}"
        if group == 0 and not any(map(launch_values.degree, precondition.expressions)):
            return rules.OUTSIDE, f"{has}, but {self.name} {taken}", "pass a longer array, or another number"
        message = f"{has}, but of {launch_values.groups} work-groups number {group} {taken}"
        if self._is_in_grid:
            return rules.OUTSIDE, message, "launch fewer work-groups along x, y or z, or pass a longer array"
        fitting = f"write {self.name}[{group}](…), " if group else ""
        return rules.OUTSIDE, message, f"{fitting}{'or ' if group else ''}pass more, one for each work-group"


def _is_checked_at_launch(precondition: Precondition, is_checked: bool) -> bool:
    if is_checked and precondition.loops:
        return False
    view = precondition.view if isinstance(precondition, Within) else "accessed"
    return view == "accessed" or (view == "branch" and not is_checked)


def _all_of(precondition: Precondition) -> list[Expr]:
    bounds = (*precondition.guards, *(loop.bounds for loop in precondition.loops))
    return [*precondition.expressions, *(bound for each in bounds for bound in each)]


@lru_cache(maxsize=4096)
def _ends_of(precondition: Precondition) -> tuple[tuple[int, ...], bool]:
    """How many iterations of each loop of a demand are looked at, and whether work-groups differ in none of it.

    They are the first and the last, and those next to them of loops on which bounds of others depend.
    """
    bounds = [e for loop in precondition.loops for e in loop.bounds]
    counted, bounding = (
        {part.parts[0] for e in each for part in e.walk() if part.kind == "loop"}
        for each in (bounds, precondition.expressions)
    )
    ends = tuple(4 if loop.number in counted else 2 if loop.number in bounding else 1 for loop in precondition.loops)
    return ends, not any(part.kind in _OF_GROUPS for e in _all_of(precondition) for part in e.walk())


_OF_GROUPS = ("group_id", "item_size", "item_stride")


def _numbers_of(precondition: Precondition) -> set[int]:
    """The places of the numbers that a demand reads."""
    inner = (each for e in _all_of(precondition) for each in e.walk())
    return {each.parts[0] for each in inner if each.kind == "number"}


def _of_group(precondition: Precondition, group: int, launch_values: _LaunchValues) -> str:
    return f" in work-group {group}" if any(launch_values.degree(e) for e in precondition.expressions) else ""


def _what(precondition: Within) -> str:
    return precondition.tensor if precondition.mode is None else f"mode {precondition.mode} of {precondition.tensor}"


class _Unknown(Exception):
    """A number that is unknown at launch, or that overflows."""


class _LaunchValues:
    """The arguments of a launch, and the values of expressions. A group is a number, or an array of numbers."""

    def __init__(self, arguments: Sequence[Argument], groups: int) -> None:
        self.arguments = arguments
        self.groups = groups
        self._columns: dict[Any, Any] = {}
        self._degrees: dict[int, int] = {}
        """By the number of a loop's variable how it depends on the number of the work-group."""
        self._at: dict[int, Any] = {}
        """By the number of a loop's variable its value in the iteration that is looked at."""

    def first_violation(self, precondition: Precondition) -> int | None:
        """The first work-group in which a demand does not hold; None where it holds, or where that is unknown."""
        if self.groups == 0:
            return None
        try:
            if precondition.loops:
                return self._first_in_loops(precondition)
            if not self._is_executed(precondition):
                return None
            degree = max(map(self.degree, precondition.expressions))
            if isinstance(precondition, Within) and self.degree(precondition.width):
                degree = 2
            last = self.groups - 1
            if degree == 0 or last == 0:
                return 0 if self._violates(precondition, 0) else None
            if degree == 1:
                return self._first_affine(precondition, last)
            return self._first_of_all(precondition) if self.groups <= MAX_CHECKED_GROUPS else None
        except _Unknown:
            return None

    def _is_executed(self, precondition: Precondition) -> bool:
        for start, stop in precondition.guards:
            if start == GROUP_ID and not self.degree(stop) and self.value(stop, 0) > 0:
                continue  # the first work-group executes it
            if self.degree(start) or self.degree(stop) or self.value(start, 0) >= self.value(stop, 0):
                return False
        return True

    def _violates(self, precondition: Precondition, group: Any) -> Any:
        numbers = [self.value(expression, group) for expression in precondition.expressions]
        if isinstance(precondition, Within):
            first, width, extent = numbers
            return (width > 0) & ((first < 0) | (first + width > extent))
        broken = numbers[0] != numbers[1]
        return broken & (numbers[2] > 1) if len(numbers) > 2 else broken

    def _first_affine(self, precondition: Precondition, last: int) -> int | None:
        """A demand holds in a range of work-groups, so its ends are enough to check."""
        if self._violates(precondition, 0):
            return 0
        if not self._violates(precondition, last):
            return None
        good, bad = 0, last
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (good, middle) if self._violates(precondition, middle) else (middle, bad)
        return bad

    def _first_of_all(self, precondition: Precondition) -> int | None:
        import numpy as np  # not before a launch

        broken = np.flatnonzero(np.broadcast_to(self._violates(precondition, np.arange(self.groups)), (self.groups,)))
        return int(broken[0]) if broken.size else None

    # In loops.

    def _first_in_loops(self, precondition: Precondition) -> int | None:
        ends, is_uniform = _ends_of(precondition)
        degree = 0 if is_uniform else self._degree_in_loops(precondition)
        if degree < 2:
            looked_at = (0, self.groups - 1) if degree else (0,)
            return next((group for group in looked_at if self._violated_in_loops(precondition, ends, group)), None)
        import numpy as np

        groups = np.arange(self.groups)
        if self.groups > MAX_LOOPED_GROUPS:
            half = MAX_LOOPED_GROUPS // 2
            groups = np.concatenate([np.arange(half), np.arange(self.groups - half, self.groups)])
        broken = np.flatnonzero(np.broadcast_to(self._violated_in_loops(precondition, ends, groups), groups.shape))
        if not broken.size:
            return None
        self._violated_in_loops(
            precondition, ends, group := int(groups[broken[0]])
        )  # its numbers are those of the message
        return group

    def _degree_in_loops(self, precondition: Precondition) -> int:
        for loop in precondition.loops:
            self._degrees[loop.number] = max(map(self.degree, loop.bounds))
        return max(map(self.degree, _all_of(precondition)))

    def _violated_in_loops(self, precondition: Precondition, ends: Sequence[int], group: Any) -> Any:
        """Whether a demand does not hold in an iteration at the ends of its loops, which is executed."""
        broken: Any = False
        for choice in product(*map(range, ends)):
            try:
                is_executed = self._go_to(precondition.loops, choice, group)
                if is_executed is not False:
                    broken = broken | (is_executed & self._violates(precondition, group))
            except _Unknown:
                continue
            if broken is True:
                break
        return broken

    def _go_to(self, loops: Sequence[Loop], choice: Sequence[int], group: Any) -> Any:
        """Look at an iteration: by each loop's choice the first, the last, the second, or the last but one. Returns
        whether it is executed."""
        is_executed: Any = True
        for loop, position in zip(loops, choice):
            start, stop, step = (self.value(bound, group) for bound in loop.bounds)
            is_executed = is_executed & (start < stop)
            if is_executed is False or not _in(step, 1, 1 << 62):
                return False
            last = (stop - 1 - start) // step
            iteration = (0, last, 1 * (last > 0), last - (last > 0))[position]
            self._at[loop.number] = start + step * iteration
        return is_executed

    def items_of(self, precondition: Precondition) -> int | None:
        """How many work-groups divide a parameter's mode among them, from its beginning to its end, without gaps."""
        if (
            not isinstance(precondition, Within)
            or not precondition.is_parameter
            or precondition.guards
            or precondition.loops
        ):
            return None
        if any(e.kind == "group_size" for each in precondition.expressions for e in each.walk()):
            return None
        try:
            index, width, extent = precondition.expressions
            if self.degree(index) != 1 or self.degree(width) or self.degree(extent):
                return None
            first, second = self.value(index, 0), self.value(index, 1)
            taken, size = self.value(width, 0), self.value(extent, 0)
        except _Unknown:
            return None
        return size // taken if first == 0 and second == taken > 0 and size % taken == 0 else None

    def rounds(self, e: Expr | None) -> int | None:
        """The number of iterations, None where it is unknown."""
        try:
            return None if e is None or self.degree(e) else max(self.value(e, 0), 0)
        except _Unknown:
            return None

    def degree(self, e: Expr) -> int:
        """0 for an expression uniform across work-groups, 1 for an affine one of the number, 2 for others."""
        if e.kind == "group_id":
            return 1
        if e.kind == "loop":
            return self._degrees.get(e.parts[0], 0)
        if e.kind in ("item_size", "item_stride"):
            return 2 * bool(len(self._rows(e)) > 1 and self.degree(e.parts[2]))
        degrees = [self.degree(operand) for operand in e.operands()]
        if not any(degrees):
            return 0
        if e.kind in ("add", "sub"):
            return max(degrees)
        return max(degrees) if e.kind == "mul" and 0 in degrees else 2

    def value(self, e: Expr, group: Any) -> Any:
        """The number; an array of numbers where `group` is one."""
        if e.kind == "constant":
            return e.parts[0]
        if e.kind == "group_id":
            return group
        if e.kind == "group_size":
            return self.groups
        if e.kind == "loop":
            return self._at[e.parts[0]]
        if e.kind == "number":
            number = self.arguments[e.parts[0]]
            if not isinstance(number, int):
                raise _Unknown
            return number
        if e.kind in ("item_size", "item_stride"):
            return self._of_item(e, group)
        if e.kind in ("count", "size", "stride"):
            argument = self.arguments[e.parts[0]]
            if isinstance(argument, GroupArgument):
                return argument.count
            assert isinstance(argument, MemrefArgument)
            return (argument.shape if e.kind == "size" else argument.strides)[e.parts[1]]
        return self._computed(e, *(self.value(operand, group) for operand in e.operands()))

    def _rows(self, e: Expr) -> Sequence[tuple[int, ...]]:
        """Sizes or strides of the items of a group, one row where they are equal."""
        argument = self.arguments[e.parts[0]]
        assert isinstance(argument, GroupArgument)
        return argument.shapes if e.kind == "item_size" else argument.strides

    def _of_item(self, e: Expr, group: Any) -> Any:
        position, mode, index = e.parts
        rows, count = self._rows(e), self.arguments[position].count
        item = self.value(index, group)
        if not rows or not _in(item, 0, count - 1):
            raise _Unknown  # an index out of bounds is reported separately
        if len(rows) == 1 or isinstance(item, int):
            return rows[item if len(rows) > 1 else 0][mode]
        key = (e.kind, position, mode)
        if key not in self._columns:
            import numpy as np

            self._columns[key] = np.array([row[mode] for row in rows], np.int64)
        return self._columns[key][item]

    def _computed(self, e: Expr, a: Any, b: Any) -> Any:
        arrays = not (isinstance(a, int) and isinstance(b, int))
        if arrays and not (_in(a, -_SAFE, _SAFE) and _in(b, -_SAFE, _SAFE)):
            raise _Unknown
        if e.kind in ("div", "rem") and not (_in(b, 1, 1 << 62) and _in(a, 0, 1 << 62)):
            raise _Unknown  # for numbers that are not negative, // truncates
        result = _OPERATIONS[e.kind](a, b)
        if not _in(result, -(1 << (e.bits - 1)), (1 << (e.bits - 1)) - 1):
            raise _Unknown
        return result


def _smaller(a: Any, b: Any) -> Any:
    return a * (a < b) + b * (a >= b)


_OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a // b,
    "rem": lambda a, b: a % b,
    "min": _smaller,
    "max": lambda a, b: a + b - _smaller(a, b),
}


def _in(number: Any, minimum: int, maximum: int) -> bool:
    """Whether a number, or each of an array, lies between two others."""
    if isinstance(number, int):
        return minimum <= number <= maximum
    return number.size == 0 or (int(number.min()) >= minimum and int(number.max()) <= maximum)
