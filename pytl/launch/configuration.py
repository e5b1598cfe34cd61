"""What stands around the arguments of a launch: `k[n, options]`, `submit(…, queue=…, depends=…)`."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..backends import rules
from ..backends.base import Grid
from ..diagnostics import LaunchError, Location, call_site
from .arrays.parameters import what

MAX_GROUPS = 2**63 - 1
_MAX_READ = 2**128
"""Numbers up to here are shown in messages of backends, none of which launches as many work-groups."""


_MAX_ALONG = 2**20
"""So many work-groups along x, y and z are no more than 64 bits count."""


def _is_plain(groups: Any) -> bool:
    """Whether these are numbers along x, y and z with which nothing is wrong, as is usual."""
    if type(groups) is not tuple or not 2 <= len(groups) <= 3:
        return False
    return all(type(number) is int and 0 <= number <= _MAX_ALONG for number in groups)


def check_groups(groups: Any, location: Location | None = None) -> int:
    """The number of work-groups of a launch; of a tuple, in two or three dimensions."""
    if _is_plain(groups):
        return Grid(*groups) if math.prod(groups[1:]) != 1 else groups[0]
    if isinstance(groups, Grid):
        groups = groups.shape
    if isinstance(groups, tuple) and 1 <= len(groups) <= 3:
        numbers = [check_groups(number, location) for number in groups]
        if max(*numbers, math.prod(numbers)) > MAX_GROUPS:
            listed = " x ".join(str(number) if number <= MAX_GROUPS else "…" for number in numbers)
            message = f"{listed} work-groups are more than 64 bits count"
            raise LaunchError.single(rules.GROUPS, message, location or call_site(), "divide the launch")
        return Grid(*numbers) if math.prod(numbers[1:]) != 1 else numbers[0]
    try:
        # truth values and arrays of one number also pass as integers
        number = -1 if type(groups).__name__ in ("bool", "bool_", "ndarray") else operator.index(groups)
    except TypeError:
        number = -1
    if not 0 <= number <= _MAX_READ:
        shown: Any = groups if isinstance(groups, (bool, int, float)) else what(groups)
        if number > _MAX_READ:
            shown = "an integer of more than 128 bits"
        raise LaunchError.single(
            rules.GROUPS,
            f"the number of work-groups is {shown}",
            location or call_site(),
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
        others = [(position, event) for position, event in enumerate(depends) if not isinstance(event, kind)]
        if others:
            wrong = f"depends[{others[0][0]}] is {what(others[0][1])}"
    if wrong is not None:
        raise LaunchError.single(rules.SUBMIT, wrong, call_site(), "pass a list of dpctl.SyclEvent, as submit returns")
