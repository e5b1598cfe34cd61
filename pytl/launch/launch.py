"""From a call with the user's arguments to the backend: `kernel[n](…)` and `kernel[n].submit(…)`."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..backends import rules
from ..backends.base import Argument, Backend, Grid, GroupArgument, MemrefArgument
from ..devices.usm import shown_library
from ..diagnostics import Diagnostics, Label, LaunchError, Location, PlatformError, PytlError, Rule, call_site
from ..ir.values import Function
from ..passes.analysis.uses import written_roots
from .arrays.parameters import Parameter, what
from .arrays.typecheck import check_argument


def parameters_of(function: Function) -> list[Parameter]:
    """The information about a function's parameters that a launch needs."""
    written = written_roots(function)
    return [
        Parameter(value.name or f"argument {position + 1}", value.type, value.attributes, value in written)
        for position, value in enumerate(function.parameters)
    ]


MOST_GROUPS = 2**63 - 1
_MOST_READ = 2**128
"""Numbers up to here are shown in messages of backends, none of which launches as many work-groups."""


_MOST_ALONG = 2**20
"""So many work-groups along x, y and z are no more than 64 bits count."""


def _is_plain(groups: Any) -> bool:
    """Whether these are numbers along x, y and z with which nothing is wrong, as is usual."""
    if type(groups) is not tuple or not 2 <= len(groups) <= 3:
        return False
    return all(type(number) is int and 0 <= number <= _MOST_ALONG for number in groups)


def check_groups(groups: Any, place: Location | None = None) -> int:
    """The number of work-groups of a launch; of a tuple, in two or three dimensions."""
    if _is_plain(groups):
        return Grid(*groups) if math.prod(groups[1:]) != 1 else groups[0]
    if isinstance(groups, Grid):
        groups = groups.shape
    if isinstance(groups, tuple) and 1 <= len(groups) <= 3:
        numbers = [check_groups(number, place) for number in groups]
        if max(*numbers, math.prod(numbers)) > MOST_GROUPS:
            listed = " x ".join(str(number) if number <= MOST_GROUPS else "…" for number in numbers)
            message = f"{listed} work-groups are more than 64 bits count"
            raise LaunchError.single(rules.GROUPS, message, place or call_site(), "divide the launch")
        return Grid(*numbers) if math.prod(numbers[1:]) != 1 else numbers[0]
    try:
        # truth values and arrays of one number also pass as integers
        number = -1 if type(groups).__name__ in ("bool", "bool_", "ndarray") else operator.index(groups)
    except TypeError:
        number = -1
    if not 0 <= number <= _MOST_READ:
        shown: Any = groups if isinstance(groups, (bool, int, float)) else what(groups)
        if number > _MOST_READ:
            shown = "an integer of more than 128 bits"
        raise LaunchError.single(
            rules.GROUPS,
            f"the number of work-groups is {shown}",
            place or call_site(),
            "write kernel[n](…) with the number of work-groups, such as the number of batch items",
        )
    return number


def check_configuration(configuration: tuple[Any, ...]) -> tuple[Any, Mapping[str, Any]]:
    """What a launch's brackets contain: the number of work-groups, or those along x, y and z, and options."""
    if configuration and not isinstance(configuration[-1], Mapping):
        configuration = (configuration, {})
    elif len(configuration) > 2:
        configuration = (configuration[:-1], configuration[-1])
    if len(configuration) != 2 or (isinstance(configuration[0], tuple) and not 1 <= len(configuration[0]) <= 3):
        raise LaunchError.single(
            rules.GROUPS,
            f"the brackets contain {configuration!r}",
            call_site(),
            "write kernel[n](…) or kernel[x, y, z](…), or with options of the backend "
            'kernel[n, {"strategy": "one-item"}](…)',
        )
    return configuration


def check_dependencies(queue: Any, depends: Sequence[Any]) -> None:
    """Check that `queue=` and `depends=` of submit are a queue and events; dpctl would accept other objects."""
    dpctl = sys.modules.get("dpctl")  # where it is not loaded there are none
    if queue is not None and not isinstance(queue, getattr(dpctl, "SyclQueue", ())):
        raise LaunchError.single(
            rules.SUBMIT, f"queue is {what(queue)}", call_site(), "pass a dpctl.SyclQueue, or omit queue="
        )
    wrong = None
    if not isinstance(depends, (list, tuple)):
        wrong = f"depends is {what(depends)}"
    else:
        kind = getattr(dpctl, "SyclEvent", ())
        found = [(place, event) for place, event in enumerate(depends) if not isinstance(event, kind)]
        if found:
            wrong = f"depends[{found[0][0]}] is {what(found[0][1])}"
    if wrong is not None:
        raise LaunchError.single(rules.SUBMIT, wrong, call_site(), "pass a list of dpctl.SyclEvent, as submit returns")


