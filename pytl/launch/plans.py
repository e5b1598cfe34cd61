"""The fast path of repeated launches: arguments like ones that were checked before are not checked again.

The *shape* of a call is, for each array, its data type, shape, strides, queue and whether it is writable, and for each
number its type. A *plan* is an executable for calls of one shape, with its *guards*: what must hold of the rest, so
that the executable may be used again. A call of the same shape passes on the addresses of its arrays and its numbers,
where the guards hold. Lists of arrays and unknown kinds of arrays have no shape: such calls are checked in full.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
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
from .arrays.groups import ArrayGroup, numpy_address
from .arrays.parameters import Parameter
from .arrays.scalars import ALL, PLAIN, python_number, unchecked_range
from .binding import BoundArguments
from .bounds import Bounds
from .executables import Executable

MAX_CHECKED = 64
"""Of a plan, the numbers and numbers of work-groups that are remembered to stay in bounds."""

Reader = Callable[[Any], tuple[Any, Any]]
"""Reads a kind of argument: its part of the shape, and its address or number."""


def _number(value: Any) -> tuple[Any, Any]:
    return type(value), value


def _numpy_number(value: Any) -> tuple[Any, Any]:
    return _number(python_number(value))


def _numpy_array(array: Any) -> tuple[Any, Any]:
    return (array.dtype, array.shape, array.strides, array.flags.writeable), numpy_address(array)


def _device_array(array: Any) -> tuple[Any, Any]:
    return (array.dtype, array.shape, array.strides, array.flags.writable, array.sycl_queue), array._pointer


def _dpnp_array(array: Any) -> tuple[Any, Any]:
    return _device_array(array.get_array())


def _array_group(group: Any) -> tuple[Any, Any]:
    return group.key, group.address


_readers: dict[type, Reader] = {
    **dict.fromkeys(PLAIN, _number),
    type(None): _number,
    ArrayGroup: _array_group,
}
"""How to read the kinds of arguments that have come so far."""


def _find_reader(kind: type) -> Reader | None:
    """The reader of a kind of argument, None where launches are checked in full."""
    # another thread may be in the middle of importing them
    for module, name, reader in (
        ("numpy", "ndarray", _numpy_array),
        ("dpctl.tensor", "usm_ndarray", _device_array),
        ("dpnp.tensor", "usm_ndarray", _device_array),
        ("dpnp", "ndarray", _dpnp_array),
    ):
        if kind is getattr(sys.modules.get(module), name, None):
            return _readers.setdefault(kind, reader)
    if issubclass(kind, getattr(sys.modules.get("numpy"), "generic", ())):
        return _readers.setdefault(kind, _numpy_number)
    return None


def shape_of(arguments: Sequence[Any]) -> tuple[Sequence[Hashable], list[Any]] | None:
    """The shape of a call, equal for calls with the same plan; None where there is no plan.

    The second item has the values that may differ: addresses and numbers.
    """
    shape: list[Any] = []
    values: list[Any] = []
    for argument in arguments:
        reader = _readers.get(type(argument)) or _find_reader(type(argument))
        if reader is None:
            return None
        part, value = reader(argument)
        shape.append(part)
        values.append(value)
    return tuple(shape), values


def has_plan(shape: Sequence[Hashable], arguments: Sequence[Argument]) -> bool:
    """Whether calls of a shape differ only in the values beside the shape: arrays may be passed for numbers."""
    return all(
        (isinstance(argument, GroupArgument) and len(argument.views) > 0)
        or isinstance(argument, MemrefArgument)
        or part in PLAIN
        for part, argument in zip(shape, arguments)
    )


class Guards:
    """What must hold of addresses, numbers and the number of work-groups, where layouts are those of a plan."""

    def __init__(self, bound: BoundArguments, values: Sequence[Any], bounds: Bounds) -> None:
        """`values` has the address or number of each argument, numbers of the type in which users pass them."""
        signature = bound.specialization.signature
        max_groups = bound.backend.max_groups(signature.function)
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

    def hold(self, values: list[Any], groups: int) -> bool:
        """Whether they hold; numbers among the values become those of the parameters' types."""
        if groups > self.max_groups:
            return False
        for position, alignment in self._alignments:
            if values[position] % alignment:
                return False
        if self._memory_ranges and may_overlap(self._memory_ranges, values):
            return False
        for position, check in self._ranges:
            number = check(values[position])
            if number is None:
                return False
            values[position] = number
        return self._bounds is None or self._stays_in(self._bounds, values, groups)

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


class Plan:
    """An executable for calls of one shape, with its guards."""

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
        self.guards = Guards(bound, values, bounds)
        self.groups = bound.groups if tells_groups and not bounds.is_by_value else None
        """The work-groups of `kernel[...]`; None where they have to be found each time."""
        self._specialization = specialization if is_of_call and not specialization.is_plain else None
        self._executable = executable
        self._arguments = self.guards.arguments
        self._modes = [parameter.modes for parameter in specialization.signature.parameters]
        self._repeat = executable.backend.repeat(
            executable.lowered, self._arguments, executable.options, executable.queue
        )

    def launch(
        self, arguments: Sequence[Any], values: list[Any], groups: int | None, depends: Sequence[Any], wait: bool
    ) -> tuple[bool, Any]:
        """Launch with other arrays and numbers. Returns False where a guard does not hold, and the event."""
        if groups is None:
            groups = self.groups
            if groups is None:
                return False, None
        if self._specialization is not None:
            arguments = self._specialization.of_call(arguments, groups)
            values = self._specialization.of_call(values, groups)
            groups = self._specialization.groups_of(groups)
        if not self.guards.hold(values, groups):
            return False, None
        if self._repeat is not None:
            return True, self._repeat(arguments, values, groups, depends, wait)
        return True, self._executable.submit(self._filled(arguments, values), groups, depends, wait)

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
