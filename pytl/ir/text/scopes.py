"""Which value each name of a text stands for: scopes within each other, and what is said of names that are wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from ...diagnostics import Diagnostics, Location, Rule

V = TypeVar("V")
_MAX_SEARCHES = 20  # for names like an undefined one: each looks at every name


class Scopes(Generic[V]):
    """The names that are visible at the reader's place.

    >>> from pytl.ir.text.rules import REDEFINED, UNDEFINED
    >>> found = Diagnostics()
    >>> names = Scopes[int](found, UNDEFINED, REDEFINED)
    >>> names.define("alpha", 1, None)
    >>> with names.inner():
    ...     names.define("beta", 2, None)
    ...     names.find("alpha"), names.find("beta")
    (1, 2)
    >>> names.find("beta")
    >>> names.report_undefined("alphb", None)
    >>> [(each.message, each.help) for each in found.items]
    [('%alphb is not defined here', 'did you mean %alpha?')]
    """

    def __init__(self, diagnostics: Diagnostics, undefined: Rule, redefined: Rule, sign: str = "%") -> None:
        """`sign` is what messages write in front of a name."""
        self._diagnostics = diagnostics
        self._undefined, self._redefined = undefined, redefined
        self._sign = sign
        self._open: list[dict[str, tuple[V, Location | None]]] = [{}]
        self._searches = 0

    @property
    def depth(self) -> int:
        """How many scopes are open."""
        return len(self._open)

    @contextmanager
    def inner(self) -> Iterator[None]:
        """Within a region: what is defined there is unknown behind it."""
        self._open.append({})
        try:
            yield
        finally:
            self._open.pop()

    @contextmanager
    def isolated(self) -> Iterator[None]:
        """Within a function: none of the names outside is known."""
        outside, self._open = self._open, [{}]
        try:
            yield
        finally:
            self._open = outside

    # Names.

    def find(self, name: str) -> V | None:
        """The value of a name; None where it has none."""
        for scope in reversed(self._open):
            if name in scope:
                return scope[name][0]
        return None

    def outermost(self) -> list[V]:
        """The values that have a name in the outermost scope."""
        return [value for value, _ in self._open[0].values()]

    def define(self, name: str, value: V, location: Location | None) -> None:
        """Give a name its value; a name that is visible already is reported, and has the new value."""
        for scope in self._open:
            if name in scope:
                self.report_twice(name, location, scope[name][1])
                break
        self.bind(name, value, location)

    def bind(self, name: str, value: V, location: Location | None) -> None:
        """Give a name its value, whatever is visible."""
        self._open[-1][name] = value, location

    def assume(self, name: str, value: V, location: Location | None) -> None:
        """Give a name a value for one that could not be read, unless this scope has one."""
        self._open[-1].setdefault(name, (value, location))

    # Reports.

    def report_twice(self, name: str, location: Location | None, before: Location | None) -> None:
        where = f" in line {before.line}" if before else ""
        message = f"{self._sign}{name} is already defined{where}"
        self._diagnostics.report(self._redefined, message, location, "choose another name")

    def report_undefined(self, name: str, location: Location | None) -> None:
        message = f"{self._sign}{name} is not defined here"
        self._diagnostics.report(self._undefined, message, location, self._similar(name))

    def _similar(self, name: str) -> str | None:
        from difflib import get_close_matches

        if self._searches == _MAX_SEARCHES:
            return None
        self._searches += 1
        found = get_close_matches(name, [known for scope in self._open for known in scope], n=1)
        return f"did you mean {self._sign}{found[0]}?" if found else None
