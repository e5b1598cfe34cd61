"""Launches in which None is passed for parameters that the kernel asks for: `if associated(A): …`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..backends import rules
from ..diagnostics import Diagnostics, Label, LaunchError, call_site
from ..ir.values import Function
from ..passes.inline_calls import without_calls
from ..passes.present import asks, with_present
from .symbols import SizeUse


def sizes_without(uses: Sequence[SizeUse], absent: tuple[int, ...]) -> list[SizeUse]:
    """The places of named sizes in the parameters that are left; without those whose names no array tells any more."""
    left = [use for use in uses if use.position not in absent]
    told = {use.size.text for use in left if use.size.is_name}
    return [
        replace(use, position=use.position - sum(number < use.position for number in absent))
        for use in left
        if told.issuperset(use.size.names)
    ]


def function_without(function: Function, absent: tuple[int, ...]) -> Function:
    """The function without these parameters. Raises `pytl.LaunchError` where it uses them nevertheless."""
    made, used = with_present(without_calls(function, asks), absent)
    problems, place = Diagnostics(), call_site()
    for value, op in used.items():
        message = f"{value.name} is None, but {op.said} uses it where associated({value.name}) is not known to be true"
        labels = [Label(op.location, "here")] if op.location is not None else []
        problems.report(rules.ABSENT, message, place, f"write the use inside of if associated({value.name}):", labels)
    if problems.found:
        raise LaunchError(problems.found)
    return made
