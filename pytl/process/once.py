"""A value of an object that is found at its first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Owner = TypeVar("Owner")
Value = TypeVar("Value")


class once(Generic[Owner, Value]):
    """Like `functools.cached_property`, but of several threads, all get the same value on every Python.

    >>> class Circle:
    ...     def __init__(self, radius: float) -> None:
    ...         self.radius = radius
    ...     @once
    ...     def area(self) -> float:
    ...         return 3.0 * self.radius**2
    >>> Circle(2.0).area
    12.0
    """

    def __init__(self, find: Callable[[Owner], Value]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, owner: None, kind: Any) -> once[Owner, Value]: ...
    @overload
    def __get__(self, owner: Owner, kind: Any) -> Value: ...
    def __get__(self, owner: Owner | None, kind: Any) -> once[Owner, Value] | Value:
        if owner is None:
            return self
        value: Value = vars(owner).setdefault(self._name, self._find(owner))
        return value
