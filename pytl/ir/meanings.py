"""Tables from the words of an instruction to what they mean to a backend or a pass: no word has a default meaning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class NoMeaning(NotImplementedError):
    """A backend or pass met an instruction, a variant or a type that it has no entry for: an omission in pytl."""


def no_meaning(owner: str, word: object) -> NoReturn:
    """Report that `owner`, a backend or a pass, has no entry for an instruction, a variant or a type.

    >>> no_meaning("the mlir backend", "math.sin")
    Traceback (most recent call last):
    pytl.ir.meanings.NoMeaning: internal error: the mlir backend has no entry for math.sin
    """
    raise NoMeaning(f"internal error: {owner} has no entry for {word}")


class Meanings(dict[K, V]):
    """A table of what words mean to `place`. A word without an entry raises `NoMeaning`, with the word's name.

    >>> functions = Meanings("the mlir backend, math", {"exp": "math.exp"})
    >>> functions["exp"]
    'math.exp'
    >>> functions["sin"]
    Traceback (most recent call last):
    pytl.ir.meanings.NoMeaning: internal error: the mlir backend, math has no entry for sin
    """

    def __init__(self, owner: str, entries: Mapping[K, V]) -> None:
        super().__init__(entries)
        self._owner = owner

    def __missing__(self, word: K) -> NoReturn:
        no_meaning(self._owner, getattr(word, "__name__", word))
