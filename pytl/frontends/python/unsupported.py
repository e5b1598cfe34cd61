"""Python constructs that the tensor language lacks: they are reported, and their parts looked over."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NoReturn

from .frame import EXPRESSIONS, STATEMENTS, UNKNOWN, Failed, Frame
from .guards import is_bare
from .names import Names, bound_names, target_names
from .reasons import EXPRESSION_REASONS, STATEMENT_REASONS
from .rules import EXPRESSION, LOOP, RETURN, STATEMENT


def _statement(frame: Frame, node: Any, live: Names) -> NoReturn:
    message, help = STATEMENT_REASONS[type(node).__name__]
    frame.report(STATEMENT, message, node, help)
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for body in _bodies(node):
            frame.look_over(body, bound_names([node]))
    raise Failed


def _bodies(node: Any) -> Iterator[list[ast.stmt]]:
    """The lists of statements inside of a statement."""
    for field in ("body", "orelse", "finalbody"):
        if getattr(node, field, None):
            yield getattr(node, field)
    for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield inner.body


def _expression(frame: Frame, node: Any) -> NoReturn:
    name = type(node).__name__
    message, help = EXPRESSION_REASONS.get(name, (f"{name}of this Python version is not supported by pytl", None))
    frame.report(EXPRESSION, message, node, help)
    for bound, place in target_names(node).items():
        frame.bind(bound, UNKNOWN, place)  # type: ignore[arg-type]
    raise Failed


def _return(frame: Frame, node: ast.Return, live: Names) -> NoReturn:
    if frame.caller is None and is_bare(node):
        frame.fail(
            RETURN,
            "no else branch can take the rest of the kernel after this return",
            node,
            "end a branch of an if in the kernel's own body with return; continue ends one iteration of a loop",
        )
    if frame.caller is None:
        frame.fail(RETURN, "a kernel returns nothing", node, "store results in a parameter: A[i] = x")
    frame.fail(
        RETURN,
        f"{frame.source.definition.name} has a return in the middle",
        node,
        "return once at the end, or from both branches of an if there",
    )


def refuse_else(frame: Frame, node: ast.For) -> None:
    """A loop's else depends on break, which there is not."""
    if node.orelse:
        frame.report(LOOP, "a loop has no else", node.orelse[0], "write its statements after the loop")


# The tables name syntax that some versions of Python don't have.
for _name in STATEMENT_REASONS:
    if hasattr(ast, _name):
        STATEMENTS.setdefault(getattr(ast, _name), _statement)
STATEMENTS[ast.Return] = _return
for _kind in ast.expr.__subclasses__():
    EXPRESSIONS.setdefault(_kind, _expression)
