"""The fourth step of a launch: what arguments keep to together, and the number of work-groups.

Arrays that an instruction needs apart are apart, named sizes agree, and accesses stay in bounds, as far as that is
known before the launch.
"""

from __future__ import annotations

from dataclasses import replace

from ..backends.base import grid_of
from ..diagnostics import call_site
from . import aliasing, symbols
from .binding import BoundArguments
from .bounds import Bounds
from .calls import Call


def check(bound: BoundArguments, call: Call) -> BoundArguments:
    """The same with its number of work-groups. Raises `pytl.LaunchError` with what the arguments do not keep to."""
    signature, arguments = bound.specialization.signature, bound.arguments
    aliasing.check_apart(signature.apart, arguments, signature.parameters)
    symbols.check(signature.sizes, arguments, call_site)
    counted = count_groups(bound, call)
    assert counted.groups is not None, "they were counted"
    bounds_of(bound, call).check(arguments, grid_of(counted.groups).shape[0], call_site)
    return counted


def count_groups(bound: BoundArguments, call: Call) -> BoundArguments:
    """The same with its number of work-groups; that of the call, or what the arguments tell."""
    if bound.groups is not None:
        return bound
    return replace(bound, groups=bounds_of(bound, call).groups_for(bound.arguments, call_site))


def bounds_of(bound: BoundArguments, call: Call) -> Bounds:
    """What indices and sizes of the launch keep to, beside what its execution checks itself."""
    return bound.specialization.signature.bounds(bound.backend.checks_accesses(call.options))
