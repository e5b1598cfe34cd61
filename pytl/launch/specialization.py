"""The second step of a launch: the function that knows which arguments there are, and the grid of work-groups.

What changes the parameters comes before the arguments are bound to them. Arguments are not looked at here, beyond
whether they are None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..backends import rules
from ..backends.base import Grid, grid_of
from ..diagnostics import Diagnostics, Label, LaunchError, call_site
from ..ir.values import Function
from ..ops import Builtin
from ..passes.analysis.calls import PLACES
from ..passes.flat_groups import grid_parameters, uses_grid, with_flat_groups
from ..passes.inline_calls import without_calls
from ..passes.present import uses_associated, without_absent_parameters
from ..process.records import dataclass
from .calls import Call
from .launches import Launches
from .signature import Signature
from .symbols import SizeUse


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
        return _present(values, self.absent)

    def of_call(self, values: Sequence[Any], groups: int | None) -> list[Any]:
        """What belongs to this function's arguments, of what belongs to those of a call with so many work-groups."""
        present = self.present(values)
        return present if groups is None or not self.tells_grid else [*present, *grid_of(groups).shape[:2]]

    def groups_of(self, groups: int) -> int:
        """The number of work-groups that is launched for that of a call."""
        return int(groups) if self.tells_grid else groups


def _present(values: Sequence[Any], absent: Sequence[int]) -> list[Any]:
    return [value for number, value in enumerate(values) if number not in absent]


def specialize(launches: Launches, call: Call) -> Specialization:
    """The function for the arguments that are there, with work-groups as the backend numbers them.

    Raises `pytl.LaunchError` where the function uses what is None, and where it has work-groups along y or z whose
    numbers are unknown.
    """
    signature, arguments = launches.signature, call.arguments
    absent: tuple[int, ...] = ()
    if signature.has_optional:
        absent = tuple(k for k, value in enumerate(arguments) if value is None and k in signature.optional)
        arguments = _present(arguments, absent)
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
    if not grid_parameters(launches.signature.function):
        if call.backend.has_grids:
            return Specialization(launches, arguments, grid, absent)
        launches = flat(launches)
    return Specialization(launches, [*arguments, *grid.shape[:2]], int(grid), absent, tells_grid=True)


def for_code(launches: Launches) -> Launches:
    """Those of the function that backends generate code for: all arguments are there, and work-groups have numbers."""
    launches = knowing(launches, ()) if launches.signature.has_optional else launches
    return flat(launches) if uses_grid(launches.signature.whole) else launches


# Arguments that are None: `if associated(A): …`.


def knowing(launches: Launches, absent: tuple[int, ...]) -> Launches:
    """Those of the function that knows which parameters have no argument."""
    signature = launches.signature

    def make() -> Signature:
        return Signature(_function_without(signature.function, absent), _sizes_without(signature.sizes, absent))

    return launches.derived(("absent", absent), make)


def _sizes_without(uses: Sequence[SizeUse], absent: tuple[int, ...]) -> list[SizeUse]:
    """The places of named sizes in the parameters that are left; without those whose names no array tells any more."""
    remaining = [use for use in uses if use.position not in absent]
    names = {use.size.text for use in remaining if use.size.is_name}
    return [
        replace(use, position=use.position - sum(number < use.position for number in absent))
        for use in remaining
        if names.issuperset(use.size.names)
    ]


def _function_without(function: Function, absent: tuple[int, ...]) -> Function:
    """The function without these parameters. Raises `pytl.LaunchError` where it uses them nevertheless."""
    changed, used = without_absent_parameters(without_calls(function, uses_associated), absent)
    problems, site = Diagnostics(), call_site()
    for value, op in used.items():
        message = f"{value.name} is None, but {op.display_name} uses it where associated({value.name}) is not known to "
        message += "be true"
        labels = [Label(op.location, "here")] if op.location is not None else []
        problems.report(rules.ABSENT, message, site, f"write the use inside of if associated({value.name}):", labels)
    if problems.items:
        raise LaunchError(problems.items)
    return changed


# Work-groups along x, y and z; most backends number them in one dimension.


def flat(launches: Launches) -> Launches:
    """Those of the function whose work-groups are numbered in one dimension, and which is told the grid."""
    signature = launches.signature

    def make() -> Signature:
        return Signature(with_flat_groups(without_calls(signature.function, _uses_grid_position)), signature.sizes)

    return launches.derived("flat", make)


def _uses_grid_position(function: Function) -> bool:
    """Whether a function asks for the place of a work-group, or the number of work-groups."""
    return uses_grid(function) or any(isinstance(op, Builtin) and op.variant in PLACES for op in function.walk())
