"""Functions as objects while a kernel is traced: those that it defines, partial ones, methods, callable objects."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Mapping
from types import FunctionType, MethodType
from typing import Any

from ...process.records import dataclass
from ..lang.traced import Described, describe
from .expressions import python_attribute
from .frame import Frame, expression, statement
from .inline import CallArguments, check_depth, run
from .names import Names
from .parameters import annotated_type
from .rules import STATEMENT
from .source import LAMBDA, FunctionSource, definition_of


@dataclass(frozen=True, eq=False)
class LocalFunction(Described):
    """A function that the kernel defines, by `def` or `lambda`, with the frame whose names it reads."""

    definition: ast.FunctionDef
    frame: Frame
    signature: inspect.Signature
    types: Mapping[str, Any]

    @property
    def description(self) -> str:
        return "a lambda" if self.definition.name == LAMBDA else f"the function {self.definition.name}"


@dataclass(frozen=True, eq=False)
class Partial(Described):
    """A function with its first arguments, and some named ones."""

    function: Any
    arguments: tuple[Any, ...]
    named: Mapping[str, Any]

    @property
    def description(self) -> str:
        return f"{describe(self.function)} with some of its arguments"


@statement(ast.FunctionDef)
def _define(frame: Frame, node: ast.FunctionDef, live: Names) -> None:
    if node.decorator_list:
        advice = "call the decorator's function in the kernel, or define the function outside of it"
        frame.fail(STATEMENT, f"{node.name} has a decorator, in a kernel", node.decorator_list[0], advice)
    frame.bind(node.name, _local_function(frame, node), node)


@expression(ast.Lambda)
def _lambda(frame: Frame, node: ast.Lambda) -> LocalFunction:
    return _local_function(frame, definition_of(node))


def _local_function(frame: Frame, node: ast.FunctionDef) -> LocalFunction:
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    parameters, types = [], {}

    def add(argument: ast.arg, kind: Any, default: ast.expr | None = None) -> None:
        value = inspect.Parameter.empty if default is None else frame.evaluate(default)
        parameters.append(inspect.Parameter(argument.arg, kind, default=value))
        if argument.annotation is not None:
            annotation = frame.evaluate(argument.annotation)
            type_ = annotated_type(argument.arg, annotation)
            if type_ is not None:
                types[argument.arg] = type_

    for position, (argument, default) in enumerate(zip(plain, defaults, strict=True)):
        is_first = position < len(arguments.posonlyargs)
        kind = inspect.Parameter.POSITIONAL_ONLY if is_first else inspect.Parameter.POSITIONAL_OR_KEYWORD
        add(argument, kind, default)
    if arguments.vararg is not None:
        add(arguments.vararg, inspect.Parameter.VAR_POSITIONAL)
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        add(argument, inspect.Parameter.KEYWORD_ONLY, default)
    if arguments.kwarg is not None:
        add(arguments.kwarg, inspect.Parameter.VAR_KEYWORD)
    return LocalFunction(node, frame, inspect.Signature(parameters), types)


def call_local(frame: Frame, function: LocalFunction, node: ast.Call, call_arguments: CallArguments) -> Any:
    """Trace the body of a function that the kernel defines."""
    check_depth(frame, function.definition.name, node)
    enclosing = function.frame
    source = FunctionSource(enclosing.source.function, function.definition, enclosing.source.source)
    inner = Frame(frame.builder, source, frame.location_of(node), frame.depth + 1, enclosing)
    return run(frame, inner, function.signature, function.types, node, call_arguments)


def resolved(frame: Frame, callee: Any, node: ast.Call, call_arguments: CallArguments) -> tuple[Any, CallArguments]:
    """The function that is traced for a callable object, and its arguments: `self` and those of a partial function.

    What has another object inside is looked into by attribute, as Python does it.
    """
    for _ in range(_MAX_LAYERS):
        if isinstance(callee, Partial):
            callee, call_arguments = callee.function, call_arguments.after(callee.arguments, callee.named)
        elif isinstance(callee, functools.partial):
            first, named = (_attribute(frame, callee, name, node, True) for name in ("args", "keywords"))
            callee, call_arguments = _attribute(frame, callee, "func", node), call_arguments.after(first, named)
        elif isinstance(callee, MethodType):  # which is the same for ever
            callee, call_arguments = callee.__func__, call_arguments.after((callee.__self__,))
        elif type(callee).__name__ == "_lru_cache_wrapper":
            callee = _attribute(frame, callee, "__wrapped__", node)
        elif _is_called_by_a_function(type(callee)):
            callee = _attribute(frame, callee, "__call__", node)
        else:
            break
    return callee, call_arguments


_MAX_LAYERS = 32


def _is_called_by_a_function(kind: type) -> bool:
    """Whether objects of a class are called by its method, which is no part of pytl or NumPy."""
    if (kind.__module__ or "").split(".")[0] in (__package__.split(".")[0], "numpy"):
        return False
    return any(isinstance(vars(each).get("__call__"), FunctionType) for each in kind.__mro__)


def _attribute(frame: Frame, item: Any, name: str, node: ast.Call, by_content: bool = False) -> Any:
    written = ast.copy_location(ast.Attribute(node.func, name, ast.Load()), node.func)
    return python_attribute(frame, item, written, by_content)
