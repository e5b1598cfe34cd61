"""Functions that a kernel calls: traced once for the types of their arguments, and called by an instruction."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from ...diagnostics import Diagnostics, Label, Location
from ...ir.types import BoolType, CoopMatrixType, GroupType, MemrefType, ScalarType, Type
from ...ir.values import Function, Region, Value
from ...ops import Call, Yield
from ..lang.bodies import CalledOnce, KernelBody
from ..lang.traced import Described, describe, is_literal, is_python, is_unknown
from .annotations import signature_of
from .bodies import bind_sizes, passed
from .content import content_key
from .frame import Binding, Failed, Frame
from .inline import Given, argument, check_depth, execute_function
from .names import identifier
from .parameters import Parameter, annotated_parameters, returned_types
from .rebinding import check_rebinding
from .rules import CALL_ARGUMENTS, CALLED_ITSELF, PASSED, RETURN_TYPE, RETURNED
from .source import FunctionSource, find_source

_PASSED = (BoolType, GroupType, MemrefType, ScalarType)
_RETURNED = (BoolType, ScalarType)


@dataclass(frozen=True)
class Specialized:
    """A function as it was traced for certain arguments."""

    function: Function
    returned: Any
    """What a call gives: `_Result`s, Python constants, or a tuple of these."""


@dataclass(frozen=True)
class _Result:
    """The place of a value among the results of a call."""

    position: int


def call_function_once(frame: Frame, callee: CalledOnce, node: ast.Call, given: Given) -> Any:
    """Call a function, which is traced at the first call with arguments of these types."""
    check_depth(frame, callee.name, node)
    source = find_source(callee.definition)
    signature = signature_of(callee.definition)
    _check_signature(frame, signature, source, node)
    arguments, nodes = _bound(frame, callee, signature, source, node, given)
    parameters = annotated_parameters(callee.definition, callee.surroundings)
    values: dict[str, Value] = {}
    constants: dict[str, Any] = {}
    key: list[Hashable] = [id(callee.definition), frame.builder.is_spmd]
    failed = False
    for name, item in arguments.items():
        at = nodes.get(name)
        where = at if isinstance(at, ast.expr) else node
        try:
            item = _argument(frame, source, parameters.get(name), name, item, where)
            if isinstance(item, Value):
                values[name] = item
                key.append(item.type)
            else:
                constants[name] = item
                frame.noted(where, frame.captures.constant, item)
                key.append(content_key(item))
        except Failed:
            failed = True
    if failed:
        raise Failed
    frame.noted(node.func, frame.captures.attribute, callee, "definition", callee.definition, False)
    frame.noted(node.func, frame.captures.inlined, callee.definition)
    known = frame.builder.functions
    found = known.specialized.get(tuple(key))
    if found is None:
        if tuple(key) in known.active_traces:
            frame.fail(CALLED_ITSELF, f"{callee.name} calls itself", node, "write a loop, or a plain function")
        known.active_traces.add(tuple(key))
        try:
            found = _trace(frame, callee, source, parameters, arguments, values, constants, node)
        finally:
            known.active_traces.remove(tuple(key))
        known.specialized[tuple(key)] = found
    types = found.function.results or ()
    op = frame.emit(Call, node, list(types), callee=found.function, arguments=list(values.values()))
    return _given_back(found.returned, op.results)


def _given_back(returned: Any, results: Sequence[Value]) -> Any:
    if isinstance(returned, tuple):
        return tuple(_given_back(each, results) for each in returned)
    return results[returned.position] if isinstance(returned, _Result) else returned


# Arguments.


def _check_signature(frame: Frame, signature: inspect.Signature, source: FunctionSource, node: ast.Call) -> None:
    for parameter in signature.parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            label = [Label(source.argument_place(parameter.name), "takes any number of arguments")]
            message = f"{source.definition.name} is compiled once, and its arguments are open"
            frame.fail(PASSED, message, node, "name each parameter, or write a plain function, which is inlined", label)


def _bound(
    frame: Frame,
    callee: CalledOnce,
    signature: inspect.Signature,
    source: FunctionSource,
    node: ast.Call,
    given: Given,
) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        bound = signature.bind(*given.positional, **given.named)
    except TypeError as error:
        label = Label(source.name_place, "defined here")
        frame.fail(CALL_ARGUMENTS, f"{callee.name}: {error}", node, labels=[label])
    bound.apply_defaults()
    return bound.arguments, signature.bind(*given.nodes, **given.named_nodes).arguments


def _argument(
    frame: Frame, source: FunctionSource, parameter: Parameter | None, name: str, item: Any, where: ast.expr
) -> Any:
    """An argument as a value or as a Python constant."""
    if is_unknown(item):
        raise Failed
    if parameter is not None:
        item = passed(frame, source, parameter, name, item, where)
    else:
        item = argument(frame, source, name, item, None, where)
    is_own = isinstance(item, Described) and not isinstance(item, (CalledOnce, KernelBody))
    fits = isinstance(item.type, _PASSED) if isinstance(item, Value) else is_python(item) and not is_own
    if not fits:
        if is_literal(item):
            frame.untyped(item, where)
        label = Label(source.argument_place(name), f"{name} is defined here")
        frame.fail(
            PASSED,
            f"{describe(item)} is passed to {source.definition.name}, which is compiled once",
            where,
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
    place = frame.place(node)
    body = Region("mixed")
    builder = frame.builder.of_function(body.operations)
    inner = Frame(builder, source, caller=place, depth=frame.depth + 1)
    taken: list[Value] = []
    before = len(frame.builder.diagnostics.errors)
    for name in arguments:
        at = source.argument_place(name)
        item = constants.get(name)
        if name in values:
            item = Value(values[name].type, identifier(name), at)
            taken.append(item)
            if name in parameters:
                bind_sizes(frame, inner, source, parameters[name], item, node)
        inner.names[name] = Binding(item, at.within(callee.name, place))
    made = Function(
        frame.builder.functions.fresh(identifier(callee.name) or "function"),
        taken,
        body,
        location=source.name_place.within(callee.name, None),
        results=(),
    )
    returned = execute_function(inner, inner.body())
    yielded: list[Value] = []
    end = _place_of_return(inner)
    template = _template(inner, callee, returned, end, yielded)
    if len(frame.builder.diagnostics.errors) > before:
        raise Failed
    made.results = tuple(value.type for value in yielded)
    if yielded:
        inner.emit(Yield, end, yielded=yielded)
    check_rebinding(builder, made)
    _forget_caller(made, place)
    return Specialized(frame.builder.functions.shared(made), template)


def _place_of_return(frame: Frame) -> Location:
    """The expression that a function returns; where there are several, or none, the function's name."""
    definition = frame.source.definition
    found = [node.value for node in ast.walk(definition) if isinstance(node, ast.Return) and node.value is not None]
    if len(found) == 1:
        return frame.place(found[0])
    return frame.source.name_place.within(definition.name, frame.caller)


