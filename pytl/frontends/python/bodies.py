"""The body of a kernel in place of a call in another one: `other.inline(…)`."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType
from typing import Any

from ...diagnostics import Diagnostics, Label
from ...ir.clone import clone_operation
from ...ir.types import GroupType, MemrefType
from ...ir.values import Function, Value
from ..lang.bodies import KernelBody
from ..lang.traced import NamedSize, describe, is_literal, is_python, is_unknown
from .annotations import signature_of
from .frame import Binding, Failed, Frame
from .inline import CallArguments, argument, bind, check_depth, execute_function, source_of
from .parameters import Parameter, read_signature
from .rules import ARGUMENT_TYPE, CONSTEXPR, CONSTEXPR_VALUE_HELP, INLINED_KERNEL
from .source import FunctionSource


def inline_body(frame: Frame, body: KernelBody, node: ast.Call, call_arguments: CallArguments) -> None:
    """Trace the body of a kernel, or copy that of a text, with arguments that fit the kernel's annotations."""
    check_depth(frame, body.name, node)
    _check_attributes(frame, body, node)
    if isinstance(body.definition, Function):
        _copy(frame, body.definition, node, call_arguments)
    else:
        _trace(frame, body, body.definition, node, call_arguments)


def _check_attributes(frame: Frame, body: KernelBody, node: ast.Call) -> None:
    for name in ("subgroup_size", "work_group_size"):
        value = body.attributes.get(name)
        if value is not None and _pair(value) != _pair(frame.builder.attributes.get(name)):
            message = f"{body.name} has {name}={value}, which the kernel that takes its body has not"
            frame.fail(INLINED_KERNEL, message, node, f"write @pytl.kernel({name}={value}) for this kernel, too")


def _pair(size: Any) -> Any:
    return (size, 1) if isinstance(size, int) else tuple(size) if isinstance(size, list) else size


def _trace(
    frame: Frame, body: KernelBody, function: FunctionType, node: ast.Call, call_arguments: CallArguments
) -> None:
    source = source_of(frame, function, node)
    signature = signature_of(function)
    open_parameters = [parameter for name, parameter in signature.parameters.items() if name not in body.constants]
    signature = signature.replace(parameters=open_parameters)
    arguments, nodes = bind(frame, f"{body.name}.inline", signature, source, node, call_arguments)
    star = next((p.name for p in open_parameters if p.kind is p.VAR_POSITIONAL), None)
    counts = {} if star is None else {star: len(arguments[star])}
    names = {**body.constants, **{name: item for name, item in arguments.items() if is_python(item)}, **counts}
    diagnostics = Diagnostics()
    parameters = read_signature(function, body.annotation_names, diagnostics, names)
    for finding in diagnostics.errors:
        frame.report(finding.rule, finding.message, finding.location or node, finding.help)
    if diagnostics.errors:
        raise Failed
    frame.record_read(node.func, frame.captures.inlined, function)
    inner = Frame(frame.builder, source, caller=frame.location_of(node), depth=frame.depth + 1)
    star_items = iter(() if star is None else arguments[star])
    bound_items: list[Any] = []
    failed = False
    for parameter in parameters:
        assert parameter is not None
        name = parameter.star or parameter.name
        item = next(star_items) if parameter.star is not None else {**body.constants, **arguments}[name]
        argument_node = nodes.get(name)
        argument_or_call = argument_node if isinstance(argument_node, ast.expr) else node
        try:
            value = passed(frame, source, parameter, name, item, argument_or_call)
            bind_sizes(frame, inner, source, parameter, value, argument_or_call)
        except Failed:
            failed = True
            continue
        if parameter.star is not None:
            bound_items.append(value)
        else:
            inner.names[name] = Binding(value, source.argument_location(name).within(body.name, inner.caller))
    if failed:
        raise Failed
    if star is not None:
        inner.names[star] = Binding(tuple(bound_items), source.argument_location(star).within(body.name, inner.caller))
    execute_function(inner, inner.body())


def passed(
    frame: Frame, source: FunctionSource, parameter: Parameter, name: str, item: Any, argument_node: ast.expr
) -> Any:
    """An argument in the type of its parameter; a Python value for a constexpr parameter."""
    if is_unknown(item):
        raise Failed
    label = Label(source.argument_location(name), f"{name} is annotated here")
    if parameter.is_constexpr:
        value_type = parameter.value_type
        if not is_python(item):
            message = f"{name} of {source.definition.name} is constexpr, but {describe(item)} is passed"
            frame.fail(CONSTEXPR, message, argument_node, CONSTEXPR_VALUE_HELP, [label])
        if value_type is not None and not isinstance(item, (int, float) if value_type is float else value_type):
            message = f"{name} is {item!r}, but is annotated constexpr[{value_type.__name__}]"
            advice = f"pass {value_type.__name__}, or annotate it with constexpr alone"
            frame.fail(CONSTEXPR, message, argument_node, advice, [label])
        return item
    value = argument(frame, source, name, item, parameter.type, argument_node)
    if is_unknown(value):
        raise Failed
    return value


def bind_sizes(
    frame: Frame, inner: Frame, source: FunctionSource, parameter: Parameter, value: Any, argument_node: ast.expr
) -> None:
    """Give the names of sizes their values; sizes of one name that are known must be equal."""
    for mode, size in parameter.sizes:
        if not size.is_name:
            continue
        binding = inner.names.get(size.text)
        named = binding.value if isinstance(binding, Binding) else None
        if named is None:
            location = source.argument_location(parameter.star or parameter.name)
            inner.names[size.text] = Binding(NamedSize(size.text, value, mode), location)
        elif isinstance(named, NamedSize):
            first, second = _extent(named.tensor, named.mode), _extent(value, mode)
            if isinstance(first, int) and isinstance(second, int) and first != second:
                message = f"the size {size.text} of {source.definition.name} is {first} and {second}"
                frame.fail(ARGUMENT_TYPE, message, argument_node, "pass arrays of one size")


def _extent(tensor: Value, mode: int | None) -> Any:
    type_ = tensor.type
    if isinstance(type_, GroupType):
        return type_.count if mode is None else type_.memref.shape[mode]
    return type_.shape[mode or 0] if isinstance(type_, MemrefType) else None


def _copy(frame: Frame, function: Function, node: ast.Call, call_arguments: CallArguments) -> None:
    """Copy the instructions of a kernel that was text; arguments have the types of its parameters."""
    names = [value.name or f"argument_{position}" for position, value in enumerate(function.parameters)]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(name, kind) for name in names])
    arguments, nodes = bind(frame, f"{function.name}.inline", signature, None, node, call_arguments)
    function = frame.builder.functions.copied(function)
    mapping: dict[Value, Value] = {}
    for name, parameter in zip(names, function.parameters):
        item, argument_node = arguments[name], nodes.get(name)
        argument_or_call = argument_node if isinstance(argument_node, ast.expr) else node
        if is_unknown(item):
            raise Failed
        value = frame.typed(item, parameter.type, argument_or_call) if is_literal(item) else item
        if not isinstance(value, Value) or value.type != parameter.type:
            message = f"{name} of {function.name} is {parameter.type}, but {describe(value)} is passed"
            help = "a kernel that was text takes arguments of just its types"
            frame.fail(ARGUMENT_TYPE, message, argument_or_call, help)
        mapping[parameter] = value
    for operation in function.body.operations:
        frame.builder.operations.append(clone_operation(operation, mapping))
