"""Small changes of texts: what a typing error, a lost line or a wrong paste makes of a program."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from generator import ELEMENTS

TOKEN = re.compile(r"%\w+|@\w+|[A-Za-z_][\w.]*|[+-]?\d[\w.+-]*|\"[^\"\n]*\"|->|\s+|.", re.DOTALL)
NUMBER = re.compile(r"(?<![%\w.])-?\d+(?![\w.])|(?<=x)\d+")
TYPE = re.compile(rf"\b(?:{'|'.join((*ELEMENTS, 'bool'))})(?![A-Za-wyz_0-9])")
NAME = re.compile(r"%\w+")
FORM = re.compile(r"(?<= )[a-z_]+\.[a-z_.]+(?= )")
VARIANT = re.compile(
    r"(?<=arith\.)(?:add|sub|mul|div)\b|(?<=cmp\.)\w+|(?<=store)(?:\.atomic\w*)?(?= )|(?<=\.)[nt](?=[. ])"
)
VARIANTS = ("n", "t", "", ".atomic", ".atomic_add", "lt", "ge", "ne", "sub", "div", "rem", "shl", "min")
SMALL_NUMBERS = ("0", "1", "-1", "2", "3", "4", "8", "16")
NUMBERS = ("0", "1", "-1", "2", "3", "5", "16", "17", "64", "1000000", str(2**63 - 1), str(2**63), "9" * 40)
LITERALS = ("-9223372036854775808", "0", "1", "-1.5", "0x1p3", "true", "[1.0,2.0]")
OPERAND = re.compile(r"(?<=[ \[(,])(?:%\w+|[+-]?\d[\w.+-]*|true|false)(?=[ \],:)\n\[])")
WORDS = (*'{}()[]<>,:=?.x%";', "->", "yield", "func", "local")
CHARACTERS = "{}()[]<>,:=%@\"'.;?-+x0189afn \n\t\r\0\x1b\u2028\u202e\ud800é𝛼"


def mutated(rng: Random, text: str, other: str) -> str:
    """The text after one to four changes, some of which take a piece of the other one."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        text = rng.choice(CHANGES)(rng, text, other)
    return text


def mutated_within_rules(rng: Random, text: str, is_valid: Callable[[str], bool]) -> str:
    """The text after some of eight small changes: those that leave it valid."""
    for _ in range(8):
        changed = rng.choice(GENTLE)(rng, text, text)
        if changed != text and is_valid(changed):
            text = changed
    return text


def _pieces(change: Callable[[Random, list[str], list[str]], None], split: Callable[[str], list[str]]):
    def changed(rng: Random, text: str, other: str) -> str:
        pieces = split(text)
        if pieces:
            change(rng, pieces, split(other) or [""])
        return "".join(pieces)

    return changed


def _place(rng: Random, pieces: list[str]) -> int:
    place = rng.randrange(len(pieces))
    # blanks are tokens, too, but change nothing
    return place if not pieces[place].isspace() else min(place + 1, len(pieces) - 1)


def _delete(rng: Random, pieces: list[str], other: list[str]) -> None:
    del pieces[_place(rng, pieces)]


def _duplicate(rng: Random, pieces: list[str], other: list[str]) -> None:
    place = _place(rng, pieces)
    pieces.insert(rng.choice((place, rng.randrange(len(pieces)))), pieces[place])


def _swap(rng: Random, pieces: list[str], other: list[str]) -> None:
    a, b = _place(rng, pieces), _place(rng, pieces)
    pieces[a], pieces[b] = pieces[b], pieces[a]


def _replace(rng: Random, pieces: list[str], other: list[str]) -> None:
    """Put what stands elsewhere in its place: a piece of the same kind, if there is one."""
    place = _place(rng, pieces)
    source = rng.choice((pieces, other))
    alike = [piece for piece in source if piece[:1] == pieces[place][:1] and piece != pieces[place]]
    pieces[place] = rng.choice(alike or source)


def _word(rng: Random, pieces: list[str], other: list[str]) -> None:
    pieces[_place(rng, pieces)] = rng.choice(WORDS)


def _character(rng: Random, pieces: list[str], other: list[str]) -> None:
    pieces[rng.randrange(len(pieces))] = rng.choice(CHARACTERS)


def _splice(rng: Random, pieces: list[str], other: list[str]) -> None:
    """Lines of the other text in the middle of this one."""
    begin = rng.randrange(len(other))
    place = rng.randrange(len(pieces))
    pieces[place:place] = other[begin : begin + rng.randrange(1, 6)]


def _name(rng: Random, text: str, other: str) -> str:
    """Another value of the program in the place of one."""
    return _one(rng, NAME, text, tuple(NAME.findall(text)))


def _operand(rng: Random, text: str, other: str) -> str:
    """In the place of an operand, a literal, any name of the program or of another, a name of nothing, or nothing."""
    names = NAME.findall(text)
    choice = rng.choice((LITERALS, names, names, NAME.findall(other), ("%nowhere", "")))
    return _one(rng, OPERAND, text, tuple(choice) or LITERALS)


def _form(rng: Random, text: str, other: str) -> str:
    """Another instruction, variant or flag, as it stands elsewhere in the program."""
    return _one(rng, FORM, text, tuple(FORM.findall(text)))


def _variant(rng: Random, text: str, other: str) -> str:
    return _one(rng, VARIANT, text, VARIANTS)


def _cut(rng: Random, text: str, other: str) -> str:
    """The first half of one text and the second of the other."""
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def _numbers(rng: Random, text: str, other: str) -> str:
    return _one(rng, NUMBER, text, NUMBERS)


def _small_numbers(rng: Random, text: str, other: str) -> str:
    return _one(rng, NUMBER, text, SMALL_NUMBERS)


def _types(rng: Random, text: str, other: str) -> str:
    return _one(rng, TYPE, text, (*ELEMENTS, "bool"))


def _everywhere(rng: Random, text: str, other: str) -> str:
    """Another type in all places of one, which often gives a valid program."""
    return re.sub(rf"\b{rng.choice(ELEMENTS)}(?![A-Za-wyz_0-9])", rng.choice(ELEMENTS), text)


def _one(rng: Random, pattern: re.Pattern[str], text: str, choices: tuple[str, ...]) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + rng.choice(choices) + text[match.end() :]


def _tokens(text: str) -> list[str]:
    return TOKEN.findall(text)


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


CHANGES: tuple[Callable[[Random, str, str], str], ...] = (
    *(_pieces(change, _tokens) for change in (_delete, _duplicate, _swap, _replace, _replace, _word)),
    *(_pieces(change, _lines) for change in (_delete, _delete, _duplicate, _swap, _swap, _splice)),
    *(_pieces(change, list) for change in (_delete, _duplicate, _character)),
    *(_numbers, _numbers, _types, _types, _everywhere, _cut, _operand, _operand, _operand),
)
GENTLE: tuple[Callable[[Random, str, str], str], ...] = (
    *(
        _name,
        _name,
        _name,
        _operand,
        _small_numbers,
        _small_numbers,
        _numbers,
        _form,
        _variant,
        _variant,
        _types,
        _everywhere,
    ),
    *(_pieces(change, _lines) for change in (_delete, _swap, _duplicate)),
)
"""Changes that often leave a program valid."""
