"""The third step of a launch: the user's arrays and numbers as memory and numbers of a backend, and the queue."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..backends import rules
from ..backends.base import UNAVAILABLE, Argument, Backend, GroupArgument, MemrefArgument
from ..devices.usm import shown_library
from ..diagnostics import Diagnostics, Label, LaunchError, Location, PlatformError, call_site
from ..process.records import dataclass
from .arrays.parameters import Parameter
from .arrays.typecheck import check_argument
from .calls import Call
from .specialization import Specialization


@dataclass(frozen=True)
class BoundArguments:
    """The memory and the numbers of a launch, which fit the types of the parameters."""

    specialization: Specialization
    backend: Backend
    arguments: Sequence[Argument]
    queue: Any
    groups: int | None
    """None where the arguments are still to tell the number of work-groups."""


def bind(specialization: Specialization, call: Call) -> BoundArguments:
    """Describe the arguments, and find the queue to launch on.

    Raises `pytl.LaunchError` for each argument that does not fit its parameter, and for arrays of several queues;
    `pytl.PlatformError` where the backend cannot launch here.
    """
    backend, signature = call.backend, specialization.signature
    require_available(backend)
    backend.check_options(call.options)
    declared = [value.location for value in signature.function.parameters]
    arguments = bound_to(signature.parameters, specialization.arguments, declared)
    if not call.wait:
        check_submit(backend, arguments, signature.parameters)
    queue = choose_queue(backend, arguments, call.options, call.queue)
    return BoundArguments(specialization, backend, arguments, queue, specialization.groups)


def require_available(backend: Backend) -> None:
    """Refuse a launch on a backend that is not available here."""
    missing = backend.unavailable()
    if missing is not None:
        raise PlatformError.single(UNAVAILABLE, missing[0], call_site(), missing[1])


def bound_to(
    parameters: Sequence[Parameter], values: Sequence[Any], declared: Sequence[Location | None] | None = None
) -> list[Argument]:
    """Arguments of parameters, which are declared at these places; one error reports all problems."""
    problems = Diagnostics()
    bound: list[Argument] = []
    site: Location | None = None
    for parameter, location, value in zip(parameters, declared or [None] * len(parameters), values):
        argument, findings = check_argument(parameter, value)
        if findings and site is None:
            site = call_site()
        labels = [Label(location, f"{parameter.name} is {parameter.type}")] if location else []
        for rule, message, help in findings:
            problems.report(rule, message, site, help, labels)
        if argument is not None:
            bound.append(argument)
    if problems.items:
        raise LaunchError(problems.items)
    return bound


def queues_of(arguments: Sequence[Argument]) -> list[Any]:
    """The queue of every array among the arguments, None for arrays of the host."""
    queues = [argument.view.queue for argument in arguments if isinstance(argument, MemrefArgument)]
    for argument in arguments:
        if isinstance(argument, GroupArgument):
            queues += argument.queues
    return queues


def choose_queue(
    backend: Backend, arguments: Sequence[Argument], options: Mapping[str, Any], requested: Any = None
) -> Any:
    """The queue to launch on: that of the data, else the given queue, else that of the option's or default device."""
    queues = queues_of(arguments)
    if requested is not None and not any(queue is not None for queue in queues):
        queues = [requested]
    queue = backend.queue_of(queues, options)
    if queue is None and backend.asynchronous:
        raise LaunchError.single(
            rules.QUEUES,
            "the device arrays of this launch are on different queues",
            call_site(),
            "allocate them with the same sycl_queue=…, or move one: array.to_device(queue)",
        )
    if requested is not None and queue != requested:
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
