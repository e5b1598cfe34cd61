"""Copies of functions, regions and instructions, so that passes never change what the user holds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .fields import RegionPart
from .operation import Operation
from .values import Function, Module, Region, Value

Mapping = dict[Value, Value]


def clone_module(module: Module) -> Module:
    copies = _clone_functions(module.functions)
    return Module([copies[function] for function in module.functions])


def clone_function(function: Function) -> Function:
    """A copy of a function, which calls copies of what the function calls."""
    return _clone_functions([function])[function]


def _clone_functions(functions: Iterable[Function]) -> dict[Function, Function]:
    """Copies of functions and of all that they call."""
    copies: dict[Function, Function] = {}
    todo = list(functions)
    while todo:
        function = todo.pop()
        if function not in copies:
            copies[function] = clone_alone(function)
            todo += [op.callee for op in function.calls()]
    for copy in copies.values():
        for op in copy.calls():
            op.callee = copies[op.callee]
    return copies


def clone_alone(function: Function) -> Function:
    """A copy of a function that calls the same functions."""
    mapping: Mapping = {}
    parameters = [_clone_value(value, mapping) for value in function.parameters]
    body = clone_region(function.body, mapping)
    return Function(function.name, parameters, body, dict(function.attributes), function.location, function.results)


def clone_region(region: Region, mapping: Mapping) -> Region:
    """A copy whose values replace those in `mapping`; what the copy defines is added to it."""
    arguments = [_clone_value(value, mapping) for value in region.arguments]
    operations = [clone_operation(operation, mapping) for operation in region.operations]
    return Region(region.kind, arguments, operations, region.location)


def clone_operation(operation: Operation, mapping: Mapping) -> Operation:
    """A copy that uses the values of `mapping`; its results are added to it."""
    parts: dict[str, Any] = {}
    for name, part in operation.parts.items():
        if not part.is_stored:
            continue
        stored = getattr(operation, name)
        if isinstance(part, RegionPart):
            parts[name] = None if stored is None else clone_region(stored, mapping)
        else:
            copied = part.map(stored, lambda value: mapping.get(value, value))
            parts[name] = dict(copied) if isinstance(copied, dict) else copied
    copy = type(operation)(
        operation.location, [value.type for value in operation.results], spans=operation.spans, **parts
    )
    copy.read_as = operation.read_as
    for old, new in zip(operation.results, copy.results):
        new.name, new.location, new.attributes = old.name, old.location, dict(old.attributes)
        mapping[old] = new
    return copy


def _clone_value(value: Value, mapping: Mapping) -> Value:
    copy = Value(value.type, value.name, value.location, dict(value.attributes))
    mapping[value] = copy
    return copy
