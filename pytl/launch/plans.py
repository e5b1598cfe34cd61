"""The fast path of repeated launches: arguments like ones that were checked before are not checked again.

A *plan* is an executable for calls of one shape (`shapes.py`), with its *guards*: what must hold of addresses and
numbers, so that the executable may be used again. A call of the same shape passes on the addresses of its arrays and
its numbers, where the guards hold. Those of the launch before hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import copysign
from typing import Any

from ..backends.base import Argument, ArrayView, GroupArgument, MemrefArgument
from .aliasing import (
    MemoryRange,
    are_apart,
    may_overlap,
    memory_ranges,
    ranges_apart,
    whole_memory_ranges,
)
from .arrays.arguments import argument_of
from .arrays.arrays import permuted_array
from .arrays.groups import ArrayGroup
from .arrays.parameters import Parameter
from .arrays.scalars import ALL, unchecked_range
from .binding import BoundArguments
from .bounds import Bounds
from .executables import Executable
from .launches import UNHELD
from .shapes import is_number

MAX_CHECKED = 64
"""Of a plan, the numbers and numbers of work-groups that are remembered to stay in bounds."""


def has_plan(passed: Sequence[Any], arguments: Sequence[Argument]) -> bool:
    """Whether calls of a shape differ only in the values beside the shape: arrays may be passed for numbers."""
    return all(
        (isinstance(argument, GroupArgument) and len(argument.views) > 0)
        or isinstance(argument, MemrefArgument)
        or is_number(each)
        for each, argument in zip(passed, arguments)
    )


MAX_SAME = 16
"""Launches in a row that pass the same, after which further ones may be executed by what the backend has for them."""


class Guards:
    """What must hold of addresses, numbers and the number of work-groups, where layouts are those of a plan."""

    def __init__(
        self, bound: BoundArguments, values: Sequence[Any], bounds: Bounds, options: Mapping[str, Any]
    ) -> None:
        """`values` has the address or number of each argument, numbers of the type in which users pass them."""
        signature = bound.specialization.signature
        max_groups = bound.backend.max_groups(signature.function, options)
        self.max_groups = min(max_groups, bound.groups or 0) if bounds.is_limit else max_groups
        """Work-groups that the arguments were found to be long enough for, or that are launched at once."""
        self._bounds = bounds if bounds.is_by_value else None
        self.in_bounds: set[tuple[Any, ...]] = set()
        """Numbers of work-groups, with the numbers that bounds depend on, with which launches stay in bounds."""
        # a plan must not keep the arrays of its first launch alive
        self.arguments = arguments = [_without_array(argument) for argument in bound.arguments]
        apart = signature.products
        self._memory_ranges: Sequence[MemoryRange] = (
            *memory_ranges(signature.apart, arguments),
            *whole_memory_ranges(signature.matrices, arguments),
            *(ranges_apart(apart, arguments) if are_apart(apart, bound.arguments) else ()),
        )
        self._alignments: list[tuple[int, int]] = []
        self._ranges: list[tuple[int, Callable[[Any], Any]]] = []
        for position, (parameter, argument) in enumerate(zip(signature.parameters, bound.arguments)):
            if isinstance(argument, MemrefArgument):
                self._alignments.append((position, _alignment(parameter, argument.view)))
            elif isinstance(argument, GroupArgument):
                self._alignments.append((position, _alignment(parameter, argument.views[0])))
            else:
                check = _number_check(parameter, values[position])
                if check is not None:
                    self._ranges.append((position, check))

    def held(self, values: Sequence[Any], groups: int) -> list[Any] | None:
        """The addresses, and the numbers as those of the parameters' types; None where a guard does not hold."""
        if groups > self.max_groups:
            return None
        for position, alignment in self._alignments:
            if values[position] % alignment:
                return None
        if self._memory_ranges and may_overlap(self._memory_ranges, values):
            return None
        held = list(values)
        for position, check in self._ranges:
            number = check(values[position])
            if number is None:
                return None
            held[position] = number
        return held if self._bounds is None or self._stays_in(self._bounds, held, groups) else None

    def _stays_in(self, bounds: Bounds, values: Sequence[Any], groups: int) -> bool:
        key = (groups, *(values[position] for position in bounds.numbers))
        if key in self.in_bounds:
            return True
        arguments = [
            argument if isinstance(argument, (MemrefArgument, GroupArgument)) else value
            for argument, value in zip(self.arguments, values)
        ]
        if not bounds.hold_for(arguments, groups):
            return False
        if len(self.in_bounds) >= MAX_CHECKED:
            self.in_bounds.clear()
        self.in_bounds.add(key)
        return True


class Passed:
    """What a launch has passed, and what its backend got for it."""

    def __init__(self, values: list[Any], groups: int | None) -> None:
        """Addresses and numbers of the arguments, and the number of work-groups in the brackets."""
        self._values, self._groups = values, groups
        self._signs = [
            (n, copysign(1.0, value)) for n, value in enumerate(values) if type(value) is float and not value
        ]
        """The zeros, those of either sign being equal; complex numbers are never taken for the same."""
        self._is_real = not any(type(value) is complex for value in values)
        self.grid: int = 0
        """The number of work-groups."""
        self.launched: int = 0
        """That of the specialization."""
        self.values: list[Any] = []
        """Addresses and numbers of the specialization."""

    def is_again(self, values: list[Any], groups: int | None) -> bool:
        """Whether another call passes the same."""
        if values != self._values or not self._is_real:
            return False
        if groups is not self._groups and (type(groups) is not int or groups != self._groups):
            return False
        return not self._signs or all(copysign(1.0, values[n]) == sign for n, sign in self._signs)


