"""Python constructs that the tensor language lacks: why, and what to write instead."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NoReturn

from .frame import EXPRESSIONS, STATEMENTS, UNKNOWN, Failed, Frame
from .jumps import is_bare
from .names import Names, bound_names, target_names
from .rules import EXPRESSION, JUMP, RETURN, STATEMENT

_FUNCTION = "define it outside of the kernel, and call it: it is inlined"
_NO_EXCEPTIONS = "there are no exceptions on a device"
_NO_TEXTS = "there are no strings on a device"
_BEFORE_LAUNCH = "check arguments before the launch"
_HEAD_OF_MODULE = "import at the top of the module"
_IN_A_LOOP = "write a for loop that stores in an alloca"
_STORE = "store results in a parameter"
_COLLECTION = "there are no collections at run time; allocate memory with alloca, or write a tuple"

STATEMENT_REASONS: dict[str, tuple[str, str]] = {
    "Try": (f"there is no try: {_NO_EXCEPTIONS}", "test the condition with an if"),
    "TryStar": (f"there is no except*: {_NO_EXCEPTIONS}", "test the condition with an if"),
    "Raise": (f"there is no raise: {_NO_EXCEPTIONS}", _BEFORE_LAUNCH),
    "Assert": (f"there is no assert: {_NO_EXCEPTIONS}", _BEFORE_LAUNCH),
    "FunctionDef": ("a kernel defines no functions", _FUNCTION),
    "AsyncFunctionDef": ("a kernel defines no coroutines", "a function is defined outside of the kernel, with def"),
    "ClassDef": ("a kernel defines no classes", "define it outside of the kernel"),
    "Global": ("a kernel can't rebind a name of the module", _STORE),
    "Nonlocal": ("a kernel can't rebind a name of the function around it", _STORE),
    "Delete": (
        "there is no del: memory is freed at the end of its region",
        "omit it; lifetime_stop(x) ends an alloca's life early",
    ),
    "Import": ("a kernel imports no modules", _HEAD_OF_MODULE),
    "ImportFrom": ("a kernel imports no names", _HEAD_OF_MODULE),
    "Match": ("there is no match", "write if and elif"),
    "AsyncFor": ("there is no async for", "write for i in range(…)"),
    "AsyncWith": ("there is no async with", "write with parallel():"),
    "TypeAlias": ("a kernel defines no types", "define it outside of the kernel"),
}
EXPRESSION_REASONS: dict[str, tuple[str, str]] = {
    "ListComp": ("there are no list comprehensions", _IN_A_LOOP),
    "SetComp": ("there are no set comprehensions", _IN_A_LOOP),
    "DictComp": ("there are no dictionary comprehensions", _IN_A_LOOP),
    "GeneratorExp": ("there are no generators", _IN_A_LOOP),
    "Lambda": ("there is no lambda", _FUNCTION),
    "NamedExpr": ("there is no := in a kernel", "assign in a statement of its own"),
    "JoinedStr": (f"there are no f-strings: {_NO_TEXTS}", "leave it out"),
    "FormattedValue": (f"nothing is formatted: {_NO_TEXTS}", "leave it out"),
    "TemplateStr": (f"there are no t-strings: {_NO_TEXTS}", "leave it out"),
    "Interpolation": (f"nothing is interpolated: {_NO_TEXTS}", "leave it out"),
    "Starred": ("there is no * here", "write the items one by one"),
    "List": ("there are no lists", _COLLECTION),
    "Dict": ("there are no dictionaries", _COLLECTION),
    "Set": ("there are no sets", _COLLECTION),
    "Yield": ("there is no yield: a kernel is not a generator", _STORE),
    "YieldFrom": ("there is no yield from: a kernel is not a generator", _STORE),
    "Await": ("there is no await", "omit it: a kernel executes its statements in order"),
}


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
        STATEMENTS[getattr(ast, _name)] = _statement
STATEMENTS[ast.Return] = _return
STATEMENTS[ast.Break] = STATEMENTS[ast.Continue] = _jump
for _kind in ast.expr.__subclasses__():
    EXPRESSIONS.setdefault(_kind, _expression)
