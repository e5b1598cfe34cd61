"""What Python has and the tensor language has not: why, and what to write instead."""

from __future__ import annotations

import ast
from typing import Any, NoReturn

from .frame import EXPRESSIONS, STATEMENTS, Failed, Frame
from .names import Names, bound_names
from .rules import EXPRESSION, LOOP, RETURN, STATEMENT

_LOOPS = "a loop's number of iterations is known when it begins"
_FUNCTION = "define it outside of the kernel, and call it: it is inlined"

STATEMENT_REASONS: dict[str, tuple[str, str]] = {
    "While": (f"there is no while: {_LOOPS}", "write for i in range(…), with an if in its body"),
    "Break": (f"there is no break: {_LOOPS}", "put what follows into an if"),
    "Continue": ("there is no continue", "put the rest of the body into an if"),
    "Try": ("there are no exceptions on a device", "test the condition with an if"),
    "TryStar": ("there are no exceptions on a device", "test the condition with an if"),
    "Raise": ("there are no exceptions on a device", "check arguments before the launch"),
    "Assert": ("there are no exceptions on a device", "check arguments before the launch"),
    "FunctionDef": ("a kernel defines no functions", _FUNCTION),
    "AsyncFunctionDef": ("a kernel defines no functions", _FUNCTION),
    "ClassDef": ("a kernel defines no classes", "define it outside of the kernel"),
    "Global": ("a kernel can't rebind a name of the module", "store results in a parameter"),
    "Nonlocal": ("a kernel can't rebind a name of the function around it", "store results in a parameter"),
    "Delete": (
        "there is no del: memory is freed at the end of its region",
        "leave it out; lifetime_stop(x) ends an alloca's life early",
    ),
    "Import": ("a kernel imports nothing", "import at the head of the module"),
    "ImportFrom": ("a kernel imports nothing", "import at the head of the module"),
    "Match": ("there is no match", "write if and elif"),
    "AsyncFor": ("there is no async for", "write for i in range(…)"),
    "AsyncWith": ("there is no async with", "write with parallel():"),
    "TypeAlias": ("a kernel defines no types", "define it outside of the kernel"),
}
_COLLECTION = "there are no collections at run time; allocate memory with alloca, or write a tuple"
EXPRESSION_REASONS: dict[str, tuple[str, str]] = {
    "ListComp": ("there are no comprehensions", "write a for loop that stores in an alloca"),
    "SetComp": ("there are no comprehensions", "write a for loop that stores in an alloca"),
    "DictComp": ("there are no comprehensions", "write a for loop that stores in an alloca"),
    "GeneratorExp": ("there are no generators", "write a for loop that stores in an alloca"),
    "Lambda": ("a kernel defines no functions", _FUNCTION),
    "NamedExpr": ("there is no := in a kernel", "assign in a statement of its own"),
    "JoinedStr": ("there are no texts on a device", "leave it out"),
    "FormattedValue": ("there are no texts on a device", "leave it out"),
    "Starred": ("there is no * here", "write the items one by one"),
    "List": ("there are no lists", _COLLECTION),
    "Dict": ("there are no dictionaries", _COLLECTION),
    "Set": ("there are no sets", _COLLECTION),
    "Yield": ("a kernel is no generator", "store results in a parameter"),
    "YieldFrom": ("a kernel is no generator", "store results in a parameter"),
    "Await": ("there is no await in a kernel", "leave it out"),
}


def _statement(frame: Frame, node: Any, live: Names) -> NoReturn:
    message, help = STATEMENT_REASONS[type(node).__name__]
    frame.report(STATEMENT, message, node, help)
    if isinstance(node, (ast.While, ast.Try)):
        frame.look_over(node.body, bound_names(node.body))
    raise Failed


def _expression(frame: Frame, node: Any) -> NoReturn:
    message, help = EXPRESSION_REASONS.get(type(node).__name__, ("this has no meaning in a kernel", None))
    frame.fail(EXPRESSION, message, node, help)


def _return(frame: Frame, node: ast.Return, live: Names) -> NoReturn:
    if frame.caller is None:
        frame.fail(RETURN, "a kernel returns nothing", node, "store results in a parameter: A[i] = x")
    frame.fail(
        RETURN,
        f"{frame.source.definition.name} returns from the middle",
        node,
        "return once at the end, or from both branches of an if there",
    )


def refuse_else(frame: Frame, node: ast.For) -> None:
    """A loop's else depends on break, which there is not."""
    if node.orelse:
        frame.report(LOOP, "a loop has no else", node.orelse[0], "write its statements behind the loop")


# The tables name kinds that some versions of Python don't have.
for _name in STATEMENT_REASONS:
    if hasattr(ast, _name):
        STATEMENTS[getattr(ast, _name)] = _statement
STATEMENTS[ast.Return] = _return
for _kind in ast.expr.__subclasses__():
    EXPRESSIONS.setdefault(_kind, _expression)
