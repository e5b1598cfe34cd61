"""Checks that a launch stays in the memory of its arguments, as far as that is known when they are bound.

`passes/demands.py` finds what a kernel demands of indices and sizes in what every work-group executes; here that is
looked at with the arguments of a launch and its number of work-groups. What cannot be computed is not refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..backends import rules
from ..backends.base import Argument, GroupArgument, MemrefArgument
from ..diagnostics import Diagnostics, Label, LaunchError, Location, Rule
from ..ir.values import Function
from ..passes.demands import GROUP_ID, Demand, Expr, Within, demands_of, rounds_of

MOST_LOOKED_AT = 1 << 22
"""Work-groups that are checked one by one, where an index is not an affine expression of the work-group's number."""
_SAFE = 1 << 31
"""Numbers below this in magnitude do not overflow 64 bits when two of them are multiplied."""


class Bounds:
    """The demands of one kernel."""

    def __init__(self, function: Function) -> None:
        self.name = function.name
        told = demands_of(function)
        self._demands = {demand: place for demand, place in told.items() if not _is_view_alone(demand)}
        self._telling = list(told)
        """Those that may tell the number of work-groups."""
        self._rounds = rounds_of(function)
        varies = {demand: any(e.varies for e in _all_of(demand)) for demand in self._demands}
        self._varying = [demand for demand, whether in varies.items() if whether]
        read = {part for demand in self._varying for part in _numbers_of(demand)}
        self.numbers = tuple(sorted(read))
        """The places of the numbers among the arguments on which `still_hold` depends, beside the layouts."""
        self.is_limit = any(e.depends_on_group for demand in self._demands for e in demand.expressions)
        """Whether more work-groups than were checked may reach further."""

    @property
    def is_by_value(self) -> bool:
        """Whether launches with equal layouts have to be checked each time, since the demands depend on numbers."""
        return bool(self._varying) or (self._rounds is not None and self._rounds.varies)

    def check(self, arguments: Sequence[Argument], groups: int, place: Callable[[], Location | None]) -> None:
        """Raise a LaunchError for all accesses out of bounds and all sizes that do not fit."""
        problems = Diagnostics()
        told = set()
        facts = _Facts(arguments, groups)
        for demand, location in self._demands.items():
            group = facts.first_broken(demand)
            if group is None:
                continue
            what = (demand.tensor, demand.mode) if isinstance(demand, Within) else (demand.names, location)
            if what not in told:
                told.add(what)
                rule, message, help = self._told(demand, facts, group)
                labels = [Label(location, "the instruction")] if location is not None else []
                problems.report(rule, message, place(), help, labels)
        if problems.found:
            raise LaunchError(problems.found)

    def still_hold(self, arguments: Sequence[Argument], groups: int) -> bool:
        """Whether the demands that depend on numbers hold; the rest was checked for an earlier launch."""
        facts = _Facts(arguments, groups)
        return all(facts.first_broken(demand) is None for demand in self._varying)

    def groups_for(self, arguments: Sequence[Argument], place: Callable[[], Location | None]) -> int:
        """The number of work-groups from the arguments: the iterations that they divide among them, the items of a
        group, or the size of a mode that they index."""
        facts = _Facts(arguments, 2)
        rounds = facts.rounds(self._rounds)
        if rounds is not None:
            return rounds
        found: dict[int, Within] = {}
        for demand in self._telling:
            count = facts.items_of(demand)
            if count is not None:
                found.setdefault(count, demand)  # type: ignore[arg-type]
        if len(found) == 1:
            return next(iter(found))
        if found:
            parts = [f"{_what(demand)} needs {count}" for count, demand in found.items()]
            message = f"the arguments do not agree on the number of work-groups: {', '.join(parts)}"
            help = f"write {self.name}[n](…) with the number, or pass arguments of one length"
        else:
            near = [d for d in self._telling if isinstance(d, Within) and d.index.depends_on_group]
            message = f"the number of work-groups of {self.name} is unknown: "
            message += "no argument is indexed by group_id() in what every work-group executes"
            if near:
                message = f"the number of work-groups of {self.name} is unknown: {_what(near[0])} is indexed by an "
                message += "expression of group_id() that does not say where the last one ends"
            help = f"write {self.name}[n](…) with the number of work-groups"
        raise LaunchError.single(rules.INFERRED, message, place(), help)

    def _told(self, demand: Demand, facts: _Facts, group: int) -> tuple[Rule, str, str]:
        if not isinstance(demand, Within):
            left, right = facts.value(demand.left, group), facts.value(demand.right, group)
            message = f"{demand.instruction}: {demand.names[0]} is {left}, but {demand.names[1]} is {right}"
            return rules.SIZES, message + _of_group(demand, group, facts), "pass arrays whose sizes agree"
        first, width, extent = (facts.value(e, group) for e in demand.expressions)
        taken = f"takes {'item' if demand.mode is None else 'index'} {first}"
        if width > 1:
            taken = f"takes the elements {first} to {first + width - 1}"
        if demand.mode is None:
            has = f"{demand.tensor} has {extent} item{'s' if extent != 1 else ''}"
        else:
            has = f"mode {demand.mode} of {demand.tensor} has size {extent}"
        if not any(e.depends_on_group for e in demand.expressions):
            return rules.OUTSIDE, f"{has}, but {self.name} {taken}", "pass a longer array, or another number"
        message = f"{has}, but of {facts.groups} work-groups number {group} {taken}"
        fitting = f"write {self.name}[{group}](…), " if group else ""
        return rules.OUTSIDE, message, f"{fitting}{'or ' if group else ''}pass more, one for each work-group"


