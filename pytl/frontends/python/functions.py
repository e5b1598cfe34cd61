"""Functions that a kernel calls: traced once for the types of their arguments, and called by an instruction."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Hashable, Sequence
from typing import Any

from ...diagnostics import Diagnostics, Label, Location
from ...ir.types import BoolType, CoopMatrixType, GroupType, MemrefType, ScalarType, Type
from ...ir.values import Function, Region, Value
from ...ops import Call, Yield
from ...process.records import dataclass
from ..lang.bodies import CalledOnce, KernelBody
from ..lang.traced import Described, describe, is_literal, is_python, is_unknown
from .annotations import signature_of
from .bodies import bind_sizes, passed
from .content import content_key
from .frame import Binding, Failed, Frame
from .inline import CallArguments, argument, bind, check_depth, execute_function
from .names import identifier
from .parameters import Parameter, annotated_parameters, returned_types
from .rebinding import check_rebinding
from .rules import CALLED_ITSELF, PASSED, RETURN_TYPE, RETURNED
from .source import FunctionSource, find_source

_PASSED = (BoolType, GroupType, MemrefType, ScalarType)
_RETURNED = (BoolType, ScalarType)


@dataclass(frozen=True)
class Specialized:
    """A function as it was traced for certain arguments."""

    function: Function
    returned: Any
    """What a call gives: `_ResultPosition`s, Python constants, or a tuple of these."""


@dataclass(frozen=True)
class _ResultPosition:
    """The place of a value among the results of a call."""

    position: int


def call_function_once(frame: Frame, callee: CalledOnce, node: ast.Call, call_arguments: CallArguments) -> Any:
    """Call a function, which is traced at the first call with arguments of these types."""
    check_depth(frame, callee.name, node)
    source = find_source(callee.definition)
    signature = signature_of(callee.definition)
    _check_signature(frame, signature, source, node)
    arguments, nodes = bind(frame, callee.name, signature, source, node, call_arguments)
    parameters = annotated_parameters(callee.definition, callee.annotation_names)
    values: dict[str, Value] = {}
    constants: dict[str, Any] = {}
    key: list[Hashable] = [id(callee.definition), frame.builder.is_spmd]
    failed = False
    for name, item in arguments.items():
        argument_node = nodes.get(name)
        argument_or_call = argument_node if isinstance(argument_node, ast.expr) else node
        try:
            item = _argument(frame, source, parameters.get(name), name, item, argument_or_call)
            if isinstance(item, Value):
                values[name] = item
                key.append(item.type)
            else:
                constants[name] = item
                frame.record_read(argument_or_call, frame.captures.constant, item)
                key.append(content_key(item))
        except Failed:
            failed = True
    if failed:
        raise Failed
    frame.record_read(node.func, frame.captures.attribute, callee, "definition", callee.definition, False)
    frame.record_read(node.func, frame.captures.inlined, callee.definition)
    functions = frame.builder.functions
    traced = functions.specialized.get(tuple(key))
    if traced is None:
        if tuple(key) in functions.active_traces:
            frame.fail(CALLED_ITSELF, f"{callee.name} calls itself", node, "write a loop, or a plain function")
        functions.active_traces.add(tuple(key))
        try:
            traced = _trace(frame, callee, source, parameters, arguments, values, constants, node)
        finally:
            functions.active_traces.remove(tuple(key))
        functions.specialized[tuple(key)] = traced
    types = traced.function.results or ()
    op = frame.emit(Call, node, list(types), callee=traced.function, arguments=list(values.values()))
    return _call_result(traced.returned, op.results)


def _call_result(returned: Any, results: Sequence[Value]) -> Any:
    if isinstance(returned, tuple):
        return tuple(_call_result(each, results) for each in returned)
    return results[returned.position] if isinstance(returned, _ResultPosition) else returned


# Arguments.


def _check_signature(frame: Frame, signature: inspect.Signature, source: FunctionSource, node: ast.Call) -> None:
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            label = [Label(source.argument_location(parameter.name), "takes any number of arguments")]
            message = f"{source.definition.name} is compiled once, and its arguments are open"
            frame.fail(PASSED, message, node, "name each parameter, or write a plain function, which is inlined", label)


def _argument(
    frame: Frame, source: FunctionSource, parameter: Parameter | None, name: str, item: Any, argument_node: ast.expr
) -> Any:
    """An argument as a value or as a Python constant."""
    if is_unknown(item):
        raise Failed
    if parameter is not None:
        item = passed(frame, source, parameter, name, item, argument_node)
    else:
        item = argument(frame, source, name, item, None, argument_node)
    is_own = isinstance(item, Described) and not isinstance(item, (CalledOnce, KernelBody))
    fits = isinstance(item.type, _PASSED) if isinstance(item, Value) else is_python(item) and not is_own
    if not fits:
        if is_literal(item):
            frame.untyped(item, argument_node)
        label = Label(source.argument_location(name), f"{name} is defined here")
        frame.fail(
            PASSED,
            f"{describe(item)} is passed to {source.definition.name}, which is compiled once",
            argument_node,
            _advice(item),
            [label],
        )
    return item


def _advice(item: Any) -> str:
    if isinstance(item, (tuple, list, dict)):
        return "pass its items one by one"
    if isinstance(item, Described):
        return "define what is passed outside of the kernel, or call a plain function, which is inlined"
    return "call a plain function, which is inlined"


# Tracing.


def _trace(
    frame: Frame,
    callee: CalledOnce,
    source: FunctionSource,
    parameters: dict[str, Parameter],
    arguments: dict[str, Any],
    values: dict[str, Value],
    constants: dict[str, Any],
    node: ast.Call,
) -> Specialized:
    """Trace the body of a function. Problems are reported with the call that found them; calls share the code."""
    location = frame.location_of(node)
    body = Region("mixed")
    builder = frame.builder.of_function(body.operations)
    inner = Frame(builder, source, caller=location, depth=frame.depth + 1)
    parameter_values: list[Value] = []
    before = len(frame.builder.diagnostics.errors)
    for name in arguments:
        at = source.argument_location(name)
        item = constants.get(name)
        if name in values:
            item = Value(values[name].type, identifier(name), at)
            parameter_values.append(item)
            if name in parameters:
                bind_sizes(frame, inner, source, parameters[name], item, node)
        inner.names[name] = Binding(item, at.within(callee.name, location))
    traced_function = Function(
        frame.builder.functions.fresh(identifier(callee.name) or "function"),
        parameter_values,
        body,
        location=source.name_location.within(callee.name, None),
        results=(),
    )
    returned = execute_function(inner, inner.body())
    yielded: list[Value] = []
    end = _return_location(inner)
    template = _template(inner, callee, returned, end, yielded)
    if len(frame.builder.diagnostics.errors) > before:
        raise Failed
    traced_function.results = tuple(value.type for value in yielded)
    if yielded:
        inner.emit(Yield, end, yielded=yielded)
    check_rebinding(builder, traced_function)
    _forget_caller(traced_function, location)
    return Specialized(frame.builder.functions.shared(traced_function), template)


def _return_location(frame: Frame) -> Location:
    """The expression that a function returns; where there are several, or none, the function's name."""
    definition = frame.source.definition
    values = [node.value for node in ast.walk(definition) if isinstance(node, ast.Return) and node.value is not None]
    if len(values) == 1:
        return frame.location_of(values[0])
    return frame.source.name_location.within(definition.name, frame.caller)


