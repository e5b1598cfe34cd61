"""Repeated launches on the host: what the kernel is passed is made once, and a launch writes addresses and numbers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...process.records import dataclass
from ..base import Argument, GroupArgument, Lowered, MemrefArgument
from ..checked import parameters_of
from ..overlap import views_of
from .again import launch_again
from .descriptors import Items, Table, bytes_of, distances


def is_repeatable(arguments: Sequence[Argument]) -> bool:
    """Whether launches with such arguments copy nothing, so that they differ in addresses and numbers alone."""
    return all(view.queue is None for view, _ in views_of(arguments))


class RepeatedLaunch:
    """Launches of code with arguments like these."""

    def __init__(self, built: Any, lowered: Lowered, arguments: Sequence[Argument], options: Mapping[str, Any]) -> None:
        self._built = built
        self._threads = options["threads"]
        parameters = parameters_of(lowered)
        self._table = Table(parameters, arguments, lambda views: np.zeros(len(views), np.int64))
        self._free: list[_Words] = []
        """Tables that no launch uses at present."""
        self._memrefs: list[tuple[int, int]] = []
        self._groups: list[_Group] = []
        self._numbers: list[tuple[int, int, Any]] = []
        items = iter(self._table.items)
        for n, (parameter, argument, place) in enumerate(zip(parameters, arguments, self._table.places)):
            if isinstance(argument, MemrefArgument):
                self._memrefs.append((n, place))
            elif isinstance(argument, GroupArgument):
                far = distances(parameter.type.memref, argument)
                self._groups.append(_Group(n, next(items), far, not argument.strided))
            else:
                self._numbers.append((n, place, parameter.type))

    def __call__(
        self, arguments: Sequence[Any], values: Sequence[Any], groups: int, depends: Sequence[Any], wait: bool
    ) -> None:
        words = self._free.pop() if self._free else _Words(self._table)
        if words.values is not values or self._groups:
            self._write(words, arguments, values)
        built = self._built
        built.code.run(groups, words.address, self._threads, (words, arguments))
        built.launches += 1
        self._free.append(words)

    def bound(self, arguments: Sequence[Any], values: Sequence[Any], groups: int) -> Callable[[], None]:
        """Launches that differ in nothing."""
        built, words, threads = self._built, _Words(self._table), self._threads
        self._write(words, arguments, values)
        run, address, kept = built.code.run, words.address, (words, tuple(arguments))

        def launch_again() -> None:
            run(groups, address, threads, kept)
            built.launches += 1

        return launch_again

    def again(
        self, arguments: Sequence[Any], values: Sequence[Any], groups: int, passed: Any
    ) -> Callable[[Any], bool] | None:
        """What launches again where a call passes what it `passed` now, and says whether it did."""
        words = _Words(self._table)
        self._write(words, arguments, values)
        return launch_again(self._built, groups, words.address, self._threads, passed, words)

    def _write(self, words: _Words, arguments: Sequence[Any], values: Sequence[Any]) -> None:
        """Write addresses and numbers into a table."""
        words.values = None
        for number, place in self._memrefs:
            words.written[place] = words.written[place + 1] = values[number]
        for group in self._groups:
            if group.is_listed:
                words.write_items(group, arguments[group.number].views.addresses)
            elif words.firsts.get(group.number) != values[group.number]:
                words.firsts[group.number] = values[group.number]
                words.write_items(group, values[group.number])
        for number, place, type_ in self._numbers:
            written = bytes_of(type_, values[number])
            words.bytes[place * 8 : place * 8 + len(written)] = written
        words.values = values


@dataclass(frozen=True)
class _Group:
    """A group among the arguments: its number, where its items are in the table, and how far from what is passed.

    What is passed is one array, or a list of arrays that has the address of each (`pytl.group`).
    """

    number: int
    items: Items
    distances: np.ndarray
    is_listed: bool


class _Words:
    """The table of a launch, in memory of its own."""

    def __init__(self, table: Table) -> None:
        words = table.words.copy()
        self.address = ctypes.c_void_p(words.ctypes.data)
        words[table.own] += self.address.value
        self.written = memoryview(words)
        self.bytes = self.written.cast("B")
        self._words = words
        self.values: Sequence[Any] | None = None
        """What was written."""
        self.firsts: dict[int, int] = {}
        """The address of the array that the items of a group were written for, by the group's number."""

    def write_items(self, group: _Group, passed: Any) -> None:
        """Write the addresses of items, from one address or that of each."""
        group.items.addresses(self._words)[...] = (group.distances + passed)[:, None]
