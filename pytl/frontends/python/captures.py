"""What a trace has read of Python objects outside of the kernel, and whether a launch would read the same again.

A kernel uses names of its module and of enclosing functions, attributes of what they are bound to, and functions that
are inlined. The trace is right as long as all of these are what they were. Each is noted where the trace reads it, in
one of two ways: by its *content*, where the trace computes with it, or as the same *object*, where the trace only goes
through it to an attribute or calls it, and notes these.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from operator import attrgetter, is_, itemgetter
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

from .content import Same, content_key, is_immutable

Read = Callable[[Any], tuple[Any, ...]]
_CONTENTS = attrgetter("cell_contents")


@dataclass
class _Probe:
    """Several values that are read at once from one owner."""

    read: Read
    owner: Any
    last_values: tuple[Any, ...]
    """The objects, as they were read last."""
    keys: tuple[Hashable, ...]
    """Their contents; None for those that have to be the same object."""
    is_fixed: bool
    """Whether the same objects have the same contents."""

    def holds(self) -> bool:
        try:
            now = self.read(self.owner)
            for before, value, key in zip(self.last_values, now, self.keys):
                if key is None:
                    if not _is_same(before, value):
                        return False
                elif not (value is before and is_immutable(value)) and content_key(value) != key:
                    return False
        except Exception:  # a name is gone, or a property fails: the new trace tells
            return False
        self.last_values = now
        return True


class Guard:
    """Whether all that a trace has read is what it was."""

    def __init__(self, probes: Iterable[_Probe], absent: Iterable[tuple[dict[str, Any], frozenset[str]]]) -> None:
        self._probes = tuple(probes)
        self._absent = tuple(absent)

    def holds(self) -> bool:
        """Whether a new trace would read the same values. Most probes are answered by comparing addresses."""
        for probe in self._probes:
            try:
                if probe.is_fixed and all(map(is_, probe.read(probe.owner), probe.last_values)):
                    continue
            except Exception:
                return False
            if not probe.holds():
                return False
        for namespace, names in self._absent:  # noqa: SIM110 - this is faster
            if not namespace.keys().isdisjoint(names):
                return False
        return True


class Captures:
    """Collects what one trace reads. `Incomparable` is raised for what no later launch could compare."""

    def __init__(self) -> None:
        self._entries: dict[tuple[str, int, str], tuple[Any, Any, Hashable]] = {}
        self._absent: dict[int, tuple[dict[str, Any], set[str]]] = {}
        self._objects: dict[int, Any] = {}
        """Objects that were noted as such, whose contents are noted if they are used otherwise."""
        self.has_callbacks = False
        """Whether the kernel calls Python functions, which its text does not tell apart."""
        self.codes: list[CodeType] = []
        """The functions that were inlined."""

    def name(self, namespace: dict[str, Any], name: str, value: Any, by_content: bool) -> None:
        """Note a global name of a module."""
        self._record("item", namespace, name, value, by_content)

    def builtin(self, namespace: dict[str, Any], name: str) -> None:
        """Note a name of Python's own, which no global hides."""
        self._absent.setdefault(id(namespace), (namespace, set()))[1].add(name)
        self._record("item", vars(builtins), name, getattr(builtins, name), False)

    def cell(self, cell: CellType, value: Any, by_content: bool) -> None:
        """Note a name of an enclosing function."""
        self._record("attribute", cell, "cell_contents", value, by_content)

    def attribute(self, owner: Any, name: str, value: Any, by_content: bool) -> None:
        """Note an attribute of a Python object."""
        self._record("attribute", owner, name, value, by_content)

    def inlined(self, function: FunctionType) -> None:
        """Note what a function is; the names that it uses are noted where it is traced."""
        for name in ("__code__", "__globals__"):
            self._record("attribute", function, name, getattr(function, name), by_content=False)
        for name in ("__defaults__", "__kwdefaults__"):
            self._record("attribute", function, name, getattr(function, name), by_content=True)
        self.codes.append(function.__code__)

    def constant(self, value: Any) -> None:
        """Note the content of an object that the kernel holds, which may change in place."""
        if not is_immutable(value):
            self._record("self", value, "", value, True)

    def use(self, value: Any) -> None:
        """Note the content of an object, if it has been noted as an object alone."""
        if id(value) in self._objects:
            self.constant(value)

    def _record(self, kind: str, owner: Any, name: str, value: Any, by_content: bool) -> None:
        entry = kind, id(owner), name
        if entry in self._entries and (self._entries[entry][2] is not None or not by_content):
            return
        key = content_key(value) if by_content else None
        self._entries[entry] = owner, value, None if isinstance(key, Same) else key
        if not (by_content or is_immutable(value)):
            self._objects[id(value)] = value

    def guard(self) -> Guard:
        """The guard of what has been noted."""
        groups: dict[tuple[Any, ...], list[tuple[str, Any, Any, Hashable]]] = {}
        for (kind, owner_id, name), (owner, value, key) in self._entries.items():
            is_fixed = key is None or is_immutable(value)
            # all cells are one group
            place = name if isinstance(owner, CellType) else owner_id
            groups.setdefault((kind, place, is_fixed), []).append((name, owner, value, key))
        probes = []
        for (kind, place, is_fixed), entries in groups.items():
            names = [name for name, *_ in entries]
            owners, last_values, keys = (tuple(entry[position] for entry in entries) for position in (1, 2, 3))
            if isinstance(place, str):
                probes.append(_Probe(_contents, owners, last_values, keys, is_fixed))
            else:
                probes.append(_Probe(_reader(kind, names), owners[0], last_values, keys, is_fixed))
        return Guard(probes, ((namespace, frozenset(names)) for namespace, names in self._absent.values()))


def _contents(cells: tuple[CellType, ...]) -> tuple[Any, ...]:
    return tuple(map(_CONTENTS, cells))


def _reader(kind: str, names: list[str]) -> Read:
    if kind == "self":
        return lambda owner: (owner,)
    get: Any = itemgetter if kind == "item" else attrgetter
    if len(names) > 1:
        return get(*names)
    one = get(names[0])
    return lambda owner: (one(owner),)


def _is_same(before: Any, now: Any) -> bool:
    """Whether two reads gave one object; each read of a method makes another object for it."""
    if type(before) is MethodType and type(now) is MethodType:
        return before.__func__ is now.__func__ and before.__self__ is now.__self__
    return before is now
