"""What rules of operations know of the function that they are checked in."""

from __future__ import annotations

from collections.abc import Mapping

from ...diagnostics import Diagnostics, Location, Rule
from . import rules
from .tree import Function


class Findings:
    """The function that is checked, all functions of its module by name, and what has been found."""

    def __init__(self, function: Function, functions: Mapping[str, Function], diagnostics: Diagnostics) -> None:
        self.function = function
        self.functions = functions
        self.diagnostics = diagnostics

    def report(self, rule: Rule, message: str, location: Location | None, help: str | None = None) -> None:
        self.diagnostics.report(rule, message, location, help)

    def find_function(self, name: str, location: Location | None) -> Function | None:
        """A function of the module; one that is none is reported."""
        if name not in self.functions:
            help = f"declare one that is defined elsewhere: func @{name}(…)"
            self.report(rules.FUNCTION_NAME, f"there is no function @{name}", location, help)
        return self.functions.get(name)