class Plan:
    """An executable for calls of one shape, with its guards."""

    key: Any = None
    """What launches find it by, where they do."""

    def __init__(
        self,
        executable: Executable,
        bound: BoundArguments,
        values: Sequence[Any],
        bounds: Bounds,
        *,
        is_of_call: bool = True,
        tells_groups: bool = False,
    ) -> None:
        """`values` is what `Guards` takes.

        `is_of_call` says whether launches have the arguments of the call, and not those of its specialization;
        `tells_groups`, whether the arguments told the number of work-groups.
        """
        specialization = bound.specialization
        self.guards = Guards(bound, values, bounds, executable.options)
        self.groups = bound.groups if tells_groups and not bounds.is_by_value else None
        """The work-groups of `kernel[...]`; None where they have to be found each time."""
        self._specialization = specialization if is_of_call and not specialization.is_plain else None
        self._executable = executable
        self._arguments = self.guards.arguments
        self._modes = [parameter.modes for parameter in specialization.signature.parameters]
        self._repeat = executable.backend.repeat(
            executable.lowered, self._arguments, executable.options, executable.queue
        )
        self._latest: Passed | None = None
        self._same = 0
        """Launches that passed the same, since one was last looked for what launches again."""
        self.again: tuple[int | None, Callable[[Sequence[Any]], bool]] | None = None
        """The number of work-groups in the brackets, and what launches again where a call passes the same."""

    def launch(
        self, arguments: Sequence[Any], values: list[Any], groups: int | None, depends: Sequence[Any], wait: bool
    ) -> Any:
        """Launch with other arrays and numbers. Returns the event, or UNHELD where a guard does not hold."""
        passed, of_call, is_again = self._latest, arguments, True
        if passed is None or not passed.is_again(values, groups):
            self.again, is_again = None, False
            passed = self._checked(values, groups)
            if passed is None:
                return UNHELD
        if self._specialization is not None:
            arguments = self._specialization.of_call(arguments, passed.grid)
        if is_again and wait:
            self._note_same(arguments, passed, groups, of_call)
        if self._repeat is not None:
            return self._repeat(arguments, passed.values, passed.launched, depends, wait)
        return self._executable.submit(self._filled(arguments, passed.values), passed.launched, depends, wait)

    def _note_same(self, arguments: Sequence[Any], passed: Passed, groups: int | None, of_call: Sequence[Any]) -> None:
        """Note that a call passes what the last one did, and look sometimes for what launches again."""
        self._same += 1
        if self._same < MAX_SAME:
            return
        self._same = 0
        make = getattr(self._repeat, "again", None)
        launch = None if make is None else make(arguments, passed.values, passed.launched, of_call)
        self.again = None if launch is None else (groups, launch)

    def _checked(self, values: list[Any], groups: int | None) -> Passed | None:
        """What the backend gets for what a call passes, which is kept; None where a guard does not hold."""
        grid = self.groups if groups is None else groups
        if grid is None:
            return None
        passed, launched, of_call = Passed(values, groups), grid, values
        if self._specialization is not None:
            of_call, launched = self._specialization.of_call(values, grid), self._specialization.groups_of(grid)
        held = self.guards.held(of_call, launched)
        if held is None:
            return None
        passed.grid, passed.launched, passed.values = grid, launched, held
        self._latest = passed
        return passed

    def bound(self, arguments: Sequence[Any], values: Sequence[Any], groups: int) -> Callable[[], Any]:
        """Launches with these very arguments, which wait. The plan is used for nothing else then."""
        make = getattr(self._repeat, "bound", None)
        if make is not None:
            launch_again: Callable[[], Any] = make(arguments, values, groups)
            return launch_again
        filled, executable = self._filled(arguments, values), self._executable
        return lambda: executable.submit(filled, groups)

    def _filled(self, arguments: Sequence[Any], values: Sequence[Any]) -> list[Argument]:
        return [_with_array(*each) for each in zip(self._arguments, arguments, values, self._modes)]


def _without_array(argument: Argument) -> Argument:
    if isinstance(argument, MemrefArgument):
        return replace(argument, view=replace(argument.view, array=None, address=0))
    if isinstance(argument, GroupArgument):
        return replace(argument, views=[replace(argument.views[0], array=None, address=0)])
    return argument


def _with_array(argument: Argument, passed: Any, value: Any, modes: Sequence[int] | None) -> Argument:
    if not isinstance(argument, (MemrefArgument, GroupArgument)):
        return value
    if isinstance(passed, ArrayGroup):
        assert isinstance(argument, GroupArgument)
        return replace(argument, views=passed.views)
    array = passed.get_array() if hasattr(passed, "get_array") else passed
    if isinstance(argument, MemrefArgument):
        array = array if modes is None else permuted_array(array, modes)
        return replace(argument, view=replace(argument.view, array=array, address=value))
    return replace(argument, views=[replace(argument.views[0], array=array, address=value)])


def _alignment(parameter: Parameter, view: ArrayView) -> int:
    return max(parameter.attributes.get("alignment", 1), view.array.dtype.alignment)


def _number_check(parameter: Parameter, value: Any) -> Callable[[Any], Argument | None] | None:
    """The check of further numbers of this type. It gives a number's argument, or None if an error must be reported.

    None if all numbers of the type fit unchanged.
    """
    range_ = unchecked_range(parameter.type, type(value), parameter.unsigned)
    if range_ is ALL:
        return None

    def bound(number: Any) -> Argument | None:
        problems: list[Any] = []
        argument = argument_of(parameter, number, lambda *finding: problems.append(finding))
        return None if problems else argument

    if range_ is None:
        return bound
    minimum, maximum = range_
    return lambda number: number if minimum <= number <= maximum else bound(number)
