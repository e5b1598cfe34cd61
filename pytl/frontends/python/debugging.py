"""`print(…)` and `pytl.debug(…)`: they show values where the reference backend executes a kernel."""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ...ir.values import Value
from ...lang.traced import Shape, Transposed, describe, is_python
from ...ops import debug
from .arithmetic import fold
from .expressions import entries
from .frame import Failed, Frame
from .names import read_names
from .rules import SHOWN

_LONGEST_NAME = 60


def show(frame: Frame, node: ast.Call) -> None:
    """Trace `print(…)`: the arguments with a blank between two, f-strings with their values."""
    for keyword in node.keywords:
        frame.fail(SHOWN, f"print takes no {keyword.arg}= in a kernel", keyword.value, "each print is a line")
    shown = _Shown(frame)
    for position, argument in enumerate(node.args):
        if position:
            shown.template += " "
        shown.add(argument)
    frame.emit(debug.Print, node, text=shown.template, shown=shown.values)


class _Shown:
    """A text with places for values, and the values."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.template = ""
        self.values: list[Value] = []

    def add(self, node: ast.expr) -> None:
        """Add the text and values of one argument."""
        if not isinstance(node, ast.JoinedStr):
            self._item(self.frame.known(node), node)
            return
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self._item(self.frame.known(part.value), part.value, self._format(part))
            else:
                assert isinstance(part, ast.Constant)
                self._text(str(part.value))

    def _text(self, text: str) -> None:
        self.template += text.replace("{", "{{").replace("}", "}}")

    def _format(self, part: ast.FormattedValue) -> str:
        if part.format_spec is None:
            return ""
        constants = [
            str(piece.value) for piece in getattr(part.format_spec, "values", ()) if isinstance(piece, ast.Constant)
        ]
        text = "".join(constants)
        if len(constants) != len(getattr(part.format_spec, "values", ())) or not debug.FORMAT.fullmatch(text):
            self.frame.fail(
                SHOWN, "print doesn't support this format", part.value, "write a plain format, such as {x:8.3f}"
            )
        return text

    def _item(self, item: Any, node: ast.expr, form: str = "") -> None:
        if isinstance(item, (tuple, Shape)) and not is_python(item):
            self._text("(")
            for position, entry in enumerate(entries(self.frame, item, node)):
                self._text(", " if position else "")
                self._item(entry, node)
            self._text(")")
        elif isinstance(item, Value) and debug.SHOWN.admits(item.type):
            self.template += f"{{:{form}}}" if form else "{}"
            self.values.append(item)
        elif is_python(item):
            self._text(fold(self.frame, node, lambda: format(item, form)))
        else:
            self.frame.fail(SHOWN, f"{describe(item)} can't be shown", node, _other(item))


def _other(item: Any) -> str:
    if isinstance(item, Transposed):
        return "show the matrix itself"
    if isinstance(item, Value):
        return "store it in memory first" if "coopmatrix" in str(item.type) else "show one of its memrefs: G[g]"
    return "name its type, such as f32(x)"


# Python functions.


def call_python(frame: Frame, node: ast.Call) -> None:
    """Trace `pytl.debug(function, …)`."""
    if node.keywords or not node.args:
        frame.fail(SHOWN, "debug takes a function and values", node, "write pytl.debug(lambda x: print(x))")
    head, *given = node.args
    if isinstance(head, ast.Lambda):
        function, name, wanted = _compiled(frame, head, named=not given)
    else:
        function = frame.known(head)
        if not callable(function) or not is_python(function):
            frame.fail(SHOWN, f"{describe(function)} can't be called", head, "pass a Python function or a lambda")
        name = getattr(function, "__name__", type(function).__name__)
        wanted = [] if given else _parameters(function)
    nodes = [*given, *(ast.copy_location(ast.Name(word, ast.Load()), head) for word in wanted)]
    items = [frame.evaluate(at) for at in nodes]
    shown: list[Value] = []
    places: list[tuple[int | None, Any]] = []
    for item, at in zip(items, nodes, strict=True):
        if is_python(item):
            places.append((None, item))
        elif isinstance(item, Value) and debug.SHOWN.admits(item.type):
            places.append((len(shown), None))
            shown.append(item)
        elif frame.builder.diagnostics.errors:
            raise Failed
        else:
            frame.fail(SHOWN, f"{describe(item)} can't be shown", at, _other(item))

    def call(*values: Any) -> Any:
        return function(*(constant if place is None else values[place] for place, constant in places))

    frame.builder.captures.has_callbacks = True
    frame.emit(debug.Call, node, function=debug.PythonFunction(name, call), shown=shown)


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
    own = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    free = [
        name
        for name in sorted(read_names(node.body) - {*own})
        if (found := frame.bound(name)) is not None and not is_python(found.value)
    ]
    arguments = copy.deepcopy(arguments)
    arguments.args += [ast.copy_location(ast.arg(name), node) for name in free]
    made = ast.copy_location(ast.Lambda(arguments, node.body), node)
    for name in sorted(read_names(node.body) - {*own, *free}):
        if frame.is_outer(name):
            frame.object_of(ast.copy_location(ast.Name(name, ast.Load()), node))  # a change of it is seen
    function = frame.source.function
    known = {name: binding.value for name, binding in frame.constants()}
    space = {**function.__globals__, **known}
    code = compile(ast.Expression(made), function.__code__.co_filename, "eval")
    name = ast.unparse(node)
    name = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"
    return eval(code, space), name, [*(own if named else ()), *free]
