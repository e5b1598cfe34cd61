"""`break`, `continue`, and `return` in loops: a body is written anew, with flags and branches in their place.

The statements behind an `if` that may jump move into the branches that go on, so that a jump is the end of its path.
There `continue` leaves nothing behind; `break` and `return` set a flag of their loop, around whose body stands an `if`
on the flag. A loop's `else` follows it, in an `if` on a flag where something may leave the loop. What remains are
loops, branches and assignments, which are traced as others are; a flag that is known while tracing leaves nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeVar

from ...process.records import dataclass
from ..lang.traced import ABSENT

MAX_COPIES = 16
"""The largest number of copies of statements that follow branches of which some jump; further ones get a flag."""

Loop = ast.For | ast.While
Body = list[ast.stmt]
Scope = Mapping[type[ast.stmt], Callable[[Any], Body]]
"""What is written in the place of jumps; those that are not in it stay."""

_JUMPS = (ast.Break, ast.Continue, ast.Return)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKED: Scope = {}
Node = TypeVar("Node", bound=ast.AST)


@dataclass(frozen=True)
class EarlyExit:
    """A loop that may end early, and how its body says so."""

    flag: str
    """The name that is false once the loop has ended."""
    jumps: tuple[ast.stmt, ...]
    """The statements of the source that end it."""
    item: str = ""
    """Of a `for`: the name of the iteration's item in `body`."""
    body: Body = field(default_factory=list)
    """Of a `for`: the body that binds the loop's variable itself, where it is read afterwards. Of a `while`: the body
    without the condition and the flag, where the iterations are counted."""


@dataclass(frozen=True)
class Lowered:
    """A function's body without jumps, and which of its loops may end early: each `while` may."""

    statements: Body
    early_exits: dict[ast.stmt, EarlyExit]


def without_jumps(statements: Sequence[ast.stmt], is_kernel: bool) -> Lowered:
    """A function's body without `break`, `continue`, and `return` in loops; a kernel's has no bare `return` either.

    Jumps stay in a `with`, whose work-items go on together.
    """
    lowering = _Lowering(statements, is_kernel)
    return Lowered(lowering.run(statements), lowering.early_exits)


def with_condition(loop: ast.While, condition: ast.expr) -> ast.While:
    """A lowered `while` with another condition."""
    (outer,) = loop.body
    assert isinstance(outer, ast.If)
    (inner,) = outer.body
    return _changed(loop, test=condition, body=[_changed(outer, body=[_changed(inner, test=condition)])])


def is_bare(node: ast.Return) -> bool:
    """Whether a return statement has no value."""
    return node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)


def is_flag(name: str) -> bool:
    """Whether a name is none of the source, but one that says how a loop ends."""
    return name.endswith(" ")


