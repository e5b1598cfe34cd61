"""Plain Python functions that a kernel calls: traced in place, each in a frame of its own."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, MappingProxyType
from typing import Any

from ...diagnostics import Label, Location, TraceError
from ...ir.types import GroupType, MemrefType, Type
from ...ir.values import Region, Value
from ...process.records import dataclass
from ..lang.traced import describe, is_literal, is_python, is_unknown, plain_number
from .annotations import signature_of
from .frame import UNKNOWN, Binding, Failed, Frame
from .merge import Branch, Joint, join
from .names import Names, live_before
from .parameters import CONSTEXPR_PARAMETER, annotated_types
from .rules import ARGUMENT_TYPE, CALL_ARGUMENTS, CONSTEXPR, CONSTEXPR_VALUE_HELP, INLINING
from .source import FunctionSource, Positioned, find_source

MAX_CALLS = 32
"""The largest depth of calls that are inlined into each other. Beyond it, the recursion has no end."""


@dataclass(frozen=True)
class CallArguments:
    """The arguments of a call, and the pieces of the source that they are; None where they are not written there."""

    positional: tuple[Any, ...]
    named: dict[str, Any]
    nodes: tuple[ast.expr | None, ...]
    named_nodes: dict[str, ast.expr | None]

    def after(self, first: Sequence[Any], named: Mapping[str, Any] = MappingProxyType({})) -> CallArguments:
        """These arguments after others, as `self` or those of a partial function; names of these prevail."""
        return CallArguments(
            (*first, *self.positional),
            {**named, **self.named},
            (*(None for _ in first), *self.nodes),
            {**dict.fromkeys(named), **self.named_nodes},
        )


def inline(frame: Frame, function: FunctionType, node: ast.Call, call_arguments: CallArguments) -> Any:
    """Trace the body of a function with these arguments; returns the value that the function returns."""
    check_depth(frame, function.__name__, node)
    source = source_of(frame, function, node)
    frame.record_read(node.func, frame.captures.inlined, function)
    inner = Frame(frame.builder, source, caller=frame.location_of(node), depth=frame.depth + 1)
    return run(frame, inner, signature_of(function), annotated_types(function), node, call_arguments)


def source_of(frame: Frame, function: FunctionType, node: ast.Call) -> FunctionSource:
    """The source of a function that is called; where there is none, the call is refused."""
    try:
        return find_source(function)
    except TraceError as error:
        finding = error.diagnostics[0]
        frame.fail(finding.rule, finding.message, node, finding.help)


def bind(
    frame: Frame,
    name: str,
    signature: inspect.Signature,
    source: FunctionSource | None,
    node: ast.Call,
    call_arguments: CallArguments,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of a call by parameter, defaults included, and where those stand that are written.

    `name` is what a message calls the function, whose source is given where it is the user's.
    """
    try:
        bound = signature.bind(*call_arguments.positional, **call_arguments.named)
    except TypeError as error:
        labels = [] if source is None else [Label(source.name_location, "defined here")]
        frame.fail(CALL_ARGUMENTS, f"{name}: {error}", node, labels=labels)
    bound.apply_defaults()
    return bound.arguments, signature.bind(*call_arguments.nodes, **call_arguments.named_nodes).arguments


def check_depth(frame: Frame, name: str, node: ast.Call) -> None:
    """End a recursion that has no end."""
    if frame.depth >= MAX_CALLS:
        location = frame.location_of(node)
        outermost = frame.caller
        while outermost is not None and outermost.caller is not None:
            outermost = outermost.caller
        frame.fail(
            INLINING,
            f"{name} is inlined more than {MAX_CALLS} calls deep",
            location.within(location.function, outermost),  # the calls in between are all alike
            "a recursion must end at a condition on Python constants; write a loop",
        )


def run(
    frame: Frame,
    inner: Frame,
    signature: inspect.Signature,
    types: Mapping[str, Any],
    node: ast.Call,
    call_arguments: CallArguments,
) -> Any:
    """Trace a function in its frame, with arguments that fit its signature and the types of its annotations."""
    source = inner.source
    name = source.definition.name
    arguments, nodes = bind(frame, name, signature, source, node, call_arguments)
    for word, item in arguments.items():
        kind, type_, at = signature.parameters[word].kind, types.get(word), nodes.get(word)
        if kind is inspect.Parameter.VAR_POSITIONAL:
            locations = at if isinstance(at, tuple) else ()
            value: Any = tuple(
                argument(frame, source, word, each, type_, location or node) for each, location in zip(item, locations)
            )
        elif kind is inspect.Parameter.VAR_KEYWORD:
            value = frame.builder.containers.remember(dict(item), frame.builder.operations)
        else:
            value = argument(frame, source, word, item, type_, at if isinstance(at, ast.expr) else node)
        inner.names[word] = Binding(value, source.argument_location(word).within(name, inner.caller))
    return execute_function(inner, inner.body())


