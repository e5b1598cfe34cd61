"""The way of a launch, from the arguments of a call to a backend; the steps are in modules of their own.

match → specialize → bind → check → choose → executable → submit, each a function from one value to the next. A call of
a shape that was launched before goes by its plan, and takes none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..backends.base import Grid
from ..process.interrupts import SafeInterrupts
from ..process.settings import unparsed_settings
from . import plans, tuned
from .binding import BoundArguments, bind
from .calls import Call, in_order, match
from .checks import bounds_of, check
from .choice import choose
from .executables import Executable, executable
from .launches import Launches
from .platform import backend_of
from .specialization import specialize


def launch(
    launches: Launches,
    positional: Sequence[Any],
    named: Mapping[str, Any],
    groups: int | None,
    options: Mapping[str, Any],
    options_key: str | None,
    backend_name: str | None,
    queue: Any,
    depends: Sequence[Any],
    wait: bool,
) -> Any:
    """Launch, by a plan where there is one. Returns the event, or None where the launch waited.

    `options_key` tells options apart; None where there are none.
    """
    arguments = in_order(launches.signature, positional, named) if named else positional
    key = None
    read = plans.shape_of(arguments)
    if read is not None and (backend_name is None or type(backend_name) is str):
        shape, values = read
        key = _key(shape, groups, backend_name, queue, wait, options_key)
        plan = launches.plans.get(key)
        if plan is not None:
            is_launched, event = plan.launch(arguments, values, groups, depends, wait)
            if is_launched:
                return event
    with SafeInterrupts():
        backend = backend_of(backend_name, launches.preferred_backend)
        call = match(launches.signature, arguments, {}, groups, options, backend, queue, depends, wait)
        return _launch_in_full(launches, call, key, read)


def launched_again(
    launches: Launches, arguments: Sequence[Any], groups: int | None, options_key: str | None, backend_name: str | None
) -> bool:
    """Launch by a plan, and wait; whether there is one for arguments like these."""
    read = plans.shape_of(arguments)
    if read is None or not (backend_name is None or type(backend_name) is str):
        return False
    shape, values = read
    plan = launches.plans.get(_key(shape, groups, backend_name, None, True, options_key))
    return plan is not None and plan.launch(arguments, values, groups, (), True)[0]


def _key(
    shape: Any, groups: int | None, backend_name: str | None, queue: Any, wait: bool, options_key: str | None
) -> tuple[Any, ...]:
    """What plans of a function are kept by."""
    return (
        shape,
        type(groups) is Grid,
        backend_name,
        queue,
        wait,
        options_key,
        unparsed_settings(),  # as the environment has them: what they mean is looked up for a new plan
        tuned.generation,
    )


def checked_arguments(launches: Launches, call: Call) -> BoundArguments:
    """The steps that ask nothing of a backend's code: the arguments of a launch, checked."""
    return check(bind(specialize(launches, call), call), call)


def prepared(launches: Launches, call: Call, specialize: str | None) -> tuple[BoundArguments, Executable]:
    """All steps but the last one; `specialize` is what `executable` takes."""
    bound = checked_arguments(launches, call)
    return bound, executable(bound, choose(bound, call), specialize)


def _launch_in_full(launches: Launches, call: Call, key: Any, read: Any) -> Any:
    """All steps of a launch. What they come to is kept by `key`, if any, for calls of the shape that was `read`."""
    bound, compiled = prepared(launches, call, call.options.get("specialize"))
    assert bound.groups is not None, "the arguments were checked"
    event = compiled.submit(bound.arguments, bound.groups, call.depends, call.wait)
    if key is not None and compiled.is_general:
        specialization, (shape, values) = bound.specialization, read
        if plans.has_plan(specialization.present(shape), bound.arguments):
            values = specialization.of_call(values, call.groups)
            tells_groups = call.groups is None
            plan = plans.Plan(compiled, bound, values, bounds_of(bound, call), tells_groups=tells_groups)
            launches.keep(key, plan)
    return event