class _Lowering:
    def __init__(self, statements: Sequence[ast.stmt], is_kernel: bool) -> None:
        self.is_kernel = is_kernel
        self.early_exits: dict[ast.stmt, EarlyExit] = {}
        self._names = 0
        self._copies = 0
        self._loops: dict[ast.stmt, Body] = {}
        self._generated: set[ast.stmt] = set()
        """Loops that are written anew, and returns behind them."""
        self._is_outermost = True
        leave = [loop for loop in _within(statements, Loop) if any(self._returns(loop))]
        returns = [each for loop in leave for each in self._returns(loop)]
        widths = {len(r.value.elts) if isinstance(r.value, ast.Tuple) else 0 for r in returns}
        self._width = widths.pop() if len(widths) == 1 else 0
        """How many values a return in a loop gives, where it gives a tuple; else 0."""
        is_valued = not all(map(is_bare, returns))
        self._values = [self._name("returned") for _ in range(self._width or 1)] if is_valued else []
        # a `while` ends by its condition, too, and a loop that both leave tells a return from a break
        several = any(isinstance(loop, ast.While) or any(_breaks(loop.body)) for loop in leave)
        self._is_returned = self._name("is_returned") if several else None

    def _name(self, word: str) -> str:
        """A name that no source has, and that is `word` in the IR."""
        self._names += 1
        return word + " " * self._names

    def _returns(self, loop: ast.stmt) -> Iterator[ast.Return]:
        """The returns that leave a loop. Those of a kernel that give a value stay, and are reported."""
        for each in _within([loop], ast.Return):
            if not self.is_kernel or is_bare(each):
                yield each

    def run(self, statements: Sequence[ast.stmt]) -> Body:
        # a function that is called keeps the returns outside of its loops, each with its value
        return self._without(statements, {ast.Return: lambda node: []} if self.is_kernel else _BLOCKED)

    # Statements.

    def _is_jump(self, node: ast.stmt, scope: Scope) -> bool:
        is_refused = isinstance(node, ast.Return) and self.is_kernel and not is_bare(node)
        return type(node) in scope and not is_refused

    def _without(self, statements: Sequence[ast.stmt], scope: Scope) -> Body:
        """The statements without the jumps that the scope replaces."""
        result: Body = []
        pending = list(statements)
        while pending:
            node = pending.pop(0)
            if self._is_jump(node, scope):
                return [*result, *scope[type(node)](node)]  # Python doesn't execute the statements that follow, either
            if isinstance(node, Loop) and node not in self._generated:
                pending = [*self._loop(node), *pending]
            elif isinstance(node, ast.If | ast.Match) and self._may_jump([node], scope):
                return [*result, *self._guarded(node, pending, scope)]
            else:
                result.append(self._inside(node, scope))
        return result

    def _guarded(self, node: ast.If | ast.Match, rest: Sequence[ast.stmt], scope: Scope) -> Body:
        """A branch that may jump, and what follows it."""
        branches = _branches(node)
        falls_through = [not self._always_jumps(branch, scope) for branch in branches]
        self._copies += max(0, sum(falls_through) - 1) if rest else 0
        if self._copies <= MAX_COPIES:
            pairs = zip(branches, falls_through, strict=True)
            return [_branched(node, [self._without([*b, *rest] if open_ else b, scope) for b, open_ in pairs])]
        flag = self._name("goes_on")

        def flagged(replaced: Callable[[Any], Body]) -> Callable[[Any], Body]:
            return lambda jump: [*replaced(jump), _assign(flag, False, jump)]

        inner = {kind: flagged(replaced) for kind, replaced in scope.items()}
        first = _branched(node, [self._without(branch, inner) for branch in branches])
        return [_assign(flag, True, node), first, _if(flag, self._without(rest, scope), [], node)]

    def _inside(self, node: Any, scope: Scope) -> Any:
        """A statement with what is in it written anew; the statement itself where there is nothing to do."""
        if node in self._generated or not any(isinstance(inner, (*_JUMPS, Loop)) for inner in ast.walk(node)):
            return node
        if isinstance(node, _DEFINITIONS):
            return node
        outer = self._is_outermost
        if isinstance(node, ast.With):
            scope, self._is_outermost = _BLOCKED, True
        changed: dict[str, Any] = {}
        for name, value in ast.iter_fields(node):
            if _is_list_of(value, ast.stmt):
                changed[name] = self._without(value, scope) or [_pass(node)]
            elif _is_list_of(value, (ast.match_case, ast.ExceptHandler)):
                changed[name] = [self._inside(part, scope) for part in value]
        self._is_outermost = outer
        return _changed(node, **changed)

    def _may_jump(self, statements: Iterable[ast.stmt], scope: Scope) -> bool:
        for node in statements:
            if self._is_jump(node, scope):
                return True
            if isinstance(node, ast.If | ast.Match):
                inner: Iterable[ast.stmt] = (each for branch in _branches(node) for each in branch)
            elif isinstance(node, Loop) and node not in self._generated:
                if ast.Return in scope and any(self._returns(node)):
                    return True
                inner = node.orelse
            else:
                continue
            if self._may_jump(inner, scope):
                return True
        return False

    def _always_jumps(self, body: Sequence[ast.stmt], scope: Scope) -> bool:
        """Whether every path through the statements ends with a jump."""
        return any(
            self._is_jump(node, scope)
            or (
                isinstance(node, ast.If | ast.Match)
                and all(self._always_jumps(branch, scope) for branch in _branches(node))
            )
            for node in body
        )

    # Loops.

    def _loop(self, node: Loop) -> Body:
        """A loop, and the statements around it that begin with its flags, and look at them."""
        if node not in self._loops:
            self._loops[node] = self._lowered(node)
        return self._loops[node]

    def _lowered(self, node: Loop) -> Body:
        returns, breaks = list(self._returns(node)), list(_breaks(node.body))
        is_while, head = isinstance(node, ast.While), _head(node)
        flag = self._name("goes_on") if breaks or returns or is_while else ""
        is_broken = self._name("is_broken") if is_while and breaks and node.orelse else None

        def of_break(at: ast.Break) -> Body:
            return [*([_assign(is_broken, True, at)] if is_broken else ()), _assign(flag, False, at)]

        def of_return(at: ast.Return) -> Body:
            # what a loop inside of this one returned is there already
            assignments = [] if at in self._generated else self._return_assignments(at)
            return [*assignments, _assign(flag, False, at)]

        scope: dict[type[ast.stmt], Callable[[Any], Body]] = {ast.Continue: lambda at: [], ast.Break: of_break}
        if returns:
            scope[ast.Return] = of_return
        outer, copies = self._is_outermost, self._copies
        self._is_outermost, self._copies = outer and not returns, 0
        body = self._without(node.body, scope) or [_pass(node)]
        self._is_outermost, self._copies = outer, copies
        if not flag:
            is_same = len(body) == len(node.body) and all(a is b for a, b in zip(body, node.body))
            loop: Any = node if is_same and not node.orelse else _changed(node, body=body, orelse=[])
            self._generated.add(loop)
            return [loop, *node.orelse]
        before: Body = []
        if returns and outer:
            before += [_assign(name, ABSENT, head) for name in self._values]
            before += [_assign(self._is_returned, False, head)] if self._is_returned else []
        before += [_assign(is_broken, False, head)] if is_broken else []
        before += [_assign(flag, True, head)]
        whole = _changed(node, orelse=[])
        if isinstance(node, ast.While):
            continue_condition = _located(ast.If(node.test, body, [_assign(flag, False, head)]), head)
            whole.body = [_if(flag, [continue_condition], [], head)]
            self.early_exits[whole] = EarlyExit(flag, (*breaks, *returns), body=body)
        else:
            item = self._name("item")
            bound = _located(ast.Assign([node.target], _read(item, head)), node.target)
            whole.body = [_if(flag, body, [], head)]
            self.early_exits[whole] = EarlyExit(flag, (*breaks, *returns), item, [_if(flag, [bound, *body], [], head)])
        self._generated.add(whole)
        return [*before, whole, *self._after(node, flag, is_broken, bool(breaks), returns)]

    def _return_assignments(self, node: ast.Return) -> Body:
        """Assignments of what a return gives."""
        done = [_assign(self._is_returned, True, node)] if self._is_returned else []
        if is_bare(node):
            return done
        assert node.value is not None
        targets: list[ast.expr] = [_located(ast.Name(name, ast.Store()), node) for name in self._values]
        target = _located(ast.Tuple(targets, ast.Store()), node) if self._width else targets[0]
        return [_located(ast.Assign([target], node.value), node), *done]

    def _after(
        self, node: Loop, flag: str, is_broken: str | None, has_breaks: bool, returns: Sequence[ast.Return]
    ) -> Body:
        """What follows a loop: the return of the function if the loop returned, and the loop's else."""
        otherwise, head = list(node.orelse), _head(node)
        result: Body = []
        if returns:
            names: list[ast.expr] = [_read(name, returns[0]) for name in self._values]
            value = _located(ast.Tuple(names, ast.Load()), returns[0]) if self._width else None
            return_statement = _located(ast.Return(value or (names[0] if names else None)), returns[0])
            self._generated.add(return_statement)
            if not self._is_returned:
                return [_if(flag, otherwise or [_pass(node)], [return_statement], head)]
            result = [_if(self._is_returned, [return_statement], [], head)]
        if is_broken and otherwise:
            return [*result, _if(is_broken, [_pass(node)], otherwise, head)]
        if has_breaks and otherwise:
            return [*result, _if(flag, otherwise, [], head)]
        return [*result, *otherwise]