def argument(frame: Frame, source: FunctionSource, name: str, item: Any, type_: Any, argument_node: ast.expr) -> Any:
    """An argument in the type of its parameter's annotation. Annotations other than pytl's are ignored."""
    item = plain_number(item)
    if type_ is None or is_unknown(item):
        return item
    label = Label(source.argument_location(name), f"{name} is annotated here")
    try:
        if type_ is CONSTEXPR_PARAMETER:
            if not is_python(item):
                frame.fail(
                    CONSTEXPR,
                    f"{name} of {source.definition.name} is constexpr, but {describe(item)} is passed",
                    argument_node,
                    CONSTEXPR_VALUE_HELP,
                    [label],
                )
            return item
        if is_literal(item):
            return frame.typed(item, type_, argument_node)
        if not isinstance(item, Value) or not _accepts(type_, item.type):
            frame.fail(
                ARGUMENT_TYPE,
                f"{name} of {source.definition.name} is {type_}, but {describe(item)} is passed",
                argument_node,
                labels=[label],
            )
    except Failed:
        return UNKNOWN
    return item


def _accepts(annotated: Type, actual: Type) -> bool:
    """Whether a value fits an annotation. Dynamic sizes and the address space of the annotation fit any."""
    if isinstance(annotated, MemrefType) and isinstance(actual, MemrefType):
        if annotated.element != actual.element or annotated.order != actual.order:
            return False
        pairs = zip(annotated.shape + annotated.strides, actual.shape + actual.strides, strict=True)
        return all(a == b for a, b in pairs if isinstance(a, int))
    if isinstance(annotated, GroupType) and isinstance(actual, GroupType):
        return _accepts(annotated.memref, actual.memref)
    return annotated == actual


# pytl's own library.


class LibraryFrame(Frame):
    """A function of `frontends/lang/library` that is traced: its instructions have the location of the user's call."""

    def __init__(self, frame: Frame, source: FunctionSource, location: Location) -> None:
        super().__init__(frame.builder, source, depth=frame.depth + 1)
        self._location = location

    def location_of(self, node: Positioned) -> Location:
        return self._location

    def record_read(self, node: ast.expr, record: Callable[..., None], *arguments: Any) -> None:
        """Nothing, for pytl's own library does not change."""

    def bind(self, name: str, value: Any, node: Positioned) -> None:
        """Bind a name to a value. The value itself gets no name: names in the IR are for the user's values."""
        self.names[name] = Binding(value, self._location)


# The sources of the library don't change while it is used.
_library_source = functools.cache(find_source)


def inline_library(frame: Frame, function: FunctionType, node: Positioned, arguments: Sequence[Any]) -> Any:
    """Trace the body of one of the library's functions; its parameters are positional, and have no annotations."""
    source = _library_source(function)
    location = frame.location_of(node)
    inner = LibraryFrame(frame, source, location)
    parameters = [argument.arg for argument in source.definition.args.args]
    for name, item in zip(parameters, arguments, strict=True):
        inner.names[name] = Binding(item, location)
    return execute_function(inner, inner.body())


# What a function returns.


def execute_function(frame: Frame, body: Sequence[ast.stmt], live: Names = frozenset()) -> Any:
    """Trace the statements of a function; returns the value that they return, None where they return nothing."""
    for position, node in enumerate(body):
        if isinstance(node, ast.Return):
            frame.execute(body[:position], live_before([node], live))
            for rest in body[position + 1 :]:
                frame.diagnose([rest])
            return None if node.value is None else frame.evaluate(node.value)
        if isinstance(node, ast.If) and _returns_somewhere(node):
            then, otherwise = node.body, node.orelse
            following = body[position + 1 :]
            # the branch that does not return continues with the statements that follow
            if not _returns(then):
                then = [*then, *following]
            if not _returns(otherwise):
                otherwise = [*otherwise, *following]
            frame.execute(body[:position], live_before(body[position:], live))
            return _choose(frame, node, then, otherwise)
    frame.execute(body, live)
    return None


def _returns(body: Sequence[ast.stmt]) -> bool:
    """Whether every path through the statements ends with a return."""
    return any(
        isinstance(node, ast.Return) or (isinstance(node, ast.If) and _returns(node.body) and _returns(node.orelse))
        for node in body
    )


def _returns_somewhere(node: ast.If) -> bool:
    return any(
        isinstance(inner, ast.Return) or (isinstance(inner, ast.If) and _returns_somewhere(inner))
        for inner in (*node.body, *node.orelse)
    )


def _choose(frame: Frame, node: ast.If, then: Sequence[ast.stmt], otherwise: Sequence[ast.stmt]) -> Any:
    condition = frame.condition(node.test)
    if isinstance(condition, bool):
        return execute_function(frame, then if condition else otherwise)
    before = kept = frame.names
    regions, results = [], []
    for body in (then, otherwise):
        region = Region("mixed")
        frame.names = dict(before)
        with frame.builder.into(region.operations):
            results.append(execute_function(frame, body))
        regions.append(region)
        kept = {name: binding for name, binding in kept.items() if frame.names.get(name) is binding}
    locations = [frame.location_of(body[-1]) if body else frame.location_of(node) for body in (then, otherwise)]
    joint = Joint(None, results[0], locations[0], results[1], locations[1])
    # a function that was defined here and is returned finds the names that both branches leave as they were
    frame.names = kept
    return join(frame, node.test, condition, Branch(*regions), [joint])[0]
