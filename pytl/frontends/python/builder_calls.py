"""Calls of pytl's functions, as the functions' builders see them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import FunctionType
from typing import Any, NoReturn

from ...diagnostics import Location, Rule
from ...ir.operation import Operation
from ...ir.types import ScalarType, Type
from ...ir.values import Region, Value
from ..lang.function import CalledFunction
from ..lang.rules import ARGUMENT
from ..lang.traced import is_unknown
from .components import component_region
from .frame import Failed, Frame
from .inline import inline_library
from .source import Positioned

_LONGEST = 30
"""The largest number of characters of the source that a help repeats."""


def fill_in(advice: str, node: Positioned) -> str:
    """A help with the piece of the source that it concerns in the place of `…`."""
    source = ast.unparse(node) if isinstance(node, ast.expr) else ""
    return advice.replace("…", source) if 0 < len(source) <= _LONGEST else advice


class BuilderCall:
    """A call of one of pytl's functions, or an operator that stands for one, for the function's builder."""

    def __init__(
        self,
        frame: Frame,
        function: CalledFunction,
        node: Positioned,
        arguments: Mapping[str, Any],
        nodes: Mapping[str, Positioned],
    ) -> None:
        self.frame = frame
        self.function = function
        self.node = node
        self.arguments = arguments
        self.nodes = nodes

    @property
    def is_used(self) -> bool:
        """Whether the result of the call is used; where it is not, the call is a statement."""
        return self.node is not self.frame.discarded

    def emit(self, operation: type[Operation], result_types: list[Type] | None = None, **parts: Any) -> Operation:
        """Add an instruction with the call's location."""
        if any(is_unknown(value) for value in parts.values() if isinstance(value, Value)):
            raise Failed
        spans: dict[str, Location] = {name: self.frame.location_of(at) for name, at in self.nodes.items()}
        return self.frame.emit(operation, self.node, result_types, spans, **parts)

    def inline(self, body: Callable[..., Any], *arguments: Any) -> Any:
        """Trace a function of the library in place of the call."""
        assert isinstance(body, FunctionType)
        return inline_library(self.frame, body, self.node, arguments)

    def component_region(
        self,
        argument: str,
        position: Sequence[Value],
        components: Sequence[Value],
        argument_count: int,
        component_type: ScalarType | None = None,
    ) -> tuple[Region, ScalarType]:
        """The region that computes a matrix's component by the function that an argument names."""
        node = self.nodes[argument]
        assert isinstance(node, ast.expr)
        return component_region(self.frame, node, position, components, argument_count, component_type)

    def typed(self, item: Any, type_: Type | None, argument: str) -> Value:
        """An argument as a value."""
        advice = "its type follows from the other arguments"
        return self.frame.typed(item, type_, self.nodes.get(argument, self.node), advice)

    def characters(self, argument: str, start: int, end: int) -> Location | None:
        """The place of some characters of a string that is written in the call, without escapes, in one line."""
        node = self.nodes.get(argument)
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            return None
        whole = self.frame.location_of(node)
        written = whole.source.line(whole.line)[whole.column - 1 : whole.end_column - 1]
        if whole.line != whole.end_line or written[1:-1] != node.value:
            return None
        column = whole.column + 1
        return replace(whole, column=column + start, end_column=column + end)

    def fail(
        self,
        message: str,
        help: str | None = None,
        argument: str | None = None,
        rule: Rule = ARGUMENT,
        location: Location | None = None,
    ) -> NoReturn:
        """Report a problem and abandon the call."""
        node = location or (self.nodes.get(argument, self.node) if argument else self.node)
        if help is not None and argument in self.nodes:
            help = fill_in(help, node)
        self.frame.fail(rule, message, node, help)
