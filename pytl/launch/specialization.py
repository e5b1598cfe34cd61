"""The second step of a launch: the function that knows which arguments there are, and the grid of work-groups.

What changes the parameters comes before the arguments are bound to them. Arguments are not looked at here, beyond
whether they are None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..backends import rules
from ..backends.base import Grid, grid_of
from ..diagnostics import LaunchError, call_site
from ..passes.flat_groups import grid_parameters
from . import grids, optional
from .calls import Call
from .launches import Launches
from .signature import Signature


@dataclass(frozen=True)
class Specialization:
    """A function that a backend launches, and its arguments."""

    launches: Launches
    """What launches of this function have made."""
    arguments: Sequence[Any]
    groups: int | None
    absent: tuple[int, ...] = ()
    """The parameters of the call for which None was passed."""
    tells_grid: bool = False
    """Whether the numbers of work-groups along x and y are the last arguments."""

    @property
    def signature(self) -> Signature:
        return self.launches.signature

    @property
    def is_plain(self) -> bool:
        """Whether the arguments are those of the call."""
        return not self.absent and not self.tells_grid

    def present(self, values: Sequence[Any]) -> list[Any]:
        """What belongs to arguments that are there, of what belongs to those of a call."""
        return [value for number, value in enumerate(values) if number not in self.absent]

    def of_call(self, values: Sequence[Any], groups: int | None) -> list[Any]:
        """What belongs to this function's arguments, of what belongs to those of a call with so many work-groups."""
        present = self.present(values)
        return present if groups is None or not self.tells_grid else [*present, *grid_of(groups).shape[:2]]

    def groups_of(self, groups: int) -> int:
        """The number of work-groups that is launched for that of a call."""
        return int(groups) if self.tells_grid else groups


def specialize(launches: Launches, call: Call) -> Specialization:
    """The function for the arguments that are there, with work-groups as the backend numbers them.

    Raises `pytl.LaunchError` where the function uses what is None, and where it has work-groups along y or z whose
    numbers are unknown.
    """
    signature, arguments = launches.signature, call.arguments
    absent: tuple[int, ...] = ()
    if signature.has_optional:
        absent = tuple(k for k, value in enumerate(arguments) if value is None and k in signature.optional)
        arguments = [value for k, value in enumerate(arguments) if k not in absent]
        launches = knowing(launches, absent)
    if type(call.groups) is not Grid and not launches.signature.has_grid:
        return Specialization(launches, arguments, call.groups, absent)
    if call.groups is None:
        raise LaunchError.single(
            rules.INFERRED,
            f"the number of work-groups of {signature.name} is unknown: it has places along y or z",
            call_site(),
            f"write {signature.name}[x, y, z](…) with the numbers of work-groups",
        )
    launches.check_grid(call.backend)
    grid = grid_of(call.groups)
    if call.backend.has_grids and not grid_parameters(launches.signature.function):
        return Specialization(launches, arguments, grid, absent)
    if not grid_parameters(launches.signature.function):
        launches = flat(launches)
    return Specialization(launches, [*arguments, *grid.shape[:2]], int(grid), absent, tells_grid=True)


def knowing(launches: Launches, absent: tuple[int, ...]) -> Launches:
    """Those of the function that knows which parameters have no argument."""

    def make() -> Signature:
        signature = launches.signature
        function = optional.function_without(signature.function, absent)
        return Signature(function, optional.sizes_without(signature.sizes, absent))

    return launches.derived(("absent", absent), make)


def flat(launches: Launches) -> Launches:
    """Those of the function whose work-groups are numbered in one dimension, and which is told the grid."""
    signature = launches.signature
    return launches.derived("flat", lambda: Signature(grids.flat_function(signature.function), signature.sizes))


def for_code(launches: Launches) -> Launches:
    """Those of the function that backends generate code for: all arguments are there, and work-groups have numbers."""
    launches = knowing(launches, ()) if launches.signature.has_optional else launches
    return flat(launches) if grids.has_places(launches.signature.whole) else launches