def _template(frame: Frame, callee: CalledOnce, item: Any, place: Location, yielded: list[Value]) -> Any:
    """What a call gives for what a function returns; the values among it are yielded."""
    diagnostics = Diagnostics()
    types = returned_types(callee.definition, callee.surroundings, diagnostics)
    for finding in diagnostics.errors:
        frame.report(finding.rule, finding.message, place, finding.help)
    if diagnostics.errors:
        raise Failed
    if is_unknown(item):
        raise Failed
    if types is None:
        return _piece(frame, callee, item, None, place, yielded)
    is_several = isinstance(types, tuple)
    items = item if is_several and isinstance(item, tuple) else () if item is None and types == () else (item,)
    wanted: tuple[Type, ...] = types if isinstance(types, tuple) else (types,)
    if len(items) != len(wanted) or (is_several and types and not isinstance(item, tuple)):
        says = f"({', '.join(map(str, wanted))})" if is_several else str(types)
        message = f"{callee.name} returns {describe(item)}, but its annotation says {says if wanted else 'None'}"
        frame.fail(RETURN_TYPE, message, place)
    pieces = tuple(_piece(frame, callee, each, type_, place, yielded) for each, type_ in zip(items, wanted))
    if is_several:
        return pieces if types else None
    return pieces[0]


def _piece(
    frame: Frame, callee: CalledOnce, item: Any, type_: Type | None, place: Location, yielded: list[Value]
) -> Any:
    if type_ is not None and is_literal(item):
        item = frame.typed(item, type_, place)
    if isinstance(item, Value) and isinstance(item.type, _RETURNED):
        if type_ is not None and item.type != type_:
            message = f"{callee.name} returns {item.type}, but its annotation says {type_}"
            frame.fail(RETURN_TYPE, message, place, f"cast it: {type_}(…)")
        yielded.append(item)
        return _Result(len(yielded) - 1)
    if type_ is None and isinstance(item, tuple):
        return tuple(_piece(frame, callee, each, None, place, yielded) for each in item)
    if type_ is None and is_literal(item) and not is_python(item):
        frame.untyped(item, place)
    is_constant = is_python(item) and not isinstance(item, (Described, list, dict, set))
    if type_ is not None or not is_constant:
        advice = "return numbers and truth values, or call a plain function, which is inlined"
        if isinstance(item, Value) and isinstance(item.type, MemrefType):
            advice = "write to a memref that is passed, or call a plain function, which is inlined"
        elif isinstance(item, Value) and isinstance(item.type, CoopMatrixType):
            advice = "store the matrix in a memref that is passed, or call a plain function, which is inlined"
        frame.fail(RETURNED, f"{callee.name} returns {describe(item)}", place, advice)
    return item


def _forget_caller(function: Function, caller: Location) -> None:
    """Let the places of a function's instructions be its own, and not those of the call that it was traced for."""
    known: dict[Location | None, Location | None] = {None: None}

    def own(place: Location | None) -> Location | None:
        if place not in known and place is not None:
            outer = None if place.caller is caller or place.caller == caller else own(place.caller)
            known[place] = place.within(place.function, outer)
        return known[place]

    for op in function.walk():
        op.location = own(op.location)
        op.spans = {name: place for name, at in op.spans.items() if (place := own(at)) is not None}
        for value in (*op.results, *(value for region in op.regions for value in region.arguments)):
            value.location = own(value.location)
