"""The fast path of repeated launches: arguments like ones that were checked before are not checked again.

A launch is known by its *key*: for each array its data type, shape, strides, queue and whether it is writable, for
each number its type. What was decided for a key is kept in a *plan*: the queue, the lowered function, how arguments
are laid out. A launch with the same key passes on the addresses of its arrays and its numbers, once it has looked
at the rest: whether the memory is aligned, and whether the numbers fit. Lists of arrays and unknown
kinds of arrays have no key: they are checked in full each time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..backends.base import Argument, ArrayView, Backend, GroupArgument, Lowered, MemrefArgument
from .aliasing import Reach, may_overlap
from .arrays.arguments import bind
from .arrays.arrays import turned_array
from .arrays.groups import ArrayGroup
from .arrays.parameters import Parameter
from .arrays.scalars import ALL, PLAIN, python_number, unchecked_range
from .bounds import Bounds

MOST_PLANS = 256
"""The largest number of plans of a kernel; launches with ever new shapes don't use ever more memory."""

MOST_CHECKED = 64
"""Of a plan, the numbers and numbers of work-groups that are remembered to stay in bounds."""

Reader = Callable[[Any], tuple[Any, Any]]
"""Reads a kind of argument: its part of the key, and its address or number."""


def _number(value: Any) -> tuple[Any, Any]:
    return type(value), value


def _numpy_number(value: Any) -> tuple[Any, Any]:
    return _number(python_number(value))


def _numpy_array(array: Any) -> tuple[Any, Any]:
    address = array.__array_interface__["data"][0]
    return (array.dtype, array.shape, array.strides, array.flags.writeable), address


def _device_array(array: Any) -> tuple[Any, Any]:
    return (array.dtype, array.shape, array.strides, array.flags.writable, array.sycl_queue), array._pointer


def _dpnp_array(array: Any) -> tuple[Any, Any]:
    return _device_array(array.get_array())


def _array_group(group: Any) -> tuple[Any, Any]:
    return group.key, group.address


_readers: dict[type, Reader] = {**dict.fromkeys(PLAIN, _number), ArrayGroup: _array_group}
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


def key_of(given: Sequence[Any]) -> tuple[tuple[Any, ...], list[Any]] | None:
    """The key of a launch, equal for launches with the same plan; None where there is no plan.

    The second item has the values that may differ: addresses and numbers.
    """
    key: list[Any] = []
    values: list[Any] = []
    for argument in given:
        reader = _readers.get(type(argument)) or _find_reader(type(argument))
        if reader is None:
            return None
        part, value = reader(argument)
        key.append(part)
        values.append(value)
    return tuple(key), values


def has_plan(key: Sequence[Any], arguments: Sequence[Argument]) -> bool:
    """Whether launches of a key differ only in the values beside the key: arrays may be passed for numbers."""
    return all(
        (isinstance(argument, GroupArgument) and len(argument.views) > 0)
        or isinstance(argument, MemrefArgument)
        or part in PLAIN
        for part, argument in zip(key, arguments)
    )


