"""Which types literals have that a loop carries: those that the loop's body gives to what they become."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...ir.types import BoolType, Type, bool_
from ...ir.values import Value
from ...lang.literals import literal_of
from ...lang.traced import Choice, Literal, is_literal, is_unknown
from ...ops.control import CARRIED
from .frame import Binding, Frame


def inferred(frame: Frame, bindings: Mapping[str, Binding], body: Callable[[], None]) -> dict[str, Type]:
    """The types of the names among `bindings` that stand for literals, as far as an iteration of the body gives them.

    `body` traces an iteration, which leaves nothing behind: no instruction and no diagnostic. A name may take its type
    from another one, so this goes on while types are found. A literal is first what it is, so that Python folds it, and
    then one of unknown value, so that all branches of an `if` on it are seen.
    """
    literals = {name: b.value for name, b in bindings.items() if is_literal(b.value) and not isinstance(b.value, bool)}
    found: dict[str, Type] = {}
    for is_value_known in (True, False):
        while len(found) < len(literals):
            names = {name: _stand_in(item, found.get(name), is_value_known) for name, item in literals.items()}
            after = frame.tried({n: Binding(item, bindings[n].place) for n, item in names.items()}, body)
            new = {
                name: binding.value.type
                for name in literals.keys() - found
                if isinstance(binding := after.get(name), Binding) and _gives_type(binding.value, literals[name])
            }
            if not new:
                break
            found |= new
    return found


def _stand_in(item: Literal, type_: Type | None, is_value_known: bool) -> Any:
    if type_ is not None:
        return Value(type_)
    return item if is_value_known or isinstance(item, Choice) else Choice(Value(bool_), item, item)


def _gives_type(after: Any, literal: Literal) -> bool:
    """Whether what a name is after an iteration has a type that the loop can carry, and that has the literal."""
    if not isinstance(after, Value) or is_unknown(after) or not CARRIED.admits(after.type):
        return False
    numbers = (literal.then, literal.otherwise) if isinstance(literal, Choice) else (literal,)
    is_truth = isinstance(after.type, BoolType)
    return not is_truth and all(literal_of(number, after.type) is not None for number in numbers)
