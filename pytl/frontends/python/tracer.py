"""From a Python function to a function of the language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...diagnostics import Diagnostics, Location, TraceError, warn_at
from ...ir.types import Type
from ...ir.values import Function, Module, Region, Value
from ...ir.verifier import find_problems
from ..lang.traced import NamedSize

# These declare how expressions and statements are traced.
from . import (  # noqa: F401
    arithmetic,
    calls,
    closures,
    containers,
    control,
    expressions,
    matching,
    statements,
    subscripts,
    unsupported,
    whiles,
)
from .builder import Builder, Functions
from .captures import Captures
from .content import Incomparable
from .expressions import plain
from .frame import UNKNOWN, Binding, Frame
from .names import identifier
from .parameters import NO_DEFAULT, Parameter, read_signature
from .rebinding import check_rebinding
from .rules import CONSTEXPR, KERNEL, NESTING, REBOUND, REMAINDER
from .source import LAMBDA, find_source
from .wording import in_python


@dataclass
class Traced:
    """The result of tracing: the function as far as it could be translated, and all diagnostics."""

    function: Function
    diagnostics: Diagnostics
    captures: Captures

    def checked(self) -> Traced:
        """The same, with its warnings shown. Raises `pytl.diagnostics.TraceError` with all errors of the function."""
        if self.diagnostics.errors:
            raise TraceError(self.diagnostics.in_order())
        for finding in self.diagnostics.items:
            if finding.rule in (REMAINDER, REBOUND):
                warn_at(finding)
        return self


def trace(
    function: Callable[..., Any],
    *,
    name: str | None = None,
    attributes: Mapping[str, Any] | None = None,
    constexprs: Mapping[str, Any] | None = None,
    names: Mapping[str, Any] | None = None,
) -> Function:
    """Translate a Python function into a function of the language.

    Parameters: `function`, whose source is read and never run; `name`, of the result, by default the
    function's; `attributes`, those of the result (subgroup_size, work_group_size, of which 32 is (32, 1));
    `constexprs`, the values of the parameters that are annotated so, by name, where they have no default; `names`,
    further names that annotations may use.

    Returns the verified function. Raises `pytl.diagnostics.TraceError` with all errors of the function; warns of
    remainders that may be negative (PYTL-1081), and of parameters whose name a tensor takes that is never read (1085).

    >>> from pytl import Memref, f32
    >>> def first(A: Memref[f32, 4, ...], x: f32):
    ...     A[0, 0] = x
    >>> print(trace(first))
    func @first(%A: memref<f32x4x?>,
                %x: f32) {
      %0 = constant 0 : index
      %1 = constant 0 : index
      store %x, %A[%0, %1]
    }
    """
    traced = trace_function(function, name=name, attributes=attributes, constexprs=constexprs, names=names)
    return traced.checked().function


def trace_function(
    function: Callable[..., Any],
    *,
    name: str | None = None,
    attributes: Mapping[str, Any] | None = None,
    constexprs: Mapping[str, Any] | None = None,
    names: Mapping[str, Any] | None = None,
) -> Traced:
    """As `trace`, but returns the function as far as it could be translated, and all diagnostics."""
    source = find_source(function)
    if source.definition.name == LAMBDA:
        raise TraceError.single(KERNEL, "this function is a lambda", source.name_location, "write it with def")
    body = Region("collective")
    builder = Builder(body.operations)
    builder.attributes = dict(attributes or {})
    builder.functions = Functions(identifier(name or source.function.__name__) or "kernel")
    frame = Frame(builder, source)
    parameters = read_signature(function, names, builder.diagnostics, constexprs)
    values = _bind_parameters(frame, parameters, dict(constexprs or {}))
    builder.parameters = values
    result = Function(
        identifier(name or source.function.__name__) or "kernel",
        values,
        body,
        {key: _attribute(key, value) for key, value in (attributes or {}).items()},
        source.name_location.within(source.function.__name__, None),
    )
    try:
        frame.execute(frame.body(), frozenset())
    except RecursionError:
        builder.diagnostics.report(
            NESTING,
            f"{source.function.__name__} nests too deeply",
            result.location,
            "assign parts of long expressions to names",
        )
    else:
        check_rebinding(builder, result)
        findings = builder.diagnostics.items
        reported_count = len(findings)
        find_problems(Module.of(result), builder.diagnostics)
        findings[reported_count:] = map(in_python, findings[reported_count:])
    return Traced(result, builder.diagnostics, builder.captures)


def _attribute(key: str, value: Any) -> Any:
    if key == "work_group_size" and type(plain(value)) is int:
        return [plain(value), 1]
    return [plain(entry) for entry in value] if isinstance(value, (tuple, list)) else plain(value)


def _bind_parameters(frame: Frame, parameters: list[Parameter | None], constexprs: dict[str, Any]) -> list[Value]:
    values = []
    definition = frame.source.definition.args
    names_of_sizes = {name for parameter in parameters if parameter is not None for name in parameter.size_names}
    stars = [definition.vararg] if definition.vararg is not None else []
    for argument in (*definition.posonlyargs, *definition.args, *stars, *definition.kwonlyargs):
        location = frame.source.argument_location(argument.arg).within(frame.source.definition.name, None)
        parameter = next((p for p in parameters if p is not None and p.name == argument.arg), None)
        item: Any = UNKNOWN
        if argument is definition.vararg:
            star_parameters = [p for p in parameters if p is not None and p.star == argument.arg and not p.is_open]
            item = tuple(_value(p, location) for p in star_parameters)
            values += item
            constexprs.pop(argument.arg, None)
        elif parameter is not None and parameter.is_constexpr:
            item = _constexpr(frame, parameter, constexprs)
        elif parameter is not None:
            item = _value(parameter, location)
            values.append(item)
            for mode, size in parameter.sizes:
                if size.is_name:
                    frame.names.setdefault(size.text, Binding(NamedSize(size.text, item, mode), location))
        frame.names[argument.arg] = Binding(item, location)
    for name in names_of_sizes & constexprs.keys():  # those of constexpr parameters are bound by now
        frame.names[name] = Binding(plain(constexprs.pop(name)), frame.source.name_location)
    for name in constexprs:
        frame.builder.diagnostics.report(
            CONSTEXPR,
            f"{frame.source.definition.name} has no constexpr parameter {name}",
            frame.source.name_location.within(frame.source.definition.name, None),
            f"annotate the parameter: {name}: constexpr",
        )
    return values


def _value(parameter: Parameter, location: Location) -> Value:
    assert isinstance(parameter.type, Type)
    return Value(parameter.type, identifier(parameter.name), location, dict(parameter.attributes))


def _constexpr(frame: Frame, parameter: Parameter, constexprs: dict[str, Any]) -> Any:
    item = plain(constexprs.pop(parameter.name, parameter.default))
    value_type = parameter.value_type
    problem = help = None
    if item is NO_DEFAULT:
        problem, help = f"{parameter.name} has no value", f"pass one: {parameter.name}=…"
    elif value_type is not None and not isinstance(item, (int, float) if value_type is float else value_type):
        problem = f"{parameter.name} is {item!r}, but is annotated constexpr[{value_type.__name__}]"
        help = f"pass {value_type.__name__}, or annotate it with constexpr alone"
    if problem is None:
        try:
            frame.captures.constant(item)
        except Incomparable as error:
            problem = f"{parameter.name} is, or contains, a Python {error}, which can't be compared"
            help = "pass numbers, texts, functions, or tuples and dataclasses of these"
    if problem is None:
        return item
    frame.builder.diagnostics.report(
        CONSTEXPR,
        problem,
        frame.source.argument_location(parameter.name).within(frame.source.definition.name, None),
        help,
    )
    return UNKNOWN