def _is_view_alone(demand: Demand) -> bool:
    return isinstance(demand, Within) and demand.is_view_alone


def _all_of(demand: Demand) -> list[Expr]:
    return [*demand.expressions, *(bound for guard in demand.guards for bound in guard)]


def _numbers_of(demand: Demand) -> set[int]:
    """The places of the numbers that a demand reads."""
    inner = (each for e in _all_of(demand) for each in e.walk())
    return {each.parts[0] for each in inner if each.kind == "number"}


def _of_group(demand: Demand, group: int, facts: _Facts) -> str:
    return f" in work-group {group}" if any(facts.degree(e) for e in demand.expressions) else ""


def _what(demand: Within) -> str:
    return demand.tensor if demand.mode is None else f"mode {demand.mode} of {demand.tensor}"


class _Unknown(Exception):
    """A number that is unknown at launch, or that overflows."""


class _Facts:
    """The arguments of a launch, and the values of expressions. A group is a number, or an array of numbers."""

    def __init__(self, arguments: Sequence[Argument], groups: int) -> None:
        self.arguments = arguments
        self.groups = groups
        self._columns: dict[Any, Any] = {}

    def first_broken(self, demand: Demand) -> int | None:
        """The first work-group in which a demand does not hold; None where it holds, or where that is unknown."""
        if self.groups == 0:
            return None
        try:
            if not self._is_executed(demand):
                return None
            degree = max(map(self.degree, demand.expressions))
            if isinstance(demand, Within) and self.degree(demand.width):
                degree = 2
            last = self.groups - 1
            if degree == 0 or last == 0:
                return 0 if self._breaks(demand, 0) else None
            if degree == 1:
                return self._first_affine(demand, last)
            return self._first_of_all(demand) if self.groups <= MOST_LOOKED_AT else None
        except _Unknown:
            return None

    def _is_executed(self, demand: Demand) -> bool:
        for start, stop in demand.guards:
            if start == GROUP_ID and not self.degree(stop) and self.value(stop, 0) > 0:
                continue  # the first work-group executes it
            if self.degree(start) or self.degree(stop) or self.value(start, 0) >= self.value(stop, 0):
                return False
        return True

    def _breaks(self, demand: Demand, group: Any) -> Any:
        numbers = [self.value(expression, group) for expression in demand.expressions]
        if isinstance(demand, Within):
            first, width, extent = numbers
            return (width > 0) & ((first < 0) | (first + width > extent))
        broken = numbers[0] != numbers[1]
        return broken & (numbers[2] > 1) if len(numbers) > 2 else broken

    def _first_affine(self, demand: Demand, last: int) -> int | None:
        """A demand holds in a range of work-groups, so its ends are enough to check."""
        if self._breaks(demand, 0):
            return 0
        if not self._breaks(demand, last):
            return None
        good, bad = 0, last
        while bad - good > 1:
            middle = (good + bad) // 2
            good, bad = (good, middle) if self._breaks(demand, middle) else (middle, bad)
        return bad

    def _first_of_all(self, demand: Demand) -> int | None:
        import numpy as np  # not before a launch

        broken = np.flatnonzero(np.broadcast_to(self._breaks(demand, np.arange(self.groups)), (self.groups,)))
        return int(broken[0]) if broken.size else None

    def items_of(self, demand: Demand) -> int | None:
        """How many work-groups divide a parameter's mode among them, from its beginning to its end, without gaps."""
        if not isinstance(demand, Within) or not demand.is_parameter or demand.guards:
            return None
        if any(e.kind == "group_size" for each in demand.expressions for e in each.walk()):
            return None
        try:
            index, width, extent = demand.expressions
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
        place, mode, index = e.parts
        rows, count = self._rows(e), self.arguments[place].count
        item = self.value(index, group)
        if not rows or not _in(item, 0, count - 1):
            raise _Unknown  # an index out of bounds is reported separately
        if len(rows) == 1 or isinstance(item, int):
            return rows[item if len(rows) > 1 else 0][mode]
        key = (e.kind, place, mode)
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


def _in(number: Any, least: int, most: int) -> bool:
    """Whether a number, or each of an array, lies between two others."""
    if isinstance(number, int):
        return least <= number <= most
    return number.size == 0 or (int(number.min()) >= least and int(number.max()) <= most)
