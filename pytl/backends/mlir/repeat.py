"""Repeated launches on the host: what the kernel is passed is made once, and a launch writes addresses and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..base import Argument, Lowered, MemrefArgument
from ..checked import parameters_of
from .descriptors import Table, bytes_of
from .host import processors


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
        self._threads = options["threads"] or processors()
        parameters = parameters_of(lowered)
        self._table = Table(parameters, arguments, lambda views: np.zeros(len(views), np.int64))
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
        self.bound(arguments, values, groups)()

    def bound(self, arguments: Sequence[Any], values: Sequence[Any], groups: int) -> Callable[[], None]:
        """Launches that differ in nothing."""
        built, words, threads, held = self._kernel(), self._words(values), self._threads, tuple(arguments)

        def launch_again() -> None:
            built.code.run(groups, words, threads, held)
            built.launches += 1

        return launch_again

    def _words(self, values: Sequence[Any]) -> np.ndarray:
        """The table with these addresses and numbers."""
        words = self._table.words.copy()
        words[self._table.own] += words.ctypes.data
        for number, place in self._memrefs:
            words[place] = words[place + 1] = values[number]
        for number, place, type_ in self._numbers:
            written = bytes_of(type_, values[number])
            words[place : place + 2].view(np.uint8)[: len(written)] = np.frombuffer(written, np.uint8)
        return words
