"""From a call of `k.dpex` to the backend: arguments checked as for a launch, for `numba_dpex.call_kernel`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..backends import rules
from ..backends.base import UNAVAILABLE, Argument
from ..backends.registry import find_backend
from ..diagnostics import LaunchError
from ..ops.launch_defaults import OVERLAPPING
from . import aliasing, launch, symbols
from .arrays.parameters import Parameter

_BACKEND = "sycl"


def option_names(parameters: Collection[str | None], named: Mapping[str, Any]) -> list[str]:
    """The named arguments that are options of the backend: those without a parameter of the same name."""
    return [name for name in named if name in find_backend(_BACKEND).options and name not in parameters]


def prepare(
    kernel: Any, groups: int | None, options: Mapping[str, Any], positional: Sequence[Any], named: Mapping[str, Any]
) -> Any:
    """The arguments of call_kernel for a launch of a `pytl.Kernel`; without arguments if none are given."""
    backend = find_backend(_BACKEND)
    launch.require(backend, UNAVAILABLE)
    backend.check_options(options)
    arguments: list[Argument] | None = None
    if positional or named or not kernel.function.parameters:
        given = launch.match(kernel.function, positional, named)
        arguments = launch.bind_all(kernel.function, kernel.parameters(), given)
        _refuse_host_arrays(kernel.name, arguments, kernel.parameters())
        if groups is None:
            groups = kernel._launch_bounds().groups_for(arguments, launch.call_site)
    if groups is None:
        raise LaunchError.single(
            rules.INFERRED,
            "the number of work-groups is unknown, since no arguments are passed",
            launch.call_site(),
            "pass the number of work-groups, or the arguments",
        )
    queue = launch.choose_queue(backend, arguments or [], options)
    # the number of work-groups is in the index space, and is not an argument
    complete = backend.complete_options({**options, "items": 1, "checks": False}, queue, kernel.whole)
    pairs = kernel._of_matrices()
    if pairs and (arguments is None or aliasing.overlap(pairs, arguments)):
        complete[OVERLAPPING] = True
    call = backend.dpex(kernel._lower(backend, complete), arguments, groups, queue)
    if arguments is not None:
        aliasing.check_apart(kernel._apart(), arguments, kernel.parameters())
        symbols.check(kernel._named_sizes(), arguments, launch.call_site)
        kernel._launch_bounds().check(arguments, groups, launch.call_site)
    return call


def refuse_grid_without_arguments(positional: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Refuse a launch along y or z where the caller passes the arguments: the kernel has to be told the grid."""
    if not positional and not named:
        message = "a kernel with work-groups along y or z is told their numbers in its arguments, which are left out"
        raise LaunchError.single(rules.DPEX, message, launch.call_site(), "pass the arguments")


def _refuse_host_arrays(name: str, arguments: Sequence[Argument], parameters: Sequence[Parameter]) -> None:
    for argument, parameter in zip(arguments, parameters):
        if any(queue is None for queue in launch.queues_of([argument])):
            raise LaunchError.single(
                rules.DPEX,
                f"{parameter.name} is a NumPy array, which call_kernel does not take",
                launch.call_site(),
                f"pass a device array, such as dpctl.tensor.asarray(…, order='F'), or launch with {name}[n](…)",
            )
