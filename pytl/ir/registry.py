"""Which instruction a word of the text stands for. Instructions register themselves with `@instruction`."""

from __future__ import annotations

from typing import TypeVar

from .operation import Operation

_by_word: dict[str, type[Operation]] = {}
_aliases: dict[str, str] = {}
_spellings: dict[str, str] = {}
_MAX_SEGMENTS = 4  # of a word without its modifiers

OperationClass = TypeVar("OperationClass", bound=type[Operation])


def instruction(cls: OperationClass) -> OperationClass:
    """Make an instruction known to parser, reference pages and tools."""
    for word in cls.words():
        if word in _by_word:
            raise ValueError(f"{word} is defined twice")
        _by_word[word] = cls
    for spelling in cls.spellings:
        _spellings[spelling] = cls.mnemonic
    for alias in cls.aliases:
        # an alias of a family names a variant: `group_id` is `builtin.group_id`
        variants = [word for word in cls.words() if word.endswith(f".{alias}")]
        _aliases[alias] = variants[0] if variants else cls.words()[0]
    return cls


def all_instructions() -> list[type[Operation]]:
    """Every instruction once, in the order of definition."""
    return list(dict.fromkeys(_by_word.values()))


def find(word: str) -> tuple[type[Operation], str, bool] | None:
    """The instruction that `word` begins with, its canonical word, and whether `word` used an alias.

    `word` may carry modifiers: `gemm.n.t.atomic` is found under `gemm`. The modifiers are what is left of the
    returned word, after the instruction's own mnemonic.
    """
    segments = word.split(".")
    for length in range(min(len(segments), _MAX_SEGMENTS), 0, -1):
        head = ".".join(segments[:length])
        rest = "".join(f".{segment}" for segment in segments[length:])
        if head in _by_word:
            return _by_word[head], head + rest, False
        if head in _spellings:
            canonical = _spellings[head]
            return _by_word[canonical], canonical + rest, False
        if head in _aliases:
            canonical = _aliases[head]
            return _by_word[canonical], canonical + rest, True
    return None


def close_words(word: str) -> list[str]:
    """Known words that look like an unknown one."""
    from difflib import get_close_matches

    head = word.split(".")
    found = get_close_matches(word, [*_by_word, *_aliases], n=1)
    return found or get_close_matches(head[0], [*_by_word, *_aliases], n=1)