def _within(statements: Iterable[ast.AST], kinds: Any) -> Iterator[Any]:
    """The statements of some kinds in others, but for those in functions of their own and under a `with`."""
    for node in statements:
        if isinstance(node, kinds):
            yield node
        if not isinstance(node, (*_DEFINITIONS, ast.With, ast.expr)):
            yield from _within(ast.iter_child_nodes(node), kinds)


def _breaks(statements: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """The breaks of a loop, in the statements of its body."""
    for node in statements:
        if isinstance(node, ast.Break):
            yield node
        elif isinstance(node, Loop):
            yield from _breaks(node.orelse)
        elif not isinstance(node, (*_DEFINITIONS, ast.With, ast.expr)):
            yield from _breaks(ast.iter_child_nodes(node))


# Pieces of the tree.


def _head(node: Loop) -> ast.expr:
    """What decides whether a loop has another iteration."""
    return node.iter if isinstance(node, ast.For) else node.test


def _is_list_of(value: Any, kinds: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], kinds)


def _branches(node: ast.If | ast.Match) -> list[Body]:
    """The bodies of which one is executed, an empty one where none of the others is."""
    if isinstance(node, ast.If):
        return [node.body, node.orelse]
    bodies = [case.body for case in node.cases]
    return bodies if _takes_all(node.cases[-1]) else [*bodies, []]


def _takes_all(case: ast.match_case) -> bool:
    return isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None and case.guard is None


def _branched(node: ast.If | ast.Match, bodies: Sequence[Body]) -> ast.stmt:
    """The statement with other bodies."""
    if isinstance(node, ast.If):
        return _changed(node, body=bodies[0] or [_pass(node)], orelse=bodies[1])
    cases = [_changed(case, body=body or [_pass(node)]) for case, body in zip(node.cases, bodies)]
    if len(bodies) > len(cases):
        cases.append(ast.match_case(_located(ast.MatchAs(), node), None, bodies[-1] or [_pass(node)]))
    return _changed(node, cases=cases)


def _changed(node: Node, **fields: Any) -> Node:
    """A copy of a node with other fields."""
    return ast.copy_location(type(node)(**{**dict(ast.iter_fields(node)), **fields}), node)


def _located(node: Node, at: ast.AST) -> Node:
    return ast.copy_location(node, at)


def _pass(at: ast.AST) -> ast.stmt:
    return _located(ast.Pass(), at)


def _read(name: str, at: ast.AST) -> ast.expr:
    return _located(ast.Name(name, ast.Load()), at)


def _assign(name: str, value: Any, at: ast.AST) -> ast.stmt:
    target = _located(ast.Name(name, ast.Store()), at)
    return _located(ast.Assign([target], _located(ast.Constant(value), at)), at)


def _if(name: str, body: Body, otherwise: Body, at: ast.AST) -> ast.stmt:
    """A branch on a flag."""
    return _located(ast.If(_read(name, at), body, otherwise), at)
