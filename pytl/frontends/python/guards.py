"""Guards: `if c: continue` and `if c: return`. The statements after a guard become the else branch of its `if`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

Jump = type[ast.Continue] | type[ast.Return]

MOST_COPIES = 16
"""The largest number of copies of statements that follow branches of which some jump."""


def without_guards(statements: Sequence[ast.stmt], jump: Jump) -> list[ast.stmt]:
    """The statements of a loop's body without `continue`, or those of a kernel without a bare `return`.

    The statements after an `if` move into each branch that doesn't always jump. A jump stays where it is inside a loop
    or a `with`, and where too many branches would have to repeat what follows them.
    """
    return _Guards(jump).without(statements)


class _Guards:
    def __init__(self, jump: Jump) -> None:
        self.jump = jump
        self.copies = 0

    def without(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for position, node in enumerate(statements):
            if _is_jump(node, self.jump):
                return result  # Python doesn't execute the statements that follow, either
            if isinstance(node, ast.If) and _may_jump(node, self.jump):
                rest = statements[position + 1 :]
                goes_on = [not _always_jumps(branch, self.jump) for branch in (node.body, node.orelse)]
                self.copies += all(goes_on) and bool(rest)
                if self.copies > MOST_COPIES:
                    return [*result, *statements[position:]]
                then, otherwise = (
                    self.without([*branch, *rest] if open_ else branch)
                    for branch, open_ in zip((node.body, node.orelse), goes_on, strict=True)
                )
                guarded = ast.If(node.test, then or [ast.copy_location(ast.Pass(), node)], otherwise)
                return [*result, ast.copy_location(guarded, node)]
            result.append(node)
        return result


def is_bare(node: ast.Return) -> bool:
    """Whether a return statement has no value."""
    return node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)


def _is_jump(node: ast.stmt, jump: Jump) -> bool:
    return isinstance(node, jump) and not (isinstance(node, ast.Return) and not is_bare(node))


def _may_jump(node: ast.If, jump: Jump) -> bool:
    return any(
        _is_jump(inner, jump) or (isinstance(inner, ast.If) and _may_jump(inner, jump))
        for inner in (*node.body, *node.orelse)
    )


def _always_jumps(body: Sequence[ast.stmt], jump: Jump) -> bool:
    """Whether every path through the statements ends with the jump."""
    return any(
        _is_jump(node, jump)
        or (isinstance(node, ast.If) and _always_jumps(node.body, jump) and _always_jumps(node.orelse, jump))
        for node in body
    )