def match(function: Function, positional: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """The argument for each parameter, in order; reports missing, unknown and repeated arguments."""
    if not named and len(positional) == len(function.parameters):
        return list(positional)
    names = [value.name or str(position) for position, value in enumerate(function.parameters)]
    rest = names[len(positional) :]
    if len(positional) + len(named) == len(names) and named.keys() == set(rest):
        return [*positional, *(named[name] for name in rest)]
    problems = Diagnostics()
    place = call_site()  # slow, so it is computed for errors only
    signature = f"@{function.name}({', '.join(names)})"
    if len(positional) > len(names):
        problems.report(
            rules.COUNT,
            f"{len(positional)} arguments are passed, but {signature} takes {len(names)}",
            place,
            "pass one for each parameter",
        )
    given = dict(zip(names, positional))
    for name, value in named.items():
        if name not in names:
            advice = f'leave {name} out; options stand in the brackets: {function.name}[n, {{"option": …}}](…)'
            problems.report(rules.COUNT, f"{signature} has no parameter {name}", place, advice)
        elif name in given:
            problems.report(rules.COUNT, f"{name} is passed twice", place, "pass it by position or by name")
        else:
            given[name] = value
    missing = [name for name in names if name not in given]
    if missing:
        listed = ", ".join(missing)
        problems.report(
            rules.COUNT,
            f"{listed} {'is' if len(missing) == 1 else 'are'} missing in a launch of {signature}",
            place,
            f"pass {', '.join(f'{name}=…' for name in missing)}",
        )
    if problems.found:
        raise LaunchError(problems.found)
    return [given[name] for name in names]


def bind_all(function: Function, parameters: Sequence[Parameter], given: Sequence[Any]) -> list[Argument]:
    """Check all arguments; one error reports all problems."""
    return bind_all_of(parameters, given, [declared.location for declared in function.parameters])


def bind_all_of(
    parameters: Sequence[Parameter], given: Sequence[Any], declared: Sequence[Location | None] | None = None
) -> list[Argument]:
    """The same for some of a function's parameters, which are declared at these positions."""
    problems = Diagnostics()
    bound: list[Argument] = []
    place: Location | None = None
    for parameter, location, value in zip(parameters, declared or [None] * len(parameters), given):
        argument, findings = check_argument(parameter, value)
        if findings and place is None:
            place = call_site()
        labels = [Label(location, f"{parameter.name} is {parameter.type}")] if location else []
        for rule, message, help in findings:
            problems.report(rule, message, place, help, labels)
        if argument is not None:
            bound.append(argument)
    if problems.found:
        raise LaunchError(problems.found)
    return bound


def queues_of(arguments: Sequence[Argument]) -> list[Any]:
    """The queue of every array among the arguments, None for arrays of the host."""
    queues = [argument.view.queue for argument in arguments if isinstance(argument, MemrefArgument)]
    for argument in arguments:
        if isinstance(argument, GroupArgument):
            queues += argument.queues
    return queues


def choose_queue(
    backend: Backend, arguments: Sequence[Argument], options: Mapping[str, Any], wanted: Any = None
) -> Any:
    """The queue to launch on: that of the data, else the given queue, else that of the option's or default device."""
    queues = queues_of(arguments)
    if wanted is not None and not any(queue is not None for queue in queues):
        queues = [wanted]
    queue = backend.queue_of(queues, options)
    if queue is None and backend.asynchronous:
        raise LaunchError.single(
            rules.QUEUES,
            "the device arrays of this launch are on different queues",
            call_site(),
            "allocate them with the same sycl_queue=…, or move one: array.to_device(queue)",
        )
    if wanted is not None and queue != wanted:
        raise LaunchError.single(
            rules.QUEUES,
            "queue= is not the queue of the arrays",
            call_site(),
            "omit queue=, or allocate the arrays on that queue",
        )
    return queue


def check_submit(backend: Backend, arguments: Sequence[Argument], parameters: Sequence[Parameter]) -> None:
    """Refuse launches that `submit` cannot do: backends without events, and arrays that are copied back."""
    if not backend.asynchronous:
        raise PlatformError.single(
            rules.SUBMIT,
            f"the backend {backend.name} has no events",
            call_site(),
            "call kernel[n](…) instead",
        )
    for argument, parameter in zip(arguments, parameters):
        if any(queue is None for queue in queues_of([argument])):
            raise LaunchError.single(
                rules.SUBMIT,
                f"{parameter.name} is a NumPy array",
                call_site(),
                f"pass a device array, such as {shown_library()}.asarray(…, order='F'), "
                "or call kernel[n](…), which waits",
            )


def add_place(error: PytlError) -> None:
    """Give diagnostics without a location the launch's location: backends do not know the caller."""
    place = call_site()
    error.diagnostics = tuple(d if d.location is not None else replace(d, location=place) for d in error.diagnostics)
    error.args = (error.diagnostics,)


def require(backend: Backend, rule: Rule) -> None:
    """Refuse a launch on a backend that is not available here."""
    missing = backend.unavailable()
    if missing is not None:
        raise PlatformError.single(rule, missing[0], call_site(), missing[1])
