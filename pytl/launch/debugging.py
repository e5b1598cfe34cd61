"""Kernels that show values, on backends that can't show them, and kernels that require something without checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import passes
from ..backends.base import Backend
from ..diagnostics import Diagnostic, LaunchError, Rule
from ..ir.clone import clone_function
from ..ir.operation import Operation
from ..ir.registry import is_for_debugging
from ..ir.values import Function, Region
from ..ops import debug
from ..passes.deadcode import remove_dead
from ..process.settings import DEBUG_PRINT

DEBUG = Rule(
    "PYTL-1084",
    "only the reference backend executes print and pytl.debug",
    "Debugging",
    explanation="A device prints nothing. PYTL_DEBUG_PRINT=ignore omits these calls on other backends.",
)


def without_debugging(function: Function, backend: Backend, options: Mapping[str, Any]) -> Function:
    """The function for the backend: unchanged, or without instructions that show values where these are ignored.

    What it requires is tested in checked mode, and left out otherwise.

    Raises `pytl.LaunchError` for each instruction that shows values, where the backend compiles and nothing is ignored.
    """
    operations = [op for op in function.walk_through_calls() if is_for_debugging(type(op))] if backend.compiles else []
    shown = [op for op in operations if debug.shows(op)]
    if shown and DEBUG_PRINT.get() != "ignore":
        advice = 'launch it with backend="reference", or set PYTL_DEBUG_PRINT=ignore to omit it'
        words = {"debug.print": "print", "debug.call": "pytl.debug"}
        raise LaunchError(
            [
                Diagnostic(DEBUG, f"{words[op.mnemonic]} is not executed by {backend.name}", op.location, advice)
                for op in shown
            ]
        )
    is_checked = any(isinstance(each, passes.InsertChecks) for each in backend.passes(options)) if operations else False
    if len(operations) == (len(operations) - len(shown) if is_checked else 0):
        return function
    result = clone_function(function)
    for each in (result, *result.callees()):
        _leave_out(each.body, debug.shows if is_checked else lambda op: is_for_debugging(type(op)))
        if len(shown) < len(operations):
            remove_dead(each)  # what only computed what is required
    return result


def _leave_out(region: Region, is_left_out: Callable[[Operation], bool]) -> None:
    region.operations = [op for op in region.operations if not is_left_out(op)]
    for op in region.operations:
        for inner in op.regions:
            _leave_out(inner, is_left_out)
