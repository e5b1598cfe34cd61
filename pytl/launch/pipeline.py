"""The way of a launch, from the arguments of a call to a backend; the steps are in modules of their own.

match → specialize → bind → check → choose → executable → submit, each a function from one value to the next. A call of
a shape that was launched before goes by its plan (`Launches.again`), and takes none of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..process.interrupts import SafeInterrupts
from . import plans
from .binding import BoundArguments, bind
from .calls import Call, match
from .checks import bounds_of, check
from .choice import choose
from .executables import Executable, executable
from .launches import Launches, Unplanned
from .platform import backend_of
from .specialization import specialize


def launch(
    launches: Launches,
    arguments: Sequence[Any],
    groups: int | None,
    options: Mapping[str, Any],
    backend_name: str | None,
    queue: Any,
    depends: Sequence[Any],
    wait: bool,
    unplanned: Unplanned,
) -> Any:
    """Launch by all steps, and keep a plan for launches like this one. Returns the event, or None where it waited."""
    with SafeInterrupts():
        backend = backend_of(backend_name, launches.preferred_backend)
        call = match(launches.signature, arguments, {}, groups, options, backend, queue, depends, wait)
        bound, compiled = prepared(launches, call, call.options.get("specialize"))
        assert bound.groups is not None, "the arguments were checked"
        event = compiled.submit(bound.arguments, bound.groups, depends, wait)
        if unplanned.key is not None and compiled.is_general:
            specialization = bound.specialization
            if plans.has_plan(specialization.present(arguments), bound.arguments):
                values = specialization.of_call(unplanned.values, groups)
                plan = plans.Plan(compiled, bound, values, bounds_of(bound, call), tells_groups=groups is None)
                launches.keep(unplanned.key, plan)
        return event


def checked_arguments(launches: Launches, call: Call) -> BoundArguments:
    """The steps that ask nothing of a backend's code: the arguments of a launch, checked."""
    return check(bind(specialize(launches, call), call), call)


def prepared(launches: Launches, call: Call, specialize: str | None) -> tuple[BoundArguments, Executable]:
    """All steps but the last one; `specialize` is what `executable` takes."""
    bound = checked_arguments(launches, call)
    return bound, executable(bound, choose(bound, call), specialize)