def _template(frame: Frame, callee: CalledOnce, item: Any, location: Location, yielded: list[Value]) -> Any:
    """What a call gives for what a function returns; the values among it are yielded."""
    diagnostics = Diagnostics()
    types = returned_types(callee.definition, callee.annotation_names, diagnostics)
    for finding in diagnostics.errors:
        frame.report(finding.rule, finding.message, location, finding.help)
    if diagnostics.errors:
        raise Failed
    if is_unknown(item):
        raise Failed
    if types is None:
        return _piece(frame, callee, item, None, location, yielded)
    is_several = isinstance(types, tuple)
    items = item if is_several and isinstance(item, tuple) else () if item is None and types == () else (item,)
    expected: tuple[Type, ...] = types if isinstance(types, tuple) else (types,)
    if len(items) != len(expected) or (is_several and types and not isinstance(item, tuple)):
        shown = f"({', '.join(map(str, expected))})" if is_several else str(types)
        message = f"{callee.name} returns {describe(item)}, but its annotation says {shown if expected else 'None'}"
        frame.fail(RETURN_TYPE, message, location)
    pieces = tuple(_piece(frame, callee, each, type_, location, yielded) for each, type_ in zip(items, expected))
    if is_several:
        return pieces if types else None
    return pieces[0]


def _piece(
    frame: Frame, callee: CalledOnce, item: Any, type_: Type | None, location: Location, yielded: list[Value]
) -> Any:
    if type_ is not None and is_literal(item):
        item = frame.typed(item, type_, location)
    if isinstance(item, Value) and isinstance(item.type, _RETURNED):
        if type_ is not None and item.type != type_:
            message = f"{callee.name} returns {item.type}, but its annotation says {type_}"
            frame.fail(RETURN_TYPE, message, location, f"cast it: {type_}(…)")
        yielded.append(item)
        return _ResultPosition(len(yielded) - 1)
    if type_ is None and isinstance(item, tuple):
        return tuple(_piece(frame, callee, each, None, location, yielded) for each in item)
    if type_ is None and is_literal(item) and not is_python(item):
        frame.untyped(item, location)
    is_constant = is_python(item) and not isinstance(item, (Described, list, dict, set))
    if type_ is not None or not is_constant:
        advice = "return numbers and truth values, or call a plain function, which is inlined"
        if isinstance(item, Value) and isinstance(item.type, MemrefType):
            advice = "write to a memref that is passed, or call a plain function, which is inlined"
        elif isinstance(item, Value) and isinstance(item.type, CoopMatrixType):
            advice = "store the matrix in a memref that is passed, or call a plain function, which is inlined"
        frame.fail(RETURNED, f"{callee.name} returns {describe(item)}", location, advice)
    return item


def _forget_caller(function: Function, caller: Location) -> None:
    """Let the places of a function's instructions be its own, and not those of the call that it was traced for."""
    rewritten: dict[Location | None, Location | None] = {None: None}

    def without_caller(location: Location | None) -> Location | None:
        if location not in rewritten and location is not None:
            outer = None if location.caller is caller or location.caller == caller else without_caller(location.caller)
            rewritten[location] = location.within(location.function, outer)
        return rewritten[location]

    for op in function.walk():
        op.location = without_caller(op.location)
        op.spans = {name: location for name, span in op.spans.items() if (location := without_caller(span)) is not None}
        for value in (*op.results, *(value for region in op.regions for value in region.arguments)):
            value.location = without_caller(value.location)
