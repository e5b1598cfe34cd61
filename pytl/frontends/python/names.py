"""Which names a piece of a function binds and reads. They decide what `if` yields and loops carry."""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

Names = frozenset[str]


def bound_names(statements: Iterable[ast.stmt | ast.pattern]) -> dict[str, ast.AST]:
    """Every name that the statements bind, with the place of its first binding, in the order of the source."""
    names: dict[str, ast.AST] = {}
    for statement in statements:
        for node in _walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                names.setdefault(node.id, node)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names.setdefault(node.name, node)
            elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name:
                names.setdefault(node.name, statement)
            elif isinstance(node, ast.MatchMapping) and node.rest:
                names.setdefault(node.rest, statement)
            elif isinstance(node, ast.alias):
                names.setdefault((node.asname or node.name).split(".")[0], statement)
    return names


def target_names(target: ast.expr) -> dict[str, ast.AST]:
    """The names that an assignment to the target binds."""
    return bound_names([ast.Expr(target)])


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _walk(node: ast.AST) -> Iterable[ast.AST]:
    # in the order of the source, unlike ast.walk; a nested function has its own names, and so have a comprehension's
    # variables
    pending = [node]
    while pending:
        part = pending.pop()
        yield part
        if isinstance(part, ast.comprehension):
            pending += [*reversed(part.ifs), part.iter]
        elif not isinstance(part, (*FUNCTIONS, ast.ClassDef)):
            pending.extend(reversed(list(ast.iter_child_nodes(part))))


def parameter_names(arguments: ast.arguments) -> Names:
    """The names of a function's parameters, those with stars included."""
    parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    return frozenset(argument.arg for argument in parameters if argument is not None)


def read_names(node: ast.AST) -> Names:
    """Every name that is read in an expression, or anywhere in a statement; not those that belong to a part of it."""
    names: set[str] = set()
    pending: list[tuple[ast.AST, Names]] = [(node, frozenset())]
    while pending:
        part, own = pending.pop()
        if isinstance(part, ast.Name):
            if isinstance(part.ctx, ast.Load) and part.id not in own:
                names.add(part.id)
            continue
        if isinstance(part, FUNCTIONS):
            body = [part.body] if isinstance(part, ast.Lambda) else part.body
            bound = bound_names([ast.Expr(part.body)] if isinstance(part, ast.Lambda) else part.body)
            inside = own | parameter_names(part.args) | frozenset(bound)
            pending += [(each, inside) for each in body]
            outside = [part.args, *getattr(part, "decorator_list", ())]
            pending += [(each, own) for each in outside]
        elif isinstance(part, COMPREHENSIONS):
            variables = frozenset(name for each in part.generators for name in target_names(each.target))
            pending.append((part.generators[0].iter, own))
            pending += [(each, own | variables) for each in ast.iter_child_nodes(part)]
        else:
            pending += [(each, own) for each in ast.iter_child_nodes(part)]
    return frozenset(names)


@lru_cache(maxsize=1024)
def captured_names(function: ast.FunctionDef) -> Names:
    """The names of a function that functions inside of it read: they are read whenever one of these is called."""
    names: set[str] = set()
    for statement in function.body:
        for node in ast.walk(statement):
            if isinstance(node, FUNCTIONS):
                names |= read_names(node)
    return frozenset(names)


def live_before(statements: Sequence[ast.stmt], live_after: Names) -> Names:
    """The names whose values at the start may be read: by the statements, or after them (`after`)."""
    live = live_after
    for statement in reversed(statements):
        live = _live_before(statement, live)
    return live


def live_after_each(statements: Sequence[ast.stmt], live_after: Names) -> list[Names]:
    """For each of the statements, the names that may be read after it."""
    result: list[Names] = []
    for statement in reversed(statements):
        result.append(live_after)
        live_after = _live_before(statement, live_after)
    return result[::-1]


def live_in_loop(loop: ast.For | ast.While, live_after: Names) -> Names:
    """The names that may be read when an iteration has ended: by the next iteration, or after the loop."""
    target = frozenset(target_names(loop.target) if isinstance(loop, ast.For) else ())
    head = read_names(loop.test) if isinstance(loop, ast.While) else frozenset()
    first = head | (live_before(loop.body, live_after) - target)
    live_again = head | (live_before(loop.body, live_after | first) - target)
    return live_after | live_again


@lru_cache(
    maxsize=4096
)  # each loop needs the result twice for its body; without the memo, the cost would double with each level of a nest
def _live_before(statement: ast.stmt, live_after: Names) -> Names:
    if isinstance(statement, ast.Assign):
        bound = frozenset(name for target in statement.targets for name in target_names(target))
        return (live_after - bound) | read_names(statement)
    if isinstance(statement, ast.AnnAssign):
        return (live_after - frozenset(target_names(statement.target))) | read_names(statement)
    if isinstance(statement, ast.AugAssign):
        return live_after | read_names(statement) | frozenset(target_names(statement.target))
    if isinstance(statement, ast.If):
        branches = live_before(statement.body, live_after) | live_before(statement.orelse, live_after)
        return read_names(statement.test) | branches
    if isinstance(statement, ast.For):
        return read_names(statement.iter) | live_in_loop(statement, live_after)
    if isinstance(statement, ast.While):
        return live_in_loop(statement, live_after)
    if isinstance(statement, ast.With):
        heads = frozenset(name for item in statement.items for name in read_names(item.context_expr))
        return heads | live_before(statement.body, live_after)
    if isinstance(statement, ast.Return):
        return read_names(statement)
    return live_after | read_names(statement)


def identifier(name: str) -> str | None:
    """A Python name as the language writes it: a letter, then letters, digits, underscores; None for `_`.

    >>> identifier("_x1"), identifier("α"), identifier("_")
    ('x1', 'alpha', None)
    """
    letters = "".join(char if char.isascii() else _spelled(char) for char in name)
    return re.sub(r"^[^A-Za-z]+|[^A-Za-z0-9_]+", "", letters) or None


def _spelled(char: str) -> str:
    word = unicodedata.name(char, "").split(" ")[-1].lower()
    return word if word.isascii() and word.isalnum() else f"u{ord(char):x}"
