"""The statements of a function without `match`, which becomes a chain of ifs with a test for each pattern."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from .names import bound_names


class Matches(ast.Compare):
    """Whether an object matches a pattern. `is_doubled` tells that the cases after it are written out twice."""

    _fields = ("subject", "pattern")
    _field_types = MappingProxyType({"subject": ast.expr, "pattern": ast.pattern})  # from Python 3.13 on
    is_doubled = False


class NameBinding(ast.Pass):
    """Binds the names of a pattern that matches an object."""

    _fields = ("subject", "pattern")
    _field_types = MappingProxyType({"subject": ast.expr, "pattern": ast.pattern})  # from Python 3.13 on


@lru_cache(maxsize=1024)
def body_of(definition: ast.FunctionDef) -> Sequence[ast.stmt]:
    """The statements of a function, without `match`."""
    if not any(isinstance(node, ast.Match) for statement in definition.body for node in ast.walk(statement)):
        return definition.body
    module = _WrittenOut().visit(ast.Module(copy.deepcopy(definition.body), []))
    return list(module.body)


class _WrittenOut(ast.NodeTransformer):
    def __init__(self) -> None:
        self.count = 0

    def visit_Match(self, node: ast.Match) -> Any:
        self.generic_visit(node)
        self.count += 1
        name = f"match {self.count}"  # no name of the source
        subject = ast.copy_location(ast.Name(name, ast.Load()), node.subject)
        target = ast.copy_location(ast.Name(name, ast.Store()), node.subject)
        first = ast.copy_location(ast.Assign([target], node.subject), node.subject)
        return [first, *_chain(subject, node.cases)]


def _chain(subject: ast.Name, cases: Sequence[ast.match_case]) -> list[ast.stmt]:
    rest: list[ast.stmt] = []
    for case in reversed(cases):
        test: Any = ast.copy_location(_pattern_node(Matches, subject, case.pattern), case.pattern)
        body = list(case.body)
        if bound_names([case.pattern]):
            bind: Any = ast.copy_location(_pattern_node(NameBinding, subject, case.pattern), case.pattern)
            if case.guard is not None:
                test.is_doubled = bool(rest)
                body = [ast.copy_location(ast.If(case.guard, body, rest), case.guard)]
            body.insert(0, bind)
        elif case.guard is not None:
            test = ast.copy_location(ast.BoolOp(ast.And(), [test, case.guard]), case.pattern)
        rest = [ast.copy_location(ast.If(test, body, rest), case.pattern)]
    return rest


def _pattern_node(kind: Any, subject: ast.Name, pattern: ast.pattern) -> Any:
    return kind(subject=subject, pattern=pattern)
