"""A launch by `numba_dpex.call_kernel`: `k.dpex` goes the way of a launch, and leaves the last step to the caller."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..backends import rules
from ..backends.base import Grid
from ..backends.registry import find_backend
from ..diagnostics import LaunchError, call_site
from ..ops.launch_defaults import OVERLAPPING
from . import aliasing
from .binding import BoundArguments, bind, choose_queue, queues_of, require_available
from .calls import Call, match
from .checks import check, count_groups
from .launches import Launches
from .specialization import specialize

_BACKEND = "sycl"
_ITS_OWN: Mapping[str, Any] = {"items": 1, "checks": False}
"""Options of such launches: the number of work-groups is in the index space, and is not an argument."""


def option_names(parameters: Collection[str | None], named: Mapping[str, Any]) -> list[str]:
    """The named arguments that are options of the backend: those without a parameter of the same name."""
    return [name for name in named if name in find_backend(_BACKEND).options and name not in parameters]


def prepare(
    launches: Launches,
    positional: Sequence[Any],
    named: Mapping[str, Any],
    groups: int | None,
    options: Mapping[str, Any],
) -> Any:
    """What call_kernel takes for a launch; without the kernel's arguments where none are given."""
    backend, signature = find_backend(_BACKEND), launches.signature
    options = {**options, **_ITS_OWN}
    if positional or named or not signature.names or signature.has_optional:
        return _prepared_with(launches, match(signature, positional, named, groups, options, backend))
    require_available(backend)
    backend.check_options(options)
    if type(groups) is Grid or signature.has_grid:
        message = "a kernel with work-groups along y or z is told their numbers in its arguments, which are left out"
        raise LaunchError.single(rules.DPEX, message, call_site(), "pass the arguments")
    if groups is None:
        raise LaunchError.single(
            rules.INFERRED,
            "the number of work-groups is unknown, since no arguments are passed",
            call_site(),
            "pass the number of work-groups, or the arguments",
        )
    queue = choose_queue(backend, [], options)
    complete = backend.complete_options(options, queue, signature.whole)
    if signature.matrices:
        complete[OVERLAPPING] = True
    return backend.dpex(launches.lowered(backend, complete), None, groups, queue)


def _prepared_with(launches: Launches, call: Call) -> Any:
    bound = bind(specialize(launches, call), call)
    _refuse_host_arrays(bound)
    bound = count_groups(bound, call)
    specialization, backend, queue = bound.specialization, bound.backend, bound.queue
    assert bound.groups is not None, "the arguments were checked"
    complete = backend.complete_options(call.options, queue, specialization.signature.whole)
    if aliasing.overlap(specialization.signature.matrices, bound.arguments):
        complete[OVERLAPPING] = True
    prepared = backend.dpex(specialization.launches.lowered(backend, complete), bound.arguments, bound.groups, queue)
    check(bound, call)  # after what call_kernel cannot launch at all
    return prepared


def _refuse_host_arrays(bound: BoundArguments) -> None:
    signature = bound.specialization.signature
    for argument, parameter in zip(bound.arguments, signature.parameters):
        if any(queue is None for queue in queues_of([argument])):
            raise LaunchError.single(
                rules.DPEX,
                f"{parameter.name} is a NumPy array, which call_kernel does not take",
                call_site(),
                "pass a device array, such as dpctl.tensor.asarray(…, order='F'), "
                f"or launch with {signature.name}[n](…)",
            )
