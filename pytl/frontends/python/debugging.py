"""`print(…)` and `pytl.debug(…)`: they show values where the reference backend executes a kernel."""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ...ir.values import Value
from ...ops import debug
from ..lang.traced import describe, is_python
from .frame import Failed, Frame, statement
from .names import Names, read_names
from .rules import ASSERTION, SHOWN
from .texts import Template, advice_on_shown

_LONGEST_NAME = 60


def show(frame: Frame, node: ast.Call) -> None:
    """Trace `print(…)`: the arguments with a blank between two, f-strings with their values."""
    for keyword in node.keywords:
        frame.fail(SHOWN, f"print takes no {keyword.arg}= in a kernel", keyword.value, "each print is a line")
    template = Template(frame)
    for position, argument in enumerate(node.args):
        if position:
            template.template += " "
        template.add(argument)
    frame.emit(debug.Print, node, text=template.template, shown=template.values)


@statement(ast.Assert)
def _assert(frame: Frame, node: ast.Assert, live: Names) -> None:
    """Test a condition now, where it is known, or when the kernel is executed with checks."""
    condition = frame.as_condition(frame.known(node.test), node.test)
    written = ast.unparse(node.test)
    if condition is True:
        return
    template = Template(frame)
    if node.msg is None:
        template.text(f"{written} is false")
    else:
        template.add(node.msg)
    if condition is False:
        text = debug.without_values(template.template)
        frame.fail(ASSERTION, text, node.test, f"{written} is false" if node.msg is not None else None)
    frame.emit(debug.Assert, node, text=template.template, holds=condition, shown=template.values)


# Python functions.


def call_python(frame: Frame, node: ast.Call) -> None:
    """Trace `pytl.debug(function, …)`."""
    if node.keywords or not node.args:
        frame.fail(SHOWN, "debug takes a function and values", node, "write pytl.debug(lambda x: print(x))")
    head, *value_nodes = node.args
    if isinstance(head, ast.Lambda):
        function, name, names = _compiled(frame, head, named=not value_nodes)
    else:
        function = frame.known(head)
        if not callable(function) or not is_python(function):
            frame.fail(SHOWN, f"{describe(function)} can't be called", head, "pass a Python function or a lambda")
        name = getattr(function, "__name__", type(function).__name__)
        names = [] if value_nodes else _parameters(function)
    nodes = [*value_nodes, *(ast.copy_location(ast.Name(word, ast.Load()), head) for word in names)]
    items = [frame.evaluate(value_node) for value_node in nodes]
    shown_values: list[Value] = []
    entries: list[tuple[int | None, Any]] = []
    for item, value_node in zip(items, nodes, strict=True):
        if is_python(item):
            entries.append((None, item))
        elif isinstance(item, Value) and debug.SHOWN.admits(item.type):
            entries.append((len(shown_values), None))
            shown_values.append(item)
        elif frame.builder.diagnostics.errors:
            raise Failed
        else:
            frame.fail(SHOWN, f"{describe(item)} can't be shown", value_node, advice_on_shown(item))

    def call(*values: Any) -> Any:
        return function(*(constant if index is None else values[index] for index, constant in entries))

    frame.builder.captures.has_callbacks = True
    frame.emit(debug.Call, node, function=debug.PythonFunction(name, call), shown=shown_values)


def _parameters(function: Callable[..., Any]) -> list[str]:
    """The names of a function's required parameters."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [p.name for p in parameters if p.kind in kinds and p.default is p.empty]


def _compiled(frame: Frame, node: ast.Lambda, *, named: bool) -> tuple[Callable[..., Any], str, Sequence[str]]:
    """A lambda of the kernel's source as a function, and the names of the kernel's values that it takes at the end.

    It is the program's own source, which Python would have compiled with the enclosing function.
    """
    arguments = node.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
        frame.fail(SHOWN, "the lambda has parameters that are not plain names", node, "write lambda x, y: …")
    parameter_names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    free = [
        name
        for name in sorted(read_names(node.body) - {*parameter_names})
        if (binding := frame.bound(name)) is not None and not is_python(binding.value)
    ]
    arguments = copy.deepcopy(arguments)
    arguments.args += [ast.copy_location(ast.arg(name), node) for name in free]
    lambda_node = ast.copy_location(ast.Lambda(arguments, node.body), node)
    for name in sorted(read_names(node.body) - {*parameter_names, *free}):
        if frame.is_outer(name):
            frame.object_of(ast.copy_location(ast.Name(name, ast.Load()), node))  # a change of it is seen
    function = frame.source.function
    constants = {name: binding.value for name, binding in frame.constants()}
    space = {**function.__globals__, **constants}
    code = compile(ast.Expression(lambda_node), function.__code__.co_filename, "eval")
    name = ast.unparse(node)
    name = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    return eval(code, space), name, [*(parameter_names if named else ()), *free]
