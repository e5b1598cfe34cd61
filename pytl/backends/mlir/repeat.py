"""Repeated launches on the host: what the kernel is passed is made once, and a launch writes addresses and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base import Argument, Lowered, MemrefArgument
from ..checked import parameters_of
from .descriptors import Table, bytes_of


def is_repeatable(arguments: Sequence[Argument]) -> bool:
    """Whether launches with such arguments differ in addresses and numbers alone, and copy nothing."""
    arrays = [argument for argument in arguments if not isinstance(argument, (int, float, complex))]
    return all(isinstance(array, MemrefArgument) and array.view.queue is None for array in arrays)


class RepeatedLaunch:
    """Launches with arguments like these; `kernel` gives the code of the function."""

    def __init__(
        self, kernel: Callable[[], Any], lowered: Lowered, arguments: Sequence[Argument], options: Mapping[str, Any]
    ) -> None:
        self._kernel = kernel
        self._threads = options["threads"]
        parameters = parameters_of(lowered)
        self._table = Table(parameters, arguments, lambda views: np.zeros(len(views), np.int64))
        self._free: list[_Words] = []
        """Tables that no launch uses at present."""
        entries = list(enumerate(zip(parameters, arguments, self._table.places)))
        self._memrefs = [(n, place) for n, (_, argument, place) in entries if isinstance(argument, MemrefArgument)]
        self._numbers = [
            (n, place, parameter.type)
            for n, (parameter, argument, place) in entries
            if not isinstance(argument, MemrefArgument)
        ]

    def __call__(
        self, arguments: Sequence[Any], values: Sequence[Any], groups: int, depends: Sequence[Any], wait: bool
    ) -> None:
        words = self._free.pop() if self._free else _Words(self._table)
        self._write(words, values)
        self._run(self._kernel(), words, groups, arguments)
        self._free.append(words)

    def bound(self, arguments: Sequence[Any], values: Sequence[Any], groups: int) -> Callable[[], None]:
        """Launches that differ in nothing."""
        built, words, held = self._kernel(), _Words(self._table), tuple(arguments)
        self._write(words, values)
        return lambda: self._run(built, words, groups, held)

    def _run(self, built: Any, words: _Words, groups: int, arguments: Sequence[Any]) -> None:
        built.code.run(groups, words.address, self._threads, (words, arguments))
        built.launches += 1

    def _write(self, words: _Words, values: Sequence[Any]) -> None:
        """Write addresses and numbers into a table."""
        for number, place in self._memrefs:
            words.written[place] = words.written[place + 1] = values[number]
        for number, place, type_ in self._numbers:
            written = bytes_of(type_, values[number])
            words.bytes[place * 8 : place * 8 + len(written)] = written


class _Words:
    """The table of a launch, in memory of its own."""

    def __init__(self, table: Table) -> None:
        words = table.words.copy()
        self.address: int = words.ctypes.data
        words[table.own] += self.address
        self.written = memoryview(words)
        self.bytes = self.written.cast("B")
