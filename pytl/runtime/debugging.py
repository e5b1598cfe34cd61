"""Kernels that show values, on backends that can't show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..backends.base import Backend
from ..diagnostics import Diagnostic, LaunchError, Rule
from ..ir.clone import clone_function
from ..ir.operation import Operation
from ..ir.registry import is_for_debugging
from ..ir.values import Function, Region
from ..ops import debug
from ..settings import DEBUG_PRINT

DEBUG = Rule(
    "PYTL-1084",
    "only the reference backend executes print and pytl.debug",
    "Debugging",
    explanation="A device prints nothing. PYTL_DEBUG_PRINT=ignore omits these calls on other backends.",
)


def without_debugging(function: Function, backend: Backend, options: Mapping[str, Any]) -> Function:
    """The function for the backend: unchanged, or without instructions that show values where these are ignored.

    Assertions stay where the kernel is checked on the device.

    Raises `pytl.LaunchError` for each instruction that shows values, where the backend compiles and nothing is ignored.
    """
    is_checked = backend.checks_accesses(options)
    found = [] if not backend.compiles else [op for op in function.walk() if _is_left_out(op, is_checked)]
    if not found:
        return function
    found = [op for op in found if not isinstance(op, debug.Assert)]
    if found and DEBUG_PRINT.get() != "ignore":
        advice = 'launch it with backend="reference", or set PYTL_DEBUG_PRINT=ignore to omit it'
        words = {"debug.print": "print", "debug.call": "pytl.debug"}
        raise LaunchError(
            [
                Diagnostic(DEBUG, f"{words[op.mnemonic]} is not executed by {backend.name}", op.location, advice)
                for op in found
            ]
        )
    result = clone_function(function)
    _leave_out(result.body, is_checked)
    return result


def _is_left_out(op: Operation, is_checked: bool) -> bool:
    return is_for_debugging(type(op)) and not (is_checked and isinstance(op, debug.Assert))


def _leave_out(region: Region, is_checked: bool) -> None:
    region.operations = [op for op in region.operations if not _is_left_out(op, is_checked)]
    for op in region.operations:
        for inner in op.regions:
            _leave_out(inner, is_checked)