class Plan:
    """The decisions for launches of one key."""

    def __init__(
        self,
        backend: Backend,
        lowered: Lowered,
        options: dict[str, Any],
        queue: Any,
        parameters: Sequence[Parameter],
        arguments: Sequence[Argument],
        values: Sequence[Any],
        most_groups: float,
        reaches: Sequence[Reach],
        bounds: Bounds,
    ) -> None:
        self.most_groups = most_groups
        """Work-groups that the arguments were found to be long enough for, or that are launched at once."""
        self.told_groups: int | None = None
        """The work-groups of kernel[...]; None where they have to be determined each time."""
        self._bounds = bounds if bounds.is_by_value else None
        self._checked: set[tuple[Any, ...]] = set()
        """Numbers of work-groups, with the numbers that bounds depend on, with which launches stay in bounds."""
        self._reaches = reaches
        self._backend = backend
        self._lowered = lowered
        self._options = options
        self._queue = queue
        # a plan must not keep the arrays of its first launch alive
        self._templates = [_without_array(argument) for argument in arguments]
        self._modes = [parameter.modes for parameter in parameters]
        self._alignments: list[tuple[int, int]] = []
        self._checks: list[tuple[int, Callable[[Any], Any]]] = []
        for position, (parameter, argument) in enumerate(zip(parameters, arguments)):
            if isinstance(argument, MemrefArgument):
                self._alignments.append((position, _alignment(parameter, argument.view)))
            elif isinstance(argument, GroupArgument):
                self._alignments.append((position, _alignment(parameter, argument.views[0])))
            else:
                check = _number_check(parameter, values[position])
                if check is not None:
                    self._checks.append((position, check))
        self._repeat = backend.repeat(lowered, self._templates, options, queue)

    def launch(
        self, given: Sequence[Any], values: list[Any], groups: int, depends: Sequence[Any], wait: bool
    ) -> tuple[bool, Any]:
        """Launch with other arrays and numbers. Returns False where one of them has to be checked, and the event."""
        for position, alignment in self._alignments:
            if values[position] % alignment:
                return False, None
        if self._reaches and may_overlap(self._reaches, values):
            return False, None
        for position, check in self._checks:
            number = check(values[position])
            if number is None:
                return False, None
            values[position] = number
        if self._bounds is not None and not self._stays_in(self._bounds, values, groups):
            return False, None
        if self._repeat is not None:
            return True, self._repeat(given, values, groups, depends, wait)
        arguments = [_with_array(*filled) for filled in zip(self._templates, given, values, self._modes)]
        event = self._backend.launch(self._lowered, arguments, groups, self._options, self._queue, depends, wait)
        return True, event

    def _stays_in(self, bounds: Bounds, values: Sequence[Any], groups: int) -> bool:
        """Whether a launch stays in bounds; their layouts are those of the plan."""
        told = (groups, *(values[place] for place in bounds.numbers))
        if told in self._checked:
            return True
        if not bounds.still_hold(self._arguments(values), groups):
            return False
        if len(self._checked) >= MOST_CHECKED:
            self._checked.clear()
        self._checked.add(told)
        return True

    def bound(self, given: Sequence[Any], values: Sequence[Any], groups: int) -> Callable[[], Any]:
        """Launches with these very arguments, which wait. The plan is used for nothing else then."""
        make = getattr(self._repeat, "bound", None)
        if make is not None:
            launch_again: Callable[[], Any] = make(given, values, groups)
            return launch_again
        arguments = [_with_array(*filled) for filled in zip(self._templates, given, values, self._modes)]
        launch, lowered, options, queue = self._backend.launch, self._lowered, self._options, self._queue
        return lambda: launch(lowered, arguments, groups, options, queue)

    def _arguments(self, values: Sequence[Any]) -> list[Argument]:
        """The arguments with these numbers, without arrays."""
        return [
            template if isinstance(template, (MemrefArgument, GroupArgument)) else value
            for template, value in zip(self._templates, values)
        ]


def _without_array(argument: Argument) -> Argument:
    if isinstance(argument, MemrefArgument):
        return replace(argument, view=replace(argument.view, array=None, address=0))
    if isinstance(argument, GroupArgument):
        return replace(argument, views=[replace(argument.views[0], array=None, address=0)])
    return argument


def _with_array(template: Argument, given: Any, value: Any, modes: Sequence[int] | None) -> Argument:
    if not isinstance(template, (MemrefArgument, GroupArgument)):
        return value
    if isinstance(given, ArrayGroup):
        assert isinstance(template, GroupArgument)
        return replace(template, views=given.views)
    array = given.get_array() if hasattr(given, "get_array") else given
    if isinstance(template, MemrefArgument):
        array = array if modes is None else turned_array(array, modes)
        return replace(template, view=replace(template.view, array=array, address=value))
    return replace(template, views=[replace(template.views[0], array=array, address=value)])


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
        argument = bind(parameter, number, lambda *finding: problems.append(finding))
        return None if problems else argument

    if range_ is None:
        return bound
    least, most = range_
    return lambda number: number if least <= number <= most else bound(number)
