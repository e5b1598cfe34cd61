"""Registers the types of the language with typeguard.

A launch checks each argument with `typeguard.check_type`, and so does a user's own `@typechecked` function that is
annotated with `pytl.Memref[…]`: typeguard calls `lookup` (registered under its entry point and at the first launch)
for a checker, which handles only pytl's types.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from ...backends.base import Argument
from ...diagnostics import Rule
from ...frontends.lang.annotations import ParameterAttribute
from ...ir.types import GroupType, MemrefType, ScalarType, Type, bool_
from .arguments import argument_of
from .parameters import Parameter

_NAMELESS = "the argument"  # typeguard puts its name before the message
_registered = False


def lookup(origin: Any, arguments: tuple[Any, ...], extras: tuple[Any, ...]) -> Callable[..., None] | None:
    """The checker for an annotation, as typeguard requests it; None for annotations that are not pytl's."""
    type_ = origin if isinstance(origin, Type) else getattr(origin, "ir_type", None)
    if isinstance(origin, _Expected):
        return origin.check
    if isinstance(type_, (MemrefType, GroupType, ScalarType)) or type_ == bool_:
        attributes = {remark.name: remark.value for remark in extras if isinstance(remark, ParameterAttribute)}
        return _Expected(Parameter(_NAMELESS, type_, attributes, False)).check
    return None


class _Expected:
    """A parameter as an annotation that typeguard can check; keeps the bound argument."""

    def __init__(self, parameter: Parameter) -> None:
        self.parameter = parameter
        self.argument: Argument | None = None
        self.findings: list[tuple[Rule, str, str | None]] = []

    def bind(self, value: Any) -> None:
        self.argument = argument_of(self.parameter, value, lambda *finding: self.findings.append(finding))

    def check(self, value: Any, origin: Any, arguments: tuple[Any, ...], memo: Any) -> None:
        from typeguard import TypeCheckError

        self.bind(value)
        if self.findings:
            messages = [message.removeprefix(_NAMELESS).lstrip() for _, message, _ in self.findings]
            raise TypeCheckError("; ".join(messages))


def check_argument(parameter: Parameter, value: Any) -> tuple[Argument | None, list[tuple[Rule, str, str | None]]]:
    """Check an argument through typeguard; returns the bound argument, and all diagnostics.

    A program that has not imported typeguard cannot have told it what to check. Its arguments go to the same check
    without the detour, for the import takes 50 ms, which a process that finds its kernels compiled would notice.
    """
    expected = _Expected(parameter)
    if "typeguard" in sys.modules:
        from typeguard import TypeCheckError, check_type

        _register()
        try:
            check_type(value, expected)
        except TypeCheckError:
            assert expected.findings
    if expected.argument is None and not expected.findings:
        # typeguard was not imported, or its checks are disabled; a launch checks its arguments in any case
        expected.bind(value)
    return expected.argument, expected.findings


def _register() -> None:
    global _registered
    if _registered:
        return
    import typeguard

    if lookup not in typeguard.checker_lookup_functions:
        typeguard.checker_lookup_functions.insert(0, lookup)
    _registered = True
