"""What installed packages add to pytl: a registry of pytl's own parts of a kind, and of those by entry points."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

from ..diagnostics import PlatformError, Rule
from .interrupts import interrupts_deferred

Part = TypeVar("Part")


class Registry(Generic[Part]):
    """Parts of one kind, such as backends, by their names. None is imported before it is needed.

    `own` names module and class of pytl's own parts, as "pytl.backends.mlir.backend:MlirBackend". A package offers
    another one by an entry point of the group, which names a subclass of `base`. Pytl's own names come first.
    """

    def __init__(self, kind: str, base: type[Part], group: str, own: Mapping[str, str], unknown: Rule) -> None:
        self.kind = kind
        self.base = base
        self.group = group
        self.own = own
        self.unknown = unknown
        self._loaded: dict[str, Part] = {}

    def names(self) -> list[str]:
        """The names of all parts, pytl's own first."""
        return [*self.own, *sorted(self._offered().keys() - self.own.keys())]

    def find(self, name: str) -> Part:
        """The part of this name; one object for the whole process."""
        if name not in self._loaded:
            with interrupts_deferred():
                part = self._own(name) if name in self.own else self._others(name)
            self._loaded.setdefault(name, part)  # another thread may have been first
        return self._loaded[name]

    def all_usable(self) -> Iterator[Part]:
        """All parts, without those of other packages that cannot be made."""
        for name in self.names():
            try:
                yield self.find(name)
            except PlatformError:
                continue

    def _own(self, name: str) -> Part:
        module, _, cls = self.own[name].partition(":")
        part: Part = getattr(importlib.import_module(module), cls)()
        return part

    def _others(self, name: str) -> Part:
        """The part of an installed package."""
        entry = self._offered().get(name)
        if entry is None:
            known = ", ".join(self.names())
            raise PlatformError.single(
                self.unknown, f"there is no {self.kind} `{name}`", help=f"the {self.kind}s are {known}"
            )
        try:
            cls = entry.load()
            if not (isinstance(cls, type) and issubclass(cls, self.base)):
                raise TypeError(f"{entry.value} is no subclass of {self.base.__module__}.{self.base.__name__}")
            return cls()
        except Exception as error:  # whatever a package's code raises
            reason = f"{type(error).__name__}: {error}".partition("\n")[0]
            raise PlatformError.single(
                self.unknown,
                f"the {self.kind} `{name}` cannot be made: {reason}",
                help=f"it is {entry.value} of an installed package, by its entry point `{self.group}`",
            ) from error

    def _offered(self) -> dict[str, Any]:
        """The entry points of installed packages, by their names. Reading them takes tens of milliseconds."""
        from importlib.metadata import entry_points

        return {entry.name: entry for entry in entry_points(group=self.group)}
