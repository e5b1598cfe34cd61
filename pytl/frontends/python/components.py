"""Functions of a matrix's components: a lambda, or what a kernel may call, traced into a region of its own."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ...diagnostics.words import counted
from ...ir.types import ScalarType
from ...ir.values import Region, Value
from ...ops import Cast, Yield
from ...ops.arith import admits_cast
from ..lang.traced import describe, is_literal, is_unknown
from .frame import Binding, Failed, Frame
from .rules import CALL_ARGUMENTS, OPERAND_TYPES


def component_region(
    frame: Frame,
    function: ast.expr,
    position: Sequence[Value],
    components: Sequence[Value],
    argument_count: int,
    component_type: ScalarType | None = None,
) -> tuple[Region, ScalarType]:
    """The region that computes a component, and the type of what it yields.

    `position` and `components` are the region's arguments; the function takes the last `argument_count` of them. What
    it gives is cast to `component_type` where there is one.
    """
    arguments = [*position, *components]
    region = Region("mixed", arguments)
    passed_values, before = arguments[len(arguments) - argument_count :], dict(frame.names)
    with frame.builder.into(region.operations):
        try:
            result = frame.evaluate(_called(frame, function, passed_values))
        finally:
            frame.names = before
        if is_unknown(result):
            raise Failed
        if is_literal(result) and not isinstance(result, bool):
            result = frame.typed(result, component_type or components[0].type, function)
        if not isinstance(result, Value) or not isinstance(result.type, ScalarType):
            message = f"the function gives {describe(result)}, not a number"
            frame.fail(OPERAND_TYPES, message, function, "give a number: 1.0 if x > 0.0 else 0.0")
        if component_type is not None and result.type != component_type:
            if not admits_cast(result.type, component_type):
                message = f"the function gives {result.type}, which can't be cast to {component_type}"
                frame.fail(OPERAND_TYPES, message, function, "take a part first: x.real, x.imag or abs(x)")
            result = frame.emit(Cast, function, [component_type], operand=result).results[0]
        frame.emit(Yield, function, yielded=[result])
    return region, result.type


def _called(frame: Frame, function: ast.expr, arguments: Sequence[Value]) -> ast.expr:
    """What is evaluated with the names of the arguments bound: a lambda's body, or a call of the function."""
    location = frame.location_of(function)
    if isinstance(function, ast.Lambda):
        parameters = function.args
        names = [argument.arg for argument in (*parameters.posonlyargs, *parameters.args)]
        is_plain = not (parameters.vararg or parameters.kwarg or parameters.kwonlyargs or parameters.defaults)
        if not is_plain or len(names) != len(arguments):
            count = len(arguments)
            message = f"the lambda does not take {counted(count, 'value')} by the names alone"
            letters = ", ".join("abcdefgh"[:count])
            frame.fail(CALL_ARGUMENTS, message, function, f"write lambda {letters}: …")
        for name, value in zip(names, arguments):
            value.name = value.name or name
            frame.names[name] = Binding(value, location)
        return function.body
    # names that no source has
    names = [f"component {number}" for number in range(len(arguments))]
    frame.names.update((name, Binding(value, location)) for name, value in zip(names, arguments))
    call = ast.Call(function, [ast.copy_location(ast.Name(name, ast.Load()), function) for name in names], [])
    return ast.copy_location(call, function)
