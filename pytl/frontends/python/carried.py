"""Infers the types of literals that a loop carries, from the values that the loop's body assigns to their names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from ...ir.types import BoolType, Type, bool_
from ...ir.values import Value
from ...lang.traced import Choice, Literal, is_literal, is_number, is_unknown
from ...ops.control import CARRIED
from .frame import Binding, Frame
from .names import bound_names, read_names


def inferred(
    frame: Frame, node: ast.For, bindings: Mapping[str, Binding], body: Callable[[], None]
) -> dict[str, Type | None]:
    """The types of the names in `bindings` that are bound to literals, as far as an iteration of the body gives them.

    A name without a type is missing, or has None where the body assigns a failed expression to it. `body` traces an
    iteration of the loop `node`, which leaves nothing behind: no instruction and no diagnostic. A name may take its
    type from another one, so this goes on while types are found. A literal is first what it is, so that Python folds
    it, and then one of unknown value, so that all branches of an `if` on it are seen. What was found is kept for the
    loop: a loop around it traces it more than once.
    """
    literals = {name: b.value for name, b in bindings.items() if is_literal(b.value) and not isinstance(b.value, bool)}
    if not literals:
        return {}
    seen = sorted({*read_names(node), *bound_names([node])})
    key = (id(node), tuple((name, _kind(binding.value)) for name in seen if (binding := frame.bound(name))))
    if key not in frame.inferred:
        frame.inferred[key] = _inferred(frame, literals, bindings, body)
    return frame.inferred[key]


def _inferred(
    frame: Frame, literals: Mapping[str, Literal], bindings: Mapping[str, Binding], body: Callable[[], None]
) -> dict[str, Type | None]:
    found: dict[str, Type | None] = {}
    failed: dict[str, Type | None] = {}
    for is_value_known in (True, False):
        while len(found) < len(literals):
            names = {name: _stand_in(item, found.get(name), is_value_known) for name, item in literals.items()}
            after = frame.tried({n: Binding(item, bindings[n].place) for n, item in names.items()}, body)
            left = {name: b.value for name in literals.keys() - found if isinstance(b := after.get(name), Binding)}
            if is_value_known:
                failed = {name: None for name, item in left.items() if is_unknown(item)}
            new = {name: item.type for name, item in left.items() if _gives_type(item)}
            if not new:
                break
            found |= new
    return failed | found


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
    is_value = isinstance(after, Value) and not is_unknown(after)
    return is_value and CARRIED.admits(after.type) and not isinstance(after.type, BoolType)
