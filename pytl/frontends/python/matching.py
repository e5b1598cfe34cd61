"""`match`: written out as a chain of ifs, with a test for each pattern.

A pattern on what is known while tracing is decided then. On values of the kernel, numbers are compared and truth values
tested, and their patterns may stand in tuples.
"""

from __future__ import annotations

import ast
from typing import Any

from ...ir.types import BoolType
from ...ir.values import Value
from ..lang.traced import Shape, describe, is_collection, is_literal, is_python, is_unknown
from .arithmetic import any_of, compare, fold, negated
from .expressions import entries, python_attribute
from .frame import Failed, Frame, expression, statement
from .names import Names, bound_names
from .rules import KNOWN
from .without_match import Matches, NameBinding

MAX_COPIES = 16
"""The largest number of tests at run time behind which the following cases are written out twice."""
_ITSELF = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""The classes whose positional pattern is for the object itself."""


@expression(Matches)
def _matches(frame: Frame, node: Any) -> Any:
    outcome = _matched(frame, node.pattern, frame.known(node.subject))
    if node.is_doubled and isinstance(outcome, Value):
        frame.builder.copy_count += 1
        if frame.builder.copy_count > MAX_COPIES:
            message = f"more than {MAX_COPIES} cases have names and an if, and are decided at run time"
            frame.fail(KNOWN, message, node, "write the test as an if inside of the case")
    return outcome


@statement(NameBinding)
def _bind_names(frame: Frame, node: Any, live: Names) -> None:
    _bind(frame, node.pattern, frame.known(node.subject))


def _matched(frame: Frame, pattern: Any, item: Any) -> Any:
    """Whether an object matches a pattern: a Python truth value, or a value of the kernel."""
    if is_unknown(item) and not is_collection(item):
        raise Failed
    if isinstance(pattern, ast.MatchAs):
        return True if pattern.pattern is None else _matched(frame, pattern.pattern, item)
    if isinstance(pattern, ast.MatchOr):
        alternatives = ((each, pattern) for each in pattern.patterns)
        return any_of(frame, "or", alternatives, pattern, lambda each: _matched(frame, each, item))
    if isinstance(pattern, ast.MatchSingleton):
        if is_python(item):
            return item is pattern.value
        if pattern.value is None or not (isinstance(item, Value) and isinstance(item.type, BoolType)):
            return False
        return item if pattern.value else negated(frame, item, pattern)
    if isinstance(pattern, ast.MatchValue):
        return _equals(frame, pattern, item)
    parts = _parts(frame, pattern, item)
    if parts is None:
        return False
    return any_of(frame, "and", ((part, pattern) for part in parts), pattern, lambda part: _matched(frame, *part))


def _equals(frame: Frame, pattern: ast.MatchValue, item: Any) -> Any:
    value = frame.known(pattern.value)
    if is_python(item) and is_python(value):
        return bool(fold(frame, pattern, lambda: item == value))
    if is_collection(item) or not (isinstance(value, Value) or is_literal(value)):
        return False
    comparison = ast.copy_location(ast.Compare(pattern.value, [ast.Eq()], [pattern.value]), pattern.value)
    return compare(frame, 0, item, value, comparison)


def _parts(frame: Frame, pattern: Any, item: Any) -> list[tuple[Any, Any]] | None:
    """The patterns inside of one, each with the object that it is for; None where the object has no such form."""
    if isinstance(pattern, ast.MatchSequence):
        return _sequence(frame, pattern, item)
    if isinstance(pattern, ast.MatchMapping):
        keys = [frame.known(key) for key in pattern.keys]
        if not isinstance(item, dict) or not all(key in item for key in keys):
            return None
        return [(each, item[key]) for key, each in zip(keys, pattern.patterns)]
    assert isinstance(pattern, ast.MatchClass)
    return _of_class(frame, pattern, item)


def _sequence(frame: Frame, pattern: ast.MatchSequence, item: Any) -> list[tuple[Any, Any]] | None:
    if not isinstance(item, (tuple, list, range, Shape)):
        return None
    items, patterns = list(entries(frame, item, frame.location_of(pattern))), pattern.patterns
    star = next((position for position, each in enumerate(patterns) if isinstance(each, ast.MatchStar)), None)
    if star is None:
        return list(zip(patterns, items)) if len(items) == len(patterns) else None
    trailing_count = len(patterns) - star - 1
    if len(items) < star + trailing_count:
        return None
    end = len(items) - trailing_count
    middle = frame.builder.containers.remember(items[star:end], frame.builder.operations)
    starred: Any = patterns[star]
    rest = ast.copy_location(ast.MatchAs(None, starred.name), starred)
    return [*zip(patterns[:star], items[:star]), (rest, middle), *zip(patterns[star + 1 :], items[end:])]


def _of_class(frame: Frame, pattern: ast.MatchClass, item: Any) -> list[tuple[Any, Any]] | None:
    kind = frame.known(pattern.cls)
    if not (is_python(item) or is_collection(item)):
        advice = "compare numbers: case 1, or test the type before the kernel is traced"
        frame.fail(KNOWN, f"the class of {describe(item)} is asked for", frame.location_of(pattern), advice)
    if not fold(frame, pattern.cls, isinstance, item, kind):
        return None
    parts = []
    names = []
    if pattern.patterns:
        if kind in _ITSELF:
            parts.append((pattern.patterns[0], item))
        else:
            attribute_node = ast.copy_location(ast.Attribute(pattern.cls, "__match_args__", ast.Load()), pattern.cls)
            names += list(python_attribute(frame, kind, attribute_node, True))[: len(pattern.patterns)]
    for name, each in [*zip(names, pattern.patterns), *zip(pattern.kwd_attrs, pattern.kwd_patterns)]:
        if not hasattr(item, name):
            return None
        attribute_node = ast.copy_location(ast.Attribute(pattern.cls, name, ast.Load()), pattern.cls)
        parts.append((each, python_attribute(frame, item, attribute_node, True)))
    return parts


def _bind(frame: Frame, pattern: Any, item: Any) -> None:
    """Bind the names of a pattern that matches."""
    if not bound_names([pattern]):
        return
    if isinstance(pattern, ast.MatchAs):
        if pattern.pattern is not None:
            _bind(frame, pattern.pattern, item)
        if pattern.name is not None:
            frame.bind(pattern.name, item, frame.location_of(pattern))
    elif isinstance(pattern, ast.MatchOr):
        for each in pattern.patterns:
            outcome = _matched(frame, each, item)
            if outcome is True:
                _bind(frame, each, item)
                return
            if isinstance(outcome, Value):
                advice = "write a case for each of the alternatives"
                where = frame.location_of(pattern)
                frame.fail(KNOWN, "which alternative binds the names is known at run time only", where, advice)
    else:
        for each, part in _parts(frame, pattern, item) or ():
            _bind(frame, each, part)
        if isinstance(pattern, ast.MatchMapping) and pattern.rest is not None:
            keys = [frame.known(key) for key in pattern.keys]
            rest = {key: value for key, value in item.items() if key not in keys}
            remaining = frame.builder.containers.remember(rest, frame.builder.operations)
            frame.bind(pattern.rest, remaining, frame.location_of(pattern))
