"""Which instruction a word of the text stands for. Instructions register themselves with `@instruction`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TypeVar

from .operation import Operation

DEFINED_IN = ("pytl.ops", "pytl.passes.targets.strategies")
"""What defines the instructions of the languages, and the checks of functions."""
OF_BACKENDS = tuple(
    f"pytl.passes.targets.{name}"
    for name in ("cpu", "group_lanes", "outer_products", "vector", "vector_rows", "vector_tiles")
)
"""What defines the instructions that only passes write. A process that finds its kernels in the cache needs none."""
_imported: set[str] = set()
_by_word: dict[str, type[Operation]] = {}
_aliases: dict[str, str] = {}
_spellings: dict[str, str] = {}
_LIKE = 0.6  # how much of two words agrees where one may be meant for the other
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


def import_checks() -> None:
    """Import what defines the instructions of the languages, and the checks of functions."""
    _import(DEFINED_IN)


def import_all() -> None:
    """Import what defines instructions."""
    _import(DEFINED_IN + OF_BACKENDS)


def _import(modules: tuple[str, ...]) -> None:
    for module in modules:
        if module not in _imported:
            import_module(module)  # where another thread imports it, this one waits
            _imported.add(module)


NAMESPACES = ("cpu", "vector", "check", "debug", "yateto", "xetile", "v03", "v04", "pytl")
"""First words of instructions that the manual of the tensor language has not; `v04` is for those that the language has
since its release 0.4, whose dialect writes them without it, and `v03` for what its release 0.3 does to an element."""


def all_instructions(namespace: str | None = None) -> list[type[Operation]]:
    """Every instruction of the tensor language once, in the order of definition; or those of a namespace."""
    import_all()
    return [cls for cls in dict.fromkeys(_by_word.values()) if namespace_of(cls) == namespace]


def namespace_of(cls: type[Operation]) -> str | None:
    """The namespace of an instruction that is not of the tensor language."""
    first = cls.mnemonic.partition(".")[0]
    return first if first in NAMESPACES else None


def is_of_backend(cls: type[Operation]) -> bool:
    """Whether only passes write an instruction, and users' texts can't have it."""
    return namespace_of(cls) in ("cpu", "vector", "check")


def is_for_debugging(cls: type[Operation]) -> bool:
    """Whether an instruction shows or tests values and computes nothing; the language has none of these."""
    return namespace_of(cls) == "debug"


def find(word: str) -> tuple[type[Operation], str, bool] | None:
    """The instruction that `word` begins with, its canonical word, and whether `word` used an alias.

    `word` may carry modifiers: `gemm.n.t.atomic` is found under `gemm`. The modifiers are what is left of the
    returned word, after the instruction's own mnemonic.
    """
    import_checks()
    match = _find(word)
    if match is None:
        import_all()
        match = _find(word)
    return match


def _find(word: str) -> tuple[type[Operation], str, bool] | None:
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


@cache  # a text may be full of one mistake
def close_words(word: str) -> list[str]:
    """The known word most similar to an unknown one, if any is similar enough; of equal ones the first defined."""
    words = [word for word, cls in _by_word.items() if not is_of_backend(cls)] + [*_spellings, *_aliases]
    return _closest(word, words) or _closest(word.split(".")[0], words)


def _closest(word: str, words: list[str]) -> list[str]:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(b=word)

    def likeness(candidate: str) -> float:
        matcher.set_seq1(candidate)
        # both are upper bounds of the ratio, which takes far longer
        bound = min(matcher.real_quick_ratio(), matcher.quick_ratio())
        return matcher.ratio() if bound >= _LIKE else 0.0

    best = max(words, key=likeness)
    return [best] if likeness(best) >= _LIKE else []
