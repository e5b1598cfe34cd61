"""Python constructs that the tensor language lacks: they are reported, and their parts looked over."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NoReturn

from .frame import EXPRESSIONS, STATEMENTS, UNKNOWN, Failed, Frame
from .jumps import is_bare
from .names import Names, bound_names, target_names
from .reasons import EXPRESSION_REASONS, STATEMENT_REASONS
from .rules import EXPRESSION, JUMP, RETURN, STATEMENT


def _statement(frame: Frame, node: Any, live: Names) -> NoReturn:
    message, help = STATEMENT_REASONS[type(node).__name__]
    frame.report(STATEMENT, message, node, help)
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        for name in node.names:
            frame.bind(name, UNKNOWN, node)
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for body in _bodies(node):
            frame.diagnose(body, bound_names([node]))
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
    for bound, location in target_names(node).items():
        frame.bind(bound, UNKNOWN, location)  # type: ignore[arg-type]
    raise Failed


def _return(frame: Frame, node: ast.Return, live: Names) -> NoReturn:
    if frame.caller is None and not is_bare(node):
        frame.fail(RETURN, "a kernel returns nothing", node, "store results in a parameter: A[i] = x")
    refuse_jump(frame, node, "the parallel region")
    raise Failed


def _jump(frame: Frame, node: ast.Break | ast.Continue, live: Names) -> NoReturn:
    refuse_jump(frame, node, "the parallel region")
    raise Failed


def refuse_jump(frame: Frame, node: ast.stmt, where: str) -> None:
    """Report a jump that would leave an SPMD region."""
    word = type(node).__name__.lower()
    advice = "put the statements that follow it into an if, or into a function that the kernel calls"
    if where == "the foreach" and isinstance(node, ast.Break):
        advice = "continue ends a point; points have no order: write for i in range(n), where later ones are left out"
    frame.report(JUMP, f"{word} would leave {where}, whose work-items go on together", node, advice)


# The tables name syntax that some versions of Python don't have.
for _name in STATEMENT_REASONS:
    if hasattr(ast, _name):
        STATEMENTS.setdefault(getattr(ast, _name), _statement)
STATEMENTS[ast.Return] = _return
STATEMENTS[ast.Break] = STATEMENTS[ast.Continue] = _jump
for _kind in ast.expr.__subclasses__():
    EXPRESSIONS.setdefault(_kind, _expression)
