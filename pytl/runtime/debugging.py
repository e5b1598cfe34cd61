"""Kernels that show values, on backends that can't show them."""

from __future__ import annotations

from ..backends.base import Backend
from ..diagnostics import Diagnostic, LaunchError, Rule
from ..ir.clone import clone_function
from ..ir.registry import is_for_debugging
from ..ir.values import Function, Region
from ..settings import DEBUG_PRINT

DEBUG = Rule(
    "PYTL-1084",
    "only the reference backend executes print and pytl.debug",
    "Debugging",
    explanation="A device prints nothing. PYTL_DEBUG_PRINT=ignore omits these calls on other backends.",
)


def without_debugging(function: Function, backend: Backend) -> Function:
    """The function for the backend: unchanged, or without instructions that show values where these are ignored.

    Raises `pytl.LaunchError` for each instruction that shows values, where the backend compiles and nothing is ignored.
    """
    found = [] if not backend.compiles else [op for op in function.walk() if is_for_debugging(type(op))]
    if not found:
        return function
    if DEBUG_PRINT.get() != "ignore":
        advice = 'launch it with backend="reference", or set PYTL_DEBUG_PRINT=ignore to omit it'
        words = {"debug.print": "print", "debug.call": "pytl.debug"}
        raise LaunchError(
            [
                Diagnostic(DEBUG, f"{words[op.mnemonic]} is not executed by {backend.name}", op.location, advice)
                for op in found
            ]
        )
    result = clone_function(function)
    _leave_out(result.body)
    return result


def _leave_out(region: Region) -> None:
    region.operations = [op for op in region.operations if not is_for_debugging(type(op))]
    for op in region.operations:
        for inner in op.regions:
            _leave_out(inner)
