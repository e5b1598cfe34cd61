"""Values of a text that several values of the language stand for: what loops and branches do with them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..ir.values import Value


class Composite:
    """A value of a text that stands for values of the language."""

    __slots__ = ()

    @property
    def parts(self) -> Sequence[Value]:
        """The values that it stands for."""
        raise NotImplementedError

    def with_parts(self, parts: Sequence[Value]) -> Any:
        """A value of the same form, of other parts."""
        raise NotImplementedError


def parts_of(value: Any) -> Sequence[Value]:
    """The values of the language that a value of a text stands for: itself, several, or none."""
    if isinstance(value, Composite):
        return value.parts
    return (value,) if isinstance(value, Value) else ()


def flattened(values: Iterable[Any]) -> list[Value]:
    """The values of the language, one after the other: what a loop carries, or a region gives."""
    return [part for value in values for part in parts_of(value)]


def rebuilt(forms: Iterable[Any], parts: Sequence[Value]) -> list[Any]:
    """Values of the forms of others, from the values of the language that they stand for."""
    found: list[Any] = []
    at = 0
    for form in forms:
        count = len(parts_of(form))
        own = parts[at : at + count]
        found.append(form.with_parts(own) if isinstance(form, Composite) else own[0])
        at += count
    return found
