"""Finds out by tracing an iteration what a loop carries: types of literals, flags that change, names without value."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from typing import Any

from ...ir.types import BoolType, Type, bool_
from ...ir.values import Value
from ...ops.control import CARRIED
from ...process.records import dataclass
from ..lang.traced import Choice, Literal, is_literal, is_number, is_unknown
from .frame import Binding, Frame
from .jumps import is_flag
from .names import bound_names, read_names


@dataclass(frozen=True)
class IterationResult:
    """What an iteration tells of the names that a loop binds."""

    types: Mapping[str, Type | None] = field(default_factory=dict)
    """Of names that are bound to literals, as far as the iteration gives them; None where it assigns what failed."""
    unchanged_flags: frozenset[str] = frozenset()
    """Flags that no iteration changes, since what would is never reached."""
    fresh: Mapping[str, Any] = field(default_factory=dict)
    """Of names that have no value before the loop: their value after an iteration that goes through the whole body."""


def inferred(
    frame: Frame,
    node: ast.For | ast.While,
    bindings: Mapping[str, Binding],
    fresh: Collection[str],
    body: Callable[[], None],
) -> IterationResult:
    """What an iteration tells of the names in `bindings`, and of those in `fresh`, which have no value yet.

    `body` traces an iteration of the loop `node`, which leaves nothing behind: no instruction and no diagnostic. A name
    may take its type from another one, so this goes on while types are found. A literal is first what it is, so that
    Python folds it, and then one of unknown value, so that all branches of an `if` on it are seen. What was found is
    kept for the loop: a loop around it traces it more than once.
    """
    literals = {name: b.value for name, b in bindings.items() if is_literal(b.value) and not isinstance(b.value, bool)}
    flags = {name for name, binding in bindings.items() if is_flag(name) and isinstance(binding.value, bool)}
    if not (literals or flags or fresh):
        return IterationResult()
    loop_names = sorted({*read_names(node), *bound_names([node])})
    kinds = tuple((name, _kind(binding.value)) for name in loop_names if (binding := frame.bound(name)))
    key = (id(node), tuple(sorted(fresh)), kinds)
    if key not in frame.inferred:
        types = _types(frame, literals, bindings, body) if literals else {}
        frame.inferred[key] = (
            _whole(frame, bindings, types, flags, fresh, body) if flags or fresh else IterationResult(types)
        )
    result: IterationResult = frame.inferred[key]
    return result


def _types(
    frame: Frame, literals: Mapping[str, Literal], bindings: Mapping[str, Binding], body: Callable[[], None]
) -> dict[str, Type | None]:
    types: dict[str, Type | None] = {}
    failed: dict[str, Type | None] = {}
    for is_value_known in (True, False):
        while len(types) < len(literals):
            names = {name: _stand_in(item, types.get(name), is_value_known) for name, item in literals.items()}
            after = frame.tried({n: Binding(item, bindings[n].location) for n, item in names.items()}, body)
            untyped = {name: b.value for name in literals.keys() - types if isinstance(b := after.get(name), Binding)}
            if is_value_known:
                failed = {name: None for name, item in untyped.items() if is_unknown(item)}
            new_types = {name: item.type for name, item in untyped.items() if _gives_type(item)}
            if not new_types:
                break
            types |= new_types
    return failed | types


def _whole(
    frame: Frame,
    bindings: Mapping[str, Binding],
    types: Mapping[str, Type | None],
    flags: Collection[str],
    fresh: Collection[str],
    body: Callable[[], None],
) -> IterationResult:
    """Trace an iteration in which no flag is set yet, and all else that is carried has an unknown value."""

    def carried(name: str, item: Any) -> Any:
        if name in flags or not is_literal(item):
            return item
        return _stand_in(item, bool_ if isinstance(item, bool) else types.get(name), False)

    names = {name: Binding(carried(name, binding.value), binding.location) for name, binding in bindings.items()}
    after = frame.tried(dict(names), body)
    last = {name: b.value for name in (*flags, *fresh) if isinstance(b := after.get(name), Binding)}
    unchanged_flags = frozenset(name for name in flags if last.get(name) is bindings[name].value)
    return IterationResult(types, unchanged_flags, {name: last[name] for name in fresh if name in last})


def _kind(item: Any) -> Any:
    """The part of an object that decides how its uses are traced: the type of a value, any other object itself."""
    if isinstance(item, tuple):
        return tuple(map(_kind, item))
    if isinstance(item, Value):
        return item.type
    return (type(item), repr(item)) if is_number(item) else id(item)


def _stand_in(item: Literal, type_: Type | None, is_value_known: bool) -> Any:
    if type_ is not None:
        return Value(type_)
    return item if is_value_known or isinstance(item, Choice) else Choice(Value(bool_), item, item)


def _gives_type(after: Any) -> bool:
    """Whether the object that a name is bound to after an iteration has a type that the loop can carry."""
    return can_be_carried(after) and not isinstance(after.type, BoolType)


def can_be_carried(item: Any) -> bool:
    """Whether something is a value that a loop carries."""
    return isinstance(item, Value) and not is_unknown(item) and CARRIED.admits(item.type)
